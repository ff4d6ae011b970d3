//! Hybrid models that are wrong on purpose, each beside the right one, and the check that tells them apart.
//!
//! None of these faults can be seen in a curve. What exposes them is the log of events: how many, when, in how many passes, with how
//! much energy before and after. A check knows nothing of the model that it looks at.

use std::f64::consts::TAU;

use saltus::BoxError;
use saltus::hybrid::{
    At, DormandPrince, EnergyAudit, Entry, Euler, Hybrid, Moment, Now, Row, Rule, Run, Settings, Trajectory, Verdict,
    compare,
};
use saltus_examples::no_arguments;

/// What a check says: what it has found in order, or what is wrong.
type Finding = Result<String, String>;

struct Failure {
    name: &'static str,
    right: Finding,
    broken: Finding,
}

const FAILURES: &[fn() -> Result<Failure, BoxError>] = &[
    reset_from_the_new_value,
    no_direction,
    loose_tolerance,
    discontinuous_indicator,
    sampler_as_a_state_event,
    hold_one_period_late,
    extra_state,
    double_trigger,
    coarse_output,
    hidden_impact,
    loop_between_assignments,
];

fn main() -> Result<(), BoxError> {
    no_arguments();
    run()
}

fn run() -> Result<(), BoxError> {
    for failure in FAILURES {
        let Failure { name, right, broken } = failure()?;
        println!("{name}");
        println!("  right:  {}", right?);
        println!("  broken: {}", broken.err().ok_or("the fault was not found")?);
    }
    Ok(())
}

const G: f64 = 9.81;
const E: f64 = 0.8;
const MASS: f64 = 0.1;

/// The time of the first impact.
fn first_impact() -> f64 {
    (2.0 / G).sqrt()
}

/// A ball with this as its floor. Its mode counts impacts.
macro_rules! ball {
    ($name:ident, $($rule:expr),+ $(,)?) => {
        struct $name;

        impl Hybrid for $name {
            type State = [f64; 3]; // height, velocity, coefficient of restitution
            type Mode = i32;

            const RULES: &'static [Rule<Self>] = &[$($rule),+];

            fn derivative(&self, at: &At<Self>) -> [f64; 3] {
                [at.x[1], -G, 0.0]
            }

            fn energy(&self, at: &At<Self>) -> Option<f64> {
                Some(MASS * (G * at.x[0] + 0.5 * at.x[1] * at.x[1]))
            }
        }
    };
}

const START: [f64; 3] = [1.0, 0.0, E];

fn bounce<H: Hybrid<State = [f64; 3]>>(_: &H, now: &mut Now<H>) {
    now.reinit(1, -now.pre.x[2] * now.pre.x[1]);
}

ball!(Right, Rule::falling("floor", |_, at| at.x[0], bounce));

type Ball = [f64; 3];

/// Located on an integrated curve.
fn located<H: Hybrid<State = Ball, Mode = i32>>(model: H, until: f64, settings: Settings) -> Result<Run<H>, BoxError> {
    let mut run = Run::with(model, START, 0, DormandPrince::new(1e-6), settings)?;
    run.until(until)?;
    Ok(run)
}

/// By forward Euler; an impact is taken where the step ends, a little below the floor.
fn by_euler<H: Hybrid<State = Ball, Mode = i32>>(model: H, until: f64) -> Result<Vec<Entry<Ball>>, BoxError> {
    let settings = Settings { locate: false, ..Settings::default() };
    let mut run = Run::with(model, START, 0, Euler::new(1e-4), settings)?;
    run.until(until)?;
    Ok(run.events().copied().collect())
}

fn impacts(run: &Run<impl Hybrid<State = Ball>>) -> Vec<Entry<Ball>> {
    run.events().copied().collect()
}

/// Each impact leaves 64 % of the energy, nothing is lost in between, and there is never more than at the start.
fn check_energy(log: &[Entry<Ball>]) -> Finding {
    let mut audit = EnergyAudit::new(MASS * G, E * E, 1e-9);
    audit.check_log(log, "floor").map_err(|broken| broken.to_string())?;
    Ok(format!("{} impacts, {:.6} % of the energy gone", audit.impacts(), 100.0 * audit.dissipated()))
}

/// The n-th bounce is 0.64^n metres high.
fn check_heights(log: &[Entry<Ball>], tolerance: f64) -> Finding {
    for (n, entry) in (1..).zip(log) {
        let [h, v, _] = entry.after;
        let (height, theory) = (h + v * v / (2.0 * G), 0.64f64.powi(n));
        if (height / theory - 1.0).abs() > tolerance {
            let way = if height > theory { "high" } else { "low" };
            return Err(format!("bounce {n} is {height:.4} m, too {way}: {theory:.4} m is right"));
        }
    }
    Ok(format!("{} bounces, each 0.64 of the one before", log.len()))
}

