//! P, parallel streams: three chains side by side that have nothing to do with each other. Exact damage a second is
//! 74.871795 (1 + h).

use saltus::{Context, Model, Outcome, Stamps};

use super::{Damage, ticks};
use crate::drivers::Workload;

/// Seconds without haste, and damage.
const STREAMS: [(f64, f64); 3] = [(2.0, 100.0), (3.0, 40.0), (2.6, 30.0)];

/// Chains of events, each with a period and damage of its own.
#[derive(Clone, Debug)]
pub struct Streams {
    haste: f64,
    /// Events of each chain.
    pub events: [u64; 3],
}

impl Streams {
    /// Streams with that much haste, 0.2 for 20 %.
    pub fn new(haste: f64) -> Streams {
        Streams { haste, events: [0; 3] }
    }

    /// Damage a second in an endless fight.
    pub fn exact(haste: f64) -> f64 {
        STREAMS.iter().map(|(period, damage)| damage / period).sum::<f64>() * (1.0 + haste)
    }

    fn go_on(&self, stream: usize, cx: &mut impl Context<Self>) -> Outcome {
        cx.schedule_in(ticks(STREAMS[stream].0 / (1.0 + self.haste)), stream)?;
        Ok(())
    }
}

impl Damage for Streams {
    fn damage(&self) -> f64 {
        self.events.iter().zip(STREAMS).map(|(&events, (_, damage))| events as f64 * damage).sum()
    }
}

impl Workload for Streams {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        (0..STREAMS.len()).try_for_each(|stream| self.go_on(stream, cx))
    }
}

impl Model for Streams {
    type Time = u64;
    type Event = usize;
    type Refs = Stamps<0>;

    fn handle(&mut self, stream: usize, cx: &mut impl Context<Self>) -> Outcome {
        self.events[stream] += 1;
        self.go_on(stream, cx)
    }

    fn kind(_: &usize) -> &'static str {
        "hit"
    }
}
