//! The wheel as it is described: the pointer visits every slot, and everything in a slot happens at the slot's end.

use saltus::driver::{ScanCounters, Slots};
use saltus::{BoxError, Observer, Simulation};

use super::{Drive, Job, Ran, Workload};

pub(super) struct QuantisingWheel;

impl Drive for QuantisingWheel {
    fn run<M, S, O>(job: Job<M, S, O>) -> Result<Ran<M, O>, BoxError>
    where
        M: Workload,
        S: Slots<M::Time> + Copy,
        O: Observer<M>,
    {
        let start = job.settings.start;
        let mut sim = Simulation::with_queue(job.model, job.settings, job.observer, job.wheel);
        let (model, cx) = sim.parts();
        model.start(cx)?;
        if job.head_start {
            sim.run_until(start)?;
        }
        let mut scan = ScanCounters::default();
        let stop = sim.scan_until(job.end, &mut (), &mut scan)?;
        let counters = *sim.counters();
        let (model, observer) = sim.into_parts();
        Ok(Ran { model, observer, stop, counters, scan })
    }
}
