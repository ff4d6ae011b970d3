//! The M largest transactions of a stream that is too long to keep.
//!
//! A minimum-oriented priority queue holds the M largest so far, so the one to give up when another comes is at hand. Memory
//! is O(M), time O(N log M).
//!
//! ```text
//! cargo run --release --example top_m                      the textbook's sixteen transactions, and the table of costs
//! cargo run --release --example top_m -- 5 < transactions  the five largest of a file: a name, a date and an amount a line
//! ```
//!
//! The textbook is Sedgewick and Wayne, *Algorithms*, fourth edition, section 2.4.
//!
//! Shows: [`MinPq`] as a collection of a program's own, without any simulation.

use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};
use std::io::BufRead;

use saltus::queue::MinPq;
use saltus::{BoxError, Stream};
use saltus_examples::{Counted, compares};

/// The M largest, the largest first. Holds M + 1 items at most.
fn top_m<T: Ord, E>(m: usize, items: impl IntoIterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
    let mut queue = MinPq::new();
    for item in items {
        queue.insert(item?);
        if queue.size() > m {
            let _ = queue.del_min();
        }
    }
    let mut largest: Vec<T> = std::iter::from_fn(|| queue.del_min().ok()).collect();
    largest.reverse();
    Ok(largest)
}

/// Ordered by its amount.
#[derive(Clone, Debug, PartialEq)]
struct Transaction {
    who: String,
    when: String,
    amount: f64,
}

impl Eq for Transaction {}

impl Ord for Transaction {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.total_cmp(&other.amount)
    }
}

impl PartialOrd for Transaction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Display for Transaction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:<12} {:>10} {:>9.2}", self.who, self.when, self.amount)
    }
}

/// The transactions of a text, a line each; empty lines are skipped.
fn transactions(text: impl BufRead) -> impl Iterator<Item = Result<Transaction, String>> {
    let parse = |(number, line): (usize, std::io::Result<String>)| {
        let number = number + 1;
        let line = line.map_err(|error| format!("line {number}: {error}"))?;
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (who, when, amount) = match fields[..] {
            [] => return Ok(None),
            [who, when, amount] => (who, when, amount),
            _ => return Err(format!("line {number}: {line:?} is not a name, a date and an amount")),
        };
        let finite = amount.parse().ok().filter(|amount: &f64| amount.is_finite());
        let amount = finite.ok_or_else(|| format!("line {number}: {amount:?} is not an amount: a finite number"))?;
        Ok(Some(Transaction { who: who.to_owned(), when: when.to_owned(), amount }))
    };
    text.lines().enumerate().map(parse).filter_map(Result::transpose)
}

const BATCH: &str = "\
Turing 6/17/1990 644.08
vonNeumann 3/26/2002 4121.85
Dijkstra 8/22/2007 2678.40
vonNeumann 1/11/1999 4409.74
Dijkstra 11/18/1995 837.42
Hoare 5/10/1993 3229.27
vonNeumann 2/12/1994 4732.35
Hoare 8/18/1992 4381.21
Turing 1/11/2002 66.10
Thompson 2/27/2000 4747.08
Turing 2/11/1991 2156.86
Hoare 8/12/2003 1025.70
vonNeumann 10/13/1993 2520.97
Dijkstra 9/10/2000 708.95
Turing 10/12/1993 3532.36
Hoare 2/10/2005 4050.20
";

/// Sorts them all: N log N, and N items are kept.
fn by_sorting(m: usize, items: &[Counted]) -> Vec<Counted> {
    let mut all = items.to_vec();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.truncate(m);
    all
}

/// An unordered array is searched for the smallest each time: M N.
fn by_searching(m: usize, items: &[Counted]) -> Vec<Counted> {
    let mut largest: Vec<Counted> = Vec::new();
    for &item in items {
        largest.push(item);
        if largest.len() > m {
            let least = (0..=m).min_by_key(|&i| largest[i]).unwrap_or(m);
            largest.swap_remove(least);
        }
    }
    largest.sort_unstable_by(|a, b| b.cmp(a));
    largest
}

fn by_heap(m: usize, items: &[Counted]) -> Vec<Counted> {
    let Ok(largest) = top_m(m, items.iter().copied().map(Ok::<_, std::convert::Infallible>));
    largest
}

