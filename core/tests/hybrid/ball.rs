//! The bouncing ball, whose every number is known.

use saltus::hybrid::*;

use crate::models::*;

const IMPACTS: [f64; 7] = [
    0.4515236409857309,
    1.1739614665629003,
    1.7519117270246358,
    2.2142719353940238,
    2.5841601020895353,
    2.8800706354459439,
    3.1167990621310713,
];

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

/// Runs a ball by integration and from the formula, and hands on both logs and final energies.
fn both(e: f64, lock: Lock, until: f64, check: impl Fn(&[Entry<[f64; 2]>], f64)) {
    let mut run = ball(e, lock);
    run.until(until).unwrap();
    check(run.log(), run.energy().unwrap());
    let mut run = closed_ball(e, lock);
    run.until(until).unwrap();
    check(run.log(), run.energy().unwrap());
}

#[test]
fn the_first_impact_is_on_time_and_the_state_is_on_the_far_side() {
    both(0.8, Lock::Never, 0.6, |log, _| {
        assert_eq!(log.len(), 1);
        assert_near(log[0].time, (2.0 / G).sqrt(), 1e-12);
        assert!(log[0].before[0] <= 0.0 && log[0].before[0] > -4.43e-12, "{}", log[0].before[0]);
        assert_near(log[0].before[1], -4.42944691807002, 1e-12);
        assert_near(log[0].after[1], 3.543557534456017, 1e-12);
        assert!(log[0].width <= 1e-12 && !log[0].discontinuous);
    });
}

#[test]
fn six_impacts_in_three_seconds_none_lost_and_none_twice() {
    both(0.8, Lock::Never, 3.0, |log, _| {
        assert_eq!(log.len(), 6);
        for (entry, expected) in log.iter().zip(IMPACTS) {
            assert_near(entry.time, expected, 1e-9);
        }
    });
    for (end, count) in [(4.0, 19), (4.06, 31)] {
        both(0.8, Lock::Never, end, |log, _| assert_eq!(log.len(), count));
    }
}

#[test]
fn every_impact_up_to_the_thirty_first_is_on_time() {
    both(0.8, Lock::Never, 4.06, |log, _| {
        for (n, entry) in (1..).zip(log) {
            assert_near(entry.time, impact(0.8, n), 1e-9);
        }
        assert_near(log[30].time, 4.059241095320697, 1e-9);
    });
    let first = (2.0 / G).sqrt();
    assert_near(first * (1.0 + 2.0 * 0.8 / 0.2), 4.063712768871579, 1e-14);
}

#[test]
fn locks_come_after_the_right_impact_and_then_nothing_happens_any_more() {
    for (lock, count) in [(Lock::Height(1e-4), 21), (Lock::Speed(1e-3), 38), (Lock::Height(1e-6), 31)] {
        both(0.8, lock, 100.0, |log, energy| {
            assert_eq!(log.len(), count, "{lock:?}");
            let rests: Vec<bool> = log.iter().map(|entry| entry.rests).collect();
            assert!(rests[count - 1] && !rests[..count - 1].contains(&true), "the lock comes once");
            assert_eq!((energy, log[count - 1].energy.unwrap()[1]), (0.0, 0.0));
        });
    }
}

#[test]
fn heights_and_energies_are_powers_of_the_square_of_the_restitution() {
    both(0.8, Lock::Never, 2.7, |log, _| {
        assert_eq!(log.len(), 5);
        let energies = [0.62784, 0.4018176, 0.25716326, 0.16458449, 0.10533407];
        for (n, (entry, energy)) in (1..).zip(log.iter().zip(energies)) {
            let height = entry.after[1] * entry.after[1] / (2.0 * G);
            assert_near(height / 0.64f64.powi(n), 1.0, 1e-9);
            assert_near(entry.energy.unwrap()[1], energy, 5e-9);
            assert_near(entry.energy.unwrap()[1] / (MASS * G * 0.64f64.powi(n)), 1.0, 1e-12);
        }
        assert_near(log[0].energy.unwrap()[0], 0.981, 1e-12);
        let lost = 1.0 - log[4].energy.unwrap()[1] / 0.981;
        assert_near(100.0 * lost, 89.2625818, 1e-6);
        assert_near(0.981 * lost, 0.8756659, 1e-7);
    });
}

#[test]
fn the_apex_after_the_first_impact_is_within_the_bound() {
    // At the apex the velocity is zero: halfway between the impacts.
    let mut run = ball(0.8, Lock::Never);
    run.until(0.5 * (IMPACTS[0] + IMPACTS[1])).unwrap();
    assert_near(run.state()[0], 0.64, 1e-9);
}

