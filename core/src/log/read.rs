//! Lines of JSON as records.

use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::builder::Builder;
use super::error::{LogError, Problem};
use super::history::Cut;
use super::record::{Entities, LogEnd, LogHeader, LogTime, Outcome, Record, Scheduled, Void};
use super::{Log, VERSION};
use crate::event::{Class, EventId, NONE};

impl Log {
    /// Reads a log from a file.
    pub fn open(path: &Path) -> Result<Log, LogError> {
        let file = std::fs::File::open(path).map_err(|error| LogError { line: 0, problem: error.into() })?;
        Log::read(std::io::BufReader::with_capacity(1 << 16, file))
    }

    /// Reads a log. A last line that is cut off is left out and reported in [`Log::cut`].
    pub fn read(mut input: impl BufRead) -> Result<Log, LogError> {
        let mut reader: Option<Reader> = None;
        let mut bytes = Vec::new();
        let mut line = 0;
        loop {
            bytes.clear();
            line += 1;
            let fail = |problem| LogError { line, problem };
            if input.read_until(b'\n', &mut bytes).map_err(|error| fail(error.into()))? == 0 {
                break;
            }
            let whole = bytes.last() == Some(&b'\n');
            let text = bytes.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let Some(open) = &mut reader else {
                reader = Some(Reader::new(text).map_err(|problem| match problem {
                    Problem::NotALog(_) if !whole && text.starts_with(b"{") => fail(Problem::HeaderCut),
                    problem => fail(problem),
                })?);
                continue;
            };
            match open.line(text) {
                Ok(()) => {}
                // Of a line that is cut off nothing but its length is known.
                Err(Problem::NotARecord(_)) if !whole => {
                    open.cut = Some(Cut { line, bytes: bytes.len() });
                    break;
                }
                Err(problem) => return Err(fail(problem)),
            }
        }
        let Some(reader) = reader else { return Err(LogError { line: 1, problem: Problem::Empty }) };
        Ok(reader.builder.finish(reader.end, reader.cut))
    }
}

struct Reader {
    builder: Builder,
    ticks: bool,
    end: Option<LogEnd>,
    cut: Option<Cut>,
}

#[derive(Deserialize)]
struct HeaderLine {
    saltus: u64,
    model: Option<String>,
    time: Option<String>,
    start: Option<Number>,
    seed: Option<u64>,
    replication: Option<u64>,
    tie_seed: Option<u64>,
    settings: Option<Settings>,
    parts: Option<Vec<String>>,
}

/// Every field of every record. What a record does not know is ignored, so that a log may carry more than it must.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "do", borrow)]
    what: Text<'a>,
    id: Option<u64>,
    at: Option<Number>,
    due: Option<Number>,
    class: Option<u64>,
    priority: Option<i64>,
    #[serde(borrow)]
    kind: Option<Text<'a>>,
    entities: Option<Vec<u32>>,
    parents: Option<Vec<Option<u64>>>,
    cause: Option<u64>,
    #[serde(borrow)]
    label: Option<Text<'a>>,
    entity: Option<u32>,
    version: Option<u64>,
    by: Option<u64>,
    to: Option<u64>,
    #[serde(borrow)]
    outcome: Option<Text<'a>>,
    #[serde(borrow)]
    reason: Option<Text<'a>>,
    clock: Option<Number>,
    last: Option<u64>,
    lines: Option<u64>,
}

