//! What happens to events and entities, as structured `tracing` events.

use std::any::Any;

use tracing::{Level, event};

use super::Observer;
use crate::entity::Entity;
use crate::event::{Caused, Class, EventId, Header, NONE};
use crate::log::LogTime;
use crate::model::Model;
use crate::time::Time;

/// Reports what happens at level TRACE. Numbers of events are 0 for none.
///
/// Executed events come under the target `saltus` with the fields `time`, `id`, `cause` and `kind`, and with `at`, the distance
/// from the origin, if the time is neither `f64` nor `u64`. All else comes under the target `saltus::detail`, and its field
/// `what` says what it is:
///
/// | `what` | other fields |
/// |---|---|
/// | `scheduled`, `stale`, `swept` | `id`, `due`, `kind`, `cause`; `class` and `priority` if not zero; `entity` and `other`, those that it is stamped with |
/// | `cancelled` | `id`, `by` |
/// | `rescheduled` | `id`, `to` |
/// | `spawned` | `entity`, `by` |
/// | `touched` | `entity`, `version`, `by` |
/// | `clock` | `at` |
///
/// So a filter such as that of `RUST_LOG` chooses: `saltus=trace` lets all by, `saltus=trace,saltus::detail=off` what ran.
/// With the feature `layer`, `LogLayer` makes a log of all of it. `due` and `at` read back to the same bits.
///
/// Where no subscriber listens, each of these costs one load and one comparison, and an event the eight bytes of its cause.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracing;

/// A filter that knows `saltus` finds this below it.
macro_rules! detail {
    ($($field:tt)*) => { event!(target: "saltus::detail", Level::TRACE, $($field)*) };
}

fn number(event: Option<EventId>) -> u64 {
    event.map_or(0, EventId::sequence)
}

fn entity(stamp: u32) -> Option<u32> {
    (stamp != NONE).then_some(stamp)
}

/// What a log keeps of a time, unless the time itself, as it is shown, says that to the last bit.
fn distance<T: Time>(time: T) -> Option<f64> {
    let any: &dyn Any = &time;
    (!any.is::<f64>() && !any.is::<u64>()).then(|| time.minus(T::ORIGIN))
}

/// A field whose value is `None` is left out.
#[inline]
fn pending<M: Model>(what: &'static str, event: &Header<M::Time>, payload: &M::Event) {
    detail!(
        what,
        id = event.id.sequence(),
        due = %LogTime::of(event.due),
        kind = M::kind(payload),
        cause = number(event.cause),
        class = (event.class == Class::State).then_some(1u64),
        priority = (event.priority != 0).then_some(event.priority),
        entity = entity(event.stamps[0]),
        other = entity(event.stamps[1]),
    );
}

impl<M: Model> Observer<M> for Tracing {
    type Cause = Caused;

    #[inline]
    fn scheduled(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        pending::<M>("scheduled", event, payload);
    }

    fn executed(&mut self, executed: &Header<M::Time>, payload: &M::Event) {
        event!(
            target: "saltus",
            Level::TRACE,
            time = %executed.time,
            id = executed.id.sequence(),
            cause = number(executed.cause),
            kind = M::kind(payload),
            at = distance(executed.time),
        );
    }

    #[inline]
    fn stale(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        pending::<M>("stale", event, payload);
    }

    #[inline]
    fn swept(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        pending::<M>("swept", event, payload);
    }

    #[inline]
    fn cancelled(&mut self, event: EventId, _: M::Time, by: Option<EventId>) {
        detail!(what = "cancelled", id = event.sequence(), by = number(by));
    }

    #[inline]
    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        detail!(what = "rescheduled", id = event.sequence(), to = successor.sequence());
    }

    #[inline]
    fn spawned(&mut self, entity: Entity, by: Option<EventId>) {
        detail!(what = "spawned", entity = entity.index(), by = number(by));
    }

    #[inline]
    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        detail!(what = "touched", entity = entity.index(), version, by = number(by));
    }

    #[inline]
    fn clock(&mut self, _: M::Time, to: M::Time) {
        detail!(what = "clock", at = %LogTime::of(to));
    }
}
