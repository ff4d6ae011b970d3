//! A block on a spring, with dry friction on the floor: friction points against the motion, whichever way that is.
//!
//! Shows: where the spring is too weak to move the block, friction in either direction drives it back across zero velocity, and
//! events follow one another without end. The run stops with a diagnosis. There are two cures: to say when the block sticks, or a
//! smooth switch without events, if the difference is below what matters. Last, the same model with and without the events of a
//! condition: does the condition mean anything?

use saltus::BoxError;
use saltus::hybrid::{
    At, Comparison, DormandPrince, Error, Hybrid, Rule, Run, Settings, Switch, Trajectory, Verdict, compare,
};
use saltus_examples::no_arguments;

/// Of friction, in units of the spring's pull at a distance of 1.
const MU: f64 = 0.3;

struct Block {
    /// Whether it stays where the spring is too weak.
    sticks: bool,
}

impl Hybrid for Block {
    type State = [f64; 2]; // position and velocity
    type Mode = f64; // the direction of motion: 1 or -1

    const RULES: &'static [Rule<Self>] = &[
        Rule::rising("forward", |_, at| at.x[1], |_, now| now.mode = 1.0),
        Rule::falling("backward", |_, at| at.x[1], |_, now| now.mode = -1.0),
        // As somebody writes it who fears to divide by x.
        Rule::either("x is zero", |_, at| at.x[0], |_, _| {}),
    ];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -at.x[0] - MU * at.mode]
    }

    fn rest(&self, at: &At<Self>) -> Option<[f64; 2]> {
        let [x, v] = at.x;
        (self.sticks && v.abs() < 1e-9 && x.abs() <= MU).then_some([x, 0.0])
    }

    fn energy(&self, at: &At<Self>) -> Option<f64> {
        let [x, v] = at.x;
        Some(0.5 * (x * x + v * v))
    }
}

/// A run of the block from a distance of 1. The rules of these names make no events.
fn block(sticks: bool, no_events: &[&str]) -> Result<Run<Block>, Error> {
    let mut trajectory =
        Trajectory::with(Block { sticks }, [1.0, 0.0], -1.0, DormandPrince::new(1e-9), Settings::default());
    for name in no_events {
        trajectory.no_event(name)?;
    }
    Run::start(trajectory, 0.0)
}

/// The same block, whose friction goes from one direction to the other within a width of velocity.
struct Smooth(Switch);

impl Hybrid for Smooth {
    type State = [f64; 2];
    type Mode = ();

    const RULES: &'static [Rule<Self>] = &[];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        let direction = 2.0 * self.0.at(at.x[1]) - 1.0;
        [at.x[1], -at.x[0] - MU * direction]
    }
}

const END: f64 = 10.0;
/// What difference in position matters.
const TOLERANCE: f64 = 1e-3;

/// Where the smooth block is at the end, and in how many steps.
fn smooth(width: f64) -> Result<(f64, u64), Error> {
    let mut run = Run::with(Smooth(Switch { width }), [1.0, 0.0], (), DormandPrince::new(1e-9), Settings::default())?;
    run.until(END)?;
    Ok((run.state()[0], run.statistics().steps))
}

/// What a comparison of the run with all events and one without those of a rule says.
fn with_and_without(rule: &str) -> Result<Comparison, BoxError> {
    let (mut with, mut without) = (block(true, &[])?, block(true, &[rule])?);
    with.until(END)?;
    without.until(END)?;
    Ok(compare(&with, &without, 1e-6).ok_or("the model gives no energy")?)
}

fn main() -> Result<(), BoxError> {
    no_arguments();
    run()
}

