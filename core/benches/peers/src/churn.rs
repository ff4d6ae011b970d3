//! Churn: in every step a random timer is set anew, so that most of what is scheduled never fires. With a timeout of 2.3 nine
//! in ten do not, with 23 hardly any does: so it is with retransmissions, heartbeats and idle sessions.
//!
//! A timer that fires is set anew as well. An event is a step or a timer that fires; dead ones do not count. What an engine
//! offers to get rid of a dead one is used: touching, cancelling, moving; where there is nothing, the model looks whether the
//! timer has been set since.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::time::Duration;

use desque::SimState;
use desque::serial::{Event as DesqueEvent, Simulation as Desque};
use nexosim::model::{Context as NexosimContext, schedulable};
use nexosim::simulation::{EventKey, Mailbox, SimInit, Simulation as Nexosim};
use nexosim::time::MonotonicTime;
use priority_queue::PriorityQueue;
use saltus::queue::{Heap, Indexed, Ladder, QueueKind};
use saltus::{Context, Entity, Model, Outcome, Settings, Simulation, Stamps, Time, When};
use serde::{Deserialize, Serialize};
use simcore::{Event as SimcoreEvent, EventHandler, EventId, Simulation as Simcore};
use tokio_util::time::{DelayQueue, delay_queue};

use crate::engines::SEED;
use crate::gaps::Random;
use crate::measure::{Cost, Row, bytes_in_use, windows};

/// A timer that is set: which one, when it fires, and how many were set before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Setting {
    timer: u32,
    number: u64,
    time: f64,
}

/// All that the programs share.
#[derive(Serialize, Deserialize)]
struct Timers {
    /// By timer: the number of its last setting.
    set: Vec<u64>,
    timeout: f64,
    random: Random,
    settings: u64,
    last: (f64, u64),
    exact: bool,
}

impl Timers {
    fn new(size: usize, timeout: f64) -> Timers {
        Timers { set: vec![0; size], timeout, random: Random(SEED), settings: 0, last: (0.0, 0), exact: true }
    }

    /// The first settings: the timers are as far along as in the midst of a run.
    fn start(&mut self) -> Vec<Setting> {
        let timers = 0..self.set.len() as u32;
        timers
            .map(|timer| {
                let time = self.timeout * self.random.unit();
                self.set(timer, time)
            })
            .collect()
    }

    /// The time from step to step.
    #[inline]
    fn gap(&self) -> f64 {
        1.0 / self.set.len() as f64
    }

    #[inline]
    fn set(&mut self, timer: u32, time: f64) -> Setting {
        self.settings += 1;
        self.set[timer as usize] = self.settings;
        Setting { timer, number: self.settings, time }
    }

    /// A step: a random timer is set anew.
    #[inline]
    fn step(&mut self, now: f64) -> Setting {
        let timer = self.random.below(self.set.len()) as u32;
        self.set(timer, now + self.timeout)
    }

    #[inline]
    fn is_live(&self, setting: Setting) -> bool {
        self.set[setting.timer as usize] == setting.number
    }

    /// A timer fires: it is set anew, and it is looked at whether the order is right.
    #[inline]
    fn fire(&mut self, setting: Setting, now: f64) -> Setting {
        let key = (setting.time, setting.number);
        self.exact &= now == setting.time && key > self.last && self.is_live(setting);
        self.last = key;
        self.set(setting.timer, now + self.timeout)
    }
}

type Measured = (Cost, bool);

// ---- Saltus: touching ----

struct Touching {
    timers: Timers,
    entities: Vec<Entity>,
}

#[derive(Clone, Copy, Debug, Serialize)]
enum Tick {
    Step,
    Fire(Setting),
}

impl Model for Touching {
    type Time = f64;
    type Event = Tick;
    type Refs = Stamps<1>;

    #[inline]
    fn handle(&mut self, tick: Tick, cx: &mut impl Context<Self>) -> Outcome {
        let setting = match tick {
            Tick::Fire(setting) => self.timers.fire(setting, cx.now()),
            Tick::Step => {
                let setting = self.timers.step(cx.now());
                cx.touch(self.entities[setting.timer as usize]);
                cx.schedule_in(self.timers.gap(), Tick::Step)?;
                setting
            }
        };
        let entity = self.entities[setting.timer as usize];
        cx.schedule(When::at(setting.time).stamp(entity), Tick::Fire(setting))?;
        Ok(())
    }
}

