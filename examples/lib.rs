//! Small models that teach [`saltus`](https://docs.rs/saltus), one file each. Run one with
//! `cargo run --release --example bank`. Those without a curve take `--trace LOG` and then write an event log, which the command
//! `saltus` answers questions from; what they share for that is here.

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

#[test]
fn arguments() {
    let parse = |arguments: &[&str]| parse(arguments.iter().map(OsString::from));
    assert_eq!(parse(&[]), Ok(None));
    assert_eq!(parse(&["--trace", "a.log"]), Ok(Some("a.log".into())));
    assert_eq!(parse(&["--trace"]), Err("--trace: the name of a file is missing".to_owned()));
    assert_eq!(parse(&["--tarce", "a"]), Err("--tarce: unknown argument; there is --trace LOG".to_owned()));
}
