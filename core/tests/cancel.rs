//! Cancelled, rescheduled and stale events.

mod common;

use common::Act::*;
use common::{Script, act, start};
use saltus::{Context, Entity, Handle, Handles, Model, Outcome, Refusal, Simulation, Stamps, Stop, When};

#[test]
fn cancelling_goes_by_the_handle_and_never_by_content() {
    let mut sim = start(Script::default(), &[Held(1.0, "a"), Held(1.0, "b"), Cancel("b")]);
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["a"]);

    // Equal content: only the second of the two goes, and the first keeps its handle.
    let mut sim = Simulation::new(Script::default());
    let cx = sim.context();
    let when = When::at(1.0).priority(1);
    let first = cx.schedule_with_handle(when, "same").unwrap();
    let second = cx.schedule_with_handle(when, "same").unwrap();
    assert!(cx.cancel(second));
    assert_eq!((cx.due(first), cx.due(second)), (Some(1.0), None));
    sim.run().unwrap();
    assert_eq!((sim.counters().executed, sim.counters().cancelled), (1, 1));
}

#[test]
fn a_cancelled_event_never_moves_the_clock() {
    let mut sim = start(Script::default(), &[Held(5.0, "a"), Cancel("a")]);
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.now(), 0.0);
    act(&mut sim, &[In(0.0, "b")]);
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(0.0, "b")]);
    assert_eq!((sim.counters().executed, sim.counters().cancelled), (1, 1));
}

#[test]
fn dead_events_beyond_the_end_are_not_pending() {
    let mut sim = start(Script::default(), &[Held(5.0, "a"), Cancel("a")]);
    assert_eq!(sim.run_until(1.0).unwrap(), Stop::QueueEmpty);

    let entity = sim.context().spawn();
    act(&mut sim, &[Stamped(5.0, "a", entity), Touch(entity)]);
    assert_eq!(sim.run_until(2.0).unwrap(), Stop::QueueEmpty);
    assert_eq!((sim.now(), sim.counters().stale), (2.0, 1));
}

#[test]
fn an_event_of_the_same_instant_can_be_cancelled_but_not_one_that_runs_or_has_run() {
    let script = Script::default().on("e1", &[Cancel("e2")]).on("e3", &[Cancel("e3"), Cancel("e1")]);
    let mut sim = start(script, &[Held(1.0, "e1"), Held(1.0, "e2"), Held(1.0, "e3")]);
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["e1", "e3"]);
    assert_eq!(sim.model().answers, [true, false, false]);
}

/// The first event cancels all others, twice.
struct Purge {
    timers: Vec<Handle>,
    answers: Vec<bool>,
}

impl Model for Purge {
    type Time = f64;
    type Event = ();
    type Refs = Handles<0>;

    fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
        for &timer in &self.timers[1..] {
            self.answers.extend([cx.cancel(timer), cx.cancel(timer)]);
        }
        Ok(())
    }
}

#[test]
fn cancelling_twice_counts_once() {
    let (timers, answers) = (Vec::new(), Vec::new());
    let mut sim = Simulation::new(Purge { timers, answers });
    let (purge, cx) = sim.parts();
    purge.timers = (0..11).map(|_| cx.schedule_with_handle(200.0, ()).unwrap()).collect();
    sim.run().unwrap();
    assert_eq!(sim.pending(), 0);
    assert_eq!((sim.counters().executed, sim.counters().cancelled), (1, 10));
    assert!(sim.model().answers.chunks(2).all(|answers| answers == [true, false]));
}

#[test]
fn a_rescheduled_event_fires_once_and_at_its_last_time() {
    let mut sim = start(Script::default(), &[Held(10.0, "a"), Held(10.0, "b"), Held(10.0, "c")]);
    act(&mut sim, &[Move("a", 15.0), Move("b", 3.0), Move("c", 15.0), Move("c", 3.0), Move("c", 12.0)]);
    assert_eq!(sim.pending(), 3);
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(3.0, "b"), (12.0, "c"), (15.0, "a")]);
    assert_eq!((sim.pending(), sim.counters().rescheduled), (0, 5));
}

