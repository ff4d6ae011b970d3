//! A ladder queue: events are sorted only when they are about to run.
//!
//! A heap keeps all that is pending half sorted, and pays for it with a chain of cache misses an operation. The ladder throws
//! far events into an unsorted bag, the *top*. When all before them has run, the top is dealt out over the buckets of a
//! *rung*, each a bag for a short span of time. The first bucket is then either small, and sorted into the *run*, from which
//! events are popped, or dealt out over a finer rung below. So an event is moved two or three times in its life, however many
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
//! case is worse than a heap: neither a million equal times, which a rung cuts by the rest of their keys, nor events that each
//! schedule the next one an instant later. A queue with few entries is that heap and nothing else.
//!
//! With a million pending the work is that of waiting for memory. Three things keep it short: events are read only to be moved,
//! since a bucket is cut by the bounds that it has anyway; few bags are open at a time; and what is going to be dealt out next
//! is fetched while something else is.

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::chunks::{Bag, Pool};
use super::fetch::fetch;
use super::run::{MOST, Run};
use super::rung::{Cut, FAN_OUT, Rung};
use super::{DaryHeap, Entry, FutureEventList, KeyOf, QueueKind, TimeOf};

/// The heap of near events is emptied when it has grown beyond this.
const NEAR: usize = 256;
/// Rungs. A deeper ladder means times so unevenly spread that a heap does as well.
const DEPTH: usize = 10;

/// A ladder of chunked bags. Push and pop O(1) amortised, and no worse than a heap's whatever the times are.
///
/// With `COUNT` it counts key comparisons and moves, for experiments on work; without, that costs nothing.
pub struct LadderQueue<E: Entry, const COUNT: bool = false> {
    near: DaryHeap<E, 4, COUNT>,
    /// The length beyond which `near` is emptied.
    near_limit: usize,
    run: Run<E>,
    /// The first `depth` are in use. The others keep their memory.
    rungs: Vec<Rung<E>>,
    depth: usize,
    /// Events after this time go to the top. Without it the queue is small and all goes to `near`.
    horizon: Option<TimeOf<E>>,
    top: Bag<E>,
    /// The earliest and the last time in the top.
    top_span: Option<(TimeOf<E>, TimeOf<E>)>,
    /// Entries everywhere.
    len: usize,
    pool: Pool<E>,
    compares: u64,
    moves: u64,
}

