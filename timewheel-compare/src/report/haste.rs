//! Damage and scale factors against haste.

use saltus::BoxError;
use timewheel_compare::experiments::haste::{Comparison, Curve, Sweep, Who};
use timewheel_compare::plots::{Axis, Chart, Corner, Look, Series};
use timewheel_compare::table::csv;

use super::Part;
use crate::command::haste::{points, rows, table};

const DELTAS: &[f64] = &[0.005, 0.01, 0.035];
const GRANULARITIES: &[u64] = &[8, 16, 32, 64, 128];

pub(crate) fn make() -> Result<Part, BoxError> {
    let compare = |who| Comparison::run(&Sweep::new(who), GRANULARITIES);
    let (f, p, m) = (compare(Who::F)?, compare(Who::P)?, compare(Who::M)?);
    let errors = |comparison: &Comparison| comparison.errors(DELTAS).swap_remove(3).1;
    let (off, off_m) = (errors(&f), errors(&m));
    let factors = off.scale_factors[1];
    let empty = 1.0 - m.wheels[2].1.events / (3600.0 * 32.0);
    let text = format!(
        "\
## What a little more haste is worth

Three players fight for an hour with 0 to 40 % haste: **F** casts one spell over and over, so its damage is exactly a straight
line in haste; **P** does three such things side by side; **M** is small but whole, with a global cooldown, a damage-over-time
effect, a cooldown and a priority list. A scale factor is how much damage a second one more unit of haste brings, measured as a
difference quotient; it is shown relative to the true one.

![damage against haste](dps.svg)

*F. A wheel makes every cast last a whole number of slots, so damage climbs stairs instead of a line. At 32 slots a second it is
{:.2} % too low in the mean, and off by {:.2} % from step to edge.*

![scale factor against haste](scale-factor.svg)

*F, for a difference of 1 % haste. On a step more haste is worth nothing, which is so at {:.0} % of all points; across an edge
it is worth up to {:.2} times the truth. The event-driven driver stays on the exact line, but for the one cast that the end of
the fight cuts off.*

F against the formula:

{}
P against the formula:

{}
M against the event-driven driver at the same haste, for M has honest breakpoints of its own:

{}
Each doubling of the granularity halves loss and stairs and doubles the slots to be visited. At 32 slots a second M leaves at
least {:.1} % of them empty. M's wheel is {:.2} % off in the mean and {:.2} % (rms) around that. The sorted-bucket wheel gives the
event-driven result to the last bit and is not listed.
",
        -100.0 * off.mean,
        100.0 * off.peak_to_peak,
        100.0 * factors.zeros,
        factors.most,
        table(&rows(&f, DELTAS)?).markdown(),
        table(&rows(&p, DELTAS)?).markdown(),
        table(&rows(&m, DELTAS)?).markdown(),
        100.0 * empty,
        100.0 * off_m.mean,
        100.0 * off_m.rms,
    );
    Ok(Part {
        gist: format!(
            "Worth of 1 % more haste under a wheel with 32 slots a second: nothing at {:.0} % of all points, up to {:.1} times the \
             truth at others.",
            100.0 * factors.zeros,
            factors.most
        ),
        text,
        files: vec![
            ("dps.svg".to_owned(), damage(&f).svg()?),
            ("scale-factor.svg".to_owned(), scale_factor(&f)?.svg()?),
            ("haste-F.csv".to_owned(), csv(&points(&f))?),
            ("haste-P.csv".to_owned(), csv(&points(&p))?),
            ("haste-M.csv".to_owned(), csv(&points(&m))?),
        ],
    })
}

fn percent(curve: &Curve, values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(point, &value)| (100.0 * curve.haste(point), value)).collect()
}

fn damage(f: &Comparison) -> Chart {
    let wheel = |index: usize, look| {
        let (granularity, curve) = &f.wheels[index];
        Series::new(format!("wheel, {granularity} slots a second"), look, percent(curve, &curve.dps))
    };
    let event_driven = percent(&f.event_driven, &f.event_driven.dps);
    Chart {
        title: "F: damage a second against haste".to_owned(),
        x: Axis::linear("haste / %", 0.0, 40.0),
        y: Axis::linear("damage a second", 48.0, 71.0),
        series: vec![
            Series::new("event-driven", Look::Grey, event_driven),
            wheel(2, Look::Thick),
            wheel(0, Look::Dashed),
        ],
        legend: Corner::UpperLeft,
    }
}

fn scale_factor(f: &Comparison) -> Result<Chart, BoxError> {
    let relative = |curve: &Curve| -> Result<Vec<(f64, f64)>, BoxError> {
        let factors = curve.scale_factors(0.01).ok_or("1 % is a multiple of the step")?;
        let relative: Vec<f64> = factors.iter().map(|factor| factor / f.slope).collect();
        Ok(percent(curve, &relative))
    };
    let (granularity, wheel) = &f.wheels[2];
    Ok(Chart {
        title: "F: scale factor for 1 % haste, relative to the true one".to_owned(),
        x: Axis::linear("haste / %", 0.0, 40.0),
        y: Axis::linear("scale factor / the true one", -0.1, 4.0),
        series: vec![
            Series::new(format!("wheel, {granularity} slots a second"), Look::Thin, relative(wheel)?),
            Series::new("event-driven", Look::Grey, relative(&f.event_driven)?),
            Series::new("exact", Look::Dashed, vec![(0.0, 1.0), (40.0, 1.0)]),
        ],
        legend: Corner::UpperRight,
    })
}
