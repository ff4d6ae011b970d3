//! `hard-discs run`: from a file to a certified result.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use hard_discs::{Certificate, EventLog, HardDiscs, Hit, Violation, Work, Worst, input};
use indicatif::{ProgressBar, ProgressStyle};
use saltus::log::{LogHeader, LogWriter};
use saltus::observe::{GO_ON, Recorder, Tracing, Verdict};
use saltus::queue::{CountedHeap, Heap, QueueKind};
use saltus::{BoxError, Counters, Header, Observer, Settings, Simulation, Stop};
use serde::Serialize;

use super::watch::Watch;
use super::{Making, Outcome, Source, WholeFile, not_negative, positive};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    making: Making,
    /// When to stop, in simulated time
    #[arg(long, value_name = "T", default_value_t = 100.0, value_parser = not_negative)]
    until: f64,
    /// Stop after that many collisions
    #[arg(long, value_name = "N")]
    max_events: Option<u64>,
    /// Write a line an executed event: seq,time,kind,a,b with kind pair, wall-x or wall-y
    #[arg(long, value_name = "OUT.csv")]
    events: Option<PathBuf>,
    /// Write the final state in the input format
    #[arg(long = "final", value_name = "OUT.txt")]
    last: Option<PathBuf>,
    /// Write every disc at every sample: time,disc,rx,ry,vx,vy
    #[arg(long, value_name = "OUT.csv")]
    samples: Option<PathBuf>,
    /// Write an event log that the command `saltus` answers questions from; a run that is killed leaves what it had written
    #[arg(long, value_name = "LOG")]
    trace: Option<PathBuf>,
    /// Simulated time between samples
    #[arg(long, value_name = "DT", default_value_t = 2.0, value_parser = positive)]
    sample_every: f64,
    /// Draw the box at every sample; the last one only if standard error is not a terminal
    #[arg(long)]
    watch: bool,
    /// Re-check every law after every event; exit 1 at the first that is broken
    #[arg(long)]
    certify: bool,
    /// Hold the work done against the textbook's claims
    #[arg(long)]
    work: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    discs: usize,
    simulated_time: f64,
    stopped: String,
    pair_events: u64,
    wall_events: u64,
    shared_contacts: u64,
    predictions: u64,
    pushes: u64,
    stale: u64,
    swept: u64,
    largest_queue: usize,
    energy: f64,
    energy_drift: f64,
    wall_clock_seconds: f64,
    events_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Certified>,
    #[serde(skip_serializing_if = "Option::is_none")]
    work_per_collision: Option<PerCollision>,
}

#[derive(Serialize)]
struct Certified {
    holds: bool,
    events_checked: u64,
    worst: Worst,
    violation: Option<Violation>,
}

#[derive(Serialize)]
struct PerCollision {
    moves: f64,
    predictions: f64,
    pushes: f64,
    compares: f64,
    stale_or_swept: f64,
}

/// What the options ask to be there while the discs fly.
type Watchers = ((Option<Certificate>, Option<EventLog<WholeFile>>), (Option<Samples>, (Option<Watch>, Pace)));

/// Written in place, so that there is a log to read even if the run does not end.
type Log = Recorder<HardDiscs, LogWriter<BufWriter<File>>>;

