//! A ladder queue: events are sorted only when they are about to run.
//!
//! A heap keeps all that is pending half sorted, and pays for it with a chain of cache misses an operation. The ladder throws
//! far events into an unsorted bag, the *top*. When all before them has run, the top is dealt out over the buckets of a
//! *rung*, each a bag for a short span of time. The first bucket is then either small, and sorted into the *run*, from which
//! events are popped, or dealt out over a finer rung below. So an event is moved three or four times in its life, however many
//! are pending, and nearly always to the end of a bag.
//!
//! ```text
//!    time -->
//!    top                                              [ ........................ ]  unsorted, no end
//!    rung 0              [####|####| .. | ... | ..... ]                             buckets; # is used up
//!    rung 1       [##|##|. |..]                                                     spans the last used-up bucket above
//!    run      [..]                                                                  sorted
//!    near     [.........]                                                           a heap: what came later than its bucket
//! ```
//!
//! What is scheduled into a span that is used up already goes into a small heap, *near*. That makes the order exact, and no
//! case is worse than a heap: neither a million equal times nor events that each schedule the next one an instant later. A
//! queue with few entries is that heap and nothing else.

use std::cmp::Ordering;

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::chunks::{Bag, Pool};
use super::rung::{FAN_OUT, Rung, TimeOf};
use super::{DaryHeap, Entry, FutureEventList, QueueKind};
use crate::time::Time;

/// A bucket of up to this many is sorted, a larger one dealt out.
const SORT: usize = 48;
/// How many entries a bucket of a new rung is to have.
const FILL: usize = 16;
/// The heap of near events is emptied when it has grown beyond this.
const NEAR: usize = 256;
/// Rungs. A deeper ladder means times so unevenly spread that a heap does as well.
const DEPTH: usize = 10;

type Key<E> = (TimeOf<E>, u64);

/// A ladder of chunked bags. Push and pop O(1) amortised, and no worse than a heap's whatever the times are.
///
/// With `COUNT` it counts key comparisons and moves, for experiments on work; without, that costs nothing.
pub struct LadderQueue<E: Entry, const COUNT: bool = false> {
    near: DaryHeap<E, 4, COUNT>,
    /// The length beyond which `near` is emptied.
    near_limit: usize,
    /// Descending, so that the next event is last.
    run: Vec<E>,
    /// The first `depth` are in use. The others keep their memory.
    rungs: Vec<Rung<E>>,
    depth: usize,
    /// Events with keys beyond this go to the top. Without it the queue is small and all goes to `near`.
    horizon: Option<Key<E>>,
    top: Bag<E>,
    /// The earliest time and the last key in the top.
    top_span: Option<(TimeOf<E>, Key<E>)>,
    /// Entries everywhere.
    len: usize,
    pool: Pool<E>,
    compares: u64,
    moves: u64,
}

/// Chooses the ladder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ladder;

kind!(Ladder, LadderQueue<E>);

/// Chooses the ladder that counts its key comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountedLadder;

kind!(CountedLadder, LadderQueue<E, true>);

impl<E: Entry, const COUNT: bool> Default for LadderQueue<E, COUNT> {
    fn default() -> Self {
        LadderQueue {
            near: DaryHeap::default(),
            near_limit: NEAR,
            run: Vec::new(),
            rungs: Vec::new(),
            depth: 0,
            horizon: None,
            top: Bag::new(),
            top_span: None,
            len: 0,
            pool: Pool::new(),
            compares: 0,
            moves: 0,
        }
    }
}

impl<E: Entry, const COUNT: bool> LadderQueue<E, COUNT> {
    /// Adds an event to the top, or else to the first rung that has not passed its time, or else to `near`.
    #[inline(never)]
    fn push_far(&mut self, entry: E, horizon: Key<E>) {
        let key = entry.key();
        if E::Time::comes_before(horizon, key) {
            self.top_span = Some(match self.top_span {
                None => (key.0, key),
                Some((first, last)) => (first.min(key.0), last.max(key)),
            });
            return self.top.push(entry, &mut self.pool);
        }
        for rung in &mut self.rungs[..self.depth] {
            let bucket = rung.bucket(key.0);
            if rung.is_open(bucket) {
                return rung.put(bucket, entry, &mut self.pool);
            }
        }
        self.push_near(entry);
    }

    #[inline(always)]
    fn push_near(&mut self, entry: E) {
        self.near.push(entry);
        if self.near.len() > self.near_limit {
            self.deal_near();
        }
    }

