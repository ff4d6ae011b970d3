//! Boxes without walls, many particles, long runs: by closed forms, and under the certificate.

mod common;

use common::{assert_near, assert_near_each};
use hard_discs::{
    Certificate, Disc, Earliest, Every, HardDiscs, HardSpheres, Misuse, Neighbours, Particle, Schedule, Sphere,
    StateError, Voyage, Walls,
};
use saltus::queue::Ladder;
use saltus::{BoxError, Settings, Simulation, Stream};

const SCHEMES: [Neighbours; 4] = [Neighbours::Auto, Neighbours::All, Neighbours::Cells, Neighbours::Lists];

/// A gas of equal particles on a lattice, with Maxwell velocities whose sum is zero.
fn gas<const D: usize>(across: usize, diameter: f64, seed: u64) -> Vec<Particle<D>> {
    let mut random = Stream::new(seed, 0, 0);
    let n = across.pow(D as u32);
    let mut gas: Vec<Particle<D>> = (0..n)
        .map(|i| {
            let place = std::array::from_fn(|axis| (i / across.pow(axis as u32) % across) as f64 + 0.5);
            Particle::new(place, std::array::from_fn(|_| random.normal(0.0, 1.0)), 0.5 * diameter, 1.0)
        })
        .collect();
    for axis in 0..D {
        let mean = gas.iter().map(|particle| particle.velocity[axis]).sum::<f64>() / n as f64;
        gas.iter_mut().for_each(|particle| particle.velocity[axis] -= mean);
    }
    gas
}

fn periodic<const D: usize>(across: usize) -> Walls<D> {
    Walls::periodic([across as f64; D])
}

/// Runs under the certificate, and says how many pairs collided.
fn certified<const D: usize, S: Schedule>(
    particles: &[Particle<D>],
    walls: Walls<D>,
    neighbours: Neighbours,
    events: u64,
) -> Result<u64, BoxError> {
    let model = HardSpheres::<D, S>::new(particles.to_vec(), walls)?.with_neighbours(neighbours);
    let certificate = Certificate::new(&model);
    let mut simulation = Simulation::with_queue(model, Settings::default(), certificate, Ladder);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    simulation.run_events(events)?;
    let now = simulation.now();
    let (model, mut certificate) = simulation.into_parts();
    certificate.finish(&model, now).map_err(|violation| violation.to_string())?;
    Ok(model.work().pairs)
}

#[test]
fn every_scheme_keeps_every_law() {
    for neighbours in SCHEMES {
        for diameter in [0.3, 0.9] {
            let (discs, spheres) = (gas::<2>(12, diameter, 3), gas::<3>(6, diameter, 4));
            let pipe = Walls { periodic: [true, false], ..periodic(12) };
            let slit = Walls { periodic: [true, true, false], ..periodic(6) };
            let pairs = [
                certified::<2, Earliest>(&discs, pipe, neighbours, 3000).unwrap(),
                certified::<2, Every>(&discs, periodic(12), neighbours, 3000).unwrap(),
                certified::<3, Earliest>(&spheres, slit, neighbours, 2000).unwrap(),
            ];
            assert!(pairs.iter().all(|&pairs| pairs > 50), "{neighbours}, {diameter}: {pairs:?}");
        }
    }
}

/// The time of the first collision, and the velocities after it.
fn first<const D: usize>(particles: &[Particle<D>], walls: Walls<D>) -> (f64, Vec<[f64; D]>) {
    let model = HardSpheres::<D, Earliest>::new(particles.to_vec(), walls).unwrap();
    let mut simulation = Simulation::with_queue(model, Settings::default(), (), Ladder);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    while simulation.model().work().pairs == 0 {
        simulation.step().unwrap();
    }
    (simulation.now(), simulation.model().discs().iter().map(|disc| disc.velocity).collect())
}

#[test]
fn in_a_small_box_the_image_that_is_hit_need_not_be_the_nearest() {
    let discs = [Disc::new([0.1, 0.5], [0.0; 2], 0.2, 1.0), Disc::new([0.55, 0.5], [1.0, 0.0], 0.2, 1.0)];
    let (time, velocities) = first(&discs, Walls::periodic([1.0; 2]));
    assert_near(time, 0.15, 1e-15);
    assert_near_each(velocities[0], [1.0, 0.0], 1e-15);
    assert_near_each(velocities[1], [0.0, 0.0], 1e-15);
}

#[test]
fn an_image_many_boxes_away_is_met() {
    // Each turn around the box brings the two 0.01 nearer across it, until they are less than 0.2 apart when they pass.
    let discs = [Disc::new([0.5, 0.5], [0.0; 2], 0.1, 1.0), Disc::new([0.8, 0.8], [1.0, -0.01], 0.1, 1.0)];
    let (time, _) = first(&discs, Walls::periodic([1.0; 2]));
    let (x, y) = (0.3 + time - (0.3 + time).round(), 0.3 - 0.01 * time);
    assert_near(x.hypot(y), 0.2, 1e-12);
    assert!((10.0..11.0).contains(&time), "{time}");
}

