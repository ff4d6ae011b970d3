//! A heap that knows where each entity's event is, and moves it in place when the entity is touched and scheduled anew.
//!
//! Nothing is ever stale in it as long as an entity has one pending event at a time: timers that are set again and again, or
//! particles with one prediction each. Its length is then the number of living events, where other queues hold up to twice as
//! many. The price is that each move in the heap also writes down the new place, at random in memory: a ladder that sweeps its
//! dead now and then takes less time.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Entry, FutureEventList, QueueKind};

/// A 4-ary heap with the place of each owner's latest event. Push, pop, taking out and moving O(log n), peek O(1).
///
/// A touched event keeps its place until the queue is looked at, so that the owner's next one can take it: from there it moves
/// up or down to where it belongs. An entity may well have several pending events. Those before the latest are then found stale
/// when they come up, as in every other queue, and the order of events is the same.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct IndexedHeap<E> {
    entries: Vec<E>,
    /// By owner: where its latest event is, or `NOWHERE`.
    places: Vec<u32>,
    /// Owners whose latest event is void and counts no more, though it still lies in the heap; the last touched last.
    void: Vec<usize>,
}

/// Chooses the indexed heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indexed;

kind!(Indexed, IndexedHeap<E>);

const NOWHERE: u32 = u32::MAX;
const ARITY: usize = 4;
/// So many void events may wait for a successor: few, since they are searched one by one. Handlers seldom touch more.
const VOID: usize = 8;

impl<E> Default for IndexedHeap<E> {
    fn default() -> Self {
        IndexedHeap { entries: Vec::new(), places: Vec::new(), void: Vec::new() }
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

    /// The place of an owner's void event, which is void no more.
    #[inline]
    fn reuse(&mut self, owner: usize) -> Option<usize> {
        let found = self.void.iter().position(|&void| void == owner)?;
        self.void.remove(found);
        Some(self.places[owner] as usize)
    }

    /// Takes all void entries out.
    #[inline]
    fn settle(&mut self) {
        while let Some(owner) = self.void.pop() {
            self.take(self.places[owner] as usize);
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
            self.sift(node);
        }
        entry
    }

    /// Gives memory back once three quarters of it are not needed: O(1) amortised.
    #[inline]
    fn give_back(&mut self) {
        if self.entries.capacity() > 4 * self.entries.len() + 64 {
            self.entries.shrink_to(2 * self.entries.len());
        }
    }

    /// Moves an entry to where it belongs, up or down.
    fn sift(&mut self, node: usize) {
        if !self.swim(node) {
            self.sink(node);
        }
    }

    /// Moves an entry up. Whether it moved.
    fn swim(&mut self, mut node: usize) -> bool {
        let start = node;
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
        // The place of the entry that moves is written down once, here: on its way nobody asks for it.
        self.write_down(owner, node as u32);
        node != start
    }

    /// Moves an entry down.
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
        self.write_down(owner, node as u32);
    }
}

impl<E: Entry> FutureEventList<E> for IndexedHeap<E> {
    fn push(&mut self, entry: E) {
        let owner = entry.owner();
        if let Some(node) = owner.and_then(|owner| self.reuse(owner)) {
            self.entries[node] = entry;
            return self.sift(node);
        }
        let node = self.entries.len();
        if let Some(owner) = owner {
            if owner >= self.places.len() {
                self.places.resize(owner + 1, NOWHERE);
            }
            self.places[owner] = u32::try_from(node).expect("fewer than 2^32 entries");
        }
        self.entries.push(entry);
        self.swim(node);
    }

    fn pop(&mut self) -> Option<E> {
        self.settle();
        let first = (!self.entries.is_empty()).then(|| self.take(0));
        self.give_back();
        first
    }

    fn peek(&mut self) -> Option<&E> {
        self.settle();
        self.entries.first()
    }

    fn touched(&mut self, owner: usize, mut keep: impl FnMut(&E) -> bool) {
        let place = self.places.get(owner).map_or(NOWHERE, |&place| place) as usize;
        let Some(entry) = self.entries.get(place) else { return };
        if self.void.contains(&owner) || keep(entry) {
            return;
        }
        if self.void.len() == VOID {
            let first = self.void.remove(0);
            self.take(self.places[first] as usize);
        }
        self.void.push(owner);
    }

    fn len(&self) -> usize {
        self.entries.len() - self.void.len()
    }

    fn retain(&mut self, keep: impl FnMut(&E) -> bool) {
        self.settle();
        self.entries.retain(keep);
        self.give_back();
        // A sweep may leave several events of one owner; which of them is tracked does not matter for the order.
        let owners = self.entries.iter().filter_map(E::owner).max().map_or(0, |last| last + 1);
        self.places.clear();
        self.places.resize(owners, NOWHERE);
        self.places.shrink_to(2 * owners);
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
        let is_void = |node: usize| self.void.iter().any(|&owner| self.places[owner] as usize == node);
        self.entries.iter().enumerate().filter(move |&(node, _)| !is_void(node)).map(|(_, entry)| entry)
    }
}