fn run() -> Result<(), BoxError> {
    let mut run = block(false, &[])?;
    let error = run.until(END).err().ok_or("no chatter")?;
    println!("without a rule for sticking:\n  {error}");

    let mut run = block(true, &[])?;
    run.until(END)?;
    println!("\nwith one:");
    for event in run.events().filter(|event| event.name != "x is zero") {
        let rests = if event.rests { ", and stays there" } else { "" };
        println!("  {:.9}  {} at {:.9}{rests}", event.time, event.name, event.after[0]);
    }
    let position = run.state()[0];
    // Each half swing takes pi and ends twice the friction short.
    let theory = -(1.0 - 2.0 * MU) + 2.0 * (1.0 - 2.0 * MU - MU);
    assert!((position - theory).abs() < 1e-7, "{position} instead of {theory}");

    println!("\nwith a smooth switch, if {TOLERANCE:.0e} in position is what matters:");
    println!("    width  steps  differs by  may replace the jump");
    for width in [1e-1, 1e-2, 1e-3, 1e-4] {
        let (end, steps) = smooth(width)?;
        let verdict = if Switch::may_replace(position, end, TOLERANCE) { "yes" } else { "no" };
        println!("  {width:7.0e}  {steps:5}  {:10.1e}  {verdict}", (end - position).abs());
    }

    println!("\nwith and without the events of a rule:");
    println!("  rule       events      energy at the end      so it is");
    for rule in ["x is zero", "forward"] {
        let Comparison { events, energy, verdict } = with_and_without(rule)?;
        let words = match verdict {
            Verdict::Guard => "a guard: no events needed",
            Verdict::Meaningful => "physics: its events must stay",
            Verdict::Same => "never true here",
        };
        println!("  {rule:9}  {} and {}   {:.6} and {:.6}  {words}", events[0], events[1], energy[0], energy[1]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn it_runs() -> Result<(), BoxError> {
        run()
    }

    #[test]
    fn chatter_is_told_with_its_place_and_both_rules_and_the_state_before_stands() -> Result<(), BoxError> {
        let mut run = block(false, &[])?;
        let error = run.until(END).unwrap_err();
        let Error::Chatter { from, to, count, names, rate, .. } = &error else { return Err(error.into()) };
        assert!((from - 2.0 * PI).abs() < 1e-6 && to - from < 100.0 * 1e-4 && *count == 101 && *rate > 1e4, "{error}");
        assert_eq!(names.0, ["forward", "backward"]);
        assert!((run.state()[0] + 0.2).abs() < 1e-6 && run.state()[1].abs() < 1e-3, "{:?}", run.state());
        Ok(())
    }

    #[test]
    fn the_block_turns_and_sticks_where_the_formula_says() -> Result<(), BoxError> {
        let mut run = block(true, &["x is zero"])?;
        run.until(END)?;
        let turns: Vec<_> = run.events().collect();
        assert_eq!(turns.len(), 2);
        for (turn, (time, position, rests)) in turns.iter().zip([(PI, -0.4, false), (2.0 * PI, -0.2, true)]) {
            assert!((turn.time - time).abs() < 1e-7 && (turn.after[0] - position).abs() < 1e-7, "{turn:?}");
            assert_eq!(turn.rests, rests);
        }
        Ok(())
    }

    #[test]
    fn a_narrower_switch_comes_closer_and_costs_more() -> Result<(), BoxError> {
        let ends: Vec<(f64, u64)> = [1e-1, 1e-2, 1e-3, 1e-4].into_iter().map(smooth).collect::<Result<_, _>>()?;
        for pair in ends.windows(2) {
            assert!((pair[1].0 + 0.2).abs() < (pair[0].0 + 0.2).abs() && pair[1].1 > pair[0].1, "{ends:?}");
        }
        let verdicts: Vec<bool> = ends.iter().map(|(end, _)| Switch::may_replace(-0.2, *end, TOLERANCE)).collect();
        assert_eq!(verdicts, [false, false, true, true], "{ends:?}");
        Ok(())
    }

    #[test]
    fn a_guard_is_told_from_physics_by_events_and_energy() -> Result<(), BoxError> {
        let guard = with_and_without("x is zero")?;
        assert!(guard.verdict == Verdict::Guard && guard.events[0] > guard.events[1], "{guard:?}");
        let physics = with_and_without("forward")?;
        assert!(physics.verdict == Verdict::Meaningful && (physics.energy[0] - 0.02).abs() < 1e-6, "{physics:?}");
        Ok(())
    }
}
