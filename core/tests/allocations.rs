//! A warm simulation allocates nothing. In a file of its own, since it counts the allocations of the whole process.

// A global allocator cannot be written without it; all it does is count and pass on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use saltus::{Context, Model, Outcome, Simulation, Stamps};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// One server; customers are only counted.
#[derive(Default)]
struct Queue {
    inside: u64,
    served: u64,
}

enum Event {
    Arrive,
    Leave,
}

impl Model for Queue {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<0>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let starts = match event {
            Event::Arrive => {
                let gap = cx.stream(0).exponential(1.0);
                cx.schedule_in(gap, Event::Arrive)?;
                self.inside += 1;
                self.inside == 1
            }
            Event::Leave => {
                self.inside -= 1;
                self.served += 1;
                self.inside > 0
            }
        };
        if starts {
            let service = cx.stream(1).exponential(0.8);
            cx.schedule_in(service, Event::Leave)?;
        }
        Ok(())
    }
}

// One test only: another would allocate beside it.
#[test]
fn a_million_events_of_a_single_server_queue_allocate_nothing_after_the_first_thousand() {
    let mut sim = Simulation::new(Queue::default());
    sim.context().schedule_at(0.0, Event::Arrive).unwrap();
    sim.run_events(1000).unwrap();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    sim.run_events(1_000_000).unwrap();
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    // The test harness may do something of its own meanwhile; it is not a matter of events.
    assert!(allocations < 10, "{allocations}");
    assert!(sim.model().served > 400_000);
}
