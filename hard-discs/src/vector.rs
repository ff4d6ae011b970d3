//! Arithmetic of points and directions in `D` dimensions.

use std::ops::{Add, Mul, Sub};

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

/// Summed in the order of the axes, without a zero in front: the bits are those of the sum written out. Of numbers, or of vectors
/// with one number in each lane.
#[inline(always)]
pub(crate) fn dot<T: Number, const D: usize>(a: [T; D], b: [T; D]) -> T {
    (1..D).fold(a[0] * b[0], |sum, axis| sum + a[axis] * b[axis])
}

/// The square of the cross product, |a|²|b|² - (a·b)², in the form that does not cancel.
#[inline(always)]
pub(crate) fn cross_square<T: Number, const D: usize>(a: [T; D], b: [T; D]) -> T {
    let mut sum = T::default();
    for p in 0..D {
        for q in p + 1..D {
            let part = a[p] * b[q] - a[q] * b[p];
            sum = sum + part * part;
        }
    }
    sum
}

/// What the products are made of.
pub(crate) trait Number: Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl<T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Number for T {}
