//! The bouncing ball with located impacts: one run of three seconds, also with `ivp`, and many balls in one simulation.

use ivp::prelude::{EventConfig, FirstOrderSystem, Ivp, Method};
use saltus::hybrid::{At, ClosedForm, Curve, DormandPrince, Ensemble, Hybrid, Rule, Run, Settings, Stepper, Trajectory};
use saltus::queue::{Heap, Ladder, QueueKind};
use saltus::Simulation;

use crate::gaps::Random;
use crate::measure::{Cost, Row, bytes_in_use, windows};

const G: f64 = 9.81;
const E: f64 = 0.8;
const UNTIL: f64 = 3.0;
const TOLERANCE: f64 = 1e-6;

/// Impacts up to three seconds.
const IMPACTS: [f64; 6] = [
    0.4515236409857309,
    1.1739614665629003,
    1.7519117270246358,
    2.2142719353940238,
    2.5841601020895353,
    2.8800706354459439,
];

struct Ball {
    e: f64,
}

fn height(_: &Ball, at: &At<Ball>) -> Curve {
    Curve::accelerated(at.x[0], at.x[1], -G)
}

impl Hybrid for Ball {
    type State = [f64; 2];
    type Mode = ();
    const RULES: &'static [Rule<Self>] = &[Rule::<Self>::falling(
        "floor",
        |_, at| at.x[0],
        |ball, now| now.reinit(1, -ball.e * now.pre.x[1]),
    )
    .closed(height)];

    #[inline]
    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }

    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 2]> {
        Some([height(self, at), Curve::uniform(at.x[1], -G)])
    }
}

fn saltus_run<S: Stepper<Ball>>(stepper: S) -> Vec<f64> {
    let mut run = Run::with(Ball { e: E }, [1.0, 0.0], (), stepper, Settings::default()).expect("a start");
    run.until(UNTIL).expect("no errors");
    run.events().map(|event| event.time).collect()
}

/// The ball for a solver that ends at an event, to be started again after it.
struct Fall;

impl FirstOrderSystem for Fall {
    fn derivative(&self, _: f64, y: &[f64], slope: &mut [f64]) {
        (slope[0], slope[1]) = (y[1], -G);
    }
    fn events(&self, _: f64, y: &[f64], out: &mut [f64]) {
        out[0] = y[0];
    }
    fn n_events(&self) -> usize {
        1
    }
    fn event_config(&self, _: usize) -> EventConfig {
        let mut config = EventConfig::new();
        config.terminal();
        config.negative();
        config
    }
}

fn ivp_run() -> Vec<f64> {
    let (mut time, mut state, mut impacts) = (0.0, [1.0, 0.0], Vec::new());
    loop {
        let problem = Ivp::first_order(&Fall, time, UNTIL, &state).method(Method::DOPRI5);
        let solution = problem.rtol(TOLERANCE).atol(TOLERANCE).solve().expect("no errors");
        let Some(&impact) = solution.t_events.first().and_then(|times| times.first()) else { return impacts };
        impacts.push(impact);
        let before = &solution.y_events[0][0];
        (time, state) = (impact, [before[0], -E * before[1]]);
    }
}

fn run_row(name: &str, print: &impl Fn(Row), run: impl Fn() -> Vec<f64>) {
    let before = bytes_in_use();
    let impacts = run();
    let worst = impacts.iter().zip(IMPACTS).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let exact = impacts.len() == IMPACTS.len() && worst < 1e-9;
    let Cost { ns, fastest, bytes, allocations } = windows(before, 1000, |count| {
        for _ in 0..count {
            std::hint::black_box(run());
        }
    });
    let distribution = format!("{worst:.0e}");
    let queue = name.into();
    print(Row { work: "ball", queue, size: 1, distribution, ns, fastest, exact: Some(exact), bytes, allocations });
}

/// Elastic balls, which bounce for ever; what is measured is an event of the kernel.
fn many<S: Stepper<Ball>, Q: QueueKind<f64>>(count: usize, stepper: impl Fn() -> S, queue: Q) -> Cost {
    let before = bytes_in_use();
    let settings = Settings { log: false, ..Settings::default() };
    let mut random = Random(0x9E37_79B9);
    let member = |_| Trajectory::with(Ball { e: 1.0 }, [1.0 + random.unit(), 0.0], (), stepper(), settings);
    let members = (0..count).map(member).collect();
    let mut simulation = Simulation::with_queue(Ensemble { members }, Default::default(), (), queue);
    let (ensemble, cx) = simulation.parts();
    for (i, member) in ensemble.members.iter_mut().enumerate() {
        member.start(cx, i as u32).expect("a start");
    }
    windows(before, 10 * count, |count| {
        simulation.run_events(count as u64).expect("no errors");
    })
}

pub fn rows(sizes: &[usize], wanted: &impl Fn(&str) -> bool, print: &impl Fn(Row)) {
    if wanted("integrated") {
        run_row("saltus integrated", print, || saltus_run(DormandPrince::new(TOLERANCE)));
    }
    if wanted("closed") {
        run_row("saltus closed form", print, || saltus_run(ClosedForm::new()));
    }
    if wanted("ivp") {
        run_row("ivp DOPRI5", print, ivp_run);
    }
    let sizes = if sizes.is_empty() { &[100, 1000, 10_000, 100_000] } else { sizes };
    for &size in sizes {
        let row = |queue: &str, distribution: &str, cost: Cost| {
            let Cost { ns, fastest, bytes, allocations } = cost;
            let (queue, distribution) = (queue.into(), distribution.into());
            print(Row { work: "balls", queue, size, distribution, ns, fastest, exact: None, bytes, allocations });
        };
        if wanted("heap") {
            row("saltus heap", "integrated", many(size, || DormandPrince::new(TOLERANCE), Heap));
            row("saltus heap", "closed form", many(size, ClosedForm::new, Heap));
        }
        if wanted("ladder") {
            row("saltus ladder", "integrated", many(size, || DormandPrince::new(TOLERANCE), Ladder));
            row("saltus ladder", "closed form", many(size, ClosedForm::new, Ladder));
        }
    }
}
