//! What a run must keep: energy, and momentum along the axes that have no walls.

use hard_discs::{HardSpheres, Schedule, Vector};

/// Energy and momentum of all particles.
#[derive(Clone, Copy)]
pub(crate) struct Totals<const D: usize> {
    pub(crate) energy: f64,
    momentum: Vector<D>,
    /// The sum of what all carry, whatever the direction.
    carried: f64,
    /// Along which axes nothing takes up momentum: neither walls nor fixed obstacles.
    keeps: [bool; D],
}

impl<const D: usize> Totals<D> {
    pub(crate) fn of<S: Schedule>(model: &HardSpheres<D, S>) -> Totals<D> {
        let has_obstacles = (0..model.len()).any(|i| model.disc(i).mass.is_infinite());
        let mut totals = Totals {
            energy: model.energy(),
            momentum: [0.0; D],
            carried: 0.0,
            keeps: model.walls().periodic.map(|is_periodic| is_periodic && !has_obstacles),
        };
        for particle in (0..model.len()).map(|i| model.disc(i)).filter(|particle| particle.mass.is_finite()) {
            let carries = particle.velocity.map(|v| particle.mass * v);
            totals.momentum = std::array::from_fn(|axis| totals.momentum[axis] + carries[axis]);
            totals.carried += carries.iter().map(|p| p * p).sum::<f64>().sqrt();
        }
        totals
    }

    /// How much of its energy a run has gained.
    pub(crate) fn energy_drift(&self, before: &Totals<D>) -> f64 {
        // Nothing drifts where nothing moves.
        if before.energy > 0.0 { (self.energy - before.energy) / before.energy } else { 0.0 }
    }

    /// How far the momentum has moved, against the sum of what all carry; `None` if walls or obstacles take it up.
    pub(crate) fn momentum_drift(&self, before: &Totals<D>) -> Option<f64> {
        let axes = (0..D).filter(|&axis| self.keeps[axis]);
        let moved = axes.map(|axis| (self.momentum[axis] - before.momentum[axis]).abs()).reduce(f64::max)?;
        Some(if self.carried > 0.0 { moved / self.carried } else { 0.0 })
    }
}
