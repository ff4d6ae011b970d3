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

/// What an event is to the instant in which it comes up.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    /// The first of a new one.
    Instant,
    /// Waiting since before it began.
    Waiting,
    /// One more of the round.
    SameRound,
    /// The first of another round.
    Round,
}

impl Instant {
    pub(crate) fn new(limit: u64) -> Instant {
        Instant { began: 0, round_began: 0, rounds: 0, limit, outside: true }
    }

    pub(crate) fn open_to_outside(&mut self) {
        self.outside = true;
    }

    /// What it would mean to the instant if this event ran; `None` if it would begin one round too many.
    #[inline]
    pub(crate) fn turn(&self, new_instant: bool, sequence: u64) -> Option<Turn> {
        if new_instant || self.outside {
            return Some(Turn::Instant);
        }
        if sequence < self.began {
            return Some(Turn::Waiting);
        }
        if sequence < self.round_began {
            return Some(Turn::SameRound);
        }
        (self.rounds < self.limit).then_some(Turn::Round)
    }

    /// The event runs. Whether that begins a round.
    #[inline]
    pub(crate) fn take(&mut self, turn: Turn, next: u64) -> bool {
        match turn {
            Turn::Instant => (self.began, self.round_began, self.rounds, self.outside) = (next, next, 1, false),
            Turn::Round => (self.round_began, self.rounds) = (next, self.rounds + 1),
            Turn::Waiting => self.rounds = 1,
            Turn::SameRound => {}
        }
        matches!(turn, Turn::Instant | Turn::Round)
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }
}
