//! `hard-discs run`: from a file to a certified result.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hard_discs::{Earliest, Every, HardSpheres, Misuse, Neighbours, Schedule, input, sph};
use pictures::{WholeFile, check_outputs};
use saltus::log::{LogHeader, LogWriter};
use saltus::observe::{Recorder, Tracing};
use saltus::queue::{CountedHeap, Ladder};
use saltus::{BoxError, RunError, Settings, Stop};

use super::flight::{Flown, Plan, fly, fly_in_one};
use super::particles::{Either, Loaded, Source, is_snapshot};
use super::source::{at_least_one, not_negative, positive, whole};
use super::summary::{PerCollision, Summary};
use super::totals::Totals;
use super::watchers::{End, MAX_EVENTS, Watchers};
use super::{Outcome, plots, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Where the partners of collisions are looked for: all are tried, cells, or neighbour lists; the collisions are the same
    /// [default: auto; all with --work]
    #[arg(long, value_enum)]
    neighbours: Option<Neighbours>,
    /// Which predictions become events: all, as in the textbook, or only the earliest of each particle; the collisions are the
    /// same [default: earliest for gases and snapshots, else all]
    #[arg(long, value_enum)]
    schedule: Option<Scheduled>,
    /// When to stop, in simulated time [default: 100]
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Let that many collisions of pairs pass before anything is measured
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole, allow_negative_numbers = true)]
    equilibrate: u64,
    /// Measure for that many collisions of pairs, and stop; 1e8 is a number, too
    #[arg(long, value_name = "N", conflicts_with = "until", value_parser = at_least_one, allow_negative_numbers = true)]
    collisions: Option<u64>,
    /// Stop after that many collisions, of pairs and with walls
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) max_events: Option<u64>,
    /// Write a line an executed event: seq,time,kind,a,b with kind pair, wall-x or wall-y
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) events: Option<PathBuf>,
    /// Write the final state in the input format: OUT.sph is a snapshot, any other name the textbook's format for discs in the
    /// unit box. It knows no clock: read again, it starts at zero, and rounding differs
    #[arg(long = "final", value_name = "OUT")]
    last: Option<PathBuf>,
    /// Write every particle at every sample: time,disc,rx,ry,vx,vy; for spheres time,sphere,rx,ry,rz,vx,vy,vz
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) samples: Option<PathBuf>,
    /// Write an event log that the command `saltus` answers questions from; a run that is killed leaves what it had written
    #[arg(long, value_name = "LOG")]
    trace: Option<PathBuf>,
    /// Write a page that plays the run, to be opened in any browser
    #[arg(long, value_name = "OUT.html")]
    pub(crate) movie: Option<PathBuf>,
    /// Draw how fast the particles were and how often they collided: speeds.svg and events.svg in this folder
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

/// Which predictions become events.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Scheduled {
    All,
    Earliest,
}

impl Args {
    /// Where the run is to end.
    pub(crate) fn end(&self) -> End {
        let pairs = self.collisions.map(|n| self.equilibrate.saturating_add(n));
        let otherwise = if pairs.is_some() { f64::INFINITY } else { 100.0 };
        End { until: self.until.unwrap_or(otherwise), events: self.max_events, pairs }
    }

    fn schedule(&self) -> Scheduled {
        let usual = if self.source.is_gas() && !self.work { Scheduled::Earliest } else { Scheduled::All };
        self.schedule.unwrap_or(usual)
    }

    fn neighbours(&self) -> Neighbours {
        self.neighbours.unwrap_or(if self.work { Neighbours::All } else { Neighbours::Auto })
    }

    fn measures(&self) -> bool {
        self.source.is_gas() || self.equilibrate > 0 || self.collisions.is_some()
    }

    /// Two outputs of one name would leave only the last of them.
    fn check_outputs(&self) -> std::io::Result<()> {
        let outputs =
            [&self.events, &self.last, &self.samples, &self.trace, &self.movie].into_iter().flatten().cloned();
        let plots = self.plot.iter().flat_map(|folder| plots::FILES.map(|name| folder.join(name)));
        let outputs: Vec<PathBuf> = outputs.chain(plots).collect();
        check_outputs(outputs.iter().map(PathBuf::as_path))
    }
}

