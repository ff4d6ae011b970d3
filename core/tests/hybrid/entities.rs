//! Trajectories as entities: predictions that die, many in one simulation, any queue.

use saltus::hybrid::*;
use saltus::queue::{CountedHeap, Ladder, QueueKind, SortedArray};
use saltus::{Context, Model, Outcome, Simulation, Stamps};

use crate::models::*;

struct Kicked<S> {
    ball: Trajectory<Ball, S>,
    kicks: u32,
}

enum Event {
    Ball,
    Kick(f64),
}

impl<S: Stepper<Ball>> Model for Kicked<S> {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            Event::Ball => {
                self.ball.advance(cx, Event::Ball)?;
            }
            Event::Kick(speed) => {
                self.kicks += 1;
                self.ball.change(cx, Event::Ball, "kick", |_, now| now.reinit(1, now.pre.x[1] + speed))?;
            }
        }
        Ok(())
    }
}

fn kicked<S: Stepper<Ball>>(stepper: S) -> Simulation<Kicked<S>> {
    let ball = Trajectory::with(Ball { e: 0.8, lock: Lock::Never }, [1.0, 0.0], (), stepper, Settings::default());
    let mut simulation = Simulation::new(Kicked { ball, kicks: 0 });
    let (model, cx) = simulation.parts();
    model.ball.start(cx, Event::Ball).unwrap();
    cx.schedule_at(0.3, Event::Kick(5.0)).unwrap();
    simulation
}

#[test]
fn a_discrete_event_cuts_the_curve_and_voids_what_was_predicted() {
    fn check<S: Stepper<Ball>>(stepper: S) {
        let mut simulation = kicked(stepper);
        simulation.run_until(1.5).unwrap();
        let model = simulation.model();
        // At 0.3: h = 1 - g 0.3^2 / 2, v = -0.3 g + 5.
        let (h, v) = (1.0 - 0.045 * G, 5.0 - 0.3 * G);
        let impact = 0.3 + (v + (v * v + 2.0 * G * h).sqrt()) / G;
        let log = model.ball.log();
        assert_eq!(log.iter().map(|entry| entry.name).collect::<Vec<_>>(), ["kick", "floor"]);
        assert!((log[0].before[0] - h).abs() < 1e-12 && (log[0].after[1] - v).abs() < 1e-12);
        assert!((log[1].time - impact).abs() < 1e-12, "{} {impact}", log[1].time);
        let counters = simulation.counters();
        assert_eq!(counters.stale + counters.swept, 1, "the first impact was never executed");
    }
    check(DormandPrince::new(1e-6));
    check(ClosedForm::new());
    check(RungeKutta4::new(0.05));
}

#[test]
fn a_kick_sets_a_resting_ball_in_motion_again() {
    let ball = Trajectory::new(Ball { e: 0.8, lock: Lock::Speed(0.1) }, [1.0, 0.0], ());
    let mut simulation = Simulation::new(Kicked { ball, kicks: 0 });
    let (model, cx) = simulation.parts();
    model.ball.start(cx, Event::Ball).unwrap();
    cx.schedule_at(10.0, Event::Kick(2.0)).unwrap();
    simulation.run_until(9.0).unwrap();
    assert!(simulation.model().ball.is_resting());
    let before = simulation.model().ball.log().len();
    simulation.run_until(10.0 + 2.0 * 2.0 / G + 1e-6).unwrap();
    let log = simulation.model().ball.log();
    assert_eq!(log.len(), before + 2);
    assert!((log[before + 1].time - (10.0 + 4.0 / G)).abs() < 1e-12);
}

fn start(i: usize) -> Ball {
    Ball { e: 0.5 + 0.4 * (i % 97) as f64 / 97.0, lock: Lock::Speed(0.05) }
}

fn height_of(i: usize) -> f64 {
    1.0 + (i as f64 * 0.618_033_988_749_895).fract()
}

fn members(count: usize, log: bool) -> Vec<Trajectory<Ball>> {
    let settings = Settings { log, ..Settings::default() };
    let member = |i| Trajectory::with(start(i), [height_of(i), 0.0], (), DormandPrince::new(1e-6), settings);
    (0..count).map(member).collect()
}

#[test]
fn each_of_many_moves_as_it_would_alone() {
    let mut together = Ensemble::simulate(members(200, true), 0.0).unwrap();
    together.run_until(4.0).unwrap();
    for (i, member) in together.model().members.iter().enumerate() {
        let mut alone = Run::new(start(i), [height_of(i), 0.0], ()).unwrap();
        alone.until(4.0).unwrap();
        assert_eq!(alone.log(), member.log(), "member {i}");
        assert_eq!(alone.state(), member.state_at(4.0));
    }
}

#[test]
fn every_queue_gives_the_same_events() {
    fn states<Q: QueueKind<f64>>(queue: Q) -> Vec<[f64; 2]> {
        let model = Ensemble { members: members(300, false) };
        let mut simulation = Simulation::with_queue(model, Default::default(), (), queue);
        let (ensemble, cx) = simulation.parts();
        for (i, member) in ensemble.members.iter_mut().enumerate() {
            member.start(cx, i as u32).unwrap();
        }
        simulation.run_until(3.0).unwrap();
        simulation.model().members.iter().map(|member| member.state_at(3.0)).collect()
    }
    let expected = states(SortedArray);
    assert_eq!(states(Ladder), expected);
    assert_eq!(states(CountedHeap), expected);
}

