//! The first contact of a particle among many others, of which four are looked at in one stride.
//!
//! Most pairs miss, and which do is anybody's guess: with a branch for each way out a processor guesses wrong more often than it
//! computes. So every pair is computed to the end, without a branch, four in the lanes of one vector. Each lane does what
//! [`Approach::contact`](crate::disc::Approach::contact) does, operation by operation, so that the bits are the same.

use wide::{f64x4, i32x4};

use crate::bodies::Bodies;
use crate::disc::Flight;
use crate::images::Images;

/// A time, and the partner of the contact that comes then, if there is one.
pub(crate) type Contact = (f64, Option<u32>);

/// Four vectors, one a lane.
type Lanes<const D: usize> = [f64x4; D];

/// The first contact of `i` with one of `partners`, itself perhaps among them; at equal times that with the smallest number.
/// Infinity if there is none. `now` is the clock, and if it is `FRESH`, the particle's own time as well, which saves work.
#[inline]
pub(crate) fn first_contact<const D: usize, const FRESH: bool>(
    i: usize,
    partners: &[u32],
    flights: &[Flight<D>],
    bodies: &Bodies,
    images: &Images<D>,
    now: f64,
) -> Contact {
    let search = Search::<D, FRESH> { i, me: &flights[i], flights, bodies, images, now };
    let mut first = (f64x4::splat(f64::INFINITY), f64x4::splat(f64::INFINITY));
    let (fours, rest) = partners.as_chunks();
    for &four in fours {
        first = search.earlier(four, first);
    }
    if !rest.is_empty() {
        // The particle itself fills up: nobody meets himself.
        first = search.earlier(std::array::from_fn(|n| rest.get(n).copied().unwrap_or(i as u32)), first);
    }
    let time = first.0.to_array().into_iter().fold(f64::INFINITY, |a, b| if b < a { b } else { a });
    if time == f64::INFINITY {
        return (time, None);
    }
    let (ties, names) = (first.0.simd_eq(f64x4::splat(time)).to_bitmask(), first.1.to_array());
    let name = match ties.count_ones() {
        1 => names[ties.trailing_zeros() as usize % 4],
        _ => (0..4).filter(|n| ties >> n & 1 == 1).map(|n| names[n]).fold(f64::INFINITY, f64::min),
    };
    (time, Some(name as u32))
}

struct Search<'a, const D: usize, const FRESH: bool> {
    i: usize,
    me: &'a Flight<D>,
    flights: &'a [Flight<D>],
    bodies: &'a Bodies,
    images: &'a Images<D>,
    now: f64,
}

impl<const D: usize, const FRESH: bool> Search<'_, D, FRESH> {
    /// The earlier contact in each lane, and as a number who it is with: the first so far or that with one of these four.
    #[inline(always)]
    fn earlier(&self, four: [u32; 4], first: (f64x4, f64x4)) -> (f64x4, f64x4) {
        let others = four.map(|j| &self.flights[j as usize]);
        let name = f64x4::from(i32x4::new(four.map(|j| j as i32)));
        let time = self.contact(others, self.bodies.sigma_of_four(self.i, four));
        let is_earlier = time.simd_lt(first.0) | (time.simd_eq(first.0) & name.simd_lt(first.1));
        (is_earlier.select(time, first.0), is_earlier.select(name, first.1))
    }

    /// When these four will be touched; infinity if never.
    #[inline(always)]
    fn contact(&self, others: [&Flight<D>; 4], sigma: f64x4) -> f64x4 {
        let Search { me, images, .. } = *self;
        let lanes = |of: fn(&Flight<D>, usize) -> f64, axis| f64x4::new(others.map(|other| of(other, axis)));
        let time = f64x4::new(others.map(|other| other.time));
        let start = if FRESH { f64x4::splat(me.time) } else { time.fast_max(f64x4::splat(me.time)) };
        let (my_wait, wait, later) = (start - me.time, start - time, f64x4::splat(self.now) - start);
        let (mut dr, mut dv): (Lanes<D>, Lanes<D>) = ([f64x4::ZERO; D], [f64x4::ZERO; D]);
        for axis in 0..D {
            let (position, velocity) =
                (lanes(|f, axis| f.position[axis], axis), lanes(|f, axis| f.velocity[axis], axis));
            let mine = f64x4::splat(me.position[axis]);
            let mine = if FRESH { mine } else { mine + my_wait * me.velocity[axis] };
            let way = (position + wait * velocity) - mine;
            dv[axis] = velocity - me.velocity[axis];
            let way_now = if FRESH { way } else { way + later * dv[axis] };
            dr[axis] = way + images.shift_of_four(axis, way_now);
        }
        let (dvdr, square) = (dot(&dv, &dr), sigma * sigma);
        let gap = dot(&dr, &dr) - square;
        let discriminant = square * dot(&dv, &dv) - cross_square(&dr, &dv);
        let time = start + gap / (discriminant.sqrt() - dvdr);
        let touches = gap.simd_le(f64x4::ZERO);
        let meets = dvdr.simd_lt(f64x4::ZERO) & (touches | discriminant.simd_gt(f64x4::ZERO));
        meets.select(touches.select(start, time), f64x4::splat(f64::INFINITY))
    }
}

#[inline(always)]
fn dot<const D: usize>(a: &Lanes<D>, b: &Lanes<D>) -> f64x4 {
    (1..D).fold(a[0] * b[0], |sum, axis| sum + a[axis] * b[axis])
}

#[inline(always)]
fn cross_square<const D: usize>(a: &Lanes<D>, b: &Lanes<D>) -> f64x4 {
    let mut sum = f64x4::ZERO;
    for p in 0..D {
        for q in p + 1..D {
            let part = a[p] * b[q] - a[q] * b[p];
            sum += part * part;
        }
    }
    sum
}
