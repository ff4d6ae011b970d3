//! Where crossings are found, and where there are none.

use std::cell::Cell;
use std::f64::consts::FRAC_PI_2;

use saltus::hybrid::*;

use crate::models::*;

/// What most of these tests need: time as the only state, and indicators of it.
macro_rules! clock_model {
    ($name:ident, $($rule:expr),+ $(,)?) => {
        struct $name;
        impl Hybrid for $name {
            type State = [f64; 1];
            type Mode = ();
            const RULES: &'static [Rule<Self>] = &[$($rule),+];
            fn derivative(&self, _: &At<Self>) -> [f64; 1] {
                [1.0]
            }
        }
    };
}

fn run_clock<H: Hybrid<State = [f64; 1], Mode = ()>>(model: H, max_step: f64, until: f64) -> Run<H> {
    let settings = Settings { max_step, ..Settings::default() };
    let mut run = Run::with(model, [0.0], (), DormandPrince::new(1e-6), settings).unwrap();
    run.until(until).unwrap();
    run
}

fn events<X>(log: &[Entry<X>]) -> Vec<(&'static str, f64)> {
    log.iter().filter(|entry| entry.kind != Kind::Retry).map(|entry| (entry.name, entry.time)).collect()
}

fn assert_events<X>(log: &[Entry<X>], expected: &[(&'static str, f64)], tolerance: f64) {
    let found = events(log);
    let fits = |(a, b): (&(&str, f64), &(&str, f64))| a.0 == b.0 && (a.1 - b.1).abs() <= tolerance;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(fits), "{found:?}");
}

struct Oscillator;

impl Hybrid for Oscillator {
    type State = [f64; 2];
    type Mode = ();
    const RULES: &'static [Rule<Self>] = &[Rule::falling("through the middle", |_, at| at.x[0], |_, _| {})];
    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -at.x[0]]
    }
}

#[test]
fn the_error_of_the_oscillator_falls_with_the_tolerance_and_never_jumps() {
    let error = |exponent: i32| {
        let stepper = DormandPrince::new(10f64.powi(-exponent));
        let mut run = Run::with(Oscillator, [1.0, 0.0], (), stepper, Settings::default()).unwrap();
        run.until(2.0).unwrap();
        assert_eq!(run.log().len(), 1);
        (run.log()[0].time - FRAC_PI_2).abs()
    };
    let points: Vec<(f64, f64)> = (4..=9).map(|exponent| (f64::from(-exponent), error(exponent).log10())).collect();
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x) * (p.0 - x));
    assert!((0.7..1.3).contains(&slope), "slope {slope} of {points:?}");
    for pair in points.windows(2) {
        assert!(pair[1].1 < pair[0].1 + 2.0, "a jump in {points:?}");
    }
}

#[test]
fn three_roots_of_a_cubic_in_few_steps_are_all_found_with_their_directions() {
    struct Cubic;
    impl Hybrid for Cubic {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] =
            &[Rule::rising("up", |_, at| at.x[0], |_, _| {}), Rule::falling("down", |_, at| at.x[0], |_, _| {})];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            let t = at.time;
            [3.0 * t * t + 12.0 * t - 4.0]
        }
    }
    for max_step in [f64::INFINITY, 10.0, 1.0] {
        let settings = Settings { max_step, ..Settings::default() };
        let trajectory = Trajectory::with(Cubic, [-120.0], (), DormandPrince::new(1e-6), settings);
        let mut run = Run::start(trajectory, -8.0).unwrap();
        run.until(3.0).unwrap();
        assert_events(run.log(), &[("up", -6.0), ("down", -2.0), ("up", 2.0)], 1e-9);
    }
}

clock_model!(
    Near,
    Rule::rising("up", |_, at| (at.time - 1.0) * (at.time - 1.001) * (at.time - 5.0), |_, _| {}),
    Rule::falling("down", |_, at| (at.time - 1.0) * (at.time - 1.001) * (at.time - 5.0), |_, _| {}),
);

#[test]
fn two_roots_between_two_looks_are_found_by_the_dip_between_them() {
    for max_step in [0.5, 0.37, 0.11] {
        let run = run_clock(Near, max_step, 6.0);
        assert_events(run.log(), &[("up", 1.0), ("down", 1.001), ("up", 5.0)], 1e-9);
    }
}

clock_model!(Pulse, Rule::falling("pulse", |_, at| (at.time - 0.5).abs() - 1e-3, |_, _| {}));