#[test]
fn rescheduling_takes_the_stamps_of_now_and_keeps_the_handle() {
    let mut sim = Simulation::new(Script::default());
    let cx = sim.context();
    let entity = cx.spawn();
    let handle = cx.schedule_with_handle(When::at(5.0).stamp(entity).priority(-3), "moved").unwrap();
    cx.schedule(When::at(6.0).priority(-2), "other").unwrap();
    let moved = cx.reschedule(handle, 6.0).unwrap().unwrap();
    assert_eq!(cx.version(entity), Some(1));
    cx.touch(entity);
    assert!(cx.version(entity).unwrap() > moved.sequence());
    assert_eq!(cx.reschedule(handle, 7.0), Ok(None), "the touch has ended it");

    let again = cx.schedule_with_handle(When::at(5.0).stamp(entity).priority(-3), "again").unwrap();
    cx.reschedule(again, 6.0).unwrap().unwrap();
    assert_eq!(cx.due(again), Some(6.0));
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["again", "other"], "the priority is kept");
    assert_eq!(sim.counters().stale, 1);
}

#[test]
fn what_cannot_be_rescheduled_stays_where_it_is() {
    let mut sim = start(Script::default(), &[At(1.0, "first"), Held(5.0, "a")]);
    sim.run_events(1).unwrap();
    let handle = sim.model().handles["a"];
    let cx = sim.context();
    assert_eq!(cx.reschedule(handle, 0.5).unwrap_err().reason(), Refusal::Past(0.5));
    assert!(matches!(cx.reschedule(handle, f64::NAN).unwrap_err().reason(), Refusal::NotATime(_)));
    assert_eq!(cx.due(handle), Some(5.0));
    assert_eq!(cx.reschedule(handle, f64::INFINITY), Ok(Some(saltus::EventId::NEVER)));
    assert_eq!((cx.due(handle), sim.counters().cancelled), (None, 1));
}

#[test]
fn a_periodic_event_can_be_cancelled_or_moved_by_its_own_handler() {
    struct Series {
        handle: Handle,
        times: Vec<f64>,
    }
    impl Model for Series {
        type Time = f64;
        type Event = ();
        type Refs = Handles<0>;

        fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
            self.times.push(cx.now());
            match self.times.len() {
                3 => drop(cx.reschedule(self.handle, 10.0)?),
                6 => assert!(cx.cancel(self.handle)),
                _ => {}
            }
            Ok(())
        }
    }
    let times = Vec::new();
    let mut sim = Simulation::new(Series { handle: Handle::NEVER, times });
    let (series, cx) = sim.parts();
    series.handle = cx.schedule_every(1.0, 1.0, ()).unwrap();
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.model().times, [1.0, 2.0, 3.0, 10.0, 11.0, 12.0]);
    assert_eq!(sim.pending(), 0);
}

/// An illness that ends by a cure or by itself, without any cancelling: each change touches the person.
struct Person {
    entity: Option<Entity>,
    is_ill: bool,
    recoveries: u32,
}

enum Health {
    FallIll { recovery: f64 },
    Cure,
    Recover,
}

impl Model for Person {
    type Time = f64;
    type Event = Health;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Health, cx: &mut impl Context<Self>) -> Outcome {
        let person = self.entity.ok_or("nobody here")?;
        cx.touch(person);
        self.is_ill = false;
        match event {
            Health::FallIll { recovery } => {
                self.is_ill = true;
                cx.schedule(When::at(recovery).stamp(person), Health::Recover)?;
            }
            Health::Cure => {}
            Health::Recover => self.recoveries += 1,
        }
        Ok(())
    }
}

#[test]
fn the_recovery_from_one_illness_does_not_end_the_next() {
    let mut sim = Simulation::new(Person { entity: None, is_ill: false, recoveries: 0 });
    let (person, cx) = sim.parts();
    person.entity = Some(cx.spawn());
    cx.schedule_at(0.0, Health::FallIll { recovery: 20.0 }).unwrap();
    cx.schedule_at(10.0, Health::Cure).unwrap();
    cx.schedule_at(15.0, Health::FallIll { recovery: 27.0 }).unwrap();
    sim.run_until(21.0).unwrap();
    assert!(sim.model().is_ill);
    assert_eq!((sim.counters().stale, sim.model().recoveries), (1, 0));
    sim.run_until(28.0).unwrap();
    assert!(!sim.model().is_ill);
    assert_eq!((sim.counters().stale, sim.model().recoveries), (1, 1));
}

