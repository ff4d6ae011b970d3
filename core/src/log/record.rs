//! What a log is made of: a header, records, an end.

use std::any::Any;
use std::fmt;

#[cfg(feature = "serde")]
use serde::Serialize;

use crate::error::RunError;
use crate::event::{Class, EventId, NONE};
use crate::simulation::{Settings, Stop};
use crate::ties::TieOrder;
use crate::time::Time;

/// A point in simulated time as logs keep it: exact for `f64` and `u64`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum LogTime {
    /// An `f64`, to the last bit.
    Real(f64),
    /// A `u64`.
    Ticks(u64),
}

impl LogTime {
    /// The time of a model. One that is neither `f64` nor `u64` is kept as the `f64` of its distance from the origin.
    #[inline]
    pub fn of<T: Time>(time: T) -> LogTime {
        // Both questions are answered by the compiler.
        let any: &dyn Any = &time;
        match (any.downcast_ref::<f64>(), any.downcast_ref::<u64>()) {
            (Some(&real), _) => LogTime::Real(real),
            (_, Some(&ticks)) => LogTime::Ticks(ticks),
            _ => LogTime::Real(time.minus(T::ORIGIN)),
        }
    }

    /// As a plain number, for statistics.
    pub fn number(self) -> f64 {
        match self {
            LogTime::Real(real) => real,
            LogTime::Ticks(ticks) => ticks as f64,
        }
    }

    /// How far this time lies after an earlier one, as a plain number.
    pub fn minus(self, earlier: LogTime) -> f64 {
        match (self, earlier) {
            (LogTime::Ticks(a), LogTime::Ticks(b)) if a >= b => (a - b) as f64,
            (LogTime::Ticks(a), LogTime::Ticks(b)) => -((b - a) as f64),
            (a, b) => a.number() - b.number(),
        }
    }

    /// An integer whose order is the order of time.
    #[inline]
    pub(crate) fn key(self) -> u64 {
        match self {
            LogTime::Real(real) => real.key(),
            LogTime::Ticks(ticks) => ticks,
        }
    }

    /// The inverse of [`LogTime::key`], given a time of the same kind.
    #[inline]
    pub(crate) fn with_key(self, key: u64) -> LogTime {
        match self {
            LogTime::Real(_) => LogTime::Real(f64::from_key(key)),
            LogTime::Ticks(_) => LogTime::Ticks(key),
        }
    }
}

impl PartialEq for LogTime {
    fn eq(&self, other: &LogTime) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for LogTime {}

impl PartialOrd for LogTime {
    fn partial_cmp(&self, other: &LogTime) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LogTime {
    fn cmp(&self, other: &LogTime) -> std::cmp::Ordering {
        match (self, other) {
            (LogTime::Ticks(a), LogTime::Ticks(b)) => a.cmp(b),
            (a, b) => a.number().total_cmp(&b.number()),
        }
    }
}

/// Reads back to the same bits. A whole `f64` is shown as `1.0`, a tick as `1`.
impl fmt::Display for LogTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogTime::Real(real) => write!(f, "{real:?}"),
            LogTime::Ticks(ticks) => write!(f, "{ticks}"),
        }
    }
}

/// The entities that an event is stamped with: two at most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Entities(pub(crate) [u32; 2]);

impl Entities {
    /// No entity.
    pub const NONE: Entities = Entities([NONE; 2]);

    /// Their indices.
    pub fn iter(&self) -> impl Iterator<Item = u32> + use<> {
        self.0.into_iter().filter(|&index| index != NONE)
    }

    /// Whether this one is among them.
    pub fn contains(&self, entity: u32) -> bool {
        self.iter().any(|index| index == entity)
    }
}

