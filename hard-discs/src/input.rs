//! The textbook's format: the number of discs, then a line each of `rx ry vx vy radius mass` and, if wanted, `r g b`. A mass of
//! `inf` makes a fixed obstacle, whose velocity must be 0.

use std::fmt::{self, Write as _};
use std::io::Read;
use std::path::Path;

use crate::disc::Disc;
use crate::model::{HardDiscs, HardSpheres, Schedule};
use crate::state::StateError;
use crate::walls::Walls;

/// What is wrong with an input, and where.
#[derive(Debug)]
pub struct InputError {
    /// The file's name.
    pub file: String,
    /// The line, counted from 1; `None` if it is the file as a whole.
    pub line: Option<usize>,
    /// The rule that was broken.
    pub problem: Problem,
}

/// The rule that an input broke.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is not text.
    #[error("is not a text file")]
    NotText,
    /// It holds nothing.
    #[error("is empty; the first line must be the number of particles")]
    Empty,
    /// The first line is something else.
    #[error("\"{0}\" is not a number of particles")]
    NotACount(String),
    /// Too few or too many lines.
    #[error("{announced} particles are announced, but {found} follow")]
    WrongCount {
        /// As the first line says.
        announced: usize,
        /// Lines that follow.
        found: usize,
    },
    /// Too few or too many numbers.
    #[error("{0} fields; a disc has 6 (rx ry vx vy radius mass) or 9 (and r g b)")]
    WrongFields(usize),
    /// A field that is no number.
    #[error("{field}: \"{text}\" is not a number")]
    NotANumber {
        /// Which field.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// A number that only looks infinite.
    #[error("mass: {0} is beyond all numbers; a fixed obstacle's mass is inf")]
    TooHeavy(String),
    /// A colour that is not one.
    #[error("{field}: {text} is not a colour from 0 to 255")]
    NotAColour {
        /// Which field.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// The second line of a snapshot is missing.
    #[error("ends before the box; the second line must be its three lengths")]
    NoBox,
    /// The second line of a snapshot is something else.
    #[error("\"{0}\" is no box: three lengths above zero")]
    NotABox(String),
    /// Too few or too many fields of a snapshot.
    #[error("{0} fields; a particle of a snapshot has 5 (letter x y z radius)")]
    WrongSnapshotFields(usize),
    /// A type that is none.
    #[error("\"{0}\" is not a type: types are letters from a to z")]
    NotAType(String),
    /// The discs cannot be where they are.
    #[error(transparent)]
    State(#[from] StateError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for InputError {}

/// Reads a file, or standard input if it is called `-`, into the unit box.
pub fn read(path: &Path) -> Result<HardDiscs, InputError> {
    parse(&read_text(path)?).map_err(|(line, problem)| InputError { file: name(path), line, problem })
}

/// What a file is called in messages.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a file, or standard input if it is called `-`.
pub(crate) fn read_text(path: &Path) -> Result<String, InputError> {
    let fail = |problem| InputError { file: name(path), line: None, problem };
    let mut bytes = Vec::new();
    let outcome = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    outcome.map_err(|error| fail(error.into()))?;
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(fail(Problem::NotText)),
    }
}

/// Reads discs from a text; an error comes with its line.
pub fn parse(text: &str) -> Result<HardDiscs, (Option<usize>, Problem)> {
    let mut lines = text.lines().zip(1..).map(|(text, line)| (line, text.trim())).filter(|(_, text)| !text.is_empty());
    let (line, first) = lines.next().ok_or((None, Problem::Empty))?;
    let announced: usize = first.parse().map_err(|_| (Some(line), Problem::NotACount(cut(first))))?;
    let mut discs = Vec::new();
    let mut places = Vec::new();
    for (line, text) in lines {
        if discs.len() == announced {
            let found = announced + 1;
            return Err((Some(line), Problem::WrongCount { announced, found }));
        }
        discs.push(parse_disc(text).map_err(|problem| (Some(line), problem))?);
        places.push(line);
    }
    if discs.len() < announced {
        return Err((Some(line), Problem::WrongCount { announced, found: discs.len() }));
    }
    HardDiscs::new(discs, Walls::UNIT).map_err(|error| (places.get(error.disc()).copied(), error.into()))
}

fn parse_disc(text: &str) -> Result<Disc, Problem> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() != 6 && fields.len() != 9 {
        return Err(Problem::WrongFields(fields.len()));
    }
    let mut numbers = [0.0; 6];
    for ((value, field), text) in numbers.iter_mut().zip(["rx", "ry", "vx", "vy", "radius", "mass"]).zip(&fields) {
        *value = number(field, text)?;
    }
    let [rx, ry, vx, vy, radius, mass] = numbers;
    if mass == f64::INFINITY && fields[5] != "inf" {
        return Err(Problem::TooHeavy(cut(fields[5])));
    }
    let mut disc = Disc::new([rx, ry], [vx, vy], radius, mass);
    if fields.len() == 9 {
        let mut colour = [0; 3];
        for ((part, field), text) in colour.iter_mut().zip(["r", "g", "b"]).zip(&fields[6..]) {
            *part = text.parse().map_err(|_| Problem::NotAColour { field, text: cut(text) })?;
        }
        disc.colour = Some(colour);
    }
    Ok(disc)
}

/// The number in a field.
pub(crate) fn number(field: &'static str, text: &str) -> Result<f64, Problem> {
    text.parse().map_err(|_| Problem::NotANumber { field, text: cut(text) })
}

/// As much of a text as an error message should quote.
pub(crate) fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().count() > 40 {
        short.push_str("...");
    }
    short
}

/// Writes all discs as they are at time `t`. Every number reads back to the same bits.
///
/// Spheres have three coordinates each, which [`read`] does not know: for them there are [snapshots](crate::sph).
pub fn write<const D: usize, S: Schedule>(model: &HardSpheres<D, S>, t: f64) -> String {
    let mut text = format!("{}\n", model.len());
    for (i, place) in model.positions_at(t).enumerate() {
        let disc = model.disc(i);
        // Writing to a String cannot fail.
        for number in place.into_iter().chain(disc.velocity) {
            let _ = write!(text, "{number} ");
        }
        let _ = write!(text, "{} {}", disc.radius, disc.mass);
        if let Some([r, g, b]) = disc.colour {
            let _ = write!(text, " {r} {g} {b}");
        }
        text.push('\n');
    }
    text
}
