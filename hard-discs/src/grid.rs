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
    /// How far the index of the first cell of each line of three is from that of the cell in their middle.
    lines: Vec<isize>,
    /// The first point of each cell, and the one that follows each point in its cell.
    first: Vec<u32>,
    next: Vec<u32>,
    cell_of: Vec<Cell<D>>,
}

impl<const D: usize> Grid<D> {
    /// How many cells of at least this width fit along each axis, but no more in all than eight for each point; `None` if the
    /// box has no end.
    pub(crate) fn count(walls: &Walls<D>, width: f64, points: usize) -> Option<[usize; D]> {
        let lengths = walls.lengths();
        if lengths.iter().any(|length| !length.is_finite()) {
            return None;
        }
        let width = width.max((walls.volume() / (8.0 * points.max(1) as f64)).powf(1.0 / D as f64));
        Some(lengths.map(|length| ((length / width) as usize).clamp(1, usize::from(u16::MAX))))
    }

    /// An empty grid of so many cells along each axis, for so many points.
    pub(crate) fn new(walls: &Walls<D>, count: [usize; D], points: usize) -> Grid<D> {
        let lengths = walls.lengths();
        let width = std::array::from_fn(|axis| lengths[axis] / count[axis] as f64);
        let lines = (0..3isize.pow(D as u32 - 1)).map(|code| {
            let across = (1..D).rev().map(|axis| (axis, code / 3isize.pow(axis as u32 - 1) % 3 - 1));
            across.fold(0, |sum, (axis, step)| sum * count[axis] as isize + step) * count[0] as isize - 1
        });
        Grid {
            low: walls.low,
            width,
            inverse_width: width.map(|w| 1.0 / w),
            count,
            periodic: walls.periodic,
            lines: lines.collect(),
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
        let is_inside = (0..D).all(|axis| cell[axis] > 0 && usize::from(cell[axis]) + 1 < self.count[axis]);
        let middle = self.index(cell);
        let (mut ring, mut length) = ([0usize; 27], 0);
        if !is_inside {
            length = self.at_the_edge(cell, &mut ring);
        }
        let mut chain = |first: u32| {
            let mut point = first;
            while point != NONE {
                visit(point as usize);
                point = self.next[point as usize];
            }
        };
        if is_inside {
            for &line in &self.lines {
                let start = middle.wrapping_add_signed(line);
                self.first[start..start + 3].iter().for_each(|&first| chain(first));
            }
        } else {
            ring[..length].iter().for_each(|&index| chain(self.first[index]));
        }
    }

    /// Calls `visit` with every point in those cells beside a cell that are new to who has just come in from `side`, which is
    /// named as the side of the cell that it left.
    #[inline(always)]
    pub(crate) fn ahead(&self, cell: Cell<D>, side: u8, mut visit: impl FnMut(usize)) {
        let axis = usize::from(side / 2);
        if !self.periodic[axis]
            && (if side % 2 == 1 { usize::from(cell[axis]) + 1 == self.count[axis] } else { cell[axis] == 0 })
        {
            return;
        }
        let next = self.beyond(cell, side);
        let (mut ring, count) = ([0usize; 27], self.count[axis]);
        let length = self.at_the_edge(next, &mut ring);
        // Of the ring around the next cell the slice that it lies in.
        let stride: usize = self.count[..axis].iter().product();
        for &index in ring[..length].iter().filter(|&&index| index / stride % count == usize::from(next[axis])) {
            let mut point = self.first[index];
            while point != NONE {
                visit(point as usize);
                point = self.next[point as usize];
            }
        }
    }

    /// The indices of a cell and those beside it, where some lie across an edge or are not there at all; and their number.
    #[inline(never)]
    fn at_the_edge(&self, cell: Cell<D>, ring: &mut [usize; 27]) -> usize {
        ring[0] = 0;
        let mut length = 1;
        for axis in (0..D).rev() {
            let (count, middle) = (self.count[axis], usize::from(cell[axis]));
            let below = if middle > 0 {
                Some(middle - 1)
            } else {
                Some(count - 1).filter(|_| self.periodic[axis] && count > 1)
            };
            let above = if middle + 1 < count {
                Some(middle + 1)
            } else {
                Some(0).filter(|_| self.periodic[axis] && count > 2)
            };
            let so_far = *ring;
            let mut grown = 0;
            for coordinate in [below, Some(middle), above].into_iter().flatten() {
                for &index in &so_far[..length] {
                    ring[grown] = index * count + coordinate;
                    grown += 1;
                }
            }
            length = grown;
        }
        length
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
