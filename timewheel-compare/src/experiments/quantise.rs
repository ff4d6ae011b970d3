//! Where a wheel puts events, and when they happen there.
//!
//! At a resolution of 1 ms and 32 slots a second the first slot ends at 30 ms, the second at 61, then 92, 124, 155 and so on:
//! slots are 31, 31, 31 and 32 ms long. The description that this follows lists 0.123 and 0.154 for the fourth and fifth, which is
//! 31 ms added by hand; its own total of 193 slots that end at 6.030 s holds only with every fourth slot one longer. For the same
//! reason its 5.992 for the slot before should read 5.999.

use saltus::BoxError;
use saltus::driver::Slots;
use serde::Serialize;

use crate::drivers::{Driver, Job};
use crate::models::Marks;
use crate::settings::Settings;

/// An event, and what the wheel has made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Quantised {
    /// When it is due, in ticks.
    pub due: u64,
    /// Its slot, counted from 1 as people do.
    pub slot: u64,
    /// When it happens, in ticks.
    pub happens: u64,
}

impl Quantised {
    /// The delay, in ticks.
    pub fn delay(&self) -> u64 {
        self.happens - self.due
    }
}

/// Runs events at these times on a wheel with `resolution` ticks a second.
pub fn quantise(due: &[u64], settings: &Settings, resolution: u64) -> Result<Vec<Quantised>, BoxError> {
    // The question is where events happen, not how far the wheel reaches.
    let wheel = settings.wheel(resolution)?.parking();
    let end = due.iter().max().map_or(0, |&last| wheel.slots.end_of(wheel.slots.slot_of(last)).unwrap_or(last));
    let ran = Driver::SkippingWheel.run(Job::new(Marks::new(due.to_vec()), wheel, end))?;
    let mut rows = vec![None; due.len()];
    for &(number, happens) in &ran.model.happened {
        let due = due[number];
        rows[number] = Some(Quantised { due, slot: wheel.slots.slot_of(due) + 1, happens });
    }
    let lost = || BoxError::from("an event was lost");
    rows.into_iter().map(|row| row.ok_or_else(lost)).collect()
}
