//! The quantising wheel with empty slots skipped by a bitmap: scanning can be mended, quantisation cannot.

use saltus::driver::Slots;
use saltus::{BoxError, Observer};

use super::quantising_wheel::QuantisingWheel;
use super::{Drive, Job, Ran, Workload};

pub(super) struct SkippingWheel;

impl Drive for SkippingWheel {
    fn run<M, S, O>(job: Job<M, S, O>) -> Result<Ran<M, O>, BoxError>
    where
        M: Workload,
        S: Slots<M::Time> + Copy,
        O: Observer<M>,
    {
        QuantisingWheel::run(Job { wheel: job.wheel.skipping(), ..job })
    }
}
