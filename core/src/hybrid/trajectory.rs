//! A hybrid model in motion, without a kernel: one accepted step ahead of the clock, and what comes next.

use super::bracket::rounding;
use super::clock;
use super::error::Error;
use super::guard::Guard;
use super::locate::{Due, Scan, crossings};
use super::log::{Entry, Kind, Output, Row, Statistics, events};
use super::model::{At, Hybrid, Now};
use super::rule::{clocks, rules_of};
use super::settings::Settings;
use super::sides::Sides;
use super::state::is_finite;
use super::stepper::{DormandPrince, Stepper};
use crate::entity::Entity;
use crate::event::Class;

/// A hybrid model in motion.
///
/// Its place among other events is that of an entity: [`start`](Trajectory::start), [`advance`](Trajectory::advance) and
/// [`change`](Trajectory::change) schedule what comes next, stamped with the entity's version. Without a kernel,
/// [`begin`](Trajectory::begin), [`next_time`](Trajectory::next_time) and [`fire`](Trajectory::fire) do the same by hand.
pub struct Trajectory<H: Hybrid, S = DormandPrince<<H as Hybrid>::State>> {
    pub(super) model: H,
    pub(super) stepper: S,
    pub(super) settings: Settings,
    /// Rules that are watched.
    pub(super) enabled: u64,
    /// Where the step began, and the values there.
    pub(super) time: f64,
    pub(super) x: H::State,
    pub(super) mode: H::Mode,
    /// Where it ends.
    pub(super) end: (f64, H::State),
    pub(super) sides: Sides,
    sides_at_end: Sides,
    /// Indicators that may not have left zero since the last event, and the bracket of that.
    pub(super) fresh: u64,
    pub(super) width: f64,
    pub(super) resting: bool,
    /// With an error, where the step ends.
    pub(super) ended: bool,
    pub(super) next: Next,
    pub(super) last_instant: f64,
    pub(super) guard: Guard,
    pub(super) statistics: Statistics,
    /// Evaluations of indicators at the last entry of the log.
    pub(super) evaluations_logged: u64,
    pub(super) log: Vec<Entry<H::State>>,
    /// Boxed, so that it takes no room where there are no rows.
    pub(super) output: Option<Box<Output<H::State, H::Mode>>>,
    pub(super) entity: Option<Entity>,
}

/// What comes next: rules that come true, the end of the step if there are none, or what keeps the model from going on.
#[derive(Debug, Default)]
pub(super) struct Next {
    pub(super) time: f64,
    pub(super) due: Due,
    /// Boxed, so that it takes no room where there is none.
    pub(super) error: Option<Box<Error>>,
}

impl Next {
    fn rules(time: f64, rules: u64) -> Next {
        Next { time, due: Due { rules, ..Due::default() }, error: None }
    }
}

/// The rules that came true in an instant.
pub struct Fired<H> {
    pub(super) mask: u64,
    pub(super) model: std::marker::PhantomData<fn() -> H>,
}

impl<H: Hybrid> Fired<H> {
    pub(super) fn of(mask: u64) -> Fired<H> {
        Fired { mask, model: std::marker::PhantomData }
    }

    /// Whether there are none: only a step has ended.
    pub fn is_empty(&self) -> bool {
        self.mask == 0
    }

    /// Their names, in the order of the rules.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<H> {
        rules_of::<H>(self.mask).map(|(_, rule)| rule.name)
    }

    /// Whether the rule of this name is among them.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|fired| fired == name)
    }
}

impl<H: Hybrid> Trajectory<H> {
    /// From this state and mode, integrated to a tolerance of 1e-6, with default settings.
    pub fn new(model: H, x: H::State, mode: H::Mode) -> Self {
        Trajectory::with(model, x, mode, DormandPrince::new(1e-6), Settings::default())
    }
}

impl<H: Hybrid, S: Stepper<H>> Trajectory<H, S> {
    /// From this state and mode, with a stepper and settings of your choice.
    pub fn with(model: H, x: H::State, mode: H::Mode, stepper: S, settings: Settings) -> Self {
        const { assert!(H::RULES.len() <= 64, "a hybrid model has at most 64 rules") };
        Trajectory {
            model,
            stepper,
            settings,
            enabled: if H::RULES.len() == 64 { u64::MAX } else { (1 << H::RULES.len()) - 1 },
            time: f64::NAN,
            x,
            mode,
            end: (f64::INFINITY, x),
            sides: Sides::default(),
            sides_at_end: Sides::default(),
            fresh: 0,
            width: 0.0,
            resting: false,
            ended: false,
            next: Next::rules(f64::INFINITY, 0),
            last_instant: f64::NEG_INFINITY,
            guard: Guard::new(),
            statistics: Statistics { smallest_spacing: f64::INFINITY, ..Statistics::default() },
            evaluations_logged: 0,
            log: Vec::new(),
            output: None,
            entity: None,
        }
    }

