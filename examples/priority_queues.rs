//! The laboratory of priority queues: what the textbook says that they cost, measured.
//!
//! The textbook is Sedgewick and Wayne, *Algorithms*, fourth edition, section 2.4. It counts compares and exchanges; here every
//! structure counts its own compares, and moves: an entry that goes from one place to another, so that an exchange is two. The
//! textbook's bounds are checked after every single operation, and a broken one ends the program.
//!
//! Shows: the future event lists of [`saltus::queue`] side by side, and heapsort.

use std::fmt::Display;
use std::time::Instant;

use saltus::queue::{DaryHeap, Entry, FutureEventList, LadderQueue, MinPq, SortedVec, UnorderedVec};
use saltus::{BoxError, Stream};
use saltus_examples::{Counted, compares};

/// An event that is nothing but its key.
struct Item {
    key: u64,
    number: u64,
}

impl Entry for Item {
    type Time = u64;

    fn key(&self) -> (u64, u64) {
        (self.key, self.number)
    }
}

/// How the keys come in.
#[derive(Clone, Copy)]
enum Keys {
    Random,
    Ascending,
    /// Each new key is the smallest: the worst that can happen to a heap.
    Descending,
}

fn keys(keys: Keys, n: u64) -> Vec<u64> {
    let mut stream = Stream::new(1, 0, 0);
    let key = |i| match keys {
        Keys::Random => stream.bits() >> 1,
        Keys::Ascending => i,
        Keys::Descending => n - i,
    };
    (0..n).map(key).collect()
}

/// What one kind of operation took, all in all and at most.
#[derive(Clone, Copy, Default)]
struct Work {
    operations: u64,
    compares: u64,
    moves: u64,
    most_compares: u64,
}

impl Work {
    fn add(&mut self, compares: u64, moves: u64) {
        self.operations += 1;
        self.compares += compares;
        self.moves += moves;
        self.most_compares = self.most_compares.max(compares);
    }

    fn mean_compares(&self) -> f64 {
        self.compares as f64 / self.operations as f64
    }

    fn mean_moves(&self) -> f64 {
        self.moves as f64 / self.operations as f64
    }
}

/// Inserts all keys and deletes the minimum until nothing is left. `check` is told the length with the entry and the compares
/// of every insertion and deletion.
fn measure<Q: FutureEventList<Item> + Default>(keys: &[u64], check: impl Fn(u64, u64, u64)) -> (Work, Work) {
    let (mut queue, mut insert, mut delete) = (Q::default(), Work::default(), Work::default());
    let count = |queue: &Q| (queue.compares().unwrap_or(0), queue.moves().unwrap_or(0));
    let mut before = count(&queue);
    for (number, &key) in (0..).zip(keys) {
        queue.push(Item { key, number });
        let after = count(&queue);
        insert.add(after.0 - before.0, after.1 - before.1);
        check(number + 1, after.0 - before.0, 0);
        before = after;
    }
    let mut last = (0, 0);
    for length in (1..=keys.len() as u64).rev() {
        let key = queue.pop().map(|item| item.key());
        assert!(key >= Some(last), "out of order");
        last = key.unwrap_or_default();
        let after = count(&queue);
        delete.add(after.0 - before.0, after.1 - before.1);
        check(length, 0, after.0 - before.0);
        before = after;
    }
    assert!(queue.is_empty());
    (insert, delete)
}

/// Levels below the root of a complete tree of `n` nodes, `d` children each: the whole part of lg n for a binary one.
fn height(n: u64, d: u64) -> u64 {
    std::iter::successors(Some(n - 1), |&node| node.checked_sub(1).map(|node| node / d)).count() as u64 - 1
}