pub(crate) fn run(args: Args) -> Outcome {
    let model = args.source.discs(&args.making)?.sampled(args.sample_every);
    let watchers = watchers(&args, &model)?;
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    // Only a run that is listened to carries causes, and only one that counts compares counts them.
    let log = args.trace.as_deref().map(|path| log(&args, path)).transpose()?;
    let heard = tracing::enabled!(target: "saltus", tracing::Level::TRACE).then_some(Tracing);
    let (summary, watchers) = match (heard.is_some() || log.is_some(), args.work) {
        (false, false) => fly::<_, Heap>(&args, model, watchers, |w| (w, None))?,
        (false, true) => fly::<_, CountedHeap>(&args, model, watchers, |w| (w, None))?,
        (true, _) => fly::<_, CountedHeap>(&args, model, (watchers, (heard, log)), |(w, (_, log))| (w, log))?,
    };
    let ((_, log), (samples, _)) = watchers;
    if let Some(log) = log {
        log.finish()?.finish()?;
    }
    if let Some(samples) = samples {
        samples.finish()?;
    }
    if args.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        print!("{}", summary.text());
    }
    let broken = summary.certificate.is_some_and(|certificate| !certificate.holds);
    Ok(if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn watchers(args: &Args, model: &HardDiscs) -> Result<Watchers, BoxError> {
    let certificate = args.certify.then(|| Certificate::new(model));
    let log = args.events.as_deref().map(|path| EventLog::new(WholeFile::create(path)?).map_err(BoxError::from));
    let samples = args.samples.as_deref().map(|path| Samples::new(WholeFile::create(path)?));
    let watch = args.watch.then(|| Watch::new(std::io::stderr().is_terminal()));
    let pace = Pace::new(args.until, args.max_events, args.watch);
    Ok(((certificate, log.transpose()?), (samples.transpose()?, (watch, pace))))
}

fn log(args: &Args, path: &Path) -> Result<Log, BoxError> {
    let fail = |error| format!("{}: cannot be written: {error}", path.display());
    let header = LogHeader::new("hard-discs", &Settings::<f64>::default());
    let header = args.making.describe(args.source.describe(header)).setting("until", args.until);
    let header = match args.max_events {
        Some(most) => header.setting("max-events", most),
        None => header,
    };
    let header = header.setting("sample-every", args.sample_every);
    let file = BufWriter::new(File::create(path).map_err(fail)?);
    Ok(Recorder::streaming(file, &header).map_err(fail)?)
}

/// Runs the discs to the end that the options ask for.
fn fly<O: Observer<HardDiscs>, Q: QueueKind<f64> + Default>(
    args: &Args,
    model: HardDiscs,
    observer: O,
    unwrap: impl FnOnce(O) -> (Watchers, Option<Log>),
) -> Result<(Summary, Watchers), BoxError> {
    let begin = Instant::now();
    let energy = model.energy();
    let mut simulation = Simulation::<_, O, Q>::with(model, Settings::default(), observer);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let result = if args.max_events == Some(0) { Ok(Stop::MaxEvents) } else { simulation.run_until(args.until) };

    let (now, counters, compares) = (simulation.now(), *simulation.counters(), simulation.compares());
    let (model, observer) = simulation.into_parts();
    let (mut watchers, log) = unwrap(observer);
    if let Some(log) = log {
        log.finish(&result).map_err(|error| format!("the event log cannot be written: {error}"))?;
    }
    let stop = result?;
    if let Some(certificate) = &mut watchers.0.0
        && certificate.violation().is_none()
    {
        // Kept in the certificate, and reported from there.
        let _ = certificate.finish(now);
    }
    watchers.1.1.1.finish();
    if let Some(path) = &args.last {
        let mut file = WholeFile::create(path)?;
        file.write_all(input::write(&model, now).as_bytes())?;
        file.finish()?;
    }
    let stop = match stop {
        Stop::Observer(reason) => reason,
        Stop::MaxEvents => MAX_EVENTS.to_owned(),
        Stop::QueueEmpty => "nothing more can happen".to_owned(),
        _ => "end reached".to_owned(),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let summary = Summary::new(&model, energy, now, stop, &counters, seconds, watchers.0.0.as_ref());
    let work_per_collision = args.work.then(|| PerCollision::new(model.work(), &counters, compares));
    Ok((Summary { work_per_collision, ..summary }, watchers))
}

impl Summary {
    fn new(
        model: &HardDiscs,
        energy: f64,
        now: f64,
        stopped: String,
        counters: &Counters,
        seconds: f64,
        certificate: Option<&Certificate>,
    ) -> Summary {
        let work = model.work();
        let energy_now = model.energy();
        Summary {
            discs: model.discs().len(),
            simulated_time: now,
            stopped,
            pair_events: work.pairs,
            wall_events: work.walls,
            shared_contacts: work.shared_contacts,
            predictions: work.predictions,
            pushes: counters.scheduled,
            stale: counters.stale,
            swept: counters.swept,
            largest_queue: counters.largest_queue,
            energy: energy_now,
            // Nothing drifts where nothing moves.
            energy_drift: if energy > 0.0 { (energy_now - energy) / energy } else { 0.0 },
            wall_clock_seconds: seconds,
            events_per_second: (work.pairs + work.walls) as f64 / seconds,
            certificate: certificate.map(|certificate| Certified {
                holds: certificate.violation().is_none(),
                events_checked: certificate.events(),
                worst: *certificate.worst(),
                violation: certificate.violation().cloned(),
            }),
            work_per_collision: None,
        }
    }

    fn text(&self) -> String {
        let mut rows = vec![
            ("discs", self.discs.to_string()),
            ("simulated time", format!("{} ({})", self.simulated_time, self.stopped)),
            ("pair events", self.pair_events.to_string()),
            ("wall events", self.wall_events.to_string()),
            ("predictions", self.predictions.to_string()),
            ("pushes", self.pushes.to_string()),
            ("stale, swept events", format!("{}, {}", self.stale, self.swept)),
            ("largest queue", self.largest_queue.to_string()),
            ("energy", format!("{:e}, drift {:.1e}", self.energy, self.energy_drift)),
            ("wall-clock", format!("{:.3} s, {:.0} events/s", self.wall_clock_seconds, self.events_per_second)),
        ];
        if self.shared_contacts > 0 {
            let note = "simultaneous contacts of one disc, resolved in the order of their scheduling";
            rows.push(("shared contacts", format!("{} ({note})", self.shared_contacts)));
        }
        if let Some(Certified { events_checked, worst, violation, .. }) = &self.certificate {
            rows.push((
                "certificate",
                match violation {
                    None => format!("holds over {events_checked} events"),
                    Some(violation) => format!("BROKEN: {violation}"),
                },
            ));
            rows.push((
                "worst deviations",
                format!(
                    "contact {:.1e}, overlap {:.1e}, momentum {:.1e}, energy {:.1e}",
                    worst.contact, worst.overlap, worst.momentum, worst.energy
                ),
            ));
        }
        if let Some(work) = &self.work_per_collision {
            rows.push(("work per collision", String::new()));
            rows.push((
                "  moves",
                format!("{:.2} (claim O(1); the textbook's loop moves all {})", work.moves, self.discs),
            ));
            rows.push(("  predictions", format!("{:.1} (claim O(N), N = {})", work.predictions, self.discs)));
            rows.push(("  pushes", format!("{:.2} (the contacts among them that come at all)", work.pushes)));
            let depth = (self.largest_queue.max(2) as f64).log2();
            rows.push((
                "  compares",
                format!("{:.1} (claim O(log Q) a push or pop, log2 Q = {depth:.1})", work.compares),
            ));
            rows.push(("  stale or swept", format!("{:.2}", work.stale_or_swept)));
        }
        let mut text = String::new();
        for (name, value) in rows {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", format!("{name:<20} {value}").trim_end());
        }
        text
    }
}

impl PerCollision {
    fn new(work: &Work, counters: &Counters, compares: Option<u64>) -> PerCollision {
        let collisions = (work.pairs + work.walls).max(1) as f64;
        PerCollision {
            moves: work.moves as f64 / collisions,
            predictions: work.predictions as f64 / collisions,
            pushes: counters.scheduled as f64 / collisions,
            compares: compares.unwrap_or(0) as f64 / collisions,
            stale_or_swept: (counters.stale + counters.swept) as f64 / collisions,
        }
    }
}

const MAX_EVENTS: &str = "as many collisions as asked for";

/// Ends the run after enough collisions, and moves the progress bar.
struct Pace {
    most: u64,
    until: f64,
    bar: ProgressBar,
    ticks: u32,
}

impl Pace {
    fn new(until: f64, most: Option<u64>, hidden: bool) -> Pace {
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(1000) };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}%  {msg}  {eta} left") {
            bar.set_style(style);
        }
        Pace { most: most.unwrap_or(u64::MAX), until, bar, ticks: 0 }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer<HardDiscs> for Pace {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, model: &HardDiscs) -> Verdict {
        let events = model.work().pairs + model.work().walls;
        self.ticks += 1;
        if self.ticks == 1024 {
            self.ticks = 0;
            let done = (event.time / self.until).max(events as f64 / self.most as f64);
            self.bar.set_position((1000.0 * done) as u64);
            self.bar.set_message(format!("t = {:.2}, {events} events", event.time));
        }
        if events >= self.most { ControlFlow::Break(MAX_EVENTS.to_owned()) } else { GO_ON }
    }
}

/// Writes every disc at every sample.
struct Samples {
    file: WholeFile,
    error: Option<std::io::Error>,
}

impl Samples {
    fn new(mut file: WholeFile) -> Result<Samples, BoxError> {
        writeln!(file, "time,disc,rx,ry,vx,vy")?;
        Ok(Samples { file, error: None })
    }

    fn write(&mut self, t: f64, model: &HardDiscs) -> std::io::Result<()> {
        for (i, (disc, [rx, ry])) in model.discs().iter().zip(model.positions_at(t)).enumerate() {
            let [vx, vy] = disc.velocity;
            writeln!(self.file, "{t},{i},{rx},{ry},{vx},{vy}")?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), BoxError> {
        match self.error {
            Some(error) => Err(error.into()),
            None => self.file.finish(),
        }
    }
}

impl Observer<HardDiscs> for Samples {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        if *hit == Hit::Sample
            && let Err(error) = self.write(event.time, model)
        {
            let reason = format!("the samples cannot be written: {error}");
            self.error = Some(error);
            return ControlFlow::Break(reason);
        }
        GO_ON
    }
}