#[test]
fn a_pulse_shorter_than_a_step_is_found_if_steps_are_short_and_is_never_a_panic() {
    for max_step in [1e-3, 5e-4] {
        assert_events(run_clock(Pulse, max_step, 1.0).log(), &[("pulse", 0.499)], 1e-12);
    }
    for max_step in [f64::INFINITY, 0.3, 0.1, 0.01] {
        let found = events(run_clock(Pulse, max_step, 1.0).log());
        assert!(found.is_empty() || (found.len() == 1 && (found[0].1 - 0.499).abs() < 1e-9), "{found:?}");
    }
}

/// Starts on the floor and watches it in one way or another.
macro_rules! from_the_floor {
    ($name:ident, $direction:ident) => {
        struct $name;
        impl Hybrid for $name {
            type State = [f64; 2];
            type Mode = ();
            const RULES: &'static [Rule<Self>] = &[Rule::<Self>::$direction("floor", |_, at| at.x[0], |_, _| {})
                .closed(|_, at| Curve::accelerated(at.x[0], at.x[1], -G))];
            fn derivative(&self, at: &At<Self>) -> [f64; 2] {
                [at.x[1], -G]
            }
            fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 2]> {
                Some([Curve::accelerated(at.x[0], at.x[1], -G), Curve::uniform(at.x[1], -G)])
            }
        }
    };
}
from_the_floor!(Down, falling);
from_the_floor!(Up, rising);
from_the_floor!(Both, either);

#[test]
fn what_starts_on_its_root_and_leaves_is_no_event_before_it_comes_back() {
    let speed = 3.543;
    let back = 0.722324159; // 2 v / g
    assert!((2.0 * speed / G - back).abs() < 1e-9);
    // A rounding below the floor is on the floor.
    for height in [0.0, -2e-16] {
        fn logs<H: Hybrid<State = [f64; 2], Mode = ()>>(
            model: fn() -> H,
            x: [f64; 2],
        ) -> [Vec<(&'static str, f64)>; 2] {
            let mut run = Run::new(model(), x, ()).unwrap();
            run.until(1.0).unwrap();
            let mut closed = Run::with(model(), x, (), ClosedForm::new(), Settings::default()).unwrap();
            closed.until(1.0).unwrap();
            [events(run.log()), events(closed.log())]
        }
        for log in logs(|| Down, [height, speed]).into_iter().chain(logs(|| Both, [height, speed])) {
            assert!(log.len() == 1 && (log[0].1 - back).abs() < 1e-9, "{log:?}");
        }
        for log in logs(|| Up, [height, speed]) {
            assert_eq!(log, [], "it leaves upwards from the start and never rises again");
        }
    }
}

#[test]
fn what_starts_on_its_root_and_moves_in_its_direction_is_an_event_only_if_the_rule_is_initial() {
    struct Dropped;
    impl Hybrid for Dropped {
        type State = [f64; 2];
        type Mode = ();
        const RULES: &'static [Rule<Self>] =
            &[Rule::<Self>::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.8 * now.pre.x[1])).initial()];
        fn derivative(&self, at: &At<Self>) -> [f64; 2] {
            [at.x[1], -G]
        }
    }
    let v = 4.42944691807002;
    let mut run = Run::new(Dropped, [0.0, -v], ()).unwrap();
    run.until(1.0).unwrap();
    assert_events(run.log(), &[("floor", 0.0), ("floor", 2.0 * 0.8 * v / G)], 1e-12);
    // Leaving upwards is no event of this rule, at the start or a little later.
    let mut run = Run::new(Dropped, [0.0, v], ()).unwrap();
    run.until(1.0).unwrap();
    assert_events(run.log(), &[("floor", 2.0 * v / G)], 1e-12);
    // Released at rest on the floor it begins to fall: still in its direction.
    let mut run = Run::new(Dropped, [0.0, 0.0], ()).unwrap();
    assert!(run.until(1e-3).is_ok());
    assert_eq!(run.log()[0].time, 0.0);
    // Without the word it falls through.
    let mut run = ball_from([0.0, -v]);
    run.until(1.0).unwrap();
    assert_eq!(events(run.log()), []);
}

fn ball_from(x: [f64; 2]) -> Run<Ball> {
    Run::new(Ball { e: 0.8, lock: Lock::Never }, x, ()).unwrap()
}

clock_model!(RisesInitially, Rule::<Self>::rising("x", |_, at| at.x[0], |_, _| {}).initial());
clock_model!(Rises, Rule::rising("x", |_, at| at.x[0], |_, _| {}));
clock_model!(TrueFromStart, Rule::<Self>::rising("x", |_, at| at.x[0] + 1.0, |_, _| {}).initial());

#[test]
fn zero_at_the_start_counts_once_if_initial_and_true_from_the_start_never() {
    assert_events(run_clock(RisesInitially, f64::INFINITY, 2.0).log(), &[("x", 0.0)], 0.0);
    assert_events(run_clock(Rises, f64::INFINITY, 2.0).log(), &[], 0.0);
    assert_events(run_clock(TrueFromStart, f64::INFINITY, 2.0).log(), &[], 0.0);
}

