//! What latency mends, and what it does not.

use saltus::BoxError;
use timewheel_compare::experiments::haste::{Comparison, Sweep, Who};
use timewheel_compare::experiments::latency::{Damping, damping};
use timewheel_compare::models::{Latency, Place};
use timewheel_compare::plots::{Axis, Chart, Corner, Look, Series};
use timewheel_compare::settings::Settings;
use timewheel_compare::table::{Table, csv};

use super::Part;

pub(crate) fn make() -> Result<Part, BoxError> {
    let settings = Settings::default();
    let slot = 1.0 / settings.granularity as f64;
    let mut rows: Vec<Damping> = Vec::new();
    for place in [Place::Inside, Place::After] {
        for share in [0.0, 0.1, 0.2, 0.3, 0.4, 0.5] {
            rows.push(damping(Latency { mean: 0.1, deviation: share * slot, place }, &settings)?);
        }
    }
    let mut table =
        Table::new(["latency 100 ms, sd/ms", "where", "mean added/ms", "oscillation/ms", "by the formula/ms"]);
    let ms = |seconds: f64| format!("{:.3}", 1000.0 * seconds);
    for row in &rows {
        let (place, formula) = if row.inside { ("inside", ms(row.predicted)) } else { ("after", "-".to_owned()) };
        table.row([ms(row.deviation), place.to_owned(), ms(row.offset), ms(row.amplitude), formula]);
    }
    let mut sweeps = Table::new(["F, 32 slots a second", "scale factor at 1 %: sd of the error", "from ... to"]);
    let mut smoothed = Vec::new();
    for (name, latency) in [
        ("no latency", Latency::NONE),
        ("100 ms, constant, inside", Latency { mean: 0.1, deviation: 0.0, place: Place::Inside }),
        ("100 ms, sd 10 ms, inside", Latency { mean: 0.1, deviation: 0.01, place: Place::Inside }),
        ("100 ms, sd 10 ms, after", Latency { mean: 0.1, deviation: 0.01, place: Place::After }),
    ] {
        let fights = if latency.deviation > 0.0 { 10 } else { 1 };
        let comparison = Comparison::run(&Sweep { who: Who::F, latency, fights }, &[settings.granularity])?;
        let factors = comparison.errors(&[0.01])[1].1.scale_factors[0];
        let range = format!("{:.2} ... {:.2}", factors.least, factors.most);
        sweeps.row([name.to_owned(), format!("{:.1} %", 100.0 * factors.deviation), range]);
        smoothed.push(factors.deviation);
    }
    let of = |inside: bool| -> Vec<(f64, f64)> {
        let mine = rows.iter().filter(|row| row.inside == inside);
        mine.map(|row| (row.deviation / slot, 1000.0 * row.amplitude)).collect()
    };
    let formula = |step: u32| {
        let share = f64::from(step) / 100.0;
        (share, 1000.0 * slot / std::f64::consts::PI * (-2.0 * (std::f64::consts::PI * share).powi(2)).exp())
    };
    let chart = Chart {
        title: "Oscillation of the mean period against the spread of latency".to_owned(),
        x: Axis::linear("standard deviation of latency / length of a slot", 0.0, 0.52),
        y: Axis::linear("amplitude of the oscillation / ms", 0.0, 13.0),
        series: vec![
            Series::new("formula, inside", Look::Grey, (0..=52).map(formula).collect()),
            Series::new("measured, inside of the delay", Look::Point, of(true)),
            Series::new("measured, after it", Look::Triangles, of(false)),
        ],
        legend: Corner::UpperRight,
    };
    let text = format!(
        "\
## Latency

The usual remedy is random latency. It helps only where it is part of the same delay, and only by its spread: the oscillation of
the mean period, s/π for slots of length s, is damped by exp(-2π²σ²/s²).

![damping](latency.svg)

*A constant latency does nothing. Inside of the delay a standard deviation of a third of a slot nearly removes the oscillation;
in an event of its own after the slot's end it comes too late. The mean loss of half a slot, {} ms, stays in any case.*

{}
{}
So the error is not removed but smeared over: the model now has more latency than the game, or slots so fine that they cost more.
",
        ms(0.5 * slot),
        table.markdown(),
        sweeps.markdown()
    );
    Ok(Part {
        gist: format!(
            "Random latency hides this if its standard deviation is a third of a slot and it is drawn inside of the same delay \
             (error of the scale factor {:.0} % instead of {:.0} %), and not if it comes after (still {:.0} %).",
            100.0 * smoothed[2],
            100.0 * smoothed[0],
            100.0 * smoothed[3]
        ),
        text,
        files: vec![("latency.svg".to_owned(), chart.svg()?), ("latency.csv".to_owned(), csv(&rows)?)],
    })
}
