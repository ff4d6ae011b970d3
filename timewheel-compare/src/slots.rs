//! Where slots begin and end.

use saltus::driver::Slots;

/// Rule R: with `resolution` ticks and `granularity` slots a second, slot k owns the ticks from floor(k * resolution /
/// granularity) up to, but without, the first one of slot k + 1, and everything in it happens at the last.
///
/// At 1000 ticks and 32 slots a second the lengths repeat 31, 31, 31, 32 ms. At a resolution of 1 ns the slots are as good as
/// the exact fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleR {
    resolution: u64,
    granularity: u64,
}

/// A slot must be at least one tick long, or some would own nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{granularity} slots need at least one tick each, and there are {resolution}")]
pub struct TooFine {
    /// Slots asked for, in a second unless their width was given.
    pub granularity: u64,
    /// Ticks that they share.
    pub resolution: u64,
}

impl RuleR {
    /// Slots by ticks and slots a second.
    pub fn new(resolution: u64, granularity: u64) -> Result<RuleR, TooFine> {
        if granularity == 0 || granularity > resolution {
            return Err(TooFine { granularity, resolution });
        }
        Ok(RuleR { resolution, granularity })
    }

    /// Slots of this many ticks each.
    pub fn of_width(ticks: u64) -> Result<RuleR, TooFine> {
        RuleR::new(ticks, 1)
    }
}

impl Slots<u64> for RuleR {
    fn slot_of(&self, time: u64) -> u64 {
        // ceil((t + 1) * G / r) - 1, which is floor(((t + 1) * G - 1) / r). At most `time`, since G <= r.
        match time.checked_add(1).and_then(|next| next.checked_mul(self.granularity)) {
            Some(product) => (product - 1) / self.resolution,
            None => (((u128::from(time) + 1) * u128::from(self.granularity) - 1) / u128::from(self.resolution)) as u64,
        }
    }

    fn end_of(&self, slot: u64) -> Option<u64> {
        if let Some(ticks) = slot.checked_add(1).and_then(|next| next.checked_mul(self.resolution)) {
            return Some(ticks / self.granularity - 1);
        }
        let end = (u128::from(slot) + 1) * u128::from(self.resolution) / u128::from(self.granularity) - 1;
        // The last slot is cut short by the end of time.
        u64::try_from(end).ok().or_else(|| (slot == self.slot_of(u64::MAX)).then_some(u64::MAX))
    }
}

/// Fixed steps: step k owns what comes after k * dt and no later than (k + 1) * dt, and it happens then; time zero belongs to
/// step 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps<T> {
    dt: T,
}

impl Steps<f64> {
    /// Steps of length `dt`; `None` unless it is a positive, finite number.
    pub fn new(dt: f64) -> Option<Steps<f64>> {
        (dt.is_finite() && dt > 0.0).then_some(Steps { dt })
    }
}

impl Steps<u64> {
    /// Steps of `dt` ticks; `None` if that is zero.
    pub fn of_ticks(dt: u64) -> Option<Steps<u64>> {
        (dt > 0).then_some(Steps { dt })
    }
}

/// Beyond 2^53 steps neighbours have the same f64: the last step takes all the rest of time.
const LAST_STEP: u64 = (1 << 53) - 1;

impl Slots<f64> for Steps<f64> {
    fn slot_of(&self, time: f64) -> u64 {
        // The quotient may be off by a rounding; the ends of the slots decide.
        let mut slot = ((time / self.dt).ceil().max(1.0) as u64 - 1).min(LAST_STEP);
        while slot > 0 && slot as f64 * self.dt >= time {
            slot -= 1;
        }
        while slot < LAST_STEP && (slot + 1) as f64 * self.dt < time {
            slot += 1;
        }
        slot
    }

    fn end_of(&self, slot: u64) -> Option<f64> {
        match slot {
            0..LAST_STEP => {
                let end = (slot + 1) as f64 * self.dt;
                end.is_finite().then_some(end)
            }
            LAST_STEP => Some(f64::MAX),
            _ => None,
        }
    }
}

impl Slots<u64> for Steps<u64> {
    fn slot_of(&self, time: u64) -> u64 {
        time.div_ceil(self.dt).max(1) - 1
    }

    fn end_of(&self, slot: u64) -> Option<u64> {
        let end = slot.checked_add(1).and_then(|next| next.checked_mul(self.dt));
        end.or_else(|| (slot == self.slot_of(u64::MAX)).then_some(u64::MAX))
    }
}
