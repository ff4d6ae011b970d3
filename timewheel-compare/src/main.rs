//! The command `timewheel-compare`.

mod command;
mod report;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What a time-driven clock costs: a time wheel and a fixed step beside the event-driven driver, on the same models.
#[derive(Parser)]
#[command(version, about, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  timewheel-compare quantise 0 12 30 31                  where events end up
  timewheel-compare scan --delay 6                       slots visited while nothing happens
  timewheel-compare settings --wheel-granularity 65      what settings become
  timewheel-compare haste --model F                      damage and scale factors against haste
  timewheel-compare discs --start billiards              collisions missed, laws broken
  timewheel-compare discs --start random --movie m.html  the same discs under three clocks, side by side
  timewheel-compare report --out target/timewheel        everything, as one page

Exit code: 0 all went well, 2 the input or the options are wrong.";

#[derive(Subcommand)]
enum Command {
    /// Shows in which slot events lie that are due at these times, and when they happen
    Quantise(command::quantise::Args),
    /// Counts slots visited and empty until a debuff ends, against events and leaps
    Scan(command::scan::Args),
    /// Shows what becomes of wheel_granularity and wheel_seconds
    Settings(command::settings::Args),
    /// Draws the wheel: pointer, slots, the bits of a slot's number, what a turn uses again
    Wheel(command::wheel::Args),
    /// Sweeps over haste: how far damage and scale factors are off
    Haste(command::haste::Args),
    /// Runs hard discs under each clock: collisions missed, overlap, energy, cost
    Discs(command::discs::Args),
    /// Times a simulated hour by granularity and density of events
    Cost(command::cost::Args),
    /// Runs everything and writes one Markdown page, CSV files and SVG plots
    Report(command::report::Args),
}

fn main() -> ExitCode {
    // A reader that has seen enough closes the pipe; that is not an error.
    command::quiet_on_broken_pipe();
    let outcome = match Args::parse().command {
        Command::Quantise(args) => command::quantise::run(args),
        Command::Scan(args) => command::scan::run(args),
        Command::Settings(args) => command::settings::run(args),
        Command::Wheel(args) => command::wheel::run(args),
        Command::Haste(args) => command::haste::run(args),
        Command::Discs(args) => command::discs::run(args),
        Command::Cost(args) => command::cost::run(args),
        Command::Report(args) => command::report::run(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("timewheel-compare: {error}");
            ExitCode::from(2)
        }
    }
}
