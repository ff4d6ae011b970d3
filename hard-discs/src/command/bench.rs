//! `hard-discs bench`: collisions for each CPU second, by density and number, beside a rival; and what each improvement buys.

use std::path::Path;
use std::process::{Command, ExitCode};

use cpu_time::ProcessTime;
use hard_discs::starts::{lattice, maxwell};
use hard_discs::{Earliest, HardSpheres, Schedule, sph};
use saltus::queue::Ladder;
use saltus::{BoxError, Settings, Simulation};
use serde::{Deserialize, Serialize};

use super::mimic::{Mix, nanoseconds};
use super::source::positive;
use super::textbook::table;
use super::{Outcome, line, rival};

/// CPU seconds are measured in slices of so many events.
const SLICE: u64 = 5000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Discs (2) or spheres (3) [default: both]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(2..=3))]
    dim: Option<u8>,
    /// Parts of the box that are covered [default: 0.3,0.6,0.7 for discs, 0.1,0.3,0.49 for spheres]
    #[arg(long, value_name = "F,F,...", value_delimiter = ',', value_parser = positive)]
    eta: Vec<f64>,
    /// Numbers of particles
    #[arg(short = 'N', value_name = "N,N,...", value_delimiter = ',', default_values_t = [1000, 10_000])]
    n: Vec<usize>,
    /// CPU seconds of each measurement
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive)]
    seconds: f64,
    /// Measurements at each point, of which the median is told
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// Collisions a particle before anything is timed: the start is a lattice
    #[arg(long, value_name = "N", default_value_t = 20.0, value_parser = positive)]
    warm: f64,
    /// A program to be timed in turns with ours: `CMD FILE.sph SECONDS` prints pair collisions and CPU seconds
    #[arg(long, value_name = "CMD")]
    rival: Option<String>,
    /// In place of all that: nanoseconds a collision from the textbook's way to the best, N = 100 to 10,000
    #[arg(long, conflicts_with_all = ["rival", "dim", "repeats", "warm"])]
    textbook: bool,
    /// Print JSON lines, one object a point
    #[arg(long)]
    json: bool,
    /// Time one run of a snapshot and print it as JSON: each measurement is a process of its own
    #[arg(long, hide = true, value_name = "FILE")]
    run: Option<std::path::PathBuf>,
    /// Weigh one run from a lattice and print it as JSON
    #[arg(long, hide = true)]
    weigh: bool,
}

