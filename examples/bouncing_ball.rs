//! A ball that falls from a metre and keeps four fifths of its speed at each impact: the hybrid model of which every number is known.
//!
//! Shows: impacts located on an integrated curve and from its formula, side by side with the closed form; a rest rule, without which
//! infinitely many impacts would pile up at 4.0637 s; the audit of the energies. Other questions:
//!
//! - `--until T`: to another time than 5
//! - `--json`: the log, one object an event
//! - `--tolerance-sweep`: how event times depend on the tolerance of the integrator, as a table and a chart (`--svg FILE`), and what
//!   a late event does to the height of the first bounce

use std::f64::consts::FRAC_PI_2;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pictures::{Axis, Chart, Corner, Look, Series, WholeFile};
use saltus::BoxError;
use saltus::hybrid::{At, ClosedForm, Curve, DormandPrince, EnergyAudit, Entry, Hybrid, Rule, Run, Settings};
use serde::Serialize;

const G: f64 = 9.81;
/// The coefficient of restitution.
const E: f64 = 0.8;
const MASS: f64 = 0.1;
const START: [f64; 2] = [1.0, 0.0];

struct Ball {
    lock: Lock,
}

/// When the ball stays on the floor.
#[derive(Clone, Copy, Debug)]
enum Lock {
    /// It would not rise as high as this, in metres.
    Height(f64),
    /// It is slower than this, in metres a second.
    Speed(f64),
}

fn height(_: &Ball, at: &At<Ball>) -> Curve {
    Curve::accelerated(at.x[0], at.x[1], -G)
}

impl Hybrid for Ball {
    type State = [f64; 2]; // height and velocity
    type Mode = ();

    const RULES: &'static [Rule<Self>] =
        &[Rule::<Self>::falling("floor", |_, at| at.x[0], |_, now| now.reinit(1, -E * now.pre.x[1])).closed(height)];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }

    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 2]> {
        Some([height(self, at), Curve::uniform(at.x[1], -G)])
    }

    fn rest(&self, at: &At<Self>) -> Option<[f64; 2]> {
        let [_, v] = at.x;
        let rests = match self.lock {
            Lock::Height(least) => v * v / (2.0 * G) < least,
            Lock::Speed(least) => v < least,
        };
        rests.then_some([0.0, 0.0])
    }

    fn energy(&self, at: &At<Self>) -> Option<f64> {
        let [h, v] = at.x;
        Some(MASS * (G * h + 0.5 * v * v))
    }
}

/// The time of the n-th impact: t1 (1 + 2 e (1 - e^(n-1)) / (1 - e)).
fn impact(n: i32) -> f64 {
    (2.0 / G).sqrt() * (1.0 + 2.0 * E * (1.0 - E.powi(n - 1)) / (1.0 - E))
}

fn integrated(lock: Lock, until: f64) -> Result<Run<Ball>, BoxError> {
    let mut run = Run::new(Ball { lock }, START, ())?;
    run.until(until)?;
    Ok(run)
}

fn from_the_formula(lock: Lock, until: f64) -> Result<Run<Ball, ClosedForm<[f64; 2]>>, BoxError> {
    let mut run = Run::with(Ball { lock }, START, (), ClosedForm::new(), Settings::default())?;
    run.until(until)?;
    Ok(run)
}

const LOCK: Lock = Lock::Height(1e-6);

