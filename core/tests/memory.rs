//! The length of the queue, against what lives and against a plain list.

mod common;

use std::collections::BTreeMap;

use common::Script;
use saltus::observe::Trace;
use saltus::queue::{Heap, Indexed, Ladder, QueueKind, SortedArray};
use saltus::{Context, Entity, Handle, Handles, Model, Outcome, Settings, Simulation, Stamps, Stream, When};

/// Peers whose heartbeats set a long timeout again and again.
struct Peers {
    peers: Vec<Entity>,
    timeouts: u32,
}

enum Peer {
    Heartbeat(usize),
    Timeout,
}

impl Model for Peers {
    type Time = f64;
    type Event = Peer;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Peer, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            Peer::Heartbeat(i) => {
                cx.touch(self.peers[i]);
                cx.schedule(When::after(1000.0).stamp(self.peers[i]), Peer::Timeout)?;
                cx.schedule_in(1.0, Peer::Heartbeat(i))?;
            }
            Peer::Timeout => self.timeouts += 1,
        }
        Ok(())
    }
}

fn heartbeats<Q: QueueKind<f64> + Default>() {
    let model = Peers { peers: Vec::new(), timeouts: 0 };
    let mut sim = Simulation::with_queue(model, Settings::default(), (), Q::default());
    let (model, cx) = sim.parts();
    model.peers = (0..100).map(|_| cx.spawn()).collect();
    for i in 0..100 {
        cx.schedule_at(0.0, Peer::Heartbeat(i)).unwrap();
    }
    sim.run_until(10_000.0).unwrap();
    assert_eq!(sim.model().timeouts, 0);
    assert!(sim.counters().executed >= 1_000_000);
    // A hundred heartbeats and a hundred timeouts are alive.
    assert!(sim.counters().largest_queue <= 2 * 200 + 64, "{}", sim.counters().largest_queue);
}

#[test]
fn timeouts_that_are_nearly_always_superseded_do_not_fill_the_queue() {
    heartbeats::<Heap>();
    heartbeats::<Ladder>();
    heartbeats::<Indexed>();
}

#[test]
fn the_queue_shrinks_when_the_living_collapse() {
    collapse::<Heap>();
    collapse::<Ladder>();
    collapse::<Indexed>();
}

fn collapse<Q: QueueKind<f64> + Default>() {
    let mut sim = Simulation::with_queue(Script::default(), Settings::default(), (), Q::default());
    let cx = sim.context();
    let crowd = cx.spawn();
    let mut handles = Vec::new();
    for i in 0..100_000 {
        let time = f64::from(i % 1000);
        cx.schedule(When::at(time).stamp(crowd), "stamped").unwrap();
        handles.push(cx.schedule_with_handle(time, "held").unwrap());
    }
    cx.schedule_at(2000.0, "survivor").unwrap();
    cx.touch(crowd);
    for (cancelled, &handle) in handles.iter().enumerate() {
        let living = 100_001 - cancelled;
        assert!(sim.queue_len() <= 2 * living + 64, "{} entries, {living} alive", sim.queue_len());
        assert!(sim.context().cancel(handle));
    }
    assert!(sim.queue_len() <= 2 + 64);
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["survivor"]);
    let counters = sim.counters();
    assert_eq!(counters.swept + counters.stale, 100_000);
    assert_eq!(counters.cancelled, 100_000);
}

#[test]
fn a_stale_payload_is_dropped_with_its_event() {
    use std::rc::Rc;

    struct Holder;
    impl Model for Holder {
        type Time = f64;
        type Event = Rc<()>;
        type Refs = Handles<1>;

        fn handle(&mut self, _: Rc<()>, _: &mut impl Context<Self>) -> Outcome {
            Ok(())
        }
    }
    let payload = Rc::new(());
    let mut sim = Simulation::new(Holder);
    let cx = sim.context();
    let entity = cx.spawn();
    let handle = cx.schedule_with_handle(1.0, payload.clone()).unwrap();
    cx.cancel(handle);
    assert_eq!(Rc::strong_count(&payload), 1, "what is cancelled is dropped at once");
    for _ in 0..1000 {
        cx.schedule(When::at(1.0).stamp(entity), payload.clone()).unwrap();
        cx.schedule_with_handle(When::at(1.0).stamp(entity), payload.clone()).unwrap();
    }
    cx.touch(entity);
    assert!(Rc::strong_count(&payload) <= 1 + 64, "stale ones were swept");
    cx.schedule_at(1.0, payload.clone()).unwrap();
    drop(sim);
    assert_eq!(Rc::strong_count(&payload), 1);
}

/// Any payload, written down.
#[derive(Default)]
struct Log(Vec<(u64, u64)>);

impl Model for Log {
    type Time = u64;
    type Event = u64;
    type Refs = Handles<2>;

    fn handle(&mut self, number: u64, cx: &mut impl Context<Self>) -> Outcome {
        self.0.push((cx.now(), number));
        Ok(())
    }
}

