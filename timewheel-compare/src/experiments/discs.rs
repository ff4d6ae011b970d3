//! Hard discs under clocks that do not know when a collision comes.
//!
//! Under a quantising wheel the discs collide at the end of the slot, by which time they overlap: the first law that the
//! certificate sees broken, and by how much, is the measure. Under a fixed step collisions are looked for, and those that no look
//! has caught are missed: the collisions of the event-driven run are the reference.

use std::collections::BTreeMap;
use std::time::Instant;

use hard_discs::{BouncingBalls, Certificate, HardDiscs, Hit, SteppedDiscs, Violation};
use saltus::driver::run_steps;
use saltus::observe::{GO_ON, Verdict};
use saltus::{BoxError, Context, Header, Observer, Outcome, Settings as Start};
use serde::Serialize;

use crate::drivers::{Driver, Job, Ran, Workload};
use crate::slots::Steps;
use crate::wheel::Wheel;

impl Workload for HardDiscs {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        HardDiscs::start(self, cx)
    }
}

/// Collisions in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub(super) struct Hits {
    pub(super) hits: Vec<(f64, Hit)>,
    /// The deepest overlap of a pair that collides, relative to the sum of radii.
    deepest: f64,
}

impl Observer<HardDiscs> for Hits {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        if let Hit::Pair(a, b) = *hit {
            let [a, b] = [a, b].map(|disc| model.disc(disc as usize));
            let [p, q] = [a, b].map(|disc| disc.position_at(event.time));
            let distance = (p[0] - q[0]).hypot(p[1] - q[1]);
            self.deepest = self.deepest.max(1.0 - distance / (a.radius + b.radius));
        }
        GO_ON
    }

    fn executed(&mut self, event: &Header<f64>, hit: &Hit) {
        self.hits.push((event.time, *hit));
    }
}

/// What one clock has made of some discs.
#[derive(Clone, Debug, Serialize)]
pub struct Outcomes {
    /// Which clock.
    pub clock: String,
    /// Its slot or step, in seconds; zero for the event-driven one.
    pub dt: f64,
    /// Collisions that happened.
    pub collisions: usize,
    /// Collisions of the event-driven run that did not happen.
    pub missed: usize,
    /// Collisions that the event-driven run does not have.
    pub spurious: usize,
    /// The event-driven time up to which both have the same collisions in the same order.
    pub same_until: f64,
    /// The deepest overlap seen, relative to the sum of radii.
    pub deepest: f64,
    /// Relative change of kinetic energy.
    pub energy_drift: f64,
    /// Steps or slots.
    pub steps: u64,
    /// Pairs checked for overlap, or contact times computed.
    pub checks: u64,
    /// Seconds on the wall clock.
    pub seconds: f64,
    /// The first law broken, in words, if the certificate has looked.
    pub broken: Option<String>,
    /// When it was.
    pub broken_at: Option<f64>,
    /// By how much, relative to what it should be.
    pub broken_by: Option<f64>,
}

/// A reference run, and what it is compared with.
pub struct Experiment {
    pub(super) discs: HardDiscs,
    pub(super) until: f64,
    reference: Vec<(f64, Hit)>,
    event_driven: Outcomes,
}

impl Experiment {
    /// Runs the event-driven reference.
    pub fn new(discs: HardDiscs, until: f64) -> Result<Experiment, BoxError> {
        let mut this = Experiment {
            discs,
            until,
            reference: Vec::new(),
            event_driven: Outcomes::new("event-driven".to_owned(), 0.0),
        };
        // The wheel is not used.
        let (ran, seconds) = this.timed(Driver::EventDriven, Hits::default(), 1.0)?;
        let mut outcomes = this.outcomes("event-driven", 0.0, &ran.observer.hits, until);
        this.reference = ran.observer.hits;
        outcomes.collisions = this.reference.len();
        (outcomes.missed, outcomes.spurious, outcomes.same_until) = (0, 0, until);
        outcomes.deepest = ran.observer.deepest.max(0.0);
        outcomes.energy_drift = this.drift(ran.model.energy());
        outcomes.steps = ran.counters.executed;
        outcomes.checks = ran.model.work().predictions;
        outcomes.seconds = seconds;
        outcomes.judge(this.certify(Driver::EventDriven, 1.0)?.as_ref());
        this.event_driven = outcomes;
        Ok(this)
    }

