//! What a run of particles measures: pressure, temperature and how often they collide, with error bars.

use crate::blocks::{BlockAverages, Estimate, ratio};
use crate::model::{HardSpheres, Schedule, Work};

/// Reads a run from outside, a stretch at a time. The run itself only adds up the virial of its collisions.
#[derive(Clone, Debug)]
pub struct Gauge {
    dim: f64,
    movable: f64,
    volume: f64,
    since: f64,
    work: Work,
    stretches: Vec<Stretch>,
}

/// What has happened between two readings.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    time: f64,
    pairs: f64,
    virial: f64,
    /// kT at its end.
    temperature: f64,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "command", derive(serde::Serialize))]
pub struct Measured {
    /// Simulated time that was measured.
    pub time: f64,
    /// Pair collisions that were measured.
    pub collisions: u64,
    /// kT = 2 K / (D N), K being the kinetic energy and N the number of particles that are no fixed obstacles. It changes only at
    /// walls that move, of which there are none: a spread is rounding.
    pub temperature: Estimate,
    /// Pressure from the collision virial: (2 K + Σ Δp·Δr / t) / (D V). In a box with walls V is what the walls enclose, centres
    /// and rims.
    pub pressure: Estimate,
    /// Z = P V / (N kT).
    pub compressibility: Estimate,
    /// Pair collisions of one particle in a unit of time.
    pub rate: Estimate,
}

impl Gauge {
    /// Measures from time `now` on.
    pub fn new<const D: usize, S: Schedule>(model: &HardSpheres<D, S>, now: f64) -> Gauge {
        let movable = (0..model.len()).filter(|&i| model.disc(i).mass.is_finite()).count();
        Gauge {
            dim: D as f64,
            movable: movable as f64,
            volume: model.walls().volume(),
            since: now,
            work: *model.work(),
            stretches: Vec::new(),
        }
    }

    /// Ends a stretch at time `now`. The error bars want about a hundred stretches, of equal lengths. One in which no time has
    /// passed is none. O(N).
    pub fn read<const D: usize, S: Schedule>(&mut self, model: &HardSpheres<D, S>, now: f64) {
        let (before, after) = (self.work, *model.work());
        if now <= self.since {
            return;
        }
        self.stretches.push(Stretch {
            time: now - self.since,
            pairs: (after.pairs - before.pairs) as f64,
            virial: after.virial - before.virial,
            temperature: 2.0 * model.energy() / (self.dim * self.movable),
        });
        (self.since, self.work) = (now, after);
    }

    /// The results; `None` if nothing has moved, or no time has passed.
    pub fn measured(&self) -> Option<Measured> {
        let stretches = self.stretches.iter();
        let temperature = stretches.clone().map(|s| s.temperature).collect::<BlockAverages>().estimate();
        let ideal = self.movable * temperature.value;
        if self.stretches.is_empty() || ideal == 0.0 {
            return None;
        }
        let virial = ratio(stretches.clone().map(|s| (s.virial, s.time)));
        let pairs = ratio(stretches.clone().map(|s| (s.pairs, s.time)));
        Some(Measured {
            time: stretches.clone().map(|s| s.time).sum(),
            collisions: stretches.map(|s| s.pairs).sum::<f64>() as u64,
            temperature,
            pressure: virial.map(1.0 / (self.dim * self.volume), ideal / self.volume),
            compressibility: virial.map(1.0 / (self.dim * ideal), 1.0),
            rate: pairs.map(2.0 / self.movable, 0.0),
        })
    }
}