// Turn round, then take off what is lost.
ball!(
    FromPre,
    Rule::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -now.pre.x[1] + (1.0 - E) * now.pre.x[1]))
);
// The second line feeds on what the first has set: the sign is another.
ball!(
    FromNew,
    Rule::falling(
        "floor",
        |_, at| at.x[0],
        |_, now| {
            now.reinit(1, -now.pre.x[1]);
            now.reinit(1, now.new_value(1) + (1.0 - E) * now.new_value(1));
        }
    )
);

fn reset_from_the_new_value() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "reset from the new value: audit of the energies",
        right: check_energy(located(FromPre, 2.6, Settings::default())?.log()),
        broken: check_energy(located(FromNew, 2.6, Settings::default())?.log()),
    })
}

ball!(NoDirection, Rule::either("floor", |_, at| at.x[0], bounce));

/// In three seconds there are six impacts.
fn check_count(log: &[Entry<Ball>]) -> Finding {
    match log.len() {
        6 => Ok("6 impacts in 3 s".to_owned()),
        count => Err(format!("{count} impacts in 3 s, where 6 are right: {:.0} a second", count as f64 / 3.0)),
    }
}

fn no_direction() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "no direction: number of events",
        right: check_count(&by_euler(Right, 3.0)?),
        broken: check_count(&by_euler(NoDirection, 3.0)?),
    })
}

/// The first impact is on time. If it is not, a tighter tolerance tells whether that was the cause.
fn check_time(tolerance: f64) -> Result<Finding, BoxError> {
    let late = |tolerance: f64| -> Result<f64, BoxError> {
        let settings = Settings { max_step: 0.1, event_tolerance: tolerance, ..Settings::default() };
        let run = located(Right, 0.6, settings)?;
        Ok(run.events().next().ok_or("there was no impact")?.time - first_impact())
    };
    let error = late(tolerance)?;
    Ok(if error.abs() < 1e-6 {
        Ok(format!("first impact {error:.0e} s late"))
    } else {
        let tighter = late(tolerance * 1e-3)?;
        Err(format!("first impact {error:.2e} s late, with a thousandth of the tolerance {tighter:.0e} s"))
    })
}

fn loose_tolerance() -> Result<Failure, BoxError> {
    // Relative to a step of 0.1 s.
    Ok(Failure { name: "loose tolerance: time of the first impact", right: check_time(0.0)?, broken: check_time(0.2)? })
}

ball!(
    Softens,
    Rule::falling(
        "floor",
        |_, at| at.x[0],
        |ball, now| {
            bounce(ball, now);
            now.mode = now.pre.mode + 1;
            if now.mode == 2 {
                now.reinit(2, 0.9 * now.pre.x[2]);
            }
        }
    )
);

fn extra_state() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "a state that the handler changes beside: heights",
        right: check_heights(&impacts(&located(Right, 2.6, Settings::default())?), 1e-9),
        broken: check_heights(&impacts(&located(Softens, 2.6, Settings::default())?), 1e-9),
    })
}

ball!(
    CountsTwice,
    Rule::either(
        "floor",
        |_, at| at.x[0],
        |ball, now| {
            if now.pre.x[1] < 0.0 {
                bounce(ball, now);
            }
        }
    )
);

fn double_trigger() -> Result<Failure, BoxError> {
    // A percent, for Euler's sake.
    Ok(Failure {
        name: "a second trigger on the way up: heights",
        right: check_heights(&by_euler(Right, 2.6)?, 0.01),
        broken: check_heights(&by_euler(CountsTwice, 2.6)?, 0.01),
    })
}

/// The energy that is gone at the end leaves at instants, of which there is a row before and one after.
fn check_jumps(rows: &[Row<Ball, i32>]) -> Finding {
    let energy = |row: &Row<Ball, i32>| MASS * (G * row.x[0] + 0.5 * row.x[1] * row.x[1]);
    let pairs = rows.windows(2).filter(|pair| pair[0].time == pair[1].time);
    let seen = pairs.fold(0.0, |sum, pair| sum + energy(&pair[0]) - energy(&pair[1]));
    let gone = rows.first().map_or(0.0, energy) - rows.last().map_or(0.0, energy);
    let words = format!("of {gone:.4} J that are gone, {seen:.4} J leave at an instant");
    if (seen - gone).abs() < 1e-9 { Ok(words) } else { Err(words) }
}

fn coarse_output() -> Result<Failure, BoxError> {
    let settings = Settings { output_interval: Some(0.1), ..Settings::default() };
    let run = located(Right, 2.6, settings)?;
    let grid: Vec<_> = run.rows().iter().filter(|row| row.moment == Moment::Between).copied().collect();
    Ok(Failure {
        name: "rows every 0.1 s, none at events: energy in jumps",
        right: check_jumps(run.rows()),
        broken: check_jumps(&grid),
    })
}

