//! Every queue against the sorted array: random programs with adversarial times, entries that own memory, and counted work.

use std::cell::Cell;
use std::fmt::{self, Debug, Display, Formatter};
use std::rc::Rc;

use proptest::prelude::*;
use saltus::Time;
use saltus::queue::{
    DaryHeap, Entry, FutureEventList, IndexedHeap, LadderQueue, MaxPq, MinPq, SortedVec, Ticket, Underflow,
    UnorderedVec,
};
use saltus::time::{DelayFault, NotATime};

/// An entry that owns memory and counts its death.
struct Event<T: Time> {
    time: T,
    order: u64,
    owner: Option<usize>,
    payload: Box<u64>,
    dropped: Rc<Cell<usize>>,
}

thread_local! {
    /// Comparisons of two events by a queue, whichever it is.
    static COMPARES: Cell<u64> = const { Cell::new(0) };
}

impl<T: Time> Drop for Event<T> {
    fn drop(&mut self) {
        assert_eq!(*self.payload, self.order, "dropped or moved wrongly");
        self.dropped.set(self.dropped.get() + 1);
    }
}

impl<T: Time> Entry for Event<T> {
    type Time = T;

    fn key(&self) -> (T::Key, u64) {
        (self.time.key(), self.order)
    }

    fn owner(&self) -> Option<usize> {
        self.owner
    }

    fn is_before(&self, other: &Self) -> bool {
        COMPARES.set(COMPARES.get() + 1);
        T::comes_before(self.key(), other.key())
    }
}

/// A time of two words, for runs so long that one would lose digits: whole units, and the rest in parts of 2^64. It tells how
/// far times lie apart, or leaves that to the default, which does not.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Split<const TELLS: bool> {
    whole: u64,
    rest: u64,
}

impl<const TELLS: bool> Split<TELLS> {
    fn later(self, delay: f64) -> Self {
        let rest = (delay.fract() * 2f64.powi(64)) as u64;
        let (rest, carry) = self.rest.overflowing_add(rest);
        let whole = self.whole.saturating_add(delay as u64).saturating_add(u64::from(carry));
        Split { whole, rest }
    }

    fn parts(self) -> u128 {
        u128::from(self.whole) << 64 | u128::from(self.rest)
    }
}

impl<const TELLS: bool> Display for Split<TELLS> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} and {}", self.whole, self.rest)
    }
}

impl<const TELLS: bool> Time for Split<TELLS> {
    type Delay = f64;
    type Key = (u64, u64);
    type Order = u128;

    const ORIGIN: Self = Split { whole: 0, rest: 0 };

    fn check(self) -> Result<Option<Self>, NotATime> {
        Ok(Some(self))
    }

    fn key(self) -> (u64, u64) {
        (self.whole, self.rest)
    }

    fn from_key((whole, rest): (u64, u64)) -> Self {
        Split { whole, rest }
    }

    fn offset(origin: (u64, u64), key: (u64, u64)) -> f64 {
        let distance = Self::from_key(key).parts().saturating_sub(Self::from_key(origin).parts());
        if TELLS { distance as f64 } else { 0.0 }
    }

    fn order(self) -> u128 {
        self.parts()
    }

    fn after(self, delay: f64) -> Result<Option<Self>, DelayFault> {
        Ok(Some(self.later(delay)))
    }

    fn minus(self, earlier: Self) -> f64 {
        (self.parts() - earlier.parts()) as f64 / 2f64.powi(64)
    }

    fn periodic(start: Self, k: u64, period: f64) -> Option<Self> {
        Some(start.later(k as f64 * period))
    }
}

const OWNERS: usize = 60;
const SEQUENCE: u64 = (1 << 47) - 1;

/// A queue with a clock and owners' versions: times are chosen relative to what was popped last, and the dead are skipped.
struct Bench<T: Time, Q> {
    queue: Q,
    now: T,
    sequence: u64,
    /// By owner: the last sequence number at its last touch.
    since: [u64; OWNERS],
    made: usize,
    dropped: Rc<Cell<usize>>,
}

