//! Event ids, stamps, causes, and the record that the queue holds.

use std::fmt;
use std::num::NonZeroU64;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::queue::Entry;
use crate::time::Time;

/// The identity of an event: its sequence number, counted from 1 in the order of scheduling, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct EventId(NonZeroU64);

impl EventId {
    /// What scheduling at positive infinity returns: an event that is not queued and never runs.
    pub const NEVER: EventId = EventId(NonZeroU64::MAX);

    #[inline]
    pub(crate) fn new(sequence: u64) -> EventId {
        debug_assert!(sequence > 0, "sequence numbers start at 1");
        // A check that can panic would keep the compiler from dropping ids that nobody looks at.
        EventId(NonZeroU64::new(sequence).unwrap_or(NonZeroU64::MAX))
    }

    /// The event with this sequence number; `None` for 0, which no event has, and for the number of [`EventId::NEVER`].
    pub fn from_sequence(sequence: u64) -> Option<EventId> {
        NonZeroU64::new(sequence).map(EventId).filter(|&id| id != EventId::NEVER)
    }

    /// The sequence number.
    pub fn sequence(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == EventId::NEVER { f.write_str("never") } else { write!(f, "#{}", self.0) }
    }
}

/// What comes first among events of equal time, before priorities are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Class {
    /// An event that was scheduled for a time.
    Time = 0,
    /// A condition of a hybrid model that became true.
    State = 1,
}

/// Bits of a sequence number: 1.4e14 events, 80 days at 20 million a second.
pub(crate) const SEQUENCE_BITS: u32 = 47;
pub(crate) const LAST_SEQUENCE: u64 = (1 << SEQUENCE_BITS) - 1;

/// Class, priority and sequence in one word, in the order in which they count.
///
/// Bit 63 is the class, bits 47 to 62 the priority (moved up so that it is not negative), the rest the sequence number or, in
/// a random tie order, its place in the shuffle.
#[inline]
pub(crate) fn order_word(class: Class, priority: i16, place: u64) -> u64 {
    let priority = (priority as u16) ^ 0x8000;
    ((class as u64) << 63) | ((priority as u64) << SEQUENCE_BITS) | place
}

fn class_of(order: u64) -> Class {
    if order >> 63 == 0 { Class::Time } else { Class::State }
}

fn priority_of(order: u64) -> i16 {
    (((order >> SEQUENCE_BITS) as u16) ^ 0x8000) as i16
}

/// What an event may refer to, chosen by the model: [`Stamps<N>`] or [`Handles<N>`]. Each stamp takes four bytes of every queued
/// event; handles take four more and, unless the payload type has a spare value as most enums do, a mark of up to eight.
pub trait Refs: Copy + sealed::Sealed + 'static {
    /// How many stamps an event can carry: 0, 1 or 2.
    const STAMPS: usize;
    /// How the payload lies in the queue.
    type Body<P>;

    #[doc(hidden)]
    fn with_stamps(stamps: [u32; 2]) -> Self;
    #[doc(hidden)]
    fn stamps(&self) -> &[u32];
    #[doc(hidden)]
    fn slot(&self) -> Option<u32>;
    #[doc(hidden)]
    fn inline<P>(payload: P) -> Self::Body<P>;
    #[doc(hidden)]
    fn payload<P>(body: &Self::Body<P>) -> Option<&P>;
    #[doc(hidden)]
    fn into_payload<P>(body: Self::Body<P>) -> Option<P>;
    /// The body of an event whose payload lies elsewhere.
    #[doc(hidden)]
    fn empty<P>() -> Option<Self::Body<P>>;
}

/// References that can include a handle, as [`schedule_with_handle`](crate::Context::schedule_with_handle) and
/// [`schedule_every`](crate::Context::schedule_every) need.
#[diagnostic::on_unimplemented(
    message = "events of this model cannot have handles",
    note = "write `type Refs = Handles<N>` instead of `Stamps<N>` in the model"
)]
pub trait HasHandles: Refs {
    #[doc(hidden)]
    fn with_slot(stamps: [u32; 2], slot: u32) -> Self;
}

mod sealed {
    #[diagnostic::on_unimplemented(
        message = "an event has 0, 1 or 2 stamps",
        note = "let an event that depends on more carry the stamp of an entity of its own, and touch that whenever one of them changes"
    )]
    pub trait Sealed {}
    impl Sealed for super::Stamps<0> {}
    impl Sealed for super::Stamps<1> {}
    impl Sealed for super::Stamps<2> {}
    impl Sealed for super::Handles<0> {}
    impl Sealed for super::Handles<1> {}
    impl Sealed for super::Handles<2> {}
}

