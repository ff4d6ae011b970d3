//! The pair of Dormand and Prince, orders 5 and 4, with dense output of order 4.
//!
//! J. R. Dormand and P. J. Prince, "A family of embedded Runge-Kutta formulae", J. Comput. Appl. Math. 6 (1980). Dense output,
//! step control and the first step as in E. Hairer, S. P. Nørsett and G. Wanner, "Solving Ordinary Differential Equations I",
//! sections II.4 to II.6.

use super::{FAR, Step, Stepper};
use crate::hybrid::error::Error;
use crate::hybrid::model::{At, Hybrid};
use crate::hybrid::state::{State, is_finite, stage, weighted};

/// Adaptive steps of order 5: the default.
#[derive(Clone, Debug)]
pub struct DormandPrince<X> {
    relative: f64,
    absolute: f64,
    /// The size to try next; `None` to estimate it.
    size: Option<f64>,
    /// The error of the step before, in units of the tolerance.
    last_error: f64,
    /// The slope at the end of the last step.
    slope: Option<X>,
    dense: Option<Dense<X>>,
}

/// The last step as a polynomial.
#[derive(Clone, Copy, Debug)]
struct Dense<X> {
    start: f64,
    length: f64,
    end: f64,
    last: X,
    coefficients: [X; 5],
}

impl<X: State> DormandPrince<X> {
    /// With this relative and absolute error in a step. It does not bound the error of event times, which comes from the
    /// trajectory: for that there is [`Settings::event_tolerance`](crate::hybrid::Settings::event_tolerance).
    pub fn new(tolerance: f64) -> Self {
        Self::with(tolerance, tolerance)
    }

    /// With different relative and absolute tolerances.
    ///
    /// # Panics
    /// If one is not positive.
    pub fn with(relative: f64, absolute: f64) -> Self {
        assert!(relative > 0.0 && absolute > 0.0, "tolerances are positive, not {relative} and {absolute}");
        DormandPrince { relative, absolute, size: None, last_error: 1e-4, slope: None, dense: None }
    }

    /// Root mean square of `x`, each component in units of its tolerance.
    #[inline]
    fn norm(&self, x: impl Fn(usize) -> f64, scale: impl Fn(usize) -> f64, length: usize) -> f64 {
        let sum = (0..length).fold(0.0, |sum, i| {
            let ratio = x(i) / (self.absolute + self.relative * scale(i));
            sum + ratio * ratio
        });
        if length == 0 { 0.0 } else { (sum / length as f64).sqrt() }
    }

    /// The first step: short enough that an Euler step changes little, and that the second derivative matters little.
    fn first_size<H: Hybrid<State = X>>(&self, model: &H, from: &At<H>, slope: &X) -> f64 {
        let x = from.x.values();
        let n = x.len();
        let scale = |i: usize| x[i].abs();
        let d0 = self.norm(|i| x[i], scale, n);
        let d1 = self.norm(|i| slope.values()[i], scale, n);
        let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
        let next = At { time: from.time + h0, x: stage(&from.x, h0, [(1.0, slope)]), mode: from.mode };
        let slope_there = model.derivative(&next);
        let d2 = self.norm(|i| slope_there.values()[i] - slope.values()[i], scale, n) / h0;
        let steepest = d1.max(d2);
        let h1 = if steepest <= 1e-15 { (h0 * 1e-3).max(1e-6) } else { (0.01 / steepest).powf(0.2) };
        (100.0 * h0).min(h1).max(1e3 * from.time.abs() * f64::EPSILON)
    }
}

