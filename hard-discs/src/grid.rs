//! A grid of cells that points are filed in.

use crate::vector::Vector;
use crate::walls::Walls;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// The coordinates of a cell.
pub(crate) type Cell<const D: usize> = [u16; D];

/// A box cut into equal cells. Each holds a chain of points, which are named by numbers from 0.
#[derive(Clone, Debug)]
pub(crate) struct Grid<const D: usize> {
    low: Vector<D>,
    width: Vector<D>,
    inverse_width: Vector<D>,
    count: [usize; D],
    periodic: [bool; D],
    /// The first point of each cell, and the one that follows each point in its cell.
    first: Vec<u32>,
    next: Vec<u32>,
    cell_of: Vec<Cell<D>>,
}

impl<const D: usize> Grid<D> {
    /// How many cells of at least this width fit along each axis, but no more in all than there are points; `None` if the box
    /// has no end.
    pub(crate) fn count(walls: &Walls<D>, width: f64, points: usize) -> Option<[usize; D]> {
        let lengths = walls.lengths();
        if lengths.iter().any(|length| !length.is_finite()) {
            return None;
        }
        let width = width.max((walls.volume() / points.max(1) as f64).powf(1.0 / D as f64));
        Some(lengths.map(|length| ((length / width) as usize).clamp(1, usize::from(u16::MAX))))
    }

    /// An empty grid of so many cells along each axis, for so many points.
    pub(crate) fn new(walls: &Walls<D>, count: [usize; D], points: usize) -> Grid<D> {
        let lengths = walls.lengths();
        let width = std::array::from_fn(|axis| lengths[axis] / count[axis] as f64);
        Grid {
            low: walls.low,
            width,
            inverse_width: width.map(|w| 1.0 / w),
            count,
            periodic: walls.periodic,
            first: vec![NONE; count.iter().product()],
            next: vec![NONE; points],
            cell_of: vec![[0; D]; points],
        }
    }

    /// The cell that a place lies in. What lies outside of the box, as rounding may have it, counts to the cell at its edge.
    #[inline]
    pub(crate) fn cell(&self, place: Vector<D>) -> Cell<D> {
        std::array::from_fn(|axis| {
            let cell = (place[axis] - self.low[axis]) * self.inverse_width[axis];
            (cell as usize).min(self.count[axis] - 1) as u16
        })
    }

    #[inline]
    fn index(&self, cell: Cell<D>) -> usize {
        (0..D).rev().fold(0, |index, axis| index * self.count[axis] + usize::from(cell[axis]))
    }

    #[inline]
    pub(crate) fn cell_of(&self, point: usize) -> Cell<D> {
        self.cell_of[point]
    }

    pub(crate) fn insert(&mut self, point: usize, cell: Cell<D>) {
        let index = self.index(cell);
        self.cell_of[point] = cell;
        self.next[point] = std::mem::replace(&mut self.first[index], point as u32);
    }

    pub(crate) fn move_to(&mut self, point: usize, cell: Cell<D>) {
        if self.cell_of[point] == cell {
            return;
        }
        let index = self.index(self.cell_of[point]);
        let mut link = &mut self.first[index];
        let after = self.next[point];
        if *link == point as u32 {
            *link = after;
        } else {
            let mut before = *link as usize;
            while self.next[before] != point as u32 {
                before = self.next[before] as usize;
            }
            link = &mut self.next[before];
            *link = after;
        }
        self.insert(point, cell);
    }

    /// Calls `visit` with every point in a cell or one beside it.
    #[inline(always)]
    pub(crate) fn around(&self, cell: Cell<D>, mut visit: impl FnMut(usize)) {
        // Along each axis up to three coordinates.
        let mut ranges = [[0usize; 3]; D];
        let mut lengths = [0usize; D];
        for axis in 0..D {
            let (count, middle) = (self.count[axis], usize::from(cell[axis]));
            let mut put = |c: usize| {
                ranges[axis][lengths[axis]] = c;
                lengths[axis] += 1;
            };
            put(middle);
            if middle > 0 {
                put(middle - 1);
            } else if self.periodic[axis] && count > 1 {
                put(count - 1);
            }
            if middle + 1 < count {
                put(middle + 1);
            } else if self.periodic[axis] && count > 2 {
                put(0);
            }
        }
        let mut place = [0usize; D];
        loop {
            let index = (0..D).rev().fold(0, |index, axis| index * self.count[axis] + ranges[axis][place[axis]]);
            let mut point = self.first[index];
            while point != NONE {
                visit(point as usize);
                point = self.next[point as usize];
            }
            let mut axis = 0;
            loop {
                place[axis] += 1;
                if place[axis] < lengths[axis] {
                    break;
                }
                place[axis] = 0;
                axis += 1;
                if axis == D {
                    return;
                }
            }
        }
    }

    /// The side by which a straight flight leaves a cell, and how long after it was at `place`: 2 * axis, one more for the
    /// upper side. `None` if it never does. A place outside of the cell counts as on its edge, in the image of it that is
    /// nearest.
    #[inline]
    pub(crate) fn exit(&self, cell: Cell<D>, place: Vector<D>, velocity: Vector<D>) -> Option<(f64, u8)> {
        let mut first: Option<(f64, u8)> = None;
        for axis in 0..D {
            let (v, c, count) = (velocity[axis], usize::from(cell[axis]), self.count[axis]);
            let at_wall = !self.periodic[axis] && if v > 0.0 { c + 1 == count } else { c == 0 };
            if v == 0.0 || at_wall {
                continue;
            }
            let edge = self.low[axis] + self.width[axis] * (c as f64 + if v > 0.0 { 1.0 } else { 0.0 });
            let mut way = edge - place[axis];
            if self.periodic[axis] {
                let length = self.width[axis] * count as f64;
                // From an edge the middle is half a width away: within half of a length there is one image.
                let half = if v > 0.0 { 0.5 } else { -0.5 } * self.width[axis];
                way -= length * ((way - half) / length).round();
            }
            let wait = (way / v).max(0.0);
            if first.is_none_or(|(earliest, _)| wait < earliest) {
                first = Some((wait, 2 * axis as u8 + u8::from(v > 0.0)));
            }
        }
        first.filter(|(wait, _)| wait.is_finite())
    }

    /// The cell beyond a side.
    pub(crate) fn beyond(&self, mut cell: Cell<D>, side: u8) -> Cell<D> {
        let axis = usize::from(side / 2);
        let (c, count) = (usize::from(cell[axis]), self.count[axis]);
        let beyond = if side % 2 == 1 { (c + 1) % count } else { (c + count - 1) % count };
        cell[axis] = beyond as u16;
        cell
    }
}
