//! The trace of a run: what was executed, when, and because of what.

#[cfg(feature = "serde")]
use serde::Serialize;

use super::Observer;
use crate::event::{Caused, EventId, Header};
use crate::model::Model;

/// One executed event.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Executed<T> {
    /// Its identity.
    pub id: EventId,
    /// When it ran.
    pub time: T,
    /// The event whose handler scheduled it.
    pub cause: Option<EventId>,
    /// What the model calls it.
    pub kind: &'static str,
}

/// Keeps every executed event in memory. `T` is the model's time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<T> {
    /// In the order of execution.
    pub events: Vec<Executed<T>>,
}

impl<T> Default for Trace<T> {
    fn default() -> Self {
        Trace { events: Vec::new() }
    }
}

impl<M: Model> Observer<M> for Trace<M::Time> {
    type Cause = Caused;

    fn executed(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        let Header { id, time, cause, .. } = *event;
        self.events.push(Executed { id, time, cause, kind: M::kind(payload) });
    }
}
