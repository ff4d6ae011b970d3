//! A trajectory under the time-driven drivers: the curve keeps its own exact times, whatever the clock does; only when they are told,
//! and what comes from outside, waits for the end of a slot.

use saltus::driver::{ScanCounters, Stepped, run_steps};
use saltus::hybrid::{At, ClosedForm, Curve, Error, Hybrid, Rule, Stepper, Trajectory};
use saltus::{BoxError, Context, Model, Outcome, Simulation, Stamps};
use timewheel_compare::{Steps, Wheel};

const G: f64 = 9.81;
const E: f64 = 0.8;
const END: f64 = 3.0;

struct Ball;

fn height(_: &Ball, at: &At<Ball>) -> Curve {
    Curve::accelerated(at.x[0], at.x[1], -G)
}

impl Hybrid for Ball {
    type State = [f64; 2]; // height and velocity
    type Mode = ();

    const RULES: &'static [Rule<Self>] =
        &[Rule::<Self>::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -E * now.pre.x[1])).closed(height)];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }

    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 2]> {
        Some([height(self, at), Curve::uniform(at.x[1], -G)])
    }
}

/// The time of the n-th impact.
fn impact(n: i32) -> f64 {
    (2.0 / G).sqrt() * (1.0 + 2.0 * E * (1.0 - E.powi(n - 1)) / (1.0 - E))
}

enum Event {
    Ball,
    Kick,
}

struct Court<S> {
    ball: Trajectory<Ball, S>,
    /// Impacts that were told, with the clock at that time.
    told: Vec<f64>,
}

impl<S: Stepper<Ball>> Model for Court<S> {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let fired = match event {
            Event::Ball => self.ball.advance(cx, Event::Ball)?,
            Event::Kick => self.ball.change(cx, Event::Ball, "kick", |_, now| now.reinit(1, 2.0))?,
        };
        self.told.extend(fired.names().map(|_| cx.now()));
        Ok(())
    }
}

/// What has happened over slots of a length.
struct Seen {
    events: Vec<(&'static str, f64)>,
    told: Vec<f64>,
    largest_delay: f64,
}

/// With a kick due at a time, if there is one.
fn over_slots<S: Stepper<Ball>>(ball: Trajectory<Ball, S>, slot: f64, kick: Option<f64>) -> Result<Seen, BoxError> {
    let wheel = Wheel::new(Steps::<f64>::new(slot).ok_or("a bad slot")?, 1024).parking();
    let mut simulation =
        Simulation::with_queue(Court { ball, told: Vec::new() }, saltus::Settings::default(), (), wheel);
    let (court, cx) = simulation.parts();
    court.ball.start(cx, Event::Ball)?;
    if let Some(time) = kick {
        cx.schedule_at(time, Event::Kick)?;
    }
    let mut counters = ScanCounters::default();
    simulation.scan_until(END, &mut (), &mut counters)?;
    let Court { ball, told } = simulation.model();
    Ok(Seen { events: events(ball), told: told.clone(), largest_delay: counters.largest_delay })
}

fn integrated() -> Trajectory<Ball> {
    Trajectory::new(Ball, [1.0, 0.0], ())
}

fn closed() -> Trajectory<Ball, ClosedForm<[f64; 2]>> {
    Trajectory::with(Ball, [1.0, 0.0], (), ClosedForm::new(), Default::default())
}

fn events<S: Stepper<Ball>>(ball: &Trajectory<Ball, S>) -> Vec<(&'static str, f64)> {
    ball.events().map(|event| (event.name, event.time)).collect()
}

#[test]
fn slots_of_any_length_leave_impacts_at_their_times_and_tell_them_at_the_ends_of_slots() -> Result<(), BoxError> {
    fn check<S: Stepper<Ball>>(ball: impl Fn() -> Trajectory<Ball, S>) -> Result<(), BoxError> {
        for slot in [1.0 / 1024.0, 0.125, 0.5, 1.0, 3.0] {
            let Seen { events, told, largest_delay } = over_slots(ball(), slot, None)?;
            assert_eq!(events.len(), 6, "slots of {slot}");
            for (n, (_, time)) in (1..).zip(&events) {
                assert!((time - impact(n)).abs() < 1e-9, "slots of {slot}: impact {n} at {time}");
            }
            let ends: Vec<f64> = events.iter().map(|(_, time)| (time / slot).ceil() * slot).collect();
            assert_eq!(told, ends, "slots of {slot}");
            assert!(largest_delay < slot);
        }
        Ok(())
    }
    check(integrated)?;
    check(closed)
}

#[test]
fn a_kick_comes_at_the_end_of_its_slot_and_impacts_before_that_are_told_with_it() -> Result<(), BoxError> {
    fn check<S: Stepper<Ball>>(ball: Trajectory<Ball, S>) -> Result<(), BoxError> {
        // Due before the first impact, but it happens at 0.5, after it.
        let Seen { events, told, .. } = over_slots(ball, 0.5, Some(0.25))?;
        assert!(events[0].0 == "floor" && (events[0].1 - impact(1)).abs() < 1e-9, "{events:?}");
        assert_eq!(events[1], ("kick", 0.5));
        assert_eq!(told.len(), events.len() - 1, "every impact is told once");
        assert_eq!(told[0], 0.5);
        Ok(())
    }
    check(integrated())?;
    check(closed())
}

/// The textbook's loop: it moves the trajectory on by a step and looks at what has happened within.
struct Steady {
    ball: Trajectory<Ball>,
    time: f64,
}

impl Stepped for Steady {
    type Error = Error;

    fn advance(&mut self, dt: f64) {
        self.time += dt;
    }

    fn look(&mut self) -> Result<u64, Error> {
        let mut found = 0;
        while self.ball.next_time() <= self.time {
            found += self.ball.fire()?.names().count() as u64;
        }
        Ok(found)
    }
}

#[test]
fn a_fixed_step_finds_every_impact_at_its_own_time() -> Result<(), BoxError> {
    for dt in [1.0 / 1024.0, 0.125, 1.0] {
        let mut ball = integrated();
        ball.begin(0.0)?;
        let mut steady = Steady { ball, time: 0.0 };
        let counters = run_steps(&mut steady, dt, END)?;
        assert_eq!(counters.found, 6, "steps of {dt}");
        assert_eq!(events(&steady.ball), over_slots(integrated(), 0.5, None)?.events, "steps of {dt}");
    }
    Ok(())
}
