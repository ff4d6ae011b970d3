//! A log of what comes by in `tracing`.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use crate::event::{Class, EventId};
use crate::log::{Entities, LogHeader, LogTime, LogWriter, Outcome, Record, Scheduled, Sink};

/// A layer that makes a log of `tracing` events under the target `saltus` that carry the fields `id` and `time` and, if they have
/// them, `cause`, `kind` and `label`: as [`Tracing`](super::Tracing) reports them, or any program that names its events in this
/// way.
///
/// That is what ran and because of what. What was touched, cancelled or found stale only a [`Recorder`](super::Recorder) sees.
///
/// A copy writes to the same log: one goes to the subscriber, the other finishes.
#[derive(Debug)]
pub struct LogLayer<W: Write>(Arc<Mutex<Open<W>>>);

impl<W: Write> Clone for LogLayer<W> {
    fn clone(&self) -> Self {
        LogLayer(Arc::clone(&self.0))
    }
}

#[derive(Debug)]
struct Open<W: Write> {
    writer: Option<LogWriter<W>>,
    clock: LogTime,
    last: Option<EventId>,
}

impl<W: Write> LogLayer<W> {
    /// Writes the header. Its start says whether times are read as `f64` or as ticks.
    pub fn new(out: W, header: &LogHeader) -> io::Result<LogLayer<W>> {
        let writer = Some(LogWriter::new(out, header)?);
        Ok(LogLayer(Arc::new(Mutex::new(Open { writer, clock: header.start, last: None }))))
    }

    /// Writes the end record and gives the writer back, or the first error. What comes by later is not logged. `None` if this
    /// was done before.
    pub fn finish(&self, outcome: Outcome, reason: &str) -> Option<io::Result<W>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writer = open.writer.take()?;
        writer.end(outcome, reason, open.clock, open.last);
        Some(writer.finish())
    }
}

impl<W: Write> Open<W> {
    fn put(&mut self, fields: &Fields) {
        let Some(writer) = &mut self.writer else { return };
        let Some(id) = fields.id.and_then(EventId::from_sequence) else { return };
        let at = match self.clock {
            LogTime::Real(_) => fields.time.parse().ok().filter(|real: &f64| real.is_finite()).map(LogTime::Real),
            LogTime::Ticks(_) => fields.time.parse().ok().map(LogTime::Ticks),
        };
        // A log whose clock goes back cannot be read.
        let Some(at) = at.filter(|&at| at >= self.clock) else { return };
        writer.put(&Record::Schedule(Scheduled {
            id,
            due: at,
            class: Class::Time,
            priority: 0,
            kind: &fields.kind,
            entities: Entities::NONE,
            parents: [None; 2],
            cause: fields.cause.and_then(EventId::from_sequence).filter(|&cause| cause < id),
            label: fields.label.as_deref(),
        }));
        writer.put(&Record::Execute { id, at });
        (self.clock, self.last) = (at, Some(id));
    }
}

impl<S: Subscriber, W: Write + 'static> Layer<S> for LogLayer<W>
where
    LogLayer<W>: Send + Sync,
{
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "saltus" {
            let mut fields = Fields::default();
            event.record(&mut fields);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).put(&fields);
        }
    }
}

#[derive(Default)]
struct Fields {
    id: Option<u64>,
    cause: Option<u64>,
    time: String,
    kind: String,
    label: Option<String>,
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "id" => self.id = Some(value),
            "cause" => self.cause = Some(value),
            _ => self.record_debug(field, &value),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        match u64::try_from(value) {
            Ok(value) => self.record_u64(field, value),
            Err(_) => self.record_debug(field, &value),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "time" => self.time = format!("{value:?}"),
            "kind" => self.kind = format!("{value:?}"),
            "label" => self.label = Some(format!("{value:?}")),
            _ => {}
        }
    }
}
