//! Particles that grow while they fly, until they are as dense as asked for (Lubachevsky and Stillinger, J. Stat. Phys. 60, 561,
//! 1990).

use saltus::observe::{GO_ON, Verdict};
use saltus::queue::Ladder;
use saltus::{
    BoxError, Context, EventId, Header, Model, Observer, Outcome, Settings, Simulation, Stamps, Stop, Stream, When,
};

use super::insertion::square;
use super::velocities::draw;
use super::{Filled, StartError, in_local_order, insertion};
use crate::disc::{Flight, Particle};
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
    grow_watched(n, fraction, periodic, seed, |_| {})
}

/// The same; now and then `watch` is told which part of the growth is over.
pub fn grow_watched<const D: usize>(
    n: usize,
    fraction: f64,
    periodic: [bool; D],
    seed: u64,
    mut watch: impl FnMut(f64),
) -> Result<Filled<D>, StartError> {
    let most = if D == 2 { 0.3 } else { 0.2 };
    super::check_density::<D>(n, fraction)?;
    let first = (0.5 * fraction).min(most);
    let (mut particles, wide) = insertion(n, first, periodic, seed)?;
    // In units of the final diameter.
    let walls = square(n, fraction, periodic);
    let diameter = (first / fraction).powf(1.0 / D as f64);
    for p in &mut particles {
        p.position = std::array::from_fn(|axis| p.position[axis] * walls.high[axis] / wide.high[axis]);
    }
    draw(&mut particles, 1.0, &mut Stream::new(seed, 0, GROWTH));
    let mut growing = Growing::new(particles.iter().map(Particle::flight).collect(), walls, diameter);
    for leg in 0..LEGS {
        let part = |of_leg: f64| (f64::from(leg) + of_leg) / f64::from(LEGS);
        let goal = diameter + (GROWN - diameter) * part(1.0);
        growing = growing.until(goal, |of_leg| watch(part(of_leg))).map_err(|stuck| StartError::Jammed {
            n,
            fraction,
            reached: n as f64 * ball(D, 0.5 * stuck.diameter) / walls.volume(),
            collisions: stuck.collisions,
        })?;
        watch(part(1.0));
    }
    let grown = |flight: &Flight<D>| Particle::new(walls.wrap(flight.position), [0.0; D], 0.5, 1.0);
    let mut particles = growing.flights.iter().map(grown).collect::<Vec<_>>();
    in_local_order(&mut particles, &walls);
    Ok((particles, walls))
}

/// Equal particles of mass 1 whose common diameter grows with the clock. Of each only what comes first is in the queue; who is
/// told that another has spoilt it plans anew.
struct Growing<const D: usize> {
    flights: Vec<Flight<D>>,
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

/// Tells how much of a leg is over.
struct Watch<F> {
    end: f64,
    ticks: u32,
    tell: F,
}

impl<const D: usize, F: FnMut(f64)> Observer<Growing<D>> for Watch<F> {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, _: &Growing<D>) -> Verdict {
        self.ticks += 1;
        if self.ticks == 4096 {
            self.ticks = 0;
            (self.tell)(event.time / self.end);
        }
        GO_ON
    }
}

impl<const D: usize> Growing<D> {
    fn new(flights: Vec<Flight<D>>, walls: Walls<D>, diameter: f64) -> Growing<D> {
        // Cells as wide as the particles will be: these are never outgrown.
        let count = Grid::count(&walls, 1.000001 * GROWN, flights.len()).unwrap_or([1; D]);
        let is_small = (0..D).any(|axis| walls.periodic[axis] && count[axis] < 5);
        let mut growing = Growing { flights, walls, images: Images::new(&walls), grid: None, diameter, collisions: 0 };
        if !is_small {
            let mut grid = Grid::new(&walls, count, growing.flights.len());
            for (i, flight) in growing.flights.iter().enumerate() {
                grid.insert(i, grid.cell(flight.position));
            }
            growing.grid = Some(grid);
        }
        growing
    }

