//! What happens as `tracing` events, and the log made of them.

#![cfg(feature = "tracing")]

mod common;

use std::sync::{Arc, Mutex};

use common::Act::*;
use common::Script;
use saltus::log::{LogHeader, LogWriter, Outcome};
use saltus::observe::{LogLayer, Recorder, Tracing};
use saltus::{Context, Entity, Model, Settings, Simulation, Stamps, When};
use tracing_subscriber::layer::SubscriberExt;

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
        .with_env_filter("saltus=trace,saltus::detail=off")
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
    use saltus::log::{Log, LogTime, Root};

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

/// The logs that a recorder and a layer make of the same run.
fn two_logs<M: Model>(
    model: M,
    start: M::Time,
    run: impl FnOnce(&mut Simulation<M, (Recorder<M, LogWriter<Vec<u8>>>, Tracing)>),
) -> [String; 2] {
    let page = Page::default();
    let settings = Settings { start, ..Settings::default() };
    let header = LogHeader::new("both", &settings);
    let layer = LogLayer::new(page.clone(), &header).unwrap();
    let recorder = Recorder::streaming(Vec::new(), &header).unwrap();
    let mut sim = Simulation::<_, _>::with(model, settings, (recorder, Tracing));
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.clone()), || run(&mut sim));
    layer.finish(Outcome::Ok, "done").unwrap().unwrap();
    let recorded = sim.into_parts().1.0.finish_as(Outcome::Ok, "done").unwrap();
    let layered = page.0.lock().unwrap().clone();
    [recorded, layered].map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_layer_writes_the_bytes_that_a_recorder_writes() {
    let [recorded, layered] = two_logs(Script::default(), -0.1, |sim| {
        let cx = sim.context();
        let (x, y) = (cx.spawn(), cx.spawn());
        cx.schedule(When::at(1.0 / 3.0).stamp(x).stamp(y).priority(-7), "both").unwrap();
        cx.schedule(When::at(0.1 + 0.2).priority(3), "late").unwrap();
        cx.schedule_at(5e-324, "tiny").unwrap();
        cx.schedule_at(1e22, "far").unwrap();
        let series = cx.schedule_every(0.7, 0.1, "tick").unwrap();
        let (script, _) = sim.parts();
        script.handles.insert("tick", series);
        *script = std::mem::take(script)
            .on("tiny", &[Touch(x), Stamped(2.0, "void", x), Stamped(0.5, "turn", x)])
            .on("turn", &[Touch(x), Held(3.0, "moved"), Held(4.0, "gone"), Move("moved", 1.25), Cancel("gone")])
            .on("moved", &[Cancel("tick"), Touch(y)]);
        sim.run_until(1.1).unwrap();
        // The clock moves without an event, and then something happens from outside.
        sim.run_until(1.15).unwrap();
        sim.context().schedule(When::at(2.5).stamp(y), "outside").unwrap();
        sim.run_until(10.0).unwrap();
        // So many that they are swept.
        for k in 0..5000 {
            sim.context().schedule(When::at(1e6 + f64::from(k)).stamp(x), "swept").unwrap();
        }
        sim.context().touch(x);
        sim.context().despawn(y);
        let z = sim.context().spawn();
        sim.context().schedule(When::at(11.0).stamp(z), "new").unwrap();
        sim.run_until(20.5).unwrap();
    });
    for what in ["execute", "stale", "sweep", "touch", "cancel", "move", "clock"] {
        assert!(recorded.contains(&format!(r#"{{"do":"{what}""#)), "no {what}\n{recorded:.4000}");
    }
    for field in [r#""priority":-7"#, r#""entities":[0,1],"parents":["#, r#""at":0.30000000000000004"#] {
        assert!(recorded.contains(field), "no {field}\n{recorded:.4000}");
    }
    for (ours, theirs) in layered.lines().zip(recorded.lines()) {
        assert_eq!(ours, theirs);
    }
    assert!(layered == recorded);
}

/// Counts down in ticks: an event predicts many and voids all but the last.
struct Ticks(Option<Entity>);

impl Model for Ticks {
    type Time = u64;
    type Event = u64;
    type Refs = Stamps<1>;
    const TELL_STALE: bool = true;

    fn handle(&mut self, left: u64, cx: &mut impl Context<Self>) -> saltus::Outcome {
        let entity = *self.0.get_or_insert_with(|| cx.spawn());
        for left in 0..left {
            cx.schedule(When::after(left + 1).stamp(entity), left)?;
        }
        cx.touch(entity);
        cx.schedule(When::after(1).stamp(entity), left / 2)?;
        if left == 0 {
            cx.stop();
        }
        Ok(())
    }

    fn stale(&mut self, left: u64, cx: &mut impl Context<Self>) -> saltus::Outcome {
        cx.schedule_in(0, left / 3)?;
        Ok(())
    }
}

#[test]
fn ticks_and_events_that_are_told_stale_come_out_the_same() {
    let far = (1 << 60) + 1;
    let [recorded, layered] = two_logs(Ticks(None), far, |sim| {
        sim.context().schedule_at(far + 1, 9).unwrap();
        sim.run().unwrap();
    });
    assert!(recorded.contains(r#""do":"stale""#), "{recorded}");
    assert_eq!(layered, recorded);
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