/// A d-ary heap with its bounds: an insertion takes at most 1 + log_d N compares, a deletion at most d log_d N.
fn measure_heap<const D: usize>(keys: &[u64]) -> (Work, Work) {
    measure::<DaryHeap<Item, D, true>>(keys, |length, insert, delete| {
        let height = height(length, D as u64);
        assert!(insert <= 1 + height, "{insert} compares to insert the {length}th entry");
        assert!(delete <= D as u64 * height, "{delete} compares to delete from {length} entries");
    })
}

fn row(name: &str, (insert, delete): (Work, Work)) {
    let cells =
        |work: Work| format!("{:>8.1} {:>7} {:>8.1}", work.mean_compares(), work.most_compares, work.mean_moves());
    println!("  {name:16} | {} | {}", cells(insert), cells(delete));
}

/// The rows of the table for one size. Returns the ladder's compares and moves a key.
fn table(order: Keys, n: u64, arrays: bool) -> f64 {
    let keys = keys(order, n);
    let heading = "compares    most    moves";
    println!("  {:16} | insert: {:17} | delete-min:", format!("N = {n}"), "");
    println!("  {:16} | {heading} | {heading}", "");
    if arrays {
        let unordered = measure::<UnorderedVec<Item>>(&keys, |length, insert, delete| {
            assert!(insert == 0 && delete < length, "{delete} compares to look at {length} entries");
        });
        row("unordered array", unordered);
        let ordered = measure::<SortedVec<Item>>(&keys, |length, insert, delete| {
            // The library's binary search takes lg N, rounded up, and one.
            assert!(delete == 0 && insert <= 2 + height(length, 2), "a binary search among {length} took {insert}");
        });
        row("ordered array", ordered);
    }
    row("binary heap", measure_heap::<2>(&keys));
    row("3-ary heap", measure_heap::<3>(&keys));
    row("4-ary heap", measure_heap::<4>(&keys));
    row("8-ary heap", measure_heap::<8>(&keys));
    let (insert, delete) = measure::<LadderQueue<Item, true>>(&keys, |_, _, _| {});
    row("ladder", (insert, delete));
    println!();
    insert.mean_compares() + delete.mean_compares() + insert.mean_moves() + delete.mean_moves()
}

/// The textbook's own interface: `MinPq`, made from an array, and key by key.
fn textbook_queue(n: u64) {
    let keys: Vec<Counted> = keys(Keys::Random, n).into_iter().map(Counted).collect();
    let (construction, mut queue) = compares(|| MinPq::from(keys.clone()));
    assert!(construction <= 2 * n, "{construction} compares to make a heap of {n}");
    println!("MinPq made of an array of {n}: {:.2} compares a key, at most 2", construction as f64 / n as f64);
    let (mut insert, mut delete) = (Work::default(), Work::default());
    for length in (1..=n).rev() {
        let (count, key) = compares(|| queue.del_min());
        assert!(key.is_ok() && count <= 2 * height(length, 2), "{count} compares to delete from {length}");
        delete.add(count, 0);
    }
    for (length, &key) in (1..).zip(&keys) {
        let (count, _) = compares(|| queue.insert(key));
        assert!(count <= 1 + height(length, 2), "{count} compares to insert the {length}th");
        insert.add(count, 0);
    }
    println!(
        "its del_min: {:.1} on the average, at most 2 lg N = {}; its insert: {:.1}, at most 1 + lg N = {}\n",
        delete.mean_compares(),
        2 * height(n, 2),
        insert.mean_compares(),
        1 + height(n, 2)
    );
}

/// Heapsort, as the textbook has it: positions count from one.
struct Heapsort<'a, K> {
    keys: &'a mut [K],
    compares: u64,
    exchanges: u64,
}