/// Chooses the ladder, the default of [`Simulation`](crate::Simulation).
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
            run: Run::new(),
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
    /// Over how many buckets so many entries are to be dealt: so many that each can be a run next, but, as each ends with a chunk
    /// that is not full, not so many that this would matter beside all that is pending.
    fn buckets_for(&self, count: usize) -> usize {
        let most = (self.len / (10 * Pool::<E>::CHUNK)).clamp(FAN_OUT / 2, FAN_OUT);
        (count / (MOST / 2)).clamp(2, most)
    }

    /// Where an event with this key is to be added: the end of the top, or else of a bucket of the first rung that has not
    /// passed its time, or else nowhere but in `near`. It is told the key alone, so that the event is written once, there.
    #[inline(never)]
    fn end_for(&mut self, key: KeyOf<E>, horizon: TimeOf<E>) -> Option<&mut Vec<E>> {
        if key.0 > horizon {
            let (first, last) = self.top_span.unwrap_or((key.0, key.0));
            self.top_span = Some((first.min(key.0), last.max(key.0)));
            return Some(self.top.end(&mut self.pool));
        }
        for rung in &mut self.rungs[..self.depth] {
            let bucket = rung.cut().bucket(key);
            if rung.is_open(bucket) {
                return Some(rung.end(bucket, &mut self.pool));
            }
        }
        None
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
        // At least half of what is moved now has come since the last time, so this costs each event O(1).
        while self.rungs[..self.depth].last().is_some_and(Rung::is_used_up) {
            self.depth -= 1;
        }
        let count = self.near.len() + self.run.len();
        let keys = || self.near.iter().chain(self.run.iter()).map(E::key);
        let Some((first, last)) = keys().min().zip(keys().max()) else {
            return;
        };
        let cut = Cut::span(first, last, self.buckets_for(count));
        if !self.set_up_rung(cut, count) {
            self.near_limit = 2 * self.near.len();
            return;
        }
        self.near_limit = NEAR;
        self.horizon.get_or_insert(last.0);
        let rung = &mut self.rungs[self.depth - 1];
        for entry in self.near.drain().chain(self.run.drain()) {
            rung.end(rung.cut().bucket(entry.key()), &mut self.pool).push(entry);
        }
    }

    /// Puts an empty rung below the others. False if they cannot be told apart.
    fn set_up_rung(&mut self, cut: Option<Cut<E::Time>>, count: usize) -> bool {
        let Some(cut) = cut.filter(|_| self.depth < DEPTH) else {
            return false;
        };
        match self.rungs.get_mut(self.depth) {
            Some(rung) => rung.set_up(cut),
            None => self.rungs.push(Rung::new(cut)),
        }
        self.depth += 1;
        if COUNT {
            self.moves += count as u64;
        }
        true
    }

    /// Fills the run, or `near`, with the next events. False if there are none. Both are empty when this is called, and may be
    /// afterwards if `sift` drops all.
    #[inline(never)]
    fn refill(&mut self, sift: &mut impl FnMut(&mut Vec<E>)) -> bool {
        self.near_limit = NEAR;
        while let Some(rung) = self.rungs[..self.depth].last_mut() {
            let Some(bucket) = rung.use_up_next() else {
                self.depth -= 1;
                continue;
            };
            let count = bucket.len();
            if count <= MOST {
                self.sort_bucket(sift);
                return true;
            }
            let buckets = self.buckets_for(count);
            let cut = self.rungs[self.depth - 1].cut_used_up(&self.pool, buckets);
            if !self.deal_source(cut, count) {
                self.heap_source();
                return true;
            }
        }
        self.refill_from_top(sift)
    }

    /// The ladder is used up: a new one begins with what is in the top.
    fn refill_from_top(&mut self, sift: &mut impl FnMut(&mut Vec<E>)) -> bool {
        self.pool.trim();
        let Some((first, last)) = self.top_span.take() else {
            self.horizon = None;
            return false;
        };
        let count = self.top.len();
        if count <= NEAR / 2 {
            self.horizon = None;
            self.heap_source();
            return true;
        }
        self.horizon = Some(last);
        let span = if first < last { Some(((first, 0), (last, 0))) } else { self.top.span(&self.pool) };
        let cut = span.and_then(|(first, last)| Cut::span(first, last, self.buckets_for(count)));
        if self.deal_source(cut, count) {
            return self.refill(sift);
        }
        self.heap_source();
        true
    }

    /// Deals the bucket that was used up last, or without rungs the top, out over a rung. False if that cannot be done.
    fn deal_source(&mut self, cut: Option<Cut<E::Time>>, count: usize) -> bool {
        if !self.set_up_rung(cut, count) {
            return false;
        }
        let (above, below) = self.rungs.split_at_mut(self.depth - 1);
        let source = above.last_mut().map_or(&mut self.top, Rung::used_up);
        let rung = &mut below[0];
        let cut = rung.cut();
        let mut next = source.take_chunk(&mut self.pool);
        while !next.is_empty() {
            let mut chunk = std::mem::replace(&mut next, source.take_chunk(&mut self.pool));
            while let Some(entry) = chunk.last() {
                // While one chunk is dealt out, the next is brought into the cache.
                fetch(next.get(chunk.len() - 1));
                let end = rung.end(cut.bucket(entry.key()), &mut self.pool);
                // Taken out only now that there is a place for it, so that it is copied once.
                if let Some(entry) = chunk.pop() {
                    end.push(entry);
                }
            }
            self.pool.give_back(chunk);
        }
        // A rung that is used up gives way. If it stayed, and one event lay far ahead in the rung above, each generation of
        // events would go a rung deeper.
        if self.rungs[..self.depth - 1].last().is_some_and(Rung::is_used_up) {
            self.rungs.swap(self.depth - 2, self.depth - 1);
            self.depth -= 1;
        }
        true
    }

    /// Makes the bucket that was used up last the run.
    ///
    /// This is where the dead are left out. It pays even if there are none: to tell them apart, what the events depend on is looked
    /// up, and a bucketful of look-ups that do not wait for each other brings it into the cache just before the events run.
    fn sort_bucket(&mut self, sift: &mut impl FnMut(&mut Vec<E>)) {
        let rung = &mut self.rungs[self.depth - 1];
        let entries = self.run.entries();
        rung.used_up().empty(&mut self.pool, |chunk, _| entries.append(chunk));
        self.len -= entries.len();
        sift(entries);
        self.len += entries.len();
        self.run.sort(rung.part(), &mut self.compares);
    }

    /// Moves the bucket that was used up last, or without rungs the top, to `near`: it is small, or no rung can tell its
    /// events apart.
    #[cold]
    fn heap_source(&mut self) {
        let source = self.rungs[..self.depth].last_mut().map_or(&mut self.top, Rung::used_up);
        source.empty(&mut self.pool, |chunk, _| chunk.drain(..).for_each(|entry| self.near.push(entry)));
        self.near_limit = NEAR.max(2 * self.near.len());
    }

    /// Whether the next event is in `near` and not in the run; `None` if it is in neither.
    #[inline]
    fn near_is_next(&mut self) -> Option<bool> {
        match (self.run.first(), self.near.first()) {
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
        let end = self.horizon.and_then(|horizon| self.end_for(entry.key(), horizon));
        match end {
            Some(end) => end.push(entry),
            None => self.push_near(entry),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<E> {
        self.pop_sifting(|_| ())
    }

    #[inline]
    fn pop_sifting(&mut self, mut sift: impl FnMut(&mut Vec<E>)) -> Option<E> {
        let from_near = loop {
            match self.near_is_next() {
                Some(from_near) => break from_near,
                None if !self.refill(&mut sift) => return None,
                None => {}
            }
        };
        self.len -= 1;
        if from_near { self.near.pop() } else { self.run.pop() }
    }

    #[inline]
    fn peek(&mut self) -> Option<&E> {
        self.peek_sifting(|_| ())
    }

    #[inline]
    fn peek_sifting(&mut self, mut sift: impl FnMut(&mut Vec<E>)) -> Option<&E> {
        loop {
            match self.near_is_next() {
                Some(true) => return self.near.first(),
                Some(false) => return self.run.first(),
                None if !self.refill(&mut sift) => return None,
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
        self.near.iter().chain(self.run.iter()).chain(bagged)
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
