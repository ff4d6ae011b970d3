use saltus::observe::Trace;
use saltus::queue::SortedArray;
use saltus::*;

struct Toy(Vec<(f64, u32)>);
impl Model for Toy {
    type Time = f64;
    type Event = u32;
    type Refs = Handles<2>;
    fn handle(&mut self, event: u32, cx: &mut impl Context<Self>) -> Outcome {
        self.0.push((cx.now(), event));
        Ok(())
    }
}

#[test]
fn handles_and_series() {
    let mut sim = Simulation::<_, _, SortedArray>::with(Toy(vec![]), Settings::default(), Trace::default());
    let cx = sim.context();
    let a = cx.schedule_with_handle(5.0, 1).unwrap();
    let every = cx.schedule_every(0.1, 0.1, 2).unwrap();
    assert!(cx.cancel(a) && !cx.cancel(a));
    let b = cx.schedule_with_handle(9.0, 3).unwrap();
    cx.reschedule(b, 0.55).unwrap().unwrap();
    assert_eq!(cx.due(b), Some(0.55));
    assert_eq!(sim.run_until(1.0).unwrap(), Stop::EndReached);
    assert!(sim.context().cancel(every));
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.pending(), 0);
    println!("{:?} {:?}", sim.model().0, sim.counters());
    assert_eq!(sim.model().0.len(), 11);
}
