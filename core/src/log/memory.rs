//! Records as bytes in memory.
//!
//! A record is a head byte, which says what it is and which fields take their usual value, and then the other fields as numbers
//! of variable length: small ones, which most differences are, take one byte.

use super::Sink;
use super::open::{Open, OpenEvents};
use super::record::{Entities, LogTime, Record, Scheduled};
use crate::event::{Class, EventId, NONE};

/// Keeps records in memory, ten bytes each or so: all of them, or the last so many.
///
/// In a ring, the scheduling of an event is kept for as long as its fate is open or still in the ring, so memory is bounded by
/// the size of the ring and by what is pending.
#[derive(Clone, Debug)]
pub struct LogMemory {
    bytes: Vec<u8>,
    /// Bytes at the front that were dropped.
    gone: usize,
    records: usize,
    most: usize,
    /// Where the writing end stands.
    tail: Base,
    /// Where the reading end stands, and how many records it has dropped.
    front: Base,
    dropped: u64,
    kinds: Vec<Box<str>>,
    open: OpenEvents,
}

/// What differences are taken from.
#[derive(Clone, Copy, Debug)]
struct Base {
    clock: LogTime,
    /// The largest id scheduled, and the id executed last; 0 for none.
    scheduled: u64,
    executed: u64,
}

const CLOCK: u8 = 0;
const SCHEDULE: u8 = 1;
const EXECUTE: u8 = 2;
const TOUCH: u8 = 3;
const STALE: u8 = 4;
const SWEEP: u8 = 5;
const CANCEL: u8 = 6;
const MOVE: u8 = 7;
/// Bits of the head byte above those of the tag.
const TAG: u8 = 7;
const BY_PRESENT: u8 = 1 << 3;
const BY_OTHER: u8 = 1 << 4;
const LABEL: u8 = 1 << 5;
const ORDER: u8 = 1 << 6;
/// Of a schedule record: the id is not the next one. Of a touch: the version is not that of the next event.
const ODD: u8 = 1 << 7;

impl LogMemory {
    /// Keeps all records of a run that starts at this time.
    pub fn new(start: LogTime) -> LogMemory {
        LogMemory::ring(start, usize::MAX)
    }

    /// Keeps the last `most` records.
    pub fn ring(start: LogTime, most: usize) -> LogMemory {
        let base = Base { clock: start, scheduled: 0, executed: 0 };
        LogMemory {
            bytes: Vec::new(),
            gone: 0,
            records: 0,
            most,
            tail: base,
            front: base,
            dropped: 0,
            kinds: Vec::new(),
            open: OpenEvents::default(),
        }
    }

