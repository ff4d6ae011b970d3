//! When a run ends, where its clock then stands, and what it cannot do for ever.

mod common;

use common::Act::*;
use common::{Script, act, start};
use saltus::time::DelayFault;
use saltus::{Context, Model, Outcome, RunError, Settings, Simulation, Stamps, Stop, When};

#[test]
fn every_event_at_the_end_runs_and_none_after_it() {
    let after = 10.000000000000002;
    let mut sim = start(Script::default(), &[At(10.0, "a"), At(10.0, "b"), At(after, "later"), At(10.0, "c")]);
    assert_eq!(sim.run_until(10.0).unwrap(), Stop::EndReached);
    assert_eq!(sim.model().words(), ["a", "b", "c"]);
    assert_eq!((sim.pending(), sim.now()), (1, 10.0));
    assert_eq!(sim.run_until(10.0).unwrap(), Stop::EndReached);
    assert_eq!(sim.counters().executed, 3, "a second call with the same end runs nothing");
    // Unless something new has been scheduled for that time.
    act(&mut sim, &[At(10.0, "d")]);
    sim.run_until(10.0).unwrap();
    assert_eq!(sim.model().log.last(), Some(&(10.0, "d")));
}

#[test]
fn the_clock_ends_at_the_end_and_not_at_the_event_after_it() {
    let mut sim = Simulation::new(Script::default());
    sim.context().schedule_every(0.0, 3.0, "tick").unwrap();
    assert_eq!(sim.run_until(1000.0).unwrap(), Stop::EndReached);
    assert_eq!((sim.now(), sim.counters().executed, sim.pending()), (1000.0, 334, 1));
    assert_eq!(sim.peek().map(|next| (next.time, next.kind)), Some((1002.0, "tick")));
}

#[test]
fn the_clock_goes_on_to_the_end_when_nothing_is_pending() {
    let mut sim = start(Script::default(), &[At(1.0, "a")]);
    assert_eq!(sim.run_for(5.0).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.now(), 5.0);
    assert_eq!(sim.run_for(5.0).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.now(), 10.0);
    act(&mut sim, &[In(2.0, "b")]);
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(1.0, "a"), (12.0, "b")]);
}

#[test]
fn a_bad_end_is_an_error_that_names_it_and_nothing_runs() {
    let mut sim = start(Script::default(), &[At(0.0, "a"), At(1.0, "b")]);
    let error = sim.run_until(-1.0).unwrap_err();
    assert!(matches!(error, RunError::EndInPast { end: -1.0, now: 0.0 }));
    assert_eq!(error.to_string(), "cannot run until -1: the clock is already at 0");
    let error = sim.run_until(f64::NAN).unwrap_err();
    assert_eq!(error.to_string(), "cannot run until NaN: not a time");
    assert!(matches!(sim.run_until(f64::NEG_INFINITY), Err(RunError::EndNotATime(_))));
    assert!(matches!(sim.run_for(-1.0), Err(RunError::BadSpan { span: -1.0, fault: DelayFault::NotADelay })));
    assert!(matches!(sim.run_for(f64::NAN), Err(RunError::BadSpan { fault: DelayFault::NotADelay, .. })));
    assert_eq!(sim.counters().executed, 0);

    assert_eq!(sim.run_until(0.0).unwrap(), Stop::EndReached);
    assert_eq!(sim.model().log, [(0.0, "a")]);
    assert_eq!(sim.run_for(0.0).unwrap(), Stop::EndReached);
    assert_eq!(sim.run_for(f64::INFINITY).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.now(), 1.0);
}

#[test]
fn a_model_without_end_stops_after_as_many_events_as_were_asked_for() {
    let mut sim = start(Script::default().on("tick", &[In(2.0, "tick")]), &[At(0.0, "tick")]);
    assert_eq!(sim.run_events(1000).unwrap(), Stop::MaxEvents);
    assert_eq!((sim.counters().executed, sim.now()), (1000, 1998.0));
    assert_eq!(sim.run_events(0).unwrap(), Stop::MaxEvents);
    assert_eq!(sim.run_limited(2100.0, 10).unwrap(), Stop::MaxEvents);
    assert_eq!(sim.now(), 2018.0, "the end was not reached");
    assert_eq!(sim.run_limited(2101.0, 1000).unwrap(), Stop::EndReached);
    assert_eq!((sim.now(), sim.counters().executed), (2101.0, 1051));
}

#[test]
fn a_loop_of_spans_ends_when_nothing_is_pending() {
    let mut sim = start(Script::default(), &[At(1.0, "a"), At(2.0, "b")]);
    let mut reasons = Vec::new();
    while sim.has_events() {
        reasons.push(sim.run_for(1.0).unwrap());
    }
    assert_eq!(reasons, [Stop::EndReached, Stop::QueueEmpty]);
    assert_eq!(sim.now(), 2.0);
}

#[test]
fn a_stop_leaves_the_clock_at_its_event_and_the_rest_pending() {
    let script = Script::default().on("stop", &[Halt, In(0.0, "after")]);
    let mut sim = start(script, &[At(3.0, "stop"), At(3.0, "same instant"), At(4.0, "later")]);
    assert_eq!(sim.run_until(10.0).unwrap(), Stop::Requested);
    assert_eq!((sim.now(), sim.pending()), (3.0, 3));
    assert_eq!(sim.run_until(10.0).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.model().words(), ["stop", "same instant", "after", "later"]);
}

