//! Does it matter in which order simultaneous events run?

#[cfg(feature = "serde")]
use serde::Serialize;

use super::history::{Event, Log};
use super::record::LogTime;
use crate::ties::TieOrder;

/// What a run under one tie order gave: named outputs, and its log.
#[derive(Clone, Debug)]
pub struct TieRun {
    /// Names and values. Every run has the same names in the same order.
    pub outputs: Vec<(String, String)>,
    /// What ran.
    pub log: Log,
}

/// Which outputs depend on the order of simultaneous events.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TieReport {
    /// Random orders that were tried, with the seeds from 1 on.
    pub orders: u64,
    /// Events of the run in the order of scheduling whose place was decided by the tie rule alone.
    pub ties: usize,
    /// Every output.
    pub outputs: Vec<TieOutput>,
}

/// An output under all tie orders.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TieOutput {
    /// Its name.
    pub name: String,
    /// Its value in the order of scheduling.
    pub value: String,
    /// The seeds under which it has another.
    pub differs: Vec<u64>,
    /// Where the difference begins; `None` if there is none, or none that the events show.
    pub begins: Option<TieBegin>,
}

/// Where a difference begins, in the run that shares most with the one in the order of scheduling.
///
/// Up to the tie both are the same, so what follows from there on is enough to change the output. Not every tie on the way
/// need matter: swapped events that lead to the same are harmless, and `changed` is the first instant at which something else
/// happens.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TieBegin {
    /// The seed of its tie order.
    pub seed: u64,
    /// When the first tie falls that is run in another order.
    pub time: LogTime,
    /// The event that comes first there in the order of scheduling.
    pub scheduled: String,
    /// The event that comes first there in the other order.
    pub shuffled: String,
    /// When and how the events of an instant are no longer the same in any order.
    pub changed: Option<TieChange>,
}

/// The first instant at which other events run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TieChange {
    /// When.
    pub time: LogTime,
    /// An event that runs only in the order of scheduling.
    pub scheduled: Option<String>,
    /// An event that runs only in the other order.
    pub shuffled: Option<String>,
}

impl TieReport {
    /// Whether any output depends on the order of simultaneous events.
    pub fn is_sensitive(&self) -> bool {
        self.outputs.iter().any(|output| !output.differs.is_empty())
    }
}

/// Runs a model in the order of scheduling and under `orders` random orders of simultaneous events, and compares.
///
/// ```
/// # use saltus::{BoxError, Context, Model, Outcome, Settings, Simulation, Stamps, TieOrder};
/// use saltus::log::{LogHeader, TieRun, tie_sensitivity};
/// use saltus::observe::Recorder;
///
/// /// Doubles at noon, and adds one at noon: which comes first?
/// struct Account(u32);
/// # impl Model for Account {
/// #     type Time = f64;
/// #     type Event = &'static str;
/// #     type Refs = Stamps<0>;
/// #     fn handle(&mut self, event: &'static str, _: &mut impl Context<Self>) -> Outcome {
/// #         if event == "double" { self.0 *= 2 } else { self.0 += 1 }
/// #         Ok(())
/// #     }
/// #     fn kind(event: &&'static str) -> &'static str { event }
/// # }
/// let run = |ties: TieOrder| -> Result<TieRun, BoxError> {
///     let settings = Settings { ties, ..Settings::default() };
///     let header = LogHeader::new("account", &settings);
///     let mut simulation = Simulation::<_, _>::with(Account(1), settings, Recorder::new(&header));
///     simulation.context().schedule_at(12.0, "double")?;
///     simulation.context().schedule_at(12.0, "add")?;
///     let result = simulation.run();
///     let log = simulation.observer().log(&header, Some(&result))?;
///     Ok(TieRun { outputs: vec![("balance".to_owned(), simulation.model().0.to_string())], log })
/// };
/// let report = tie_sensitivity(10, run)?;
/// let balance = &report.outputs[0];
/// assert!(report.is_sensitive() && !balance.differs.is_empty());
/// let begins = balance.begins.as_ref().ok_or("a tie")?;
/// assert_eq!((&*balance.value, &*begins.scheduled), ("3", "#1 double at 12.0"));
/// # Ok::<(), BoxError>(())
/// ```
pub fn tie_sensitivity<E>(orders: u64, mut run: impl FnMut(TieOrder) -> Result<TieRun, E>) -> Result<TieReport, E> {
    let base = run(TieOrder::Scheduled)?;
    let output = |(name, value): (String, String)| TieOutput { name, value, differs: Vec::new(), begins: None };
    let mut outputs: Vec<TieOutput> = base.outputs.into_iter().map(output).collect();
    // By output: how many events the closest differing run shares.
    let mut closest = vec![None; outputs.len()];
    for seed in 1..=orders {
        let other = run(TieOrder::Shuffled { seed })?;
        let shared = shared(&base.log, &other.log);
        let mut begins = None;
        for (i, (output, (_, value))) in outputs.iter_mut().zip(other.outputs).enumerate() {
            if output.value == value {
                continue;
            }
            output.differs.push(seed);
            if closest[i] < Some(shared) {
                closest[i] = Some(shared);
                let begins = begins.get_or_insert_with(|| begin(&base.log, &other.log, seed, shared));
                output.begins.clone_from(begins);
            }
        }
    }
    Ok(TieReport { orders, ties: base.log.summary().ties, outputs })
}

