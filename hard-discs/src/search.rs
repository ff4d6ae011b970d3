//! The first contact of a particle among many others, of which four are looked at in one stride.
//!
//! Most pairs miss, and which do is anybody's guess: with a branch for each way out a processor guesses wrong more often than it
//! computes. So every pair is computed to the end, without a branch, four in the lanes of one vector. Each lane does what
//! [`Approach::contact`](crate::disc::Approach::contact) does, operation by operation, so that the bits are the same.

use wide::{f64x4, i32x4};

use crate::bodies::Bodies;
use crate::disc::Flight;
use crate::images::Images;
use crate::vector::{cross_square, dot};

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
        let (dvdr, square) = (dot(dv, dr), sigma * sigma);
        let gap = dot(dr, dr) - square;
        let discriminant = square * dot(dv, dv) - cross_square(dr, dv);
        let time = start + gap / (discriminant.sqrt() - dvdr);
        let touches = gap.simd_le(f64x4::ZERO);
        let meets = dvdr.simd_lt(f64x4::ZERO) & (touches | discriminant.simd_gt(f64x4::ZERO));
        meets.select(touches.select(start, time), f64x4::splat(f64::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use saltus::Stream;

    use super::*;
    use crate::bodies::Body;
    use crate::disc::{Approach, Particle};
    use crate::walls::Walls;

    /// Particles at random, with their own times before 1, some fast and some at rest, on a lattice with many ties or anywhere.
    fn particles<const D: usize>(random: &mut Stream, count: usize, ties: bool, kinds: u64) -> Vec<Particle<D>> {
        let one = |random: &mut Stream| {
            let number = |random: &mut Stream| {
                if ties { random.below(5) as f64 } else { 5.0 * random.uniform() }
            };
            let position = std::array::from_fn(|_| number(random));
            let velocity = std::array::from_fn(|_| number(random) - 2.0);
            let time = if ties { 0.0 } else { random.uniform() };
            let radius = 0.1 + 0.1 * random.below(kinds) as f64;
            Particle { time, ..Particle::new(position, velocity, radius, 1.0) }
        };
        (0..count).map(|_| one(random)).collect()
    }

    /// Looks for the first contact of each particle in lanes and one by one.
    fn compare<const D: usize>(random: &mut Stream, ties: bool, kinds: u64, periodic: bool) -> usize {
        let count = 2 + random.below(20) as usize;
        let all = particles::<D>(random, count, ties, kinds);
        let walls = Walls { periodic: [periodic; D], ..Walls::periodic([5.0; D]) };
        let flights: Vec<Flight<D>> = all.iter().map(Particle::flight).collect();
        let bodies = Bodies::new(all.iter().map(|p| Body { radius: p.radius, mass: p.mass }));
        let images = Images::new(&walls);
        let partners: Vec<u32> = (0..count as u32).collect();
        let mut found = 0;
        for i in 0..count {
            for fresh in [false, true] {
                let mut flights = flights.clone();
                if fresh {
                    (flights[i].position, flights[i].time) = (flights[i].position_at(1.0), 1.0);
                }
                let alone = (0..count).filter(|&j| j != i).filter_map(|j| {
                    let approach = Approach::new(&flights[i], &flights[j]);
                    let approach = approach.shifted(images.shift(images.turns(approach.at(1.0))));
                    Some((approach.contact(bodies.sigma(i, j), f64::INFINITY)?, j as u32))
                });
                let expected = alone.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let in_lanes = if fresh {
                    first_contact::<D, true>(i, &partners, &flights, &bodies, &images, 1.0)
                } else {
                    first_contact::<D, false>(i, &partners, &flights, &bodies, &images, 1.0)
                };
                let expected = expected.map_or((f64::INFINITY, None), |(time, j)| (time, Some(j)));
                assert_eq!((in_lanes.0.to_bits(), in_lanes.1), (expected.0.to_bits(), expected.1), "{i} of {all:?}");
                found += usize::from(expected.1.is_some());
            }
        }
        found
    }

    #[test]
    fn lanes_find_what_is_found_one_by_one_to_the_last_bit() {
        let mut random = Stream::new(8, 0, 0);
        for ties in [false, true] {
            for kinds in [1, 3] {
                for periodic in [false, true] {
                    let found: usize = (0..200)
                        .map(|_| {
                            compare::<2>(&mut random, ties, kinds, periodic)
                                + compare::<3>(&mut random, ties, kinds, periodic)
                        })
                        .sum();
                    assert!(found > 1000, "only {found} contacts were compared");
                }
            }
        }
    }
}
