//! Handlers as `tracing` spans, nested by cause.

use std::collections::BTreeMap;

use tracing::span::EnteredSpan;
use tracing::{Level, Span, span};

use super::{GO_ON, Observer, Verdict};
use crate::event::{Caused, EventId, Header};
use crate::model::Model;

/// Runs each handler inside a span at level TRACE under the target `saltus`, with the fields `time`, `id`, `cause` (0 for none)
/// and `kind`. The span's parent is the span of the cause, so that whatever the handler reports shows the chain that led to it.
///
/// `tracing` keeps a span for as long as one below it lives, and many subscribers print all of them in every line, so a chain is
/// cut after a number of events: the next one begins anew.
#[derive(Debug)]
pub struct Spans {
    depth: usize,
    /// Spans of events that have run and whose effects are still to come.
    open: BTreeMap<EventId, Open>,
    /// The causes of pending events.
    causes: BTreeMap<EventId, EventId>,
    running: Option<EnteredSpan>,
}

#[derive(Debug)]
struct Open {
    span: Span,
    depth: usize,
    effects: usize,
}

impl Spans {
    /// With chains of at most `depth` spans.
    pub fn new(depth: usize) -> Spans {
        Spans { depth, open: BTreeMap::new(), causes: BTreeMap::new(), running: None }
    }

    /// A pending event is no more: its cause may be forgotten.
    fn release(&mut self, event: EventId) {
        let Some(cause) = self.causes.remove(&event) else { return };
        if let Some(open) = self.open.get_mut(&cause) {
            open.effects -= 1;
            if open.effects == 0 {
                self.open.remove(&cause);
            }
        }
    }
}

impl Default for Spans {
    fn default() -> Spans {
        Spans::new(16)
    }
}

impl<M: Model> Observer<M> for Spans {
    type Cause = Caused;

    fn scheduled(&mut self, event: &Header<M::Time>, _: &M::Event) {
        if let Some(cause) = event.cause
            && let Some(open) = self.open.get_mut(&cause)
        {
            open.effects += 1;
            self.causes.insert(event.id, cause);
        }
    }

    fn executed(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        if !tracing::enabled!(target: "saltus", Level::TRACE) {
            return;
        }
        let above = event.cause.and_then(|cause| self.open.get(&cause)).filter(|above| above.depth < self.depth);
        let (parent, depth) = above.map_or((None, 1), |above| (above.span.id(), above.depth + 1));
        let span = span!(
            target: "saltus",
            parent: parent,
            Level::TRACE,
            "event",
            time = %event.time,
            id = event.id.sequence(),
            cause = event.cause.map_or(0, EventId::sequence),
            kind = M::kind(payload),
        );
        self.release(event.id);
        self.running = Some(span.clone().entered());
        // The handler counts as an effect until it is over.
        self.open.insert(event.id, Open { span, depth, effects: 1 });
        self.causes.insert(event.id, event.id);
    }

    fn after(&mut self, event: &Header<M::Time>, _: &M) -> Verdict {
        self.running = None;
        self.release(event.id);
        GO_ON
    }

    fn stale(&mut self, event: &Header<M::Time>, _: &M::Event) {
        self.release(event.id);
    }

    fn swept(&mut self, event: &Header<M::Time>, _: &M::Event) {
        self.release(event.id);
    }

    fn cancelled(&mut self, event: EventId, _: M::Time, _: Option<EventId>) {
        self.release(event);
    }

    fn rescheduled(&mut self, event: EventId, _: EventId) {
        self.release(event);
    }
}
