//! Neighbour lists that each particle makes anew when it has flown too far.

use wide::f64x4;

use crate::bodies::Bodies;
use crate::disc::Flight;
use crate::grid::Grid;
use crate::images::Images;
use crate::model::Hit;
use crate::rows::{Gathered, Rows, has};
use crate::vector::{Vector, dot, minus, plus};
use crate::walls::Walls;

/// For each particle those that it may meet before one of the two is `reach` away from its anchor, the place where its list was
/// made: all whose anchors are within the sum of radii and twice `reach`.
///
/// Lists are symmetric, so that a particle that makes its list anew mends those of its old and new neighbours as well, and
/// nobody else needs to know.
#[derive(Clone, Debug)]
pub(crate) struct Lists<const D: usize> {
    grid: Grid<D>,
    images: Images<D>,
    anchors: Vec<Vector<D>>,
    rows: Rows,
    reach: f64,
    /// Room for those in the cells around, for a list as it was, and for one as it will be.
    around: Gathered,
    old: Gathered,
    new: Gathered,
}

impl<const D: usize> Lists<D> {
    /// The least length of a periodic box in which a pair on a list has one image only.
    pub(crate) fn least_length(widest: f64, reach: f64) -> f64 {
        2.001 * (widest + 4.0 * reach)
    }

    /// Empty lists. `widest` is the largest sum of radii, `stride` how many words a row has, a multiple of four. `None` if the
    /// box has no end.
    pub(crate) fn new(walls: &Walls<D>, points: usize, widest: f64, reach: f64, stride: usize) -> Option<Lists<D>> {
        let count = Grid::count(walls, 1.000001 * (widest + 2.0 * reach), points)?;
        Some(Lists {
            grid: Grid::new(walls, count, points),
            images: Images::new(walls),
            anchors: vec![[0.0; D]; points],
            rows: Rows::new(points, stride),
            reach,
            around: Gathered::default(),
            old: Gathered::default(),
            new: Gathered::default(),
        })
    }

    /// Makes all lists.
    pub(crate) fn fill(&mut self, flights: &[Flight<D>], bodies: &Bodies) {
        for (i, flight) in flights.iter().enumerate() {
            self.anchors[i] = flight.position;
            self.grid.insert(i, self.grid.cell(flight.position));
        }
        for i in 0..flights.len() {
            self.find(i, bodies);
            self.rows.set(i, self.new.get());
        }
    }

    /// A list, and nearly always its owner's own number as often as it takes to make the length a multiple of four.
    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[u32] {
        self.rows.padded(i)
    }

    /// Reads a list and what its end hangs on, so that both are in the cache.
    #[inline]
    pub(crate) fn glance(&self, i: usize) -> u64 {
        self.rows.glance(i) | self.anchors[i][0].to_bits()
    }

    /// Reads what those need who will look anew.
    #[inline]
    pub(crate) fn expect<'a>(&self, hits: impl Iterator<Item = &'a Hit> + Clone, scratch: &mut Gathered) {
        let cells =
            hits.filter(|hit| matches!(hit, Hit::Look(..))).flat_map(|hit| hit.who()).map(|i| self.grid.cell_of(i));
        std::hint::black_box(cells.clone().fold(0, |seen, cell| seen | self.grid.glance(cell, None)));
        let mut seen = 0;
        for cell in cells {
            self.grid.gather(cell, None, scratch);
            seen |= scratch.get().iter().fold(0, |seen, &j| seen | self.anchors[j as usize][0].to_bits());
        }
        std::hint::black_box(seen);
    }

    /// Particle `i`, which is at `place`, makes its list anew. Most on it stay; only the others' lists are changed.
    pub(crate) fn renew(&mut self, i: usize, place: Vector<D>, bodies: &Bodies) {
        self.anchors[i] = place;
        self.grid.move_to(i, self.grid.cell(place));
        self.find(i, bodies);
        let (name, Lists { rows, old, new, .. }) = (i as u32, self);
        old.set(rows.get(i));
        let after = new.padded(name);
        for &j in old.get() {
            if !has(after, j) {
                rows.remove(j as usize, name);
            }
        }
        let before = old.padded(name);
        for &j in new.get() {
            if !has(before, j) {
                rows.push(j as usize, name);
            }
        }
        rows.set(i, new.get());
    }

    /// Gathers in `new` all that belong on the list of `i`.
    #[inline(always)]
    fn find(&mut self, i: usize, bodies: &Bodies) {
        let Lists { grid, images, anchors, around, new, .. } = self;
        grid.gather(grid.cell_of(i), None, around);
        let (anchor, twice) = (anchors[i], 2.0 * self.reach);
        let around = around.padded(i as u32);
        let (room, mut len) = (new.room(4 * around.len()), 0);
        for &four in around {
            let others = four.map(|j| &anchors[j as usize]);
            let mut square = f64x4::ZERO;
            for axis in 0..D {
                let way = f64x4::new(others.map(|other| other[axis])) - anchor[axis];
                let way = way + images.shift_of_four(axis, way);
                square += way * way;
            }
            let range = bodies.sigma_of_four(i, four) + twice;
            let is_near = square.simd_le(range * range).to_bitmask();
            for (n, j) in four.into_iter().enumerate() {
                room[len] = j;
                len += usize::from((is_near >> n & 1 == 1) & (j != i as u32));
            }
        }
        new.keep(len);
    }

    /// How long from now until a particle at `place` has gone `reach` from its anchor, if that may be less than `bound`: the
    /// later root of |Δr + t v| = reach.
    #[inline]
    pub(crate) fn expiry(&self, i: usize, place: Vector<D>, velocity: Vector<D>, bound: f64) -> Option<f64> {
        let way = self.images.shortest(minus(place, self.anchors[i]));
        let later = plus(way, bound, velocity);
        // Who is still there then has not been away.
        if dot(later, later) < self.reach * self.reach {
            return None;
        }
        let (along, square) = (dot(way, velocity), dot(velocity, velocity));
        let left = (self.reach * self.reach - dot(way, way)).max(0.0);
        let root = (along * along + square * left).sqrt();
        // The form that does not cancel. At rest it is never, or not a number.
        let wait = if along > 0.0 { left / (along + root) } else { (root - along) / square };
        (!wait.is_nan()).then_some(wait)
    }
}
