//! Inputs that break queues, through the whole kernel, with counted work: a quadratic case is seen as a number, not as a time.

use saltus::observe::Trace;
use saltus::queue::{CountedHeap, CountedLadder, Indexed, QueueKind};
use saltus::{Context, Entity, Model, Outcome, Settings, Simulation, Stamps, When};

const N: u64 = 100_000;

/// Events at given times, each of which schedules one more by a rule, as long as some are left.
struct Chain {
    next: fn(f64, u64) -> When<f64>,
    left: u64,
}

impl Model for Chain {
    type Time = f64;
    type Event = u64;
    type Refs = Stamps<1>;

    fn handle(&mut self, number: u64, cx: &mut impl Context<Self>) -> Outcome {
        if self.left > 0 {
            self.left -= 1;
            cx.schedule((self.next)(cx.now(), number), number)?;
        }
        Ok(())
    }
}

/// What ran, and comparisons an event if they were counted.
fn run<Q: QueueKind<f64> + Default>(
    start: fn(u64) -> f64,
    next: fn(f64, u64) -> When<f64>,
) -> (Trace<f64>, Option<f64>) {
    let model = Chain { next, left: N };
    // A zero delay of a higher priority begins a round each time, and here are many.
    let settings = Settings { round_limit: 4 * N, ..Settings::default() };
    let mut simulation = Simulation::with_queue(model, settings, Trace::default(), Q::default());
    for number in 0..N {
        simulation.context().schedule_at(start(number), number).unwrap();
    }
    simulation.run().unwrap();
    assert_eq!(simulation.counters().executed, 2 * N);
    let compares = simulation.compares().map(|count| count as f64 / (2 * N) as f64);
    (simulation.into_parts().1, compares)
}

fn check(name: &str, start: fn(u64) -> f64, next: fn(f64, u64) -> When<f64>) {
    let (heap, heap_compares) = run::<CountedHeap>(start, next);
    let (ladder, ladder_compares) = run::<CountedLadder>(start, next);
    let (indexed, _) = run::<Indexed>(start, next);
    assert!(heap == ladder && heap == indexed, "{name}: another trace");
    for (queue, compares) in [("heap", heap_compares), ("ladder", ladder_compares)] {
        let compares = compares.unwrap();
        println!("{name}: {queue}: {compares:.1} comparisons an event");
        // 4 log2(n): a heap's work.
        assert!(compares < 70.0, "{name}: {queue}: {compares} comparisons an event");
    }
}

fn random(i: u64) -> f64 {
    (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn equal_times_and_zero_delays() {
    check("all equal", |_| 1.0, |now, _| When::at(now + 1.0));
    check("zero delays", |_| 1.0, |_, _| When::after(0.0));
    check("zero delays, priorities mixed", |_| 1.0, |_, i| When::after(0.0).priority((i % 100) as i16 - 50));
}

#[test]
fn orders_and_distances() {
    check("decreasing", |i| (N - i) as f64, |now, _| When::at(now + 1.0));
    check(
        "near and far",
        |i| if i % 2 == 0 { 0.0 } else { 1e12 },
        |now, i| match i % 2 {
            0 => When::at(now + 1.0 - random(i)),
            _ => When::at(now + 1e12),
        },
    );
    check(
        "one at 1e300",
        |i| if i == 0 { 1e300 } else { random(i) },
        |now, i| match i {
            0 => When::after(0.0),
            _ => When::at(now + 1.0 - random(i)),
        },
    );
}

#[test]
fn the_grain_of_numbers() {
    check("subnormal", |i| f64::from_bits(1 + i * 7919 % N), |now, _| When::at(now.next_up()));
    check("around 2^53", |i| 2f64.powi(53) - 50.0 + (i * 7919 % 100) as f64, |now, _| When::at(now.next_up()));
}

/// Entities each of which is touched and scheduled anew at every event, while nothing that was scheduled ever runs but the
/// touching itself: all but the touching dies.
struct Toucher {
    entities: Vec<Entity>,
    left: u64,
}

impl Model for Toucher {
    type Time = f64;
    type Event = bool;
    type Refs = Stamps<1>;

    fn handle(&mut self, touches: bool, cx: &mut impl Context<Self>) -> Outcome {
        if touches && self.left > 0 {
            self.left -= 1;
            // All die at once, a new generation is born, and half of it is further off than the other.
            for (i, &entity) in self.entities.iter().enumerate() {
                cx.touch(entity);
                cx.schedule(When::after(if i % 2 == 0 { 10.0 } else { 1e9 }).stamp(entity), false)?;
            }
            cx.schedule_in(1.0, true)?;
        }
        Ok(())
    }
}

/// Sweeps cost something for each of the dead, not for each of the touches.
#[test]
fn generations_that_die_at_once() {
    fn run<Q: QueueKind<f64> + Default>() -> (Trace<f64>, u64) {
        let model = Toucher { entities: Vec::new(), left: 500 };
        let mut simulation = Simulation::with_queue(model, Settings::default(), Trace::default(), Q::default());
        let (model, cx) = simulation.parts();
        model.entities = (0..1000).map(|_| cx.spawn()).collect();
        cx.schedule_at(0.0, true).unwrap();
        simulation.run().unwrap();
        let counters = *simulation.counters();
        assert_eq!((counters.executed, counters.stale + counters.swept), (501 + 1000, 499 * 1000));
        assert!(counters.largest_queue <= 2 * 1001 + 64, "{} entries for a thousand", counters.largest_queue);
        let compares = simulation.compares().unwrap_or(0);
        (simulation.into_parts().1, compares / counters.scheduled)
    }
    let (heap, work) = run::<CountedHeap>();
    assert!(work < 70, "heap: {work} comparisons an event");
    let (ladder, work) = run::<CountedLadder>();
    assert!(work < 70, "ladder: {work} comparisons an event");
    assert!(heap == ladder && heap == run::<Indexed>().0);
}
