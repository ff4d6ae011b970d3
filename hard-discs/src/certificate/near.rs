//! Who may have come near whom: cells that the certificate keeps for itself.
//!
//! Every particle is filed where it is, and filed anew before it has flown further than its reach from there. Two that are filed
//! further apart than the sum of their radii and reaches have not touched since. Particles of very different sizes lie in
//! different layers of cells, each as wide as its own particles need.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::geometry::{length, place};
use crate::disc::Particle;
use crate::vector::Vector;
use crate::walls::Walls;

/// Fewer are all near each other.
const FEW: usize = 64;

/// Who may have come near whom.
pub(super) struct Near<const D: usize> {
    walls: Walls<D>,
    layers: Vec<Layer<D>>,
    filed: Vec<Filed<D>>,
    /// When each must be filed anew.
    due: BTreeSet<Due>,
}

/// The cells for particles of about one size.
struct Layer<const D: usize> {
    /// The largest radius, and how far a particle may fly from where it is filed.
    radius: f64,
    reach: f64,
    width: Vector<D>,
    count: [usize; D],
    cells: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Filed<const D: usize> {
    layer: usize,
    cell: usize,
    at: Vector<D>,
    due: f64,
}

#[derive(Clone, Copy)]
struct Due(f64, u32);

impl Ord for Due {
    fn cmp(&self, other: &Due) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Due {}

impl<const D: usize> Near<D> {
    /// Files all particles, each at its own time. In a box without an end all are near each other.
    pub(super) fn new(particles: &[Particle<D>], walls: &Walls<D>) -> Near<D> {
        let is_one = particles.len() <= FEW || !walls.volume().is_finite();
        let smallest = particles.iter().map(|p| p.radius).fold(f64::INFINITY, f64::min);
        // Powers of two in size.
        let size = |p: &Particle<D>| if is_one { 0 } else { (p.radius / smallest).log2() as i32 };
        let mut sizes: Vec<i32> = particles.iter().map(size).collect();
        let layer_of = sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let layers = sizes.iter().map(|&wanted| {
            let radii = || particles.iter().filter(|p| size(p) == wanted).map(|p| p.radius);
            let radius = radii().fold(0.0, f64::max);
            if is_one { Layer::of_all(radius) } else { Layer::new(radius, radii().count(), particles.len(), walls) }
        });
        let mut near = Near { walls: *walls, layers: layers.collect(), filed: Vec::new(), due: BTreeSet::new() };
        for (i, (particle, size)) in particles.iter().zip(layer_of).enumerate() {
            let layer = sizes.partition_point(|&other| other < size);
            let (at, due) = (particle.position, near.due(layer, particle, particle.time));
            let cell = near.layers[layer].cell(at, walls);
            near.layers[layer].cells[cell].push(i as u32);
            near.filed.push(Filed { layer, cell, at, due });
            near.due.insert(Due(due, i as u32));
        }
        near
    }

    fn due(&self, layer: usize, particle: &Particle<D>, t: f64) -> f64 {
        // A hair sooner, so that rounding takes nobody further. Who is so fast that the clock does not show it is late.
        let due = t + 0.999999 * self.layers[layer].reach / length(particle.velocity);
        if due.is_nan() { f64::INFINITY } else { due.max(t.next_up()) }
    }

    /// The first that must be filed anew at or before `t`, and when.
    pub(super) fn overdue(&self, t: f64) -> Option<(usize, f64)> {
        self.due.first().filter(|due| due.0 <= t).map(|&Due(due, i)| (i as usize, due))
    }

    /// Files a particle where it is at time `t`.
    pub(super) fn file(&mut self, i: usize, particle: &Particle<D>, t: f64) {
        let Filed { layer, cell, due, .. } = self.filed[i];
        let at = place(particle, t);
        let next =
            Filed { layer, cell: self.layers[layer].cell(at, &self.walls), at, due: self.due(layer, particle, t) };
        if next.cell != cell {
            let cells = &mut self.layers[layer].cells;
            cells[cell].retain(|&other| other != i as u32);
            cells[next.cell].push(i as u32);
        }
        if next.due != due {
            self.due.remove(&Due(due, i as u32));
            self.due.insert(Due(next.due, i as u32));
        }
        self.filed[i] = next;
    }