#[test]
fn event_rates() {
    let mut run = ball(0.8, Lock::Height(1e-6));
    run.until(5.0).unwrap();
    assert_near(run.rate(), 6.2, 1e-12);
    assert_near(31.0 / 4.063712768871579, 7.628, 1e-3);
}

/// The impact handled late by a known time.
struct Late {
    delay: f64,
    /// Whether the height is set to zero then; otherwise it stays where the ball has fallen to.
    snaps: bool,
}

impl Hybrid for Late {
    type State = [f64; 2];
    type Mode = ();
    const RULES: &'static [Rule<Self>] = &[Rule::at(
        "late impact",
        |late, _| (2.0 / G).sqrt() + late.delay,
        |late, now| {
            now.reinit(1, -0.8 * now.pre.x[1]);
            if late.snaps {
                now.reinit(0, 0.0);
            }
        },
    )];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }
}

#[test]
fn what_a_late_impact_does_to_the_height_depends_on_what_is_reset() {
    // The estimate 2 g dt / v, 2.8e-6 m for a microsecond, holds if the height is set to zero. If only the velocity is, the ball
    // starts its way up below the floor, and the height comes out lower, not higher.
    for (snaps, expected) in [(true, 2.83485e-6), (false, -1.594603e-6)] {
        let mut run = Run::new(Late { delay: 1e-6, snaps }, [1.0, 0.0], ()).unwrap();
        run.until(0.6).unwrap();
        let [h, v] = run.log()[0].after;
        assert_near(h + v * v / (2.0 * G) - 0.64, expected, 2e-11);
    }
}

#[test]
fn the_error_of_the_impact_does_not_depend_on_the_tolerance_of_the_integrator() {
    // The motion is a polynomial, which every tolerance integrates exactly.
    for exponent in 3..=9 {
        let stepper = DormandPrince::new(10f64.powi(-exponent));
        let model = Ball { e: 0.8, lock: Lock::Never };
        let mut run = Run::with(model, [1.0, 0.0], (), stepper, Settings::default()).unwrap();
        run.until(3.0).unwrap();
        assert_eq!(run.log().len(), 6);
        for (entry, expected) in run.log().iter().zip(IMPACTS) {
            assert_near(entry.time, expected, 1e-12);
        }
    }
}

/// The ball with restitution 0.7 that rests below 0.1 m/s.
const RESTING: [f64; 11] =
    [0.451524, 1.083657, 1.526150, 1.835895, 2.052717, 2.204492, 2.310735, 2.385104, 2.437163, 2.473604, 2.499113];

#[test]
fn eleven_impacts_and_then_rest_on_the_floor_not_below() {
    both(0.7, Lock::Speed(0.1), 3.0, |log, _| {
        assert_eq!(log.len(), 11);
        for (entry, expected) in log.iter().zip(RESTING) {
            assert_near(entry.time, expected, 5e-7);
        }
        assert_near(log[10].time, 2.499113314, 5e-10);
        assert!(log[10].rests);
    });
    let model = Ball { e: 0.7, lock: Lock::Speed(0.1) };
    let settings = Settings { output_interval: Some(1e-3), ..Settings::default() };
    let mut run = Run::with(model, [1.0, 0.0], (), DormandPrince::new(1e-6), settings).unwrap();
    run.until(3.0).unwrap();
    assert_eq!(run.rows().len(), 3001 + 2 * 11);
    assert!(run.rows().iter().all(|row| row.x[0] >= -1e-9));
    assert_eq!(run.state(), [0.0, 0.0]);
    assert_near(0.7f64.powi(11) * 4.42944691807002, 0.0876, 5e-5);
}

#[test]
fn without_a_rest_rule_the_piling_up_is_told_with_name_time_and_rate() {
    for (e, limit) in [(0.05, 0.4990525), (0.3, 0.8385440), (0.7, 2.558634), (0.8, 4.063712768871579)] {
        for error in [ball(e, Lock::Never).until(100.0), closed_ball(e, Lock::Never).until(100.0)] {
            let Err(Error::Zeno { time, names, count, spacing, rate }) = error else {
                panic!("{e}: {error:?}");
            };
            assert_eq!(names.0, ["floor"]);
            assert!(time <= limit && limit - time < 1e-6 && spacing < 1e-8, "{e}: {time} {spacing}");
            assert!(count > 4 && rate > 1.0, "{e}: {count} {rate}");
        }
    }
    // Nearly elastic: there the spacings are still large, and the count of close ones is what ends it.
    let Err(Error::Chatter { count, names, .. }) = ball(0.95, Lock::Never).until(100.0) else { panic!("no chatter") };
    assert_eq!((count, names.0), (101, vec!["floor"]));
}

