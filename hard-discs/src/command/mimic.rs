//! The kernel's work in a run of particles, without the physics: what share of the time is the kernel's.

use cpu_time::ProcessTime;
use saltus::queue::Ladder;
use saltus::{BoxError, Context, Entity, Model, Outcome, Settings, Simulation, Stamps, When};

/// What happens for each collision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// Looks, which touch nothing and schedule one event.
    pub(crate) looks: f64,
    /// Events that turn out void.
    pub(crate) void: f64,
}

/// As many entities as particles, one pending event each, and the same schedules, touches, pops and void events for each
/// collision as in the run, at times that are drawn from a table. Partners are near each other, as particles are.
pub(crate) struct Mimic {
    entities: Vec<Entity>,
    looks: f64,
    /// How many pair events the partner's collisions void.
    stamped: f64,
    waits: Vec<f64>,
    random: u64,
    collisions: u64,
}

/// Nanoseconds of the kernel for each collision, measured for so many CPU seconds.
pub(crate) fn nanoseconds(n: usize, mix: Mix, seconds: f64) -> Result<f64, BoxError> {
    // If all were stamped, more would be void. One for each collision always is: what the partner had planned.
    let mut trial = Mimic::start(n, Mix { void: 1.0, ..mix })?;
    trial.run_events(2 * n as u64)?;
    let void = (trial.counters().stale + trial.counters().swept) as f64 / trial.model().collisions.max(1) as f64;
    let stamped = ((mix.void - 1.0) / (void - 1.0)).clamp(0.0, 1.0);
    let mut simulation = Mimic::start(n, Mix { void: if stamped.is_nan() { 1.0 } else { stamped }, ..mix })?;
    simulation.run_events(2 * n as u64)?;
    let (begin, before) = (ProcessTime::now(), simulation.model().collisions);
    while begin.elapsed().as_secs_f64() < seconds {
        simulation.run_events(5000)?;
    }
    Ok(1e9 * begin.elapsed().as_secs_f64() / (simulation.model().collisions - before).max(1) as f64)
}

#[derive(Clone, Copy)]
pub(crate) enum Mimicked {
    Pair(u32, u32),
    Look(u32),
}

impl Mimic {
    /// Started, with every entity's first event pending; `void` is the part of the pair events that carries both stamps.
    fn start(n: usize, Mix { looks, void }: Mix) -> Result<Simulation<Mimic, (), Ladder>, BoxError> {
        let mut stream = saltus::Stream::new(1, 0, 0);
        let waits = (0..4096).map(|_| stream.exponential(1.0)).collect();
        let model = Mimic { entities: Vec::with_capacity(n), looks, stamped: void, waits, random: 1, collisions: 0 };
        let mut simulation = Simulation::with_queue(model, Settings::default(), (), Ladder);
        let (mimic, cx) = simulation.parts();
        mimic.entities.extend((0..n).map(|_| cx.spawn()));
        for i in 0..n as u32 {
            mimic.plan(i, cx)?;
        }
        Ok(simulation)
    }

    /// A few instructions: this is what must not be measured (Marsaglia's xorshift).
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn plan(&mut self, i: u32, cx: &mut impl Context<Self>) -> Outcome {
        let bits = self.random();
        let wait = self.waits[bits as usize % self.waits.len()];
        let chance = (bits >> 40) as f64 / (1u64 << 24) as f64;
        let when = When::after(wait).stamp(self.entities[i as usize]);
        let n = self.entities.len() as u32;
        let partner = (i + 1 + (bits >> 16) as u32 % 4.min(n - 1)) % n;
        // Of the pair chances the rest of the same number decides whether the partner can void the event.
        let (looks, whole) = (self.looks, 1.0 + self.looks);
        let when =
            if chance * whole < looks + self.stamped { when.stamp(self.entities[partner as usize]) } else { when };
        let event = if chance * whole < looks { Mimicked::Look(i) } else { Mimicked::Pair(i, partner) };
        cx.schedule(when, event)?;
        Ok(())
    }
}

impl Model for Mimic {
    type Time = f64;
    type Event = Mimicked;
    type Refs = Stamps<2>;
    const TELL_STALE: bool = true;
    const OWNED: bool = true;

    fn handle(&mut self, event: Mimicked, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            Mimicked::Look(i) => self.plan(i, cx),
            Mimicked::Pair(i, j) => {
                cx.touch(self.entities[i as usize]);
                cx.touch(self.entities[j as usize]);
                self.collisions += 1;
                self.plan(i, cx)?;
                self.plan(j, cx)
            }
        }
    }

    fn stale(&mut self, event: Mimicked, cx: &mut impl Context<Self>) -> Outcome {
        let (Mimicked::Pair(i, _) | Mimicked::Look(i)) = event;
        self.plan(i, cx)
    }
}
