//! A disc, its flight, and its contacts: when they come and what they do.
//!
//! Tolerances, all in one place. At input, discs that touch within 1e-12 of their radii are in contact, not overlapping
//! ([`TOUCH`]). In flight nothing is clamped: a pair whose paths miss, by however little, does not collide. A pair that is in
//! contact or a rounding error inside it, and approaching, collides at once; a contact time is never negative. The
//! certificate allows 1e-9 of a radius.

use saltus::Entity;

/// Overlap, relative to the sum of radii, that counts as touching in an initial state.
pub const TOUCH: f64 = 1e-12;

/// A pair of numbers: x and y.
pub type Vec2 = [f64; 2];

pub(crate) fn minus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn plus(a: Vec2, factor: f64, b: Vec2) -> Vec2 {
    [a[0] + factor * b[0], a[1] + factor * b[1]]
}

pub(crate) fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A disc on a straight line since its last collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Position of the centre at `time`.
    pub position: Vec2,
    /// Velocity.
    pub velocity: Vec2,
    /// The disc's own time: when it last collided.
    pub time: f64,
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
    /// Collisions so far, with discs and walls.
    pub count: u64,
    /// Red, green, blue: carried through, never looked at.
    pub colour: Option<[u8; 3]>,
    /// The entity whose version voids the disc's predictions; none before the discs are started. Who observes a run learns
    /// here which disc an entity is.
    pub entity: Option<Entity>,
}

impl Disc {
    /// A disc at time zero.
    pub fn new(position: Vec2, velocity: Vec2, radius: f64, mass: f64) -> Disc {
        Disc { position, velocity, time: 0.0, radius, mass, count: 0, colour: None, entity: None }
    }

    /// Where the disc is, or would be if nothing happened, at time `t`.
    pub fn position_at(&self, t: f64) -> Vec2 {
        plus(self.position, t - self.time, self.velocity)
    }

    pub(crate) fn move_to(&mut self, t: f64) {
        self.position = self.position_at(t);
        self.time = t;
    }

    /// Kinetic energy.
    pub fn energy(&self) -> f64 {
        0.5 * self.mass * dot(self.velocity, self.velocity)
    }

    /// When this disc will touch the other; `None` if never.
    ///
    /// A pure function of the two states: it starts from the later of their own times, not from any clock.
    ///
    /// With Δr and Δv the relative position and velocity and σ the sum of radii, |Δr + Δt Δv| = σ is a quadratic equation
    /// (Sedgewick and Wayne, section 6.1). Its discriminant is Δv²(σ² - b²), b being the closest approach of the two lines;
    /// computed so it keeps its digits near a tangent and far away, and the earlier root is taken in the form that does not
    /// cancel.
    pub fn contact(&self, other: &Disc) -> Option<f64> {
        let start = self.time.max(other.time);
        let dr = minus(other.position_at(start), self.position_at(start));
        let dv = minus(other.velocity, self.velocity);
        let dvdr = dot(dv, dr);
        if dvdr >= 0.0 {
            return None;
        }
        let sigma = self.radius + other.radius;
        let gap = dot(dr, dr) - sigma * sigma;
        if gap <= 0.0 {
            return Some(start);
        }
        let dvdv = dot(dv, dv);
        let closest = plus(dr, -dvdr / dvdv, dv);
        let margin = sigma * sigma - dot(closest, closest);
        // At a speed whose square vanishes the margin is not a number: such discs do not meet in any time worth waiting.
        if margin <= 0.0 || margin.is_nan() {
            return None;
        }
        // Two roots: the product of the squares has a range four times as wide as the numbers.
        Some(start + gap / (-dvdr + dvdv.sqrt() * margin.sqrt())).filter(|time| time.is_finite())
    }

    /// When this disc will touch a wall across `axis`; `None` if never.
    pub fn wall_contact(&self, axis: usize, walls: &Walls) -> Option<f64> {
        let (v, x) = (self.velocity[axis], self.position[axis]);
        let distance = if v > 0.0 {
            walls.high[axis] - self.radius - x
        } else if v < 0.0 {
            x - self.radius - walls.low[axis]
        } else {
            return None;
        };
        Some(self.time + (distance / v.abs()).max(0.0)).filter(|time| time.is_finite())
    }

    /// Turns round at the wall across `axis` that it moves towards, and is put exactly onto it.
    pub(crate) fn bounce_off_wall(&mut self, axis: usize, walls: &Walls) {
        let v = self.velocity[axis];
        self.position[axis] = if v > 0.0 { walls.high[axis] - self.radius } else { walls.low[axis] + self.radius };
        self.velocity[axis] = -v;
        self.count += 1;
    }
}

/// What passes between two discs that touch: each velocity changes by J/m along the line of centres.
///
/// J = 2 m₁ m₂ (Δv·Δr) / ((m₁ + m₂) |Δr|²) Δr. The textbook writes σ for |Δr|. They are equal at exact contact; off it by
/// rounding, σ leaks energy and |Δr| does not. The masses are never multiplied, only their shares of the sum are.
pub(crate) fn bounce(a: &mut Disc, b: &mut Disc) {
    let dr = minus(b.position, a.position);
    let dv = minus(b.velocity, a.velocity);
    // Rounding may leave a grazing pair not approaching any more; then nothing passes.
    let dvdr = dot(dv, dr).min(0.0);
    let along = 2.0 * dvdr / dot(dr, dr);
    let mass = a.mass + b.mass;
    a.velocity = plus(a.velocity, b.mass / mass * along, dr);
    b.velocity = plus(b.velocity, -(a.mass / mass) * along, dr);
    a.count += 1;
    b.count += 1;
}

/// The box: for each axis where the walls stand. A wall at infinity is no wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// Left and bottom.
    pub low: Vec2,
    /// Right and top.
    pub high: Vec2,
}

impl Walls {
    /// The unit box of the textbook.
    pub const UNIT: Walls = Walls { low: [0.0; 2], high: [1.0; 2] };

    /// No walls at all.
    pub const NONE: Walls = Walls { low: [f64::NEG_INFINITY; 2], high: [f64::INFINITY; 2] };
}
