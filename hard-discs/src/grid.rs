//! A grid of cells that points are filed in.

use crate::images::Images;
use crate::rows::{Gathered, Rows};
use crate::vector::{Vector, minus};
use crate::walls::Walls;

/// The coordinates of a cell.
pub(crate) type Cell<const D: usize> = [u16; D];

/// A box cut into equal cells. Each holds points, which are named by numbers from 0.
#[derive(Clone, Debug)]
pub(crate) struct Grid<const D: usize> {
    low: Vector<D>,
    width: Vector<D>,
    inverse_width: Vector<D>,
    count: [usize; D],
    periodic: [bool; D],
    images: Images<D>,
    /// For each axis and each coordinate along it what the cell before, the cell itself and the one after it add to the index
    /// of a row. Cells are numbered from 1 along each axis: a row with a zero among them is always empty, and stands for what
    /// is not there.
    steps: [Vec<[u32; 3]>; D],
    /// The points of each cell.
    points: Rows,
    cell_of: Vec<Cell<D>>,
}

impl<const D: usize> Grid<D> {
    /// How many cells of at least this width fit along each axis, but not many more in all than eight for each point and, of
    /// few points, some thousand; `None` if the box has no end.
    pub(crate) fn count(walls: &Walls<D>, width: f64, points: usize) -> Option<[usize; D]> {
        let lengths = walls.lengths();
        if lengths.iter().any(|length| !length.is_finite()) {
            return None;
        }
        let most = 8.0 * (points as f64).max(512.0);
        let cut = |width: f64| lengths.map(|length| (length / width).clamp(1.0, f64::from(u16::MAX)));
        let mut width = width.max(0.999999 * (walls.volume() / most).powf(1.0 / D as f64));
        // A box much longer than wide has more cells of a width than its volume says.
        while cut(width).iter().product::<f64>() > 1.00001 * most {
            width *= 1.25;
        }
        Some(cut(width).map(|count| count as usize))
    }

