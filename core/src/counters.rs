//! What a run has done so far, in numbers.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Counts since the simulation began. Every scheduled event ends as exactly one of executed, stale, swept, cancelled or
/// rescheduled, or is still pending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Counters {
    /// Events that were given a sequence number and queued.
    pub scheduled: u64,
    /// Events that ran.
    pub executed: u64,
    /// Events found stale when they came up.
    pub stale: u64,
    /// Stale events that were swept away before they came up.
    pub swept: u64,
    /// Events cancelled by their handle.
    pub cancelled: u64,
    /// Events moved to another time, where they count as scheduled once more.
    pub rescheduled: u64,
    /// Executed events that had been waiting beside the one before, with the same time, class and priority: their order was
    /// decided by the tie rule.
    pub ties: u64,
    /// Rounds begun: at least one an instant, and one more for each generation of zero delays.
    pub rounds: u64,
    /// The largest length of the queue, dead entries included.
    pub largest_queue: usize,
}

impl Counters {
    /// The counts of this run and of another that began where it ended. What was pending then counts as scheduled twice.
    pub fn and(&self, later: &Counters) -> Counters {
        Counters {
            scheduled: self.scheduled + later.scheduled,
            executed: self.executed + later.executed,
            stale: self.stale + later.stale,
            swept: self.swept + later.swept,
            cancelled: self.cancelled + later.cancelled,
            rescheduled: self.rescheduled + later.rescheduled,
            ties: self.ties + later.ties,
            rounds: self.rounds + later.rounds,
            largest_queue: self.largest_queue.max(later.largest_queue),
        }
    }

    /// Events in the queue that are neither cancelled nor yet found stale.
    pub fn pending(&self) -> u64 {
        self.scheduled - self.executed - self.stale - self.swept - self.cancelled - self.rescheduled
    }
}
