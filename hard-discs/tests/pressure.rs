//! Pressure and collision rates against published values and theory.
//!
//! The runs here are short; each is held against its own error bar. Longer ones are `hard-discs eos --collisions 100000000`.

use std::path::PathBuf;

use hard_discs::starts::{Filled, grow, insertion, lattice, lattice_in, maxwell};
use hard_discs::theory::{ball, compressibility, compressibility_of, enskog_rate};
use hard_discs::{Disc, Earliest, Estimate, Every, Gauge, HardSpheres, Measured, Schedule, Walls, sph};
use saltus::queue::Ladder;
use saltus::{Settings, Simulation};

/// Measures `pairs` collisions after `warm`.
fn measure<const D: usize, S: Schedule>(filled: Filled<D>, warm: u64, pairs: u64) -> Measured {
    let (mut particles, walls) = filled;
    maxwell(&mut particles, 1.0, 1);
    let model = HardSpheres::<D, S>::new(particles, walls).unwrap();
    let mut simulation = Simulation::with_queue(model, Settings::default(), (), Ladder);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation.run_while(|s| s.model().work().pairs < warm).unwrap();
    let mut gauge = Gauge::new(simulation.model(), simulation.now());
    for stretch in 1..=128 {
        simulation.run_while(|s| s.model().work().pairs < warm + pairs * stretch / 128).unwrap();
        gauge.read(simulation.model(), simulation.now());
    }
    let measured = gauge.measured().unwrap();
    assert_eq!(measured.collisions, pairs);
    assert!((measured.temperature.value - 1.0).abs() < 1e-12, "{:?}", measured.temperature);
    measured
}

/// Within four error bars, and the bar within `bound` of the value.
fn agrees(found: Estimate, expected: f64, bound: f64) {
    let error = found.error.unwrap();
    assert!((found.value - expected).abs() < 4.0 * error, "{found:?} instead of {expected}");
    assert!(error < bound * expected, "{found:?} is not exact enough");
}

/// Two discs on a line in a periodic box: a collision every 0.3, alternately from either side, each passing on Δp = 2 over a
/// distance of 0.2.
#[test]
fn two_discs_have_the_pressure_that_follows_by_hand() {
    let discs = vec![Disc::new([0.25, 0.5], [1.0, 0.0], 0.1, 1.0), Disc::new([0.75, 0.5], [-1.0, 0.0], 0.1, 1.0)];
    let model = HardSpheres::<2, Every>::new(discs, Walls::periodic([1.0; 2])).unwrap();
    let mut simulation = Simulation::new(model);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    let mut gauge = Gauge::new(simulation.model(), 0.0);
    assert_eq!(gauge.measured(), None);
    for stretch in 1..=10 {
        simulation.run_until(0.3 * f64::from(stretch)).unwrap();
        gauge.read(simulation.model(), simulation.now());
    }
    // A stretch without time is none.
    gauge.read(simulation.model(), simulation.now());
    let Measured { time, collisions, temperature, pressure, compressibility, rate } = gauge.measured().unwrap();
    assert_eq!(collisions, 10);
    for (found, expected) in [
        (time, 3.0),
        (temperature.value, 0.5),
        (pressure.value, (2.0 + 10.0 * 2.0 * 0.2 / 3.0) / 2.0),
        (compressibility.value, 5.0 / 3.0),
        (rate.value, 10.0 / 3.0),
    ] {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }
    assert!(pressure.error.unwrap() < 1e-12);
}

#[test]
fn what_rests_has_nothing_to_measure() {
    let disc = Disc::new([0.5; 2], [0.0; 2], 0.1, 1.0);
    let model = HardSpheres::<2, Every>::new(vec![disc], Walls::UNIT).unwrap();
    let mut gauge = Gauge::new(&model, 0.0);
    gauge.read(&model, 1.0);
    assert_eq!(gauge.measured(), None);
}

/// Li and others, 2022: P* = 6.901074(71) in the canonical ensemble. A run without total momentum has a collisional part that
/// is N / (N - 1) times as large.
#[test]
fn seventy_two_discs_have_the_published_pressure() {
    let z = measure_72(600_000);
    agrees(z, 6.901074, 3e-3);
}

/// `cargo test --release -p hard-discs --test pressure -- --ignored`
#[test]
#[ignore = "a minute"]
fn seventy_two_discs_have_the_published_pressure_to_three_digits() {
    let z = measure_72(60_000_000);
    println!("P* = {} +- {:?}", z.value, z.error);
    agrees(z, 6.901074, 3e-4);
    assert!((z.value - 6.901074).abs() < 2e-3, "{z:?}");
}

fn measure_72(pairs: u64) -> Estimate {
    let (n, eta) = (72.0f64, 0.65);
    let walls = Walls::periodic([(n * ball(2, 0.5) / eta).sqrt(); 2]);
    let particles = lattice_in(72, [9, 4], walls).unwrap();
    let z = measure::<2, Earliest>((particles, walls), 100_000, pairs).compressibility;
    let canonical = z.map((n - 1.0) / n, 1.0 - (n - 1.0) / n);
    canonical.map(n / walls.volume(), 0.0)
}

