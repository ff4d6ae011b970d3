//! Particles that grow while they fly, until they are as dense as asked for (Lubachevsky and Stillinger, J. Stat. Phys. 60, 561,
//! 1990).

use saltus::queue::Ladder;
use saltus::{BoxError, Context, Entity, Model, Outcome, Settings, Simulation, Stamps, Stop, Stream, When};

use super::insertion::square;
use super::velocities::draw;
use super::{Filled, StartError, in_local_order, insertion};
use crate::disc::Particle;
use crate::grid::Grid;
use crate::images::Images;
use crate::theory::ball;
use crate::vector::{Vector, dot, minus, plus};
use crate::walls::Walls;

/// How fast diameters grow, in final diameters and units of time; speeds are about 1.
const RATE: f64 = 0.1;

/// The growth is cut into legs. At the end of each the heat that it brings is taken out again.
const LEGS: u32 = 20;

/// Events of a particle in a leg that are too many: the particles rattle in cages that close.
const STUCK: u64 = 400;

/// A hair more than asked for, so that rounding leaves no overlap.
const GROWN: f64 = 1.0 + 1e-10;

/// The stream of the velocities with which the particles fly while they grow.
const GROWTH: u64 = 3;

/// `n` particles of radius 1/2 and mass 1 at rest, which cover this part of a square or a cube: placed at random when they are
/// small, then grown event by event.
///
/// Discs reach about 0.8, spheres 0.6, before they get stuck. The time that it takes grows with `n` and with the pressure at
/// the end.
pub fn grow<const D: usize>(n: usize, fraction: f64, periodic: [bool; D], seed: u64) -> Result<Filled<D>, StartError> {
    let most = if D == 2 { 0.3 } else { 0.2 };
    super::lattice::check_fraction::<D>(n, fraction)?;
    let first = (0.5 * fraction).min(most);
    let (small, wide) = insertion(n, first, periodic, seed)?;
    // In units of the final diameter.
    let walls = square(n, fraction, periodic);
    let diameter = (first / fraction).powf(1.0 / D as f64);
    let mut particles = small;
    for p in &mut particles {
        p.position = std::array::from_fn(|axis| p.position[axis] * walls.high[axis] / wide.high[axis]);
    }
    draw(&mut particles, 1.0, &mut Stream::new(seed, 0, GROWTH));
    let mut growing = Growing::new(particles, walls, diameter);
    for leg in 1..=LEGS {
        let goal = diameter + (GROWN - diameter) * f64::from(leg) / f64::from(LEGS);
        growing = growing.until(goal).map_err(|stuck| StartError::Jammed {
            n,
            fraction,
            reached: n as f64 * ball(D, 0.5 * stuck.diameter) / walls.volume(),
            collisions: stuck.collisions,
        })?;
    }
    let mut particles = growing.particles;
    for p in &mut particles {
        *p = Particle::new(walls.wrap(p.position), [0.0; D], 0.5, 1.0);
    }
    in_local_order(&mut particles, &walls);
    Ok((particles, walls))
}

/// Equal particles of mass 1 whose common diameter grows with the clock.
struct Growing<const D: usize> {
    particles: Vec<Particle<D>>,
    walls: Walls<D>,
    images: Images<D>,
    /// None if the box is so small that a pair may meet in more than one image.
    grid: Option<Grid<D>>,
    /// At time zero.
    diameter: f64,
    collisions: u64,
}

/// Where the growth ended before its end.
struct Stuck {
    diameter: f64,
    collisions: u64,
}

#[derive(Clone, Copy)]
enum Hit {
    Pair(u32, u32),
    /// A wall across an axis: 2 * axis, one more for the upper one.
    Wall(u32, u8),
    /// A particle leaves its cell by a side, or has flown so far that other images are near.
    Look(u32, u8),
}

impl<const D: usize> Growing<D> {
    fn new(particles: Vec<Particle<D>>, walls: Walls<D>, diameter: f64) -> Growing<D> {
        // Cells as wide as the particles will be: these are never outgrown.
        let count = Grid::count(&walls, 1.000001 * GROWN, particles.len()).unwrap_or([1; D]);
        let is_small = (0..D).any(|axis| walls.periodic[axis] && count[axis] < 5);
        let mut growing =
            Growing { particles, walls, images: Images::new(&walls), grid: None, diameter, collisions: 0 };
        if !is_small {
            let mut grid = Grid::new(&walls, count, growing.particles.len());
            for (i, p) in growing.particles.iter().enumerate() {
                grid.insert(i, grid.cell(p.position));
            }
            growing.grid = Some(grid);
        }
        growing
    }