/// Beyond that, k times the interval loses digits, and nobody waits for so many.
const MOST_SAMPLES: f64 = 1e9;

/// Written in place, so that there is a log to read even if the run does not end.
type Log<const D: usize, S> = Recorder<HardSpheres<D, S>, LogWriter<BufWriter<File>>>;

pub(crate) fn run(args: Args) -> Outcome {
    match (args.source.load()?, args.schedule()) {
        (Either::Discs(discs), Scheduled::All) => run_in::<2, Every>(&args, discs),
        (Either::Discs(discs), Scheduled::Earliest) => run_in::<2, Earliest>(&args, discs),
        (Either::Spheres(spheres), Scheduled::All) => run_in::<3, Every>(&args, spheres),
        (Either::Spheres(spheres), Scheduled::Earliest) => run_in::<3, Earliest>(&args, spheres),
    }
}

fn run_in<const D: usize, S: Schedule>(args: &Args, loaded: Loaded<D>) -> Outcome {
    let (model, letters) = loaded.model::<S>()?;
    if args.collisions.is_some() && model.len() < 2 {
        return Err(format!("--collisions: it takes two to collide, and there is {}", model.len()).into());
    }
    let model = sampled(args, model.with_neighbours(args.neighbours()))?;
    args.check_outputs()?;
    check_final(args, &model)?;
    let watchers = Watchers::new(args, &model)?;
    let last = args.last.as_deref().map(WholeFile::create).transpose()?;
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    // Only a run that is listened to carries causes, and only one that counts compares counts them.
    let log = args.trace.as_deref().map(|path| log::<D, S>(args, path)).transpose()?;
    let listened = tracing::enabled!(target: "saltus", tracing::Level::TRACE)
        || tracing::enabled!(target: "saltus::detail", tracing::Level::TRACE);
    let plan = Plan { end: args.end(), equilibrate: args.equilibrate, measures: args.measures() };
    let before = Totals::of(&model);
    let room = room(&model);
    let no_room = |error| told_with(error, room);
    let (flown, mut watchers, stop) = if listened || log.is_some() || args.work {
        let observer = (watchers, (listened.then_some(Tracing), log));
        let (flown, (watchers, (_, log)), stop) = fly_in_one(model, observer, CountedHeap, plan).map_err(no_room)?;
        let stop = match log {
            Some(log) => finish(log, stop),
            None => stop,
        };
        (flown, watchers, stop)
    } else {
        fly(model, watchers, Ladder, plan).map_err(no_room)?
    };
    let stop = in_words(stop?);
    watchers.end(&flown.model, flown.clock);
    let summary = summary(args, &flown, &before, stop, &watchers);
    if let Some(mut file) = last {
        match is_snapshot(args.last.as_deref().unwrap_or(Path::new(""))) {
            true => sph::write(&mut file, &flown.model, flown.clock, &letters)?,
            false => file.write_all(input::write(&flown.model, flown.clock).as_bytes())?,
        }
        file.finish()?;
    }
    watchers.finish()?;
    let text = if args.json { serde_json::to_string(&summary)? + "\n" } else { summary.text() };
    let printed = print(&text);
    // A broken law is told by the exit code even if nobody reads the summary.
    if summary.certificate.is_some_and(|certificate| !certificate.holds) {
        return Ok(ExitCode::FAILURE);
    }
    printed?;
    Ok(ExitCode::SUCCESS)
}

/// Plans samples for who wants any.
fn sampled<const D: usize, S: Schedule>(args: &Args, model: HardSpheres<D, S>) -> Result<HardSpheres<D, S>, BoxError> {
    if args.samples.is_none() && !args.watch {
        return Ok(model);
    }
    let (until, every) = (args.end().until, args.sample_every);
    if until.is_finite() && until / every > MOST_SAMPLES {
        let text = format!("--sample-every {every:e} until {until:e} asks for more than {MOST_SAMPLES:e} samples");
        return Err(text.into());
    }
    Ok(model.sampled(every)?)
}

