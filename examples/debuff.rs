//! A spell: a curse that ends after six seconds and then explodes. Three events in one chain, and one leap of the clock.
//!
//! A time-driven simulator that looks 32 times a second finds 192 of its 193 slots empty on the way. Here the first event
//! schedules the second, that one the third, and nothing happens in between.
//!
//! Shows: the recorder, and the chain that answers "why did it explode?". To ask more, have it write a log:
//! `cargo run --example debuff -- --trace debuff.log`, then `saltus why debuff.log explode@1`.

use std::path::Path;

use saltus::log::{LogHeader, LogTime, Root};
use saltus::observe::Recorder;
use saltus::{BoxError, Context, Model, Outcome, Settings, Simulation, Stamps};
use saltus_examples::{begin_log, end_log, trace_argument};

#[derive(Default)]
struct Fight {
    cursed: bool,
    damage: u32,
}

enum Event {
    Curse,
    CurseEnds,
    Explode,
}

impl Model for Fight {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<0>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            Event::Curse => {
                self.cursed = true;
                cx.schedule_in(6.0, Event::CurseEnds)?;
            }
            Event::CurseEnds => {
                self.cursed = false;
                // Later in the same instant.
                cx.schedule_in(0.0, Event::Explode)?;
            }
            Event::Explode => self.damage += 100,
        }
        Ok(())
    }

    fn kind(event: &Event) -> &'static str {
        match event {
            Event::Curse => "curse",
            Event::CurseEnds => "curse-ends",
            Event::Explode => "explode",
        }
    }
}

fn main() -> Result<(), BoxError> {
    run(trace_argument().as_deref())
}

fn run(trace: Option<&Path>) -> Result<(), BoxError> {
    let settings = Settings::default();
    let header = LogHeader::new("debuff", &settings);
    // Both listen to the same run: one in memory, and one in a file if that is wanted.
    let observers = (Recorder::new(&header), begin_log(trace, &header)?);
    let mut simulation = Simulation::with(Fight::default(), settings, observers);
    simulation.context().schedule_at(0.0, Event::Curse)?;
    let result = simulation.run();
    let (fight, (recorder, log)) = simulation.into_parts();
    end_log(log, &result)?;
    let log = recorder.log(&header, Some(&result))?;
    result?;

    let explosion = log.find("explode@1")?;
    println!("why did it explode?");
    let chain = log.why(explosion.id).ok_or("it did not")?;
    for link in &chain.links {
        let gap = link.gap.map_or("from outside".to_owned(), |gap| format!("{gap} s after its cause"));
        println!("  {} {} at {}: {gap}", link.event.id, link.event.kind, link.event.time);
    }
    let mut times: Vec<LogTime> = log.executed().map(|event| event.time()).collect();
    times.dedup();
    println!("{} events, {} leap of the clock", log.executed().len(), times.len() - 1);
    assert_eq!((chain.links.len(), chain.root, chain.span()), (3, Root::Outside, 6.0));
    assert_eq!((log.executed().len(), times.len() - 1), (3, 1));
    assert_eq!((fight.damage, fight.cursed), (100, false));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run(None)
}

#[test]
fn its_log_can_be_read() -> Result<(), BoxError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("debuff.log");
    run(Some(&path))?;
    let log = saltus::log::Log::open(&path)?;
    let explosion = log.find("explode@1")?;
    let chain = log.why(explosion.id).ok_or("no chain")?;
    assert_eq!((chain.links.len(), chain.root, chain.span()), (3, Root::Outside, 6.0));
    assert_eq!(log.executed().len(), 3);
    assert!(log.end.is_some(), "the log is complete");
    Ok(())
}
