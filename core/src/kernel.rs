//! The kernel: the clock, the future event list, and all that a model can ask for.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::counters::Counters;
use crate::entity::{Entity, index_of};
use crate::error::{Refusal, ScheduleError};
use crate::event::{
    Cause, Class, EventId, HasHandles, Header, LAST_SEQUENCE, NONE, Record, Refs, SEQUENCE_BITS, order_word,
};
use crate::instant::Instant;
use crate::living::{Fate, Living, Series, Slot};
use crate::model::{Context, Due, Handle, Model, When};
use crate::observe::Observer;
use crate::queue::{Entry, FutureEventList, QueueKind};
use crate::random::{Stream, Streams};
use crate::simulation::Settings;
use crate::ties::Places;
use crate::time::{DelayFault, Time};

pub(crate) type RecordOf<M, O> =
    Record<<M as Model>::Time, <O as Observer<M>>::Cause, <M as Model>::Refs, <M as Model>::Event>;

type ListOf<M, O, Q> = <Q as QueueKind<<M as Model>::Time>>::List<RecordOf<M, O>>;

type ErrorOf<M> = ScheduleError<<M as Model>::Time>;

type CloneOf<M> = fn(&<M as Model>::Event) -> <M as Model>::Event;

/// A time to schedule at (`None` is never), and the indices of the stamps.
type Admitted<M> = (Option<<M as Model>::Time>, [u32; 2]);

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
    streams: Streams,
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

    #[cold]
    fn write_off(&mut self, record: &RecordOf<M, O>, fate: Fate) {
        self.living.left(record, fate);
        if fate == Fate::Stale {
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
    pub(crate) fn find(&mut self, end: Option<<M::Time as Time>::Key>) -> Found<RecordOf<M, O>> {
        loop {
            let (queue, mut books) = self.books();
            let Some(head) = queue.peek_sifting(|record| books.keep(record)) else {
                return Found::Nothing;
            };
            // The dead are dropped even beyond the end, so that they are not taken for something that is still to come.
            if end.is_some_and(|end| head.time > end) && books.living.counts(books.living.fate(head)) {
                return Found::Later;
            }
            let Some(record) = self.queue.pop() else {
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
        if fate == Fate::Stale {
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
    fn drop_touched(&mut self, entity: Entity) {
        let (queue, mut books) = self.books();
        queue.touched(entity.index(), |record| books.keep(record));
        self.sweep_if_worth_it();
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

    /// The payload of an event that is about to run. A periodic event is put back into the queue first, so that its handler
    /// can cancel it; if that is refused, this was its last time.
    #[inline]
    pub(crate) fn take_payload(&mut self, record: RecordOf<M, O>) -> (M::Event, Option<ErrorOf<M>>) {
        let Some(slot) = record.refs.slot() else {
            let payload = M::Refs::into_payload(record.body).expect("an event without a slot carries its payload");
            return (payload, None);
        };
        if self.living.slots[slot as usize].series.is_some() {
            self.repeat(slot, record.refs)
        } else {
            (self.living.slots.remove(slot as usize).payload, None)
        }
    }

    /// The payload of a stale event that the model is told of. A stale periodic event is at its end.
    pub(crate) fn take_stale_payload(&mut self, record: RecordOf<M, O>) -> M::Event {
        match self.living.take_slot(&record.refs) {
            Some(slot) => slot.payload,
            None => M::Refs::into_payload(record.body).expect("an event without a slot carries its payload"),
        }
    }

    fn repeat(&mut self, key: u32, refs: M::Refs) -> (M::Event, Option<ErrorOf<M>>) {
        let horizon = self.queue.horizon();
        let slot = &mut self.living.slots[key as usize];
        // Not the clock: under a time-driven one it may have passed the next firing already, which is then late as well.
        let due = slot.time;
        let (Some(series), Some(clone)) = (&mut slot.series, self.clone) else {
            unreachable!("schedule_every has set both");
        };
        series.k += 1;
        let period = series.period;
        let next = match M::Time::periodic(series.start, series.k, period) {
            Some(time) if horizon.is_some_and(|horizon| time.key() > horizon) => {
                Err(ScheduleError::new(self.now, None, Refusal::BeyondHorizon(time)))
            }
            Some(time) if time.key() > due.key() => self.take_sequence(None).map(|sequence| Some((time, sequence))),
            Some(_) => Err(ScheduleError::new(self.now, None, Refusal::BelowResolution(period))),
            None => Ok(None),
        };
        let Ok(Some((time, sequence))) = next else {
            return (self.living.slots.remove(key as usize).payload, next.err());
        };
        let slot = &mut self.living.slots[key as usize];
        (slot.sequence, slot.time) = (sequence, time);
        let (priority, payload) = (slot.priority, clone(&slot.payload));
        self.push_slot(time, priority, sequence, refs);
        (payload, None)
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
    pub(crate) fn enter(&mut self, (instant, new_round): (Instant, bool)) {
        self.instant = instant;
        self.counters.rounds += u64::from(new_round);
    }

    /// Enters an event that is about to run into the books and moves the clock to it.
    #[inline]
    pub(crate) fn begin(&mut self, header: &Header<M::Time>, record: &RecordOf<M, O>) {
        self.living.left(record, Fate::Live);
        self.counters.executed += 1;
        let (time, rank) = (record.time, record.order >> SEQUENCE_BITS);
        let waited_beside =
            |last| matches!(last, (t, r, next) if t == time && r == rank && header.id.sequence() < next);
        self.counters.ties += u64::from(self.last.is_some_and(waited_beside));
        self.last = Some((time, rank, self.next));
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

    fn take_sequence(&mut self, entity: Option<Entity>) -> Result<u64, ErrorOf<M>> {
        if self.next > LAST_SEQUENCE {
            return Err(ScheduleError::new(self.now, entity, Refusal::OutOfSequence));
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    /// Queues an event whose payload lies in the slab.
    fn push_slot(&mut self, time: M::Time, priority: i16, sequence: u64, refs: M::Refs) {
        // Only `HasHandles` can make a reference with a slot; a body without payload comes from the same place.
        let body = M::Refs::empty().expect("these references can have a slot");
        self.push(time, priority, sequence, refs, body);
    }

    #[inline]
    fn push(
        &mut self,
        time: M::Time,
        priority: i16,
        sequence: u64,
        refs: M::Refs,
        body: <M::Refs as Refs>::Body<M::Event>,
    ) {
        let order = order_word(Class::Time, priority, self.living.places.place(sequence));
        let record = Record { time: time.key(), order, cause: O::Cause::from_event(self.current), refs, body };
        self.living.entered(record.refs.stamps());
        if let Some(payload) = self.living.payload(&record) {
            self.observer.scheduled(&self.living.header(&record), payload);
        }
        self.queue.push(record);
        if self.current.is_none() {
            self.instant.open_to_outside();
        }
        self.counters.scheduled += 1;
        self.counters.largest_queue = self.counters.largest_queue.max(self.queue.len());
    }

    /// Checks all that was asked for.
    #[inline]
    fn admit(&self, when: &When<M::Time>) -> Result<Admitted<M>, ErrorOf<M>> {
        let refuse = |reason| Err(ScheduleError::new(self.now, when.stamps[0], reason));
        let time = match when.due {
            Due::At(time) => match time.check() {
                Ok(Some(time)) if time.key() < self.now.key() => return refuse(Refusal::Past(time)),
                Ok(time) => time,
                Err(_) => return refuse(Refusal::NotATime(time)),
            },
            Due::After(delay) => match self.now.after(delay) {
                Ok(time) => time,
                Err(DelayFault::NotADelay) => return refuse(Refusal::NotADelay(delay)),
                Err(DelayFault::BelowResolution) => return refuse(Refusal::BelowResolution(delay)),
                Err(DelayFault::Overflow) => return refuse(Refusal::Overflow(delay)),
            },
        };
        if let (Some(time), Some(horizon)) = (time, self.queue.horizon())
            && time.key() > horizon
        {
            return refuse(Refusal::BeyondHorizon(time));
        }
        let room = M::Refs::STAMPS;
        if when.given > room {
            return refuse(Refusal::TooManyStamps { given: when.given, room });
        }
        let mut stamps = [NONE; 2];
        for (index, entity) in stamps.iter_mut().zip(when.stamps).take(room) {
            if let Some(entity) = entity {
                if !self.living.entities.is_alive(entity) {
                    return refuse(Refusal::DeadEntity(entity));
                }
                *index = entity.index() as u32;
            }
        }
        Ok((time, stamps))
    }

    /// Schedules an event with a handle, once or as a series.
    fn schedule_slot(
        &mut self,
        when: When<M::Time>,
        period: Option<<M::Time as Time>::Delay>,
        payload: M::Event,
    ) -> Result<Handle, ErrorOf<M>>
    where
        M::Refs: HasHandles,
    {
        let (time, stamps) = self.admit(&when)?;
        let Some(time) = time else { return Ok(Handle::NEVER) };
        let series = period.map(|period| Series { start: time, period, k: 0 });
        let sequence = self.take_sequence(when.stamps[0])?;
        let priority = when.priority;
        let slot = Slot { ticket: sequence, sequence, time, priority, stamps, payload, series };
        let key = index_of(self.living.slots.insert(slot));
        self.push_slot(time, priority, sequence, M::Refs::with_slot(stamps, key));
        Ok(Handle { slot: key, ticket: sequence })
    }
}

impl<M: Model, O: Observer<M>, Q: QueueKind<M::Time>> Context<M> for Kernel<M, O, Q> {
    #[inline]
    fn now(&self) -> M::Time {
        self.now
    }

    fn current(&self) -> Option<EventId> {
        self.current
    }

    #[inline]
    fn schedule(&mut self, when: impl Into<When<M::Time>>, event: M::Event) -> Result<EventId, ErrorOf<M>> {
        let when = when.into();
        let (time, stamps) = self.admit(&when)?;
        let Some(time) = time else { return Ok(EventId::NEVER) };
        let sequence = self.take_sequence(when.stamps[0])?;
        self.push(time, when.priority, sequence, M::Refs::with_stamps(stamps), M::Refs::inline(event));
        Ok(EventId::new(sequence))
    }

    fn schedule_with_handle(&mut self, when: impl Into<When<M::Time>>, event: M::Event) -> Result<Handle, ErrorOf<M>>
    where
        M::Refs: HasHandles,
    {
        self.schedule_slot(when.into(), None, event)
    }

    fn schedule_every(
        &mut self,
        start: impl Into<When<M::Time>>,
        period: <M::Time as Time>::Delay,
        event: M::Event,
    ) -> Result<Handle, ErrorOf<M>>
    where
        M::Refs: HasHandles,
        M::Event: Clone,
    {
        let start = start.into();
        let refuse = |reason| Err(ScheduleError::new(self.now, start.stamps[0], reason));
        let period = match M::Time::ORIGIN.after(period) {
            Ok(Some(time)) if time.key() == M::Time::ORIGIN.key() => return refuse(Refusal::BelowResolution(period)),
            Ok(Some(_)) => Some(period),
            // The second time would be never.
            Ok(None) => None,
            Err(_) => return refuse(Refusal::NotADelay(period)),
        };
        self.clone = Some(M::Event::clone);
        self.schedule_slot(start, period, event)
    }

    fn cancel(&mut self, handle: Handle) -> bool {
        let Some(slot) = self.living.pending(handle) else {
            return false;
        };
        let (id, time) = (EventId::new(slot.sequence), slot.time);
        self.living.slots.remove(handle.slot as usize);
        self.living.add_husk();
        self.counters.cancelled += 1;
        self.observer.cancelled(id, time, self.current);
        self.sweep_if_worth_it();
        true
    }

    fn reschedule(&mut self, handle: Handle, time: M::Time) -> Result<Option<EventId>, ErrorOf<M>>
    where
        M::Refs: HasHandles,
    {
        let Some(slot) = self.living.pending(handle) else {
            return Ok(None);
        };
        let (priority, stamps, former) = (slot.priority, slot.stamps, slot.sequence);
        let (Some(time), _) = self.admit(&When::at(time))? else {
            self.cancel(handle);
            return Ok(Some(EventId::NEVER));
        };
        let sequence = self.take_sequence(None)?;
        let slot = &mut self.living.slots[handle.slot as usize];
        (slot.sequence, slot.time) = (sequence, time);
        if let Some(series) = &mut slot.series {
            (series.start, series.k) = (time, 0);
        }
        self.living.add_husk();
        self.counters.rescheduled += 1;
        self.push_slot(time, priority, sequence, M::Refs::with_slot(stamps, handle.slot));
        self.observer.rescheduled(EventId::new(former), EventId::new(sequence));
        self.sweep_if_worth_it();
        Ok(Some(EventId::new(sequence)))
    }

    fn due(&self, handle: Handle) -> Option<M::Time> {
        self.living.pending(handle).map(|slot| slot.time)
    }

    fn spawn(&mut self) -> Entity {
        let entity = self.living.entities.spawn(self.next);
        self.observer.spawned(entity, self.current);
        entity
    }

    fn despawn(&mut self, entity: Entity) -> bool {
        let was_alive = self.living.entities.despawn(entity, self.next);
        if was_alive {
            self.observer.touched(entity, self.next, self.current);
            self.drop_touched(entity);
        }
        was_alive
    }

    #[inline]
    fn touch(&mut self, entity: Entity) -> bool {
        let is_alive = self.living.entities.touch(entity, self.next);
        if is_alive {
            self.observer.touched(entity, self.next, self.current);
            self.drop_touched(entity);
        }
        is_alive
    }

    fn version(&self, entity: Entity) -> Option<u64> {
        self.living.entities.version(entity)
    }

    fn stop(&mut self) {
        self.stop = true;
    }

    fn stream(&mut self, stream: u64) -> &mut Stream {
        self.streams.get(stream)
    }
}

impl<M: Model> Living<M> {
    #[inline]
    pub(crate) fn header<C: Cause>(&self, record: &Record<M::Time, C, M::Refs, M::Event>) -> Header<M::Time> {
        let id = EventId::new(self.places.sequence(record.place()));
        Header::new(id, M::Time::from_key(record.time), record.order, record.cause, &record.refs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Handles;
    use crate::model::Outcome;
    use crate::queue::Heap;

    struct Still;

    impl Model for Still {
        type Time = u64;
        type Event = u8;
        type Refs = Handles<1>;

        fn handle(&mut self, _: u8, _: &mut impl Context<Self>) -> Outcome {
            Ok(())
        }
    }

    #[test]
    fn when_sequence_numbers_run_out_scheduling_is_refused_and_the_queue_is_unchanged() {
        let mut kernel: Kernel<Still, (), Heap> = Kernel::new(Settings::default(), (), &Heap);
        let entity = kernel.spawn();
        let early = kernel.schedule_with_handle(When::at(5).stamp(entity), 0).unwrap();
        kernel.next = LAST_SEQUENCE;
        assert_eq!(kernel.schedule_at(7, 1).unwrap().sequence(), LAST_SEQUENCE);
        assert_eq!(kernel.schedule_at(7, 2).unwrap_err().reason(), Refusal::OutOfSequence);
        assert_eq!(kernel.schedule_every(7, 1, 2).unwrap_err().reason(), Refusal::OutOfSequence);
        assert_eq!(kernel.reschedule(early, 6).unwrap_err().reason(), Refusal::OutOfSequence);
        assert_eq!((kernel.queue.len(), kernel.counters.pending()), (2, 2));
        assert_eq!(kernel.due(early), Some(5));
        assert!(kernel.touch(entity), "the last version is larger than every sequence number");
        assert_eq!(kernel.due(early), None);
    }
}
