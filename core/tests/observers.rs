//! What observers are told, in which order, and how they end a run.

mod common;

use std::ops::ControlFlow::Break;

use common::Act::*;
use common::{Script, Word, start};
use saltus::observe::{GO_ON, Trace, Verdict};
use saltus::{Caused, Context, Entity, EventId, Header, Observer, Settings, Simulation, Stop, When};

/// Writes down all that it is told, and ends the run before or after a word.
#[derive(Default)]
struct Diary {
    lines: Vec<String>,
    end_before: Option<Word>,
    end_after: Option<EventId>,
}

fn by(event: Option<EventId>) -> String {
    event.map_or("outside".to_string(), |event| event.to_string())
}

impl Observer<Script> for Diary {
    type Cause = Caused;

    fn scheduled(&mut self, event: &Header<f64>, word: &Word) {
        let Header { id, time, priority, cause, .. } = *event;
        let entities: Vec<_> = event.entities().collect();
        let by = by(cause);
        self.lines.push(format!("scheduled {id} {word} at {time} priority {priority} of {entities:?} by {by}"));
    }
    fn before(&mut self, event: &Header<f64>, word: &Word, model: &Script) -> Verdict {
        let id = event.id;
        self.lines.push(format!("before {id}: {} have run", model.log.len()));
        if self.end_before == Some(*word) {
            return Break(format!("{word} comes"));
        }
        GO_ON
    }
    fn executed(&mut self, event: &Header<f64>, word: &Word) {
        self.lines.push(format!("executed {} {word}", event.id));
    }
    fn after(&mut self, event: &Header<f64>, model: &Script) -> Verdict {
        self.lines.push(format!("after {}: {} have run", event.id, model.log.len()));
        if self.end_after == Some(event.id) {
            return Break("seen enough".to_string());
        }
        GO_ON
    }
    fn stale(&mut self, event: &Header<f64>, word: &Word) {
        self.lines.push(format!("stale {} {word}", event.id));
    }
    fn swept(&mut self, event: &Header<f64>, word: &Word) {
        self.lines.push(format!("swept {} {word}", event.id));
    }
    fn cancelled(&mut self, event: EventId, time: f64, cause: Option<EventId>) {
        self.lines.push(format!("cancelled {event} of {time} by {}", by(cause)));
    }
    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        self.lines.push(format!("rescheduled {event} as {successor}"));
    }
    fn touched(&mut self, entity: Entity, version: u64, cause: Option<EventId>) {
        self.lines.push(format!("touched {entity} version {version} by {}", by(cause)));
    }
    fn clock(&mut self, from: f64, to: f64) {
        self.lines.push(format!("clock {from} to {to}"));
    }
}

fn observed<O: Observer<Script>>(script: Script, observer: O) -> Simulation<Script, O> {
    Simulation::with(script, Settings::default(), observer)
}

fn acts<O: Observer<Script>>(sim: &mut Simulation<Script, O>, acts: &[common::Act]) {
    let (script, cx) = sim.parts();
    for &act in acts {
        script.act(act, cx).unwrap();
    }
}

#[test]
fn an_observer_is_told_of_everything_in_the_order_in_which_it_happens() {
    // The first entity is the same in every simulation.
    let entity = start(Script::default(), &[]).context().spawn();
    let script = Script::default().on("go", &[Touch(entity), Cancel("dead"), Move("moved", 4.0), In(0.0, "next")]);
    let mut sim = observed(script, Diary::default());
    assert_eq!(sim.context().spawn(), entity);
    acts(&mut sim, &[Ranked(1.0, -2, "go"), Stamped(2.0, "stale", entity), Held(3.0, "dead"), Held(5.0, "moved")]);
    sim.run_until(6.0).unwrap();
    sim.context().despawn(entity);
    let expected = [
        "scheduled #1 go at 1 priority -2 of [] by outside",
        "scheduled #2 stale at 2 priority 0 of [0] by outside",
        "scheduled #3 dead at 3 priority 0 of [] by outside",
        "scheduled #4 moved at 5 priority 0 of [] by outside",
        "before #1: 0 have run",
        "clock 0 to 1",
        "executed #1 go",
        "touched 0 version 5 by #1",
        "cancelled #3 of 3 by #1",
        "scheduled #5 moved at 4 priority 0 of [] by #1",
        "rescheduled #4 as #5",
        "scheduled #6 next at 1 priority 0 of [] by #1",
        "after #1: 1 have run",
        "before #6: 1 have run",
        "executed #6 next",
        "after #6: 2 have run",
        "stale #2 stale",
        "before #5: 2 have run",
        "clock 1 to 4",
        "executed #5 moved",
        "after #5: 3 have run",
        "clock 4 to 6",
        "touched 0 version 7 by outside",
    ];
    assert_eq!(sim.observer().lines, expected);
}

#[test]
fn an_observer_is_told_what_was_swept() {
    let mut sim = observed(Script::default(), Diary::default());
    let entity = sim.context().spawn();
    acts(&mut sim, &[Stamped(9.0, "old", entity); 100]);
    sim.context().touch(entity);
    let swept = sim.observer().lines.iter().filter(|line| line.starts_with("swept #")).count();
    assert_eq!((swept, sim.counters().swept), (100, 100));
}

#[test]
fn a_periodic_event_is_caused_by_the_one_before() {
    let mut sim = observed(Script::default(), Trace::default());
    sim.context().schedule_every(0.0, 1.0, "tick").unwrap();
    sim.run_events(3).unwrap();
    let causes = sim.observer().events.iter().map(|event| (event.id.sequence(), event.cause.map(EventId::sequence)));
    assert!(causes.eq([(1, None), (2, Some(1)), (3, Some(2))]));
}

