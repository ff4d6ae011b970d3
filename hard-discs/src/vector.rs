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

/// The square of the cross product, |a|²|b|² - (a·b)², in the form that does not cancel.
#[inline]
pub(crate) fn cross_square<const D: usize>(a: Vector<D>, b: Vector<D>) -> f64 {
    let mut sum = 0.0;
    for p in 0..D {
        for q in p + 1..D {
            let part = a[p] * b[q] - a[q] * b[p];
            sum += part * part;
        }
    }
    sum
}
