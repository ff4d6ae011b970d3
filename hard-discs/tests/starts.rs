//! Gases at a density: lattices, random places, growth, and Maxwell's velocities.

use hard_discs::starts::{Filled, StartError, grow, grow_watched, insertion, lattice, lattice_in, maxwell};
use hard_discs::theory::ball;
use hard_discs::{Every, HardSpheres, Particle, Walls};

/// The least distance of two particles or images, by looking at all of them.
fn nearest<const D: usize>((particles, walls): &Filled<D>) -> f64 {
    let lengths = walls.lengths();
    let mut least = f64::INFINITY;
    for (i, a) in particles.iter().enumerate() {
        for b in &particles[..=i] {
            for code in 0..3usize.pow(D as u32) {
                let step = |axis: usize| (code / 3usize.pow(axis as u32) % 3) as f64 - 1.0;
                let across = (0..D).any(|axis| step(axis) != 0.0 && !walls.periodic[axis]);
                let itself = std::ptr::eq(a, b) && (0..D).all(|axis| step(axis) == 0.0);
                if across || itself {
                    continue;
                }
                let way = |axis: usize| a.position[axis] - b.position[axis] + step(axis) * lengths[axis];
                least = least.min((0..D).map(|axis| way(axis).powi(2)).sum::<f64>().sqrt());
            }
        }
    }
    least
}

/// As many as asked for, as dense as asked for, and none overlaps another, an image or a wall.
fn check<const D: usize>(filled: Filled<D>, n: usize, fraction: f64) {
    let (particles, walls) = &filled;
    assert_eq!(particles.len(), n);
    let covered = n as f64 * ball(D, 0.5) / walls.volume();
    assert!((covered - fraction).abs() < 1e-9 * fraction, "{covered} instead of {fraction}");
    assert!(particles.iter().all(|p| p.radius == 0.5 && p.mass == 1.0 && p.velocity == [0.0; D]));
    assert!(nearest(&filled) >= 1.0 - 1e-12, "n = {n}, fraction {fraction}: {}", nearest(&filled));
    HardSpheres::<D, Every>::new(filled.0, filled.1).unwrap();
}

#[test]
fn lattices_hold_any_number_in_a_box_of_nearly_equal_lengths() {
    for n in (1..40).chain([50, 72, 100, 333]) {
        check(lattice::<2>(n, 0.4, [true; 2]).unwrap(), n, 0.4);
        check(lattice::<2>(n, 0.2, [false; 2]).unwrap(), n, 0.2);
        check(lattice::<3>(n, 0.3, [true; 3]).unwrap(), n, 0.3);
        check(lattice::<3>(n, 0.1, [false, true, false]).unwrap(), n, 0.1);
    }
    for n in [100, 1000, 5000, 10_000] {
        let lengths = lattice::<2>(n, 0.4, [true; 2]).unwrap().1.lengths();
        assert!((0.6..1.7).contains(&(lengths[0] / lengths[1])), "{n}: {lengths:?}");
        let lengths = lattice::<3>(n, 0.4, [true; 3]).unwrap().1.lengths();
        assert!((0.6..1.7).contains(&(lengths[0] / lengths[2])), "{n}: {lengths:?}");
    }
}

#[test]
fn whole_lattices_reach_close_packing_and_no_further() {
    // 16 rows of 14, and 4 * 4³.
    check(lattice::<2>(224, 0.9068, [true; 2]).unwrap(), 224, 0.9068);
    check(lattice::<3>(256, 0.7404, [true; 3]).unwrap(), 256, 0.7404);
    for fraction in [0.91, 1.0, 7.0, 0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = lattice::<2>(224, fraction, [true; 2]).unwrap_err();
        assert!(matches!(error, StartError::Impossible { .. }), "{error}");
    }
    // Between walls there is less room.
    let error = lattice::<2>(224, 0.89, [false; 2]).unwrap_err();
    assert!(matches!(error, StartError::NoLattice { n: 224, .. }), "{error}");
}

