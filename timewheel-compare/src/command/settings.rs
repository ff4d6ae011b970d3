//! `timewheel-compare settings`: what is used of what was asked for.

use std::path::PathBuf;

use saltus::BoxError;
use serde::Serialize;
use timewheel_compare::table::json;

use super::{Outcome, Wheel};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of key=value lines with # comments; options have precedence over it
    file: Option<PathBuf>,
    #[command(flatten)]
    wheel: Wheel,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Used {
    wheel_granularity: u64,
    wheel_seconds: u64,
    slots: u64,
    notes: Vec<String>,
}

pub(crate) fn run(args: Args) -> Outcome {
    let (settings, notes) = args.wheel.settle_with(args.file.as_deref())?;
    // Refused if there are too many slots, or if one would be shorter than a nanosecond.
    settings.wheel(1_000_000_000)?;
    let slots = settings.slots().ok_or_else(|| BoxError::from("too many slots"))?;
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    let (granularity, seconds) = (settings.granularity, settings.seconds);
    if args.json {
        print!("{}", json(&Used { wheel_granularity: granularity, wheel_seconds: seconds, slots, notes })?);
        return Ok(());
    }
    println!("wheel_granularity={granularity}");
    println!("wheel_seconds={seconds}");
    for note in &notes {
        println!("# {note}");
    }
    let (pieces, upper) = (granularity.trailing_zeros(), seconds.trailing_zeros());
    println!(
        "# {slots} slots of {} ms, numbered by {} bits: {upper} for the second, {pieces} for the piece of it",
        1000.0 / granularity as f64,
        upper + pieces
    );
    Ok(())
}
