//! Initial states: the textbook's, and gases at a density.

mod growth;
mod insertion;
mod lattice;
mod velocities;

pub use growth::{grow, grow_watched};
pub use insertion::insertion;
pub use lattice::{check_density, lattice, lattice_in};
pub use velocities::maxwell;

use saltus::Stream;

use crate::disc::{Disc, Particle};
use crate::model::HardDiscs;
use crate::state::StateError;
use crate::theory::close_packing;
use crate::vector::{Vector, dot, minus};
use crate::walls::Walls;

/// A start state that [`make`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command", derive(clap::ValueEnum))]
pub enum Start {
    /// Ten balls racked in a triangle and a cue ball below.
    Billiards,
    /// Newton's cradle: a ball runs into four that almost touch.
    Cradle,
    /// The same with two balls running in together.
    Pendulum,
    /// A large disc among many small, light ones.
    Brownian,
    /// Small discs behind a wall of heavy ones with a gap.
    Diffusion,
    /// A very light disc between two heavy ones that close in.
    Squeeze,
    /// A heavy, fast disc that runs into a field of small ones.
    WreckingBall,
    /// Discs of one size, placed at random.
    Random,
}

impl Start {
    /// What to call it.
    pub fn title(self) -> &'static str {
        match self {
            Start::Billiards => "Billiards",
            Start::Cradle => "Cradle",
            Start::Pendulum => "Pendulum",
            Start::Brownian => "Brownian motion",
            Start::Diffusion => "Diffusion",
            Start::Squeeze => "Squeeze",
            Start::WreckingBall => "Wrecking ball",
            Start::Random => "Random discs",
        }
    }

    /// Whether there are small discs, whose number and radius can be chosen.
    pub fn has_small_discs(self) -> bool {
        self.is_random() || self == Start::WreckingBall
    }

    /// Whether discs are at random places, so that a seed makes a difference.
    pub fn is_random(self) -> bool {
        matches!(self, Start::Brownian | Start::Diffusion | Start::Random)
    }
}

/// Why there is no such start state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartError {
    /// A box that nothing covers has no size.
    #[error("no particle at all: a gas at a density has at least one")]
    Nobody,
    /// More than this machine could hold.
    #[error("{n} particles are too many: at most {MOST} can be made")]
    TooMany {
        /// Particles asked for.
        n: usize,
    },
    /// No arrangement at all reaches this density, or it is none.
    #[error("{n} particles of radius {radius:?} cover {fraction:.4} of the box; no packing exceeds {most:.4}")]
    Impossible {
        /// Discs asked for.
        n: usize,
        /// Their radius.
        radius: f64,
        /// Their share of the area or volume.
        fraction: f64,
        /// That of the densest packing.
        most: f64,
    },
    /// Random placement found no room.
    #[error(
        "no room for particle {placed} of {n} of radius {radius:?} in {tries} tries: they are to cover {fraction:.4} of the box"
    )]
    NoRoom {
        /// Discs asked for.
        n: usize,
        /// Their radius.
        radius: f64,
        /// Their share of the area or volume.
        fraction: f64,
        /// Discs that found room.
        placed: usize,
        /// Places tried for the one that did not.
        tries: u32,
    },
    /// The lattice does not fit.
    #[error(
        "{n} particles do not fit on a lattice of which they cover {fraction:.4}: neighbours would be {distance:.6} diameters apart"
    )]
    NoLattice {
        /// Particles asked for.
        n: usize,
        /// Their share of the area or volume.
        fraction: f64,
        /// The least distance of two sites.
        distance: f64,
    },
    /// Growing particles got stuck.
    #[error(
        "{n} growing particles got stuck at a fraction of {reached:.4} after {collisions} collisions; {fraction:.4} was asked for"
    )]
    Jammed {
        /// Particles asked for.
        n: usize,
        /// The share of the area or volume that was asked for.
        fraction: f64,
        /// The share that was reached.
        reached: f64,
        /// Collisions until then.
        collisions: u64,
    },
    /// The discs cannot be.
    #[error(transparent)]
    State(#[from] StateError),
}

