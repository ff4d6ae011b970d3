//! Elastic hard discs in a box as a model of [`saltus`], with a certificate that re-checks the physics.

#![warn(missing_docs)]

mod certificate;
mod disc;
pub mod input;
mod log;
mod model;
pub mod starts;
mod state;
mod stepped;

pub use certificate::{BOUND, Certificate, Law, Violation, Worst};
pub use disc::{Disc, TOUCH, Vec2, Walls};
pub use log::EventLog;
pub use model::{HardDiscs, Hit, Work};
pub use state::{StateError, check};
pub use stepped::{BouncingBalls, SteppedDiscs};
