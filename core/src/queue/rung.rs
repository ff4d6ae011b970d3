//! One rung of a ladder queue.

use super::chunks::{Bag, Pool};
use super::{Entry, KeyOf};
use crate::time::Time;

/// Buckets a rung: as many as there are open ends that the second-level cache holds.
pub(super) const FAN_OUT: usize = 512;

/// A span of keys cut into buckets of equal width.
pub(super) struct Rung<E: Entry> {
    start: KeyOf<E>,
    /// Whether it spans one instant only, which is cut by the rest of the keys.
    instant: bool,
    /// Buckets a unit.
    scale: f64,
    /// The last bucket in use. Whatever lies beyond its span goes into it as well.
    last: usize,
    /// The first bucket that is not used up.
    current: usize,
    entries: usize,
    buckets: Vec<Bag<E>>,
}

impl<E: Entry> Rung<E> {
    pub(super) fn new(start: KeyOf<E>) -> Self {
        let buckets = (0..FAN_OUT).map(|_| Bag::new()).collect();
        Rung { start, instant: false, scale: 1.0, last: 0, current: 0, entries: 0, buckets }
    }

    /// Stretches an empty rung over a span of keys. False, and of no use, if the two cannot be told apart.
    pub(super) fn span(&mut self, first: KeyOf<E>, last: KeyOf<E>, buckets: usize) -> bool {
        debug_assert_eq!(self.entries, 0);
        (self.start, self.instant, self.scale) = (first, first.0 == last.0, 1.0);
        let width = self.place(last);
        // A width below 1e-306 would make the scale infinite.
        self.scale = (buckets as f64 / width).min(f64::MAX);
        (self.last, self.current) = (buckets - 1, 0);
        // This is false also if the width is zero, infinite or not a number.
        width * self.scale >= 1.0
    }

    /// Where a key lies, in buckets from the start. It does not decrease as the key grows, and that is all that the order
    /// rests on: rounding may put an event into the bucket beside its own, but never two events the wrong way round.
    #[inline]
    fn place(&self, key: KeyOf<E>) -> f64 {
        let distance = if !self.instant {
            E::Time::offset(self.start.0, key.0)
        } else if key.0 == self.start.0 {
            key.1.saturating_sub(self.start.1) as f64
        } else if key.0 < self.start.0 {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        distance * self.scale
    }

    #[inline]
    pub(super) fn bucket(&self, key: KeyOf<E>) -> usize {
        // The casts take what is negative, or not a number, to zero, and by way of 32 bits they take one instruction.
        (self.place(key) as u32 as usize).min(self.last)
    }

    /// Where an entry is to be added that belongs to this bucket.
    #[inline]
    pub(super) fn end(&mut self, bucket: usize, pool: &mut Pool<E>) -> &mut Vec<E> {
        self.entries += 1;
        self.buckets[bucket].end(pool)
    }

    /// The bucket that was used up last.
    #[inline]
    pub(super) fn used_up(&mut self) -> &mut Bag<E> {
        &mut self.buckets[self.current - 1]
    }

    /// How far along in the bucket that was used up last a key lies, from 0 to 1.
    #[inline]
    pub(super) fn part(&self, key: KeyOf<E>) -> f64 {
        self.place(key) - (self.current - 1) as f64
    }

    /// Whether a bucket is not used up.
    #[inline]
    pub(super) fn is_open(&self, bucket: usize) -> bool {
        bucket >= self.current
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Counts the next bucket that is not empty as used up, and shows it. The rung must not be empty.
    pub(super) fn use_up_next(&mut self) -> &Bag<E> {
        while self.buckets[self.current].is_empty() {
            self.current += 1;
        }
        let bucket = &self.buckets[self.current];
        self.current += 1;
        self.entries -= bucket.len();
        bucket
    }

    /// Drops every entry for which `keep` says no, and returns how many are left.
    pub(super) fn retain(&mut self, pool: &mut Pool<E>, mut keep: impl FnMut(&E) -> bool) -> usize {
        self.entries = 0;
        for bucket in &mut self.buckets[self.current..=self.last] {
            bucket.retain(pool, &mut keep);
            self.entries += bucket.len();
        }
        self.entries
    }

    pub(super) fn buckets(&self) -> &[Bag<E>] {
        &self.buckets
    }
}
