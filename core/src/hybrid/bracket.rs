//! The crossing of zero between two times of opposite sign.
//!
//! The secant with the Illinois weight (M. Dowell and P. Jarratt, "A modified regula falsi method for computing the root of an
//! equation", BIT 11 (1971)), and a bisection in every fourth round, so that it cannot crawl: the bracket only ever shrinks, and
//! at least by half in four evaluations.

/// Two times with a crossing between them. The indicator is still on the old side at the first, and past zero at the second: a
/// zero counts as past.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) at_a: f64,
    pub(super) at_b: f64,
}

/// What became of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    /// The end of the bracket: the far side of the crossing.
    pub(super) time: f64,
    pub(super) width: f64,
    /// The indicator did not shrink with the bracket.
    pub(super) discontinuous: bool,
}

/// Narrows a bracket down to `tolerance` and two roundings of time. `to_positive` is the direction of the crossing. An error of
/// the indicator ends it.
pub(super) fn narrow<E>(
    start: Bracket,
    to_positive: bool,
    tolerance: f64,
    mut indicator: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Root, E> {
    let Bracket { mut a, mut b, at_a: mut ga, at_b: mut gb } = start;
    let stop = tolerance + 2.0 * rounding(b);
    // The same values, one of them halved whenever the other end has moved twice in a row.
    let (mut wa, mut wb) = (ga, gb);
    let mut moved: Option<bool> = None;
    for round in 1u32.. {
        let width = b - a;
        if width <= stop {
            break;
        }
        let half = a + 0.5 * width;
        // A value of zero would pull the secant onto its own end.
        let m = if round % 4 == 0 || gb == 0.0 || ga == 0.0 {
            half
        } else {
            let secant = b - wb * (width / (wb - wa));
            let inset = (0.5 * stop).min(0.25 * width);
            if secant.is_nan() { half } else { secant.clamp(a + inset, b - inset) }
        };
        if m <= a || m >= b {
            break;
        }
        let g = indicator(m)?;
        let is_past = if to_positive { g >= 0.0 } else { g <= 0.0 };
        if is_past {
            (b, gb, wb) = (m, g, g);
            if moved == Some(true) {
                wa *= 0.5;
            }
        } else {
            (a, ga, wa) = (m, g, g);
            if moved == Some(false) {
                wb *= 0.5;
            }
        }
        moved = Some(is_past);
    }
    let shrunk = b - a < 1e-6 * (start.b - start.a);
    let jump = (gb - ga).abs();
    let discontinuous = shrunk && jump > 1e-2 * (start.at_b - start.at_a).abs();
    Ok(Root { time: b, width: b - a, discontinuous })
}

/// The distance of a time to the next that can be told from it.
#[inline]
pub(super) fn rounding(time: f64) -> f64 {
    (time.abs() * f64::EPSILON).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(f: impl Fn(f64) -> f64, a: f64, b: f64) -> (Root, u32) {
        let mut count = 0;
        let start = Bracket { a, b, at_a: f(a), at_b: f(b) };
        let found = narrow(start, f(b) > f(a), 0.0, |t| {
            count += 1;
            Ok::<_, ()>(f(t))
        });
        (found.unwrap(), count)
    }

    #[test]
    fn smooth_crossings_take_few_evaluations_and_hard_ones_not_many() {
        let (found, count) = root(|t| t.cos(), 1.0, 2.0);
        assert!((found.time - std::f64::consts::FRAC_PI_2).abs() <= 1e-15 && !found.discontinuous);
        assert!(count <= 10, "{count}");
        for (f, at) in [
            ((|t: f64| (t - 1.0).powi(9)) as fn(f64) -> f64, 1.0),
            (|t| (t - 1.0).powi(3), 1.0),
            (|t| 1e-200 * (t - 1.0), 1.0),
            (|t| 1e200 * (t - 1.0), 1.0),
            (|t| (1e6 * (t - 1.0)).tanh(), 1.0),
            (|t| (1.0 - t).max(0.0), 1.0),
        ] {
            let (found, count) = root(f, 0.3, 1.9);
            // Where the function is flat it underflows to zero beside its root, and zero counts as past.
            assert!((found.time - at).abs() < 1e-3, "{found:?}");
            assert!(count <= 220 && !found.discontinuous, "{count} {found:?}");
        }
    }

    #[test]
    fn the_sign_is_compared_and_never_the_product() {
        let (found, _) = root(|t| 1e-166 * (0.7 - t), 0.0, 1.0);
        assert!((found.time - 0.7).abs() < 1e-15 && found.time >= 0.7);
    }

    #[test]
    fn a_jump_is_told_from_a_steep_slope() {
        let (found, count) = root(|t| if t > 0.7 { 1.0 } else { -1.0 }, 0.0, 1.0);
        assert!(found.discontinuous && (found.time - 0.7).abs() < 1e-15 && count <= 220);
        let (found, _) = root(|t| (t - 0.7).signum() * (t - 0.7).abs().sqrt(), 0.0, 1.0);
        assert!(!found.discontinuous);
    }
}
