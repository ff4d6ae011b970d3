//! Where the particles of a run come from: the textbook's start states and files, snapshots, and gases at a density.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hard_discs::sph::{self, Snapshot};
use hard_discs::starts::{Filled, Start, StartError, grow_watched, insertion, lattice, maxwell};
use hard_discs::{HardDiscs, HardSpheres, Particle, Schedule, Walls, input};
use saltus::BoxError;
use saltus::log::LogHeader;

use super::progress::Progress;
use super::source::{Making, number, positive, refuse};

/// Where the particles come from, and how they are made if they are not read.
#[derive(clap::Args)]
pub(crate) struct Source {
    #[command(flatten)]
    origin: Origin,
    #[command(flatten)]
    making: Making,
    /// Discs (2) or spheres (3); a snapshot whose particles lie in one plane is of discs [default: 2]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(2..=3))]
    dim: Option<u8>,
    /// Walls, or a box that goes on from the other side [default: box for the textbook's starts and files, else periodic]
    #[arg(long, value_enum)]
    boundary: Option<Boundary>,
    /// The part of the box that is covered, for `--start random|lattice|grow`; radii are 1/2, masses 1
    #[arg(long, value_name = "F", value_parser = positive, allow_negative_numbers = true)]
    eta: Option<f64>,
    /// How many particles [default: 1000; the textbook's starts have their own]
    #[arg(short = 'N', value_name = "N", value_parser = number, allow_negative_numbers = true)]
    n: Option<usize>,
    /// Temperature that velocities are drawn at, for gases and snapshots [default: 1]
    #[arg(long = "kT", value_name = "T", value_parser = positive, allow_negative_numbers = true)]
    kt: Option<f64>,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Origin {
    /// A file in the textbook's format: N, then `rx ry vx vy radius mass [r g b]` a line, a mass of inf being that of a fixed
    /// obstacle; or a snapshot FILE.sph: N, the box, then `letter x y z radius` a line; - is standard input, in the textbook's
    /// format
    file: Option<PathBuf>,
    /// A gas with `--eta`: random, lattice (triangular or face-centred cubic), grow (from random places); a start state as
    /// `make` writes it: billiards, cradle, pendulum, brownian, diffusion, squeeze, wrecking-ball, random; or a file
    #[arg(long, value_name = "NAME|FILE")]
    start: Option<PathBuf>,
    /// That many discs at random places in the unit box
    #[arg(long, value_name = "N")]
    random: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Boundary {
    Box,
    Periodic,
}

/// Particles in their box, and what is known of them besides.
pub(crate) struct Loaded<const D: usize> {
    particles: Vec<Particle<D>>,
    walls: Walls<D>,
    /// The types of a snapshot.
    letters: Vec<u8>,
    snapshot: Option<Snapshot>,
}

/// Discs or spheres.
pub(crate) enum Either {
    Discs(Loaded<2>),
    Spheres(Loaded<3>),
}

impl<const D: usize> Loaded<D> {
    fn made((particles, walls): Filled<D>) -> Loaded<D> {
        Loaded { particles, walls, letters: Vec::new(), snapshot: None }
    }

    /// The particles as a model, and their types.
    pub(crate) fn model<S: Schedule>(self) -> Result<(HardSpheres<D, S>, Vec<u8>), BoxError> {
        let snapshot = self.snapshot;
        match HardSpheres::new(self.particles, self.walls) {
            Ok(model) => Ok((model, self.letters)),
            Err(error) => {
                Err(snapshot.map_or_else(|| BoxError::from(error.clone()), |file| file.explain(error.clone()).into()))
            }
        }
    }
}

/// What the origin's name means.
enum Meaning<'a> {
    Textbook(Start),
    Gas(Gas),
    Snapshot(&'a Path),
    File(&'a Path),
}

#[derive(Clone, Copy, PartialEq)]
enum Gas {
    Random,
    Lattice,
    Grow,
}

impl Source {
    /// Whether it is a gas or a snapshot, whose pressure is of interest.
    pub(crate) fn is_gas(&self) -> bool {
        matches!(self.meaning(), Meaning::Gas(_) | Meaning::Snapshot(_))
    }

    /// What to call the particles.
    pub(crate) fn title(&self) -> String {
        match self.meaning() {
            Meaning::Textbook(start) => start.title().to_owned(),
            Meaning::Gas(_) => "Gas".to_owned(),
            Meaning::Snapshot(path) | Meaning::File(path) if path.as_os_str() == "-" => "standard input".to_owned(),
            Meaning::Snapshot(path) | Meaning::File(path) => path.file_name().unwrap_or_default().display().to_string(),
        }
    }

    /// Reads or makes the particles; what would not be looked at is refused.
    pub(crate) fn load(&self) -> Result<Either, BoxError> {
        match self.meaning() {
            Meaning::Textbook(start) => {
                let what = format!("start state {}", name(start));
                self.refuse_gas_options(&what)?;
                refuse("-N", self.n.is_some() && !start.has_small_discs(), &what)?;
                let n = self.origin.random.or(self.n);
                Ok(Either::Discs(self.textbook(&self.making.make(start, n)?)))
            }
            Meaning::File(path) => {
                self.refuse_gas_options("discs from a file")?;
                self.refuse_making("discs from a file")?;
                refuse("--seed", self.making.seed.is_some(), "discs from a file")?;
                Ok(Either::Discs(self.textbook(&input::read(path)?)))
            }
            Meaning::Snapshot(path) => {
                self.refuse_making("a snapshot")?;
                refuse("--eta", self.eta.is_some(), "a snapshot")?;
                let snapshot = sph::read(path)?;
                match self.dim.unwrap_or(if snapshot.is_flat() { 2 } else { 3 }) {
                    2 => Ok(Either::Discs(self.read(snapshot))),
                    _ => Ok(Either::Spheres(self.read(snapshot))),
                }
            }
            Meaning::Gas(gas) => {
                refuse("--radius", self.making.radius.is_some(), "a gas at a density: radii are 1/2")?;
                match self.dim {
                    Some(3) => Ok(Either::Spheres(self.gas(gas)?)),
                    _ => Ok(Either::Discs(self.gas(gas)?)),
                }
            }
        }
    }

    fn meaning(&self) -> Meaning<'_> {
        let named = match (&self.origin.file, &self.origin.start) {
            (Some(path), _) => return file(path),
            (None, None) => return Meaning::Textbook(Start::Random),
            (None, Some(named)) => named,
        };
        match named.to_str() {
            Some("lattice") => Meaning::Gas(Gas::Lattice),
            Some("grow") => Meaning::Gas(Gas::Grow),
            Some("random") if self.eta.is_some() => Meaning::Gas(Gas::Random),
            text => match text.and_then(|text| Start::from_str(text, false).ok()) {
                Some(start) => Meaning::Textbook(start),
                None => file(named),
            },
        }
    }

    fn refuse_gas_options(&self, what: &str) -> Result<(), BoxError> {
        refuse("--eta", self.eta.is_some(), what)?;
        refuse("--kT", self.kt.is_some(), what)?;
        refuse("--dim 3", self.dim == Some(3), what)
    }

    fn refuse_making(&self, what: &str) -> Result<(), BoxError> {
        refuse("-N", self.n.is_some(), what)?;
        refuse("--radius", self.making.radius.is_some(), what)
    }

    fn periodic<const D: usize>(&self, otherwise: Boundary) -> [bool; D] {
        [self.boundary.unwrap_or(otherwise) == Boundary::Periodic; D]
    }

    fn textbook(&self, model: &HardDiscs) -> Loaded<2> {
        let walls = Walls { periodic: self.periodic(Boundary::Box), ..*model.walls() };
        Loaded::made((model.discs(), walls))
    }

    fn read<const D: usize>(&self, snapshot: Snapshot) -> Loaded<D> {
        let (particles, walls) = snapshot.particles(self.periodic(Boundary::Periodic));
        let letters = snapshot.letters();
        self.warm(Loaded { particles, walls, letters, snapshot: Some(snapshot) })
    }

    fn gas<const D: usize>(&self, gas: Gas) -> Result<Loaded<D>, BoxError> {
        let eta = self.eta.ok_or("a gas wants its density: --eta")?;
        let (n, periodic) = (self.n.unwrap_or(1000), self.periodic(Boundary::Periodic));
        let filled = make_gas(gas, n, eta, periodic, self.seed())?;
        Ok(self.warm(Loaded::made(filled)))
    }

    fn warm<const D: usize>(&self, mut loaded: Loaded<D>) -> Loaded<D> {
        maxwell(&mut loaded.particles, self.kt.unwrap_or(1.0), self.seed());
        loaded
    }

    fn seed(&self) -> u64 {
        self.making.seed.unwrap_or(1)
    }

    /// Enters where the particles come from and how they were made into the header of an event log.
    pub(crate) fn describe(&self, header: LogHeader) -> LogHeader {
        let header = match (&self.origin.file, &self.origin.start, self.origin.random) {
            (Some(file), ..) => header.setting("file", file.display()),
            (None, Some(start), _) => header.setting("start", start.display()),
            (None, None, count) => header.setting("random", count.unwrap_or(0)),
        };
        let mut header = LogHeader { seed: self.seed(), ..header };
        for (name, value) in [("radius", self.making.radius), ("eta", self.eta), ("kT", self.kt)] {
            if let Some(value) = value {
                header = header.setting(name, value);
            }
        }
        match self.n {
            Some(n) => header.setting("N", n),
            None => header,
        }
    }
}

fn make_gas<const D: usize>(
    gas: Gas,
    n: usize,
    eta: f64,
    periodic: [bool; D],
    seed: u64,
) -> Result<Filled<D>, StartError> {
    match gas {
        Gas::Random => insertion(n, eta, periodic, seed),
        Gas::Lattice => lattice(n, eta, periodic),
        Gas::Grow => grown(n, eta, periodic, seed),
    }
}

/// Particles that grow to their density before somebody's eyes.
pub(crate) fn grown<const D: usize>(
    n: usize,
    eta: f64,
    periodic: [bool; D],
    seed: u64,
) -> Result<Filled<D>, StartError> {
    let mut progress = Progress::new(false);
    grow_watched(n, eta, periodic, seed, |part| progress.show(part, |_| format!("{n} particles grow")))
}

fn file(path: &Path) -> Meaning<'_> {
    if is_snapshot(path) { Meaning::Snapshot(path) } else { Meaning::File(path) }
}

/// Whether a file's name says that it is a snapshot.
pub(crate) fn is_snapshot(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sph"))
}

fn name(start: Start) -> String {
    start.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}
