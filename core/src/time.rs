//! What a time is: finite `f64`, or `u64` ticks, or a type of your own.

use std::fmt::{Debug, Display};

use ordered_float::OrderedFloat;

/// A point in simulated time.
///
/// The kernel never compares times themselves. It stores [`Time::key`], an integer whose order is the order of time, and
/// turns it back with [`Time::from_key`]. That is all that queues and models ask of a time, so a time of two parts
/// (a whole number and a rest, for very long runs) fits in without a change to either.
///
/// An implementation keeps these laws: `from_key(key(t)) == t`; keys are equal only for equal times and ordered as the times
/// are; what [`Time::check`], [`Time::after`] and [`Time::periodic`] return is in the one form that has this key (0.0, not
/// -0.0).
pub trait Time: Copy + PartialOrd + Debug + Display + Send + Sync + 'static {
    /// What is added to a time to give a later one.
    type Delay: Copy + PartialOrd + Debug + Display + Send + Sync + 'static;

    /// The stored form, ordered as time is.
    type Key: Copy + Ord + Debug + Send + Sync + 'static;

    /// The order of time as its own type gives it. Slower than [`Time::Key`] and obviously right: the tests' oracle uses it.
    type Order: Ord;

    /// Where a simulation starts unless told otherwise.
    const ORIGIN: Self;

    /// Checks a time from outside: `Ok(None)` is "never", an error is not a time at all.
    fn check(self) -> Result<Option<Self>, NotATime>;

    /// The stored form of a time that [`Time::check`] has passed.
    fn key(self) -> Self::Key;

    /// The time that was stored.
    fn from_key(key: Self::Key) -> Self;

    /// How far `key` lies beyond `origin`, in any unit. It must not decrease while `key` grows; that is all.
    ///
    /// A queue that sorts events into buckets asks for it. The order of events never depends on it, only the speed: with the
    /// default, which tells no two times apart, such a queue works as a heap.
    #[inline]
    fn offset(origin: Self::Key, key: Self::Key) -> f64 {
        let _ = (origin, key);
        0.0
    }

    /// Whether one event comes before another: the order of the pairs, written so that it compiles well. Queues compare little
    /// else, so a key that fits a machine word should override it as the times here do.
    #[inline]
    fn comes_before(a: (Self::Key, u64), b: (Self::Key, u64)) -> bool {
        a < b
    }

    /// The time for comparisons that need not be fast.
    fn order(self) -> Self::Order;

    /// The time `delay` after this one; `Ok(None)` is "never".
    fn after(self, delay: Self::Delay) -> Result<Option<Self>, DelayFault>;

    /// How far this time lies after an earlier one, as a plain number for statistics.
    fn minus(self, earlier: Self) -> f64;

    /// The time `start + k * period`, computed from the integer `k`, never by adding up; `None` if there is no such time.
    fn periodic(start: Self, k: u64, period: Self::Delay) -> Option<Self>;
}

/// The value is not a time: NaN or negative infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time")]
pub struct NotATime;

/// Why a delay cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DelayFault {
    /// Negative, NaN or negative infinity.
    #[error("not a delay")]
    NotADelay,
    /// Positive, but too small to move the clock.
    #[error("too small to move the clock")]
    BelowResolution,
    /// The sum is beyond the last time that the type can hold.
    #[error("beyond the end of time")]
    Overflow,
}

const SIGN: u64 = 1 << 63;

/// Two words that compare as one: a subtraction with borrow in place of two branches, which makes a heap a tenth faster.
#[inline]
fn joined((time, order): (u64, u64)) -> u128 {
    (u128::from(time) << 64) | u128::from(order)
}

/// Seconds, or whatever unit the model likes. NaN and negative infinity are refused, positive infinity means never, and -0.0
/// is 0.0.
impl Time for f64 {
    type Delay = f64;
    type Key = u64;
    type Order = OrderedFloat<f64>;

    const ORIGIN: f64 = 0.0;

    #[inline]
    fn check(self) -> Result<Option<f64>, NotATime> {
        if self.is_finite() {
            // Adding zero turns -0.0 into 0.0 and leaves all else as it is.
            Ok(Some(self + 0.0))
        } else if self == f64::INFINITY {
            Ok(None)
        } else {
            Err(NotATime)
        }
    }

    #[inline]
    fn key(self) -> u64 {
        // IEEE 754 orders positive numbers as their bits; negative ones the other way round.
        let bits = self.to_bits();
        let negative = ((bits as i64) >> 63) as u64;
        bits ^ (negative | SIGN)
    }

