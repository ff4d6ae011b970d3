//! What the recorder costs on the hold model: wall-clock time in turns with the same run without it, and bytes a record.
//!
//! ```text
//! cargo run --release -p saltus --example recorded -- 1000 1000000
//! ```
//!
//! Each event schedules one more, so every record is of a kind that cannot be avoided. The middle of several turns is shown.

use std::io::BufWriter;
use std::time::Instant;

use saltus::log::{LogHeader, Sink};
use saltus::observe::Recorder;
use saltus::{BoxError, Context, Model, Observer, Outcome, Settings, Simulation, Stamps};

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

/// Nanoseconds an event, and the observer.
fn run<O: Observer<Hold>>(pending: u64, events: u64, observer: O) -> Result<(f64, O), BoxError> {
    let mut hold = Simulation::<_, _>::with(Hold, Settings::default(), observer);
    for n in 1..=pending {
        let noise = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hold.context().schedule_at(exponential(noise), noise)?;
    }
    let begin = Instant::now();
    hold.run_events(events)?;
    let nanoseconds = begin.elapsed().as_secs_f64() * 1e9 / events as f64;
    Ok((nanoseconds, hold.into_parts().1))
}

/// Takes records and keeps nothing: what the recorder costs without what it keeps.
struct Nowhere;

impl Sink for Nowhere {
    fn put(&mut self, record: &saltus::log::Record<'_>) {
        std::hint::black_box(record);
    }
}

const TURNS: usize = 9;

fn main() -> Result<(), BoxError> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let pending = numbers.next().transpose()?.unwrap_or(1000);
    let events = numbers.next().transpose()?.unwrap_or(300_000);
    let header = LogHeader::new("hold", &Settings::<f64>::default());
    let names = ["off", "a sink that drops all", "in memory", "ring of 10,000", "a log that is discarded"];
    let mut times = [const { Vec::new() }; 5];
    let mut bytes = 0.0;
    for _ in 0..TURNS {
        times[0].push(run(pending, events, ())?.0);
        times[1].push(run(pending, events, Recorder::into_sink(Nowhere, header.start))?.0);
        let (time, recorder) = run(pending, events, Recorder::new(&header))?;
        times[2].push(time);
        bytes = recorder.memory().bytes() as f64 / recorder.memory().len() as f64;
        times[3].push(run(pending, events, Recorder::ring(&header, 10_000))?.0);
        times[4].push(run(pending, events, Recorder::streaming(BufWriter::new(std::io::sink()), &header)?)?.0);
    }
    println!("{pending} pending, {events} events, the middle of {TURNS} turns");
    let middle = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[TURNS / 2]
    });
    for (name, time) in names.iter().zip(middle) {
        println!("{name:<24} {time:>7.1} ns an event, {:.2} times off", time / middle[0]);
    }
    println!("{bytes:.2} bytes a record in memory");
    Ok(())
}
