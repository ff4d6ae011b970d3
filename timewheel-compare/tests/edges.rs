//! Rules at the edges of slots, of the wheel, and of a run.

mod common;

use common::{Act, OnWheel, Script, do_now, on_wheel, scan};
use saltus::driver::{Poll, ScanCounters, Slots};
use saltus::queue::Heap;
use saltus::{BoxError, Context, Model, Outcome, Refusal, RunError, Settings, Simulation, Stop};
use timewheel_compare::{RuleR, Steps, TooFine, Wheel};

type Ticks = OnWheel<u64, RuleR>;

/// Slots of ten ticks, 0 to 9, 10 to 19 and so on; sixteen of them.
fn tens(acts: &[Act<u64>]) -> Ticks {
    on_wheel(Script::default(), ten_ticks(), acts)
}

fn ten_ticks() -> Wheel<RuleR> {
    Wheel::new(RuleR::of_width(10).expect("a slot"), 16)
}

fn log(sim: &Ticks) -> &[(u64, &'static str)] {
    &sim.model().log
}

#[test]
fn an_event_on_a_slots_edge_belongs_to_the_slot_that_ends_there() -> Result<(), BoxError> {
    let mut sim = tens(&[Act::At(9, "last tick"), Act::At(10, "first tick"), Act::At(0, "start")]);
    let (stop, counters) = scan(&mut sim, 100)?;
    assert_eq!(log(&sim), [(9, "start"), (9, "last tick"), (19, "first tick")]);
    assert_eq!((stop, sim.now()), (Stop::QueueEmpty, 100));
    assert_eq!((counters.visited, counters.empty, counters.events), (2, 0, 3));
    assert_eq!((counters.total_delay, counters.largest_delay), (18.0, 9.0));
    assert_eq!(counters.mean_delay(), 6.0);
    Ok(())
}

#[test]
fn a_half_open_step_owns_its_end_and_time_zero_the_first() -> Result<(), BoxError> {
    let wheel = Wheel::new(Steps::<f64>::new(0.5).expect("a step"), 16);
    let acts = [Act::At(0.0, "start"), Act::At(0.5, "edge"), Act::At(0.5f64.next_up(), "after it")];
    let mut sim = on_wheel(Script::default(), wheel, &acts);
    scan(&mut sim, 2.0)?;
    assert_eq!(sim.model().log, [(0.5, "start"), (0.5, "edge"), (1.0, "after it")]);
    Ok(())
}

#[test]
fn a_zero_delay_runs_at_the_same_slots_end() -> Result<(), BoxError> {
    let script = Script::default().on("first", Act::At(19, "now"));
    let mut sim = on_wheel(script, ten_ticks(), &[Act::At(12, "first"), Act::At(15, "second")]);
    let (_, counters) = scan(&mut sim, 100)?;
    assert_eq!(log(&sim), [(19, "first"), (19, "second"), (19, "now")]);
    assert_eq!((counters.visited, counters.empty), (2, 1));
    Ok(())
}

#[test]
fn what_is_created_in_a_slot_that_is_being_processed_runs_in_it_or_in_a_later_one() -> Result<(), BoxError> {
    let script = Script::default()
        .on("first", Act::At(20, "next slot"))
        .on("first", Act::At(19, "same slot"))
        .on("first", Act::At(35, "a slot later"));
    let mut sim = on_wheel(script, ten_ticks(), &[Act::At(11, "first")]);
    scan(&mut sim, 100)?;
    assert_eq!(log(&sim), [(19, "first"), (19, "same slot"), (29, "next slot"), (39, "a slot later")]);
    Ok(())
}

#[test]
fn before_the_clock_is_the_past_even_within_the_slot() {
    let script = Script::default().on("first", Act::At(18, "too late"));
    let mut sim = on_wheel(script, ten_ticks(), &[Act::At(11, "first")]);
    let error = scan(&mut sim, 100).expect_err("the clock stands at 19");
    assert!(error.to_string().contains("cannot schedule at 18: it lies before the clock (clock 19)"), "{error}");
}

#[test]
fn a_series_keeps_its_due_times_and_fires_at_slot_ends_several_times_in_one() -> Result<(), BoxError> {
    let mut sim = tens(&[Act::Every(4, 4, "tick"), Act::At(10, "other")]);
    scan(&mut sim, 29)?;
    assert_eq!(
        log(&sim),
        [(9, "tick"), (9, "tick"), (19, "other"), (19, "tick"), (19, "tick"), (29, "tick"), (29, "tick"), (29, "tick")]
    );
    assert_eq!(sim.context().now(), 29);
    Ok(())
}

#[test]
fn a_short_period_in_a_long_slot_is_no_loop() -> Result<(), BoxError> {
    let wheel = Wheel::new(RuleR::of_width(100_000).expect("a slot"), 4);
    let mut sim = on_wheel(Script::default(), wheel, &[Act::Every(1, 1, "tick")]);
    scan(&mut sim, 99_999)?;
    assert_eq!(sim.model().log.len(), 99_999);
    Ok(())
}

#[test]
fn the_last_slot_of_a_turn_the_first_of_the_next_and_many_turns() -> Result<(), BoxError> {
    for wheel in [ten_ticks(), ten_ticks().skipping()] {
        let script = Script::default()
            .on("last of the turn", Act::At(309, "the last within reach"))
            .on("the last within reach", Act::At(310, "next slot"))
            .on("far", Act::At(16_009, "in the same"));
        let acts = [Act::At(159, "last of the turn")];
        let mut sim = on_wheel(script, wheel, &acts);
        scan(&mut sim, 159)?;
        assert_eq!(sim.model().log, [(159, "last of the turn")]);
        scan(&mut sim, 15_999)?;
        assert_eq!(sim.model().log[1..], [(309, "the last within reach"), (319, "next slot")]);
        do_now(&mut sim, &[Act::At(16_000, "far")])?;
        scan(&mut sim, 20_000)?;
        assert_eq!(sim.model().log[3..], [(16_009, "far"), (16_009, "in the same")]);
    }
    Ok(())
}

#[test]
fn a_run_that_ends_inside_of_a_slot_leaves_the_slot_to_the_next_call() -> Result<(), BoxError> {
    let mut sim = tens(&[Act::At(12, "early"), Act::At(14, "late")]);
    let mut counters = ScanCounters::default();
    assert_eq!(sim.scan_until(13, &mut (), &mut counters)?, Stop::EndReached);
    assert_eq!((sim.now(), log(&sim).len(), counters.visited), (13, 0, 1));
    assert_eq!(sim.scan_until(13, &mut (), &mut counters)?, Stop::EndReached);
    do_now(&mut sim, &[Act::At(13, "from outside")])?;
    assert_eq!(sim.scan_until(19, &mut (), &mut counters)?, Stop::QueueEmpty);
    assert_eq!(log(&sim), [(19, "early"), (19, "from outside"), (19, "late")]);
    assert_eq!((counters.visited, counters.empty), (2, 1));
    assert!(matches!(sim.scan_until(18, &mut (), &mut counters), Err(RunError::EndInPast { end: 18, now: 19 })));
    Ok(())
}

#[test]
fn what_is_scheduled_from_outside_at_the_very_end_of_a_slot_still_belongs_to_it() -> Result<(), BoxError> {
    let mut sim = tens(&[Act::At(30, "later")]);
    let mut counters = ScanCounters::default();
    sim.scan_until(19, &mut (), &mut counters)?;
    do_now(&mut sim, &[Act::At(19, "now")])?;
    sim.scan_until(19, &mut (), &mut counters)?;
    assert_eq!(log(&sim), [(19, "now")]);
    assert_eq!((counters.visited, counters.empty), (2, 1), "the slot is the same, and no longer empty");
    Ok(())
}

#[test]
fn a_stop_in_the_middle_of_a_slot_and_on() -> Result<(), BoxError> {
    let script = Script::default().on("a", Act::Stop);
    let mut sim = on_wheel(script, ten_ticks(), &[Act::At(11, "a"), Act::At(12, "b"), Act::At(25, "c")]);
    let mut counters = ScanCounters::default();
    assert_eq!(sim.scan_until(100, &mut (), &mut counters)?, Stop::Requested);
    assert_eq!((sim.now(), log(&sim)), (19, &[(19, "a")][..]));
    assert_eq!(sim.scan_until(100, &mut (), &mut counters)?, Stop::QueueEmpty);
    assert_eq!(log(&sim)[1..], [(19, "b"), (29, "c")]);
    assert_eq!((counters.visited, counters.empty, counters.events), (3, 1, 3));
    Ok(())
}

#[test]
fn stale_and_cancelled_events_in_a_slot_run_nothing() -> Result<(), BoxError> {
    let script = Script::default().on("first", Act::Cancel(0)).on("first", Act::Touch);
    let acts = [Act::Held(15, "cancelled"), Act::Stamped(16, "stale"), Act::Stamped(44, "stale"), Act::At(11, "first")];
    let mut sim = on_wheel(script, ten_ticks(), &acts);
    let (stop, counters) = scan(&mut sim, 100)?;
    assert_eq!(log(&sim), [(19, "first")]);
    assert_eq!((stop, counters.events, sim.counters().cancelled, sim.counters().stale), (Stop::QueueEmpty, 1, 1, 2));
    assert_eq!(counters.visited - counters.empty, 1);
    Ok(())
}

#[test]
fn a_delay_longer_than_the_wheel_is_refused_or_parked() -> Result<(), BoxError> {
    let mut sim = tens(&[]);
    let error = sim.context().schedule_at(160, "beyond").expect_err("sixteen slots of ten ticks");
    assert_eq!(error.reason(), Refusal::BeyondHorizon(160));
    assert_eq!(error.to_string(), "cannot schedule at 160: beyond what the queue can hold (clock 0)");
    sim.context().schedule_at(159, "last")?;
    assert_eq!(sim.pending(), 1, "what was refused has left no trace");
    scan(&mut sim, 9)?;
    assert_eq!(
        sim.context().schedule_at(160, "beyond").expect_err("still the first slot").reason(),
        Refusal::BeyondHorizon(160)
    );
    scan(&mut sim, 10)?;
    sim.context().schedule_at(169, "a slot on")?;

    for wheel in [ten_ticks().parking(), ten_ticks().parking().skipping()] {
        let script = Script::default().on("near", Act::At(2000, "farther"));
        let mut sim = on_wheel(script, wheel, &[Act::At(1000, "far"), Act::At(160, "one turn"), Act::At(3, "near")]);
        let (_, counters) = scan(&mut sim, 2009)?;
        assert_eq!(sim.model().log, [(9, "near"), (169, "one turn"), (1009, "far"), (2009, "farther")]);
        assert_eq!(counters.visited + counters.skipped, 201);
    }
    Ok(())
}

#[test]
fn slots_far_out_do_not_overflow() -> Result<(), BoxError> {
    for width in [1, 10, 1 << 40] {
        for skipping in [false, true] {
            let slots = RuleR::of_width(width)?;
            let wheel = Wheel { skipping, ..Wheel::new(slots, 8).parking() };
            let settings = Settings { start: u64::MAX - 3 * width.min(1000), ..Settings::default() };
            let mut sim = Simulation::with_queue(Script::default(), settings, (), wheel);
            let (script, cx) = sim.parts();
            script.act(Act::At(u64::MAX, "the last tick"), cx)?;
            script.act(Act::At(u64::MAX - 1, "before it"), cx)?;
            assert_eq!(scan(&mut sim, u64::MAX)?.0, Stop::QueueEmpty);
            let words: Vec<_> = sim.model().log.iter().map(|entry| entry.1).collect();
            assert_eq!(words, ["before it", "the last tick"]);
            assert_eq!(sim.now(), u64::MAX);
            sim.context().schedule_in(0, "and now")?;
            scan(&mut sim, u64::MAX)?;
            assert_eq!(sim.model().log.len(), 3);
            let mut poll = Count(0);
            sim.scan_until(u64::MAX, &mut poll, &mut ScanCounters::default())?;
            assert_eq!(poll.0, 0, "the last slot is over");
        }
    }
    let far = Steps::<f64>::new(1e-9).expect("a step");
    let slot = far.slot_of(1e300);
    assert_eq!((slot, far.end_of(slot), far.end_of(slot + 1)), ((1 << 53) - 1, Some(f64::MAX), None));
    let mut sim = on_wheel(Script::default(), Wheel::new(far, 8).parking().skipping(), &[Act::At(1e300, "far")]);
    scan(&mut sim, f64::INFINITY)?;
    assert_eq!(sim.model().log, [(f64::MAX, "far")]);
    Ok(())
}

#[test]
fn the_last_tick_is_an_ordinary_one_and_near_and_far_timers_do_not_meet() -> Result<(), BoxError> {
    for start in [(1 << 30) - 1, 1 << 30, (1 << 36) - 1, 1 << 36, u64::MAX / 10] {
        for quantising in [false, true] {
            let wheel = Wheel::new(RuleR::of_width(1)?, 1 << 15).parking().skipping();
            let settings = Settings { start, ..Settings::default() };
            let mut sim = Simulation::with_queue(Script::default(), settings, (), wheel);
            let cx = sim.context();
            cx.schedule_in(1 << 36, "far")?;
            cx.schedule_at(u64::MAX, "last")?;
            cx.schedule_in(333, "near")?;
            if start < u64::MAX / 10 {
                cx.schedule_at(u64::MAX / 10, "a tenth")?;
            }
            if quantising {
                scan(&mut sim, u64::MAX)?;
            } else {
                sim.run()?;
            }
            let mut right = vec![(start + 333, "near"), (start + (1 << 36), "far")];
            if start < u64::MAX / 10 {
                right.push((u64::MAX / 10, "a tenth"));
            }
            right.push((u64::MAX, "last"));
            assert_eq!(sim.model().log, right);
        }
    }
    Ok(())
}

#[test]
fn a_wheel_that_the_ordinary_driver_has_turned_ahead_turns_back_for_a_scan() -> Result<(), BoxError> {
    for wheel in [ten_ticks(), ten_ticks().skipping().parking()] {
        let mut sim = on_wheel(Script::default(), wheel, &[Act::At(0, "start"), Act::At(150, "late")]);
        sim.run_until(0)?;
        assert_eq!(sim.model().log, [(0, "start")]);
        do_now(&mut sim, &[Act::At(15, "early")])?;
        let (_, counters) = scan(&mut sim, 159)?;
        assert_eq!(sim.model().log[1..], [(19, "early"), (159, "late")]);
        assert_eq!(counters.visited + counters.skipped, 16);
    }
    Ok(())
}

#[test]
fn zero_delays_without_end_are_an_error_and_a_chain_of_9999_is_not() -> Result<(), BoxError> {
    struct Chain(u32);
    impl Model for Chain {
        type Time = u64;
        type Event = ();
        type Refs = saltus::Stamps<0>;
        fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
            self.0 -= 1;
            if self.0 > 0 {
                cx.schedule_in(0, ())?;
            }
            Ok(())
        }
        fn kind(_: &()) -> &'static str {
            "spin"
        }
    }
    for (length, passes) in [(10_000, true), (10_001, false)] {
        let mut sim = Simulation::with_queue(Chain(length), Settings::default(), (), ten_ticks());
        sim.context().schedule_at(9, ())?;
        let outcome = sim.scan_until(100, &mut (), &mut ScanCounters::default());
        match outcome {
            Ok(_) => assert!(passes),
            Err(RunError::NoProgress { event, rounds: 10_000 }) => assert!(!passes && event.kind == "spin"),
            Err(other) => panic!("{other}"),
        }
    }
    let mut sim = tens(&[]);
    for _ in 0..100_000 {
        sim.context().schedule_at(5, "a fan")?;
    }
    scan(&mut sim, 9)?;
    assert_eq!(sim.counters().rounds, 1);
    Ok(())
}

