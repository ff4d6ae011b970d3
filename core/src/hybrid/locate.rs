//! The first crossing of any indicator within a step.

use super::bracket::{Bracket, Root, narrow, rounding};
use super::dip::{around, vertex};
use super::error::Error;
use super::model::{At, Hybrid};
use super::rule::{Crossing, Direction, rules_of};
use super::sides::Sides;
use super::stepper::Stepper;

/// Rules that come true together, and how their crossing was found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Due {
    pub(super) rules: u64,
    /// Of the bracket.
    pub(super) width: f64,
    /// Rules whose indicator jumps.
    pub(super) discontinuous: u64,
}

/// What was found: the earliest crossing, of one rule or of several whose brackets overlap, so that nobody can tell which is
/// first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) due: Due,
    start: f64,
}

/// How often the inside of a step is looked at. Two roots closer to each other than that are found by the dip between them.
const SAMPLES: usize = 8;

/// A step that was taken and is to be searched.
pub(super) struct Scan<'a, H: Hybrid, S> {
    pub(super) model: &'a H,
    pub(super) mode: &'a H::Mode,
    pub(super) stepper: &'a S,
    pub(super) start: (f64, H::State),
    pub(super) end: (f64, H::State),
    /// What the location of an event may add to its time.
    pub(super) tolerance: f64,
    /// Rules whose indicators may not have left zero yet when the step begins, and how long after its start one looks to see.
    pub(super) fresh: u64,
    pub(super) blind: f64,
    pub(super) evaluations: u32,
}

