//! A SimulationCraft-style time wheel and a fixed step as baselines for [`saltus`]: the same models, unchanged, and what a
//! time-driven clock costs them.
//!
//! A [`Wheel`] is a future event list and a clock at once. Three drivers come of it. As a list under the ordinary driver its slots
//! are only buckets, and the run equals the event-driven one bit for bit. Scanned slot by slot, everything in a slot happens at
//! the slot's end. And [`Wheel::skipping`] leaps over empty slots, which mends the cost of scanning and not the error.
//!
//! ```
//! use saltus::driver::ScanCounters;
//! use saltus::{Context, Model, Outcome, Settings, Simulation, Stamps};
//! use timewheel_compare::{RuleR, Wheel};
//!
//! #[derive(Default)]
//! struct Log(Vec<(u64, char)>);
//!
//! impl Model for Log {
//!     type Time = u64; // milliseconds
//!     type Event = char;
//!     type Refs = Stamps<0>;
//!
//!     fn handle(&mut self, event: char, cx: &mut impl Context<Self>) -> Outcome {
//!         self.0.push((cx.now(), event));
//!         Ok(())
//!     }
//! }
//!
//! // 32 slots a second at a resolution of 1 ms, 1024 seconds of them.
//! let wheel = Wheel::new(RuleR::new(1000, 32)?, 32 * 1024);
//! let mut sim = Simulation::with_queue(Log::default(), Settings::default(), (), wheel);
//! for (event, time) in [('A', 0), ('B', 12), ('C', 30), ('D', 31)] {
//!     sim.context().schedule_at(time, event)?;
//! }
//! let mut counters = ScanCounters::default();
//! sim.scan_until(100, &mut (), &mut counters)?;
//! assert_eq!(sim.model().0, [(30, 'A'), (30, 'B'), (30, 'C'), (61, 'D')]);
//! assert_eq!((counters.visited, counters.empty, counters.largest_delay), (2, 0, 30.0));
//! # Ok::<(), saltus::BoxError>(())
//! ```
//!
//! [`drivers`] has one file a driver, [`models`] what is run, [`experiments`] what is counted, [`settings`] the two settings of the
//! original, [`plots`] and [`table`] how it is shown.

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
