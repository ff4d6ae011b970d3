//! An implicit d-ary heap.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Entry, FutureEventList, QueueKind};

/// A heap in an array, entries inline, `D` children a node. Push O(log_D n), pop O(D log_D n), peek O(1).
///
/// Entries are exchanged, not moved through a hole, and sink from the top down, not to the bottom and up again: each of the
/// other ways was tried, and gained a twentieth at most; a hole would need `unsafe`.
///
/// With `COUNT` it counts key comparisons and moves, for experiments on work; without, that costs nothing.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct DaryHeap<E, const D: usize = 4, const COUNT: bool = false> {
    entries: Vec<E>,
    compares: u64,
    moves: u64,
}

/// Chooses the 4-ary heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

kind!(Heap, DaryHeap<E>);

/// Chooses the 4-ary heap that counts its key comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountedHeap;

kind!(CountedHeap, DaryHeap<E, 4, true>);

impl<E, const D: usize, const COUNT: bool> Default for DaryHeap<E, D, COUNT> {
    fn default() -> Self {
        const { assert!(D >= 2, "a heap node has at least two children") };
        DaryHeap { entries: Vec::new(), compares: 0, moves: 0 }
    }
}

impl<E: Entry, const D: usize, const COUNT: bool> DaryHeap<E, D, COUNT> {
    /// The entry with the smallest key.
    #[inline]
    pub(super) fn first(&self) -> Option<&E> {
        self.entries.first()
    }

    /// Takes all entries out, in any order, and keeps the memory.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = E> {
        self.entries.drain(..)
    }

    /// Whether the entry at `a` comes before that at `b`.
    #[inline]
    fn less(&mut self, a: usize, b: usize) -> bool {
        self.compares += u64::from(COUNT);
        self.entries[a].is_before(&self.entries[b])
    }

    /// Gives memory back once three quarters of it are not needed: O(1) amortised.
    #[inline]
    fn give_back(&mut self) {
        if self.entries.capacity() > 4 * self.entries.len() + 64 {
            self.entries.shrink_to(2 * self.entries.len());
        }
    }

    #[inline]
    fn exchange(&mut self, a: usize, b: usize) {
        self.moves += if COUNT { 2 } else { 0 };
        self.entries.swap(a, b);
    }

    #[inline]
    fn swim(&mut self, mut node: usize) {
        while node > 0 {
            let parent = (node - 1) / D;
            if !self.less(node, parent) {
                break;
            }
            self.exchange(node, parent);
            node = parent;
        }
    }

    #[inline]
    fn sink(&mut self, mut node: usize) {
        while let Some(least) = self.least_child(node) {
            if !self.less(least, node) {
                break;
            }
            self.exchange(node, least);
            node = least;
        }
    }

    /// The child with the smallest key; `None` for a leaf.
    #[inline]
    fn least_child(&mut self, node: usize) -> Option<usize> {
        let first = node * D + 1;
        let Some(children) = self.entries.get(first..first + D) else {
            // The one node whose children are not all there, or a leaf.
            let mut children = first..self.entries.len();
            let least = children.next()?;
            return Some(children.fold(least, |least, child| if self.less(child, least) { child } else { least }));
        };
        self.compares += if COUNT { D as u64 - 1 } else { 0 };
        let better = |a: usize, b: usize| if children[b].is_before(&children[a]) { b } else { a };
        // A knock-out: its rounds do not wait for each other as the steps of a scan do, and its outcome is computed without
        // a branch, of which half would be guessed wrong.
        let least = match D {
            2 => better(0, 1),
            4 => better(better(0, 1), better(2, 3)),
            8 => better(better(better(0, 1), better(2, 3)), better(better(4, 5), better(6, 7))),
            _ => (1..D).fold(0, better),
        };
        Some(first + least)
    }
}

impl<E: Entry, const D: usize, const COUNT: bool> FutureEventList<E> for DaryHeap<E, D, COUNT> {
    #[inline]
    fn push(&mut self, entry: E) {
        self.entries.push(entry);
        self.swim(self.entries.len() - 1);
    }

    #[inline]
    fn pop(&mut self) -> Option<E> {
        if self.entries.is_empty() {
            return None;
        }
        self.moves += u64::from(COUNT);
        let least = self.entries.swap_remove(0);
        if self.entries.len() > 1 {
            self.sink(0);
        }
        self.give_back();
        Some(least)
    }

    #[inline]
    fn peek(&mut self) -> Option<&E> {
        self.entries.first()
    }

    #[inline]
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn retain(&mut self, keep: impl FnMut(&E) -> bool) {
        self.entries.retain(keep);
        self.give_back();
        for node in (0..self.entries.len().div_ceil(D)).rev() {
            self.sink(node);
        }
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.entries.iter()
    }

    fn compares(&self) -> Option<u64> {
        COUNT.then_some(self.compares)
    }

    fn moves(&self) -> Option<u64> {
        COUNT.then_some(self.moves)
    }
}
