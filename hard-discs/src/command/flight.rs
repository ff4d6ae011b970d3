//! The flight of the particles, to the end that the options ask for.

use std::time::{Duration, Instant};

use hard_discs::{Gauge, HardSpheres, Measured, Schedule};
use saltus::queue::QueueKind;
use saltus::{BoxError, Counters, Observer, RunError, Settings, Simulation, Stop};

use super::watchers::End;

/// Parts that a run is measured in.
const STRETCHES: u32 = 256;

/// A run that has ended.
pub(crate) struct Flown<const D: usize, S: Schedule> {
    pub(crate) model: HardSpheres<D, S>,
    pub(crate) now: f64,
    pub(crate) elapsed: Duration,
    pub(crate) counters: Counters,
    pub(crate) compares: Option<u64>,
    pub(crate) measured: Option<Measured>,
}

/// How far to fly, and what for.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) end: End,
    /// Pair collisions before anything is measured.
    pub(crate) equilibrate: u64,
    pub(crate) measures: bool,
}

/// Flies, and measures if that is wanted: what has become of the particles, who observed them, and why it ended.
pub(crate) fn fly<const D: usize, S: Schedule, O, Q>(
    model: HardSpheres<D, S>,
    observer: O,
    queue: Q,
    plan: Plan,
) -> Result<(Flown<D, S>, O, Result<Stop, RunError<f64>>), BoxError>
where
    O: Observer<HardSpheres<D, S>>,
    Q: QueueKind<f64>,
{
    let mut simulation = Simulation::with_queue(model, Settings::default(), observer, queue);
    let begin = Instant::now();
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let (result, gauge) = match plan {
        Plan { end: End { events: Some(0), .. }, .. } => (Ok(Stop::MaxEvents), None),
        Plan { measures: false, end, .. } => (simulation.run_until(end.until), None),
        Plan { end, equilibrate, .. } => measure(&mut simulation, end, equilibrate),
    };
    let elapsed = begin.elapsed();
    let (now, counters, compares) = (simulation.now(), *simulation.counters(), simulation.compares());
    let (model, observer) = simulation.into_parts();
    let measured = gauge.and_then(|gauge| gauge.measured());
    Ok((Flown { model, now, elapsed, counters, compares, measured }, observer, result))
}

type Run<const D: usize, S, O, Q> = Simulation<HardSpheres<D, S>, O, Q>;

fn measure<const D: usize, S: Schedule, O, Q>(
    simulation: &mut Run<D, S, O, Q>,
    end: End,
    equilibrate: u64,
) -> (Result<Stop, RunError<f64>>, Option<Gauge>)
where
    O: Observer<HardSpheres<D, S>>,
    Q: QueueKind<f64>,
{
    let warm = until_pairs(simulation, equilibrate);
    if !matches!(warm, Ok(Stop::Predicate)) {
        return (warm, None);
    }
    let start = simulation.now();
    let mut gauge = Gauge::new(simulation.model(), start);
    let mut stop = Ok(Stop::EndReached);
    for stretch in 1..=STRETCHES {
        let part = f64::from(stretch) / f64::from(STRETCHES);
        stop = match end.pairs {
            Some(pairs) => until_pairs(simulation, equilibrate + (part * (pairs - equilibrate) as f64) as u64),
            None if stretch == STRETCHES || start > end.until => simulation.run_until(end.until),
            None => simulation.run_until(start + part * (end.until - start)),
        };
        if stop.is_ok() {
            gauge.read(simulation.model(), simulation.now());
        }
        if !matches!(stop, Ok(Stop::EndReached | Stop::Predicate)) {
            break;
        }
    }
    (stop, Some(gauge))
}

fn until_pairs<const D: usize, S: Schedule, O, Q>(
    simulation: &mut Run<D, S, O, Q>,
    pairs: u64,
) -> Result<Stop, RunError<f64>>
where
    O: Observer<HardSpheres<D, S>>,
    Q: QueueKind<f64>,
{
    simulation.run_while(|simulation| simulation.model().work().pairs < pairs)
}