    /// Calls `visit` with all others that a particle may have touched since the two were filed, and perhaps more.
    pub(super) fn around(&self, i: usize, mut visit: impl FnMut(usize)) {
        let Filed { layer, at, .. } = self.filed[i];
        let own = self.layers[layer].radius + self.layers[layer].reach;
        for other in &self.layers {
            other.within(at, own + other.radius + other.reach, &self.walls, |j| {
                if j != i {
                    visit(j);
                }
            });
        }
    }
}

impl<const D: usize> Layer<D> {
    /// One cell for all, whatever they do.
    fn of_all(radius: f64) -> Layer<D> {
        Layer { radius, reach: f64::INFINITY, width: [f64::INFINITY; D], count: [1; D], cells: vec![Vec::new()] }
    }

    /// Cells for so many of all particles.
    fn new(radius: f64, some: usize, all: usize, walls: &Walls<D>) -> Layer<D> {
        let spacing = |n: usize| (walls.volume() / n as f64).powf(1.0 / D as f64);
        // Far enough that filing anew is rare, near enough that few are around.
        let reach = (0.5 * radius).max(0.5 * spacing(all) - radius);
        let lengths = walls.lengths();
        let cut = |width: f64| lengths.map(|length| (length / width).max(1.0));
        let mut width = (2.0 * (radius + reach)).max(spacing(some));
        // A box much longer than wide has more cells of a width than its volume says.
        while cut(width).iter().product::<f64>() > 8.0 * some as f64 {
            width *= 2.0;
        }
        let count = cut(width).map(|count| count as usize);
        let width = std::array::from_fn(|axis| lengths[axis] / count[axis] as f64);
        Layer { radius, reach, width, count, cells: vec![Vec::new(); count.iter().product()] }
    }

    /// The number of a cell's row, column and so on, of which those beyond an edge are images or not there.
    fn step(&self, x: f64, axis: usize, walls: &Walls<D>) -> i64 {
        if self.count[axis] == 1 { 0 } else { ((x - walls.low[axis]) / self.width[axis]).floor() as i64 }
    }

    fn wrapped(&self, step: i64, axis: usize, walls: &Walls<D>) -> usize {
        let count = self.count[axis] as i64;
        (if walls.periodic[axis] { step.rem_euclid(count) } else { step.clamp(0, count - 1) }) as usize
    }

    fn cell(&self, at: Vector<D>, walls: &Walls<D>) -> usize {
        (0..D)
            .rev()
            .fold(0, |cell, axis| cell * self.count[axis] + self.wrapped(self.step(at[axis], axis, walls), axis, walls))
    }

