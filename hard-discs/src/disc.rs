//! A particle, its flight, and its contacts: when they come and what they do.
//!
//! Tolerances, all in one place. At input, particles that touch within 1e-12 of their radii are in contact, not overlapping
//! ([`TOUCH`]). In flight nothing is clamped: a pair whose paths miss, by however little, does not collide. A pair that is in
//! contact or a rounding error inside it, and approaching, collides at once; a contact time is never negative. The
//! certificate allows 1e-9 of a radius.

use saltus::Entity;

use crate::vector::{Vector, cross_square, dot, minus, plus};
use crate::walls::Walls;

/// Overlap, relative to the sum of radii, that counts as touching in an initial state.
pub const TOUCH: f64 = 1e-12;

/// All that is known of a particle, a disc (`D` = 2) or a sphere (`D` = 3), on a straight line since its last collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle<const D: usize> {
    /// Position of the centre at `time`.
    pub position: Vector<D>,
    /// Velocity.
    pub velocity: Vector<D>,
    /// The particle's own time: when it last collided.
    pub time: f64,
    /// Radius.
    pub radius: f64,
    /// Mass. One of infinite mass rests for ever: a fixed obstacle.
    pub mass: f64,
    /// Collisions so far, with others and walls.
    pub count: u64,
    /// Red, green, blue: carried through, never looked at.
    pub colour: Option<[u8; 3]>,
    /// The entity whose version voids the particle's predictions; none before they are started. Who observes a run learns here
    /// which particle an entity is.
    pub entity: Option<Entity>,
}

/// A particle in the plane.
pub type Disc = Particle<2>;

/// A particle in space.
pub type Sphere = Particle<3>;

impl<const D: usize> Particle<D> {
    /// A particle at time zero.
    pub fn new(position: Vector<D>, velocity: Vector<D>, radius: f64, mass: f64) -> Particle<D> {
        Particle { position, velocity, time: 0.0, radius, mass, count: 0, colour: None, entity: None }
    }

    /// Where the particle is, or would be if nothing happened, at time `t`.
    pub fn position_at(&self, t: f64) -> Vector<D> {
        self.flight().position_at(t)
    }

    pub(crate) fn move_to(&mut self, t: f64) {
        self.position = self.position_at(t);
        self.time = t;
    }

    /// Kinetic energy; that of a fixed obstacle is none.
    pub fn energy(&self) -> f64 {
        if self.mass == f64::INFINITY { 0.0 } else { 0.5 * self.mass * dot(self.velocity, self.velocity) }
    }

    /// When this particle will touch the other, no image of which counts; `None` if never.
    pub fn contact(&self, other: &Particle<D>) -> Option<f64> {
        Approach::new(&self.flight(), &other.flight()).contact(self.radius + other.radius, f64::INFINITY)
    }

    /// When this particle will touch a wall across `axis`; `None` if never.
    pub fn wall_contact(&self, axis: usize, walls: &Walls<D>) -> Option<f64> {
        self.flight().wall_contact(axis, self.radius, walls)
    }

    /// Turns round at the wall across `axis` that it moves towards, and is put exactly onto it.
    pub(crate) fn bounce_off_wall(&mut self, axis: usize, walls: &Walls<D>) {
        let mut flight = self.flight();
        flight.bounce_off_wall(axis, self.radius, walls);
        (self.position, self.velocity) = (flight.position, flight.velocity);
        self.count += 1;
    }

    pub(crate) fn flight(&self) -> Flight<D> {
        Flight { position: self.position, velocity: self.velocity, time: self.time, entity: self.entity }
    }
}

/// What a prediction needs of a particle, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Flight<const D: usize> {
    pub(crate) position: Vector<D>,
    pub(crate) velocity: Vector<D>,
    pub(crate) time: f64,
    pub(crate) entity: Option<Entity>,
}

impl<const D: usize> Flight<D> {
    #[inline]
    pub(crate) fn position_at(&self, t: f64) -> Vector<D> {
        plus(self.position, t - self.time, self.velocity)
    }

    #[inline]
    pub(crate) fn wall_contact(&self, axis: usize, radius: f64, walls: &Walls<D>) -> Option<f64> {
        let (v, x) = (self.velocity[axis], self.position[axis]);
        let distance = if walls.periodic[axis] {
            return None;
        } else if v > 0.0 {
            walls.high[axis] - radius - x
        } else if v < 0.0 {
            x - radius - walls.low[axis]
        } else {
            return None;
        };
        Some(self.time + (distance / v.abs()).max(0.0)).filter(|time| time.is_finite())
    }

