//! A monitor that gives up on a peer after three seconds without a heartbeat.
//!
//! Shows: entities and versions. Nothing cancels the old timeout: a heartbeat touches the peer, and all that was predicted
//! for it is void. Dead timeouts are swept, so the queue stays small however many heartbeats come.

use saltus::{BoxError, Context, Entity, Model, Outcome, Simulation, Stamps, When};

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
}

fn main() -> Result<(), BoxError> {
    let mut simulation = Simulation::seeded(Monitor::default(), 7);
    let (monitor, cx) = simulation.parts();
    for peer in 0..100 {
        monitor.peers.push(cx.spawn());
        cx.schedule_at(0.0, Event::Heartbeat(peer))?;
    }
    simulation.run_until(200.0)?;

    let counters = *simulation.counters();
    for (time, peer) in simulation.model().lost.iter().take(5) {
        println!("t = {time:.2}: peer {peer} has been silent for {TIMEOUT} s");
    }
    println!("{} silences in all", simulation.model().lost.len());
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
    assert!((60..140).contains(&simulation.model().lost.len()));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), BoxError> {
    main()
}
