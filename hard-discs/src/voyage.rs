//! Runs of any length whose precision does not decay.
//!
//! Near t = 10⁹ neighbouring `f64` are 10⁻⁷ apart, and discs that collide "at" such a time miss each other's surface by as much.
//! So a long run is cut into legs. At the end of each all particles are put to where they are and the clock is set back to zero;
//! what has passed before is kept as a whole number of legs. A leg is a power of two, so that this number loses nothing. Where
//! the legs end follows from the particles at the start alone, so the run is the same whatever is looked for where.
//!
//! A time of two parts in every event would do as well, and cost each of them 8 bytes of 40 and a longer comparison; this costs
//! one new start in some thousand collisions of each particle.

use saltus::queue::QueueKind;
use saltus::{BoxError, Counters, Observer, Settings, Simulation, Stop};

use crate::model::{HardSpheres, Schedule};

/// Particles on their way through as many legs as it takes.
pub struct Voyage<const D: usize, S: Schedule, O: Observer<HardSpheres<D, S>>, Q: QueueKind<f64>> {
    /// There but while one leg follows another.
    simulation: Option<Simulation<HardSpheres<D, S>, O, Q>>,
    queue: Q,
    leg: f64,
    /// Of the legs before this one.
    counters: Counters,
}

impl<const D: usize, S: Schedule, O: Observer<HardSpheres<D, S>>, Q: QueueKind<f64> + Clone> Voyage<D, S, O, Q> {
    /// Starts particles that have not been started, at time zero.
    pub fn new(model: HardSpheres<D, S>, observer: O, queue: Q) -> Result<Self, BoxError> {
        let leg = model.leg();
        let mut voyage = Voyage { simulation: None, queue, leg, counters: Counters::default() };
        voyage.embark(model, observer)?;
        Ok(voyage)
    }

    fn embark(&mut self, model: HardSpheres<D, S>, observer: O) -> Result<(), BoxError> {
        let mut simulation = Simulation::with_queue(model, Settings::default(), observer, self.queue.clone());
        let (model, cx) = simulation.parts();
        let outcome = model.start(cx);
        self.simulation = Some(simulation);
        outcome
    }

    fn simulation(&self) -> &Simulation<HardSpheres<D, S>, O, Q> {
        self.simulation.as_ref().expect("there but while one leg follows another")
    }

    fn simulation_mut(&mut self) -> &mut Simulation<HardSpheres<D, S>, O, Q> {
        self.simulation.as_mut().expect("there but while one leg follows another")
    }

    /// The particles.
    pub fn model(&self) -> &HardSpheres<D, S> {
        self.simulation().model()
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        self.simulation().observer()
    }

    /// The observer, to change what it looks for.
    pub fn observer_mut(&mut self) -> &mut O {
        self.simulation_mut().observer_mut()
    }

    /// The particles and the observer, when the voyage is over.
    pub fn into_parts(self) -> (HardSpheres<D, S>, O) {
        self.simulation.expect("there but while one leg follows another").into_parts()
    }

    /// What the clock says in this leg. All times of particles and events are of this clock.
    pub fn clock(&self) -> f64 {
        self.simulation().now()
    }

    /// The time since the beginning, as far as one number can hold it: that of the legs before and the clock.
    pub fn now(&self) -> f64 {
        self.model().elapsed() + self.clock()
    }

    /// What has happened so far in all legs.
    pub fn counters(&self) -> Counters {
        self.counters.and(self.simulation().counters())
    }

    /// Runs up to and including `end`, a time since the beginning.
    pub fn run_until(&mut self, end: f64) -> Result<Stop, BoxError> {
        self.run(end, u64::MAX)
    }

    /// Runs `count` events, looks and samples among them.
    pub fn run_events(&mut self, count: u64) -> Result<Stop, BoxError> {
        self.run(f64::INFINITY, count)
    }

    fn run(&mut self, end: f64, count: u64) -> Result<Stop, BoxError> {
        let last = self.counters().executed.saturating_add(count);
        loop {
            // The end is far from the legs before it only if it is beyond this one.
            let left = end - self.model().elapsed();
            let (until, most) = (left.min(self.leg), last - self.counters().executed);
            let stop = self.simulation_mut().run_limited(until, most)?;
            let is_over = matches!(stop, Stop::QueueEmpty | Stop::EndReached) && left <= self.leg;
            if is_over || !matches!(stop, Stop::QueueEmpty | Stop::EndReached) {
                return Ok(stop);
            }
            if stop == Stop::QueueEmpty && end == f64::INFINITY {
                return Ok(stop);
            }
            self.counters = self.counters();
            if let Some(simulation) = self.simulation.take() {
                let (mut model, observer) = simulation.into_parts();
                model.set_back(self.leg);
                self.embark(model, observer)?;
            }
        }
    }
}
