//! `hard-discs reverse`: the laws know no direction of time; rounding does.

use std::process::ExitCode;

use hard_discs::HardDiscs;
use saltus::{BoxError, Simulation};

use super::source::{Source, positive};
use super::{Outcome, line};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// The longest way there and back
    #[arg(long, value_name = "T", default_value_t = 100.0, value_parser = positive, allow_negative_numbers = true)]
    until: f64,
    /// How many ways, evenly spaced
    #[arg(long, value_name = "N", default_value_t = 10)]
    rows: u32,
    /// Print JSON lines, one object a way
    #[arg(long)]
    json: bool,
}

#[derive(serde::Serialize)]
struct Row {
    until: f64,
    collisions_there: u64,
    collisions_back: u64,
    largest_distance: f64,
}

pub(crate) fn run(args: Args) -> Outcome {
    let start = args.source.discs()?;
    if !args.json {
        line(format_args!("{:>12} {:>12} {:>12} {:>18}", "until", "there", "back", "largest distance"))?;
    }
    for row in 1..=args.rows {
        let until = args.until * f64::from(row) / f64::from(args.rows);
        let row = there_and_back(&start, until)?;
        if args.json {
            line(serde_json::to_string(&row)?)?;
        } else {
            let Row { until, collisions_there, collisions_back, largest_distance } = row;
            line(format_args!("{until:>12} {collisions_there:>12} {collisions_back:>12} {largest_distance:>18.3e}"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn there_and_back(start: &HardDiscs, until: f64) -> Result<Row, BoxError> {
    let there = fly(start.clone(), until)?;
    let back = fly(there.reversed_at(until), until)?;
    let largest_distance = std::iter::zip(start.discs(), back.positions_at(until))
        .map(|(disc, [x, y])| (disc.position[0] - x).hypot(disc.position[1] - y))
        .fold(0.0, f64::max);
    let [collisions_there, collisions_back] = [&there, &back].map(|model| model.work().pairs + model.work().walls);
    Ok(Row { until, collisions_there, collisions_back, largest_distance })
}

fn fly(model: HardDiscs, until: f64) -> Result<HardDiscs, BoxError> {
    let mut simulation = Simulation::new(model);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    simulation.run_until(until)?;
    Ok(simulation.into_parts().0)
}
