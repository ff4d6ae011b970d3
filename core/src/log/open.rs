//! What a ring keeps of events that are older than it.

use std::collections::{BTreeMap, VecDeque};

use slab::Slab;

use super::record::Scheduled;

/// Events whose scheduling has left the ring before their fate.
///
/// Most are closed soon, so the latest ids have a place each, and only what stays open for long goes into a map.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenEvents {
    slots: Slab<Open>,
    /// The id of the first place.
    first: u64,
    places: VecDeque<u32>,
    old: BTreeMap<u64, u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) event: Scheduled<'static>,
    pub(super) kind: usize,
    pub(super) label: Option<Box<str>>,
}

/// The place of an event that is closed.
const CLOSED: u32 = u32::MAX;

/// Places for each open event, and a few: four bytes each.
const ROOM: usize = 16;
const SLACK: usize = 1024;

impl OpenEvents {
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn insert(&mut self, open: Open) {
        let id = open.event.id.sequence();
        let slot = self.slots.insert(open) as u32;
        if self.places.is_empty() {
            self.first = id;
        }
        // Ids come in order and without gaps, but for events that were scheduled before anybody watched.
        if id == self.first + self.places.len() as u64 {
            self.places.push_back(slot);
        } else {
            self.old.insert(id, slot);
        }
        while self.places.len() > ROOM * self.slots.len() + SLACK {
            match self.places.pop_front() {
                Some(slot) if slot != CLOSED => drop(self.old.insert(self.first, slot)),
                _ => {}
            }
            self.first += 1;
        }
    }

    pub(super) fn remove(&mut self, id: u64) {
        let place = id.checked_sub(self.first).and_then(|place| self.places.get_mut(place as usize));
        let slot = match place {
            Some(slot) if *slot != CLOSED => Some(std::mem::replace(slot, CLOSED)),
            _ => self.old.remove(&id),
        };
        if let Some(slot) = slot {
            self.slots.try_remove(slot as usize);
        }
        while self.places.front() == Some(&CLOSED) {
            self.places.pop_front();
            self.first += 1;
        }
    }

    /// In the order of ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Open> {
        let mut events: Vec<&Open> = self.slots.iter().map(|(_, open)| open).collect();
        events.sort_unstable_by_key(|open| open.event.id);
        events.into_iter()
    }
}
