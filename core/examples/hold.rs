//! The hold model, to count what the kernel itself costs: each event schedules one more, and nothing else happens.
//!
//! Instructions an event, from two runs whose difference leaves out the start (a profiler sees the same names):
//!
//! ```text
//! cargo build --release --example hold
//! for events in 20000 120000; do
//!     valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/hold 1000 $events
//! done
//! ```
//!
//! To see that the observer `()` costs nothing, cut every call of an observer out of a copy of the kernel and compare: the
//! counts are the same but for the start of the process.

use saltus::{Context, Model, Outcome, Simulation, Stamps};

struct Hold;

impl Model for Hold {
    type Time = f64;
    /// The state of a small generator of its own, so that the streams are not measured.
    type Event = u64;
    type Refs = Stamps<0>;

    fn handle(&mut self, mut noise: u64, cx: &mut impl Context<Self>) -> Outcome {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        cx.schedule_in(exponential(noise), noise)?;
        Ok(())
    }
}

fn exponential(bits: u64) -> f64 {
    -(1.0 - (bits >> 11) as f64 * 2f64.powi(-53)).ln()
}

fn main() -> Result<(), saltus::BoxError> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let pending = numbers.next().transpose()?.unwrap_or(1000);
    let events = numbers.next().transpose()?.unwrap_or(100_000);
    let mut hold = Simulation::new(Hold);
    for n in 1..=pending {
        let noise = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hold.context().schedule_at(exponential(noise), noise)?;
    }
    hold.run_events(events)?;
    println!("{pending} pending, {events} events, clock {}", hold.now());
    Ok(())
}
