//! An egg timer, a kettle, and a cook with a clock of whole seconds.
//!
//! Shows: integer ticks, periodic events, handles to cancel and reschedule, priorities among simultaneous events, and a trace
//! that tells which event caused which. With `--trace LOG` it is written to a file as well.

use std::path::Path;

use saltus::log::LogHeader;
use saltus::observe::Trace;
use saltus::{BoxError, Context, Handle, Handles, Model, Outcome, Settings, Simulation, Stop, When};
use saltus_examples::{begin_log, end_log, trace_argument};

#[derive(Default)]
struct Kitchen {
    kettle: Option<Handle>,
    eggs: Option<Handle>,
    said: Vec<String>,
}

#[derive(Clone)]
enum Event {
    Tick,
    PutEggsOn,
    TurnTheHeatUp,
    KettleBoils,
    EggsAreDone,
}

impl Model for Kitchen {
    type Time = u64;
    type Event = Event;
    type Refs = Handles<0>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let text = match event {
            Event::Tick => "tick".to_owned(),
            Event::PutEggsOn => {
                self.eggs = Some(cx.schedule_with_handle(When::after(300), Event::EggsAreDone)?);
                "eggs on, five minutes".to_owned()
            }
            Event::TurnTheHeatUp => {
                let kettle = self.kettle.ok_or("there is no kettle on")?;
                let sooner = cx.now() + 30;
                cx.reschedule(kettle, sooner)?;
                format!("heat up: the kettle now boils at {sooner}")
            }
            Event::KettleBoils => {
                // Tea is more important than eggs.
                let cancelled = self.eggs.is_some_and(|eggs| cx.cancel(eggs));
                format!("tea! eggs cancelled: {cancelled}")
            }
            Event::EggsAreDone => "eggs are done".to_owned(),
        };
        self.said.push(format!("{:>4} {text}", cx.now()));
        Ok(())
    }

    fn kind(event: &Event) -> &'static str {
        match event {
            Event::Tick => "tick",
            Event::PutEggsOn => "eggs-on",
            Event::TurnTheHeatUp => "heat-up",
            Event::KettleBoils => "kettle",
            Event::EggsAreDone => "eggs-done",
        }
    }
}

fn main() -> Result<(), BoxError> {
    run(trace_argument().as_deref())
}

fn run(trace: Option<&Path>) -> Result<(), BoxError> {
    let settings = Settings::default();
    let log = begin_log(trace, &LogHeader::new("kitchen", &settings).setting("until", 200))?;
    let mut simulation = Simulation::with(Kitchen::default(), settings, (Trace::default(), log));
    let (kitchen, cx) = simulation.parts();
    kitchen.kettle = Some(cx.schedule_with_handle(240, Event::KettleBoils)?);
    cx.schedule_at(20, Event::PutEggsOn)?;
    cx.schedule_at(60, Event::TurnTheHeatUp)?;
    // At 60 and 120 the tick comes last: a smaller priority runs first.
    cx.schedule_every(When::at(60).priority(10), 60, Event::Tick)?;

    let result = simulation.run_until(200);
    let (kitchen, (trace, log)) = simulation.into_parts();
    end_log(log, &result)?;
    assert_eq!(result?, Stop::EndReached);
    for line in &kitchen.said {
        println!("{line}");
    }
    println!("\nwho caused whom:");
    for event in &trace.events {
        let cause = event.cause.map_or("from outside".to_owned(), |cause| format!("because of {cause}"));
        println!("{:>4} {:<8} {} {cause}", event.time, event.kind, event.id);
    }
    let expected = ["  20 eggs on, five minutes", "  60 heat up: the kettle now boils at 90", "  60 tick"];
    assert_eq!(kitchen.said[..3], expected);
    assert_eq!(kitchen.said[3], "  90 tea! eggs cancelled: true");
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run(None)
}
