//! The fields of a `tracing` event from which a log is made.

use std::fmt;

use tracing::field::{Field, Visit};

use crate::event::EventId;

/// Numbers that are not there are `None`, texts are empty.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) what: String,
    pub(super) id: Option<u64>,
    pub(super) cause: Option<u64>,
    pub(super) by: Option<u64>,
    pub(super) to: Option<u64>,
    pub(super) entity: Option<u64>,
    pub(super) other: Option<u64>,
    pub(super) version: Option<u64>,
    pub(super) class: Option<u64>,
    pub(super) priority: i64,
    pub(super) time: String,
    pub(super) at: String,
    pub(super) due: String,
    pub(super) kind: String,
    pub(super) label: Option<String>,
}

impl Fields {
    pub(super) fn id(&self) -> Option<EventId> {
        self.id.and_then(EventId::from_sequence)
    }

    pub(super) fn by(&self) -> Option<EventId> {
        self.by.and_then(EventId::from_sequence)
    }

    fn number(&mut self, name: &str) -> Option<&mut Option<u64>> {
        Some(match name {
            "id" => &mut self.id,
            "cause" => &mut self.cause,
            "by" => &mut self.by,
            "to" => &mut self.to,
            "entity" => &mut self.entity,
            "other" => &mut self.other,
            "version" => &mut self.version,
            "class" => &mut self.class,
            _ => return None,
        })
    }
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match self.number(field.name()) {
            Some(number) => *number = Some(value),
            None if field.name() == "priority" => self.priority = i64::try_from(value).unwrap_or(i64::MAX),
            None => self.record_debug(field, &value),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        match u64::try_from(value) {
            Ok(value) => self.record_u64(field, value),
            Err(_) if field.name() == "priority" => self.priority = value,
            Err(_) => self.record_debug(field, &value),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    // Numbers with a fraction come here too: their shortest form, which reads back to the same bits.
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = match field.name() {
            "what" => &mut self.what,
            "time" => &mut self.time,
            "at" => &mut self.at,
            "due" => &mut self.due,
            "kind" => &mut self.kind,
            "label" => self.label.insert(String::new()),
            _ => return,
        };
        *text = format!("{value:?}");
    }
}
