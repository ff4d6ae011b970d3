//! What the subcommands share: settings, units, forms of output.

pub(crate) mod cost;
pub(crate) mod discs;
pub(crate) mod haste;
pub(crate) mod quantise;
pub(crate) mod report;
pub(crate) mod scan;
pub(crate) mod settings;
pub(crate) mod wheel;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use clap::Args;
use saltus::BoxError;
use saltus::log::{LogHeader, LogWriter};
use saltus::observe::Recorder;
use serde::Serialize;
use timewheel_compare::drivers::{Ran, Workload};
use timewheel_compare::settings::{Asked, Note, Settings, read};
use timewheel_compare::table::{csv, json};

pub(crate) type Outcome = Result<(), BoxError>;

/// The settings of the wheel.
#[derive(Args, Clone)]
pub(crate) struct Wheel {
    /// Slots a second, rounded down to a power of two; 0 and less become 32
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    wheel_granularity: Option<i64>,
    /// Seconds around the wheel, rounded down to a power of two; less than 600 become 1024
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    wheel_seconds: Option<i64>,
}

impl Wheel {
    fn asked(&self) -> Asked {
        Asked { granularity: self.wheel_granularity, seconds: self.wheel_seconds }
    }

    /// The settings that are used. What was changed is told on standard error, where it is in nobody's way.
    pub(crate) fn settle(&self) -> Settings {
        let (settings, notes) = self.asked().settle();
        notes.iter().for_each(|note| eprintln!("note: {note}"));
        settings
    }

    /// The same with a file, over which options have precedence.
    pub(crate) fn settle_with(&self, file: Option<&Path>) -> Result<(Settings, Vec<Note>), BoxError> {
        let from_file = file.map(read).transpose()?.unwrap_or_default();
        Ok(self.asked().or(from_file).settle())
    }
}

/// How fine time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Resolution {
    #[value(name = "1ms")]
    Millisecond,
    #[value(name = "1us")]
    Microsecond,
    #[value(name = "1ns")]
    Nanosecond,
}

impl Resolution {
    /// Decimals of a millisecond.
    fn decimals(self) -> usize {
        match self {
            Resolution::Millisecond => 0,
            Resolution::Microsecond => 3,
            Resolution::Nanosecond => 6,
        }
    }

    /// Ticks a second.
    pub(crate) fn ticks(self) -> u64 {
        1000 * 10u64.pow(self.decimals() as u32)
    }

    /// Ticks as milliseconds.
    pub(crate) fn milliseconds(self, ticks: u64) -> String {
        fraction(ticks, self.decimals())
    }

    /// Ticks as seconds.
    pub(crate) fn seconds(self, ticks: u64) -> String {
        fraction(ticks, self.decimals() + 3)
    }

    /// Reads a decimal number of which one unit has so many more decimals than a tick.
    pub(crate) fn parse(self, text: &str, unit: Unit) -> Result<u64, BoxError> {
        let decimals = self.decimals() + if unit == Unit::Seconds { 3 } else { 0 };
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |digits: &str| digits.chars().all(|digit| digit.is_ascii_digit());
        if whole.is_empty() && part.is_empty() || !is_number(whole) || !is_number(part) {
            return Err(format!("\"{text}\" is not a time: a number, zero or more").into());
        }
        let part = part.trim_end_matches('0');
        if part.len() > decimals {
            return Err(format!("\"{text}\" is finer than the resolution; see --resolution").into());
        }
        let ticks = format!("{whole}{part:0<decimals$}");
        ticks.parse().map_err(|_| format!("\"{text}\" is beyond the end of time").into())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Milliseconds,
}

fn fraction(ticks: u64, decimals: usize) -> String {
    if decimals == 0 {
        return ticks.to_string();
    }
    let unit = 10u64.pow(decimals as u32);
    format!("{}.{:0decimals$}", ticks / unit, ticks % unit)
}

/// The form of the output.
#[derive(Args, Clone, Copy)]
pub(crate) struct Form {
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Form {
    /// Prints records in the form that was asked for, or the text.
    pub(crate) fn print<R: Serialize>(self, records: &[R], text: impl FnOnce() -> String) -> Outcome {
        print!(
            "{}",
            match self {
                Form { csv: true, .. } => csv(records)?,
                Form { json: true, .. } => json(records)?,
                _ => text(),
            }
        );
        Ok(())
    }
}

/// Writes an event log in place, so that there is one to read even if the run does not end.
pub(crate) type Log<M> = Recorder<M, LogWriter<BufWriter<File>>>;

/// Writes the event log of a run.
pub(crate) fn trace<M: Workload>(
    path: &Path,
    header: &LogHeader,
    run: impl FnOnce(Log<M>) -> Result<Ran<M, Log<M>>, BoxError>,
) -> Outcome {
    let fail = |error| format!("{}: cannot be written: {error}", path.display());
    let file = BufWriter::new(File::create(path).map_err(fail)?);
    let ran = run(Recorder::streaming(file, header).map_err(fail)?)?;
    ran.observer.finish(&Ok(ran.stop)).map_err(fail)?;
    Ok(())
}

/// For clap: a share, with or without a percent sign.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').ok_or("must be a percentage such as 1%")?;
    match number.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x / 100.0),
        Ok(_) => Err("must be above zero".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// For clap: a finite number above zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        Ok(_) => Err("must be a finite number above zero".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// Several granularities at once, rounded as one is.
pub(crate) fn granularities(asked: &[i64]) -> Vec<u64> {
    let settle = |&granularity: &i64| {
        let (settings, notes) = Asked { granularity: Some(granularity), ..Asked::default() }.settle();
        notes.iter().for_each(|note| eprintln!("note: {note}"));
        settings.granularity
    };
    asked.iter().map(settle).collect()
}

/// Ends the program quietly, as other filters do, when nobody reads its output any more.
pub(crate) fn quiet_on_broken_pipe() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        if message.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(info);
    }));
}
