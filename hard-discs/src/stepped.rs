//! The textbook's time-driven simulation of discs: advance all by a small step, check all pairs for overlap, and if any do, roll
//! the clock back to the contact, respond, and go on.
//!
//! It needs no prediction and no queue, and has two drawbacks that no step mends together: half of N² checks a step, and a
//! collision that has begun and ended between two looks is not seen.

use std::convert::Infallible;

use saltus::driver::Stepped;

use crate::disc::{Disc, bounce};
use crate::model::{HardDiscs, Hit};
use crate::vector::{dot, minus};
use crate::walls::Walls;

/// Discs under a fixed step, with what it has cost and found.
#[derive(Clone, Debug)]
pub struct SteppedDiscs {
    discs: Vec<Disc>,
    walls: Walls,
    now: f64,
    /// Where the steps of this length began, the length, and their number: a clock that were the sum of its steps would drift.
    steps: (f64, f64, u32),
    last_look: f64,
    checks: u64,
    deepest: f64,
    hits: Vec<(f64, Hit)>,
}

impl SteppedDiscs {
    /// The same discs at time zero, to be stepped.
    pub fn new(discs: &HardDiscs) -> SteppedDiscs {
        let at_start = discs.at(0.0);
        SteppedDiscs {
            discs: at_start.discs(),
            walls: *discs.walls(),
            now: 0.0,
            steps: (0.0, 0.0, 0),
            last_look: 0.0,
            checks: 0,
            deepest: 0.0,
            hits: Vec::new(),
        }
    }

    /// The clock.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The discs, all at the clock.
    pub fn discs(&self) -> &[Disc] {
        &self.discs
    }

    /// Pairs checked for overlap.
    pub fn checks(&self) -> u64 {
        self.checks
    }

    /// The deepest overlap that a look has found, relative to the sum of radii.
    pub fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The collisions found, in order.
    pub fn hits(&self) -> &[(f64, Hit)] {
        &self.hits
    }

    /// Kinetic energy of all discs.
    pub fn energy(&self) -> f64 {
        self.discs.iter().map(Disc::energy).sum()
    }

    fn move_all_to(&mut self, t: f64) {
        self.now = t;
        for disc in &mut self.discs {
            disc.move_to(t);
        }
    }

    /// The earliest contact since `since` among all overlapping pairs and all discs that are in a wall. `done` has just been
    /// responded to: at its own time it is no contact any more.
    fn first_contact(&mut self, since: f64, done: Option<Hit>) -> Option<(f64, Hit)> {
        let mut first: Option<(f64, Hit)> = None;
        let mut consider = |time: f64, hit: Hit| {
            let is_new = if Some(hit) == done { time > since } else { time >= since };
            if is_new && first.is_none_or(|(earliest, _)| time < earliest) {
                first = Some((time, hit));
            }
        };
        for (j, b) in self.discs.iter().enumerate() {
            for (i, a) in self.discs[..j].iter().enumerate() {
                self.checks += 1;
                let dr = minus(b.position, a.position);
                let sigma = a.radius + b.radius;
                if dot(dr, dr) < sigma * sigma {
                    self.deepest = self.deepest.max(1.0 - dot(dr, dr).sqrt() / sigma);
                    consider(self.now - time_since_contact(a, b), Hit::Pair(i as u32, j as u32));
                }
            }
            for axis in 0..2 {
                if let Some(ago) = time_since_wall(b, axis, &self.walls) {
                    consider(self.now - ago, Hit::Wall(j as u32, axis as u8));
                }
            }
        }
        first
    }

    fn respond(&mut self, hit: Hit) {
        match hit {
            Hit::Pair(a, b) => {
                let (left, right) = self.discs.split_at_mut(b as usize);
                bounce_apart(&mut left[a as usize], &mut right[0]);
            }
            Hit::Wall(i, axis) => self.discs[i as usize].bounce_off_wall(axis.into(), &self.walls),
            Hit::Sample | Hit::Look(..) => {}
        }
        self.hits.push((self.now, hit));
    }
}

fn bounce_apart(a: &mut Disc, b: &mut Disc) {
    let (mut left, mut right) = (a.flight(), b.flight());
    bounce(&mut left, &mut right, minus(b.position, a.position), [a.mass, b.mass]);
    (a.velocity, b.velocity) = (left.velocity, right.velocity);
    a.count += 1;
    b.count += 1;
}

/// How long ago two overlapping discs touched, if they have flown straight since.
fn time_since_contact(a: &Disc, b: &Disc) -> f64 {
    let (dr, dv) = (minus(b.position, a.position), minus(b.velocity, a.velocity));
    let (dvdr, dvdv) = (dot(dv, dr), dot(dv, dv));
    let sigma = a.radius + b.radius;
    let depth = (sigma * sigma - dot(dr, dr)).max(0.0);
    // The positive root of dvdv s² - 2 dvdr s - depth = 0, in the form that does not cancel.
    let root = (dvdr * dvdr + dvdv * depth).sqrt();
    if dvdr < 0.0 { depth / (root - dvdr) } else { (dvdr + root) / dvdv }
}

/// How long ago a disc touched the wall that it is in and moves towards.
fn time_since_wall(disc: &Disc, axis: usize, walls: &Walls) -> Option<f64> {
    let (v, x) = (disc.velocity[axis], disc.position[axis]);
    let depth = if v > 0.0 { x + disc.radius - walls.high[axis] } else { walls.low[axis] + disc.radius - x };
    (v != 0.0 && depth > 0.0).then(|| depth / v.abs())
}

impl Stepped for SteppedDiscs {
    type Error = Infallible;

