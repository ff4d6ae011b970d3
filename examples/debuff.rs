//! A spell: a curse that ends after six seconds and then explodes. Three events in one chain, and one leap of the clock.
//!
//! A time-driven simulator that looks 32 times a second finds 192 of its 193 slots empty on the way. Here the first event
//! schedules the second, that one the third, and nothing happens in between.
//!
//! Shows: the recorder, and the chain that answers "why did it explode?". To ask more, have it write a log:
//! `cargo run --example debuff -- --trace debuff.log`, then `saltus why debuff.log explode@1`.

use std::fs::File;
use std::io::BufWriter;

use saltus::log::{LogHeader, LogTime, Root};
use saltus::observe::Recorder;
use saltus::{BoxError, Context, Model, Observer, Outcome, Settings, Simulation, Stamps, Stop};

#[derive(Default)]
struct Fight {
    cursed: bool,
    damage: u32,
}

#[derive(Debug)]
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

fn fight<O: Observer<Fight>>(observer: O) -> Result<(Simulation<Fight, O>, Stop), BoxError> {
    let mut simulation = Simulation::<_, _>::with(Fight::default(), Settings::default(), observer);
    simulation.context().schedule_at(0.0, Event::Curse)?;
    let stop = simulation.run()?;
    Ok((simulation, stop))
}

fn main() -> Result<(), BoxError> {
    let header = LogHeader::new("debuff", &Settings::<f64>::default());
    let (simulation, stop) = fight(Recorder::new(&header))?;
    let log = simulation.observer().log(&header, Some(&Ok(stop)))?;

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
    assert_eq!((simulation.model().damage, simulation.model().cursed), (100, false));

    let mut arguments = std::env::args().skip_while(|argument| argument != "--trace").skip(1);
    if let Some(path) = arguments.next() {
        let recorder = Recorder::streaming(BufWriter::new(File::create(&path)?), &header)?;
        let (simulation, stop) = fight(recorder.labelled(|event| format!("{event:?}")))?;
        simulation.into_parts().1.finish(&Ok(stop))?;
        println!("written to {path}");
    }
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    main()
}
