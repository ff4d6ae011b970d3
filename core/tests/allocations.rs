//! A warm simulation allocates nothing. In a file of its own, since it counts the allocations of the whole process.

mod counting;

use saltus::queue::{Heap, Indexed, Ladder, QueueKind};
use saltus::{Context, Model, Outcome, Settings, Simulation, Stamps};

use counting::memory;

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

/// Every event schedules one more, so that the queue stays as long as it is at the beginning.
struct Hold;

impl Model for Hold {
    type Time = f64;
    type Event = ();
    type Refs = Stamps<0>;

    fn handle(&mut self, (): (), cx: &mut impl Context<Self>) -> Outcome {
        let gap = cx.stream(0).exponential(1.0);
        cx.schedule_in(gap, ())?;
        Ok(())
    }
}

/// Allocations in a million events.
fn allocations<M: Model<Time = f64>, Q: QueueKind<f64>>(simulation: &mut Simulation<M, (), Q>) -> u64 {
    let before = memory().0;
    simulation.run_events(1_000_000).unwrap();
    memory().0 - before
}

/// The test harness may do something of its own meanwhile; it is not a matter of events.
const HARNESS: u64 = 10;

fn single_server<Q: QueueKind<f64> + Default>() {
    let mut simulation = Simulation::with_queue(Queue::default(), Settings::default(), (), Q::default());
    simulation.context().schedule_at(0.0, Event::Arrive).unwrap();
    simulation.run_events(1000).unwrap();
    let allocations = allocations(&mut simulation);
    assert!(allocations < HARNESS, "{}: {allocations}", std::any::type_name::<Q>());
    assert!(simulation.model().served > 400_000);
}

fn hold<Q: QueueKind<f64> + Default>(pending: u32) {
    let mut simulation = Simulation::with_queue(Hold, Settings::default(), (), Q::default());
    for i in 0..pending {
        simulation.context().schedule_at(f64::from(i) / f64::from(pending), ()).unwrap();
    }
    simulation.run_events(1_000_000).unwrap();
    let allocations = allocations(&mut simulation);
    assert!(allocations < HARNESS, "{}, {pending} pending: {allocations}", std::any::type_name::<Q>());
}

// One test only: another would allocate beside it.
#[test]
fn a_warm_simulation_allocates_nothing() {
    single_server::<Heap>();
    single_server::<Ladder>();
    single_server::<Indexed>();
    for pending in [100, 10_000] {
        hold::<Heap>(pending);
        hold::<Ladder>(pending);
        hold::<Indexed>(pending);
    }
}
