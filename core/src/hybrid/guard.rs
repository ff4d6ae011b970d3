//! Events that follow one another too closely: chatter, and the piling up that is called Zeno.

use super::bracket::rounding;
use super::error::{Error, Names};
use super::model::Hybrid;
use super::rule::rules_of;

/// When closely spaced events are an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chatter {
    /// State events no further apart than this are close.
    pub spacing: f64,
    /// So many close ones in a row are chatter.
    pub count: u32,
}

/// Spacings below this part of the time since they began to shrink are taken for the end of a geometric series.
const PILED_UP: f64 = 1e-9;

/// And so are those of so few roundings of the time that two events can hardly be told apart.
const ROUNDINGS: f64 = 512.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    last: f64,
    spacing: f64,
    /// Close ones in a row: how many, since when, and which rules.
    close: Row,
    /// Spacings in a row that were smaller than the one before.
    shrinking: Row,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    count: u32,
    since: f64,
    rules: u64,
}

impl Row {
    fn of(time: f64, rules: u64) -> Row {
        Row { count: 0, since: time, rules }
    }

    fn goes_on(self, rules: u64) -> Row {
        Row { count: self.count + 1, rules: self.rules | rules, ..self }
    }

    fn rate(&self, now: f64) -> f64 {
        f64::from(self.count) / (now - self.since)
    }
}

impl Guard {
    pub(super) fn new() -> Guard {
        let none = Row::of(f64::NEG_INFINITY, 0);
        Guard { last: f64::NEG_INFINITY, spacing: f64::INFINITY, close: none, shrinking: none }
    }

    /// The guard after state events of these rules at this time.
    pub(super) fn after<H: Hybrid>(&self, time: f64, rules: u64, limit: Chatter) -> Result<Guard, Error> {
        let spacing = time - self.last;
        let anew = Row::of(time, rules);
        let close = if spacing <= limit.spacing { self.close.goes_on(rules) } else { anew };
        let shrinking = if spacing < self.spacing { self.shrinking.goes_on(rules) } else { anew };
        if close.count >= limit.count {
            return Err(Error::Chatter {
                from: close.since,
                to: time,
                count: close.count + 1,
                names: names::<H>(close.rules),
                rate: close.rate(time),
                spacing: limit.spacing,
            });
        }
        let end = (PILED_UP * (time - shrinking.since)).max(ROUNDINGS * rounding(time));
        if shrinking.count > 3 && spacing < end {
            return Err(Error::Zeno {
                time,
                names: names::<H>(shrinking.rules),
                count: shrinking.count + 1,
                spacing,
                rate: shrinking.rate(time),
            });
        }
        Ok(Guard { last: time, spacing, close, shrinking })
    }
}

/// The names of the rules of a mask.
pub(super) fn names<H: Hybrid>(mask: u64) -> Names {
    Names(rules_of::<H>(mask).map(|(_, rule)| rule.name).collect())
}
