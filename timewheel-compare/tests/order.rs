//! Timers as others got them wrong, on a wheel as a list under the ordinary driver (exact times) and on the quantising wheel (at
//! the end of their slot).

mod common;

use common::{Act, Script, on_wheel, scan};
use saltus::driver::Slots;
use saltus::{BoxError, Context};
use timewheel_compare::drivers::{Driver, Job};
use timewheel_compare::models::{Effect, Marks, SECOND, whole_ticks};
use timewheel_compare::settings::Settings;
use timewheel_compare::{RuleR, Steps, Wheel};

/// 1024 slots of 32 ms.
fn wheel() -> Wheel<RuleR> {
    Wheel::new(RuleR::of_width(32).expect("a slot"), 1024).parking()
}

/// When events happen that are due after these delays, with the clock at `start`: exactly, and quantised.
fn happen(wheel: Wheel<impl Slots<u64> + Copy>, start: u64, delays: &[u64]) -> Result<[Vec<u64>; 2], BoxError> {
    let run = |quantising: bool| -> Result<Vec<u64>, BoxError> {
        let mut sim = on_wheel(Script::default(), wheel, &[]);
        if quantising {
            scan(&mut sim, start)?;
        } else {
            sim.run_until(start)?;
        }
        for &delay in delays {
            sim.context().schedule_in(delay, "timer")?;
        }
        if quantising {
            scan(&mut sim, u64::MAX)?;
        } else {
            sim.run()?;
        }
        Ok(sim.model().log.iter().map(|entry| entry.0).collect())
    };
    Ok([run(false)?, run(true)?])
}

#[test]
fn a_timer_longer_than_the_wheel_does_not_fire_a_turn_early() -> Result<(), BoxError> {
    assert_eq!(happen(wheel(), 0, &[100_000])?, [vec![100_000], vec![100_000 / 32 * 32 + 31]]);
    Ok(())
}

#[test]
fn delays_of_whole_turns() -> Result<(), BoxError> {
    for start in [0, 10_016] {
        let [exact, quantised] = happen(wheel(), start, &[32_768, 65_536, 32_767, 32_769])?;
        let right: Vec<u64> = [32_767, 32_768, 32_769, 65_536].iter().map(|delay| start + delay).collect();
        let ends: Vec<u64> = right.iter().map(|time| time / 32 * 32 + 31).collect();
        assert_eq!((exact, quantised), (right, ends));
    }
    Ok(())
}

#[test]
fn delays_that_are_no_multiple_of_the_tick() -> Result<(), BoxError> {
    let step = |dt| Steps::<u64>::of_ticks(dt).expect("a step");
    let polled = happen(Wheel::new(step(10), 8), 0, &[12, 19, 20, 21])?;
    assert_eq!(polled, [vec![12, 19, 20, 21], vec![20, 20, 20, 30]]);
    // Ticks of 0.1 ms, and a delay of 10 ms.
    assert_eq!(happen(Wheel::new(step(1), 128), 0, &[100])?, [vec![100], vec![100]]);
    Ok(())
}

#[test]
fn events_of_one_slot_keep_the_order_of_their_times() -> Result<(), BoxError> {
    let acts = [Act::At(30, "d"), Act::At(1, "a"), Act::At(16, "c"), Act::At(1, "b")];
    let mut exact = on_wheel(Script::default(), wheel(), &acts);
    exact.run()?;
    assert_eq!(exact.model().log, [(1, "a"), (1, "b"), (16, "c"), (30, "d")]);
    let mut quantised = on_wheel(Script::default(), wheel(), &acts);
    scan(&mut quantised, 31)?;
    assert_eq!(quantised.model().log, [(31, "a"), (31, "b"), (31, "c"), (31, "d")]);
    Ok(())
}