    /// A rule that is not watched: its condition generates no events, as under Modelica's `noEvent`. To compare a run with one in
    /// which it does.
    pub fn no_event(&mut self, name: &str) -> Result<(), Error> {
        let found = H::RULES.iter().position(|rule| rule.name == name);
        let rule = found.ok_or_else(|| Error::NoSuchRule { name: name.into() })?;
        self.enabled &= !(1 << rule);
        Ok(())
    }

    /// Starts at a time.
    pub fn begin(&mut self, time: f64) -> Result<(), Error> {
        if !time.is_finite() || !is_finite(&self.x) {
            return Err(Error::BadStart { time, state: format!("{:?}", self.x) });
        }
        self.settings.check()?;
        clock::check(&self.model, &self.mode, time)?;
        self.time = time;
        self.output = self.settings.output_interval.map(|interval| Box::new(Output::new(time, interval)));
        // An indicator at the start has no past: the side it goes to is its first.
        self.fresh = u64::MAX;
        self.stepper.restart();
        self.predict(true);
        Ok(())
    }

    /// When something is to be done next: a rule comes true, or a step ends. Infinite if nothing will ever happen.
    pub fn next_time(&self) -> f64 {
        self.next.time
    }

    /// The place of what comes next among events of equal time.
    pub(super) fn next_class(&self) -> Class {
        // What is none is the end of a step.
        let Due { rules, .. } = self.next.due;
        if rules & clocks::<H>() != 0 { Class::Time } else { Class::State }
    }

    /// Does what comes next. After an error the state from before the instant stands, nothing comes next, and to go on is an
    /// error too.
    pub fn fire(&mut self) -> Result<Fired<H>, Error> {
        self.check_goes_on()?;
        self.try_fire().inspect_err(|_| self.freeze(self.next.time))
    }

    pub(super) fn check_goes_on(&self) -> Result<(), Error> {
        if self.ended {
            Err(Error::Ended { time: self.end.0 })
        } else if self.time.is_nan() {
            Err(Error::NotStarted)
        } else {
            Ok(())
        }
    }

    /// Ends the trajectory at a time, with nothing beyond it.
    #[cold]
    fn freeze(&mut self, time: f64) {
        self.end = (time, self.state_at(time));
        self.next = Next::rules(f64::INFINITY, 0);
        self.ended = true;
    }

    fn try_fire(&mut self) -> Result<Fired<H>, Error> {
        if let Some(error) = self.next.error.take() {
            return Err(*error);
        }
        let Next { time, due, .. } = self.next;
        let mut fired = 0;
        if due.rules != 0 {
            fired = self.instant(time, due, None)?;
        } else if time < f64::INFINITY {
            let (end, x) = self.end;
            self.emit(end, true);
            (self.time, self.x, self.sides, self.fresh) = (end, x, self.sides_at_end, 0);
        }
        self.predict(false);
        Ok(Fired::of(fired))
    }

    /// Cuts the step at a time, lets a discrete event change state and mode, and goes on from there. Rules that are due at this
    /// time belong to the same instant: those of a time act with the change, those of an indicator after it and only if it
    /// is still past zero. What comes before this time and has not been done yet is done first, and told as well.
    pub fn change_at(
        &mut self,
        time: f64,
        name: &'static str,
        mut change: impl FnMut(&H, &mut Now<H>),
    ) -> Result<Fired<H>, Error> {
        self.check_goes_on()?;
        if !(time >= self.time && time < f64::INFINITY) {
            return Err(Error::BadChange { name, due: time, time: self.time });
        }
        let mut before = 0;
        while self.next.time < time {
            before |= self.fire()?.mask;
        }
        let due = if self.next.time == time { self.next.due } else { Due::default() };
        match self.instant(time, due, Some((name, &mut change))) {
            Ok(fired) => {
                self.predict(false);
                Ok(Fired::of(before | fired))
            }
            Err(error) => {
                self.freeze(time);
                Err(error)
            }
        }
    }

    /// Takes a step from where the model is, and looks into it for what comes next.
    fn predict(&mut self, start: bool) {
        self.next = self.look_ahead(start).unwrap_or_else(|error| {
            let time = match error {
                Error::NotANumber { time, .. } => time,
                _ => self.time,
            };
            Next { time, error: Some(Box::new(error)), ..Next::default() }
        });
    }

