//! Steps of a fixed size: forward Euler and the classical method of order 4.

use super::{Step, Stepper};
use crate::hybrid::error::Error;
use crate::hybrid::model::{At, Hybrid};
use crate::hybrid::state::{State, is_finite, stage};

/// Forward Euler: order 1, an anchor to compare with. Between its points the state lies on straight lines.
#[derive(Clone, Debug)]
pub struct Euler<X> {
    grid: Grid,
    line: Option<(f64, X, X)>,
    last: Option<(f64, X)>,
}

/// The classical Runge-Kutta method of order 4, with the cubic through values and slopes in between.
#[derive(Clone, Debug)]
pub struct RungeKutta4<X> {
    grid: Grid,
    cubic: Option<Cubic<X>>,
}

#[derive(Clone, Debug)]
struct Cubic<X> {
    start: f64,
    end: f64,
    first: X,
    last: X,
    first_slope: X,
    last_slope: X,
}

impl<X: State> Euler<X> {
    /// With steps of this size.
    ///
    /// # Panics
    /// If it is not positive.
    pub fn new(step: f64) -> Self {
        Euler { grid: Grid::new(step), line: None, last: None }
    }
}

impl<X: State> RungeKutta4<X> {
    /// With steps of this size.
    ///
    /// # Panics
    /// If it is not positive.
    pub fn new(step: f64) -> Self {
        RungeKutta4 { grid: Grid::new(step), cubic: None }
    }
}

/// Points at `origin + k * step` from an integer k.
#[derive(Clone, Debug)]
struct Grid {
    step: f64,
    origin: f64,
    k: u64,
}

impl Grid {
    fn new(step: f64) -> Grid {
        assert!(step > 0.0, "a step is positive, not {step}");
        Grid { step, origin: f64::NAN, k: 0 }
    }

    fn point(&self) -> f64 {
        self.origin + self.k as f64 * self.step
    }

    /// The end of the step from `time`, and its length.
    fn next(&mut self, time: f64, limit: f64) -> Result<(f64, f64), Error> {
        if self.point() != time {
            (self.origin, self.k) = (time, 0);
        }
        self.k += 1;
        let end = self.point();
        // What is left before the limit is no step of its own if it is only rounding.
        if end + 1e-9 * self.step >= limit {
            if (end - limit).abs() > 1e-9 * self.step {
                return Ok((limit, limit - time));
            }
            return Ok((limit, self.step));
        }
        if end > time { Ok((end, self.step)) } else { Err(Error::Stuck { time, step: self.step }) }
    }
}

impl<X: State, H: Hybrid<State = X>> Stepper<H> for Euler<X> {
    fn restart(&mut self) {}

    fn step(&mut self, model: &H, from: &At<H>, limit: f64) -> Result<Step<X>, Error> {
        let (end, length) = self.grid.next(from.time, limit)?;
        let slope = model.derivative(from);
        let state = stage(&from.x, length, [(1.0, &slope)]);
        if !is_finite(&state) {
            return Err(Error::Stuck { time: from.time, step: length });
        }
        self.line = Some((from.time, from.x, slope));
        self.last = Some((end, state));
        Ok(Step { end, state, retries: 0, evaluations: 1 })
    }

    #[inline]
    fn state_at(&self, time: f64) -> X {
        match (&self.line, &self.last) {
            (_, Some((end, state))) if *end == time => *state,
            (Some((start, x, slope)), _) => stage(x, time - start, [(1.0, slope)]),
            _ => X::from_fn(|_| f64::NAN),
        }
    }
}

impl<X: State, H: Hybrid<State = X>> Stepper<H> for RungeKutta4<X> {
    fn restart(&mut self) {}

    fn step(&mut self, model: &H, from: &At<H>, limit: f64) -> Result<Step<X>, Error> {
        let f = |time: f64, x: X| model.derivative(&At { time, x, mode: from.mode });
        let (t, x) = (from.time, &from.x);
        let (end, h) = self.grid.next(t, limit)?;
        let k1 = f(t, *x);
        let k2 = f(t + 0.5 * h, stage(x, 0.5 * h, [(1.0, &k1)]));
        let k3 = f(t + 0.5 * h, stage(x, 0.5 * h, [(1.0, &k2)]));
        let k4 = f(end, stage(x, h, [(1.0, &k3)]));
        let state = stage(x, h / 6.0, [(1.0, &k1), (2.0, &k2), (2.0, &k3), (1.0, &k4)]);
        if !is_finite(&state) {
            return Err(Error::Stuck { time: t, step: h });
        }
        let last_slope = f(end, state);
        self.cubic = Some(Cubic { start: t, end, first: *x, last: state, first_slope: k1, last_slope });
        Ok(Step { end, state, retries: 0, evaluations: 5 })
    }

    #[inline]
    fn state_at(&self, time: f64) -> X {
        let Some(Cubic { start, end, first, last, first_slope, last_slope }) = &self.cubic else {
            return X::from_fn(|_| f64::NAN);
        };
        if time == *end {
            return *last;
        }
        let h = end - start;
        let s = (time - start) / h;
        X::from_fn(|i| {
            let (a, b) = (first.values()[i], last.values()[i]);
            let (rise, p, q) = (b - a, h * first_slope.values()[i], h * last_slope.values()[i]);
            let r = 1.0 - s;
            a + s * (rise + r * ((1.0 - 2.0 * s) * -rise + r * p - s * q))
        })
    }
}
