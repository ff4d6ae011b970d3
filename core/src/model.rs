//! What a user writes, a [`Model`], and what it is given, a [`Context`].

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::entity::Entity;
use crate::error::{BoxError, ScheduleError};
use crate::event::{Class, EventId, HasHandles, Refs};
use crate::random::Stream;
use crate::time::Time;

/// What a handler returns. `?` works on every error; the run ends and names the event.
pub type Outcome = Result<(), BoxError>;

/// A model: a plain struct that says what happens.
///
/// It names no queue, no observer and no driver, so it runs unchanged under all of them.
pub trait Model: Sized {
    /// `f64`, `u64`, or a type of your own.
    type Time: Time;

    /// What an event carries: any type at all.
    type Event;

    /// What an event may refer to: `Stamps<N>` with up to N entities, or `Handles<N>` if some events are to be cancelled by
    /// handle or repeated.
    type Refs: Refs;

    /// Whether [`Model::stale`] is called. Such a model's stale events are never swept, so their number is up to the model.
    const TELL_STALE: bool = false;

    /// Of a model that is told: whether the first stamp of an event is its owner, who plans it and plans anew whenever it is
    /// touched. Then an event whose owner has been touched is nothing to tell of any more; it is dropped and swept as if the
    /// model did not ask. Told are the events of owners that know nothing yet: those that another stamp has voided.
    const OWNED: bool = false;

    /// An event has come due: the clock stands at its time.
    fn handle(&mut self, event: Self::Event, cx: &mut impl Context<Self>) -> Outcome;

    /// An event would have been next but is stale: a chance to predict anew. The clock has not moved.
    /// Called only with [`Model::TELL_STALE`]. What it schedules has the stale event as its cause.
    fn stale(&mut self, event: Self::Event, cx: &mut impl Context<Self>) -> Outcome {
        let _ = (event, cx);
        Ok(())
    }

    /// These events, a bucketful, are soon to come up. A large model can read what they will look at, so that it is in the cache by
    /// then: reads that do not wait for each other take hardly longer than one. What is found only by way of something else is
    /// best read in a second turn, when that is there for all. A queue without buckets tells of none, so nothing but speed may
    /// hang on it.
    #[inline]
    fn expect<'a>(&mut self, events: impl Iterator<Item = &'a Self::Event> + Clone)
    where
        Self::Event: 'a,
    {
        let _ = events;
    }

    /// What to call an event in logs and errors.
    fn kind(event: &Self::Event) -> &'static str {
        let _ = event;
        "event"
    }
}

/// When an event is to happen, with its priority and stamps.
///
/// ```
/// # use saltus::When;
/// let soon: When<f64> = When::after(2.0).priority(-1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct When<T: Time> {
    pub(crate) due: Due<T>,
    pub(crate) class: Class,
    pub(crate) priority: i16,
    pub(crate) stamps: [Option<Entity>; 2],
    pub(crate) given: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Due<T: Time> {
    At(T),
    After(T::Delay),
}

impl<T: Time> When<T> {
    /// At this time.
    #[inline]
    pub fn at(time: T) -> Self {
        When { due: Due::At(time), class: Class::Time, priority: 0, stamps: [None; 2], given: 0 }
    }

    /// This long after the clock.
    #[inline]
    pub fn after(delay: T::Delay) -> Self {
        When { due: Due::After(delay), class: Class::Time, priority: 0, stamps: [None; 2], given: 0 }
    }

    /// As a state event: a condition that becomes true then. At equal times it runs after all events that were scheduled for the
    /// time, whatever their priorities, so that it sees what they have changed. See [`hybrid`](crate::hybrid).
    ///
    /// ```
    /// # use saltus::When;
    /// let impact: When<f64> = When::at(0.4515).state();
    /// ```
    #[inline]
    pub fn state(self) -> Self {
        When { class: Class::State, ..self }
    }

    /// Among events of equal time and class a smaller priority runs first; 0 unless set.
    #[inline]
    pub fn priority(self, priority: i16) -> Self {
        When { priority, ..self }
    }

    /// Voids the event as soon as this entity is touched. Each call adds a stamp.
    #[inline]
    pub fn stamp(mut self, entity: Entity) -> Self {
        if let Some(place) = self.stamps.get_mut(self.given) {
            *place = Some(entity);
        }
        self.given += 1;
        self
    }
}

