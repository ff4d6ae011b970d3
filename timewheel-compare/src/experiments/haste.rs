//! How much a little more of an attribute is worth: damage against haste, and the scale factor, which is the difference quotient.
//!
//! A wheel lengthens every delay to whole slots, so damage does not rise with haste but climbs stairs, and the scale factor is
//! zero on a step and far too high across an edge.

use rayon::prelude::*;
use saltus::{BoxError, Model, Settings as Start};
use serde::Serialize;

use crate::drivers::{Driver, Job, Workload};
use crate::models::{Damage, Filler, Latency, Player, SECOND, Streams};
use crate::settings::Settings;

/// One of the three players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[value(rename_all = "UPPER")]
pub enum Who {
    /// The filler chain
    F,
    /// Parallel streams
    P,
    /// The small but whole player
    M,
}

/// A fight lasts an hour; what happens at its very end is not counted.
pub const FIGHT: u64 = 3600 * SECOND;

/// A sweep over haste.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// Whose fight.
    pub who: Who,
    /// Latency, which only the filler chain and the whole player know.
    pub latency: Latency,
    /// Fights to average over; without latency all are the same.
    pub fights: u64,
}

/// Damage a second at every haste of a sweep, under one driver.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Haste from one point to the next.
    pub step: f64,
    /// Damage a second.
    pub dps: Vec<f64>,
    /// Mean number of events in a fight.
    pub events: f64,
}

/// The largest haste of a sweep.
const MOST_HASTE: f64 = 0.4;

impl Who {
    /// Haste from one point of a sweep to the next, in units of 0.0005.
    fn stride(self) -> usize {
        if self == Who::M { 2 } else { 1 }
    }

    /// Damage a second by the formula, where there is one.
    pub fn exact(self, haste: f64) -> Option<f64> {
        match self {
            Who::F => Some(Filler::exact(haste)),
            Who::P => Some(Streams::exact(haste)),
            Who::M => None,
        }
    }
}

impl Sweep {
    /// A sweep without latency.
    pub fn new(who: Who) -> Sweep {
        Sweep { who, latency: Latency::NONE, fights: 1 }
    }

    /// The sweep under one driver. Every point is computed on its own, so the result does not depend on the number of threads.
    pub fn run(&self, driver: Driver, settings: &Settings) -> Result<Curve, BoxError> {
        let step = 0.0005 * self.who.stride() as f64;
        let points = (MOST_HASTE / step).round() as usize + 1;
        let fights: Result<Vec<(f64, f64)>, BoxError> =
            (0..points).into_par_iter().map(|point| self.fights_at(point as f64 * step, driver, settings)).collect();
        let fights = fights?;
        let events = fights.iter().map(|fight| fight.1).sum::<f64>() / points as f64;
        Ok(Curve { step, dps: fights.into_iter().map(|fight| fight.0).collect(), events })
    }

    fn fights_at(&self, haste: f64, driver: Driver, settings: &Settings) -> Result<(f64, f64), BoxError> {
        let (mut dps, mut events) = (0.0, 0.0);
        for replication in 0..self.fights {
            let one = match self.who {
                Who::F => fight(Filler::new(haste, self.latency), driver, settings, replication),
                Who::P => fight(Streams::new(haste), driver, settings, replication),
                Who::M => fight(Player::new(haste, self.latency), driver, settings, replication),
            }?;
            dps += one.0;
            events += one.1;
        }
        Ok((dps / self.fights as f64, events / self.fights as f64))
    }
}

fn fight<M>(model: M, driver: Driver, settings: &Settings, replication: u64) -> Result<(f64, f64), BoxError>
where
    M: Workload + Damage + Model<Time = u64>,
{
    // An event at the very end is not counted, and the end of a run is inclusive.
    let job = Job::new(model, settings.wheel(SECOND)?, FIGHT - 1);
    let ran = driver.run(Job { settings: Start { replication, ..Start::default() }, ..job })?;
    Ok((ran.model.damage() / (FIGHT / SECOND) as f64, ran.counters.executed as f64))
}

/// By how much a curve is off, and how noisy its scale factors are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Mean relative deviation.
    pub mean: f64,
    /// Standard deviation of the relative deviation: what is left when the mean is known.
    pub rms: f64,
    /// From the largest to the smallest deviation.
    pub peak_to_peak: f64,
    /// For each difference in haste.
    pub scale_factors: Vec<ScaleFactors>,
}

/// Scale factors over a sweep for one difference in haste, relative to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScaleFactors {
    /// The difference in haste.
    pub delta: f64,
    /// Standard deviation of the error.
    pub deviation: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// The share of them that is zero.
    pub zeros: f64,
}

