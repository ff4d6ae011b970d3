//! Hard discs under clocks that do not know when a collision comes.

use hard_discs::starts::{Start, make as start};
use saltus::BoxError;
use timewheel_compare::experiments::discs::Outcomes;
use timewheel_compare::plots::{Axis, Chart, Corner, Look, Series};
use timewheel_compare::table::csv;

use super::Part;
use crate::command::discs::{outcomes, table};

pub(crate) fn make() -> Result<Part, BoxError> {
    let billiards = start(Start::Billiards, None, None, 1)?;
    let rows = outcomes(billiards, 60.0, &[8, 32, 128, 1024], &[4.0, 2.0, 1.0, 0.5, 0.1, 0.01])?;
    // Each divides the time.
    let steps = [10.0, 5.0, 4.0, 2.5, 2.0, 1.25, 1.0, 0.8, 0.5, 0.4, 0.25, 0.2, 0.1];
    let gas = outcomes(start(Start::Random, Some(100), None, 7)?, 20.0, &[], &steps)?;
    let missed = |rows: &[Outcomes]| -> Vec<(f64, f64)> {
        let reference = rows[0].collisions.max(1) as f64;
        rows.iter()
            .filter(|row| row.clock == "fixed step")
            .map(|row| (row.dt, 100.0 * row.missed as f64 / reference))
            .collect()
    };
    let worst = missed(&gas).iter().map(|point| point.1).fold(0.0, f64::max);
    let chart = Chart {
        title: "Collisions that a fixed step misses".to_owned(),
        x: Axis::logarithmic("step / s", 0.08, 13.0),
        y: Axis::linear("missed collisions / %", 0.0, (1.2 * worst).max(10.0)),
        series: vec![
            Series::new("gas of 100 discs, 20 s", Look::Circles, missed(&gas)),
            Series::new(
                "billiards, 60 s",
                Look::Triangles,
                missed(&rows).into_iter().filter(|point| point.0 >= 0.1).collect(),
            ),
        ],
        legend: Corner::UpperLeft,
    };
    let wheel = &rows[2];
    let coarse = &gas[1];
    let largest = gas[1..].iter().find(|row| row.missed + row.spurious == 0);
    let largest = largest.map_or("No step here is small enough to find them all".to_owned(), |row| {
        format!("A step of {} s finds them all, with {} checks for overlap", row.dt, row.checks)
    });
    let text = format!(
        "\
## Hard discs

Between collisions discs fly straight, so an event-driven run is exact, and a certificate re-checks every law of physics after
every event. Under the other clocks:

Ten billiard balls and a cue ball, 60 s:

{}
On a wheel with 32 slots a second the first law to be broken is that of {}: when the collision happens at the slot's end the discs
are already inside each other, in the deepest case by {:.1e} of the sum of their radii. Energy and momentum are still kept, which is
why such an error is easily overlooked. Finer slots make it smaller, in proportion, and at none is it gone.

A gas of 100 discs, 20 s, of which the event-driven run finds {} collisions with {} predictions:

{}
![missed collisions](missed.svg)

*A fixed step looks only now and then: a step of {} s misses {} of {} collisions, and has {} that never were, since after the
first one missed the discs fly elsewhere. {largest}. The number of checks is N²/2 a step and so grows as N²T/dt; \
the event-driven run made {} predictions.*
",
        table(&rows).markdown(),
        wheel.broken.clone().unwrap_or_else(|| "none".to_owned()),
        wheel.deepest,
        gas[0].collisions,
        gas[0].checks,
        table(&gas).markdown(),
        coarse.dt,
        coarse.missed,
        gas[0].collisions,
        coarse.spurious,
        gas[0].checks,
    );
    Ok(Part {
        gist: format!(
            "A fixed step of {} s misses {} of {} collisions of a gas; a wheel lets discs overlap before they collide, by up to \
             {:.1e} of their size at 32 slots a second.",
            coarse.dt, coarse.missed, gas[0].collisions, wheel.deepest
        ),
        text,
        files: vec![
            ("missed.svg".to_owned(), chart.svg()?),
            ("discs-billiards.csv".to_owned(), csv(&rows)?),
            ("discs-gas.csv".to_owned(), csv(&gas)?),
        ],
    })
}
