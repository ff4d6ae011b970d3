//! F, the filler chain: one spell, cast again and again. Exact damage a second is 50 (1 + h), a straight line.

use saltus::{Context, Model, Outcome, Stamps};

use super::{Damage, Latency, ticks};
use crate::drivers::Workload;

/// Seconds that a cast takes without haste.
const CAST: f64 = 2.0;
const DAMAGE: f64 = 100.0;

/// What happens to the caster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillerEvent {
    /// A cast begins.
    Begin,
    /// A cast ends.
    End,
}

/// Casts of 2 s / (1 + haste) that deal 100 damage, one after the other.
#[derive(Clone, Debug)]
pub struct Filler {
    cast: u64,
    latency: Latency,
    /// Casts that have ended.
    pub casts: u64,
    /// When the first and the last of them did.
    ends: Option<(u64, u64)>,
}

impl Filler {
    /// A caster with that much haste, 0.2 for 20 %.
    pub fn new(haste: f64, latency: Latency) -> Filler {
        Filler::of_length(ticks(CAST / (1.0 + haste)), latency)
    }

    /// A caster whose casts take that many ticks.
    pub fn of_length(cast: u64, latency: Latency) -> Filler {
        Filler { cast, latency, casts: 0, ends: None }
    }

    /// Damage a second in an endless fight.
    pub fn exact(haste: f64) -> f64 {
        DAMAGE / CAST * (1.0 + haste)
    }

    /// Casts after the first one, and the time that they took.
    pub fn periods(&self) -> (u64, u64) {
        self.ends.map_or((0, 0), |(first, last)| (self.casts - 1, last - first))
    }

    fn begin(&self, cx: &mut impl Context<Self>) -> Outcome {
        let latency = self.latency.inside(cx.stream(super::LATENCY));
        cx.schedule_in(self.cast + latency, FillerEvent::End)?;
        Ok(())
    }
}

impl Damage for Filler {
    fn damage(&self) -> f64 {
        DAMAGE * self.casts as f64
    }
}

impl Workload for Filler {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        self.begin(cx)
    }
}

impl Model for Filler {
    type Time = u64;
    type Event = FillerEvent;
    type Refs = Stamps<0>;

    fn handle(&mut self, event: FillerEvent, cx: &mut impl Context<Self>) -> Outcome {
        if event == FillerEvent::Begin {
            return self.begin(cx);
        }
        self.casts += 1;
        self.ends = Some((self.ends.map_or(cx.now(), |ends| ends.0), cx.now()));
        match self.latency.after(cx.stream(super::LATENCY)) {
            Some(latency) => drop(cx.schedule_in(latency, FillerEvent::Begin)?),
            None => self.begin(cx)?,
        }
        Ok(())
    }

    fn kind(event: &FillerEvent) -> &'static str {
        match event {
            FillerEvent::Begin => "cast begins",
            FillerEvent::End => "cast ends",
        }
    }
}