#[test]
fn a_run_ended_before_an_event_leaves_it_pending_and_the_clock_where_it_was() {
    let diary = Diary { end_before: Some("b"), ..Diary::default() };
    let mut sim = observed(Script::default(), (Trace::default(), diary));
    acts(&mut sim, &[At(1.0, "a"), At(2.0, "b"), At(3.0, "c")]);
    assert_eq!(sim.run_until(5.0).unwrap(), Stop::Observer("b comes".to_string()));
    assert_eq!((sim.now(), sim.pending(), sim.counters().executed), (1.0, 2, 1));
    assert_eq!(sim.peek().map(|next| next.kind), Some("b"));

    // Taken up again, it is asked once more, and the trace beside it holds the event once.
    sim.observer_mut().1.end_before = None;
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["a", "b", "c"]);
    let kinds: Vec<_> = sim.observer().0.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["a", "b", "c"]);
}

#[test]
fn a_run_ended_after_an_event_has_executed_it() {
    let mut sim = observed(Script::default().on("b", &[Halt]), Diary::default());
    let cx = sim.context();
    cx.schedule_at(1.0, "a").unwrap();
    let b = cx.schedule_at(2.0, "b").unwrap();
    cx.schedule_at(3.0, "c").unwrap();
    sim.observer_mut().end_after = Some(b);
    // The observer's reason is the one that is told, and the model's wish to stop is not kept for later.
    assert_eq!(sim.run().unwrap(), Stop::Observer("seen enough".to_string()));
    assert_eq!((sim.now(), sim.pending()), (2.0, 1));
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
}

#[test]
fn an_event_that_fails_is_executed_but_nothing_comes_after_it() {
    let mut sim = observed(Script::default().on("bad", &[Fail]), Diary::default());
    acts(&mut sim, &[At(0.0, "bad")]);
    assert!(sim.run().is_err());
    assert_eq!(sim.observer().lines.last().map(String::as_str), Some("executed #1 bad"));
    assert_eq!(sim.counters().executed, 1);
}

#[test]
fn both_of_a_pair_are_told_and_either_can_end_the_run() {
    let busy = |sim: &mut Simulation<Script, (Diary, Option<Diary>)>| {
        let entity = sim.context().spawn();
        acts(sim, &[At(1.0, "a"), Held(2.0, "b"), Held(9.0, "c"), Move("b", 3.0), Cancel("c")]);
        acts(sim, &[Stamped(1.0, "old", entity); 101]);
        sim.context().touch(entity);
        acts(sim, &[Stamped(1.0, "old", entity)]);
        sim.context().touch(entity);
    };
    let mut sim = observed(Script::default(), (Diary::default(), Some(Diary::default())));
    busy(&mut sim);
    sim.run().unwrap();
    let (first, second) = sim.observer();
    assert!(first.lines.len() > 200);
    assert_eq!(first.lines, second.as_ref().unwrap().lines);
    for told in
        ["scheduled", "before", "executed", "after", "stale", "swept", "cancelled", "rescheduled", "touched", "clock"]
    {
        assert!(first.lines.iter().any(|line| line.starts_with(told)), "{told}");
    }

    for second_ends in [false, true] {
        let mut sim = observed(Script::default(), (Diary::default(), Some(Diary::default())));
        busy(&mut sim);
        let (first, second) = sim.observer_mut();
        let ends = if second_ends { second.as_mut().unwrap() } else { first };
        ends.end_before = Some("b");
        assert_eq!(sim.run().unwrap(), Stop::Observer("b comes".to_string()));
        assert_eq!(sim.model().words(), ["a"]);
    }
}

#[test]
fn an_observer_that_is_absent_changes_nothing() {
    let script = || Script::default().on("a", &[In(1.0, "b")]);
    let mut with = observed(script(), Some(Trace::default()));
    let mut without = observed(script(), None::<Trace<f64>>);
    let mut never = start(script(), &[At(1.0, "a")]);
    acts(&mut with, &[At(1.0, "a")]);
    acts(&mut without, &[At(1.0, "a")]);
    assert_eq!(with.run().unwrap(), Stop::QueueEmpty);
    assert_eq!(without.run().unwrap(), Stop::QueueEmpty);
    never.run().unwrap();
    assert_eq!(with.model().log, never.model().log);
    assert_eq!(without.model().log, never.model().log);
    assert_eq!(with.counters(), without.counters());
    assert_eq!(with.observer().as_ref().unwrap().events.len(), 2);
    let (_, observer) = without.into_parts();
    assert_eq!(observer, None);
}

#[test]
fn the_causes_of_a_trace_make_a_chain() {
    let script = Script::default().on("a", &[In(1.0, "b")]).on("b", &[In(1.0, "c")]);
    let mut sim = observed(script, Trace::default());
    acts(&mut sim, &[At(5.0, "unrelated"), At(1.0, "a")]);
    sim.run().unwrap();
    let events = &sim.observer().events;
    let mut chain = Vec::new();
    let mut next = events.iter().find(|event| event.kind == "c").map(|event| event.id);
    while let Some(id) = next {
        let event = events.iter().find(|event| event.id == id).unwrap();
        chain.push(event.kind);
        next = event.cause;
    }
    assert_eq!(chain, ["c", "b", "a"]);
}

#[test]
fn a_stale_event_is_shown_with_its_payload_even_if_that_has_a_handle() {
    let mut sim = observed(Script::default(), Diary::default());
    let cx = sim.context();
    let entity = cx.spawn();
    cx.schedule_with_handle(When::at(1.0).stamp(entity), "held").unwrap();
    cx.touch(entity);
    sim.run().unwrap();
    assert_eq!(sim.observer().lines.last().map(String::as_str), Some("stale #1 held"));
}
