//! Rules: what makes an event, and what it does.

use super::curve::Curve;
use super::model::{At, Hybrid, Now};

/// In which direction an indicator must cross zero to make an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From above to zero or below.
    Falling,
    /// From below to zero or above.
    Rising,
    /// Both.
    Either,
}

impl Direction {
    /// Whether a crossing to the positive (or negative) side is asked for.
    #[inline]
    pub(super) fn includes(self, to_positive: bool) -> bool {
        match self {
            Direction::Falling => !to_positive,
            Direction::Rising => to_positive,
            Direction::Either => true,
        }
    }
}

/// A name, a condition, and what happens when it comes true. A model lists its rules as [`Hybrid::RULES`].
///
/// The condition is a zero crossing of an **indicator**, which is a state event whose time has to be found, or a **time** that
/// is known beforehand: periodic ([`Rule::every`]) or kept in the mode ([`Rule::at`]). What then happens is a function as well; one
/// that does nothing, `|_, _| {}`, makes an event that is only written to the log.
///
/// All functions of a rule are given the model first. Where more is said of a rule, the compiler wants to be told whose it is:
/// `Rule::<Self>::falling(...).initial()`.
pub struct Rule<H: Hybrid> {
    pub(super) name: &'static str,
    pub(super) trigger: Trigger<H>,
    pub(super) action: Action<H>,
}

pub(super) type Action<H> = fn(&H, &mut Now<H>);
type Indicator<H> = fn(&H, &At<H>) -> f64;

pub(super) enum Trigger<H: Hybrid> {
    Crossing(Crossing<H>),
    /// Start and period.
    Every(fn(&H) -> (f64, f64)),
    At(fn(&H, &H::Mode) -> f64),
}

pub(super) struct Crossing<H: Hybrid> {
    pub(super) direction: Direction,
    pub(super) indicator: Indicator<H>,
    pub(super) closed: Option<fn(&H, &At<H>) -> Curve>,
    /// `None` is the default of the settings.
    pub(super) tolerance: Option<f64>,
    pub(super) initial: bool,
}

impl<H: Hybrid> Clone for Rule<H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<H: Hybrid> Copy for Rule<H> {}
impl<H: Hybrid> Clone for Trigger<H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<H: Hybrid> Copy for Trigger<H> {}
impl<H: Hybrid> Clone for Crossing<H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<H: Hybrid> Copy for Crossing<H> {}

impl<H: Hybrid> Rule<H> {
    /// An event whenever the indicator falls to zero or below.
    pub const fn falling(name: &'static str, indicator: fn(&H, &At<H>) -> f64, action: fn(&H, &mut Now<H>)) -> Self {
        Rule::crossing(name, Direction::Falling, indicator, action)
    }

    /// An event whenever the indicator rises to zero or above.
    pub const fn rising(name: &'static str, indicator: fn(&H, &At<H>) -> f64, action: fn(&H, &mut Now<H>)) -> Self {
        Rule::crossing(name, Direction::Rising, indicator, action)
    }

    /// An event whenever the indicator crosses zero.
    pub const fn either(name: &'static str, indicator: fn(&H, &At<H>) -> f64, action: fn(&H, &mut Now<H>)) -> Self {
        Rule::crossing(name, Direction::Either, indicator, action)
    }

    const fn crossing(name: &'static str, direction: Direction, indicator: Indicator<H>, action: Action<H>) -> Self {
        let crossing = Crossing { direction, indicator, closed: None, tolerance: None, initial: false };
        Rule { name, trigger: Trigger::Crossing(crossing), action }
    }

    /// An event at `start + k * period` for k = 0, 1, 2, ..., each time computed from the integer k. The function gives start and
    /// period; it may not change during a run.
    pub const fn every(
        name: &'static str,
        start_and_period: fn(&H) -> (f64, f64),
        action: fn(&H, &mut Now<H>),
    ) -> Self {
        Rule { name, trigger: Trigger::Every(start_and_period), action }
    }

