//! Bags of entries in small chunks of one size, so that memory moves between them without being copied or wasted.

use super::fetch::fetch;
use super::{Entry, KeyOf};

/// All chunks but those that are being filled, and how they hang together.
#[derive(Debug)]
pub(super) struct Pool<E> {
    /// Empty chunks. Last in, first out: the one that was emptied last is still in the cache.
    spare: Vec<Vec<E>>,
    /// Full chunks, each with the place of the next one in its bag.
    full: Vec<(Vec<E>, u32)>,
    /// The first vacant place in `full`; each tells the next.
    vacant: u32,
    /// Chunks that are out, in bags.
    lent: usize,
}

/// Chunks that are allocated at a time. How many are in use goes up and down a little, and would else set records for long.
const BATCH: usize = 32;
/// The end of a chain.
const END: u32 = u32::MAX;

impl<E> Pool<E> {
    /// Entries a chunk: about 2 KiB. Smaller ones cost a change of chunk too often, larger ones waste more when half empty.
    pub(super) const CHUNK: usize = match 2048 / size_of::<E>() {
        ..8 => 8,
        fit => fit,
    };

    pub(super) fn new() -> Self {
        Pool { spare: Vec::new(), full: Vec::new(), vacant: END, lent: 0 }
    }

    /// Puts a full chunk in front of a chain and returns the new chain.
    fn chain(&mut self, chunk: Vec<E>, next: u32) -> u32 {
        if self.vacant == END {
            // As many chunks, of 2 KiB each, do not fit a machine that runs this.
            let place = u32::try_from(self.full.len()).expect("fewer than 2^32 chunks");
            self.full.push((chunk, next));
            return place;
        }
        let place = self.vacant;
        let slot = &mut self.full[place as usize];
        self.vacant = slot.1;
        *slot = (chunk, next);
        place
    }

    /// Takes the first chunk off a chain; an empty one if there is none.
    fn unchain(&mut self, chain: &mut u32) -> Vec<E> {
        let Some(slot) = self.full.get_mut(*chain as usize) else {
            return Vec::new();
        };
        let (chunk, next) = std::mem::replace(slot, (Vec::new(), self.vacant));
        self.vacant = *chain;
        *chain = next;
        chunk
    }

    fn take(&mut self) -> Vec<E> {
        if self.spare.is_empty() {
            self.spare.extend((0..BATCH).map(|_| Vec::with_capacity(Self::CHUNK)));
        }
        self.lent += 1;
        self.spare.pop().unwrap_or_default()
    }

    /// Takes back an empty chunk, or what never was one.
    pub(super) fn give_back(&mut self, chunk: Vec<E>) {
        debug_assert!(chunk.is_empty());
        if chunk.capacity() > 0 {
            self.lent -= 1;
            self.spare.push(chunk);
        }
    }

    /// Frees most of the spare chunks if they are many more than are in use. To be called now and then, not every time, so
    /// that a queue that breathes does not free and allocate in turns.
    pub(super) fn trim(&mut self) {
        if self.spare.len() > 2 * self.lent + 64 {
            self.spare.truncate(self.lent / 2 + 16);
            self.spare.shrink_to_fit();
        }
        if self.lent == 0 && self.full.capacity() > 64 {
            (self.full, self.vacant) = (Vec::new(), END);
        }
    }
}

/// A bag of entries in no particular order.
#[derive(Debug)]
pub(super) struct Bag<E> {
    /// The chunk that is being filled: here and not in the chain, so that adding an entry takes one look.
    open: Vec<E>,
    /// The chain of full chunks, in the pool.
    full: u32,
    /// Entries in those.
    chained: u32,
}

impl<E> Bag<E> {
    pub(super) fn new() -> Self {
        Bag { open: Vec::new(), full: END, chained: 0 }
    }

    /// Where the next entry is to be added: a chunk that has room for it.
    #[inline]
    pub(super) fn end(&mut self, pool: &mut Pool<E>) -> &mut Vec<E> {
        if self.open.len() == self.open.capacity() {
            self.open_another(pool);
        }
        fetch(self.open.spare_capacity_mut().get(2));
        &mut self.open
    }

    #[inline(never)]
    fn open_another(&mut self, pool: &mut Pool<E>) {
        let full = std::mem::replace(&mut self.open, pool.take());
        if !full.is_empty() {
            self.chained += full.len() as u32;
            self.full = pool.chain(full, self.full);
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.open.len() + self.chained as usize
    }

    /// Takes a chunk out of the bag, the youngest first; an empty one if there is none.
    pub(super) fn take_chunk(&mut self, pool: &mut Pool<E>) -> Vec<E> {
        if !self.open.is_empty() {
            return std::mem::take(&mut self.open);
        }
        let chunk = pool.unchain(&mut self.full);
        self.chained -= chunk.len() as u32;
        chunk
    }

    /// Takes one chunk after the other out of the bag and gives it back when it has been emptied.
    pub(super) fn empty(&mut self, pool: &mut Pool<E>, mut empty: impl FnMut(&mut Vec<E>, &mut Pool<E>)) {
        let mut chunk = self.take_chunk(pool);
        while !chunk.is_empty() {
            empty(&mut chunk, pool);
            pool.give_back(chunk);
            chunk = self.take_chunk(pool);
        }
    }

    /// Drops every entry for which `keep` says no, and packs the rest into as few chunks as will hold it.
    pub(super) fn retain(&mut self, pool: &mut Pool<E>, mut keep: impl FnMut(&E) -> bool) {
        let mut all = std::mem::replace(self, Bag::new());
        all.empty(pool, |chunk, pool| {
            for entry in chunk.drain(..).filter(&mut keep) {
                self.end(pool).push(entry);
            }
        });
    }

    pub(super) fn iter<'a>(&'a self, pool: &'a Pool<E>) -> impl Iterator<Item = &'a E> {
        let mut next = self.full;
        let chain = std::iter::from_fn(move || {
            let (chunk, after) = pool.full.get(next as usize)?;
            next = *after;
            Some(chunk)
        });
        self.open.iter().chain(chain.flatten())
    }
}

impl<E: Entry> Bag<E> {
    /// The first and the last time, each with zero for the rest of the key; if they are equal, the first and the last key.
    pub(super) fn span(&self, pool: &Pool<E>) -> Option<(KeyOf<E>, KeyOf<E>)> {
        let mut times = self.iter(pool).map(|entry| entry.key().0);
        let one = times.next()?;
        let (first, last) = times.fold((one, one), |(first, last), time| (first.min(time), last.max(time)));
        if first < last {
            return Some(((first, 0), (last, 0)));
        }
        let keys = || self.iter(pool).map(E::key);
        keys().min().zip(keys().max())
    }
}