#[test]
fn a_lattice_stretches_to_a_box() {
    let length = (72.0 * ball(2, 0.5) / 0.65f64).sqrt();
    let walls = Walls::periodic([length; 2]);
    let particles = lattice_in(72, [9, 4], walls).unwrap();
    check((particles, walls), 72, 0.65);
    // One row less is too few: a site for each.
    let narrow = Walls::periodic([8.0, 20.0]);
    assert!(matches!(lattice_in::<2>(72, [9, 4], narrow), Err(StartError::NoLattice { .. })));
}

#[test]
fn random_places_are_free_and_follow_the_seed() {
    for periodic in [[true; 2], [false; 2], [true, false]] {
        check(insertion::<2>(150, 0.45, periodic, 3).unwrap(), 150, 0.45);
    }
    check(insertion::<3>(150, 0.30, [true; 3], 3).unwrap(), 150, 0.30);
    check(insertion::<3>(3, 0.20, [true; 3], 3).unwrap(), 3, 0.20);
    let places = |seed| insertion::<2>(50, 0.3, [true; 2], seed).unwrap().0;
    assert_eq!(places(1), places(1));
    assert_ne!(places(1), places(2));
}

#[test]
fn random_places_that_are_not_there_are_refused() {
    let error = insertion::<2>(200, 0.6, [true; 2], 1).unwrap_err();
    let StartError::NoRoom { n: 200, placed, tries: 10_000, .. } = error else { panic!("{error}") };
    // Random insertion jams near 0.547, and is never far from it after ten thousand tries.
    assert!((0.49..0.56).contains(&(0.6 * placed as f64 / 200.0)), "{placed}");
    assert!(matches!(insertion::<3>(100, 0.75, [true; 3], 1), Err(StartError::Impossible { .. })));
}

#[test]
fn growth_reaches_what_random_places_do_not() {
    for periodic in [[true; 2], [false; 2], [false, true]] {
        check(grow::<2>(200, 0.7, periodic, 5).unwrap(), 200, 0.7);
    }
    check(grow::<3>(200, 0.5, [true; 3], 5).unwrap(), 200, 0.5);
    check(grow::<3>(200, 0.45, [false; 3], 5).unwrap(), 200, 0.45);
    // So few that a pair may meet across more than one side.
    for n in [1, 2, 3, 5, 12] {
        check(grow::<2>(n, 0.5, [true; 2], 1).unwrap(), n, 0.5);
        check(grow::<3>(n, 0.3, [true; 3], 1).unwrap(), n, 0.3);
        check(grow::<2>(n, 0.3, [false; 2], 1).unwrap(), n, 0.3);
    }
    assert_eq!(grow::<2>(30, 0.6, [true; 2], 1).unwrap().0, grow::<2>(30, 0.6, [true; 2], 1).unwrap().0);
}

#[test]
fn growth_tells_how_far_it_has_come() {
    let mut parts = Vec::new();
    let watched = grow_watched::<2>(1000, 0.6, [true; 2], 2, |part| parts.push(part)).unwrap();
    assert_eq!(watched, grow::<2>(1000, 0.6, [true; 2], 2).unwrap());
    assert!(parts.len() > 5 && parts.is_sorted() && parts.iter().all(|part| (0.0..=1.0).contains(part)), "{parts:?}");
    assert!(parts[0] < 0.3 && parts[parts.len() - 1] > 0.7, "{parts:?}");
}

#[test]
fn no_gas_is_made_of_nobody_or_of_more_than_there_is_room_for() {
    for n in [0, usize::MAX] {
        let expected = if n == 0 { StartError::Nobody } else { StartError::TooMany { n } };
        assert_eq!(lattice::<2>(n, 0.3, [true; 2]).unwrap_err(), expected);
        assert_eq!(insertion::<3>(n, 0.3, [true; 3], 1).unwrap_err(), expected);
        assert_eq!(grow::<3>(n, 0.3, [false; 3], 1).unwrap_err(), expected);
    }
}

