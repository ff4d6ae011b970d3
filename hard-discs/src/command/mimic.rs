//! The kernel's work in a run of particles, without the physics: what share of the time is the kernel's.

use saltus::queue::Ladder;
use saltus::{BoxError, Context, Entity, Model, Outcome, Settings, Simulation, Stamps, When};

/// What happens for each collision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// Looks, which touch nothing and schedule one event.
    pub(crate) looks: f64,
    /// Events that are void when they come up and are scheduled anew.
    pub(crate) stale: f64,
}

/// As many entities as particles, one pending event each, and the same schedules, touches, pops and stale events as in the run,
/// at times that are drawn from a table. Events are spread over the entities as collisions are over particles.
pub(crate) struct Mimic {
    entities: Vec<Entity>,
    mix: Mix,
    waits: Vec<f64>,
    random: u64,
    pub(crate) collisions: u64,
}

#[derive(Clone, Copy)]
pub(crate) enum Mimicked {
    Pair(u32, u32),
    Look(u32),
}

impl Mimic {
    /// Started, with every entity's first event pending.
    pub(crate) fn start(n: usize, mix: Mix) -> Result<Simulation<Mimic, (), Ladder>, BoxError> {
        let mut stream = saltus::Stream::new(1, 0, 0);
        let waits = (0..4096).map(|_| stream.exponential(1.0)).collect();
        let model = Mimic { entities: Vec::with_capacity(n), mix, waits, random: 1, collisions: 0 };
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
        if n < 2 || chance * (1.0 + self.mix.looks) < self.mix.looks {
            cx.schedule(when, Mimicked::Look(i))?;
        } else {
            let partner = (i + 1 + (bits >> 16) as u32 % 4.min(n - 1)) % n;
            cx.schedule(when.stamp(self.entities[partner as usize]), Mimicked::Pair(i, partner))?;
        }
        Ok(())
    }
}

impl Model for Mimic {
    type Time = f64;
    type Event = Mimicked;
    type Refs = Stamps<2>;
    const TELL_STALE: bool = true;

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
