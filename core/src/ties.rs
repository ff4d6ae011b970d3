//! The order of events with equal time, class and priority.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::event::{LAST_SEQUENCE, SEQUENCE_BITS};
use crate::random::Stream;

/// In which order events of equal time, class and priority run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieOrder {
    /// In the order in which they were scheduled.
    #[default]
    Scheduled,
    /// In an order that depends on the seed alone, each of two being first as often as not: to see whether results depend on
    /// the order of simultaneous events.
    Shuffled {
        /// Each seed gives one order.
        seed: u64,
    },
}

/// Maps sequence numbers to places in the queue's order, one to one, and back.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct Places(Option<Shuffle>);

/// A permutation of the 47-bit numbers: three rounds of an odd multiplier, an offset, and a shift that folds the upper half
/// onto the lower one.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct Shuffle([Round; 3]);

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct Round {
    factor: u64,
    inverse: u64,
    offset: u64,
}

/// More than half of the bits, so that the fold undoes itself.
const FOLD: u32 = SEQUENCE_BITS.div_ceil(2);

impl Places {
    pub(crate) fn new(order: TieOrder) -> Places {
        Places(match order {
            TieOrder::Scheduled => None,
            TieOrder::Shuffled { seed } => Some(Shuffle::new(seed)),
        })
    }

    #[inline]
    pub(crate) fn place(&self, sequence: u64) -> u64 {
        match &self.0 {
            None => sequence,
            Some(shuffle) => shuffle.place(sequence),
        }
    }

    #[inline]
    pub(crate) fn sequence(&self, place: u64) -> u64 {
        match &self.0 {
            None => place,
            Some(shuffle) => shuffle.sequence(place),
        }
    }
}

impl Shuffle {
    fn new(seed: u64) -> Shuffle {
        let mut stream = Stream::new(seed, 0, u64::from_le_bytes(*b"tie-keys"));
        Shuffle(std::array::from_fn(|_| {
            let factor = stream.bits() | 1;
            // Newton's iteration doubles the number of right bits: 3, 6, 12, 24, 48.
            let mut inverse = factor;
            for _ in 0..4 {
                inverse = inverse.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(inverse)));
            }
            Round { factor, inverse, offset: stream.bits() }
        }))
    }

    #[cold]
    fn place(&self, sequence: u64) -> u64 {
        self.0.iter().fold(sequence, |x, round| {
            let x = x.wrapping_add(round.offset).wrapping_mul(round.factor) & LAST_SEQUENCE;
            x ^ (x >> FOLD)
        })
    }

    #[cold]
    fn sequence(&self, place: u64) -> u64 {
        self.0.iter().rev().fold(place, |x, round| {
            let x = x ^ (x >> FOLD);
            x.wrapping_mul(round.inverse).wrapping_sub(round.offset) & LAST_SEQUENCE
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_shuffle_can_be_undone(seed: u64, sequence in 0..=LAST_SEQUENCE) {
            let places = Places::new(TieOrder::Shuffled { seed });
            let place = places.place(sequence);
            prop_assert!(place <= LAST_SEQUENCE);
            prop_assert_eq!(places.sequence(place), sequence);
        }
    }
}
