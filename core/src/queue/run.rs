//! The run of a ladder queue: the bucket whose turn it is, put in order.

use super::{Entry, KeyOf};

/// Entries that a run can hold.
pub(super) const MOST: usize = 64;

/// Up to [`MOST`] entries in order.
///
/// The entries stay where they lie and only their places are sorted. As times are spread over a bucket more or less evenly, a
/// number of 25 bits tells nearly all of them apart, and the rank of an entry is how many numbers are larger, of which a
/// processor compares several at a time, with no branch to guess. Only if numbers are equal are keys compared.
pub(super) struct Run<E> {
    entries: Vec<E>,
    /// The places of the entries, the next one last.
    order: [u8; MOST],
    /// Of each entry, where its place stands in `order`.
    ranks: [u8; MOST],
}

impl<E: Entry> Run<E> {
    pub(super) fn new() -> Self {
        Run { entries: Vec::new(), order: [0; MOST], ranks: [0; MOST] }
    }

    /// Where the entries are to be put before they are sorted. Those before must be used up.
    pub(super) fn entries(&mut self) -> &mut Vec<E> {
        debug_assert!(self.entries.is_empty());
        self.entries.reserve_exact(MOST);
        &mut self.entries
    }

    /// Puts the entries in order.
    ///
    /// `part` says how far along in the bucket a key lies, from 0 to 1; it does not decrease as the key grows. The number of
    /// key comparisons is added to `compares`.
    pub(super) fn sort(&mut self, part: impl Fn(KeyOf<E>) -> f64, compares: &mut u64) {
        debug_assert!(self.entries.len() <= MOST);
        if !self.rank(part) {
            self.settle(compares);
        }
    }

    /// Sorts by parts. False if some are equal.
    fn rank(&mut self, part: impl Fn(KeyOf<E>) -> f64) -> bool {
        const BITS: u32 = 25;
        const PLACE: u32 = MOST.ilog2();
        let count = self.entries.len();
        let mut numbers = [0; MOST];
        for (place, (number, entry)) in numbers.iter_mut().zip(&self.entries).enumerate() {
            let part = (part(entry.key()) * f64::from(1 << BITS)) as u32;
            // With the place, no two are equal.
            *number = ((part.min((1 << BITS) - 1) << PLACE) | place as u32) as i32;
        }
        let mut sorted = [0; MOST];
        let padded = &numbers[..count.next_multiple_of(8)];
        for (place, &number) in numbers[..count].iter().enumerate() {
            let rank: i32 = padded.iter().map(|&other| i32::from(other > number)).sum();
            let rank = rank as usize % MOST;
            sorted[rank] = number;
            self.order[rank] = place as u8;
            self.ranks[place] = rank as u8;
        }
        sorted[..count].windows(2).all(|pair| pair[0] >> PLACE != pair[1] >> PLACE)
    }

    /// Sorts by keys what is sorted nearly.
    #[cold]
    fn settle(&mut self, compares: &mut u64) {
        let Run { entries, order, ranks } = self;
        let order = &mut order[..entries.len()];
        for end in 1..order.len() {
            let mut at = end;
            while at > 0 && entries[usize::from(order[at - 1])].is_before(&entries[usize::from(order[at])]) {
                order.swap(at - 1, at);
                at -= 1;
            }
            *compares += (end - at + 1) as u64;
        }
        for (rank, &place) in order.iter().enumerate() {
            ranks[usize::from(place)] = rank as u8;
        }
    }

    /// The next entry.
    #[inline]
    pub(super) fn first(&self) -> Option<&E> {
        let last = self.entries.len().checked_sub(1)?;
        self.entries.get(usize::from(self.order[last]))
    }

    /// Removes the next entry.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<E> {
        let last = self.entries.len().checked_sub(1)?;
        let place = self.order[last];
        // The entry that lies last moves to the free place.
        let rank = self.ranks[last];
        self.order[usize::from(rank)] = place;
        self.ranks[usize::from(place)] = rank;
        Some(self.entries.swap_remove(usize::from(place)))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Drops every entry for which `keep` says no.
    pub(super) fn retain(&mut self, keep: impl FnMut(&E) -> bool) {
        self.entries.retain(keep);
        for (place, number) in self.order[..self.entries.len()].iter_mut().enumerate() {
            *number = place as u8;
        }
        self.settle(&mut 0);
    }

    /// Takes all entries out, in any order.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = E> {
        self.entries.drain(..)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &E> {
        self.entries.iter()
    }
}
