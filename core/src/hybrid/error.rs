//! What can go wrong with a hybrid model: each error names the rule, the time and the values.

use std::fmt;

use crate::error::{RunError, ScheduleError};

/// The names of rules, as errors list them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<&'static str>);

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            write!(f, "{}\"{name}\"", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A number as people read it: twelve digits, without what rounding has left behind them.
pub(super) struct Short(pub(super) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = format!("{:.11e}", self.0);
        match rounded.parse::<f64>() {
            Ok(value) => value.fmt(f),
            Err(_) => f.write_str(&rounded),
        }
    }
}

/// Why a hybrid model cannot go on. The state from before the event stands.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An indicator gave NaN.
    #[error("indicator \"{name}\" is not a number at {}", Short(*time))]
    NotANumber {
        /// The rule.
        name: &'static str,
        /// The first time at which it does, as far as could be told.
        time: f64,
    },
    /// The integrator cannot reach its tolerance, or the derivative is not finite.
    #[error("the derivative cannot be integrated beyond {}: a step of {} is still too long", Short(*time), Short(*step))]
    Stuck {
        /// Where.
        time: f64,
        /// The shortest step that was tried.
        step: f64,
    },
    /// A reset to a value that is not finite.
    #[error("{names} at {}: component {component} cannot be set to {value}", Short(*time))]
    BadReset {
        /// What acted in this pass.
        names: Names,
        /// When.
        time: f64,
        /// Of the state.
        component: usize,
        /// Not a finite number.
        value: f64,
    },
    /// The discrete state goes on changing within one instant.
    #[error("event iteration did not converge at {}: after {count} passes {names} still changes something", Short(*time))]
    NoConvergence {
        /// The instant.
        time: f64,
        /// What acted in the last pass; `update` for [`Hybrid::update`](super::Hybrid::update).
        names: Names,
        /// Passes: the limit.
        count: u32,
    },
    /// Events follow one another without progress worth mentioning.
    #[error(
        "chatter: {count} events of {names} from {} to {}, {rate:.3e} per unit of time, none further than {spacing} from the one before",
        Short(*from),
        Short(*to)
    )]
    Chatter {
        /// The first of them.
        from: f64,
        /// The last.
        to: f64,
        /// How many.
        count: u32,
        /// The rules.
        names: Names,
        /// Events in a unit of time.
        rate: f64,
        /// The largest distance that counts as close.
        spacing: f64,
    },
    /// Events come closer and closer and pile up at a finite time. A rest rule ends this: [`Hybrid::rest`](super::Hybrid::rest).
    #[error("Zeno: {names} came {count} times, ever faster, the last two {spacing:.1e} apart, piling up at {}", Short(*time))]
    Zeno {
        /// When it was noticed.
        time: f64,
        /// The rules.
        names: Names,
        /// Events from the first whose distance was smaller than the one before.
        count: u32,
        /// Between the last two.
        spacing: f64,
        /// Events in a unit of time, over all of those.
        rate: f64,
    },
    /// The stepper is [`ClosedForm`](super::ClosedForm), but the model, or this rule, has none.
    #[error("no closed form of {what} at {}", Short(*time))]
    NoClosedForm {
        /// The state, or the name of the rule.
        what: &'static str,
        /// Where one was wanted.
        time: f64,
    },
    /// A period that is not positive, not finite or too small to move the clock.
    #[error("rule \"{name}\" cannot come every {period} from {start}")]
    BadPeriod {
        /// The rule.
        name: &'static str,
        /// The start.
        start: f64,
        /// The period.
        period: f64,
    },
    /// An action has set the time of a rule to the past, or to NaN.
    #[error("rule \"{name}\" cannot be set to {due}: the clock stands at {time}")]
    PastDue {
        /// The rule.
        name: &'static str,
        /// What it was set to.
        due: f64,
        /// The clock.
        time: f64,
    },
    /// A change from outside at a time before the last event or step, or at none.
    #[error("\"{name}\" cannot be at {due}: the trajectory stands at {time}")]
    BadChange {
        /// What was to be changed.
        name: &'static str,
        /// When.
        due: f64,
        /// Where the trajectory is.
        time: f64,
    },
    /// A start that is not finite.
    #[error("a trajectory cannot start at {time} from {state}")]
    BadStart {
        /// The time.
        time: f64,
        /// The state.
        state: String,
    },
    /// A setting that is out of range.
    #[error("the setting {name} cannot be {value}")]
    BadSetting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A trajectory is to go on that has not been started.
    #[error("the trajectory has not been started")]
    NotStarted,
    /// The trajectory has ended with an error already.
    #[error("the trajectory ended with an error at {}", Short(*time))]
    Ended {
        /// When.
        time: f64,
    },
    /// No rule has this name.
    #[error("no rule is called \"{name}\"")]
    NoSuchRule {
        /// What was asked for.
        name: String,
    },
    /// The kernel refused an event.
    #[error(transparent)]
    Schedule(#[from] ScheduleError<f64>),
    /// The kernel ended the run.
    #[error(transparent)]
    Run(#[from] RunError<f64>),
}
