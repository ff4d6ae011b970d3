//! Steppers: how the state gets from one time to a later one.

mod closed_form;
mod dormand_prince;
mod fixed;

pub use closed_form::ClosedForm;
pub use dormand_prince::DormandPrince;
pub use fixed::{Euler, RungeKutta4};

use super::error::Error;
use super::model::{At, Hybrid};

/// A solver for [`Trajectory`](super::Trajectory): it takes one step at a time and can be asked for any moment within the last.
/// Write one to plug in another solver; [`Euler`] is an example of twenty lines.
pub trait Stepper<H: Hybrid> {
    /// The next call of [`step`](Stepper::step) starts anew: state, mode or derivative may have jumped. Nothing from before
    /// counts, neither slopes nor the step size.
    fn restart(&mut self);

    /// Takes one step from a point, not beyond `limit`, which may be infinite. A step that comes close to the limit ends exactly
    /// on it.
    fn step(&mut self, model: &H, from: &At<H>, limit: f64) -> Result<Step<H::State>, Error>;

    /// The state at a time within the last step, or a few roundings beyond its end.
    fn state_at(&self, time: f64) -> H::State;

    /// Whether indicators in closed form may be used: the step is exact.
    fn is_exact(&self) -> bool {
        false
    }
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Step<X> {
    /// Its last time.
    pub end: f64,
    /// The state there.
    pub state: X,
    /// How often a longer one was tried and rejected.
    pub retries: u32,
    /// Evaluations of the derivative.
    pub evaluations: u32,
}

/// Beyond this a step has no end worth an event.
pub(super) const FAR: f64 = 1e300;
