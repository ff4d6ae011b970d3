//! Hard discs under each clock.

use hard_discs::starts::{Start, make};
use saltus::BoxError;
use timewheel_compare::experiments::discs::Experiment;

fn billiards() -> Result<Experiment, BoxError> {
    Experiment::new(make(Start::Billiards, None, None, 1)?, 60.0)
}

#[test]
fn small_steps_find_the_collisions_and_large_ones_miss_some() -> Result<(), BoxError> {
    let experiment = billiards()?;
    assert_eq!((experiment.event_driven().collisions, experiment.event_driven().broken.as_ref()), (21, None));
    for dt in [0.1, 0.01] {
        let small = experiment.stepped(dt)?;
        assert_eq!((small.missed, small.spurious, small.same_until), (0, 0, 60.0), "{dt}");
        assert!(small.energy_drift.abs() < 1e-12);
    }
    let large = experiment.stepped(4.0)?;
    assert!(large.missed > 0 && large.deepest > 0.1, "{large:?}");
    Ok(())
}

#[test]
fn checks_grow_as_half_of_n_squared_a_step() -> Result<(), BoxError> {
    let experiment = billiards()?;
    for dt in [0.1, 0.05] {
        let run = experiment.stepped(dt)?;
        assert_eq!(run.steps, (60.0 / dt).round() as u64);
        // Once a step, and once more for each collision found.
        assert_eq!(run.checks, (run.steps + run.collisions as u64) * 11 * 10 / 2);
    }
    Ok(())
}

#[test]
fn under_a_quantising_wheel_the_certificate_breaks_by_less_the_finer_the_slots() -> Result<(), BoxError> {
    let experiment = billiards()?;
    let mut before = f64::INFINITY;
    for granularity in [8.0, 64.0, 512.0] {
        let run = experiment.quantised(1.0 / granularity)?;
        assert_eq!(run.broken.as_deref(), Some("contact geometry"));
        let by = run.broken_by.expect("a law was broken");
        assert!(by > 1e-9 && by < before, "{by}");
        assert!(run.energy_drift.abs() < 1e-12, "which is why it is overlooked");
        before = by;
    }
    Ok(())
}
