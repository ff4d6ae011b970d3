//! Particles on a lattice: triangular in the plane, face-centred cubic in space.

use super::{Filled, MOST, StartError, in_local_order};
use crate::disc::{Particle, TOUCH};
use crate::theory::{ball, close_packing};
use crate::vector::{Vector, dot};
use crate::walls::Walls;

/// `n` particles of radius 1/2 and mass 1 at rest, which cover this part of the box.
///
/// The box has the shape that the lattice fits, as near to a square or a cube as `n` allows. If no number of whole rows holds
/// exactly `n`, some sites are left empty, evenly spread.
pub fn lattice<const D: usize>(n: usize, fraction: f64, periodic: [bool; D]) -> Result<Filled<D>, StartError> {
    check_density::<D>(n, fraction)?;
    let cells = best_cells::<D>(n);
    let natural: Vector<D> = std::array::from_fn(|axis| cells[axis] as f64 * shape(D, axis));
    let volume = n as f64 * ball(D, 0.5) / fraction;
    let scale = (volume / natural.iter().product::<f64>()).powf(1.0 / D as f64);
    let walls = Walls { periodic, ..Walls::periodic(natural.map(|length| scale * length)) };
    Ok((lattice_in(n, cells, walls)?, walls))
}

/// `n` particles of radius 1/2 and mass 1 at rest on a lattice of so many cells along each axis, stretched to fit a box. A cell
/// of the triangular lattice holds two particles, one of the face-centred cubic one four.
pub fn lattice_in<const D: usize>(
    n: usize,
    cells: [usize; D],
    walls: Walls<D>,
) -> Result<Vec<Particle<D>>, StartError> {
    const RADIUS: f64 = 0.5;
    let lengths = walls.lengths();
    // From walls the outermost sites keep a radius, across periodic axes a quarter of a cell.
    let margin: Vector<D> =
        std::array::from_fn(|axis| if walls.periodic[axis] { 0.0 } else { 0.25 / cells[axis] as f64 });
    let rim: Vector<D> = std::array::from_fn(|axis| if walls.periodic[axis] { 0.0 } else { RADIUS });
    let span: Vector<D> = std::array::from_fn(|axis| (lengths[axis] - 2.0 * rim[axis]) / (1.0 - 2.0 * margin[axis]));
    let half: Vector<D> = std::array::from_fn(|axis| 0.5 * span[axis] / cells[axis] as f64);
    let distance = nearest(half);
    // A lattice of NaN fits as little as one that is too dense.
    let fits = distance >= 2.0 * RADIUS * (1.0 - TOUCH);
    if n > 1 && !fits {
        let fraction = n as f64 * ball(D, RADIUS) / walls.volume();
        return Err(StartError::NoLattice { n, fraction, distance });
    }
    let sites = basis(D).len() * cells.iter().product::<usize>();
    let site = |k: usize| -> Vector<D> {
        let (mut cell, corner) = (k / basis(D).len(), basis(D)[k % basis(D).len()]);
        std::array::from_fn(|axis| {
            let place = ((cell % cells[axis]) as f64 + corner[axis]) / cells[axis] as f64;
            cell /= cells[axis];
            walls.low[axis] + rim[axis] + (place - margin[axis]) * span[axis]
        })
    };
    let mut particles = Vec::with_capacity(n);
    let kept = |i: usize| (i as u128 * sites as u128 / n as u128) as usize;
    particles.extend((0..n).map(|i| Particle::new(site(kept(i)), [0.0; D], RADIUS, 1.0)));
    in_local_order(&mut particles, &walls);
    Ok(particles)
}

/// Whether there can be a gas of `n` particles that covers this part of its box, as far as that can be told at once.
pub fn check_density<const D: usize>(n: usize, fraction: f64) -> Result<(), StartError> {
    if n == 0 {
        return Err(StartError::Nobody);
    }
    if n > MOST {
        return Err(StartError::TooMany { n });
    }
    if fraction > 0.0 && fraction <= close_packing(D) {
        return Ok(());
    }
    Err(StartError::Impossible { n, radius: 0.5, fraction, most: close_packing(D) })
}

/// Where the particles of a cell are.
fn basis(dim: usize) -> &'static [[f64; 3]] {
    const PLANE: [[f64; 3]; 2] = [[0.25, 0.25, 0.0], [0.75, 0.75, 0.0]];
    const SPACE: [[f64; 3]; 4] = [[0.25, 0.25, 0.25], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75], [0.25, 0.75, 0.75]];
    if dim == 2 { &PLANE } else { &SPACE }
}

/// The proportions of a cell.
fn shape(dim: usize, axis: usize) -> f64 {
    if dim == 2 && axis == 1 { 3f64.sqrt() } else { 1.0 }
}

/// The least distance of two sites, `half` being half of a cell.
fn nearest<const D: usize>(half: Vector<D>) -> f64 {
    let along = half.iter().map(|h| 2.0 * h);
    let across = (0..D).flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| half[a].hypot(half[b]));
    along.chain(across).fold(f64::INFINITY, f64::min)
}

/// The numbers of cells with few empty sites in a box of nearly equal lengths. A hundredth of empty sites weighs as much as
/// lengths that differ by a half.
fn best_cells<const D: usize>(n: usize) -> [usize; D] {
    let cells = n as f64 / basis(D).len() as f64;
    let shapes: Vector<D> = std::array::from_fn(|axis| shape(D, axis));
    let edge = (cells * shapes.iter().product::<f64>()).powf(1.0 / D as f64);
    let from = shapes.map(|shape| (0.75 * edge / shape).floor().max(1.0) as usize);
    let choices = shapes.map(|shape| (0.5 * edge / shape).ceil() as usize + 2);
    let mut best = (f64::INFINITY, [1; D]);
    for code in 0..choices.iter().product::<usize>() {
        let mut rest = code;
        let cells: [usize; D] = std::array::from_fn(|axis| {
            let count = from[axis] + rest % choices[axis];
            rest /= choices[axis];
            count
        });
        let sites = basis(D).len() * cells.iter().product::<usize>();
        let logs: Vector<D> = std::array::from_fn(|axis| (cells[axis] as f64 * shapes[axis]).ln());
        let mean = logs.iter().sum::<f64>() / D as f64;
        let spread = logs.map(|log| log - mean);
        let cost = (sites as f64 / n.max(1) as f64 - 1.0) + 0.05 * dot(spread, spread);
        if sites >= n && cost < best.0 {
            best = (cost, cells);
        }
    }
    best.1
}