    /// An empty grid of so many cells along each axis, for so many points.
    pub(crate) fn new(walls: &Walls<D>, count: [usize; D], points: usize) -> Grid<D> {
        let lengths = walls.lengths();
        let width = std::array::from_fn(|axis| lengths[axis] / count[axis] as f64);
        let steps = std::array::from_fn(|axis| {
            let stride: usize = count[..axis].iter().map(|count| count + 1).product();
            let (last, wraps) = (count[axis] - 1, walls.periodic[axis]);
            let step = |coordinate: Option<usize>| coordinate.map_or(0, |c| ((c + 1) * stride) as u32);
            let beside = |c: usize| {
                // In a box of two cells that on the other side is there already, and of one it is the same.
                let before = c.checked_sub(1).or(Some(last).filter(|&last| wraps && last > 1));
                let after = Some(c + 1).filter(|&c| c <= last).or(Some(0).filter(|_| wraps && last > 1));
                [before, Some(c), after].map(step)
            };
            (0..count[axis]).map(beside).collect()
        });
        let cells: usize = count.iter().product();
        Grid {
            low: walls.low,
            width,
            inverse_width: width.map(|w| 1.0 / w),
            count,
            periodic: walls.periodic,
            images: Images::new(walls),
            steps,
            // Room for what nearly every cell holds at most.
            points: Rows::new(count.iter().map(|count| count + 1).product(), if 4 * points > cells { 8 } else { 4 }),
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
        (0..D).map(|axis| self.steps[axis][usize::from(cell[axis])][1] as usize).sum()
    }

    #[inline]
    pub(crate) fn cell_of(&self, point: usize) -> Cell<D> {
        self.cell_of[point]
    }

    pub(crate) fn insert(&mut self, point: usize, cell: Cell<D>) {
        self.cell_of[point] = cell;
        self.points.push(self.index(cell), point as u32);
    }

    pub(crate) fn move_to(&mut self, point: usize, cell: Cell<D>) {
        let before = self.cell_of[point];
        if before != cell {
            self.points.remove(self.index(before), point as u32);
            self.insert(point, cell);
        }
    }

    /// Calls `visit` with every point in a cell or one beside it.
    pub(crate) fn around(&self, cell: Cell<D>, mut visit: impl FnMut(usize)) {
        for_each_row(&self.beside(cell), [(0, 3); D], |row| {
            self.points.get(row).iter().for_each(|&point| visit(point as usize));
        });
    }

    /// Gathers every point in a cell or one beside it; or if it was entered by way of a side, which is named as the side of the
    /// cell before, those in the cells that were not beside that.
    #[inline]
    pub(crate) fn gather(&self, cell: Cell<D>, entered_by: Option<u8>, all: &mut Gathered) {
        // Written twice, so that the loops over all have fixed ends.
        match entered_by {
            None => self.gather_between(cell, [(0, 3); D], all),
            Some(_) => self.gather_between(cell, ends(entered_by), all),
        }
    }

    /// Reads the rows that [`Grid::gather`] will, so that they are in the cache.
    #[inline]
    pub(crate) fn glance(&self, cell: Cell<D>, entered_by: Option<u8>) -> u64 {
        let mut seen = 0;
        for_each_row(&self.beside(cell), ends(entered_by), |row| seen |= self.points.glance(row));
        seen
    }

    #[inline(always)]
    fn gather_between(&self, cell: Cell<D>, ends: [(usize, usize); D], all: &mut Gathered) {
        let steps = self.beside(cell);
        let is_done = match self.points.stride() {
            4 => self.gather_short::<4>(&steps, ends, all),
            8 => self.gather_short::<8>(&steps, ends, all),
            _ => false,
        };
        if !is_done {
            self.gather_long(&steps, ends, all);
        }
    }

    /// False if there is a row that does not hold its numbers. Of each all words are copied, whether they count or not: a fixed
    /// number of moves, and nothing to guess, since most cells are empty or not as it happens.
    #[inline(always)]
    fn gather_short<const W: usize>(
        &self,
        steps: &[[u32; 3]; D],
        ends: [(usize, usize); D],
        all: &mut Gathered,
    ) -> bool {
        let (rows, room) = (self.points.words::<W>(), all.room(27 * W));
        let mut len = 0usize;
        for_each_row(steps, ends, |row| {
            let row = &rows[row];
            if let Some(next) = room.get_mut(len..len.saturating_add(W)) {
                next.copy_from_slice(row);
            }
            len = len.saturating_add(row[W - 1] as usize);
        });
        all.keep(len);
        len <= 27 * W
    }

    #[cold]
    fn gather_long(&self, steps: &[[u32; 3]; D], ends: [(usize, usize); D], all: &mut Gathered) {
        let mut len = 0;
        for_each_row(steps, ends, |row| {
            let points = self.points.get(row);
            let end = len + points.len();
            all.room(end)[len..end].copy_from_slice(points);
            len = end;
        });
        all.keep(len);
    }

    #[inline(always)]
    fn beside(&self, cell: Cell<D>) -> [[u32; 3]; D] {
        std::array::from_fn(|axis| self.steps[axis][usize::from(cell[axis])])
    }

    /// The side by which a straight flight leaves a cell, and how long after it was at `place`: 2 * axis, one more for the
    /// upper side. `None` if it never does. A place outside of the cell counts as on its edge, in the image of it that is
    /// nearest.
    #[inline]
    pub(crate) fn exit(&self, cell: Cell<D>, place: Vector<D>, velocity: Vector<D>) -> Option<(f64, u8)> {
        // From an edge the middle is half a width away: within half of a length of it there is one image.
        let middle = std::array::from_fn(|axis| self.low[axis] + self.width[axis] * (f64::from(cell[axis]) + 0.5));
        let way = self.images.shortest(minus(middle, place));
        // The waits are compared as integers, whose order is that of numbers that are not negative, with the sides in the last
        // three bits: a minimum without a branch.
        const SIDE: u64 = 7;
        let mut first = f64::INFINITY.to_bits();
        for axis in 0..D {
            let v = velocity[axis];
            let upper = v > 0.0;
            let wait = (way[axis] + (0.5 * self.width[axis]).copysign(v)) / v;
            let edge = usize::from(cell[axis]) + usize::from(upper);
            let is_wall = !self.periodic[axis] & ((edge == 0) | (edge == self.count[axis]));
            // Not -0.0, which is no small integer.
            let wait = if wait > 0.0 { wait } else { 0.0 };
            let wait = (wait.to_bits() & !SIDE) | (2 * axis as u64) | u64::from(upper);
            first = first.min(if is_wall | (v == 0.0) { u64::MAX } else { wait });
        }
        let wait = f64::from_bits(first & !SIDE);
        wait.is_finite().then_some((wait, (first & SIDE) as u8))
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

/// Where along each axis the cells begin and end that are new from a side; all without one.
#[inline(always)]
fn ends<const D: usize>(entered_by: Option<u8>) -> [(usize, usize); D] {
    let mut ends = [(0, 3); D];
    if let Some(side) = entered_by {
        ends[usize::from(side / 2)] = if side % 2 == 1 { (2, 3) } else { (0, 1) };
    }
    ends
}

/// Calls `visit` with the rows of the cells between these ends along each axis.
#[inline(always)]
fn for_each_row<const D: usize>(steps: &[[u32; 3]; D], ends: [(usize, usize); D], mut visit: impl FnMut(usize)) {
    let planes: &[u32] = if D == 3 { &steps[D - 1][ends[D - 1].0..ends[D - 1].1] } else { &[0] };
    for &plane in planes {
        for &line in &steps[1][ends[1].0..ends[1].1] {
            for &place in &steps[0][ends[0].0..ends[0].1] {
                visit((plane + line + place) as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use saltus::Stream;

    use super::*;

    /// Where the flight leaves, by the definition: the first edge of the cell that it comes to.
    fn exit_by_steps(
        walls: &Walls<3>,
        width: f64,
        cell: Cell<3>,
        place: Vector<3>,
        velocity: Vector<3>,
    ) -> Option<(f64, u8)> {
        let waits = (0..3).filter_map(|axis| {
            let (v, c) = (velocity[axis], f64::from(cell[axis]));
            let count = (walls.lengths()[axis] / width).round();
            let (edge, upper) = if v > 0.0 { (c + 1.0, 1) } else { (c, 0) };
            let is_wall = !walls.periodic[axis] && (edge == 0.0 || edge == count);
            (v != 0.0 && !is_wall)
                .then(|| ((((walls.low[axis] + edge * width) - place[axis]) / v).max(0.0), 2 * axis as u8 + upper))
        });
        waits.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    #[test]
    fn a_flight_leaves_its_cell_by_the_first_edge_even_from_an_edge_or_at_rest() {
        let mut random = Stream::new(4, 0, 0);
        for round in 0..20_000 {
            let walls =
                Walls { periodic: std::array::from_fn(|_| random.below(2) == 0), ..Walls::periodic([3.0, 4.0, 5.0]) };
            let grid = Grid::new(&walls, [6, 8, 10], 1);
            // Halves are edges of cells.
            let place = walls.lengths().map(|length| match random.below(2) {
                0 => 0.5 * random.below(2 * length as u64) as f64,
                _ => length * random.uniform(),
            });
            let velocity = [(); 3].map(|()| if random.below(4) == 0 { 0.0 } else { random.normal(0.0, 1.0) });
            let cell = grid.cell(place);
            let (found, expected) =
                (grid.exit(cell, place, velocity), exit_by_steps(&walls, 0.5, cell, place, velocity));
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    assert!(
                        (found.0 - expected.0).abs() <= 1e-12 * (1.0 + expected.0),
                        "{round}: {found:?}, not {expected:?}"
                    )
                }
                (found, expected) => {
                    assert_eq!(found.is_some(), expected.is_some(), "{round}: {found:?}, not {expected:?}")
                }
            }
        }
    }

    /// Of boxes of one, two, three and more cells across: who is around is everybody beside, once.
    #[test]
    fn each_cell_beside_is_looked_into_once() {
        let mut random = Stream::new(5, 0, 0);
        for _ in 0..300 {
            let walls = Walls { periodic: std::array::from_fn(|_| random.below(2) == 0), ..Walls::periodic([1.0; 2]) };
            let count: [usize; 2] = std::array::from_fn(|_| 1 + random.below(5) as usize);
            let points = 1 + random.below(60) as usize;
            let mut grid = Grid::new(&walls, count, points);
            let cells: Vec<Cell<2>> =
                (0..points).map(|_| std::array::from_fn(|axis| random.below(count[axis] as u64) as u16)).collect();
            // First somewhere else, so that the rows have been written to.
            (0..points).for_each(|i| grid.insert(i, [0; 2]));
            (0..points).for_each(|i| grid.move_to(i, cells[i]));
            let is_beside = |a: Cell<2>, b: Cell<2>| {
                (0..2).all(|axis| {
                    let apart = usize::from(a[axis].abs_diff(b[axis]));
                    apart <= 1 || walls.periodic[axis] && apart + 1 == count[axis]
                })
            };
            let mut all = Gathered::default();
            for &cell in &cells {
                let expected: Vec<u32> = (0..points as u32).filter(|&j| is_beside(cell, cells[j as usize])).collect();
                grid.gather(cell, None, &mut all);
                let mut found = all.get().to_vec();
                found.sort_unstable();
                assert_eq!(found, expected, "around {cell:?} of {count:?}");
                let mut visited = Vec::new();
                grid.around(cell, |j| visited.push(j as u32));
                visited.sort_unstable();
                assert_eq!(visited, expected);
            }
        }
    }
}