/// Whether the final state can be written in the format that its name asks for.
fn check_final<const D: usize, S: Schedule>(args: &Args, model: &HardSpheres<D, S>) -> Result<(), BoxError> {
    let walls = model.walls();
    let is_unit_box = D == 2 && walls.low == [0.0; D] && walls.high == [1.0; D];
    match &args.last {
        Some(path) if !is_unit_box && !is_snapshot(path) => Err(format!(
            "{}: the textbook's format is for discs in the unit box; a name that ends in .sph asks for a snapshot",
            path.display()
        )
        .into()),
        _ => Ok(()),
    }
}

fn log<const D: usize, S: Schedule>(args: &Args, path: &Path) -> Result<Log<D, S>, BoxError> {
    let fail = |error| format!("{}: cannot be written: {error}", path.display());
    let header = LogHeader::new("hard-discs", &Settings::<f64>::default());
    let header = args.source.describe(header).setting("until", args.end().until);
    let header = match args.max_events {
        Some(most) => header.setting("max-events", most),
        None => header,
    };
    let file = BufWriter::new(File::create(path).map_err(fail)?);
    Ok(Recorder::streaming(file, &header).map_err(fail)?)
}

/// Ends the log with how the run has ended.
fn finish<const D: usize, S: Schedule>(log: Log<D, S>, stop: Result<Stop, BoxError>) -> Result<Stop, BoxError> {
    let ended = match stop {
        Ok(stop) => Ok(stop),
        Err(error) => Err(*error.downcast::<RunError<f64>>()?),
    };
    log.finish(&ended).map_err(|error| format!("the event log cannot be written: {error}"))?;
    Ok(ended?)
}

/// The shortest periodic side of the box and the largest diameter.
fn room<const D: usize, S: Schedule>(model: &HardSpheres<D, S>) -> [f64; 2] {
    let walls = model.walls();
    let periodic = (0..D).filter(|&axis| walls.periodic[axis]).map(|axis| walls.lengths()[axis]);
    let shortest = periodic.fold(f64::INFINITY, f64::min);
    [shortest, 2.0 * (0..model.len()).map(|i| model.disc(i).radius).fold(0.0, f64::max)]
}

/// A box that is too small for neighbours is told with its size.
fn told_with(error: BoxError, [shortest, widest]: [f64; 2]) -> BoxError {
    match error.downcast_ref() {
        Some(Misuse::NoRoomFor(wanted)) => {
            let least = if *wanted == Neighbours::Cells { "five" } else { "a little more than four" };
            let rule = format!("of which {least} must fit along a periodic axis");
            format!("--neighbours: {error}: it is {shortest:?} wide, the largest diameter {widest:?}, {rule}").into()
        }
        _ => error,
    }
}

fn in_words(stop: Stop) -> String {
    match stop {
        Stop::Observer(reason) => reason,
        Stop::MaxEvents | Stop::Predicate => MAX_EVENTS.to_owned(),
        Stop::QueueEmpty => "nothing more can happen".to_owned(),
        _ => "end reached".to_owned(),
    }
}

fn summary<const D: usize, S: Schedule>(
    args: &Args,
    flown: &Flown<D, S>,
    before: &Totals<D>,
    stop: String,
    watchers: &Watchers<D>,
) -> Summary {
    let Flown { model, clock, counters, .. } = flown;
    let now = model.elapsed() + clock;
    let seconds = flown.elapsed.saturating_sub(watchers.waited()).as_secs_f64();
    let mut summary = Summary::new(model, before, now, stop, counters, seconds, watchers.certificate.as_ref());
    summary.work_per_collision = args.work.then(|| PerCollision::new(model.work(), counters, flown.compares));
    summary.measured = flown.measured;
    summary
}
