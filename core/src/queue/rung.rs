//! One rung of a ladder queue.

use super::chunks::{Bag, Pool};
use super::{Entry, KeyOf};
use crate::time::Time;

/// Most buckets of a rung. Each has an end that is open for more; these are to stay in the cache beside all else.
pub(super) const FAN_OUT: usize = 512;
/// A cut that skips more buckets than this is no longer cut finer: too few digits would be left to tell entries apart.
const SKIP: f64 = (1 << 26) as f64;
/// Entries by which a bucket is judged.
const SAMPLE: usize = 16;

/// How a span of keys is cut into buckets of equal width.
pub(super) struct Cut<T: Time> {
    start: (T::Key, u64),
    /// Whether it spans one instant only, which is cut by the rest of the keys.
    instant: bool,
    /// Buckets a unit.
    scale: f64,
    /// Buckets from `start` to the first one here: a finer cut has the start of the coarser.
    skipped: f64,
    /// The last bucket. Whatever lies beyond the span goes into it as well.
    last: usize,
}

impl<T: Time> Clone for Cut<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Time> Copy for Cut<T> {}

impl<T: Time> Cut<T> {
    /// Cuts a span of keys. `None` if the two cannot be told apart.
    pub(super) fn span(first: (T::Key, u64), last: (T::Key, u64), buckets: usize) -> Option<Self> {
        let mut cut = Cut { start: first, instant: first.0 == last.0, scale: 1.0, skipped: 0.0, last: buckets - 1 };
        let width = cut.place(last);
        // A width below 1e-306 would make the scale infinite.
        cut.scale = (buckets as f64 / width).min(f64::MAX);
        // This is false also if the width is zero, infinite or not a number.
        (width * cut.scale >= 1.0).then_some(cut)
    }

    /// Cuts one of the buckets.
    fn finer(&self, bucket: usize, buckets: usize) -> Self {
        let skipped = (self.skipped + bucket as f64) * buckets as f64;
        Cut { scale: self.scale * buckets as f64, skipped, last: buckets - 1, ..*self }
    }

    /// Where a key lies, in buckets from the first. It does not decrease as the key grows, and that is all that the order
    /// rests on: rounding may put an event into the bucket beside its own, but never two events the wrong way round.
    #[inline(always)]
    fn place(&self, key: (T::Key, u64)) -> f64 {
        let distance = if !self.instant {
            T::offset(self.start.0, key.0)
        } else if key.0 == self.start.0 {
            key.1.saturating_sub(self.start.1) as f64
        } else if key.0 < self.start.0 {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        distance * self.scale - self.skipped
    }

    #[inline(always)]
    pub(super) fn bucket(&self, key: (T::Key, u64)) -> usize {
        // The casts take what is negative, or not a number, to zero, and by way of 32 bits they take one instruction.
        (self.place(key) as u32 as usize).min(self.last)
    }
}

/// A span of keys cut into buckets of equal width.
pub(super) struct Rung<E: Entry> {
    cut: Cut<E::Time>,
    /// The first bucket that is not used up.
    current: usize,
    buckets: Vec<Bag<E>>,
}

impl<E: Entry> Rung<E> {
    pub(super) fn new(cut: Cut<E::Time>) -> Self {
        Rung { cut, current: 0, buckets: (0..FAN_OUT).map(|_| Bag::new()).collect() }
    }

    /// Stretches an empty rung over another span.
    pub(super) fn set_up(&mut self, cut: Cut<E::Time>) {
        debug_assert!(self.buckets.iter().all(Bag::is_empty));
        (self.cut, self.current) = (cut, 0);
    }

    pub(super) fn cut(&self) -> Cut<E::Time> {
        self.cut
    }

    /// Cuts the bucket that was used up last. `None` if its entries cannot be told apart.
    ///
    /// To find the first and the last of them would be to read them all once more than need be. If a few are spread over the
    /// bucket, its own bounds are as good.
    pub(super) fn cut_used_up(&self, pool: &Pool<E>, buckets: usize) -> Option<Cut<E::Time>> {
        let bucket = self.current - 1;
        let bag = &self.buckets[bucket];
        // The first and the last bucket may hold what lies beyond their bounds.
        if (1..self.cut.last).contains(&bucket) && self.cut.skipped < SKIP {
            let places = bag.iter(pool).take(SAMPLE).map(|entry| self.cut.place(entry.key()));
            let (first, last) = places.fold((f64::MAX, f64::MIN), |(a, b), place| (place.min(a), place.max(b)));
            if last - first > 0.25 {
                return Some(self.cut.finer(bucket, buckets));
            }
        }
        let (first, last) = bag.span(pool)?;
        Cut::span(first, last, buckets)
    }

    /// Where an entry is to be added that belongs to this bucket.
    #[inline]
    pub(super) fn end(&mut self, bucket: usize, pool: &mut Pool<E>) -> &mut Vec<E> {
        self.buckets[bucket].end(pool)
    }

