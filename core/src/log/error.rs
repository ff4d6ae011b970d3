//! What can be wrong with a log.

use super::VERSION;
use super::record::LogTime;
use crate::event::EventId;

/// What is wrong with a log, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", place(*.line))]
pub struct LogError {
    /// The line, counted from 1; 0 is the file as a whole.
    pub line: u64,
    /// The rule that was broken.
    pub problem: Problem,
}

fn place(line: u64) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}

/// The rule that a log broke.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It holds nothing.
    #[error("the file is empty; a log begins with a header")]
    Empty,
    /// The first line is something else.
    #[error("not a log: the first line must be an object with a field \"saltus\", but reads {0}")]
    NotALog(String),
    /// The header is cut off: nothing of the log is left.
    #[error("the header is cut off")]
    HeaderCut,
    /// Another version of the format.
    #[error("format version {0}, but this program reads version {VERSION}")]
    Version(u64),
    /// A line that is no record.
    #[error("not a record: {0}")]
    NotARecord(String),
    /// A record of a kind that does not exist.
    #[error("no record is called \"{0}\"")]
    UnknownRecord(String),
    /// A record without something that it needs.
    #[error("a record \"{record}\" needs a field \"{field}\"")]
    Missing {
        /// The record.
        record: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A value that a field cannot have.
    #[error("\"{field}\" cannot be {value}: {rule}")]
    BadValue {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// What it must be.
        rule: &'static str,
    },
    /// An id was given twice.
    #[error("event {0} is scheduled a second time; ids are never reused")]
    SecondSchedule(EventId),
    /// An event came to an end twice.
    #[error("event {id} is {second}, but it was {first} before")]
    SecondFate {
        /// The event.
        id: EventId,
        /// Its first fate.
        first: &'static str,
        /// Its second fate.
        second: &'static str,
    },
    /// A cause or parent that is not older than its event.
    #[error("event {id} cannot come from {origin}: a cause or parent has a smaller id")]
    OriginNotBefore {
        /// The event.
        id: EventId,
        /// Its cause or parent.
        origin: EventId,
    },
    /// The clock goes back.
    #[error("the clock cannot go back from {clock} to {at}")]
    ClockBack {
        /// Where to.
        at: LogTime,
        /// From where.
        clock: LogTime,
    },
    /// Something follows the end.
    #[error("nothing can follow the end record")]
    AfterEnd,
    /// More records than can be counted.
    #[error("the log has more than 2^32 records of one sort; slice it where it is written")]
    TooLong,
}
