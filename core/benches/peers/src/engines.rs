//! The same models on whole engines: PHOLD and M/M/1.
//!
//! Every program is what its engine's documentation would lead to. The bare loops show what the work itself costs.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use desque::SimState;
use desque::serial::{Event as DesqueEvent, Simulation as Desque};
use saltus::queue::{Heap, Ladder, QueueKind};
use saltus::{Context, Entity, Model, Outcome, Settings, Simulation, Stamps, When};
use simcore::{Event as SimcoreEvent, EventHandler, Simulation as Simcore};

use crate::gaps::Random;
use crate::measure::{Cost, Row, bytes_in_use, windows};

pub const SEED: u64 = 0x2545_F491_4F6C_DD1D;

/// What is measured: the warm-up, then windows of so many events.
type Windows = fn(usize, usize, &mut dyn FnMut(usize)) -> Cost;
const WINDOWS: Windows = |before, warm, step| windows(before, warm, step);

// ---- PHOLD: an event at a process schedules one at a random process, 0.1 and an exponential time later ----

#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Job {
    process: u32,
    payload: [u64; 2],
}

struct Phold {
    visits: Vec<u64>,
    entities: Vec<Entity>,
    random: Random,
}

impl Phold {
    fn new(processes: usize) -> Phold {
        Phold { visits: vec![0; processes], entities: Vec::new(), random: Random(SEED) }
    }

    #[inline]
    fn visit(&mut self, job: Job) -> (f64, Job) {
        self.visits[job.process as usize] += 1;
        let process = self.random.below(self.visits.len()) as u32;
        (0.1 + self.random.exponential(), Job { process, ..job })
    }
}

impl Model for Phold {
    type Time = f64;
    type Event = Job;
    type Refs = Stamps<1>;

    #[inline]
    fn handle(&mut self, job: Job, cx: &mut impl Context<Self>) -> Outcome {
        let (delay, job) = self.visit(job);
        cx.schedule(When::after(delay).stamp(self.entities[job.process as usize]), job)?;
        Ok(())
    }
}

/// The first events, the same for all.
fn jobs(processes: usize) -> impl Iterator<Item = (f64, Job)> {
    let mut random = Random(SEED + 1);
    (0..16 * processes).map(move |i| {
        let process = (i % processes) as u32;
        (0.1 + random.exponential(), Job { process, payload: [0; 2] })
    })
}

fn phold_saltus<Q: QueueKind<f64> + Default>(processes: usize) -> Cost {
    let before = bytes_in_use();
    let mut simulation = Simulation::with_queue(Phold::new(processes), Settings::default(), (), Q::default());
    let (model, cx) = simulation.parts();
    model.entities = (0..processes).map(|_| cx.spawn()).collect();
    for (time, job) in jobs(processes) {
        cx.schedule(When::at(time).stamp(model.entities[job.process as usize]), job).expect("in the future");
    }
    WINDOWS(before, 16 * 16 * processes, &mut |count| {
        simulation.run_events(count as u64).expect("nothing fails");
    })
}

/// The end of a window, as a state for engines that ask their state whether to stop.
struct Until<S> {
    state: S,
    left: usize,
}

impl<S> SimState<u64> for Until<S> {
    fn is_complete(&self, _: &u64) -> bool {
        self.left == 0
    }
}

impl DesqueEvent<Until<Phold>, u64> for Job {
    fn execute(&mut self, simulation: &mut Desque<Until<Phold>, u64>) -> desque::Result {
        let now = f64::from_bits(*simulation.current_time());
        let until = simulation.state_mut();
        until.left -= 1;
        let (delay, job) = until.state.visit(*self);
        simulation.schedule(job, (now + delay).to_bits())
    }
}

fn phold_desque(processes: usize) -> Cost {
    let before = bytes_in_use();
    let state = Until { state: Phold::new(processes), left: 0 };
    let mut simulation = Desque::new(state, 0);
    for (time, job) in jobs(processes) {
        simulation.schedule(job, time.to_bits()).expect("in the future");
    }
    WINDOWS(before, 16 * 16 * processes, &mut |count| {
        simulation.state_mut().left = count;
        simulation.run().expect("nothing fails");
    })
}

struct SimcorePhold {
    state: Phold,
    context: simcore::SimulationContext,
}

impl EventHandler for SimcorePhold {
    fn on(&mut self, event: SimcoreEvent) {
        let Ok(job) = event.data.downcast::<Job>() else { return };
        let (delay, job) = self.state.visit(*job);
        self.context.emit_self(job, delay);
    }
}

fn phold_simcore(processes: usize) -> Cost {
    let before = bytes_in_use();
    let mut simulation = Simcore::new(1);
    let context = simulation.create_context("phold");
    for (time, job) in jobs(processes) {
        context.emit_self(job, time);
    }
    let state = Phold::new(processes);
    simulation.add_handler("phold", Rc::new(RefCell::new(SimcorePhold { state, context })));
    WINDOWS(before, 16 * 16 * processes, &mut |count| {
        simulation.steps(count as u64);
    })
}

// ---- M/M/1: with two events pending at most the queue costs nothing, and what is left is the kernel ----

#[derive(Clone, Copy, Debug, serde::Serialize)]
pub enum Step {
    Arrive,
    Leave,
}

struct Server {
    random: Random,
    waiting: u64,
}

