//! A heap that knows where each entity's event is, and takes it out as soon as the entity is touched.
//!
//! Nothing is ever stale in it as long as an entity has one pending event at a time: timers that are set again and again, or
//! particles with one prediction each. Its length is then the number of living events, where other queues hold up to twice as
//! many. The price is that each move in the heap also writes down the new place, at random in memory: a ladder that sweeps its
//! dead now and then takes less time.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Entry, FutureEventList, QueueKind};

/// A 4-ary heap with the place of each owner's latest event. Push, pop and taking out O(log n), peek O(1).
///
/// An entity may well have several pending events. Those before the latest are then found stale when they come up, as in every
/// other queue, and the order of events is the same.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct IndexedHeap<E> {
    entries: Vec<E>,
    /// By owner: where its latest event is, or `NOWHERE`.
    places: Vec<u32>,
}

/// Chooses the indexed heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indexed;

kind!(Indexed, IndexedHeap<E>);

const NOWHERE: u32 = u32::MAX;
const ARITY: usize = 4;

impl<E> Default for IndexedHeap<E> {
    fn default() -> Self {
        IndexedHeap { entries: Vec::new(), places: Vec::new() }
    }
}

impl<E: Entry> IndexedHeap<E> {
    /// The owner of the entry at `node`, if that is its latest. Of an owner with several events only the latest is tracked.
    #[inline]
    fn tracked(&self, node: usize) -> Option<usize> {
        let owner = self.entries[node].owner()?;
        (self.places[owner] == node as u32).then_some(owner)
    }

    #[inline]
    fn write_down(&mut self, owner: Option<usize>, place: u32) {
        if let Some(owner) = owner {
            self.places[owner] = place;
        }
    }

    /// Takes the entry at `node` out; the last one takes its place and moves to where it belongs.
    fn take(&mut self, node: usize) -> E {
        let last = self.entries.len() - 1;
        let (taken, moved) = (self.tracked(node), self.tracked(last));
        let entry = self.entries.swap_remove(node);
        self.write_down(moved, node as u32);
        self.write_down(taken, NOWHERE);
        if node < last {
            self.swim(node);
            self.sink(node);
        }
        entry
    }

    fn swim(&mut self, mut node: usize) {
        let owner = self.tracked(node);
        while node > 0 {
            let parent = (node - 1) / ARITY;
            if !self.entries[node].is_before(&self.entries[parent]) {
                break;
            }
            let other = self.tracked(parent);
            self.entries.swap(node, parent);
            self.write_down(other, node as u32);
            node = parent;
        }
        self.write_down(owner, node as u32);
    }

    fn sink(&mut self, mut node: usize) {
        let owner = self.tracked(node);
        loop {
            let first = node * ARITY + 1;
            let children = first..(first + ARITY).min(self.entries.len());
            let better = |a: usize, b: usize| {
                if self.entries[b].is_before(&self.entries[a]) { b } else { a }
            };
            let least = children.reduce(better);
            let Some(least) = least.filter(|&least| self.entries[least].is_before(&self.entries[node])) else {
                break;
            };
            let other = self.tracked(least);
            self.entries.swap(node, least);
            self.write_down(other, node as u32);
            node = least;
        }
        // The place of the sinking entry is written down once, here: on its way nobody asks for it.
        self.write_down(owner, node as u32);
    }
}

impl<E: Entry> FutureEventList<E> for IndexedHeap<E> {
    fn push(&mut self, entry: E) {
        let node = self.entries.len();
        if let Some(owner) = entry.owner() {
            if owner >= self.places.len() {
                self.places.resize(owner + 1, NOWHERE);
            }
            self.places[owner] = u32::try_from(node).expect("fewer than 2^32 entries");
        }
        self.entries.push(entry);
        self.swim(node);
    }

    fn pop(&mut self) -> Option<E> {
        (!self.entries.is_empty()).then(|| self.take(0))
    }

    fn peek(&mut self) -> Option<&E> {
        self.entries.first()
    }

    fn touched(&mut self, owner: usize, mut keep: impl FnMut(&E) -> bool) {
        let place = self.places.get(owner).map_or(NOWHERE, |&place| place) as usize;
        if self.entries.get(place).is_some_and(|entry| !keep(entry)) {
            self.take(place);
        }
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn retain(&mut self, keep: impl FnMut(&E) -> bool) {
        self.entries.retain(keep);
        self.entries.shrink_to(2 * self.entries.len());
        // A sweep may leave several events of one owner; which of them is tracked does not matter for the order.
        self.places.fill(NOWHERE);
        for (node, entry) in self.entries.iter().enumerate() {
            if let Some(owner) = entry.owner() {
                self.places[owner] = node as u32;
            }
        }
        for node in (0..self.entries.len().div_ceil(ARITY)).rev() {
            self.sink(node);
        }
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.entries.iter()
    }
}
