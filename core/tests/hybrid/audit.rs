//! What the energies of a log tell: failures on purpose, each with the check that exposes it.

use saltus::hybrid::*;

use crate::models::{G, MASS};

/// A ball whose impact is wrong in one way or another.
macro_rules! broken_ball {
    ($name:ident, $action:expr) => {
        struct $name;
        impl Hybrid for $name {
            type State = [f64; 2];
            type Mode = u32; // impacts
            const RULES: &'static [Rule<Self>] = &[Rule::falling("floor", |_, at| at.x[0], $action)];
            fn derivative(&self, at: &At<Self>) -> [f64; 2] {
                [at.x[1], -G]
            }
            fn energy(&self, at: &At<Self>) -> Option<f64> {
                Some(MASS * (G * at.x[0] + 0.5 * at.x[1] * at.x[1]))
            }
        }
    };
}

broken_ball!(Right, |_, now| now.reinit(1, -0.8 * now.pre.x[1]));
// Feeds on the value that it has just set.
broken_ball!(FromNew, |_, now| {
    now.reinit(1, -1.6 * now.pre.x[1]);
    now.reinit(1, 0.8 * now.new_value(1));
});
// Changes the height as well, from the third impact on.
broken_ball!(ExtraState, |_, now| {
    now.reinit(1, -0.8 * now.pre.x[1]);
    now.mode += 1;
    if now.mode >= 3 {
        now.reinit(0, 1e-3);
    }
});

fn audit<H: Hybrid<State = [f64; 2], Mode = u32>>(model: H) -> (Result<(), Broken>, EnergyAudit) {
    let mut run = Run::new(model, [1.0, 0.0], 0).unwrap();
    let mut audit = EnergyAudit::new(run.energy().unwrap(), 0.64, 1e-9);
    run.until(2.6).unwrap();
    (audit.check_log(run.log(), "floor"), audit)
}

#[test]
fn a_right_ball_passes_and_the_dissipation_adds_up() {
    let (result, audit) = audit(Right);
    assert_eq!(result, Ok(()));
    assert_eq!(audit.impacts(), 5);
    assert!((audit.dissipated() - 0.8926258176).abs() < 1e-9);
}

#[test]
fn a_reset_from_the_new_value_raises_the_energy_at_the_first_impact() {
    let (result, _) = audit(FromNew);
    let broken = result.unwrap_err();
    assert_eq!((broken.impact, broken.law), (1, Law::Bound));
    assert!(broken.found > 0.981 && (broken.expected - 0.981).abs() < 1e-12);
}

#[test]
fn a_state_that_is_changed_beside_is_found_at_the_impact_that_does_it() {
    let broken = audit(ExtraState).0.unwrap_err();
    assert_eq!((broken.impact, broken.law), (3, Law::Ratio), "{broken}");
}

#[test]
fn energy_that_is_lost_between_impacts_is_told_from_a_wrong_impact() {
    let mut audit = EnergyAudit::new(1.0, 0.5, 1e-6);
    audit.check(1.0, [1.0, 0.5], false).unwrap();
    let broken = audit.check(2.0, [0.4, 0.2], false).unwrap_err();
    assert_eq!((broken.impact, broken.law, broken.found, broken.expected), (2, Law::Between, 0.4, 0.5));
    // At rest there may be less, and never more.
    let mut audit = EnergyAudit::new(1.0, 0.5, 1e-6);
    assert_eq!(audit.clone().check(1.0, [1.0, 0.0], true), Ok(()));
    assert!(audit.check(1.0, [1.0, 0.6], true).is_err());
}

/// An elastic ball; its floor is a rule, and so is a guard that means nothing.
struct Guarded;

impl Hybrid for Guarded {
    type State = [f64; 2];
    type Mode = ();
    const RULES: &'static [Rule<Self>] = &[
        Rule::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.8 * now.pre.x[1])),
        Rule::either("division by zero", |_, at| at.x[1], |_, _| {}),
    ];
    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }
    fn energy(&self, at: &At<Self>) -> Option<f64> {
        Some(MASS * (G * at.x[0] + 0.5 * at.x[1] * at.x[1]))
    }
}

fn without(rule: &str) -> Run<Guarded> {
    let mut trajectory = Trajectory::new(Guarded, [1.0, 1.0], ());
    if !rule.is_empty() {
        trajectory.no_event(rule).unwrap();
    }
    let mut run = Run::start(trajectory, 0.0).unwrap();
    run.until(2.0).unwrap();
    run
}

#[test]
fn the_same_model_with_and_without_events_tells_a_guard_from_an_impact() {
    let all = without("");
    let guard = compare(&all, &without("division by zero"), 1e-9).unwrap();
    assert_eq!(guard.verdict, Verdict::Guard);
    assert!(guard.events[0] > guard.events[1], "{guard:?}");
    let floor = compare(&all, &without("floor"), 1e-9).unwrap();
    assert_eq!(floor.verdict, Verdict::Meaningful, "{floor:?}");
    assert_eq!(compare(&all, &without(""), 1e-9).unwrap().verdict, Verdict::Same);
    let mut unknown = Trajectory::new(Guarded, [1.0, 0.0], ());
    assert!(matches!(unknown.no_event("flor"), Err(Error::NoSuchRule { name }) if name == "flor"));
}

#[test]
fn an_energy_that_is_no_number_is_not_the_same_with_and_without() {
    struct Nothing(f64);
    impl Hybrid for Nothing {
        type State = [f64; 0];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[];
        fn derivative(&self, _: &At<Self>) -> [f64; 0] {
            []
        }
        fn energy(&self, _: &At<Self>) -> Option<f64> {
            Some(self.0)
        }
    }
    let run = |energy| Run::new(Nothing(energy), [], ()).unwrap();
    let verdict = |with, without| compare(&run(with), &run(without), 1e-9).map(|found| found.verdict);
    assert_eq!(verdict(1.0, 1.0), Some(Verdict::Same));
    assert_eq!(verdict(0.0, 0.0), Some(Verdict::Same));
    assert_eq!(verdict(1.0, f64::NAN), Some(Verdict::Meaningful));
}

#[test]
fn a_broken_law_is_told_without_digits_that_are_only_rounding() {
    let mut audit = EnergyAudit::new(0.9810000000000001, 0.64, 1e-9);
    let broken = audit.check(0.45152364098573095, [0.9810000000000001, 1.9620000000000002], false).unwrap_err();
    assert_eq!(broken.to_string(), "impact 1 at 0.451523640986: energy has grown to 1.962 where 0.981 is right");
}
