//! Random models against what is known of them.

use proptest::prelude::*;
use saltus::hybrid::*;

use crate::models::*;

/// Time, and the product of its distances to the roots.
struct Roots(Vec<f64>);

fn product(roots: &Roots, at: &At<Roots>) -> f64 {
    roots.0.iter().fold(1.0, |product, root| product * (at.time - root))
}

impl Hybrid for Roots {
    type State = [f64; 1];
    type Mode = ();
    const RULES: &'static [Rule<Self>] =
        &[Rule::rising("up", product, |_, _| {}), Rule::falling("down", product, |_, _| {})];
    fn derivative(&self, at: &At<Self>) -> [f64; 1] {
        [at.time.cos()]
    }
}

fn assert_found(roots: &[f64], max_step: f64, tolerance: f64) -> Result<(), TestCaseError> {
    let settings = Settings { max_step, ..Settings::default() };
    let mut run = Run::with(Roots(roots.to_vec()), [0.0], (), DormandPrince::new(1e-6), settings).unwrap();
    run.until(11.0).unwrap();
    let events: Vec<_> = run.log().iter().filter(|entry| entry.kind == Kind::State).collect();
    prop_assert_eq!(events.len(), roots.len());
    for (i, (event, root)) in events.iter().zip(roots).enumerate() {
        prop_assert!((event.time - root).abs() <= tolerance, "{} instead of {}", event.time, root);
        let rises = (roots.len() - i) % 2 == 1;
        prop_assert_eq!(event.name, if rises { "up" } else { "down" });
    }
    Ok(())
}

/// Both roots lie before the middle one of the three places that show the dip.
#[test]
fn the_first_root_of_a_dip_is_found_by_its_own_rule_too() {
    let first = 5.430668803692414;
    assert_found(&[first, first + 0.04832169513235021], 0.9642686397855545, 1e-9).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn all_roots_further_apart_than_the_looks_are_found(gaps in prop::collection::vec(0.05f64..1.5, 1..8), step in 0.01f64..0.2) {
        let roots: Vec<f64> = gaps.iter().scan(0.0, |sum, gap| { *sum += gap; Some(*sum) }).filter(|&root| root < 10.9).collect();
        assert_found(&roots, step, 1e-12)?;
    }

    #[test]
    fn two_roots_however_close_are_found_by_their_dip(first in 0.3f64..9.0, gap in 1e-5f64..0.3, step in 0.1f64..1.0) {
        assert_found(&[first, first + gap], step, 1e-9)?;
    }

    #[test]
    fn a_ball_comes_to_rest_after_the_impact_that_leaves_it_too_slow(e in 0.05f64..0.95, height in 0.01f64..100.0, least in 1e-4f64..0.5) {
        let first = (2.0 * G * height).sqrt();
        let exact = (least / first).ln() / e.ln();
        prop_assume!((exact - exact.round()).abs() > 1e-6 && first > least);
        let mut run = Run::new(Ball { e, lock: Lock::Speed(least) }, [height, 0.0], ()).unwrap();
        run.until(1000.0).unwrap();
        prop_assert_eq!(run.statistics().state_events as f64, exact.ceil());
        let mut audit = EnergyAudit::new(MASS * G * height, e * e, 1e-6);
        prop_assert_eq!(audit.check_log(run.log(), "floor"), Ok(()));
        // As many from the formula, at the same times.
        let model = Ball { e, lock: Lock::Speed(least) };
        let mut closed = Run::with(model, [height, 0.0], (), ClosedForm::new(), Settings::default()).unwrap();
        closed.until(1000.0).unwrap();
        prop_assert_eq!(run.log().len(), closed.log().len());
        for (a, b) in run.log().iter().zip(closed.log()) {
            prop_assert!((a.time - b.time).abs() < 1e-10 * (1.0 + b.time), "{} {}", a.time, b.time);
        }
    }

    #[test]
    fn kicks_at_any_time_leave_every_stepper_with_the_same_story(
        kicks in prop::collection::vec((0.01f64..0.8, -3.0f64..5.0), 1..12),
    ) {
        fn story<S: Stepper<Ball>>(stepper: S, kicks: &[(f64, f64)]) -> Vec<(&'static str, f64)> {
            let model = Ball { e: 0.8, lock: Lock::Speed(0.05) };
            let mut run = Run::with(model, [1.0, 0.0], (), stepper, Settings::default()).unwrap();
            let mut time = 0.0;
            for &(gap, speed) in kicks {
                time += gap;
                run.until(time).unwrap();
                run.change("kick", |_, now| now.reinit(1, now.pre.x[1].abs() + speed)).unwrap();
                assert!(run.state()[0] > -1e-12);
            }
            run.until(time + 3.0).unwrap();
            run.log().iter().map(|entry| (entry.name, entry.time)).collect()
        }
        let expected = story(ClosedForm::new(), &kicks);
        for found in [story(DormandPrince::new(1e-6), &kicks), story(RungeKutta4::new(0.05), &kicks)] {
            prop_assert_eq!(found.len(), expected.len());
            for (a, b) in found.iter().zip(&expected) {
                prop_assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-9, "{:?} {:?}", a, b);
            }
        }
    }
}