impl<H: Hybrid, S: Stepper<H>> Scan<'_, H, S> {
    #[inline]
    fn state_at(&self, time: f64) -> H::State {
        if time == self.start.0 { self.start.1 } else { self.stepper.state_at(time) }
    }

    #[inline]
    pub(super) fn value(&mut self, rule: usize, crossing: &Crossing<H>, time: f64) -> Result<f64, Error> {
        self.value_of(rule, crossing, time, self.state_at(time))
    }

    #[inline]
    fn value_of(&mut self, rule: usize, crossing: &Crossing<H>, time: f64, x: H::State) -> Result<f64, Error> {
        self.evaluations += 1;
        let value = (crossing.indicator)(self.model, &At { time, x, mode: self.mode });
        if value.is_nan() { Err(Error::NotANumber { name: H::RULES[rule].name, time }) } else { Ok(value) }
    }

    /// The sign a little after a time: where an indicator that is zero is going.
    pub(super) fn side_after(&mut self, rule: usize, crossing: &Crossing<H>, time: f64) -> Result<f64, Error> {
        let value = self.value(rule, crossing, time + 128.0 * rounding(time))?;
        Ok(if value == 0.0 { 0.0 } else { value.signum() })
    }

    /// Arms the fresh indicators with the side to which they have gone.
    pub(super) fn arm(&mut self, sides: &mut Sides, enabled: u64) -> Result<(), Error> {
        for (rule, crossing) in crossings::<H>(self.fresh & enabled) {
            let value = self.value(rule, crossing, self.start.0 + self.blind)?;
            sides.set(rule, value);
        }
        Ok(())
    }

    /// The first crossing up to the end of the step, if any; otherwise the sides are those at its end. Without `locate` the step is
    /// only looked at where it ends.
    pub(super) fn first(&mut self, sides: &mut Sides, enabled: u64, locate: bool) -> Result<Option<Found>, Error> {
        let mut best: Option<Found> = None;
        let mut failed: Option<(f64, Error)> = None;
        let samples = if locate { SAMPLES } else { 1 };
        let (t0, t1) = (self.start.0, self.end.0);
        let mut times = [t1; SAMPLES];
        let mut states = [self.end.1; SAMPLES];
        if enabled != 0 && t1 < f64::INFINITY {
            for j in 0..samples - 1 {
                times[j] = t0 + (t1 - t0) * ((j + 1) as f64 / samples as f64);
                states[j] = self.stepper.state_at(times[j]);
            }
        }
        for (rule, crossing) in crossings::<H>(enabled) {
            let mut side = sides.get(rule);
            let found = if self.stepper.is_exact() && (crossing.closed.is_some() || t1 == f64::INFINITY) {
                self.by_formula(rule, crossing, &mut side)
            } else {
                let limit = best.map_or(f64::INFINITY, |best| best.time);
                self.by_samples(rule, crossing, &mut side, (&times[..samples], &states[..samples]), limit, locate)
            };
            sides.set(rule, side);
            match found {
                Ok(Some(root)) => best = Some(earlier(best, rule, root)),
                Ok(None) => {}
                // Whether it comes to that is for the events before it to say.
                Err(Error::NotANumber { name, time }) if failed.as_ref().is_none_or(|first| time < first.0) => {
                    failed = Some((time, Error::NotANumber { name, time }));
                }
                Err(Error::NotANumber { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        match (failed, best) {
            (Some((time, error)), best) if best.is_none_or(|best| time <= best.time) => Err(error),
            _ => Ok(best),
        }
    }

    fn by_formula(&mut self, rule: usize, crossing: &Crossing<H>, side: &mut f64) -> Result<Option<Root>, Error> {
        let (time, x) = self.start;
        let closed = crossing.closed.ok_or(Error::NoClosedForm { what: H::RULES[rule].name, time })?;
        let curve = closed(self.model, &At { time, x, mode: self.mode });
        self.evaluations += 1;
        if !(curve.value.is_finite() && curve.rate.is_finite() && curve.acceleration.is_finite()) {
            return Err(Error::NotANumber { name: H::RULES[rule].name, time });
        }
        // An indicator that has not left zero yet, or is past it already, has its present zero behind it. What is close is told by
        // the curve itself.
        let is_fresh = self.fresh & (1 << rule) != 0;
        let close = if curve.acceleration == 0.0 { 0.0 } else { 1e-14 * (curve.rate / curve.acceleration).abs() };
        let root = [Direction::Falling, Direction::Rising].into_iter().fold(f64::INFINITY, |first, direction| {
            let to_positive = direction == Direction::Rising;
            let is_past = *side != 0.0 && (*side > 0.0) == to_positive;
            let after = if is_fresh || is_past { self.blind.max(close) } else { 0.0 };
            let asked_for = crossing.direction.includes(to_positive);
            first.min(if asked_for { curve.next_zero(direction, after) } else { None }.unwrap_or(f64::INFINITY))
        });
        if root == f64::INFINITY || time + root > self.end.0 {
            return self.side_at_end(curve.at(self.end.0 - time), side);
        }
        // The far side of the crossing, if the last digit allows.
        let to_positive = curve.rate_at(root) > 0.0;
        let is_past = |t: f64| if to_positive { curve.at(t - time) >= 0.0 } else { curve.at(t - time) <= 0.0 };
        let mut far = time + root;
        for _ in 0..4 {
            if is_past(far) || far >= self.end.0 {
                break;
            }
            far = far.next_up();
        }
        Ok(Some(Root { time: far, width: rounding(far), discontinuous: false }))
    }

    fn side_at_end(&self, value: f64, side: &mut f64) -> Result<Option<Root>, Error> {
        if value != 0.0 && !value.is_nan() {
            *side = value.signum();
        }
        Ok(None)
    }

    fn by_samples(
        &mut self,
        rule: usize,
        crossing: &Crossing<H>,
        side: &mut f64,
        (times, states): (&[f64], &[H::State]),
        limit: f64,
        locate: bool,
    ) -> Result<Option<Root>, Error> {
        let left = if self.fresh & (1 << rule) != 0 { self.start.0 + self.blind } else { self.start.0 };
        // The last three samples.
        let mut seen = [(f64::NAN, f64::NAN), (f64::NAN, f64::NAN), (left, self.value(rule, crossing, left)?)];
        for j in 0..times.len() {
            let (time, before) = (times[j], seen[2]);
            // A dip may lie as far back as the sample before the last.
            if seen[1].0 >= limit {
                return Ok(None);
            }
            let value = match self.value_of(rule, crossing, time, states[j]) {
                Ok(value) => value,
                Err(_) => return Err(self.first_nan(rule, crossing, before.0, time)),
            };
            seen = [seen[1], before, (time, value)];
            if *side == 0.0 {
                *side = if value == 0.0 { 0.0 } else { value.signum() };
                continue;
            }
            if !self.has_crossed(rule, crossing, *side, before.1, (time, value))? {
                let ends = (j == 1, j + 1 == times.len());
                if let Some(root) = self.dip(rule, crossing, *side, seen, ends)? {
                    return Ok(Some(root));
                }
                continue;
            }
            *side = -*side;
            let to_positive = *side > 0.0;
            if crossing.direction.includes(to_positive) {
                let bracket = Bracket { a: before.0, b: time, at_a: before.1, at_b: value };
                if !locate {
                    return Ok(Some(Root { time, width: time - before.0, discontinuous: false }));
                }
                return self.narrow(rule, crossing, bracket, to_positive).map(Some);
            }
        }
        Ok(None)
    }

    /// Whether an indicator that was on one side has left it. A zero is past when it is reached, unless it is only touched.
    #[inline]
    fn has_crossed(
        &mut self,
        rule: usize,
        crossing: &Crossing<H>,
        side: f64,
        before: f64,
        (time, value): (f64, f64),
    ) -> Result<bool, Error> {
        if value == 0.0 {
            return Ok(before != 0.0 && self.side_after(rule, crossing, time)? != side);
        }
        Ok((value > 0.0) != (side > 0.0))
    }

    fn narrow(
        &mut self,
        rule: usize,
        crossing: &Crossing<H>,
        bracket: Bracket,
        to_positive: bool,
    ) -> Result<Root, Error> {
        let tolerance = crossing.tolerance.unwrap_or(self.tolerance * (self.end.0 - self.start.0));
        narrow(bracket, to_positive, tolerance, |time| self.value(rule, crossing, time))
    }

    /// Two crossings between samples of one sign: if the parabola through three of them comes close to zero, its vertex is
    /// searched for a point on the other side.
    fn dip(
        &mut self,
        rule: usize,
        crossing: &Crossing<H>,
        side: f64,
        seen: [(f64, f64); 3],
        (first, last): (bool, bool),
    ) -> Result<Option<Root>, Error> {
        let Some(mut lowest) = vertex(seen, side) else { return Ok(None) };
        // Neighbouring triples share an interval: each looks at the half next to its middle, and the first and last at the ends.
        let middle = |i: usize| 0.5 * (seen[i].0 + seen[i + 1].0);
        if lowest.time < if first { seen[0].0 } else { middle(0) }
            || lowest.time > if last { seen[2].0 } else { middle(1) }
        {
            return Ok(None);
        }
        let nearest = seen.iter().fold(f64::INFINITY, |least, (_, value)| least.min(value.abs()));
        if side * lowest.value > 0.5 * nearest {
            return Ok(None);
        }
        let mut points = seen;
        for _ in 0..12 {
            let time = lowest.time;
            if points.iter().any(|point| point.0 == time) {
                break;
            }
            let value = self.value(rule, crossing, time)?;
            if value != 0.0 && (value > 0.0) != (side > 0.0) {
                return self.in_and_out(rule, crossing, side, seen, (time, value));
            }
            let nearest = points.iter().fold(f64::INFINITY, |least, (_, value)| least.min(value.abs()));
            if value.abs() >= nearest {
                break;
            }
            points = around(points, (time, value));
            match vertex(points, side) {
                Some(next) if next.time > points[0].0 && next.time < points[2].0 => lowest = next,
                _ => break,
            }
        }
        Ok(None)
    }

    /// Of the way to a point on the other side and the way back, the first that the rule asks for.
    fn in_and_out(
        &mut self,
        rule: usize,
        crossing: &Crossing<H>,
        side: f64,
        seen: [(f64, f64); 3],
        (time, value): (f64, f64),
    ) -> Result<Option<Root>, Error> {
        let (before, after) = if time <= seen[1].0 { (seen[0], seen[1]) } else { (seen[1], seen[2]) };
        let there = Bracket { a: before.0, b: time, at_a: before.1, at_b: value };
        let back = Bracket { a: time, b: after.0, at_a: value, at_b: after.1 };
        if crossing.direction.includes(side < 0.0) {
            self.narrow(rule, crossing, there, side < 0.0).map(Some)
        } else {
            self.narrow(rule, crossing, back, side > 0.0).map(Some)
        }
    }

    /// The error for an indicator that is a number at one time and none at a later one: when that begins.
    #[cold]
    fn first_nan(&mut self, rule: usize, crossing: &Crossing<H>, mut good: f64, mut bad: f64) -> Error {
        for _ in 0..60 {
            let middle = good + 0.5 * (bad - good);
            if middle <= good || middle >= bad {
                break;
            }
            match self.value(rule, crossing, middle) {
                Ok(_) => good = middle,
                Err(_) => bad = middle,
            }
        }
        Error::NotANumber { name: H::RULES[rule].name, time: bad }
    }
}

/// The crossing rules of a mask.
#[inline]
pub(super) fn crossings<H: Hybrid>(mask: u64) -> impl Iterator<Item = (usize, &'static Crossing<H>)> {
    rules_of::<H>(mask).filter_map(|(i, rule)| Some((i, rule.as_crossing()?)))
}

fn earlier(best: Option<Found>, rule: usize, root: Root) -> Found {
    let Root { time, width, discontinuous } = root;
    let start = time - width;
    let bit = 1 << rule;
    let due = Due { rules: bit, width, discontinuous: if discontinuous { bit } else { 0 } };
    let found = Found { time, due, start };
    match best {
        None => found,
        // Which of them is first cannot be told.
        Some(best) if start <= best.time && best.start <= time => Found {
            time: time.max(best.time),
            due: Due {
                rules: best.due.rules | bit,
                width: width.max(best.due.width),
                discontinuous: best.due.discontinuous | due.discontinuous,
            },
            start: start.min(best.start),
        },
        Some(best) if best.time < time => best,
        Some(_) => found,
    }
}