fn compare(until: f64, out: &mut impl Write) -> Result<(), BoxError> {
    let (run, exact) = (integrated(LOCK, until)?, from_the_formula(LOCK, until)?);
    writeln!(
        out,
        "  n  impact at, in s     formula off  integrated off  passes  bounce in m   0.64^n in m   energy in J"
    )?;
    for ((n, entry), exact) in (1..).zip(run.events()).zip(exact.events()) {
        let (theory, rebound) = (impact(n), -E * entry.before[1]);
        writeln!(
            out,
            "{n:3}  {theory:.15}  {:12.1e}  {:14.1e}  {:6}  {:.9}   {:.9}   {:.9}",
            exact.time - theory,
            entry.time - theory,
            entry.iterations,
            rebound * rebound / (2.0 * G),
            0.64f64.powi(n),
            entry.energy.map_or(f64::NAN, |[_, after]| after),
        )?;
    }
    let statistics = run.statistics();
    writeln!(
        out,
        "\n{} impacts in {until} s: {:.3} a second; {} evaluations of the derivative, {} of the indicator",
        statistics.state_events,
        run.rate(),
        statistics.derivatives,
        statistics.indicators
    )?;
    audit(run.events(), out)?;
    let t_inf = (2.0 / G).sqrt() * (1.0 + 2.0 * E / (1.0 - E));
    writeln!(out, "without a rest rule they would pile up at {t_inf:.12}; when the ball rests is the model's to say:")?;
    for (lock, words) in [
        (Lock::Height(1e-4), "bounce below 1e-4 m"),
        (LOCK, "bounce below 1e-6 m"),
        (Lock::Speed(1e-3), "speed below 1e-3 m/s"),
    ] {
        let run = integrated(lock, 5.0)?;
        writeln!(out, "  {words:20}  after {} impacts", run.statistics().state_events)?;
    }
    Ok(())
}

/// Each impact must leave 64 % of the energy, and nothing may be lost in between.
fn audit<'a>(impacts: impl Iterator<Item = &'a Entry<[f64; 2]>>, out: &mut impl Write) -> Result<(), BoxError> {
    let mut audit = EnergyAudit::new(MASS * G, E * E, 1e-9);
    for entry in impacts {
        let energy = entry.energy.ok_or("the model gives no energy")?;
        audit.check(entry.time, energy, entry.rests)?;
        if audit.impacts() == 5 {
            writeln!(out, "after five impacts {:.6} % of the energy are gone", 100.0 * audit.dissipated())?;
        }
    }
    writeln!(
        out,
        "energy audit: each of {} impacts leaves e^2 of it, and nothing is lost in between",
        audit.impacts()
    )?;
    Ok(())
}

#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    kind: String,
    indicator: &'a str,
    iterations: u32,
    evaluations: u64,
    /// By how much the time may lie behind the crossing.
    width: f64,
    before: [f64; 2],
    after: [f64; 2],
    energy: Option<[f64; 2]>,
    rests: bool,
}

