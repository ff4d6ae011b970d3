//! From records to a log.

use std::collections::BTreeMap;

use super::LogMemory;
use super::error::{LogError, Problem};
use super::history::{Cut, Event, Fate, Log, Step, Touch, search};
use super::record::{Entities, LogEnd, LogHeader, LogTime, Record, Scheduled, Void};
use crate::event::{Class, EventId};

/// The kind of an event that the log tells the fate of but does not describe.
pub(super) const UNKNOWN: &str = "?";

impl Log {
    /// The log of what a recorder has in memory.
    pub(crate) fn of_memory(header: LogHeader, memory: &LogMemory) -> Result<Log, LogError> {
        let mut header = header;
        if memory.dropped() > 0 {
            header.parts.push(format!("the last records, {} before them dropped", memory.dropped()));
        }
        let mut builder = Builder::new(header);
        let mut outcome = Ok(());
        memory.for_each(|record| {
            if outcome.is_ok() {
                outcome = builder.push(record);
            }
        });
        let line = builder.lines + 1;
        outcome.map_err(|problem| LogError { line, problem })?;
        Ok(builder.finish(None, None))
    }
}

/// Puts a log together, record by record.
pub(super) struct Builder {
    log: Log,
    pub(super) clock: LogTime,
    /// Lines taken so far, the header included.
    pub(super) lines: u64,
    places: Places,
    kinds: BTreeMap<String, u32>,
    /// By entity: where its touches lie.
    touches: BTreeMap<u32, Vec<u32>>,
}

impl Builder {
    pub(super) fn new(header: LogHeader) -> Builder {
        Builder {
            clock: header.start,
            lines: 1,
            places: Places::default(),
            kinds: BTreeMap::new(),
            touches: BTreeMap::new(),
            log: Log {
                header,
                end: None,
                cut: None,
                lines: 0,
                events: Vec::new(),
                executed: Vec::new(),
                touches: Vec::new(),
                kinds: Vec::new(),
                clocks: Vec::new(),
                steps: Vec::new(),
            },
        }
    }

    pub(super) fn push(&mut self, record: &Record<'_>) -> Result<(), Problem> {
        match record {
            Record::Clock(at) => {
                self.move_clock(*at)?;
                let place = next(&self.log.clocks)?;
                self.log.clocks.push(*at);
                self.log.steps.push(Step::Clock(place));
            }
            Record::Schedule(event) => self.schedule(event)?,
            Record::Execute { id, at } => {
                self.move_clock(*at)?;
                let place = self.close(*id, Fate::Executed { at: *at })?;
                self.log.executed.push(place);
            }
            Record::Touch { entity, version, by } => {
                let place = next(&self.log.touches)?;
                self.log.touches.push(Touch { entity: *entity, version: *version, by: *by, at: self.clock });
                self.log.steps.push(Step::Touch(place));
                self.touches.entry(*entity).or_default().push(place);
            }
            Record::Stale { id, swept, void } => {
                let void = void.or_else(|| self.void(*id));
                self.close(*id, if *swept { Fate::Swept { void } } else { Fate::Stale { void } })?;
            }
            Record::Cancel { id, by } => drop(self.close(*id, Fate::Cancelled { by: *by, at: self.clock })?),
            Record::Move { id, to } => drop(self.close(*id, Fate::Moved { to: *to })?),
        }
        self.lines += 1;
        Ok(())
    }

    fn move_clock(&mut self, at: LogTime) -> Result<(), Problem> {
        if at < self.clock {
            return Err(Problem::ClockBack { at, clock: self.clock });
        }
        self.clock = at;
        Ok(())
    }

    fn schedule(&mut self, event: &Scheduled<'_>) -> Result<(), Problem> {
        let id = event.id;
        if self.places.get(id).is_some() {
            return Err(Problem::SecondSchedule(id));
        }
        // With every origin before its event there are no circles, and questions need not look out for them.
        if let Some(origin) = event.cause.into_iter().chain(event.parents.into_iter().flatten()).find(|&o| o >= id) {
            return Err(Problem::OriginNotBefore { id, origin });
        }
        let kind = self.kind(event.kind);
        let place = self.add(Event {
            id,
            due: event.due,
            class: event.class,
            priority: event.priority,
            kind,
            entities: event.entities,
            parents: event.parents,
            cause: event.cause,
            label: event.label.map(Box::from),
            fate: Fate::Pending,
        })?;
        self.log.steps.push(Step::Schedule(place));
        Ok(())
    }

