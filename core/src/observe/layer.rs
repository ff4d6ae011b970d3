//! A log of what comes by in `tracing`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use super::fields::Fields;
use crate::event::{Class, EventId, NONE};
use crate::log::{Entities, LogHeader, LogTime, LogWriter, Outcome, Record, Scheduled, Sink};

/// A layer that makes a log of what [`Tracing`](super::Tracing) reports: the same bytes that a [`Recorder`](super::Recorder)
/// without labels writes, if no filter stands before it and one simulation reports to it from its start.
///
/// Of a simulation that began before anybody watched, an event that ran is known by its time, kind and cause alone.
///
/// With the target `saltus::detail` switched off, the log says what ran and because of what. The same goes for any program that
/// names its events in this way: those under the target `saltus` that carry the fields `id` and `time` and, if they have them,
/// `cause`, `kind` and `label`. What lacks a field that it needs, or would set the clock back, is not logged.
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
    /// The clock as the records have it.
    told: LogTime,
    last: Option<EventId>,
    /// Events that are described and whose fate is open. Any other is described when its fate is known.
    pending: BTreeSet<EventId>,
    /// By entity: the event that set its version. A map, so that no index that somebody makes up takes much memory.
    setters: BTreeMap<u32, EventId>,
}

impl<W: Write> LogLayer<W> {
    /// Writes the header. Its start says whether times are read as `f64` or as ticks.
    pub fn new(out: W, header: &LogHeader) -> io::Result<LogLayer<W>> {
        let writer = Some(LogWriter::new(out, header)?);
        let (clock, told) = (header.start, header.start);
        let open = Open { writer, clock, told, last: None, pending: BTreeSet::new(), setters: BTreeMap::new() };
        Ok(LogLayer(Arc::new(Mutex::new(open))))
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
    /// `None` if something is missing.
    fn detail(&mut self, fields: &Fields) -> Option<()> {
        match &*fields.what {
            "scheduled" => {
                let due = self.time(&fields.due)?;
                self.describe(fields.id()?, due, fields);
            }
            what @ ("stale" | "swept") => {
                let (id, due) = (fields.id()?, self.time(&fields.due)?);
                self.end(id, due, fields);
                self.put(&Record::Stale { id, swept: what == "swept", void: None });
            }
            "cancelled" => {
                let id = fields.id()?;
                self.pending.remove(&id);
                self.put(&Record::Cancel { id, by: fields.by() });
            }
            "rescheduled" => {
                let (id, to) = (fields.id()?, fields.to.and_then(EventId::from_sequence)?);
                self.pending.remove(&id);
                self.put(&Record::Move { id, to });
            }
            "spawned" => drop(self.set(fields)?),
            "touched" => {
                let (version, entity) = (fields.version?, self.set(fields)?);
                self.put(&Record::Touch { entity, version, by: fields.by() });
            }
            "clock" => self.clock = self.time(&fields.at).filter(|&at| at >= self.clock)?,
            _ => {}
        }
        Some(())
    }

    fn executed(&mut self, fields: &Fields) -> Option<()> {
        let id = fields.id()?;
        // A log whose clock goes back cannot be read.
        let at = self.time(&fields.at).or_else(|| self.time(&fields.time)).filter(|&at| at >= self.clock)?;
        self.end(id, at, fields);
        // This record tells the clock itself.
        (self.clock, self.told, self.last) = (at, at, Some(id));
        self.put(&Record::Execute { id, at });
        Some(())
    }

    /// The fate of an event is known.
    fn end(&mut self, id: EventId, due: LogTime, fields: &Fields) {
        if !self.pending.contains(&id) {
            self.describe(id, due, fields);
        }
        self.pending.remove(&id);
    }

    fn describe(&mut self, id: EventId, due: LogTime, fields: &Fields) {
        self.pending.insert(id);
        let entities = [fields.entity, fields.other].map(|index| index.and_then(small).unwrap_or(NONE));
        let before = |origin: Option<EventId>| origin.filter(|&origin| origin < id);
        let setter = |entity| before(self.setters.get(&entity).copied());
        self.put(&Record::Schedule(Scheduled {
            id,
            due,
            class: if fields.class == Some(1) { Class::State } else { Class::Time },
            priority: fields.priority.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            kind: &fields.kind,
            entities: Entities(entities),
            parents: entities.map(setter),
            cause: before(fields.cause.and_then(EventId::from_sequence)),
            label: fields.label.as_deref(),
        }));
    }

    /// The entity's version now goes back to this event.
    fn set(&mut self, fields: &Fields) -> Option<u32> {
        let entity = fields.entity.and_then(small)?;
        match fields.by() {
            Some(by) => self.setters.insert(entity, by),
            None => self.setters.remove(&entity),
        };
        Some(entity)
    }

    /// Writes a record, and before it how far the clock has moved without an event, if it has.
    fn put(&mut self, record: &Record<'_>) {
        let Some(writer) = &mut self.writer else { return };
        if self.clock != self.told {
            self.told = self.clock;
            writer.put(&Record::Clock(self.clock));
        }
        writer.put(record);
    }

    fn time(&self, text: &str) -> Option<LogTime> {
        match self.clock {
            LogTime::Real(_) => text.parse().ok().filter(|real: &f64| real.is_finite()).map(LogTime::Real),
            LogTime::Ticks(_) => text.parse().ok().map(LogTime::Ticks),
        }
    }
}

/// The index of an entity.
fn small(index: u64) -> Option<u32> {
    u32::try_from(index).ok().filter(|&index| index != NONE)
}

impl<S: Subscriber, W: Write + 'static> Layer<S> for LogLayer<W>
where
    LogLayer<W>: Send + Sync,
{
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let what_ran = match event.metadata().target() {
            "saltus" => true,
            "saltus::detail" => false,
            _ => return,
        };
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.writer.is_some() {
            // What cannot be read is not logged.
            let _ = if what_ran { open.executed(&fields) } else { open.detail(&fields) };
        }
    }
}
