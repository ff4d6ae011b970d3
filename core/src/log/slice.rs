//! A smaller log out of a larger one.

use std::fmt;
use std::io::{self, Write};

use super::history::{Event, Log, Touch};
use crate::event::EventId;

/// Which events to keep: those that satisfy all that is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// From this id on.
    pub from: Option<EventId>,
    /// Up to and including this id.
    pub to: Option<EventId>,
    /// From this time on: when an event ran or, if it did not, was due.
    pub from_time: Option<f64>,
    /// Up to and including this time.
    pub to_time: Option<f64>,
    /// Stamped with this entity.
    pub entity: Option<u32>,
    /// Of this kind.
    pub kind: Option<String>,
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("events")?;
        if let Some(from) = self.from {
            write!(f, " from {from}")?;
        }
        if let Some(to) = self.to {
            write!(f, " to {to}")?;
        }
        if let Some(from) = self.from_time {
            write!(f, " from time {from}")?;
        }
        if let Some(to) = self.to_time {
            write!(f, " to time {to}")?;
        }
        if let Some(entity) = self.entity {
            write!(f, " of entity {entity}")?;
        }
        if let Some(kind) = &self.kind {
            write!(f, " of kind {kind}")?;
        }
        Ok(())
    }
}

impl Log {
    /// Whether a selection takes an event.
    pub fn selects(&self, selection: &Selection, event: &Event) -> bool {
        selection.from.is_none_or(|from| event.id >= from)
            && selection.to.is_none_or(|to| event.id <= to)
            && selection.from_time.is_none_or(|from| event.time().number() >= from)
            && selection.to_time.is_none_or(|to| event.time().number() <= to)
            && selection.entity.is_none_or(|entity| event.entities.contains(entity))
            && selection.kind.as_ref().is_none_or(|kind| self.kind(event) == kind)
    }

    /// Writes the log of the selected events, with the same ids: how they were scheduled, what became of them, and what they
    /// touched. What caused them and was not selected is external to it. A slice is a log and can be sliced again.
    pub fn write_slice<W: Write>(&self, selection: &Selection, out: W) -> io::Result<W> {
        let mut log_header = self.header.clone();
        log_header.parts.push(selection.to_string());
        let keep = |event: &Event| self.selects(selection, event);
        let keep_touch = |touch: &Touch| touch.by.and_then(|by| self.event(by)).is_some_and(keep);
        self.write_if(out, &log_header, keep, keep_touch, false)
    }
}