fn saltus<Q: QueueKind<f64> + Default>(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    let model = Touching { timers: Timers::new(size, timeout), entities: Vec::new() };
    let mut simulation = Simulation::with_queue(model, Settings::default(), (), Q::default());
    let (model, cx) = simulation.parts();
    model.entities = (0..size).map(|_| cx.spawn()).collect();
    for setting in model.timers.start() {
        let when = When::at(setting.time).stamp(model.entities[setting.timer as usize]);
        cx.schedule(when, Tick::Fire(setting)).expect("in the future");
    }
    cx.schedule_at(0.0, Tick::Step).expect("in the future");
    let cost = windows(before, 30 * size, |count| {
        simulation.run_events(count as u64).expect("nothing fails");
    });
    let peak = simulation.counters().largest_queue;
    assert!(peak <= 2 * (size + 1) + 64, "{peak} entries for {size} timers");
    (cost, simulation.model().timers.exact)
}

// ---- Bare loops: a heap that leaves the dead where they are, and one that moves ----

fn bare_heap(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    let mut timers = Timers::new(size, timeout);
    let mut heap: BinaryHeap<Reverse<(u64, u64, u32)>> = BinaryHeap::new();
    let entry = |setting: Setting| Reverse((setting.time.key(), setting.number, setting.timer));
    heap.extend(timers.start().into_iter().map(entry));
    let mut next = 0.0;
    let cost = windows(before, 30 * size, |count| {
        let mut left = count;
        while left > 0 {
            let setting = match heap.peek() {
                Some(&Reverse((time, number, timer))) if f64::from_key(time) <= next => {
                    heap.pop();
                    let setting = Setting { timer, number, time: f64::from_key(time) };
                    if !timers.is_live(setting) {
                        continue;
                    }
                    timers.fire(setting, setting.time)
                }
                _ => {
                    let setting = timers.step(next);
                    next += timers.gap();
                    setting
                }
            };
            heap.push(entry(setting));
            left -= 1;
        }
    });
    (cost, timers.exact)
}

fn bare_priority_queue(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    let mut timers = Timers::new(size, timeout);
    let mut queue: PriorityQueue<u32, Reverse<(u64, u64)>> = PriorityQueue::new();
    for setting in timers.start() {
        queue.push(setting.timer, Reverse((setting.time.key(), setting.number)));
    }
    let mut next = 0.0;
    let cost = windows(before, 30 * size, |count| {
        for _ in 0..count {
            let setting = match queue.peek() {
                Some((&timer, &Reverse((time, number)))) if f64::from_key(time) <= next => {
                    let time = f64::from_key(time);
                    timers.fire(Setting { timer, number, time }, time)
                }
                _ => {
                    let setting = timers.step(next);
                    next += timers.gap();
                    setting
                }
            };
            queue.change_priority(&setting.timer, Reverse((setting.time.key(), setting.number)));
        }
    });
    (cost, timers.exact)
}

// ---- desque: no way to cancel ----

struct Until {
    timers: Timers,
    left: usize,
}

impl SimState<u64> for Until {
    fn is_complete(&self, _: &u64) -> bool {
        self.left == 0
    }
}

impl DesqueEvent<Until, u64> for Tick {
    fn execute(&mut self, simulation: &mut Desque<Until, u64>) -> desque::Result {
        let now = f64::from_bits(*simulation.current_time());
        let until = simulation.state_mut();
        let gap = until.timers.gap();
        let setting = match *self {
            Tick::Fire(setting) if !until.timers.is_live(setting) => return Ok(()),
            Tick::Fire(setting) => until.timers.fire(setting, now),
            Tick::Step => until.timers.step(now),
        };
        until.left -= 1;
        if let Tick::Step = self {
            simulation.schedule(Tick::Step, (now + gap).to_bits())?;
        }
        simulation.schedule(Tick::Fire(setting), setting.time.to_bits())
    }
}

