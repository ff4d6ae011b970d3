//! What theory says of fluids of equal hard discs and spheres: pressure, and how often they collide.
//!
//! Fractions are the parts of the area or volume that the particles cover. The formulas hold for fluids: discs freeze from 0.70
//! on, spheres from 0.494.

use std::f64::consts::PI;

/// The densest packing there is: discs on the triangular lattice, spheres on the face-centred cubic one.
pub fn close_packing(dim: usize) -> f64 {
    if dim == 2 { PI / 12f64.sqrt() } else { PI / 18f64.sqrt() }
}

/// The fraction from which on the equilibrium is no fluid any more.
pub fn freezing(dim: usize) -> f64 {
    if dim == 2 { 0.70 } else { 0.494 }
}

/// Area or volume of a particle.
pub fn ball(dim: usize, radius: f64) -> f64 {
    if dim == 2 { PI * radius.powi(2) } else { 4.0 / 3.0 * PI * radius.powi(3) }
}

/// Z = P V / (N kT) of spheres: Carnahan and Starling's formula as corrected by Kolafa (Mol. Phys. 59, 1986).
pub fn carnahan_starling_kolafa(fraction: f64) -> f64 {
    let f = fraction;
    (1.0 + f + f * f - 2.0 / 3.0 * f.powi(3) * (1.0 + f)) / (1.0 - f).powi(3)
}

/// Z of discs after Henderson (Mol. Phys. 30, 971, 1975): 1 % high at 0.6.
pub fn henderson(fraction: f64) -> f64 {
    (1.0 + fraction * fraction / 8.0) / (1.0 - fraction).powi(2)
}

/// Z of discs after Luding (Phys. Rev. E 63, 042201, 2001): within 0.1 % up to 0.65.
pub fn luding(fraction: f64) -> f64 {
    let f = fraction;
    let contact = (1.0 - 7.0 * f / 16.0) / (1.0 - f).powi(2) - f.powi(3) / 16.0 / (8.0 * (1.0 - f).powi(4));
    1.0 + 2.0 * f * contact
}

/// Z of discs (`dim` 2, Luding) or spheres (`dim` 3, Carnahan-Starling-Kolafa) in an infinite system.
pub fn compressibility(dim: usize, fraction: f64) -> f64 {
    if dim == 2 { luding(fraction) } else { carnahan_starling_kolafa(fraction) }
}

/// Z of `n` particles in a periodic box whose total momentum is zero, kT being 2 K / (D N).
///
/// They have D degrees of freedom less than counted, so that relative velocities are larger and the part that is due to collisions
/// is N / (N - 1) times as large. And their number does not fluctuate: that takes off ρ p'' / (2 N p'), primes being derivatives
/// by the density (Lebowitz and Percus, Phys. Rev. 124, 1673, 1961).
pub fn compressibility_of(dim: usize, fraction: f64, n: usize) -> f64 {
    let (n, h) = (n as f64, 1e-3 * fraction);
    let [below, here, above] = [-h, 0.0, h].map(|by| (fraction + by) * compressibility(dim, fraction + by));
    let (slope, bend) = ((above - below) / (2.0 * h), (above - 2.0 * here + below) / (h * h));
    1.0 + (compressibility(dim, fraction) - 1.0) * n / (n - 1.0) - fraction * bend / (2.0 * n * slope)
}

/// The pair distribution at contact: how much denser than on average it is around a particle that one touches.
/// Z = 1 + 2^(D-1) * fraction * contact value.
pub fn contact_value(dim: usize, fraction: f64) -> f64 {
    let [factor, virial] = if dim == 2 { [2.0, luding(fraction)] } else { [4.0, carnahan_starling_kolafa(fraction)] };
    if fraction == 0.0 { 1.0 } else { (virial - 1.0) / (factor * fraction) }
}