fn json(until: f64, out: &mut impl Write) -> Result<(), BoxError> {
    for entry in integrated(LOCK, until)?.log() {
        let line = Line {
            time: entry.time,
            kind: entry.kind.to_string(),
            indicator: entry.name,
            iterations: entry.iterations,
            evaluations: entry.evaluations,
            width: entry.width,
            before: entry.before,
            after: entry.after,
            energy: entry.energy,
            rests: entry.rests,
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}

/// y'' = -y from 1: its first zero is at half of pi.
struct Oscillator;

impl Hybrid for Oscillator {
    type State = [f64; 2];
    type Mode = ();

    const RULES: &'static [Rule<Self>] = &[Rule::falling("zero", |_, at| at.x[0], |_, _| {})];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -at.x[0]]
    }
}

/// Tolerance, and by how much the first event of ball and oscillator is off.
type Sweep = Vec<(f64, [f64; 2])>;

fn sweep() -> Result<Sweep, BoxError> {
    (3..=9)
        .map(|digits| {
            let tolerance = 10f64.powi(-digits);
            let ball = first_event(Ball { lock: LOCK }, tolerance)? - impact(1);
            let oscillator = first_event(Oscillator, tolerance)? - FRAC_PI_2;
            Ok((tolerance, [ball.abs(), oscillator.abs()]))
        })
        .collect()
}

fn first_event<H: Hybrid<State = [f64; 2], Mode = ()>>(model: H, tolerance: f64) -> Result<f64, BoxError> {
    let mut run = Run::with(model, START, (), DormandPrince::new(tolerance), Settings::default())?;
    run.until(2.0)?;
    Ok(run.events().next().ok_or("there was no event")?.time)
}

/// The slope of the least-squares line through the logarithms, from 1e-4 on.
fn slope(sweep: &Sweep) -> f64 {
    let points: Vec<(f64, f64)> =
        sweep[1..].iter().map(|(tolerance, [_, error])| (tolerance.ln(), error.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let (mut above, mut below) = (0.0, 0.0);
    for point in points {
        above += (point.0 - x) * (point.1 - y);
        below += (point.0 - x) * (point.0 - x);
    }
    above / below
}

/// The largest factor between the errors of neighbouring tolerances.
fn largest_jump(sweep: &Sweep) -> f64 {
    sweep.windows(2).map(|pair| pair[0].1[1] / pair[1].1[1]).map(|factor| factor.max(1.0 / factor)).fold(1.0, f64::max)
}

fn tolerance_sweep(svg: &Path, out: &mut impl Write) -> Result<(), BoxError> {
    let sweep = sweep()?;
    writeln!(out, "by how much the first event is off, in s:")?;
    writeln!(out, "tolerance     ball  oscillator")?;
    for (tolerance, [ball, oscillator]) in &sweep {
        writeln!(out, "{tolerance:9.0e}  {ball:7.1e}  {oscillator:10.1e}")?;
    }
    writeln!(
        out,
        "\nThe ball moves on a parabola, which every tolerance integrates exactly: only the rounding is left."
    )?;
    writeln!(
        out,
        "The oscillator's error falls with the tolerance: slope {:.2} in log-log from 1e-4, no step by more than a factor of {:.0}.",
        slope(&sweep),
        largest_jump(&sweep)
    )?;
    late_impacts(out)?;
    WholeFile::write(svg, &chart(&sweep).svg()?)?;
    writeln!(out, "\n{} written", svg.display())?;
    Ok(())
}

fn chart(sweep: &Sweep) -> Chart {
    // A logarithm has no zero.
    let of = |which: usize| sweep.iter().map(|(tolerance, errors)| (*tolerance, errors[which].max(1e-17))).collect();
    let line = vec![(1e-9, 1e-9), (1e-3, 1e-3)];
    Chart {
        title: "Error of the first event against the tolerance of the integrator".to_owned(),
        x: Axis::logarithmic("tolerance", 1e-9, 1e-3),
        y: Axis::logarithmic("error in s", 1e-17, 1e-1),
        series: vec![
            Series::new("oscillator", Look::Circles, of(1)),
            Series::new("ball", Look::Triangles, of(0)),
            Series::new("error = tolerance", Look::Dotted, line),
        ],
        legend: Corner::UpperLeft,
    }
}

/// The impact at a known time, later than it should be.
struct Late {
    delay: f64,
    /// Whether the ball is put back on the floor; otherwise it starts up from where it has sunk to.
    puts_back: bool,
}

impl Hybrid for Late {
    type State = [f64; 2];
    type Mode = ();

    const RULES: &'static [Rule<Self>] = &[Rule::at(
        "late impact",
        |late, _: &()| impact(1) + late.delay,
        |late, now| {
            now.reinit(1, -E * now.pre.x[1]);
            if late.puts_back {
                now.reinit(0, 0.0);
            }
        },
    )];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }
}

/// By how much the first bounce is higher than 0.64 m if the impact is late.
fn bounce_error(late: Late) -> Result<f64, BoxError> {
    let mut run = Run::new(late, START, ())?;
    run.until(0.6)?;
    let [h, v] = run.events().next().ok_or("there was no impact")?.after;
    Ok(h + v * v / (2.0 * G) - E * E)
}