/// Random scheduling, cancelling, rescheduling and running beside a map ordered by time, priority and sequence number.
fn against_a_map<Q: QueueKind<u64> + Default>(seed: u64, operations: u32) -> Trace<u64> {
    type Key = (u64, i16, u64);
    let mut random = Stream::new(seed, 0, 0);
    let mut sim = Simulation::with_queue(Log::default(), Settings::default(), Trace::default(), Q::default());
    let mut map: BTreeMap<Key, u64> = BTreeMap::new();
    let mut handles: Vec<(Handle, Key)> = Vec::new();
    let mut sequence = 0;
    let mut number = 0;
    for _ in 0..operations {
        match random.below(10) {
            0..4 => {
                // Few times and priorities, so that ties abound.
                let priority = random.below(3) as i16 - 1;
                let key = (sim.now() + random.below(20), priority, sequence + 1);
                let when = When::at(key.0).priority(priority);
                let handle = sim.context().schedule_with_handle(when, number).unwrap();
                (sequence, number) = (sequence + 1, number + 1);
                map.insert(key, number - 1);
                handles.push((handle, key));
            }
            4..7 => {
                let next = map.pop_first();
                assert_eq!(sim.step().unwrap().is_none(), next.is_some());
                if let Some(((time, ..), number)) = next {
                    assert_eq!(sim.model().0.last(), Some(&(time, number)));
                }
            }
            7..9 if !handles.is_empty() => {
                let i = random.below(handles.len() as u64) as usize;
                let (handle, old) = &mut handles[i];
                let time = sim.now() + random.below(20);
                let moved = sim.context().reschedule(*handle, time).unwrap();
                let number = map.remove(old);
                assert_eq!(moved.is_some(), number.is_some());
                if let Some(number) = number {
                    sequence += 1;
                    *old = (time, old.1, sequence);
                    map.insert(*old, number);
                }
            }
            _ if !handles.is_empty() => {
                let (handle, key) = handles.swap_remove(random.below(handles.len() as u64) as usize);
                assert_eq!(sim.context().cancel(handle), map.remove(&key).is_some());
            }
            _ => {}
        }
        assert_eq!(sim.pending(), map.len() as u64);
        assert!(sim.queue_len() <= 2 * map.len() + 64);
    }
    sim.run().unwrap();
    let rest: Vec<_> = map.into_iter().map(|((time, ..), number)| (time, number)).collect();
    assert!(sim.model().0.ends_with(&rest));
    sim.into_parts().1
}

#[test]
fn a_hundred_thousand_random_operations_agree_with_an_ordered_map() {
    let heap = against_a_map::<Heap>(1, 100_000);
    assert!(heap.events.len() > 20_000);
    assert!(heap == against_a_map::<SortedArray>(1, 100_000));
    assert!(heap == against_a_map::<Ladder>(1, 100_000));
    assert!(heap == against_a_map::<Indexed>(1, 100_000));
}

#[test]
fn an_update_in_the_middle_of_the_queue_keeps_the_order() {
    let mut sim = Simulation::new(Log::default());
    let cx = sim.context();
    let times = [700, 300, 900, 400, 400, 800, 100, 200];
    let handles = times.map(|time| cx.schedule_with_handle(time, 0).unwrap());
    assert!(cx.cancel(handles[2]));
    cx.reschedule(handles[1], 850).unwrap();
    sim.run().unwrap();
    let order: Vec<_> = sim.model().0.iter().map(|&(time, _)| time).collect();
    assert_eq!(order, [100, 200, 400, 400, 700, 800, 850]);
}

/// An indexed queue moves what is rescheduled or set anew, so that no dead entry is left, and drops what is cancelled.
#[test]
fn an_indexed_queue_holds_the_living_only() {
    let mut sim = Simulation::with_queue(Script::default(), Settings::default(), (), Indexed);
    let cx = sim.context();
    let entities: Vec<Entity> = (0..100).map(|_| cx.spawn()).collect();
    let schedule = |entity: &Entity| cx.schedule_with_handle(When::at(50.0).stamp(*entity), "held").unwrap();
    let handles: Vec<Handle> = entities.iter().map(schedule).collect();
    for (i, &handle) in handles.iter().enumerate() {
        sim.context().reschedule(handle, f64::from(i as u32 * 7919 % 100)).unwrap();
        assert_eq!(sim.queue_len(), 100);
    }
    for &entity in &entities[..50] {
        sim.context().touch(entity);
        sim.context().schedule(When::at(25.0).stamp(entity), "anew").unwrap();
        assert_eq!(sim.queue_len(), 100);
    }
    for (left, &handle) in (0..50).rev().zip(&handles[50..]) {
        assert!(sim.context().cancel(handle));
        assert_eq!(sim.queue_len(), 50 + left);
    }
    sim.run().unwrap();
    assert_eq!((sim.counters().executed, sim.counters().stale), (50, 0));
}
