//! Particles at random places, one after the other, where there is room.

use saltus::Stream;

use super::lattice::check_density;
use super::{Filled, PLACES, StartError, TRIES, in_local_order};
use crate::disc::Particle;
use crate::grid::Grid;
use crate::images::Images;
use crate::theory::ball;
use crate::vector::{Vector, dot, minus};
use crate::walls::Walls;

/// `n` particles of radius 1/2 and mass 1 at rest, at random places in a square or a cube of which they cover this part.
///
/// Places are tried until one is free, 10,000 for a particle. Discs find none any more at a fraction near 0.54, spheres near
/// 0.37: [`super::grow`] gets further.
pub fn insertion<const D: usize>(
    n: usize,
    fraction: f64,
    periodic: [bool; D],
    seed: u64,
) -> Result<Filled<D>, StartError> {
    check_density::<D>(n, fraction)?;
    let walls = square(n, fraction, periodic);
    let mut room = Room::new(walls, n);
    let mut places = Stream::new(seed, 0, PLACES);
    for placed in 0..n {
        let no_room = StartError::NoRoom { n, radius: 0.5, fraction, placed, tries: TRIES };
        room.add(0.5, &mut places).ok_or(no_room)?;
    }
    let mut particles = room.particles;
    in_local_order(&mut particles, &walls);
    Ok((particles, walls))
}

/// The box of equal lengths in which `n` particles of radius 1/2 cover this part.
pub(super) fn square<const D: usize>(n: usize, fraction: f64, periodic: [bool; D]) -> Walls<D> {
    let length = (n as f64 * ball(D, 0.5) / fraction).powf(1.0 / D as f64);
    Walls { periodic, ..Walls::periodic([length; D]) }
}

/// A box that fills with particles of radius 1/2.
struct Room<const D: usize> {
    particles: Vec<Particle<D>>,
    walls: Walls<D>,
    images: Images<D>,
    grid: Grid<D>,
}

impl<const D: usize> Room<D> {
    fn new(walls: Walls<D>, n: usize) -> Room<D> {
        let cells = Grid::count(&walls, 1.000001, n).unwrap_or([1; D]);
        let grid = Grid::new(&walls, cells, n);
        Room { particles: Vec::with_capacity(n), walls, images: Images::new(&walls), grid }
    }

    /// Adds a particle at the first random place that is free.
    fn add(&mut self, radius: f64, places: &mut Stream) -> Option<()> {
        let place = (0..TRIES).map(|_| self.anywhere(radius, places)).find(|&place| self.is_free(place, radius))?;
        self.grid.insert(self.particles.len(), self.grid.cell(place));
        self.particles.push(Particle::new(place, [0.0; D], radius, 1.0));
        Some(())
    }

    fn anywhere(&self, radius: f64, places: &mut Stream) -> Vector<D> {
        let lengths = self.walls.lengths();
        std::array::from_fn(|axis| {
            let rim = if self.walls.periodic[axis] { 0.0 } else { radius };
            self.walls.low[axis] + rim + (lengths[axis] - 2.0 * rim) * places.uniform()
        })
    }

    fn is_free(&self, place: Vector<D>, radius: f64) -> bool {
        let mut free = true;
        self.grid.around(self.grid.cell(place), |other| {
            let other = &self.particles[other];
            let way = self.images.shortest(minus(other.position, place));
            let sigma = radius + other.radius;
            free &= dot(way, way) >= sigma * sigma;
        });
        // A periodic box narrower than a particle shows it its own image; one narrower than a diameter from wall to wall none.
        free && self.walls.lengths().iter().all(|&length| length >= 2.0 * radius)
    }
}
