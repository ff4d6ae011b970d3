//! Whoever looks for partners, and whatever is scheduled: the collisions are the same to the last bit.

use hard_discs::{Earliest, Every, HardSpheres, Hit, Misuse, Neighbours, Particle, Schedule, Walls};
use saltus::observe::{GO_ON, Verdict, stop};
use saltus::queue::Ladder;
use saltus::{Header, Observer, Settings, Simulation, Stream};

/// What is compared: the collisions, up to so many.
struct Hits {
    hits: Vec<(u64, Hit)>,
    most: usize,
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Hits {
    type Cause = ();

    fn executed(&mut self, event: &Header<f64>, hit: &Hit) {
        if hit.is_collision() {
            self.hits.push((event.time.to_bits(), *hit));
        }
    }

    fn after(&mut self, _: &Header<f64>, _: &HardSpheres<D, S>) -> Verdict {
        if self.hits.len() < self.most { GO_ON } else { stop("enough") }
    }
}

/// The collisions, and the state after them.
type Story<const D: usize> = (Vec<(u64, Hit)>, Vec<[u64; D]>);

/// `None` if the box is too small for these neighbours.
fn story<const D: usize, S: Schedule>(system: &System<D>, neighbours: Neighbours, most: usize) -> Option<Story<D>> {
    let model = HardSpheres::<D, S>::new(system.particles.clone(), system.walls).unwrap().with_neighbours(neighbours);
    let observer = Hits { hits: Vec::new(), most };
    let mut simulation = Simulation::with_queue(model, Settings::default(), observer, Ladder);
    let (model, cx) = simulation.parts();
    match model.start(cx) {
        Err(error) if matches!(error.downcast_ref(), Some(Misuse::NoRoomFor(_))) => return None,
        outcome => outcome.unwrap(),
    }
    // A pair may never meet.
    simulation.run_until(10.0).unwrap();
    let (model, hits) = simulation.into_parts();
    let state =
        model.discs().iter().flat_map(|disc| [disc.position, disc.velocity].map(|v| v.map(f64::to_bits))).collect();
    Some((hits.hits, state))
}

#[derive(Clone, Debug)]
struct System<const D: usize> {
    particles: Vec<Particle<D>>,
    walls: Walls<D>,
}

/// A random system: its box, its sizes, how densely it is filled, which axes are periodic.
fn system<const D: usize>(seed: u64) -> System<D> {
    let mut random = Stream::new(seed, 0, 0);
    let mut below = |n: u64| (random.uniform() * n as f64) as u64;
    let walls = Walls {
        low: std::array::from_fn(|_| below(3) as f64 - 1.0),
        high: [0.0; D],
        periodic: std::array::from_fn(|_| below(2) == 0),
    };
    let n = [2, 3, 5, 12, 60, 200][below(6) as usize];
    let ratio: f64 = [1.0, 1.0, 1.0, 2.0, 10.0, 100.0][below(6) as usize];
    let is_dense = below(2) == 0;
    let mut lengths = [0.0; D];
    for length in &mut lengths {
        *length = 1.0 + random.uniform();
    }
    let walls = Walls { high: std::array::from_fn(|axis| walls.low[axis] + lengths[axis]), ..walls };
    let per_particle = walls.volume() / n as f64;
    let side = per_particle.powf(1.0 / D as f64);
    let small = (if is_dense { 0.42 } else { 0.15 } * side * (0.5 + 0.5 * random.uniform())).min(0.4);
    let mut particles: Vec<Particle<D>> = Vec::new();
    for i in 0..n {
        // One in twelve is large; the others shrink so that there is room for it.
        let is_large = ratio > 1.0 && i % 12 == 0;
        let radius = if ratio == 1.0 {
            small
        } else if is_large {
            0.2
        } else {
            (0.2 / ratio).min(small)
        };
        let mass = if ratio == 1.0 { 1.0 } else { (radius / 0.2).powi(D as i32).max(1e-4) };
        for _ in 0..2000 {
            let position = std::array::from_fn(|axis| {
                let edge = if walls.periodic[axis] { 0.0 } else { radius };
                walls.low[axis] + edge + (walls.high[axis] - walls.low[axis] - 2.0 * edge) * random.uniform()
            });
            let velocity = std::array::from_fn(|_| random.normal(0.0, 1.0 / mass.sqrt()));
            let particle = Particle::new(position, velocity, radius, mass);
            if particles.iter().all(|other| distance(&walls, other, &particle) > 1e-6) {
                particles.push(particle);
                break;
            }
        }
    }
    System { particles, walls }
}

/// The gap between two particles, the nearest images being meant.
fn distance<const D: usize>(walls: &Walls<D>, a: &Particle<D>, b: &Particle<D>) -> f64 {
    let squares = (0..D).map(|axis| {
        let way = b.position[axis] - a.position[axis];
        let length = walls.high[axis] - walls.low[axis];
        (if walls.periodic[axis] { way - length * (way / length).round() } else { way }).powi(2)
    });
    squares.sum::<f64>().sqrt() - a.radius - b.radius
}

fn every_scheme_agrees<const D: usize>(seeds: std::ops::Range<u64>) {
    let (mut compared, mut collisions) = ([0; 6], 0);
    for seed in seeds {
        let system = system::<D>(seed);
        let most = 400;
        let right = story::<D, Every>(&system, Neighbours::All, most).unwrap();
        collisions += right.0.len();
        let others = [
            story::<D, Earliest>(&system, Neighbours::All, most),
            story::<D, Every>(&system, Neighbours::Cells, most),
            story::<D, Earliest>(&system, Neighbours::Cells, most),
            story::<D, Every>(&system, Neighbours::Lists, most),
            story::<D, Earliest>(&system, Neighbours::Lists, most),
            story::<D, Earliest>(&system, Neighbours::Auto, most),
        ];
        for (n, found) in others.into_iter().enumerate() {
            let Some(found) = found else { continue };
            compared[n] += 1;
            let first = right.0.iter().zip(&found.0).position(|(a, b)| a != b);
            if let Some(first) = first {
                let [a, b] = [&right, &found].map(|story| (f64::from_bits(story.0[first].0), story.0[first].1));
                panic!(
                    "seed {seed}, scheme {n}: collision {first} is {b:?}, not {a:?}; {} particles in {:?}",
                    system.particles.len(),
                    system.walls
                );
            }
            assert_eq!(right.0.len(), found.0.len(), "seed {seed}, scheme {n}");
            assert!(right.1 == found.1, "seed {seed}, scheme {n}: the states differ");
        }
    }
    println!("{compared:?} systems compared over {collisions} collisions");
    assert!(compared.iter().all(|&n| n >= 15), "{compared:?}");
}

#[test]
fn a_hundred_systems_of_discs_are_the_same_under_every_scheme() {
    every_scheme_agrees::<2>(0..100);
}

#[test]
fn a_hundred_systems_of_spheres_are_the_same_under_every_scheme() {
    every_scheme_agrees::<3>(100..200);
}
