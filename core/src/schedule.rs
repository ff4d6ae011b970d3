//! All that a model can ask of the kernel: to schedule, cancel, reschedule, touch, spawn, despawn.

use crate::entity::{Entity, index_of};
use crate::error::{Refusal, ScheduleError};
use crate::event::{Cause, Class, EventId, HasHandles, LAST_SEQUENCE, NONE, Record, Refs, order_word};
use crate::kernel::{ErrorOf, Kernel, RecordOf};
use crate::living::{Series, Slot};
use crate::model::{Context, Due, Handle, Model, When};
use crate::observe::Observer;
use crate::queue::{FutureEventList, QueueKind};
use crate::random::Stream;
use crate::time::{DelayFault, Time};

/// A time to schedule at (`None` is never), and the indices of the stamps.
type Admitted<M> = (Option<<M as Model>::Time>, [u32; 2]);

impl<M: Model, O: Observer<M>, Q: QueueKind<M::Time>> Kernel<M, O, Q> {
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

    #[inline]
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
    #[inline(always)]
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

    #[inline(always)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Handles;
    use crate::model::Outcome;
    use crate::queue::Heap;
    use crate::simulation::Settings;

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
