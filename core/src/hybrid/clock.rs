//! Rules of a time: when they come next. Nothing is kept: what comes next follows from the time and the mode alone.

use super::error::Error;
use super::model::Hybrid;
use super::rule::Trigger;

/// The first time after `now` at which a rule of a time is due, and which.
#[inline]
pub(super) fn next<H: Hybrid>(model: &H, mode: &H::Mode, now: f64, enabled: u64) -> (f64, u64) {
    let mut first = (f64::INFINITY, 0);
    for (i, rule) in H::RULES.iter().enumerate() {
        let bit = 1 << i;
        let time = match &rule.trigger {
            Trigger::Every(start_and_period) => {
                let (start, period) = start_and_period(model);
                multiple_after(start, period, now)
            }
            Trigger::At(time) => time(model, mode),
            Trigger::Crossing(_) => continue,
        };
        if enabled & bit == 0 || time.is_nan() || time <= now || time > first.0 {
            continue;
        }
        first = (time, if time < first.0 { bit } else { first.1 | bit });
    }
    if first.0 == f64::INFINITY { (first.0, 0) } else { first }
}

/// The rules of a time that are due now.
pub(super) fn due<H: Hybrid>(model: &H, mode: &H::Mode, now: f64, enabled: u64) -> u64 {
    let (time, mask) = next(model, mode, now.next_down(), enabled);
    if time == now { mask } else { 0 }
}

/// Whether the periods move the clock and the times are numbers.
pub(super) fn check<H: Hybrid>(model: &H, mode: &H::Mode, now: f64) -> Result<(), Error> {
    for rule in H::RULES {
        match &rule.trigger {
            Trigger::Every(start_and_period) => {
                let (start, period) = start_and_period(model);
                let moves = start.is_finite() && period.is_finite() && period > 0.0 && start + period > start;
                if !moves {
                    return Err(Error::BadPeriod { name: rule.name, start, period });
                }
            }
            Trigger::At(time) => {
                let due = time(model, mode);
                if due.is_nan() {
                    return Err(Error::PastDue { name: rule.name, due, time: now });
                }
            }
            Trigger::Crossing(_) => {}
        }
    }
    Ok(())
}

/// The smallest `start + k * period`, k = 0, 1, 2, ..., that lies after `now`, as it is in floating point. Positive infinity if the
/// period does not move the clock any more.
fn multiple_after(start: f64, period: f64, now: f64) -> f64 {
    let multiple = |k: f64| start + k * period;
    let mut k = ((now - start) / period).floor().max(0.0);
    // The quotient may be off by one.
    if k > 0.0 && multiple(k - 1.0) > now {
        k -= 1.0;
    }
    (0..3).map(|j| multiple(k + f64::from(j))).find(|&time| time > now).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::multiple_after;

    #[test]
    fn a_million_multiples_come_one_by_one_and_bit_for_bit() {
        for (start, period) in [(0.0, 0.02), (0.3, 0.1), (-7.0, 1.0 / 3.0), (1e6, 1e-3)] {
            let mut now = f64::NEG_INFINITY;
            for k in 0..1_000_000u32 {
                now = multiple_after(start, period, now);
                assert_eq!(now.to_bits(), (start + f64::from(k) * period).to_bits(), "{start} + {k} * {period}");
            }
        }
    }
}
