//! The laws, and how far they are kept or broken.

use std::fmt;

/// How far off anything may be, relative to what it is compared with.
pub const BOUND: f64 = 1e-9;

/// The laws, in the order in which they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// The clock never goes back.
    Clock,
    /// An event's particles have not been touched since it was predicted.
    Validity,
    /// Particles that collide touch, and approach each other; one that hits a wall touches it.
    Geometry,
    /// No particle has passed through another on its way here.
    Overlap,
    /// All particles are inside of the box.
    Bounds,
    /// Nothing has happened to the particles that did not take part, and positions have not jumped.
    Position,
    /// A pair keeps its momentum.
    Momentum,
    /// A pair keeps its energy; a particle keeps its speed at a wall.
    Energy,
    /// What was approaching is going apart.
    Response,
    /// Every contact that is now to be expected has been scheduled, or what comes first for each particle.
    Prediction,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Clock => "clock",
            Law::Validity => "validity",
            Law::Geometry => "contact geometry",
            Law::Overlap => "overlap",
            Law::Bounds => "bounds",
            Law::Position => "position",
            Law::Momentum => "momentum",
            Law::Energy => "energy",
            Law::Response => "response",
            Law::Prediction => "prediction",
        })
    }
}

/// The first law that was broken: where, by whom, by how much.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Violation {
    /// Which law.
    pub law: Law,
    /// Collisions that went well before.
    pub after_events: u64,
    /// The clock.
    pub time: f64,
    /// The particles concerned.
    pub particles: Vec<usize>,
    /// What the law says, in words.
    pub rule: String,
    /// The value that it asks for.
    pub expected: f64,
    /// The value that was found.
    pub found: f64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "law of {} broken at t = {:?} (collision {}), particles {:?}: ",
            self.law,
            self.time,
            self.after_events + 1,
            self.particles
        )?;
        write!(f, "{}, expected {:?}, found {:?}", self.rule, self.expected, self.found)
    }
}

/// The largest deviations seen, relative: roundoff is reported, not hidden.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct Worst {
    /// Of the distance at a contact from the sum of radii, or of a particle from a wall.
    pub contact: f64,
    /// Of how deep particles were ever inside each other.
    pub overlap: f64,
    /// Of a pair's momentum.
    pub momentum: f64,
    /// Of a pair's energy, or a speed at a wall.
    pub energy: f64,
}