/// Particles and the box that they are in.
pub type Filled<const D: usize> = (Vec<Particle<D>>, Walls<D>);

/// More would take tens of gigabytes.
pub const MOST: usize = 100_000_000;

/// Places tried for a particle before it is given up.
const TRIES: u32 = 10_000;

/// The streams that places and velocities are drawn from: different ones, so that velocities do not depend on how many places
/// were tried.
const PLACES: u64 = 1;
const SPEEDS: u64 = 2;

/// Puts particles near each other in space near each other in memory: along a Z curve through a grid.
fn in_local_order<const D: usize>(particles: &mut [Particle<D>], walls: &Walls<D>) {
    let bits = 30 / D as u32;
    let lengths = walls.lengths();
    let place = |p: &Particle<D>| {
        let cell: [u32; D] = std::array::from_fn(|axis| {
            let part = (p.position[axis] - walls.low[axis]) / lengths[axis];
            (part * f64::from(1u32 << bits)) as u32
        });
        let digit = |bit: u32| (0..D).fold(0u32, |all, axis| all << 1 | (cell[axis] >> bit & 1));
        (0..bits).rev().fold(0u32, |all, bit| all << D | digit(bit))
    };
    particles.sort_by_cached_key(place);
}

/// Makes a start state in the unit box. `n` and `radius` are for the random one and for the small discs of the others that
/// have any; each start has its own default.
pub fn make(start: Start, n: Option<usize>, radius: Option<f64>, seed: u64) -> Result<HardDiscs, StartError> {
    let discs = match start {
        Start::Billiards => billiards(),
        Start::Cradle => cradle(1),
        Start::Pendulum => cradle(2),
        Start::Squeeze => squeeze(),
        Start::Brownian => {
            let mut pollen = Disc::new([0.5; 2], [0.0; 2], 0.1, 1.0);
            pollen.colour = Some(RED);
            scatter(vec![pollen], Walls::UNIT, n.unwrap_or(400), radius.unwrap_or(0.005), 0.01, seed)?
        }
        Start::Diffusion => {
            let left = Walls { low: [0.0; 2], high: [0.47, 1.0], periodic: [false; 2] };
            scatter(partition(), left, n.unwrap_or(150), radius.unwrap_or(0.01), 0.5, seed)?
        }
        Start::WreckingBall => wrecking_ball(n.unwrap_or(400), radius.unwrap_or(0.01)),
        Start::Random => {
            let n = n.unwrap_or(100);
            let radius = radius.unwrap_or_else(|| default_radius(n));
            scatter(Vec::new(), Walls::UNIT, n, radius, 1.0, seed)?
        }
    };
    Ok(HardDiscs::new(discs, Walls::UNIT)?)
}

/// The radius at which `n` discs cover a fifth of the unit box.
pub fn default_radius(n: usize) -> f64 {
    (0.2 / (std::f64::consts::PI * n.max(1) as f64)).sqrt()
}

const RED: [u8; 3] = [200, 40, 40];
const BLUE: [u8; 3] = [40, 90, 200];
const GREY: [u8; 3] = [120, 120, 120];

/// A tenth under the spacing: rounding must not make neighbours touch.
const BALL: f64 = 0.02999;

fn ball(position: Vector<2>, velocity: Vector<2>) -> Disc {
    Disc { colour: Some(BLUE), ..Disc::new(position, velocity, BALL, 1.0) }
}

/// Ten balls of mass 1 in rows of four to one, 0.06 apart, and the cue ball at (0.4, 0.1) moving up with 0.02.
fn billiards() -> Vec<Disc> {
    let spacing = 0.06;
    let drop = spacing * 0.75f64.sqrt();
    let mut discs = Vec::new();
    for row in 0..4u32 {
        for place in 0..4 - row {
            let x = 0.41 + spacing * f64::from(place) + 0.5 * spacing * f64::from(row);
            discs.push(ball([x, 0.8 - drop * f64::from(row)], [0.0; 2]));
        }
    }
    discs.push(Disc { colour: Some(GREY), ..ball([0.4, 0.1], [0.0, 0.02]) });
    discs
}