fn is_live<T: Time>(since: &[u64; OWNERS], event: &Event<T>) -> bool {
    event.owner.is_none_or(|owner| event.order & SEQUENCE > since[owner])
}

impl<T: Time, Q: FutureEventList<Event<T>> + Default> Bench<T, Q> {
    fn new() -> Self {
        Bench { queue: Q::default(), now: T::ORIGIN, sequence: 0, since: [0; OWNERS], made: 0, dropped: Rc::default() }
    }

    /// Pushes an event of any owner, or none.
    fn push(&mut self, time: T, priority: u8) {
        let next = self.sequence as usize + 1;
        self.push_for((!next.is_multiple_of(3)).then_some(next % OWNERS), time, priority);
    }

    fn push_for(&mut self, owner: Option<usize>, time: T, priority: u8) {
        self.sequence += 1;
        self.made += 1;
        let order = (u64::from(priority) << 47) | self.sequence;
        self.queue.push(Event { time, order, owner, payload: Box::new(order), dropped: self.dropped.clone() });
    }

    fn touch(&mut self, owner: usize) {
        self.since[owner] = self.sequence;
        self.queue.touched(owner, |event| is_live(&self.since, event));
    }

    /// The next living event, as the kernel finds it: peeked at, then popped.
    fn pop(&mut self) -> Option<(T::Key, u64)> {
        loop {
            let peeked =
                self.queue.peek_sifting(|events| events.retain(|event| is_live(&self.since, event))).map(Event::key);
            let event = self.queue.pop();
            assert_eq!(peeked, event.as_ref().map(Event::key));
            let event = event?;
            if is_live(&self.since, &event) {
                self.now = event.time;
                return Some(event.key());
            }
        }
    }

    fn living(&self) -> usize {
        self.queue.iter().filter(|event| is_live(&self.since, event)).count()
    }
}

/// Where the times of a phase lie, seen from the clock. The number says how far an event is along in its phase.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Equal,
    Ascending,
    Descending,
    Uniform(i32),
    /// Every binary exponent alike, down to the subnormals.
    HugeRange,
    NearAndFar,
    /// Neighbouring numbers.
    Neighbours,
    /// A few values, each many times.
    Steps,
}

impl Shape {
    fn delay(self, step: u32, random: u64) -> f64 {
        let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
        match self {
            Shape::Equal => 0.0,
            Shape::Ascending => f64::from(step),
            Shape::Descending => 1e6 - f64::from(step),
            Shape::Uniform(scale) => unit * 2f64.powi(scale),
            Shape::HugeRange => f64::from_bits(random % 1e300f64.to_bits()),
            Shape::NearAndFar if step.is_multiple_of(2) => unit * 1e-9,
            Shape::NearAndFar => 1e12 + unit,
            Shape::Neighbours => 2f64.powi(53) + (random % 8) as f64,
            Shape::Steps => (random % 10) as f64,
        }
    }
}

#[derive(Clone, Debug)]
enum Phase {
    /// Pushes.
    Grow(u32, Shape),
    /// Pops, each followed by a push now and then: one in so many.
    Hold(u32, Shape, u32),
    Drain(u32),
    Retain(u64),
    /// Drops all dead.
    Sweep,
    /// Touches so many owners: their events die, whether or not the queue drops them at once.
    Touch(usize),
    /// Touches owners, so many at a time, and pushes a new event for each.
    Set(u32, Shape, usize),
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Equal),
        Just(Shape::Ascending),
        Just(Shape::Descending),
        (-40i32..40).prop_map(Shape::Uniform),
        (-3i32..3).prop_map(Shape::Uniform),
        Just(Shape::HugeRange),
        Just(Shape::NearAndFar),
        Just(Shape::Neighbours),
        Just(Shape::Steps),
    ]
}

fn phase() -> impl Strategy<Value = Phase> {
    prop_oneof![
        3 => (1u32..1500, shape()).prop_map(|(n, shape)| Phase::Grow(n, shape)),
        3 => (1u32..1500, shape(), 1u32..4).prop_map(|(n, shape, every)| Phase::Hold(n, shape, every)),
        1 => (1u32..3000).prop_map(Phase::Drain),
        1 => (2u64..20).prop_map(Phase::Retain),
        1 => Just(Phase::Sweep),
        1 => (1usize..20).prop_map(Phase::Touch),
        3 => (1u32..500, shape(), 1usize..12).prop_map(|(n, shape, group)| Phase::Set(n, shape, group)),
    ]
}

