//! A log in memory, put together from its records and ready for questions.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::{self, Write};

#[cfg(feature = "serde")]
use serde::Serialize;

use super::error::{LogError, Problem};
use super::record::{Entities, LogEnd, LogHeader, LogTime, Outcome, Record, Scheduled, Void};
use super::{LogMemory, LogWriter, Sink};
use crate::event::{Class, EventId};

/// A run, or a part of one, as its records tell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// What ran.
    pub header: LogHeader,
    /// How it ended; `None` if the log is incomplete.
    pub end: Option<LogEnd>,
    /// What was cut off at the end of the file, if anything.
    pub cut: Option<Cut>,
    /// Lines up to the end record or the cut, the header included.
    pub lines: u64,
    pub(super) events: Vec<Event>,
    pub(super) executed: Vec<u32>,
    pub(super) touches: Vec<Touch>,
    pub(super) kinds: Vec<String>,
    clocks: Vec<LogTime>,
    steps: Vec<Step>,
}

/// A last line that is not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Cut {
    /// Its number, counted from 1.
    pub line: u64,
    /// How much of it there is.
    pub bytes: usize,
}

/// An event and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its identity.
    pub id: EventId,
    /// When it was due. Of an event that the log does not describe, when it ran.
    pub due: LogTime,
    /// Time or state event.
    pub class: Class,
    /// Smaller runs first.
    pub priority: i16,
    pub(super) kind: u32,
    /// What it is stamped with.
    pub entities: Entities,
    /// The events that set the versions in the stamps, in the order of the entities.
    pub parents: [Option<EventId>; 2],
    /// The event whose handler scheduled it; `None` for outside.
    pub cause: Option<EventId>,
    /// What the model said of its payload.
    pub label: Option<Box<str>>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// Nothing yet.
    Pending,
    /// It ran.
    Executed {
        /// When: when it was due, or later under a time-driven clock.
        at: LogTime,
    },
    /// It came up and was dropped, because an entity had been touched.
    Stale {
        /// The touch, unless that lies before the log begins.
        void: Option<Void>,
    },
    /// It was swept away before it came up, for the same reason.
    Swept {
        /// The touch, unless that lies before the log begins.
        void: Option<Void>,
    },
    /// It was cancelled by its handle.
    Cancelled {
        /// The event whose handler did it; `None` for outside.
        by: Option<EventId>,
        /// When.
        at: LogTime,
    },
    /// It was moved to another time.
    Moved {
        /// Where it goes on.
        to: EventId,
    },
}

impl Fate {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Fate::Pending => "pending",
            Fate::Executed { .. } => "executed",
            Fate::Stale { .. } => "stale",
            Fate::Swept { .. } => "swept",
            Fate::Cancelled { .. } => "cancelled",
            Fate::Moved { .. } => "moved",
        }
    }

    /// What made it stale, if it is.
    pub fn void(&self) -> Option<Void> {
        match self {
            Fate::Stale { void } | Fate::Swept { void } => *void,
            _ => None,
        }
    }
}

impl Event {
    /// When it ran or, if it did not, was due.
    pub fn time(&self) -> LogTime {
        match self.fate {
            Fate::Executed { at } => at,
            _ => self.due,
        }
    }

    /// Whether it ran.
    pub fn ran(&self) -> bool {
        matches!(self.fate, Fate::Executed { .. })
    }

    /// The entities with their parents.
    pub fn stamps(&self) -> impl Iterator<Item = (u32, Option<EventId>)> + use<> {
        self.entities.iter().zip(self.parents)
    }

    /// The cause and the parents, each once.
    pub fn origins(&self) -> impl Iterator<Item = EventId> + use<> {
        let [a, b] = self.parents;
        let cause = self.cause;
        let a = a.filter(|_| a != cause);
        let b = b.filter(|_| b != cause && b != a);
        [cause, a, b].into_iter().flatten()
    }
}

/// A touch of an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) entity: u32,
    pub(super) version: u64,
    pub(super) by: Option<EventId>,
    pub(super) at: LogTime,
}

