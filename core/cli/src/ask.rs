//! From a question to the library and back.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use pictures::{WholeFile, check_outputs};
use saltus::BoxError;
use saltus::log::{Log, Selection};
use serde::Serialize;

use crate::{Format, Question, text, view};

pub(crate) fn answer(question: Question, json: bool) -> Result<ExitCode, BoxError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = ExitCode::SUCCESS;
    match question {
        Question::Summary { log } => {
            let summary = open(&log)?.summary();
            if json { print(&mut out, &summary)? } else { text::summary(&mut out, &summary)? }
        }
        Question::Why { log, event, all, limit } => {
            let log = open_and_warn(&log)?;
            let event = log.find(&event)?.id;
            if all {
                let genealogy = log.genealogy(event).ok_or("no such event")?;
                if json { print(&mut out, &genealogy)? } else { text::genealogy(&mut out, &genealogy, limit)? }
            } else {
                let chain = log.why(event).ok_or("no such event")?;
                if json { print(&mut out, &chain)? } else { text::chain(&mut out, &chain, limit, "")? }
            }
        }
        Question::Effects { log, event, depth, all, limit } => {
            let log = open_and_warn(&log)?;
            let event = log.find(&event)?.id;
            let effects = log.effects(event, depth, all).ok_or("no such event")?;
            if json { print(&mut out, &effects)? } else { text::effects(&mut out, &effects, limit)? }
        }
        Question::Stale { log, entity, limit } => {
            let log = open_and_warn(&log)?;
            let stale = log.stale(entity);
            if json { print(&mut out, &stale)? } else { text::stale(&mut out, &log, &stale, limit)? }
        }
        Question::Slice { log, from, to, from_time, to_time, entity, kind, out: path } => {
            let log = open_and_warn(&log)?;
            let selection = Selection { from, to, from_time, to_time, entity, kind };
            match path {
                Some(path) => {
                    check_outputs([&*path])?;
                    let mut file = WholeFile::create(&path)?;
                    log.write_slice(&selection, &mut file)?;
                    file.finish()?;
                }
                None => drop(log.write_slice(&selection, &mut out)?),
            }
        }
        Question::Diff { left, right, limit } => {
            let (left, right) = (open_and_warn(&left)?, open_and_warn(&right)?);
            let diff = left.diff(&right);
            if json {
                print(&mut out, &diff)?
            } else {
                text::diff(&mut out, &diff, limit)?
            }
            code = if diff.is_same() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        Question::Critical { log, all, limit } => {
            let log = open_and_warn(&log)?;
            let critical = log.critical(all);
            if json { print(&mut out, &critical)? } else { text::critical(&mut out, critical.as_ref(), limit)? }
        }
        Question::View { log, out: path } => {
            // A page in place of its log would be a loss.
            let input = (*log != *"-").then_some(&*log);
            check_outputs(input.into_iter().chain([&*path]))?;
            let log = open_and_warn(&log)?;
            WholeFile::write(&path, &view::page(&log)?)?;
        }
        Question::Export { log, format } => {
            let log = open_and_warn(&log)?;
            match format {
                Format::Chrome => drop(log.write_chrome(&mut out)?),
                Format::Dot => drop(log.write_dot(&mut out)?),
                Format::Csv => drop(log.write_csv(&mut out)?),
            }
        }
    }
    out.flush()?;
    Ok(code)
}

fn open(path: &Path) -> Result<Log, BoxError> {
    let (name, log) = if path == Path::new("-") {
        ("standard input".to_owned(), Log::read(io::stdin().lock()))
    } else {
        (path.display().to_string(), Log::open(path))
    };
    log.map_err(|error| format!("{name}: {error}").into())
}

/// For answers that have no room for warnings.
fn open_and_warn(path: &Path) -> Result<Log, BoxError> {
    let log = open(path)?;
    for warning in log.warnings() {
        eprintln!("saltus: {}: {warning}", path.display());
    }
    Ok(log)
}

fn print(out: &mut impl Write, answer: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, answer)?;
    writeln!(out)
}
