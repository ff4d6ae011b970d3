//! The subcommands, and how they print.

pub(crate) mod bench;
pub(crate) mod drill;
pub(crate) mod eos;
mod flight;
pub(crate) mod make;
mod mimic;
pub(crate) mod pages;
mod particles;
mod plots;
mod progress;
mod reel;
pub(crate) mod reverse;
mod rival;
pub(crate) mod run;
mod source;
pub(crate) mod step;
mod summary;
mod textbook;
pub(crate) mod ties;
mod totals;
mod watch;
mod watchers;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use saltus::BoxError;

pub(crate) type Outcome = Result<ExitCode, BoxError>;

/// The reader of standard output has seen enough and closed the pipe: the program is to end, but that is no error.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output")]
pub(crate) struct NobodyReads;

/// Prints to standard output. All that the command prints goes this way.
pub(crate) fn print(text: &str) -> Result<(), BoxError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(NobodyReads.into()),
        outcome => Ok(outcome?),
    }
}

/// Prints a line.
pub(crate) fn line(text: impl Display) -> Result<(), BoxError> {
    print(&format!("{text}\n"))
}
