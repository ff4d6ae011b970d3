//! Arithmetic of points and directions in `D` dimensions.

/// A point or a direction: x, y and, for spheres, z.
pub type Vector<const D: usize> = [f64; D];

#[inline]
pub(crate) fn minus<const D: usize>(a: Vector<D>, b: Vector<D>) -> Vector<D> {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

#[inline]
pub(crate) fn plus<const D: usize>(a: Vector<D>, factor: f64, b: Vector<D>) -> Vector<D> {
    std::array::from_fn(|axis| a[axis] + factor * b[axis])
}

/// Summed in the order of the axes, without a zero in front: the bits are those of the sum written out.
#[inline]
pub(crate) fn dot<const D: usize>(a: Vector<D>, b: Vector<D>) -> f64 {
    (1..D).fold(a[0] * b[0], |sum, axis| sum + a[axis] * b[axis])
}
