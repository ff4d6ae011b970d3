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

fn times<X>(log: &[Entry<X>]) -> Vec<f64> {
    log.iter().filter(|entry| entry.kind == Kind::State).map(|entry| entry.time).collect()
}

#[test]
fn the_first_impact_lies_on_the_far_side_of_the_floor() {
    let mut run = ball(0.8, Lock::Never);
    run.until(0.6).unwrap();
    let entry = run.log()[0];
    println!("{entry:?}");
    assert!((entry.time - IMPACTS[0]).abs() < 1e-12);
    assert!(entry.before[0] <= 0.0 && entry.before[0] >= -4.43 * 1e-12);
    let mut run = closed_ball(0.8, Lock::Never);
    run.until(0.6).unwrap();
    let entry = run.log()[0];
    println!("{entry:?}");
    assert!((entry.time - IMPACTS[0]).abs() < 1e-15);
    assert!(entry.before[0] <= 0.0 && entry.before[0] >= -1e-15);
}

#[test]
fn six_impacts_by_three_seconds() {
    let mut run = ball(0.8, Lock::Never);
    run.until(3.0).unwrap();
    let found = times(run.log());
    println!("{:?} {found:?}", run.statistics());
    assert_eq!(found.len(), 6);
    for (found, expected) in found.iter().zip(IMPACTS) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    let mut run = closed_ball(0.8, Lock::Never);
    run.until(3.0).unwrap();
    let found = times(run.log());
    println!("{:?} {found:?}", run.statistics());
    assert_eq!(found.len(), 6);
    for (found, expected) in found.iter().zip(IMPACTS) {
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
}

#[test]
fn the_locks() {
    for (lock, n) in [(Lock::Height(1e-4), 21), (Lock::Speed(1e-3), 38), (Lock::Height(1e-6), 31)] {
        let mut run = ball(0.8, lock);
        run.until(6.0).unwrap();
        let found = times(run.log());
        println!("{lock:?} {} {:?}", found.len(), found.last().unwrap() - impact(0.8, n));
        let mut run = closed_ball(0.8, lock);
        run.until(6.0).unwrap();
        let found = times(run.log());
        println!("{lock:?} {} {:?}", found.len(), found.last().unwrap() - impact(0.8, n));
    }
    for e in [0.05, 0.3, 0.7, 0.8, 0.95] {
        println!("{e} {:?}", ball(e, Lock::Never).until(100.0).unwrap_err().to_string());
        println!("{e} {:?}", closed_ball(e, Lock::Never).until(100.0).unwrap_err().to_string());
    }
}
