//! Snapshots in the format `.sph`: the number of particles, the three lengths of the box, then a line each of
//! `letter x y z radius`, the letter naming the particle's type.
//!
//! The box begins at the origin. Places beyond it are images of places in it, if the box is periodic. There are no velocities and
//! no masses; all masses are 1. A snapshot of discs has them all in one plane, whose z and the box's third length mean nothing.
//! Lines that begin with # and empty ones are skipped.

use std::io::{self, Write};
use std::path::Path;

use crate::disc::Particle;
use crate::input::{InputError, Problem, cut, name, number, read_text};
use crate::model::{HardSpheres, Schedule};
use crate::state::{LARGEST, StateError};
use crate::vector::Vector;
use crate::walls::Walls;

/// A snapshot as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The file's name.
    pub file: String,
    /// The box.
    pub lengths: Vector<3>,
    /// The particles.
    pub entries: Vec<Entry>,
}

/// A particle of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its type, from a to z.
    pub letter: u8,
    /// Its line in the file, counted from 1.
    pub line: u32,
    /// Where its centre is.
    pub position: Vector<3>,
    /// Its radius.
    pub radius: f64,
}

/// Reads a snapshot from a file, or from standard input if it is called `-`.
pub fn read(path: &Path) -> Result<Snapshot, InputError> {
    let text = read_text(path)?;
    let file = name(path);
    match parse(&text) {
        Ok(snapshot) => Ok(Snapshot { file, ..snapshot }),
        Err((line, problem)) => Err(InputError { file, line, problem }),
    }
}

/// Reads a snapshot from a text; an error comes with its line.
pub fn parse(text: &str) -> Result<Snapshot, (Option<usize>, Problem)> {
    let lines = text.lines().zip(1..).map(|(text, line)| (line, text.trim()));
    let mut lines = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
    let (first_line, first) = lines.next().ok_or((None, Problem::Empty))?;
    let announced: usize = first.parse().map_err(|_| (Some(first_line), Problem::NotACount(cut(first))))?;
    let (line, second) = lines.next().ok_or((Some(first_line), Problem::NoBox))?;
    let lengths = parse_box(second).map_err(|problem| (Some(line), problem))?;
    let mut entries = Vec::with_capacity(announced.min(text.len() / 10));
    for (line, text) in lines {
        if entries.len() == announced {
            return Err((Some(line), Problem::WrongCount { announced, found: announced + 1 }));
        }
        let entry = parse_entry(text, line as u32, entries.len()).map_err(|problem| (Some(line), problem))?;
        entries.push(entry);
    }
    if entries.len() < announced {
        return Err((Some(first_line), Problem::WrongCount { announced, found: entries.len() }));
    }
    Ok(Snapshot { file: String::new(), lengths, entries })
}

fn parse_box(text: &str) -> Result<Vector<3>, Problem> {
    let wrong = || Problem::NotABox(cut(text));
    let mut lengths = [0.0f64; 3];
    let mut fields = text.split_whitespace();
    for length in &mut lengths {
        *length = fields.next().ok_or_else(wrong)?.parse().map_err(|_| wrong())?;
    }
    let is_box = fields.next().is_none() && lengths.iter().all(|length| length.is_finite() && *length > 0.0);
    if is_box { Ok(lengths) } else { Err(wrong()) }
}

fn parse_entry(text: &str, line: u32, disc: usize) -> Result<Entry, Problem> {
    let mut fields = text.split_whitespace();
    let count = fields.clone().count();
    if count != 5 {
        return Err(Problem::WrongSnapshotFields(count));
    }
    let letter = match fields.next().map(str::as_bytes) {
        Some(&[letter @ b'a'..=b'z']) => letter,
        other => return Err(Problem::NotAType(cut(&String::from_utf8_lossy(other.unwrap_or_default())))),
    };
    let mut numbers = [0.0; 4];
    for ((value, what), text) in numbers.iter_mut().zip(["x", "y", "z", "radius"]).zip(fields) {
        *value = number(what, text)?;
        if !value.is_finite() {
            return Err(StateError::NotFinite { disc, what, value: *value }.into());
        }
        if value.abs() > LARGEST {
            return Err(StateError::OutOfRange { disc, what, value: *value }.into());
        }
    }
    let [x, y, z, radius] = numbers;
    Ok(Entry { letter, line, position: [x, y, z], radius })
}

impl Snapshot {
    /// Whether all centres lie in one plane of constant z, as those of discs do.
    pub fn is_flat(&self) -> bool {
        self.entries.windows(2).all(|pair| pair[0].position[2] == pair[1].position[2])
    }

    /// The particles at rest, inside of a box that is periodic across these axes and has walls across the others.
    pub fn particles<const D: usize>(&self, periodic: [bool; D]) -> (Vec<Particle<D>>, Walls<D>) {
        let first = |all: Vector<3>| std::array::from_fn(|axis| all[axis]);
        let walls = Walls { periodic, ..Walls::periodic(first(self.lengths)) };
        let particle = |entry: &Entry| Particle::new(walls.wrap(first(entry.position)), [0.0; D], entry.radius, 1.0);
        (self.entries.iter().map(particle).collect(), walls)
    }

    /// The types.
    pub fn letters(&self) -> Vec<u8> {
        self.entries.iter().map(|entry| entry.letter).collect()
    }

    /// What is wrong with the particles, with the place in the file.
    pub fn explain(&self, error: StateError) -> InputError {
        let line = match &error {
            StateError::NoBox { .. } => None,
            error => self.entries.get(error.disc()).map(|entry| entry.line as usize),
        };
        InputError { file: self.file.clone(), line, problem: error.into() }
    }
}

/// Writes all particles as they are at time `t`, with the types that they were read with, else one type for each radius: a for
/// the smallest. Of more than 26 radii the largest share a letter. Every number reads back to the same bits if the box begins
/// at the origin.
pub fn write<const D: usize, S: Schedule>(
    out: &mut impl Write,
    model: &HardSpheres<D, S>,
    t: f64,
    letters: &[u8],
) -> io::Result<()> {
    let radii = sizes(model);
    let lengths = model.walls().lengths();
    // Discs lie in the middle of a flat box that is wide enough for six of the largest.
    let depth = if D == 2 { 12.0 * radii.last().copied().unwrap_or(0.5) } else { 0.0 };
    let third = |all: Vector<D>, flat: f64| all.get(2).copied().unwrap_or(flat);
    writeln!(out, "{}\n{} {} {}", model.len(), lengths[0], lengths[1], third(lengths, depth))?;
    for (i, place) in model.positions_at(t).enumerate() {
        let radius = model.disc(i).radius;
        let kind = radii.partition_point(|&other| other < radius).min(25) as u8;
        let letter = char::from(letters.get(i).copied().unwrap_or(b'a' + kind));
        let place: Vector<D> = std::array::from_fn(|axis| place[axis] - model.walls().low[axis]);
        writeln!(out, "{letter} {} {} {} {radius}", place[0], place[1], third(place, 0.5 * depth))?;
    }
    Ok(())
}

/// All radii, the smallest first.
fn sizes<const D: usize, S: Schedule>(model: &HardSpheres<D, S>) -> Vec<f64> {
    let mut radii: Vec<f64> = Vec::new();
    for i in 0..model.len() {
        let radius = model.disc(i).radius;
        if radii.last() != Some(&radius) {
            radii.push(radius);
        }
    }
    radii.sort_unstable_by(f64::total_cmp);
    radii.dedup();
    radii
}
