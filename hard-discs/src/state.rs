//! What an initial state must be, checked before anything moves.

use std::fmt;

use crate::disc::{Particle, TOUCH};
use crate::grid::Grid;
use crate::images::Images;
use crate::vector::{Vector, dot, minus};
use crate::walls::Walls;

/// No number of a particle may be larger, no radius or mass smaller than its inverse. The lightest particle that takes all the
/// energy of the heaviest and fastest one has then a speed of 1e100. Its square times that of a distance is still a number, as are all
/// others that the physics needs.
pub const LARGEST: f64 = 1e50;

/// Its inverse.
pub const SMALLEST: f64 = 1e-50;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Overlapping pairs that an error names: of a few bad discs there can be millions.
const NAMED: usize = 3;

/// What is wrong with an initial state.
#[derive(Clone, Debug, PartialEq)]
pub enum StateError {
    /// A number is NaN or infinite.
    NotFinite {
        /// Which disc.
        disc: usize,
        /// Which of its numbers.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A radius or mass is zero or negative.
    NotPositive {
        /// Which disc.
        disc: usize,
        /// Which of its numbers.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A number is so large, or a radius or mass so small, that squares of it are no numbers any more.
    OutOfRange {
        /// Which disc.
        disc: usize,
        /// Which of its numbers.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// The walls across an axis are not one below the other, or a periodic axis has no end.
    NoBox {
        /// 0 for left and right, 1 for bottom and top, 2 for back and front.
        axis: usize,
        /// Where the left or bottom one stands.
        low: f64,
        /// Where the right or top one stands.
        high: f64,
    },
    /// A fixed obstacle, one of infinite mass, that moves.
    MovingObstacle {
        /// Which disc.
        disc: usize,
    },
    /// A disc is wider than the box.
    TooLarge {
        /// Which disc.
        disc: usize,
        /// Its radius.
        radius: f64,
        /// The box across one axis.
        width: f64,
    },
    /// A disc reaches into a wall or beyond.
    InWall {
        /// Which disc.
        disc: usize,
        /// Which wall.
        wall: &'static str,
        /// How far.
        depth: f64,
    },
    /// Discs overlap.
    Overlap {
        /// The first three overlapping pairs with their depths.
        pairs: Vec<(usize, usize, f64)>,
        /// How many more there are.
        more: u64,
    },
}

impl StateError {
    /// The disc to look at first.
    pub fn disc(&self) -> usize {
        match self {
            StateError::NotFinite { disc, .. }
            | StateError::NotPositive { disc, .. }
            | StateError::OutOfRange { disc, .. }
            | StateError::MovingObstacle { disc }
            | StateError::TooLarge { disc, .. }
            | StateError::InWall { disc, .. } => *disc,
            StateError::NoBox { .. } => 0,
            StateError::Overlap { pairs, .. } => pairs.first().map_or(0, |pair| pair.1),
        }
    }
}

// Numbers are written as {:?} so that a very large one is not a hundred digits long.
impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::NotFinite { disc, what, value } => write!(f, "particle {disc}: {what} {value} is not finite"),
            StateError::NotPositive { disc, what, value } => {
                write!(f, "particle {disc}: {what} {value:?} is not positive")
            }
            StateError::OutOfRange { disc, what, value } if value.abs() > 1.0 => {
                write!(f, "particle {disc}: {what} {value:e} is beyond {LARGEST:e}")
            }
            StateError::OutOfRange { disc, what, value } => {
                write!(f, "particle {disc}: {what} {value:e} is below {SMALLEST:e}")
            }
            StateError::MovingObstacle { disc } => {
                write!(f, "particle {disc}: a mass of inf is a fixed obstacle's, which must rest")
            }
            StateError::NoBox { axis, low, high } if high - low > LARGEST => {
                write!(f, "the walls across {} stand at {low:?} and {high:?}: ", AXES[*axis])?;
                write!(f, "a box is at most {LARGEST:e} wide")
            }
            StateError::NoBox { axis, low, high } => {
                write!(f, "the walls across {} stand at {low:?} and {high:?}: that is no box", AXES[*axis])
            }
            StateError::TooLarge { disc, radius, width } => {
                write!(f, "particle {disc}: radius {radius:?} does not fit into a box {width:?} wide")
            }
            StateError::InWall { disc, wall, depth } => {
                write!(f, "particle {disc}: overlaps the {wall} wall by {:?}", short(*depth))
            }
            StateError::Overlap { pairs, more } => {
                f.write_str("particles overlap: ")?;
                for (i, (a, b, depth)) in pairs.iter().enumerate() {
                    write!(f, "{}{a} and {b} by {:?}", if i == 0 { "" } else { ", " }, short(*depth))?;
                }
                if *more > 0 {
                    write!(f, ", and {more} more pairs")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for StateError {}

/// A depth for people: six significant digits, so that 0.05 reads 0.05.
fn short(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// Checks every disc, every wall and, in cells, every pair that may be near: O(N) in a box that has an end.
pub fn check<const D: usize>(discs: &[Particle<D>], walls: &Walls<D>) -> Result<(), StateError> {
    for axis in 0..D {
        let (low, high) = (walls.low[axis], walls.high[axis]);
        let is_endless = walls.periodic[axis] && high - low > LARGEST;
        if low.is_nan() || high.is_nan() || low >= high || is_endless {
            return Err(StateError::NoBox { axis, low, high });
        }
    }
    for (i, disc) in discs.iter().enumerate() {
        check_disc(i, disc, walls)?;
    }
    let places: Vec<Vector<D>> = discs.iter().map(|disc| walls.wrap(disc.position)).collect();
    let images = Images::new(walls);
    let (mut pairs, mut more) = (Vec::new(), 0);
    let mut near = Vec::new();
    let grid = file(discs, &places, walls);
    for (j, b) in discs.iter().enumerate() {
        near.clear();
        let mut look = |i: usize| {
            let dr = images.shortest(minus(places[j], places[i]));
            let sigma = discs[i].radius + b.radius;
            // The square first: a root for every pair would be most of the time.
            if i < j && dot(dr, dr) < sigma * sigma {
                let depth = sigma - dot(dr, dr).sqrt();
                if depth > TOUCH * sigma {
                    near.push((i, j, depth));
                }
            }
        };
        match &grid {
            Some(grid) => grid.around(grid.cell_of(j), look),
            None => (0..j).for_each(&mut look),
        }
        near.sort_unstable_by_key(|pair| pair.0);
        let named = near.len().min(NAMED - pairs.len());
        pairs.extend_from_slice(&near[..named]);
        more += (near.len() - named) as u64;
    }
    if pairs.is_empty() { Ok(()) } else { Err(StateError::Overlap { pairs, more }) }
}

/// The discs in cells as wide as the widest, if the box has an end and cells spare work.
fn file<const D: usize>(discs: &[Particle<D>], places: &[Vector<D>], walls: &Walls<D>) -> Option<Grid<D>> {
    let widest = 2.0 * discs.iter().map(|disc| disc.radius).fold(0.0, f64::max);
    let count = Grid::count(walls, 1.000001 * widest, discs.len()).filter(|_| discs.len() > 64)?;
    let mut grid = Grid::new(walls, count, discs.len());
    for (i, &place) in places.iter().enumerate() {
        grid.insert(i, grid.cell(place));
    }
    Some(grid)
}

fn check_disc<const D: usize>(disc: usize, d: &Particle<D>, walls: &Walls<D>) -> Result<(), StateError> {
    let positions = ["rx", "ry", "rz"].into_iter().zip(d.position);
    let velocities = ["vx", "vy", "vz"].into_iter().zip(d.velocity);
    // A fixed obstacle weighs more than any number says.
    let is_fixed = d.mass == f64::INFINITY;
    let sizes = [("radius", d.radius), ("mass", if is_fixed { 1.0 } else { d.mass })];
    let mut numbers = positions.chain(velocities).chain(sizes);
    if let Some((what, value)) = numbers.clone().find(|(_, value)| !value.is_finite()) {
        return Err(StateError::NotFinite { disc, what, value });
    }
    if is_fixed && d.velocity != [0.0; D] {
        return Err(StateError::MovingObstacle { disc });
    }
    if let Some((what, value)) = sizes.into_iter().find(|(_, value)| *value <= 0.0) {
        return Err(StateError::NotPositive { disc, what, value });
    }
    let too_large = numbers.find(|(_, value)| value.abs() > LARGEST);
    let too_small = sizes.into_iter().find(|(_, value)| *value < SMALLEST);
    if let Some((what, value)) = too_large.or(too_small) {
        return Err(StateError::OutOfRange { disc, what, value });
    }
    let names = [["left", "right"], ["bottom", "top"], ["back", "front"]];
    for (axis, names) in names.into_iter().enumerate().take(D) {
        let width = walls.high[axis] - walls.low[axis];
        if 2.0 * d.radius > width * (1.0 + TOUCH) {
            return Err(StateError::TooLarge { disc, radius: d.radius, width });
        }
        if walls.periodic[axis] {
            continue;
        }
        let depths = [walls.low[axis] + d.radius - d.position[axis], d.position[axis] + d.radius - walls.high[axis]];
        for (wall, depth) in names.into_iter().zip(depths) {
            if depth > TOUCH * d.radius {
                return Err(StateError::InWall { disc, wall, depth });
            }
        }
    }
    Ok(())
}
