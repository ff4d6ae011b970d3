//! `hard-discs run`: from a file to a certified result.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use hard_discs::{HardDiscs, input};
use saltus::log::{LogHeader, LogWriter};
use saltus::observe::{Recorder, Tracing};
use saltus::queue::{CountedHeap, Heap, QueueKind};
use saltus::{BoxError, Observer, Settings, Simulation, Stop};

use super::source::{Source, not_negative, positive};
use super::summary::{PerCollision, Summary};
use super::watchers::{MAX_EVENTS, Watchers};
use super::whole_file::WholeFile;
use super::{Outcome, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) source: Source,
    /// When to stop, in simulated time
    #[arg(long, value_name = "T", default_value_t = 100.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) until: f64,
    /// Stop after that many collisions
    #[arg(long, value_name = "N")]
    pub(crate) max_events: Option<u64>,
    /// Write a line an executed event: seq,time,kind,a,b with kind pair, wall-x or wall-y
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) events: Option<PathBuf>,
    /// Write the final state in the input format. It knows no clock: read again, it starts at zero, and rounding differs
    #[arg(long = "final", value_name = "OUT.txt")]
    last: Option<PathBuf>,
    /// Write every disc at every sample: time,disc,rx,ry,vx,vy
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) samples: Option<PathBuf>,
    /// Write an event log that the command `saltus` answers questions from; a run that is killed leaves what it had written
    #[arg(long, value_name = "LOG")]
    trace: Option<PathBuf>,
    /// Write a page that plays the run, to be opened in any browser
    #[arg(long, value_name = "OUT.html")]
    pub(crate) movie: Option<PathBuf>,
    /// Draw how fast the discs were and how often they collided: speeds.svg and events.svg in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) plot: Option<PathBuf>,
    /// Simulated time between samples
    #[arg(long, value_name = "DT", default_value_t = 2.0, value_parser = positive, allow_negative_numbers = true)]
    sample_every: f64,
    /// Draw the box at every sample; the last one only if standard error is not a terminal
    #[arg(long)]
    pub(crate) watch: bool,
    /// Re-check every law after every event; exit 1 at the first that is broken
    #[arg(long)]
    pub(crate) certify: bool,
    /// Hold the work done against the textbook's claims
    #[arg(long)]
    work: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Two outputs of one name would leave only the last of them.
    fn check_outputs(&self) -> Result<(), String> {
        let outputs = [&self.events, &self.last, &self.samples, &self.trace, &self.movie];
        let outputs: Vec<_> = outputs.into_iter().flatten().collect();
        for (i, path) in outputs.iter().enumerate() {
            if path.as_os_str() == "-" {
                return Err("-: outputs are files; only the summary goes to standard output".to_owned());
            }
            if outputs[..i].contains(path) && !path.metadata().is_ok_and(|about| !about.is_file()) {
                return Err(format!("{}: two outputs cannot be the same file", path.display()));
            }
        }
        Ok(())
    }
}

/// Beyond that, k times the interval loses digits, and nobody waits for so many.
const MOST_SAMPLES: f64 = 1e9;

/// Written in place, so that there is a log to read even if the run does not end.
type Log = Recorder<HardDiscs, LogWriter<BufWriter<File>>>;

pub(crate) fn run(args: Args) -> Outcome {
    let mut model = args.source.discs()?;
    if args.samples.is_some() || args.watch {
        let (until, every) = (args.until, args.sample_every);
        if until / every > MOST_SAMPLES {
            return Err(format!(
                "--sample-every {every:e} until {until:e} asks for more than {MOST_SAMPLES:e} samples"
            )
            .into());
        }
        model = model.sampled(every)?;
    }
    args.check_outputs()?;
    let watchers = Watchers::new(&args, &model)?;
    let last = args.last.as_deref().map(WholeFile::create).transpose()?;
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    // Only a run that is listened to carries causes, and only one that counts compares counts them.
    let log = args.trace.as_deref().map(|path| log(&args, path)).transpose()?;
    let listened = tracing::enabled!(target: "saltus", tracing::Level::TRACE)
        || tracing::enabled!(target: "saltus::detail", tracing::Level::TRACE);
    let heard = listened.then_some(Tracing);
    let (flight, watchers) = match (heard.is_some() || log.is_some(), args.work) {
        (false, false) => fly::<_, Heap>(&args, model, watchers, |w| (w, None))?,
        (false, true) => fly::<_, CountedHeap>(&args, model, watchers, |w| (w, None))?,
        (true, _) => fly::<_, CountedHeap>(&args, model, (watchers, (heard, log)), |(w, (_, log))| (w, log))?,
    };
    if let Some(mut file) = last {
        file.write_all(flight.last.as_bytes())?;
        file.finish()?;
    }
    watchers.finish()?;
    let summary = flight.summary;
    let text = if args.json { serde_json::to_string(&summary)? + "\n" } else { summary.text() };
    let printed = print(&text);
    // A broken law is told by the exit code even if nobody reads the summary.
    if summary.certificate.is_some_and(|certificate| !certificate.holds) {
        return Ok(ExitCode::FAILURE);
    }
    printed?;
    Ok(ExitCode::SUCCESS)
}

struct Flight {
    summary: Summary,
    /// The final state, in the input format; empty if nobody wants it.
    last: String,
}

fn log(args: &Args, path: &Path) -> Result<Log, BoxError> {
    let fail = |error| format!("{}: cannot be written: {error}", path.display());
    let header = LogHeader::new("hard-discs", &Settings::<f64>::default());
    let header = args.source.describe(header).setting("until", args.until);
    let header = match args.max_events {
        Some(most) => header.setting("max-events", most),
        None => header,
    };
    let file = BufWriter::new(File::create(path).map_err(fail)?);
    Ok(Recorder::streaming(file, &header).map_err(fail)?)
}

/// Runs the discs to the end that the options ask for.
fn fly<O: Observer<HardDiscs>, Q: QueueKind<f64> + Default>(
    args: &Args,
    model: HardDiscs,
    observer: O,
    unwrap: impl FnOnce(O) -> (Watchers, Option<Log>),
) -> Result<(Flight, Watchers), BoxError> {
    let energy = model.energy();
    let mut simulation = Simulation::with_queue(model, Settings::default(), observer, Q::default());
    let begin = Instant::now();
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let result = if args.max_events == Some(0) { Ok(Stop::MaxEvents) } else { simulation.run_until(args.until) };
    let elapsed = begin.elapsed();

    let (now, counters, compares) = (simulation.now(), *simulation.counters(), simulation.compares());
    let (model, observer) = simulation.into_parts();
    let (mut watchers, log) = unwrap(observer);
    if let Some(log) = log {
        log.finish(&result).map_err(|error| format!("the event log cannot be written: {error}"))?;
    }
    let stop = result?;
    watchers.end(&model, now);
    let seconds = elapsed.saturating_sub(watchers.waited()).as_secs_f64();
    let stop = match stop {
        Stop::Observer(reason) => reason,
        Stop::MaxEvents => MAX_EVENTS.to_owned(),
        Stop::QueueEmpty => "nothing more can happen".to_owned(),
        _ => "end reached".to_owned(),
    };
    let mut summary = Summary::new(&model, energy, now, stop, &counters, seconds, watchers.certificate.as_ref());
    summary.work_per_collision = args.work.then(|| PerCollision::new(model.work(), &counters, compares));
    let last = if args.last.is_some() { input::write(&model, now) } else { String::new() };
    Ok((Flight { summary, last }, watchers))
}
