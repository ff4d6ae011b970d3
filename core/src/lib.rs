//! Saltus, Latin for leap: a discrete-event simulation kernel that is, in this order, impossible to corrupt, repeatable bit
//! for bit, easy to read, and fast.
//!
//! A [`Model`] says what happens. The kernel keeps what is going to happen: a future event list over versioned entities, in
//! which a prediction dies as soon as something it depends on is [touched](Context::touch). A [`Simulation`] moves the clock
//! from event to event. An [`Observer`] is told of everything and costs nothing when absent.
//!
//! A bank with one clerk, whole:
//!
//! ```
//! use std::collections::VecDeque;
//!
//! use saltus::{Context, Model, Outcome, Simulation, Stamps};
//!
//! const ARRIVALS: u64 = 1; // names of random streams
//! const SERVICE: u64 = 2;
//!
//! #[derive(Default)]
//! struct Bank {
//!     waiting: VecDeque<f64>,
//!     served: u32,
//!     total_time: f64,
//! }
//!
//! enum Event {
//!     Arrive,
//!     Leave,
//! }
//!
//! impl Model for Bank {
//!     type Time = f64;
//!     type Event = Event;
//!     type Refs = Stamps<0>;
//!
//!     fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
//!         match event {
//!             Event::Arrive => {
//!                 let gap = cx.stream(ARRIVALS).exponential(1.0);
//!                 cx.schedule_in(gap, Event::Arrive)?;
//!                 self.waiting.push_back(cx.now());
//!             }
//!             Event::Leave => {
//!                 let came = self.waiting.pop_front().ok_or("nobody is there to leave")?;
//!                 self.total_time += cx.now() - came;
//!                 self.served += 1;
//!             }
//!         }
//!         // The clerk begins with the next customer: the one who came to an empty bank, or the next in line.
//!         let starts = matches!(event, Event::Leave) || self.waiting.len() == 1;
//!         if starts && !self.waiting.is_empty() {
//!             let service = cx.stream(SERVICE).exponential(0.5);
//!             cx.schedule_in(service, Event::Leave)?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut bank = Simulation::seeded(Bank::default(), 42);
//! bank.context().schedule_at(0.0, Event::Arrive)?;
//! bank.run_until(10_000.0)?;
//! let mean = bank.model().total_time / f64::from(bank.model().served);
//! assert!((mean - 1.0).abs() < 0.1, "theory says 1, the simulation {mean}");
//! # Ok::<(), saltus::BoxError>(())
//! ```
//!
//! Where to go from here: [`rules`] is what you can rely on, with an example for each rule. [`Model`] and [`Context`] are what
//! a model is and may do, [`hybrid`] is for models that follow a curve
//! between events, [`queue`] is where pending events are kept, [`observe`] who watches, [`random`] the streams.

#![warn(missing_docs)]

mod counters;
pub mod driver;
mod entity;
mod error;
mod event;
pub mod hybrid;
mod instant;
mod kernel;
mod living;
pub mod log;
mod model;
pub mod observe;
pub mod queue;
pub mod random;
pub mod rules;
mod schedule;
mod simulation;
mod ties;
pub mod time;

pub use counters::Counters;
pub use entity::Entity;
pub use error::{BoxError, Culprit, Refusal, RunError, ScheduleError};
pub use event::{Cause, Caused, Class, EventId, Handles, HasHandles, Header, Refs, Stamps};
pub use model::{Context, Handle, Model, Outcome, When};
pub use observe::Observer;
pub use random::Stream;
pub use simulation::{Peek, Settings, Simulation, Stop};
pub use ties::TieOrder;
pub use time::Time;

/// The README's model is a test as well.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
