//! A log in memory, put together from its records and ready for questions.

use std::fmt::{self, Write as _};

#[cfg(feature = "serde")]
use serde::Serialize;

use super::record::{Entities, LogEnd, LogHeader, LogTime, Outcome, Void};
use crate::event::{Class, EventId};

/// A run, or a part of one, as its records tell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// What ran.
    pub header: LogHeader,
    /// How it ended; `None` if the log is incomplete.
    pub end: Option<LogEnd>,
    /// What was cut off at the end of the file, if anything.
    pub cut: Option<Cut>,
    /// Lines up to the end record or the cut, the header included.
    pub lines: u64,
    pub(super) events: Vec<Event>,
    pub(super) executed: Vec<u32>,
    pub(super) touches: Vec<Touch>,
    pub(super) kinds: Vec<String>,
    pub(super) clocks: Vec<LogTime>,
    pub(super) steps: Vec<Step>,
}

/// A last line that is not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Cut {
    /// Its number, counted from 1.
    pub line: u64,
    /// How much of it there is.
    pub bytes: usize,
}

/// An event and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its identity.
    pub id: EventId,
    /// When it was due. Of an event that the log does not describe, when it ran.
    pub due: LogTime,
    /// Time or state event.
    pub class: Class,
    /// Smaller runs first.
    pub priority: i16,
    pub(super) kind: u32,
    /// What it is stamped with.
    pub entities: Entities,
    /// The events that set the versions in the stamps, in the order of the entities.
    pub parents: [Option<EventId>; 2],
    /// The event whose handler scheduled it; `None` for outside.
    pub cause: Option<EventId>,
    /// What the model said of its payload.
    pub label: Option<Box<str>>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// Nothing yet.
    Pending,
    /// It ran.
    Executed {
        /// When: when it was due, or later under a time-driven clock.
        at: LogTime,
    },
    /// It came up and was dropped, because an entity had been touched.
    Stale {
        /// The touch, unless that lies before the log begins.
        void: Option<Void>,
    },
    /// It was swept away before it came up, for the same reason.
    Swept {
        /// The touch, unless that lies before the log begins.
        void: Option<Void>,
    },
    /// It was cancelled by its handle.
    Cancelled {
        /// The event whose handler did it; `None` for outside.
        by: Option<EventId>,
        /// When.
        at: LogTime,
    },
    /// It was moved to another time.
    Moved {
        /// Where it goes on.
        to: EventId,
    },
}

impl Fate {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Fate::Pending => "pending",
            Fate::Executed { .. } => "executed",
            Fate::Stale { .. } => "stale",
            Fate::Swept { .. } => "swept",
            Fate::Cancelled { .. } => "cancelled",
            Fate::Moved { .. } => "moved",
        }
    }

    /// What made it stale, if it is.
    pub fn void(&self) -> Option<Void> {
        match self {
            Fate::Stale { void } | Fate::Swept { void } => *void,
            _ => None,
        }
    }
}

impl Event {
    /// When it ran or, if it did not, was due.
    pub fn time(&self) -> LogTime {
        match self.fate {
            Fate::Executed { at } => at,
            _ => self.due,
        }
    }

    /// Whether it ran.
    pub fn ran(&self) -> bool {
        matches!(self.fate, Fate::Executed { .. })
    }

    /// The entities with their parents.
    pub fn stamps(&self) -> impl Iterator<Item = (u32, Option<EventId>)> + use<> {
        self.entities.iter().zip(self.parents)
    }

    /// The cause and the parents, each once.
    pub fn origins(&self) -> impl Iterator<Item = EventId> + use<> {
        let [a, b] = self.parents;
        let cause = self.cause;
        let a = a.filter(|_| a != cause);
        let b = b.filter(|_| b != cause && b != a);
        [cause, a, b].into_iter().flatten()
    }
}

/// A touch of an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) entity: u32,
    pub(super) version: u64,
    pub(super) by: Option<EventId>,
    pub(super) at: LogTime,
}

/// The records in their order; each number points into the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Clock(u32),
    Schedule(u32),
    Fate(u32),
    Touch(u32),
}

