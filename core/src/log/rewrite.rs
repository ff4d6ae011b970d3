//! A log back into lines.

use std::io::{self, Write};

use super::history::{Event, Fate, Log, Step, Touch};
use super::record::{LogHeader, Record, Scheduled};
use super::{LogWriter, Sink};

impl Log {
    /// Writes the log as it was read.
    pub fn write<W: Write>(&self, out: W) -> io::Result<W> {
        let whole = self.header.parts.is_empty();
        self.write_if(out, &self.header, |_| true, |_| true, whole)
    }

    /// Writes the chosen events and touches. Without the touches that it leaves out, a stale event must say what made it so.
    pub(super) fn write_if<W: Write>(
        &self,
        out: W,
        header: &LogHeader,
        keep: impl Fn(&Event) -> bool,
        keep_touch: impl Fn(&Touch) -> bool,
        whole: bool,
    ) -> io::Result<W> {
        let mut writer = LogWriter::new(out, header)?;
        let (mut clock, mut told) = (self.header.start, self.header.start);
        for step in &self.steps {
            let record = match *step {
                Step::Clock(i) => {
                    clock = self.clocks[i as usize];
                    continue;
                }
                Step::Schedule(i) => {
                    let event = &self.events[i as usize];
                    keep(event).then(|| Record::Schedule(self.scheduled(event)))
                }
                Step::Fate(i) => {
                    let event = &self.events[i as usize];
                    if let Fate::Executed { at } = event.fate {
                        clock = at;
                        if keep(event) {
                            told = at;
                        }
                    }
                    if keep(event) { fate_record(event, whole) } else { None }
                }
                Step::Touch(i) => {
                    let touch = &self.touches[i as usize];
                    let Touch { entity, version, by, .. } = *touch;
                    keep_touch(touch).then_some(Record::Touch { entity, version, by })
                }
            };
            let Some(record) = record else { continue };
            if clock != told {
                told = clock;
                writer.put(&Record::Clock(clock));
            }
            writer.put(&record);
        }
        if let Some(end) = &self.end {
            writer.end(end.outcome, &end.reason, end.clock, end.last);
        }
        writer.finish()
    }

    fn scheduled<'a>(&'a self, event: &'a Event) -> Scheduled<'a> {
        Scheduled {
            id: event.id,
            due: event.due,
            class: event.class,
            priority: event.priority,
            kind: self.kind(event),
            entities: event.entities,
            parents: event.parents,
            cause: event.cause,
            label: event.label.as_deref(),
        }
    }
}

fn fate_record(event: &Event, whole: bool) -> Option<Record<'static>> {
    let id = event.id;
    Some(match event.fate {
        Fate::Pending => return None,
        Fate::Executed { at } => Record::Execute { id, at },
        Fate::Stale { void } => Record::Stale { id, swept: false, void: void.filter(|_| !whole) },
        Fate::Swept { void } => Record::Stale { id, swept: true, void: void.filter(|_| !whole) },
        Fate::Cancelled { by, .. } => Record::Cancel { id, by },
        Fate::Moved { to } => Record::Move { id, to },
    })
}
