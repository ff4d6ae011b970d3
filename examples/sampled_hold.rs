//! A temperature that swings seven times a second, read fifty times a second and held in between: as the last sample (zero order),
//! and as the line through the last two (first order).
//!
//! Shows: events at exact times, values in a mode, rows of output, and what holding does to a signal. On average the last sample is
//! half a period old, so that the held signal lags behind: 25.2 degrees here. This lag is there physically; no solver setting takes it
//! away, only a shorter period or another hold.

use std::f64::consts::TAU;

use saltus::BoxError;
use saltus::hybrid::{
    At, DormandPrince, Error, FirstOrderHold, Hybrid, Moment, Row, Rule, Run, Settings, ZeroOrderHold,
};
use saltus_examples::no_arguments;

const PERIOD: f64 = 0.02;
const FREQUENCY: f64 = 7.0;
const MEAN: f64 = 293.15;
const AMPLITUDE: f64 = 10.0;

fn temperature(time: f64) -> f64 {
    MEAN + AMPLITUDE * (TAU * FREQUENCY * time).sin()
}

struct Sampler;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Holds {
    zero: ZeroOrderHold,
    first: FirstOrderHold,
}

impl Hybrid for Sampler {
    type State = [f64; 0];
    type Mode = Holds;

    const RULES: &'static [Rule<Self>] = &[Rule::every(
        "sample",
        |_| (0.0, PERIOD),
        |_, now| {
            now.mode.zero.sample(temperature(now.time));
            now.mode.first.sample(now.time, temperature(now.time));
        },
    )];

    fn derivative(&self, _: &At<Self>) -> [f64; 0] {
        []
    }
}

type Rows = Vec<Row<[f64; 0], Holds>>;

/// The rows of a run: before and after each sample, and in between every `interval`.
fn rows(interval: f64, until: f64) -> Result<Rows, Error> {
    let settings = Settings { output_interval: Some(interval), ..Settings::default() };
    let mut run = Run::with(Sampler, [], Holds::default(), DormandPrince::new(1e-6), settings)?;
    run.until(until)?;
    Ok(run.rows().to_vec())
}

fn samples(rows: &Rows) -> Vec<&Row<[f64; 0], Holds>> {
    rows.iter().filter(|row| row.moment == Moment::After).collect()
}

/// What is left of the amplitude, and the lag in degrees: the Fourier coefficient of what is held, over the second second.
fn response(rows: &Rows, held: impl Fn(&Row<[f64; 0], Holds>) -> f64) -> (f64, f64) {
    let (mut sine, mut cosine, mut time) = (0.0, 0.0, 1.0);
    for row in rows.iter().filter(|row| row.moment != Moment::After && row.time > 1.0 && row.time <= 2.0) {
        // What has been held since the row before, weighed with how long that was.
        let angle = TAU * FREQUENCY * 0.5 * (time + row.time);
        let value = (held(row) - MEAN) * (row.time - time);
        (sine, cosine, time) = (sine + value * angle.sin(), cosine + value * angle.cos(), row.time);
    }
    (2.0 * sine.hypot(cosine) / AMPLITUDE, -cosine.atan2(sine).to_degrees())
}

fn main() -> Result<(), BoxError> {
    no_arguments();
    run()
}

fn run() -> Result<(), BoxError> {
    let second = rows(1e-3, 1.0)?;
    let samples = samples(&second);
    println!("{} samples in [0, 1], each at k * {PERIOD} to the last bit", samples.len());
    println!("\n  k   time       u_hold");
    for k in [0, 1, 2, 3, 5, 10, 25, 50] {
        println!("{k:3}   {:4}   {:.6}", samples[k].time, samples[k].mode.zero.value());
    }

    let fine = rows(1e-5, 2.0)?;
    let zero = response(&fine, |row| row.mode.zero.value());
    let first = response(&fine, |row| row.mode.first.at(row.time));
    println!("\nhold           gain of the run  theory   lag in degrees  theory");
    for (name, (gain, lag), theory) in [
        ("zero order ", zero, (ZeroOrderHold::gain(FREQUENCY, PERIOD), ZeroOrderHold::lag(FREQUENCY, PERIOD))),
        ("first order", first, (FirstOrderHold::gain(FREQUENCY, PERIOD), FirstOrderHold::lag(FREQUENCY, PERIOD))),
    ] {
        println!("{name}  {gain:14.5}  {:8.5}  {lag:14.2}  {:7.2}", theory.0, theory.1);
        assert!((gain - theory.0).abs() < 1e-3 && (lag - theory.1).abs() < 0.05, "{name}: {gain} {lag}");
    }
    assert!((zero.0 - 0.96807).abs() < 1e-4 && (zero.1 - 25.2).abs() < 0.02);
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run()
}

#[test]
fn samples_are_at_multiples_of_the_period_and_hold_the_signal() -> Result<(), BoxError> {
    let rows = rows(1e-3, 1.0)?;
    let samples = samples(&rows);
    assert_eq!(samples.len(), 51);
    for (k, row) in samples.iter().enumerate() {
        assert_eq!(row.time.to_bits(), (k as f64 * PERIOD).to_bits());
        assert_eq!(row.mode.zero.value(), temperature(row.time));
    }
    let known = [(1, 300.855132), (2, 302.972873), (3, 297.967537), (5, 283.639435), (10, 299.027853)];
    for (k, value) in known {
        assert!((samples[k].mode.zero.value() - value).abs() < 5e-7, "{k}");
    }
    for k in [25, 50] {
        assert!((samples[k].mode.zero.value() - MEAN).abs() < 1e-9, "{k}");
    }
    // Between two samples nothing changes.
    for row in rows.iter().filter(|row| row.moment == Moment::Before && row.time > 0.0) {
        assert!(samples.iter().any(|sample| sample.time < row.time && sample.mode == row.mode), "{}", row.time);
    }
    Ok(())
}
