//! The energy audit: a certificate for models that lose a known part of their energy at each impact.

use super::error::Short;
use super::log::{Entry, Kind};

/// Checks the energies that a log tells, one event after another, against what they must be: at each impact a fixed ratio is
/// left, between impacts nothing is lost, and never is there more than at the start.
///
/// It knows nothing of the model but the energies, so whatever is wrong in the model shows. The first law broken is reported with
/// the number of the impact.
///
/// ```
/// # use saltus::hybrid::*;
/// # struct Ball;
/// # impl Hybrid for Ball {
/// #     type State = [f64; 2];
/// #     type Mode = ();
/// #     const RULES: &'static [Rule<Self>] =
/// #         &[Rule::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -0.8 * now.pre.x[1]))];
/// #     fn derivative(&self, at: &At<Self>) -> [f64; 2] { [at.x[1], -9.81] }
/// #     fn energy(&self, at: &At<Self>) -> Option<f64> { Some(0.1 * (9.81 * at.x[0] + 0.5 * at.x[1] * at.x[1])) }
/// # }
/// # let mut run = Run::new(Ball, [1.0, 0.0], ())?;
/// let mut audit = EnergyAudit::new(run.energy().unwrap(), 0.8 * 0.8, 1e-9);
/// run.until(2.6)?;
/// audit.check_log(run.log(), "floor").unwrap();
/// assert_eq!(audit.impacts(), 5);
/// assert!((audit.dissipated() - 0.89262582).abs() < 1e-8); // 1 - 0.8^10
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EnergyAudit {
    initial: f64,
    /// After the last impact.
    last: f64,
    ratio: f64,
    tolerance: f64,
    impacts: u32,
}

/// A law that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Between two impacts no energy is lost or won.
    Between,
    /// Of the energy before an impact a fixed ratio is left. At one that brings rest there may be less.
    Ratio,
    /// There is never more than at the start.
    Bound,
}

/// The first law that was found broken.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("impact {impact} at {}: {} {} where {} is right", Short(*time), match law {
    Law::Between => "since the impact before, energy has become",
    Law::Ratio => "the ratio of energies is",
    Law::Bound => "energy has grown to",
}, Short(*found), Short(*expected))]
pub struct Broken {
    /// The number of the impact, counted from 1.
    pub impact: u32,
    /// When.
    pub time: f64,
    /// Which law.
    pub law: Law,
    /// The energy or ratio.
    pub found: f64,
    /// What it must be, or at most.
    pub expected: f64,
}

impl EnergyAudit {
    /// From the energy at the start, the ratio that an impact leaves (the square of the coefficient of restitution), and what a
    /// relative deviation may be.
    pub fn new(initial: f64, ratio: f64, tolerance: f64) -> EnergyAudit {
        EnergyAudit { initial, last: initial, ratio, tolerance, impacts: 0 }
    }

    /// Checks the next impact: its time, the energies before and after it, and whether it brings rest.
    pub fn check(&mut self, time: f64, [before, after]: [f64; 2], rests: bool) -> Result<(), Broken> {
        self.impacts += 1;
        let broken = |law, found, expected| Err(Broken { impact: self.impacts, time, law, found, expected });
        // An energy near zero has no digits: what is left of the start's is the measure then.
        let is_near = |a: f64, b: f64| (a - b).abs() <= self.tolerance * a.abs().max(b.abs()).max(1e-12 * self.initial);
        let (last, ratio) = (self.last, after / before);
        if after > self.initial * (1.0 + self.tolerance) {
            return broken(Law::Bound, after, self.initial);
        }
        if !is_near(before, last) {
            return broken(Law::Between, before, last);
        }
        let is_right = if rests { after <= self.ratio * before } else { is_near(after, self.ratio * before) };
        if !is_right {
            return broken(Law::Ratio, ratio, self.ratio);
        }
        self.last = after;
        Ok(())
    }

    /// Checks the state events of this name in a log, up to the first that breaks a law. Events without energies are passed over.
    pub fn check_log<X>(&mut self, log: &[Entry<X>], name: &str) -> Result<(), Broken> {
        for entry in log.iter().filter(|entry| entry.kind == Kind::State && entry.name == name) {
            if let Some(energy) = entry.energy {
                self.check(entry.time, energy, entry.rests)?;
            }
        }
        Ok(())
    }

    /// Impacts so far.
    pub fn impacts(&self) -> u32 {
        self.impacts
    }

    /// The part of the energy of the start that is gone.
    pub fn dissipated(&self) -> f64 {
        1.0 - self.last / self.initial
    }
}
