//! The kernel: the clock, the future event list, what is alive in it, and how the dead are got rid of.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::counters::Counters;
use crate::entity::Entity;
use crate::error::ScheduleError;
use crate::event::{EventId, Header, NONE, Record, SEQUENCE_BITS};
use crate::instant::{Instant, Turn};
use crate::living::{Fate, Living};
use crate::model::Model;
use crate::observe::Observer;
use crate::queue::{Entry, FutureEventList, QueueKind};
use crate::random::Streams;
use crate::simulation::Settings;
use crate::ties::Places;
use crate::time::Time;

pub(crate) type RecordOf<M, O> =
    Record<<M as Model>::Time, <O as Observer<M>>::Cause, <M as Model>::Refs, <M as Model>::Event>;

type ListOf<M, O, Q> = <Q as QueueKind<<M as Model>::Time>>::List<RecordOf<M, O>>;

pub(crate) type ErrorOf<M> = ScheduleError<<M as Model>::Time>;

type CloneOf<M> = fn(&<M as Model>::Event) -> <M as Model>::Event;

/// All of it but the observer can be saved, if the payload can.
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "M::Time: Serialize, <M::Time as Time>::Key: Serialize, Q::List<RecordOf<M, O>>: Serialize, Living<M>: Serialize",
        deserialize = "M::Time: Deserialize<'de>, <M::Time as Time>::Key: Deserialize<'de>, Q::List<RecordOf<M, O>>: Deserialize<'de>, Living<M>: Deserialize<'de>,
                       O: Default"
    ))
)]
pub(crate) struct Kernel<M: Model, O: Observer<M>, Q: QueueKind<M::Time>> {
    pub(crate) now: M::Time,
    pub(crate) queue: Q::List<RecordOf<M, O>>,
    pub(crate) living: Living<M>,
    pub(crate) counters: Counters,
    pub(crate) instant: Instant,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) observer: O,
    pub(crate) current: Option<EventId>,
    pub(crate) stop: bool,
    /// The next sequence number.
    pub(crate) next: u64,
    pub(crate) streams: Streams,
    /// When the last executed event was due, its class and priority, and the next sequence number when it began: what came
    /// later was not waiting beside it.
    last: Option<(<M::Time as Time>::Key, u64, u64)>,
    /// How to copy the payload of a periodic event; known once there is one. A function cannot be saved: who restores a kernel
    /// sets it again.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) clone: Option<CloneOf<M>>,
}

/// What the driver finds at the head of the queue.
pub(crate) enum Found<R> {
    Live(R),
    /// Only for models that are told.
    Stale(R),
    /// Nothing up to the end that was asked for, but something later.
    Later,
    Nothing,
}

/// All that an event which is dropped before its time is to be entered into.
struct Books<'a, M: Model, O> {
    living: &'a mut Living<M>,
    counters: &'a mut Counters,
    observer: &'a mut O,
}

impl<M: Model, O: Observer<M>> Books<'_, M, O> {
    /// Whether an event is to stay in the queue. If not, it has been written off.
    #[inline]
    fn keep(&mut self, record: &RecordOf<M, O>) -> bool {
        let fate = self.living.fate(record);
        if self.living.counts(fate) {
            return true;
        }
        self.write_off(record, fate);
        false
    }

    /// Drops the dead of a bucketful of events that are soon to come up, and tells the model of the others.
    #[inline]
    fn sift(&mut self, records: &mut Vec<RecordOf<M, O>>, model: &mut M) {
        // What decides is read for all before anything is decided: a guess at the first would have to be taken back, and the
        // reads of the others with it.
        std::hint::black_box(records.iter().fold(0, |seen, record| seen | self.living.glance(record)));
        records.retain(|record| self.keep(record));
        model.expect(records.iter().filter_map(|record| self.living.payload(record)));
    }

    #[cold]
    fn write_off(&mut self, record: &RecordOf<M, O>, fate: Fate) {
        self.living.left(record, fate);
        if fate != Fate::Gone {
            self.counters.swept += 1;
            if let Some(payload) = self.living.payload(record) {
                self.observer.swept(&self.living.header(record), payload);
            }
            self.living.take_slot(&record.refs);
        }
    }
}

impl<M: Model, O: Observer<M>, Q: QueueKind<M::Time>> Kernel<M, O, Q> {
    pub(crate) fn new(settings: Settings<M::Time>, observer: O, queue: &Q) -> Self {
        let mut list = queue.list();
        list.clock_moved(settings.start);
        Kernel {
            now: settings.start,
            queue: list,
            living: Living::new(Places::new(settings.ties)),
            counters: Counters::default(),
            instant: Instant::new(settings.round_limit),
            observer,
            current: None,
            stop: false,
            next: 1,
            streams: Streams::new(settings.seed, settings.replication),
            last: None,
            clone: None,
        }
    }