/// Counts polls.
struct Count(u64);

impl<M: Model> Poll<M> for Count {
    fn poll(&mut self, _: &mut M, _: &mut impl Context<M>) -> Outcome {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn the_poll_is_called_once_a_slot_empty_or_not_also_on_a_wheel_that_skips() -> Result<(), BoxError> {
    for wheel in [ten_ticks(), ten_ticks().skipping()] {
        let script = Script::default().on("stop", Act::Stop);
        let mut sim = on_wheel(script, wheel, &[Act::At(25, "stop"), Act::At(26, "more")]);
        let (mut poll, mut counters) = (Count(0), ScanCounters::default());
        assert_eq!(sim.scan_until(99, &mut poll, &mut counters)?, Stop::Requested);
        assert_eq!(poll.0, 2, "the third slot is not over");
        assert_eq!(sim.scan_until(99, &mut poll, &mut counters)?, Stop::QueueEmpty);
        assert_eq!((poll.0, counters.visited, counters.skipped), (10, 10, 0));
        sim.scan_until(99, &mut poll, &mut counters)?;
        assert_eq!(poll.0, 10, "not twice");
        sim.scan_until(115, &mut poll, &mut counters)?;
        assert_eq!((poll.0, sim.now()), (11, 115));
    }
    Ok(())
}

/// An ability that is used whenever somebody looks and it is ready.
#[derive(Default)]
struct Ability {
    ready: u64,
    used: Vec<u64>,
}

const COOLDOWN: u64 = 1240;

impl Ability {
    fn use_it(&mut self, now: u64) {
        self.used.push(now);
        self.ready = now + COOLDOWN;
    }
}

impl Model for Ability {
    type Time = u64;
    type Event = ();
    type Refs = saltus::Stamps<0>;

    fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
        self.use_it(cx.now());
        cx.schedule_at(self.ready, ())?;
        Ok(())
    }
}

struct Look;

impl Poll<Ability> for Look {
    fn poll(&mut self, ability: &mut Ability, cx: &mut impl Context<Ability>) -> Outcome {
        if cx.now() >= ability.ready {
            ability.use_it(cx.now());
        }
        Ok(())
    }
}

#[test]
fn polling_delays_what_an_event_does_in_time() -> Result<(), BoxError> {
    let mut sim = Simulation::with_queue(Ability::default(), Settings::default(), (), Heap);
    sim.context().schedule_at(0, ())?;
    sim.run_until(5000)?;
    assert_eq!(sim.model().used, [0, 1240, 2480, 3720, 4960]);

    let wheel = Wheel::new(Steps::<u64>::of_ticks(100).expect("a step"), 1 << 10);
    let mut sim = Simulation::with_queue(Ability::default(), Settings::default(), (), wheel);
    sim.parts().0.use_it(0);
    sim.scan_until(5000, &mut Look, &mut ScanCounters::default())?;
    assert_eq!(sim.model().used, [0, 1300, 2600, 3900]);
    Ok(())
}

#[test]
fn what_a_poll_schedules_for_now_runs_in_the_same_slot_without_a_second_poll() -> Result<(), BoxError> {
    struct Act1(u64);
    impl Poll<Script<u64>> for Act1 {
        fn poll(&mut self, _: &mut Script<u64>, cx: &mut impl Context<Script<u64>>) -> Outcome {
            self.0 += 1;
            cx.schedule_in(0, "at once")?;
            Ok(())
        }
    }
    let mut sim = tens(&[]);
    let (mut poll, mut counters) = (Act1(0), ScanCounters::default());
    sim.scan_until(29, &mut poll, &mut counters)?;
    assert_eq!(log(&sim), [(9, "at once"), (19, "at once"), (29, "at once")]);
    assert_eq!((poll.0, counters.visited, counters.empty), (3, 3, 0));
    Ok(())
}

#[test]
fn a_wheel_by_slot_width_and_number_of_slots() {
    let wheel = Wheel::new(RuleR::of_width(32).expect("a slot"), 32_000);
    assert_eq!((wheel.length, wheel.length * 32), (32_768, 1_048_576), "1024 s asked for, 1048.576 s covered");
    assert_eq!(Wheel::new(RuleR::of_width(10).expect("a slot"), 3).length, 4);
    assert_eq!(RuleR::of_width(0), Err(TooFine { granularity: 1, resolution: 0 }));
    assert_eq!(Steps::<f64>::new(0.0), None);
    assert_eq!(Steps::<u64>::of_ticks(0), None);
}
