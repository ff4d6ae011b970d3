//! Every future event list against the sorted array: random work with keys that are meant to hurt. A queue may assume nothing
//! of what it is given but that no two keys are equal: an event may be put back, and then something earlier may be pushed.

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use saltus::Time;
use saltus::queue::{DaryHeap, Entry, FutureEventList, IndexedHeap, LadderQueue, SortedVec, UnorderedVec};

/// Every queue there is. A new one is one more line.
fn check_all(work: &[Work]) -> TestCaseResult {
    check::<DaryHeap<Item>>("4-ary heap", work)?;
    check::<DaryHeap<Item, 2>>("binary heap", work)?;
    check::<DaryHeap<Item, 7, true>>("7-ary heap that counts", work)?;
    check::<LadderQueue<Item>>("ladder", work)?;
    check::<IndexedHeap<Item>>("indexed heap", work)?;
    check::<UnorderedVec<Item>>("unordered array", work)?;
    Ok(())
}

/// An entry that owns something, so that it cannot be copied by accident.
#[derive(Debug)]
struct Item {
    time: f64,
    order: u64,
    number: Box<u64>,
}

impl Entry for Item {
    type Time = f64;

    fn key(&self) -> (u64, u64) {
        (self.time.key(), self.order)
    }
}

#[derive(Clone, Debug)]
enum Work {
    Push(Keys, u8),
    Pop(u8),
    /// Pops one and pushes one not much later, as a simulation does.
    Hold(u16, Keys),
    Peek,
    /// Drops every entry whose number leaves this rest when divided by the other, or all the others.
    Drop {
        rest: u64,
        by: u64,
        others: bool,
    },
    Drain,
}

/// How the times of a group of entries lie.
#[derive(Clone, Copy, Debug)]
enum Keys {
    /// All at one time, with many priorities.
    Same(i8),
    Ascending,
    Descending,
    /// From the smallest numbers to the greatest.
    Huge,
    /// Negative and positive, with many ties.
    Grid,
    /// Neighbouring floating-point numbers.
    Dense,
    Even,
}

fn keys() -> impl Strategy<Value = Keys> {
    prop_oneof![
        (-2..2i8).prop_map(Keys::Same),
        Just(Keys::Ascending),
        Just(Keys::Descending),
        Just(Keys::Huge),
        Just(Keys::Grid),
        Just(Keys::Dense),
        Just(Keys::Even),
    ]
}

fn work() -> impl Strategy<Value = Work> {
    prop_oneof![
        6 => (keys(), any::<u8>()).prop_map(|(keys, count)| Work::Push(keys, count)),
        4 => any::<u8>().prop_map(Work::Pop),
        2 => (0..1000u16, keys()).prop_map(|(count, keys)| Work::Hold(count, keys)),
        3 => Just(Work::Peek),
        1 => (0..7u64, 1..7u64, any::<bool>()).prop_map(|(rest, by, others)| Work::Drop { rest, by, others }),
        1 => Just(Work::Drain),
    ]
}

/// Makes entries, each with a key of its own.
struct Maker {
    made: u64,
    noise: u64,
}

impl Maker {
    fn item(&mut self, keys: Keys) -> Item {
        self.made += 1;
        // A linear congruential generator; its upper half is good enough here.
        self.noise = self.noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let noise = self.noise >> 32;
        let time = match keys {
            Keys::Same(time) => f64::from(time),
            Keys::Ascending => self.made as f64,
            Keys::Descending => -(self.made as f64),
            Keys::Huge => {
                let size = 10f64.powi((noise % 600) as i32 - 300);
                if noise.is_multiple_of(2) { size } else { -size }
            }
            Keys::Grid => (noise % 9) as f64 - 4.0,
            Keys::Dense => f64::from_bits(1f64.to_bits() + noise % 50),
            Keys::Even => noise as f64 / 2f64.powi(22),
        };
        let class_and_priority = if matches!(keys, Keys::Same(_)) { noise % 131_072 } else { 32_768 + noise % 2 };
        Item { time, order: class_and_priority << 47 | self.made, number: Box::new(self.made) }
    }
}

fn name(item: &Item) -> (f64, u64, u64) {
    (item.time, item.order, *item.number)
}

fn check<Q: FutureEventList<Item> + Default>(queue_name: &str, work: &[Work]) -> TestCaseResult {
    let mut queue = Q::default();
    let mut right = SortedVec::default();
    let (mut a, mut b) = (Maker { made: 0, noise: 1 }, Maker { made: 0, noise: 1 });
    let same_pop = |queue: &mut Q, right: &mut SortedVec<Item>| {
        let (popped, expected) = (queue.pop(), right.pop());
        prop_assert_eq!(popped.as_ref().map(name), expected.as_ref().map(name), "{}", queue_name);
        Ok(expected.map(|item| item.time))
    };
    for piece in work {
        match *piece {
            Work::Push(keys, count) => {
                for _ in 0..count {
                    queue.push(a.item(keys));
                    right.push(b.item(keys));
                }
            }
            Work::Pop(count) => {
                for _ in 0..count {
                    same_pop(&mut queue, &mut right)?;
                }
            }
            Work::Hold(count, keys) => {
                for _ in 0..count {
                    let now = same_pop(&mut queue, &mut right)?.unwrap_or(0.0);
                    for (maker, is_right) in [(&mut a, false), (&mut b, true)] {
                        let mut item = maker.item(keys);
                        item.time = now + item.time.abs();
                        if is_right {
                            right.push(item);
                        } else {
                            queue.push(item);
                        }
                    }
                }
            }
            Work::Peek => prop_assert_eq!(queue.peek().map(name), right.peek().map(name), "{}", queue_name),
            Work::Drop { rest, by, others } => {
                let keep = |item: &Item| (*item.number % by == rest) == others;
                queue.retain(keep);
                right.retain(keep);
            }
            Work::Drain => while same_pop(&mut queue, &mut right)?.is_some() {},
        }
        prop_assert_eq!(queue.len(), right.len(), "{}", queue_name);
        prop_assert_eq!(queue.is_empty(), right.is_empty(), "{}", queue_name);
        let mut numbers: Vec<u64> = queue.iter().map(|item| *item.number).collect();
        let mut expected: Vec<u64> = right.iter().map(|item| *item.number).collect();
        numbers.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(numbers, expected, "{}", queue_name);
    }
    while same_pop(&mut queue, &mut right)?.is_some() {}
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_queue_gives_the_order_of_the_sorted_array(work in prop::collection::vec(work(), 1..20)) {
        check_all(&work)?;
    }
}

/// Structures with levels behave differently when they are full.
#[test]
fn and_also_with_many_entries() {
    let many = |keys| prop::collection::vec(Just(Work::Push(keys, 255)), 40);
    let strategy = (keys(), prop::collection::vec(work(), 20)).prop_flat_map(move |(keys, work)| {
        many(keys).prop_map(move |mut pushes| {
            pushes.extend(work.clone());
            pushes
        })
    });
    let config = ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config).run(&strategy, |work| check_all(&work)).unwrap_or_else(|error| panic!("{error}"));
}
