//! What is written down of a trajectory: the log of its events, counts, rows of output.

use std::fmt;

use super::state::State;

/// What an entry of the log is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An indicator has crossed zero.
    State,
    /// A time has come, or a discrete event has changed the trajectory.
    Time,
    /// A step was rejected and tried again: no event.
    Retry,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::State => "state",
            Kind::Time => "time",
            Kind::Retry => "retry",
        })
    }
}

/// A line of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<X> {
    /// When. Of a rejected step, when it began.
    pub time: f64,
    /// What kind of event.
    pub kind: Kind,
    /// The rule. Of a rejected step, `step`.
    pub name: &'static str,
    /// Passes of the instant: one to act and one to see that nothing changes any more, if no more was needed.
    pub iterations: u32,
    /// Evaluations of indicators since the entry before, in the search for events.
    pub evaluations: u64,
    /// By how much the time may lie behind the crossing.
    pub width: f64,
    /// The indicator did not shrink with the bracket: it jumps.
    pub discontinuous: bool,
    /// The state before.
    pub before: X,
    /// The state after.
    pub after: X,
    /// The energy before and after, if the model gives one.
    pub energy: Option<[f64; 2]>,
    /// The model came to rest.
    pub rests: bool,
}

/// The events of a log, without the steps that were rejected.
pub(super) fn events<X>(log: &[Entry<X>]) -> impl Iterator<Item = &Entry<X>> {
    log.iter().filter(|entry| entry.kind != Kind::Retry)
}

/// What has happened so far. Kept whether or not there is a log.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// State events.
    pub state_events: u64,
    /// Time events, and changes by discrete events.
    pub time_events: u64,
    /// Steps accepted.
    pub steps: u64,
    /// Steps rejected.
    pub retries: u64,
    /// Evaluations of the derivative.
    pub derivatives: u64,
    /// Evaluations of indicators.
    pub indicators: u64,
    /// The least time between two instants with events; infinite before the second.
    pub smallest_spacing: f64,
    /// The widest bracket: no event time is further behind its crossing.
    pub widest_bracket: f64,
    /// State events whose indicator jumped.
    pub discontinuous: u64,
}

impl Statistics {
    /// State events in a unit of time, on average over this span.
    pub fn rate(&self, from: f64, to: f64) -> f64 {
        self.state_events as f64 / (to - from)
    }
}

/// Where a row of output belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Between events.
    Between,
    /// Just before an event.
    Before,
    /// Just after it.
    After,
}

/// A row of output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<X, D> {
    /// When.
    pub time: f64,
    /// Before, after or between events.
    pub moment: Moment,
    /// The continuous state.
    pub x: X,
    /// The discrete state.
    pub mode: D,
}

/// Collects rows at `start + k * interval`.
#[derive(Clone, Debug)]
pub(super) struct Output<X, D> {
    start: f64,
    interval: f64,
    next: u64,
    pub(super) rows: Vec<Row<X, D>>,
}

impl<X: State, D: Clone> Output<X, D> {
    pub(super) fn new(start: f64, interval: f64) -> Self {
        Output { start, interval, next: 0, rows: Vec::new() }
    }

    fn next_time(&self) -> f64 {
        self.start + self.next as f64 * self.interval
    }

    /// The rows up to a time, which is included or not.
    #[inline]
    pub(super) fn advance(&mut self, to: f64, included: bool, mode: &D, state_at: impl Fn(f64) -> X) {
        let mut time = self.next_time();
        while time < to || included && time == to {
            self.rows.push(Row { time, moment: Moment::Between, x: state_at(time), mode: mode.clone() });
            self.next += 1;
            time = self.next_time();
        }
    }

    /// The two rows of an instant; a row that was due then is one of them.
    pub(super) fn event(&mut self, time: f64, before: (X, &D), after: (X, &D)) {
        for (moment, (x, mode)) in [(Moment::Before, before), (Moment::After, after)] {
            self.rows.push(Row { time, moment, x, mode: mode.clone() });
        }
        while self.next_time() <= time {
            self.next += 1;
        }
    }
}
