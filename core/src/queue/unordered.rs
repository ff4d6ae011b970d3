//! An unordered array: the textbook's first implementation, the slow end of every table.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Entry, FutureEventList, QueueKind};

/// Entries in a vector as they came, and nothing else. Push O(1), peek and pop O(n). It counts what it does.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct UnorderedVec<E> {
    entries: Vec<E>,
    compares: u64,
    moves: u64,
}

/// Chooses the unordered array.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnorderedArray;

kind!(UnorderedArray, UnorderedVec<E>);

impl<E> Default for UnorderedVec<E> {
    fn default() -> Self {
        UnorderedVec { entries: Vec::new(), compares: 0, moves: 0 }
    }
}

impl<E: Entry> UnorderedVec<E> {
    fn first(&mut self) -> Option<usize> {
        self.compares += self.entries.len().saturating_sub(1) as u64;
        (0..self.entries.len()).min_by_key(|&place| self.entries[place].key())
    }
}

impl<E: Entry> FutureEventList<E> for UnorderedVec<E> {
    fn push(&mut self, entry: E) {
        self.entries.push(entry);
    }

    fn pop(&mut self) -> Option<E> {
        let first = self.first()?;
        // The last one fills the gap.
        self.moves += u64::from(first + 1 < self.entries.len());
        Some(self.entries.swap_remove(first))
    }

    fn peek(&mut self) -> Option<&E> {
        let first = self.first()?;
        self.entries.get(first)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn retain(&mut self, keep: impl FnMut(&E) -> bool) {
        self.entries.retain(keep);
        self.entries.shrink_to(2 * self.entries.len());
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.entries.iter()
    }

    fn compares(&self) -> Option<u64> {
        Some(self.compares)
    }

    fn moves(&self) -> Option<u64> {
        Some(self.moves)
    }
}