    /// The reference run once more, for somebody who watches it. The one that is timed is left in peace.
    pub fn watch<O: Observer<HardDiscs>>(&self, observer: O) -> Result<Ran<HardDiscs, O>, BoxError> {
        Driver::EventDriven.run(self.job(observer, 1.0)?)
    }

    /// The reference itself.
    pub fn event_driven(&self) -> &Outcomes {
        &self.event_driven
    }

    /// The discs on a quantising wheel whose slots have length `dt`, once with the certificate and once without.
    pub fn quantised(&self, dt: f64) -> Result<Outcomes, BoxError> {
        let (ran, seconds) = self.timed(Driver::QuantisingWheel, Hits::default(), dt)?;
        let mut outcomes = self.outcomes("quantising wheel", dt, &ran.observer.hits, self.until);
        outcomes.deepest = ran.observer.deepest.max(0.0);
        outcomes.energy_drift = self.drift(ran.model.energy());
        outcomes.steps = ran.scan.visited;
        outcomes.checks = ran.model.work().predictions;
        outcomes.seconds = seconds;
        outcomes.judge(self.certify(Driver::QuantisingWheel, dt)?.as_ref());
        Ok(outcomes)
    }

    /// The discs under a fixed step.
    pub fn stepped(&self, dt: f64) -> Result<Outcomes, BoxError> {
        let begin = Instant::now();
        let mut discs = SteppedDiscs::new(&self.discs);
        let counters = run_steps(&mut discs, dt, self.until)?;
        let seconds = begin.elapsed().as_secs_f64();
        let mut outcomes = self.outcomes("fixed step", dt, discs.hits(), discs.now());
        outcomes.deepest = discs.deepest();
        outcomes.energy_drift = self.drift(discs.energy());
        outcomes.steps = counters.steps;
        outcomes.checks = discs.checks();
        outcomes.seconds = seconds;
        Ok(outcomes)
    }

    pub(super) fn job<O>(&self, observer: O, dt: f64) -> Result<Job<HardDiscs, Steps<f64>, O>, BoxError> {
        let steps = Steps::<f64>::new(dt).ok_or("a slot must have a positive length")?;
        // A contact may be predicted for any time at all.
        let wheel = Wheel::new(steps, 1 << 15).parking();
        let (model, settings) = (self.discs.clone(), Start::default());
        Ok(Job { model, observer, settings, wheel, end: self.until, head_start: false })
    }

    fn timed<O: Observer<HardDiscs>>(
        &self,
        driver: Driver,
        observer: O,
        dt: f64,
    ) -> Result<(Ran<HardDiscs, O>, f64), BoxError> {
        let job = self.job(observer, dt)?;
        let begin = Instant::now();
        let ran = driver.run(job)?;
        Ok((ran, begin.elapsed().as_secs_f64()))
    }

    fn certify(&self, driver: Driver, dt: f64) -> Result<Option<Violation>, BoxError> {
        let mut ran = driver.run(self.job(Certificate::new(&self.discs), dt)?)?;
        Ok(ran.observer.finish(&ran.model, self.until).err())
    }

    /// The collisions of the reference up to a time.
    pub(super) fn reference_until(&self, until: f64) -> &[(f64, Hit)] {
        &self.reference[..self.reference.partition_point(|hit| hit.0 <= until)]
    }

    fn drift(&self, energy: f64) -> f64 {
        let before = self.discs.energy();
        if before > 0.0 { energy / before - 1.0 } else { 0.0 }
    }