/// Runs the phases and returns the keys in the order in which they were popped.
fn run<T: Time, Q: FutureEventList<Event<T>> + Default>(
    phases: &[Phase],
    seed: u64,
    time: impl Fn(T, f64) -> T,
) -> Vec<(T::Key, u64)> {
    let mut bench = Bench::<T, Q>::new();
    let mut popped = Vec::new();
    let mut random = seed | 1;
    let mut draw = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random ^ (random >> 29)).wrapping_mul(0xbf58476d1ce4e5b9)
    };
    // How many are alive.
    let mut length = 0;
    for phase in phases {
        match *phase {
            Phase::Grow(count, shape) => {
                for step in 0..count {
                    bench.push(time(bench.now, shape.delay(step, draw())), (draw() % 3) as u8);
                }
                length += count as usize;
            }
            Phase::Hold(count, shape, every) => {
                for step in 0..count {
                    let key = bench.pop();
                    length -= usize::from(key.is_some());
                    popped.extend(key);
                    if step % every == 0 {
                        bench.push(time(bench.now, shape.delay(step, draw())), (draw() % 3) as u8);
                        length += 1;
                    }
                }
            }
            Phase::Drain(count) => {
                for _ in 0..count {
                    let key = bench.pop();
                    length -= usize::from(key.is_some());
                    popped.extend(key);
                }
            }
            Phase::Retain(one_in) => {
                bench.queue.retain(|event| event.order % one_in == 0);
                length = bench.living();
                assert!(bench.queue.iter().all(|event| event.order % one_in == 0));
            }
            Phase::Sweep => {
                bench.queue.retain(|event| is_live(&bench.since, event));
                assert_eq!(bench.queue.len(), length, "only the dead are swept");
            }
            Phase::Touch(count) => {
                for _ in 0..count {
                    bench.touch(draw() as usize % OWNERS);
                }
                length = bench.living();
            }
            Phase::Set(count, shape, group) => {
                for step in 0..count {
                    let owners: Vec<usize> = (0..group).map(|_| draw() as usize % OWNERS).collect();
                    owners.iter().for_each(|&owner| bench.touch(owner));
                    for &owner in &owners {
                        let at = time(bench.now, shape.delay(step, draw()));
                        bench.push_for(Some(owner), at, (draw() % 3) as u8);
                    }
                }
                length = bench.living();
            }
        }
        assert_eq!(bench.living(), length);
        assert_eq!(bench.queue.iter().count(), bench.queue.len());
    }
    // Half is drained, and the rest dropped with the queue.
    for _ in 0..length / 2 {
        popped.extend(bench.pop());
    }
    // What is neither pending nor void, of which an indexed heap may hold a few, was dropped.
    assert!(bench.made - bench.dropped.get() - bench.queue.len() <= 8);
    let Bench { queue, made, dropped, .. } = bench;
    drop(queue);
    assert_eq!(dropped.get(), made);
    popped
}

fn compare<T: Time>(phases: &[Phase], seed: u64, time: impl Fn(T, f64) -> T)
where
    T::Key: Debug,
{
    let oracle = run::<T, SortedVec<_>>(phases, seed, &time);
    assert!(run::<T, DaryHeap<_, 2>>(phases, seed, &time) == oracle, "binary heap");
    assert!(run::<T, DaryHeap<_, 4>>(phases, seed, &time) == oracle, "4-ary heap");
    assert!(run::<T, DaryHeap<_, 8>>(phases, seed, &time) == oracle, "8-ary heap");
    assert!(run::<T, DaryHeap<_, 3>>(phases, seed, &time) == oracle, "3-ary heap");
    assert!(run::<T, IndexedHeap<_>>(phases, seed, &time) == oracle, "indexed heap");
    assert!(run::<T, LadderQueue<_>>(phases, seed, &time) == oracle, "ladder");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_agree_on_seconds(phases in proptest::collection::vec(phase(), 1..12), seed: u64) {
        compare::<f64>(&phases, seed, |now, delay| now + delay);
    }

    #[test]
    fn all_agree_on_a_time_of_two_words(phases in proptest::collection::vec(phase(), 1..12), seed: u64) {
        compare::<Split<true>>(&phases, seed, Split::later);
    }

    #[test]
    fn all_agree_on_a_time_that_tells_no_distance(phases in proptest::collection::vec(phase(), 1..8), seed: u64) {
        compare::<Split<false>>(&phases, seed, Split::later);
    }

    #[test]
    fn all_agree_on_ticks(phases in proptest::collection::vec(phase(), 1..12), seed: u64) {
        compare::<u64>(&phases, seed, |now, delay| now.saturating_add((delay * 1e6) as u64));
    }
}

