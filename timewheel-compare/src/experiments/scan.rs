//! The cost of waiting: a debuff that ends after some seconds and then explodes, under each driver.

use saltus::driver::Slots;
use saltus::{BoxError, Model, Observer};
use serde::Serialize;

use crate::drivers::{Driver, Job, Ran};
use crate::models::Debuff;
use crate::settings::Settings;

/// What it took to get to the explosion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scanned {
    /// Under which driver.
    pub driver: &'static str,
    /// Events executed.
    pub events: u64,
    /// Slots that the pointer stood on.
    pub visited: u64,
    /// Those of them that were empty.
    pub empty: u64,
    /// Slots that were leapt over.
    pub skipped: u64,
    /// How often the clock moved.
    pub moves: u64,
    /// When the debuff exploded, in ticks.
    pub fired: u64,
}

/// Counts how often the clock moves while anything is still to come.
#[derive(Clone, Copy, Debug, Default)]
struct Moves(u64);

impl<M: Model> Observer<M> for Moves {
    type Cause = ();

    fn clock(&mut self, _: M::Time, _: M::Time) {
        self.0 += 1;
    }
}

/// Runs a debuff of `delay` ticks, applied at the start before the wheel begins to turn.
pub fn scan(driver: Driver, delay: u64, settings: &Settings, resolution: u64) -> Result<Scanned, BoxError> {
    let ran = watch(driver, delay, settings, resolution, Moves::default())?;
    let &(fired, _) = ran.model.happened.last().ok_or("the debuff did not explode")?;
    Ok(Scanned {
        driver: driver.name(),
        events: ran.counters.executed,
        visited: ran.scan.visited,
        empty: ran.scan.empty,
        skipped: ran.scan.skipped,
        moves: ran.observer.0,
        fired,
    })
}

/// The same run for somebody who watches it.
pub fn watch<O: Observer<Debuff>>(
    driver: Driver,
    delay: u64,
    settings: &Settings,
    resolution: u64,
    observer: O,
) -> Result<Ran<Debuff, O>, BoxError> {
    let wheel = settings.wheel(resolution)?;
    // To its very end, so that the clock is not moved once more than events ask for.
    let end = match driver {
        Driver::EventDriven | Driver::SortedBucketWheel => delay,
        Driver::QuantisingWheel | Driver::SkippingWheel => {
            wheel.slots.end_of(wheel.slots.slot_of(delay)).unwrap_or(delay)
        }
    };
    let Job { model, settings, .. } = Job::new(Debuff::new(delay), wheel, end);
    driver.run(Job { model, settings, wheel, end, observer, head_start: true })
}
