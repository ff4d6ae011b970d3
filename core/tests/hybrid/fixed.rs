//! Fixed steps without location, as in the published results of forward Euler: an event is taken at the end of its step.
//!
//! The whole files are compared where they are: in the folder that SALTUS_DATA names, else in `shared/data` beside the repository.
//! A few of their rows are compared always.

use std::path::PathBuf;

use saltus::hybrid::*;

/// A file of the reference data; none, saying so, if there is no such folder at all. A folder that was named must be there.
fn data(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os("SALTUS_DATA").map(PathBuf::from);
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"));
    let folder = named.clone().unwrap_or_else(beside);
    if named.is_none() && !folder.exists() {
        eprintln!("skipped: no reference data at {}", folder.display());
        return None;
    }
    let path = folder.join("ref_fmus").join(name);
    assert!(path.exists(), "{} is missing", path.display());
    Some(path)
}

/// The rows of a file without its first column, which is time.
fn rows<const N: usize>(path: PathBuf) -> Vec<[f64; N]> {
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let fields: Vec<f64> = line.split(',').skip(1).map(|field| field.parse().unwrap()).collect();
        fields.try_into().unwrap()
    };
    text.lines().skip(1).map(row).collect()
}

type ByEuler<H, const N: usize> = Trajectory<H, Euler<[f64; N]>>;

/// The states at every `each`-th step, the start included.
fn euler<H: Hybrid<State = [f64; N]>, const N: usize>(
    model: H,
    x: [f64; N],
    mode: H::Mode,
    step: f64,
    each: usize,
    count: usize,
) -> (Vec<[f64; N]>, ByEuler<H, N>) {
    let settings = Settings { locate: false, ..Settings::default() };
    let mut trajectory = Trajectory::with(model, x, mode, Euler::new(step), settings);
    trajectory.begin(0.0).unwrap();
    let mut states = vec![x];
    while states.len() < count {
        let mut time = 0.0;
        for _ in 0..each {
            time = trajectory.next_time();
            trajectory.fire().unwrap();
        }
        states.push(trajectory.state_at(time));
    }
    (states, trajectory)
}

/// The ball of the reference results: gravity is switched off when it comes to rest.
struct Ball;

impl Hybrid for Ball {
    type State = [f64; 2];
    type Mode = f64; // gravity
    const RULES: &'static [Rule<Self>] = &[Rule::falling(
        "floor",
        |_, at| at.x[0],
        |_, now| {
            let speed = -0.7 * now.pre.x[1];
            now.reinit(0, f64::MIN_POSITIVE);
            now.reinit(1, speed);
            if speed < 0.1 {
                now.reinit(1, 0.0);
                now.mode = 0.0;
            }
        },
    )];
    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], *at.mode]
    }
}

fn assert_same<const N: usize>(found: &[[f64; N]], expected: &[[f64; N]]) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "row {i}: {found:?} instead of {expected:?}");
    }
}

#[test]
fn the_published_ball_is_reproduced_bit_for_bit() {
    let (found, trajectory) = euler(Ball, [1.0, 0.0], -9.81, 1e-3, 10, 301);
    for (row, expected) in [
        (1, [0.99955855, -0.0981]),
        (20, [0.8047809999999997, -1.9620000000000086]),
        (28, [0.6168214000000007, -2.7467999999999995]),
    ] {
        assert_same(&found[row..=row], &[expected]);
    }
    let times: Vec<f64> = trajectory.log().iter().map(|entry| (entry.time * 1e6).round() / 1e6).collect();
    let expected = [0.453, 1.089, 1.537, 1.853, 2.077, 2.237, 2.352, 2.435, 2.496, 2.542, 2.577, 2.604];
    assert_eq!(times, expected, "one impact more than there are: that is what comes of not locating them");
    if let Some(path) = data("BouncingBall_BouncingBall_out.csv") {
        assert_same(&found, &rows(path));
    }
}

#[test]
fn the_published_decay_is_reproduced_bit_for_bit() {
    struct Decay;
    impl Hybrid for Decay {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            [-at.x[0]]
        }
    }
    let (found, _) = euler(Decay, [1.0], (), 0.1, 1, 101);
    assert_same(&found[3..=6], &[[0.7290000000000001], [0.6561000000000001], [0.5904900000000001], [0.531441]]);
    if let Some(path) = data("Dahlquist_Dahlquist_out.csv") {
        assert_same(&found, &rows(path));
    }
}

