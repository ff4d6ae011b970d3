//! Every queue against the sorted array: random programs with adversarial times, entries that own memory, and counted work.

use std::cell::Cell;
use std::fmt::Debug;
use std::rc::Rc;

use proptest::prelude::*;
use saltus::Time;
use saltus::queue::{DaryHeap, Entry, FutureEventList, LadderQueue, SortedVec};

/// An entry that owns memory and counts its death.
struct Event<T: Time> {
    time: T,
    order: u64,
    payload: Box<u64>,
    dropped: Rc<Cell<usize>>,
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
}

/// A queue with a clock: times are chosen relative to what was popped last.
struct Bench<T: Time, Q> {
    queue: Q,
    now: T,
    sequence: u64,
    made: usize,
    dropped: Rc<Cell<usize>>,
}

impl<T: Time, Q: FutureEventList<Event<T>>> Bench<T, Q> {
    fn new() -> Self {
        Bench {
            queue: Q::default(),
            now: T::ORIGIN,
            sequence: 0,
            made: 0,
            dropped: Rc::default(),
        }
    }

    fn push(&mut self, time: T, priority: u8) {
        self.sequence += 1;
        self.made += 1;
        let order = (u64::from(priority) << 47) | self.sequence;
        self.queue.push(Event {
            time,
            order,
            payload: Box::new(order),
            dropped: self.dropped.clone(),
        });
    }

    fn pop(&mut self) -> Option<(T::Key, u64)> {
        let event = self.queue.pop()?;
        self.now = event.time;
        Some(event.key())
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
    ]
}

/// Runs the phases and returns the keys in the order in which they were popped.
fn run<T: Time, Q: FutureEventList<Event<T>>>(
    phases: &[Phase],
    seed: u64,
    time: impl Fn(T, f64) -> T,
) -> Vec<(T::Key, u64)> {
    let mut bench = Bench::<T, Q>::new();
    let mut popped = Vec::new();
    let mut random = seed | 1;
    let mut draw = || {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random ^ (random >> 29)).wrapping_mul(0xbf58476d1ce4e5b9)
    };
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
                    let peeked = bench.queue.peek().map(Event::key);
                    let key = bench.pop();
                    assert_eq!(peeked, key);
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
                length = bench.queue.iter().count();
                assert!(bench.queue.iter().all(|event| event.order % one_in == 0));
            }
        }
        assert_eq!(bench.queue.len(), length);
        assert_eq!(bench.queue.iter().count(), length);
        assert_eq!(
            bench.dropped.get() + length,
            bench.made,
            "what is not pending was dropped"
        );
    }
    // Half is drained, and the rest dropped with the queue.
    for _ in 0..length / 2 {
        popped.extend(bench.pop());
    }
    let Bench {
        queue, made, dropped, ..
    } = bench;
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
    assert!(run::<T, LadderQueue<_>>(phases, seed, &time) == oracle, "ladder");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_agree_on_seconds(phases in proptest::collection::vec(phase(), 1..12), seed: u64) {
        compare::<f64>(&phases, seed, |now, delay| now + delay);
    }

    #[test]
    fn all_agree_on_ticks(phases in proptest::collection::vec(phase(), 1..12), seed: u64) {
        compare::<u64>(&phases, seed, |now, delay| now.saturating_add((delay * 1e6) as u64));
    }
}
