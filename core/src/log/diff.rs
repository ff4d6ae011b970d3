//! Where do two runs part?

#[cfg(feature = "serde")]
use serde::Serialize;

use super::chain::Chain;
use super::history::{Event, Log, View};
use super::record::LogEnd;

/// How two runs differ.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Diff<'a> {
    /// What the headers do not agree on, in words. Runs may be the same nevertheless.
    pub headers: Vec<String>,
    /// Executed events that both have before they part.
    pub same: usize,
    /// The first executed event that they do not share.
    pub first: Option<Parting<'a>>,
    /// How they ended, if the same events ran and only that differs.
    pub ends: Option<(Option<LogEnd>, Option<LogEnd>)>,
}

/// Where two runs part.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Parting<'a> {
    /// In what the two events differ.
    pub fields: Vec<&'static str>,
    /// The event of the first run; `None` if nothing more ran there.
    pub left: Option<View<'a>>,
    /// The event of the second run.
    pub right: Option<View<'a>>,
    /// The chain of the event of the first run.
    pub left_chain: Option<Chain<'a>>,
    /// The chain of the event of the second run.
    pub right_chain: Option<Chain<'a>>,
}

impl Diff<'_> {
    /// Whether the runs are the same.
    pub fn is_same(&self) -> bool {
        self.first.is_none() && self.ends.is_none()
    }
}

impl Log {
    /// The first event at which another run parts from this one.
    pub fn diff<'a>(&'a self, other: &'a Log) -> Diff<'a> {
        let (mut left, mut right) = (self.executed(), other.executed());
        let mut same = 0;
        let first = loop {
            match (left.next(), right.next()) {
                (None, None) => break None,
                (a, b) => {
                    let fields = match (a, b) {
                        (Some(a), Some(b)) => fields(self, a, other, b),
                        _ => vec!["length"],
                    };
                    if !fields.is_empty() {
                        break Some(Parting {
                            fields,
                            left: a.map(|a| self.view(a)),
                            right: b.map(|b| other.view(b)),
                            left_chain: a.and_then(|a| self.why(a.id)),
                            right_chain: b.and_then(|b| other.why(b.id)),
                        });
                    }
                    same += 1;
                }
            }
        };
        let outcome = |log: &Log| log.end.as_ref().map(|end| (end.outcome, end.reason.clone(), end.clock, end.last));
        let ends = (first.is_none() && outcome(self) != outcome(other)).then(|| (self.end.clone(), other.end.clone()));
        Diff { headers: headers(self, other), same, first, ends }
    }
}

fn fields(left: &Log, a: &Event, right: &Log, b: &Event) -> Vec<&'static str> {
    let same = [
        ("time", a.time() == b.time()),
        ("kind", left.kind(a) == right.kind(b)),
        ("entities", a.entities == b.entities),
        ("priority", (a.class, a.priority) == (b.class, b.priority)),
        ("label", a.label == b.label),
        ("id", a.id == b.id),
        ("cause", a.cause == b.cause),
    ];
    same.into_iter().filter(|&(_, same)| !same).map(|(field, _)| field).collect()
}

fn headers(left: &Log, right: &Log) -> Vec<String> {
    let (a, b) = (&left.header, &right.header);
    let mut differences = Vec::new();
    let mut note = |what: &str, a: String, b: String| {
        if a != b {
            differences.push(format!("{what} {a} and {b}"));
        }
    };
    note("model", a.model.clone(), b.model.clone());
    note("start", a.start.to_string(), b.start.to_string());
    note("seed", a.seed.to_string(), b.seed.to_string());
    note("replication", a.replication.to_string(), b.replication.to_string());
    let ties = |seed: Option<u64>| seed.map_or("scheduled".to_owned(), |seed| format!("shuffled by {seed}"));
    note("tie order", ties(a.tie_seed), ties(b.tie_seed));
    let value = |header: &'_ super::LogHeader, name: &str| {
        header.settings.iter().find(|(known, _)| known == name).map_or("none".to_owned(), |(_, value)| value.clone())
    };
    let names = a.settings.iter().chain(&b.settings).map(|(name, _)| name);
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        note(name, value(a, name), value(b, name));
    }
    note("parts", a.parts.join(", "), b.parts.join(", "));
    differences
}
