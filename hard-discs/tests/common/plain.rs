//! A second, small plugin of discs, written apart from the real one, that can be wrong in one way at a time.

use hard_discs::{Disc, Hit, Observed, Walls};
use saltus::{Context, Entity, Model, Outcome, Stamps, When};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    None,
    /// A pair's impulse is too large by a part.
    Impulse(f64),
    /// The impulse is computed with the sum of radii in place of the actual separation, as the textbook writes it.
    Sigma,
    /// Only the first of a pair gets the impulse.
    OneSided,
    /// A pair that collides goes on as if nothing were.
    PassThrough,
    /// A disc loses a part of its velocity across the wall.
    WallLoss(f64),
    /// A wall turns the velocity along it, not the one across.
    WrongAxis,
    /// A pair is not predicted after the first collision.
    Forgotten,
    /// The wall on the right is not predicted at all.
    ForgottenWall,
    /// Pairs are predicted so much too late.
    Late(f64),
    /// Walls are predicted as if they stood closer by so much.
    WallTooClose(f64),
    /// The first of a pair is displaced at a collision.
    Jump(f64),
    /// Disc 2 is displaced whatever collides.
    Bystander(f64),
    /// All that was predicted for disc 2 is voided and not predicted anew.
    VoidOther,
    /// Predictions carry no stamps.
    NoStamps,
    /// Predictions of a pair carry the stamp of its first disc only.
    OneStamp,
    /// Predictions carry the stamps of other discs.
    WrongStamp,
    /// A contact that is none is scheduled beside the right ones, with its stamps, at time 0.1.
    Phantom(Hit),
}

/// Discs in a box in the plainest way: only who collides is moved and predicted.
pub(crate) struct Plain {
    discs: Vec<Disc>,
    walls: Walls,
    fault: Fault,
    /// What it says of itself to the certificate.
    schedules_all: bool,
    collisions: u32,
}

impl Observed<2> for Plain {
    fn disc(&self, i: usize) -> Disc {
        self.discs[i]
    }

    fn schedules_all(&self) -> bool {
        self.schedules_all
    }
}

impl Plain {
    pub(crate) fn new(discs: &[Disc], fault: Fault) -> Plain {
        Plain { discs: discs.to_vec(), walls: Walls::UNIT, fault, schedules_all: true, collisions: 0 }
    }

    /// The same, which says that not all that is to come need be in the queue.
    pub(crate) fn in_silence(mut self) -> Plain {
        self.schedules_all = false;
        self
    }

    pub(crate) fn discs(&self) -> &[Disc] {
        &self.discs
    }

    pub(crate) fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        for disc in &mut self.discs {
            (disc.time, disc.entity) = (cx.now(), Some(cx.spawn()));
        }
        for i in 0..self.discs.len() {
            self.predict(i, i + 1, cx)?;
        }
        if let Fault::Phantom(hit) = self.fault {
            self.schedule(0.1, hit, cx)?;
        }
        Ok(())
    }

    /// Predicts the walls of disc `i` and its contacts with the discs from `first` on.
    fn predict(&self, i: usize, first: usize, cx: &mut impl Context<Self>) -> Outcome {
        let mut walls = self.walls;
        if let Fault::WallTooClose(by) = self.fault {
            walls.high = walls.high.map(|x| x - by);
        }
        for axis in 0..2 {
            if self.fault == Fault::ForgottenWall && axis == 0 && self.discs[i].velocity[0] > 0.0 {
                continue;
            }
            if let Some(time) = self.discs[i].wall_contact(axis, &walls) {
                self.schedule(time, Hit::Wall(i as u32, axis as u8), cx)?;
            }
        }
        for j in (first..self.discs.len()).filter(|&j| j != i) {
            if self.fault == Fault::Forgotten && self.collisions > 0 {
                continue;
            }
            if let Some(mut time) = self.discs[i].contact(&self.discs[j]) {
                if let Fault::Late(by) = self.fault {
                    time += by;
                }
                self.schedule(time, Hit::Pair(i.min(j) as u32, i.max(j) as u32), cx)?;
            }
        }
        Ok(())
    }

    fn schedule(&self, time: f64, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        let mut when = When::at(time);
        for disc in hit.discs() {
            when = match self.fault {
                Fault::NoStamps => when,
                Fault::OneStamp if Some(disc) != hit.discs().next() => when,
                Fault::WrongStamp => when.stamp(self.entity((disc + 1) % self.discs.len())),
                _ => when.stamp(self.entity(disc)),
            };
        }
        cx.schedule(when, hit)?;
        Ok(())
    }

    fn entity(&self, disc: usize) -> Entity {
        self.discs[disc].entity.expect("the discs are started")
    }

    fn bounce(&mut self, a: usize, b: usize) {
        let (p, q) = (self.discs[a], self.discs[b]);
        let dr = [q.position[0] - p.position[0], q.position[1] - p.position[1]];
        let dv = [q.velocity[0] - p.velocity[0], q.velocity[1] - p.velocity[1]];
        let mut square = dr[0] * dr[0] + dr[1] * dr[1];
        if self.fault == Fault::Sigma {
            square = (p.radius + q.radius).powi(2);
        }
        let along = (dr[0] * dv[0] + dr[1] * dv[1]) / square;
        let mut impulse = 2.0 * p.mass * q.mass / (p.mass + q.mass) * along;
        match self.fault {
            Fault::Impulse(by) => impulse *= 1.0 + by,
            Fault::PassThrough => impulse = 0.0,
            _ => {}
        }
        for (axis, along) in dr.into_iter().enumerate() {
            self.discs[a].velocity[axis] += impulse / p.mass * along;
            if self.fault != Fault::OneSided {
                self.discs[b].velocity[axis] -= impulse / q.mass * along;
            }
        }
        if let Fault::Jump(by) = self.fault {
            self.discs[a].position[1] += by;
        }
    }

    fn bounce_off_wall(&mut self, i: usize, axis: usize) {
        let v = &mut self.discs[i].velocity;
        match self.fault {
            Fault::WallLoss(part) => v[axis] *= part - 1.0,
            Fault::WrongAxis => v[1 - axis] = -v[1 - axis],
            _ => v[axis] = -v[axis],
        }
    }
}

impl Model for Plain {
    type Time = f64;
    type Event = Hit;
    type Refs = Stamps<2>;

    fn handle(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        let now = cx.now();
        for i in hit.discs() {
            let disc = &mut self.discs[i];
            (disc.position, disc.time) = (disc.position_at(now), now);
        }
        match hit {
            Hit::Pair(a, b) => self.bounce(a as usize, b as usize),
            Hit::Wall(i, axis) => self.bounce_off_wall(i as usize, axis as usize),
            Hit::Sample | Hit::Look(..) => {}
        }
        self.collisions += 1;
        for i in hit.discs() {
            cx.touch(self.entity(i));
        }
        match self.fault {
            Fault::Bystander(by) => self.discs[2].position[0] += by,
            Fault::VoidOther => {
                cx.touch(self.entity(2));
            }
            _ => {}
        }
        hit.discs().try_for_each(|i| self.predict(i, 0, cx))
    }
}
