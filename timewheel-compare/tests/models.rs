//! The haste experiment: what the models give under each driver, held against closed forms and recomputed values.

use saltus::{BoxError, Model, Observer};
use timewheel_compare::drivers::{Driver, Job, Ran, Workload};
use timewheel_compare::experiments::haste::{Comparison, Sweep, Who};
use timewheel_compare::experiments::latency::damping;
use timewheel_compare::models::{Damage, Filler, Latency, Place, Player, SECOND, Streams, Timers, ticks};
use timewheel_compare::settings::Settings;

const HOUR: u64 = 3600 * SECOND;

fn run<M: Workload<Time = u64>>(driver: Driver, model: M, granularity: u64) -> Result<Ran<M>, BoxError> {
    let settings = Settings { granularity, ..Settings::default() };
    driver.run(Job::new(model, settings.wheel(SECOND)?, HOUR - 1))
}

fn dps<M: Workload<Time = u64> + Damage>(driver: Driver, model: M, granularity: u64) -> Result<f64, BoxError> {
    Ok(run(driver, model, granularity)?.model.damage() / 3600.0)
}

/// When each cast of a filler ends.
#[derive(Default)]
struct Ends(Vec<u64>);

impl Observer<Filler> for Ends {
    type Cause = ();

    fn executed(&mut self, event: &saltus::Header<u64>, _: &<Filler as Model>::Event) {
        self.0.push(event.time);
    }
}

/// Damage a second in an endless fight: h, exact, and with 8, 16, 32, 64, 128 slots a second.
const F: [(f64, [f64; 6]); 8] = [
    (0.0, [50.0, 50.0, 50.0, 50.0, 50.0, 50.0]),
    (0.05, [52.5, 50.0, 51.612903, 52.459016, 52.459016, 52.459016]),
    (0.10, [55.0, 53.333333, 53.333333, 54.237288, 54.700855, 54.935622]),
    (0.15, [57.5, 57.142857, 57.142857, 57.142857, 57.142857, 57.399103]),
    (0.20, [60.0, 57.142857, 59.259259, 59.259259, 59.813084, 59.813084]),
    (0.25, [62.5, 61.538462, 61.538462, 61.538462, 62.135922, 62.439024]),
    (0.30, [65.0, 61.538462, 64.0, 64.0, 64.646465, 64.974619]),
    (0.40, [70.0, 66.666667, 69.565217, 69.565217, 69.565217, 69.945355]),
];

#[test]
fn every_period_of_the_filler_is_a_whole_number_of_slots() -> Result<(), BoxError> {
    for (haste, expected) in F {
        for (granularity, expected) in [8, 16, 32, 64, 128].into_iter().zip(&expected[1..]) {
            let slot = SECOND / granularity;
            let period = slot * ticks(2.0 / (1.0 + haste)).div_ceil(slot);
            let settings = Settings { granularity, ..Settings::default() };
            let job = Job::new(Filler::new(haste, Latency::NONE), settings.wheel(SECOND)?, HOUR - 1);
            let Job { model, settings, wheel, end, head_start, .. } = job;
            let ran = Driver::QuantisingWheel.run(Job {
                model,
                settings,
                wheel,
                end,
                head_start,
                observer: Ends::default(),
            })?;
            assert!(ran.observer.0.windows(2).all(|pair| pair[1] - pair[0] == period), "{haste} {granularity}");
            let endless = 100.0 * SECOND as f64 / period as f64;
            assert!((endless - expected).abs() < 1e-6, "{haste} {granularity}: {endless}");
            let fight = ran.model.damage() / 3600.0;
            assert!((fight - expected).abs() < 100.0 / 3600.0 + 1e-6, "{haste} {granularity}: {fight}");
        }
    }
    Ok(())
}

