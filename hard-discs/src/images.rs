//! Images of particles across periodic axes.

use wide::f64x4;

use crate::vector::{Vector, plus};
use crate::walls::Walls;

/// Finds how far the image of a partner lies from the partner itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Images<const D: usize> {
    /// The box's lengths; zero across axes that are not periodic.
    period: Vector<D>,
    inverse: Vector<D>,
}

impl<const D: usize> Images<D> {
    pub(crate) fn new(walls: &Walls<D>) -> Images<D> {
        let lengths = walls.lengths();
        let period = std::array::from_fn(|axis| if walls.periodic[axis] { lengths[axis] } else { 0.0 });
        Images { period, inverse: period.map(|length| if length > 0.0 { 1.0 / length } else { 0.0 }) }
    }

    /// How many lengths `way` is from being the shortest, along each axis.
    #[inline]
    pub(crate) fn turns(&self, way: Vector<D>) -> Vector<D> {
        std::array::from_fn(|axis| nearest_whole(way[axis] * self.inverse[axis]))
    }

    /// What to add to a way to leave out so many lengths. It follows from the number alone, so that it does not matter how
    /// exactly the way was known: whoever asks for a pair gets the same bits, or their opposite.
    #[inline]
    pub(crate) fn shift(&self, turns: Vector<D>) -> Vector<D> {
        std::array::from_fn(|axis| -self.period[axis] * turns[axis])
    }

    /// What to add along an axis to four ways, so that those that are given now are the shortest: as [`Images::shift`] of
    /// [`Images::turns`], to the last bit.
    #[inline(always)]
    pub(crate) fn shift_of_four(&self, axis: usize, way: f64x4) -> f64x4 {
        let turns = (way * self.inverse[axis] + ROOM) - ROOM;
        turns * -self.period[axis]
    }

    pub(crate) fn any(&self) -> bool {
        self.period.iter().any(|&length| length > 0.0)
    }

    /// Calls `visit` with the shift for so many lengths, and with those for one more or less.
    pub(crate) fn around(&self, turns: Vector<D>, mut visit: impl FnMut(Vector<D>)) {
        for code in 0..3usize.pow(D as u32) {
            let step: [f64; D] = std::array::from_fn(|axis| (code / 3usize.pow(axis as u32) % 3) as f64 - 1.0);
            if (0..D).all(|axis| step[axis] == 0.0 || self.period[axis] > 0.0) {
                visit(self.shift(plus(turns, 1.0, step)));
            }
        }
    }

    /// How long it takes to fly a quarter of the box along a periodic axis.
    pub(crate) fn quarter(&self, velocity: Vector<D>) -> f64 {
        let waits =
            (0..D).filter(|&axis| self.period[axis] > 0.0).map(|axis| self.period[axis] / (4.0 * velocity[axis].abs()));
        waits.fold(f64::INFINITY, f64::min)
    }

    /// The shortest way between two places.
    #[inline]
    pub(crate) fn shortest(&self, way: Vector<D>) -> Vector<D> {
        plus(way, 1.0, self.shift(self.turns(way)))
    }
}

/// 1.5 * 2^52.
const ROOM: f64 = 6_755_399_441_055_744.0;

/// The nearest whole number, halves to even: adding 1.5 * 2^52 leaves no room for more. It is for small numbers.
#[inline]
fn nearest_whole(x: f64) -> f64 {
    (x + ROOM) - ROOM
}