#[test]
fn the_cost_of_an_event_grows_no_faster_than_the_logarithm_of_the_number_of_balls() {
    // Comparisons in the queue are all that grows: the trajectories do not know of each other.
    let per_event = |count: usize| {
        let model = Ensemble { members: members(count, false) };
        let mut simulation = Simulation::with_queue(model, Default::default(), (), CountedHeap);
        let (ensemble, cx) = simulation.parts();
        for (i, member) in ensemble.members.iter_mut().enumerate() {
            member.start(cx, i as u32).unwrap();
        }
        simulation.run_until(1.0).unwrap();
        let derivatives: u64 = simulation.model().members.iter().map(|m| m.statistics().derivatives).sum();
        let executed = simulation.counters().executed as f64;
        (simulation.compares().unwrap() as f64 / executed, derivatives as f64 / executed)
    };
    let (small, large) = (per_event(100), per_event(20_000));
    let logarithms = 20_000f64.ln() / 100f64.ln();
    assert!(large.0 / small.0 < 1.2 * logarithms, "{small:?} {large:?}");
    assert!((large.1 / small.1 - 1.0).abs() < 0.05, "{small:?} {large:?}");
}

#[test]
fn rest_is_told_once_though_time_events_go_on() {
    struct Clocked;
    impl Hybrid for Clocked {
        type State = [f64; 2];
        type Mode = u32;
        const RULES: &'static [Rule<Self>] = &[
            Rule::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.5 * now.pre.x[1])),
            Rule::every("tick", |_| (0.0, 1.0), |_, now| now.mode += 1),
        ];
        fn derivative(&self, at: &At<Self>) -> [f64; 2] {
            [at.x[1], -G]
        }
        fn rest(&self, at: &At<Self>) -> Option<[f64; 2]> {
            (at.x[0] <= 1e-9 && at.x[1].abs() < 0.1).then_some([0.0, 0.0])
        }
    }
    let mut run = Run::new(Clocked, [1.0, 0.0], 0).unwrap();
    run.until(10.0).unwrap();
    assert_eq!((*run.mode(), run.state()), (11, [0.0, 0.0]));
    assert_eq!(run.log().iter().filter(|entry| entry.rests).count(), 1);
    assert!(run.trajectory().is_resting());
}

/// Does not care about errors.
struct Careless<S> {
    ball: Trajectory<Ball, S>,
    errors: Vec<Error>,
}

impl<S: Stepper<Ball>> Model for Careless<S> {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let result = match event {
            Event::Ball => self.ball.advance(cx, Event::Ball),
            Event::Kick(speed) => self.ball.change(cx, Event::Ball, "kick", |_, now| now.reinit(1, speed)),
        };
        self.errors.extend(result.err());
        Ok(())
    }
}

#[test]
fn after_a_change_that_fails_what_was_predicted_is_gone_and_nothing_comes_any_more() {
    fn check<S: Stepper<Ball>>(stepper: S) {
        let ball = Trajectory::with(Ball { e: 0.8, lock: Lock::Never }, [1.0, 0.0], (), stepper, Settings::default());
        let mut simulation = Simulation::new(Careless { ball, errors: vec![] });
        let (model, cx) = simulation.parts();
        model.ball.start(cx, Event::Ball).unwrap();
        cx.schedule_at(0.25, Event::Kick(f64::NAN)).unwrap();
        cx.schedule_at(0.3, Event::Kick(1.0)).unwrap();
        simulation.run().unwrap();
        let Careless { ball, errors } = simulation.model();
        assert!(matches!(errors[..], [Error::BadReset { time: 0.25, .. }, Error::Ended { time: 0.25 }]), "{errors:?}");
        assert!(ball.log().is_empty());
        assert!((ball.state_at(9.0)[0] - (1.0 - 0.5 * G * 0.0625)).abs() < 1e-12, "as it was before the change");
    }
    check(DormandPrince::new(1e-6));
    check(ClosedForm::new());
    check(RungeKutta4::new(0.01));
}

#[test]
fn a_change_tells_what_came_before_it_and_cannot_be_in_the_past() {
    let mut ball = Trajectory::new(Ball { e: 0.8, lock: Lock::Never }, [1.0, 0.0], ());
    ball.begin(0.0).unwrap();
    let fired = ball.change_at(1.0, "kick", |_, now| now.reinit(1, 1.0)).unwrap();
    assert_eq!(fired.names().collect::<Vec<_>>(), ["floor"]);
    assert_eq!(ball.events().map(|event| event.name).collect::<Vec<_>>(), ["floor", "kick"]);
    for time in [0.5, f64::NAN, f64::INFINITY] {
        let Err(error) = ball.change_at(time, "kick", |_, now| now.reinit(1, 2.0)) else { panic!("{time}") };
        assert!(matches!(error, Error::BadChange { name: "kick", .. }), "{error}");
        assert_eq!(error.to_string(), format!("\"kick\" cannot be at {time}: the trajectory stands at 1"));
    }
    assert_eq!(ball.state_at(1.0)[1], 1.0, "and goes on");
    assert!(ball.fire().is_ok());
}