fn desque(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    let mut timers = Timers::new(size, timeout);
    let start = timers.start();
    let mut simulation = Desque::new(Until { timers, left: 0 }, 0);
    for setting in start {
        simulation.schedule(Tick::Fire(setting), setting.time.to_bits()).expect("in the future");
    }
    simulation.schedule(Tick::Step, 0).expect("in the future");
    let cost = windows(before, 30 * size, |count| {
        simulation.state_mut().left = count;
        simulation.run().expect("nothing fails");
    });
    (cost, simulation.state().timers.exact)
}

// ---- simcore: cancelling by number ----

struct Cancelling {
    timers: Timers,
    pending: Vec<EventId>,
    context: simcore::SimulationContext,
    events: usize,
}

impl Cancelling {
    fn emit(&mut self, setting: Setting, now: f64) {
        self.pending[setting.timer as usize] = self.context.emit_self(Tick::Fire(setting), setting.time - now);
    }
}

impl EventHandler for Cancelling {
    fn on(&mut self, event: SimcoreEvent) {
        let Ok(tick) = event.data.downcast::<Tick>() else { return };
        self.events += 1;
        let setting = match *tick {
            // A delay is added to the clock again, so the time may differ in its last bit.
            Tick::Fire(setting) => self.timers.fire(Setting { time: event.time, ..setting }, event.time),
            Tick::Step => {
                let setting = self.timers.step(event.time);
                self.context.cancel_event(self.pending[setting.timer as usize]);
                self.context.emit_self(Tick::Step, self.timers.gap());
                setting
            }
        };
        self.emit(setting, event.time);
    }
}

fn simcore(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    let mut simulation = Simcore::new(1);
    let context = simulation.create_context("churn");
    let mut timers = Timers::new(size, timeout);
    let start = timers.start();
    context.emit_self(Tick::Step, 0.0);
    let churn = Rc::new(RefCell::new(Cancelling { timers, pending: vec![0; size], context, events: 0 }));
    for setting in start {
        churn.borrow_mut().emit(setting, 0.0);
    }
    simulation.add_handler("churn", churn.clone());
    let cost = windows(before, 30 * size, |count| {
        let end = churn.borrow().events + count;
        while churn.borrow().events < end && simulation.step() {}
    });
    let exact = churn.borrow().timers.exact;
    (cost, exact)
}

// ---- NeXosim: cancelling by key; one model, since thousands of them cost more ----

thread_local! {
    /// Events so far, and whether all came in order: once in a simulation, a model is out of reach.
    static PROGRESS: Cell<(usize, bool)> = const { Cell::new((0, true)) };
}

#[derive(Serialize, Deserialize)]
struct Keyed {
    timers: Timers,
    keys: Vec<Option<EventKey>>,
}

fn seconds(time: MonotonicTime) -> f64 {
    time.duration_since(MonotonicTime::EPOCH).as_nanos() as f64 * 1e-9
}

#[nexosim::model::Model]
impl Keyed {
    #[nexosim(init)]
    async fn init(&mut self, cx: &NexosimContext<Self>, _: &mut ()) {
        for setting in self.timers.start() {
            self.schedule(setting, 0.0, cx);
        }
        cx.schedule_event(Duration::from_nanos(1), schedulable!(Self::step), ()).expect("in the future");
    }

    fn schedule(&mut self, setting: Setting, now: f64, cx: &NexosimContext<Self>) {
        let delay = Duration::from_secs_f64(setting.time - now).max(Duration::from_nanos(1));
        let key = cx.schedule_keyed_event(delay, schedulable!(Self::fire), setting).expect("in the future");
        self.keys[setting.timer as usize] = Some(key);
        PROGRESS.set((PROGRESS.get().0 + 1, self.timers.exact));
    }

    #[nexosim(schedulable)]
    fn step(&mut self, _: (), cx: &NexosimContext<Self>) {
        let now = seconds(cx.time());
        let setting = self.timers.step(now);
        if let Some(key) = self.keys[setting.timer as usize].take() {
            key.cancel();
        }
        cx.schedule_event(Duration::from_secs_f64(self.timers.gap()), schedulable!(Self::step), ()).expect("in the future");
        self.schedule(setting, now, cx);
    }