clock_model!(
    Leaves,
    Rule::<Self>::rising("up", |_, at| (at.time - 1.0).max(0.0), |_, _| {}).initial(),
    Rule::<Self>::either("either", |_, at| (at.time - 1.0).max(0.0), |_, _| {}).initial(),
);

#[test]
fn an_indicator_that_is_zero_for_a_while_and_then_leaves_has_not_crossed() {
    for max_step in [f64::INFINITY, 0.25, 0.3, 0.01] {
        assert_events(run_clock(Leaves, max_step, 3.0).log(), &[], 0.0);
    }
}

clock_model!(
    Reaches,
    Rule::falling("false", |_, at| if at.time > 0.5 { (1.0 - 4.0 * (at.time - 0.5)).max(0.0) } else { 1.0 }, |_, _| {}),
    Rule::either("again", |_, at| if at.time > 0.5 { (1.0 - 4.0 * (at.time - 0.5)).max(0.0) } else { 1.0 }, |_, _| {}),
);

#[test]
fn an_indicator_that_reaches_zero_and_stays_there_is_one_event() {
    for max_step in [f64::INFINITY, 0.25, 0.1] {
        let run = run_clock(Reaches, max_step, 2.0);
        assert_events(run.log(), &[("false", 0.75), ("again", 0.75)], 1e-9);
        assert_eq!(run.time(), 2.0);
    }
}

clock_model!(
    Touches,
    Rule::falling("square", |_, at| (at.time - 1.0).powi(2), |_, _| {}),
    Rule::either("minus square", |_, at| -(at.time - 1.0).powi(2), |_, _| {}),
);
clock_model!(
    TouchesAtATimeEvent,
    Rule::either("square", |_, at| (at.time - 1.0).powi(2), |_, _| {}),
    Rule::every("tick", |_| (0.0, 0.5), |_, _| {}),
);
clock_model!(Cubes, Rule::rising("cube", |_, at| (at.time - 1.0).powi(3), |_, _| {}));
clock_model!(
    Dips,
    Rule::falling("in", |_, at| (at.time - 1.0).powi(2) - 1e-12, |_, _| {}),
    Rule::rising("out", |_, at| (at.time - 1.0).powi(2) - 1e-12, |_, _| {}),
);

#[test]
fn a_zero_that_is_touched_is_no_event_also_if_a_step_ends_on_it() {
    for max_step in [f64::INFINITY, 0.25, 0.5, 1.0, 0.3] {
        assert_events(run_clock(Touches, max_step, 2.0).log(), &[], 0.0);
        let ticks = [("tick", 0.0), ("tick", 0.5), ("tick", 1.0), ("tick", 1.5), ("tick", 2.0)];
        assert_events(run_clock(TouchesAtATimeEvent, max_step, 2.0).log(), &ticks, 0.0);
        assert_events(run_clock(Cubes, max_step, 2.0).log(), &[("cube", 1.0)], 1e-4);
        assert_events(run_clock(Dips, max_step, 2.0).log(), &[("in", 1.0 - 1e-6), ("out", 1.0 + 1e-6)], 1e-9);
    }
    // Fixed steps land on it exactly.
    let mut run = Run::with(Touches, [0.0], (), RungeKutta4::new(0.25), Settings::default()).unwrap();
    run.until(2.0).unwrap();
    assert_events(run.log(), &[], 0.0);
}

clock_model!(
    Thresholds,
    Rule::rising("first", |_, at| at.x[0] - 0.001, |_, _| {}),
    Rule::rising("second", |_, at| at.x[0] - 0.002, |_, _| {}),
    Rule::rising("third", |_, at| at.x[0] - 0.003, |_, _| {}),
);

#[test]
fn thresholds_that_lie_on_steps_and_within_one_step_are_all_crossed() {
    for step in [1e-6, 1.0] {
        let mut run = Run::with(Thresholds, [0.0], (), Euler::new(step), Settings::default()).unwrap();
        run.until(0.01).unwrap();
        assert_events(run.log(), &[("first", 0.001), ("second", 0.002), ("third", 0.003)], 1e-12);
    }
    let run = run_clock(Thresholds, f64::INFINITY, 0.01);
    assert_events(run.log(), &[("first", 0.001), ("second", 0.002), ("third", 0.003)], 1e-12);
}

#[test]
fn a_root_that_a_reset_has_taken_away_is_no_event() {
    struct Resets;
    impl Hybrid for Resets {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[
            Rule::rising("second", |_, at| at.x[0] - 1.0001, |_, _| {}),
            Rule::rising("first", |_, at| at.x[0] - 1.0, |_, now| now.reinit(0, -10.0)),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 1] {
            [1.0]
        }
    }
    let mut run = Run::new(Resets, [0.0], ()).unwrap();
    run.until(11.9).unwrap();
    assert_events(run.log(), &[("first", 1.0)], 1e-12);
}

