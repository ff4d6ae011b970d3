//! The plugin: hard discs as a model of the kernel.
//!
//! Between collisions nothing is computed. Every disc keeps its own time and is moved only when it collides. When it does, it
//! is touched, which voids all that was predicted for it, and its contacts are predicted anew. Which predictions still hold
//! is the kernel's business alone.

use saltus::{Context, Model, Outcome, Stamps, When};

use crate::disc::{Disc, Vec2, Walls, bounce};
use crate::state::{StateError, check};

/// What can happen. Discs are named by their place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hit {
    /// Two discs touch; the smaller number comes first.
    Pair(u32, u32),
    /// A disc touches the wall across an axis: 0 for the left and right ones, 1 for bottom and top.
    Wall(u32, u8),
    /// Nothing happens to any disc; observers may look.
    Sample,
}

impl Hit {
    /// The discs that take part.
    pub fn discs(self) -> impl Iterator<Item = usize> {
        let (a, b) = match self {
            Hit::Pair(a, b) => (Some(a), Some(b)),
            Hit::Wall(a, _) => (Some(a), None),
            Hit::Sample => (None, None),
        };
        a.into_iter().chain(b).map(|disc| disc as usize)
    }
}

/// Work done, to be held against what the textbook promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Pair collisions.
    pub pairs: u64,
    /// Wall collisions.
    pub walls: u64,
    /// Discs moved.
    pub moves: u64,
    /// Contact times computed.
    pub predictions: u64,
    /// Contacts at the very time of another contact of the same disc: beyond the model's assumption that contacts are binary.
    /// They run in the kernel's order.
    pub shared_contacts: u64,
}

/// What cannot be asked of discs.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Misuse {
    /// They would have two entities each, and every contact would be predicted twice.
    #[error("the discs have been started already")]
    StartedTwice,
    /// Zero, negative, infinite or no number.
    #[error("{0} is no time between samples: it must be finite and above zero")]
    SampleInterval(f64),
}

/// Discs in a box.
#[derive(Clone, Debug)]
pub struct HardDiscs {
    discs: Vec<Disc>,
    walls: Walls,
    sampling: Option<Sampling>,
    stamped: bool,
    started: bool,
    work: Work,
}

#[derive(Clone, Copy, Debug)]
struct Sampling {
    start: f64,
    every: f64,
    taken: u64,
}

impl HardDiscs {
    /// Discs in a box, checked: O(N²).
    pub fn new(discs: Vec<Disc>, walls: Walls) -> Result<HardDiscs, StateError> {
        check(&discs, &walls)?;
        Ok(HardDiscs { discs, walls, sampling: None, stamped: true, started: false, work: Work::default() })
    }

    /// With a [`Hit::Sample`] at the start and then every so often.
    pub fn sampled(mut self, every: f64) -> Result<HardDiscs, Misuse> {
        if !(every > 0.0 && every.is_finite()) {
            return Err(Misuse::SampleInterval(every));
        }
        self.sampling = Some(Sampling { start: 0.0, every, taken: 0 });
        Ok(self)
    }

    /// A broken twin that does not stamp its predictions, so that none is ever void: for the fault drill.
    pub fn without_stamps(mut self) -> HardDiscs {
        self.stamped = false;
        self
    }

