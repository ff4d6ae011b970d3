//! `hard-discs step`: the textbook's five stages, told in words as the kernel goes through them.

use std::fmt::{Display, Write as _};
use std::process::ExitCode;

use hard_discs::{HardDiscs, Hit};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Context, Entity, EventId, Header, Model, Observer, Settings, Simulation};

use super::source::Source;
use super::{Outcome, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// How many events to tell
    #[arg(long, short = 'n', value_name = "N", default_value_t = 5)]
    events: u64,
}

pub(crate) fn run(args: Args) -> Outcome {
    let model = args.source.discs()?;
    let mut simulation = Simulation::with(model, Settings::default(), Narrator::default());
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    let entities = (0..model.len()).filter_map(|disc| model.disc(disc).entity);
    let versions = entities.map(|entity| (entity, cx.version(entity).unwrap_or(0))).collect();
    let predictions = model.work().predictions;
    let narrator = simulation.observer_mut();
    narrator.versions = versions;
    print(&format!("t = 0, {} discs\n", narrator.versions.len()))?;
    narrator.tell_predictions("predict", predictions);
    print(&narrator.take())?;
    for _ in 0..args.events {
        let before = simulation.model().work().predictions;
        if simulation.step()?.is_some() {
            print(&(simulation.observer_mut().take() + "\nnothing more can happen\n"))?;
            break;
        }
        let predictions = simulation.model().work().predictions - before;
        simulation.observer_mut().tell_predictions("predict again", predictions);
        print(&simulation.observer_mut().take())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells what happens, and gathers what is scheduled until it is told.
#[derive(Default)]
struct Narrator {
    /// What has been told and not yet been printed.
    text: String,
    events: u64,
    hit: Option<Hit>,
    scheduled: Vec<(f64, Hit)>,
    /// For each disc its entity and that one's version.
    versions: Vec<(Entity, u64)>,
}

impl Narrator {
    fn say(&mut self, stage: &str, what: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "  {stage:<15} {what}");
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn tell_predictions(&mut self, stage: &str, computed: u64) {
        let mut scheduled = std::mem::take(&mut self.scheduled);
        self.say(stage, format_args!("{computed} contact times computed, {} contacts to come", scheduled.len()));
        scheduled.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first: Vec<String> = scheduled.iter().take(3).map(|(t, hit)| format!("{} at {t:.6}", name(hit))).collect();
        let first = if first.is_empty() { "nothing".to_owned() } else { first.join(", ") };
        let more = scheduled.len().saturating_sub(3);
        let more = if more > 0 { format!(", and {more} later ones") } else { String::new() };
        self.say("insert", format_args!("{first}{more}"));
    }

    /// The event's number against the versions of its discs: it is stale if it is smaller than one of them.
    fn tell_validity(&mut self, event: &Header<f64>, hit: &Hit, outcome: &str) {
        let version = |disc: usize| self.versions.get(disc).map_or(0, |version| version.1);
        let against: Vec<String> =
            hit.discs().map(|disc| format!("version {} of disc {disc}", version(disc))).collect();
        let (number, against) = (event.id.sequence(), against.join(" and "));
        self.say("validate", format_args!("{} has number {number}, against {against}: {outcome}", name(hit)));
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
        self.tell_validity(event, hit, "stale, it is dropped and the clock stays");
    }

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        self.events += 1;
        self.hit = Some(*hit);
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "\nevent {}: {} at t = {}", self.events, name(hit), event.time);
        for i in hit.discs() {
            let disc = model.disc(i);
            let [x, y] = disc.position_at(event.time);
            self.say(
                "move",
                format_args!("disc {i} from ({:.6}, {:.6}) to ({x:.6}, {y:.6})", disc.position[0], disc.position[1]),
            );
        }
        self.tell_validity(event, hit, "it holds");
        for i in hit.discs() {
            let [vx, vy] = model.disc(i).velocity;
            self.say("", format_args!("disc {i} comes with velocity ({vx:.6}, {vy:.6})"));
        }
        GO_ON
    }

    fn touched(&mut self, entity: Entity, version: u64, _: Option<EventId>) {
        let Some(disc) = self.versions.iter().position(|known| known.0 == entity) else { return };
        self.versions[disc].1 = version;
        self.say("void", format_args!("all predictions for disc {disc} with a number under {version}"));
    }

    fn after(&mut self, _: &Header<f64>, model: &HardDiscs) -> Verdict {
        for i in self.hit.into_iter().flat_map(Hit::discs) {
            let [vx, vy] = model.disc(i).velocity;
            self.say("respond", format_args!("disc {i} leaves with velocity ({vx:.6}, {vy:.6})"));
        }
        GO_ON
    }
}