/// A program small enough for the slowest.
#[test]
fn the_unordered_array_agrees() {
    let phases =
        [Phase::Grow(300, Shape::Steps), Phase::Hold(300, Shape::Uniform(2), 2), Phase::Retain(3), Phase::Drain(50)];
    let oracle = run::<f64, SortedVec<_>>(&phases, 7, |now, delay| now + delay);
    assert!(run::<f64, UnorderedVec<_>>(&phases, 7, |now, delay| now + delay) == oracle);
}

/// Timers, each with one pending event: owner `i` fires at `i`.
fn timers(count: usize) -> Bench<f64, IndexedHeap<Event<f64>>> {
    let mut bench = Bench::new();
    for i in 0..count {
        bench.push_for(Some(i), i as f64, 0);
    }
    bench
}

#[test]
fn an_indexed_heap_forgets_the_touched_at_once() {
    let mut bench = timers(OWNERS);
    for owner in (0..OWNERS).filter(|owner| owner % 7 > 0) {
        let before = bench.queue.len();
        bench.touch(owner);
        assert_eq!(bench.queue.len(), before - 1);
        bench.touch(owner);
        assert_eq!(bench.queue.len(), before - 1, "touched twice, and still only one has gone");
        assert!(bench.queue.iter().all(|event| event.owner != Some(owner)));
    }
    let times: Vec<f64> = std::iter::from_fn(|| bench.pop()).map(|key| f64::from_key(key.0)).collect();
    assert_eq!(times, [0.0, 7.0, 14.0, 21.0, 28.0, 35.0, 42.0, 49.0, 56.0]);
}

/// Moved and not taken out: to become the first, an event only rises; to be set to the time that it had, it stays. Taking an
/// event out of the midst would also let the last one down from there.
#[test]
fn an_indexed_heap_moves_in_place() {
    let height = |n: usize| (3 * n).ilog(4) as u64;
    for owner in 0..OWNERS {
        let mut bench = timers(OWNERS);
        COMPARES.set(0);
        bench.touch(owner);
        bench.push_for(Some(owner), -1.0, 0);
        assert!(COMPARES.get() <= height(OWNERS).max(4), "{} comparisons to rise to the top", COMPARES.get());
        assert_eq!((bench.queue.len(), bench.pop()), (OWNERS, Some(((-1.0).key(), OWNERS as u64 + 1))));

        let mut bench = timers(OWNERS);
        COMPARES.set(0);
        bench.touch(owner);
        bench.push_for(Some(owner), owner as f64, 0);
        assert!(COMPARES.get() <= 1 + 4, "{} comparisons to stay", COMPARES.get());
        assert_eq!(bench.queue.len(), OWNERS);
    }
}

