//! An unordered array: the textbook's first implementation, the slow end of every table.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Entry, FutureEventList, QueueKind};

/// Entries in a vector as they came, and nothing else. Push O(1), peek and pop O(n).
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct UnorderedVec<E> {
    entries: Vec<E>,
}

/// Chooses the unordered array.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnorderedArray;

kind!(UnorderedArray, UnorderedVec<E>);

impl<E> Default for UnorderedVec<E> {
    fn default() -> Self {
        UnorderedVec { entries: Vec::new() }
    }
}

impl<E: Entry> UnorderedVec<E> {
    fn first(&self) -> Option<usize> {
        (0..self.entries.len()).min_by_key(|&place| self.entries[place].key())
    }
}

impl<E: Entry> FutureEventList<E> for UnorderedVec<E> {
    fn push(&mut self, entry: E) {
        self.entries.push(entry);
    }

    fn pop(&mut self) -> Option<E> {
        Some(self.entries.swap_remove(self.first()?))
    }

    fn peek(&mut self) -> Option<&E> {
        self.entries.get(self.first()?)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn retain(&mut self, keep: impl FnMut(&E) -> bool) {
        self.entries.retain(keep);
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.entries.iter()
    }
}
