//! A thermostat: a room that cools, and a heater with two modes. The temperature follows a curve; the heater goes on and off where
//! that curve crosses a level, at times that nobody knows beforehand.
//!
//! Shows: a hybrid model of two modes, and its log beside the formula. Then the nights are cooler: what happens at a known time
//! carries the temperature across a level, and the heater follows in the same instant.

use saltus::BoxError;
use saltus::hybrid::{At, Hybrid, Kind, Rule, Run};
use saltus_examples::no_arguments;

/// Temperatures in degrees, times in hours.
struct House {
    outside: f64,
    /// The part of the difference to the outside that is lost in an hour.
    loss: f64,
    /// What the heater adds in an hour.
    power: f64,
    /// By how much the nights are cooler.
    setback: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Thermostat {
    is_on: bool,
    /// What it aims at, to a degree.
    target: f64,
}

const COMFORT: f64 = 20.0;

impl Hybrid for House {
    type State = [f64; 2]; // the temperature, and for how long the heater has been on
    type Mode = Thermostat;

    const RULES: &'static [Rule<Self>] = &[
        Rule::every("evening", |_| (22.0, 24.0), |house, now| now.mode.target = COMFORT - house.setback),
        Rule::every("morning", |_| (6.0, 24.0), |_, now| now.mode.target = COMFORT),
        Rule::falling("too cold", |_, at| at.x[0] - (at.mode.target - 1.0), |_, now| now.mode.is_on = true),
        Rule::rising("too warm", |_, at| at.x[0] - (at.mode.target + 1.0), |_, now| now.mode.is_on = false),
    ];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        let (heating, is_on) = if at.mode.is_on { (self.power, 1.0) } else { (0.0, 0.0) };
        [heating - self.loss * (at.x[0] - self.outside), is_on]
    }
}

impl House {
    /// A rule sees crossings only: a room that is too cold from the start on has none to come, so the heater must be on already.
    fn start(self, temperature: f64) -> Result<Run<House>, saltus::hybrid::Error> {
        Run::new(self, [temperature, 0.0], Thermostat { is_on: temperature < COMFORT - 1.0, target: COMFORT })
    }

    /// Hours from one level to the other, on a curve that would end at `goal`.
    fn between(&self, from: f64, to: f64, goal: f64) -> f64 {
        ((from - goal) / (to - goal)).ln() / self.loss
    }
}

const HOUSE: House = House { outside: 10.0, loss: 0.2, power: 4.0, setback: 0.0 };

fn main() -> Result<(), BoxError> {
    no_arguments();
    run()
}

fn run() -> Result<(), BoxError> {
    let off = HOUSE.between(21.0, 19.0, HOUSE.outside);
    let on = HOUSE.between(19.0, 21.0, HOUSE.outside + HOUSE.power / HOUSE.loss);
    let first = HOUSE.between(20.0, 19.0, HOUSE.outside);

    let mut run = HOUSE.start(20.0)?;
    run.until(5.9)?;
    println!("  hour     switch     degrees    the formula says");
    let mut expected = first;
    for event in run.events() {
        println!("{:8.6}  {:8}  {:9.6}    {expected:8.6}", event.time, event.name, event.before[0]);
        assert!((event.time - expected).abs() < 1e-6, "{} instead of {expected}", event.time);
        expected += if event.name == "too cold" { on } else { off };
    }
    assert_eq!(run.statistics().state_events, 6);

    let mut run = House { setback: 3.0, ..HOUSE }.start(20.0)?;
    run.until(72.0)?;
    println!("\nwith cooler nights, what happens with the evening and the morning:");
    let clocks: Vec<f64> = run.events().filter(|event| event.kind == Kind::Time).map(|event| event.time).collect();
    for event in run.events().filter(|event| clocks.contains(&event.time)) {
        println!("{:4}  {:8}  {:.3} degrees", event.time, event.name, event.before[0]);
    }
    assert_eq!(clocks, [6.0, 22.0, 30.0, 46.0, 54.0, 70.0]);
    let mut even = HOUSE.start(20.0)?;
    even.until(72.0)?;
    println!("heater on for {:.2} of 72 hours instead of {:.2}", run.state()[1], even.state()[1]);
    assert!(run.state()[1] < even.state()[1]);
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run()
}

#[test]
fn the_room_stays_between_the_levels_and_the_heater_within_the_instant_of_the_clock() -> Result<(), BoxError> {
    let mut run = House { setback: 3.0, ..HOUSE }.start(20.0)?;
    run.until(240.0)?;
    for event in run.events().filter(|event| event.kind == Kind::State) {
        let temperature = event.before[0];
        let is_level = [16.0, 18.0, 19.0, 21.0].iter().any(|level| (temperature - level).abs() < 1e-6);
        let at_clock = run.events().any(|other| other.kind == Kind::Time && other.time == event.time);
        assert!(is_level || at_clock, "{} at {}: {temperature}", event.name, event.time);
    }
    Ok(())
}

#[test]
fn a_heater_that_is_off_in_the_cold_stays_off() -> Result<(), BoxError> {
    let mut run = Run::new(HOUSE, [15.0, 0.0], Thermostat { is_on: false, target: COMFORT })?;
    run.until(5.0)?;
    assert!(run.events().count() == 0 && run.state()[0] < 15.0);
    let mut run = HOUSE.start(15.0)?;
    run.until(5.0)?;
    assert!(run.events().next().is_some_and(|event| event.name == "too warm") && run.state()[0] > 19.0);
    Ok(())
}
