//! The command `hard-discs`.

mod command;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

/// Elastic discs and spheres in a box, from collision to collision.
///
/// The input is the format of the textbook (Sedgewick and Wayne, Algorithms, section 6.1), a snapshot `.sph`, or a gas of discs or
/// spheres that is made at a density. Partners are looked for nearby, so that a collision costs the same for ten and for a
/// million.
#[derive(Parser)]
#[command(version, about, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  hard-discs run --start billiards --until 200 --certify     ten balls, every law re-checked
  hard-discs run --start billiards --movie m.html            a page that plays it
  hard-discs run --random 200 --seed 7 --watch               watch a gas in the terminal
  hard-discs make squeeze | hard-discs run - --events e.csv  an input, and every collision of its run
  hard-discs step --start cradle                             the next events in words
  hard-discs run --start billiards --trace run.log           a log; then ask: saltus why run.log pair@10 --all
  hard-discs ties --start cradle                             does the order of simultaneous collisions matter?
  hard-discs run --start grow --dim 3 --eta 0.49 -N 10000 --equilibrate 1000000 --collisions 1000000   spheres, measured
  hard-discs eos --dim 2 --eta 0.1,0.3,0.5,0.65              pressure against theory
  hard-discs drill --start billiards                         what happens when stale events run

What happens goes to `tracing`: set RUST_LOG=saltus=trace to see it on standard error, and
RUST_LOG=saltus=trace,saltus::detail=off to see only the events that run.
Exit code: 0 all went well, 1 a law was broken or the order of ties matters, 2 the input or the options are wrong.";

#[derive(Subcommand)]
enum Command {
    /// Runs discs or spheres from a file, from standard input (-), or from a start state
    Run(Box<command::run::Args>),
    /// Measures the pressure of the fluid at several densities, beside theory
    Eos(command::eos::Args),
    /// Measures collisions a second, beside another program if one is named
    Bench(command::bench::Args),
    /// Writes a start state in the textbook's format
    Make(command::make::Args),
    /// Runs discs without the stamps that void predictions, and finds the first event and the first law that go wrong
    Drill(command::drill::Args),
    /// Tells the next events in words: predict, insert, move, respond, void and predict again
    Step(command::step::Args),
    /// Runs under many orders of simultaneous events: which results depend on the order, and from where on?
    Ties(command::ties::Args),
    /// Runs forward, turns all velocities round, and runs back: how far from the start?
    Reverse(command::reverse::Args),
}

fn main() -> ExitCode {
    command::pages::ask_for_large();
    let outcome = match Args::try_parse().unwrap_or_else(|error| wrong(&error)).command {
        Command::Run(args) => command::run::run(*args),
        Command::Eos(args) => command::eos::run(args),
        Command::Bench(args) => command::bench::run(args),
        Command::Make(args) => command::make::run(args),
        Command::Drill(args) => command::drill::run(args),
        Command::Step(args) => command::step::run(args),
        Command::Ties(args) => command::ties::run(args),
        Command::Reverse(args) => command::reverse::run(args),
    };
    match outcome {
        Ok(code) => code,
        Err(error) if error.is::<command::NobodyReads>() => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hard-discs: {error}");
            ExitCode::from(2)
        }
    }
}

/// A value that cannot be is told in one line, as all that is wrong with an input; other mistakes with how it is used.
fn wrong(error: &clap::Error) -> ! {
    if !matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
        error.exit();
    }
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    eprintln!("hard-discs: {}", lines.join(" ").trim_start_matches("error: "));
    std::process::exit(2)
}
