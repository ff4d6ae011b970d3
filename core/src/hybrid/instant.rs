//! One instant: actions, and event iteration until nothing changes any more. It works on a copy, which counts at the end.

use super::bracket::rounding;
use super::error::{Error, Names};
use super::guard::names;
use super::locate::{Due, crossings};
use super::log::{Entry, Kind};
use super::model::{At, Hybrid, Now};
use super::rule::{Trigger, clocks, rules_of};
use super::sides::Sides;
use super::state::{State, is_finite};
use super::stepper::Stepper;
use super::trajectory::Trajectory;

/// A change from outside, with its name.
pub(super) type Change<'a, H> = (&'static str, &'a mut dyn FnMut(&H, &mut Now<H>));

/// The copy that an instant works on.
struct Draft<H: Hybrid> {
    x: H::State,
    mode: H::Mode,
    sides: Sides,
    /// Rules that have acted in any pass.
    fired: u64,
    passes: u32,
}

impl<H: Hybrid, S: Stepper<H>> Trajectory<H, S> {
    /// Runs the instant: the rules that have come true, and whatever follows from that at the same time.
    pub(super) fn instant(&mut self, time: f64, due: Due, change: Option<Change<'_, H>>) -> Result<u64, Error> {
        let Due { rules, width, discontinuous } = due;
        let before = self.state_at(time);
        let changed_as = change.as_ref().map(|(name, _)| *name);
        let mut draft = Draft {
            x: before,
            mode: self.mode.clone(),
            sides: self.sides_at(time, before, rules)?,
            fired: 0,
            passes: 0,
        };
        self.iterate(time, rules, change, &mut draft)?;

        let Draft { mut x, mode, sides, fired, passes } = draft;
        let rest = self.model.rest(&At { time, x, mode: &mode });
        let state_rules = fired & !clocks::<H>();
        let guard = match rest {
            None if state_rules != 0 => self.guard.after::<H>(time, state_rules, self.settings.chatter)?,
            _ => self.guard,
        };
        x = rest.unwrap_or(x);
        if !is_finite(&x) {
            return Err(self.bad_reset(time, &x, Names(vec!["rest"])));
        }

        // From here on nothing can fail.
        let entry = Entry {
            time,
            kind: Kind::Time,
            name: changed_as.unwrap_or(""),
            iterations: passes,
            evaluations: 0,
            width,
            discontinuous: false,
            before,
            after: x,
            energy: self.energies(time, before, x, &mode),
            rests: rest.is_some() && !self.resting,
        };
        self.enter(entry, fired, changed_as.is_some(), discontinuous);
        self.emit(time, false);
        if let Some(output) = &mut self.output {
            output.event(time, (before, &self.mode), (x, &mode));
        }

        // Whoever sets the state anew sends the model elsewhere: what has fired is armed again once it is clearly off zero. After a
        // mere switch of mode, a field that points straight back must be seen.
        self.fresh = if x != before { fired } else { 0 };
        let moved = x != before || mode != self.mode || changed_as.is_some();
        self.resting = rest.is_some() || self.resting && !moved;
        (self.time, self.x, self.mode, self.sides) = (time, x, mode, sides);
        (self.guard, self.last_instant) = (guard, time);
        self.width = if rules & state_rules != 0 { width } else { 0.0 };
        if moved || time != self.end.0 {
            self.stepper.restart();
        }
        Ok(fired)
    }

    /// The sides at an instant before anything has acted. What has come true is past zero; a zero of another indicator is so too,
    /// unless it is only touched.
    fn sides_at(&mut self, time: f64, x: H::State, rules: u64) -> Result<Sides, Error> {
        let mut sides = self.sides;
        for (rule, _) in crossings::<H>(self.enabled) {
            let side = sides.get(rule);
            let value = self.indicator(rule, time, x, &self.mode)?;
            self.statistics.indicators += 1;
            if value != 0.0 {
                sides.set(rule, value);
            } else if rules & (1 << rule) != 0 && time > self.time {
                sides.set(rule, -side);
            } else if side != 0.0 && time > self.time && !self.resting {
                let soon = time + 128.0 * rounding(time);
                let value = self.indicator(rule, soon, self.stepper.state_at(soon), &self.mode)?;
                if value * side <= 0.0 {
                    sides.set(rule, -side);
                }
            }
        }
        Ok(sides)
    }

    fn indicator(&self, rule: usize, time: f64, x: H::State, mode: &H::Mode) -> Result<f64, Error> {
        let Some(crossing) = H::RULES[rule].as_crossing() else { return Ok(1.0) };
        let value = (crossing.indicator)(&self.model, &At { time, x, mode });
        if value.is_nan() { Err(Error::NotANumber { name: H::RULES[rule].name, time }) } else { Ok(value) }
    }

