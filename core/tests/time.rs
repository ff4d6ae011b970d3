//! What a time may be, what a delay may be, and what the clock shows.

mod common;

use common::Act::*;
use common::{Script, act, start};
use saltus::time::{DelayFault, NotATime};
use saltus::{
    BoxError, Context, EventId, Handle, Handles, Model, Outcome, Refusal, RunError, Settings, Simulation, Stamps, Stop,
    Time, When,
};

fn from(start: f64) -> Simulation<Script> {
    let settings = Settings { start, ..Settings::default() };
    Simulation::with(Script::default(), settings, ())
}

/// The times at which the words came up.
fn times(sim: &Simulation<Script>) -> Vec<f64> {
    sim.model().log.iter().map(|&(time, _)| time).collect()
}

#[test]
fn nan_is_refused_by_name_and_the_queue_still_orders() {
    let mut sim = Simulation::new(Script::default());
    for i in 0..10 {
        for bad in [f64::NAN, -f64::NAN, f64::NEG_INFINITY] {
            let error = sim.context().schedule_at(bad, "never").unwrap_err();
            assert!(matches!(error.reason(), Refusal::NotATime(value) if value.to_bits() == bad.to_bits()));
            assert!(error.to_string().contains(&bad.to_string()), "{error}");
        }
        sim.context().schedule_at(f64::from(i * 7 % 10), "valid").unwrap();
    }
    assert_eq!((sim.pending(), sim.queue_len()), (10, 10));
    sim.run().unwrap();
    assert_eq!(times(&sim), [0., 1., 2., 3., 4., 5., 6., 7., 8., 9.]);
}

#[test]
fn minus_zero_is_the_same_time_as_zero() {
    let mut sim = start(Script::default(), &[At(0.0, "a"), At(-0.0, "b"), At(0.0, "c"), In(-0.0, "d")]);
    assert_eq!(sim.run_until(-0.0).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.model().words(), ["a", "b", "c", "d"]);
    assert!(sim.model().log.iter().all(|(time, _)| time.is_sign_positive()));
    let sim = from(-0.0);
    assert!(sim.now().is_sign_positive());
}

#[test]
fn a_bad_delay_is_an_error_that_names_value_clock_and_entity() {
    let mut sim = from(3.0);
    let entities: Vec<_> = (0..18).map(|_| sim.context().spawn()).collect();
    for bad in [-1.0 / 0.0, f64::NAN, -1.0, -5e-324] {
        let when = When::after(bad).stamp(entities[17]);
        let error = sim.context().schedule(when, "never").unwrap_err();
        assert!(matches!(error.reason(), Refusal::NotADelay(value) if value.to_bits() == bad.to_bits()));
        assert_eq!((error.now(), error.entity()), (3.0, Some(entities[17])));
        assert_eq!(error.to_string(), format!("cannot schedule with delay {bad}: not a delay (clock 3, entity 17)"));
    }
    assert_eq!((sim.pending(), sim.counters().scheduled), (0, 0));
}

#[test]
fn positive_infinity_is_never() {
    let mut sim = start(Script::default(), &[Held(f64::INFINITY, "never"), At(108_001.0, "late")]);
    assert_eq!(sim.model().handles["never"], Handle::NEVER);
    let cx = sim.context();
    assert_eq!(cx.schedule_in(1.0 / 0.0, "never"), Ok(EventId::NEVER));
    assert!(!cx.cancel(Handle::NEVER));
    assert_eq!(cx.due(Handle::NEVER), None);
    assert_eq!(cx.reschedule(Handle::NEVER, 1.0), Ok(None));
    assert_eq!(sim.queue_len(), 1);
    assert_eq!(sim.run_until(f64::INFINITY).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.model().log, [(108_001.0, "late")]);
    assert_eq!(sim.now(), 108_001.0, "to run until infinity is to run: the clock stays at the last event");
}

#[test]
fn the_past_is_refused_with_both_times_however_near_it_is() {
    let mut sim = from(0.1 + 0.2);
    act(&mut sim, &[At(1.0, "later")]);
    let error = sim.context().schedule_at(0.3, "past").unwrap_err();
    assert_eq!((error.reason(), error.now()), (Refusal::Past(0.3), 0.1 + 0.2));
    assert_eq!(error.now() - 0.3, 5.551115123125783e-17);
    let text = error.to_string();
    assert!(text.contains("0.3:") && text.contains("0.30000000000000004"), "{text}");

    let error = sim.context().schedule_in(-1.0, "negative").unwrap_err();
    assert_eq!(error.reason(), Refusal::NotADelay(-1.0));
    assert_eq!(sim.queue_len(), 1);
    sim.context().schedule_in(-0.0, "zero").unwrap();
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(0.1 + 0.2, "zero"), (1.0, "later")]);
}