#[test]
fn the_published_oscillator_is_reproduced_bit_for_bit() {
    struct VanDerPol;
    impl Hybrid for VanDerPol {
        type State = [f64; 2];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[];
        fn derivative(&self, at: &At<Self>) -> [f64; 2] {
            let [x0, x1] = at.x;
            [x1, (1.0 - x0 * x0) * x1 - x0]
        }
    }
    let (found, _) = euler(VanDerPol, [2.0, 0.0], (), 0.01, 1, 2001);
    assert_same(&found[3..=4], &[[1.999406, -0.05821631518424], [1.9988238368481577, -0.07646526874295347]]);
    if let Some(path) = data("VanDerPol_VanDerPol_out.csv") {
        assert_same(&found, &rows(path));
    }
}

#[test]
fn the_published_stair_is_pure_time_events() {
    struct Stair;
    impl Hybrid for Stair {
        type State = [f64; 0];
        type Mode = u32;
        const RULES: &'static [Rule<Self>] = &[Rule::every("step", |_| (1.0, 1.0), |_, now| now.mode += 1)];
        fn derivative(&self, _: &At<Self>) -> [f64; 0] {
            []
        }
    }
    let settings = Settings { output_interval: Some(0.2), ..Settings::default() };
    let mut run = Run::with(Stair, [], 1, DormandPrince::new(1e-6), settings).unwrap();
    run.until(9.0).unwrap();
    assert_eq!((*run.mode(), run.statistics().time_events), (10, 9));
    let found: Vec<[f64; 1]> =
        run.rows().iter().filter(|row| row.moment != Moment::Before).map(|row| [f64::from(row.mode)]).collect();
    assert_eq!(found.len(), 46);
    if let Some(path) = data("Stair_Stair_out.csv") {
        assert_same(&found, &rows(path));
    }
}

#[test]
fn the_anchors_have_the_order_that_they_are_known_for() {
    struct Decay;
    impl Hybrid for Decay {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[Rule::falling("half", |_, at| at.x[0] - 0.5, |_, _| {})];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            [-at.x[0]]
        }
    }
    fn errors<S: Stepper<Decay>>(stepper: S) -> [f64; 2] {
        let mut run = Run::with(Decay, [1.0], (), stepper, Settings::default()).unwrap();
        run.until(1.0).unwrap();
        [(run.state()[0] - (-1.0f64).exp()).abs(), (run.log()[0].time - 2f64.ln()).abs()]
    }
    let euler = [errors(Euler::new(0.02)), errors(Euler::new(0.01))];
    let runge_kutta = [errors(RungeKutta4::new(0.2)), errors(RungeKutta4::new(0.1))];
    for i in 0..2 {
        let order = (euler[0][i] / euler[1][i]).log2();
        assert!((0.9..1.1).contains(&order), "{order}");
        let order = (runge_kutta[0][i] / runge_kutta[1][i]).log2();
        // A step is cut by the event, which changes the grid.
        assert!((3.0..5.0).contains(&order), "{order}");
    }
}

/// A solver that is not ours: the midpoint rule, with the parabola through its slopes in between.
struct Midpoint {
    size: f64,
    last: (f64, [f64; 2], [f64; 2], [f64; 2]),
}

impl<H: Hybrid<State = [f64; 2]>> Stepper<H> for Midpoint {
    fn restart(&mut self) {}

    fn step(&mut self, model: &H, from: &At<H>, limit: f64) -> Result<Step<[f64; 2]>, Error> {
        let end = (from.time + self.size).min(limit);
        let (h, x) = (end - from.time, from.x);
        let first = model.derivative(from);
        let half = At { time: from.time + 0.5 * h, x: [0, 1].map(|i| x[i] + 0.5 * h * first[i]), mode: from.mode };
        let middle = model.derivative(&half);
        self.last = (from.time, x, first, [0, 1].map(|i| (middle[i] - first[i]) / h));
        let state = <Self as Stepper<H>>::state_at(self, end);
        Ok(Step { end, state, retries: 0, evaluations: 2 })
    }

    fn state_at(&self, time: f64) -> [f64; 2] {
        let (start, x, slope, bend) = self.last;
        let s = time - start;
        [0, 1].map(|i| x[i] + s * (slope[i] + s * bend[i]))
    }
}

#[test]
fn another_solver_can_be_plugged_in() {
    use crate::models::{Ball, Lock, impact};
    let stepper = Midpoint { size: 0.1, last: (0.0, [0.0; 2], [0.0; 2], [0.0; 2]) };
    let model = Ball { e: 0.8, lock: Lock::Never };
    let mut run = Run::with(model, [1.0, 0.0], (), stepper, Settings::default()).unwrap();
    run.until(3.0).unwrap();
    // Exact for a parabola.
    for (n, entry) in (1..).zip(run.log()) {
        assert!((entry.time - impact(0.8, n)).abs() < 1e-12);
    }
    assert_eq!(run.log().len(), 6);
}
