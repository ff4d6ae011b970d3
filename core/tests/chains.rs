//! Event chains: what the recorder keeps, what logs say, and what questions answer.

#![cfg(feature = "log")]

mod common;

use std::io::Cursor;

use common::Act::*;
use common::{Act, Script, Word};
use saltus::log::{Fate, Log, LogHeader, LogTime, LogWriter, Outcome, Root, Selection};
use saltus::observe::Recorder;
use saltus::{BoxError, Context, EventId, Model, Observer, RunError, Settings, Simulation, Stamps, Stop, When};

fn id(number: u64) -> EventId {
    EventId::from_sequence(number).unwrap()
}

fn header() -> LogHeader {
    LogHeader::new("test", &Settings::<f64>::default())
}

fn read(text: &[u8]) -> Log {
    Log::read(text).unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text)))
}

fn chained(script: Script) -> Simulation<Script, Recorder<Script, LogWriter<Vec<u8>>>> {
    Simulation::with(script, Settings::default(), Recorder::streaming(Vec::new(), &header()).unwrap())
}

fn acts<O: Observer<Script>>(sim: &mut Simulation<Script, O>, acts: &[Act]) {
    let (script, cx) = sim.parts();
    for &act in acts {
        script.act(act, cx).unwrap();
    }
}

/// Each event schedules the next, one a second.
struct Relay;

impl Model for Relay {
    type Time = f64;
    type Event = u64;
    type Refs = Stamps<0>;

    fn handle(&mut self, left: u64, cx: &mut impl Context<Self>) -> Result<(), BoxError> {
        if left > 0 {
            cx.schedule_in(1.0, left - 1)?;
        }
        Ok(())
    }
}

/// The log of a chain of `length` events and three roots beside it.
fn relay(length: u64) -> Vec<u8> {
    let recorder = Recorder::streaming(Vec::new(), &header()).unwrap();
    let mut sim = Simulation::<_, _>::with(Relay, Settings::default(), recorder);
    for time in [0.5, 1.5, 2.5] {
        sim.context().schedule_at(time, 0).unwrap();
    }
    sim.context().schedule_at(0.0, length - 1).unwrap();
    let result = sim.run();
    sim.into_parts().1.finish(&result).unwrap()
}

#[test]
fn a_chain_of_a_hundred_thousand_events_is_followed_to_its_root() {
    let log = read(&relay(100_000));
    let last = log.find("last").unwrap().id;
    let chain = log.why(last).unwrap();
    assert_eq!((chain.links.len(), chain.root), (100_000, Root::Outside));
    assert_eq!(chain.span(), 99_999.0);
    assert!(chain.links[..99_999].iter().all(|link| link.gap == Some(1.0)));
    for root in 1..=3 {
        let chain = log.why(id(root)).unwrap();
        assert_eq!((chain.links.len(), chain.root, chain.links[0].gap), (1, Root::Outside, None));
    }
    assert_eq!(log.genealogy(last).unwrap().events.len(), 100_000);
    let effects = log.effects(id(4), 3, false).unwrap();
    assert_eq!((effects.ran, effects.depth, effects.tree.len()), (99_999, 99_999, 4));
    assert_eq!(effects.tree[3].beyond, 99_996);
    let critical = log.critical(true).unwrap();
    assert_eq!(critical.longest.links.len(), 100_000);
    assert_eq!(log.summary().longest_chain, 100_000);
    assert_eq!(log.why(id(1_000_000)), None);
}

