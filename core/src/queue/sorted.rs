//! A sorted array: slow for many events and obviously right, so it is the oracle for all others.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Entry, FutureEventList, QueueKind};
use crate::time::Time;

/// Entries in a vector, the next one last. Push O(log n) comparisons and O(n) moves, pop and peek O(1). It counts what it does.
///
/// It orders by the time itself, not by its integer key, so that comparing it with another queue checks the keys as well.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct SortedVec<E> {
    entries: Vec<E>,
    compares: u64,
    moves: u64,
}

/// Chooses the sorted array.
#[derive(Clone, Copy, Debug, Default)]
pub struct SortedArray;

kind!(SortedArray, SortedVec<E>);

impl<E> Default for SortedVec<E> {
    fn default() -> Self {
        SortedVec { entries: Vec::new(), compares: 0, moves: 0 }
    }
}

fn order<E: Entry>(entry: &E) -> (<E::Time as Time>::Order, u64) {
    let (time, order) = entry.key();
    (E::Time::from_key(time).order(), order)
}

impl<E: Entry> FutureEventList<E> for SortedVec<E> {
    fn push(&mut self, entry: E) {
        let compares = &mut self.compares;
        let place = self.entries.partition_point(|other| {
            *compares += 1;
            order(other) > order(&entry)
        });
        self.moves += (self.entries.len() - place) as u64;
        self.entries.insert(place, entry);
    }

    fn pop(&mut self) -> Option<E> {
        self.entries.pop()
    }

    fn peek(&mut self) -> Option<&E> {
        self.entries.last()
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