    /// Calls `visit` with all in the cells that reach into a distance of a place along every axis.
    fn within(&self, at: Vector<D>, distance: f64, walls: &Walls<D>, mut visit: impl FnMut(usize)) {
        let mut first = [0; D];
        let mut many = [1; D];
        for axis in 0..D {
            // What rounding may do to where an edge is.
            let distance = distance + 1e-6 * self.width[axis];
            let [low, high] = [-distance, distance].map(|d| self.step(at[axis] + d, axis, walls));
            let count = self.count[axis] as i64;
            // What is beyond a wall is filed at it.
            let [low, high] =
                if walls.periodic[axis] { [low, high] } else { [low, high].map(|step| step.clamp(0, count - 1)) };
            (first[axis], many[axis]) = (low, (high - low + 1).min(count));
        }
        for code in 0..many.iter().product::<i64>() {
            let (mut rest, mut cell, mut stride) = (code, 0, 1);
            for axis in 0..D {
                cell += stride * self.wrapped(first[axis] + rest % many[axis], axis, walls);
                rest /= many[axis];
                stride *= self.count[axis];
            }
            self.cells[cell].iter().for_each(|&j| visit(j as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use saltus::Stream;

    use super::super::geometry::{Images, ahead, product};
    use super::*;

    /// Whether two that fly straight touch between two times.
    fn touch<const D: usize>(a: &Particle<D>, b: &Particle<D>, from: f64, to: f64, walls: &Walls<D>) -> bool {
        let (dr, dv) = (ahead(place(b, from), -1.0, place(a, from)), ahead(b.velocity, -1.0, a.velocity));
        let sigma = a.radius + b.radius;
        Images::met(walls, dr, ahead(dr, to - from, dv), sigma).any(|shift| {
            let dr = ahead(dr, 1.0, shift);
            let nearest = (-product(dr, dv) / product(dv, dv)).clamp(0.0, to - from);
            length(ahead(dr, nearest, dv)) < sigma
        })
    }

    /// Ghosts that fly through each other and the walls, of sizes from one to `ratio`; now and then one turns.
    fn ghosts<const D: usize>(n: usize, ratio: f64, periodic: [bool; D], seed: u64) {
        let mut random = Stream::new(seed, 0, 0);
        let walls = Walls { periodic, ..Walls::periodic(std::array::from_fn(|axis| 8.0 + axis as f64)) };
        let mut all: Vec<Particle<D>> = (0..n)
            .map(|_| {
                let position = std::array::from_fn(|axis| walls.high[axis] * random.uniform());
                let velocity = std::array::from_fn(|_| random.normal(0.0, 1.0));
                Particle::new(position, velocity, 0.3 * ratio.powf(-random.uniform()), 1.0)
            })
            .collect();
        let (mut touched, mut found, mut looks) = (BTreeSet::new(), BTreeSet::new(), 0);
        let mut near = Near::new(&all, &walls);
        let mut cleared = vec![0.0f64; n];
        for turn in 1..=60 {
            let (last, now) = (0.1 * f64::from(turn - 1), 0.1 * f64::from(turn));
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (j, i)));
            touched.extend(pairs.filter(|&(j, i)| touch(&all[i], &all[j], last, now, &walls)));
            let who = (random.uniform() * n as f64) as usize;
            while let Some((i, t)) = near.overdue(now).or(Some((who, now)).filter(|_| cleared[who] < now)) {
                near.around(i, |j| {
                    looks += 1;
                    if touch(&all[i], &all[j], cleared[i].max(cleared[j]), t, &walls) {
                        found.insert((i.min(j), i.max(j)));
                    }
                });
                if (i, t) == (who, now) {
                    let velocity = std::array::from_fn(|_| random.normal(0.0, 1.0));
                    all[i] = Particle { position: place(&all[i], t), velocity, time: t, ..all[i] };
                }
                cleared[i] = t;
                near.file(i, &all[i], t);
            }
        }
        for i in 0..n {
            near.around(i, |j| {
                if touch(&all[i], &all[j], cleared[i].max(cleared[j]), 6.0, &walls) {
                    found.insert((i.min(j), i.max(j)));
                }
            });
        }
        assert!(touched.len() > 5, "{} pairs", touched.len());
        assert_eq!(found, touched, "ratio {ratio}, {periodic:?}");
        assert!(looks > 0 && near.filed.len() == n && near.due.len() == n);
    }

    #[test]
    fn all_that_touch_are_near_each_other() {
        for seed in 0..4 {
            for ratio in [1.0, 3.0, 100.0] {
                ghosts::<2>(200, ratio, [true; 2], seed);
                ghosts::<2>(200, ratio, [true, false], seed);
                ghosts::<3>(200, ratio, [true; 3], seed);
                ghosts::<3>(200, ratio, [false; 3], seed);
            }
        }
    }

    #[test]
    fn few_are_near_in_a_large_box_and_all_in_none() {
        let line = |n: usize| (0..n).map(|i| Particle::new([i as f64 + 0.5, 0.5], [1.0, 0.0], 0.25, 1.0)).collect();
        let many = |list: Vec<Particle<2>>, walls: &Walls<2>| {
            let near = Near::new(&list, walls);
            let mut count = 0;
            (0..list.len()).for_each(|i| near.around(i, |_| count += 1));
            count
        };
        let walls = Walls { high: [200.0, 1.0], ..Walls::periodic([200.0, 1.0]) };
        assert!(many(line(200), &walls) < 200 * 8);
        assert_eq!(many(line(200), &Walls::NONE), 200 * 199);
        assert_eq!(many(line(FEW), &walls), FEW * (FEW - 1));
        assert_eq!(many(Vec::new(), &walls), 0);
    }
}
