//! `timewheel-compare discs`: hard discs under each clock.

use std::path::PathBuf;

use clap::ValueEnum;
use hard_discs::starts::{Start, make};
use hard_discs::{HardDiscs, input};
use pictures::{WholeFile, check_outputs};
use saltus::BoxError;
use saltus::log::LogHeader;
use timewheel_compare::drivers::Driver;
use timewheel_compare::experiments::discs::{Bounced, Experiment, Outcomes, bouncing_balls};
use timewheel_compare::experiments::side_by_side::{page, takes};
use timewheel_compare::table::Table;

use super::{Form, Outcome, granularities, positive, trace};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file in the textbook's format: N, then `rx ry vx vy radius mass [r g b]` a line; - is standard input
    #[arg(required_unless_present = "start", conflicts_with = "start")]
    file: Option<PathBuf>,
    /// A start state of the command `hard-discs`
    #[arg(long, value_enum, value_name = "NAME")]
    start: Option<Start>,
    /// When to stop, in simulated time
    #[arg(long, value_name = "T", default_value_t = 60.0, value_parser = positive)]
    until: f64,
    /// Slots a second, one quantising wheel for each
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "8,32,128,1024")]
    wheel_granularity: Vec<i64>,
    /// Fixed steps
    #[arg(long, value_name = "DT,DT", value_delimiter = ',', default_value = "4,2,1,0.1,0.01", value_parser = positive)]
    dt: Vec<f64>,
    /// Let the discs bounce off the walls and fly through each other: the textbook's warm-up, fixed steps only
    #[arg(long)]
    walls_only: bool,
    /// Write an event log of the event-driven run, which the command `saltus` answers questions from
    #[arg(long, value_name = "LOG", conflicts_with = "walls_only")]
    trace: Option<PathBuf>,
    /// Write a page that plays the discs under three clocks beside each other: event-driven, the wheel with the fewest slots a
    /// second, and the longest fixed step
    #[arg(long, value_name = "OUT.html", conflicts_with = "walls_only")]
    movie: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
}

pub(crate) fn run(args: Args) -> Outcome {
    if args.walls_only {
        return bounce(&args);
    }
    check_outputs(args.trace.iter().chain(&args.movie).map(PathBuf::as_path))?;
    let experiment = Experiment::new(discs(&args)?, args.until)?;
    if let Some(path) = &args.trace {
        trace(path, &header(&args), |log| experiment.watch(log))?;
    }
    let granularities = granularities(&args.wheel_granularity);
    if let Some(path) = &args.movie {
        let slowest = granularities.iter().min().map_or(1.0, |&granularity| 1.0 / granularity as f64);
        let longest = args.dt.iter().copied().fold(0.0, f64::max);
        WholeFile::write(path, &page(&name(&args), &experiment, &takes(&experiment, slowest, longest)?)?)?;
    }
    let rows = compare(&experiment, &granularities, &args.dt)?;
    args.form.print(&rows, || table(&rows).text())
}

fn bounce(args: &Args) -> Outcome {
    let discs = discs(args)?;
    let rows: Result<Vec<Bounced>, _> = args.dt.iter().map(|&dt| bouncing_balls(&discs, dt, args.until)).collect();
    let rows = rows?;
    args.form.print(&rows, || {
        let mut table = Table::new(["step/s", "steps", "bounces", "exact"]);
        for row in &rows {
            table.row([row.dt.to_string(), row.steps.to_string(), row.bounces.to_string(), row.exact.to_string()]);
        }
        table.text()
    })
}

fn discs(args: &Args) -> Result<HardDiscs, BoxError> {
    Ok(match (&args.file, args.start) {
        (Some(file), _) => input::read(file)?,
        (None, start) => make(start.unwrap_or(Start::Billiards), None, None, 1)?,
    })
}

/// What to call the discs.
fn name(args: &Args) -> String {
    match (&args.file, args.start) {
        (Some(file), _) => file.file_name().unwrap_or_default().display().to_string(),
        (None, start) => start.unwrap_or(Start::Billiards).title().to_owned(),
    }
}

/// Of the event-driven run, which no slot or step has a part in.
fn header(args: &Args) -> LogHeader {
    let header = LogHeader::new("hard-discs", &saltus::Settings::<f64>::default());
    let start = args.start.as_ref().and_then(Start::to_possible_value);
    let header = match (&args.file, start) {
        (Some(file), _) => header.setting("file", file.display()),
        (None, Some(start)) => header.setting("start", start.get_name()),
        (None, None) => header,
    };
    header.setting("driver", Driver::EventDriven.name()).setting("until", args.until)
}

/// The reference, then the wheels, then the steps.
pub(crate) fn outcomes(
    discs: HardDiscs,
    until: f64,
    granularities: &[u64],
    steps: &[f64],
) -> Result<Vec<Outcomes>, BoxError> {
    compare(&Experiment::new(discs, until)?, granularities, steps)
}

fn compare(experiment: &Experiment, granularities: &[u64], steps: &[f64]) -> Result<Vec<Outcomes>, BoxError> {
    let mut rows = vec![experiment.event_driven().clone()];
    for &granularity in granularities {
        rows.push(experiment.quantised(1.0 / granularity as f64)?);
    }
    for &dt in steps {
        rows.push(experiment.stepped(dt)?);
    }
    Ok(rows)
}

pub(crate) fn table(rows: &[Outcomes]) -> Table {
    let mut table = Table::new([
        "clock",
        "slot or step/s",
        "collisions",
        "missed",
        "spurious",
        "same until/s",
        "deepest overlap",
        "energy drift",
        "steps",
        "checks",
        "time/ms",
        "first law broken",
    ]);
    for row in rows {
        let law = match (&row.broken, row.broken_at, row.broken_by) {
            (Some(law), Some(at), Some(by)) => format!("{law}, by {by:.1e} at {at:.3}"),
            _ if row.clock == "fixed step" => "not looked for".to_owned(),
            _ => "none".to_owned(),
        };
        table.row([
            row.clock.clone(),
            if row.dt == 0.0 { "-".to_owned() } else { row.dt.to_string() },
            row.collisions.to_string(),
            row.missed.to_string(),
            row.spurious.to_string(),
            format!("{:.3}", row.same_until),
            format!("{:.1e}", row.deepest),
            format!("{:.1e}", row.energy_drift),
            row.steps.to_string(),
            row.checks.to_string(),
            format!("{:.2}", 1000.0 * row.seconds),
            law,
        ]);
    }
    table
}
