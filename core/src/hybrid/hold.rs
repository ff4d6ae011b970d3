//! Samples that are held: what is known of a signal between the instants at which it is read.
//!
//! Both live in the mode of a model, and a [`Rule::every`](super::Rule::every) feeds them.

use std::f64::consts::PI;

/// The value of the last sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ZeroOrderHold {
    value: f64,
}

impl ZeroOrderHold {
    /// Takes a sample.
    pub fn sample(&mut self, value: f64) {
        self.value = value;
    }

    /// The sample that is held.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How far a sine of this frequency is behind, in degrees: half a period of the sampler.
    ///
    /// ```
    /// # use saltus::hybrid::ZeroOrderHold;
    /// assert!((ZeroOrderHold::lag(7.0, 0.02) - 25.2).abs() < 1e-12);
    /// assert!((ZeroOrderHold::gain(7.0, 0.02) - 0.96807).abs() < 5e-6);
    /// ```
    pub fn lag(frequency: f64, period: f64) -> f64 {
        360.0 * frequency * period / 2.0
    }

    /// What is left of the amplitude of a sine of this frequency: sin(x) / x, x = pi * frequency * period.
    pub fn gain(frequency: f64, period: f64) -> f64 {
        let x = PI * frequency * period;
        if x == 0.0 { 1.0 } else { libm::sin(x) / x }
    }
}

/// The line through the last two samples, prolonged. Less lag than a [`ZeroOrderHold`], for more gain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FirstOrderHold {
    time: f64,
    value: f64,
    slope: f64,
    has_sample: bool,
}

impl FirstOrderHold {
    /// Takes a sample. The first is held as it is.
    pub fn sample(&mut self, time: f64, value: f64) {
        if self.has_sample && time > self.time {
            self.slope = (value - self.value) / (time - self.time);
        }
        (self.time, self.value, self.has_sample) = (time, value, true);
    }

    /// The value at a time since the last sample.
    pub fn at(&self, time: f64) -> f64 {
        self.value + self.slope * (time - self.time)
    }

    /// How far a sine of this frequency is behind, in degrees: x - atan(x), x = 2 pi * frequency * period.
    pub fn lag(frequency: f64, period: f64) -> f64 {
        let x = 2.0 * PI * frequency * period;
        (x - libm::atan(x)).to_degrees()
    }

    /// What becomes of the amplitude of a sine of this frequency.
    pub fn gain(frequency: f64, period: f64) -> f64 {
        let x = 2.0 * PI * frequency * period;
        let held = ZeroOrderHold::gain(frequency, period);
        libm::sqrt(1.0 + x * x) * held * held
    }
}
