//! Entities and their versions.
//!
//! An entity is anything whose state an event may depend on. Its version is the number of the first event that still counts
//! for it: spawning or touching an entity sets the version to the sequence number that the next event will get. An event that
//! carries the entity's stamp is stale if its own number is smaller. A stamp is therefore only the index of the entity, never
//! wraps around, and cannot match a later tenant of the same slot.

use std::num::NonZeroU32;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::event::NONE;

/// A living thing that events may be stamped with. A copy kept after [`despawn`](crate::Context::despawn) matches nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Entity {
    index: u32,
    /// Counted from 1, so that an entity that may not be there takes no more room than one that is.
    generation: NonZeroU32,
}

impl Entity {
    /// The slot that the entity lives in: dense from 0, reused after a despawn.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl std::fmt::Display for Entity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.generation.get() - 1 {
            0 => write!(f, "{}", self.index),
            again => write!(f, "{}.{again}", self.index),
        }
    }
}

/// One entity's part of the table: 16 bytes, one cache line touched for a stamp's check and its accounting.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct Slot {
    /// The version: events with a smaller sequence number are stale.
    since: u64,
    generation: NonZeroU32,
    /// Stamps in the queue that are still good. A touch turns them all into dead ones at once.
    waiting: u32,
}

/// The versions of all entities, and how many dead stamps the queue holds.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct Entities {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Dead stamps among the queue's entries. An entry with two dead stamps counts twice, so this is never less than the
    /// number of stale entries and never more than twice that.
    dead_stamps: usize,
}

impl Entities {
    pub(crate) fn spawn(&mut self, next: u64) -> Entity {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.since = next;
            return Entity { index, generation: slot.generation };
        }
        let index = index_of(self.slots.len());
        self.slots.push(Slot { since: next, generation: NonZeroU32::MIN, waiting: 0 });
        Entity { index, generation: NonZeroU32::MIN }
    }

    pub(crate) fn despawn(&mut self, entity: Entity, next: u64) -> bool {
        if !self.touch(entity, next) {
            return false;
        }
        let slot = &mut self.slots[entity.index as usize];
        // A slot whose generations are used up is retired, so that no old copy of an entity can match again.
        slot.generation = slot.generation.saturating_add(1);
        if slot.generation != RETIRED {
            self.free.push(entity.index);
        }
        true
    }

    pub(crate) fn touch(&mut self, entity: Entity, next: u64) -> bool {
        let Some(slot) = self.slots.get_mut(entity.index as usize) else {
            return false;
        };
        if slot.generation != entity.generation {
            return false;
        }
        slot.since = next;
        self.dead_stamps += slot.waiting as usize;
        slot.waiting = 0;
        true
    }

    #[inline]
    pub(crate) fn is_alive(&self, entity: Entity) -> bool {
        // The generation of a free slot is one that no entity has yet, that of a retired slot one that none ever has.
        self.slots.get(entity.index as usize).is_some_and(|slot| slot.generation == entity.generation)
    }

    pub(crate) fn version(&self, entity: Entity) -> Option<u64> {
        self.is_alive(entity).then(|| self.slots[entity.index as usize].since)
    }

    #[inline]
    pub(crate) fn is_stale(&self, index: u32, sequence: u64) -> bool {
        self.slots[index as usize].since > sequence
    }

    /// Reads the version of an entity, if there is one in that place, so that it is in the cache.
    #[inline]
    pub(crate) fn glance(&self, index: u32) -> u64 {
        self.slots.get(index as usize).map_or(0, |slot| slot.since)
    }

    /// A stamp of an event has entered the queue.
    #[inline]
    pub(crate) fn add_stamp(&mut self, index: u32) {
        self.slots[index as usize].waiting += 1;
    }

    /// A stamp of the event with this sequence number has left the queue.
    #[inline]
    pub(crate) fn remove_stamp(&mut self, index: u32, sequence: u64) {
        let slot = &mut self.slots[index as usize];
        if slot.since > sequence {
            self.dead_stamps -= 1;
        } else {
            slot.waiting -= 1;
        }
    }

    pub(crate) fn dead_stamps(&self) -> usize {
        self.dead_stamps
    }
}

/// Places of entities and handles are numbered in 32 bits, of which the last number means none. So many living entities do not
/// fit a machine that runs this.
pub(crate) fn index_of(place: usize) -> u32 {
    u32::try_from(place).ok().filter(|&index| index != NONE).expect("fewer than 2^32 - 1 entities or handles alive")
}

/// The generation that is given to no entity.
const RETIRED: NonZeroU32 = NonZeroU32::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_sixteen_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
        assert_eq!((size_of::<Entity>(), size_of::<Option<Entity>>()), (8, 8));
    }

    #[test]
    fn old_copies_match_nothing_even_when_the_generations_run_out() {
        let mut table = Entities::default();
        let mut entity = table.spawn(1);
        table.slots[0].generation = NonZeroU32::new(RETIRED.get() - 3).unwrap();
        entity.generation = table.slots[0].generation;
        let mut old = Vec::new();
        while entity.index == 0 {
            assert!(table.is_alive(entity), "{entity} is born alive");
            assert!(table.despawn(entity, 9));
            old.push(entity);
            entity = table.spawn(10);
            for &old in &old {
                assert!(!table.is_alive(old) && !table.touch(old, 99) && !table.despawn(old, 99), "{old}");
            }
        }
        assert_eq!(old.len(), 3);
        assert!(table.is_alive(entity));
        assert!(!table.free.contains(&0), "a retired slot is never given out again");
    }

    #[test]
    fn stamps_are_counted_through_touches() {
        let mut table = Entities::default();
        let a = table.spawn(1);
        table.add_stamp(0);
        table.add_stamp(0);
        assert!(table.touch(a, 3));
        assert_eq!(table.dead_stamps(), 2);
        table.add_stamp(0);
        table.remove_stamp(0, 3);
        table.remove_stamp(0, 1);
        assert_eq!((table.dead_stamps(), table.slots[0].waiting), (1, 0));
    }
}