    /// Flies until the diameter is so large, and cools down.
    fn until(self, goal: f64) -> Result<Growing<D>, Stuck> {
        let (diameter, n) = (self.diameter, self.particles.len());
        let end = (goal - diameter) / RATE;
        let mut simulation = Simulation::with_queue(self, Settings::default(), (), Ladder);
        let (growing, cx) = simulation.parts();
        let outcome = growing
            .start(cx)
            .and_then(|()| simulation.run_limited(end, STUCK * (n as u64 + 10)).map_err(BoxError::from));
        let now = simulation.now();
        let Growing { mut particles, walls, collisions, .. } = simulation.into_parts().0;
        // An instant that does not end is particles that have no room left to move.
        if !matches!(outcome, Ok(Stop::EndReached | Stop::QueueEmpty)) {
            return Err(Stuck { diameter: diameter + RATE * now, collisions });
        }
        let mut twice = 0.0;
        for p in &mut particles {
            let place = walls.wrap(p.position_at(end));
            twice += dot(p.velocity, p.velocity);
            *p = Particle::new(place, p.velocity, p.radius, p.mass);
        }
        let cool = if twice > 0.0 { ((D * n) as f64 / twice).sqrt() } else { 1.0 };
        particles.iter_mut().for_each(|p| p.velocity = p.velocity.map(|v| cool * v));
        Ok(Growing { collisions, ..Growing::new(particles, walls, goal) })
    }

    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        for p in &mut self.particles {
            p.entity = Some(cx.spawn());
        }
        for i in 0..self.particles.len() {
            self.predict(i, cx, |j| j < i)?;
            self.predict_look(i, cx)?;
        }
        Ok(())
    }

    /// Predicts the contacts of a particle with the walls and those of the others that count.
    fn predict(&self, i: usize, cx: &mut impl Context<Self>, counts: impl Fn(usize) -> bool) -> Outcome {
        for side in 0..2 * D as u8 {
            if let Some(time) = self.wall_contact(i, side) {
                cx.schedule(self.stamp(When::at(time.max(cx.now())), [i]), Hit::Wall(i as u32, side))?;
            }
        }
        let mut outcome = Ok(());
        let mut visit = |j: usize| {
            if outcome.is_ok()
                && j != i
                && counts(j)
                && let Some(time) = self.contact(i.min(j), i.max(j), cx.now())
            {
                let hit = Hit::Pair(i.min(j) as u32, i.max(j) as u32);
                outcome =
                    cx.schedule(self.stamp(When::at(time.max(cx.now())), [i, j]), hit).map(|_| ()).map_err(Into::into);
            }
        };
        match &self.grid {
            Some(grid) => grid.around(grid.cell_of(i), visit),
            None => (0..self.particles.len()).for_each(&mut visit),
        }
        outcome
    }

    fn predict_look(&self, i: usize, cx: &mut impl Context<Self>) -> Outcome {
        let p = &self.particles[i];
        let look = match &self.grid {
            Some(grid) => grid.exit(grid.cell_of(i), p.position_at(cx.now()), p.velocity),
            None => Some((self.images.quarter(p.velocity), 0)).filter(|(wait, _)| wait.is_finite()),
        };
        if let Some((wait, side)) = look {
            cx.schedule(self.stamp(When::at(cx.now() + wait), [i]), Hit::Look(i as u32, side))?;
        }
        Ok(())
    }

    fn stamp<const N: usize>(&self, when: When<f64>, particles: [usize; N]) -> When<f64> {
        particles.into_iter().filter_map(|i| self.particles[i].entity).fold(when, When::stamp)
    }

    fn diameter_at(&self, t: f64) -> f64 {
        self.diameter + RATE * t
    }

    /// When two growing particles touch: |Δr + t Δv| = σ + t σ'.
    fn contact(&self, i: usize, j: usize, now: f64) -> Option<f64> {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let way = minus(b.position_at(now), a.position_at(now));
        let velocity = minus(b.velocity, a.velocity);
        let turns = self.images.turns(way);
        let mut first = f64::INFINITY;
        let mut look = |shift| first = first.min(meets(plus(way, 1.0, shift), velocity, self.diameter_at(now)));
        match self.grid {
            Some(_) => look(self.images.shift(turns)),
            None => self.images.around(turns, look),
        }
        Some(now + first).filter(|time| time.is_finite())
    }

    fn wall_contact(&self, i: usize, side: u8) -> Option<f64> {
        let (p, axis) = (&self.particles[i], usize::from(side / 2));
        if self.walls.periodic[axis] {
            return None;
        }
        let radius = 0.5 * self.diameter_at(p.time);
        let (x, v) = (p.position[axis], p.velocity[axis]);
        let (gap, closing) = match side % 2 {
            0 => (x - self.walls.low[axis] - radius, 0.5 * RATE - v),
            _ => (self.walls.high[axis] - radius - x, 0.5 * RATE + v),
        };
        (closing > 0.0).then(|| p.time + gap.max(0.0) / closing)
    }

    /// Surfaces that move apart push as well: after a contact the distance grows by what it shrank before, seen from them.
    fn bounce(&mut self, i: usize, j: usize) {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let way = self.images.shortest(minus(b.position, a.position));
        let normal = way.map(|x| x / dot(way, way).sqrt());
        let closing = (RATE - dot(minus(b.velocity, a.velocity), normal)).max(0.0);
        self.particles[i].velocity = plus(a.velocity, -closing, normal);
        self.particles[j].velocity = plus(self.particles[j].velocity, closing, normal);
        self.collisions += 1;
    }

    fn bounce_off_wall(&mut self, i: usize, side: u8) {
        let v = &mut self.particles[i].velocity[usize::from(side / 2)];
        *v = if side.is_multiple_of(2) { RATE - *v } else { -RATE - *v };
        self.collisions += 1;
    }

    fn touch(&mut self, i: usize, cx: &mut impl Context<Self>) -> Option<Entity> {
        self.particles[i].move_to(cx.now());
        let entity = self.particles[i].entity;
        entity.inspect(|&entity| {
            cx.touch(entity);
        })
    }
}