#[test]
fn growth_that_gets_stuck_says_how_far_it_came() {
    let error = grow::<3>(40, 0.72, [true; 3], 1).unwrap_err();
    let StartError::Jammed { n: 40, reached, collisions, .. } = error else { panic!("{error}") };
    assert!((0.55..0.68).contains(&reached) && collisions > 500, "{reached} after {collisions}");
}

#[test]
fn neighbours_in_space_are_neighbours_in_memory() {
    let mean_step = |(particles, walls): Filled<2>| {
        let lengths = walls.lengths();
        let step = |pair: &[Particle<2>]| {
            let way = [0, 1].map(|axis| {
                let d = (pair[0].position[axis] - pair[1].position[axis]).abs();
                d.min(lengths[axis] - d)
            });
            way[0].hypot(way[1])
        };
        particles.windows(2).map(step).sum::<f64>() / particles.len() as f64
    };
    // The box is 115 wide: in no order at all a step would be 44 on average.
    for filled in [lattice(4000, 0.3, [true; 2]), insertion(4000, 0.3, [true; 2], 1), grow(4000, 0.3, [true; 2], 1)] {
        let mean = mean_step(filled.unwrap());
        assert!(mean < 4.0, "{mean}");
    }
}

fn kinetics<const D: usize>(particles: &[Particle<D>]) -> (f64, [f64; D]) {
    let movable = || particles.iter().filter(|p| p.mass.is_finite());
    let twice: f64 = movable().map(|p| p.mass * p.velocity.iter().map(|v| v * v).sum::<f64>()).sum();
    let momentum = std::array::from_fn(|axis| movable().map(|p| p.mass * p.velocity[axis]).sum());
    (twice / (D * movable().count()) as f64, momentum)
}

#[test]
fn velocities_have_exactly_the_temperature_and_no_momentum() {
    let (mut particles, _) = lattice::<3>(500, 0.2, [true; 3]).unwrap();
    for (i, p) in particles.iter_mut().enumerate() {
        p.mass = [1.0, 100.0, 0.01, f64::INFINITY][i % 4];
    }
    for kt in [1.0, 4.0, 1e-6] {
        maxwell(&mut particles, kt, 7);
        let (temperature, momentum) = kinetics(&particles);
        assert!((temperature / kt - 1.0).abs() < 1e-14, "{temperature}");
        let scale = kt.sqrt() * 100.0;
        assert!(momentum.iter().all(|p| p.abs() < 1e-12 * scale), "{momentum:?}");
        assert!(particles.iter().all(|p| p.mass.is_finite() || p.velocity == [0.0; 3]));
    }
}

#[test]
fn velocities_are_maxwells_and_follow_the_seed() {
    let (mut particles, _) = lattice::<2>(20_000, 0.2, [true; 2]).unwrap();
    maxwell(&mut particles, 1.0, 1);
    let moment = |power: i32| {
        let speeds = particles.iter().map(|p| p.velocity[0].hypot(p.velocity[1]).powi(power));
        speeds.sum::<f64>() / particles.len() as f64
    };
    // In two dimensions <v²> = 2, <v⁴> = 8, <v> = √(π/2).
    assert!((moment(2) - 2.0).abs() < 1e-12);
    assert!((moment(4) - 8.0).abs() < 0.3, "{}", moment(4));
    assert!((moment(1) - (std::f64::consts::PI / 2.0).sqrt()).abs() < 0.01, "{}", moment(1));
    let first = particles[0].velocity;
    maxwell(&mut particles, 1.0, 1);
    assert_eq!(particles[0].velocity, first);
    maxwell(&mut particles, 1.0, 2);
    assert_ne!(particles[0].velocity, first);
}

#[test]
fn one_particle_alone_flies_and_none_is_no_error() {
    let (mut one, _) = lattice::<2>(1, 0.2, [true; 2]).unwrap();
    maxwell(&mut one, 3.0, 1);
    assert!((kinetics(&one).0 - 3.0).abs() < 1e-14);
    maxwell::<2>(&mut [], 1.0, 1);
}
