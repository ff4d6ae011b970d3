//! The workloads: each an ordinary model on the kernel that knows nothing of wheels. Their time is a whole number of
//! nanoseconds unless they say otherwise.

mod debuff;
mod effect;
mod filler;
mod marks;
mod player;
mod streams;
mod timers;

pub use debuff::{Debuff, DebuffEvent};
pub use effect::{Effect, EffectEvent, whole_ticks};
pub use filler::{Filler, FillerEvent};
pub use marks::Marks;
pub use player::{Player, PlayerEvent};
pub use streams::Streams;
pub use timers::Timers;

use saltus::Stream;

/// Ticks a second.
pub const SECOND: u64 = 1_000_000_000;

/// A duration in seconds as ticks.
pub fn ticks(seconds: f64) -> u64 {
    (seconds * SECOND as f64).round() as u64
}

/// Something that goes on and deals damage.
pub trait Damage {
    /// Damage so far.
    fn damage(&self) -> f64;
}

/// The delay between a decision and its effect, drawn anew each time from a normal distribution and never negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// Mean, in seconds.
    pub mean: f64,
    /// Standard deviation, in seconds.
    pub deviation: f64,
    /// Where it is added.
    pub place: Place,
}

/// Where latency is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Place {
    /// To the same delay as the action itself: one event, which one slot quantises.
    Inside,
    /// In an event of its own after the action, whose end a slot has quantised already.
    After,
}

/// The name of the random stream that latency is drawn from.
const LATENCY: u64 = 1;

impl Latency {
    /// None at all.
    pub const NONE: Latency = Latency { mean: 0.0, deviation: 0.0, place: Place::Inside };

    fn is_none(&self) -> bool {
        self.mean == 0.0 && self.deviation == 0.0
    }

    fn draw(&self, stream: &mut Stream) -> u64 {
        if self.is_none() { 0 } else { ticks(stream.normal(self.mean, self.deviation).max(0.0)) }
    }

    fn inside(&self, stream: &mut Stream) -> u64 {
        if self.place == Place::Inside { self.draw(stream) } else { 0 }
    }

    /// The delay of an event of its own; `None` if there is to be none.
    fn after(&self, stream: &mut Stream) -> Option<u64> {
        (self.place == Place::After && !self.is_none()).then(|| self.draw(stream))
    }
}
