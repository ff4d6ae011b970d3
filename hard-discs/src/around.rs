//! Where the partners of contacts are looked for: among all, in cells, or in neighbour lists.

use crate::bodies::Bodies;
use crate::disc::Flight;
use crate::grid::{Cell, Grid};
use crate::images::Images;
use crate::lists::Lists;
use crate::model::{Hit, Misuse, Neighbours};
use crate::rows::Gathered;
use crate::walls::Walls;

/// The neighbours in use.
#[derive(Clone, Debug)]
pub(crate) enum Around<const D: usize> {
    /// All particles. In a periodic box each is looked for in its image that is nearest and in those around that, and again
    /// when one of the two has flown a quarter of the box.
    All(Vec<u32>),
    Cells(Cells<D>),
    Lists(Lists<D>),
}

/// Cells, and for each particle its first contact among those in the cells around, so that who crosses into another cell looks
/// at the new ones only.
#[derive(Clone, Debug)]
pub(crate) struct Cells<const D: usize> {
    grid: Grid<D>,
    known: Vec<Known>,
}

/// The first contact of a particle, as long as neither of the two has changed its course.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Infinite if there is none.
    pub(crate) time: f64,
    pub(crate) partner: Option<u32>,
    /// The partner's version when the contact was computed.
    pub(crate) version: u64,
}

impl<const D: usize> Around<D> {
    /// Files the particles, which must all be at one time.
    pub(crate) fn new(
        wanted: Neighbours,
        flights: &[Flight<D>],
        bodies: &Bodies,
        walls: &Walls<D>,
    ) -> Result<Around<D>, Misuse> {
        let all = || Around::All((0..flights.len() as u32).collect());
        let sizes = Sizes::of(flights.len(), bodies, walls);
        let found = match wanted {
            Neighbours::All => Some(all()),
            Neighbours::Cells => Around::cells(flights, &sizes, walls),
            Neighbours::Lists => Around::lists(flights, bodies, &sizes, walls),
            Neighbours::Auto => Around::best(flights, bodies, &sizes, walls).or_else(|| Some(all())),
        };
        found.ok_or(Misuse::NoRoomFor(wanted))
    }

    /// Dense particles of one size are followed faster by lists, dilute ones by cells; many sizes leave cells nearly empty or crowded.
    fn best(flights: &[Flight<D>], bodies: &Bodies, sizes: &Sizes, walls: &Walls<D>) -> Option<Around<D>> {
        let is_dense = sizes.fraction > if D == 2 { 0.4 } else { 0.35 };
        let lists = || Around::lists(flights, bodies, sizes, walls);
        let cells = || Around::cells(flights, sizes, walls);
        match () {
            () if flights.len() < 32 => None,
            () if is_dense || sizes.widest > 2.0 * sizes.mean => lists().or_else(cells),
            () => cells().or_else(lists),
        }
    }

    /// Five cells at least along a periodic axis: then of each particle in a cell beside another there is one image that is
    /// nearer than half of the box, whatever the rounding.
    fn cells(flights: &[Flight<D>], sizes: &Sizes, walls: &Walls<D>) -> Option<Around<D>> {
        // In the plane wider than they must be if the box has room for that: who crosses less often has more partners to look at,
        // and those cost little. In space there are too many.
        let wide = if D == 2 { 1.5 } else { 1.000001 };
        let fits = |count: &[usize; D]| (0..D).all(|axis| !walls.periodic[axis] || count[axis] >= 5);
        let count = [wide, 1.000001]
            .into_iter()
            .find_map(|width| Grid::count(walls, width * sizes.widest, flights.len()).filter(fits))?;
        let mut grid = Grid::new(walls, count, flights.len());
        for (i, flight) in flights.iter().enumerate() {
            grid.insert(i, grid.cell(flight.position));
        }
        let known = vec![Known { time: f64::INFINITY, partner: None, version: 0 }; flights.len()];
        Some(Around::Cells(Cells { grid, known }))
    }

    fn lists(flights: &[Flight<D>], bodies: &Bodies, sizes: &Sizes, walls: &Walls<D>) -> Option<Around<D>> {
        let Sizes { widest, reach, stride, .. } = *sizes;
        let least = Lists::<D>::least_length(widest, reach);
        if (0..D).any(|axis| walls.periodic[axis] && walls.lengths()[axis] < least) {
            return None;
        }
        let mut lists = Lists::new(walls, flights.len(), widest, reach, stride)?;
        lists.fill(flights, bodies);
        Some(Around::Lists(lists))
    }

    /// Every particle that `i` may meet before it looks anew, and perhaps itself. The scratch is room for them.
    #[inline]
    pub(crate) fn partners<'a>(&'a self, i: usize, scratch: &'a mut Gathered) -> &'a [u32] {
        match self {
            Around::All(all) => all,
            Around::Cells(Cells { grid, .. }) => {
                grid.gather(grid.cell_of(i), None, scratch);
                scratch.padded(i as u32).as_flattened()
            }
            Around::Lists(lists) => lists.of(i),
        }
    }