    /// Flies until the diameter is so large, and cools down.
    fn until(self, goal: f64, tell: impl FnMut(f64)) -> Result<Growing<D>, Stuck> {
        let (diameter, n) = (self.diameter, self.flights.len());
        let end = (goal - diameter) / RATE;
        let watch = Watch { end, ticks: 0, tell };
        let mut simulation = Simulation::with_queue(self, Settings::default(), watch, Ladder);
        let (growing, cx) = simulation.parts();
        let outcome = growing
            .start(cx)
            .and_then(|()| simulation.run_limited(end, STUCK * (n as u64 + 10)).map_err(BoxError::from));
        let now = simulation.now();
        let Growing { mut flights, walls, collisions, .. } = simulation.into_parts().0;
        // An instant that does not end is particles that have no room left to move.
        if !matches!(outcome, Ok(Stop::EndReached | Stop::QueueEmpty)) {
            return Err(Stuck { diameter: diameter + RATE * now, collisions });
        }
        let twice: f64 = flights.iter().map(|flight| dot(flight.velocity, flight.velocity)).sum();
        let cool = if twice > 0.0 { ((D * n) as f64 / twice).sqrt() } else { 1.0 };
        for flight in &mut flights {
            let (position, velocity) = (walls.wrap(flight.position_at(end)), flight.velocity.map(|v| cool * v));
            *flight = Flight { position, velocity, time: 0.0, entity: None };
        }
        Ok(Growing { collisions, ..Growing::new(flights, walls, goal) })
    }

    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        for flight in &mut self.flights {
            flight.entity = Some(cx.spawn());
        }
        (0..self.flights.len()).try_for_each(|i| self.plan(i, cx))
    }

    /// Schedules what comes first for a particle: a contact, or that it has to look around anew.
    fn plan(&self, i: usize, cx: &mut impl Context<Self>) -> Outcome {
        let now = cx.now();
        let (mut first, mut partner) = (self.look(i, now), None);
        for side in 0..2 * D as u8 {
            if let Some(time) = self.wall_contact(i, side).filter(|&time| time < first.0) {
                first = (time, Hit::Wall(i as u32, side));
            }
        }
        let (own, diameter) = (&self.flights[i], self.diameter_at(now));
        let place = own.position_at(now);
        let mut visit = |j: usize| {
            let other = &self.flights[j];
            let (way, velocity) = (minus(other.position_at(now), place), minus(other.velocity, own.velocity));
            let mut meet = |way: Vector<D>| {
                let wait = meets(way, velocity, diameter, first.0 - now);
                if now + wait < first.0 && j != i {
                    (first, partner) = ((now + wait, Hit::Pair(i.min(j) as u32, i.max(j) as u32)), Some(j));
                }
            };
            let turns = self.images.turns(way);
            match self.grid {
                Some(_) => meet(plus(way, 1.0, self.images.shift(turns))),
                None => self.images.around(turns, |shift| meet(plus(way, 1.0, shift))),
            }
        };
        match &self.grid {
            Some(grid) => grid.around(grid.cell_of(i), visit),
            None => (0..self.flights.len()).for_each(&mut visit),
        }
        if first.0 < f64::INFINITY {
            let stamps = [Some(i), partner].into_iter().flatten().filter_map(|i| self.flights[i].entity);
            cx.schedule(stamps.fold(When::at(first.0.max(now)), When::stamp), first.1)?;
        }
        Ok(())
    }

    /// When a particle leaves its cell, or has flown so far that other images are near.
    fn look(&self, i: usize, now: f64) -> (f64, Hit) {
        let flight = &self.flights[i];
        let (wait, side) = match &self.grid {
            Some(grid) => {
                grid.exit(grid.cell_of(i), flight.position_at(now), flight.velocity).unwrap_or((f64::INFINITY, 0))
            }
            None => (self.images.quarter(flight.velocity), 0),
        };
        (now + wait, Hit::Look(i as u32, side))
    }

    fn diameter_at(&self, t: f64) -> f64 {
        self.diameter + RATE * t
    }

    fn wall_contact(&self, i: usize, side: u8) -> Option<f64> {
        let (p, axis) = (&self.flights[i], usize::from(side / 2));
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
        let (a, b) = (&self.flights[i], &self.flights[j]);
        let way = self.images.shortest(minus(b.position, a.position));
        let normal = way.map(|x| x / dot(way, way).sqrt());
        let closing = (RATE - dot(minus(b.velocity, a.velocity), normal)).max(0.0);
        self.flights[i].velocity = plus(a.velocity, -closing, normal);
        self.flights[j].velocity = plus(self.flights[j].velocity, closing, normal);
        self.collisions += 1;
    }

    fn bounce_off_wall(&mut self, i: usize, side: u8) {
        let v = &mut self.flights[i].velocity[usize::from(side / 2)];
        *v = if side.is_multiple_of(2) { RATE - *v } else { -RATE - *v };
        self.collisions += 1;
    }

    fn touch(&mut self, i: usize, cx: &mut impl Context<Self>) {
        let flight = &mut self.flights[i];
        (flight.position, flight.time) = (flight.position_at(cx.now()), cx.now());
        if let Some(entity) = flight.entity {
            cx.touch(entity);
        }
    }
}