#[test]
fn a_predicate_is_asked_before_each_event() {
    let mut sim = start(Script::default().on("tick", &[In(1.0, "tick")]), &[At(0.0, "tick")]);
    let stop = sim.run_while(|sim| sim.model().log.len() < 5).unwrap();
    assert_eq!((stop, sim.now()), (Stop::Predicate, 4.0));
}

#[test]
fn a_step_runs_one_event_and_tells_whether_there_was_one() {
    let mut sim = start(Script::default(), &[At(1.0, "a"), Held(2.0, "dead"), At(3.0, "b"), Cancel("dead")]);
    assert_eq!(sim.peek().map(|next| next.time), Some(1.0));
    assert_eq!(sim.step().unwrap(), None);
    assert_eq!(sim.peek().map(|next| (next.time, next.kind)), Some((3.0, "b")));
    assert_eq!(sim.now(), 1.0, "looking does not move the clock");
    assert_eq!(sim.step().unwrap(), None);
    assert_eq!(sim.step().unwrap(), Some(Stop::QueueEmpty));
    assert_eq!((sim.peek(), sim.now()), (None, 3.0));
}

#[test]
fn an_error_in_a_handler_ends_the_run_and_names_the_event() {
    let mut sim = Simulation::new(Script::default().on("bad", &[Fail]).on("past", &[At(0.0, "never")]));
    let cx = sim.context();
    let (one, two) = (cx.spawn(), cx.spawn());
    cx.schedule(When::at(2.0).stamp(one).stamp(two), "bad").unwrap();
    cx.schedule_at(3.0, "past").unwrap();
    cx.schedule_at(4.0, "good").unwrap();
    let error = sim.run().unwrap_err();
    assert_eq!(error.to_string(), "event #1 (bad of entity 0 and 1) at 2 failed: told to fail");
    let error = sim.run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "event #2 (past) at 3 failed: cannot schedule at 0: it lies before the clock (clock 3)"
    );
    assert_eq!(sim.context().current(), None);
    assert_eq!((sim.run().unwrap(), sim.now()), (Stop::QueueEmpty, 4.0), "and it can be taken up again");
}

/// Schedules itself without delay as often as it is told to.
struct Loop {
    executed: u64,
}

impl Model for Loop {
    type Time = f64;
    type Event = u64;
    type Refs = Stamps<1>;

    fn handle(&mut self, left: u64, cx: &mut impl Context<Self>) -> Outcome {
        self.executed += 1;
        if left > 0 {
            cx.schedule(When::after(0.0), left - 1)?;
        }
        Ok(())
    }

    fn kind(_: &u64) -> &'static str {
        "loop"
    }
}

#[test]
fn zero_delays_without_end_are_an_error_and_very_many_are_not() {
    let mut sim = Simulation::new(Loop { executed: 0 });
    sim.context().schedule_at(0.0, 9_999).unwrap();
    sim.run().unwrap();
    assert_eq!((sim.model().executed, sim.counters().rounds), (10_000, 10_000));

    let mut sim = Simulation::new(Loop { executed: 0 });
    sim.context().schedule_at(0.0, u64::MAX).unwrap();
    let error = sim.run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no progress at 0: 10000 rounds of zero delays, and next comes event #10001 (loop) at 0"
    );
    assert_eq!((sim.model().executed, sim.pending()), (10_000, 1), "the next one is still pending");
    assert!(matches!(sim.run(), Err(RunError::NoProgress { .. })), "and asking again does not help");
}

#[test]
fn the_error_names_the_entity_that_loops() {
    struct Stuck;
    impl Model for Stuck {
        type Time = f64;
        type Event = saltus::Entity;
        type Refs = Stamps<1>;

        fn handle(&mut self, entity: saltus::Entity, cx: &mut impl Context<Self>) -> Outcome {
            cx.schedule(When::after(0.0).stamp(entity), entity)?;
            Ok(())
        }
    }
    let settings = Settings { round_limit: 5, ..Settings::default() };
    let mut sim: Simulation<_> = Simulation::with(Stuck, settings, ());
    let cx = sim.context();
    let entity = (0..8).map(|_| cx.spawn()).last().unwrap();
    cx.schedule_at(2.5, entity).unwrap();
    match sim.run() {
        Err(RunError::NoProgress { event, rounds: 5 }) => assert_eq!((event.time, event.entities), (2.5, vec![7])),
        other => panic!("{other:?}"),
    }
    assert_eq!(sim.counters().executed, 5);
}

#[test]
fn any_number_of_events_in_one_round_is_fine() {
    let mut sim = Simulation::new(Loop { executed: 0 });
    for _ in 0..100_000 {
        sim.context().schedule_at(0.0, 1).unwrap();
    }
    sim.run().unwrap();
    assert_eq!(sim.model().executed, 200_000);
    assert_eq!(sim.counters().rounds, 2, "what was waiting, and what that scheduled");
}
