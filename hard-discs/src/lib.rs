//! Elastic hard discs in a box as a model of [`saltus`], with a certificate that re-checks the physics.
//!
//! Two discs in the unit box: one flies to the right and hits one of three times its mass that rests.
//!
//! ```
//! use hard_discs::{Certificate, Disc, HardDiscs, Walls};
//! use saltus::{Settings, Simulation};
//!
//! let light = Disc::new([0.2, 0.5], [1.0, 0.0], 0.1, 1.0);
//! let heavy = Disc::new([0.6, 0.5], [0.0, 0.0], 0.1, 3.0);
//! let model = HardDiscs::new(vec![light, heavy], Walls::UNIT)?;
//!
//! let certificate = Certificate::new(&model);
//! let mut simulation = Simulation::with(model, Settings::default(), certificate);
//! let (model, cx) = simulation.parts();
//! model.start(cx)?; // predicts the first contacts
//! simulation.run_until(0.3)?;
//!
//! // They met at t = 0.2: the light disc comes back with half its speed, the heavy one leaves with the other half.
//! let discs = simulation.model().discs();
//! assert!((discs[0].velocity[0] + 0.5).abs() < 1e-15 && (discs[1].velocity[0] - 0.5).abs() < 1e-15);
//! // A disc is moved only when it collides; where all are now is asked for.
//! let places: Vec<_> = simulation.model().positions_at(0.3).collect();
//! assert!((places[0][0] - 0.35).abs() < 1e-15 && (places[1][0] - 0.65).abs() < 1e-15);
//! assert_eq!(simulation.model().work().pairs, 1);
//! assert_eq!(simulation.observer().violation(), None);
//! # Ok::<(), saltus::BoxError>(())
//! ```

#![warn(missing_docs)]

mod around;
mod blocks;
mod bodies;
mod certificate;
mod disc;
mod gauge;
mod grid;
mod images;
pub mod input;
mod lists;
mod log;
mod model;
#[cfg(feature = "movie")]
pub mod movie;
mod rows;
mod search;
pub mod sph;
pub mod starts;
mod state;
mod stepped;
pub mod theory;
mod vector;
mod voyage;
mod walls;

pub use blocks::{BlockAverages, Estimate, ratio};
pub use certificate::{BOUND, Certificate, Law, Observed, Violation, Worst};
pub use disc::{Disc, Particle, Sphere, TOUCH};
pub use gauge::{Gauge, Measured};
pub use log::EventLog;
pub use model::{Earliest, Every, HardDiscs, HardSpheres, Hit, Misuse, Neighbours, Schedule, Work};
pub use state::{LARGEST, SMALLEST, StateError, check};
pub use stepped::{BouncingBalls, SteppedDiscs};
pub use vector::Vector;
pub use voyage::Voyage;
pub use walls::Walls;
