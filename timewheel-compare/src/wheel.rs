//! The wheel: a ring of slots, each a chain of events, and a pointer that turns.
//!
//! One structure serves three drivers. Under the ordinary driver it is a list whose slots are only buckets: events keep their
//! times ([`Simulation::run_until`](saltus::Simulation::run_until)). Under the time-driven driver everything in a slot happens
//! at the slot's end ([`Simulation::scan_until`](saltus::Simulation::scan_until)). And either way the pointer can step from slot
//! to slot, as the original does, or leap over empty ones by a bitmap.

use saltus::driver::{Slots, SlottedQueue};
use saltus::queue::{DaryHeap, Entry, FutureEventList, QueueKind};
use saltus::time::Time;
use slab::Slab;

/// Chooses a wheel: how time is cut, how many slots there are, and what to do about the rest.
#[derive(Clone, Copy, Debug)]
pub struct Wheel<S> {
    /// Where slots begin and end.
    pub slots: S,
    /// Slots on the wheel: a power of two, at least 2, so that a mask finds the place.
    pub length: u64,
    /// Whether empty slots are skipped by the bitmap.
    pub skipping: bool,
    /// Whether events beyond the wheel are parked beside it. Otherwise they are refused.
    pub parking: bool,
}

impl<S> Wheel<S> {
    /// The plain wheel, which steps from slot to slot and refuses what lies beyond it. The length is rounded up to a power of
    /// two.
    pub fn new(slots: S, length: u64) -> Wheel<S> {
        let length = length.clamp(2, 1 << 30).next_power_of_two();
        Wheel { slots, length, skipping: false, parking: false }
    }

    /// The same wheel with empty slots skipped.
    pub fn skipping(self) -> Wheel<S> {
        Wheel { skipping: true, ..self }
    }

    /// The same wheel with a parking place for events beyond it.
    pub fn parking(self) -> Wheel<S> {
        Wheel { parking: true, ..self }
    }
}

impl<T: Time, S: Slots<T> + Copy> QueueKind<T> for Wheel<S> {
    type List<E: Entry<Time = T>> = WheelList<E, S>;

    fn list<E: Entry<Time = T>>(&self) -> WheelList<E, S> {
        WheelList::new(*self)
    }
}

/// A slot's chain ends here.
const END: u32 = u32::MAX;

struct Link<E> {
    entry: E,
    next: u32,
}

/// The wheel itself. Push O(1); a slot is sorted when the pointer reaches it; turning costs O(1) a slot, or O(1) for 64 empty
/// ones.
pub struct WheelList<E: Entry, S> {
    wheel: Wheel<S>,
    /// For each place on the ring the first link of its chain.
    heads: Vec<u32>,
    links: Slab<Link<E>>,
    /// A bit for each place that has a chain.
    occupied: Vec<u64>,
    /// The events of the slot under the pointer, and any before it.
    current: DaryHeap<E>,
    /// Events beyond the wheel.
    parked: DaryHeap<E>,
    /// The slot under the pointer, counted from the beginning of time.
    pointer: u64,
    /// The end of that slot.
    end: Option<E::Time>,
    /// The slot of the clock: never ahead of the pointer.
    clock: u64,
}

impl<E: Entry, S: Slots<E::Time>> WheelList<E, S> {
    fn new(wheel: Wheel<S>) -> Self {
        assert!(wheel.length.is_power_of_two() && wheel.length >= 2, "{} slots are no power of two", wheel.length);
        WheelList {
            heads: vec![END; wheel.length as usize],
            links: Slab::new(),
            occupied: vec![0; wheel.length.div_ceil(64) as usize],
            current: DaryHeap::default(),
            parked: DaryHeap::default(),
            pointer: 0,
            end: wheel.slots.end_of(0),
            clock: 0,
            wheel,
        }
    }

    fn place(&self, slot: u64) -> usize {
        (slot & (self.wheel.length - 1)) as usize
    }

    fn slot_of(&self, entry: &E) -> u64 {
        self.wheel.slots.slot_of(<E::Time as Time>::from_key(entry.key().0))
    }

    /// Moves the chain under the pointer to where it is sorted, and parked events that have come within reach onto the wheel.
    fn arrive(&mut self) {
        let place = self.place(self.pointer);
        let mut link = std::mem::replace(&mut self.heads[place], END);
        self.occupied[place / 64] &= !(1 << (place % 64));
        while link != END {
            let Link { entry, next } = self.links.remove(link as usize);
            self.current.push(entry);
            link = next;
        }
        while self.first_parked().is_some_and(|slot| self.is_on_wheel(slot)) {
            if let Some(entry) = self.parked.pop() {
                self.push(entry);
            }
        }
    }

    fn first_parked(&mut self) -> Option<u64> {
        let key = self.parked.peek()?.key().0;
        Some(self.wheel.slots.slot_of(<E::Time as Time>::from_key(key)))
    }

    /// Whether a slot that has not passed is less than a turn away. Nothing is added, so nothing overflows.
    fn is_on_wheel(&self, slot: u64) -> bool {
        slot.saturating_sub(self.pointer) < self.wheel.length
    }

