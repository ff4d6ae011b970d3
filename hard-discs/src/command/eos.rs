//! `hard-discs eos`: the pressure of the fluid at several densities, against theory.

use std::process::ExitCode;

use hard_discs::starts::{Filled, StartError, check_density, insertion, maxwell};
use hard_discs::{Earliest, HardSpheres, Measured, theory};
use saltus::BoxError;
use saltus::queue::Ladder;

use super::flight::{Plan, fly};
use super::particles::grown;
use super::source::{at_least_one, number, positive, whole};
use super::watchers::{End, Pace};
use super::{Outcome, line};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Discs (2) or spheres (3)
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3))]
    dim: u8,
    /// Parts of the box that are covered
    #[arg(long, value_name = "F,F,...", value_delimiter = ',', required = true, value_parser = positive, allow_negative_numbers = true)]
    eta: Vec<f64>,
    /// How many particles, in a periodic square or cube
    #[arg(short = 'N', value_name = "N", default_value_t = 1000, value_parser = at_least_two, allow_negative_numbers = true)]
    n: usize,
    /// Collisions to measure at each density
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = at_least_one, allow_negative_numbers = true)]
    collisions: u64,
    /// Collisions before that [default: 100 a particle]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    equilibrate: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON lines, one object a density
    #[arg(long)]
    json: bool,
}

fn at_least_two(text: &str) -> Result<usize, String> {
    match number(text)? {
        n if n >= 2 => Ok(n),
        _ => Err("must be at least 2: one particle alone has no pressure to measure".to_owned()),
    }
}

#[derive(serde::Serialize)]
struct Row {
    dim: u8,
    eta: f64,
    n: usize,
    z: f64,
    z_error: Option<f64>,
    /// Of so many particles without total momentum; none where the equilibrium is no fluid.
    z_theory: Option<f64>,
    /// How many errors z is off.
    z_sigmas: Option<f64>,
    rate: f64,
    rate_error: Option<f64>,
    rate_enskog: Option<f64>,
    collisions: u64,
}

pub(crate) fn run(args: Args) -> Outcome {
    // The head is printed with the first row: a command that fails prints nothing.
    let mut head = (!args.json).then(|| {
        format!(
            "{:>3} {:>8} {:>8} {:>11} {:>9} {:>9} {:>6} {:>11} {:>9} {:>9} {:>11}",
            "dim", "eta", "N", "Z", "error", "theory", "sigmas", "rate", "error", "Enskog", "collisions"
        )
    });
    // Nobody wants to wait for the first density to learn that the last cannot be.
    for &eta in &args.eta {
        if args.dim == 2 { check_density::<2>(args.n, eta) } else { check_density::<3>(args.n, eta) }?;
    }
    for &eta in &args.eta {
        let measured = if args.dim == 2 { measure::<2>(&args, eta)? } else { measure::<3>(&args, eta)? };
        let row = row(&args, eta, &measured);
        head.take().map_or(Ok(()), line)?;
        line(if args.json { serde_json::to_string(&row)? } else { row.text() })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure<const D: usize>(args: &Args, eta: f64) -> Result<Measured, BoxError> {
    let (mut particles, walls) = fluid::<D>(args.n, eta, args.seed)?;
    maxwell(&mut particles, 1.0, args.seed);
    let model = HardSpheres::<D, Earliest>::new(particles, walls)?;
    let equilibrate = args.equilibrate.unwrap_or(100 * args.n as u64);
    let pairs = equilibrate.checked_add(args.collisions).ok_or("--equilibrate and --collisions: too many")?;
    let end = End { until: f64::INFINITY, events: None, pairs: Some(pairs) };
    let plan = Plan { end, equilibrate, measures: true };
    let (flown, pace, result) = fly(model, Pace::new(end, false), Ladder, plan)?;
    drop(pace);
    result?;
    Ok(flown.measured.ok_or_else(|| format!("eta = {eta}: nothing collides"))?)
}

/// A start that is no crystal: at random places where there is room, else grown from there.
fn fluid<const D: usize>(n: usize, eta: f64, seed: u64) -> Result<Filled<D>, StartError> {
    if eta < 0.25 { insertion(n, eta, [true; D], seed) } else { grown(n, eta, [true; D], seed) }
}

fn row(args: &Args, eta: f64, measured: &Measured) -> Row {
    let Measured { compressibility, rate, collisions, .. } = *measured;
    let dim = usize::from(args.dim);
    let is_fluid = eta < theory::freezing(dim);
    let z_theory = is_fluid.then(|| theory::compressibility_of(dim, eta, args.n));
    Row {
        dim: args.dim,
        eta,
        n: args.n,
        z: compressibility.value,
        z_error: compressibility.error,
        z_theory,
        z_sigmas: z_theory.zip(compressibility.error).map(|(theory, error)| (compressibility.value - theory) / error),
        rate: rate.value,
        rate_error: rate.error,
        rate_enskog: is_fluid.then(|| theory::enskog_rate(dim, eta)),
        collisions,
    }
}

impl Row {
    fn text(&self) -> String {
        let or_none = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |x| format!("{x:.digits$}"));
        format!(
            "{:>3} {:>8} {:>8} {:>11.5} {:>9} {:>9} {:>6} {:>11.5} {:>9} {:>9} {:>11}",
            self.dim,
            self.eta,
            self.n,
            self.z,
            or_none(self.z_error, 5),
            or_none(self.z_theory, 4),
            or_none(self.z_sigmas, 1),
            self.rate,
            or_none(self.rate_error, 5),
            or_none(self.rate_enskog, 4),
            self.collisions
        )
    }
}
