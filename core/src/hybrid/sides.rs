//! On which side of zero each indicator is.

/// On which side of zero each indicator is: one bit for each rule. Neither means that it has not been off zero yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sides {
    positive: u64,
    negative: u64,
}

impl Sides {
    /// 1, -1, or 0 for neither.
    #[inline]
    pub(super) fn get(&self, rule: usize) -> f64 {
        let bit = 1 << rule;
        if self.positive & bit != 0 {
            1.0
        } else if self.negative & bit != 0 {
            -1.0
        } else {
            0.0
        }
    }

    /// To the sign of a number.
    #[inline]
    pub(super) fn set(&mut self, rule: usize, side: f64) {
        let bit = 1 << rule;
        self.positive &= !bit;
        self.negative &= !bit;
        if side > 0.0 {
            self.positive |= bit;
        } else if side < 0.0 {
            self.negative |= bit;
        }
    }
}
