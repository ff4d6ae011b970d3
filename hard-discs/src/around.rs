//! Where the partners of contacts are looked for: among all, in cells, or in neighbour lists.

use crate::bodies::Bodies;
use crate::disc::Flight;
use crate::grid::Grid;
use crate::images::Images;
use crate::lists::Lists;
use crate::model::{Misuse, Neighbours};
use crate::walls::Walls;

/// The neighbours in use.
#[derive(Clone, Debug)]
pub(crate) enum Around<const D: usize> {
    /// All particles. In a periodic box each is looked for in its image that is nearest and in those around that, and again
    /// when one of the two has flown a quarter of the box.
    All,
    Cells(Grid<D>),
    Lists(Lists<D>),
}

impl<const D: usize> Around<D> {
    /// Files the particles, which must all be at one time.
    pub(crate) fn new(
        wanted: Neighbours,
        flights: &[Flight<D>],
        bodies: &Bodies,
        walls: &Walls<D>,
    ) -> Result<Around<D>, Misuse> {
        let sizes = Sizes::of(flights.len(), bodies, walls);
        let found = match wanted {
            Neighbours::All => Some(Around::All),
            Neighbours::Cells => Around::cells(flights, &sizes, walls),
            Neighbours::Lists => Around::lists(flights, bodies, &sizes, walls),
            Neighbours::Auto => Some(Around::best(flights, bodies, &sizes, walls)),
        };
        found.ok_or(Misuse::NoRoomFor(wanted))
    }

    /// The crossover was measured, with particles of one size.
    fn best(flights: &[Flight<D>], bodies: &Bodies, sizes: &Sizes, walls: &Walls<D>) -> Around<D> {
        let is_dense = sizes.fraction > if D == 2 { 0.4 } else { 0.35 };
        let lists = || Around::lists(flights, bodies, sizes, walls);
        let cells = || Around::cells(flights, sizes, walls);
        let found = match () {
            () if flights.len() < 32 => None,
            () if is_dense || sizes.widest > 2.0 * sizes.mean => lists().or_else(cells),
            () => cells().or_else(lists),
        };
        found.unwrap_or(Around::All)
    }

    /// Five cells at least along a periodic axis: then of each particle in a cell beside another there is one image that is
    /// nearer than half of the box, whatever the rounding.
    fn cells(flights: &[Flight<D>], sizes: &Sizes, walls: &Walls<D>) -> Option<Around<D>> {
        let count = Grid::count(walls, 1.000001 * sizes.widest, flights.len())?;
        if (0..D).any(|axis| walls.periodic[axis] && count[axis] < 5) {
            return None;
        }
        let mut grid = Grid::new(walls, count, flights.len());
        for (i, flight) in flights.iter().enumerate() {
            grid.insert(i, grid.cell(flight.position));
        }
        Some(Around::Cells(grid))
    }

    fn lists(flights: &[Flight<D>], bodies: &Bodies, sizes: &Sizes, walls: &Walls<D>) -> Option<Around<D>> {
        let Sizes { widest, reach, room, .. } = *sizes;
        let least = Lists::<D>::least_length(widest, reach);
        if (0..D).any(|axis| walls.periodic[axis] && walls.lengths()[axis] < least) {
            return None;
        }
        let mut lists = Lists::new(walls, flights.len(), widest, reach, room)?;
        lists.fill(flights, bodies);
        Some(Around::Lists(lists))
    }

    /// Calls `visit` with every particle that `i` may meet before it looks anew, and perhaps with itself.
    #[inline(always)]
    pub(crate) fn each(&self, i: usize, all: usize, mut visit: impl FnMut(usize)) {
        match self {
            Around::All => (0..all).for_each(visit),
            Around::Cells(grid) => grid.around(grid.cell_of(i), visit),
            Around::Lists(lists) => lists.of(i).iter().for_each(|&j| visit(j as usize)),
        }
    }

    /// When a particle must look anew, if that is before `bound`, and which side it leaves its cell by.
    #[inline]
    pub(crate) fn next_look(
        &self,
        i: usize,
        flight: &Flight<D>,
        images: &Images<D>,
        now: f64,
        bound: f64,
    ) -> Option<(f64, u8)> {
        let (wait, side) = match self {
            Around::All => (images.quarter(flight.velocity), 0),
            Around::Cells(grid) => grid.exit(grid.cell_of(i), flight.position_at(now), flight.velocity)?,
            Around::Lists(lists) => (lists.expiry(i, flight.position_at(now), flight.velocity, bound - now)?, 0),
        };
        Some((now + wait, side)).filter(|(time, _)| *time < bound)
    }

    /// A particle looks anew.
    pub(crate) fn look(&mut self, i: usize, side: u8, flight: &Flight<D>, bodies: &Bodies, walls: &Walls<D>, now: f64) {
        match self {
            Around::All => {}
            Around::Cells(grid) => grid.move_to(i, grid.beyond(grid.cell_of(i), side)),
            Around::Lists(lists) => lists.renew(i, walls.wrap(flight.position_at(now)), bodies),
        }
    }
}

/// What the choice and the measures of the neighbours follow from.
struct Sizes {
    /// The part of the box that is covered.
    fraction: f64,
    /// The mean diameter, and the largest.
    mean: f64,
    widest: f64,
    /// How far a particle flies before its list is made anew.
    reach: f64,
    /// How long nearly all lists are at most.
    room: usize,
}

impl Sizes {
    fn of<const D: usize>(n: usize, bodies: &Bodies, walls: &Walls<D>) -> Sizes {
        let radii = || (0..n).map(|i| bodies.get(i).radius);
        let ball = |radius: f64| if D == 2 { std::f64::consts::PI * radius.powi(2) } else { 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) };
        let (volume, n) = (walls.volume(), n.max(1) as f64);
        let fraction = radii().map(ball).sum::<f64>() / volume;
        let mean = 2.0 * radii().sum::<f64>() / n;
        let widest = 2.0 * radii().fold(0.0, f64::max);
        // The shells that were best, in diameters; where few are near, far enough for a handful.
        let shell = match D {
            2 => 1.75f64.max(1.2 / fraction.sqrt()),
            _ => 1.5f64.max(1.1 / fraction.cbrt()),
        };
        let reach = (0.5 * (shell - 1.0) * mean).min(walls.lengths().into_iter().fold(f64::INFINITY, f64::min) / 16.0);
        let neighbours = ball(0.5 * widest.min(2.0 * mean) + 0.5 * mean + 2.0 * reach) * n / volume;
        let room = ((1.35 * neighbours + 6.0) as usize).clamp(7, 255) / 4 * 4 + 3;
        Sizes { fraction, mean, widest, reach, room }
    }
}