impl fmt::Debug for Entities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
impl Serialize for Entities {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

/// One record of a log: what happened to an event or an entity.
///
/// A record happens at the present clock, which [`Record::Execute`] and [`Record::Clock`] set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Record<'a> {
    /// The clock moved without an event.
    Clock(LogTime),
    /// An event was scheduled, or moved and thereby scheduled anew.
    Schedule(Scheduled<'a>),
    /// An event ran.
    Execute {
        /// Which.
        id: EventId,
        /// When it ran: when it was due, or later under a time-driven clock.
        at: LogTime,
    },
    /// An entity was touched or ended.
    Touch {
        /// Its index.
        entity: u32,
        /// Its events with a smaller id are stale from now on.
        version: u64,
        /// The event whose handler did it; `None` for outside.
        by: Option<EventId>,
    },
    /// An event was found stale and dropped when it came up, or swept away before.
    Stale {
        /// Which.
        id: EventId,
        /// Whether it was swept.
        swept: bool,
        /// What made it stale. Only logs that have lost the touch say it here.
        void: Option<Void>,
    },
    /// An event was cancelled by its handle.
    Cancel {
        /// Which.
        id: EventId,
        /// The event whose handler did it; `None` for outside.
        by: Option<EventId>,
    },
    /// An event was moved to another time and goes on under another id.
    Move {
        /// Which.
        id: EventId,
        /// Its successor, scheduled just before.
        to: EventId,
    },
}

/// An event as it was when it was scheduled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheduled<'a> {
    /// Its identity; ids count up from 1 in the order of scheduling.
    pub id: EventId,
    /// When it is due.
    pub due: LogTime,
    /// Time or state event.
    pub class: Class,
    /// Smaller runs first.
    pub priority: i16,
    /// What the model calls it.
    pub kind: &'a str,
    /// What it is stamped with.
    pub entities: Entities,
    /// For each entity, the event that set the version in the stamp by touching or spawning the entity; `None` for outside.
    pub parents: [Option<EventId>; 2],
    /// The event whose handler scheduled it; `None` for outside.
    pub cause: Option<EventId>,
    /// What the model says of its payload.
    pub label: Option<&'a str>,
}

/// What made an event stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Void {
    /// The entity whose touch it was.
    pub entity: u32,
    /// The event whose handler touched it; `None` for outside.
    pub by: Option<EventId>,
    /// When.
    pub at: LogTime,
}

/// The first line of a log: what ran, and how.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct LogHeader {
    /// The model's name.
    pub model: String,
    /// The clock at the start.
    pub start: LogTime,
    /// The seed of the random streams.
    pub seed: u64,
    /// The replication.
    pub replication: u64,
    /// The seed of a random order of simultaneous events; `None` if they ran in the order of scheduling.
    pub tie_seed: Option<u64>,
    /// Whatever else somebody needs to run it again, in order.
    pub settings: Vec<(String, String)>,
    /// How the log was cut out of a larger one, the first cut first; empty for a whole log.
    pub parts: Vec<String>,
}

impl LogHeader {
    /// The header of a run of this model.
    pub fn new<T: Time>(model: impl Into<String>, settings: &Settings<T>) -> LogHeader {
        LogHeader {
            model: model.into(),
            start: LogTime::of(settings.start),
            seed: settings.seed,
            replication: settings.replication,
            tie_seed: match settings.ties {
                TieOrder::Scheduled => None,
                TieOrder::Shuffled { seed } => Some(seed),
            },
            settings: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a setting of the model's own.
    pub fn setting(mut self, name: impl Into<String>, value: impl fmt::Display) -> LogHeader {
        self.settings.push((name.into(), value.to_string()));
        self
    }
}

/// How a run ended, in the last line of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct LogEnd {
    /// Well or not.
    pub outcome: Outcome,
    /// In words.
    pub reason: String,
    /// The clock.
    pub clock: LogTime,
    /// The event that ran last.
    pub last: Option<EventId>,
    /// Lines before this one, the header included: a log that has lost some is found out.
    pub lines: u64,
}

/// Whether a run ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Outcome {
    /// It reached the end that was asked for, or nothing more could happen.
    Ok,
    /// A handler, or the kernel, returned an error.
    Error,
    /// Something stopped it before.
    Stopped,
}

impl Outcome {
    /// Its name in a log.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Error => "error",
            Outcome::Stopped => "stopped",
        }
    }
}

/// The outcome of a run and why.
pub(crate) fn verdict<T: Time>(result: &Result<Stop, RunError<T>>) -> (Outcome, String) {
    match result {
        Ok(Stop::QueueEmpty) => (Outcome::Ok, "nothing is pending".to_owned()),
        Ok(Stop::EndReached) => (Outcome::Ok, "end reached".to_owned()),
        Ok(Stop::MaxEvents) => (Outcome::Stopped, "as many events as asked for".to_owned()),
        Ok(Stop::Predicate) => (Outcome::Stopped, "the predicate said no".to_owned()),
        Ok(Stop::Requested) => (Outcome::Stopped, "the model asked for it".to_owned()),
        Ok(Stop::Observer(reason)) => (Outcome::Stopped, reason.clone()),
        Err(error) => (Outcome::Error, error.to_string()),
    }
}