#[test]
fn the_event_driven_filler_and_streams_are_the_formula_but_for_the_last_cast() -> Result<(), BoxError> {
    for step in 0..=80 {
        let haste = f64::from(step) * 0.005;
        let f = dps(Driver::EventDriven, Filler::new(haste, Latency::NONE), 32)?;
        assert!((f - Filler::exact(haste)).abs() <= 100.0 / 3600.0 + 1e-9, "{haste}: {f}");
        let p = dps(Driver::EventDriven, Streams::new(haste), 32)?;
        assert!((p - Streams::exact(haste)).abs() <= 170.0 / 3600.0 + 1e-9, "{haste}: {p}");
    }
    assert!((Streams::exact(0.0) - 74.871795).abs() < 1e-6);
    Ok(())
}

#[test]
fn scale_factors_of_the_filler() -> Result<(), BoxError> {
    let comparison = Comparison::run(&Sweep::new(Who::F), &[8, 16, 32, 64, 128])?;
    let errors = comparison.errors(&[0.01, 0.035]);
    let (_, exact) = &errors[0];
    assert!(exact.scale_factors.iter().all(|factors| factors.least > 0.9 && factors.most < 1.1));
    let (_, at_32) = &errors[3];
    let [one, wide] = at_32.scale_factors[..] else { panic!("two differences") };
    assert!((0.40..0.65).contains(&one.zeros) && one.least == 0.0, "{one:?}");
    assert!((2.5..3.3).contains(&one.most), "{one:?}");
    assert!(wide.least > 0.45 && wide.most < 1.75, "{wide:?}");
    for pair in errors[1..].windows(2) {
        let ratio = pair[0].1.rms / pair[1].1.rms;
        assert!((1.8..2.2).contains(&ratio), "each doubling halves the error: {ratio}");
    }
    // The mean loss is half a slot a cast, over casts of 2 s / (1 + h).
    for ((granularity, errors), expected) in errors[1..].iter().zip([0.0344, 0.0184, 0.0092, 0.0046, 0.0023]) {
        let slot = 1.0 / granularity.expect("a wheel") as f64;
        let half_a_slot = slot / 2.0 * 1.2 / 2.0;
        let loss = -errors.mean;
        assert!((loss / half_a_slot - 1.0).abs() < 0.1 && (loss - expected).abs() < 0.0005, "{granularity:?}: {loss}");
    }
    assert!((at_32.mean.abs() / (1.0 / 32.0 / 2.0 * 1.2 / 2.0) - 1.0).abs() < 0.05);
    Ok(())
}

#[test]
fn the_streams() -> Result<(), BoxError> {
    let comparison = Comparison::run(&Sweep::new(Who::P), &[32])?;
    let (_, at_32) = &comparison.errors(&[0.01])[1];
    assert!((at_32.mean + 0.0083).abs() < 2e-4 && (at_32.rms - 0.00393).abs() < 1e-4, "{at_32:?}");
    assert!((at_32.peak_to_peak - 0.0174).abs() < 3e-4 && (at_32.scale_factors[0].deviation - 0.79).abs() < 0.02);
    Ok(())
}

#[test]
fn the_whole_player() -> Result<(), BoxError> {
    let player = |haste| Player::new(haste, Latency::NONE);
    for (haste, expected) in [(0.0, 81.211111), (0.2, 94.7), (0.3, 102.211111)] {
        let exact = dps(Driver::EventDriven, player(haste), 32)?;
        assert!((exact - expected).abs() < 1e-6, "{haste}: {exact}");
        assert_eq!(dps(Driver::SortedBucketWheel, player(haste), 32)?, exact);
    }
    assert_eq!(run(Driver::EventDriven, player(0.0), 32)?.counters.executed, 4647);
    assert_eq!(run(Driver::EventDriven, player(0.2), 32)?.counters.executed, 5630);
    let other_order = dps(Driver::EventDriven, player(0.0).ready_before_expiry(), 32)?;
    assert!((other_order - 81.161111).abs() < 1e-6, "the order of equals matters: {other_order}");

    let comparison = Comparison::run(&Sweep::new(Who::M), &[32])?;
    let dps = &comparison.event_driven.dps;
    let mean = dps.iter().sum::<f64>() / dps.len() as f64;
    assert!((mean - 95.713).abs() < 5e-4, "{mean}");
    assert!((comparison.event_driven.events - 5480.0).abs() < 1.0);
    assert!((comparison.slope - 66.14).abs() < 0.01, "{}", comparison.slope);
    let (_, at_32) = &comparison.errors(&[0.01])[1];
    assert!((0.007..0.012).contains(&at_32.rms), "{at_32:?}");
    assert!((at_32.mean + 0.0061).abs() < 3e-4 && (at_32.peak_to_peak - 0.0484).abs() < 3e-4, "{at_32:?}");
    assert!((at_32.scale_factors[0].deviation - 1.70).abs() < 0.05, "{at_32:?}");
    Ok(())
}