/// A bare time is enough where no priority and no stamp is wanted.
impl<T: Time> From<T> for When<T> {
    #[inline]
    fn from(time: T) -> Self {
        When::at(time)
    }
}

/// A reference to a pending event, to cancel or reschedule it. After the event has run or died it matches nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Handle {
    pub(crate) slot: u32,
    /// The sequence number that the event got first: unique, so a later tenant of the slot cannot match.
    pub(crate) ticket: u64,
}

impl Handle {
    /// What scheduling at positive infinity returns: nothing to cancel.
    pub const NEVER: Handle = Handle { slot: u32::MAX, ticket: 0 };
}

/// What a model may do. All of it takes effect at once, in the order in which it is asked for.
pub trait Context<M: Model> {
    /// The clock.
    fn now(&self) -> M::Time;

    /// The event that is being handled; `None` outside of handlers.
    fn current(&self) -> Option<EventId>;

    /// Schedules an event at a time, which may be now. Positive infinity means never: nothing is queued.
    #[inline]
    fn schedule_at(&mut self, time: M::Time, event: M::Event) -> Result<EventId, ScheduleError<M::Time>> {
        self.schedule(When::at(time), event)
    }

    /// Schedules an event after a delay, which may be zero.
    #[inline]
    fn schedule_in(
        &mut self,
        delay: <M::Time as Time>::Delay,
        event: M::Event,
    ) -> Result<EventId, ScheduleError<M::Time>> {
        self.schedule(When::after(delay), event)
    }

    /// Schedules an event with a priority or stamps. The cost is that of the queue: O(log n) for a heap.
    fn schedule(&mut self, when: impl Into<When<M::Time>>, event: M::Event) -> Result<EventId, ScheduleError<M::Time>>;

    /// Schedules an event that can be cancelled or rescheduled. For a timer that is set again and again, an entity of its own
    /// and [`Context::touch`] are twice as fast.
    fn schedule_with_handle(
        &mut self,
        when: impl Into<When<M::Time>>,
        event: M::Event,
    ) -> Result<Handle, ScheduleError<M::Time>>
    where
        M::Refs: HasHandles;

    /// Schedules an event at `start`, `start + period`, `start + 2 * period`, ..., each time computed from the integer, until
    /// it is cancelled, stale, or beyond the end of time. The cause of each is the one before.
    fn schedule_every(
        &mut self,
        start: impl Into<When<M::Time>>,
        period: <M::Time as Time>::Delay,
        event: M::Event,
    ) -> Result<Handle, ScheduleError<M::Time>>
    where
        M::Refs: HasHandles,
        M::Event: Clone;

    /// Cancels an event, in O(1). True only if it would otherwise have run; for a periodic event, if it would have run again.
    fn cancel(&mut self, handle: Handle) -> bool;

    /// Moves a pending event to another time, with a new sequence number (it comes last among equals), stamps as of now, and
    /// the running event as its cause. The handle stays valid; a periodic event goes on from the new time. `None` if the event
    /// is no longer pending. Moving it to positive infinity cancels it.
    fn reschedule(&mut self, handle: Handle, time: M::Time) -> Result<Option<EventId>, ScheduleError<M::Time>>
    where
        M::Refs: HasHandles;

    /// When the event will run; `None` if it will not.
    fn due(&self, handle: Handle) -> Option<M::Time>;

    /// Creates an entity.
    fn spawn(&mut self) -> Entity;

    /// Ends an entity; all that was predicted for it is void. False if it was gone already.
    fn despawn(&mut self, entity: Entity) -> bool;

    /// Voids all that was predicted for an entity so far, in O(1); the void events are swept in bulk, O(1) amortised for
    /// each. False if the entity is gone.
    fn touch(&mut self, entity: Entity) -> bool;

    /// The entity's version: the first sequence number that still counts for it. `None` if it is gone.
    fn version(&self, entity: Entity) -> Option<u64>;

    /// Ends the run after this event; the clock stays where it is. From outside it does nothing.
    fn stop(&mut self);

    /// The random stream (seed, replication, `stream`) of this simulation; it goes on where it was left. Draw first and
    /// schedule then, in two lines: both borrow the context. O(log of the number of streams in use).
    fn stream(&mut self, stream: u64) -> &mut Stream;
}