impl Server {
    /// The delays after which the next arrival and the next departure are due, if one follows from this step.
    #[inline]
    fn step(&mut self, step: Step) -> (Option<f64>, Option<f64>) {
        let begins;
        let arrival = match step {
            Step::Arrive => {
                self.waiting += 1;
                begins = self.waiting == 1;
                Some(self.random.exponential() / 0.9)
            }
            Step::Leave => {
                self.waiting -= 1;
                begins = self.waiting > 0;
                None
            }
        };
        (arrival, begins.then(|| self.random.exponential()))
    }
}

impl Model for Server {
    type Time = f64;
    type Event = Step;
    type Refs = Stamps<0>;

    #[inline]
    fn handle(&mut self, step: Step, cx: &mut impl Context<Self>) -> Outcome {
        let (arrival, departure) = self.step(step);
        if let Some(delay) = arrival {
            cx.schedule_in(delay, Step::Arrive)?;
        }
        if let Some(delay) = departure {
            cx.schedule_in(delay, Step::Leave)?;
        }
        Ok(())
    }
}

const NEW: Server = Server { random: Random(SEED), waiting: 0 };

fn mm1_saltus<Q: QueueKind<f64> + Default>() -> Cost {
    let before = bytes_in_use();
    let mut simulation = Simulation::with_queue(NEW, Settings::default(), (), Q::default());
    simulation.context().schedule_at(0.0, Step::Arrive).expect("in the future");
    WINDOWS(before, 100_000, &mut |count| {
        simulation.run_events(count as u64).expect("nothing fails");
    })
}

fn mm1_bare() -> Cost {
    let before = bytes_in_use();
    let mut server = NEW;
    let mut heap = BinaryHeap::new();
    heap.push(Reverse((0, 0, false)));
    let mut sequence = 0u64;
    WINDOWS(before, 100_000, &mut |count| {
        for _ in 0..count {
            let Some(Reverse((time, _, leaves))) = heap.pop() else {
                return;
            };
            let (arrival, departure) = server.step(if leaves { Step::Leave } else { Step::Arrive });
            for (delay, leaves) in [(arrival, false), (departure, true)] {
                if let Some(delay) = delay {
                    sequence += 1;
                    heap.push(Reverse(((f64::from_bits(time) + delay).to_bits(), sequence, leaves)));
                }
            }
        }
    })
}

impl DesqueEvent<Until<Server>, u64> for Step {
    fn execute(&mut self, simulation: &mut Desque<Until<Server>, u64>) -> desque::Result {
        let now = f64::from_bits(*simulation.current_time());
        let until = simulation.state_mut();
        until.left -= 1;
        let (arrival, departure) = until.state.step(*self);
        if let Some(delay) = arrival {
            simulation.schedule(Step::Arrive, (now + delay).to_bits())?;
        }
        if let Some(delay) = departure {
            simulation.schedule(Step::Leave, (now + delay).to_bits())?;
        }
        Ok(())
    }
}

fn mm1_desque() -> Cost {
    let before = bytes_in_use();
    let mut simulation = Desque::new(Until { state: NEW, left: 0 }, 0);
    simulation.schedule(Step::Arrive, 0).expect("in the future");
    WINDOWS(before, 100_000, &mut |count| {
        simulation.state_mut().left = count;
        simulation.run().expect("nothing fails");
    })
}

struct SimcoreServer {
    state: Server,
    context: simcore::SimulationContext,
}

impl EventHandler for SimcoreServer {
    fn on(&mut self, event: SimcoreEvent) {
        let Ok(step) = event.data.downcast::<Step>() else {
            return;
        };
        let (arrival, departure) = self.state.step(*step);
        if let Some(delay) = arrival {
            self.context.emit_self(Step::Arrive, delay);
        }
        if let Some(delay) = departure {
            self.context.emit_self(Step::Leave, delay);
        }
    }
}

fn mm1_simcore() -> Cost {
    let before = bytes_in_use();
    let mut simulation = Simcore::new(1);
    let context = simulation.create_context("server");
    context.emit_self(Step::Arrive, 0.0);
    simulation.add_handler("server", Rc::new(RefCell::new(SimcoreServer { state: NEW, context })));
    WINDOWS(before, 100_000, &mut |count| {
        simulation.steps(count as u64);
    })
}

pub fn rows(work: &'static str, sizes: &[usize], wanted: &dyn Fn(&str) -> bool, print: &dyn Fn(Row)) {
    let row = |queue: &str, size: usize, distribution: &str, run: &dyn Fn() -> Cost| {
        if wanted(queue) {
            let Cost { ns, fastest, bytes, allocations } = run();
            let (queue, distribution) = (queue.to_string(), distribution.to_string());
            print(Row { work, queue, size, distribution, ns, fastest, exact: None, bytes, allocations });
        }
    };
    let sizes = |default: &[usize]| {
        if sizes.is_empty() { default.to_vec() } else { sizes.to_vec() }
    };
    match work {
        "phold" => {
            for n in sizes(&[1024, 65_536]) {
                row("saltus ladder", n, "exponential", &|| phold_saltus::<Ladder>(n));
                row("saltus heap 4", n, "exponential", &|| phold_saltus::<Heap>(n));
                row("desque", n, "exponential", &|| phold_desque(n));
                row("simcore", n, "exponential", &|| phold_simcore(n));
            }
        }
        "mm1" => {
            row("saltus ladder", 2, "exponential", &mm1_saltus::<Ladder>);
            row("saltus heap 4", 2, "exponential", &mm1_saltus::<Heap>);
            row("bare heap loop", 2, "exponential", &mm1_bare);
            row("desque", 2, "exponential", &mm1_desque);
            row("simcore", 2, "exponential", &mm1_simcore);
        }
        other => panic!("no work is called {other}"),
    }
}
