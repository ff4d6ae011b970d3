//! The same model under every queue: the same trace, bit for bit, and the same books in the end.

use proptest::prelude::*;
use saltus::observe::{Executed, Trace};
use saltus::queue::{CountedHeap, CountedLadder, Heap, Indexed, Ladder, QueueKind, SortedArray};
use saltus::{Context, Counters, Entity, Handle, Handles, Model, Outcome, Settings, Simulation, When};

/// Does a bit of everything, as its random stream says.
struct Chaos<const TOLD: bool> {
    entities: Vec<Entity>,
    handles: Vec<Handle>,
    left: u32,
    scale: f64,
    told: u64,
}

/// How the work goes on: each of these in turn.
#[derive(Clone, Copy)]
enum Phase {
    Grow,
    /// Jumps far ahead.
    Far,
    /// And comes back near.
    Near,
    Drain,
}

impl Phase {
    fn stretch(self) -> f64 {
        match self {
            Phase::Grow | Phase::Drain => 1.0,
            Phase::Far => 1e6,
            Phase::Near => 1e-6,
        }
    }

    /// So many at most follow from an event.
    fn most(self) -> u64 {
        match self {
            Phase::Grow => 5,
            Phase::Far | Phase::Near => 4,
            Phase::Drain => 2,
        }
    }
}

impl<const TOLD: bool> Chaos<TOLD> {
    fn phase(&self) -> Phase {
        [Phase::Grow, Phase::Far, Phase::Near, Phase::Drain][self.left as usize / 1500 % 4]
    }

    fn schedule(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        if self.left == 0 {
            return Ok(());
        }
        let phase = self.phase();
        self.left -= 1;
        let bits = cx.stream(1).bits();
        let unit = (bits >> 40) as f64 / (1u64 << 24) as f64;
        let delay = match bits % 8 {
            0 => 0.0,
            1 => 1.0,
            2 => unit * 1e-6,
            3 => 1e3 * unit,
            _ => self.scale * unit * phase.stretch(),
        };
        let pick = |shift: u32| self.entities[(bits >> shift) as usize % self.entities.len()];
        // Not a delay: far ahead, the smallest would be refused.
        let mut when = When::at(cx.now() + delay).priority((bits >> 8) as i16 % 2);
        if (bits >> 16) % 4 > 0 {
            when = when.stamp(pick(20));
        }
        if (bits >> 18) % 4 == 0 {
            when = when.stamp(pick(28));
        }
        if (bits >> 36) % 8 == 0 {
            self.handles.push(cx.schedule_with_handle(when, ())?);
        } else {
            cx.schedule(when, ())?;
        }
        Ok(())
    }
}

impl<const TOLD: bool> Model for Chaos<TOLD> {
    type Time = f64;
    type Event = ();
    type Refs = Handles<2>;
    const TELL_STALE: bool = TOLD;

    fn handle(&mut self, (): (), cx: &mut impl Context<Self>) -> Outcome {
        let bits = cx.stream(2).bits();
        let which = (bits >> 8) as usize;
        match bits % 8 {
            0 | 1 => {
                cx.touch(self.entities[which % self.entities.len()]);
            }
            2 if !self.handles.is_empty() => {
                cx.cancel(self.handles[which % self.handles.len()]);
            }
            3 if !self.handles.is_empty() => {
                let time = cx.now() + 2.0;
                cx.reschedule(self.handles[which % self.handles.len()], time)?;
            }
            4 if bits >> 58 == 0 => {
                let index = which % self.entities.len();
                cx.despawn(self.entities[index]);
                self.entities[index] = cx.spawn();
            }
            _ => {}
        }
        // When nothing is left the queue drains.
        for _ in 0..(bits >> 4) % self.phase().most() {
            self.schedule(cx)?;
        }
        Ok(())
    }

    fn stale(&mut self, (): (), cx: &mut impl Context<Self>) -> Outcome {
        self.told += 1;
        self.schedule(cx)
    }
}

struct Outcomes {
    trace: Vec<Executed<f64>>,
    told: u64,
    counters: Counters,
}

fn run<const TOLD: bool, Q: QueueKind<f64> + Default>(
    seed: u64,
    entities: usize,
    start: usize,
    scale: f64,
) -> Outcomes {
    let model = Chaos::<TOLD> { entities: Vec::new(), handles: Vec::new(), left: 20_000, scale, told: 0 };
    let settings = Settings { seed, ..Settings::default() };
    let mut simulation = Simulation::with_queue(model, settings, Trace::default(), Q::default());
    let (model, cx) = simulation.parts();
    model.entities = (0..entities).map(|_| cx.spawn()).collect();
    for _ in 0..start {
        model.schedule(cx).unwrap();
    }
    let mut until = 1e-3;
    while simulation.queue_len() > 0 {
        simulation.run_until(until).unwrap();
        until *= 2.0;
        // The model may have gone out before its time.
        if simulation.queue_len() == 0 && simulation.model().left > 0 {
            let (model, cx) = simulation.parts();
            (0..start).for_each(|_| model.schedule(cx).unwrap());
        }
        if !TOLD {
            let (length, pending) = (simulation.queue_len() as u64, simulation.pending());
            assert!(length <= 2 * pending + 64, "{length} entries for {pending} events");
        }
    }
    let counters = *simulation.counters();
    assert_eq!(counters.pending(), 0);
    let (model, trace) = simulation.into_parts();
    Outcomes { trace: trace.events, told: model.told, counters }
}

fn compare<const TOLD: bool>(seed: u64, entities: usize, start: usize, scale: f64) {
    let oracle = run::<TOLD, SortedArray>(seed, entities, start, scale);
    let same = |name: &str, other: Outcomes| {
        assert!(oracle.trace == other.trace, "{name}: another trace");
        assert_eq!(oracle.told, other.told, "{name}: told of others");
        let (a, b) = (oracle.counters, other.counters);
        // Which of the stale are swept before they come up is up to the queue.
        let settled = |c: Counters| (c.scheduled, c.executed, c.stale + c.swept, c.cancelled, c.rescheduled, c.ties);
        assert_eq!(settled(a), settled(b), "{name}: other books");
    };
    same("heap", run::<TOLD, Heap>(seed, entities, start, scale));
    same("counted heap", run::<TOLD, CountedHeap>(seed, entities, start, scale));
    same("ladder", run::<TOLD, Ladder>(seed, entities, start, scale));
    same("counted ladder", run::<TOLD, CountedLadder>(seed, entities, start, scale));
    same("indexed", run::<TOLD, Indexed>(seed, entities, start, scale));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_queue_gives_the_same_trace(seed: u64, entities in 1usize..3000, start in 1usize..3000, scale in 0.1f64..100.0) {
        compare::<false>(seed, entities, start, scale);
        compare::<true>(seed, entities, start, scale);
    }
}
