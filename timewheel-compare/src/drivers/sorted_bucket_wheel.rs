//! The wheel as the original is coded today: a slot is only a bucket, and events in it keep their times and their order. That is
//! a future event list like any other under the ordinary driver, though one that pays for empty slots.

use saltus::driver::{ScanCounters, Slots};
use saltus::{BoxError, Observer, Simulation};

use super::{Drive, Job, Ran, Workload};

pub(super) struct SortedBucketWheel;

impl Drive for SortedBucketWheel {
    fn run<M, S, O>(job: Job<M, S, O>) -> Result<Ran<M, O>, BoxError>
    where
        M: Workload,
        S: Slots<M::Time> + Copy,
        O: Observer<M>,
    {
        let mut sim = Simulation::with_queue(job.model, job.settings, job.observer, job.wheel);
        let (model, cx) = sim.parts();
        model.start(cx)?;
        let stop = sim.run_until(job.end)?;
        let counters = *sim.counters();
        let (model, observer) = sim.into_parts();
        Ok(Ran { model, observer, stop, counters, scan: ScanCounters::default() })
    }
}
