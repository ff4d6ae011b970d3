//! A switch without an event: the regularised form of a jump.

/// Goes from 0 to 1 while its argument crosses zero, smoothly and within a width, in place of a jump and its event.
///
/// The rule when to use it: if what the model is asked for changes by less than the engineering tolerance,
/// [`may_replace`](Switch::may_replace) says yes. A delay that is physically there, as that of a sampler, is no case for it.
///
/// ```
/// # use saltus::hybrid::Switch;
/// let valve = Switch { width: 0.1 };
/// assert_eq!([-1.0, 0.0, 1.0].map(|x| valve.at(x)), [0.0, 0.5, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    /// Of the argument, from 0 to 1; a positive number.
    pub width: f64,
}

impl Switch {
    /// The value: a cubic with slope zero at both ends.
    pub fn at(&self, x: f64) -> f64 {
        let s = (x / self.width + 0.5).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    }

    /// Whether the smooth switch may stand for the jump: the results with both differ by less than the tolerance.
    pub fn may_replace(with_jump: f64, smooth: f64, tolerance: f64) -> bool {
        (with_jump - smooth).abs() < tolerance
    }
}