    /// Removes the next event that is due by `end`, dropping the dead on the way.
    #[inline]
    pub(crate) fn find(&mut self, end: Option<<M::Time as Time>::Key>, model: &mut M) -> Found<RecordOf<M, O>> {
        loop {
            let (queue, mut books) = self.books();

            if let Some(end) = end {
                let Some(head) = queue.peek_sifting(|records| books.sift(records, model)) else {
                    return Found::Nothing;
                };
                // The dead are dropped even beyond the end, so that they are not taken for something that is still to come.
                if head.time > end && books.living.counts(books.living.fate(head)) {
                    return Found::Later;
                }
            }
            let Some(record) = queue.pop_sifting(|records| books.sift(records, model)) else {
                return Found::Nothing;
            };
            if let Some(found) = self.sort_out(record) {
                return found;
            }
        }
    }

    /// Drops a record that was popped if it is dead.
    #[inline]
    pub(crate) fn sort_out(&mut self, record: RecordOf<M, O>) -> Option<Found<RecordOf<M, O>>> {
        let fate = self.living.fate(&record);
        if !self.living.counts(fate) {
            self.drop_dead(record, fate);
            return None;
        }
        // One living entry less: what is left in the queue may now be mostly dead.
        self.sweep_if_worth_it();
        Some(if fate == Fate::Live { Found::Live(record) } else { Found::Stale(record) })
    }

    fn drop_dead(&mut self, record: RecordOf<M, O>, fate: Fate) {
        self.living.left(&record, fate);
        if fate != Fate::Gone {
            self.counters.stale += 1;
            if let Some(payload) = self.living.payload(&record) {
                self.observer.stale(&self.living.header(&record), payload);
            }
            self.living.take_slot(&record.refs);
        }
    }

    /// Drops all dead events once they may be more than half of the queue: O(1) amortised over the events that died.
    #[inline]
    pub(crate) fn sweep_if_worth_it(&mut self) {
        if self.living.worth_a_sweep(self.queue.len()) {
            self.sweep();
        }
    }

    /// What was predicted for this entity is void.
    #[inline]
    pub(crate) fn drop_touched(&mut self, entity: Entity) {
        let (queue, mut books) = self.books();
        queue.touched(entity.index(), |record| books.keep(record));
        self.sweep_if_worth_it();
    }

    /// The entry of an event that has just been cancelled or moved is of no more use.
    pub(crate) fn leave_husk(&mut self, stamps: [u32; 2]) {
        self.living.add_husk();
        if stamps[0] != NONE {
            let (queue, mut books) = self.books();
            queue.touched(stamps[0] as usize, |record| books.keep(record));
        }
    }

    #[cold]
    fn sweep(&mut self) {
        let (queue, mut books) = self.books();
        queue.retain(|record| books.keep(record));
    }

    #[inline]
    fn books(&mut self) -> (&mut ListOf<M, O, Q>, Books<'_, M, O>) {
        let Kernel { queue, living, counters, observer, .. } = self;
        let books = Books { living, counters, observer };
        (queue, books)
    }

    /// Whether an event is still to run or, if the model asks, to be told as stale.
    pub(crate) fn has_events(&mut self) -> bool {
        if M::TELL_STALE {
            self.queue.iter().any(|record| self.living.counts(self.living.fate(record)))
        } else {
            self.next_live().is_some()
        }
    }

    /// The next event that would run, and its kind.
    pub(crate) fn next_live(&mut self) -> Option<(Header<M::Time>, &'static str)> {
        if !M::TELL_STALE {
            while self.living.fate(self.queue.peek()?) != Fate::Live {
                let record = self.queue.pop()?;
                let fate = self.living.fate(&record);
                self.drop_dead(record, fate);
            }
        }
        let Kernel { queue, living, .. } = self;
        let record = if M::TELL_STALE {
            // A stale event may not be dropped before the model is told, so the living are searched for.
            queue.iter().filter(|record| living.fate(record) == Fate::Live).min_by_key(|record| record.key())
        } else {
            queue.peek()
        }?;
        Some((living.header(record), M::kind(living.payload(record)?)))
    }

    /// An event comes up in this instant; whether it begins a round.
    #[inline]
    pub(crate) fn enter(&mut self, turn: Turn) {
        self.counters.rounds += u64::from(self.instant.take(turn, self.next));
    }

    /// Enters an event that is about to run into the books and moves the clock to it.
    #[inline]
    pub(crate) fn begin(&mut self, header: &Header<M::Time>, record: &RecordOf<M, O>) {
        self.living.left(record, Fate::Live);
        self.counters.executed += 1;
        let rank = record.order >> SEQUENCE_BITS;
        if let Some((last_time, last_rank, next)) = self.last
            && last_time == record.time
            && last_rank == rank
            && header.id.sequence() < next
        {
            self.counters.ties += 1;
        }
        self.last = Some((record.time, rank, self.next));
        if header.time.key() > self.now.key() {
            self.move_clock(header.time);
        }
        self.current = Some(header.id);
    }

    pub(crate) fn move_clock(&mut self, to: M::Time) {
        self.observer.clock(self.now, to);
        self.now = to;
        self.queue.clock_moved(to);
    }
}
