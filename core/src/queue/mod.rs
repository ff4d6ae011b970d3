//! The future event list: a trait, and its implementations one file each.
//!
//! All give the same order, so a choice changes speed and memory only:
//!
//! - [`Ladder`], the default, for any number of pending events: up to 256 it is a heap, and beyond that its cost hardly grows
//!   with their number and void ones are swept cheaply;
//! - [`Heap`], a 4-ary heap, where the program is to be small: as fast up to a few hundred, ten times slower at a million;
//! - [`Indexed`] where memory counts: with one event to an entity it holds no void one, at two or three times the ladder's time;
//! - [`SortedArray`] and [`UnorderedArray`] to learn from and to check the others by.
//!
//! [`MinPq`] and [`MaxPq`] are collections for models' own use.

/// A kind whose queues need to be told nothing: `kind!(Heap, DaryHeap<E>)`.
macro_rules! kind {
    ($kind:ty, $list:ty) => {
        impl<T: crate::time::Time> QueueKind<T> for $kind {
            type List<E: Entry<Time = T>> = $list;

            fn list<E: Entry<Time = T>>(&self) -> $list {
                Default::default()
            }
        }
    };
}

mod chunks;
mod fetch;
mod heap;
mod indexed;
mod ladder;
mod run;
mod rung;
mod sorted;
mod textbook;
mod unordered;

pub use heap::{CountedHeap, DaryHeap, Heap};
pub use indexed::{Indexed, IndexedHeap};
pub use ladder::{CountedLadder, Ladder, LadderQueue};
pub use sorted::{SortedArray, SortedVec};
pub use textbook::{MaxPq, MinPq, Ticket, Underflow};
pub use unordered::{UnorderedArray, UnorderedVec};

use crate::time::Time;

/// What a queue knows of an event.
pub trait Entry {
    /// The time type of the simulation.
    type Time: Time;

    /// Time, then class, priority and sequence in one word. No two entries of a queue have the same key.
    fn key(&self) -> (<Self::Time as Time>::Key, u64);

    /// The index of the entity that it is stamped with first, for a queue that finds events by it.
    fn owner(&self) -> Option<usize> {
        None
    }

    /// Whether it comes before another.
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        Self::Time::comes_before(self.key(), other.key())
    }
}

type TimeOf<E> = <<E as Entry>::Time as Time>::Key;
type KeyOf<E> = (TimeOf<E>, u64);

/// A priority queue of pending events in the order of their keys.
///
/// Keys are unique, so every implementation gives the same order, and a simulation the same trace, whichever is used.
pub trait FutureEventList<E: Entry> {
    /// Adds an event.
    fn push(&mut self, entry: E);

    /// Removes the event with the smallest key.
    fn pop(&mut self) -> Option<E>;

    /// As [`pop`](FutureEventList::pop), for a caller that can tell the dead from the living: a queue that looks at a bucketful of
    /// events to find the next hands them over first, and `sift` may drop some. It need not, and most do not.
    #[inline]
    fn pop_sifting(&mut self, sift: impl FnMut(&mut Vec<E>)) -> Option<E> {
        let _ = sift;
        self.pop()
    }

    /// The event with the smallest key. Takes `&mut self` for structures that sort when they are looked at.
    fn peek(&mut self) -> Option<&E>;

    /// As [`peek`](FutureEventList::peek), dropping as [`pop_sifting`](FutureEventList::pop_sifting) does.
    #[inline]
    fn peek_sifting(&mut self, sift: impl FnMut(&mut Vec<E>)) -> Option<&E> {
        let _ = sift;
        self.peek()
    }

    /// An entity was touched, or an event of it cancelled: some of its events so far are dead. A queue that knows where they are
    /// may drop those for which `keep` says no. It need not, and most do not.
    fn touched(&mut self, owner: usize, keep: impl FnMut(&E) -> bool) {
        let _ = (owner, keep);
    }

    /// Entries, dead ones included.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops every entry for which `keep` says no, in O(n), and gives back memory that the rest does not need.
    fn retain(&mut self, keep: impl FnMut(&E) -> bool);

    /// All entries in any order.
    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a;

    /// The last time that can be pushed with the clock where it is; `None` if there is no such limit.
    fn horizon(&self) -> Option<<E::Time as Time>::Key> {
        None
    }

    /// The clock has moved. No living event lies before it.
    fn clock_moved(&mut self, now: E::Time) {
        let _ = now;
    }

    /// Key comparisons so far, for a structure that counts them.
    fn compares(&self) -> Option<u64> {
        None
    }

    /// How many entries have been moved so far from one place in the structure to another, for a structure that counts them.
    /// Putting one in and taking one out is no move.
    fn moves(&self) -> Option<u64> {
        None
    }
}

/// Names an implementation without naming what it holds: the third type parameter of
/// [`Simulation`](crate::Simulation).
pub trait QueueKind<T: Time> {
    /// The queue for entries of type `E`.
    type List<E: Entry<Time = T>>: FutureEventList<E>;

    /// An empty queue.
    fn list<E: Entry<Time = T>>(&self) -> Self::List<E>;
}