    /// Event iteration: passes until one changes nothing and nothing new comes true.
    fn iterate(
        &mut self,
        time: f64,
        rules: u64,
        mut change: Option<Change<'_, H>>,
        draft: &mut Draft<H>,
    ) -> Result<(), Error> {
        let changed = change.is_some();
        // What is at work in a pass without rules.
        let outside = change.as_ref().map_or("update", |(name, _)| name);
        let clocks = clocks::<H>();
        // What an outside change may undo is looked at after it.
        let (mut acting, waiting) = if changed { (rules & clocks, rules & !clocks) } else { (rules, 0) };
        loop {
            draft.passes += 1;
            let (x, mode) = (draft.x, draft.mode.clone());
            let mut now = Now { time, pre: At { time, x, mode: &mode }, mode: mode.clone(), new: x };
            if let Some((_, change)) = change.take() {
                change(&self.model, &mut now);
            }
            // Rules of a time first, then those of an indicator, each kind in its order.
            for mask in [acting & clocks, acting & !clocks] {
                for (_, rule) in rules_of::<H>(mask) {
                    (rule.action)(&self.model, &mut now);
                }
            }
            self.model.update(&mut now);
            let (new, new_mode) = (now.new, now.mode);
            draft.fired |= acting;
            if !is_finite(&new) {
                let names = if acting == 0 { Names(vec![outside]) } else { names::<H>(acting) };
                return Err(self.bad_reset(time, &new, names));
            }
            let is_same = new == x && new_mode == mode;
            let mut next = self.set_due(time, &mode, &new_mode)?;
            let waiting = if draft.passes == 1 { waiting } else { 0 };
            next |= self.crossed(time, (&x, &mode), (&new, &new_mode), waiting, &mut draft.sides)?;
            (draft.x, draft.mode) = (new, new_mode);
            if next == 0 && is_same {
                return Ok(());
            }
            if draft.passes >= self.settings.iteration_limit {
                let names = if acting == 0 { Names(vec!["update"]) } else { names::<H>(acting) };
                return Err(Error::NoConvergence { time, names, count: draft.passes });
            }
            acting = next;
        }
    }

    #[cold]
    fn bad_reset(&self, time: f64, new: &H::State, names: Names) -> Error {
        let bad = new.values().iter().position(|value| !value.is_finite()).unwrap_or(0);
        Error::BadReset { names, time, component: bad, value: new.values()[bad] }
    }

    /// Rules whose time has just been set to now. To set one to the past is an error.
    fn set_due(&self, time: f64, old: &H::Mode, new: &H::Mode) -> Result<u64, Error> {
        let mut due = 0;
        for (i, rule) in H::RULES.iter().enumerate() {
            let Trigger::At(at) = &rule.trigger else { continue };
            let (was, is) = (at(&self.model, old), at(&self.model, new));
            if self.enabled & (1 << i) == 0 || is == was {
                continue;
            }
            if is.is_nan() || is < time {
                return Err(Error::PastDue { name: rule.name, due: is, time });
            }
            if is == time {
                due |= 1 << i;
            }
        }
        Ok(due)
    }

    /// Rules whose indicators a pass has carried to the other side, in their direction.
    fn crossed(
        &mut self,
        time: f64,
        (old_x, old_mode): (&H::State, &H::Mode),
        (x, mode): (&H::State, &H::Mode),
        waiting: u64,
        sides: &mut Sides,
    ) -> Result<u64, Error> {
        let mut crossed = 0;
        if x == old_x && mode == old_mode && waiting == 0 {
            return Ok(0);
        }
        for (rule, crossing) in crossings::<H>(self.enabled) {
            let value = self.indicator(rule, time, *x, mode)?;
            self.statistics.indicators += 1;
            let side = sides.get(rule);
            let bit = 1 << rule;
            if waiting & bit != 0 {
                // It had come true when the change came between; its side is already the far one.
                if value == 0.0 || value * side > 0.0 {
                    crossed |= bit;
                    continue;
                }
            }
            let now = if value != 0.0 {
                value.signum()
            } else if self.indicator(rule, time, *old_x, old_mode)? == 0.0 {
                side
            } else {
                -side
            };
            if now != 0.0 && now != side {
                if side != 0.0 && crossing.direction.includes(now > 0.0) && waiting & bit == 0 {
                    crossed |= bit;
                }
                sides.set(rule, now);
            }
        }
        Ok(crossed)
    }

    fn energies(&self, time: f64, before: H::State, after: H::State, mode: &H::Mode) -> Option<[f64; 2]> {
        let before = self.model.energy(&At { time, x: before, mode: &self.mode })?;
        Some([before, self.model.energy(&At { time, x: after, mode })?])
    }

    /// Into statistics and log: one entry for the change, and one for each rule.
    fn enter(&mut self, entry: Entry<H::State>, fired: u64, changed: bool, discontinuous: u64) {
        let spacing = entry.time - self.last_instant;
        if spacing > 0.0 {
            self.statistics.smallest_spacing = self.statistics.smallest_spacing.min(spacing);
        }
        let mut evaluations = self.statistics.indicators - self.evaluations_logged;
        self.evaluations_logged = self.statistics.indicators;
        if changed {
            self.statistics.time_events += 1;
            if self.settings.log {
                self.log.push(Entry { evaluations: std::mem::take(&mut evaluations), width: 0.0, ..entry });
            }
        }
        let clocks = clocks::<H>();
        for (kind, mask, width) in [(Kind::Time, fired & clocks, 0.0), (Kind::State, fired & !clocks, entry.width)] {
            for (i, rule) in rules_of::<H>(mask) {
                let jumps = discontinuous & (1 << i) != 0;
                if kind == Kind::Time {
                    self.statistics.time_events += 1;
                } else {
                    self.statistics.state_events += 1;
                    self.statistics.discontinuous += u64::from(jumps);
                    self.statistics.widest_bracket = self.statistics.widest_bracket.max(width);
                }
                if self.settings.log {
                    let evaluations = std::mem::take(&mut evaluations);
                    self.log.push(Entry { kind, name: rule.name, evaluations, width, discontinuous: jumps, ..entry });
                }
            }
        }
    }
}
