//! A ramp of known slope, a sampler that reads it, and a level that it crosses at the very time of a sample.
//!
//! Shows: the order within one instant. What happens at a known time comes first, then what an indicator has crossed, and both
//! belong to one instant. So the crossing finds the sample of now, not the one of a period ago, whichever rule is written first.
//!
//! One instant is equal times. They are equal here because the ramp is a formula of the time; integrated, it would reach the level
//! with a rounding, and the crossing would come a rounding before the sample or after it.

use saltus::BoxError;
use saltus::hybrid::{At, DormandPrince, Hybrid, Moment, Rule, Run, Settings, ZeroOrderHold};
use saltus_examples::no_arguments;

const PERIOD: f64 = 0.02;
const SLOPE: f64 = 2.0;

fn ramp(time: f64) -> f64 {
    SLOPE * time
}

struct Ramp;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mode {
    held: ZeroOrderHold,
    /// What was held when the ramp crossed 1.
    held_at_level: f64,
}

impl Hybrid for Ramp {
    type State = [f64; 0]; // nothing has to be integrated
    type Mode = Mode;

    const RULES: &'static [Rule<Self>] = &[
        Rule::rising("level", |_, at| ramp(at.time) - 1.0, |_, now| now.mode.held_at_level = now.mode.held.value()),
        Rule::every("sample", |_| (0.0, PERIOD), |_, now| now.mode.held.sample(ramp(now.time))),
    ];

    fn derivative(&self, _: &At<Self>) -> [f64; 0] {
        []
    }
}

fn main() -> Result<(), BoxError> {
    no_arguments();
    run()
}

fn run() -> Result<(), BoxError> {
    let settings = Settings { output_interval: Some(0.5), ..Settings::default() };
    let mut run = Run::with(Ramp, [], Mode::default(), DormandPrince::new(1e-6), settings)?;
    run.until(1.0)?;

    println!("  time  kind   rule    passes   ramp");
    let near: Vec<_> = run.events().filter(|entry| (entry.time - 0.5).abs() < 0.03).collect();
    for entry in &near {
        let kind = entry.kind.to_string();
        println!("{:6}  {kind:5}  {:6}  {:6}   {:.12}", entry.time, entry.name, entry.iterations, ramp(entry.time));
    }
    let rows: Vec<_> = run.rows().iter().filter(|row| row.time == 0.5).collect();
    println!(
        "\nheld before and after the instant: {:.12} and {:.12}",
        rows[0].mode.held.value(),
        rows[1].mode.held.value()
    );
    println!("held when the level was crossed:   {:.12}", run.mode().held_at_level);
    let late = (1.0 - run.mode().held_at_level) / SLOPE;
    println!("that is {late} late; a sample of the period before would be {PERIOD} late");

    let instant: Vec<_> = near.iter().filter(|entry| entry.time == 0.5).map(|entry| entry.name).collect();
    assert_eq!(instant, ["sample", "level"], "one instant, the sample first");
    assert_eq!(rows.iter().map(|row| row.moment).collect::<Vec<_>>(), [Moment::Before, Moment::After]);
    assert!((rows[0].mode.held.value() - ramp(0.48)).abs() < 1e-12);
    assert_eq!(late, 0.0);
    assert_eq!((run.statistics().time_events, run.statistics().state_events), (51, 1));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run()
}

#[test]
fn every_sample_is_the_ramp_of_its_own_instant() -> Result<(), BoxError> {
    let settings = Settings { output_interval: Some(1e-3), ..Settings::default() };
    let mut run = Run::with(Ramp, [], Mode::default(), DormandPrince::new(1e-6), settings)?;
    run.until(1.0)?;
    let samples: Vec<_> = run.rows().iter().filter(|row| row.moment == Moment::After).collect();
    assert_eq!(samples.len(), 51, "the crossing is within the instant of a sample");
    for (k, row) in samples.iter().enumerate() {
        assert_eq!(row.time.to_bits(), (k as f64 * PERIOD).to_bits());
        assert!(row.mode.held.value() == ramp(row.time));
    }
    Ok(())
}