#[test]
fn a_tick_before_the_clock_does_not_wrap_around() {
    let settings = Settings { start: 100, ..Settings::default() };
    let mut sim: Simulation<_> = Simulation::with(Ticks::default(), settings, ());
    assert_eq!(sim.context().schedule_at(99, ()).unwrap_err().reason(), Refusal::Past(99));
    sim.context().schedule_at(100, ()).unwrap();
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
    assert_eq!((sim.now(), sim.model().0.as_slice()), (100, &[100][..]));
}

#[test]
fn a_delay_below_the_resolution_of_the_clock_is_an_error() {
    let mut sim = from(1e9);
    let error = sim.context().schedule_in(5e-8, "lost").unwrap_err();
    assert_eq!(error.reason(), Refusal::BelowResolution(5e-8));
    // Half of the distance to the next time, 1.19e-7, and it rounds up.
    sim.context().schedule_in(6e-8, "next").unwrap();
    // Whoever computes a time that rounds to the clock gets a zero delay.
    sim.context().schedule_at(1e9 + 5e-8, "now").unwrap();
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(1e9, "now"), (1e9f64.next_up(), "next")]);

    let two_to_53 = 9_007_199_254_740_992.0;
    let error = from(two_to_53).context().schedule_in(1.0, "lost").unwrap_err();
    assert_eq!(error.reason(), Refusal::BelowResolution(1.0));
    assert_eq!(error.now(), two_to_53);
}

#[test]
fn a_sum_beyond_the_largest_time_is_an_error() {
    let mut sim = from(f64::MAX);
    let error = sim.context().schedule_in(f64::MAX, "beyond").unwrap_err();
    assert_eq!(error.reason(), Refusal::Overflow(f64::MAX));

    let settings = Settings { start: u64::MAX - 9, ..Settings::default() };
    let mut sim: Simulation<_> = Simulation::with(Ticks::default(), settings, ());
    let cx = sim.context();
    assert!(cx.schedule_in(9, ()).is_ok());
    assert_eq!(cx.schedule_in(10, ()).unwrap_err().reason(), Refusal::Overflow(10));
    assert_eq!(cx.schedule_in(1 << 63, ()).unwrap_err().reason(), Refusal::Overflow(1 << 63));
    sim.run().unwrap();
    assert_eq!(sim.model().0, [u64::MAX]);
}

/// Writes down the ticks at which it is called.
#[derive(Default)]
struct Ticks(Vec<u64>);

impl Model for Ticks {
    type Time = u64;
    type Event = ();
    type Refs = Handles<0>;

    fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
        self.0.push(cx.now());
        Ok(())
    }
}

#[test]
fn ticks_are_compared_with_all_their_bits_and_the_clock_leaps() {
    let ticks = [2_147_483_647, 2_147_483_648, 2_147_483_649, 3_000_000_000, 4_294_967_301];
    let mut sim = Simulation::new(Ticks::default());
    for tick in ticks.into_iter().rev() {
        sim.context().schedule_at(tick, ()).unwrap();
    }
    sim.run().unwrap();
    assert_eq!(sim.model().0, ticks);
    assert_eq!((sim.counters().executed, sim.counters().rounds), (5, 5));
}

#[test]
fn ticks_repeat_until_the_end_of_time() {
    let mut sim = Simulation::new(Ticks::default());
    sim.context().schedule_every(u64::MAX - 25, 10, ()).unwrap();
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.model().0, [u64::MAX - 25, u64::MAX - 15, u64::MAX - 5]);
    assert_eq!(sim.context().schedule_every(u64::MAX, 0, ()).unwrap_err().reason(), Refusal::BelowResolution(0));
}

/// Checks that the k-th firing comes at the rounded product of k and the period.
struct Sampler {
    start: f64,
    period: f64,
    k: u64,
}

impl Model for Sampler {
    type Time = f64;
    type Event = ();
    type Refs = Handles<0>;

    fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
        if cx.now() != self.start + self.k as f64 * self.period {
            return Err(format!("firing {} at {}", self.k, cx.now()).into());
        }
        self.k += 1;
        Ok(())
    }
}

fn sampler(start: f64, period: f64) -> Simulation<Sampler> {
    let mut sim = Simulation::new(Sampler { start, period, k: 0 });
    sim.context().schedule_every(start, period, ()).unwrap();
    sim
}

#[test]
fn five_hundred_hundredths_are_five() {
    let mut sim = sampler(0.01, 0.01);
    assert_eq!(sim.run_until(5.0).unwrap(), Stop::EndReached);
    assert_eq!(sim.model().k, 500);
    let mut sim = sampler(0.01, 0.01);
    sim.run_events(500).unwrap();
    assert_eq!(sim.now(), 5.0);
}

#[test]
fn periodic_times_do_not_drift() {
    let mut sim = sampler(0.0, 0.1);
    for (firing, time) in [(10, 1.0), (15, 1.5), (10_000_000, 1e6)] {
        // The first firing has k = 0.
        sim.run_events(firing + 1 - sim.model().k).unwrap();
        assert!((sim.now() - time).abs() <= if firing > 15 { 1.2e-10 } else { 0.0 });
    }
}

#[test]
fn a_period_that_cannot_move_the_clock_is_an_error() {
    let mut sim = Simulation::new(Script::default());
    let cx = sim.context();
    for (period, reason) in [
        (0.0, Refusal::BelowResolution(0.0)),
        (-0.0, Refusal::BelowResolution(0.0)),
        (-1.0, Refusal::NotADelay(-1.0)),
        (f64::NEG_INFINITY, Refusal::NotADelay(f64::NEG_INFINITY)),
    ] {
        assert_eq!(cx.schedule_every(0.0, period, "tick").unwrap_err().reason(), reason);
    }
    let error = cx.schedule_every(0.0, f64::NAN, "tick").unwrap_err();
    assert!(matches!(error.reason(), Refusal::NotADelay(period) if period.is_nan()));

    // Small enough to stand still only later: the firing before is the last one, and the run ends with an error.
    let mut sim = from(1e9);
    let tick = sim.context().schedule_every(1e9, 5e-8, "tick").unwrap();
    let error = sim.run().unwrap_err();
    assert!(matches!(&error, RunError::Periodic { event, source }
        if event.kind == "tick" && event.time == 1e9 && source.reason() == Refusal::BelowResolution(5e-8)));
    assert_eq!(sim.model().log, [(1e9, "tick")], "it has run all the same");
    assert_eq!((sim.counters().executed, sim.pending()), (1, 0));
    assert_eq!(sim.context().current(), None);
    assert!(!sim.context().cancel(tick));
}

#[test]
fn an_infinite_period_fires_once() {
    let mut sim = Simulation::new(Script::default());
    sim.context().schedule_every(2.0, f64::INFINITY, "once").unwrap();
    assert_eq!(sim.run().unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.model().log, [(2.0, "once")]);
}

#[test]
fn events_are_never_merged_however_near_they_are() {
    let near = 8.999999999999996;
    let mut sim = start(Script::default(), &[At(9.0, "user"), At(near, "internal"), At(9.0f64.next_down(), "last")]);
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(near, "internal"), (9.0f64.next_down(), "last"), (9.0, "user")]);

    let mut sim = start(Script::default(), &[At(1.0005, "b"), At(1.0, "a")]);
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(1.0, "a"), (1.0005, "b")]);
}

#[test]
fn short_delays_add_up_and_no_smallest_step_is_imposed() {
    let mut sim = start(Script::default(), &[In(600.0 / 1000.0, "done")]);
    sim.run().unwrap();
    assert_eq!(sim.now(), 0.6);

    let mut sim = start(Script::default().on("task", &[In(10.0 / 1e9, "task")]), &[In(10.0 / 1e9, "task")]);
    sim.run_events(1000).unwrap();
    assert!((sim.now() / 1e-5 - 1.0).abs() < 1e-12, "{}", sim.now());
}