    /// Records kept.
    pub fn len(&self) -> usize {
        self.records + self.open.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Records dropped for want of room.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Bytes that the records take, not counting room to grow.
    pub fn bytes(&self) -> usize {
        self.bytes.len() - self.gone
    }

    /// Gives every record, in order, to a function: first what is still open of the records dropped, then the rest.
    pub fn for_each(&self, mut f: impl FnMut(&Record<'_>)) {
        if self.dropped > 0 {
            f(&Record::Clock(self.front.clock));
        }
        for open in self.open.iter() {
            f(&Record::Schedule(Scheduled {
                kind: &self.kinds[open.kind],
                label: open.label.as_deref(),
                ..open.event
            }));
        }
        let mut bytes = self.bytes[self.gone..].iter().copied();
        let mut base = self.front;
        let mut label = String::new();
        for _ in 0..self.records {
            let (record, kind) = take(&mut bytes, &mut base, &mut label);
            f(&match record {
                Record::Schedule(event) => Record::Schedule(Scheduled { kind: &self.kinds[kind], ..event }),
                other => other,
            });
        }
    }

    #[inline]
    fn kind(&mut self, kind: &str) -> u64 {
        let known = self.kinds.iter().position(|known| **known == *kind);
        known.unwrap_or_else(|| {
            self.kinds.push(kind.into());
            self.kinds.len() - 1
        }) as u64
    }

    #[cold]
    fn drop_first(&mut self) {
        let mut label = String::new();
        let mut bytes = self.bytes[self.gone..].iter().copied();
        let (record, kind) = take(&mut bytes, &mut self.front, &mut label);
        let taken = self.bytes.len() - self.gone - bytes.len();
        match record {
            Record::Schedule(event) => {
                let label = event.label.map(Box::from);
                self.open.insert(Open { event: Scheduled { kind: "", label: None, ..event }, kind, label });
            }
            Record::Execute { id, .. }
            | Record::Stale { id, .. }
            | Record::Cancel { id, .. }
            | Record::Move { id, .. } => {
                self.open.remove(id.sequence());
            }
            Record::Clock(_) | Record::Touch { .. } => {}
        }
        self.gone += taken;
        if 2 * self.gone > self.bytes.len() {
            self.bytes.drain(..self.gone);
            self.gone = 0;
        }
        self.records -= 1;
        self.dropped += 1;
    }
}

impl Sink for LogMemory {
    #[inline]
    fn put(&mut self, record: &Record<'_>) {
        let mut note = Note::default();
        match record {
            Record::Clock(at) => {
                note.head = CLOCK;
                note.time(*at, &mut self.tail);
            }
            Record::Schedule(event) => {
                let kind = self.kind(event.kind);
                note.scheduled(event, kind, &mut self.tail);
            }
            Record::Execute { id, at } => {
                note.head = EXECUTE;
                note.number(self.tail.scheduled.wrapping_sub(id.sequence()));
                note.time(*at, &mut self.tail);
                self.tail.executed = id.sequence();
            }
            Record::Touch { entity, version, by } => {
                note.head = TOUCH;
                note.number(u64::from(*entity));
                if *version != self.tail.scheduled + 1 {
                    note.head |= ODD;
                    note.number(*version);
                }
                note.by(*by, &self.tail);
            }
            Record::Stale { id, swept, .. } => {
                note.head = if *swept { SWEEP } else { STALE };
                note.number(self.tail.scheduled.wrapping_sub(id.sequence()));
            }
            Record::Cancel { id, by } => {
                note.head = CANCEL;
                note.number(self.tail.scheduled.wrapping_sub(id.sequence()));
                note.by(*by, &self.tail);
            }
            Record::Move { id, to } => {
                note.head = MOVE;
                note.number(self.tail.scheduled.wrapping_sub(id.sequence()));
                note.number(self.tail.scheduled.wrapping_sub(to.sequence()));
            }
        }
        note.buffer[0] = note.head;
        self.bytes.extend_from_slice(&note.buffer[..note.length]);
        if let Record::Schedule(Scheduled { label: Some(label), .. }) = record {
            let mut length = Note::default();
            length.number(label.len() as u64);
            self.bytes.extend_from_slice(&length.buffer[1..length.length]);
            self.bytes.extend_from_slice(label.as_bytes());
        }
        self.records += 1;
        if self.records > self.most {
            self.drop_first();
        }
    }
}

/// A record being written: at most a head byte and nine numbers of ten bytes.
struct Note {
    head: u8,
    buffer: [u8; 96],
    length: usize,
}

impl Default for Note {
    #[inline]
    fn default() -> Note {
        Note { head: 0, buffer: [0; 96], length: 1 }
    }
}

impl Note {
    #[inline]
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.buffer[self.length] = number as u8 | 0x80;
            self.length += 1;
            number >>= 7;
        }
        self.buffer[self.length] = number as u8;
        self.length += 1;
    }

    /// A time that the clock moves to.
    #[inline]
    fn time(&mut self, at: LogTime, base: &mut Base) {
        self.number(at.key().wrapping_sub(base.clock.key()));
        base.clock = at;
    }

    #[inline]
    fn by(&mut self, by: Option<EventId>, base: &Base) {
        match by {
            None => {}
            Some(id) if id.sequence() == base.executed => self.head |= BY_PRESENT,
            Some(id) => {
                self.head |= BY_OTHER;
                self.number(id.sequence());
            }
        }
    }

    #[inline]
    fn scheduled(&mut self, event: &Scheduled<'_>, kind: u64, base: &mut Base) {
        let id = event.id.sequence();
        self.head = SCHEDULE;
        if id != base.scheduled + 1 {
            self.head |= ODD;
            self.number(id);
        }
        base.scheduled = base.scheduled.max(id);
        self.number(event.due.key().wrapping_sub(base.clock.key()));
        // How many stamps there are takes the two lowest bits.
        let stamps = event.entities.iter().count() as u64;
        self.number(kind << 2 | stamps);
        self.by(event.cause, base);
        if event.priority != 0 || event.class != Class::Time {
            self.head |= ORDER;
            self.number(u64::from(event.priority as u16) << 1 | event.class as u64);
        }
        for (entity, parent) in event.stamps() {
            self.number(u64::from(entity));
            // 0 is for none; no event is its own parent.
            self.number(parent.map_or(0, |parent| id.wrapping_sub(parent.sequence())));
        }
        if event.label.is_some() {
            self.head |= LABEL;
        }
    }
}

