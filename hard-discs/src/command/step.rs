//! `hard-discs step`: the textbook's five stages, told in words as the kernel goes through them.

use std::process::ExitCode;

use hard_discs::{HardDiscs, Hit};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Entity, EventId, Header, Model, Observer, Settings, Simulation};

use super::{Making, Outcome, Source};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    making: Making,
    /// How many events to tell
    #[arg(long, short = 'n', value_name = "N", default_value_t = 5)]
    events: u64,
}

pub(crate) fn run(args: Args) -> Outcome {
    let model = args.source.discs(&args.making)?;
    let mut simulation = Simulation::with(model, Settings::default(), Narrator::default());
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let predictions = simulation.model().work().predictions;
    println!("t = 0, {} discs", simulation.model().discs().len());
    simulation.observer_mut().tell_predictions("predict", predictions);
    for _ in 0..args.events {
        let before = simulation.model().work().predictions;
        if simulation.step()?.is_some() {
            println!("\nnothing more can happen");
            break;
        }
        let predictions = simulation.model().work().predictions - before;
        simulation.observer_mut().tell_predictions("predict again", predictions);
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells what happens, and gathers what is scheduled until it is told.
#[derive(Default)]
struct Narrator {
    told: u64,
    hit: Option<Hit>,
    scheduled: Vec<(f64, Hit)>,
}

fn say(stage: &str, what: impl std::fmt::Display) {
    println!("  {stage:<15} {what}");
}

impl Narrator {
    fn tell_predictions(&mut self, stage: &str, computed: u64) {
        say(stage, format_args!("{computed} contact times computed, {} contacts to come", self.scheduled.len()));
        self.scheduled.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first: Vec<String> =
            self.scheduled.iter().take(3).map(|(t, hit)| format!("{} at {t:.6}", name(hit))).collect();
        let more = self.scheduled.len().saturating_sub(3);
        let more = if more > 0 { format!(", and {more} later ones") } else { String::new() };
        let first = if first.is_empty() { "nothing".to_owned() } else { first.join(", ") };
        say("insert", format_args!("{first}{more}"));
        self.scheduled.clear();
    }
}

fn name(hit: &Hit) -> String {
    let discs: Vec<String> = hit.discs().map(|disc| disc.to_string()).collect();
    format!("{} {}", HardDiscs::kind(hit), discs.join("-"))
}

impl Observer<HardDiscs> for Narrator {
    type Cause = ();

    fn scheduled(&mut self, event: &Header<f64>, hit: &Hit) {
        self.scheduled.push((event.time, *hit));
    }

    fn stale(&mut self, event: &Header<f64>, hit: &Hit) {
        say("validate", format_args!("{} at {:.6} is stale: dropped, the clock stays", name(hit), event.time));
    }

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        self.told += 1;
        self.hit = Some(*hit);
        println!("\nevent {}: {} at t = {}", self.told, name(hit), event.time);
        for i in hit.discs() {
            let (disc, [x, y]) = (&model.discs()[i], model.discs()[i].position_at(event.time));
            say(
                "move",
                format_args!("disc {i} from ({:.6}, {:.6}) to ({x:.6}, {y:.6})", disc.position[0], disc.position[1]),
            );
        }
        say("validate", "no disc of it has collided since it was predicted");
        for i in hit.discs() {
            let [vx, vy] = model.discs()[i].velocity;
            say("", format_args!("disc {i} comes with velocity ({vx:.6}, {vy:.6})"));
        }
        GO_ON
    }

    fn touched(&mut self, entity: Entity, version: u64, _: Option<EventId>) {
        say("void", format_args!("all predictions for disc {entity} with a number under {version}"));
    }

    fn after(&mut self, _: &Header<f64>, model: &HardDiscs) -> Verdict {
        for i in self.hit.into_iter().flat_map(Hit::discs) {
            let [vx, vy] = model.discs()[i].velocity;
            say("respond", format_args!("disc {i} leaves with velocity ({vx:.6}, {vy:.6})"));
        }
        GO_ON
    }
}