#[test]
fn a_sorted_bucket_wheel_is_off_by_nothing_at_any_haste() -> Result<(), BoxError> {
    let settings = Settings { granularity: 8, ..Settings::default() };
    for who in [Who::F, Who::P, Who::M] {
        let sweep = Sweep::new(who);
        assert_eq!(sweep.run(Driver::SortedBucketWheel, &settings)?, sweep.run(Driver::EventDriven, &settings)?);
    }
    Ok(())
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() -> Result<(), BoxError> {
    let sweep = Sweep { who: Who::F, latency: Latency { mean: 0.1, deviation: 0.01, place: Place::Inside }, fights: 1 };
    let with = |threads| -> Result<_, BoxError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| sweep.run(Driver::SkippingWheel, &Settings::default()))
    };
    assert_eq!(with(1)?, with(3)?);
    Ok(())
}

#[test]
fn latency_damps_by_its_spread_and_only_inside_of_the_delay() -> Result<(), BoxError> {
    let settings = Settings::default();
    let slot = 1.0 / 32.0;
    let no_damping = slot / std::f64::consts::PI;
    for share in [0.0, 0.1, 0.2, 0.3, 0.5] {
        let latency = |place| Latency { mean: 0.1, deviation: share * slot, place };
        let inside = damping(latency(Place::Inside), &settings)?;
        let factor = (-2.0 * (std::f64::consts::PI * share).powi(2)).exp();
        assert!((inside.amplitude / no_damping - factor).abs() < 0.03, "{inside:?}");
        // Latency and half a slot; 32 phases of a slot know its middle to a 64th.
        assert!((inside.offset - 0.115625).abs() < slot / 64.0, "{inside:?}");
        let after = damping(latency(Place::After), &settings)?;
        assert!((after.amplitude / no_damping - 1.0).abs() < 0.03, "{after:?}");
    }
    Ok(())
}

#[test]
fn slots_are_counted() -> Result<(), BoxError> {
    for granularity in [8, 32, 128] {
        let ran = run(Driver::QuantisingWheel, Player::new(0.2, Latency::NONE), granularity)?;
        assert!(ran.scan.visited.abs_diff(3600 * granularity) <= 1, "{:?}", ran.scan);
        assert_eq!(ran.scan.events, ran.counters.executed);
        let skipping = run(Driver::SkippingWheel, Player::new(0.2, Latency::NONE), granularity)?;
        assert_eq!(skipping.model.damage(), ran.model.damage());
        assert_eq!(skipping.scan.visited + skipping.scan.skipped, ran.scan.visited);
        assert!(granularity < 32 || ran.scan.empty as f64 / ran.scan.visited as f64 > 0.95);
    }
    Ok(())
}

#[test]
fn timers_have_the_density_that_was_asked_for() -> Result<(), BoxError> {
    for density in [2.0, 20.0] {
        let events = run(Driver::EventDriven, Timers::new(density), 32)?.model.events as f64 / 3600.0;
        assert!((events / density - 1.0).abs() < 0.05, "{density}: {events}");
    }
    Ok(())
}
