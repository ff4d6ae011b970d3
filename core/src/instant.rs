//! The rounds of an instant: how zero delays that never end are told from many events at one time.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An instant has rounds. A new one begins with the first event that was scheduled after the present one began. An event that
/// was waiting before the instant began is progress, so it starts the count anew: of those there is an end.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct Instant {
    /// The next sequence number when the instant began.
    began: u64,
    /// The next sequence number when the round began.
    round_began: u64,
    rounds: u64,
    limit: u64,
    /// Something may have been scheduled from outside of handlers, which counts as waiting.
    outside: bool,
}

impl Instant {
    pub(crate) fn new(limit: u64) -> Instant {
        Instant { began: 0, round_began: 0, rounds: 0, limit, outside: true }
    }

    pub(crate) fn open_to_outside(&mut self) {
        self.outside = true;
    }

    /// The instant as it will be when this event runs, and whether that begins a round; `None` if it would begin one too many.
    #[inline]
    pub(crate) fn with(&self, new_instant: bool, sequence: u64, next: u64) -> Option<(Instant, bool)> {
        if new_instant || self.outside {
            return Some((Instant { began: next, round_began: next, rounds: 1, outside: false, ..*self }, true));
        }
        if sequence < self.began {
            return Some((Instant { rounds: 1, ..*self }, false));
        }
        if sequence < self.round_began {
            return Some((*self, false));
        }
        (self.rounds < self.limit).then_some((Instant { rounds: self.rounds + 1, round_began: next, ..*self }, true))
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }
}