/// The records in their order; each number points into the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Clock(u32),
    Schedule(u32),
    Fate(u32),
    Touch(u32),
}

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

    /// The event with this id, if the log knows it.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.place(id).map(|place| &self.events[place])
    }

    pub(super) fn place(&self, id: EventId) -> Option<usize> {
        // Without gaps, as in a whole log, the id is the place.
        let first = self.events.first()?.id.sequence();
        let guess = usize::try_from(id.sequence().checked_sub(first)?).ok()?;
        if self.events.get(guess).is_some_and(|event| event.id == id) {
            return Some(guess);
        }
        self.events.binary_search_by_key(&id, |event| event.id).ok()
    }

    /// All events, in the order of their ids.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events that ran, in the order in which they ran.
    pub fn executed(&self) -> impl ExactSizeIterator<Item = &Event> {
        self.executed.iter().map(|&place| &self.events[place as usize])
    }

    /// What the model calls an event.
    pub fn kind(&self, event: &Event) -> &str {
        &self.kinds[event.kind as usize]
    }

    /// An event in words: `#12 pair of 0 and 3 at 30.167197630926`.
    pub fn name(&self, event: &Event) -> String {
        let mut text = format!("{} {}", event.id, self.kind(event));
        for (i, entity) in event.entities.iter().enumerate() {
            let _ = write!(text, "{}{entity}", if i == 0 { " of " } else { " and " });
        }
        let _ = write!(text, " at {}", event.time());
        if let Some(label) = &event.label {
            let _ = write!(text, " ({})", label.escape_debug());
        }
        text
    }

    /// Whether the run's end is in the log.
    pub fn is_complete(&self) -> bool {
        self.end.is_some()
    }

    /// What should make a reader careful, in words: a missing end, missing lines, a cut.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        match &self.end {
            None => warnings.push("incomplete: the log has no end record".to_owned()),
            Some(end) if end.lines != self.lines => {
                warnings.push(format!("{} lines, but the end record counts {}", self.lines, end.lines));
            }
            Some(_) => {}
        }
        if let Some(cut) = &self.cut {
            warnings.push(format!("line {} is cut off after {} bytes", cut.line, cut.bytes));
        }
        warnings
    }

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

/// The kind of an event that the log tells the fate of but does not describe.
pub(super) const UNKNOWN: &str = "?";

/// Puts a log together, record by record.
pub(super) struct Builder {
    log: Log,
    pub(super) clock: LogTime,
    /// Lines taken so far, the header included.
    pub(super) lines: u64,
    places: HashMap<EventId, u32>,
    kinds: HashMap<String, u32>,
    /// By entity: where its touches lie.
    touches: HashMap<u32, Vec<u32>>,
}

impl Builder {
    pub(super) fn new(header: LogHeader) -> Builder {
        Builder {
            clock: header.start,
            lines: 1,
            places: HashMap::new(),
            kinds: HashMap::new(),
            touches: HashMap::new(),
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
        if self.places.contains_key(&id) {
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
        let place = match self.places.get(&id) {
            Some(&place) => place,
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
        let event = &self.log.events[*self.places.get(&id)? as usize];
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

/// Where the next element of a list will lie.
fn next<T>(list: &[T]) -> Result<u32, Problem> {
    u32::try_from(list.len()).map_err(|_| Problem::TooLong)
}

/// An event as answers show it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct View<'a> {
    /// Its identity.
    pub id: EventId,
    /// When it ran or, if it did not, was due.
    pub time: LogTime,
    /// What the model calls it.
    pub kind: &'a str,
    /// What it is stamped with.
    pub entities: Entities,
    /// The event whose handler scheduled it; `None` for outside.
    pub cause: Option<EventId>,
    /// For each entity, the event that set the version in the stamp.
    pub parents: Vec<Option<EventId>>,
    /// What became of it.
    pub fate: &'static str,
    /// What the model said of its payload.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub label: Option<&'a str>,
}

impl Log {
    /// An event as answers show it.
    pub fn view<'a>(&'a self, event: &'a Event) -> View<'a> {
        View {
            id: event.id,
            time: event.time(),
            kind: self.kind(event),
            entities: event.entities,
            cause: event.cause,
            parents: event.stamps().map(|(_, parent)| parent).collect(),
            fate: event.fate.name(),
            label: event.label.as_deref(),
        }
    }

    /// The event that a text names: `12` or `#12` by id, `@3` the third that ran, `pair@3` the third of its kind that ran,
    /// `last` and `pair@last` the last.
    pub fn find(&self, text: &str) -> Result<&Event, NotFound> {
        let fail = || NotFound(text.to_owned());
        if let Ok(number) = text.trim_start_matches('#').parse::<u64>() {
            return EventId::from_sequence(number).and_then(|id| self.event(id)).ok_or_else(fail);
        }
        let (kind, number) = text.rsplit_once('@').or((text == "last").then_some(("", "last"))).ok_or_else(fail)?;
        let mut ran = self.executed().filter(|event| kind.is_empty() || self.kind(event) == kind);
        let found = match number.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|n| ran.nth(n)),
            Err(_) if number == "last" => ran.last(),
            Err(_) => None,
        };
        found.ok_or_else(fail)
    }
}

/// No event has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound(pub String);

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no event {} in this log; an id, @3 for the third that ran, KIND@3, or last", self.0.escape_debug())
    }
}

impl std::error::Error for NotFound {}

/// The header with an outcome, for a run that was kept in memory.
pub(crate) fn end_of(log: &Log, outcome: Outcome, reason: String, clock: LogTime) -> LogEnd {
    let last = log.executed().last().map(|event| event.id);
    LogEnd { outcome, reason, clock, last, lines: log.lines }
}