#[test]
fn a_slice_keeps_ids_says_what_is_external_and_can_be_sliced_again() {
    let log = read(&relay(5000));
    let cut = |log: &Log, from, to| {
        let selection = Selection { from: Some(id(from)), to: Some(id(to)), ..Selection::default() };
        read(&log.write_slice(&selection, Vec::new()).unwrap())
    };
    let slice = cut(&log, 1000, 2000);
    assert_eq!((slice.events().len(), slice.executed().len()), (1001, 1001));
    assert_eq!(slice.why(id(1200)).unwrap().root, Root::External(id(999)));
    assert_eq!(slice.why(id(1000)).unwrap().links.len(), 1);
    assert_eq!(slice.summary().external, 1);
    let again = cut(&slice, 1500, 1600);
    assert_eq!(again.events().len(), 101);
    assert_eq!(again.why(id(1600)).unwrap().root, Root::External(id(1499)));
    assert_eq!(again.header.parts, ["events from #1000 to #2000", "events from #1500 to #1600"]);
    assert_eq!(again.event(id(1550)), log.event(id(1550)));
    // Cut at once or in two steps, the records are the same.
    let lines = |log: &Log| {
        let text = String::from_utf8(log.write(Vec::new()).unwrap()).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&again), lines(&cut(&log, 1500, 1600)));
}

#[test]
fn a_slice_knows_what_voided_its_events_even_if_the_touch_is_left_out() {
    let mut sim = chained(Script::default());
    let entity = sim.context().spawn();
    let script = sim.parts().0;
    *script = Script::default().on("a", &[Touch(entity)]);
    acts(&mut sim, &[At(1.0, "a"), Stamped(2.0, "dead", entity)]);
    let result = sim.run();
    let log = read(&sim.into_parts().1.finish(&result).unwrap());
    let Fate::Stale { void: Some(void) } = log.event(id(2)).unwrap().fate else { panic!("{:?}", log.event(id(2))) };
    assert_eq!((void.entity, void.by, void.at), (0, Some(id(1)), LogTime::Real(1.0)));
    let selection = Selection { kind: Some("dead".to_owned()), ..Selection::default() };
    let slice = read(&log.write_slice(&selection, Vec::new()).unwrap());
    assert_eq!(slice.event(id(2)).map(|event| slice.view(event)), log.event(id(2)).map(|event| log.view(event)));
    assert_eq!(slice.event(id(2)).unwrap().fate, log.event(id(2)).unwrap().fate);
    assert_eq!(slice.stale(Some(0)).events.len(), 1);
    assert_eq!(slice.stale(Some(1)).events.len(), 0);
}

#[test]
fn times_read_back_to_the_same_bits() {
    let times = [0.048_123_456_789_012_344, 1e6 + 1.0 / 3.0, 5e-324, f64::MAX, 1e22, 0.1 + 0.2];
    let mut sim = chained(Script::default());
    for time in times {
        acts(&mut sim, &[At(time, "a")]);
    }
    let result = sim.run();
    let log = read(&sim.into_parts().1.finish(&result).unwrap());
    for (event, time) in log.events().iter().zip(times) {
        let LogTime::Real(due) = event.due else { panic!("{event:?}") };
        assert_eq!(due.to_bits(), time.to_bits(), "{time}");
        assert_eq!(event.time(), event.due);
    }
}

