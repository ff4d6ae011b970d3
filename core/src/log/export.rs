//! Logs for other tools.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::history::{Event, Log};
use super::write::push_text;
use crate::event::EventId;

impl Log {
    /// A table: one line an event, in the order of ids.
    pub fn write_csv<W: Write>(&self, mut out: W) -> io::Result<W> {
        writeln!(out, "id,time,due,fate,kind,entities,priority,cause,parents,label")?;
        for event in &self.events {
            let mut row = String::new();
            // Writing to a String cannot fail.
            let _ = write!(row, "{},{},{},{},", event.id.sequence(), event.time(), event.due, event.fate.name());
            push_field(&mut row, self.kind(event));
            let _ = write!(row, ",{},{},", spaced(event.entities.iter()), event.priority);
            let _ = write!(row, "{},", spaced(event.cause.map(EventId::sequence)));
            let _ = write!(row, "{},", spaced(event.parents.into_iter().flatten().map(EventId::sequence)));
            push_field(&mut row, event.label.as_deref().unwrap_or(""));
            writeln!(out, "{row}")?;
        }
        Ok(out)
    }

    /// Executed events as a graph for Graphviz: full arrows from causes, dashed ones from other parents.
    pub fn write_dot<W: Write>(&self, mut out: W) -> io::Result<W> {
        writeln!(out, "digraph chains {{\n  rankdir=LR;\n  node [shape=box];")?;
        for event in self.executed() {
            let mut label = String::new();
            // What Graphviz reads as a text differs from JSON only in escapes that names do not need.
            push_text(&mut label, &self.name(event));
            writeln!(out, "  {} [label={label}];", event.id.sequence())?;
            for origin in event.origins() {
                let id = origin.sequence();
                if self.event(origin).is_none() {
                    writeln!(out, "  {id} [label=\"{origin} (external)\", style=dotted];")?;
                }
                let style = if event.cause == Some(origin) { "" } else { " [style=dashed]" };
                writeln!(out, "  {id} -> {}{style};", event.id.sequence())?;
            }
        }
        writeln!(out, "}}")?;
        Ok(out)
    }

    /// Executed events in the trace event format that Perfetto and chrome://tracing open: a track an entity, an arrow from
    /// each cause to its effect. One unit of simulated time is shown as a second; an event as a microsecond.
    pub fn write_chrome<W: Write>(&self, mut out: W) -> io::Result<W> {
        let mut line = String::new();
        push_text(&mut line, &self.header.model);
        write!(
            out,
            "{{\"traceEvents\":[\n{{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{{\"name\":{line}}}}}"
        )?;
        for event in self.executed() {
            let (track, time) = (track(event), micros(event));
            let mut text = String::new();
            push_text(&mut text, self.kind(event));
            let id = event.id.sequence();
            line.clear();
            // Writing to a String cannot fail.
            let _ = write!(
                line,
                r#"{{"ph":"X","pid":1,"tid":{track},"ts":{time},"dur":1,"name":{text},"args":{{"id":{id},"cause":{}"#,
                event.cause.map_or("null".to_owned(), |cause| cause.sequence().to_string())
            );
            if let Some(label) = &event.label {
                line.push_str(r#","label":"#);
                push_text(&mut line, label);
            }
            line.push_str("}}");
            write!(out, ",\n{line}")?;
            if let Some(cause) = event.cause.and_then(|cause| self.event(cause)).filter(|cause| cause.ran()) {
                let (from, then) = (self::track(cause), micros(cause));
                let arrow = r#""cat":"cause","name":"cause","pid":1"#;
                write!(out, ",\n{{\"ph\":\"s\",{arrow},\"id\":{id},\"tid\":{from},\"ts\":{then}}}")?;
                write!(out, ",\n{{\"ph\":\"f\",\"bp\":\"e\",{arrow},\"id\":{id},\"tid\":{track},\"ts\":{time}}}")?;
            }
        }
        writeln!(out, "\n]}}")?;
        Ok(out)
    }
}

/// The track of an event: that of its first entity, or 0.
fn track(event: &Event) -> u64 {
    event.entities.iter().next().map_or(0, |entity| u64::from(entity) + 1)
}

fn micros(event: &Event) -> f64 {
    let time = event.time().number() * 1e6;
    if time.is_finite() { time } else { 0.0 }
}

fn spaced(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// A field of a table, in quotes if it needs them.
fn push_field(row: &mut String, text: &str) {
    if text.contains([',', '"', '\n', '\r']) {
        let _ = write!(row, "\"{}\"", text.replace('"', "\"\""));
    } else {
        row.push_str(text);
    }
}