/// How long until the distance is the growing diameter; infinite if never.
fn meets<const D: usize>(way: Vector<D>, velocity: Vector<D>, diameter: f64) -> f64 {
    let square = dot(velocity, velocity) - RATE * RATE;
    let along = dot(way, velocity) - diameter * RATE;
    let gap = dot(way, way) - diameter * diameter;
    let root = (along * along - square * gap).sqrt();
    // A NaN is a root that is not there, and greater than no number.
    let wait = match () {
        () if gap <= 0.0 && along < 0.0 => 0.0,
        () if along < 0.0 => gap / (root - along),
        // They fly apart, but more slowly than they grow.
        () if square < 0.0 => (along + root) / -square,
        () => f64::INFINITY,
    };
    if wait >= 0.0 { wait } else { f64::INFINITY }
}

impl<const D: usize> Model for Growing<D> {
    type Time = f64;
    type Event = Hit;
    type Refs = Stamps<2>;

    fn handle(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        match hit {
            Hit::Pair(i, j) => {
                let (i, j) = (i as usize, j as usize);
                self.touch(i, cx);
                self.touch(j, cx);
                self.bounce(i, j);
                self.predict(i, cx, |_| true)?;
                self.predict(j, cx, |other| other != i)?;
                self.predict_look(i, cx)?;
                self.predict_look(j, cx)
            }
            Hit::Wall(i, side) => {
                self.touch(i as usize, cx);
                self.bounce_off_wall(i as usize, side);
                self.predict(i as usize, cx, |_| true)?;
                self.predict_look(i as usize, cx)
            }
            Hit::Look(i, side) => {
                let i = i as usize;
                // All is predicted anew: growth is over too soon for anything finer to pay.
                self.touch(i, cx);
                if let Some(grid) = &mut self.grid {
                    grid.move_to(i, grid.beyond(grid.cell_of(i), side));
                }
                self.predict(i, cx, |_| true)?;
                self.predict_look(i, cx)
            }
        }
    }
}