// Two conditions: the floor, and one of somebody who fears to divide by the velocity.
ball!(
    Guarded,
    Rule::falling("floor", |_, at| at.x[0], bounce),
    Rule::either("velocity is zero", |_, at| at.x[1], |_, _| {}),
);

/// Without the events of the rule the energy must be the same.
fn check_guard(rule: &str) -> Result<Finding, BoxError> {
    let with = located(Guarded, 2.6, Settings::default())?;
    let mut without = Trajectory::new(Guarded, START, 0);
    without.no_event(rule)?;
    let mut without = Run::start(without, 0.0)?;
    without.until(2.6)?;
    let found = compare(&with, &without, 1e-9).ok_or("the model gives no energy")?;
    let ([with, without], [energy, other]) = (found.events, found.energy);
    let words = format!("\"{rule}\": {with} events and {without} without it, {energy:.4} J and {other:.4} J");
    Ok(if found.verdict == Verdict::Meaningful { Err(words) } else { Ok(words) })
}

fn hidden_impact() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "no events where there is an impact: with and without",
        right: check_guard("velocity is zero")?,
        broken: check_guard("floor")?,
    })
}

/// A body that warms up towards 400 K.
struct Warming<const JUMPS: bool>;

impl<const JUMPS: bool> Hybrid for Warming<JUMPS> {
    type State = [f64; 1];
    type Mode = ();

    const RULES: &'static [Rule<Self>] = &[Rule::rising(
        "too hot",
        |_, at| match JUMPS {
            false => at.x[0] - 320.0,
            true if at.x[0] > 320.0 => 1.0,
            true => -1.0,
        },
        |_, _| {},
    )];

    fn derivative(&self, at: &At<Self>) -> [f64; 1] {
        [0.1 * (400.0 - at.x[0])]
    }
}

/// An indicator shrinks as the crossing comes near.
fn check_continuity<const JUMPS: bool>(model: Warming<JUMPS>) -> Result<Finding, BoxError> {
    let mut run = Run::new(model, [300.0], ())?;
    run.until(5.0)?;
    let event = run.events().next().ok_or("there was no event")?;
    let words = format!("\"{}\" at {:.4} after {} evaluations", event.name, event.time, event.evaluations);
    Ok(if event.discontinuous { Err(format!("{words}: the indicator jumps")) } else { Ok(words) })
}

fn discontinuous_indicator() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "discontinuous indicator: bracket of the event",
        right: check_continuity(Warming::<false>)?,
        broken: check_continuity(Warming::<true>)?,
    })
}

const PERIOD: f64 = 0.02;

/// A controller of a temperature that swings.
struct Controller<const AT_STATE_EVENTS: bool>;

impl<const AT_STATE_EVENTS: bool> Hybrid for Controller<AT_STATE_EVENTS> {
    type State = [f64; 1];
    type Mode = f64; // the temperature at its last action

    const RULES: &'static [Rule<Self>] = if AT_STATE_EVENTS {
        &[Rule::rising("act", |_, at| (at.x[0] - at.mode).abs() - 5.0, |_, now| now.mode = now.pre.x[0])]
    } else {
        &[Rule::every("act", |_| (0.0, PERIOD), |_, now| now.mode = now.pre.x[0])]
    };

    fn derivative(&self, at: &At<Self>) -> [f64; 1] {
        [10.0 * TAU * 7.0 * (TAU * 7.0 * at.time).cos()]
    }
}

/// Actions are at multiples of the period. Quotients of floating-point numbers are whole by chance only, so it is times that are
/// compared.
fn check_period<const B: bool>(model: Controller<B>) -> Result<Finding, BoxError> {
    let mut run = Run::new(model, [293.15], 293.15)?;
    run.until(1.0)?;
    let actions: Vec<f64> = run.events().map(|event| event.time).collect();
    for (n, &time) in (1..).zip(&actions) {
        if ((time / PERIOD).round() * PERIOD - time).abs() > 1e-9 {
            return Ok(Err(format!("action {n} at {time:.6} is between the multiples of {PERIOD}")));
        }
    }
    Ok(Ok(format!("{} actions, all at multiples of {PERIOD}", actions.len())))
}

fn sampler_as_a_state_event() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "sampler as a state event: times of its actions",
        right: check_period(Controller::<false>)?,
        broken: check_period(Controller::<true>)?,
    })
}

/// A ramp, a measurement of it and a hold.
struct Ramp<const LATE: bool>;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Samples {
    measured: f64,
    held: f64,
}

const SLOPE: f64 = 2.0;

