//! The box that particles fly in.

use crate::vector::Vector;

/// The box: for each axis where it begins and ends, and how. A wall at infinity is no wall. Across a periodic axis there are no
/// walls either: what leaves on one side comes in on the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls<const D: usize = 2> {
    /// Left, bottom and back.
    pub low: Vector<D>,
    /// Right, top and front.
    pub high: Vector<D>,
    /// The axes across which the box goes on from the other side.
    pub periodic: [bool; D],
}

impl<const D: usize> Walls<D> {
    /// The unit box of the textbook.
    pub const UNIT: Walls<D> = Walls { low: [0.0; D], high: [1.0; D], periodic: [false; D] };

    /// No walls at all.
    pub const NONE: Walls<D> = Walls { low: [f64::NEG_INFINITY; D], high: [f64::INFINITY; D], periodic: [false; D] };

    /// A box of these lengths with a corner at the origin, periodic across every axis.
    pub const fn periodic(lengths: Vector<D>) -> Walls<D> {
        Walls { low: [0.0; D], high: lengths, periodic: [true; D] }
    }

    /// Its extent along each axis.
    pub fn lengths(&self) -> Vector<D> {
        std::array::from_fn(|axis| self.high[axis] - self.low[axis])
    }

    /// Its area or volume.
    pub fn volume(&self) -> f64 {
        self.lengths().into_iter().product()
    }

    /// The image of a point that lies in the box. Only periodic axes have images.
    pub fn wrap(&self, point: Vector<D>) -> Vector<D> {
        std::array::from_fn(|axis| {
            let (x, low, high) = (point[axis], self.low[axis], self.high[axis]);
            if !self.periodic[axis] || (low..high).contains(&x) {
                return x;
            }
            let length = high - low;
            let inside = x - length * ((x - low) / length).floor();
            // Rounding may leave it a hair outside, and the upper edge is the lower one.
            if inside >= high { low } else { inside.max(low) }
        })
    }
}