/// How many executed events two runs have in common before they part.
fn shared(a: &Log, b: &Log) -> usize {
    a.executed().zip(b.executed()).take_while(|(a, b)| a.id == b.id && a.time() == b.time()).count()
}

fn begin(base: &Log, other: &Log, seed: u64, shared: usize) -> Option<TieBegin> {
    let (a, b) = (base.executed().nth(shared)?, other.executed().nth(shared)?);
    Some(TieBegin {
        seed,
        time: a.time().min(b.time()),
        scheduled: base.name(a),
        shuffled: other.name(b),
        changed: changed(base, other),
    })
}

/// What an event is, whatever its number.
type What<'a> = (&'a str, [u32; 2], Option<&'a str>);

/// The first instant whose events are not the same in both runs.
fn changed(base: &Log, other: &Log) -> Option<TieChange> {
    let (mut a, mut b) = (base.executed().peekable(), other.executed().peekable());
    loop {
        let (left, right) = (a.peek().map(|event| event.time()), b.peek().map(|event| event.time()));
        let time = left.into_iter().chain(right).min()?;
        let here = |event: &&Event| event.time() == time;
        let mut left = instant(base, std::iter::from_fn(|| a.next_if(here)));
        let mut right = instant(other, std::iter::from_fn(|| b.next_if(here)));
        while let (Some((x, _)), Some((y, _))) = (left.last(), right.last()) {
            if x != y {
                break;
            }
            left.pop();
            right.pop();
        }
        if left.is_empty() && right.is_empty() {
            continue;
        }
        let lone = |mine: &[(What<'_>, String)], theirs: &[(What<'_>, String)]| {
            mine.iter()
                .rev()
                .find(|(what, _)| theirs.iter().all(|(other, _)| other != what))
                .map(|(_, name)| name.clone())
        };
        return Some(TieChange { time, scheduled: lone(&left, &right), shuffled: lone(&right, &left) });
    }
}

/// The events of an instant, in an order of their own.
fn instant<'a>(log: &'a Log, events: impl Iterator<Item = &'a Event>) -> Vec<(What<'a>, String)> {
    let what = |event: &'a Event| (log.kind(event), event.entities.0, event.label.as_deref());
    let mut events: Vec<_> = events.map(|event| (what(event), log.name(event))).collect();
    events.sort_by_key(|&(what, _)| what);
    events
}
