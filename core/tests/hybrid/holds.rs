//! Sampled signals: exact instants, known values, known lag.

use std::f64::consts::PI;

use saltus::hybrid::*;

const PERIOD: f64 = 0.02;
const FREQUENCY: f64 = 7.0;

fn signal(time: f64) -> f64 {
    293.15 + 10.0 * (2.0 * PI * FREQUENCY * time).sin()
}

struct Sampled;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Holds {
    zero: ZeroOrderHold,
    first: FirstOrderHold,
}

impl Hybrid for Sampled {
    type State = [f64; 0];
    type Mode = Holds;
    const RULES: &'static [Rule<Self>] = &[Rule::every(
        "sample",
        |_| (0.0, PERIOD),
        |_, now| {
            now.mode.zero.sample(signal(now.time));
            now.mode.first.sample(now.time, signal(now.time));
        },
    )];
    fn derivative(&self, _: &At<Self>) -> [f64; 0] {
        []
    }
}

fn run(interval: f64, until: f64) -> Run<Sampled> {
    let settings = Settings { output_interval: Some(interval), ..Settings::default() };
    let mut run = Run::with(Sampled, [], Holds::default(), DormandPrince::new(1e-6), settings).unwrap();
    run.until(until).unwrap();
    run
}

#[test]
fn the_held_values_are_those_of_the_sampling_instants() {
    let run = run(1e-3, 1.0);
    assert_eq!(run.statistics().time_events, 51);
    let after: Vec<_> = run.rows().iter().filter(|row| row.moment == Moment::After).collect();
    for (k, value) in [(1, 300.855132), (2, 302.972873), (3, 297.967537), (5, 283.639435), (10, 299.027853)] {
        assert!((after[k].mode.zero.value() - value).abs() < 5e-7, "{k}");
    }
    for k in [25, 50] {
        assert!((after[k].mode.zero.value() - 293.15).abs() < 1e-9);
    }
    for (k, row) in after.iter().enumerate() {
        assert_eq!(row.time.to_bits(), (k as f64 * PERIOD).to_bits());
        assert_eq!(row.mode.zero.value(), signal(row.time));
    }
}

/// Amplitude and lag in degrees of the signal's frequency in what is held, by its Fourier coefficient over whole periods.
fn response(value: impl Fn(&Row<[f64; 0], Holds>) -> f64) -> (f64, f64) {
    // One second holds seven periods of the signal and fifty of the sampler.
    let run = run(1e-5, 2.0);
    let (mut a, mut b, mut n) = (0.0, 0.0, 0);
    for row in run.rows().iter().filter(|row| row.moment != Moment::Before && row.time >= 1.0 && row.time < 2.0) {
        let angle = 2.0 * PI * FREQUENCY * row.time;
        let deviation = value(row) - 293.15;
        (a, b, n) = (a + deviation * angle.sin(), b + deviation * angle.cos(), n + 1);
    }
    // A row at an event may lie a rounding beside a row of output.
    assert!((100_000..100_050).contains(&n), "{n}");
    let (a, b) = (2.0 * a / f64::from(n), 2.0 * b / f64::from(n));
    (a.hypot(b) / 10.0, -b.atan2(a).to_degrees())
}

#[test]
fn a_zero_order_hold_lags_by_half_a_period() {
    let (gain, lag) = response(|row| row.mode.zero.value());
    assert!((lag - 25.2).abs() < 0.02, "{lag}");
    assert!((gain - 0.96807).abs() < 1e-4, "{gain}");
    assert_eq!(ZeroOrderHold::gain(0.0, PERIOD), 1.0);
}

#[test]
fn a_first_order_hold_lags_less_and_amplifies() {
    let (gain, lag) = response(|row| row.mode.first.at(row.time));
    assert!((lag - FirstOrderHold::lag(FREQUENCY, PERIOD)).abs() < 0.02, "{lag}");
    assert!((gain - FirstOrderHold::gain(FREQUENCY, PERIOD)).abs() < 1e-3, "{gain}");
    assert!(lag < 10.0 && gain > 1.0);
}