#[test]
fn a_jumping_indicator_is_located_and_reported_with_its_bracket() {
    struct Jumps;
    impl Hybrid for Jumps {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[
            Rule::rising("jump", |_, at| if at.x[0] > 320.0 { 1.0 } else { -1.0 }, |_, _| {}),
            Rule::rising("slope", |_, at| at.x[0] - 330.0, |_, _| {}),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 1] {
            [10.0]
        }
    }
    let mut run = Run::new(Jumps, [300.0], ()).unwrap();
    run.until(5.0).unwrap();
    assert_events(run.log(), &[("jump", 2.0), ("slope", 3.0)], 1e-12);
    assert_eq!(run.log().iter().map(|entry| entry.discontinuous).collect::<Vec<_>>(), [true, false]);
    assert!(run.log()[0].width > 0.0 && run.log()[0].width <= 1e-12);
    assert_eq!(run.statistics().discontinuous, 1);
}

clock_model!(
    Tiny,
    Rule::rising("up", |_, at| 1e-166 * (at.time - 1.0), |_, _| {}),
    Rule::falling("down", |_, at| 1e-200 * (2.0 - at.time), |_, _| {}),
);

#[test]
fn indicators_whose_product_would_underflow_are_seen_to_change_sign() {
    assert_events(run_clock(Tiny, f64::INFINITY, 3.0).log(), &[("up", 1.0), ("down", 2.0)], 1e-15);
}

/// Counts how often it is asked.
#[derive(Default)]
struct NotANumber {
    asked: Cell<u32>,
}

impl Hybrid for NotANumber {
    type State = [f64; 1];
    type Mode = ();
    const RULES: &'static [Rule<Self>] = &[Rule::rising(
        "fails",
        |model: &NotANumber, at| {
            model.asked.set(model.asked.get() + 1);
            if at.time > 1.0 { f64::NAN } else { at.x[0] - 5.0 }
        },
        |_, _| {},
    )];
    fn derivative(&self, _: &At<Self>) -> [f64; 1] {
        [1.0]
    }
}

#[test]
fn an_indicator_that_is_no_number_is_an_error_with_name_and_time() {
    let mut run = Run::new(NotANumber::default(), [0.0], ()).unwrap();
    run.until(0.9).unwrap();
    let Err(Error::NotANumber { name, time }) = run.until(2.0) else { panic!("no error") };
    assert!(name == "fails" && (time - 1.0).abs() < 1e-12, "{name} {time}");
    let asked = run.trajectory().model().asked.get();
    assert!(asked <= 100, "{asked}");
    assert!((run.state()[0] - 1.0).abs() < 1e-12, "the state stands");
}

#[test]
fn a_derivative_that_is_no_number_is_an_error_and_not_a_loop() {
    struct Explodes;
    impl Hybrid for Explodes {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            [at.x[0] * at.x[0]] // infinite at t = 1
        }
    }
    let mut run = Run::new(Explodes, [1.0], ()).unwrap();
    let Err(Error::Stuck { time, .. }) = run.until(2.0) else { panic!("no error") };
    assert!((time - 1.0).abs() < 1e-3, "{time}");
}

#[test]
fn an_indicator_that_would_be_no_number_after_an_event_which_prevents_that_is_no_error() {
    /// Thrown back at 0.9; beyond 1 the others would be roots of negative numbers.
    struct Thrown;
    impl Hybrid for Thrown {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[
            Rule::falling("first", |_, at| (1.0 - at.x[0]).sqrt() + 1.0, |_, _| {}),
            Rule::rising("top", |_, at| at.x[0] - 0.9, |_, now| now.reinit(0, 0.0)),
            Rule::falling("last", |_, at| (1.0 - at.x[0]).sqrt() + 1.0, |_, _| {}),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 1] {
            [1.0]
        }
    }
    let mut run = Run::new(Thrown, [0.0], ()).unwrap();
    run.until(10.0).unwrap();
    assert_eq!(run.events().filter(|event| event.name == "top").count(), 11);
    assert_eq!(run.statistics().state_events, 11);
    // Not watched, it prevents nothing.
    let mut trajectory = Trajectory::new(Thrown, [0.0], ());
    trajectory.no_event("top").unwrap();
    let error = Run::start(trajectory, 0.0).unwrap().until(10.0).unwrap_err();
    let Error::NotANumber { time, .. } = error else { panic!("{error}") };
    assert!((time - 1.0).abs() < 1e-12, "{time}");
}
