//! `timewheel-compare haste`: damage and scale factors against haste.

use saltus::BoxError;
use serde::Serialize;
use timewheel_compare::experiments::haste::{Comparison, Errors, Sweep, Who};
use timewheel_compare::models::{Latency, Place};
use timewheel_compare::table::Table;

use super::{Form, Outcome, granularities, percent};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who fights
    #[arg(long, value_enum, default_value = "F", ignore_case = true)]
    model: Who,
    /// Slots a second, one wheel for each
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "8,16,32,64,128")]
    wheel_granularity: Vec<i64>,
    /// Differences in haste for scale factors
    #[arg(long, value_name = "D,D", value_delimiter = ',', default_value = "0.5%,1%,3.5%", value_parser = percent)]
    delta: Vec<f64>,
    /// Latency: mean and standard deviation, in milliseconds
    #[arg(long, value_name = "MEAN,SD", value_parser = latency)]
    latency: Option<(f64, f64)>,
    /// Where latency is added
    #[arg(long = "where", value_enum, default_value = "inside", requires = "latency")]
    place: Place,
    /// Fights for each point; 10 if there is latency
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    fights: Option<u64>,
    /// With --csv: the curves themselves, a line a point
    #[arg(long, requires = "csv")]
    points: bool,
    #[command(flatten)]
    form: Form,
}

fn latency(text: &str) -> Result<(f64, f64), String> {
    let (mean, deviation) = text.split_once(',').ok_or("must be a mean and a standard deviation, such as 100,10")?;
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x / 1000.0),
        _ => Err(format!("\"{text}\" is not a finite number, zero or more")),
    };
    Ok((number(mean)?, number(deviation)?))
}

/// One line of the table.
#[derive(Serialize)]
pub(crate) struct Row {
    model: Who,
    driver: String,
    events: f64,
    mean_error: f64,
    rms: f64,
    peak_to_peak: f64,
    delta: f64,
    scale_factor_deviation: f64,
    scale_factor_least: f64,
    scale_factor_most: f64,
    scale_factor_zeros: f64,
}

/// One point of a curve.
#[derive(Serialize)]
pub(crate) struct Point {
    model: Who,
    driver: String,
    haste: f64,
    dps: f64,
}

pub(crate) fn run(args: Args) -> Outcome {
    let latency =
        args.latency.map_or(Latency::NONE, |(mean, deviation)| Latency { mean, deviation, place: args.place });
    if args.model == Who::P && args.latency.is_some() {
        return Err("the parallel streams know no latency; take F or M".into());
    }
    let fights = args.fights.unwrap_or(if args.latency.is_some() { 10 } else { 1 });
    let sweep = Sweep { who: args.model, latency, fights };
    let comparison = Comparison::run(&sweep, &granularities(&args.wheel_granularity))?;
    if args.points {
        return args.form.print(&points(&comparison), String::new);
    }
    let rows = rows(&comparison, &args.delta)?;
    args.form.print(&rows, || {
        let against =
            if args.model == Who::M || args.latency.is_some() { "the event-driven driver" } else { "the formula" };
        format!("deviations from {against} at the same haste, 0 to 40 %\n\n{}", table(&rows).text())
    })
}

fn driver(granularity: Option<u64>) -> String {
    granularity.map_or("event-driven".to_owned(), |granularity| format!("wheel {granularity}"))
}

/// A line for every driver and every difference in haste.
pub(crate) fn rows(comparison: &Comparison, deltas: &[f64]) -> Result<Vec<Row>, BoxError> {
    for &delta in deltas {
        if comparison.event_driven.scale_factors(delta).is_none() {
            let step = comparison.event_driven.step;
            return Err(
                format!("{}% is not a multiple of {}%, the step of the sweep", rounded(delta), rounded(step)).into()
            );
        }
    }
    let mut events = vec![comparison.event_driven.events];
    events.extend(comparison.wheels.iter().map(|(_, curve)| curve.events));
    let mut rows = Vec::new();
    for ((granularity, errors), events) in comparison.errors(deltas).into_iter().zip(events) {
        let Errors { mean, rms, peak_to_peak, scale_factors } = errors;
        rows.extend(scale_factors.into_iter().map(|factor| Row {
            model: comparison.who,
            driver: driver(granularity),
            events,
            mean_error: mean,
            rms,
            peak_to_peak,
            delta: factor.delta,
            scale_factor_deviation: factor.deviation,
            scale_factor_least: factor.least,
            scale_factor_most: factor.most,
            scale_factor_zeros: factor.zeros,
        }));
    }
    Ok(rows)
}

pub(crate) fn points(comparison: &Comparison) -> Vec<Point> {
    let event_driven = std::iter::once((None, &comparison.event_driven));
    let wheels = comparison.wheels.iter().map(|(granularity, curve)| (Some(*granularity), curve));
    let mut points = Vec::new();
    for (granularity, curve) in event_driven.chain(wheels) {
        points.extend(curve.dps.iter().enumerate().map(|(point, &dps)| Point {
            model: comparison.who,
            driver: driver(granularity),
            haste: (curve.haste(point) * 1e4).round() / 1e4,
            dps,
        }));
    }
    points
}

pub(crate) fn table(rows: &[Row]) -> Table {
    let mut table = Table::new([
        "driver",
        "mean error",
        "rms",
        "peak to peak",
        "delta",
        "scale factor: sd of the error",
        "from ... to (1 is true)",
        "zero",
    ]);
    let mut last = "";
    for row in rows {
        let share = |share: f64, decimals: usize| format!("{:.decimals$} %", 100.0 * share);
        let curve = if row.driver == last {
            [String::new(), String::new(), String::new(), String::new()]
        } else {
            [row.driver.clone(), share(row.mean_error, 3), share(row.rms, 3), share(row.peak_to_peak, 2)]
        };
        last = &row.driver;
        let range = format!("{:.2} ... {:.2}", row.scale_factor_least, row.scale_factor_most);
        let factors = [
            format!("{} %", rounded(row.delta)),
            share(row.scale_factor_deviation, 1),
            range,
            share(row.scale_factor_zeros, 0),
        ];
        table.row(curve.into_iter().chain(factors));
    }
    table
}

/// A share as a percentage without the digits that binary fractions add.
pub(crate) fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}