/// A relative error of 2 g dt / v of the bounce is often quoted. It holds where the handler puts the ball back on the floor.
fn late_impacts(out: &mut impl Write) -> Result<(), BoxError> {
    let speed = (2.0 * G).sqrt();
    writeln!(out, "\nWhat an impact that is dt late does to the height of the first bounce, in m:")?;
    writeln!(out, "dt in s    put back on the floor, 2 g dt / v    velocity alone, -(1 - e^2) v dt")?;
    for digits in 3..=6 {
        let delay = 10f64.powi(-digits);
        let back = bounce_error(Late { delay, puts_back: true })?;
        let alone = bounce_error(Late { delay, puts_back: false })?;
        let theory = (E * E * 2.0 * G * delay / speed, -(1.0 - E * E) * speed * delay);
        writeln!(out, "{delay:7.0e}  {back:21.5e}  {:12.5e}  {alone:16.6e}  {:15.6e}", theory.0, theory.1)?;
    }
    writeln!(out, "Both stay within 3e-6 m for a microsecond. The model of this file resets the velocity alone.")?;
    Ok(())
}

#[derive(Debug, PartialEq)]
struct Arguments {
    until: f64,
    json: bool,
    sweep: bool,
    svg: PathBuf,
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, String> {
    let mut wish = Arguments { until: 5.0, json: false, sweep: false, svg: "tolerance-sweep.out.svg".into() };
    let (mut ends, mut draws) = (false, false);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--json") => wish.json = true,
            Some("--tolerance-sweep") => wish.sweep = true,
            Some("--until") => {
                (wish.until, ends) = (time(&arguments.next().ok_or("--until: a time is missing")?)?, true)
            }
            Some("--svg") => {
                (wish.svg, draws) = (arguments.next().ok_or("--svg: the name of a file is missing")?.into(), true);
            }
            _ => {
                let known = "--until T, --json, --tolerance-sweep, --svg FILE";
                return Err(format!("{}: unknown argument; there are {known}", argument.display()));
            }
        }
    }
    match (wish.sweep, wish.json || ends, draws) {
        (true, true, _) => Err("--tolerance-sweep: goes with neither --json nor --until".to_owned()),
        (false, _, true) => Err("--svg: goes with --tolerance-sweep only".to_owned()),
        _ => Ok(wish),
    }
}

fn time(text: &OsStr) -> Result<f64, String> {
    let time = text.to_str().and_then(|text| text.parse().ok());
    let is_time = |time: &f64| *time > 0.0 && *time < f64::INFINITY;
    time.filter(is_time).ok_or_else(|| format!("--until: {} is not a time after 0", text.display()))
}

fn main() {
    let result = parse(std::env::args_os().skip(1))
        .map_err(BoxError::from)
        .and_then(|wish| run(&wish, &mut io::stdout().lock()));
    if let Err(error) = result {
        // Whoever reads has had enough.
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return;
        }
        eprintln!("{error}");
        std::process::exit(2)
    }
}

fn run(wish: &Arguments, out: &mut impl Write) -> Result<(), BoxError> {
    match (wish.sweep, wish.json) {
        (true, _) => tolerance_sweep(&wish.svg, out),
        (false, true) => json(wish.until, out),
        (false, false) => compare(wish.until, out),
    }
}

#[cfg(test)]
mod tests {
    use saltus::hybrid::Stepper;

    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Arguments, String> {
        parse(arguments.iter().map(OsString::from))
    }