#[test]
fn dilute_gases_collide_as_often_as_enskog_says() {
    let discs = measure::<2, Earliest>(insertion(2000, 0.02, [true; 2], 1).unwrap(), 20_000, 100_000);
    agrees(discs.rate, enskog_rate(2, 0.02), 0.01);
    let spheres = measure::<3, Earliest>(insertion(2000, 0.02, [true; 3], 1).unwrap(), 20_000, 100_000);
    agrees(spheres.rate, enskog_rate(3, 0.02), 0.01);
}

#[test]
fn spheres_at_half_the_density_have_the_published_mean_free_time() {
    let start = lattice::<3>(1372, std::f64::consts::PI / 12.0, [true; 3]).unwrap();
    let measured = measure::<3, Earliest>(start, 100_000, 200_000);
    let mean_free_time = 1.0 / measured.rate.value;
    assert!((mean_free_time / 0.13031 - 1.0).abs() < 0.01, "{mean_free_time}");
}

#[test]
fn fluids_have_the_pressure_of_theory_from_every_start() {
    let warm = 40_000;
    for (eta, start) in [
        (0.2, insertion::<2>(400, 0.2, [true; 2], 4)),
        (0.4, lattice(400, 0.4, [true; 2])),
        (0.6, grow(400, 0.6, [true; 2], 4)),
    ] {
        let z = measure::<2, Earliest>(start.unwrap(), warm, 200_000).compressibility;
        agrees(z, compressibility_of(2, eta, 400), 0.006);
    }
    for (phi, start) in [
        (0.1, insertion::<3>(500, 0.1, [true; 3], 4)),
        (0.25, lattice(500, 0.25, [true; 3])),
        (0.4, grow(500, 0.4, [true; 3], 4)),
    ] {
        let z = measure::<3, Earliest>(start.unwrap(), warm, 200_000).compressibility;
        agrees(z, compressibility_of(3, phi, 500), 0.006);
    }
}

/// Both schedules run the same collisions, so that they measure the same bits.
#[test]
fn what_is_measured_does_not_depend_on_the_schedule() {
    let start = || insertion::<2>(100, 0.4, [true; 2], 1).unwrap();
    assert_eq!(measure::<2, Every>(start(), 500, 12_800), measure::<2, Earliest>(start(), 500, 12_800));
}

#[test]
fn the_work_of_a_collision_does_not_grow_with_the_number() {
    let work = |n| {
        let (mut particles, walls) = lattice::<2>(n, 0.3, [true; 2]).unwrap();
        maxwell(&mut particles, 1.0, 1);
        let model = HardSpheres::<2, Earliest>::new(particles, walls).unwrap();
        let mut simulation = Simulation::with_queue(model, Settings::default(), (), Ladder);
        let (model, cx) = simulation.parts();
        model.start(cx).unwrap();
        let pairs = 4 * n as u64;
        simulation.run_while(|s| s.model().work().pairs < pairs).unwrap();
        let work = simulation.model().work();
        [work.predictions, work.moves, work.looks].map(|count| count as f64 / pairs as f64)
    };
    for (few, many) in work(1000).into_iter().zip(work(16_000)) {
        assert!(many < 1.1 * few, "{few} grows to {many}");
    }
}

/// A snapshot of the reference data, from the folder that SALTUS_DATA names, else from beside the repository.
fn snapshot<const D: usize>(name: &str) -> Option<Filled<D>> {
    let named = std::env::var_os("SALTUS_DATA").map(PathBuf::from);
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"));
    let folder = named.clone().unwrap_or_else(beside);
    if named.is_none() && !folder.exists() {
        eprintln!("skipped: no reference data at {}", folder.display());
        return None;
    }
    let snapshot = sph::read(&folder.join("edmd").join(name)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(snapshot.is_flat(), D == 2);
    Some(snapshot.particles([true; D]))
}

#[test]
fn equilibrated_snapshots_have_their_published_pressure() {
    // The Z of infinite systems; the collisional part is larger by N / (N - 1).
    let scaled = |z: f64, n: f64| 1.0 + (z - 1.0) * n / (n - 1.0);
    for (name, z, n) in [
        ("hd2d_N1000_eta0.30.sph", 2.0633, 1e3),
        ("hd2d_N1000_eta0.60.sph", 6.455, 1e3),
        ("hd2d_N10000_eta0.60.sph", 6.455, 1e4),
    ] {
        let Some(start) = snapshot::<2>(name) else { return };
        agrees(measure::<2, Earliest>(start, n as u64, 300_000).compressibility, scaled(z, n), 0.004);
    }
    for (name, phi, n) in [
        ("hs3d_N1000_phi0.30.sph", 0.30, 1e3),
        ("hs3d_N10000_phi0.30.sph", 0.30, 1e4),
        ("hs3d_N10000_phi0.49.sph", 0.49, 1e4),
    ] {
        let Some(start) = snapshot::<3>(name) else { return };
        let expected = scaled(compressibility(3, phi), n);
        agrees(measure::<3, Earliest>(start, n as u64, 300_000).compressibility, expected, 0.004);
    }
}