#[test]
fn an_event_runs_once_whatever_the_intervals_of_output() {
    for interval in [0.1, 0.05, 0.3, 0.07] {
        let mut sim = Simulation::new(Script::default());
        sim.context().schedule_at(0.3, "event").unwrap();
        sim.context().schedule_every(interval, interval, "output").unwrap();
        sim.run_until(1.0).unwrap();
        let seen: Vec<_> = sim.model().log.iter().filter(|(_, word)| *word == "event").collect();
        assert_eq!(seen, [&(0.3, "event")], "interval {interval}");

        // The same with a run that is cut at the intervals.
        let mut sim = start(Script::default(), &[At(0.3, "event")]);
        for k in 1..=(1.0 / interval) as u64 {
            sim.run_until(k as f64 * interval).unwrap();
        }
        assert_eq!(sim.model().log, [(0.3, "event")], "interval {interval}");
    }
}

/// Reads a table whose times count from an offset, and goes on by the row, not by the clock.
struct Table {
    offset: f64,
    rows: Vec<f64>,
    used: Vec<(usize, f64)>,
}

impl Model for Table {
    type Time = f64;
    type Event = usize;
    type Refs = Stamps<0>;

    fn handle(&mut self, row: usize, cx: &mut impl Context<Self>) -> Outcome {
        self.used.push((row, cx.now() - self.offset));
        if let Some(next) = self.rows.get(row + 1) {
            cx.schedule_at(self.offset + next, row + 1)?;
        }
        Ok(())
    }
}

#[test]
fn a_payload_says_which_row_came_up_where_the_clock_has_rounded() {
    let settings = Settings { start: 2000.0, ..Settings::default() };
    let table = Table { offset: 2000.0, rows: vec![9.81594, 4164.42], used: Vec::new() };
    let mut sim: Simulation<_> = Simulation::with(table, settings, ());
    sim.context().schedule_in(9.81594, 0).unwrap();
    sim.run().unwrap();
    assert_eq!(sim.model().used, [(0, 9.815939999999955), (1, 4164.42)]);
}

#[test]
fn a_simulation_may_start_anywhere() {
    let mut sim = from(-1e9);
    act(&mut sim, &[At(-5.0, "b"), In(0.0, "a"), At(5.0, "c")]);
    sim.run().unwrap();
    assert_eq!(sim.model().log, [(-1e9, "a"), (-5.0, "b"), (5.0, "c")]);
}

#[test]
#[should_panic(expected = "a simulation cannot start at NaN")]
fn a_simulation_cannot_start_at_nan() {
    from(f64::NAN);
}

#[test]
fn an_external_event_and_an_internal_one_at_one_time_run_in_the_order_of_scheduling() {
    let pings = [At(3.0, "ping"), At(7.0, "ping"), At(10.0, "ping")];
    let mut sim = start(Script::default(), &[At(10.0, "alarm")]);
    act(&mut sim, &pings);
    sim.run().unwrap();
    let expected = [(3.0, "ping"), (7.0, "ping"), (10.0, "alarm"), (10.0, "ping")];
    assert_eq!(sim.model().log, expected, "pings do not move the alarm, and the alarm was first");

    // The other order is asked for by priority.
    let mut sim = start(Script::default(), &[Ranked(10.0, 1, "alarm")]);
    act(&mut sim, &pings);
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["ping", "ping", "ping", "alarm"]);
}

/// Whole seconds and the rest of one, in [0, 1): as exact after a year as in the first second.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Split {
    whole: i64,
    rest: f64,
}

impl Split {
    fn new(whole: i64, rest: f64) -> Split {
        let carry = rest.floor();
        Split { whole: whole + carry as i64, rest: rest - carry }
    }
}

impl std::fmt::Display for Split {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} + {}", self.whole, self.rest)
    }
}

impl Time for Split {
    type Delay = f64;
    type Key = (i64, u64);
    type Order = (i64, ordered_float::OrderedFloat<f64>);

    const ORIGIN: Split = Split { whole: 0, rest: 0.0 };

    fn check(self) -> Result<Option<Self>, NotATime> {
        if self.rest == f64::INFINITY {
            Ok(None)
        } else if self.rest.is_finite() {
            Ok(Some(Split::new(self.whole, self.rest)))
        } else {
            Err(NotATime)
        }
    }

    fn key(self) -> Self::Key {
        (self.whole, self.rest.key())
    }

    fn from_key((whole, rest): Self::Key) -> Self {
        Split { whole, rest: f64::from_key(rest) }
    }

