//! `hard-discs ties`: does the order of simultaneous collisions matter?

use std::process::ExitCode;

use hard_discs::{HardDiscs, input};
use saltus::log::{LogHeader, TieReport, TieRun, tie_sensitivity};
use saltus::observe::Recorder;
use saltus::{BoxError, Settings, Simulation, TieOrder};

use super::source::{Source, not_negative};
use super::{Outcome, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// How far to run
    #[arg(long, value_name = "T", default_value_t = 100.0, value_parser = not_negative, allow_negative_numbers = true)]
    until: f64,
    /// How many random orders to try
    #[arg(long, value_name = "N", default_value_t = 20)]
    orders: u64,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Outcome {
    let start = args.source.discs()?;
    let report = tie_sensitivity(args.orders, |ties| fly(start.clone(), args.until, ties))?;
    let text = if args.json { serde_json::to_string(&report)? + "\n" } else { in_words(&report) };
    print(&text)?;
    Ok(if report.is_sensitive() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn in_words(report: &TieReport) -> String {
    let mut text = format!("{} events whose place the tie rule decided; {} other orders\n", report.ties, report.orders);
    let mut say = |line: String| text.push_str(&(line + "\n"));
    for output in &report.outputs {
        if output.differs.is_empty() {
            say(format!("{:<12} is the same in all of them", output.name));
            continue;
        }
        say(format!("{:<12} DIFFERS in {} of them", output.name, output.differs.len()));
        let Some(begins) = &output.begins else { continue };
        say(format!("  from the tie at {} (seed {}), where {}", begins.time, begins.seed, begins.shuffled));
        say(format!("  comes before {}", begins.scheduled));
        if let Some(change) = &begins.changed {
            let name = |name: &Option<String>| name.clone().unwrap_or("nothing".to_owned());
            let (shuffled, scheduled) = (name(&change.shuffled), name(&change.scheduled));
            say(format!("  other things happen from {} on: {shuffled} instead of {scheduled}", change.time));
        }
    }
    text
}

fn fly(model: HardDiscs, until: f64, ties: TieOrder) -> Result<TieRun, BoxError> {
    let settings = Settings { ties, ..Settings::default() };
    let header = LogHeader::new("hard-discs", &settings);
    let mut simulation = Simulation::with(model, settings, Recorder::new(&header));
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let result = simulation.run_until(until);
    let log = simulation.observer().log(&header, Some(&result))?;
    result?;
    let (model, now) = (simulation.model(), simulation.now());
    let outputs = [
        ("pair events", model.work().pairs.to_string()),
        ("wall events", model.work().walls.to_string()),
        ("energy", model.energy().to_string()),
        ("final state", input::write(model, now)),
    ];
    Ok(TieRun { outputs: outputs.map(|(name, value)| (name.to_owned(), value)).into(), log })
}