/// Jumps at a rate that another event sets to zero.
struct Jumps {
    process: Option<Entity>,
    rate: f64,
    times: Vec<f64>,
}

enum Change {
    Jump,
    Switch(f64),
}

impl Jumps {
    fn draw(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        let process = self.process.ok_or("not spawned")?;
        cx.touch(process);
        // With rate zero the mean is infinite, and so is the delay: never.
        let delay = cx.stream(0).exponential(1.0 / self.rate);
        cx.schedule(When::after(delay).stamp(process), Change::Jump)?;
        Ok(())
    }
}

impl Model for Jumps {
    type Time = f64;
    type Event = Change;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Change, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            Change::Jump => self.times.push(cx.now()),
            Change::Switch(rate) => self.rate = rate,
        }
        self.draw(cx)
    }
}

#[test]
fn a_jump_that_was_drawn_before_the_rate_changed_does_not_happen() {
    let mut count = 0;
    for seed in 0..1000 {
        let mut sim = Simulation::seeded(Jumps { process: None, rate: 10.0, times: Vec::new() }, seed);
        let (jumps, cx) = sim.parts();
        jumps.process = Some(cx.spawn());
        jumps.draw(cx).unwrap();
        cx.schedule_at(1.0, Change::Switch(0.0)).unwrap();
        sim.run_until(100.0).unwrap();
        assert!(sim.model().times.iter().all(|&time| time <= 1.0));
        count += sim.model().times.len();
    }
    // Three standard deviations of the mean of a thousand Poisson numbers.
    assert!((count as f64 / 1000.0 - 10.0).abs() < 0.3, "{count}");
}

#[test]
fn nothing_that_was_meant_for_a_dead_entity_reaches_the_next_in_its_place() {
    let mut sim = Simulation::new(Script::default());
    let mut old = Vec::new();
    for round in 0..4 {
        let cx = sim.context();
        let entity = cx.spawn();
        assert_eq!(entity.index(), 0, "the slot is used again");
        cx.schedule(When::at(f64::from(round) + 5.0).stamp(entity), "for the dead").unwrap();
        assert!(cx.despawn(entity) && !cx.despawn(entity));
        old.push(entity);
    }
    let cx = sim.context();
    let living = cx.spawn();
    cx.schedule(When::at(6.0).stamp(living), "for the living").unwrap();
    for entity in old {
        assert_ne!(entity, living);
        assert!(!cx.touch(entity) && !cx.despawn(entity));
        assert_eq!(cx.version(entity), None);
        let error = cx.schedule(When::at(6.0).stamp(entity), "nothing").unwrap_err();
        assert_eq!(error.reason(), Refusal::DeadEntity(entity));
    }
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["for the living"]);
    assert_eq!(sim.counters().stale, 4);
}

#[test]
fn an_old_handle_matches_nothing_that_takes_its_place() {
    let mut sim = Simulation::new(Script::default());
    let cx = sim.context();
    let mut old = Vec::new();
    for _ in 0..100 {
        let handle = cx.schedule_with_handle(1.0, "cancelled").unwrap();
        assert!(cx.cancel(handle));
        old.push(handle);
    }
    let entity = cx.spawn();
    old.push(cx.schedule_with_handle(When::at(1.0).stamp(entity), "stale").unwrap());
    cx.touch(entity);
    old.push(cx.schedule_with_handle(1.0, "ran").unwrap());
    sim.run().unwrap();
    let cx = sim.context();
    let kept: Vec<_> = (0..3).map(|_| cx.schedule_with_handle(2.0, "kept").unwrap()).collect();
    for handle in old {
        assert!(!kept.contains(&handle));
        assert!(!cx.cancel(handle));
        assert_eq!((cx.due(handle), cx.reschedule(handle, 9.0)), (None, Ok(None)));
    }
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["ran", "kept", "kept", "kept"]);
}

#[test]
fn to_cancel_a_stale_event_is_no_cancelling() {
    let mut sim = Simulation::new(Script::default());
    let cx = sim.context();
    let entity = cx.spawn();
    let handle = cx.schedule_with_handle(When::at(1.0).stamp(entity), "stale").unwrap();
    cx.touch(entity);
    assert_eq!(cx.due(handle), None);
    assert!(!cx.cancel(handle));
    sim.run().unwrap();
    assert_eq!((sim.counters().stale, sim.counters().cancelled), (1, 0));
    assert_eq!(sim.now(), 0.0);
}

