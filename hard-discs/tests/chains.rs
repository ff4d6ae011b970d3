//! Why do balls collide? The event log of discs, asked.

use std::path::Path;
use std::process::Command;

use hard_discs::HardDiscs;
use hard_discs::starts::{Start, make};
use saltus::log::{Log, LogHeader, LogTime, Root};
use saltus::observe::Recorder;
use saltus::{Counters, Settings, Simulation};

/// The time of the first contact, to the digits that the reference has.
const FIRST_CONTACT: f64 = 30.167197630926;

fn recorded(start: Start, until: f64) -> (Log, Counters) {
    let settings = Settings::default();
    let header = LogHeader::new("hard-discs", &settings);
    let model = make(start, None, None, 1).unwrap();
    let mut simulation = Simulation::<HardDiscs, _>::with(model, settings, Recorder::new(&header));
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    let result = simulation.run_until(until);
    let log = simulation.observer().log(&header, Some(&result)).unwrap();
    (log, *simulation.counters())
}

#[test]
fn the_tenth_collision_goes_back_to_the_first_contact_through_collisions_of_its_balls() {
    let (log, _) = recorded(Start::Billiards, 60.0);
    let tenth = log.find("@10").unwrap();
    let genealogy = log.genealogy(tenth.id).unwrap();
    assert_eq!(genealogy.external, []);
    let first = log.event(genealogy.roots[0]).unwrap();
    assert_eq!(genealogy.roots.len(), 1);
    assert_eq!(first.id, log.find("@1").unwrap().id);
    let LogTime::Real(time) = first.time() else { panic!("{first:?}") };
    assert!((time - FIRST_CONTACT).abs() < 1e-12, "{time}");
    for event in &genealogy.events[..genealogy.events.len() - 1] {
        // Each is predicted from what happened last to its balls, and caused by the later of that.
        assert!(event.parents.iter().flatten().any(|&parent| Some(parent) == event.cause), "{event:?}");
        for (entity, parent) in event.entities.iter().zip(&event.parents) {
            let Some(parent) = parent else { continue };
            let parent = log.event(*parent).unwrap();
            assert!(parent.ran() && parent.entities.contains(entity) && parent.time() <= event.time, "{event:?}");
        }
    }
    let chain = log.why(tenth.id).unwrap();
    assert_eq!(chain.root, Root::Outside);
    assert_eq!(chain.links.last().unwrap().event.id, first.id);
}

#[test]
fn the_log_counts_what_the_kernel_counts() {
    for (start, until) in
        [(Start::Billiards, 200.0), (Start::Squeeze, 300.0), (Start::Cradle, 50.0), (Start::Random, 5.0)]
    {
        let (log, counters) = recorded(start, until);
        let summary = log.summary();
        let total = summary.total;
        assert_eq!(total.scheduled as u64, counters.scheduled);
        assert_eq!(total.executed as u64, counters.executed);
        assert_eq!(total.stale as u64, counters.stale);
        assert_eq!(total.swept as u64, counters.swept);
        assert_eq!(total.pending as u64, counters.pending());
        assert_eq!(summary.ties as u64, counters.ties);
        assert_eq!(summary.external, 0);
        let stale = log.stale(None);
        assert_eq!((stale.stale as u64, stale.swept as u64), (counters.stale, counters.swept));
        for nothing in &stale.events {
            let void = nothing.void.unwrap();
            assert!(nothing.event.entities.contains(void.entity));
            let by = log.event(void.by.unwrap()).unwrap();
            assert!(by.ran() && by.time() == void.at);
            // What voids a prediction comes after what made it.
            let made = nothing.event.cause.map_or(LogTime::Real(0.0), |cause| log.event(cause).unwrap().time());
            assert!(made <= void.at);
        }
    }
}

fn fly(log: &Path, more: &[&str]) -> std::process::Output {
    let discs = env!("CARGO_BIN_EXE_hard-discs");
    Command::new(discs).args(["run", "--until", "60", "--trace"]).arg(log).args(more).output().unwrap()
}

#[test]
fn two_processes_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.log", "b.log"].map(|name| folder.path().join(name));
    for path in [&a, &b] {
        let output = fly(path, &["--start", "billiards", "--certify"]);
        assert!(output.status.success(), "{output:?}");
    }
    let text = std::fs::read(&a).unwrap();
    assert!(text == std::fs::read(&b).unwrap());
    let log = Log::read(&text[..]).unwrap();
    assert!(log.is_complete() && log.warnings().is_empty());
    assert_eq!(log.header.model, "hard-discs");
    assert!(log.header.settings.contains(&("start".to_owned(), "billiards".to_owned())));
    assert_eq!(log.write(Vec::new()).unwrap(), text);
}

#[test]
fn a_log_that_cannot_be_written_is_an_error_that_names_it() {
    let output = fly(Path::new("/no such folder/x.log"), &["--start", "billiards"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("hard-discs: /no such folder/x.log: cannot be written")
    );
}

#[test]
fn a_ring_of_any_size_holds_the_end_of_the_whole_log() {
    let (whole, _) = recorded(Start::Random, 2.0);
    for most in [1, 2, 7, 100, 5000] {
        let settings = Settings::default();
        let header = LogHeader::new("hard-discs", &settings);
        let model = make(Start::Random, None, None, 1).unwrap();
        let mut simulation = Simulation::<HardDiscs, _>::with(model, settings, Recorder::ring(&header, most));
        let (model, cx) = simulation.parts();
        model.start(cx).unwrap();
        let result = simulation.run_until(2.0);
        let log = simulation.observer().log(&header, Some(&result)).unwrap();
        assert!(log.executed().len() <= whole.executed().len());
        let ran = whole.executed().skip(whole.executed().len() - log.executed().len());
        assert!(log.executed().map(|event| log.view(event)).eq(ran.map(|event| whole.view(event))));
        for event in log.events() {
            let known = whole.event(event.id).unwrap();
            assert_eq!((log.view(event), event.due), (whole.view(known), known.due));
        }
        // Whatever is pending is in every ring.
        let pending = |log: &Log| log.events().iter().filter(|event| event.fate.name() == "pending").count();
        assert_eq!(pending(&log), pending(&whole));
    }
}

#[test]
fn a_shared_contact_is_found_by_other_orders_of_ties() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.txt");
    // Two discs meet a heavier one between them at the same instant, which is no binary contact.
    let discs = "3\n0.25 0.5 0.125 0 0.0625 1\n0.5 0.5 0 0 0.0625 2\n0.75 0.5 -0.125 0 0.0625 1\n";
    std::fs::write(&file, discs).unwrap();
    let ties = |source: &[&str]| {
        let discs = env!("CARGO_BIN_EXE_hard-discs");
        let output =
            Command::new(discs).args(["ties", "--until", "10", "--orders", "8"]).args(source).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = ties(&[file.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("final state  DIFFERS") && text.contains("other things happen from"), "{text}");
    let (code, text) = ties(&["--start", "billiards"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("final state  is the same in all of them"), "{text}");
}
