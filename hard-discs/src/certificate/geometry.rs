//! Places, ways and images as the certificate computes them, with none of the code that it checks.

use crate::disc::Particle;
use crate::vector::Vector;
use crate::walls::Walls;

/// The shifts of all images of a partner that come within `sigma` of the origin along some axis while it flies from one place to
/// another: none or one but for long ways and small boxes.
pub(super) struct Images<const D: usize> {
    first: Vector<D>,
    last: Vector<D>,
    length: Vector<D>,
    next: Option<Vector<D>>,
}

impl<const D: usize> Images<D> {
    pub(super) fn met(walls: &Walls<D>, from: Vector<D>, to: Vector<D>, sigma: f64) -> Images<D> {
        let length = std::array::from_fn(|axis| walls.high[axis] - walls.low[axis]);
        let [mut first, mut last] = [[0.0; D]; 2];
        for axis in (0..D).filter(|&axis| walls.periodic[axis]) {
            first[axis] = ((-sigma - from[axis].max(to[axis])) / length[axis]).ceil();
            last[axis] = ((sigma - from[axis].min(to[axis])) / length[axis]).floor();
        }
        let is_any = (0..D).all(|axis| first[axis] <= last[axis]);
        Images { first, last, length, next: is_any.then_some(first) }
    }
}

impl<const D: usize> Iterator for Images<D> {
    type Item = Vector<D>;

    fn next(&mut self) -> Option<Vector<D>> {
        let found = self.next?;
        let mut after = found;
        let turned = (0..D).find(|&axis| {
            after[axis] += 1.0;
            let fits = after[axis] <= self.last[axis];
            if !fits {
                after[axis] = self.first[axis];
            }
            fits
        });
        self.next = turned.map(|_| after);
        Some(std::array::from_fn(|axis| if found[axis] == 0.0 { 0.0 } else { found[axis] * self.length[axis] }))
    }
}

pub(super) fn ahead<const D: usize>(a: Vector<D>, factor: f64, b: Vector<D>) -> Vector<D> {
    std::array::from_fn(|axis| a[axis] + factor * b[axis])
}

pub(super) fn place<const D: usize>(disc: &Particle<D>, t: f64) -> Vector<D> {
    ahead(disc.position, t - disc.time, disc.velocity)
}

pub(super) fn product<const D: usize>(a: Vector<D>, b: Vector<D>) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

pub(super) fn length<const D: usize>(v: Vector<D>) -> f64 {
    product(v, v).sqrt()
}

pub(super) fn energy<const D: usize>(disc: &Particle<D>) -> f64 {
    if disc.mass.is_finite() { 0.5 * disc.mass * product(disc.velocity, disc.velocity) } else { 0.0 }
}