    #[inline]
    fn from_key(key: u64) -> f64 {
        let negative = (key >> 63).wrapping_sub(1);
        f64::from_bits(key ^ (negative | SIGN))
    }

    #[inline]
    fn comes_before(a: (u64, u64), b: (u64, u64)) -> bool {
        joined(a) < joined(b)
    }

    #[inline]
    fn offset(origin: u64, key: u64) -> f64 {
        f64::from_key(key) - f64::from_key(origin)
    }

    fn order(self) -> OrderedFloat<f64> {
        OrderedFloat(self)
    }

    #[inline]
    fn after(self, delay: f64) -> Result<Option<f64>, DelayFault> {
        let later = self + delay;
        if later > self && later < f64::INFINITY {
            return Ok(Some(later));
        }
        match delay {
            0.0 => Ok(Some(self)),
            f64::INFINITY => Ok(None),
            d if d > 0.0 && later == self => Err(DelayFault::BelowResolution),
            d if d > 0.0 => Err(DelayFault::Overflow),
            _ => Err(DelayFault::NotADelay),
        }
    }

    fn minus(self, earlier: f64) -> f64 {
        self - earlier
    }

    #[inline]
    fn periodic(start: f64, k: u64, period: f64) -> Option<f64> {
        let time = start + k as f64 * period;
        time.is_finite().then_some(time)
    }
}

/// Ticks: every value is a time, and sums are checked.
impl Time for u64 {
    type Delay = u64;
    type Key = u64;
    type Order = u64;

    const ORIGIN: u64 = 0;

    #[inline]
    fn check(self) -> Result<Option<u64>, NotATime> {
        Ok(Some(self))
    }

    #[inline]
    fn key(self) -> u64 {
        self
    }

    #[inline]
    fn from_key(key: u64) -> u64 {
        key
    }

    #[inline]
    fn comes_before(a: (u64, u64), b: (u64, u64)) -> bool {
        joined(a) < joined(b)
    }

    #[inline]
    fn offset(origin: u64, key: u64) -> f64 {
        key.saturating_sub(origin) as f64
    }

    fn order(self) -> u64 {
        self
    }

    #[inline]
    fn after(self, delay: u64) -> Result<Option<u64>, DelayFault> {
        self.checked_add(delay).map(Some).ok_or(DelayFault::Overflow)
    }

    fn minus(self, earlier: u64) -> f64 {
        self.saturating_sub(earlier) as f64
    }

    #[inline]
    fn periodic(start: u64, k: u64, period: u64) -> Option<u64> {
        start.checked_add(k.checked_mul(period)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_order_as_the_numbers_do(a in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
                                        b in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            let (a, b) = (a + 0.0, b + 0.0);
            prop_assert_eq!(a.key().cmp(&b.key()), a.order().cmp(&b.order()));
            prop_assert_eq!(f64::from_key(a.key()).to_bits(), a.to_bits());
        }
    }

    #[test]
    fn neighbours_have_neighbouring_keys() {
        for x in [-1e300, -1.0, -f64::MIN_POSITIVE, 0.0, 5e-324, 1.0, 1e9] {
            assert_eq!(x.next_up().key() - (x + 0.0).key(), if x.next_up() == 0.0 { 0 } else { 1 }, "{x}");
        }
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!((-0.0f64).check().unwrap().unwrap().to_bits(), 0);
        assert_eq!(0.0.after(-0.0), Ok(Some(0.0)));
    }

    #[test]
    fn what_is_not_a_time() {
        assert_eq!(f64::NAN.check(), Err(NotATime));
        assert_eq!((-f64::NAN).check(), Err(NotATime));
        assert_eq!(f64::NEG_INFINITY.check(), Err(NotATime));
        assert_eq!(f64::INFINITY.check(), Ok(None));
    }

    #[test]
    fn what_is_not_a_delay() {
        assert_eq!(3.0.after(f64::NAN), Err(DelayFault::NotADelay));
        assert_eq!(3.0.after(-1e-300), Err(DelayFault::NotADelay));
        assert_eq!(3.0.after(f64::NEG_INFINITY), Err(DelayFault::NotADelay));
        assert_eq!(3.0.after(f64::INFINITY), Ok(None));
        assert_eq!(f64::MAX.after(f64::MAX), Err(DelayFault::Overflow));
        assert_eq!(1e9.after(5e-8), Err(DelayFault::BelowResolution));
        assert_eq!(1e9.after(6e-8), Ok(Some(1e9f64.next_up())));
        assert_eq!((u64::MAX - 10).after(10), Ok(Some(u64::MAX)));
        assert_eq!((u64::MAX - 10).after(11), Err(DelayFault::Overflow));
    }
}