    fn output(arguments: &[&str]) -> Result<String, BoxError> {
        let mut out = Vec::new();
        run(&parsed(arguments)?, &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn it_runs() -> Result<(), BoxError> {
        let text = output(&[])?;
        assert!(text.contains("31 impacts in 5 s: 6.200 a second"), "{text}");
        assert!(text.contains("after five impacts 89.262582 % of the energy are gone"), "{text}");
        for (words, count) in [("1e-4 m ", 21), ("1e-6 m ", 31), ("1e-3 m/s", 38)] {
            assert!(text.contains(&format!("{words}  after {count} impacts")), "{text}");
        }
        Ok(())
    }

    #[test]
    fn both_logs_are_those_of_the_closed_form() -> Result<(), BoxError> {
        fn times<S: Stepper<Ball>>(run: &Run<Ball, S>) -> Vec<f64> {
            run.events().map(|event| event.time).collect()
        }
        for times in [times(&integrated(LOCK, 5.0)?), times(&from_the_formula(LOCK, 5.0)?)] {
            assert_eq!(times.len(), 31);
            for (n, time) in (1..).zip(times) {
                assert!((time - impact(n)).abs() < 1e-11, "{n}: {time}");
            }
        }
        Ok(())
    }

    #[test]
    fn the_log_for_programs_has_one_object_an_event() -> Result<(), BoxError> {
        let text = output(&["--json", "--until", "3"])?;
        let lines: Vec<serde_json::Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let events: Vec<_> = lines.iter().filter(|line| line["kind"] == "state").collect();
        assert_eq!(events.len(), 6);
        for (n, event) in (1..).zip(events) {
            assert_eq!(event["indicator"], "floor");
            assert!((event["time"].as_f64().ok_or("no time")? - impact(n)).abs() < 1e-9);
        }
        assert!(lines.iter().all(|line| ["state", "time", "retry"].iter().any(|kind| line["kind"] == *kind)));
        assert_eq!(text, output(&["--until", "3", "--json"])?, "the same bytes in every run");
        Ok(())
    }

    #[test]
    fn errors_fall_with_the_tolerance_where_there_are_any() -> Result<(), BoxError> {
        let sweep = sweep()?;
        assert!(sweep.iter().all(|(_, [ball, _])| *ball < 1e-12), "{sweep:?}");
        assert!((0.7..=1.3).contains(&slope(&sweep)) && largest_jump(&sweep) < 100.0, "{sweep:?}");
        Ok(())
    }

    #[test]
    fn a_microsecond_late_is_within_the_bound_and_its_sign_depends_on_the_reset() -> Result<(), BoxError> {
        assert!((bounce_error(Late { delay: 1e-6, puts_back: true })? - 2.83485e-6).abs() < 2e-11);
        assert!((bounce_error(Late { delay: 1e-6, puts_back: false })? + 1.594603e-6).abs() < 2e-11);
        Ok(())
    }

    #[test]
    fn the_chart_is_there_as_a_whole_or_not_at_all() -> Result<(), BoxError> {
        let folder = tempfile::tempdir()?;
        let svg = folder.path().join("sweep.svg");
        let name = svg.to_str().ok_or("an odd folder")?;
        output(&["--tolerance-sweep", "--svg", name])?;
        let text = std::fs::read_to_string(&svg)?;
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>") && text.contains("oscillator"));
        assert_eq!(std::fs::read_dir(&folder)?.count(), 1);
        let nowhere = folder.path().join("no/sweep.svg");
        let error = WholeFile::write(&nowhere, "").unwrap_err().to_string();
        assert!(error.contains("no/sweep.svg: cannot be written") && !error.contains('\n'), "{error}");
        Ok(())
    }

    #[test]
    fn bad_arguments_are_named() {
        for (arguments, error) in [
            (&["--jsno"][..], "--jsno: unknown argument; there are --until T, --json, --tolerance-sweep, --svg FILE"),
            (&["--until"], "--until: a time is missing"),
            (&["--until", "soon"], "--until: soon is not a time after 0"),
            (&["--until", "-1"], "--until: -1 is not a time after 0"),
            (&["--until", "0"], "--until: 0 is not a time after 0"),
            (&["--until", "NaN"], "--until: NaN is not a time after 0"),
            (&["--until", "inf"], "--until: inf is not a time after 0"),
            (&["--tolerance-sweep", "--json"], "--tolerance-sweep: goes with neither --json nor --until"),
            (&["--svg", "a.svg"], "--svg: goes with --tolerance-sweep only"),
        ] {
            assert_eq!(parsed(arguments), Err(error.to_owned()));
        }
    }
}
