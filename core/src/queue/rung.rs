//! One rung of a ladder queue.

use super::Entry;
use super::chunks::{Bag, Pool};
use crate::time::Time;

/// Buckets a rung: as many as there are open ends that the second-level cache holds.
pub(super) const FAN_OUT: usize = 512;

pub(super) type TimeOf<E> = <<E as Entry>::Time as Time>::Key;

/// A span of time cut into buckets of equal width.
pub(super) struct Rung<E: Entry> {
    start: TimeOf<E>,
    /// Buckets a unit of time.
    scale: f64,
    /// The last bucket in use. Whatever lies beyond its span goes into it as well.
    last: usize,
    /// The first bucket that is not used up.
    current: usize,
    entries: usize,
    buckets: Vec<Bag<E>>,
}

impl<E: Entry> Rung<E> {
    pub(super) fn new(start: TimeOf<E>) -> Self {
        Rung { start, scale: 1.0, last: 0, current: 0, entries: 0, buckets: (0..FAN_OUT).map(|_| Bag::new()).collect() }
    }

    /// Stretches an empty rung over a span of time. False, and no change, if the two times cannot be told apart.
    pub(super) fn span(&mut self, first: TimeOf<E>, last: TimeOf<E>, buckets: usize) -> bool {
        debug_assert_eq!(self.entries, 0);
        let width = E::Time::offset(first, last);
        // A width below 1e-306 would make the scale infinite.
        let scale = (buckets as f64 / width).min(f64::MAX);
        // This is false also if the width is zero, infinite or not a number.
        let tells_apart = width * scale >= 1.0;
        if tells_apart {
            (self.start, self.scale, self.last, self.current) = (first, scale, buckets - 1, 0);
        }
        tells_apart
    }

    /// Which bucket a time belongs to. It does not decrease as time grows, and that is all that the order rests on: rounding
    /// may put an event into the bucket beside its own, but never two events the wrong way round.
    #[inline]
    pub(super) fn bucket(&self, time: TimeOf<E>) -> usize {
        let place = E::Time::offset(self.start, time) * self.scale;
        // The cast takes what is negative, or not a number, to zero.
        (place as u32 as usize).min(self.last)
    }

    #[inline]
    pub(super) fn put(&mut self, bucket: usize, entry: E, pool: &mut Pool<E>) {
        self.entries += 1;
        self.buckets[bucket].push(entry, pool);
    }

    /// The bucket that was used up last.
    pub(super) fn used_up(&mut self) -> &mut Bag<E> {
        &mut self.buckets[self.current - 1]
    }

    /// Whether a bucket is not used up.
    #[inline]
    pub(super) fn is_open(&self, bucket: usize) -> bool {
        bucket >= self.current
    }

    /// Whether all buckets are.
    pub(super) fn is_used_up(&self) -> bool {
        self.current > self.last
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