#[test]
fn a_buff_that_is_extended_beyond_the_wheel_again_and_again_ends_once() -> Result<(), BoxError> {
    let settings = Settings::default();
    let wheel = settings.wheel(1000)?;
    for quantising in [false, true] {
        let script = Script::default().on("first", Act::Move(0, 1_500_000)).on("second", Act::Move(0, 2_000_000));
        // The second extension lies beyond the wheel at the start, so another event sets it up.
        let script = script.on("first", Act::At(1_400_000, "second"));
        let mut sim = on_wheel(script, wheel, &[Act::Held(1_000_000, "ends"), Act::At(900_000, "first")]);
        if quantising {
            scan(&mut sim, 3_000_000)?;
        } else {
            sim.run_until(3_000_000)?;
        }
        let ends: Vec<u64> = sim.model().log.iter().filter(|entry| entry.1 == "ends").map(|entry| entry.0).collect();
        let slot_end = wheel.slots.end_of(wheel.slots.slot_of(2_000_000));
        assert_eq!(ends, [if quantising { slot_end.unwrap_or(0) } else { 2_000_000 }]);
    }
    Ok(())
}

#[test]
fn before_now_is_an_error_and_now_is_now() -> Result<(), BoxError> {
    let mut sim = on_wheel(Script::default(), wheel(), &[]);
    sim.run_until(100)?;
    assert!(sim.context().schedule_at(99, "past").is_err());
    sim.context().schedule_at(100, "now")?;
    sim.run_until(100)?;
    assert_eq!(sim.model().log, [(100, "now")]);
    Ok(())
}

fn effect(driver: Driver, effect: Effect) -> Result<Effect, BoxError> {
    let slots = RuleR::new(1000, 32)?;
    Ok(driver.run(Job::new(effect, Wheel::new(slots, 1 << 15), 60_000))?.model)
}

#[test]
fn whole_ticks_are_rounded_half_to_even_in_one_place() -> Result<(), BoxError> {
    for (duration, tick, count) in [(12_000, 1600, 8), (20_000, 1600, 12), (15_000, 2500, 6)] {
        assert_eq!(whole_ticks(duration, tick), count);
        let ran = effect(Driver::EventDriven, Effect::of_whole_ticks(duration, tick))?;
        let times: Vec<u64> = (1..=count).map(|k| k * tick).collect();
        assert_eq!((ran.ticks, ran.parts.len()), (times.clone(), 0));
        let ran = effect(Driver::QuantisingWheel, Effect::of_whole_ticks(duration, tick))?;
        let slots = RuleR::new(1000, 32)?;
        let ends: Vec<u64> = times.iter().filter_map(|&time| slots.end_of(slots.slot_of(time))).collect();
        assert_eq!(ran.ticks, ends);
    }
    Ok(())
}

#[test]
fn an_extension_voids_the_part_of_a_tick_that_was_to_come() -> Result<(), BoxError> {
    for driver in [Driver::EventDriven, Driver::SortedBucketWheel] {
        let ran = effect(driver, Effect::with_part(7000, 2000))?;
        assert_eq!((ran.ticks, ran.parts), (vec![2000, 4000, 6000], vec![(7000, 0.5)]));
        let ran = effect(driver, Effect::with_part(7000, 2000).extended(6500, 3000))?;
        assert_eq!((ran.ticks, ran.parts), (vec![2000, 4000, 6000, 8000, 10_000], vec![]));
    }
    let ran = effect(Driver::QuantisingWheel, Effect::with_part(7000, 2000).extended(6500, 3000))?;
    assert_eq!((ran.ticks.len(), ran.parts.len()), (5, 0));
    Ok(())
}

#[test]
fn ties_run_in_the_order_of_scheduling_under_every_driver() -> Result<(), BoxError> {
    let due: Vec<u64> = (0..200).map(|number| 7 * (number % 3)).collect();
    let in_order = |driver: &Driver| -> Result<Vec<usize>, BoxError> {
        let wheel = Settings::default().wheel(1000)?;
        let ran = driver.run(Job::new(Marks::new(due.clone()), wheel, 1000))?;
        Ok(ran.model.happened.into_iter().map(|(number, _)| number).collect())
    };
    let right: Vec<usize> = (0..3).flat_map(|first| (first..200).step_by(3)).collect();
    for driver in Driver::ALL {
        assert_eq!(in_order(driver)?, right, "{}", driver.name());
    }
    Ok(())
}

#[test]
fn a_second_of_the_engine_is_a_second() {
    assert_eq!(Settings::default().wheel(SECOND).expect("good settings").length, 1 << 15);
}