    /// The partners that a particle has not looked at before it left its cell by `side`, and its first contact among the others;
    /// `None` if it must look at all.
    pub(crate) fn news<'a>(&'a self, i: usize, side: u8, scratch: &'a mut Gathered) -> Option<(&'a [u32], Known)> {
        let Around::Cells(Cells { grid, known }) = self else { return None };
        grid.gather(grid.cell_of(i), Some(side), scratch);
        Some((scratch.padded(i as u32).as_flattened(), known[i]))
    }

    /// Whether the first contacts are kept.
    #[inline]
    pub(crate) fn keeps(&self) -> bool {
        matches!(self, Around::Cells(_))
    }

    /// Keeps the first contact of a particle.
    #[inline]
    pub(crate) fn keep(&mut self, i: usize, contact: Known) {
        if let Around::Cells(Cells { known, .. }) = self {
            known[i] = contact;
        }
    }

    /// From how many particles on it pays to read ahead. Fewer are in the cache anyhow, and to go through cells is work by itself.
    pub(crate) fn pays_to_expect(&self) -> usize {
        match self {
            Around::All(_) => usize::MAX,
            Around::Cells(_) => 50_000,
            Around::Lists(_) => 4000,
        }
    }

    /// Reads what says where a particle is filed and who is around it, so that it is in the cache.
    #[inline]
    pub(crate) fn glance(&self, i: usize) -> u64 {
        match self {
            Around::All(_) => 0,
            Around::Cells(Cells { grid, known }) => u64::from(grid.cell_of(i)[0]) | known[i].version,
            Around::Lists(lists) => lists.glance(i),
        }
    }

    /// Reads who is around those that these events are about, as [`glance`](Around::glance) has read before where that is
    /// written.
    #[inline]
    pub(crate) fn expect<'a>(
        &self,
        hits: impl Iterator<Item = &'a Hit> + Clone,
        flights: &[Flight<D>],
        scratch: &mut Gathered,
    ) {
        let mut seen = 0;
        let mut read =
            |numbers: &[u32]| seen = numbers.iter().fold(seen, |seen, &j| seen | flights[j as usize].time.to_bits());
        match self {
            Around::All(_) => {}
            Around::Cells(Cells { grid, .. }) => {
                let places = hits.flat_map(|&hit| places(grid, hit));
                std::hint::black_box(places.clone().fold(0, |seen, (cell, side)| seen | grid.glance(cell, side)));
                for (cell, side) in places {
                    grid.gather(cell, side, scratch);
                    read(scratch.get());
                }
            }
            Around::Lists(lists) => {
                hits.clone().flat_map(|hit| hit.who()).for_each(|i| read(lists.of(i)));
                lists.expect(hits, scratch);
            }
        }
        std::hint::black_box(seen);
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
            Around::All(_) => (images.quarter(flight.velocity), 0),
            Around::Cells(Cells { grid, .. }) => {
                grid.exit(grid.cell_of(i), flight.position_at(now), flight.velocity)?
            }
            Around::Lists(lists) => (lists.expiry(i, flight.position_at(now), flight.velocity, bound - now)?, 0),
        };
        Some((now + wait, side)).filter(|(time, _)| *time < bound)
    }

    /// A particle looks anew.
    pub(crate) fn look(&mut self, i: usize, side: u8, flight: &Flight<D>, bodies: &Bodies, walls: &Walls<D>, now: f64) {
        match self {
            Around::All(_) => {}
            Around::Cells(Cells { grid, .. }) => grid.move_to(i, grid.beyond(grid.cell_of(i), side)),
            Around::Lists(lists) => lists.renew(i, walls.wrap(flight.position_at(now)), bodies),
        }
    }
}

/// Each cell around which an event will look, and the side that it is entered by if only what is new from there counts.
#[inline]
fn places<const D: usize>(grid: &Grid<D>, hit: Hit) -> impl Iterator<Item = (Cell<D>, Option<u8>)> + Clone {
    hit.who().map(move |i| match hit {
        Hit::Look(_, side) => (grid.beyond(grid.cell_of(i), side), Some(side)),
        _ => (grid.cell_of(i), None),
    })
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
    /// Words for a list, which hold nearly all.
    stride: usize,
}

impl Sizes {
    fn of<const D: usize>(n: usize, bodies: &Bodies, walls: &Walls<D>) -> Sizes {
        let radii = || (0..n).map(|i| bodies.get(i).radius);
        let ball = |radius: f64| {
            if D == 2 {
                std::f64::consts::PI * radius.powi(2)
            } else {
                4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)
            }
        };
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
        let stride = ((1.25 * neighbours + 3.0) as usize).clamp(7, 255) / 4 * 4 + 4;
        Sizes { fraction, mean, widest, reach, stride }
    }
}
