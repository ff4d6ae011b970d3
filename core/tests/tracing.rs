//! Executed events as `tracing` events.

#![cfg(feature = "tracing")]

mod common;

use std::sync::{Arc, Mutex};

use common::Act::In;
use common::Script;
use saltus::observe::Tracing;
use saltus::{Context, Settings, Simulation};

/// A place to write to that a test can read.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn executed_events_come_out_as_tracing_events_with_their_fields() {
    let page = Page::default();
    let writer = page.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .without_time()
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let run = || {
        let script = Script::default().on("a", &[In(0.5, "b")]);
        let mut sim: Simulation<_, _> = Simulation::with(script, Settings::default(), Tracing);
        sim.context().schedule_at(1.0, "a").unwrap();
        sim.run().unwrap();
    };
    tracing::subscriber::with_default(subscriber, run);
    let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [r#"TRACE saltus: time=1 id=1 cause=0 kind="a""#, r#"TRACE saltus: time=1.5 id=2 cause=1 kind="b""#,]
    );
    // Nobody listens any more.
    run();
    assert_eq!(page.0.lock().unwrap().len(), text.len());
}

#[test]
fn a_layer_makes_a_log_of_what_comes_by() {
    use saltus::log::{Log, LogHeader, LogTime, Outcome, Root};
    use saltus::observe::LogLayer;
    use tracing_subscriber::layer::SubscriberExt;

    let page = Page::default();
    let header = LogHeader::new("words", &Settings::<f64>::default());
    let layer = LogLayer::new(page.clone(), &header).unwrap();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.clone()), || {
        let script = Script::default().on("a", &[In(0.5, "b")]).on("b", &[In(0.0, "c")]);
        let mut sim: Simulation<_, _> = Simulation::with(script, Settings::default(), Tracing);
        sim.context().schedule_at(1.0 / 3.0, "a").unwrap();
        sim.run().unwrap();
        // Any program can name its events in this way; what is not an event is left alone.
        tracing::info!(target: "saltus", id = 9, cause = 3, time = 2.5, kind = "other", label = "by\nhand");
        tracing::info!(target: "saltus", id = 10, time = "later");
        tracing::info!("hello");
    });
    layer.finish(Outcome::Ok, "done").unwrap().unwrap();
    assert!(layer.finish(Outcome::Ok, "done").is_none());
    let log = Log::read(&page.0.lock().unwrap()[..]).unwrap();
    assert!(log.warnings().is_empty());
    let kinds: Vec<_> = log.executed().map(|event| log.kind(event)).collect();
    assert_eq!(kinds, ["a", "b", "c", "other"]);
    let last = log.find("last").unwrap();
    assert_eq!(last.label.as_deref(), Some("by\nhand"));
    let chain = log.why(last.id).unwrap();
    assert_eq!((chain.links.len(), chain.root), (4, Root::Outside));
    assert_eq!(chain.links[3].event.time, LogTime::Real(1.0 / 3.0));
}

#[test]
fn handlers_run_in_spans_that_are_nested_by_cause() {
    use saltus::observe::Spans;

    /// Counts down and says so.
    struct Countdown;
    impl saltus::Model for Countdown {
        type Time = f64;
        type Event = u32;
        type Refs = saltus::Stamps<0>;
        fn handle(&mut self, left: u32, cx: &mut impl Context<Self>) -> saltus::Outcome {
            tracing::info!("{left} left");
            if left > 0 {
                cx.schedule_in(1.0, left - 1)?;
            }
            Ok(())
        }
        fn kind(_: &u32) -> &'static str {
            "count"
        }
    }
    let page = Page::default();
    let writer = page.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .without_time()
        .with_ansi(false)
        .with_target(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, || {
        let mut sim: Simulation<_, _> = Simulation::with(Countdown, Settings::default(), Spans::new(2));
        sim.context().schedule_at(0.0, 3).unwrap();
        sim.context().schedule_at(1.0, 0).unwrap();
        sim.run().unwrap();
    });
    let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let span = |time: &str, id: u32, cause: u32| format!("event{{time={time} id={id} cause={cause} kind=\"count\"}}");
    let (first, second, third, fourth) = (span("0", 1, 0), span("1", 3, 1), span("2", 4, 3), span("3", 5, 4));
    assert_eq!(
        lines,
        [
            format!("INFO {first}: 3 left"),
            format!("INFO {}: 0 left", span("1", 2, 0)),
            format!("INFO {first}:{second}: 2 left"),
            // The chain is cut after two.
            format!("INFO {third}: 1 left"),
            format!("INFO {third}:{fourth}: 0 left"),
        ]
    );
}