impl Curve {
    /// Haste at a point.
    pub fn haste(&self, point: usize) -> f64 {
        point as f64 * self.step
    }

    /// Scale factors, damage a second for one unit of haste. `None` if the difference is not a whole number of points.
    pub fn scale_factors(&self, delta: f64) -> Option<Vec<f64>> {
        let points = (delta / self.step).round();
        let fits = points >= 1.0 && (points * self.step - delta).abs() < 1e-9 && (points as usize) < self.dps.len();
        fits.then(|| {
            let points = points as usize;
            self.dps.iter().zip(&self.dps[points..]).map(|(low, high)| (high - low) / delta).collect()
        })
    }

    /// The slope of the straight line that fits best.
    pub fn slope(&self) -> f64 {
        let middle = 0.5 * self.haste(self.dps.len() - 1);
        let away = |point: usize| self.haste(point) - middle;
        let (mut product, mut square) = (0.0, 0.0);
        for (point, dps) in self.dps.iter().enumerate() {
            product += away(point) * dps;
            square += away(point).powi(2);
        }
        product / square
    }

    /// Compares with what is right: the formula, or the event-driven curve.
    pub fn errors(&self, right: &Curve, slope: f64, deltas: &[f64]) -> Errors {
        let off: Vec<f64> = self.dps.iter().zip(&right.dps).map(|(dps, right)| dps / right - 1.0).collect();
        let scale_factors = deltas.iter().filter_map(|&delta| {
            let (own, right) = (self.scale_factors(delta)?, right.scale_factors(delta)?);
            let relative: Vec<f64> = own.iter().map(|factor| factor / slope).collect();
            let error: Vec<f64> = own.iter().zip(&right).map(|(own, right)| (own - right) / slope).collect();
            let (least, most) = range(&relative);
            let zeros = relative.iter().filter(|factor| factor.abs() < 1e-9).count() as f64 / relative.len() as f64;
            Some(ScaleFactors { delta, deviation: deviation(&error), least, most, zeros })
        });
        let (least, most) = range(&off);
        Errors {
            mean: mean(&off),
            rms: deviation(&off),
            peak_to_peak: most - least,
            scale_factors: scale_factors.collect(),
        }
    }

    /// The curve of the formula, at the same points.
    pub fn formula(&self, who: Who) -> Option<Curve> {
        let dps: Option<Vec<f64>> = (0..self.dps.len()).map(|point| who.exact(self.haste(point))).collect();
        Some(Curve { step: self.step, dps: dps?, events: self.events })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &value| (least.min(value), most.max(value)))
}

/// A sweep under the event-driven driver and under wheels of several granularities.
pub struct Comparison {
    /// Whose fight.
    pub who: Who,
    /// The event-driven driver.
    pub event_driven: Curve,
    /// What the others are compared with: the formula, or the event-driven driver where there is none or latency.
    pub right: Curve,
    /// The true scale factor.
    pub slope: f64,
    /// Curves of wheels, by slots a second.
    pub wheels: Vec<(u64, Curve)>,
}

impl Comparison {
    /// Runs the sweeps, those of wheels on the one that skips empty slots.
    pub fn run(sweep: &Sweep, granularities: &[u64]) -> Result<Comparison, BoxError> {
        let settings = |granularity| Settings { granularity, ..Settings::default() };
        let event_driven = sweep.run(Driver::EventDriven, &Settings::default())?;
        let formula = event_driven.formula(sweep.who).filter(|_| sweep.latency == Latency::NONE);
        let right = formula.unwrap_or_else(|| event_driven.clone());
        let wheels: Result<Vec<_>, BoxError> = granularities
            .iter()
            .map(|&granularity| Ok((granularity, sweep.run(Driver::SkippingWheel, &settings(granularity))?)))
            .collect();
        Ok(Comparison { who: sweep.who, slope: right.slope(), event_driven, right, wheels: wheels? })
    }

    /// Errors of the event-driven driver (`None`) and of every wheel.
    pub fn errors(&self, deltas: &[f64]) -> Vec<(Option<u64>, Errors)> {
        let event_driven = (None, self.event_driven.errors(&self.right, self.slope, deltas));
        let wheels = self.wheels.iter().map(|(granularity, curve)| {
            // A player with breakpoints of its own is compared with itself at the same haste.
            (Some(*granularity), curve.errors(&self.right, self.slope, deltas))
        });
        std::iter::once(event_driven).chain(wheels).collect()
    }
}
