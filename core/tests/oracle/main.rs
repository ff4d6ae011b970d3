//! Random programs against a naive oracle: schedule, cancel, reschedule, touch, spawn, despawn, stop and run in any order, from
//! outside and from inside handlers, with many ties. Kernel and oracle must agree on every answer and every event, bit for
//! bit, with every queue; only when a dead event is found may differ, and the queue's length is bounded all the time.

mod machine;
mod naive;
mod program;
mod script;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use saltus::Stop;
use saltus::queue::{CountedHeap, Heap, Indexed, Ladder, SortedArray, UnorderedArray};

use machine::machine;
use naive::Oracle;
use program::{Outside, Program, Units};
use script::Answer;

/// Every queue there is. A new one is one more line.
fn kernels<T: Units>(config: Config<T>, program: &Program) -> Vec<(&'static str, Box<dyn Kernel>)> {
    vec![
        ("heap", machine::<T, Heap>(config, program)),
        ("counted heap", machine::<T, CountedHeap>(config, program)),
        ("sorted array", machine::<T, SortedArray>(config, program)),
        ("unordered array", machine::<T, UnorderedArray>(config, program)),
        ("ladder", machine::<T, Ladder>(config, program)),
        ("indexed heap", machine::<T, Indexed>(config, program)),
    ]
}

/// Events in one run before the observer ends it: a short period in a long run would take for ever.
pub(crate) const ENOUGH: u64 = 5000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Config<T> {
    start: T,
    tell_stale: bool,
    /// The first stamp owns an event.
    owned: bool,
    shuffled: bool,
    round_limit: u64,
}

/// A kernel with some queue.
pub(crate) trait Kernel {
    fn act(&mut self, outside: &Outside) -> Report;
    /// Drops the simulation and counts the payloads that are left over.
    fn end(self: Box<Self>) -> u64;
}

/// What an action from outside came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Something was asked of the context; the answers are in the log.
    Asked,
    Stopped(Stop),
    Stepped(bool),
    /// Id, time and kind.
    Peeked(Option<(u64, u64, &'static str)>),
    Failed(u64),
    NoProgress(u64),
    CannotRepeat(u64),
    EndInPast,
    BadSpan,
}

/// Counters that do not depend on when dead events are found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Books {
    scheduled: u64,
    executed: u64,
    cancelled: u64,
    rescheduled: u64,
    ties: u64,
    rounds: u64,
}

#[derive(Debug)]
pub(crate) struct Report {
    outcome: Outcome,
    log: Vec<Answer>,
    /// Id, time and cause of the events executed since the last report.
    trace: Vec<(u64, u64, Option<u64>)>,
    now: u64,
    books: Books,
    pending: u64,
    /// Of the oracle: stale events that the model was told of.
    stale: u64,
    /// Of the oracle: all other stale events.
    swept: u64,
    queue_len: u64,
    payloads: u64,
}

impl Report {
    /// The events that came up, in their order.
    fn order(&self) -> impl Iterator<Item = u64> {
        let came_up = self.log.iter().filter_map(|answer| match *answer {
            Answer::Ran { id, .. } | Answer::Told { id, .. } => Some(id),
            _ => None,
        });
        came_up.chain(match self.outcome {
            Outcome::Peeked(Some((id, ..))) | Outcome::NoProgress(id) => Some(id),
            _ => None,
        })
    }
}

pub(crate) fn kind_of(label: u32) -> &'static str {
    ["red", "green", "blue"][label as usize % 3]
}

/// Plays the program everywhere and compares after every action.
fn compare<T: Units>(config: Config<T>, handlers: &Program, outside: impl IntoIterator<Item = Outside>) -> u64 {
    let mut kernels = kernels(config, handlers);
    let mut oracle = Oracle::new(config, handlers);
    for (number, outside) in outside.into_iter().enumerate() {
        let reports: Vec<Report> = kernels.iter_mut().map(|(_, kernel)| kernel.act(&outside)).collect();
        let right = oracle.act(&outside, &reports[0]);
        for ((queue, _), report) in kernels.iter().zip(&reports) {
            agree(&config, report, &right, &format!("{queue}, action {number}, {outside:?}"));
        }
    }
    for (queue, kernel) in kernels {
        assert_eq!(kernel.end(), 0, "{queue}: payloads that were never dropped");
    }
    oracle.operations()
}