#[test]
fn a_fall_from_fifty_metres_hits_at_the_same_time_whatever_the_condition_looks_like() {
    struct Fall;
    impl Hybrid for Fall {
        type State = [f64; 2];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[
            Rule::falling("height", |_, at| at.x[0], |_, _| {}),
            Rule::falling("its cube", |_, at| at.x[0].powi(3), |_, _| {}),
        ];
        fn derivative(&self, at: &At<Self>) -> [f64; 2] {
            [at.x[1], -9.8]
        }
    }
    let mut run = Run::new(Fall, [50.0, 0.0], ()).unwrap();
    run.until(5.0).unwrap();
    assert_eq!(run.log().len(), 2, "no second event at the same instant");
    for entry in run.log() {
        assert_near(entry.time, 3.1943828249997, 1e-6);
        assert!(entry.before[0] <= 0.0, "the sign has changed");
    }
}

/// The ball whose rule says no direction.
struct Careless;

impl Hybrid for Careless {
    type State = [f64; 2];
    type Mode = ();
    const RULES: &'static [Rule<Self>] =
        &[Rule::either("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.8 * now.pre.x[1]))];
    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }
}

#[test]
fn without_a_direction_a_located_impact_still_counts_once_and_one_at_a_fixed_step_twice() {
    let mut run = Run::new(Careless, [1.0, 0.0], ()).unwrap();
    run.until(3.0).unwrap();
    assert_eq!(run.log().len(), 6);
    let settings = Settings { locate: false, ..Settings::default() };
    let mut run = Run::with(Careless, [1.0, 0.0], (), Euler::new(1e-3), settings).unwrap();
    let _ = run.until(3.0);
    assert!(run.log().len() > 6 && run.log()[1].time - run.log()[0].time < 0.01, "{:?}", run.log());
}

#[test]
fn what_was_not_started_says_so() {
    let mut ball = Trajectory::new(Ball { e: 0.8, lock: Lock::Never }, [1.0, 0.0], ());
    assert!(matches!(ball.fire(), Err(Error::NotStarted)));
    assert!(matches!(ball.change_at(1.0, "kick", |_, _| {}), Err(Error::NotStarted)));
}

#[test]
fn the_tolerance_of_a_rule_bounds_how_late_its_events_are() {
    struct Loose;
    impl Hybrid for Loose {
        type State = [f64; 2];
        type Mode = ();
        const RULES: &'static [Rule<Self>] =
            &[Rule::<Self>::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.8 * now.pre.x[1]))
                .tolerance(1e-3)];
        fn derivative(&self, at: &At<Self>) -> [f64; 2] {
            [at.x[1], -G]
        }
    }
    let mut run = Run::new(Loose, [1.0, 0.0], ()).unwrap();
    run.until(0.6).unwrap();
    let entry = run.log()[0];
    let late = entry.time - IMPACTS[0];
    assert!(entry.width <= 1.000001e-3 && (0.0..=entry.width).contains(&late), "{late} {}", entry.width);
    assert!(entry.before[0] <= 0.0);
    // Nothing is left to chance in the default: every event is as exact as its time can tell.
    let mut run = ball(0.8, Lock::Never);
    run.until(0.6).unwrap();
    assert!(run.log()[0].width <= 4.0 * f64::EPSILON && (run.log()[0].time - IMPACTS[0]).abs() <= 1e-15);
}

#[test]
fn late_on_the_clock_bounces_are_no_piling_up_before_times_cannot_be_told_apart() {
    let run = |lock, start: f64| Run::start(Trajectory::new(Ball { e: 0.8, lock }, [1.0, 0.0], ()), start).unwrap();
    for start in [-1e9, 1e3, 1e6, 1e9] {
        let mut ball = run(Lock::Speed(0.1), start);
        ball.until(start + 20.0).unwrap();
        let times: Vec<f64> = ball.events().map(|event| event.time - start).collect();
        assert_eq!(times.len(), 17, "from {start}");
        for (n, time) in (1..).zip(times) {
            let tolerance = 1e-9 + 8.0 * start.abs() * f64::EPSILON;
            assert!((time - impact(0.8, n)).abs() < tolerance, "from {start}: impact {n} at {time}");
        }
        let error = run(Lock::Never, start).until(start + 20.0).unwrap_err();
        let Error::Zeno { time, spacing, .. } = error else { panic!("from {start}: {error}") };
        assert!((time - start - 4.063_712_768).abs() < 1e-3 && spacing < 1e-4, "from {start}: {time} {spacing}");
    }
}
