//! Where the discs come from.

use std::path::PathBuf;

use clap::ValueEnum;
use hard_discs::starts::{Start, make};
use hard_discs::{HardDiscs, input};
use saltus::BoxError;

/// Where the discs come from, and how they are made if they are not read.
#[derive(clap::Args)]
pub(crate) struct Source {
    #[command(flatten)]
    origin: Origin,
    #[command(flatten)]
    making: Making,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Origin {
    /// A file in the textbook's format: N, then `rx ry vx vy radius mass [r g b]` a line; - is standard input
    file: Option<PathBuf>,
    /// A start state, as `make` writes it
    #[arg(long, value_enum, value_name = "NAME")]
    start: Option<Start>,
    /// That many discs at random places
    #[arg(long, value_name = "N")]
    random: Option<usize>,
}

/// How start states are made.
#[derive(clap::Args)]
pub(crate) struct Making {
    /// Radius of the small discs of a start state that has any
    #[arg(long, value_name = "R", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) radius: Option<f64>,
    /// Seed of the random numbers that places and velocities are drawn with [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
}

impl Source {
    pub(crate) fn discs(&self) -> Result<HardDiscs, BoxError> {
        match (&self.origin.file, self.origin.start) {
            (Some(file), _) => {
                self.making.refuse_all("discs from a file")?;
                Ok(input::read(file)?)
            }
            (None, Some(start)) => self.making.make(start, None),
            (None, None) => self.making.make(Start::Random, self.origin.random),
        }
    }
}

impl Making {
    /// Makes a start state; what it would not look at is refused.
    pub(crate) fn make(&self, start: Start, n: Option<usize>) -> Result<HardDiscs, BoxError> {
        let name = start.to_possible_value().map_or(String::new(), |value| format!("start state {}", value.get_name()));
        if !start.has_small_discs() {
            refuse("-n", n.is_some(), &name)?;
            refuse("--radius", self.radius.is_some(), &name)?;
        }
        if !start.is_random() {
            refuse("--seed", self.seed.is_some(), &name)?;
        }
        Ok(make(start, n, self.radius, self.seed.unwrap_or(1))?)
    }

    fn refuse_all(&self, what: &str) -> Result<(), BoxError> {
        refuse("--radius", self.radius.is_some(), what)?;
        refuse("--seed", self.seed.is_some(), what)
    }
}

pub(crate) fn refuse(option: &str, given: bool, what: &str) -> Result<(), BoxError> {
    if given { Err(format!("{option} has no meaning for {what}").into()) } else { Ok(()) }
}

/// For clap: a whole number, which may be written as 1e8.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    // Up to there a floating-point number counts in ones.
    const EXACT: f64 = (1u64 << 53) as f64;
    match (text.parse::<u64>(), text.parse::<f64>()) {
        (Ok(n), _) => Ok(n),
        (_, Ok(x)) if (0.0..=EXACT).contains(&x) && x.fract() == 0.0 => Ok(x as u64),
        (_, Ok(_)) => Err("must be a whole number, zero or more".to_owned()),
        _ => Err("not a number".to_owned()),
    }
}

/// For clap: a number of particles.
pub(crate) fn number(text: &str) -> Result<usize, String> {
    whole(text)?.try_into().map_err(|_| "too many".to_owned())
}

/// For clap: a whole number above zero.
pub(crate) fn at_least_one(text: &str) -> Result<u64, String> {
    match whole(text)? {
        0 => Err("must be at least 1".to_owned()),
        n => Ok(n),
    }
}

/// For clap: a finite number above zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        Ok(_) => Err("must be a finite number above zero".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// For clap: a finite number, not negative.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        Ok(_) => Err("must be a finite number, zero or more".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}