#[test]
fn a_particle_never_meets_its_own_image_and_one_too_large_is_refused() {
    let alone = |radius| {
        HardSpheres::<2, Earliest>::new(vec![Disc::new([0.1, 0.2], [1.0, 0.3], radius, 1.0)], Walls::periodic([0.5; 2]))
    };
    for radius in [0.2, 0.25] {
        let mut simulation = Simulation::with_queue(alone(radius).unwrap(), Settings::default(), (), Ladder);
        let (model, cx) = simulation.parts();
        model.start(cx).unwrap();
        simulation.run_until(100.0).unwrap();
        assert_eq!(simulation.model().work().pairs, 0);
    }
    assert!(matches!(alone(0.26), Err(StateError::TooLarge { disc: 0, radius: 0.26, width: 0.5 })));
    let overlapping = [Disc::new([0.05, 0.5], [0.0; 2], 0.1, 1.0), Disc::new([0.95, 0.5], [0.0; 2], 0.1, 1.0)];
    let error = HardDiscs::new(overlapping.to_vec(), Walls::periodic([1.0; 2])).unwrap_err();
    assert_eq!(error.to_string(), "particles overlap: 0 and 1 by 0.1", "across the edge");
}

#[test]
fn a_fixed_obstacle_turns_what_hits_it_and_stays() {
    let obstacle = Sphere::new([2.0, 2.0, 2.0], [0.0; 3], 0.5, f64::INFINITY);
    let sphere = Sphere::new([0.5, 2.0, 2.0], [1.0, 0.0, 0.0], 0.25, 1.0);
    let (time, velocities) = first(&[obstacle, sphere], Walls::periodic([4.0; 3]));
    assert_near(time, 0.75, 1e-15);
    assert_near_each(velocities[0], [0.0; 3], 0.0);
    assert_near_each(velocities[1], [-1.0, 0.0, 0.0], 1e-15);
    let mut list = gas::<2>(8, 0.6, 5);
    for i in [9, 27, 44] {
        (list[i].mass, list[i].velocity) = (f64::INFINITY, [0.0; 2]);
    }
    assert!(certified::<2, Earliest>(&list, periodic(8), Neighbours::Auto, 2000).unwrap() > 300);
    let moving = Disc::new([1.0; 2], [1.0, 0.0], 0.1, f64::INFINITY);
    let error = HardDiscs::new(vec![moving], periodic(8)).unwrap_err();
    assert_eq!(error.to_string(), "particle 0: a mass of inf is a fixed obstacle's, which must rest");
}

#[test]
fn neighbours_that_the_box_has_no_room_for_are_refused() {
    let start = |neighbours, walls| {
        let model = HardSpheres::<2, Earliest>::new(gas::<2>(2, 0.9, 1), walls).unwrap().with_neighbours(neighbours);
        let mut simulation = Simulation::new(model);
        let (model, cx) = simulation.parts();
        model.start(cx)
    };
    for neighbours in [Neighbours::Cells, Neighbours::Lists] {
        for walls in [periodic(2), Walls::NONE] {
            let error = start(neighbours, walls).unwrap_err();
            assert_eq!(error.downcast_ref(), Some(&Misuse::NoRoomFor(neighbours)));
        }
    }
    assert!(start(Neighbours::Auto, periodic(2)).is_ok() && start(Neighbours::Auto, Walls::NONE).is_ok());
}

#[test]
fn energy_and_momentum_of_a_periodic_box_stay() {
    let start = gas::<3>(8, 0.9, 6);
    let mut voyage = Voyage::new(HardSpheres::<3, Earliest>::new(start, periodic(8)).unwrap(), (), Ladder).unwrap();
    let energy = voyage.model().energy();
    voyage.run_events(1_000_000).unwrap();
    assert!((voyage.model().energy() / energy - 1.0).abs() < 1e-12);
    let discs = voyage.model().discs();
    for axis in 0..3 {
        let momentum: f64 = discs.iter().map(|disc| disc.velocity[axis]).sum();
        assert!(momentum.abs() < 1e-10, "{momentum}");
    }
}

/// Four discs so slow to meet that many legs pass.
fn four_that_rarely_meet() -> HardSpheres<2, Earliest> {
    HardSpheres::<2, Earliest>::new(gas::<2>(2, 0.02, 7), periodic(2)).unwrap()
}

/// A billion units of time, by which a plain clock has lost seven digits, are a documented command.
#[test]
fn a_clock_that_is_set_back_keeps_the_certificate_and_the_digits() {
    let worst = [300.0, 30_000.0].map(|end| {
        let model = four_that_rarely_meet();
        let certificate = Certificate::new(&model);
        let mut voyage = Voyage::new(model, certificate, Ladder).unwrap();
        voyage.run_until(end).unwrap();
        assert_eq!(voyage.now(), end);
        assert!(voyage.model().elapsed() > 0.7 * end);
        let clock = voyage.clock();
        let (model, mut certificate) = voyage.into_parts();
        assert_eq!(certificate.finish(&model, clock), Ok(()));
        (model.work().pairs, certificate.worst().contact)
    });
    let [(few, early), (many, late)] = worst;
    println!("{early:e} after {few} collisions, {late:e} after {many}");
    assert!(many > 500 && late < 1e-10 && late < 100.0 * early, "{early:e} {late:e}");
}