    fn advance(&mut self, dt: f64) {
        if dt != self.steps.1 || self.steps.2 == u32::MAX {
            self.steps = (self.now, dt, 0);
        }
        self.steps.2 += 1;
        self.move_all_to(self.steps.0 + f64::from(self.steps.2) * dt);
    }

    fn look(&mut self) -> Result<u64, Infallible> {
        let (end, found) = (self.now, self.hits.len());
        let (mut since, mut done) = (self.last_look, None);
        while let Some((time, hit)) = self.first_contact(since, done) {
            self.move_all_to(time);
            self.respond(hit);
            self.move_all_to(end);
            (since, done) = (time, Some(hit));
        }
        self.last_look = end;
        Ok((self.hits.len() - found) as u64)
    }
}

/// The textbook's warm-up: balls that know the walls and not each other. A step that would lead into a wall turns the ball round
/// where it is, so that it is off by up to a step.
#[derive(Clone, Debug)]
pub struct BouncingBalls {
    discs: Vec<Disc>,
    walls: Walls,
    bounces: u64,
}

impl BouncingBalls {
    /// The same discs at time zero, to be stepped without looking at each other.
    pub fn new(discs: &HardDiscs) -> BouncingBalls {
        BouncingBalls { discs: discs.at(0.0).discs(), walls: *discs.walls(), bounces: 0 }
    }

    /// The balls.
    pub fn discs(&self) -> &[Disc] {
        &self.discs
    }

    /// Bounces so far.
    pub fn bounces(&self) -> u64 {
        self.bounces
    }
}

impl Stepped for BouncingBalls {
    type Error = Infallible;

    fn advance(&mut self, dt: f64) {
        for disc in &mut self.discs {
            for axis in 0..2 {
                let next = disc.position[axis] + disc.velocity[axis] * dt;
                if next < self.walls.low[axis] + disc.radius || next > self.walls.high[axis] - disc.radius {
                    disc.velocity[axis] = -disc.velocity[axis];
                    disc.count += 1;
                }
            }
            disc.move_to(disc.time + dt);
        }
    }

    fn look(&mut self) -> Result<u64, Infallible> {
        let before = self.bounces;
        self.bounces = self.discs.iter().map(|disc| disc.count).sum();
        Ok(self.bounces - before)
    }
}

#[cfg(test)]
mod tests {
    use saltus::driver::run_steps;

    use super::*;

    fn stepped(discs: Vec<Disc>, dt: f64, span: f64) -> SteppedDiscs {
        let discs = HardDiscs::new(discs, Walls::UNIT).expect("good discs");
        let mut stepped = SteppedDiscs::new(&discs);
        run_steps(&mut stepped, dt, span).expect("a good step");
        stepped
    }

    #[test]
    fn a_contact_within_a_step_is_found_at_its_own_time() {
        let discs = vec![Disc::new([0.2, 0.5], [0.1, 0.0], 0.05, 1.0), Disc::new([0.8, 0.5], [-0.1, 0.0], 0.05, 1.0)];
        let run = stepped(discs, 0.3, 3.0);
        let [(time, hit)] = run.hits() else { panic!("{:?}", run.hits()) };
        assert!((time - 2.5).abs() < 1e-12 && *hit == Hit::Pair(0, 1), "{time}");
        assert!((run.discs()[0].position[0] - 0.4).abs() < 1e-12);
        assert_eq!(run.checks(), 10 + 1, "once a step, and once more after the contact");
        assert!((run.deepest() - 0.4).abs() < 1e-9, "at 2.7 the centres were 0.06 apart: {}", run.deepest());
    }

    #[test]
    fn a_long_step_misses_what_has_passed() {
        let discs = vec![Disc::new([0.2, 0.5], [0.2, 0.0], 0.05, 1.0), Disc::new([0.5, 0.2], [0.0, 0.2], 0.05, 1.0)];
        assert_eq!(stepped(discs.clone(), 0.1, 2.5).hits().len(), 1);
        assert_eq!(stepped(discs, 2.5, 2.5).hits().len(), 0);
    }

    #[test]
    fn a_chain_within_one_step_is_found_in_order() {
        let ball = |x, v| Disc::new([x, 0.5], [v, 0.0], 0.05, 1.0);
        let run = stepped(vec![ball(0.2, 1.0), ball(0.32, 0.0), ball(0.44, 0.0)], 0.1, 0.1);
        let hits: Vec<Hit> = run.hits().iter().map(|&(_, hit)| hit).collect();
        assert_eq!(hits, [Hit::Pair(0, 1), Hit::Pair(1, 2)]);
        assert!((run.hits()[1].0 - 0.04).abs() < 1e-12);
    }

    #[test]
    fn bouncing_balls_know_the_walls_only() {
        let ball = |x, v| Disc::new([x, 0.5], [v, 0.0], 0.1, 1.0);
        let discs = HardDiscs::new(vec![ball(0.3, 0.5), ball(0.7, -0.5)], Walls::UNIT).expect("good discs");
        let mut balls = BouncingBalls::new(&discs);
        let counters = run_steps(&mut balls, 0.01, 100.0).expect("a good step");
        // Each crosses 0.8 in 1.6 s, but for the first time, which takes 1.2 s; a step of delay at each wall.
        assert!(balls.bounces().abs_diff(2 * 62) <= 2, "{}", balls.bounces());
        assert_eq!((counters.steps, counters.found), (10_000, balls.bounces()));
        assert!(balls.discs().iter().all(|ball| (0.1..=0.9).contains(&ball.position[0])));
    }
}
