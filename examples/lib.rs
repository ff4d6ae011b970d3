//! Small models that teach [`saltus`](https://docs.rs/saltus), one file each. Run one with
//! Small models that teach [`saltus`](https://docs.rs/saltus), one file each. Run one with
//! `cargo run --release --example bank`. Models without a curve take `--trace LOG` and then write an event log, which the command
//! `saltus` answers questions from; what they share for that is here, and the key with which the two examples on priority queues
//! count.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use saltus::log::{LogHeader, LogWriter};
use saltus::observe::Recorder;
use saltus::{BoxError, Model, RunError, Stop};

/// Watches a run if a log of it is wanted.
pub type Log<M> = Option<Recorder<M, LogWriter<BufWriter<File>>>>;

/// The LOG of `--trace LOG`. Other arguments end the program.
pub fn trace_argument() -> Option<PathBuf> {
    parse(std::env::args_os().skip(1)).unwrap_or_else(|problem| {
        eprintln!("{problem}");
        std::process::exit(2)
    })
}

/// Arguments end the program: there are none.
pub fn no_arguments() {
    if let Some(argument) = std::env::args_os().nth(1) {
        eprintln!("{}: unknown argument: this example takes none", argument.display());
        std::process::exit(2)
    }
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<PathBuf>, String> {
    let mut arguments = arguments.into_iter();
    let mut log = None;
    while let Some(argument) = arguments.next() {
        if argument != "--trace" {
            return Err(format!("{}: unknown argument; there is --trace LOG", argument.display()));
        }
        log = Some(PathBuf::from(arguments.next().ok_or("--trace: the name of a file is missing")?));
    }
    Ok(log)
}

/// Begins a log, if one is wanted.
pub fn begin_log<M: Model>(path: Option<&Path>, header: &LogHeader) -> Result<Log<M>, BoxError> {
    let Some(path) = path else { return Ok(None) };
    let fail = |error| format!("{}: cannot be written: {error}", path.display());
    let file = BufWriter::new(File::create(path).map_err(fail)?);
    Ok(Some(Recorder::streaming(file, header).map_err(fail)?))
}

/// Ends it with how the run ended, well or not.
pub fn end_log<M: Model>(log: Log<M>, result: &Result<Stop, RunError<M::Time>>) -> Result<(), BoxError> {
    if let Some(log) = log {
        log.finish(result).map_err(|error| format!("the event log cannot be written: {error}"))?;
    }
    Ok(())
}

thread_local! {
    static COMPARES: Cell<u64> = const { Cell::new(0) };
}

/// A key that counts how often two are compared, whatever does it.
#[derive(Clone, Copy, Debug)]
pub struct Counted(pub u64);

impl Ord for Counted {
    fn cmp(&self, other: &Self) -> Ordering {
        COMPARES.set(COMPARES.get() + 1);
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Counted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Counted {}

/// How many comparisons of [`Counted`] keys something takes, and what it returns.
pub fn compares<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = COMPARES.get();
    let result = work();
    (COMPARES.get() - before, result)
}

#[test]
fn comparisons_are_counted() {
    let (count, least) = compares(|| [3, 1, 2].map(Counted).into_iter().min());
    assert_eq!((count, least.map(|key| key.0)), (2, Some(1)));
}

#[test]
fn arguments() {
    let parse = |arguments: &[&str]| parse(arguments.iter().map(OsString::from));
    assert_eq!(parse(&[]), Ok(None));
    assert_eq!(parse(&["--trace", "a.log"]), Ok(Some("a.log".into())));
    assert_eq!(parse(&["--trace"]), Err("--trace: the name of a file is missing".to_owned()));
    assert_eq!(parse(&["--tarce", "a"]), Err("--tarce: unknown argument; there is --trace LOG".to_owned()));
}
