//! A SimulationCraft-style time wheel and a fixed step as baselines for [`saltus`]: the same models, unchanged, and what a
//! time-driven clock costs them.

#![warn(missing_docs)]

pub mod drivers;
pub mod experiments;
pub mod models;
pub mod plots;
pub mod settings;
mod slots;
pub mod table;
mod wheel;

pub use slots::{RuleR, Steps, TooFine};
pub use wheel::{Wheel, WheelList};
