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
    if let Err(error) = simulation.run_until(10.0) {
        let (n, periodic) = (system.particles.len(), system.walls.periodic);
        panic!("{neighbours}, earliest only {}: {error}; {n} particles in a box periodic {periodic:?}", S::EARLIEST);
    }
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
    let periodic = match below(3) {
        0 => [true; D],
        1 => [false; D],
        _ => std::array::from_fn(|axis| axis == 0),
    };
    let n = [2, 3, 5, 12, 60, 200, 200][below(7) as usize];
    let ratio: f64 = [1.0, 1.0, 2.0, 10.0, 100.0][below(5) as usize];
    let (is_dense, scale) = (below(2) == 0, [1.0, 4.0, 4.0][below(3) as usize]);
    let low: [f64; D] = std::array::from_fn(|_| below(3) as f64 - 1.0);
    let high =
        std::array::from_fn(|axis| low[axis] + scale * (1.0 + if is_dense { 0.1 } else { 1.0 } * random.uniform()));
    let walls = Walls { low, high, periodic };
    let particles = match (is_dense, ratio) {
        (true, 1.0) => crowded(&walls, n, &mut random),
        _ => scattered(&walls, n, is_dense, ratio, &mut random),
    };
    System { particles, walls }
}

/// Equal particles, each in the middle third of the way that it has to its neighbours' on a lattice.
fn crowded<const D: usize>(walls: &Walls<D>, n: usize, random: &mut Stream) -> Vec<Particle<D>> {
    let across = (1..).find(|k: &usize| k.pow(D as u32) >= n).unwrap_or(1);
    let spacing: [f64; D] = std::array::from_fn(|axis| (walls.high[axis] - walls.low[axis]) / across as f64);
    let radius = (0.43 + 0.06 * random.uniform()) * spacing.into_iter().fold(f64::INFINITY, f64::min);
    let particle = |i: usize| {
        let position = std::array::from_fn(|axis| {
            let play = spacing[axis] - 2.0 * radius;
            let cell = (i / across.pow(axis as u32) % across) as f64 + 0.5;
            walls.low[axis] + cell * spacing[axis] + 0.33 * play * (random.uniform() - 0.5)
        });
        Particle::new(position, std::array::from_fn(|_| random.normal(0.0, 1.0)), radius, 1.0)
    };
    (0..n).map(particle).collect()
}

/// Particles at random places; one in twelve is larger.
fn scattered<const D: usize>(
    walls: &Walls<D>,
    n: usize,
    is_dense: bool,
    ratio: f64,
    random: &mut Stream,
) -> Vec<Particle<D>> {
    let side = (walls.volume() / n as f64).powf(1.0 / D as f64);
    let small = (if is_dense { 0.42 } else { 0.15 } * side * (0.5 + 0.5 * random.uniform())).min(0.4);
    let mut particles: Vec<Particle<D>> = Vec::new();
    for i in 0..n {
        let radius = match ratio {
            1.0 => small,
            _ if i % 12 == 0 => 0.2,
            // The others shrink so that there is room for it.
            _ => (0.2 / ratio).min(small),
        };
        let mass = if ratio == 1.0 { 1.0 } else { (radius / 0.2).powi(D as i32).max(1e-4) };
        for _ in 0..100 {
            let position = std::array::from_fn(|axis| {
                let edge = if walls.periodic[axis] { 0.0 } else { radius };
                walls.low[axis] + edge + (walls.high[axis] - walls.low[axis] - 2.0 * edge) * random.uniform()
            });
            let velocity = std::array::from_fn(|_| random.normal(0.0, 1.0 / mass.sqrt()));
            let particle = Particle::new(position, velocity, radius, mass);
            if particles.iter().all(|other| distance(walls, other, &particle) > 1e-6) {
                particles.push(particle);
                break;
            }
        }
    }
    particles
}

/// What a system is an example of.
const CLASSES: [&str; 11] = [
    "walls",
    "periodic",
    "walls and periodic",
    "equal sizes",
    "sizes to 1:2",
    "sizes to 1:10",
    "sizes to 1:100",
    "dense",
    "dilute",
    "few",
    "many",
];

fn is_of<const D: usize>(class: &str, System { particles, walls }: &System<D>) -> bool {
    let radii = || particles.iter().map(|particle| particle.radius);
    let (least, most) = (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max));
    let covered = radii().map(|radius| hard_discs::theory::ball(D, radius)).sum::<f64>() / walls.volume();
    let periodic = walls.periodic.iter().filter(|&&is_periodic| is_periodic).count();
    let mixes = |low: f64, high: f64| (low..=high).contains(&(most / least));
    match class {
        "walls" => periodic == 0,
        "periodic" => periodic == D,
        "walls and periodic" => periodic > 0 && periodic < D,
        "equal sizes" => most == least,
        "sizes to 1:2" => mixes(1.5, 3.0),
        "sizes to 1:10" => mixes(9.0, 30.0),
        "sizes to 1:100" => mixes(99.0, 300.0),
        "dense" => covered > if D == 2 { 0.5 } else { 0.25 },
        "dilute" => covered < 0.05,
        "few" => particles.len() <= 12,
        "many" => particles.len() >= 150,
        _ => unreachable!("{class} is no class"),
    }
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
    // By scheme and class.
    let (mut compared, mut collisions) = ([[0; CLASSES.len()]; 6], 0);
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
            // The box is too small for these neighbours.
            let Some(found) = found else { continue };
            for (class, count) in CLASSES.iter().zip(&mut compared[n]) {
                *count += usize::from(is_of(class, &system));
            }
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
    println!("{collisions} collisions");
    for (n, class) in CLASSES.iter().enumerate() {
        let counts = compared.map(|counts| counts[n]);
        println!("{class}: {counts:?}");
        assert!(counts.iter().all(|&count| count >= 5), "too few systems are of the class {class}: {counts:?}");
    }
}

#[test]
fn a_hundred_systems_of_discs_are_the_same_under_every_scheme() {
    every_scheme_agrees::<2>(0..100);
}

#[test]
fn a_hundred_systems_of_spheres_are_the_same_under_every_scheme() {
    every_scheme_agrees::<3>(100..200);
}