fn agree<T>(config: &Config<T>, kernel: &Report, oracle: &Report, place: &str) {
    let same_log = kernel.log.len() == oracle.log.len()
        && kernel.log.iter().zip(&oracle.log).all(|(kernel, oracle)| kernel.agrees_with(oracle));
    if !same_log || kernel.outcome != oracle.outcome {
        assert_eq!(
            (&kernel.log, &kernel.outcome),
            (&oracle.log, &oracle.outcome),
            "{place}: the kernel is left, the oracle right"
        );
    }
    assert_eq!(kernel.trace, oracle.trace, "{place}: trace");
    assert_eq!(kernel.now, oracle.now, "{place}: clock");
    assert_eq!(kernel.books, oracle.books, "{place}: counters");

    let living = oracle.pending;
    assert!(kernel.queue_len <= 2 * living + 64, "{place}: {} queued for {living} living", kernel.queue_len);
    assert!(kernel.queue_len >= kernel.pending && kernel.pending >= living, "{place}: {kernel:?}");
    // The indexed heap keeps up to eight void events in their places, for the next ones of their entities, until it is looked at.
    let void = if place.starts_with("indexed") { 8 } else { 0 };
    let alive = kernel.pending..=kernel.pending + void;
    assert!(
        alive.contains(&kernel.payloads),
        "{place}: {} payloads alive, {} pending",
        kernel.payloads,
        kernel.pending
    );
    // Every event that died is either found or still pending.
    assert_eq!(kernel.pending + kernel.stale + kernel.swept, living + oracle.stale + oracle.swept, "{place}: the dead");
    if config.tell_stale && !config.owned {
        assert_eq!((kernel.stale, kernel.swept), (oracle.stale, 0), "{place}: told");
    }
}

fn config<T: Units>(starts: &'static [T]) -> impl Strategy<Value = Config<T>> {
    (prop::sample::select(starts), any::<[bool; 3]>(), prop_oneof![Just(3), Just(10_000)]).prop_map(
        |(start, [tell_stale, owned, shuffled], round_limit)| Config {
            start,
            tell_stale,
            owned,
            shuffled,
            round_limit,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_programs_in_seconds(
        config in config::<f64>(&[0.0, -7.3, 1e9, -4.0]),
        program in program::program(),
    ) {
        compare(config, &program, program.outside.clone());
    }

    #[test]
    fn small_programs_in_ticks(
        config in config::<u64>(&[0, 1000, u64::MAX - 20]),
        program in program::program(),
    ) {
        compare(config, &program, program.outside.clone());
    }
}

/// At least 10^5 operations from this seed.
fn long<T: Units>(seed: u8, config: Config<T>) {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let mut draw = |strategy: &BoxedStrategy<Outside>| strategy.new_tree(&mut runner).expect("no filters").current();
    let outside = program::outside().boxed();
    let actions: Vec<Outside> = std::iter::repeat_with(|| draw(&outside)).take(30_000).collect();
    let handlers = program::handlers(300).new_tree(&mut runner).expect("no filters").current();
    let program = Program { outside: Vec::new(), handlers };
    let operations = compare(config, &program, actions);
    assert!(operations >= 100_000, "only {operations} operations");
}

const PLAIN: Config<f64> = Config { start: 0.0, tell_stale: false, owned: false, shuffled: false, round_limit: 10_000 };

#[test]
fn a_long_program() {
    long(1, PLAIN);
}

#[test]
fn a_long_program_from_another_clock() {
    long(2, Config { start: -7.3, ..PLAIN });
}

#[test]
fn a_long_program_in_ticks() {
    long(3, Config { start: 1000u64, tell_stale: false, owned: false, shuffled: false, round_limit: 10_000 });
}

#[test]
fn a_long_program_that_is_told_of_its_stale_events() {
    long(4, Config { tell_stale: true, ..PLAIN });
}

#[test]
fn a_long_program_that_is_told_of_the_stale_events_of_untouched_owners() {
    long(7, Config { tell_stale: true, owned: true, ..PLAIN });
}

#[test]
fn a_long_program_with_shuffled_ties() {
    long(5, Config { shuffled: true, ..PLAIN });
}

#[test]
fn a_long_program_with_few_rounds_an_instant() {
    long(6, Config { round_limit: 3, tell_stale: true, shuffled: true, ..PLAIN });
}
