//! Which predictions came to nothing?

#[cfg(feature = "serde")]
use serde::Serialize;

use super::history::{Fate, Log, View};
use super::record::Void;

/// Predictions that came to nothing because an entity was touched.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Stale<'a> {
    /// Found stale when they came up.
    pub stale: usize,
    /// Swept away before.
    pub swept: usize,
    /// In the order of their ids.
    pub events: Vec<Nothing<'a>>,
}

/// A prediction and what voided it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Nothing<'a> {
    /// The event.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub event: View<'a>,
    /// The touch; `None` if that lies before the log begins.
    pub void: Option<Void>,
}

impl Log {
    /// Stale and swept events: all, or those that are stamped with an entity.
    pub fn stale(&self, entity: Option<u32>) -> Stale<'_> {
        let mut answer = Stale { stale: 0, swept: 0, events: Vec::new() };
        for event in self.events.iter().filter(|event| entity.is_none_or(|entity| event.entities.contains(entity))) {
            let void = match event.fate {
                Fate::Stale { void } => {
                    answer.stale += 1;
                    void
                }
                Fate::Swept { void } => {
                    answer.swept += 1;
                    void
                }
                _ => continue,
            };
            answer.events.push(Nothing { event: self.view(event), void });
        }
        answer
    }
}
