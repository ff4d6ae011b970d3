//! `hard-discs drill`: what stale events do when nothing voids them, who notices first, and that the right version, run again,
//! is the same to the last bit.

use std::process::ExitCode;

use hard_discs::{Certificate, HardDiscs, Hit, Violation, input};
use saltus::observe::{GO_ON, Verdict};
use saltus::{BoxError, Header, Model, Observer, Settings, Simulation};

use super::source::{Source, not_negative};
use super::{Outcome, line};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// How far to run
    #[arg(long, value_name = "T", default_value_t = 100.0, value_parser = not_negative, allow_negative_numbers = true)]
    until: f64,
}

/// Every event as it is about to run.
#[derive(Default, PartialEq)]
struct Trace(Vec<(f64, Hit)>);

impl Observer<HardDiscs> for Trace {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, _: &HardDiscs) -> Verdict {
        self.0.push((event.time, *hit));
        GO_ON
    }
}

struct Flight {
    trace: Trace,
    violation: Option<Violation>,
    last: String,
}

pub(crate) fn run(args: Args) -> Outcome {
    let start = args.source.discs()?;
    let baseline = fly(start.clone(), args.until, Certificate::new)?;
    if let Some(violation) = &baseline.violation {
        line(format_args!("baseline: {violation}"))?;
        return Ok(ExitCode::FAILURE);
    }
    line(format_args!("baseline    {} events by t = {}, every law holds", baseline.trace.0.len(), args.until))?;

    line("fault       the same discs, but predictions carry no stamps, so none is ever void")?;
    let broken = fly(start.clone().without_stamps(), args.until, Certificate::new)?;
    match first_difference(&baseline.trace, &broken.trace) {
        None => line("            no event differs: nothing was ever voided on the way")?,
        Some(n) => {
            let name = |flight: &Flight| flight.trace.0.get(n).map_or("nothing more".to_owned(), name);
            line(format_args!("diverges    at event {}: {} instead of {}", n + 1, name(&broken), name(&baseline)))?;
        }
    }
    if let Some(violation) = &broken.violation {
        line(format_args!("noticed     {violation}"))?;
        let physics = fly(start.clone().without_stamps(), args.until, Certificate::of_physics_only)?;
        match physics.violation {
            Some(violation) => line(format_args!("physics     {violation}"))?,
            None => line("physics     no law of physics is broken by then")?,
        }
    }

    let replay = fly(start, args.until, Certificate::new)?;
    let same = replay.trace == baseline.trace && replay.last == baseline.last;
    line(format_args!(
        "recovered   with stamps again, {} events and the final state are {} the baseline",
        replay.trace.0.len(),
        if same { "bit for bit" } else { "NOT" }
    ))?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fly(model: HardDiscs, until: f64, certify: fn(&HardDiscs) -> Certificate) -> Result<Flight, BoxError> {
    let observer = (Trace::default(), certify(&model));
    let mut simulation = Simulation::with(model, Settings::default(), observer);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    simulation.run_until(until)?;
    let now = simulation.now();
    let (model, (trace, certificate)) = simulation.into_parts();
    Ok(Flight { trace, violation: certificate.violation().cloned(), last: input::write(&model, now) })
}

fn first_difference(a: &Trace, b: &Trace) -> Option<usize> {
    let shorter = a.0.len().min(b.0.len());
    (0..shorter).find(|&n| a.0[n] != b.0[n]).or((a.0.len() != b.0.len()).then_some(shorter))
}

fn name((time, hit): &(f64, Hit)) -> String {
    let discs: Vec<String> = hit.discs().map(|disc| disc.to_string()).collect();
    format!("{} of {} at t = {time}", HardDiscs::kind(hit), discs.join(" and "))
}
