//! The same model with and without the events of a condition: does the condition have a physical meaning?

use super::ensemble::Run;
use super::model::Hybrid;
use super::stepper::Stepper;

/// What became of a model with and without events of a condition; see [`compare`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// State events with and without.
    pub events: [u64; 2],
    /// The energy at the end with and without.
    pub energy: [f64; 2],
    /// What follows.
    pub verdict: Verdict,
}

/// What a comparison shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Without the events the energy is another: they stand for something, and to suppress them hides it.
    Meaningful,
    /// There are more events with it, and the energy is the same: the condition is a guard without physical meaning, and belongs
    /// where it makes none.
    Guard,
    /// Nothing tells the two apart.
    Same,
}

/// Compares a run in which a condition makes events with one in which it makes none
/// ([`Trajectory::no_event`](super::Trajectory::no_event)), both at the same time. The tolerance is relative to the larger energy.
/// `None` if the model gives no energy.
pub fn compare<H: Hybrid, S: Stepper<H>, T: Stepper<H>>(
    with: &Run<H, S>,
    without: &Run<H, T>,
    tolerance: f64,
) -> Option<Comparison> {
    let energy = [with.energy()?, without.energy()?];
    let events = [with.statistics().state_events, without.statistics().state_events];
    // An energy that is no number is near none.
    let is_near = (energy[0] - energy[1]).abs() <= tolerance * energy[0].abs().max(energy[1].abs());
    let verdict = match (is_near, events[0] == events[1]) {
        (false, _) => Verdict::Meaningful,
        (true, false) => Verdict::Guard,
        (true, true) => Verdict::Same,
    };
    Some(Comparison { events, energy, verdict })
}