    /// Empties the heap of near events, which has grown large, together with what is left of the run, which lies among them.
    #[cold]
    fn deal_near(&mut self) {
        if self.near.len() <= self.run.len() {
            self.near_limit = 2 * self.near.len();
            return;
        }
        // At least half of what is moved now has come since the last time, so this costs each event O(1), or O(log n) if the
        // times are equal and must be sorted by the rest of their keys.
        self.near_limit = NEAR;
        while self.rungs[..self.depth].last().is_some_and(Rung::is_used_up) {
            self.depth -= 1;
        }
        let count = self.near.len() + self.run.len();
        let keys = || self.near.iter().chain(&self.run).map(E::key);
        let Some((first, last)) = keys().min().zip(keys().max()) else {
            return;
        };
        self.horizon.get_or_insert(last);
        if self.set_up_rung(first.0, last.0, count) {
            let rung = &mut self.rungs[self.depth - 1];
            for entry in self.near.drain().chain(self.run.drain(..)) {
                rung.put(rung.bucket(entry.key().0), entry, &mut self.pool);
            }
        } else {
            self.run.extend(self.near.drain());
            self.sort_run();
        }
    }

    /// Puts an empty rung for this span of time below the others. False if these times cannot be told apart.
    fn set_up_rung(&mut self, first: TimeOf<E>, last: TimeOf<E>, count: usize) -> bool {
        if self.depth == DEPTH {
            return false;
        }
        if self.depth == self.rungs.len() {
            self.rungs.push(Rung::new(first));
        }
        if !self.rungs[self.depth].span(first, last, (count / FILL).clamp(2, FAN_OUT)) {
            return false;
        }
        self.depth += 1;
        if COUNT {
            self.moves += count as u64;
        }
        true
    }

    /// Fills the run, or `near`, with the next events. False if there are none. Both are empty when this is called, and may be
    /// afterwards if `keep` says no to all.
    #[inline(never)]
    fn refill(&mut self, keep: &mut impl FnMut(&E) -> bool) -> bool {
        self.near_limit = NEAR;
        while let Some(rung) = self.rungs[..self.depth].last_mut() {
            if rung.is_empty() {
                self.depth -= 1;
                continue;
            }
            let bucket = rung.use_up_next();
            let count = bucket.len();
            if count <= SORT {
                self.sort_source(count, keep);
                return true;
            }
            let times = || bucket.iter(&self.pool).map(|entry| entry.key().0);
            let span = times().min().zip(times().max());
            if !span.is_some_and(|(first, last)| self.deal_source(first, last, count)) {
                self.sort_source(count, keep);
                return true;
            }
        }
        self.refill_from_top(keep)
    }

    /// The ladder is used up: a new one begins with what is in the top.
    fn refill_from_top(&mut self, keep: &mut impl FnMut(&E) -> bool) -> bool {
        self.pool.trim();
        self.run.shrink_to(self.len.max(SORT));
        let Some((first, last)) = self.top_span.take() else {
            self.horizon = None;
            return false;
        };
        let count = self.top.len();
        if count <= NEAR / 2 {
            self.horizon = None;
            let LadderQueue { top, near, pool, .. } = self;
            top.empty_into(pool, |entry, _| near.push(entry));
            return true;
        }
        self.horizon = Some(last);
        if self.deal_source(first, last.0, count) {
            return self.refill(keep);
        }
        self.sort_source(count, keep);
        true
    }

    /// Deals the bucket that was used up last, or without rungs the top, out over a rung. False if that cannot be done.
    fn deal_source(&mut self, first: TimeOf<E>, last: TimeOf<E>, count: usize) -> bool {
        if !self.set_up_rung(first, last, count) {
            return false;
        }
        let (above, below) = self.rungs.split_at_mut(self.depth - 1);
        let source = above.last_mut().map_or(&mut self.top, Rung::used_up);
        let rung = &mut below[0];
        source.empty_into(&mut self.pool, |entry, pool| {
            rung.put(rung.bucket(entry.key().0), entry, pool);
        });
        // A rung that is used up gives way. If it stayed, and one event lay far ahead in the rung above, each generation of
        // events would go a rung deeper.
        if self.rungs[..self.depth - 1].last().is_some_and(Rung::is_used_up) {
            self.rungs.swap(self.depth - 2, self.depth - 1);
            self.depth -= 1;
        }
        true
    }

