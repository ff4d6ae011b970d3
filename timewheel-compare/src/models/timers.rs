//! Timers of a chosen density: independent events at random times, as thick or as thin as one likes.

use saltus::{Context, Model, Outcome, Stamps};

use super::ticks;
use crate::drivers::Workload;

/// A hundred timers, each set again when it has run out, to a time from an exponential distribution.
#[derive(Clone, Debug)]
pub struct Timers {
    mean: f64,
    /// How many have run out.
    pub events: u64,
}

/// Timers that run side by side.
const SIDE_BY_SIDE: u64 = 100;

/// The longest that a timer is set to, in seconds: within every wheel that settings can give.
const LONGEST: f64 = 1000.0;

const GAPS: u64 = 1;

impl Timers {
    /// Timers that run out `density` times a second altogether, if that is more than one in five seconds or so; a thinner density
    /// comes out too high, as no timer is set to more than 1000 s.
    pub fn new(density: f64) -> Timers {
        Timers { mean: SIDE_BY_SIDE as f64 / density, events: 0 }
    }

    fn gap(&self, cx: &mut impl Context<Self>) -> u64 {
        ticks(cx.stream(GAPS).exponential(self.mean).min(LONGEST))
    }
}

impl Workload for Timers {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        for _ in 0..SIDE_BY_SIDE {
            let gap = self.gap(cx);
            cx.schedule_in(gap, ())?;
        }
        Ok(())
    }
}

impl Model for Timers {
    type Time = u64;
    type Event = ();
    type Refs = Stamps<0>;

    fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
        self.events += 1;
        let gap = self.gap(cx);
        cx.schedule_in(gap, ())?;
        Ok(())
    }

    fn kind(_: &()) -> &'static str {
        "timer"
    }
}