impl Reader {
    fn new(text: &[u8]) -> Result<Reader, Problem> {
        let line: HeaderLine = match serde_json::from_slice(text) {
            Ok(line) => line,
            // The version comes first: another version may have another header.
            Err(error) => match serde_json::from_slice::<Version>(text) {
                Ok(version) if version.saltus != u64::from(VERSION) => return Err(Problem::Version(version.saltus)),
                Ok(_) => return Err(Problem::NotARecord(error.to_string())),
                Err(_) => return Err(Problem::NotALog(quote(text))),
            },
        };
        if line.saltus != u64::from(VERSION) {
            return Err(Problem::Version(line.saltus));
        }
        let ticks = match line.time.as_deref() {
            Some("real") => false,
            Some("ticks") => true,
            Some(other) => return Err(bad("time", other.escape_debug(), "\"real\" or \"ticks\"")),
            None => return Err(Problem::Missing { record: "header", field: "time" }),
        };
        let start = line.start.map(|start| start.time("start", ticks)).transpose()?;
        let header = LogHeader {
            model: line.model.unwrap_or_default(),
            start: start.unwrap_or(if ticks { LogTime::Ticks(0) } else { LogTime::Real(0.0) }),
            seed: line.seed.unwrap_or(0),
            replication: line.replication.unwrap_or(0),
            tie_seed: line.tie_seed,
            settings: line.settings.unwrap_or_default().0,
            parts: line.parts.unwrap_or_default(),
        };
        Ok(Reader { builder: Builder::new(header), ticks, end: None, cut: None })
    }

    fn line(&mut self, text: &[u8]) -> Result<(), Problem> {
        let line: Line<'_> =
            serde_json::from_slice(text).map_err(|error| Problem::NotARecord(format!("{error} in {}", quote(text))))?;
        if self.end.is_some() {
            return Err(Problem::AfterEnd);
        }
        match &*line.what.0 {
            "schedule" => {
                let event = self.scheduled(&line)?;
                self.builder.push(&Record::Schedule(event))
            }
            "execute" => {
                let at = need(line.at, "execute", "at")?.time("at", self.ticks)?;
                self.builder.push(&Record::Execute { id: need_id(line.id, "execute", "id")?, at })
            }
            "touch" => {
                let entity = entity(need(line.entity, "touch", "entity")?)?;
                let version = need(line.version, "touch", "version")?;
                self.builder.push(&Record::Touch { entity, version, by: id(line.by, "by")? })
            }
            "stale" => self.stale(&line, "stale"),
            "sweep" => self.stale(&line, "sweep"),
            "cancel" => {
                let event = need_id(line.id, "cancel", "id")?;
                self.builder.push(&Record::Cancel { id: event, by: id(line.by, "by")? })
            }
            "move" => {
                let (event, to) = (need_id(line.id, "move", "id")?, need_id(line.to, "move", "to")?);
                self.builder.push(&Record::Move { id: event, to })
            }
            "clock" => {
                let at = need(line.at, "clock", "at")?.time("at", self.ticks)?;
                self.builder.push(&Record::Clock(at))
            }
            "end" => {
                self.end = Some(self.end(&line)?);
                Ok(())
            }
            other => Err(Problem::UnknownRecord(cut(other))),
        }
    }

    fn stale(&mut self, line: &Line<'_>, what: &'static str) -> Result<(), Problem> {
        let event = need_id(line.id, what, "id")?;
        let void = match line.entity {
            None => None,
            Some(index) => {
                let at = need(line.at, what, "at")?.time("at", self.ticks)?;
                Some(Void { entity: entity(index)?, by: id(line.by, "by")?, at })
            }
        };
        self.builder.push(&Record::Stale { id: event, swept: what == "sweep", void })
    }

    fn scheduled<'a>(&self, line: &'a Line<'_>) -> Result<Scheduled<'a>, Problem> {
        let given = line.entities.as_deref().unwrap_or(&[]);
        let origins = line.parents.as_deref().unwrap_or(&[]);
        if given.len() > 2 {
            return Err(bad("entities", format!("{} entities", given.len()), "an event has at most two stamps"));
        }
        if origins.len() > given.len() {
            return Err(bad("parents", format!("{} parents", origins.len()), "there is one for each entity"));
        }
        let (mut entities, mut parents) = ([NONE; 2], [None; 2]);
        for (place, &index) in entities.iter_mut().zip(given) {
            *place = entity(index)?;
        }
        for (place, &parent) in parents.iter_mut().zip(origins) {
            *place = id(parent, "parents")?;
        }
        let priority = line.priority.unwrap_or(0);
        Ok(Scheduled {
            id: need_id(line.id, "schedule", "id")?,
            due: need(line.due, "schedule", "due")?.time("due", self.ticks)?,
            class: match line.class {
                None | Some(0) => Class::Time,
                Some(1) => Class::State,
                Some(other) => return Err(bad("class", other, "0 or 1")),
            },
            priority: i16::try_from(priority).map_err(|_| bad("priority", priority, "16 bits"))?,
            kind: &need(line.kind.as_ref(), "schedule", "kind")?.0,
            entities: Entities(entities),
            parents,
            cause: id(line.cause, "cause")?,
            label: line.label.as_ref().map(|label| &*label.0),
        })
    }