#[test]
fn either_of_two_stamps_voids_an_event_and_a_third_is_refused() {
    for touched in 0..2 {
        let mut sim = Simulation::new(Script::default());
        let cx = sim.context();
        let pair = [cx.spawn(), cx.spawn()];
        let both = When::at(1.0).stamp(pair[0]).stamp(pair[1]);
        cx.schedule(both, "void").unwrap();
        cx.touch(pair[touched]);
        cx.schedule(both, "good").unwrap();
        let error = cx.schedule(both.stamp(pair[0]), "three").unwrap_err();
        assert_eq!(error.reason(), Refusal::TooManyStamps { given: 3, room: 2 });
        sim.run().unwrap();
        assert_eq!(sim.model().words(), ["good"]);
    }
}

/// A server whose departures are predicted anew when the model is told that they are stale.
struct Told {
    entity: Option<Entity>,
    ran: Vec<(f64, u32)>,
    told: Vec<(f64, u32)>,
    stop_when_told: bool,
}

impl Model for Told {
    type Time = f64;
    type Event = u32;
    type Refs = Handles<1>;
    const TELL_STALE: bool = true;

    fn handle(&mut self, event: u32, cx: &mut impl Context<Self>) -> Outcome {
        self.ran.push((cx.now(), event));
        Ok(())
    }

    fn stale(&mut self, event: u32, cx: &mut impl Context<Self>) -> Outcome {
        self.told.push((cx.now(), event));
        if event < 10 {
            let entity = self.entity.ok_or("not spawned")?;
            cx.schedule(When::at(f64::from(event) + 0.5).stamp(entity), event + 10)?;
        }
        if self.stop_when_told {
            cx.stop();
        }
        Ok(())
    }
}

fn told(stop_when_told: bool) -> Simulation<Told> {
    let mut sim = Simulation::new(Told { entity: None, ran: Vec::new(), told: Vec::new(), stop_when_told });
    let (model, cx) = sim.parts();
    let entity = cx.spawn();
    model.entity = Some(entity);
    for n in [1, 2] {
        cx.schedule(When::at(f64::from(n)).stamp(entity), n).unwrap();
    }
    cx.schedule_at(1.8, 100).unwrap();
    cx.touch(entity);
    sim
}

#[test]
fn a_model_that_asks_is_told_of_a_stale_event_when_it_would_have_been_next() {
    let mut sim = told(false);
    assert_eq!(sim.peek().map(|next| next.time), Some(1.8), "only what will run counts");
    assert_eq!(sim.queue_len(), 3, "looking drops nothing");
    assert_eq!(sim.run_until(0.5).unwrap(), Stop::EndReached, "nothing is told before its time");
    assert!(sim.model().told.is_empty());
    sim.run().unwrap();
    // The clock stays where it was, and what was predicted anew takes its own place.
    assert_eq!(sim.model().told, [(0.5, 1), (1.8, 2)]);
    assert_eq!(sim.model().ran, [(1.5, 11), (1.8, 100), (2.5, 12)]);
    assert_eq!((sim.counters().stale, sim.counters().swept), (2, 0));
}

#[test]
fn stale_events_that_are_to_be_told_are_never_swept() {
    let mut sim = told(false);
    let (model, cx) = sim.parts();
    let entity = model.entity.unwrap();
    for n in 0..1000 {
        cx.schedule(When::at(3.0).stamp(entity), 10 + n).unwrap();
        cx.touch(entity);
    }
    // Cancelled ones may be: nobody is told of them.
    for _ in 0..10_000 {
        let handle = cx.schedule_with_handle(4.0, 0).unwrap();
        cx.cancel(handle);
    }
    assert!(sim.queue_len() <= 2 * 1003 + 64);
    sim.run().unwrap();
    assert_eq!(sim.model().told.len(), 1002);
    assert_eq!((sim.counters().stale, sim.counters().swept), (1002, 0));
}

#[test]
fn a_model_can_stop_the_run_when_it_is_told() {
    let mut sim = told(true);
    assert_eq!(sim.run().unwrap(), Stop::Requested);
    assert_eq!((sim.now(), sim.model().told.len(), sim.model().ran.len()), (0.0, 1, 0));
}
