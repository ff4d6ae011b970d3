//! What can be written down with serde and read again.

#![cfg(feature = "serde")]

mod common;

use common::Act::*;
use common::{Script, start};
use saltus::observe::Trace;
use saltus::queue::{DaryHeap, Entry, FutureEventList, SortedVec};
use saltus::{Class, Context, Counters, Entity, EventId, Handle, Settings, Simulation, Stream, When};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn ids_entities_handles_and_counters_are_the_same_when_read_again() {
    let mut sim = start(Script::default(), &[Held(1.0, "a"), At(1.0, "b"), Held(2.0, "c")]);
    let cx = sim.context();
    let entity = cx.spawn();
    let id = cx.schedule(When::at(5.0).stamp(entity), "d").unwrap();
    sim.run_until(1.5).unwrap();
    let handles: Vec<Handle> = again(&sim.model().handles.values().copied().collect());

    assert_eq!(again::<EventId>(&id), id);
    assert_eq!(again::<EventId>(&EventId::NEVER), EventId::NEVER);
    assert_eq!(again::<Handle>(&Handle::NEVER), Handle::NEVER);
    assert_eq!(again::<Class>(&Class::State), Class::State);
    let counters: Counters = again(sim.counters());
    assert_eq!(&counters, sim.counters());
    assert_eq!(counters.pending(), 2);

    // A handle that was read still cancels its event, and one whose event has run still cancels nothing.
    let entity_again: Entity = again(&entity);
    assert_eq!(entity_again, entity);
    let cx = sim.context();
    assert_eq!([handles[0], handles[1]].map(|handle| cx.cancel(handle)), [false, true]);
    assert!(cx.touch(entity_again));
    assert!(cx.despawn(entity));
    assert!(!cx.touch(entity_again), "nor does an old entity match");
}

#[test]
fn a_stream_goes_on_where_it_was_left() {
    for drawn in [0, 1, 7, 8, 100, 1001] {
        let mut stream = Stream::new(42, 1, 2);
        for _ in 0..drawn {
            stream.bits();
        }
        let mut read: Stream = again(&stream);
        assert_eq!(read, stream);
        for _ in 0..100 {
            assert_eq!(read.bits(), stream.bits());
        }
    }
}

#[test]
fn a_trace_can_be_written() {
    let mut sim: Simulation<_, _> = Simulation::with(Script::default(), Settings::default(), Trace::default());
    sim.context().schedule_at(0.1, "a").unwrap();
    sim.run().unwrap();
    assert_eq!(
        serde_json::to_string(&sim.observer().events).unwrap(),
        r#"[{"id":1,"time":0.1,"cause":null,"kind":"a"}]"#
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Numbered {
    time: u64,
    number: u64,
}

impl Entry for Numbered {
    type Time = u64;

    fn key(&self) -> (u64, u64) {
        (self.time, self.number)
    }
}

fn is_the_same_when_read_again<Q: FutureEventList<Numbered> + Default + Serialize + DeserializeOwned>() {
    let mut random = Stream::new(3, 0, 0);
    let mut queue = Q::default();
    for number in 0..500 {
        queue.push(Numbered { time: random.below(50), number });
    }
    for _ in 0..100 {
        queue.pop();
    }
    let mut read: Q = again(&queue);
    assert_eq!(read.len(), 400);
    while let Some(entry) = queue.pop() {
        assert_eq!(read.pop(), Some(entry));
    }
    assert!(read.is_empty());
}

#[test]
fn queues_are_the_same_when_read_again() {
    is_the_same_when_read_again::<DaryHeap<Numbered>>();
    is_the_same_when_read_again::<SortedVec<Numbered>>();
}
