//! The kernel's own driver on its own list: the reference.

use saltus::driver::{ScanCounters, Slots};
use saltus::queue::Heap;
use saltus::{BoxError, Observer, Simulation};

use super::{Drive, Job, Ran, Workload};

pub(super) struct EventDriven;

impl Drive for EventDriven {
    fn run<M, S, O>(job: Job<M, S, O>) -> Result<Ran<M, O>, BoxError>
    where
        M: Workload,
        S: Slots<M::Time> + Copy,
        O: Observer<M>,
    {
        let mut sim = Simulation::with_queue(job.model, job.settings, job.observer, Heap);
        let (model, cx) = sim.parts();
        model.start(cx)?;
        let stop = sim.run_until(job.end)?;
        let counters = *sim.counters();
        let (model, observer) = sim.into_parts();
        Ok(Ran { model, observer, stop, counters, scan: ScanCounters::default() })
    }
}