/// No entity, no slot.
pub(crate) const NONE: u32 = u32::MAX;

/// Up to `N` stamps an event (0, 1 or 2) and no handles: the smallest record.
#[derive(Clone, Copy, Debug)]
pub struct Stamps<const N: usize>([u32; N]);

/// Up to `N` stamps an event (0, 1 or 2), and any event may have a handle to cancel or reschedule it.
///
/// The payload of an event with a handle lies in a slab beside the queue; events without one stay in the queue.
#[derive(Clone, Copy, Debug)]
pub struct Handles<const N: usize> {
    stamps: [u32; N],
    slot: u32,
}

fn first<const N: usize>(stamps: [u32; 2]) -> [u32; N] {
    std::array::from_fn(|i| stamps[i])
}

impl<const N: usize> Refs for Stamps<N>
where
    Self: sealed::Sealed,
{
    const STAMPS: usize = N;
    type Body<P> = P;

    #[inline]
    fn with_stamps(stamps: [u32; 2]) -> Self {
        Stamps(first(stamps))
    }
    #[inline]
    fn stamps(&self) -> &[u32] {
        &self.0
    }
    #[inline]
    fn slot(&self) -> Option<u32> {
        None
    }
    #[inline]
    fn inline<P>(payload: P) -> P {
        payload
    }
    #[inline]
    fn payload<P>(body: &P) -> Option<&P> {
        Some(body)
    }
    #[inline]
    fn into_payload<P>(body: P) -> Option<P> {
        Some(body)
    }
    fn empty<P>() -> Option<P> {
        None
    }
}

impl<const N: usize> Refs for Handles<N>
where
    Self: sealed::Sealed,
{
    const STAMPS: usize = N;
    type Body<P> = Option<P>;

    #[inline]
    fn with_stamps(stamps: [u32; 2]) -> Self {
        Handles { stamps: first(stamps), slot: NONE }
    }
    #[inline]
    fn stamps(&self) -> &[u32] {
        &self.stamps
    }
    #[inline]
    fn slot(&self) -> Option<u32> {
        (self.slot != NONE).then_some(self.slot)
    }
    #[inline]
    fn inline<P>(payload: P) -> Option<P> {
        Some(payload)
    }
    #[inline]
    fn payload<P>(body: &Option<P>) -> Option<&P> {
        body.as_ref()
    }
    #[inline]
    fn into_payload<P>(body: Option<P>) -> Option<P> {
        body
    }
    fn empty<P>() -> Option<Option<P>> {
        Some(None)
    }
}

impl<const N: usize> HasHandles for Handles<N>
where
    Self: sealed::Sealed,
{
    #[inline]
    fn with_slot(stamps: [u32; 2], slot: u32) -> Self {
        Handles { stamps: first(stamps), slot }
    }
}

#[cfg(feature = "serde")]
mod saved {
    use super::{Handles, NONE, Refs, Stamps};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    // Arrays of a generic length have no serde of their own; three numbers say it all.
    impl<const N: usize> Serialize for Stamps<N>
    where
        Self: Refs,
    {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            pad(self.stamps()).serialize(s)
        }
    }
    impl<'de, const N: usize> Deserialize<'de> for Stamps<N>
    where
        Self: Refs,
    {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            Ok(Stamps::with_stamps(Deserialize::deserialize(d)?))
        }
    }
    impl<const N: usize> Serialize for Handles<N>
    where
        Self: Refs,
    {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            (pad(self.stamps()), self.slot).serialize(s)
        }
    }
    impl<'de, const N: usize> Deserialize<'de> for Handles<N>
    where
        Self: Refs,
    {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            let (stamps, slot) = Deserialize::deserialize(d)?;
            Ok(Handles { slot, ..Handles::with_stamps(stamps) })
        }
    }
    fn pad(stamps: &[u32]) -> [u32; 2] {
        std::array::from_fn(|i| stamps.get(i).copied().unwrap_or(NONE))
    }
}

/// Whether events carry their cause: `()` for no, [`Caused`] for yes. The observer decides; see
/// [`Observer::Cause`](crate::Observer::Cause).
pub trait Cause: Copy + 'static {
    /// What two observers need together.
    type Or<C: Cause>: Cause;

    #[doc(hidden)]
    fn from_event(event: Option<EventId>) -> Self;
    #[doc(hidden)]
    fn event(self) -> Option<EventId>;
}

impl Cause for () {
    type Or<C: Cause> = C;

    #[inline]
    fn from_event(_: Option<EventId>) {}
    #[inline]
    fn event(self) -> Option<EventId> {
        None
    }
}