impl<const LATE: bool> Hybrid for Ramp<LATE> {
    type State = [f64; 1];
    type Mode = Samples;

    const RULES: &'static [Rule<Self>] = &[Rule::every(
        "sample",
        |_| (0.0, PERIOD),
        |_, now| {
            now.mode.measured = now.pre.x[0];
            // What had been measured before is a period old.
            now.mode.held = if LATE { now.pre.mode.measured } else { now.mode.measured };
        },
    )];

    fn derivative(&self, _: &At<Self>) -> [f64; 1] {
        [SLOPE]
    }
}

/// What is held after a sample is the ramp at its time.
fn check_hold<const LATE: bool>(model: Ramp<LATE>) -> Result<Finding, BoxError> {
    let settings = Settings { output_interval: Some(1.0), ..Settings::default() };
    let mut run = Run::with(model, [0.0], Samples::default(), DormandPrince::new(1e-6), settings)?;
    run.until(1.0)?;
    let lags = run.rows().iter().filter(|row| row.moment == Moment::After).map(|row| row.time - row.mode.held / SLOPE);
    let late: Vec<f64> = lags.filter(|lag| lag.abs() > 1e-9).collect();
    let samples = run.statistics().time_events;
    Ok(match late.first() {
        None => Ok(format!("{samples} samples of the ramp, none late")),
        Some(lag) => Err(format!("{} of {samples} samples late, by {:.6} periods", late.len(), lag / PERIOD)),
    })
}

fn hold_one_period_late() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "a hold that is one period late: a ramp",
        right: check_hold(Ramp::<false>)?,
        broken: check_hold(Ramp::<true>)?,
    })
}

/// Two valves, the second of which follows the first. In the wrong model the first also follows the second, to the contrary.
struct Valves<const LOOP: bool>;

impl<const LOOP: bool> Hybrid for Valves<LOOP> {
    type State = [f64; 1];
    type Mode = [bool; 2]; // open

    const RULES: &'static [Rule<Self>] = &[Rule::rising("full", |_, at| at.x[0] - 1.0, |_, now| now.mode[0] = true)];

    fn derivative(&self, _: &At<Self>) -> [f64; 1] {
        [1.0]
    }

    fn update(&self, now: &mut Now<Self>) {
        let [first, second] = *now.pre.mode;
        now.mode[1] = first;
        if LOOP {
            now.mode[0] = !second;
        }
    }
}

/// An instant comes to an end.
fn check_iteration<const LOOP: bool>(model: Valves<LOOP>) -> Result<Finding, BoxError> {
    let mut run = Run::new(model, [0.0], [false; 2])?;
    Ok(match run.until(2.0) {
        Ok(()) => Ok(format!(
            "settled after {} passes at {:?}",
            run.events().next().map_or(0, |event| event.iterations),
            run.mode()
        )),
        Err(error) => Err(format!("{error}; what was before stands: {:?}", run.mode())),
    })
}

fn loop_between_assignments() -> Result<Failure, BoxError> {
    Ok(Failure {
        name: "a loop between assignments: passes of the instant",
        right: check_iteration(Valves::<false>)?,
        broken: check_iteration(Valves::<true>)?,
    })
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run()
}

#[test]
fn each_check_passes_the_right_model_and_says_where_the_broken_one_breaks() -> Result<(), BoxError> {
    let expected = [
        ("5 impacts, 89.262582 %", "impact 1 at 0.451523640986: energy"),
        ("6 impacts", "where 6 are right"),
        ("first impact", "with a thousandth of the tolerance"),
        ("at 2.2314 after", "the indicator jumps"),
        ("51 actions", "action 1 at 0.011905 is between"),
        ("51 samples of the ramp, none late", "50 of 51 samples late, by 1.000000 periods"),
        ("5 bounces", "bounce 3 is 0.2123 m, too low: 0.2621 m is right"),
        ("5 bounces", "bounce 2 is 0.64"),
        ("of 0.8757 J that are gone, 0.8757 J leave", "of 0.8757 J that are gone, 0.0000 J leave"),
        ("0.1053 J and 0.1053 J", "0.1053 J and 0.9810 J"),
        (
            "settled after 3 passes at [true, true]",
            "after 100 passes \"update\" still changes something; what was before stands: [false, false]",
        ),
    ];
    assert_eq!(FAILURES.len(), expected.len());
    for (failure, (in_order, wrong)) in FAILURES.iter().zip(expected) {
        let Failure { name, right, broken } = failure()?;
        assert!(right.as_ref().is_ok_and(|words| words.contains(in_order)), "{name}: {right:?}");
        assert!(broken.as_ref().is_err_and(|words| words.contains(wrong)), "{name}: {broken:?}");
    }
    Ok(())
}
