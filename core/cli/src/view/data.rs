//! What the page knows of a log, in columns: a number or a letter an event, so that it stays small and is read fast.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use saltus::log::{Event, Fate, Log, LogTime};
use saltus::{Class, EventId};
use serde::Serialize;

use crate::text;

/// A log in columns. Most have an entry for each event, in the order of ids; lists of pairs name the event by its place.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    /// The model's name.
    model: &'a str,
    /// What the summary says of the run, in words.
    facts: Vec<(String, String)>,
    /// Whether times are whole numbers.
    ticks: bool,
    /// The kinds, the most frequent first.
    kinds: Vec<&'a str>,
    /// What each lane is for.
    lanes: Vec<Lane<'a>>,
    /// Distance to the id before.
    ids: Vec<i64>,
    /// When it ran or was due.
    times: Vec<Exact>,
    kind: Vec<usize>,
    /// The first letter of each fate; `w` is swept.
    fates: String,
    /// The event's lane, and its second or -1.
    lane: [Vec<i64>; 2],
    /// How far back the cause and the parents lie, in ids; 0 is none.
    cause: Vec<u64>,
    parents: [Vec<u64>; 2],
    /// For each event that ran, in the order in which they ran, how far its place is from that of the one before.
    ran: Vec<i64>,
    /// When those were due that ran later.
    due: Vec<(usize, Exact)>,
    /// Class and priority, where they are not zero.
    order: Vec<(usize, u8, i16)>,
    labels: Vec<(usize, &'a str)>,
    /// For each stale or swept event, what voided it: the entity or -1, and the event or 0.
    void: [Vec<i64>; 2],
    /// When that was, if that event does not tell.
    void_at: Vec<(usize, Exact)>,
    /// By which event, or 0, and when.
    cancelled: Vec<(usize, u64, Exact)>,
    moved: Vec<(usize, u64)>,
}

/// What has a lane: an entity or, for events without one, their kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
enum Lane<'a> {
    Kind(&'a str),
    Entity(u32),
}

/// A time that a script reads to the last digit: what its numbers cannot hold is a text.
#[derive(Serialize)]
#[serde(untagged)]
enum Exact {
    Time(LogTime),
    Text(String),
}

impl From<LogTime> for Exact {
    fn from(time: LogTime) -> Exact {
        match time {
            LogTime::Ticks(ticks) if ticks > 1 << 53 => Exact::Text(ticks.to_string()),
            time => Exact::Time(time),
        }
    }
}

impl<'a> Data<'a> {
    pub(super) fn of(log: &'a Log) -> Data<'a> {
        let events = log.events();
        let (kinds, kind_of) = kinds(log);
        let lanes = lanes(log);
        let mut data = Data {
            model: &log.header.model,
            facts: text::facts(&log.summary()).into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            ticks: matches!(log.header.start, LogTime::Ticks(_)),
            ids: steps(events.iter().map(|event| event.id.sequence())).collect(),
            times: events.iter().map(|event| event.time().into()).collect(),
            kind: events.iter().map(|event| kind_of[log.kind(event)]).collect(),
            fates: events.iter().map(|event| letter(&event.fate)).collect(),
            lane: [0, 1].map(|which| events.iter().map(|event| lane(log, &lanes, event, which)).collect()),
            cause: events.iter().map(|event| back(event, event.cause)).collect(),
            parents: [0, 1].map(|which| events.iter().map(|event| back(event, event.parents[which])).collect()),
            ran: steps(log.executed().map(|event| place(events, event.id))).collect(),
            kinds,
            lanes: lanes.into_keys().collect(),
            due: Vec::new(),
            order: Vec::new(),
            labels: Vec::new(),
            void: Default::default(),
            void_at: Vec::new(),
            cancelled: Vec::new(),
            moved: Vec::new(),
        };
        for (place, event) in events.iter().enumerate() {
            data.add_what_is_rare(log, place, event);
        }
        data
    }

    fn add_what_is_rare(&mut self, log: &Log, place: usize, event: &'a Event) {
        if event.time() != event.due {
            self.due.push((place, event.due.into()));
        }
        if (event.class, event.priority) != (Class::Time, 0) {
            self.order.push((place, event.class as u8, event.priority));
        }
        if let Some(label) = &event.label {
            self.labels.push((place, label));
        }
        match event.fate {
            Fate::Stale { void } | Fate::Swept { void } => {
                self.void[0].push(void.map_or(-1, |void| i64::from(void.entity)));
                self.void[1].push(void.and_then(|void| void.by).map_or(0, |by| by.sequence() as i64));
                let told = void.and_then(|void| log.event(void.by?)).map(Event::time);
                if let Some(at) = void.map(|void| void.at).filter(|&at| Some(at) != told) {
                    self.void_at.push((place, at.into()));
                }
            }
            Fate::Cancelled { by, at } => self.cancelled.push((place, by.map_or(0, EventId::sequence), at.into())),
            Fate::Moved { to } => self.moved.push((place, to.sequence())),
            Fate::Pending | Fate::Executed { .. } => {}
        }
    }
}

/// Kinds in the order of their colours: those that ran most come first. And the number of each.
fn kinds(log: &Log) -> (Vec<&str>, BTreeMap<&str, usize>) {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for event in log.events() {
        let (ran, all) = counts.entry(log.kind(event)).or_default();
        *ran += usize::from(event.ran());
        *all += 1;
    }
    let mut kinds: Vec<&str> = counts.keys().copied().collect();
    kinds.sort_by_key(|kind| Reverse(counts[kind]));
    let numbers = kinds.iter().enumerate().map(|(number, &kind)| (kind, number)).collect();
    (kinds, numbers)
}

/// The lanes from top to bottom, with their numbers: first those of kinds, then those of entities.
fn lanes(log: &Log) -> BTreeMap<Lane<'_>, i64> {
    let mut lanes: BTreeMap<Lane<'_>, i64> = BTreeMap::new();
    for event in log.events() {
        lanes.extend(lanes_of(log, event).map(|lane| (lane, 0)));
    }
    lanes.values_mut().zip(0..).for_each(|(lane, number)| *lane = number);
    lanes
}

fn lanes_of<'a>(log: &'a Log, event: &Event) -> impl Iterator<Item = Lane<'a>> {
    let entities = event.entities.iter().map(Lane::Entity);
    let kind = event.entities.iter().next().is_none().then(|| Lane::Kind(log.kind(event)));
    entities.chain(kind)
}

fn lane<'a>(log: &'a Log, lanes: &BTreeMap<Lane<'a>, i64>, event: &Event, which: usize) -> i64 {
    lanes_of(log, event).nth(which).map_or(-1, |lane| lanes[&lane])
}

fn letter(fate: &Fate) -> char {
    match fate {
        Fate::Executed { .. } => 'e',
        Fate::Stale { .. } => 's',
        Fate::Swept { .. } => 'w',
        Fate::Cancelled { .. } => 'c',
        Fate::Moved { .. } => 'm',
        Fate::Pending => 'p',
    }
}

fn back(event: &Event, origin: Option<EventId>) -> u64 {
    origin.map_or(0, |origin| event.id.sequence() - origin.sequence())
}

fn place(events: &[Event], id: EventId) -> u64 {
    events.partition_point(|event| event.id < id) as u64
}

/// The distance of each number to the one before.
fn steps(numbers: impl Iterator<Item = u64>) -> impl Iterator<Item = i64> {
    let mut before = 0;
    numbers.map(move |number| (number as i64).wrapping_sub(std::mem::replace(&mut before, number as i64)))
}
