//! What a simulated hour costs on the wall clock, by granularity and by how dense events are.

use std::time::Instant;

use saltus::BoxError;
use serde::Serialize;

use crate::drivers::{Driver, Job};
use crate::models::{Filler, Latency, SECOND, Timers};
use crate::settings::Settings;

/// The cost of a simulated hour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Under which driver.
    pub driver: &'static str,
    /// Slots a second; nothing to the event-driven driver.
    pub granularity: Option<u64>,
    /// Events a second that were asked for.
    pub density: f64,
    /// Events in the hour.
    pub events: u64,
    /// Slots that the pointer stood on.
    pub visited: u64,
    /// Those of them that were empty.
    pub empty: u64,
    /// Milliseconds on the wall clock for the hour.
    pub milliseconds: f64,
    /// The mean delay that the wheel has added to an event, in seconds.
    pub delay: f64,
}

impl Cost {
    /// The share of slots that were empty.
    pub fn empty_share(&self) -> f64 {
        if self.visited == 0 { 0.0 } else { self.empty as f64 / self.visited as f64 }
    }
}

const HOUR: u64 = 3600 * SECOND;

/// Runs an hour of timers `times` times and takes the fastest: what is slower was disturbed by others.
pub fn cost(driver: Driver, density: f64, settings: &Settings, times: u32) -> Result<Cost, BoxError> {
    let mut fastest: Option<Cost> = None;
    for _ in 0..times.max(1) {
        let job = Job::new(Timers::new(density), settings.wheel(SECOND)?, HOUR - 1);
        let begin = Instant::now();
        let ran = driver.run(job)?;
        let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
        if fastest.as_ref().is_none_or(|fastest| milliseconds < fastest.milliseconds) {
            fastest = Some(Cost {
                driver: driver.name(),
                granularity: (driver != Driver::EventDriven).then_some(settings.granularity),
                density,
                events: ran.counters.executed,
                visited: ran.scan.visited,
                empty: ran.scan.empty,
                milliseconds,
                delay: ran.scan.mean_delay() / SECOND as f64,
            });
        }
    }
    fastest.ok_or_else(|| "nothing was run".into())
}

/// Milliseconds on the wall clock for an hour of the filler chain with 20 % haste, the fastest of `times`.
pub fn filler_cost(driver: Driver, settings: &Settings, times: u32) -> Result<f64, BoxError> {
    let mut fastest = f64::INFINITY;
    for _ in 0..times.max(1) {
        let job = Job::new(Filler::new(0.2, Latency::NONE), settings.wheel(SECOND)?, HOUR - 1);
        let begin = Instant::now();
        driver.run(job)?;
        fastest = fastest.min(begin.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(fastest)
}
