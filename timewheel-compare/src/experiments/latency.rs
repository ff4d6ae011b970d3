//! What random latency does to the stairs. Added to the same delay, it smears the edges: the oscillation of the mean period with
//! the length of a cast, (s/π) for slots of length s, is damped by exp(-2π²σ²/s²). A constant latency does nothing, the mean loss
//! of half a slot stays in any case, and latency after the slot's end comes too late to smear anything.

use std::f64::consts::PI;

use rayon::prelude::*;
use saltus::{BoxError, Settings as Start};
use serde::Serialize;

use crate::drivers::{Driver, Job};
use crate::models::{Filler, Latency, Place, SECOND};
use crate::settings::Settings;

/// The oscillation that some latency leaves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Damping {
    /// Mean latency, in seconds.
    pub mean: f64,
    /// Its standard deviation, in seconds.
    pub deviation: f64,
    /// Whether it was inside of the delay.
    pub inside: bool,
    /// By how much a period is longer than the cast, in the mean, in seconds.
    pub offset: f64,
    /// The amplitude of the first harmonic of the mean period, in seconds.
    pub amplitude: f64,
    /// The amplitude by the formula for latency inside of the delay.
    pub predicted: f64,
}

/// Casts of lengths that lie evenly in a slot.
const PHASES: u32 = 32;

/// Casts a length, in fights of an hour.
const FIGHTS: u64 = 2;

/// Measures the mean period for casts just under two seconds.
pub fn damping(latency: Latency, settings: &Settings) -> Result<Damping, BoxError> {
    let slot = 1.0 / settings.granularity as f64;
    let periods: Result<Vec<(f64, f64)>, BoxError> = (0..PHASES)
        .into_par_iter()
        .map(|phase| {
            let shorter = (f64::from(phase) + 0.5) / f64::from(PHASES) * slot;
            let cast = 2.0 - shorter;
            Ok((cast, mean_period((cast * SECOND as f64).round() as u64, latency, settings)?))
        })
        .collect();
    let (mut offset, mut cosine, mut sine) = (0.0, 0.0, 0.0);
    for (cast, period) in periods? {
        let (added, angle) = (period - cast, 2.0 * PI * cast / slot);
        offset += added / f64::from(PHASES);
        cosine += 2.0 * added * angle.cos() / f64::from(PHASES);
        sine += 2.0 * added * angle.sin() / f64::from(PHASES);
    }
    let damped = (-2.0 * (PI * latency.deviation / slot).powi(2)).exp();
    Ok(Damping {
        mean: latency.mean,
        deviation: latency.deviation,
        inside: latency.place == Place::Inside,
        offset,
        amplitude: cosine.hypot(sine),
        predicted: slot / PI * damped,
    })
}

fn mean_period(cast: u64, latency: Latency, settings: &Settings) -> Result<f64, BoxError> {
    let (mut casts, mut time) = (0, 0);
    for replication in 0..FIGHTS {
        let job = Job::new(Filler::of_length(cast, latency), settings.wheel(SECOND)?, 3600 * SECOND - 1);
        let ran = Driver::SkippingWheel.run(Job { settings: Start { replication, ..Start::default() }, ..job })?;
        let periods = ran.model.periods();
        casts += periods.0;
        time += periods.1;
    }
    Ok(time as f64 / SECOND as f64 / casts as f64)
}
