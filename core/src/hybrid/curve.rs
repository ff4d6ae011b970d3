//! Constant velocity and constant acceleration: values known at every time, and their zeros from the formula.

use super::rule::Direction;

/// A quantity that moves with constant acceleration: `value + rate * s + acceleration * s^2 / 2`, with the time `s` since some
/// moment.
///
/// ```
/// # use saltus::hybrid::{Curve, Direction};
/// let height = Curve::accelerated(1.0, 0.0, -9.81);
/// assert_eq!(height.next_zero(Direction::Falling, 0.0), Some((2.0f64 / 9.81).sqrt()));
/// assert_eq!(height.next_zero(Direction::Rising, 0.0), None, "that zero lies in the past");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curve {
    /// At `s = 0`.
    pub value: f64,
    /// Its first derivative there.
    pub rate: f64,
    /// Its second derivative.
    pub acceleration: f64,
}

impl Curve {
    /// What does not change.
    pub const fn constant(value: f64) -> Curve {
        Curve::accelerated(value, 0.0, 0.0)
    }

    /// Constant velocity.
    pub const fn uniform(value: f64, rate: f64) -> Curve {
        Curve::accelerated(value, rate, 0.0)
    }

    /// Constant acceleration.
    pub const fn accelerated(value: f64, rate: f64, acceleration: f64) -> Curve {
        Curve { value, rate, acceleration }
    }

    /// The value after a time.
    #[inline]
    pub fn at(&self, s: f64) -> f64 {
        self.value + s * (self.rate + 0.5 * self.acceleration * s)
    }

    /// The rate after a time.
    #[inline]
    pub fn rate_at(&self, s: f64) -> f64 {
        self.rate + self.acceleration * s
    }

    /// This much lower, to ask for the crossing of a level.
    #[inline]
    pub fn minus(self, level: f64) -> Curve {
        Curve { value: self.value - level, ..self }
    }

    /// The first `s >= after` at which the curve crosses zero in this direction. A zero that is only touched is none.
    ///
    /// No digits are lost to cancellation: of the two ways to write a root of the quadratic, the one that adds is taken.
    #[inline]
    pub fn next_zero(&self, direction: Direction, after: f64) -> Option<f64> {
        let zero = |sign: f64| {
            let root = self.crossing(sign)?;
            (root >= after && root.is_finite()).then_some(root)
        };
        match direction {
            Direction::Falling => zero(-1.0),
            Direction::Rising => zero(1.0),
            Direction::Either => match (zero(-1.0), zero(1.0)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }

    /// The zero at which the slope has this sign; there is at most one. The slope there is `sign * sqrt(discriminant)`.
    #[inline]
    fn crossing(&self, sign: f64) -> Option<f64> {
        let Curve { value, rate, acceleration } = *self;
        let discriminant = rate * rate - 2.0 * acceleration * value;
        if discriminant <= 0.0 || discriminant.is_nan() {
            return None;
        }
        let slope = sign * discriminant.sqrt();
        if rate * sign > 0.0 {
            Some(-2.0 * value / (rate + slope))
        } else if acceleration != 0.0 {
            Some((slope - rate) / acceleration)
        } else {
            None
        }
    }
}