/// A point of the table.
#[derive(Serialize)]
struct Row {
    dim: u8,
    eta: f64,
    n: usize,
    /// Pair collisions for each CPU second: the median.
    collisions_per_second: f64,
    ns_a_collision: f64,
    /// The part of the time that the kernel takes for the same events without the physics.
    kernel_share: f64,
    /// Peak memory beyond that of a run of eight particles, from 10,000 particles on where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_a_particle: Option<f64>,
    /// From particles in their places to the first event, in CPU seconds.
    start_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rival_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

/// What a process of its own has measured.
#[derive(Serialize, Deserialize)]
struct Timed {
    rate: f64,
    kernel_share: f64,
}

#[derive(Serialize, Deserialize)]
struct Weighed {
    start_seconds: f64,
    bytes: Option<f64>,
}

pub(crate) fn run(args: Args) -> Outcome {
    match (&args.run, args.dim) {
        (Some(file), Some(3)) => return child(&time::<3>(&args, file)?),
        (Some(file), _) => return child(&time::<2>(&args, file)?),
        (None, Some(3)) if args.weigh => return child(&weigh::<3>(&args)?),
        (None, _) if args.weigh => return child(&weigh::<2>(&args)?),
        (None, _) if args.textbook => return table(&args.eta, args.seconds, args.json),
        _ => {}
    }
    // The head is printed with the first row: a command that fails prints nothing.
    let mut head = (!args.json).then(|| {
        format!(
            "{:>3} {:>6} {:>8} {:>13} {:>8} {:>8} {:>8} {:>8} {:>13} {:>6}",
            "dim", "eta", "N", "collisions/s", "ns", "kernel/%", "bytes", "start/s", "rival/s", "ratio"
        )
    });
    for dim in [2, 3] {
        if args.dim.is_some_and(|only| only != dim) {
            continue;
        }
        let usual: &[f64] = if dim == 2 { &[0.3, 0.6, 0.7] } else { &[0.1, 0.3, 0.49] };
        for &eta in if args.eta.is_empty() { usual } else { &args.eta } {
            for &n in &args.n {
                let row = point(&args, dim, eta, n)?;
                head.take().map_or(Ok(()), line)?;
                line(if args.json { serde_json::to_string(&row)? } else { row.text() })?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn child(measured: &impl Serialize) -> Outcome {
    line(serde_json::to_string(measured)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Ours and the rival's in turns.
fn point(args: &Args, dim: u8, eta: f64, n: usize) -> Result<Row, BoxError> {
    let folder = tempfile::tempdir()?;
    let start = folder.path().join(format!("hard-discs-{dim}d-{eta}-{n}.sph"));
    if dim == 2 {
        melt::<2>(args, eta, n, &start)?
    } else {
        melt::<3>(args, eta, n, &start)?
    }
    let seconds = args.seconds.to_string();
    let (mut ours, mut shares, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..args.repeats {
        let file = start.to_string_lossy();
        let timed: Timed = ourselves(dim, &["--run", &file, "--seconds", &seconds])?;
        ours.push(timed.rate);
        shares.push(timed.kernel_share);
        if let Some(command) = &args.rival {
            theirs.push(rival::rate_of(command, &start, args.seconds)?);
        }
    }
    let weighed: Weighed = ourselves(dim, &["--weigh", "--eta", &eta.to_string(), "-N", &n.to_string()])?;
    let rate = median(ours);
    let rival_per_second = args.rival.is_some().then(|| median(theirs));
    Ok(Row {
        dim,
        eta,
        n,
        collisions_per_second: rate,
        ns_a_collision: 1e9 / rate,
        kernel_share: median(shares),
        // Of few particles it is the pages that are weighed.
        bytes_a_particle: weighed.bytes.filter(|_| n >= 10_000).map(|bytes| bytes / n as f64),
        start_seconds: weighed.start_seconds,
        rival_per_second,
        ratio: rival_per_second.map(|rival| rate / rival),
    })
}

fn ourselves<T: for<'a> Deserialize<'a>>(dim: u8, options: &[&str]) -> Result<T, BoxError> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.args(["bench", "--dim", &dim.to_string()]).args(options).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("hard-discs: ").to_owned();
        return Err(said.into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The median: of an even number the mean of the middle two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { 0.5 * (values[middle - 1] + values[middle]) }
}

type Run<const D: usize> = Simulation<HardSpheres<D, Earliest>, (), Ladder>;

fn gas<const D: usize>(eta: f64, n: usize) -> Result<HardSpheres<D, Earliest>, BoxError> {
    let (mut particles, walls) = lattice::<D>(n, eta, [true; D])?;
    maxwell(&mut particles, 1.0, 1);
    Ok(HardSpheres::new(particles, walls)?)
}

fn started<const D: usize, S: Schedule>(
    model: HardSpheres<D, S>,
) -> Result<Simulation<HardSpheres<D, S>, (), Ladder>, BoxError> {
    let mut simulation = Simulation::with_queue(model, Settings::default(), (), Ladder);
    let (model, cx) = simulation.parts();
    model.start(cx)?;
    Ok(simulation)
}

/// Runs a lattice until it is none any more, and writes what has become of it.
fn melt<const D: usize>(args: &Args, eta: f64, n: usize, path: &Path) -> Result<(), BoxError> {
    let mut simulation: Run<D> = started(gas::<D>(eta, n)?)?;
    let pairs = (args.warm * n as f64) as u64;
    simulation.run_while(|simulation| simulation.model().work().pairs < pairs)?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    sph::write(&mut file, simulation.model(), simulation.now(), &[])?;
    Ok(())
}

fn time<const D: usize>(args: &Args, file: &Path) -> Result<Timed, BoxError> {
    let snapshot = sph::read(file)?;
    let (mut particles, walls) = snapshot.particles([true; D]);
    maxwell(&mut particles, 1.0, 1);
    let n = particles.len();
    let model = HardSpheres::<D, Earliest>::new(particles, walls).map_err(|error| snapshot.explain(error))?;
    drop(snapshot);
    let mut simulation: Run<D> = started(model)?;
    // One collision a particle, as the calendar takes to settle.
    simulation.run_while(|simulation| simulation.model().work().pairs < n as u64)?;
    let (work, counters) = (*simulation.model().work(), *simulation.counters());
    let begin = ProcessTime::now();
    while begin.elapsed().as_secs_f64() < args.seconds {
        simulation.run_events(SLICE)?;
    }
    let elapsed = begin.elapsed().as_secs_f64();
    let (work_now, counters_now) = (simulation.model().work(), simulation.counters());
    let pairs = (work_now.pairs - work.pairs).max(1) as f64;
    let void = counters_now.stale + counters_now.swept - counters.stale - counters.swept;
    let mix = Mix { looks: (work_now.looks - work.looks) as f64 / pairs, void: void as f64 / pairs };
    let kernel = nanoseconds(n, mix, 0.3 * args.seconds)?;
    Ok(Timed { rate: pairs / elapsed, kernel_share: kernel * 1e-9 * pairs / elapsed })
}

/// Peak memory and the time to the first event.
fn weigh<const D: usize>(args: &Args) -> Result<Weighed, BoxError> {
    let (Some(&eta), Some(&n)) = (args.eta.first(), args.n.first()) else {
        return Err("--weigh wants --eta and -N".into());
    };
    // A small run first, so that the program itself is in memory.
    let mut small: Run<D> = started(gas::<D>(0.1, 8)?)?;
    small.run_events(SLICE)?;
    drop(small);
    let before = peak_memory();
    let model = gas::<D>(eta, n)?;
    let begin = ProcessTime::now();
    let mut simulation: Run<D> = started(model)?;
    simulation.run_events(1)?;
    let start_seconds = begin.elapsed().as_secs_f64();
    simulation.run_while(|simulation| simulation.model().work().pairs < 2 * n as u64)?;
    let bytes = before.and_then(|before| Some(peak_memory()? - before));
    Ok(Weighed { start_seconds, bytes })
}

/// The largest size of this process in memory so far, in bytes, where the system tells it.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok().map(|kilobytes: f64| 1024.0 * kilobytes)
}

impl Row {
    fn text(&self) -> String {
        let or_none = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |x| format!("{x:.digits$}"));
        format!(
            "{:>3} {:>6} {:>8} {:>13.0} {:>8.0} {:>8.0} {:>8} {:>8.3} {:>13} {:>6}",
            self.dim,
            self.eta,
            self.n,
            self.collisions_per_second,
            self.ns_a_collision,
            100.0 * self.kernel_share,
            or_none(self.bytes_a_particle, 0),
            self.start_seconds,
            or_none(self.rival_per_second, 0),
            or_none(self.ratio, 2)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