    pub(crate) fn bounce_off_wall(&mut self, axis: usize, radius: f64, walls: &Walls<D>) {
        let v = self.velocity[axis];
        self.position[axis] = if v > 0.0 { walls.high[axis] - radius } else { walls.low[axis] + radius };
        self.velocity[axis] = -v;
    }
}

/// How two particles, or one and an image of the other, fly relative to each other: from the later of their own times on, not
/// from any clock. All that follows from it is a pure function of the two states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach<const D: usize> {
    pub(crate) start: f64,
    pub(crate) dr: Vector<D>,
    pub(crate) dv: Vector<D>,
}

impl<const D: usize> Approach<D> {
    #[inline]
    pub(crate) fn new(a: &Flight<D>, b: &Flight<D>) -> Approach<D> {
        let start = if a.time > b.time { a.time } else { b.time };
        Approach { start, dr: minus(b.position_at(start), a.position_at(start)), dv: minus(b.velocity, a.velocity) }
    }

    /// The way between them at time `t`.
    #[inline]
    pub(crate) fn at(&self, t: f64) -> Vector<D> {
        plus(self.dr, t - self.start, self.dv)
    }

    /// The same to the image that lies `shift` further.
    #[inline]
    pub(crate) fn shifted(self, shift: Vector<D>) -> Approach<D> {
        Approach { dr: plus(self.dr, 1.0, shift), ..self }
    }

    /// When the two will touch, `sigma` being the sum of their radii; `None` if never, or surely not before `bound`.
    ///
    /// With Δr and Δv the relative position and velocity, |Δr + Δt Δv| = σ is a quadratic equation (Sedgewick and Wayne,
    /// section 6.1). Its discriminant is Δv²(σ² - b²), b = |Δr × Δv| / |Δv| being the closest approach of the two lines; with
    /// the cross product it keeps its digits near a tangent and far away. The earlier root is taken in the form that does not
    /// cancel.
    #[inline]
    pub(crate) fn contact(&self, sigma: f64, bound: f64) -> Option<f64> {
        let Approach { start, dr, dv } = *self;
        let dvdr = dot(dv, dr);
        if dvdr >= 0.0 {
            return None;
        }
        let gap = dot(dr, dr) - sigma * sigma;
        if gap <= 0.0 {
            return Some(start);
        }
        // Who comes too late even on the straightest way need not be computed, if there is so much to spare that no rounding
        // can turn the answer.
        if gap > -2.000001 * dvdr * (bound - start) {
            return None;
        }
        let discriminant = sigma * sigma * dot(dv, dv) - cross_square(dr, dv);
        // At a speed whose square vanishes this is zero: such particles do not meet in any time worth waiting.
        if discriminant <= 0.0 {
            return None;
        }
        Some(start + gap / (discriminant.sqrt() - dvdr)).filter(|time| time.is_finite())
    }
}

/// What passes between two particles that touch: each velocity changes by J/m along the line of centres. Returns |J| |Δr|, the
/// collision's part in the virial.
///
/// J = 2 m₁ m₂ (Δv·Δr) / ((m₁ + m₂) |Δr|²) Δr. The textbook writes σ for |Δr|. They are equal at exact contact; off it by
/// rounding, σ leaks energy and |Δr| does not. The masses are never multiplied, only their shares of the sum are.
pub(crate) fn bounce<const D: usize>(a: &mut Flight<D>, b: &mut Flight<D>, dr: Vector<D>, masses: [f64; 2]) -> f64 {
    let dv = minus(b.velocity, a.velocity);
    // Rounding may leave a grazing pair not approaching any more; then nothing passes.
    let dvdr = dot(dv, dr).min(0.0);
    let along = 2.0 * dvdr / dot(dr, dr);
    let [share_of_a, share_of_b] = shares(masses);
    a.velocity = plus(a.velocity, share_of_b * along, dr);
    b.velocity = plus(b.velocity, -share_of_a * along, dr);
    -2.0 * dvdr * if masses[0] == f64::INFINITY { masses[1] } else { masses[0] * share_of_b }
}

/// The parts of the two masses in their sum. Two fixed obstacles never meet.
fn shares([a, b]: [f64; 2]) -> [f64; 2] {
    match (a == f64::INFINITY, b == f64::INFINITY) {
        (true, _) => [1.0, 0.0],
        (_, true) => [0.0, 1.0],
        // Nothing to divide.
        _ if a == b => [0.5, 0.5],
        _ => [a / (a + b), b / (a + b)],
    }
}
