//! Neighbour lists that each particle makes anew when it has flown too far.

use crate::bodies::Bodies;
use crate::disc::Flight;
use crate::grid::Grid;
use crate::images::Images;
use crate::rows::Rows;
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
}

impl<const D: usize> Lists<D> {
    /// The least length of a periodic box in which a pair on a list has one image only.
    pub(crate) fn least_length(widest: f64, reach: f64) -> f64 {
        2.001 * (widest + 4.0 * reach)
    }

    /// Empty lists. `widest` is the largest sum of radii, `room` how long most lists will be at most. `None` if the box has no
    /// end.
    pub(crate) fn new(walls: &Walls<D>, points: usize, widest: f64, reach: f64, room: usize) -> Option<Lists<D>> {
        let count = Grid::count(walls, 1.000001 * (widest + 2.0 * reach), points)?;
        Some(Lists {
            grid: Grid::new(walls, count, points),
            images: Images::new(walls),
            anchors: vec![[0.0; D]; points],
            rows: Rows::new(points, room),
            reach,
        })
    }

    /// Makes all lists.
    pub(crate) fn fill(&mut self, flights: &[Flight<D>], bodies: &Bodies) {
        for (i, flight) in flights.iter().enumerate() {
            self.anchors[i] = flight.position;
            self.rows.clear(i);
            self.grid.insert(i, self.grid.cell(flight.position));
        }
        for i in 0..flights.len() {
            self.find(i, bodies, |i, j| j < i);
        }
    }

    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[u32] {
        self.rows.get(i)
    }

    /// Particle `i`, which is at `place`, makes its list anew.
    pub(crate) fn renew(&mut self, i: usize, place: Vector<D>, bodies: &Bodies) {
        for n in 0..self.rows.get(i).len() {
            let j = self.rows.get(i)[n];
            self.rows.remove(j as usize, i as u32);
        }
        self.rows.clear(i);
        self.anchors[i] = place;
        self.grid.move_to(i, self.grid.cell(place));
        self.find(i, bodies, |i, j| j != i);
    }

    fn find(&mut self, i: usize, bodies: &Bodies, counts: impl Fn(usize, usize) -> bool) {
        let Lists { grid, images, anchors, rows, reach } = self;
        let anchor = anchors[i];
        let range = bodies.get(i).radius + 2.0 * *reach;
        grid.around(grid.cell_of(i), |j| {
            let way = images.shortest(minus(anchors[j], anchor));
            let sum = range + bodies.get(j).radius;
            if dot(way, way) <= sum * sum && counts(i, j) {
                rows.push(i, j as u32);
                rows.push(j, i as u32);
            }
        });
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