    /// Sorts the bucket that was used up last, or without rungs the top, into the run.
    ///
    /// This is where the dead are left out. It pays even if there are none: `keep` looks up what an event depends on, and a
    /// bucketful of look-ups that do not wait for each other brings it into the cache just before the events run.
    fn sort_source(&mut self, count: usize, keep: &mut impl FnMut(&E) -> bool) {
        self.run.reserve(count);
        let source = self.rungs[..self.depth].last_mut().map_or(&mut self.top, Rung::used_up);
        source.empty_into(&mut self.pool, |entry, _| {
            if keep(&entry) {
                self.run.push(entry);
            }
        });
        self.len -= count - self.run.len();
        self.sort_run();
    }

    #[inline]
    fn sort_run(&mut self) {
        self.run.sort_unstable_by(|a, b| {
            self.compares += u64::from(COUNT);
            // The sort only asks whether the answer is `Less`, so the second question is never put.
            if b.is_before(a) {
                Ordering::Less
            } else if a.is_before(b) {
                Ordering::Greater
            } else {
                Ordering::Equal
            }
        });
    }

    /// Whether the next event is in `near` and not in the run; `None` if it is in neither.
    #[inline]
    fn near_is_next(&mut self) -> Option<bool> {
        match (self.run.last(), self.near.first()) {
            (Some(_), None) => Some(false),
            (None, Some(_)) => Some(true),
            (None, None) => None,
            (Some(run), Some(near)) => {
                self.compares += u64::from(COUNT);
                Some(near.is_before(run))
            }
        }
    }
}

impl<E: Entry, const COUNT: bool> FutureEventList<E> for LadderQueue<E, COUNT> {
    #[inline(always)]
    fn push(&mut self, entry: E) {
        self.len += 1;
        match self.horizon {
            None => self.push_near(entry),
            Some(horizon) => self.push_far(entry, horizon),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<E> {
        let from_near = loop {
            match self.near_is_next() {
                Some(from_near) => break from_near,
                None if !self.refill(&mut |_| true) => return None,
                None => {}
            }
        };
        self.len -= 1;
        if from_near { self.near.pop() } else { self.run.pop() }
    }

    #[inline]
    fn peek(&mut self) -> Option<&E> {
        self.peek_sifting(|_| true)
    }

    #[inline]
    fn peek_sifting(&mut self, mut keep: impl FnMut(&E) -> bool) -> Option<&E> {
        loop {
            match self.near_is_next() {
                Some(true) => return self.near.first(),
                Some(false) => return self.run.last(),
                None if !self.refill(&mut keep) => return None,
                None => {}
            }
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    fn retain(&mut self, mut keep: impl FnMut(&E) -> bool) {
        self.near.retain(&mut keep);
        self.run.retain(&mut keep);
        self.run.shrink_to(2 * self.run.len());
        self.top.retain(&mut self.pool, &mut keep);
        if self.top.is_empty() {
            self.top_span = None;
        }
        self.len = self.near.len() + self.run.len() + self.top.len();
        for rung in &mut self.rungs[..self.depth] {
            self.len += rung.retain(&mut self.pool, &mut keep);
        }
        self.rungs.truncate(self.depth);
        self.pool.trim();
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        let bags = self.rungs.iter().flat_map(Rung::buckets).chain([&self.top]);
        let bagged = bags.flat_map(|bag| bag.iter(&self.pool));
        self.near.iter().chain(&self.run).chain(bagged)
    }

    fn compares(&self) -> Option<u64> {
        self.near.compares().map(|near| near + self.compares)
    }

    /// Events that were dealt out, each counted as often as it was, and moves in `near`; what sorting moves within a bucket is
    /// not counted.
    fn moves(&self) -> Option<u64> {
        self.near.moves().map(|near| near + self.moves)
    }
}

// How the entries lie in a ladder tells nothing that their keys do not, so a snapshot is just the entries.

impl<E: Entry, const COUNT: bool> FromIterator<E> for LadderQueue<E, COUNT> {
    fn from_iter<I: IntoIterator<Item = E>>(entries: I) -> Self {
        let mut queue = Self::default();
        entries.into_iter().for_each(|entry| queue.push(entry));
        queue
    }
}

#[cfg(feature = "serde")]
impl<E: Entry + Serialize, const COUNT: bool> Serialize for LadderQueue<E, COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(feature = "serde")]
impl<'de, E: Entry + Deserialize<'de>, const COUNT: bool> Deserialize<'de> for LadderQueue<E, COUNT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
