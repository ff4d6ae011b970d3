//! What happened, in numbers.

use std::collections::BTreeMap;

#[cfg(feature = "serde")]
use serde::Serialize;

use super::history::{Event, Fate, Log};
use super::record::{LogEnd, LogHeader, LogTime};

/// A run in numbers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Summary {
    /// What ran.
    pub header: LogHeader,
    /// How it ended; `None` if the log is incomplete.
    pub end: Option<LogEnd>,
    /// What should make a reader careful.
    pub warnings: Vec<String>,
    /// When the first and the last event ran.
    pub span: Option<(LogTime, LogTime)>,
    /// All events.
    pub total: Fates,
    /// Events by kind, the most frequent first.
    pub kinds: Vec<(String, Fates)>,
    /// Executed events in each of ten equal parts of the span.
    pub rate: Vec<usize>,
    /// Events of the longest chain of causes.
    pub longest_chain: usize,
    /// Of stale and swept events in all that came to an end.
    pub stale_share: f64,
    /// The entities that most executed events were stamped with: index, events.
    pub busiest: Vec<(u32, usize)>,
    /// Executed events whose place after the one before was decided by the tie rule alone; what the one before has scheduled is none.
    pub ties: usize,
    /// Causes and parents that are not in the log.
    pub external: usize,
}

/// How many events came to which end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Fates {
    /// All of them.
    pub scheduled: usize,
    /// They ran.
    pub executed: usize,
    /// Found stale when they came up.
    pub stale: usize,
    /// Swept away before.
    pub swept: usize,
    /// Cancelled by handle.
    pub cancelled: usize,
    /// Moved to another time.
    pub moved: usize,
    /// Nothing yet.
    pub pending: usize,
}

impl Fates {
    fn count(&mut self, event: &Event) {
        self.scheduled += 1;
        *match event.fate {
            Fate::Pending => &mut self.pending,
            Fate::Executed { .. } => &mut self.executed,
            Fate::Stale { .. } => &mut self.stale,
            Fate::Swept { .. } => &mut self.swept,
            Fate::Cancelled { .. } => &mut self.cancelled,
            Fate::Moved { .. } => &mut self.moved,
        } += 1;
    }
}

const BINS: usize = 10;
const BUSIEST: usize = 5;

impl Log {
    /// The run in numbers.
    pub fn summary(&self) -> Summary {
        let mut total = Fates::default();
        let mut kinds = vec![Fates::default(); self.kinds.len()];
        let mut external = 0;
        let mut chain = vec![0u32; self.events.len()];
        let mut longest = 0;
        for (place, event) in self.events.iter().enumerate() {
            total.count(event);
            kinds[event.kind as usize].count(event);
            external += event.origins().filter(|&origin| self.place(origin).is_none()).count();
            let cause = event.cause.and_then(|cause| self.place(cause));
            chain[place] = cause.map_or(0, |cause| chain[cause]) + 1;
            if event.ran() {
                longest = longest.max(chain[place]);
            }
        }
        let mut kinds: Vec<_> = self.kinds.iter().cloned().zip(kinds).collect();
        kinds.sort_by(|(a, x), (b, y)| y.scheduled.cmp(&x.scheduled).then(a.cmp(b)));

        let mut busy: BTreeMap<u32, usize> = BTreeMap::new();
        for entity in self.executed().flat_map(|event| event.entities.iter()) {
            *busy.entry(entity).or_default() += 1;
        }
        let mut busiest: Vec<_> = busy.into_iter().collect();
        busiest.sort_unstable_by_key(|&(entity, events)| (std::cmp::Reverse(events), entity));
        busiest.truncate(BUSIEST);

        let span = self.executed().next().zip(self.executed().last()).map(|(a, b)| (a.time(), b.time()));
        let rank = |event: &Event| (event.due.key(), event.class, event.priority);
        // What the one before has scheduled was not waiting beside it.
        let tied = |(a, b): (&Event, &Event)| rank(a) == rank(b) && b.cause != Some(a.id);
        let ended = total.executed + total.stale + total.swept + total.cancelled + total.moved;
        Summary {
            header: self.header.clone(),
            end: self.end.clone(),
            warnings: self.warnings(),
            span,
            total,
            kinds,
            rate: self.rate(span),
            longest_chain: longest as usize,
            stale_share: if ended == 0 { 0.0 } else { (total.stale + total.swept) as f64 / ended as f64 },
            busiest,
            ties: self.executed().zip(self.executed().skip(1)).filter(|&pair| tied(pair)).count(),
            external,
        }
    }

    fn rate(&self, span: Option<(LogTime, LogTime)>) -> Vec<usize> {
        let Some((first, last)) = span else { return Vec::new() };
        let mut bins = vec![0; BINS];
        let width = last.minus(first);
        for event in self.executed() {
            let part = if width > 0.0 { event.time().minus(first) / width } else { 0.0 };
            // A cast of a float stays within the range of the integer.
            bins[((part * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        bins
    }
}