/// Much is touched and nothing looked at: what is void must neither pile up nor slow things down.
#[test]
fn an_indexed_heap_holds_few_void_events() {
    let mut bench = timers(OWNERS);
    for round in 0..1000 {
        for owner in 0..OWNERS {
            bench.touch(owner);
        }
        for owner in 0..OWNERS {
            bench.push_for(Some(owner), f64::from(round * 7919 % 100), 0);
        }
        assert_eq!(bench.queue.len(), OWNERS);
        assert!(bench.made - bench.dropped.get() <= OWNERS + 8);
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_ladder_comes_back_from_a_snapshot() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Plain(u64, u64);
    impl Entry for Plain {
        type Time = u64;
        fn key(&self) -> (u64, u64) {
            (self.0, self.1)
        }
    }
    let mut queue: LadderQueue<Plain> = (0..5000).map(|i| Plain(i * 7919 % 1000, i)).collect();
    for _ in 0..1000 {
        queue.pop();
    }
    let text = serde_json::to_string(&queue).unwrap();
    let mut copy: LadderQueue<Plain> = serde_json::from_str(&text).unwrap();
    assert_eq!(copy.len(), 4000);
    while let Some(entry) = queue.pop() {
        assert_eq!(copy.pop().map(|entry| entry.key()), Some(entry.key()));
    }
    assert!(copy.is_empty());
}

/// The textbook's example: two items change while they wait.
#[test]
fn remove_and_change_any_item() {
    let mut pq = MinPq::new();
    let tickets: Vec<Ticket> = [700, 300, 900, 400, 400, 800, 100, 200].into_iter().map(|key| pq.insert(key)).collect();
    assert_eq!(pq.remove(tickets[2]), Ok(900));
    assert_eq!(pq.change(tickets[1], 850), Ok(300));
    assert_eq!(pq.get(tickets[1]), Ok(&850));
    let popped: Vec<i32> = std::iter::from_fn(|| pq.del_min().ok()).collect();
    assert_eq!(popped, [100, 200, 400, 400, 700, 800, 850]);
    assert_eq!(pq.del_min(), Err(Underflow::Empty));
    assert_eq!(pq.remove(tickets[0]), Err(Underflow::Gone));
    assert_eq!(pq.change(tickets[0], 1), Err(Underflow::Gone));
    pq.insert(1);
    assert_eq!(pq.get(tickets[0]), Err(Underflow::Gone), "not the new tenant of the slot");
}

/// The textbook's table of a sequence of operations.
#[test]
fn a_sequence_of_operations() {
    let mut pq = MaxPq::new();
    let mut removed = String::new();
    for operation in "PQE-XAM-PLE-".chars() {
        match operation {
            '-' => removed.push(pq.del_max().unwrap()),
            letter => {
                pq.insert(letter);
            }
        }
    }
    assert_eq!(removed, "QXP");
    assert_eq!((pq.size(), pq.is_empty(), pq.max()), (6, false, Ok(&'P')));
    let rest: String = std::iter::from_fn(|| pq.del_max().ok()).collect();
    assert_eq!(rest, "PMLEEA");
    assert_eq!(pq.max(), Err(Underflow::Empty));
    let mut sorted: MaxPq<char> = "SORTEXAMPLE".chars().collect();
    let sorted: String = std::iter::from_fn(|| sorted.del_max().ok()).collect();
    assert_eq!(sorted, "XTSRPOMLEEA");
}

proptest! {
    #[test]
    fn textbook_queues_agree_with_a_list(
        start in proptest::collection::vec(0u8..30, 0..20),
        operations in proptest::collection::vec((0u8..5, 0u8..30, any::<prop::sample::Index>()), 0..200),
    ) {
        let mut pq = MinPq::from(start.clone());
        let mut list = start;
        let mut tickets: Vec<(Ticket, u8)> = Vec::new();
        for (operation, key, which) in operations {
            match operation {
                0 | 1 => {
                    tickets.push((pq.insert(key), key));
                    list.push(key);
                }
                2 => {
                    let least = list.iter().copied().min();
                    prop_assert_eq!(pq.min().ok().copied(), least);
                    prop_assert_eq!(pq.del_min().ok(), least);
                    list.extract_if(.., |key| Some(*key) == least).take(1).for_each(drop);
                }
                _ if tickets.is_empty() => {}
                _ => {
                    let (ticket, old) = which.get_mut(&mut tickets);
                    let answer = if operation == 3 { pq.remove(*ticket) } else { pq.change(*ticket, key) };
                    match answer {
                        Ok(was) => {
                            prop_assert_eq!(was, *old);
                            list.extract_if(.., |key| key == old).take(1).for_each(drop);
                            if operation == 4 {
                                list.push(key);
                                *old = key;
                            }
                        }
                        Err(error) => prop_assert_eq!(error, Underflow::Gone),
                    }
                }
            }
            prop_assert_eq!(pq.size(), list.len());
        }
        list.sort_unstable();
        prop_assert_eq!(std::iter::from_fn(|| pq.del_min().ok()).collect::<Vec<_>>(), list);
    }
}

fn random(i: u64) -> f64 {
    (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 53) as f64
}

/// Comparisons and moves an event: `start` gives the times to begin with, and every popped event is followed by one or none.
fn work<Q: FutureEventList<Event<f64>> + Default>(
    start: impl Iterator<Item = (f64, u8)>,
    mut next: impl FnMut(u64, f64) -> Option<(f64, u8)>,
) -> (f64, f64) {
    let mut bench = Bench::<f64, Q>::new();
    COMPARES.set(0);
    for (time, priority) in start {
        bench.push(time, priority);
    }
    let mut popped = 0;
    let mut last = None;
    while let Some(key) = bench.pop() {
        assert!(last <= Some(key.0), "out of order");
        last = Some(key.0);
        popped += 1;
        if let Some((time, priority)) = next(popped, bench.now) {
            bench.push(time, priority);
        }
    }
    let moves = bench.queue.moves().unwrap_or(0) as f64 / popped as f64;
    (COMPARES.get() as f64 / popped as f64, moves)
}

fn limit_work(
    name: &str,
    start: impl Iterator<Item = (f64, u8)> + Clone,
    next: impl FnMut(u64, f64) -> Option<(f64, u8)> + Clone,
) {
    let ways = [
        ("ladder", work::<LadderQueue<_, true>>(start.clone(), next.clone())),
        ("binary heap", work::<DaryHeap<_, 2, true>>(start.clone(), next.clone())),
        ("4-ary heap", work::<DaryHeap<_, 4, true>>(start.clone(), next.clone())),
        ("indexed heap", work::<IndexedHeap<_>>(start, next)),
    ];
    for (queue, (compares, moves)) in ways {
        println!("{name}: {queue}: {compares:.1} comparisons and {moves:.1} moves an event");
        // A heap's work: 4 log2(n). A quadratic case would show thousands.
        assert!(compares < 70.0, "{name}: {queue}: {compares} comparisons an event");
        assert!(moves < 70.0, "{name}: {queue}: {moves} moves an event");
    }
}

#[test]
fn no_case_is_quadratic() {
    const N: u64 = 100_000;
    let nothing = |_, _| None;
    let hold = |gap: fn(f64, u64) -> f64| move |k: u64, now: f64| (k < N).then(|| (now + gap(random(k), k), 0));

    limit_work("all equal", (0..N).map(|_| (1.0, 0)), nothing);
    limit_work("all equal, priorities mixed", (0..N).map(|i| (1.0, (random(i) * 9.0) as u8)), nothing);
    limit_work("ties with zero delays", (0..N).map(|_| (1.0, 0)), |k, now| (k <= N).then_some((now, 0)));
    limit_work("ties with zero delays and priorities", (0..N).map(|i| (1.0, (i % 7) as u8)), |k, now| {
        (k <= N).then_some((now, 7 + (k % 5) as u8))
    });
    limit_work("ties with zero delays before all others", (0..N).map(|_| (1.0, 200)), |k, now| {
        (k <= N).then_some((now, 200 - (k % 190) as u8))
    });
    limit_work("increasing", (0..N).map(|i| (i as f64, 0)), nothing);
    limit_work("decreasing", (0..N).map(|i| ((N - i) as f64, 0)), nothing);
    limit_work("near and far", (0..N).map(|i| (if i % 2 == 0 { random(i) } else { 1e9 + random(i) }, 0)), nothing);
    limit_work("one very far", (0..N).map(|i| (if i == N / 2 { 1e300 } else { random(i) }, 0)), nothing);
    limit_work("subnormal gaps", (0..N).map(|i| (f64::from_bits(i * 7919 % N), 0)), nothing);
    limit_work("neighbours", (0..N).map(|i| (2f64.powi(53) + 2.0 * (i * 7919 % N) as f64, 0)), nothing);
    limit_work("every binary exponent", (0..N).map(|i| (f64::from_bits((random(i) * 9.2e18) as u64), 0)), nothing);
    limit_work("from end to end", (0..N).map(|i| ((2.0 * random(i) - 1.0) * 1.7e308, 0)), nothing);
    limit_work("a geometric series", (0..N).map(|i| (0.999f64.powi(i as i32), 0)), nothing);

    limit_work("hold, uniform", (0..N).map(|i| (random(i), 0)), hold(|u, _| u));
    limit_work("hold, Pareto", (0..N).map(|i| (random(i), 0)), hold(|u, _| (1.0 - u).powf(-1.0 / 1.1)));
    limit_work("hold, all scales", (0..N).map(|i| (random(i), 0)), hold(|u, _| 1e-12 * 1e24f64.powf(u)));
    limit_work(
        "hold, drifting scale",
        (0..N).map(|i| (random(i), 0)),
        hold(|u, k| u * 2f64.powi((k / 10_000) as i32 - 20)),
    );
    limit_work("hold, just ahead of all", (0..N).map(|i| (1.0 + random(i), 0)), hold(|u, _| u * 1e-7));
    limit_work(
        "hold, and a far event, for long",
        (0..1000).map(|i| (if i == 0 { 1e9 } else { random(i) }, 0)),
        hold(|u, _| u),
    );
    limit_work("hold, one equal gap", (0..N).map(|_| (0.0, 0)), hold(|_, _| 1.0));
}

#[test]
fn breathing_is_not_quadratic() {
    const N: u64 = 100_000;
    // Breathing: ten events in place of each, then none for long.
    let (mut alive, mut made) = (10u64, 10u64);
    let mut bench = Bench::<f64, LadderQueue<Event<f64>, true>>::new();
    (0..10).for_each(|i| bench.push(random(i), 0));
    let mut popped = 0u64;
    while bench.pop().is_some() {
        popped += 1;
        alive -= 1;
        let grows = (popped / 50_000).is_multiple_of(2);
        for _ in 0..if alive < 10 || grows && made < 10 * N { 10 } else { 0 } {
            if made < 10 * N {
                (alive, made) = (alive + 1, made + 1);
                bench.push(bench.now + random(made), 0);
            }
        }
    }
    let work = (bench.queue.compares().unwrap() + bench.queue.moves().unwrap()) as f64 / popped as f64;
    assert!(work < 60.0, "breathing: {work} an event");
}

/// The hold model with the ladder: compares and moves an event, for `n` pending and the first of them at `far`.
fn hold_work(n: u64, far: f64, events: u64, gap: fn(f64) -> f64) -> f64 {
    let start = (0..n).map(|i| (if i == 0 { far } else { random(i) }, 0));
    let (compares, moves) =
        work::<LadderQueue<_, true>>(start, |k, now| (k < events).then(|| (now + gap(random(k)), 0)));
    compares + moves
}

/// A few far events, such as the end of the simulation, are no reason to fall back to a heap.
#[test]
fn one_far_event_does_not_slow_the_ladder() {
    for n in [1000, 20_000] {
        let near = hold_work(n, 0.5, 100 * n, |u| u);
        for far in [1e3, 1e9, 1e300] {
            let work = hold_work(n, far, 100 * n, |u| u);
            assert!(work < 1.5 * near, "{n} pending, and one at {far}: {work} an event, and {near} without it");
        }
    }
}

/// A thousand times as many pending events do not make an event dearer, whether delays are of one kind or of two.
#[test]
fn the_ladders_work_does_not_grow_with_the_number_of_pending_events() {
    let exponential = |u: f64| -(1.0 - u).ln();
    let bimodal = |u: f64| if u < 0.9 { u } else { 1000.0 * u };
    for gap in [exponential, bimodal] {
        let few = hold_work(1000, 0.5, 100_000, gap);
        let many = hold_work(1_000_000, 0.5, 1_000_000, gap);
        // A rung more, which is a move; a heap would take 20 to 40 comparisons more.
        assert!(many < few + 1.5, "{few} with a thousand, {many} with a million");
    }
}