/// The order of growth: compares, and the same in units of the law, which stay about the same from row to row.
fn table() {
    println!("compares to find the M largest of N numbers at random, and in units of their law:");
    println!("{:>8} {:>5} | {:^20} | {:^20} | {:^20}", "N", "M", "sort: N lg N", "elementary: N M", "heap: N lg M");
    let mut stream = Stream::new(1, 0, 0);
    for (n, m) in [(1000, 10), (10_000, 10), (100_000, 10), (10_000, 100), (100_000, 100), (100_000, 1000)] {
        let items: Vec<Counted> = (0..n).map(|_| Counted(stream.bits())).collect();
        let (n, lg) = (n as f64, f64::log2);
        let laws = [n * lg(n), n * m as f64, n * lg(m as f64)];
        let ways = [by_sorting, by_searching, by_heap].map(|way| compares(|| way(m, &items)));
        assert!(ways[0].1 == ways[1].1 && ways[0].1 == ways[2].1, "the same {m} of {n}");
        let [sort, search, heap] = std::array::from_fn(|i| (ways[i].0, ways[i].0 as f64 / laws[i]));
        let cell = |(count, units): (u64, f64)| format!("{count:>12} {units:>7.2}");
        println!("{n:>8} {m:>5} | {} | {} | {}", cell(sort), cell(search), cell(heap));
        for (name, (_, units)) in [("sort", sort), ("elementary", search), ("heap", heap)] {
            assert!((0.5..3.5).contains(&units), "{name}: {units} units of its law for N = {n}, M = {m}");
        }
    }
    println!("kept: N items by the sort, M + 1 by the others; best in theory, not built here: N compares, M items");
}

fn main() -> Result<(), BoxError> {
    let fail = |problem: String| -> ! {
        eprintln!("{problem}");
        std::process::exit(2)
    };
    let Some(m) = std::env::args().nth(1) else { return show() };
    let m = m.parse().unwrap_or_else(|_| fail(format!("{m}: not a number of transactions; usage: top_m [M < FILE]")));
    for transaction in top_m(m, transactions(std::io::stdin().lock())).unwrap_or_else(|problem| fail(problem)) {
        println!("{transaction}");
    }
    Ok(())
}

fn show() -> Result<(), BoxError> {
    for transaction in top_m(5, transactions(BATCH.as_bytes()))? {
        println!("{transaction}");
    }
    println!();
    table();
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    show()
}

#[test]
fn the_five_largest_are_those_of_the_textbook_in_its_order() {
    let largest = top_m(5, transactions(BATCH.as_bytes())).unwrap();
    let told: Vec<_> = largest.iter().map(|t| (t.who.as_str(), t.when.as_str(), t.amount)).collect();
    assert_eq!(
        told,
        [
            ("Thompson", "2/27/2000", 4747.08),
            ("vonNeumann", "2/12/1994", 4732.35),
            ("vonNeumann", "1/11/1999", 4409.74),
            ("Hoare", "8/18/1992", 4381.21),
            ("vonNeumann", "3/26/2002", 4121.85),
        ]
    );
}

#[test]
fn any_number_may_be_asked_for() {
    let count = |m| top_m(m, transactions(BATCH.as_bytes())).unwrap().len();
    assert_eq!([0, 1, 16, 17].map(count), [0, 1, 16, 16]);
}

#[test]
fn a_line_that_is_no_transaction_is_named() {
    let problem = |text: &str| top_m(5, transactions(text.as_bytes())).unwrap_err();
    assert_eq!(problem("a b 1\n\nTuring 644.08\n"), r#"line 3: "Turing 644.08" is not a name, a date and an amount"#);
    assert_eq!(problem("a b NaN"), r#"line 1: "NaN" is not an amount: a finite number"#);
    assert_eq!(problem("a b 1,5"), r#"line 1: "1,5" is not an amount: a finite number"#);
}

/// A stream of any length is held in the memory of M + 1 items.
#[test]
fn no_more_than_m_and_one_are_kept() {
    use std::cell::Cell;
    use std::rc::Rc;

    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Item(u64, Rc<()>);
    let (alive, most) = (Rc::new(()), Cell::new(0));
    let mut stream = Stream::new(1, 0, 0);
    let items = (0..100_000).map(|_| {
        most.set(most.get().max(Rc::strong_count(&alive)));
        Ok::<_, String>(Item(stream.bits(), alive.clone()))
    });
    assert_eq!(top_m(100, items).unwrap().len(), 100);
    // One count is of the test itself. The items are counted before another is made.
    assert_eq!(most.get() - 1, 100);
}