// The tableau.
const C: [f64; 4] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0];
const A2: [f64; 1] = [1.0 / 5.0];
const A3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
const A4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
const A5: [f64; 4] = [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0];
const A6: [f64; 5] = [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0];
// Of the fifth order result, without the second stage, whose weight is zero.
const B: [f64; 5] = [35.0 / 384.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
// Fifth order minus fourth, without the second.
const E: [f64; 6] = [71.0 / 57600.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
// Dense output, without the second.
const D: [f64; 6] = [
    -12715105075.0 / 11282082432.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;
/// Exponents of the present error and the one before: a controller with memory takes fewer rejected steps.
const BETA: f64 = 0.04;
const ALPHA: f64 = 0.2 - 0.75 * BETA;

impl<X: State, H: Hybrid<State = X>> Stepper<H> for DormandPrince<X> {
    fn restart(&mut self) {
        (self.size, self.slope, self.last_error) = (None, None, 1e-4);
    }

    fn step(&mut self, model: &H, from: &At<H>, limit: f64) -> Result<Step<X>, Error> {
        let f = |time: f64, x: X| model.derivative(&At { time, x, mode: from.mode });
        let (t, x) = (from.time, &from.x);
        let (mut retries, mut evaluations) = (0, 0);
        let k1 = self.slope.take().unwrap_or_else(|| {
            evaluations += 1;
            f(t, *x)
        });
        let mut h = match self.size {
            Some(size) => size,
            None => {
                evaluations += 1;
                self.first_size(model, from, &k1)
            }
        };
        loop {
            // A rest of a hundredth of a step is taken along, so that no sliver is left before the limit.
            let end = if t + 1.01 * h >= limit { limit } else { t + h };
            let step = end - t;
            if h.is_nan() || step <= 4.0 * (t.abs() * f64::EPSILON) && end < limit {
                return Err(Error::Stuck { time: t, step: h });
            }
            if step > FAR {
                return Err(Error::Stuck { time: t, step });
            }
            let k2 = f(t + C[0] * step, stage(x, step, [(A2[0], &k1)]));
            let k3 = f(t + C[1] * step, stage(x, step, [(A3[0], &k1), (A3[1], &k2)]));
            let k4 = f(t + C[2] * step, stage(x, step, [(A4[0], &k1), (A4[1], &k2), (A4[2], &k3)]));
            let k5 = f(t + C[3] * step, stage(x, step, [(A5[0], &k1), (A5[1], &k2), (A5[2], &k3), (A5[3], &k4)]));
            let k6 = f(end, stage(x, step, [(A6[0], &k1), (A6[1], &k2), (A6[2], &k3), (A6[3], &k4), (A6[4], &k5)]));
            let y = stage(x, step, [(B[0], &k1), (B[1], &k3), (B[2], &k4), (B[3], &k5), (B[4], &k6)]);
            let k7 = f(end, y);
            evaluations += 6;

            let slopes = |c: &[f64; 6]| [(c[0], &k1), (c[1], &k3), (c[2], &k4), (c[3], &k5), (c[4], &k6), (c[5], &k7)];
            let differences = slopes(&E);
            let error = self.norm(
                |i| step * weighted(i, &differences),
                |i| x.values()[i].abs().max(y.values()[i].abs()),
                x.values().len(),
            );
            if error <= 1.0 && is_finite(&y) && is_finite(&k7) {
                let growth = SAFETY * self.last_error.powf(BETA) / error.powf(ALPHA);
                let most = if retries > 0 { 1.0 } else { GROW };
                self.size = Some((step * growth.clamp(SHRINK, most)).max(if step < h { h } else { 0.0 }).min(FAR));
                self.last_error = error.max(1e-4);
                let rise = X::from_fn(|i| y.values()[i] - x.values()[i]);
                let bend = X::from_fn(|i| step * k1.values()[i] - rise.values()[i]);
                let twist = X::from_fn(|i| rise.values()[i] - step * k7.values()[i] - bend.values()[i]);
                let weights = slopes(&D);
                let rest = X::from_fn(|i| step * weighted(i, &weights));
                let coefficients = [*x, rise, bend, twist, rest];
                self.dense = Some(Dense { start: t, length: step, end, last: y, coefficients });
                self.slope = Some(k7);
                return Ok(Step { end, state: y, retries, evaluations });
            }
            retries += 1;
            // An error that is no number says nothing about how much shorter the step should be.
            let shrink = if error.is_finite() { SAFETY * error.powf(-0.2) } else { SHRINK };
            h = step * shrink.clamp(SHRINK, SAFETY);
        }
    }

    #[inline]
    fn state_at(&self, time: f64) -> X {
        let Some(dense) = &self.dense else { return X::from_fn(|_| f64::NAN) };
        if time == dense.end {
            return dense.last;
        }
        let s = (time - dense.start) / dense.length;
        let r = 1.0 - s;
        let [c0, c1, c2, c3, c4] = &dense.coefficients;
        X::from_fn(|i| {
            let c = |c: &X| c.values()[i];
            c(c0) + s * (c(c1) + r * (c(c2) + s * (c(c3) + r * c(c4))))
        })
    }
}
