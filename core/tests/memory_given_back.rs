//! Memory is bounded by what is pending, not by what once was. In a file of its own, since it counts the bytes of the whole
//! process.

mod counting;

use saltus::queue::{DaryHeap, Entry, FutureEventList, IndexedHeap, LadderQueue};

use counting::memory;

struct Event {
    time: f64,
    number: u64,
    /// As large as an event of a simulation.
    _rest: [u64; 4],
}

impl Entry for Event {
    type Time = f64;

    fn key(&self) -> (u64, u64) {
        (saltus::Time::key(self.time), self.number)
    }

    fn owner(&self) -> Option<usize> {
        Some(self.number as usize % 1000)
    }
}

const MANY: u64 = 200_000;
const FEW: usize = 100;
/// What a queue for a hundred events may take: a ladder has rungs of 512 buckets.
const ENOUGH: usize = 600_000;

fn check<Q: FutureEventList<Event> + Default>(name: &str) {
    let random = |i: u64| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 53) as f64;
    let before = memory().1;
    let taken = || memory().1 - before;
    let mut queue = Q::default();
    let fill = |queue: &mut Q, now: f64| {
        (0..MANY).for_each(|number| queue.push(Event { time: now + random(number), number, _rest: [0; 4] }));
        // So that there is something to give back, and not too much was taken.
        let bare = MANY as usize * size_of::<Event>();
        assert!(taken() >= bare && taken() <= 3 * bare, "{name}: {} bytes for {bare}", taken());
    };
    fill(&mut queue, 0.0);
    queue.retain(|event| event.number < FEW as u64);
    assert!(taken() < ENOUGH, "{name}: {} bytes after a sweep", taken());

    fill(&mut queue, 0.0);
    while queue.len() > FEW {
        queue.pop();
    }
    // Life goes on.
    for number in 0..10 * FEW as u64 {
        let now = queue.pop().map_or(1.0, |event| event.time);
        queue.push(Event { time: now + random(number), number, _rest: [0; 4] });
    }
    assert!(taken() < ENOUGH, "{name}: {} bytes after all but a few have run", taken());

    fill(&mut queue, 2.0);
    while queue.pop().is_some() {}
    assert!(taken() < ENOUGH, "{name}: {} bytes after all have run", taken());
    drop(queue);
    assert_eq!(taken(), 0, "{name}: all is given back in the end");
}

// One test only: another would allocate beside it.
#[test]
fn what_has_run_or_was_swept_takes_no_memory() {
    check::<LadderQueue<Event>>("ladder");
    check::<DaryHeap<Event>>("heap");
    check::<IndexedHeap<Event>>("indexed heap");
}
