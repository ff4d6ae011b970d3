//! Executed events as structured `tracing` events.

use tracing::{Level, event};

use super::Observer;
use crate::event::{Caused, Header};
use crate::model::Model;

/// Reports each executed event at level TRACE under the target `saltus`, with the fields `time`, `id`, `cause` (0 for none)
/// and `kind`. Where no subscriber listens, it costs one
/// load and one comparison an event, and the eight bytes of the cause.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracing;

impl<M: Model> Observer<M> for Tracing {
    type Cause = Caused;

    fn executed(&mut self, executed: &Header<M::Time>, payload: &M::Event) {
        event!(
            target: "saltus",
            Level::TRACE,
            time = %executed.time,
            id = executed.id.sequence(),
            cause = executed.cause.map_or(0, |cause| cause.sequence()),
            kind = M::kind(payload),
        );
    }
}