impl<K: Ord> Heapsort<'_, K> {
    fn less(&mut self, i: usize, j: usize) -> bool {
        self.compares += 1;
        self.keys[i - 1] < self.keys[j - 1]
    }

    fn exchange(&mut self, i: usize, j: usize) {
        self.exchanges += 1;
        self.keys.swap(i - 1, j - 1);
    }

    fn sink(&mut self, mut k: usize, n: usize) {
        while 2 * k <= n {
            let mut j = 2 * k;
            if j < n && self.less(j, j + 1) {
                j += 1;
            }
            if !self.less(k, j) {
                break;
            }
            self.exchange(k, j);
            k = j;
        }
    }

    /// Tells N, k and the keys after each sink, and checks the bounds.
    fn sort(&mut self, mut trace: impl FnMut(usize, usize, &[K])) {
        let n = self.keys.len();
        for k in (1..=n / 2).rev() {
            self.sink(k, n);
            trace(n, k, self.keys);
        }
        assert!(self.compares <= 2 * n as u64, "{} compares to make a heap of {n}", self.compares);
        assert!(self.exchanges <= n as u64, "{} exchanges to make a heap of {n}", self.exchanges);
        for last in (2..=n).rev() {
            self.exchange(1, last);
            self.sink(1, last - 1);
            trace(last - 1, 1, self.keys);
        }
        let bound = 2.0 * n as f64 * (n as f64).log2();
        assert!(n == 0 || self.compares as f64 <= bound, "{} compares to sort {n}", self.compares);
        assert!(n == 0 || self.exchanges as f64 <= bound, "{} exchanges to sort {n}", self.exchanges);
        assert!(self.keys.is_sorted());
    }
}

/// Sorts, and returns compares and exchanges.
fn heapsort<K: Ord>(keys: &mut [K], trace: impl FnMut(usize, usize, &[K])) -> (u64, u64) {
    let mut sort = Heapsort { keys, compares: 0, exchanges: 0 };
    sort.sort(trace);
    (sort.compares, sort.exchanges)
}

/// The textbook's trace of heapsort: N, k, and the array just after each sink.
fn trace(word: &str) -> Vec<String> {
    let line = |n: &dyn Display, k: &dyn Display, keys: &[char]| {
        let letters: Vec<String> = keys.iter().map(char::to_string).collect();
        format!("{n:>2} {k:>2}  {}", letters.join(" "))
    };
    let mut keys: Vec<char> = word.chars().collect();
    let mut lines = vec![line(&"", &"", &keys)];
    heapsort(&mut keys, |n, k, keys| {
        lines.push(line(&n, &k, keys));
        if n == keys.len() && k == 1 {
            lines.push(line(&"", &"", keys));
        }
    });
    lines.push(line(&"", &"", &keys));
    lines
}

/// What the textbook prints.
const TRACE: [&str; 18] = [
    "       S O R T E X A M P L E",
    "11  5  S O R T L X A M P E E",
    "11  4  S O R T L X A M P E E",
    "11  3  S O X T L R A M P E E",
    "11  2  S T X P L R A M O E E",
    "11  1  X T S P L R A M O E E",
    "       X T S P L R A M O E E",
    "10  1  T P S O L R A M E E X",
    " 9  1  S P R O L E A M E T X",
    " 8  1  R P E O L E A M S T X",
    " 7  1  P O E M L E A R S T X",
    " 6  1  O M E A L E P R S T X",
    " 5  1  M L E A E O P R S T X",
    " 4  1  L E E A M O P R S T X",
    " 3  1  E A E L M O P R S T X",
    " 2  1  E A E L M O P R S T X",
    " 1  1  A E E L M O P R S T X",
    "       A E E L M O P R S T X",
];

fn print_trace() {
    println!("heapsort, the array just after each sink:");
    println!(" N  k  1 2 3 4 5 6 7 8 9 10 11");
    let lines = trace("SORTEXAMPLE");
    assert_eq!(lines, TRACE);
    for (line, remark) in lines.iter().zip((0..).map(|i| match i {
        0 => "  initial values",
        6 => "  heap-ordered",
        17 => "  sorted result",
        _ => "",
    })) {
        println!("{line}{remark}");
    }
    println!();
}