    #[nexosim(schedulable)]
    fn fire(&mut self, setting: Setting, cx: &NexosimContext<Self>) {
        let now = seconds(cx.time());
        // Its clock has ticks of a nanosecond.
        let setting = self.timers.fire(Setting { time: now, ..setting }, now);
        self.schedule(setting, now, cx);
    }
}

fn nexosim(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    PROGRESS.set((0, true));
    let model = Keyed { timers: Timers::new(size, timeout), keys: vec![None; size] };
    let init = SimInit::with_num_threads(1).add_model(model, Mailbox::new(), "churn");
    let mut simulation: Nexosim = init.init(MonotonicTime::EPOCH).expect("a simulation of one model");
    let cost = windows(before, 30 * size, |count| {
        let end = PROGRESS.get().0 + count;
        while PROGRESS.get().0 < end {
            simulation.step().expect("nothing fails");
        }
    });
    (cost, PROGRESS.get().1)
}

// ---- tokio's DelayQueue: a wheel with ticks of a millisecond, on a clock that stands still until it is advanced ----

fn delay_queue(size: usize, timeout: f64) -> Measured {
    let before = bytes_in_use();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let mut timers = Timers::new(size, timeout);
    let mut queue: DelayQueue<u32> = DelayQueue::with_capacity(size);
    let mut settings: Vec<Setting> = timers.start();
    let mut keys: Vec<delay_queue::Key> = {
        let _guard = runtime.enter();
        settings.iter().map(|s| queue.insert(s.timer, Duration::from_secs_f64(s.time))).collect()
    };
    // A millisecond is a thousandth of the unit of time, so several steps share a tick.
    let steps_a_tick = (size as f64 / 1000.0).max(1.0);
    let (mut ticks, mut steps) = (0u64, 0u64);
    let cost = windows(before, 30 * size, |count| {
        runtime.block_on(async {
            let mut left = count as i64;
            while left > 0 {
                while (steps as f64) < ticks as f64 * steps_a_tick {
                    let setting = timers.step(steps as f64 / size as f64);
                    settings[setting.timer as usize] = setting;
                    queue.reset(&keys[setting.timer as usize], Duration::from_secs_f64(timeout));
                    (steps, left) = (steps + 1, left - 1);
                }
                tokio::time::advance(Duration::from_millis(1)).await;
                ticks += 1;
                while let Some(expired) = std::future::poll_fn(|cx| match queue.poll_expired(cx) {
                    std::task::Poll::Pending => std::task::Poll::Ready(None),
                    ready => ready,
                })
                .await
                {
                    let timer = expired.into_inner();
                    let setting = settings[timer as usize];
                    let setting = timers.fire(setting, setting.time);
                    settings[timer as usize] = setting;
                    keys[timer as usize] = queue.insert(timer, Duration::from_secs_f64(timeout));
                    left -= 1;
                }
            }
        });
    });
    (cost, timers.exact)
}

type Program = (&'static str, fn(usize, f64) -> Measured);

const PROGRAMS: [Program; 9] = [
    ("saltus ladder", saltus::<Ladder>),
    ("saltus heap 4", saltus::<Heap>),
    ("saltus indexed", saltus::<Indexed>),
    ("bare heap loop", bare_heap),
    ("bare priority-queue", bare_priority_queue),
    ("desque", desque),
    ("simcore", simcore),
    ("nexosim", nexosim),
    ("tokio DelayQueue", delay_queue),
];

pub fn rows(sizes: &[usize], wanted: &dyn Fn(&str) -> bool, print: &dyn Fn(Row)) {
    let sizes = if sizes.is_empty() { &[100_000] } else { sizes };
    for &size in sizes {
        for (timeout, distribution) in [(2.3, "timeout 2.3"), (23.0, "timeout 23")] {
            for (queue, program) in PROGRAMS.iter().filter(|(queue, _)| wanted(queue)) {
                let (Cost { ns, fastest, bytes, allocations }, exact) = program(size, timeout);
                let (queue, distribution) = (queue.to_string(), distribution.to_string());
                print(Row { work: "churn", queue, size, distribution, ns, fastest, exact: Some(exact), bytes, allocations });
            }
        }
    }
}
