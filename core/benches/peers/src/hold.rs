//! The hold model: pop the first event, push it back a gap later, with as many events pending as before.
//!
//! All records have the same size. Our own queues also check a stamp for each event that they pop, as the kernel does; the
//! others check nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use orx_priority_queue::PriorityQueue;
use saltus::queue::{DaryHeap, Entry, FutureEventList, Heap, IndexedHeap, Ladder, LadderQueue, QueueKind};
use saltus::{Context, Entity, Model, Outcome, Settings, Simulation, Stamps, Time, When};

use crate::gaps::Gaps;
use crate::measure::{Cost, Row, bytes_in_use, windows};

/// The key of a record: time and order.
pub type Key = (u64, u64);

/// What a record carries beside its key; 48 bytes with it.
#[derive(Clone, Copy)]
pub struct Load {
    pub entity: u32,
    /// Weight only.
    #[allow(dead_code)]
    pub rest: [u64; 3],
}

#[derive(Clone, Copy)]
pub struct Record {
    pub key: Key,
    pub load: Load,
}

const _: () = assert!(size_of::<Record>() == 48);

impl Entry for Record {
    type Time = f64;
    #[inline]
    fn key(&self) -> Key {
        self.key
    }
    #[inline]
    fn owner(&self) -> Option<usize> {
        Some(self.load.entity as usize)
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for Record {}
impl PartialOrd for Record {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Record {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

pub trait Contender: Default {
    /// Whether the loop checks a stamp.
    const CHECKED: bool = false;
    fn push(&mut self, record: Record);
    fn pop(&mut self) -> Option<Record>;
    /// Gives a queue that looks at many events at a time the chance to check them there, as the kernel does.
    #[inline]
    fn pop_checked(&mut self, is_live: impl Fn(&Record) -> bool) -> Option<Record> {
        let _ = is_live;
        self.pop()
    }
}

macro_rules! ours {
    ($queue:ty) => {
        impl Contender for $queue {
            const CHECKED: bool = true;
            #[inline]
            fn push(&mut self, record: Record) {
                FutureEventList::push(self, record);
            }
            #[inline]
            fn pop(&mut self) -> Option<Record> {
                FutureEventList::pop(self)
            }
            #[inline]
            fn pop_checked(&mut self, is_live: impl Fn(&Record) -> bool) -> Option<Record> {
                self.pop_sifting(|records| records.retain(&is_live))
            }
        }
    };
}
ours!(DaryHeap<Record, 2>);
ours!(DaryHeap<Record, 4>);
ours!(DaryHeap<Record, 8>);
ours!(IndexedHeap<Record>);
ours!(LadderQueue<Record>);

impl Contender for BinaryHeap<Reverse<Record>> {
    fn push(&mut self, record: Record) {
        self.push(Reverse(record));
    }
    fn pop(&mut self) -> Option<Record> {
        self.pop().map(|record| record.0)
    }
}
impl Contender for dary_heap::QuaternaryHeap<Reverse<Record>> {
    fn push(&mut self, record: Record) {
        self.push(Reverse(record));
    }
    fn pop(&mut self) -> Option<Record> {
        self.pop().map(|record| record.0)
    }
}
impl Contender for dary_heap::OctonaryHeap<Reverse<Record>> {
    fn push(&mut self, record: Record) {
        self.push(Reverse(record));
    }
    fn pop(&mut self) -> Option<Record> {
        self.pop().map(|record| record.0)
    }
}
impl Contender for orx_priority_queue::QuaternaryHeap<Load, Key> {
    fn push(&mut self, record: Record) {
        PriorityQueue::push(self, record.load, record.key);
    }
    fn pop(&mut self) -> Option<Record> {
        PriorityQueue::pop(self).map(|(load, key)| Record { key, load })
    }
}
/// The radix heap is a maximum heap, hence the reversed keys; times before the one popped last are not allowed.
#[derive(Default)]
pub struct Radix(radix_heap::RadixHeapMap<Reverse<Key>, Load>);
impl Contender for Radix {
    fn push(&mut self, record: Record) {
        self.0.push(Reverse(record.key), record.load);
    }
    fn pop(&mut self) -> Option<Record> {
        self.0.pop().map(|(key, load)| Record { key: key.0, load })
    }
}

fn hold<Q: Contender>(size: usize, distribution: &str) -> (Cost, bool) {
    let mut gaps = Gaps::new(distribution);
    let since = vec![0u64; size];
    let is_live = |record: &Record| since[record.load.entity as usize] <= record.key.1;
    let before = bytes_in_use();
    let mut queue = Q::default();
    let mut sequence = 0;
    let mut initial = gaps.initial(distribution == "ties");
    let record = |time: f64, sequence: u64, entity: u32| Record {
        key: (time.key(), sequence),
        load: Load { entity, rest: [sequence; 3] },
    };
    for i in 0..size {
        sequence += 1;
        queue.push(record(initial(), sequence, i as u32));
    }
    drop(initial);
    let (mut exact, mut last) = (true, (0, 0));
    let cost = windows(before, (16 * size).clamp(100_000, 20_000_000), |count| {
        for _ in 0..count {
            let next = queue.pop_checked(is_live).expect("as many are pushed as popped");
            exact &= next.key > last;
            last = next.key;
            if Q::CHECKED && !is_live(&next) {
                continue;
            }
            sequence += 1;
            queue.push(record(f64::from_key(next.key.0) + gaps.next(), sequence, next.load.entity));
        }
    });
    (cost, exact)
}

/// The same through the kernel: a model, its context, a stamp, counters.
struct Holding {
    gaps: Gaps,
}

impl Model for Holding {
    type Time = f64;
    type Event = (Entity, [u64; 2]);
    type Refs = Stamps<1>;

    #[inline]
    fn handle(&mut self, event: Self::Event, cx: &mut impl Context<Self>) -> Outcome {
        cx.schedule(When::after(self.gaps.next()).stamp(event.0), event)?;
        Ok(())
    }
}

fn hold_in_kernel<Q: QueueKind<f64> + Default>(size: usize, distribution: &str) -> Cost {
    let mut gaps = Gaps::new(distribution);
    let model = Holding { gaps: Gaps::new(distribution) };
    let before = bytes_in_use();
    let mut simulation = Simulation::with_queue(model, Settings::default(), (), Q::default());
    let mut initial = gaps.initial(distribution == "ties");
    let cx = simulation.context();
    for _ in 0..size {
        let entity = cx.spawn();
        cx.schedule(When::at(initial()).stamp(entity), (entity, [0; 2])).expect("a finite time");
    }
    windows(before, (16 * size).clamp(100_000, 20_000_000), |count| {
        simulation.run_events(count as u64).expect("nothing fails");
    })
}

pub fn rows(size: usize, distribution: &str, wanted: &dyn Fn(&str) -> bool, print: &dyn Fn(Row)) {
    let row = |queue: &str, run: &dyn Fn() -> (Cost, Option<bool>)| {
        if !wanted(queue) {
            return;
        }
        let (cost, exact) = run();
        let Cost { ns, fastest, bytes, allocations } = cost;
        let (queue, distribution) = (queue.to_string(), distribution.to_string());
        print(Row { work: "hold", queue, size, distribution, ns, fastest, exact, bytes, allocations });
    };
    let bare = |(cost, exact)| (cost, Some(exact));
    row("saltus ladder", &|| bare(hold::<LadderQueue<Record>>(size, distribution)));
    row("saltus heap 2", &|| bare(hold::<DaryHeap<Record, 2>>(size, distribution)));
    row("saltus heap 4", &|| bare(hold::<DaryHeap<Record, 4>>(size, distribution)));
    row("saltus heap 8", &|| bare(hold::<DaryHeap<Record, 8>>(size, distribution)));
    row("saltus indexed", &|| bare(hold::<IndexedHeap<Record>>(size, distribution)));
    row("saltus kernel ladder", &|| (hold_in_kernel::<Ladder>(size, distribution), None));
    row("saltus kernel heap 4", &|| (hold_in_kernel::<Heap>(size, distribution), None));
    row("std BinaryHeap", &|| bare(hold::<BinaryHeap<Reverse<Record>>>(size, distribution)));
    row("dary_heap 4", &|| bare(hold::<dary_heap::QuaternaryHeap<Reverse<Record>>>(size, distribution)));
    row("dary_heap 8", &|| bare(hold::<dary_heap::OctonaryHeap<Reverse<Record>>>(size, distribution)));
    row("orx 4", &|| bare(hold::<orx_priority_queue::QuaternaryHeap<Load, Key>>(size, distribution)));
    row("radix-heap", &|| bare(hold::<Radix>(size, distribution)));
}