    /// How far the pointer can turn without passing over an event; at least 1.
    fn reach(&mut self) -> u64 {
        if !self.wheel.skipping {
            return 1;
        }
        let mut reach = u64::MAX;
        if !self.links.is_empty() {
            let here = self.place(self.pointer);
            reach = self.next_occupied(here);
        }
        if let Some(slot) = self.first_parked() {
            reach = reach.min(slot - self.pointer - self.wheel.length + 1);
        }
        reach
    }

    /// The distance from a place to the next one with a chain. There must be one.
    fn next_occupied(&self, here: usize) -> u64 {
        let words = self.occupied.len();
        let first = here / 64;
        // The rest of this word, the other words around the ring, and this word once more from its beginning.
        let rest = self.occupied[first] & (u64::MAX << (here % 64)) & !(1 << (here % 64));
        let mut word = rest;
        for step in 1..=words + 1 {
            if word != 0 {
                let place = ((first + step - 1) % words) as u64 * 64 + u64::from(word.trailing_zeros());
                return place.wrapping_sub(here as u64) & (self.wheel.length - 1);
            }
            word = self.occupied[(first + step) % words];
        }
        self.wheel.length
    }

    fn turn_by(&mut self, slots: u64) {
        self.pointer = self.pointer.saturating_add(slots);
        self.end = self.wheel.slots.end_of(self.pointer);
        self.arrive();
    }

    /// Lays the events on the ring out anew, but for those that `keep` does not want.
    fn lay_out(&mut self, mut keep: impl FnMut(&E) -> bool) {
        let links = std::mem::take(&mut self.links);
        self.heads.fill(END);
        self.occupied.fill(0);
        for (_, Link { entry, .. }) in links {
            if keep(&entry) {
                self.push(entry);
            }
        }
    }

    /// Turns the pointer back to the clock. What then lies more than a turn ahead is parked.
    fn turn_back(&mut self) {
        if self.pointer > self.clock {
            self.pointer = self.clock;
            self.end = self.wheel.slots.end_of(self.pointer);
            self.lay_out(|_| true);
            let mut current = std::mem::take(&mut self.current);
            while let Some(entry) = current.pop() {
                self.push(entry);
            }
        }
    }
}

impl<E: Entry, S: Slots<E::Time>> FutureEventList<E> for WheelList<E, S> {
    fn push(&mut self, entry: E) {
        let slot = self.slot_of(&entry);
        if slot <= self.pointer {
            self.current.push(entry);
        } else if self.is_on_wheel(slot) {
            let place = self.place(slot);
            let next = self.heads[place];
            self.heads[place] = self.links.insert(Link { entry, next }) as u32;
            self.occupied[place / 64] |= 1 << (place % 64);
        } else {
            self.parked.push(entry);
        }
    }

    fn pop(&mut self) -> Option<E> {
        self.peek()?;
        self.current.pop()
    }

    fn peek(&mut self) -> Option<&E> {
        while self.current.is_empty() && !self.is_empty() {
            let reach = self.reach();
            self.turn_by(reach);
        }
        self.current.peek()
    }

    fn len(&self) -> usize {
        self.links.len() + self.current.len() + self.parked.len()
    }

    fn retain(&mut self, mut keep: impl FnMut(&E) -> bool) {
        self.current.retain(&mut keep);
        self.parked.retain(&mut keep);
        self.lay_out(keep);
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.current.iter().chain(self.links.iter().map(|(_, link)| &link.entry)).chain(self.parked.iter())
    }

    fn horizon(&self) -> Option<<E::Time as Time>::Key> {
        if self.wheel.parking {
            return None;
        }
        // A wheel that reaches beyond the last slot reaches everything.
        let last = self.clock.checked_add(self.wheel.length - 1)?;
        Some(self.wheel.slots.end_of(last)?.key())
    }

    fn clock_moved(&mut self, now: E::Time) {
        // Nearly always the clock has come to the end of the slot under the pointer, and no division is needed.
        if self.end.is_some_and(|end| end.key() == now.key()) {
            self.clock = self.pointer;
            return;
        }
        self.clock = self.wheel.slots.slot_of(now);
        // No living event lies behind the clock, so a pointer that has stayed behind has nothing to pass over.
        if self.pointer < self.clock {
            self.turn_by(self.clock - self.pointer);
        }
    }
}

impl<T: Time, S: Slots<T> + Copy> SlottedQueue<T> for Wheel<S> {
    fn end_of_slot<E: Entry<Time = T>>(list: &WheelList<E, S>) -> Option<T> {
        list.end
    }

    fn pop_due<E: Entry<Time = T>>(list: &mut WheelList<E, S>) -> Option<E> {
        list.current.pop()
    }

    fn turn_back<E: Entry<Time = T>>(list: &mut WheelList<E, S>) {
        list.turn_back();
    }

    fn turn<E: Entry<Time = T>>(list: &mut WheelList<E, S>, last: u64) -> u64 {
        let most = last.saturating_sub(list.pointer).max(1);
        let slots = list.reach().min(most);
        list.turn_by(slots);
        slots - 1
    }

    fn slot_of<E: Entry<Time = T>>(list: &WheelList<E, S>, time: T) -> u64 {
        list.wheel.slots.slot_of(time)
    }
}
