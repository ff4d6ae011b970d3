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