/// Eight bytes of every queued event: the event whose handler scheduled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Caused(Option<EventId>);

impl Cause for Caused {
    type Or<C: Cause> = Caused;

    #[inline]
    fn from_event(event: Option<EventId>) -> Self {
        Caused(event)
    }
    #[inline]
    fn event(self) -> Option<EventId> {
        self.0
    }
}

/// An event as the queue holds it.
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T::Key: Serialize, C: Serialize, R: Serialize, R::Body<P>: Serialize",
        deserialize = "T::Key: Deserialize<'de>, C: Deserialize<'de>, R: Deserialize<'de>, R::Body<P>: Deserialize<'de>"
    ))
)]
pub(crate) struct Record<T: Time, C, R: Refs, P> {
    pub(crate) time: T::Key,
    pub(crate) order: u64,
    pub(crate) cause: C,
    pub(crate) refs: R,
    pub(crate) body: R::Body<P>,
}

impl<T: Time, C, R: Refs, P> Record<T, C, R, P> {
    /// The sequence number, or its place in a random tie order.
    #[inline]
    pub(crate) fn place(&self) -> u64 {
        self.order & LAST_SEQUENCE
    }
}

impl<T: Time, C, R: Refs, P> Entry for Record<T, C, R, P> {
    type Time = T;

    #[inline]
    fn key(&self) -> (T::Key, u64) {
        (self.time, self.order)
    }

    #[inline]
    fn owner(&self) -> Option<usize> {
        let first = *self.refs.stamps().first()?;
        (first != NONE).then_some(first as usize)
    }
}

/// What is known of an event apart from its payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header<T> {
    /// Its identity.
    pub id: EventId,
    /// When it happens: when it is due, or at the end of its slot under a time-driven clock.
    pub time: T,
    /// When it is due.
    pub due: T,
    /// Time or state event.
    pub class: Class,
    /// Smaller runs first among events of equal time and class.
    pub priority: i16,
    /// The event whose handler scheduled it, if the observer asked for causes and there was one.
    pub cause: Option<EventId>,
    pub(crate) stamps: [u32; 2],
}

impl<T: Time> Header<T> {
    pub(crate) fn new<C: Cause, R: Refs>(id: EventId, time: T, order: u64, cause: C, refs: &R) -> Self {
        let stamps = refs.stamps();
        Header {
            id,
            time,
            due: time,
            class: class_of(order),
            priority: priority_of(order),
            cause: cause.event(),
            stamps: std::array::from_fn(|i| stamps.get(i).copied().unwrap_or(NONE)),
        }
    }

    /// The indices of the entities that it is stamped with.
    pub fn entities(&self) -> impl Iterator<Item = usize> + use<T> {
        indices(self.stamps)
    }
}

pub(crate) fn indices(stamps: [u32; 2]) -> impl Iterator<Item = usize> {
    stamps.into_iter().filter(|&index| index != NONE).map(|index| index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record<C, R: Refs, P>() -> usize {
        size_of::<Record<f64, C, R, P>>()
    }

    #[test]
    fn what_a_run_does_not_use_takes_no_bytes() {
        assert_eq!(record::<(), Stamps<0>, ()>(), 16);
        assert_eq!(record::<(), Stamps<1>, u32>(), 24);
        assert_eq!(record::<(), Stamps<2>, u64>(), 32);
        assert_eq!(record::<(), Stamps<0>, [u64; 2]>(), 32);
        assert_eq!(record::<(), Stamps<1>, [u32; 3]>(), 32);
        assert_eq!(record::<Caused, Stamps<2>, [u64; 2]>(), 48);
        assert_eq!(record::<Caused, Handles<1>, Box<u8>>(), 40);
        // A payload without a spare value pays for the mark that says whether it is there.
        assert_eq!((record::<(), Stamps<1>, u64>(), record::<(), Handles<1>, u64>()), (32, 40));
        assert_eq!((record::<(), Stamps<1>, Option<u32>>(), record::<(), Handles<1>, Option<u32>>()), (32, 32));
        assert_eq!(size_of::<Option<EventId>>(), 8);
    }

    #[test]
    fn the_order_word_orders_by_class_then_priority_then_place() {
        let mut words = Vec::new();
        for class in [Class::Time, Class::State] {
            for priority in [i16::MIN, -129, -1, 0, 1, 127, 128, i16::MAX] {
                for place in [0, 1, LAST_SEQUENCE] {
                    let word = order_word(class, priority, place);
                    assert_eq!((class_of(word), priority_of(word), word & LAST_SEQUENCE), (class, priority, place));
                    words.push(word);
                }
            }
        }
        assert!(words.is_sorted_by(|a, b| a < b));
    }
}