    /// An event at a time that the mode knows: a deadline, a delay that an action has begun. Positive infinity is never, and so
    /// is a time that has passed. It may be set to the present: then the event belongs to the same instant. To set it to an
    /// earlier time is an error. The compiler wants to be told the type of the mode.
    ///
    /// ```
    /// # use saltus::hybrid::*;
    /// # struct Lamp;
    /// # #[derive(Clone, Copy, PartialEq)]
    /// # struct Mode { on: bool, off_at: f64 }
    /// # impl Hybrid for Lamp {
    /// #     type State = [f64; 0];
    /// #     type Mode = Mode;
    /// const RULES: &'static [Rule<Self>] = &[
    ///     Rule::every("pressed", |_| (1.0, 10.0), |_, now| now.mode = Mode { on: true, off_at: now.time + 3.0 }),
    ///     Rule::at("off", |_, mode: &Mode| mode.off_at, |_, now| now.mode.on = false),
    /// ];
    /// #     fn derivative(&self, _: &At<Self>) -> [f64; 0] { [] }
    /// # }
    /// # let mut run = Run::new(Lamp, [], Mode { on: false, off_at: f64::INFINITY })?;
    /// # run.until(20.0)?;
    /// # assert_eq!(run.events().map(|event| event.time).collect::<Vec<_>>(), [1.0, 4.0, 11.0, 14.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn at(name: &'static str, time: fn(&H, &H::Mode) -> f64, action: fn(&H, &mut Now<H>)) -> Self {
        Rule { name, trigger: Trigger::At(time), action }
    }

    /// How far the time of the event may lie behind the crossing, in units of time. Without it
    /// [`Settings::event_tolerance`](super::Settings::event_tolerance) counts. It is no use in saving work: the last digits cost
    /// one or two evaluations.
    pub const fn tolerance(self, tolerance: f64) -> Self {
        match self.trigger {
            Trigger::Crossing(crossing) => {
                self.with(Trigger::Crossing(Crossing { tolerance: Some(tolerance), ..crossing }))
            }
            _ => self,
        }
    }

    /// An indicator that is zero at the start and moves in its direction is an event at the start. Without this it is none.
    pub const fn initial(self) -> Self {
        match self.trigger {
            Trigger::Crossing(crossing) => self.with(Trigger::Crossing(Crossing { initial: true, ..crossing })),
            _ => self,
        }
    }

    /// The indicator in closed form, as a curve in the time since `at`, for the stepper [`ClosedForm`](super::ClosedForm).
    pub const fn closed(self, curve: fn(&H, &At<H>) -> Curve) -> Self {
        match self.trigger {
            Trigger::Crossing(crossing) => self.with(Trigger::Crossing(Crossing { closed: Some(curve), ..crossing })),
            _ => self,
        }
    }

    const fn with(self, trigger: Trigger<H>) -> Self {
        Rule { trigger, ..self }
    }

    /// The name, as in log and errors.
    pub fn name(&self) -> &'static str {
        self.name
    }

    #[inline]
    pub(super) fn as_crossing(&self) -> Option<&Crossing<H>> {
        match &self.trigger {
            Trigger::Crossing(crossing) => Some(crossing),
            _ => None,
        }
    }
}

/// The mask of the rules of a time.
#[inline]
pub(super) fn clocks<H: Hybrid>() -> u64 {
    let is_clock = |rule: &Rule<H>| rule.as_crossing().is_none();
    (0..).zip(H::RULES).fold(0, |mask, (i, rule)| if is_clock(rule) { mask | 1 << i } else { mask })
}

/// The rules of a mask, with their places.
#[inline]
pub(super) fn rules_of<H: Hybrid>(mask: u64) -> impl Iterator<Item = (usize, &'static Rule<H>)> {
    H::RULES.iter().enumerate().filter(move |(i, _)| mask & (1 << i) != 0)
}
