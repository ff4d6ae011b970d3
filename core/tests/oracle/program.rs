//! Random programs: what is asked of a simulation, from outside and from inside handlers.
//!
//! A program names entities and handles by how recently they were made, so that any part of it can be left out and the rest
//! still means something: that is what lets a failing program shrink.

use std::rc::Rc;

use proptest::prelude::*;
use saltus::Time;

/// What is done to a simulation from outside, and what each handler does.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) outside: Vec<Outside>,
    /// An event with label `l` runs the entry `l` modulo the length.
    pub(crate) handlers: Rc<Vec<Vec<Op>>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Outside {
    Ask(Op),
    /// To a whole number of units after the clock, or before it.
    RunUntil(i8),
    RunFor(u8),
    RunEvents(u8),
    RunLimited(i8, u8),
    Step,
    Peek,
}

#[derive(Clone, Debug)]
pub(crate) enum Op {
    Schedule {
        how: How,
        due: Due,
        priority: i16,
        stamps: Vec<u8>,
    },
    /// Many events that one entity or nothing can void, later than most others.
    Burst {
        count: u8,
        stamps: Vec<u8>,
        handles: bool,
    },
    Cancel(u8),
    /// Cancels the last so many handles.
    CancelMany(u8),
    Reschedule(u8, Due),
    Look(u8),
    Spawn,
    Despawn(u8),
    Touch(u8),
    TouchAll,
    Stop,
    /// The handler returns an error.
    Fail,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    Plain,
    Handle,
    Every(u8),
    /// With a period that is zero, negative, tiny, endless or no number.
    OddPeriod(u8),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Due {
    /// A whole number of units from the clock rounded down: many ties, and sometimes the past.
    At(i8),
    After(u8),
    OddTime(u8),
    OddDelay(u8),
}

pub(crate) fn op() -> impl Strategy<Value = Op> {
    let stamps = || prop::collection::vec(any::<u8>(), 0..=2);
    let how = prop_oneof![
        4 => Just(How::Plain),
        4 => Just(How::Handle),
        1 => (1..6u8).prop_map(How::Every),
        1 => (0..8u8).prop_map(How::OddPeriod),
    ];
    let priority = prop_oneof![4 => Just(0), 2 => -1..=1i16, 1 => Just(i16::MIN), 1 => Just(i16::MAX)];
    prop_oneof![
        20 => (how, due(), priority, stamps())
            .prop_map(|(how, due, priority, stamps)| Op::Schedule { how, due, priority, stamps }),
        6 => any::<u8>().prop_map(Op::Cancel),
        6 => (any::<u8>(), due()).prop_map(|(handle, due)| Op::Reschedule(handle, due)),
        3 => any::<u8>().prop_map(Op::Look),
        3 => Just(Op::Spawn),
        1 => any::<u8>().prop_map(Op::Despawn),
        4 => any::<u8>().prop_map(Op::Touch),
        1 => Just(Op::Stop),
        1 => Just(Op::Fail),
    ]
}

fn due() -> impl Strategy<Value = Due> {
    prop_oneof![
        12 => (-1..5i8).prop_map(Due::At),
        12 => (0..6u8).prop_map(Due::After),
        1 => (0..8u8).prop_map(Due::OddTime),
        1 => (0..8u8).prop_map(Due::OddDelay),
    ]
}

/// What only the outside asks for: handlers that do it would leave nothing alive.
fn crowd() -> impl Strategy<Value = Op> {
    let stamps = prop::collection::vec(any::<u8>(), 0..=2);
    prop_oneof![
        3 => (any::<u8>(), stamps, any::<bool>())
            .prop_map(|(count, stamps, handles)| Op::Burst { count, stamps, handles }),
        2 => Just(Op::TouchAll),
        2 => any::<u8>().prop_map(Op::CancelMany),
    ]
}

pub(crate) fn outside() -> impl Strategy<Value = Outside> {
    prop_oneof![
        20 => op().prop_map(Outside::Ask),
        2 => crowd().prop_map(Outside::Ask),
        6 => (-1..3i8).prop_map(Outside::RunUntil),
        2 => (0..3u8).prop_map(Outside::RunFor),
        3 => (0..9u8).prop_map(Outside::RunEvents),
        2 => (0..3i8, 0..5u8).prop_map(|(units, count)| Outside::RunLimited(units, count)),
        4 => Just(Outside::Step),
        4 => Just(Outside::Peek),
    ]
}

pub(crate) fn handlers(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Rc<Vec<Vec<Op>>>> {
    prop::collection::vec(prop::collection::vec(op(), 0..4), count).prop_map(Rc::new)
}

pub(crate) fn program() -> impl Strategy<Value = Program> {
    (prop::collection::vec(outside(), 1..80), handlers(1..12))
        .prop_map(|(outside, handlers)| Program { outside, handlers })
}

/// A time type as the programs use it. Everything here is plain arithmetic that knows nothing of the kernel's.
pub(crate) trait Units: Time {
    /// The clock rounded down to a whole unit, and so many units more.
    fn units(self, n: i8) -> Self;
    fn half_units(n: u8) -> Self::Delay;
    fn odd_time(self, n: u8) -> Self;
    fn odd_delay(self, n: u8) -> Self::Delay;
    fn judge_time(self) -> Judged<Self>;
    fn judge_delay(self, delay: Self::Delay) -> Judged<Self>;
    fn nth(start: Self, k: u64, period: Self::Delay) -> Judged<Self>;
    /// Equal bits are equal times, and only they.
    fn bits(self) -> u64;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Judged<T> {
    Time(T),
    Never,
    Bad(Reason),
}

/// The rule that was broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reason {
    Past,
    NotATime,
    NotADelay,
    BelowResolution,
    Overflow,
    DeadEntity,
    Other,
}

impl Units for f64 {
    fn units(self, n: i8) -> f64 {
        self.floor() + f64::from(n)
    }
    fn half_units(n: u8) -> f64 {
        f64::from(n) * 0.5
    }
    fn odd_time(self, n: u8) -> f64 {
        match n {
            0 => f64::NAN,
            1 => f64::NEG_INFINITY,
            2 => -0.0,
            3 => self.next_down(),
            4 => self,
            5 => self.next_up(),
            _ => f64::INFINITY,
        }
    }
    fn odd_delay(self, n: u8) -> f64 {
        // Near zero a tiny period would do what it says, and never come to an end.
        let tiny = if self < 1.0 { 0.5 } else { 1e-300 };
        [f64::NAN, -1.0, tiny, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.1][usize::from(n)]
    }
    fn judge_time(self) -> Judged<f64> {
        if self.is_nan() || self == f64::NEG_INFINITY {
            Judged::Bad(Reason::NotATime)
        } else if self == f64::INFINITY {
            Judged::Never
        } else if self == 0.0 {
            Judged::Time(0.0)
        } else {
            Judged::Time(self)
        }
    }
    fn judge_delay(self, delay: f64) -> Judged<f64> {
        if delay.is_nan() || delay < 0.0 {
            Judged::Bad(Reason::NotADelay)
        } else if delay == f64::INFINITY {
            Judged::Never
        } else if delay > 0.0 && self + delay == self {
            Judged::Bad(Reason::BelowResolution)
        } else if self + delay == f64::INFINITY {
            Judged::Bad(Reason::Overflow)
        } else {
            (self + delay).judge_time()
        }
    }
    fn nth(start: f64, k: u64, period: f64) -> Judged<f64> {
        (start + k as f64 * period).judge_time()
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Units for u64 {
    fn units(self, n: i8) -> u64 {
        self.saturating_add_signed(n.into())
    }
    fn half_units(n: u8) -> u64 {
        u64::from(n / 2)
    }
    fn odd_time(self, n: u8) -> u64 {
        [0, 1, u64::MAX, self, self / 2, u64::MAX - 1, self, self][usize::from(n)]
    }
    fn odd_delay(self, n: u8) -> u64 {
        [u64::MAX, u64::MAX / 2, 0, 0, 1, 2, u64::MAX - 1, 7][usize::from(n)]
    }
    fn judge_time(self) -> Judged<u64> {
        Judged::Time(self)
    }
    fn judge_delay(self, delay: u64) -> Judged<u64> {
        u64::try_from(u128::from(self) + u128::from(delay)).map_or(Judged::Bad(Reason::Overflow), Judged::Time)
    }
    fn nth(start: u64, k: u64, period: u64) -> Judged<u64> {
        let time = u128::from(start) + u128::from(k) * u128::from(period);
        u64::try_from(time).map_or(Judged::Never, Judged::Time)
    }
    fn bits(self) -> u64 {
        self
    }
}
