//! Other ways to move the clock.
//!
//! The event-driven driver is [`Simulation::run`](crate::Simulation::run) and its relatives. Here is what a time-driven clock
//! needs: [`Slots`] cut time into pieces, a [`SlottedQueue`] keeps events by slot, and
//! [`Simulation::scan_until`](crate::Simulation::scan_until) visits one slot after the other. The model is the same. For the
//! textbook's fixed step, which knows no events at all, see [`Stepped`].

mod fixed_step;
mod time_driven;

pub use fixed_step::{StepCounters, StepError, Stepped, run_steps};
pub use time_driven::{Poll, ScanCounters};

use crate::queue::{Entry, QueueKind};
use crate::time::Time;

/// Cuts time into slots, numbered from 0.
///
/// Slots follow one another without gaps: slot k owns every time after the end of slot k - 1 and up to its own end, which
/// belongs to it.
pub trait Slots<T: Time> {
    /// The slot that owns a time. Times before slot 0 belong to it as well.
    fn slot_of(&self, time: T) -> u64;

    /// The last time of a slot: when everything in it happens. `None` if that is beyond the end of time.
    fn end_of(&self, slot: u64) -> Option<T>;
}

/// A queue that keeps its events by slot, and a pointer that turns from slot to slot.
pub trait SlottedQueue<T: Time>: QueueKind<T> {
    /// The end of the slot under the pointer.
    fn end_of_slot<E: Entry<Time = T>>(list: &Self::List<E>) -> Option<T>;

    /// Removes the first event, in the order of keys, of the slot under the pointer.
    fn pop_due<E: Entry<Time = T>>(list: &mut Self::List<E>) -> Option<E>;

    /// Turns the pointer back to the slot of the clock, if it was turned ahead to find the next event for the ordinary driver.
    fn turn_back<E: Entry<Time = T>>(list: &mut Self::List<E>);

    /// Turns the pointer to the next slot to be visited, by one slot at least but otherwise not past slot `last`, and returns how
    /// many empty slots were leapt over.
    fn turn<E: Entry<Time = T>>(list: &mut Self::List<E>, last: u64) -> u64;

    /// The slot that owns a time.
    fn slot_of<E: Entry<Time = T>>(list: &Self::List<E>, time: T) -> u64;
}
