//! Observers: they are told everything and change nothing, but for ending a run.
//!
//! For each event that runs, the calls come in this order:
//!
//! | call | clock | payload | model |
//! |---|---|---|---|
//! | [`before`](Observer::before): may hold the event back | still at the event before | yes | as it was |
//! | [`clock`](Observer::clock), if it moves | from, to | | |
//! | [`executed`](Observer::executed) | at the event | yes | |
//! | the handler; meanwhile [`scheduled`](Observer::scheduled), [`touched`](Observer::touched), [`cancelled`](Observer::cancelled), [`rescheduled`](Observer::rescheduled), [`swept`](Observer::swept) | | | |
//! | [`after`](Observer::after), unless the handler failed: may end the run | at the event | | as it is now |
//!
//! ```
//! use saltus::observe::{GO_ON, Observer, Verdict, stop};
//! use saltus::{Context, Header, Model, Outcome, Settings, Simulation, Stamps, Stop};
//!
//! struct Line(u32);
//! impl Model for Line {
//!     type Time = f64;
//!     type Event = i32;
//!     type Refs = Stamps<0>;
//!     fn handle(&mut self, change: i32, _: &mut impl Context<Self>) -> Outcome {
//!         self.0 = self.0.checked_add_signed(change).ok_or("nobody is there to leave")?;
//!         Ok(())
//!     }
//! }
//!
//! /// The mean length of the line over time, and an end when it is too long.
//! #[derive(Default)]
//! struct Mean {
//!     area: f64,
//!     length: u32,
//! }
//! impl Observer<Line> for Mean {
//!     type Cause = ();
//!     fn clock(&mut self, from: f64, to: f64) {
//!         self.area += f64::from(self.length) * (to - from); // the stretch up to the end of the run as well
//!     }
//!     fn after(&mut self, _: &Header<f64>, line: &Line) -> Verdict {
//!         self.length = line.0;
//!         if line.0 > 5 { stop("the line is out of the door") } else { GO_ON }
//!     }
//! }
//!
//! let mut sim = Simulation::with(Line(0), Settings::default(), Mean::default());
//! for (time, change) in [(0.0, 2), (3.0, 3)] {
//!     sim.context().schedule_at(time, change)?;
//! }
//! sim.run_until(10.0)?;
//! assert_eq!(sim.observer().area / sim.now(), (2.0 * 3.0 + 5.0 * 7.0) / 10.0);
//! sim.context().schedule_in(1.0, 1)?;
//! assert_eq!(sim.run()?, Stop::Observer("the line is out of the door".to_owned()));
//! # Ok::<(), saltus::BoxError>(())
//! ```

#[cfg(feature = "layer")]
mod fields;
#[cfg(feature = "layer")]
mod layer;
mod recorder;
#[cfg(feature = "tracing")]
mod spans;
mod trace;
#[cfg(feature = "tracing")]
mod tracing;

use std::ops::ControlFlow;

use crate::entity::Entity;
use crate::event::{Cause, EventId, Header};
use crate::model::Model;

#[cfg(feature = "tracing")]
pub use self::spans::Spans;
#[cfg(feature = "tracing")]
pub use self::tracing::Tracing;
#[cfg(feature = "layer")]
pub use layer::LogLayer;
pub use recorder::Recorder;
pub use trace::{Executed, Trace};

/// What an observer answers: go on, or end the run for this reason.
pub type Verdict = ControlFlow<String>;

/// Go on.
pub const GO_ON: Verdict = ControlFlow::Continue(());

/// End the run for this reason.
pub fn stop(reason: impl Into<String>) -> Verdict {
    ControlFlow::Break(reason.into())
}

/// Is told of everything that happens to events, entities and the clock.
///
/// Every method does nothing unless written, and what is not written costs nothing; `()` is the observer that does nothing at
/// all. A pair `(A, B)` of observers is an observer.
pub trait Observer<M: Model> {
    /// [`Caused`](crate::Caused) to have events carry their cause, eight bytes each; `()` otherwise.
    type Cause: Cause;

    /// An event was scheduled or rescheduled.
    fn scheduled(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        let _ = (event, payload);
    }

    /// An event is about to run and the clock has yet to move to it. If the answer is to end the run, the event stays pending.
    fn before(&mut self, event: &Header<M::Time>, payload: &M::Event, model: &M) -> Verdict {
        let _ = (event, payload, model);
        GO_ON
    }

    /// No observer has held the event back and the clock has moved to it: it is now given to the model.
    fn executed(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        let _ = (event, payload);
    }

