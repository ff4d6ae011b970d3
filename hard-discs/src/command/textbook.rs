//! `hard-discs bench --textbook`: what each improvement on the textbook's loop buys.

use std::process::ExitCode;

use cpu_time::ProcessTime;
use hard_discs::starts::{lattice, maxwell};
use hard_discs::{Earliest, Every, HardSpheres, Neighbours, Schedule};
use saltus::queue::{Heap, Ladder, QueueKind};
use saltus::{BoxError, Settings, Simulation};

use super::{Outcome, line};

/// The ways, each with one more improvement than the one before.
const WAYS: [&str; 5] = ["textbook", "lazy moves", "neighbours", "earliest", "ladder"];

#[derive(serde::Serialize)]
struct Row {
    eta: f64,
    n: usize,
    /// All pairs, every prediction an event in a heap, all discs moved at each event.
    textbook: f64,
    /// Only the discs that collide are moved.
    lazy_moves: f64,
    /// Partners are looked for in cells or lists.
    neighbours: f64,
    /// Only the earliest prediction of each disc is an event.
    earliest: f64,
    /// A ladder queue in place of the heap.
    ladder: f64,
}

/// Prints nanoseconds a pair collision of discs between walls, as in the textbook.
pub(crate) fn table(etas: &[f64], seconds: f64, json: bool) -> Outcome {
    if !json {
        let [a, b, c, d, e] = WAYS;
        line(format_args!("nanoseconds a collision\n{:>6} {:>8} {a:>11} {b:>11} {c:>11} {d:>11} {e:>11}", "eta", "N"))?;
    }
    for &eta in if etas.is_empty() { &[0.3, 0.6] } else { etas } {
        for n in [100, 300, 1000, 3000, 10_000] {
            let row = row(eta, n, seconds)?;
            line(if json { serde_json::to_string(&row)? } else { row.text() })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn row(eta: f64, n: usize, seconds: f64) -> Result<Row, BoxError> {
    let all = gas::<Every>(eta, n, Neighbours::All)?;
    Ok(Row {
        eta,
        n,
        textbook: time(all.clone().moving_all(), Heap, seconds)?,
        lazy_moves: time(all, Heap, seconds)?,
        neighbours: time(gas::<Every>(eta, n, Neighbours::Auto)?, Heap, seconds)?,
        earliest: time(gas::<Earliest>(eta, n, Neighbours::Auto)?, Heap, seconds)?,
        ladder: time(gas::<Earliest>(eta, n, Neighbours::Auto)?, Ladder, seconds)?,
    })
}

fn gas<S: Schedule>(eta: f64, n: usize, neighbours: Neighbours) -> Result<HardSpheres<2, S>, BoxError> {
    let (mut particles, walls) = lattice::<2>(n, eta, [false; 2])?;
    maxwell(&mut particles, 1.0, 1);
    Ok(HardSpheres::new(particles, walls)?.with_neighbours(neighbours))
}

/// Nanoseconds a collision, after a tenth of the time.
fn time<S: Schedule, Q: QueueKind<f64>>(model: HardSpheres<2, S>, queue: Q, seconds: f64) -> Result<f64, BoxError> {
    let mut simulation = Simulation::with_queue(model, Settings::default(), (), queue);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let mut measured = [0.0; 2];
    for (part, measured) in [0.1 * seconds, seconds].into_iter().zip(&mut measured) {
        let (begin, before) = (ProcessTime::now(), simulation.model().work().pairs);
        while begin.elapsed().as_secs_f64() < part {
            simulation.run_events(20)?;
        }
        let pairs = simulation.model().work().pairs - before;
        *measured = 1e9 * begin.elapsed().as_secs_f64() / pairs.max(1) as f64;
    }
    Ok(measured[1])
}

impl Row {
    fn text(&self) -> String {
        let Row { eta, n, textbook, lazy_moves, neighbours, earliest, ladder } = self;
        format!(
            "{eta:>6} {n:>8} {textbook:>11.0} {lazy_moves:>11.0} {neighbours:>11.0} {earliest:>11.0} {ladder:>11.0}"
        )
    }
}
