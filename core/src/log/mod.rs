//! Event chains: the log of a run, and the questions that it answers.
//!
//! A [`Recorder`](crate::observe::Recorder) watches a run and keeps, in memory or in a file, what happened to every event and
//! why. A [`Log`] is a recorded run, or a part of one, that can be asked:
//!
//! | question | answer |
//! |---|---|
//! | what happened? | [`Log::summary`] |
//! | why did this happen? | [`Log::why`], the chain of causes; [`Log::genealogy`], all that it goes back to |
//! | what did it lead to? | [`Log::effects`] |
//! | which predictions came to nothing? | [`Log::stale`] |
//! | what was the longest way? | [`Log::critical`] |
//! | where do two runs part? | [`Log::diff`] |
//! | only this part, please | [`Log::write_slice`] |
//! | does the order of simultaneous events matter? | [`tie_sensitivity`] |
//! | in other words? | [`Log::write_chrome`], [`Log::write_dot`], [`Log::write_csv`] |
//!
//! The command `saltus` asks the same of a log file, and makes a page of it to look at.
//!
//! # The format
//!
//! A log is a text of lines, each a JSON object. The first is the header, the last the end record; a log without it is
//! incomplete, as that of a run that was killed, and can be read all the same. If the last line is cut off, that line alone is
//! lost. Times are numbers that read back to the same bits. Fields that a reader does not know are ignored. The same run
//! gives the same bytes in every process.
//!
//! ```text
//! {"saltus":1,"model":"bank","time":"real","start":0.0,"seed":42,"replication":0,"settings":{"clerks":"1"},"parts":[]}
//! {"do":"schedule","id":1,"due":0.0,"kind":"arrive"}
//! {"do":"execute","id":1,"at":0.0}
//! {"do":"schedule","id":2,"due":1.75,"kind":"leave","entities":[0],"parents":[null],"cause":1,"label":"Ada"}
//! {"do":"end","outcome":"ok","reason":"end reached","clock":1.5,"last":1,"lines":4}
//! ```
//!
//! **Header.** The version of the format is in its first field; a reader refuses any other than its own.
//!
//! | field | meaning |
//! |---|---|
//! | `saltus` | version of the format: 1 |
//! | `model` | the model's name |
//! | `time` | `real`: times are `f64`; `ticks`: times are `u64`. Any other time type is logged as its distance from the origin, `real` |
//! | `start` | the clock at the start; zero if absent |
//! | `seed`, `replication` | of the random streams; 0 if absent |
//! | `tie_seed` | of a random order of simultaneous events; absent if they run in the order of scheduling |
//! | `settings` | whatever else is needed to run it again: an object of texts |
//! | `parts` | how the log was cut out of a larger one, in words, the first cut first; empty for a whole log |
//!
//! **Records.** Each happens at the present clock, which `execute` and `clock` set and which never goes back. `id`, `cause`,
//! `parents`, `by`, `to` and `last` are event ids: they count from 1 in the order of scheduling.
//!
//! | `do` | meaning | fields |
//! |---|---|---|
//! | `schedule` | an event was scheduled | `id`; `due`, when it is to happen; `kind`; if not zero: `class` (1: state event) and `priority` (smaller runs first); if it has stamps: `entities`, two at most, and `parents`, for each entity the event that touched or spawned it last, `null` for outside; `cause`, the event whose handler scheduled it, absent for outside; `label`, a text of the model's own |
//! | `execute` | an event ran | `id`; `at`, when: as it was due or, under a time-driven clock, later |
//! | `touch` | an entity was touched or ended | `entity`; `version`: its events with a smaller id are stale from now on; `by`, the event whose handler did it, absent for outside |
//! | `stale` | an event came up and was dropped as stale | `id`; in slices also what voided it: the touch of `entity`, at time `at`, `by` an event. In a whole log that is the first touch of any of its entities after it was scheduled |
//! | `sweep` | a stale event was swept away before it came up | the same |
//! | `cancel` | an event was cancelled by its handle | `id`; `by`, absent for outside |
//! | `move` | an event was moved to another time | `id`; `to`, the event as which it goes on and whose `schedule` record comes before |
//! | `clock` | the clock has moved without an event | `at` |
//! | `end` | the run is over | `outcome`: `ok`, `error` or `stopped`; `reason` in words; `clock`; `last`, the event that ran last; `lines`, the number of lines before this one |
//!
//! An entity is named by its index, which may be used again after the entity has ended.
//!
//! **What a reader holds a log to.** No id is scheduled twice and no event ends twice. A cause or parent has a smaller id than
//! its event, so chains have no circles. A cause or parent that is not in the log is *external*; in a whole log there is none,
//! and [`Summary::external`] counts them. An event whose end is told but that was never described is of the kind `?`. Anything
//! else is a [`LogError`] with its line.

mod builder;
mod chain;
mod diff;
mod effects;
mod error;
mod export;
mod history;
mod memory;
mod open;
#[cfg(feature = "log")]
mod read;
mod record;
mod rewrite;
mod slice;
mod stale;
mod summary;
mod ties;
mod write;

use std::io;

pub use chain::{Chain, Critical, Genealogy, Link, Root};
pub use diff::{Diff, Parting};
pub use effects::{Effect, Effects};
pub use error::{LogError, Problem};
pub use history::{Cut, Event, Fate, Log, NotFound, View};
pub use memory::LogMemory;
pub use record::{Entities, LogEnd, LogHeader, LogTime, Outcome, Record, Scheduled, Void};
pub use slice::Selection;
pub use stale::{Nothing, Stale};
pub use summary::{Fates, Summary};
pub use ties::{TieBegin, TieChange, TieOutput, TieReport, TieRun, tie_sensitivity};
pub use write::LogWriter;

pub(crate) use history::end_of;
pub(crate) use record::verdict;

/// The version of the format.
pub const VERSION: u32 = 1;

/// Where records go.
pub trait Sink {
    /// Takes the next record.
    fn put(&mut self, record: &Record<'_>);

    /// The error after which nothing was kept any more.
    fn error(&self) -> Option<&io::Error> {
        None
    }
}