    /// An event has run.
    fn after(&mut self, event: &Header<M::Time>, model: &M) -> Verdict {
        let _ = (event, model);
        GO_ON
    }

    /// A stale event came up and was dropped, or told to the model if that asked for it.
    fn stale(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        let _ = (event, payload);
    }

    /// A stale event was swept away before its time.
    fn swept(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        let _ = (event, payload);
    }

    /// A pending event was cancelled by its handle.
    fn cancelled(&mut self, event: EventId, time: M::Time, by: Option<EventId>) {
        let _ = (event, time, by);
    }

    /// A pending event was moved: `event` is no more and `scheduled` has just been told of its successor.
    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        let _ = (event, successor);
    }

    /// An entity was created.
    fn spawned(&mut self, entity: Entity, by: Option<EventId>) {
        let _ = (entity, by);
    }

    /// An entity was touched or ended: its events with a sequence number under `version` are stale.
    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        let _ = (entity, version, by);
    }

    /// The clock has moved.
    fn clock(&mut self, from: M::Time, to: M::Time) {
        let _ = (from, to);
    }
}

impl<M: Model> Observer<M> for () {
    type Cause = ();
}

impl<M: Model, A: Observer<M>, B: Observer<M>> Observer<M> for (A, B) {
    type Cause = <A::Cause as Cause>::Or<B::Cause>;

    fn scheduled(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.0.scheduled(event, payload);
        self.1.scheduled(event, payload);
    }
    fn before(&mut self, event: &Header<M::Time>, payload: &M::Event, model: &M) -> Verdict {
        self.0.before(event, payload, model)?;
        self.1.before(event, payload, model)
    }
    fn executed(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.0.executed(event, payload);
        self.1.executed(event, payload);
    }
    fn after(&mut self, event: &Header<M::Time>, model: &M) -> Verdict {
        // Both are told in any case: the event has happened.
        let (a, b) = (self.0.after(event, model), self.1.after(event, model));
        a?;
        b
    }
    fn stale(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.0.stale(event, payload);
        self.1.stale(event, payload);
    }
    fn swept(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.0.swept(event, payload);
        self.1.swept(event, payload);
    }
    fn cancelled(&mut self, event: EventId, time: M::Time, by: Option<EventId>) {
        self.0.cancelled(event, time, by);
        self.1.cancelled(event, time, by);
    }
    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        self.0.rescheduled(event, successor);
        self.1.rescheduled(event, successor);
    }
    fn spawned(&mut self, entity: Entity, by: Option<EventId>) {
        self.0.spawned(entity, by);
        self.1.spawned(entity, by);
    }
    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        self.0.touched(entity, version, by);
        self.1.touched(entity, version, by);
    }
    fn clock(&mut self, from: M::Time, to: M::Time) {
        self.0.clock(from, to);
        self.1.clock(from, to);
    }
}

/// An observer that is there or not, decided when the program runs.
impl<M: Model, A: Observer<M>> Observer<M> for Option<A> {
    type Cause = A::Cause;

    fn scheduled(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        if let Some(a) = self {
            a.scheduled(event, payload);
        }
    }
    fn before(&mut self, event: &Header<M::Time>, payload: &M::Event, model: &M) -> Verdict {
        self.as_mut().map_or(GO_ON, |a| a.before(event, payload, model))
    }
    fn executed(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        if let Some(a) = self {
            a.executed(event, payload);
        }
    }
    fn after(&mut self, event: &Header<M::Time>, model: &M) -> Verdict {
        self.as_mut().map_or(GO_ON, |a| a.after(event, model))
    }
    fn stale(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        if let Some(a) = self {
            a.stale(event, payload);
        }
    }
    fn swept(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        if let Some(a) = self {
            a.swept(event, payload);
        }
    }
    fn cancelled(&mut self, event: EventId, time: M::Time, by: Option<EventId>) {
        if let Some(a) = self {
            a.cancelled(event, time, by);
        }
    }
    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        if let Some(a) = self {
            a.rescheduled(event, successor);
        }
    }
    fn spawned(&mut self, entity: Entity, by: Option<EventId>) {
        if let Some(a) = self {
            a.spawned(entity, by);
        }
    }
    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        if let Some(a) = self {
            a.touched(entity, version, by);
        }
    }
    fn clock(&mut self, from: M::Time, to: M::Time) {
        if let Some(a) = self {
            a.clock(from, to);
        }
    }
}