/// Heapsort beside the sort of the standard library.
fn sorts(n: u64) {
    let keys = keys(Keys::Random, n);
    let scale = n as f64 * (n as f64).log2();
    let mut mine = keys.clone();
    let start = Instant::now();
    let (count, exchanges) = heapsort(&mut mine, |_, _, _| {});
    let heap_time = start.elapsed();
    println!(
        "  N = {n:>7}: heapsort {:.2} N lg N compares and {:.2} N lg N exchanges, at most 2 of each",
        count as f64 / scale,
        exchanges as f64 / scale
    );
    let mut counted: Vec<Counted> = keys.iter().copied().map(Counted).collect();
    let (count, ()) = compares(|| counted.sort_unstable());
    let mut theirs = keys;
    let start = Instant::now();
    theirs.sort_unstable();
    let ratio = heap_time.as_secs_f64() / start.elapsed().as_secs_f64();
    println!("  {:14} sort_unstable {:.2} N lg N compares, {ratio:.1} times as fast", "", count as f64 / scale);
    assert_eq!(mine, theirs);
}

fn main() -> Result<(), BoxError> {
    println!("Costs of an operation: all keys in, then all out. Mean and most compares, mean moves.\n");
    println!("keys at random:");
    let small = table(Keys::Random, 1000, true);
    table(Keys::Random, 10_000, true);
    let large = table(Keys::Random, 1_000_000, false);
    assert!(large < 1.5 * small, "the ladder's work a key is to be the same: {small} and {large}");
    println!("each key smaller than all before:");
    table(Keys::Descending, 10_000, true);
    println!("each key larger than all before:");
    table(Keys::Ascending, 10_000, true);
    println!("Known from theory, not built here:");
    println!("  Fibonacci heap   | insert 1, delete-min log N amortised, min 1");
    println!("  Brodal queue     | insert 1, delete-min log N, min 1");
    println!(
        "  impossible       | insert 1, delete-min 1, min 1: it would sort N keys with O(N) compares, and lg N! are needed"
    );
    println!("  The ladder does not break that law: it looks at what the times are, not only at which is smaller.\n");
    textbook_queue(100_000);
    print_trace();
    for n in [1000, 30_000, 1_000_000] {
        sorts(n);
    }
    println!(
        "Introsort is quicksort that turns to heapsort when its calls nest deeper than 2 lg N, and to insertion sort for a few\n\
         keys: as fast as quicksort, and N log N in every case. The library's sort_unstable is of this kind."
    );
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    main()
}

#[test]
fn heights() {
    assert_eq!([1, 2, 3, 4, 7, 8, 16].map(|n| height(n, 2)), [0, 1, 1, 2, 2, 3, 4]);
    assert_eq!([1, 2, 4, 5, 13, 14].map(|n| height(n, 3)), [0, 1, 1, 2, 2, 3]);
}

/// The bounds hold for every order of few keys, with ties and without, not only for those that come up at random.
#[test]
fn heapsort_keeps_its_bounds_in_every_case() {
    for n in 0..8u32 {
        for code in 0..u64::from(n.max(1)).pow(n) {
            let mut rest = code;
            let mut keys: Vec<u64> = (0..n)
                .map(|_| {
                    let key = rest % u64::from(n);
                    rest /= u64::from(n);
                    key
                })
                .collect();
            heapsort(&mut keys, |_, _, _| {});
        }
    }
}

/// A heap's bounds in every case as well: all orders of few keys, and those that hurt.
#[test]
fn heaps_keep_their_bounds() {
    for order in [Keys::Random, Keys::Ascending, Keys::Descending] {
        for n in [1, 2, 3, 4, 5, 100, 1023, 1024, 1025] {
            let keys = keys(order, n);
            measure_heap::<2>(&keys);
            measure_heap::<3>(&keys);
            measure_heap::<4>(&keys);
            measure_heap::<8>(&keys);
        }
    }
}