/// `movers` balls, 0.06 apart, run with 0.02 from the left into four resting ones, 0.06 apart.
fn cradle(movers: u32) -> Vec<Disc> {
    let running =
        (0..movers).map(|i| Disc { colour: Some(RED), ..ball([0.2 + 0.06 * f64::from(i), 0.8], [0.02, 0.0]) });
    let resting = (0..4).map(|i| ball([0.5 + 0.06 * f64::from(i), 0.8], [0.0; 2]));
    running.chain(resting).collect()
}

/// Masses 1, 0.0004, 1 on a line; the outer ones close in with 0.01 each.
fn squeeze() -> Vec<Disc> {
    let disc = |x, vx, radius, mass| Disc { colour: Some(GREY), ..Disc::new([x, 0.3], [vx, 0.0], radius, mass) };
    vec![disc(0.1, 0.01, 0.05, 1.0), disc(0.5, -0.01, 0.01, 0.0004), disc(0.9, -0.01, 0.05, 1.0)]
}

/// A column of heavy resting discs at x = 0.5 with a gap in the middle that small ones get through.
fn partition() -> Vec<Disc> {
    let radius = 0.02;
    (0..24)
        .filter(|i| !(10..14).contains(i))
        .map(|i| {
            let y = (f64::from(i) + 0.5) / 24.0;
            Disc { colour: Some(GREY), ..Disc::new([0.5, y], [0.0; 2], radius, 1e5) }
        })
        .collect()
}

/// A disc of mass 1 and radius 0.1 runs upwards with 0.1 into a square lattice of resting discs of mass 0.01.
fn wrecking_ball(n: usize, radius: f64) -> Vec<Disc> {
    let mut discs = vec![Disc { colour: Some(RED), ..Disc::new([0.5, 0.15], [0.003, 0.1], 0.1, 1.0) }];
    let columns = (2.0 * n as f64).sqrt().ceil().max(1.0);
    let (across, up) = (1.0 / columns, 0.6 / (n as f64 / columns).ceil().max(1.0));
    for i in 0..n {
        let (row, column) = ((i as f64 / columns).floor(), (i as f64 % columns).floor());
        let position = [across * (column + 0.5), 0.4 + up * (row + 0.5)];
        discs.push(Disc { colour: Some(BLUE), ..Disc::new(position, [0.0; 2], radius, 0.01) });
    }
    discs
}

/// Adds `n` discs of mass `mass` at random places among `discs`, with velocities from a normal distribution such that each
/// direction carries the kinetic energy of a unit mass with speed 0.01.
fn scatter(
    mut discs: Vec<Disc>,
    room: Walls,
    n: usize,
    radius: f64,
    mass: f64,
    seed: u64,
) -> Result<Vec<Disc>, StartError> {
    if n > MOST {
        return Err(StartError::TooMany { n });
    }
    let area: f64 = (0..2).map(|axis| room.high[axis] - room.low[axis]).product();
    let fraction = n as f64 * std::f64::consts::PI * radius * radius / area;
    let most = close_packing(2);
    if fraction > most {
        return Err(StartError::Impossible { n, radius, fraction, most });
    }
    let (mut places, mut speeds) = (Stream::new(seed, 0, PLACES), Stream::new(seed, 0, SPEEDS));
    for placed in 0..n {
        let position = (0..TRIES)
            .map(|_| {
                [0, 1].map(|axis| {
                    let span = room.high[axis] - room.low[axis] - 2.0 * radius;
                    room.low[axis] + radius + span * places.uniform()
                })
            })
            .find(|&at| discs.iter().all(|disc| is_apart(disc, at, radius)))
            .ok_or(StartError::NoRoom { n, radius, fraction, placed, tries: TRIES })?;
        let velocity = [(); 2].map(|()| speeds.normal(0.0, 0.01 / mass.sqrt()));
        discs.push(Disc { colour: Some(BLUE), ..Disc::new(position, velocity, radius, mass) });
    }
    Ok(discs)
}

fn is_apart(disc: &Disc, position: Vector<2>, radius: f64) -> bool {
    let dr = minus(position, disc.position);
    let sigma = disc.radius + radius;
    dot(dr, dr) >= sigma * sigma
}
