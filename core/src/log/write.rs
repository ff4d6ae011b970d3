//! Records as lines of JSON.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::record::{LogEnd, LogHeader, LogTime, Outcome, Record, Scheduled};
use super::{Sink, VERSION};
use crate::event::{Class, EventId};

/// Writes a log line by line as the run goes, and keeps nothing.
///
/// Whatever has been flushed to the writer when a process dies is a log that can be read.
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    out: W,
    line: String,
    lines: u64,
    error: Option<io::Error>,
}

impl<W: Write> LogWriter<W> {
    /// Writes the header.
    pub fn new(out: W, header: &LogHeader) -> io::Result<Self> {
        let mut writer = LogWriter { out, line: String::with_capacity(256), lines: 0, error: None };
        push_header(&mut writer.line, header);
        writer.end_line();
        match writer.error {
            Some(error) => Err(error),
            None => Ok(writer),
        }
    }

    fn end_line(&mut self) {
        self.line.push('\n');
        self.lines += 1;
        if self.error.is_none() {
            self.error = self.out.write_all(self.line.as_bytes()).err();
        }
        self.line.clear();
    }

    /// Writes the end record.
    pub fn end(&mut self, outcome: Outcome, reason: &str, clock: LogTime, last: Option<EventId>) {
        let end = LogEnd { outcome, reason: reason.to_owned(), clock, last, lines: self.lines };
        push_end(&mut self.line, &end);
        self.end_line();
    }

    /// The writer, all written; or the first error.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }
}

impl<W: Write> Sink for LogWriter<W> {
    fn put(&mut self, record: &Record<'_>) {
        push_record(&mut self.line, record);
        self.end_line();
    }

    fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }
}

// Writing to a String cannot fail, hence the many `let _`.

fn push_header(line: &mut String, header: &LogHeader) {
    let _ = write!(line, r#"{{"saltus":{VERSION},"model":"#);
    push_text(line, &header.model);
    let time = if matches!(header.start, LogTime::Real(_)) { "real" } else { "ticks" };
    let _ = write!(
        line,
        r#","time":"{time}","start":{},"seed":{},"replication":{}"#,
        header.start, header.seed, header.replication
    );
    if let Some(seed) = header.tie_seed {
        let _ = write!(line, r#","tie_seed":{seed}"#);
    }
    line.push_str(r#","settings":{"#);
    for (i, (name, value)) in header.settings.iter().enumerate() {
        if i > 0 {
            line.push(',');
        }
        push_text(line, name);
        line.push(':');
        push_text(line, value);
    }
    line.push_str(r#"},"parts":["#);
    for (i, part) in header.parts.iter().enumerate() {
        if i > 0 {
            line.push(',');
        }
        push_text(line, part);
    }
    line.push_str("]}");
}

fn push_record(line: &mut String, record: &Record<'_>) {
    match record {
        Record::Clock(at) => {
            let _ = write!(line, r#"{{"do":"clock","at":{at}"#);
        }
        Record::Schedule(event) => push_scheduled(line, event),
        Record::Execute { id, at } => {
            line.push_str(r#"{"do":"execute","id":"#);
            push_number(line, id.sequence());
            line.push_str(r#","at":"#);
            push_time(line, *at);
        }
        Record::Touch { entity, version, by } => {
            let _ = write!(line, r#"{{"do":"touch","entity":{entity},"version":{version}"#);
            push_id(line, "by", *by);
        }
        Record::Stale { id, swept, void } => {
            let what = if *swept { "sweep" } else { "stale" };
            let _ = write!(line, r#"{{"do":"{what}","id":{}"#, id.sequence());
            if let Some(void) = void {
                let _ = write!(line, r#","entity":{},"at":{}"#, void.entity, void.at);
                push_id(line, "by", void.by);
            }
        }
        Record::Cancel { id, by } => {
            let _ = write!(line, r#"{{"do":"cancel","id":{}"#, id.sequence());
            push_id(line, "by", *by);
        }
        Record::Move { id, to } => {
            let _ = write!(line, r#"{{"do":"move","id":{},"to":{}"#, id.sequence(), to.sequence());
        }
    }
    line.push('}');
}

fn push_scheduled(line: &mut String, event: &Scheduled<'_>) {
    line.push_str(r#"{"do":"schedule","id":"#);
    push_number(line, event.id.sequence());
    line.push_str(r#","due":"#);
    push_time(line, event.due);
    if event.class == Class::State {
        line.push_str(r#","class":1"#);
    }
    if event.priority != 0 {
        let _ = write!(line, r#","priority":{}"#, event.priority);
    }
    line.push_str(r#","kind":"#);
    push_text(line, event.kind);
    if event.entities.iter().next().is_some() {
        for (i, entity) in event.entities.iter().enumerate() {
            let _ = write!(line, "{}{entity}", if i == 0 { r#","entities":["# } else { "," });
        }
        for (i, (_, parent)) in event.stamps().enumerate() {
            line.push_str(if i == 0 { r#"],"parents":["# } else { "," });
            match parent {
                Some(parent) => drop(write!(line, "{}", parent.sequence())),
                None => line.push_str("null"),
            }
        }
        line.push(']');
    }
    push_id(line, "cause", event.cause);
    if let Some(label) = event.label {
        line.push_str(r#","label":"#);
        push_text(line, label);
    }
}

impl Scheduled<'_> {
    /// The entities with their parents.
    pub fn stamps(&self) -> impl Iterator<Item = (u32, Option<EventId>)> + use<> {
        self.entities.0.into_iter().zip(self.parents).filter(|&(entity, _)| entity != crate::event::NONE)
    }
}

fn push_id(line: &mut String, name: &str, id: Option<EventId>) {
    if let Some(id) = id {
        line.push_str(",\"");
        line.push_str(name);
        line.push_str("\":");
        push_number(line, id.sequence());
    }
}

/// As `write!` does, without what makes that slow.
fn push_number(line: &mut String, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    line.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
}

fn push_time(line: &mut String, time: LogTime) {
    match time {
        LogTime::Real(_) => drop(write!(line, "{time}")),
        LogTime::Ticks(ticks) => push_number(line, ticks),
    }
}

fn push_end(line: &mut String, end: &LogEnd) {
    let _ = write!(line, r#"{{"do":"end","outcome":"{}","reason":"#, end.outcome.name());
    push_text(line, &end.reason);
    let _ = write!(line, r#","clock":{}"#, end.clock);
    push_id(line, "last", end.last);
    let _ = write!(line, r#","lines":{}}}"#, end.lines);
}

/// A JSON string of any text.
pub(crate) fn push_text(line: &mut String, text: &str) {
    line.push('"');
    let mut plain = 0;
    for (i, byte) in text.bytes().enumerate() {
        // All that JSON wants escaped is one byte long.
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        line.push_str(&text[plain..i]);
        plain = i + 1;
        match byte {
            b'"' => line.push_str("\\\""),
            b'\\' => line.push_str("\\\\"),
            b'\n' => line.push_str("\\n"),
            b'\t' => line.push_str("\\t"),
            b'\r' => line.push_str("\\r"),
            _ => drop(write!(line, "\\u{byte:04x}")),
        }
    }
    line.push_str(&text[plain..]);
    line.push('"');
}
