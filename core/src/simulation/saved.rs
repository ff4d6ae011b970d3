//! A run that is saved and restored in the middle goes on as if nothing had happened, bit for bit.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::*;
use crate::event::{Handles, Stamps};
use crate::model::{Handle, When};
use crate::observe::Trace;
use crate::queue::{Heap, SortedArray};
use crate::{Entity, ScheduleError};

/// Uses everything that a kernel keeps: entities that come and go, handles that are cancelled and moved, series, zero delays,
/// priorities, streams. Whatever it does is decided by its streams, so a wrong bit anywhere changes all that follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Busy {
    entities: Vec<Entity>,
    handles: Vec<Handle>,
    seen: Vec<(u64, u32)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Event {
    Act(u32),
    Tick { name: String },
}

const CHOICES: u64 = 1;
const DELAYS: u64 = u64::MAX;

impl Model for Busy {
    type Time = f64;
    type Event = Event;
    type Refs = Handles<2>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let number = match event {
            Event::Act(number) => number,
            Event::Tick { name } => name.len() as u32,
        };
        self.seen.push((cx.now().to_bits(), number));
        self.act(number, cx)?;
        self.act(number + 1, cx)?;
        Ok(())
    }
}

impl Busy {
    fn act(&mut self, number: u32, cx: &mut impl Context<Self>) -> Result<(), ScheduleError<f64>> {
        // Halves and whole numbers give ties; the normal deviate leaves the generator in the middle of a block.
        let delay = match cx.stream(CHOICES).below(3) {
            0 => 0.0,
            1 => cx.stream(DELAYS).below(5) as f64 * 0.5,
            _ => cx.stream(DELAYS).normal(0.0, 1.0).abs() + 0.1,
        };
        let mut when = When::after(delay).priority(cx.stream(CHOICES).below(3) as i16 - 1);
        for entity in [pick(&self.entities, cx), pick(&self.entities, cx)].into_iter().flatten() {
            when = when.stamp(entity);
        }
        match (cx.stream(CHOICES).below(12), pick(&self.entities, cx), pick(&self.handles, cx)) {
            (0, ..) => self.entities.push(cx.spawn()),
            (1, Some(entity), _) if self.entities.len() > 4 => {
                self.entities.retain(|&other| other != entity);
                cx.despawn(entity);
            }
            (2, Some(entity), _) => {
                cx.touch(entity);
            }
            (3, _, Some(handle)) => {
                cx.cancel(handle);
            }
            (4, _, Some(handle)) => {
                cx.reschedule(handle, cx.now() + delay)?;
            }
            (5, ..) => {
                let name = "x".repeat(number as usize % 7);
                self.handles.push(cx.schedule_every(when, 0.3, Event::Tick { name })?);
            }
            (6 | 7, ..) => self.handles.push(cx.schedule_with_handle(when, Event::Act(number))?),
            _ => {
                cx.schedule(when, Event::Act(number))?;
            }
        }
        // What has been forgotten is cancelled, so that the series do not pile up.
        while self.handles.len() > 12 {
            cx.cancel(self.handles.remove(0));
        }
        Ok(())
    }
}

fn pick<T: Copy>(things: &[T], cx: &mut impl Context<Busy>) -> Option<T> {
    things.get(cx.stream(CHOICES).below(things.len() as u64) as usize).copied()
}

type Run<Q> = Simulation<Busy, Trace<f64>, Q>;

fn start<Q: QueueKind<f64> + Default>(ties: TieOrder) -> Run<Q> {
    let settings = Settings { start: -1.0, seed: 3, ties, ..Settings::default() };
    let mut run = Run::with_queue(Busy::default(), settings, Trace::default(), Q::default());
    for number in 0..40 {
        run.context().schedule_at(f64::from(number), Event::Act(number)).expect("a time");
    }
    run
}

fn save<Q: QueueKind<f64> + Default>(run: &Run<Q>) -> String
where
    Kernel<Busy, Trace<f64>, Q>: Serialize,
{
    serde_json::to_string(&(&run.model, &run.kernel)).expect("all can be saved")
}

fn restore<Q: QueueKind<f64> + Default>(saved: &str, trace: Trace<f64>) -> Run<Q>
where
    Kernel<Busy, Trace<f64>, Q>: DeserializeOwned,
{
    let (model, mut kernel): (Busy, Kernel<Busy, Trace<f64>, Q>) = serde_json::from_str(saved).expect("what was saved");
    kernel.observer = trace;
    kernel.clone = Some(Event::clone);
    Simulation { model, kernel }
}

fn a_restored_run_goes_on_as_if_nothing_had_happened<Q: QueueKind<f64> + Default>(ties: TieOrder)
where
    Kernel<Busy, Trace<f64>, Q>: Serialize + DeserializeOwned,
{
    const EVENTS: u64 = 600;
    let mut whole = start::<Q>(ties);
    whole.run_events(EVENTS).expect("no errors");
    assert_eq!(whole.counters().executed, EVENTS, "the run does not die out");
    for cut in (0..EVENTS).step_by(29) {
        let mut first = start::<Q>(ties);
        first.run_events(cut).expect("no errors");
        let saved = save(&first);
        let mut second = restore::<Q>(&saved, first.kernel.observer);
        assert_eq!(save(&second), saved);
        second.run_events(EVENTS - cut).expect("no errors");
        assert_eq!(second.observer(), whole.observer(), "cut at {cut}");
        assert_eq!(second.counters(), whole.counters(), "cut at {cut}");
        let (second, whole) = (second.model(), whole.model());
        assert_eq!(second.seen, whole.seen, "cut at {cut}");
        assert_eq!(second.entities, whole.entities, "cut at {cut}");
        // A slab does not save the order of its free list, so the slots of new handles may differ; no answer depends on them.
        assert!(second.handles.iter().map(|handle| handle.ticket).eq(whole.handles.iter().map(|handle| handle.ticket)));
    }
    let Counters { stale, cancelled, rescheduled, ties, .. } = *whole.counters();
    assert!(stale.min(cancelled).min(rescheduled).min(ties) > 10, "{:?}", whole.counters());
}

#[test]
fn in_a_heap() {
    a_restored_run_goes_on_as_if_nothing_had_happened::<Heap>(TieOrder::Scheduled);
}

#[test]
fn in_a_ladder() {
    a_restored_run_goes_on_as_if_nothing_had_happened::<Ladder>(TieOrder::Scheduled);
}

#[test]
fn in_a_sorted_array() {
    a_restored_run_goes_on_as_if_nothing_had_happened::<SortedArray>(TieOrder::Scheduled);
}

#[test]
fn in_a_shuffled_order() {
    a_restored_run_goes_on_as_if_nothing_had_happened::<Heap>(TieOrder::Shuffled { seed: 5 });
}

/// A payload that nobody can save.
struct Closures;

impl Model for Closures {
    type Time = u64;
    type Event = Box<dyn FnOnce() -> u64>;
    type Refs = Stamps<0>;

    fn handle(&mut self, event: Self::Event, cx: &mut impl Context<Self>) -> Outcome {
        let delay = event();
        cx.schedule_in(delay, Box::new(move || delay + 1))?;
        Ok(())
    }
}

#[test]
fn closures_run_and_are_simply_not_saved() {
    let mut run = Simulation::new(Closures);
    run.context().schedule_at(5, Box::new(|| 1)).expect("a time");
    run.run_events(4).expect("no errors");
    assert_eq!(run.now(), 5 + 1 + 2 + 3);
}