#[test]
fn the_cause_is_the_running_event_whoever_calls_and_the_place_is_what_it_is_stamped_with() {
    struct Two {
        b: PartB,
    }
    struct PartB {
        entity: Option<saltus::Entity>,
    }
    impl PartB {
        fn ask(&self, cx: &mut impl Context<Two>) -> Result<(), BoxError> {
            cx.schedule(When::after(1.0).stamp(self.entity.unwrap()), "c")?;
            Ok(())
        }
    }
    impl Model for Two {
        type Time = f64;
        type Event = &'static str;
        type Refs = Stamps<1>;
        fn handle(&mut self, event: &'static str, cx: &mut impl Context<Self>) -> Result<(), BoxError> {
            if event == "a" { self.b.ask(cx) } else { Ok(()) }
        }
        fn kind(event: &&'static str) -> &'static str {
            event
        }
    }
    let recorder = Recorder::new(&header());
    let mut sim = Simulation::<_, _>::with(Two { b: PartB { entity: None } }, Settings::default(), recorder);
    let (two, cx) = sim.parts();
    let (_, of_b) = (cx.spawn(), cx.spawn());
    two.b.entity = Some(of_b);
    for _ in 0..6 {
        cx.schedule_at(0.0, "x").unwrap();
    }
    cx.schedule_at(1.0, "a").unwrap();
    let result = sim.run();
    let log = sim.observer().log(&header(), Some(&result)).unwrap();
    let c = log.find("c@1").unwrap();
    assert_eq!(c.cause, Some(id(7)));
    assert_eq!(c.entities.iter().collect::<Vec<_>>(), [1]);
}

#[test]
fn the_end_record_says_how_the_run_ended() {
    let run = |script: Script| {
        let mut sim = chained(script);
        for i in 0..20 {
            acts(&mut sim, &[At(f64::from(i), if i == 16 { "bad" } else { "good" })]);
        }
        let result = sim.run();
        (sim.into_parts().1, result)
    };
    let (recorder, result) = run(Script::default().on("bad", &[Fail]));
    let log = read(&recorder.finish(&result).unwrap());
    let end = log.end.clone().unwrap();
    assert_eq!((end.outcome, end.last), (Outcome::Error, Some(id(17))));
    assert!(end.reason.contains("event #17 (bad) at 16 failed: told to fail"), "{}", end.reason);
    assert_eq!(log.warnings(), Vec::<String>::new());

    let (recorder, result) = run(Script::default());
    let text = recorder.finish(&result).unwrap();
    let end = read(&text).end.unwrap();
    assert_eq!((end.outcome, end.last, end.reason), (Outcome::Ok, Some(id(20)), "nothing is pending".to_owned()));
    assert!(String::from_utf8(text).unwrap().ends_with('\n'));

    let (recorder, result) = run(Script::default().on("bad", &[Halt]));
    let end = read(&recorder.finish(&result).unwrap()).end.unwrap();
    assert_eq!((end.outcome, end.last), (Outcome::Stopped, Some(id(17))));
}

/// A file of which everything that was written is seen, as after a kill.
#[derive(Clone, Default)]
struct Disk(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_run_that_never_ended_leaves_a_log_that_says_so() {
    let disk = Disk::default();
    let recorder = Recorder::streaming(disk.clone(), &header()).unwrap();
    let mut sim = Simulation::<_, _>::with(Relay, Settings::default(), recorder);
    sim.context().schedule_at(0.0, 100).unwrap();
    sim.run_events(17).unwrap();
    drop(sim);
    let log = read(&disk.0.lock().unwrap());
    assert!(!log.is_complete());
    assert_eq!(log.warnings(), ["incomplete: the log has no end record"]);
    assert_eq!(log.executed().len(), 17);
}

#[test]
fn an_error_of_the_writer_ends_the_run_and_is_returned() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let recorder = Recorder::streaming(Full(2000), &header()).unwrap();
    let mut sim = Simulation::<_, _>::with(Relay, Settings::default(), recorder);
    sim.context().schedule_at(0.0, 1000).unwrap();
    let result = sim.run();
    assert!(matches!(&result, Ok(Stop::Observer(reason)) if reason.starts_with("the log cannot be written")));
    assert!(sim.into_parts().1.finish(&result).is_err());
}

#[test]
fn labels_of_any_text_come_back_from_two_logs_written_at_once() {
    struct Says(Vec<String>);
    impl Model for Says {
        type Time = f64;
        type Event = usize;
        type Refs = Stamps<0>;
        fn handle(&mut self, _: usize, _: &mut impl Context<Self>) -> Result<(), BoxError> {
            Ok(())
        }
    }
    let labels = [
        "two\nlines",
        "\"quoted\"",
        "a\ttab",
        "a\0nul",
        "back\\slash",
        "\u{1F600} and \u{2028} and \u{7f}",
        &"long ".repeat(2000),
        "",
        "{\"do\":\"end\"}",
    ]
    .map(str::to_owned);
    let run = |labels: Vec<String>, path: &std::path::Path| {
        let file = std::fs::File::create(path).unwrap();
        let said = labels.clone();
        let recorder = Recorder::streaming(file, &header()).unwrap().labelled(move |&i: &usize| said[i % 9].clone());
        let mut sim = Simulation::<_, _>::with(Says(labels), Settings::default(), recorder);
        for i in 0..900 {
            sim.context().schedule_at(i as f64, i).unwrap();
        }
        let result = sim.run();
        assert_eq!(sim.model().0.len(), 9);
        sim.into_parts().1.finish(&result).unwrap();
    };
    let folder = std::env::temp_dir();
    let paths = [0, 1].map(|i| folder.join(format!("saltus-labels-{}-{i}.log", std::process::id())));
    std::thread::scope(|scope| {
        for path in &paths {
            scope.spawn(|| run(labels.to_vec(), path));
        }
    });
    for path in &paths {
        let log = Log::open(path).unwrap();
        std::fs::remove_file(path).unwrap();
        assert_eq!(log.executed().len(), 900);
        for (event, label) in log.executed().zip(labels.iter().cycle()) {
            assert_eq!(event.label.as_deref(), Some(label.as_str()));
        }
    }
}

fn busy_script(entity: saltus::Entity) -> Script {
    Script::default()
        .on("go", &[Touch(entity), Cancel("dead"), Move("moved", 4.0), In(0.0, "next"), Ranked(3.0, -7, "urgent")])
        .on("urgent", &[Touch(entity), Stamped(5.0, "again", entity)])
}

const BUSY: fn(saltus::Entity) -> Vec<Act> = |entity| {
    vec![
        Ranked(1.0, -2, "go"),
        Stamped(2.0, "stale", entity),
        Held(3.0, "dead"),
        Held(5.0, "moved"),
        Stamped(9.0, "stale too", entity),
    ]
};

/// Cancels, moves, touches, and a clock that moves without an event: in memory, or as text.
fn busy<O: Observer<Script>>(recorder: O) -> (O, Result<Stop, RunError<f64>>) {
    let mut sim = Simulation::<_, _>::with(Script::default(), Settings::default(), recorder);
    let entity = sim.context().spawn();
    *sim.parts().0 = busy_script(entity);
    acts(&mut sim, &BUSY(entity));
    sim.run_until(6.0).unwrap();
    sim.context().touch(entity);
    acts(&mut sim, &[At(7.0, "late")]);
    let result = sim.run();
    (sim.into_parts().1, result)
}

#[test]
fn every_fate_is_told_with_who_did_it() {
    let (recorder, result) = busy(Recorder::streaming(Vec::new(), &header()).unwrap());
    let text = recorder.finish(&result).unwrap();
    let log = read(&text);
    let fate = |kind: &str| log.events().iter().find(|event| log.kind(event) == kind).unwrap().fate;
    assert_eq!(fate("dead"), Fate::Cancelled { by: Some(id(1)), at: LogTime::Real(1.0) });
    assert_eq!(fate("moved"), Fate::Moved { to: id(6) });
    let void = fate("stale").void().unwrap();
    assert_eq!((void.entity, void.by, void.at), (0, Some(id(1)), LogTime::Real(1.0)));
    let again = log.find("again@1").unwrap();
    assert_eq!(again.parents[0], Some(log.find("urgent@1").unwrap().id));
    assert_eq!(log.find("moved@1").unwrap().cause, Some(id(1)));
    assert_eq!(log.find("late@1").unwrap().cause, None);
    // What was read is written as it was.
    assert_eq!(log.write(Vec::new()).unwrap(), text);
}

#[test]
fn memory_and_text_hold_the_same_log() {
    let (memory, result) = busy(Recorder::new(&header()));
    let (text, again) = busy(Recorder::streaming(Vec::new(), &header()).unwrap());
    let from_memory = memory.log(&header(), Some(&result)).unwrap();
    assert_eq!(from_memory, read(&text.finish(&again).unwrap()));
}

#[test]
fn a_ring_keeps_the_last_records_and_the_scheduling_of_every_event_in_them() {
    let recorder = Recorder::ring(&header(), 100);
    let mut sim = Simulation::<_, _>::with(Relay, Settings::default(), recorder);
    sim.context().schedule_at(5000.5, 0).unwrap();
    sim.context().schedule_at(0.0, 9999).unwrap();
    let result = sim.run();
    let memory = sim.observer().memory();
    assert_eq!((memory.dropped(), memory.len()), (2 * 10_001 - 100, 100));
    assert!(memory.bytes() < 1200, "{} bytes", memory.bytes());
    let log = sim.observer().log(&header(), Some(&result)).unwrap();
    assert_eq!(log.executed().len(), 50);
    assert!(log.events().iter().all(|event| event.ran() && log.kind(event) == "event"));
    assert_eq!(log.header.parts.len(), 1);
    let why = log.why(log.find("last").unwrap().id).unwrap();
    assert!(matches!(why.root, Root::External(_)));
    assert_eq!(why.links.len(), 50);

    // An event that was scheduled long before and is still to come.
    let recorder = Recorder::ring(&header(), 10);
    let mut sim = Simulation::<_, _>::with(Relay, Settings::default(), recorder);
    sim.context().schedule_at(5000.5, 0).unwrap();
    sim.context().schedule_at(0.0, 9999).unwrap();
    sim.run_until(5000.75).unwrap();
    let log = sim.observer().log(&header(), None).unwrap();
    assert!(log.event(id(1)).unwrap().ran());
    assert_eq!(log.event(id(1)).unwrap().due, LogTime::Real(5000.5));
    assert!(!log.is_complete());
}

#[test]
fn recording_can_begin_in_the_middle() {
    let recorder: Option<Recorder<Script>> = None;
    let mut sim = Simulation::<_, _>::with(Script::default(), Settings::default(), recorder);
    let script = Script::default().on("a", &[In(1.0, "b")]).on("b", &[In(1.0, "c")]);
    *sim.parts().0 = script;
    acts(&mut sim, &[At(1.0, "a"), At(9.0, "later")]);
    sim.run_until(1.5).unwrap();
    let begin = LogHeader { start: LogTime::Real(1.5), ..header() };
    *sim.observer_mut() = Some(Recorder::new(&begin));
    sim.run().unwrap();
    let log = sim.observer().as_ref().unwrap().log(&begin, None).unwrap();
    let kinds: Vec<_> = log.executed().map(|event| log.kind(event)).collect();
    assert_eq!(kinds, ["b", "c", "later"]);
    assert_eq!(log.why(log.find("c@1").unwrap().id).unwrap().root, Root::External(id(1)));
    assert_eq!(log.find("later@1").unwrap().id, id(2));
}

#[test]
fn two_runs_are_compared_to_the_first_event_at_which_they_part() {
    let run = |script: Script| {
        let mut sim = chained(script);
        acts(&mut sim, &[At(0.0, "a"), At(5.0, "z")]);
        let result = sim.run();
        read(&sim.into_parts().1.finish(&result).unwrap())
    };
    let left = run(Script::default().on("a", &[In(1.0, "b")]).on("b", &[In(1.0, "c")]));
    let right = run(Script::default().on("a", &[In(1.0, "b")]).on("b", &[In(1.25, "c")]));
    assert!(left.diff(&left).is_same());
    let diff = left.diff(&right);
    let first = diff.first.as_ref().unwrap();
    assert_eq!((diff.same, first.fields.clone()), (2, vec!["time"]));
    assert_eq!(first.left_chain.as_ref().unwrap().links.len(), 3);
    assert_eq!(first.right.as_ref().unwrap().time, LogTime::Real(2.25));

    let shorter = run(Script::default().on("a", &[In(1.0, "b")]));
    assert_eq!(left.diff(&shorter).first.unwrap().left.unwrap().kind, "c");
    let failed = run(Script::default().on("a", &[In(1.0, "b")]).on("z", &[Fail]));
    assert!(shorter.diff(&failed).first.is_none());
    assert!(!shorter.diff(&failed).is_same());
}

#[test]
fn the_summary_counts() {
    let (recorder, result) = busy(Recorder::new(&header()));
    let log = recorder.log(&header(), Some(&result)).unwrap();
    let summary = log.summary();
    let total = summary.total;
    assert_eq!((total.scheduled, total.executed, total.cancelled, total.moved), (10, 6, 1, 1));
    assert_eq!((total.stale + total.swept, total.pending), (2, 0));
    assert_eq!(summary.rate.iter().sum::<usize>(), 6);
    assert_eq!(summary.busiest, [(0, 1)]);
    assert_eq!(summary.kinds.len(), 9);
}

#[test]
fn ticks_stay_integers() {
    struct Clock;
    impl Model for Clock {
        type Time = u64;
        type Event = ();
        type Refs = Stamps<0>;
        fn handle(&mut self, (): (), _: &mut impl Context<Self>) -> Result<(), BoxError> {
            Ok(())
        }
    }
    let settings = Settings { start: 5, ..Settings::default() };
    let head = LogHeader::new("clock", &settings);
    let recorder = Recorder::streaming(Cursor::new(Vec::new()), &head).unwrap();
    let mut sim = Simulation::<_, _>::with(Clock, settings, recorder);
    sim.context().schedule_at(u64::MAX, ()).unwrap();
    let result = sim.run();
    let log = read(sim.into_parts().1.finish(&result).unwrap().get_ref());
    assert_eq!(log.events()[0].due, LogTime::Ticks(u64::MAX));
    assert_eq!(log.header, head);
}

#[test]
fn events_are_named() {
    let log = read(&relay(10));
    assert_eq!(log.find("4").unwrap().id, id(4));
    assert_eq!(log.find("#4").unwrap().id, id(4));
    assert_eq!(log.find("@1").unwrap().id, id(4));
    assert_eq!(log.find("event@2").unwrap().id, id(1));
    for bad in ["", "0", "99", "@0", "@99", "nothing@1", "x", "@", "-1", "event@", "18446744073709551615"] {
        assert!(log.find(bad).is_err(), "{bad}");
    }
    let words: Vec<Word> = vec!["last", "@last", "event@last"];
    assert!(words.iter().all(|word| log.find(word).unwrap().id == id(13)));
}

/// Each event schedules the next one at once.
struct Hurry;

impl Model for Hurry {
    type Time = f64;
    type Event = u64;
    type Refs = Stamps<0>;

    fn handle(&mut self, left: u64, cx: &mut impl Context<Self>) -> Result<(), BoxError> {
        if left > 0 {
            cx.schedule_in(0.0, left - 1)?;
        }
        Ok(())
    }
}

#[test]
fn a_log_counts_the_ties_that_the_kernel_counts() {
    // A chain of zero delays alone has no tie. Beside others that wait at its time, each of them is one, and so is the link
    // that the first one schedules: it waits until they have run.
    for (waiting, ties) in [(0, 0), (1, 2), (3, 4)] {
        let recorder = Recorder::streaming(Vec::new(), &header()).unwrap();
        let mut sim = Simulation::with(Hurry, Settings::default(), recorder);
        sim.context().schedule_at(1.0, 5).unwrap();
        for _ in 0..waiting {
            sim.context().schedule_at(1.0, 0).unwrap();
        }
        let result = sim.run();
        assert_eq!(sim.counters().ties, ties);
        let log = read(&sim.into_parts().1.finish(&result).unwrap());
        assert_eq!(log.summary().ties as u64, ties);
    }
}