    fn add(&mut self, event: Event) -> Result<u32, Problem> {
        let place = next(&self.log.events)?;
        self.places.insert(event.id, place);
        self.log.events.push(event);
        Ok(place)
    }

    fn kind(&mut self, kind: &str) -> u32 {
        if let Some(&known) = self.kinds.get(kind) {
            return known;
        }
        let number = self.log.kinds.len() as u32;
        self.log.kinds.push(kind.to_owned());
        self.kinds.insert(kind.to_owned(), number);
        number
    }

    /// Enters the fate of an event. One that was never described is entered as far as it is known.
    fn close(&mut self, id: EventId, fate: Fate) -> Result<u32, Problem> {
        let place = match self.places.get(id) {
            Some(place) => place,
            None => {
                let kind = self.kind(UNKNOWN);
                self.add(Event {
                    id,
                    due: self.clock,
                    class: Class::Time,
                    priority: 0,
                    kind,
                    entities: Entities::NONE,
                    parents: [None; 2],
                    cause: None,
                    label: None,
                    fate: Fate::Pending,
                })?
            }
        };
        let event = &mut self.log.events[place as usize];
        if event.fate != Fate::Pending {
            return Err(Problem::SecondFate { id, first: event.fate.name(), second: fate.name() });
        }
        event.fate = fate;
        self.log.steps.push(Step::Fate(place));
        Ok(place)
    }

    /// The first touch of any of its entities after an event was scheduled.
    fn void(&self, id: EventId) -> Option<Void> {
        let event = &self.log.events[self.places.get(id)? as usize];
        let first = event.entities.iter().filter_map(|entity| {
            let touches = self.touches.get(&entity)?;
            let after = touches.partition_point(|&t| self.log.touches[t as usize].version <= id.sequence());
            touches.get(after).copied()
        });
        let Touch { entity, by, at, .. } = self.log.touches[first.min()? as usize];
        Some(Void { entity, by, at })
    }

    pub(super) fn finish(self, end: Option<LogEnd>, cut: Option<Cut>) -> Log {
        let mut log = Log { end, cut, lines: self.lines, ..self.log };
        if !log.events.is_sorted_by_key(|event| event.id) {
            let mut order: Vec<u32> = (0..log.events.len() as u32).collect();
            order.sort_by_key(|&place| log.events[place as usize].id);
            let mut places = vec![0; order.len()];
            for (new, &old) in order.iter().enumerate() {
                places[old as usize] = new as u32;
            }
            log.events.sort_by_key(|event| event.id);
            for place in &mut log.executed {
                *place = places[*place as usize];
            }
            for step in &mut log.steps {
                if let Step::Schedule(place) | Step::Fate(place) = step {
                    *place = places[*place as usize];
                }
            }
        }
        log
    }
}

/// Where events lie in a list that is in the order of ids but for a few.
#[derive(Default)]
struct Places {
    rising: Vec<(EventId, u32)>,
    others: BTreeMap<EventId, u32>,
}

impl Places {
    fn insert(&mut self, id: EventId, place: u32) {
        if self.rising.last().is_none_or(|&(last, _)| last < id) {
            self.rising.push((id, place));
        } else {
            self.others.insert(id, place);
        }
    }

    fn get(&self, id: EventId) -> Option<u32> {
        let found = search(&self.rising, id, |&(id, _)| id);
        found.map(|i| self.rising[i].1).or_else(|| self.others.get(&id).copied())
    }
}

/// Where the next element of a list will lie.
fn next<T>(list: &[T]) -> Result<u32, Problem> {
    u32::try_from(list.len()).map_err(|_| Problem::TooLong)
}