    /// Spawns the discs' entities and predicts all that can happen first. Called once, from outside.
    pub fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        if std::mem::replace(&mut self.started, true) {
            return Err(Misuse::StartedTwice.into());
        }
        for disc in &mut self.discs {
            disc.time = cx.now();
            disc.entity = Some(cx.spawn());
        }
        for i in 0..self.discs.len() {
            self.predict_walls(i, cx)?;
            for j in i + 1..self.discs.len() {
                self.predict_pair(i, j, cx)?;
            }
        }
        if let Some(sampling) = &mut self.sampling {
            sampling.start = cx.now();
            cx.schedule_at(cx.now(), Hit::Sample)?;
        }
        Ok(())
    }

    /// The discs, each at its own time.
    pub fn discs(&self) -> &[Disc] {
        &self.discs
    }

    /// Whether predictions are stamped, as they should be.
    pub(crate) fn is_stamped(&self) -> bool {
        self.stamped
    }

    /// The box.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Work done so far.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Where all discs are at time `t`, which must not lie beyond the next event. Moves nothing.
    pub fn positions_at(&self, t: f64) -> impl Iterator<Item = Vec2> {
        self.discs.iter().map(move |disc| disc.position_at(t))
    }

    /// A copy in which every disc stands at time `t`, to start from: nothing has happened to it yet.
    pub fn at(&self, t: f64) -> HardDiscs {
        let mut copy = HardDiscs { started: false, work: Work::default(), ..self.clone() };
        for disc in &mut copy.discs {
            disc.move_to(t);
            (disc.count, disc.entity) = (0, None);
        }
        if let Some(sampling) = &mut copy.sampling {
            sampling.taken = 0;
        }
        copy
    }

    /// A copy at time `t` in which every disc flies back, at time zero again.
    pub fn reversed_at(&self, t: f64) -> HardDiscs {
        let mut copy = self.at(t);
        for disc in &mut copy.discs {
            disc.velocity = disc.velocity.map(|v| -v);
            disc.time = 0.0;
        }
        copy
    }

    /// Kinetic energy of all discs.
    pub fn energy(&self) -> f64 {
        self.discs.iter().map(Disc::energy).sum()
    }

    /// The discs that a contact of `disc` must be looked for with: all others. Cells and neighbour lists belong here.
    fn neighbours(&self, disc: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.discs.len()).filter(move |&other| other != disc)
    }

    /// Predicts every contact of a disc that has changed its course, but for the pair that has just been predicted.
    fn predict(&mut self, disc: usize, done: Option<usize>, cx: &mut impl Context<Self>) -> Outcome {
        self.predict_walls(disc, cx)?;
        for other in self.neighbours(disc) {
            if Some(other) != done {
                self.predict_pair(disc.min(other), disc.max(other), cx)?;
            }
        }
        Ok(())
    }

    fn predict_pair(&mut self, i: usize, j: usize, cx: &mut impl Context<Self>) -> Outcome {
        self.work.predictions += 1;
        if let Some(time) = self.discs[i].contact(&self.discs[j]) {
            cx.schedule(self.stamp(When::at(time), [i, j]), Hit::Pair(i as u32, j as u32))?;
        }
        Ok(())
    }

    fn predict_walls(&mut self, i: usize, cx: &mut impl Context<Self>) -> Outcome {
        for axis in 0..2 {
            self.work.predictions += 1;
            if let Some(time) = self.discs[i].wall_contact(axis, &self.walls) {
                cx.schedule(self.stamp(When::at(time), [i]), Hit::Wall(i as u32, axis as u8))?;
            }
        }
        Ok(())
    }

    fn stamp<const N: usize>(&self, when: When<f64>, discs: [usize; N]) -> When<f64> {
        if !self.stamped {
            return when;
        }
        discs.into_iter().filter_map(|i| self.discs[i].entity).fold(when, When::stamp)
    }

    /// Moves the discs of a collision to the clock.
    fn meet(&mut self, hit: Hit, now: f64) {
        let mut shared = false;
        for i in hit.discs() {
            let disc = &mut self.discs[i];
            shared |= disc.count > 0 && disc.time == now;
            disc.move_to(now);
            self.work.moves += 1;
        }
        self.work.shared_contacts += u64::from(shared);
    }

    fn respond(&mut self, hit: Hit) {
        match hit {
            Hit::Pair(a, b) => {
                let (left, right) = self.discs.split_at_mut(b as usize);
                bounce(&mut left[a as usize], &mut right[0]);
                self.work.pairs += 1;
            }
            Hit::Wall(i, axis) => {
                self.discs[i as usize].bounce_off_wall(axis.into(), &self.walls);
                self.work.walls += 1;
            }
            Hit::Sample => {}
        }
    }
}

impl AsRef<[Disc]> for HardDiscs {
    fn as_ref(&self) -> &[Disc] {
        &self.discs
    }
}

impl Model for HardDiscs {
    type Time = f64;
    type Event = Hit;
    type Refs = Stamps<2>;

    fn handle(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        if let (Hit::Sample, Some(sampling)) = (hit, &mut self.sampling) {
            sampling.taken += 1;
            cx.schedule_at(sampling.start + sampling.taken as f64 * sampling.every, Hit::Sample)?;
            return Ok(());
        }
        self.meet(hit, cx.now());
        self.respond(hit);
        for entity in hit.discs().filter_map(|i| self.discs[i].entity) {
            cx.touch(entity);
        }
        let mut done = None;
        for disc in hit.discs() {
            self.predict(disc, done, cx)?;
            done = Some(disc);
        }
        Ok(())
    }

    fn kind(hit: &Hit) -> &'static str {
        match hit {
            Hit::Pair(..) => "pair",
            Hit::Wall(_, 0) => "wall-x",
            Hit::Wall(..) => "wall-y",
            Hit::Sample => "sample",
        }
    }
}