impl Log {
    /// The event with this id, if the log knows it.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.place(id).map(|place| &self.events[place])
    }

    pub(super) fn place(&self, id: EventId) -> Option<usize> {
        search(&self.events, id, |event| event.id)
    }

    /// All events, in the order of their ids.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events that ran, in the order in which they ran.
    pub fn executed(&self) -> impl ExactSizeIterator<Item = &Event> {
        self.executed.iter().map(|&place| &self.events[place as usize])
    }

    /// What the model calls an event.
    pub fn kind(&self, event: &Event) -> &str {
        &self.kinds[event.kind as usize]
    }

    /// An event in words: `#12 pair of 0 and 3 at 30.167197630926`.
    pub fn name(&self, event: &Event) -> String {
        let mut text = format!("{} {}", event.id, self.kind(event));
        for (i, entity) in event.entities.iter().enumerate() {
            let _ = write!(text, "{}{entity}", if i == 0 { " of " } else { " and " });
        }
        let _ = write!(text, " at {}", event.time());
        if let Some(label) = &event.label {
            let _ = write!(text, " ({})", label.escape_debug());
        }
        text
    }

    /// Whether the run's end is in the log.
    pub fn is_complete(&self) -> bool {
        self.end.is_some()
    }

    /// What should make a reader careful, in words: a missing end, missing lines, a cut.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        match &self.end {
            None => warnings.push("incomplete: the log has no end record".to_owned()),
            Some(end) if end.lines != self.lines => {
                warnings.push(format!("{} lines, but the end record counts {}", self.lines, end.lines));
            }
            Some(_) => {}
        }
        if let Some(cut) = &self.cut {
            warnings.push(format!("line {} is cut off after {} bytes", cut.line, cut.bytes));
        }
        warnings
    }
}

/// An event as answers show it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct View<'a> {
    /// Its identity.
    pub id: EventId,
    /// When it ran or, if it did not, was due.
    pub time: LogTime,
    /// What the model calls it.
    pub kind: &'a str,
    /// What it is stamped with.
    pub entities: Entities,
    /// The event whose handler scheduled it; `None` for outside.
    pub cause: Option<EventId>,
    /// For each entity, the event that set the version in the stamp.
    pub parents: Vec<Option<EventId>>,
    /// What became of it.
    pub fate: &'static str,
    /// What the model said of its payload.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub label: Option<&'a str>,
}

impl Log {
    /// An event as answers show it.
    pub fn view<'a>(&'a self, event: &'a Event) -> View<'a> {
        View {
            id: event.id,
            time: event.time(),
            kind: self.kind(event),
            entities: event.entities,
            cause: event.cause,
            parents: event.stamps().map(|(_, parent)| parent).collect(),
            fate: event.fate.name(),
            label: event.label.as_deref(),
        }
    }

    /// The event that a text names: `12` or `#12` by id, `@3` the third that ran, `pair@3` the third of its kind that ran,
    /// `last` and `pair@last` the last.
    pub fn find(&self, text: &str) -> Result<&Event, NotFound> {
        let fail = || NotFound(text.to_owned());
        if let Ok(number) = text.trim_start_matches('#').parse::<u64>() {
            return EventId::from_sequence(number).and_then(|id| self.event(id)).ok_or_else(fail);
        }
        let (kind, number) = text.rsplit_once('@').or((text == "last").then_some(("", "last"))).ok_or_else(fail)?;
        let mut ran = self.executed().filter(|event| kind.is_empty() || self.kind(event) == kind);
        let found = match number.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|n| ran.nth(n)),
            Err(_) if number == "last" => ran.last(),
            Err(_) => None,
        };
        found.ok_or_else(fail)
    }
}

/// No event has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound(pub String);

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no event {} in this log; an id, @3 for the third that ran, KIND@3, or last", self.0.escape_debug())
    }
}

impl std::error::Error for NotFound {}

/// The end record of a run that was kept in memory.
pub(crate) fn end_of(log: &Log, outcome: Outcome, reason: String, clock: LogTime) -> LogEnd {
    let last = log.executed().last().map(|event| event.id);
    LogEnd { outcome, reason, clock, last, lines: log.lines }
}

/// Where an id lies in a list in the order of ids: without gaps, as in a whole log, at once.
pub(super) fn search<T>(list: &[T], id: EventId, of: impl Fn(&T) -> EventId) -> Option<usize> {
    let first = of(list.first()?).sequence();
    let guess = usize::try_from(id.sequence().checked_sub(first)?).ok()?;
    if list.get(guess).is_some_and(|element| of(element) == id) {
        return Some(guess);
    }
    list.binary_search_by_key(&id, of).ok()
}