    fn order(self) -> Self::Order {
        (self.whole, self.rest.order())
    }

    fn after(self, delay: f64) -> Result<Option<Self>, DelayFault> {
        // The rest may lose a tiny delay, the whole part never does.
        let sum = self.rest.after(delay)?;
        Ok(sum.map(|sum| Split::new(self.whole, sum)))
    }

    fn minus(self, earlier: Self) -> f64 {
        (self.whole - earlier.whole) as f64 + (self.rest - earlier.rest)
    }

    fn periodic(start: Self, k: u64, period: f64) -> Option<Self> {
        let product = k as f64 * period;
        let whole = product.floor();
        product.is_finite().then(|| Split::new(start.whole + whole as i64, start.rest + (product - whole)))
    }
}

/// The same code for any time with delays in seconds.
#[derive(Default)]
struct Clockwork<T>(Vec<T>);

impl<T: Time<Delay = f64>> Model for Clockwork<T> {
    type Time = T;
    type Event = u32;
    type Refs = Handles<1>;

    fn handle(&mut self, left: u32, cx: &mut impl Context<Self>) -> Outcome {
        self.0.push(cx.now());
        if left > 0 {
            cx.schedule_in(1e-10, left - 1)?;
        }
        Ok(())
    }
}

#[test]
fn a_time_of_two_parts_of_your_own_fits_in_and_keeps_its_digits() -> Result<(), BoxError> {
    let year = 31_557_600;
    let settings = Settings { start: Split::new(year, 0.0), ..Settings::default() };
    let mut sim: Simulation<_> = Simulation::with(Clockwork(Vec::new()), settings, ());
    sim.context().schedule_in(0.0, 3)?;
    sim.run()?;
    assert!(sim.model().0.iter().map(|time| time.whole).eq([year; 4]));
    assert!(sim.model().0.is_sorted_by(|a, b| a < b));
    assert!((sim.now().rest - 3e-10).abs() < 1e-20);

    let cx = sim.context();
    assert!(matches!(cx.schedule_at(Split::new(0, 0.5), 0).unwrap_err().reason(), Refusal::Past(_)));
    assert!(cx.schedule_at(Split { whole: 0, rest: f64::NAN }, 0).is_err());
    let every = cx.schedule_every(Split::new(year, 0.75), 0.5, 0)?;
    sim.run_until(Split::new(year + 2, 0.25))?;
    assert_eq!(sim.model().0.len(), 4 + 4);
    assert!(sim.context().cancel(every));

    // The plain number cannot do it: the same delay is lost.
    let settings = Settings { start: year as f64, ..Settings::default() };
    let mut sim: Simulation<_> = Simulation::with(Clockwork(Vec::new()), settings, ());
    sim.context().schedule_in(0.0, 3)?;
    assert!(sim.run().unwrap_err().to_string().contains("too small to move the clock"));
    Ok(())
}

#[cfg(feature = "layer")]
#[test]
fn a_time_of_your_own_is_logged_as_its_distance_by_recorder_and_layer_alike() -> Result<(), BoxError> {
    use std::io::{Read, Seek};

    use saltus::log::{LogHeader, Outcome};
    use saltus::observe::{LogLayer, Recorder, Tracing};
    use tracing_subscriber::layer::SubscriberExt;

    let settings = Settings { start: Split::new(7, 0.25), ..Settings::default() };
    let header = LogHeader::new("clockwork", &settings);
    let layer = LogLayer::new(std::io::Cursor::new(Vec::new()), &header)?;
    let observers = (Recorder::streaming(Vec::new(), &header)?, Tracing);
    let mut sim: Simulation<_, _> = Simulation::with(Clockwork(Vec::new()), settings, observers);
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.clone()), || {
        sim.context().schedule_in(0.1, 3)?;
        sim.run()?;
        Ok::<_, BoxError>(())
    })?;
    let recorded = sim.into_parts().1.0.finish_as(Outcome::Ok, "")?;
    let mut layered = String::new();
    let mut page = layer.finish(Outcome::Ok, "").ok_or("finished before")??;
    page.rewind()?;
    page.read_to_string(&mut layered)?;
    assert!(layered.contains(r#"{"do":"execute","id":1,"at":7.35}"#), "{layered}");
    assert_eq!(layered, String::from_utf8(recorded)?);
    Ok(())
}
