//! The baseline for later work: the kernel alone (hold model) and a run of discs.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hard_discs::HardDiscs;
use hard_discs::starts::{Start, make};
use saltus::{Context, Entity, Model, Outcome, Simulation, Stamps, When};

/// Every event schedules the next one of its entity: the queue's length never changes.
struct Hold {
    entities: Vec<Entity>,
    increments: Vec<f64>,
    next: usize,
}

impl Model for Hold {
    type Time = f64;
    type Event = [u32; 3];
    type Refs = Stamps<1>;

    fn handle(&mut self, event: [u32; 3], cx: &mut impl Context<Self>) -> Outcome {
        self.next = (self.next + 1) % self.increments.len();
        let when = When::after(self.increments[self.next]).stamp(self.entities[event[0] as usize]);
        cx.schedule(when, event)?;
        Ok(())
    }
}

fn hold(size: u32) -> Simulation<Hold> {
    let model = Hold { entities: Vec::new(), increments: Vec::new(), next: 0 };
    let mut simulation = Simulation::seeded(model, 1);
    let (model, cx) = simulation.parts();
    model.increments = (0..1 << 16).map(|_| cx.stream(0).exponential(1.0)).collect();
    for i in 0..size {
        model.entities.push(cx.spawn());
        let first = cx.stream(0).exponential(1.0);
        let when = When::at(first).stamp(model.entities[i as usize]);
        cx.schedule(when, [i, 0, 0]).expect("a finite time");
    }
    simulation
}

fn start(model: HardDiscs) -> Simulation<HardDiscs> {
    let mut simulation = Simulation::new(model);
    let (model, cx) = simulation.parts();
    model.start(cx).expect("finite times");
    simulation
}

fn benchmarks(criterion: &mut Criterion) {
    const EVENTS: u64 = 10_000;
    let mut group = criterion.benchmark_group("hold");
    group.throughput(Throughput::Elements(EVENTS));
    for size in [100, 10_000, 1_000_000] {
        let mut simulation = hold(size);
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| simulation.run_events(black_box(EVENTS)).expect("a hold model does not fail"));
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("discs");
    group.throughput(Throughput::Elements(1000));
    let gas = make(Start::Random, Some(200), None, 1).expect("room for 200 discs");
    group.bench_function("200 random, 1000 events", |bencher| {
        bencher.iter_batched(
            || start(gas.clone()),
            |mut simulation| simulation.run_events(1000).expect("discs do not fail"),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(baseline, benchmarks);
criterion_main!(baseline);
