//! The textbook's time-driven simulation: a small step, a look around, and again.

use std::fmt;

/// A model without events: it can be moved on by a little, and looked at.
pub trait Stepped {
    /// What can go wrong in a look.
    type Error;

    /// Moves everything on by `dt`.
    fn advance(&mut self, dt: f64);

    /// Looks for what has happened since the last look and responds to it. Returns how many things had happened.
    fn look(&mut self) -> Result<u64, Self::Error>;
}

/// What a fixed-step run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounters {
    /// Steps taken.
    pub steps: u64,
    /// Steps at whose end nothing had happened.
    pub empty: u64,
    /// Things that had happened.
    pub found: u64,
}

/// Why a fixed-step run could not be, or ended.
#[derive(Clone, Debug, PartialEq)]
pub enum StepError<E> {
    /// The step is not a positive, finite number.
    BadStep(f64),
    /// A look failed.
    Look(E),
}

impl<E: fmt::Display> fmt::Display for StepError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::BadStep(dt) => write!(f, "a step of {dt} is not a positive, finite number"),
            StepError::Look(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for StepError<E> {}

/// Steps a model by `dt` for as many whole steps as fit into `span`. What happens between two looks is seen only if its traces
/// are still there.
///
/// ```
/// use saltus::driver::{Stepped, run_steps};
///
/// /// A ball between two walls that turns round when it is found beyond one of them.
/// struct Ball { x: f64, v: f64 }
///
/// impl Stepped for Ball {
///     type Error = std::convert::Infallible;
///
///     fn advance(&mut self, dt: f64) {
///         self.x += self.v * dt;
///     }
///
///     fn look(&mut self) -> Result<u64, Self::Error> {
///         if (0.0..=1.0).contains(&self.x) {
///             return Ok(0);
///         }
///         self.v = -self.v;
///         Ok(1)
///     }
/// }
///
/// let counters = run_steps(&mut Ball { x: 0.5, v: 1.0 }, 0.125, 4.0)?;
/// assert_eq!((counters.steps, counters.empty, counters.found), (32, 29, 3));
/// assert!(run_steps(&mut Ball { x: 0.5, v: 1.0 }, 0.0, 4.0).is_err());
/// # Ok::<(), saltus::BoxError>(())
/// ```
pub fn run_steps<M: Stepped>(model: &mut M, dt: f64, span: f64) -> Result<StepCounters, StepError<M::Error>> {
    if !(dt.is_finite() && dt > 0.0) {
        return Err(StepError::BadStep(dt));
    }
    // A span that is a multiple of dt must not lose its last step to rounding.
    let steps = (span / dt * (1.0 + 4.0 * f64::EPSILON)).floor().max(0.0) as u64;
    let mut counters = StepCounters::default();
    for _ in 0..steps {
        model.advance(dt);
        let found = model.look().map_err(StepError::Look)?;
        counters.steps += 1;
        counters.found += found;
        counters.empty += u64::from(found == 0);
    }
    Ok(counters)
}