    fn end(&self, line: &Line<'_>) -> Result<LogEnd, Problem> {
        let outcome = match &*need(line.outcome.as_ref(), "end", "outcome")?.0 {
            "ok" => Outcome::Ok,
            "error" => Outcome::Error,
            "stopped" => Outcome::Stopped,
            other => return Err(bad("outcome", cut(other), "ok, error or stopped")),
        };
        Ok(LogEnd {
            outcome,
            reason: line.reason.as_ref().map_or_else(String::new, |reason| reason.0.to_string()),
            clock: need(line.clock, "end", "clock")?.time("clock", self.ticks)?,
            last: id(line.last, "last")?,
            lines: need(line.lines, "end", "lines")?,
        })
    }
}

fn need<T>(value: Option<T>, record: &'static str, field: &'static str) -> Result<T, Problem> {
    value.ok_or(Problem::Missing { record, field })
}

fn id(number: Option<u64>, field: &'static str) -> Result<Option<EventId>, Problem> {
    match number {
        None => Ok(None),
        Some(number) => match EventId::from_sequence(number) {
            Some(id) => Ok(Some(id)),
            None => Err(bad(field, number, "ids count from 1")),
        },
    }
}

fn need_id(number: Option<u64>, record: &'static str, field: &'static str) -> Result<EventId, Problem> {
    id(number, field)?.ok_or(Problem::Missing { record, field })
}

fn entity(index: u32) -> Result<u32, Problem> {
    if index == NONE { Err(bad("entity", index, "indices are smaller")) } else { Ok(index) }
}

fn bad(field: &'static str, value: impl fmt::Display, rule: &'static str) -> Problem {
    Problem::BadValue { field, value: value.to_string(), rule }
}

/// As much of a line as an error should show.
fn quote(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(200)]);
    if text.is_empty() { "nothing".to_owned() } else { cut(&text) }
}

fn cut(text: &str) -> String {
    let mut short = text.chars().take(60).collect::<String>().escape_debug().to_string();
    if text.chars().nth(60).is_some() {
        short.push_str("...");
    }
    short
}

#[derive(Deserialize)]
struct Version {
    saltus: u64,
}

/// A text that is copied only if it holds escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        d.deserialize_str(Words)
    }
}

/// A number as it stands in the file; the header says what it means.
#[derive(Clone, Copy)]
enum Number {
    Whole(u64),
    Real(f64),
}

impl Number {
    fn time(self, field: &'static str, ticks: bool) -> Result<LogTime, Problem> {
        match (self, ticks) {
            (Number::Whole(whole), true) => Ok(LogTime::Ticks(whole)),
            (Number::Whole(whole), false) => Ok(LogTime::Real(whole as f64)),
            // Models have no negative zero.
            (Number::Real(real), false) => Ok(LogTime::Real(real + 0.0)),
            (Number::Real(real), true) => Err(bad(field, real, "this log counts in ticks")),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time")
            }
            fn visit_u64<E>(self, whole: u64) -> Result<Number, E> {
                Ok(Number::Whole(whole))
            }
            fn visit_i64<E>(self, whole: i64) -> Result<Number, E> {
                Ok(Number::Real(whole as f64))
            }
            fn visit_f64<E: de::Error>(self, real: f64) -> Result<Number, E> {
                if real.is_finite() { Ok(Number::Real(real)) } else { Err(E::custom("a time is finite")) }
            }
        }
        d.deserialize_any(Digits)
    }
}

/// An object of texts whose order is kept.
#[derive(Default)]
struct Settings(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Settings;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Settings(pairs))
            }
        }
        d.deserialize_map(Pairs)
    }
}
