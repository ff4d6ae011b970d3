//! Errors: each names the value, the clock, and the rule that was broken.

use std::error::Error;
use std::fmt;

use crate::entity::Entity;
use crate::event::EventId;
use crate::time::{DelayFault, Time};

/// Any error that a model's handler returns.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Why an event was not scheduled. The queue is as it was before.
#[derive(Clone, PartialEq)]
pub struct ScheduleError<T: Time>(Box<Refused<T>>);

/// The sentence, so that an error that leaves `main` can be read.
impl<T: Time> fmt::Debug for ScheduleError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScheduleError({self})")
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Refused<T: Time> {
    now: T,
    entity: Option<Entity>,
    reason: Refusal<T>,
}

/// The rule that a request to schedule broke.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal<T: Time> {
    /// The time lies before the clock.
    Past(T),
    /// NaN or negative infinity is not a time.
    NotATime(T),
    /// A delay that is negative, NaN or negative infinity.
    NotADelay(T::Delay),
    /// A positive delay, or a period, that does not move the clock.
    BelowResolution(T::Delay),
    /// Clock and delay add up to more than the time type can hold.
    Overflow(T::Delay),
    /// The time lies beyond what the queue can hold with the clock where it is.
    BeyondHorizon(T),
    /// The event is stamped with an entity that is gone.
    DeadEntity(Entity),
    /// The event carries more stamps than the model has declared.
    TooManyStamps {
        /// Stamps asked for.
        given: usize,
        /// Stamps that the model's `Refs` can hold.
        room: usize,
    },
    /// 2^47 events have been scheduled.
    OutOfSequence,
}

impl<T: Time> ScheduleError<T> {
    #[cold]
    pub(crate) fn new(now: T, entity: Option<Entity>, reason: Refusal<T>) -> Self {
        ScheduleError(Box::new(Refused { now, entity, reason }))
    }

    /// The rule that was broken, with the value that broke it.
    pub fn reason(&self) -> Refusal<T> {
        self.0.reason
    }

    /// The clock at the time of the request.
    pub fn now(&self) -> T {
        self.0.now
    }

    /// The first entity that the event was stamped with.
    pub fn entity(&self) -> Option<Entity> {
        self.0.entity
    }
}

impl<T: Time> fmt::Display for ScheduleError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { now, entity, reason } = &*self.0;
        match reason {
            Refusal::Past(time) => write!(f, "cannot schedule at {time}: it lies before the clock")?,
            Refusal::NotATime(value) => write!(f, "cannot schedule at {value}: not a time")?,
            Refusal::NotADelay(delay) => write!(f, "cannot schedule with delay {delay}: not a delay")?,
            Refusal::BelowResolution(delay) => {
                write!(f, "cannot schedule with delay or period {delay}: too small to move the clock")?;
            }
            Refusal::Overflow(delay) => write!(f, "cannot schedule with delay {delay}: beyond the end of time")?,
            Refusal::BeyondHorizon(time) => write!(f, "cannot schedule at {time}: beyond what the queue can hold")?,
            Refusal::DeadEntity(entity) => write!(f, "cannot stamp an event with entity {entity}: it is gone")?,
            Refusal::TooManyStamps { given, room } => {
                write!(f, "cannot put {given} stamps on an event: the model's Refs have room for {room}")?;
            }
            Refusal::OutOfSequence => f.write_str("no sequence numbers are left")?,
        }
        write!(f, " (clock {now}")?;
        if let Some(entity) = entity {
            write!(f, ", entity {entity}")?;
        }
        f.write_str(")")
    }
}

impl<T: Time> Error for ScheduleError<T> {}

/// An event as errors name it.
#[derive(Clone, Debug, PartialEq)]
pub struct Culprit<T> {
    /// Its identity.
    pub id: EventId,
    /// When it was due.
    pub time: T,
    /// What the model calls it.
    pub kind: &'static str,
    /// The indices of the entities that it was stamped with.
    pub entities: Vec<usize>,
}

impl<T: Time> fmt::Display for Culprit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} ({}", self.id, self.kind)?;
        for (i, entity) in self.entities.iter().enumerate() {
            f.write_str(if i == 0 { " of entity " } else { " and " })?;
            write!(f, "{entity}")?;
        }
        write!(f, ") at {}", self.time)
    }
}

/// Why a run ended with an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError<T: Time> {
    /// The model's handler returned an error. Its event is gone, what it had scheduled before stays scheduled, and the
    /// simulation can be run on; whether the model still makes sense is for the model to know. A periodic event that could
    /// not be repeated either ([`RunError::Periodic`]) has come to its end as well.
    #[error("{event} failed: {source}")]
    Handler {
        /// The event that was being handled.
        event: Culprit<T>,
        /// What the handler returned.
        source: BoxError,
    },
    /// Zero delays follow one another without end. The event that would have come next is still pending.
    #[error("no progress at {}: {rounds} rounds of zero delays, and next comes {event}", event.time)]
    NoProgress {
        /// The event that would have begun one more round.
        event: Culprit<T>,
        /// The rounds that were allowed.
        rounds: u64,
    },
    /// A periodic event cannot go on.
    #[error("{event} cannot be repeated: {source}")]
    Periodic {
        /// The event that fired last.
        event: Culprit<T>,
        /// Why its successor was refused.
        source: ScheduleError<T>,
    },
    /// The poll of a time-driven clock returned an error.
    #[error("the poll at {time} failed: {source}")]
    Poll {
        /// The clock.
        time: T,
        /// What the poll returned.
        source: BoxError,
    },
    /// The end that was asked for lies before the clock.
    #[error("cannot run until {end}: the clock is already at {now}")]
    EndInPast {
        /// The end that was asked for.
        end: T,
        /// The clock.
        now: T,
    },
    /// The end that was asked for is NaN or negative infinity.
    #[error("cannot run until {0}: not a time")]
    EndNotATime(T),
    /// The span that was asked for cannot be added to the clock.
    #[error("cannot run for {span}: {fault}")]
    BadSpan {
        /// The span.
        span: T::Delay,
        /// What is wrong with it.
        fault: DelayFault,
    },
}
