//! What a continuous state is: an array of numbers.

use std::fmt::Debug;

use super::curve::Curve;

/// The continuous state: `[f64; N]`, any N, zero too. Sealed: arrays are all there is.
pub trait State: Copy + PartialEq + Debug + Send + Sync + sealed::Sealed + 'static {
    /// One [`Curve`] for each component.
    type Curves: Copy + AsRef<[Curve]>;

    /// Component by component.
    fn from_fn(component: impl FnMut(usize) -> f64) -> Self;

    /// The components.
    fn values(&self) -> &[f64];

    /// The components, to change them.
    fn values_mut(&mut self) -> &mut [f64];
}

mod sealed {
    pub trait Sealed {}
    impl<const N: usize> Sealed for [f64; N] {}
}

impl<const N: usize> State for [f64; N] {
    type Curves = [Curve; N];

    #[inline]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        // Not `std::array::from_fn`, whose closures are not always inlined.
        let mut x = [0.0; N];
        for (i, value) in x.iter_mut().enumerate() {
            *value = component(i);
        }
        x
    }
    #[inline]
    fn values(&self) -> &[f64] {
        self
    }
    #[inline]
    fn values_mut(&mut self) -> &mut [f64] {
        self
    }
}

/// `x + h * (sum of c * k)`, the one shape of every Runge-Kutta stage.
#[inline]
pub(super) fn stage<X: State, const K: usize>(x: &X, h: f64, parts: [(f64, &X); K]) -> X {
    X::from_fn(|i| x.values()[i] + h * weighted(i, &parts))
}

#[inline]
pub(super) fn weighted<X: State, const K: usize>(i: usize, parts: &[(f64, &X); K]) -> f64 {
    parts.iter().fold(0.0, |sum, (c, k)| sum + c * k.values()[i])
}

pub(super) fn is_finite<X: State>(x: &X) -> bool {
    x.values().iter().all(|value| value.is_finite())
}