/// How long until two growing particles touch, |Δr + t Δv| = σ + t σ'; infinite if never or surely not within `most`.
fn meets<const D: usize>(way: Vector<D>, velocity: Vector<D>, diameter: f64, most: f64) -> f64 {
    let square = dot(velocity, velocity) - RATE * RATE;
    let along = dot(way, velocity) - diameter * RATE;
    let gap = dot(way, way) - diameter * diameter;
    let rest = along * along - square * gap;
    // Most fly apart faster than they grow, miss each other, or come too late even on the straightest way. One branch for all
    // that: it is nearly always taken.
    let may_touch = (square < 0.0) | ((along < 0.0) & (rest >= 0.0) & (gap <= -2.000001 * along * most));
    if !may_touch {
        return f64::INFINITY;
    }
    let wait = match () {
        () if gap <= 0.0 && along < 0.0 => 0.0,
        () if rest < 0.0 => f64::INFINITY,
        () if along < 0.0 => gap / (rest.sqrt() - along),
        // They fly apart, but more slowly than they grow.
        () => (along + rest.sqrt()) / -square,
    };
    // What is no number is no contact.
    if wait >= 0.0 { wait } else { f64::INFINITY }
}

impl<const D: usize> Model for Growing<D> {
    type Time = f64;
    type Event = Hit;
    type Refs = Stamps<2>;
    const TELL_STALE: bool = true;
    const OWNED: bool = true;

    fn handle(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        match hit {
            Hit::Pair(i, j) => {
                let (i, j) = (i as usize, j as usize);
                self.touch(i, cx);
                self.touch(j, cx);
                self.bounce(i, j);
                self.plan(i, cx)?;
                self.plan(j, cx)
            }
            Hit::Wall(i, side) => {
                self.touch(i as usize, cx);
                self.bounce_off_wall(i as usize, side);
                self.plan(i as usize, cx)
            }
            Hit::Look(i, side) => {
                if let Some(grid) = &mut self.grid {
                    grid.move_to(i as usize, grid.beyond(grid.cell_of(i as usize), side));
                }
                self.plan(i as usize, cx)
            }
        }
    }

    /// A partner has been turned away: who had planned to meet it plans anew.
    fn stale(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        let Hit::Pair(i, j) = hit else { return Ok(()) };
        let planned = cx.current().map_or(0, EventId::sequence);
        let is_untouched = |i: &usize| {
            self.flights[*i].entity.and_then(|entity| cx.version(entity)).is_some_and(|version| version <= planned)
        };
        match [i as usize, j as usize].into_iter().find(is_untouched) {
            Some(owner) => self.plan(owner, cx),
            None => Ok(()),
        }
    }
}
