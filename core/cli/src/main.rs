//! The command `saltus`: questions to the event log of a simulation.

mod ask;
mod text;
mod view;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use saltus::EventId;

/// Why did this happen? Asks the event log of a simulation.
#[derive(Parser)]
#[command(name = "saltus", version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    question: Question,
    /// Print one JSON value instead of text
    #[arg(long, global = true)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hard-discs run --start billiards --until 60 --trace run.log    a log to ask
  saltus summary run.log                                         what happened, in numbers
  saltus why run.log pair@10 --all                               all that the tenth pair collision goes back to
  saltus effects run.log @1 --depth 3                            what the first event led to
  saltus stale run.log --entity 0                                predictions for disc 0 that came to nothing, and why
  saltus slice run.log --from 100 --to 200 | saltus critical -   a part of it, and the longest chain in there
  saltus diff run.log other.log                                  the first event at which two runs part
  saltus view run.log --out run.html                             the same to look at, in a browser
  saltus export run.log --format chrome > run.json               for ui.perfetto.dev

LOG is a file or - for standard input. EVENT is an id (12), @3 for the third event that ran, pair@3 for the third of
kind pair, last or pair@last. The format of a log is documented in the library: saltus::log.
Exit code: 0 answered, 1 two runs differ, 2 the log or the question is wrong.";

#[derive(Subcommand)]
enum Question {
    /// What happened: counts by kind, stale share, rate over time, longest chain, busiest entities, ties
    Summary {
        /// The log
        log: PathBuf,
    },
    /// Why an event happened: the chain of its causes back to the first
    Why {
        /// The log
        log: PathBuf,
        /// Which event
        event: String,
        /// Everything that it goes back to: also the events that last changed what it was predicted from
        #[arg(long)]
        all: bool,
        /// Lines to show, half of them from each end; 0 for all
        #[arg(long, value_name = "N", default_value_t = 40)]
        limit: usize,
    },
    /// What an event led to
    Effects {
        /// The log
        log: PathBuf,
        /// Which event
        event: String,
        /// How deep to show the tree
        #[arg(long, value_name = "D", default_value_t = 4)]
        depth: usize,
        /// Also show events that did not run
        #[arg(long)]
        all: bool,
        /// Lines to show; 0 for all
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: usize,
    },
    /// Predictions that came to nothing: what voided each, and when
    Stale {
        /// The log
        log: PathBuf,
        /// Only those for this entity
        #[arg(long, value_name = "E")]
        entity: Option<u32>,
        /// Lines to show; 0 for all
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// A smaller log: the events that satisfy everything that is given
    Slice {
        /// The log
        log: PathBuf,
        /// From this event id on
        #[arg(long, value_name = "ID", value_parser = id)]
        from: Option<EventId>,
        /// Up to and including this event id
        #[arg(long, value_name = "ID", value_parser = id)]
        to: Option<EventId>,
        /// From this simulated time on
        #[arg(long, value_name = "T", value_parser = time)]
        from_time: Option<f64>,
        /// Up to and including this simulated time
        #[arg(long, value_name = "T", value_parser = time)]
        to_time: Option<f64>,
        /// Stamped with this entity
        #[arg(long, value_name = "E")]
        entity: Option<u32>,
        /// Of this kind
        #[arg(long, value_name = "K")]
        kind: Option<String>,
        /// Write it to a file, which appears once it is whole
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// The first event at which two runs part, with the chains of both sides
    Diff {
        /// The log of one run
        left: PathBuf,
        /// The log of the other
        right: PathBuf,
        /// Lines of each chain to show, half of them from each end; 0 for all
        #[arg(long, value_name = "N", default_value_t = 10)]
        limit: usize,
    },
    /// The longest chain by number of events and by simulated time
    Critical {
        /// The log
        log: PathBuf,
        /// Through any parent, not only through causes
        #[arg(long)]
        all: bool,
        /// Lines of each chain to show, half of them from each end; 0 for all
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// A page to look at: lanes by entity, chains to click through; one HTML file that needs no network
    View {
        /// The log
        log: PathBuf,
        /// The file, which appears once it is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// The log for other tools
    Export {
        /// The log
        log: PathBuf,
        /// For which
        #[arg(long, value_enum)]
        format: Format,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Trace events for ui.perfetto.dev or chrome://tracing, with arrows from cause to effect
    Chrome,
    /// A graph for Graphviz
    Dot,
    /// A table with one line an event
    Csv,
}

/// For clap: an event id.
fn id(text: &str) -> Result<EventId, String> {
    let number = text.trim_start_matches('#').parse::<u64>().map_err(|_| "not an event id".to_owned())?;
    EventId::from_sequence(number).ok_or_else(|| "ids count from 1".to_owned())
}

/// For clap: a time to compare with.
fn time(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(time) if !time.is_nan() => Ok(time),
        _ => Err("not a time".to_owned()),
    }
}

fn main() -> ExitCode {
    let Args { question, json } = Args::parse();
    match ask::answer(question, json) {
        Ok(code) => code,
        // A reader that has seen enough closes the pipe; that is not an error.
        Err(error) if error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("saltus: {error}");
            ExitCode::from(2)
        }
    }
}
