//! Discs inside of each other: in closed form, since all fly straight.

use hard_discs::movie::Leg;
use hard_discs::{BOUND, Vector};
use serde::Serialize;

/// Two discs that are inside of each other for a while.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Overlap {
    /// The discs; the smaller number comes first.
    pub discs: (usize, usize),
    /// Since when.
    pub from: f64,
    /// Until when.
    pub to: f64,
    /// The deepest, relative to the sum of radii.
    pub depth: f64,
}

/// All overlaps deeper than rounding explains, by their beginnings. O(N) for each change of flight.
pub(super) fn overlaps(flights: &[Vec<Leg>], radii: &[f64]) -> Vec<Overlap> {
    let mut found = Vec::new();
    for (j, second) in flights.iter().enumerate() {
        for (i, first) in flights[..j].iter().enumerate() {
            add_pair((i, j), first, second, radii[i] + radii[j], &mut found);
        }
    }
    found.sort_by(|a, b| a.from.total_cmp(&b.from));
    found
}

fn add_pair(discs: (usize, usize), first: &[Leg], second: &[Leg], sigma: f64, found: &mut Vec<Overlap>) {
    let known = found.len();
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (first.get(i), second.get(j)) {
        if let Some((from, to, depth)) = overlap(a, b, sigma) {
            match found[known..].last_mut() {
                // It goes on across a change of flight.
                Some(last) if last.to == from => (last.to, last.depth) = (to, last.depth.max(depth)),
                _ => found.push(Overlap { discs, from, to, depth }),
            }
        }
        (i, j) = (i + usize::from(a.to <= b.to), j + usize::from(b.to <= a.to));
    }
}

/// When two discs are inside of each other while both fly straight, and how deep.
fn overlap(a: &Leg, b: &Leg, sigma: f64) -> Option<(f64, f64, f64)> {
    let (begin, end) = (a.from.max(b.from), a.to.min(b.to));
    if begin >= end {
        return None;
    }
    let (p, q) = (a.position_at(begin), b.position_at(begin));
    let dr = [q[0] - p[0], q[1] - p[1]];
    let dv = [b.velocity[0] - a.velocity[0], b.velocity[1] - a.velocity[1]];
    let near = sigma * (1.0 - BOUND);
    // |dr + s dv| < near is a quadratic inequality for s.
    let (speed, along, gap) = (dot(dv, dv), dot(dr, dv), dot(dr, dr) - near * near);
    let (enter, leave) = if speed > 0.0 {
        let root = along * along - speed * gap;
        if root <= 0.0 {
            return None;
        }
        ((-along - root.sqrt()) / speed, (-along + root.sqrt()) / speed)
    } else if gap < 0.0 {
        (0.0, f64::INFINITY)
    } else {
        return None;
    };
    let (enter, leave) = (enter.max(0.0), leave.min(end - begin));
    if enter >= leave {
        return None;
    }
    let deepest = if speed > 0.0 { (-along / speed).clamp(enter, leave) } else { enter };
    let distance = (dr[0] + deepest * dv[0]).hypot(dr[1] + deepest * dv[1]);
    let to = if leave == end - begin { end } else { begin + leave };
    Some((begin + enter, to, 1.0 - distance / sigma))
}

fn dot(a: Vector<2>, b: Vector<2>) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(pieces: &[(f64, f64, f64, f64)]) -> Vec<Leg> {
        let leg = |&(from, to, x, v): &(f64, f64, f64, f64)| Leg { from, to, position: [x, 0.5], velocity: [v, 0.0] };
        pieces.iter().map(leg).collect()
    }

    #[test]
    fn a_head_on_crossing() {
        // The centres are at t and 1 - t: 0.2 apart at t = 0.4 and 0.6, and at one place at t = 0.5.
        let crossing = [flight(&[(0.0, 1.0, 0.0, 1.0)]), flight(&[(0.0, 1.0, 1.0, -1.0)])];
        let [overlap] = overlaps(&crossing, &[0.1, 0.1])[..] else { panic!("one overlap") };
        assert!((overlap.from - 0.4).abs() < 1e-8 && (overlap.to - 0.6).abs() < 1e-8, "{overlap:?}");
        assert!((overlap.depth - 1.0).abs() < 1e-12);
    }

    #[test]
    fn it_goes_on_across_a_change_of_flight_and_ends_with_a_jump() {
        // The second disc stops at 0.45, and is put elsewhere at 0.55.
        let second = flight(&[(0.0, 0.45, 1.0, -1.0), (0.45, 0.55, 0.55, 0.0), (0.55, 1.0, 0.9, 0.0)]);
        let [overlap] = overlaps(&[flight(&[(0.0, 0.55, 0.0, 1.0), (0.55, 1.0, 0.2, 0.0)]), second], &[0.1, 0.1])[..]
        else {
            panic!("one overlap")
        };
        assert!((overlap.from - 0.4).abs() < 1e-8 && overlap.to == 0.55, "{overlap:?}");
    }

    #[test]
    fn discs_that_touch_or_miss_do_not_overlap() {
        let touching = [flight(&[(0.0, 1.0, 0.2, 1.0)]), flight(&[(0.0, 1.0, 0.4, 1.0)])];
        assert_eq!(overlaps(&touching, &[0.1, 0.1]), []);
        let apart = [flight(&[(0.0, 1.0, 0.0, 1.0)]), flight(&[(0.0, 1.0, 0.5, 2.0)])];
        assert_eq!(overlaps(&apart, &[0.1, 0.1]), []);
    }
}