    fn look_ahead(&mut self, start: bool) -> Result<Next, Error> {
        let Trajectory { model, stepper, settings, enabled, mode, .. } = self;
        let (time, x, enabled) = (self.time, self.x, *enabled);
        let (clock_time, clock_rules) = clock::next(model, mode, time, enabled);
        if self.resting {
            self.end = (f64::INFINITY, x);
            return Ok(Next::rules(clock_time, clock_rules));
        }
        let limit = clock_time.min(time + settings.max_step);
        if limit <= time {
            return Err(Error::Stuck { time, step: settings.max_step });
        }
        let step = stepper.step(model, &At { time, x, mode }, limit)?;
        self.end = (step.end, step.state);
        self.statistics.steps += 1;
        self.statistics.retries += u64::from(step.retries);
        self.statistics.derivatives += u64::from(step.evaluations);

        let length = step.end - time;
        let close = if length < f64::INFINITY { 1e-14 * length } else { 0.0 };
        let blind = (64.0 * self.width.max(2.0 * rounding(time))).max(close).min(length / 16.0);
        let mut scan = Scan {
            model,
            mode,
            stepper,
            start: (time, x),
            end: self.end,
            tolerance: settings.event_tolerance,
            fresh: self.fresh,
            blind,
            evaluations: 0,
        };
        let mut found = None;
        let mut initial = 0;
        let mut look = || -> Result<(), Error> {
            scan.arm(&mut self.sides, enabled)?;
            if start {
                initial = due_at_start(&mut scan, &self.sides, enabled)? | clock::due(model, mode, time, enabled);
            }
            self.sides_at_end = self.sides;
            if initial == 0 {
                found = scan.first(&mut self.sides_at_end, enabled, settings.locate)?;
            }
            Ok(())
        };
        let looked = look();
        self.statistics.indicators += u64::from(scan.evaluations);
        if settings.log {
            for _ in 0..step.retries {
                self.log_retry();
            }
        }
        looked?;
        if initial != 0 {
            return Ok(Next::rules(time, initial));
        }
        let (end, clocks) = (step.end, if step.end == clock_time { clock_rules } else { 0 });
        Ok(match found {
            Some(found) if found.time < end => Next { time: found.time, due: found.due, error: None },
            Some(found) => Next { time: end, due: Due { rules: found.due.rules | clocks, ..found.due }, error: None },
            None => Next::rules(end, clocks),
        })
    }

    /// The state at a time within the present step. Later than its end there is no state yet: that at the end is given.
    pub fn state_at(&self, time: f64) -> H::State {
        if self.resting || time == self.time {
            self.x
        } else if time >= self.end.0 {
            self.end.1
        } else {
            self.stepper.state_at(time)
        }
    }

    /// Writes the rows of output up to a time within the present step.
    pub(super) fn emit(&mut self, to: f64, included: bool) {
        if let Some(mut output) = self.output.take() {
            output.advance(to, included, &self.mode, |time| self.state_at(time));
            self.output = Some(output);
        }
    }

    fn log_retry(&mut self) {
        self.log.push(Entry {
            time: self.time,
            kind: Kind::Retry,
            name: "step",
            iterations: 0,
            evaluations: 0,
            width: 0.0,
            discontinuous: false,
            before: self.x,
            after: self.x,
            energy: None,
            rests: false,
        });
    }

    /// The model.
    pub fn model(&self) -> &H {
        &self.model
    }

    /// The discrete state.
    pub fn mode(&self) -> &H::Mode {
        &self.mode
    }

    /// The energy at a time within the present step, if the model gives one.
    pub fn energy_at(&self, time: f64) -> Option<f64> {
        self.model.energy(&At { time, x: self.state_at(time), mode: &self.mode })
    }

    /// Whether it has come to rest.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// What is logged so far: events, and steps that were rejected.
    pub fn log(&self) -> &[Entry<H::State>] {
        &self.log
    }

    /// The events of the log.
    pub fn events(&self) -> impl Iterator<Item = &Entry<H::State>> {
        events(&self.log)
    }

    /// The rows of output so far; none without [`Settings::output_interval`].
    pub fn rows(&self) -> &[Row<H::State, H::Mode>] {
        self.output.as_ref().map_or(&[], |output| &output.rows)
    }

    /// Counts, which are kept with and without a log.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The rules whose indicators are zero at the start and move in their direction, if they ask for that.
fn due_at_start<H: Hybrid, S: Stepper<H>>(
    scan: &mut Scan<'_, H, S>,
    sides: &Sides,
    enabled: u64,
) -> Result<u64, Error> {
    let mut due = 0;
    for (rule, crossing) in crossings::<H>(enabled) {
        let side = sides.get(rule);
        if crossing.initial
            && side != 0.0
            && crossing.direction.includes(side > 0.0)
            && scan.value(rule, crossing, scan.start.0)? == 0.0
        {
            due |= 1 << rule;
        }
    }
    Ok(due)
}
