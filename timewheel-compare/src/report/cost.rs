//! Time on the wall clock.

use saltus::BoxError;
use timewheel_compare::drivers::Driver;
use timewheel_compare::experiments::cost::{Cost, cost, filler_cost};
use timewheel_compare::experiments::haste::{Comparison, Sweep, Who};
use timewheel_compare::plots::{Axis, Chart, Corner, Look, Series};
use timewheel_compare::settings::Settings;
use timewheel_compare::table::{Table, csv};

use super::Part;
use crate::command::cost::{costs, table};

const GRANULARITIES: &[u64] = &[8, 32, 128, 512];
const DENSITIES: &[f64] = &[0.2, 2.0, 20.0, 200.0];
const TIMES: u32 = 5;

pub(crate) fn make() -> Result<Part, BoxError> {
    let rows = costs(GRANULARITIES, DENSITIES, TIMES)?;
    let find = |driver: Driver, granularity: u64, density: f64| {
        let same = |row: &&Cost| {
            row.driver == driver.name()
                && row.density == density
                && row.granularity.is_none_or(|slots| slots == granularity)
        };
        rows.iter().find(same).ok_or_else(|| BoxError::from("a cost is missing"))
    };
    let sparse = (find(Driver::EventDriven, 0, 2.0)?, find(Driver::QuantisingWheel, 32, 2.0)?);
    let fine = find(Driver::QuantisingWheel, 512, 2.0)?;
    let skipping = find(Driver::SkippingWheel, 512, 2.0)?;
    let dense = (find(Driver::EventDriven, 0, 200.0)?, find(Driver::QuantisingWheel, 32, 200.0)?);
    let slot_ns = 1e6 * (fine.milliseconds - skipping.milliseconds) / (fine.visited - skipping.visited) as f64;

    let (pairs, event_driven) = errors_and_costs()?;
    let mut trade = Table::new(["F", "ms a simulated hour", "rms error of damage"]);
    trade.row(["event-driven".to_owned(), format!("{event_driven:.3}"), "0".to_owned()]);
    for (granularity, ms, error) in &pairs {
        trade.row([format!("wheel, {granularity} slots a second"), format!("{ms:.3}"), format!("{error:.4} %")]);
    }
    let shown: Vec<Cost> = rows.iter().filter(|row| [2.0, 200.0].contains(&row.density)).cloned().collect();
    let text = format!(
        "\
## Time on the wall clock

A hundred timers run out so many times a second altogether. Each run is an hour of simulated time; the fastest of {TIMES} counts. (More
densities are in `cost.csv`.)

{}
![empty slots](empty.svg)

*The thinner events are, the more of the slots are empty, and finer slots are emptier still.*

At 2 events a second the event-driven driver takes {:.2} ms, whatever the granularity; the wheel takes {:.2} ms with 32 slots a
second and {:.2} ms with 512: {slot_ns:.1} ns for each empty slot. The bitmap mends that ({:.2} ms with 512 slots a second), as
scanning can be mended. Where events are dense the wheel is a good list: at 200 a second it takes {:.1} ms against {:.1} ms.

![error against cost](error-cost.svg)

*F. On a wheel each halving of the error costs twice the visits; the event-driven driver has no error to trade. It stands at the
lower edge, as there is no zero on this axis.*

{}
",
        table(&shown).markdown(),
        sparse.0.milliseconds,
        sparse.1.milliseconds,
        fine.milliseconds,
        skipping.milliseconds,
        dense.1.milliseconds,
        dense.0.milliseconds,
        trade.markdown()
    );
    Ok(Part {
        gist: format!(
            "At 2 events a second a simulated hour takes {:.2} ms event-driven, {:.2} ms on a wheel with 32 slots a second and {:.2} \
             ms with 512. A bitmap of empty slots mends the cost, and not the error.",
            sparse.0.milliseconds, sparse.1.milliseconds, fine.milliseconds
        ),
        text,
        files: vec![
            ("empty.svg".to_owned(), empty()?.svg()?),
            ("error-cost.svg".to_owned(), error_against_cost(&pairs, event_driven).svg()?),
            ("cost.csv".to_owned(), csv(&rows)?),
            ("error-cost.csv".to_owned(), csv(&pairs)?),
        ],
    })
}

type Trade = (u64, f64, f64);

/// For each granularity milliseconds an hour and the error in percent; and the milliseconds of the event-driven driver.
fn errors_and_costs() -> Result<(Vec<Trade>, f64), BoxError> {
    let granularities = [8, 16, 32, 64, 128, 256, 512, 1024];
    let comparison = Comparison::run(&Sweep::new(Who::F), &granularities)?;
    let errors = comparison.errors(&[]);
    let mut pairs = Vec::new();
    for (&granularity, (_, errors)) in granularities.iter().zip(&errors[1..]) {
        let settings = Settings { granularity, ..Settings::default() };
        pairs.push((granularity, filler_cost(Driver::QuantisingWheel, &settings, TIMES)?, 100.0 * errors.rms));
    }
    Ok((pairs, filler_cost(Driver::EventDriven, &Settings::default(), TIMES)?))
}

fn error_against_cost(pairs: &[Trade], event_driven: f64) -> Chart {
    let wheel: Vec<(f64, f64)> = pairs.iter().map(|&(_, ms, error)| (ms, error)).collect();
    let cheapest = wheel.iter().map(|point| point.0).fold(event_driven, f64::min);
    let dearest = wheel.iter().map(|point| point.0).fold(event_driven, f64::max);
    let least = wheel.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let edge = 0.3 * least;
    Chart {
        title: "F: error of damage against time on the wall clock".to_owned(),
        x: Axis::logarithmic("time on the wall clock for a simulated hour / ms", 0.5 * cheapest, 2.0 * dearest),
        y: Axis::logarithmic("rms error of damage / %", edge, 5.0),
        series: vec![
            Series::new("quantising wheel, 8 to 1024 slots a second", Look::Circles, wheel),
            Series::new(
                "event-driven: no error, drawn at the edge",
                Look::Triangles,
                vec![(event_driven, 1.15 * edge)],
            ),
        ],
        legend: Corner::UpperRight,
    }
}

fn empty() -> Result<Chart, BoxError> {
    let mut series = Vec::new();
    for (granularity, look) in [(8, Look::Crosses), (32, Look::Circles), (128, Look::Triangles)] {
        let settings = Settings { granularity, ..Settings::default() };
        let mut points = Vec::new();
        for density in [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0] {
            let cost = cost(Driver::QuantisingWheel, density, &settings, 1)?;
            points.push((density, 100.0 * cost.empty_share()));
        }
        series.push(Series::new(format!("{granularity} slots a second"), look, points));
    }
    Ok(Chart {
        title: "Share of slots that are empty".to_owned(),
        x: Axis::logarithmic("events a second", 0.15, 700.0),
        y: Axis::linear("empty slots / %", 0.0, 105.0),
        series,
        legend: Corner::LowerLeft,
    })
}
