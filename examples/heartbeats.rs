//! A monitor that gives up on a peer after three seconds without a heartbeat.
//!
//! Shows: entities and versions. Nothing cancels the old timeout: a heartbeat touches the peer, and all that was predicted
//! for it is void. Dead timeouts are swept, so the queue stays small however many heartbeats come.
//! With `--trace LOG`, `saltus stale LOG` tells which heartbeat voided which timeout.

use std::path::Path;

use saltus::log::LogHeader;
use saltus::{BoxError, Context, Entity, Model, Outcome, Settings, Simulation, Stamps, When};
use saltus_examples::{begin_log, end_log, trace_argument};

const TIMEOUT: f64 = 3.0;

#[derive(Default)]
struct Monitor {
    peers: Vec<Entity>,
    lost: Vec<(f64, usize)>,
}

enum Event {
    Heartbeat(usize),
    Timeout(usize),
}

impl Model for Monitor {
    type Time = f64;
    type Event = Event;
    /// A timeout is stamped with its peer.
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            Event::Heartbeat(peer) => {
                cx.touch(self.peers[peer]);
                cx.schedule(When::after(TIMEOUT).stamp(self.peers[peer]), Event::Timeout(peer))?;
                // Each peer has its own stream, so that one more draw here shifts nobody else's.
                let gap = cx.stream(peer as u64).exponential(0.5);
                cx.schedule_in(gap, Event::Heartbeat(peer))?;
            }
            Event::Timeout(peer) => self.lost.push((cx.now(), peer)),
        }
        Ok(())
    }

    fn kind(event: &Event) -> &'static str {
        match event {
            Event::Heartbeat(_) => "heartbeat",
            Event::Timeout(_) => "timeout",
        }
    }
}

fn main() -> Result<(), BoxError> {
    run(trace_argument().as_deref())
}

fn run(trace: Option<&Path>) -> Result<(), BoxError> {
    let settings = Settings { seed: 7, ..Settings::default() };
    let header = LogHeader::new("heartbeats", &settings).setting("peers", 100).setting("timeout", TIMEOUT);
    let log = begin_log(trace, &header.setting("until", 200.0))?;
    let mut simulation = Simulation::with(Monitor::default(), settings, log);
    let (monitor, cx) = simulation.parts();
    for peer in 0..100 {
        monitor.peers.push(cx.spawn());
        cx.schedule_at(0.0, Event::Heartbeat(peer))?;
    }
    let result = simulation.run_until(200.0);

    let counters = *simulation.counters();
    let (monitor, log) = simulation.into_parts();
    end_log(log, &result)?;
    result?;
    for (time, peer) in monitor.lost.iter().take(5) {
        println!("t = {time:.2}: peer {peer} has been silent for {TIMEOUT} s");
    }
    println!("{} silences in all", monitor.lost.len());
    println!("{} events executed", counters.executed);
    println!(
        "{} timeouts came to nothing: {} found stale, {} swept",
        counters.stale + counters.swept,
        counters.stale,
        counters.swept
    );
    println!("largest queue: {} entries for 200 living events", counters.largest_queue);
    assert!(counters.largest_queue <= 2 * 200 + 64);
    // A silence is a gap over 3 s, one in e^6 of them: about 99 of 40,000.
    assert!((60..140).contains(&monitor.lost.len()));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    run(None)
}
