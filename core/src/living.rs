//! Which events in the queue are still alive: the entities that stamp them and the slots of their handles.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use slab::Slab;

use crate::entity::Entities;
use crate::event::{Cause, Class, EventId, Header, NONE, Record, Refs};
use crate::model::{Handle, Model};
use crate::ties::Places;
use crate::time::Time;

/// What has become of an event in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Live,
    /// An entity that it is stamped with has been touched.
    Stale,
    /// Its owner has been touched, so that nobody is to be told.
    Disowned,
    /// It was cancelled or moved, and counted then; only its husk is left.
    Gone,
}

/// The part of an event with a handle that lies outside the queue.
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Serialize, T::Delay: Serialize, P: Serialize",
        deserialize = "T: Deserialize<'de>, T::Delay: Deserialize<'de>, P: Deserialize<'de>"
    ))
)]
pub(crate) struct Slot<T: Time, P> {
    pub(crate) ticket: u64,
    /// Of its entry in the queue. An entry with another number is the husk of a former place.
    pub(crate) sequence: u64,
    pub(crate) time: T,
    /// Class and priority.
    pub(crate) rank: (Class, i16),
    pub(crate) stamps: [u32; 2],
    pub(crate) payload: P,
    pub(crate) series: Option<Series<T>>,
}

/// A periodic event: the next firing is the `k`-th after `start`.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Serialize, T::Delay: Serialize",
        deserialize = "T: Deserialize<'de>, T::Delay: Deserialize<'de>"
    ))
)]
pub(crate) struct Series<T: Time> {
    pub(crate) start: T,
    pub(crate) period: T::Delay,
    pub(crate) k: u64,
}

#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "M::Time: Serialize, <M::Time as Time>::Delay: Serialize, M::Event: Serialize",
        deserialize = "M::Time: Deserialize<'de>, <M::Time as Time>::Delay: Deserialize<'de>, M::Event: Deserialize<'de>"
    ))
)]
pub(crate) struct Living<M: Model> {
    pub(crate) entities: Entities,
    pub(crate) slots: Slab<Slot<M::Time, M::Event>>,
    pub(crate) places: Places,
    /// Husks in the queue.
    gone: usize,
}

impl<M: Model> Living<M> {
    pub(crate) fn new(places: Places) -> Self {
        Living { entities: Entities::default(), slots: Slab::new(), places, gone: 0 }
    }

    #[inline]
    pub(crate) fn fate<C>(&self, record: &Record<M::Time, C, M::Refs, M::Event>) -> Fate {
        let sequence = self.places.sequence(record.place());
        if let Some(slot) = record.refs.slot()
            && self.slots.get(slot as usize).is_none_or(|slot| slot.sequence != sequence)
        {
            return Fate::Gone;
        }
        let stamps = record.refs.stamps();
        if !self.any_stale(stamps, sequence) {
            Fate::Live
        } else if M::TELL_STALE && M::OWNED && self.any_stale(&stamps[..1], sequence) {
            Fate::Disowned
        } else {
            Fate::Stale
        }
    }

    /// Reads what the fate of an event hangs on and makes nothing of it.
    #[inline]
    pub(crate) fn glance<C>(&self, record: &Record<M::Time, C, M::Refs, M::Event>) -> u64 {
        record.refs.stamps().iter().fold(0, |seen, &index| seen | self.entities.glance(index))
    }

    /// Whether an event of this fate still has its turn to come: to run or, if the model asks, to be told as stale.
    #[inline]
    pub(crate) fn counts(&self, fate: Fate) -> bool {
        fate == Fate::Live || fate == Fate::Stale && M::TELL_STALE
    }

    #[inline]
    fn any_stale(&self, stamps: &[u32], sequence: u64) -> bool {
        stamps.iter().any(|&index| index != NONE && self.entities.is_stale(index, sequence))
    }

    /// What is known of an event apart from its payload.
    #[inline]
    pub(crate) fn header<C: Cause>(&self, record: &Record<M::Time, C, M::Refs, M::Event>) -> Header<M::Time> {
        let id = EventId::new(self.places.sequence(record.place()));
        Header::new(id, M::Time::from_key(record.time), record.order, record.cause, &record.refs)
    }

    /// The payload of an event; `None` if it is gone. An answer instead of a panic, so that where no observer looks at it
    /// nothing is left of the call.
    #[inline]
    pub(crate) fn payload<'a, C>(&'a self, record: &'a Record<M::Time, C, M::Refs, M::Event>) -> Option<&'a M::Event> {
        M::Refs::payload(&record.body).or_else(|| Some(&self.slots.get(record.refs.slot()? as usize)?.payload))
    }

    /// The slot of a pending event that would run.
    pub(crate) fn pending(&self, handle: Handle) -> Option<&Slot<M::Time, M::Event>> {
        let slot = self.slots.get(handle.slot as usize)?;
        (slot.ticket == handle.ticket && !self.any_stale(&slot.stamps, slot.sequence)).then_some(slot)
    }

    /// A pending event has been cancelled or moved; its entry stays in the queue as a husk.
    pub(crate) fn add_husk(&mut self) {
        self.gone += 1;
    }

    /// The stamps whose touch leaves an event that may be swept: all, none, or the owner's.
    #[inline]
    fn killers(stamps: &[u32]) -> impl Iterator<Item = u32> {
        let count = match (M::TELL_STALE, M::OWNED) {
            (false, _) => stamps.len(),
            (true, true) => stamps.len().min(1),
            (true, false) => 0,
        };
        stamps[..count].iter().copied().filter(|&index| index != NONE)
    }

    #[inline]
    pub(crate) fn entered(&mut self, stamps: &[u32]) {
        for index in Self::killers(stamps) {
            self.entities.add_stamp(index);
        }
    }

    /// An entry has left the queue.
    #[inline]
    pub(crate) fn left<C>(&mut self, record: &Record<M::Time, C, M::Refs, M::Event>, fate: Fate) {
        let sequence = self.places.sequence(record.place());
        for index in Self::killers(record.refs.stamps()) {
            self.entities.remove_stamp(index, sequence);
        }
        if fate == Fate::Gone {
            self.gone -= 1;
        }
    }

    /// Frees the slot of an event that has come to its end.
    pub(crate) fn take_slot(&mut self, refs: &M::Refs) -> Option<Slot<M::Time, M::Event>> {
        Some(self.slots.remove(refs.slot()? as usize))
    }

    /// Whether more than half of `length` entries, and a few, may be dead. Of a model that is told of its stale events only
    /// husks and events of touched owners count, since nothing else may be swept.
    #[inline]
    pub(crate) fn worth_a_sweep(&self, length: usize) -> bool {
        2 * (self.entities.dead_stamps() + self.gone) > length + SWEEP_SLACK
    }
}

/// With this the queue stays within twice the living and 64: it is swept as soon as the dead exceed half of it and 32.
const SWEEP_SLACK: usize = 64;