/// Enskog's collisions of one particle and unit of time, for particles of mass 1 and diameter 1 at kT = 1: 2 √π ρ χ for discs
/// and 4 √π ρ χ for spheres, ρ being their number in a unit of area or volume and χ the contact value. For others multiply by
/// √(kT/m) / σ.
pub fn enskog_rate(dim: usize, fraction: f64) -> f64 {
    let density = fraction / ball(dim, 0.5);
    let factor = if dim == 2 { 2.0 } else { 4.0 };
    factor * PI.sqrt() * density * contact_value(dim, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, bound: f64) {
        assert!((found - expected).abs() < bound, "{found} instead of {expected}");
    }

    #[test]
    fn the_formulas_give_their_published_values() {
        near(carnahan_starling_kolafa(0.10), 1.5216, 5e-5);
        near(carnahan_starling_kolafa(0.30), 3.9843, 5e-5);
        near(carnahan_starling_kolafa(0.49), 12.162, 5e-4);
        near(henderson(0.30), 2.0638, 5e-5);
        near(henderson(0.60), 6.531, 5e-4);
        near(luding(0.30), 2.06325, 1e-5);
        near(luding(0.60), 6.452, 5e-4);
        near(luding(0.70), 11.33, 5e-3);
    }

    #[test]
    fn few_particles_have_what_was_measured_of_them() {
        // In 10⁸ and in 3 * 10⁷ collisions: the bounds are two error bars. Without either correction the formulas are off by more.
        near(compressibility_of(3, 0.30, 1000), 3.98603, 7e-4);
        near(compressibility_of(2, 0.30, 1000), 2.06379, 4.5e-4);
        // A gas so dilute that both are known in closed form.
        near((compressibility_of(3, 1e-6, 10) - 1.0) / (compressibility(3, 1e-6) - 1.0), 10.0 / 9.0 - 0.1, 1e-4);
    }

    /// B_2 and B_3 in units of the covered fraction: 2 and 4 * 0.782004 for discs, 4 and 16 * 0.625 for spheres.
    #[test]
    fn dilute_fluids_follow_the_virial_series() {
        let h = 1e-3;
        for (z, second, third, exact) in [
            (henderson as fn(f64) -> f64, 2.0, 4.0 * 0.782004, 5e-3),
            (luding, 2.0, 4.0 * 0.782004, 5e-3),
            (carnahan_starling_kolafa, 4.0, 10.0, 1e-9),
        ] {
            // Differences of the series at h, 2h, 3h cancel the two orders above.
            let part = |f: f64| (z(f) - 1.0) / f;
            let [a, b, c] = [part(h), part(2.0 * h), part(3.0 * h)];
            near(3.0 * a - 3.0 * b + c, second, 1e-6);
            near((-2.5 * a + 4.0 * b - 1.5 * c) / h, third, exact + 1e-3);
        }
    }

    #[test]
    fn spheres_at_half_the_density_fly_about_as_long_as_was_measured() {
        near(1.0 / enskog_rate(3, PI / 12.0), 0.13031, 2e-4);
        // With the contact value of Carnahan and Starling it is 0.13057.
        let f: f64 = PI / 12.0;
        let rate = 4.0 * PI.sqrt() * 0.5 * (1.0 - 0.5 * f) / (1.0 - f).powi(3);
        near(1.0 / rate, 0.13057, 1e-5);
    }

    #[test]
    fn discs_collide_as_often_as_the_closed_form_says() {
        let eta: f64 = 0.05;
        let chi = (1.0 - 7.0 * eta / 16.0) / (1.0 - eta).powi(2);
        near(enskog_rate(2, eta), 2.0 * PI.sqrt() * (4.0 * eta / PI) * chi, 1e-5);
    }

    #[test]
    fn no_fluid_is_denser_than_close_packing() {
        near(close_packing(2), 0.9069, 1e-4);
        near(close_packing(3), 0.74048, 1e-5);
        assert!(freezing(2) < close_packing(2) && freezing(3) < close_packing(3));
    }
}
