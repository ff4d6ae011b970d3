//! Hybrid models: numbers that follow a curve between events, and events wherever a condition crosses zero.
//!
//! Here, in this order: a model of two modes, what it can say, a hybrid model among ordinary events, what you can rely on.
//!
//! # A model of two modes
//!
//! A thermostat. The room cools towards the ten degrees outside; the heater, when it is on, adds four degrees an hour. It goes on
//! below 19 degrees and off above 21.
//!
//! ```
//! use saltus::hybrid::{At, Error, Hybrid, Rule, Run};
//!
//! struct Room {
//!     outside: f64,
//! }
//!
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! enum Heater {
//!     On,
//!     Off,
//! }
//!
//! impl Hybrid for Room {
//!     type State = [f64; 1]; // the temperature
//!     type Mode = Heater; // what changes at events only
//!
//!     const RULES: &'static [Rule<Self>] = &[
//!         Rule::falling("too cold", |_, at| at.x[0] - 19.0, |_, now| now.mode = Heater::On),
//!         Rule::rising("too warm", |_, at| at.x[0] - 21.0, |_, now| now.mode = Heater::Off),
//!     ];
//!
//!     fn derivative(&self, at: &At<Self>) -> [f64; 1] {
//!         let heating = if *at.mode == Heater::On { 4.0 } else { 0.0 };
//!         [heating - 0.2 * (at.x[0] - self.outside)]
//!     }
//! }
//!
//! let mut run = Run::new(Room { outside: 10.0 }, [20.0], Heater::Off)?;
//! run.until(24.0)?;
//! for event in run.events() {
//!     println!("{:6.3} {:8} {:.3} degrees", event.time, event.name, event.before[0]);
//! }
//! let first = run.events().next().unwrap();
//! let theory = 5.0 * f64::ln(10.0 / 9.0); // from 20 to 19 degrees at a rate of 0.2
//! assert!(first.name == "too cold" && (first.time - theory).abs() < 1e-6);
//! assert!((19.0..=21.0).contains(&run.state()[0]));
//! # Ok::<(), Error>(())
//! ```
//!
//! **Mind the start.** A rule sees crossings only. A room that starts at 15 degrees is below the level already and never falls
//! through it: with the heater off it stays cold. The mode at the start must fit the state at the start.
//!
//! [`Run::new`] integrates with a relative and absolute tolerance of 1e-6; [`Run::with`] takes another stepper, and [`Settings`].
//! `at.mode` is a reference: compare `*at.mode`.
//!
//! A [`Rule`] is a name, an **indicator** whose crossing of zero makes the event, and what the event does. The action is given
//! [`Now`]: it assigns to `now.mode`, sets components of the state with [`now.reinit`](Now::reinit), and reads what was before
//! from [`now.pre`](Now::pre). A ball that bounces:
//!
//! ```
//! # use saltus::hybrid::*;
//! # struct Ball;
//! # impl Hybrid for Ball {
//! #     type State = [f64; 2];
//! #     type Mode = ();
//! const RULES: &'static [Rule<Self>] =
//!     &[Rule::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.8 * now.pre.x[1]))];
//!
//! fn derivative(&self, at: &At<Self>) -> [f64; 2] {
//!     let [_height, velocity] = at.x;
//!     [velocity, -9.81]
//! }
//!
//! /// The state in which to stay, once the ball is too slow to leave the floor.
//! fn rest(&self, at: &At<Self>) -> Option<[f64; 2]> {
//!     (at.x[1] < 1e-3).then_some([0.0, 0.0])
//! }
//! # }
//! # let mut run = Run::new(Ball, [1.0, 0.0], ())?;
//! # run.until(10.0)?;
//! # assert_eq!((run.events().count(), run.state()), (38, [0.0, 0.0]));
//! # Ok::<(), Error>(())
//! ```
//!
//! A rule of a time beside one of an indicator: a tank runs empty, and somebody who comes every hour shuts the tap if it is less
//! than half full.
//!
//! ```
//! # use saltus::hybrid::*;
//! # struct Tank;
//! # impl Hybrid for Tank {
//! #     type State = [f64; 1];
//! #     type Mode = bool;
//! const RULES: &'static [Rule<Self>] = &[
//!     Rule::every("visit", |_| (0.0, 1.0), |_, now| now.mode = now.pre.x[0] >= 0.5),
//!     Rule::falling("a third", |_, at| at.x[0] - 1.0 / 3.0, |_, _| {}), // for the log only
//! ];
//!
//! fn derivative(&self, at: &At<Self>) -> [f64; 1] {
//!     [if *at.mode { -0.4 } else { 0.0 }] // the mode: whether the tap is open
//! }
//! # }
//! # let mut run = Run::new(Tank, [1.0], true)?;
//! # run.until(3.5)?;
//! let names: Vec<_> = run.events().map(|event| event.name).collect();
//! assert_eq!(names, ["visit", "visit", "a third", "visit", "visit"]); // at 0, 1, 1.667, 2 and 3
//! # assert!((run.state()[0] - 0.2).abs() < 1e-12 && !run.mode());
//! # Ok::<(), Error>(())
//! ```
//!
//! # What a model can say
//!
//! | | |
//! |---|---|
//! | [`Rule::falling`], [`rising`](Rule::rising), [`either`](Rule::either) | a state event: an indicator crosses zero in this direction |
//! | [`Rule::every`] | a time event at `start + k * period`, exactly |
//! | [`Rule::at`] | a time event when a deadline comes that the mode holds |
//! | [`Hybrid::update`] | equations between discrete variables, evaluated until nothing changes |
//! | [`Hybrid::rest`] | when the model stays where it is |
//! | [`Hybrid::energy`] | what the log notes before and after each event |
//! | [`Hybrid::closed_form`], [`Rule::closed`] | constant velocity or acceleration: no integration, and event times from the formula |
//! | [`Settings`] | longest step, limits, log, rows of output |
//! | [`ZeroOrderHold`], [`FirstOrderHold`] | samples that are held, for a mode |
//! | [`Switch`] | a jump without an event |
//! | [`Trajectory::no_event`] | a rule that is not watched, to compare with a run in which it is |
//! | [`EnergyAudit`], [`compare`] | what the energies of a log say about a model |
//! | [`Stepper`] | the solver: [`DormandPrince`], [`ClosedForm`], the anchors [`Euler`] and [`RungeKutta4`], or your own |
//!
//! # Among ordinary events
//!
//! A [`Run`] is a convenience. A [`Trajectory`] lives in any [`Model`](crate::Model) as an entity of its own, beside events that
//! have nothing of a curve; [`Ensemble`] is such a model of many. Somebody opens the window of the room above:
//!
//! ```
//! use saltus::hybrid::Trajectory;
//! use saltus::{Context, Model, Outcome, Simulation, Stamps};
//! # use saltus::hybrid::{At, Hybrid, Rule};
//! # struct Room;
//! # #[derive(Clone, Copy, PartialEq)]
//! # struct Mode { heating: f64, outside: f64 }
//! # impl Hybrid for Room {
//! #     type State = [f64; 1];
//! #     type Mode = Mode;
//! #     const RULES: &'static [Rule<Self>] = &[
//! #         Rule::falling("too cold", |_, at| at.x[0] - 19.0, |_, now| now.mode.heating = 4.0),
//! #         Rule::rising("too warm", |_, at| at.x[0] - 21.0, |_, now| now.mode.heating = 0.0),
//! #     ];
//! #     fn derivative(&self, at: &At<Self>) -> [f64; 1] {
//! #         [at.mode.heating - 0.2 * (at.x[0] - at.mode.outside)]
//! #     }
//! # }
//!
//! struct House {
//!     room: Trajectory<Room>,
//!     switched: u32,
//! }
//!
//! enum Event {
//!     Room, // something is to be done for the trajectory
//!     Window { outside: f64 },
//! }
//!
//! impl Model for House {
//!     type Time = f64;
//!     type Event = Event;
//!     type Refs = Stamps<1>; // a trajectory needs room for one stamp
//!
//!     fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
//!         match event {
//!             Event::Room => {
//!                 let fired = self.room.advance(cx, Event::Room)?;
//!                 self.switched += fired.names().count() as u32;
//!             }
//!             // What was predicted is void from here on.
//!             Event::Window { outside } => {
//!                 self.room.change(cx, Event::Room, "window", |_, now| now.mode.outside = outside)?;
//!             }
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let room = Trajectory::new(Room, [20.0], Mode { heating: 0.0, outside: 10.0 });
//! let mut simulation = Simulation::new(House { room, switched: 0 });
//! let (house, cx) = simulation.parts();
//! house.room.start(cx, Event::Room)?;
//! cx.schedule_at(12.0, Event::Window { outside: -5.0 })?;
//! simulation.run_until(24.0)?;
//! let now = simulation.now();
//! assert!(simulation.model().room.state_at(now)[0] < 19.0, "the heater cannot keep up");
//! # Ok::<(), saltus::BoxError>(())
//! ```
//!
//! # What you can rely on
//!
//! **A state event is one more predicted event.** A trajectory is one accepted step ahead of the clock. The first crossing within
//! that step is scheduled as an event of class [`State`](crate::Class::State), stamped with the entity; if there is none, the end
//! of the step is, to take the next one. A discrete event that changes the curve cuts the step at its time and voids what was
//! predicted.
//!
//! **Where.** The indicator is looked at in eight places of each step and at its end. Between two of opposite sign the crossing is
//! bracketed until the bracket is two roundings of the time wide; the event happens at the end of the bracket, where the indicator
//! *is* past zero. Two crossings between neighbouring places are found by the dip between them, if it is smooth. What is narrower
//! than that can be missed: then set [`Settings::max_step`], or say the time with [`Rule::at`]. A zero that is touched and
//! not crossed is no event. An indicator that jumps is located by bisection and noted in the log as
//! [discontinuous](Entry::discontinuous). NaN is an error.
//!
//! **Again.** After an event that has set the state anew, its indicator counts again as soon as it is clearly off zero, on
//! whichever side: a rounding does not make a second event. (Until then, some hundred roundings of the time, it is not looked at.)
//! At the start it is the same: an indicator that is zero then is an event only for a rule that is [`initial`](Rule::initial), and
//! if it moves in its direction; one that is past zero at the start is none.
//!
//! **One instant** is equal times, never times within a tolerance. (Only crossings whose brackets overlap, so that nobody can tell
//! which comes first, get the later end of both.) So a crossing of an integrated curve that would fall on a time event comes a
//! rounding before it or after it, as the rounding wills. Where that matters, let the rule of the time ask for the condition in its
//! action, or write the indicator as a formula of `at.time`. Rules of a time act first, then those of an indicator, each in the
//! order of [`Hybrid::RULES`]; all of them see the same `pre`. Then [`Hybrid::update`]; then, pass by pass, whatever rules the new
//! values have carried across zero, with the values of the pass before as `pre`; until a pass changes nothing. More than
//! [`Settings::iteration_limit`] passes are an error. All of it works on a copy: after an error the state from before stands, and
//! nothing comes any more. Among the events of a simulation the instant has the place of its first rule: a trajectory with a rule
//! of a time is class 0, one with state events only class 1.
//!
//! **Times** of [`Rule::every`] are computed from the integer k, and a step ends exactly there.
//!
//! **Too many events.** A hundred state events each within 1e-4 of the one before are chatter ([`Settings::chatter`]), and a rule
//! that comes ever faster until its times cannot be told apart is [Zeno](Error::Zeno). Both end the run with the names, the times
//! and the rate.
//!
//! **Repeatable.** Log and rows are the same to the last bit in every run.
//!
//! # What is often said, and what is so
//!
//! For the ball that falls from a metre with restitution 0.8, the usual example:
//!
//! | often said | what is so |
//! |---|---|
//! | an event is as exact as the tolerance of the integrator | the location has a tolerance of its own; what the integrator adds is the error of the curve |
//! | so its error falls in proportion to that tolerance | for an oscillator, about so. The ball's motion is a polynomial, which every tolerance integrates exactly: its error is rounding throughout |
//! | an impact late by dt makes the next height wrong by 2 g dt / v of it, 2.8e-6 m for a microsecond | if the height is set to zero at the impact. If only the velocity is, the height comes out 1.6e-6 m too low |
//! | 31 impacts | until the height is below 1e-6 m. A lock at 1e-4 m comes with the 21st, one at 1e-3 m/s with the 38th; six are over by 3 s |
//! | more than 100 events in a unit of time are chatter | ideal bounces come that fast from the 21st on; it is the close ones in a row that count |
//! | an instant of a sampler divided by the period is a whole number | not in floating point: compare with k * period from an integer k |
//! | without a direction an impact counts twice | not if the event is located and its indicator armed again off zero; with fixed steps and no location it does |

mod audit;
mod bracket;
mod clock;
mod compare;
mod curve;
mod dip;
mod ensemble;
mod entity;
mod error;
mod guard;
mod hold;
mod instant;
mod locate;
mod log;
mod model;
mod rule;
mod settings;
mod sides;
mod state;
mod stepper;
mod switch;
mod trajectory;

pub use audit::{Broken, EnergyAudit, Law};
pub use compare::{Comparison, Verdict, compare};
pub use curve::Curve;
pub use ensemble::{Ensemble, Run};
pub use error::{Error, Names};
pub use guard::Chatter;
pub use hold::{FirstOrderHold, ZeroOrderHold};
pub use log::{Entry, Kind, Moment, Row, Statistics};
pub use model::{At, Hybrid, Now};
pub use rule::{Direction, Rule};
pub use settings::Settings;
pub use state::State;
pub use stepper::{ClosedForm, DormandPrince, Euler, RungeKutta4, Step, Stepper};
pub use switch::Switch;
pub use trajectory::{Fired, Trajectory};
