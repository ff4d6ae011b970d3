//! Maxwell's velocities.

use saltus::Stream;

use super::SPEEDS;
use crate::disc::Particle;
use crate::vector::{Vector, dot, plus};

/// Draws velocities from Maxwell's distribution, takes out the total momentum and scales them so that the kinetic energy is
/// exactly D/2 N kT. Fixed obstacles rest, and do not count. One particle alone keeps its momentum.
///
/// The numbers come from the stream (`seed`, 0, 2), D for each particle in order.
pub fn maxwell<const D: usize>(particles: &mut [Particle<D>], kt: f64, seed: u64) {
    draw(particles, kt, &mut Stream::new(seed, 0, SPEEDS));
}

/// The same from any stream.
pub(super) fn draw<const D: usize>(particles: &mut [Particle<D>], kt: f64, stream: &mut Stream) {
    let mut movable: Vec<&mut Particle<D>> = particles.iter_mut().filter(|p| p.mass.is_finite()).collect();
    for particle in &mut movable {
        let speed = (kt / particle.mass).sqrt();
        particle.velocity = std::array::from_fn(|_| stream.normal(0.0, speed));
    }
    let n = movable.len() as f64;
    // The second time takes out what rounding has left.
    for _ in 0..2 {
        let mass: f64 = movable.iter().map(|p| p.mass).sum();
        let momentum = movable.iter().fold([0.0; D], |sum: Vector<D>, p| plus(sum, p.mass, p.velocity));
        let drift = if movable.len() > 1 { momentum.map(|p| p / mass) } else { [0.0; D] };
        movable.iter_mut().for_each(|p| p.velocity = plus(p.velocity, -1.0, drift));
        let twice: f64 = movable.iter().map(|p| p.mass * dot(p.velocity, p.velocity)).sum();
        let scale = if twice > 0.0 { (D as f64 * n * kt / twice).sqrt() } else { 1.0 };
        movable.iter_mut().for_each(|p| p.velocity = p.velocity.map(|v| scale * v));
    }
}
