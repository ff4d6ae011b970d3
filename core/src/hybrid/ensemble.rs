//! Many trajectories of one kind as a model, and one as a run.

use super::error::Error;
use super::log::{Entry, Row, Statistics};
use super::model::{Hybrid, Now};
use super::settings::Settings;
use super::stepper::{DormandPrince, Stepper};
use super::trajectory::Trajectory;
use crate::error::RunError;
use crate::event::Stamps;
use crate::model::{Context, Model, Outcome};
use crate::simulation::{self, Simulation};

/// Trajectories of one kind, each an entity: a [`Model`] for those who need no other events.
pub struct Ensemble<H: Hybrid, S = DormandPrince<<H as Hybrid>::State>> {
    /// The trajectories.
    pub members: Vec<Trajectory<H, S>>,
}

impl<H: Hybrid, S: Stepper<H>> Ensemble<H, S> {
    /// A simulation of them all from a time.
    pub fn simulate(members: Vec<Trajectory<H, S>>, start: f64) -> Result<Simulation<Self>, Error> {
        if !start.is_finite() {
            return Err(Error::BadStart { time: start, state: "an ensemble".into() });
        }
        let settings = simulation::Settings { start, ..Default::default() };
        let mut simulation = Simulation::with(Ensemble { members }, settings, ());
        let (ensemble, cx) = simulation.parts();
        for (i, member) in ensemble.members.iter_mut().enumerate() {
            member.start(cx, i as u32)?;
        }
        Ok(simulation)
    }
}

impl<H: Hybrid, S: Stepper<H>> Model for Ensemble<H, S> {
    type Time = f64;
    type Event = u32;
    type Refs = Stamps<1>;

    #[inline]
    fn handle(&mut self, member: u32, cx: &mut impl Context<Self>) -> Outcome {
        self.members[member as usize].advance(cx, member)?;
        Ok(())
    }

    fn kind(_: &u32) -> &'static str {
        "trajectory"
    }
}

/// One hybrid model, from its start to where you want it. To trace it as events of a simulation, let a
/// [`Trajectory`] be a part of your own model.
pub struct Run<H: Hybrid, S: Stepper<H> = DormandPrince<<H as Hybrid>::State>> {
    simulation: Simulation<Ensemble<H, S>>,
    start: f64,
}

impl<H: Hybrid> Run<H> {
    /// From time zero, integrated to a tolerance of 1e-6.
    pub fn new(model: H, x: H::State, mode: H::Mode) -> Result<Self, Error> {
        Run::start(Trajectory::new(model, x, mode), 0.0)
    }
}

impl<H: Hybrid, S: Stepper<H>> Run<H, S> {
    /// From time zero, with a stepper and settings of your choice.
    pub fn with(model: H, x: H::State, mode: H::Mode, stepper: S, settings: Settings) -> Result<Self, Error> {
        Run::start(Trajectory::with(model, x, mode, stepper, settings), 0.0)
    }

    /// A trajectory from this time.
    pub fn start(trajectory: Trajectory<H, S>, start: f64) -> Result<Self, Error> {
        Ok(Run { simulation: Ensemble::simulate(vec![trajectory], start)?, start })
    }

    /// Runs up to and including a time. After an error the state from before the event stands, and the run is over.
    pub fn until(&mut self, end: f64) -> Result<(), Error> {
        self.trajectory().check_goes_on()?;
        self.simulation.run_until(end).map_err(unwrap)?;
        let now = self.simulation.now();
        self.member_mut().emit(now, true);
        Ok(())
    }

    /// Changes state or mode from outside, now. The name stands in the log.
    pub fn change(&mut self, name: &'static str, change: impl FnMut(&H, &mut Now<H>)) -> Result<(), Error> {
        let (ensemble, cx) = self.simulation.parts();
        ensemble.members[0].change(cx, 0, name, change).map(drop)
    }

    /// The trajectory.
    pub fn trajectory(&self) -> &Trajectory<H, S> {
        &self.simulation.model().members[0]
    }

    fn member_mut(&mut self) -> &mut Trajectory<H, S> {
        &mut self.simulation.parts().0.members[0]
    }

    /// The clock.
    pub fn time(&self) -> f64 {
        self.simulation.now()
    }

    /// The continuous state at the clock.
    pub fn state(&self) -> H::State {
        self.trajectory().state_at(self.time())
    }

    /// The discrete state.
    pub fn mode(&self) -> &H::Mode {
        self.trajectory().mode()
    }

    /// The energy at the clock, if the model gives one.
    pub fn energy(&self) -> Option<f64> {
        self.trajectory().energy_at(self.time())
    }

    /// What is logged so far: events, and steps that were rejected.
    pub fn log(&self) -> &[Entry<H::State>] {
        self.trajectory().log()
    }

    /// The events of the log.
    pub fn events(&self) -> impl Iterator<Item = &Entry<H::State>> {
        self.trajectory().events()
    }

    /// The rows of output so far; none without [`Settings::output_interval`].
    pub fn rows(&self) -> &[Row<H::State, H::Mode>] {
        self.trajectory().rows()
    }

    /// Counts.
    pub fn statistics(&self) -> &Statistics {
        self.trajectory().statistics()
    }

    /// State events in a unit of time, on average since the start.
    pub fn rate(&self) -> f64 {
        self.statistics().rate(self.start, self.time())
    }
}

/// The error of the trajectory itself, without the kernel's account of the event.
fn unwrap(error: RunError<f64>) -> Error {
    match error {
        RunError::Handler { event, source } => match source.downcast::<Error>() {
            Ok(error) => *error,
            Err(source) => Error::Run(RunError::Handler { event, source }),
        },
        error => Error::Run(error),
    }
}