    /// Compares with the reference as far as a run has come, which is less than asked for if that is no whole number of steps.
    fn outcomes(&self, clock: &str, dt: f64, hits: &[(f64, Hit)], until: f64) -> Outcomes {
        let reference = self.reference_until(until);
        let [missed, spurious] = differences(reference, hits).map(|hits| hits.len());
        let same = reference.iter().zip(hits).position(|(a, b)| a.1 != b.1);
        let same = same.or((reference.len() != hits.len()).then(|| reference.len().min(hits.len())));
        let same_until = same.map_or(until, |first| reference.get(first).map_or(until, |hit| hit.0));
        Outcomes { collisions: hits.len(), missed, spurious, same_until, ..Outcomes::new(clock.to_owned(), dt) }
    }
}

/// The textbook's bouncing balls under a fixed step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounced {
    /// The step.
    pub dt: f64,
    /// Bounces off walls under the fixed step.
    pub bounces: u64,
    /// Bounces as they are: the way in units of the room.
    pub exact: u64,
    /// Steps taken.
    pub steps: u64,
}

/// Runs discs that know the walls and not each other.
pub fn bouncing_balls(discs: &HardDiscs, dt: f64, until: f64) -> Result<Bounced, BoxError> {
    let mut balls = BouncingBalls::new(discs);
    let steps = run_steps(&mut balls, dt, until)?.steps;
    let mut exact = 0;
    for disc in discs.at(0.0).discs() {
        for axis in 0..2 {
            let (low, high) = (discs.walls().low[axis] + disc.radius, discs.walls().high[axis] - disc.radius);
            let (x, v) = (disc.position[axis], disc.velocity[axis]);
            let way = v.abs() * dt * steps as f64 - if v > 0.0 { high - x } else { x - low };
            if v != 0.0 && way >= 0.0 {
                exact += 1 + (way / (high - low)) as u64;
            }
        }
    }
    Ok(Bounced { dt, bounces: balls.bounces(), exact, steps })
}

impl Outcomes {
    fn new(clock: String, dt: f64) -> Outcomes {
        Outcomes {
            clock,
            dt,
            collisions: 0,
            missed: 0,
            spurious: 0,
            same_until: 0.0,
            deepest: 0.0,
            energy_drift: 0.0,
            steps: 0,
            checks: 0,
            seconds: 0.0,
            broken: None,
            broken_at: None,
            broken_by: None,
        }
    }

    fn judge(&mut self, violation: Option<&Violation>) {
        let Some(violation) = violation else { return };
        self.broken = Some(violation.law.to_string());
        self.broken_at = Some(violation.time);
        let scale = if violation.expected == 0.0 { 1.0 } else { violation.expected.abs() };
        self.broken_by = Some((violation.found - violation.expected).abs() / scale);
    }
}

/// The collisions of each list that have no partner in the other: the n-th collision of the same two discs, or of the same disc
/// and wall, is the same collision.
pub(super) fn differences(reference: &[(f64, Hit)], found: &[(f64, Hit)]) -> [Vec<(f64, Hit)>; 2] {
    [beyond(reference, &count(found)), beyond(found, &count(reference))]
}

fn count(hits: &[(f64, Hit)]) -> BTreeMap<Hit, usize> {
    hits.iter().fold(BTreeMap::new(), |mut counts, (_, hit)| {
        *counts.entry(*hit).or_default() += 1;
        counts
    })
}

/// Those of the collisions that come after as many of the same as were counted elsewhere.
fn beyond(hits: &[(f64, Hit)], counts: &BTreeMap<Hit, usize>) -> Vec<(f64, Hit)> {
    let mut left = counts.clone();
    let mut is_beyond = |hit: &Hit| match left.get_mut(hit) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    hits.iter().copied().filter(|(_, hit)| is_beyond(hit)).collect()
}