    /// The bucket that was used up last.
    #[inline]
    pub(super) fn used_up(&mut self) -> &mut Bag<E> {
        &mut self.buckets[self.current - 1]
    }

    /// Tells how far along in the bucket that was used up last a key lies, from 0 to 1.
    pub(super) fn part(&self) -> impl Fn(KeyOf<E>) -> f64 + use<E> {
        let (cut, bucket) = (self.cut, (self.current - 1) as f64);
        move |key| cut.place(key) - bucket
    }

    /// Whether a bucket is not used up.
    #[inline]
    pub(super) fn is_open(&self, bucket: usize) -> bool {
        bucket >= self.current
    }

    /// Whether all buckets are.
    pub(super) fn is_used_up(&self) -> bool {
        self.current > self.cut.last
    }

    /// Counts the next bucket that is not empty as used up, and shows it. `None` if all are empty.
    pub(super) fn use_up_next(&mut self) -> Option<&Bag<E>> {
        let open = &self.buckets[self.current..=self.cut.last];
        let empty = open.iter().take_while(|bucket| bucket.is_empty()).count();
        self.current += empty;
        let bucket = open.get(empty)?;
        self.current += 1;
        Some(bucket)
    }

    /// Drops every entry for which `keep` says no, and returns how many are left.
    pub(super) fn retain(&mut self, pool: &mut Pool<E>, mut keep: impl FnMut(&E) -> bool) -> usize {
        let open = &mut self.buckets[self.current..=self.cut.last];
        open.iter_mut().for_each(|bucket| bucket.retain(pool, &mut keep));
        open.iter().map(Bag::len).sum()
    }

    pub(super) fn buckets(&self) -> &[Bag<E>] {
        &self.buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct At(f64, u64);

    impl Entry for At {
        type Time = f64;

        fn key(&self) -> KeyOf<At> {
            (self.0.key(), self.1)
        }
    }

    fn key(time: f64) -> KeyOf<At> {
        At(time, 0).key()
    }

    /// A rung from 0 to 64 with 64 buckets, of which the one before `bucket` + 1 is used up and holds these times.
    fn rung(pool: &mut Pool<At>, bucket: usize, times: impl Iterator<Item = f64>) -> Rung<At> {
        let mut rung = Rung::new(Cut::span(key(0.0), key(64.0), 64).unwrap());
        for (number, time) in times.enumerate() {
            assert_eq!(rung.cut().bucket(key(time)), bucket, "{time}");
            rung.end(bucket, pool).push(At(time, number as u64));
        }
        rung.use_up_next();
        rung
    }

    #[test]
    fn a_bucket_that_is_filled_evenly_is_cut_by_its_bounds_and_another_by_what_lies_in_it() {
        let even = |from: f64, to: f64| (0..1000).map(move |i| from + (to - from) * f64::from(i * 619 % 1000) / 1000.0);
        let mut pool = Pool::new();
        // Wherever it lies, only the first and the last bucket can hold what lies beyond them.
        for (bucket, from, to, start, width) in [
            (5, 5.0, 6.0, 5.0, 1.0),
            (5, 5.2, 5.9, 5.0, 1.0),
            (5, 5.2, 5.21, 5.2, 0.01),
            (0, -1e9, 1.0, -1e9, 1e9),
            (63, 63.0, 1e9, 63.0, 1e9),
        ] {
            let cut = rung(&mut pool, bucket, even(from, to)).cut_used_up(&pool, 100).unwrap();
            let at = |part: f64| cut.bucket(key(start + part * width));
            assert_eq!((at(0.005), at(0.505), at(0.975)), (0, 50, 97), "{from} to {to}");
        }
        assert!(rung(&mut pool, 5, std::iter::empty()).cut_used_up(&pool, 100).is_none());
    }

    #[test]
    fn equal_times_are_cut_by_the_rest_of_the_key() {
        let mut pool = Pool::new();
        let cut = rung(&mut pool, 5, (0..1000).map(|_| 5.5)).cut_used_up(&pool, 100).unwrap();
        let at = |number: u64| cut.bucket(At(5.5, number).key());
        assert_eq!((at(0), at(505), at(999)), (0, 50, 99));
        assert_eq!((cut.bucket(key(5.4)), cut.bucket(key(5.6))), (0, 99));
    }

    #[test]
    fn however_fine_the_cut_no_two_are_the_wrong_way_round() {
        let mut cut = Cut::<f64>::span(key(0.1), key(7e5), 512).unwrap();
        while cut.skipped < SKIP {
            cut = cut.finer(333, 512);
            let first = (cut.skipped / cut.scale) + 0.1;
            let places: Vec<usize> =
                (0..100_000).map(|i| cut.bucket(key(first + f64::from(i) * 0.01 / cut.scale))).collect();
            assert!(places.is_sorted());
            // Ten digits are left, so the buckets are equally wide.
            for bucket in 1..511 {
                let width = places.iter().filter(|&&place| place == bucket).count();
                assert!((98..=102).contains(&width), "{width} hundredths of a bucket");
            }
        }
    }
}
