//! The log as an output, restarts, and repeatability.

use saltus::hybrid::*;

use crate::models::*;

fn bits(log: &[Entry<[f64; 2]>]) -> Vec<[u64; 12]> {
    let row = |entry: &Entry<[f64; 2]>| {
        let [before, after] = entry.energy.unwrap_or([f64::NAN; 2]).map(f64::to_bits);
        let [a, b] = entry.before.map(f64::to_bits);
        let [c, d] = entry.after.map(f64::to_bits);
        let kind = entry.kind as u64 * 4 + u64::from(entry.rests) * 2 + u64::from(entry.discontinuous);
        [
            entry.time.to_bits(),
            kind,
            entry.name.len() as u64,
            u64::from(entry.iterations),
            entry.evaluations,
            entry.width.to_bits(),
            before,
            after,
            a,
            b,
            c,
            d,
        ]
    };
    log.iter().map(row).collect()
}

#[test]
fn the_log_holds_times_passes_and_evaluations_and_is_the_same_bit_for_bit_in_two_runs() {
    let log = || {
        let mut run = ball(0.8, Lock::Speed(1e-3));
        run.until(5.0).unwrap();
        assert_eq!(run.log().len(), 38);
        let counted: u64 = run.log().iter().map(|entry| entry.evaluations).sum();
        assert!(counted <= run.statistics().indicators);
        assert!(run.log().iter().all(|entry| entry.iterations == 2 && (8..100).contains(&entry.evaluations)));
        bits(run.log())
    };
    assert_eq!(log(), log());
    // How far the run is cut into pieces does not matter either.
    let mut pieces = ball(0.8, Lock::Speed(1e-3));
    for i in 1..=500 {
        pieces.until(f64::from(i) * 0.01).unwrap();
    }
    assert_eq!(bits(pieces.log()), log());
}

#[test]
fn rejected_steps_are_logged_apart_from_events() {
    /// A kick in the derivative that a long step cannot take.
    struct Stiff;
    impl Hybrid for Stiff {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[Rule::every("tick", |_| (0.0, 1.0), |_, _| {})];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            [(-((at.time - 2.5) / 1e-3).powi(2)).exp() * 1e3]
        }
    }
    let settings = Settings { max_step: 0.1, ..Settings::default() };
    let mut run = Run::with(Stiff, [0.0], (), DormandPrince::new(1e-8), settings).unwrap();
    run.until(5.0).unwrap();
    let count = |kind| run.log().iter().filter(|entry| entry.kind == kind).count() as u64;
    assert_eq!((count(Kind::Time), count(Kind::State)), (6, 0));
    assert!(count(Kind::Retry) > 0);
    assert_eq!(count(Kind::Retry), run.statistics().retries);
    assert_eq!((run.statistics().time_events, run.statistics().state_events), (6, 0));
    assert!(run.events().count() == 6 && run.events().all(|event| event.name == "tick"));
}

#[test]
fn after_a_reset_slope_and_step_are_those_of_the_new_state() {
    /// Slow until it is thrown to where it is fast.
    struct Thrown;
    impl Hybrid for Thrown {
        type State = [f64; 1];
        type Mode = f64; // rate
        const RULES: &'static [Rule<Self>] = &[Rule::at(
            "throw",
            |_, _| 10.0,
            |_, now| {
                now.reinit(0, 1.0);
                now.mode = 1e3;
            },
        )];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            [-at.mode * at.x[0]]
        }
    }
    let mut run = Run::with(Thrown, [5.0], 1e-3, DormandPrince::new(1e-9), Settings::default()).unwrap();
    run.until(10.0).unwrap();
    let retries = run.statistics().retries;
    run.until(10.001).unwrap();
    assert!((run.state()[0] - (-1.0f64).exp()).abs() < 1e-8, "{}", run.state()[0]);
    assert!(run.statistics().retries - retries <= 1, "the old step would be far too long");
}

#[test]
fn statistics_count_what_the_log_tells() {
    let mut run = ball(0.8, Lock::Speed(1e-3));
    run.until(5.0).unwrap();
    let statistics = *run.statistics();
    assert_eq!((statistics.state_events, statistics.time_events), (38, 0));
    let times: Vec<f64> = run.log().iter().map(|entry| entry.time).collect();
    let smallest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    assert_eq!(statistics.smallest_spacing, smallest);
    let widest = run.log().iter().map(|entry| entry.width).fold(0.0, f64::max);
    assert_eq!(statistics.widest_bracket, widest);
    assert!((run.rate() - 38.0 / 5.0).abs() < 1e-12);
}
