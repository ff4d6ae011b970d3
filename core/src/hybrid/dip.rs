//! Two crossings between samples of one sign: the parabola through three samples tells where to look.

/// Where a parabola comes nearest to zero.
pub(super) struct Vertex {
    pub(super) time: f64,
    pub(super) value: f64,
}

/// The point nearest to zero of the parabola through three points of one sign, if it bends away from zero.
#[inline]
pub(super) fn vertex([(t0, g0), (t1, g1), (t2, g2)]: [(f64, f64); 3], side: f64) -> Option<Vertex> {
    let (first, second) = ((g1 - g0) / (t1 - t0), (g2 - g1) / (t2 - t1));
    let bend = (second - first) / (t2 - t0);
    let is_on_side = |g: f64| if side > 0.0 { g > 0.0 } else { g < 0.0 };
    // NaN, as long as there are no three samples, says no as well.
    let bends_away = bend * side > 0.0 && is_on_side(g0) && is_on_side(g1) && is_on_side(g2);
    if !bends_away {
        return None;
    }
    let slope = first + bend * (t1 - t0);
    let time = t1 - 0.5 * slope / bend;
    Some(Vertex { time, value: g1 - 0.25 * slope * slope / bend })
}

/// The three points around a new one that is nearer to zero than all others.
pub(super) fn around(points: [(f64, f64); 3], new: (f64, f64)) -> [(f64, f64); 3] {
    let [a, b, c] = points;
    if new.0 < b.0 { [a, new, b] } else { [b, new, c] }
}
