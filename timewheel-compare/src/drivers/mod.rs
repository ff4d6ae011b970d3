//! The drivers, one file each. Another one is its file and its line below.

use saltus::driver::{ScanCounters, Slots};
use saltus::{BoxError, Context, Counters, Model, Observer, Outcome, Settings, Stop};

use crate::wheel::Wheel;

/// A model that knows how it begins.
pub trait Workload: Model {
    /// Schedules the first events. Called once, from outside, at the start.
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome;
}

/// A run to be made, whatever the driver.
pub struct Job<M: Workload, S, O = ()> {
    /// The model.
    pub model: M,
    /// Who watches.
    pub observer: O,
    /// The start of the clock, and the random numbers.
    pub settings: Settings<M::Time>,
    /// How time is cut, for drivers that cut it.
    pub wheel: Wheel<S>,
    /// When the run ends.
    pub end: M::Time,
    /// Whether what is due at the very start happens then, before the wheel begins to turn. Otherwise it waits for the end of the
    /// first slot.
    pub head_start: bool,
}

impl<M: Workload, S> Job<M, S> {
    /// A run from the beginning of time with seed 0.
    pub fn new(model: M, wheel: Wheel<S>, end: M::Time) -> Job<M, S> {
        Job { model, observer: (), settings: Settings::default(), wheel, end, head_start: false }
    }
}

/// What has come of it.
pub struct Ran<M, O = ()> {
    /// The model at the end.
    pub model: M,
    /// Who has watched.
    pub observer: O,
    /// Why it ended.
    pub stop: Stop,
    /// What the kernel has counted.
    pub counters: Counters,
    /// What a time-driven clock has counted; nothing under another.
    pub scan: ScanCounters,
}

/// A way to move the clock.
pub trait Drive {
    /// Runs a model to its end.
    fn run<M, S, O>(job: Job<M, S, O>) -> Result<Ran<M, O>, BoxError>
    where
        M: Workload,
        S: Slots<M::Time> + Copy,
        O: Observer<M>;
}

macro_rules! drivers {
    ($($(#[$doc:meta])* $name:ident in $file:ident, $words:literal;)*) => {
        $(mod $file;)*

        /// The drivers under which any model runs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
        pub enum Driver {
            $($(#[$doc])* $name,)*
        }

        impl Driver {
            /// All of them.
            pub const ALL: &[Driver] = &[$(Driver::$name),*];

            /// What to call it in a table.
            pub fn name(self) -> &'static str {
                match self { $(Driver::$name => $words,)* }
            }

            /// Runs a model to its end.
            pub fn run<M, S, O>(self, job: Job<M, S, O>) -> Result<Ran<M, O>, BoxError>
            where
                M: Workload,
                S: Slots<M::Time> + Copy,
                O: Observer<M>,
            {
                match self { $(Driver::$name => $file::$name::run(job),)* }
            }
        }
    };
}

drivers! {
    /// Leaps from event to event; the kernel's own.
    EventDriven in event_driven, "event-driven";
    /// Visits every slot; everything in it happens at its end.
    QuantisingWheel in quantising_wheel, "quantising wheel";
    /// Visits every slot; events keep their times.
    SortedBucketWheel in sorted_bucket_wheel, "sorted-bucket wheel";
    /// Leaps over empty slots; everything in a slot happens at its end.
    SkippingWheel in skipping_wheel, "bitmap-skipping wheel";
}
