//! Trajectories allocate nothing once they have started. In a file of its own, since it counts the allocations of the whole process.

mod counting;

use saltus::hybrid::{At, ClosedForm, Curve, DormandPrince, Ensemble, Hybrid, Rule, Settings, Stepper, Trajectory};

use counting::memory;

/// An elastic ball with a sampler.
struct Ball;

fn height(_: &Ball, at: &At<Ball>) -> Curve {
    Curve::accelerated(at.x[0], at.x[1], -9.81)
}

impl Hybrid for Ball {
    type State = [f64; 2];
    type Mode = u64;
    const RULES: &'static [Rule<Self>] = &[
        Rule::<Self>::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -now.pre.x[1])).closed(height),
        Rule::every("sample", |_| (0.0, 0.1), |_, now| now.mode += 1),
    ];
    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -9.81]
    }
    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 2]> {
        Some([height(self, at), Curve::uniform(at.x[1], -9.81)])
    }
}

/// Allocations of a thousand simulated seconds of twenty balls.
fn allocations<S: Stepper<Ball>>(stepper: impl Fn() -> S) -> u64 {
    let settings = Settings { log: false, ..Settings::default() };
    let member = |i| Trajectory::with(Ball, [1.0 + 0.1 * f64::from(i), 0.0], 0, stepper(), settings);
    let mut balls = Ensemble::simulate((0..20).map(member).collect(), 0.0).unwrap();
    balls.run_until(10.0).unwrap();
    let before = memory().0;
    balls.run_until(1000.0).unwrap();
    assert!(balls.counters().executed > 200_000);
    memory().0 - before
}

// One test only: another would allocate beside it.
#[test]
fn steps_and_events_allocate_nothing_after_the_start() {
    let counts = [allocations(|| DormandPrince::new(1e-6)), allocations(ClosedForm::new)];
    // The test harness may do something of its own meanwhile; it is not a matter of steps.
    assert!(counts.iter().all(|&count| count < 10), "{counts:?}");
}