#[test]
fn a_clock_that_is_not_set_back_loses_the_certificate() {
    let model = four_that_rarely_meet();
    let certificate = Certificate::new(&model);
    let settings = Settings { start: 1e9, ..Settings::default() };
    let mut simulation = Simulation::with_queue(model, settings, certificate, Ladder);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation.run_until(1e9 + 300.0).unwrap();
    let violation =
        simulation.observer().violation().expect("1e-7 of a unit of time is more than the certificate allows");
    assert!((violation.found / violation.expected - 1.0).abs() < 1e-3, "{violation}");
}

#[test]
fn a_run_in_parts_is_the_run_in_one_piece_and_ends_where_it_was_to() {
    let voyage = || {
        Voyage::new(HardSpheres::<2, Earliest>::new(gas::<2>(20, 0.9, 8), periodic(20)).unwrap(), (), Ladder).unwrap()
    };
    let (mut whole, mut parts) = (voyage(), voyage());
    whole.run_until(10.0).unwrap();
    for end in [8.0, 9.0, 10.0] {
        parts.run_until(end).unwrap();
        assert_eq!(parts.now(), end);
    }
    assert!(whole.model().work().pairs > 10_000);
    assert_eq!(whole.model().discs(), parts.model().discs());
}

#[test]
fn a_thousand_times_the_particles_take_the_same_work_each() {
    let work = |across| {
        let model = HardSpheres::<2, Earliest>::new(gas::<2>(across, 0.62, 9), periodic(across)).unwrap();
        let mut voyage = Voyage::new(model, (), Ladder).unwrap();
        voyage.run_events(100_000).unwrap();
        voyage.model().work().predictions as f64 / voyage.model().work().pairs as f64
    };
    let (few, many) = (work(32), work(126));
    assert!((many / few - 1.0).abs() < 0.25, "{few} {many}");
}

/// A gas in which one of sixteen is as wide as a cell of the lattice and the others are a hundredth of it.
fn mixture<const D: usize>(across: usize, seed: u64) -> Vec<Particle<D>> {
    let mut mixture = gas::<D>(across, 0.95, seed);
    for (i, particle) in mixture.iter_mut().enumerate().filter(|(i, _)| i % 16 > 0) {
        particle.radius *= if i % 2 == 0 { 0.01 } else { 0.1 };
    }
    mixture
}

#[test]
fn many_particles_of_all_sizes_keep_every_law() {
    let pairs = [
        certified::<2, Earliest>(&gas::<2>(126, 0.9, 11), periodic(126), Neighbours::Auto, 40_000).unwrap(),
        certified::<3, Earliest>(&gas::<3>(25, 0.9, 12), periodic(25), Neighbours::Auto, 40_000).unwrap(),
        certified::<2, Earliest>(&mixture::<2>(60, 13), periodic(60), Neighbours::Lists, 20_000).unwrap(),
        certified::<3, Earliest>(&mixture::<3>(14, 14), periodic(14), Neighbours::Cells, 20_000).unwrap(),
        certified::<3, Every>(&mixture::<3>(14, 15), periodic(14), Neighbours::Cells, 20_000).unwrap(),
    ];
    assert!(pairs.iter().all(|&pairs| pairs > 500), "{pairs:?}");
}

#[test]
fn a_hundred_that_are_set_back_keep_the_certificate() {
    let model = HardSpheres::<2, Earliest>::new(gas::<2>(10, 0.02, 16), periodic(10)).unwrap();
    let certificate = Certificate::new(&model);
    let mut voyage = Voyage::new(model, certificate, Ladder).unwrap();
    voyage.run_until(300.0).unwrap();
    // More legs than one, and collisions in them.
    assert!(voyage.model().elapsed() > 100.0 && voyage.model().work().pairs > 100);
    let clock = voyage.clock();
    let (model, mut certificate) = voyage.into_parts();
    assert_eq!(certificate.finish(&model, clock), Ok(()));
}

/// Cells of a width would be 10²⁴ here.
#[test]
fn a_box_much_longer_than_wide_takes_no_more_memory_than_its_particles_need() {
    let walls = Walls { periodic: [false; 3], ..Walls::periodic([1e12, 1e12, 4.0]) };
    let particles: Vec<Particle<3>> =
        (0..100).map(|i| Particle::new([1e9 * f64::from(i) + 1.0, 5e11, 2.0], [1e9, 0.0, 0.1], 0.5, 1.0)).collect();
    for neighbours in [Neighbours::Auto, Neighbours::Cells, Neighbours::Lists] {
        certified::<3, Earliest>(&particles, walls, neighbours, 200).unwrap();
    }
}
