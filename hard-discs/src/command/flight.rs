//! The flight of the particles, to the end that the options ask for.

use std::time::{Duration, Instant};

use hard_discs::{Gauge, HardSpheres, Measured, Schedule, Voyage};
use saltus::queue::QueueKind;
use saltus::{BoxError, Counters, Observer, Settings, Simulation, Stop};

use super::watchers::End;

/// Parts that a run is measured in.
const STRETCHES: u32 = 256;

/// How far to fly, and what for.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) end: End,
    /// Pair collisions before anything is measured.
    pub(crate) equilibrate: u64,
    pub(crate) measures: bool,
}

/// A run that has ended.
pub(crate) struct Flown<const D: usize, S: Schedule> {
    pub(crate) model: HardSpheres<D, S>,
    /// What the clock says, from which the particles' positions follow.
    pub(crate) clock: f64,
    pub(crate) elapsed: Duration,
    pub(crate) counters: Counters,
    pub(crate) compares: Option<u64>,
    pub(crate) measured: Option<Measured>,
}

/// What has become of the particles, who observed them, and why it ended.
type Ended<const D: usize, S, O> = (Flown<D, S>, O, Result<Stop, BoxError>);

/// What can fly particles: a simulation, or a voyage of many.
trait Driver<const D: usize, S: Schedule> {
    fn model(&self) -> &HardSpheres<D, S>;
    /// The time since the beginning.
    fn now(&self) -> f64;
    fn run_until(&mut self, end: f64) -> Result<Stop, BoxError>;
    fn run_events(&mut self, count: u64) -> Result<Stop, BoxError>;
}

impl<const D: usize, S: Schedule, O: Observer<HardSpheres<D, S>>, Q: QueueKind<f64>> Driver<D, S>
    for Simulation<HardSpheres<D, S>, O, Q>
{
    fn model(&self) -> &HardSpheres<D, S> {
        self.model()
    }
    fn now(&self) -> f64 {
        self.now()
    }
    fn run_until(&mut self, end: f64) -> Result<Stop, BoxError> {
        Ok(self.run_until(end)?)
    }
    fn run_events(&mut self, count: u64) -> Result<Stop, BoxError> {
        Ok(self.run_events(count)?)
    }
}

impl<const D: usize, S: Schedule, O: Observer<HardSpheres<D, S>>, Q: QueueKind<f64> + Clone> Driver<D, S>
    for Voyage<D, S, O, Q>
{
    fn model(&self) -> &HardSpheres<D, S> {
        self.model()
    }
    fn now(&self) -> f64 {
        self.now()
    }
    fn run_until(&mut self, end: f64) -> Result<Stop, BoxError> {
        self.run_until(end)
    }
    fn run_events(&mut self, count: u64) -> Result<Stop, BoxError> {
        self.run_events(count)
    }
}

/// Flies, and measures if that is wanted, with precision that does not decay.
pub(crate) fn fly<const D: usize, S: Schedule, O: Observer<HardSpheres<D, S>>, Q: QueueKind<f64> + Clone>(
    model: HardSpheres<D, S>,
    observer: O,
    queue: Q,
    plan: Plan,
) -> Result<Ended<D, S, O>, BoxError> {
    let begin = Instant::now();
    let mut voyage = Voyage::new(model, observer, queue)?;
    let (stop, measured) = go(&mut voyage, plan);
    let (elapsed, clock, counters) = (begin.elapsed(), voyage.clock(), voyage.counters());
    let (model, observer) = voyage.into_parts();
    Ok((Flown { model, clock, elapsed, counters, compares: None, measured }, observer, stop))
}

/// The same under one clock from beginning to end, for a log that is to hold together, with the comparisons of the queue.
pub(crate) fn fly_in_one<const D: usize, S: Schedule, O: Observer<HardSpheres<D, S>>, Q: QueueKind<f64>>(
    model: HardSpheres<D, S>,
    observer: O,
    queue: Q,
    plan: Plan,
) -> Result<Ended<D, S, O>, BoxError> {
    let begin = Instant::now();
    let mut simulation = Simulation::with_queue(model, Settings::default(), observer, queue);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let (stop, measured) = go(&mut simulation, plan);
    let (elapsed, clock) = (begin.elapsed(), simulation.now());
    let (counters, compares) = (*simulation.counters(), simulation.compares());
    let (model, observer) = simulation.into_parts();
    Ok((Flown { model, clock, elapsed, counters, compares, measured }, observer, stop))
}

fn go<const D: usize, S: Schedule>(
    driver: &mut impl Driver<D, S>,
    plan: Plan,
) -> (Result<Stop, BoxError>, Option<Measured>) {
    let Plan { end, equilibrate, measures } = plan;
    if end.events == Some(0) {
        return (Ok(Stop::MaxEvents), None);
    }
    if !measures {
        return (driver.run_until(end.until), None);
    }
    let warm = until_pairs(driver, equilibrate);
    match warm {
        Ok(Stop::MaxEvents) => {}
        // Nothing more can happen, but time goes on.
        Ok(Stop::QueueEmpty) if end.until.is_finite() => return (driver.run_until(end.until), None),
        _ => return (warm, None),
    }
    let start = driver.now();
    let mut gauge = Gauge::new(driver.model(), start);
    let mut stop = warm;
    for stretch in 1..=STRETCHES {
        let part = f64::from(stretch) / f64::from(STRETCHES);
        stop = match end.pairs {
            Some(pairs) => until_pairs(driver, equilibrate + (part * (pairs - equilibrate) as f64) as u64),
            None if stretch == STRETCHES || start > end.until => driver.run_until(end.until),
            None => driver.run_until(start + part * (end.until - start)),
        };
        if stop.is_ok() {
            gauge.read(driver.model(), driver.now());
        }
        if !matches!(stop, Ok(Stop::EndReached | Stop::MaxEvents)) {
            break;
        }
    }
    // Nothing more can happen, but time goes on.
    if end.until.is_finite() && matches!(stop, Ok(Stop::QueueEmpty)) {
        stop = driver.run_until(end.until);
    }
    (stop, gauge.measured())
}

/// An event is at most one pair collision, so that the count is met exactly.
fn until_pairs<const D: usize, S: Schedule>(driver: &mut impl Driver<D, S>, pairs: u64) -> Result<Stop, BoxError> {
    loop {
        let left = pairs.saturating_sub(driver.model().work().pairs);
        if left == 0 {
            return Ok(Stop::MaxEvents);
        }
        match driver.run_events(left)? {
            Stop::MaxEvents => {}
            other => return Ok(other),
        }
    }
}