/// The next record and, if it is a schedule record, the number of its kind.
fn take<'a>(bytes: &mut impl Iterator<Item = u8>, base: &mut Base, label: &'a mut String) -> (Record<'a>, usize) {
    let head = bytes.next().unwrap_or(CLOCK);
    let id = |number: u64| EventId::new(number.max(1));
    let record = match head & TAG {
        SCHEDULE => {
            let (event, kind) = take_scheduled(head, bytes, base, label);
            return (Record::Schedule(event), kind);
        }
        EXECUTE => {
            let number = base.scheduled.wrapping_sub(number(bytes));
            let at = take_time(bytes, base);
            base.clock = at;
            base.executed = number;
            Record::Execute { id: id(number), at }
        }
        TOUCH => {
            let entity = number(bytes) as u32;
            let version = if head & ODD > 0 { number(bytes) } else { base.scheduled + 1 };
            Record::Touch { entity, version, by: take_by(head, bytes, base) }
        }
        tag @ (STALE | SWEEP) => {
            Record::Stale { id: id(base.scheduled.wrapping_sub(number(bytes))), swept: tag == SWEEP, void: None }
        }
        CANCEL => {
            let number = base.scheduled.wrapping_sub(number(bytes));
            Record::Cancel { id: id(number), by: take_by(head, bytes, base) }
        }
        MOVE => {
            let from = base.scheduled.wrapping_sub(number(bytes));
            Record::Move { id: id(from), to: id(base.scheduled.wrapping_sub(number(bytes))) }
        }
        _ => {
            base.clock = take_time(bytes, base);
            Record::Clock(base.clock)
        }
    };
    (record, 0)
}

fn take_scheduled<'a>(
    head: u8,
    bytes: &mut impl Iterator<Item = u8>,
    base: &mut Base,
    label: &'a mut String,
) -> (Scheduled<'a>, usize) {
    let id = if head & ODD > 0 { number(bytes) } else { base.scheduled + 1 };
    base.scheduled = base.scheduled.max(id);
    let due = take_time(bytes, base);
    let kind_and_stamps = number(bytes);
    let cause = take_by(head, bytes, base);
    let order = if head & ORDER > 0 { number(bytes) } else { 0 };
    let (mut entities, mut parents) = ([NONE; 2], [None; 2]);
    for (entity, parent) in entities.iter_mut().zip(&mut parents).take((kind_and_stamps & 3) as usize) {
        *entity = number(bytes) as u32;
        let back = number(bytes);
        *parent = (back != 0).then(|| EventId::new(id.wrapping_sub(back).max(1)));
    }
    let mut said = None;
    if head & LABEL > 0 {
        let length = number(bytes) as usize;
        let text: Vec<u8> = bytes.take(length).collect();
        *label = String::from_utf8(text).unwrap_or_default();
        said = Some(label.as_str());
    }
    let event = Scheduled {
        id: EventId::new(id),
        due,
        class: if order & 1 == 0 { Class::Time } else { Class::State },
        priority: (order >> 1) as u16 as i16,
        kind: "",
        entities: Entities(entities),
        parents,
        cause,
        label: said,
    };
    (event, (kind_and_stamps >> 2) as usize)
}

fn take_time(bytes: &mut impl Iterator<Item = u8>, base: &Base) -> LogTime {
    base.clock.with_key(base.clock.key().wrapping_add(number(bytes)))
}

fn take_by(head: u8, bytes: &mut impl Iterator<Item = u8>, base: &Base) -> Option<EventId> {
    if head & BY_PRESENT > 0 {
        Some(EventId::new(base.executed))
    } else if head & BY_OTHER > 0 {
        Some(EventId::new(number(bytes)))
    } else {
        None
    }
}

fn number(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next().unwrap_or(0);
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}
