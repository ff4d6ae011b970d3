//! The rules that users rely on, each with an example that runs as a test and fails when the rule changes.
//!
//! # 1. Order
//!
//! Events run by **time, class, priority, sequence number**. The class is 0 for events that are scheduled for a time
//! and 1 for state events of hybrid models. A smaller priority runs first; 16 bits, 0 unless set. The sequence number
//! counts calls that schedule, so equals run in the order in which they were scheduled; it is also the event's id.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::with(Log::default(), Settings::default(), observe::Trace::default());
//! let cx = sim.context();
//! cx.schedule(When::at(2.0).priority(-9), "later, though urgent")?;
//! cx.schedule(When::at(1.0).priority(1), "least urgent")?;
//! cx.schedule(When::at(1.0), "first of equals")?;
//! cx.schedule(When::at(1.0), "second of equals")?;
//! cx.schedule(When::at(1.0).priority(-1), "most urgent")?;
//! sim.run()?;
//! let order: Vec<_> = sim.observer().events.iter().map(|e| (e.time, e.id.sequence(), e.kind)).collect();
//! assert_eq!(order, [
//!     (1.0, 5, "most urgent"),
//!     (1.0, 3, "first of equals"),
//!     (1.0, 4, "second of equals"),
//!     (1.0, 2, "least urgent"),
//!     (2.0, 1, "later, though urgent"),
//! ]);
//! assert_eq!(sim.counters().ties, 1, "pairs of neighbours whose order the sequence number decided");
//! assert!(Class::Time < Class::State);
//! # Ok::<(), BoxError>(())
//! ```
//!
//! The rule belongs to the kernel, not to a container: every queue gives the same trace, bit for bit, in every
//! process.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! fn trace(queue: impl queue::QueueKind<f64>) -> Result<observe::Trace<f64>, BoxError> {
//!     let mut sim = Simulation::with_queue(Log::default(), Settings::default(), observe::Trace::default(), queue);
//!     for i in 0..100 {
//!         sim.context().schedule(When::at(f64::from(i % 7)).priority(i as i16 % 3), "event")?;
//!     }
//!     sim.run()?;
//!     Ok(sim.into_parts().1)
//! }
//! assert!(trace(queue::Heap)? == trace(queue::SortedArray)?);
//! # Ok::<(), BoxError>(())
//! ```
//!
//! To see whether results depend on the order of equals, ask for [`TieOrder::Shuffled`]: an order that a seed decides.
//! Nothing else changes.
//!
//! # 2. End
//!
//! [`Simulation::run_until`] runs every event at a time up to **and including** the end, then sets the clock to the
//! end. A second call with the same end runs nothing; an earlier end is an error; positive infinity is
//! [`Simulation::run`], which leaves the clock at the last event. So does a stop. When nothing is pending any more,
//! that is the reason given, even if the end was reached as well.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::new(Log::default());
//! for time in [10.0, 10.0, 10.000000000000002] {
//!     sim.context().schedule_at(time, "event")?;
//! }
//! assert_eq!(sim.run_until(10.0)?, Stop::EndReached);
//! assert_eq!((sim.counters().executed, sim.pending(), sim.now()), (2, 1, 10.0));
//! assert_eq!(sim.run_until(10.0)?, Stop::EndReached);
//! assert_eq!(sim.counters().executed, 2);
//! assert!(matches!(sim.run_until(9.0), Err(RunError::EndInPast { end: 9.0, now: 10.0 })));
//! assert_eq!(sim.run_until(20.0)?, Stop::QueueEmpty);
//! assert_eq!(sim.now(), 20.0);
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 3. Past
//!
//! To schedule before the clock is an error that gives both times, and the queue is unchanged. The clock never goes
//! back.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::new(Log::default());
//! sim.run_until(3.0)?;
//! let error = sim.context().schedule_at(2.5, "late").unwrap_err();
//! assert_eq!((error.reason(), error.now()), (Refusal::Past(2.5), 3.0));
//! assert_eq!(error.to_string(), "cannot schedule at 2.5: it lies before the clock (clock 3)");
//! assert_eq!(sim.pending(), 0);
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 4. Numbers
//!
//! NaN and negative infinity are errors that name the value. Positive infinity means **never**: nothing is queued, and
//! what comes back matches nothing. -0.0 is the same time as 0.0.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::new(Log::default());
//! let cx = sim.context();
//! for bad in [f64::NAN, f64::NEG_INFINITY] {
//!     assert!(matches!(cx.schedule_at(bad, "bad").unwrap_err().reason(), Refusal::NotATime(_)));
//!     assert!(matches!(cx.schedule_in(bad, "bad").unwrap_err().reason(), Refusal::NotADelay(_)));
//! }
//! assert_eq!(
//!     cx.schedule_in(f64::NAN, "bad").unwrap_err().to_string(),
//!     "cannot schedule with delay NaN: not a delay (clock 0)"
//! );
//! assert_eq!(cx.schedule_at(f64::INFINITY, "never")?, EventId::NEVER);
//! cx.schedule_at(0.0, "zero")?;
//! cx.schedule_at(-0.0, "minus zero")?;
//! assert_eq!(sim.pending(), 2);
//! sim.run()?;
//! assert_eq!(sim.model().0, ["zero", "minus zero"]);
//! # Ok::<(), BoxError>(())
//! ```
//!
//! A clock has a **resolution**: near 10^9 the next `f64` is 1.2e-7 away. A positive delay too small to move the clock
//! is an error and not a silent loop. Whoever means "now" says so, with a delay of zero or the clock's own time; that
//! is also how to schedule something whose time was computed and rounds to now.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let settings = Settings { start: 1e9, ..Settings::default() };
//! let mut sim = Simulation::with(Log::default(), settings, ());
//! let cx = sim.context();
//! assert_eq!(cx.schedule_in(5e-8, "lost").unwrap_err().reason(), Refusal::BelowResolution(5e-8));
//! cx.schedule_in(6e-8, "rounds up")?;
//! cx.schedule_at(1e9 + 5e-8, "rounds to now")?;
//! sim.run()?;
//! assert_eq!(sim.model().0, ["rounds to now", "rounds up"]);
//! assert_eq!(sim.now(), 1e9f64.next_up());
//! # Ok::<(), BoxError>(())
//! ```
//!
//! Ticks (`u64`) have no such values; a sum beyond the last tick is an error and never wraps around.
//!
//! # 5. Zero delay
//!
//! A zero delay is allowed and runs later in the same instant, after what is already waiting for it. An instant has
//! **rounds**: a new one begins with the first event that was scheduled after the present one began. More rounds than
//! [`Settings::round_limit`] (10,000) are an error that names what was looping. Any number of events in one round is
//! fine.
//!
//! ```
//! # use saltus::*;
//! struct Chain(u32);
//! impl Model for Chain {
//!     type Time = f64;
//!     type Event = u32;
//!     type Refs = Stamps<0>;
//!
//!     fn handle(&mut self, left: u32, cx: &mut impl Context<Self>) -> Outcome {
//!         self.0 += 1;
//!         if left > 0 {
//!             cx.schedule_in(0.0, left - 1)?;
//!         }
//!         Ok(())
//!     }
//! #     fn kind(_: &u32) -> &'static str { "link" }
//! }
//!
//! let mut sim = Simulation::new(Chain(0));
//! sim.context().schedule_at(2.0, 9_999)?;
//! sim.run()?;
//! assert_eq!((sim.model().0, sim.counters().rounds), (10_000, 10_000));
//!
//! sim.context().schedule_at(3.0, 10_000)?;
//! assert_eq!(
//!     sim.run().unwrap_err().to_string(),
//!     "no progress at 3: 10000 rounds of zero delays, and next comes event #20001 (link) at 3"
//! );
//!
//! let mut sim = Simulation::new(Chain(0));
//! for _ in 0..50_000 {
//!     sim.context().schedule_at(2.0, 1)?;
//! }
//! sim.run()?;
//! assert_eq!((sim.model().0, sim.counters().rounds), (100_000, 2));
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 6. Stale and cancelled
//!
//! An event carries the **stamps** of entities that it depends on. To touch an entity makes every event stale that was
//! stamped with it before. Stale and cancelled events never move the clock and never reach the handler, and are
//! counted apart.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::new(Log::default());
//! let cx = sim.context();
//! let disc = cx.spawn();
//! cx.schedule(When::at(5.0).stamp(disc), "predicted before")?;
//! cx.touch(disc);
//! cx.schedule(When::at(2.0).stamp(disc), "predicted anew")?;
//! let timer = cx.schedule_with_handle(9.0, "timer")?;
//! assert!(cx.cancel(timer));
//! assert!(!cx.cancel(timer), "it tells whether it cancelled anything");
//! sim.run()?;
//! assert_eq!((sim.model().0.as_slice(), sim.now()), (&["predicted anew"][..], 2.0));
//! let counters = sim.counters();
//! assert_eq!((counters.executed, counters.stale, counters.cancelled), (1, 1, 1));
//! # Ok::<(), BoxError>(())
//! ```
//!
//! Cancelling goes by the handle, never by content, and works **inside handlers** on events of the same instant. The
//! event that is running, and one that has run, cannot be cancelled.
//!
//! ```
//! # use saltus::*;
//! struct Rivals {
//!     handles: Vec<Handle>,
//!     cancelled: Vec<(usize, bool)>,
//! }
//! impl Model for Rivals {
//!     type Time = f64;
//!     type Event = usize;
//!     type Refs = Handles<0>;
//!
//!     fn handle(&mut self, me: usize, cx: &mut impl Context<Self>) -> Outcome {
//!         for (rival, &handle) in self.handles.iter().enumerate() {
//!             self.cancelled.push((rival, cx.cancel(handle)));
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut sim = Simulation::new(Rivals { handles: vec![], cancelled: vec![] });
//! let (rivals, cx) = sim.parts();
//! for i in 0..3 {
//!     rivals.handles.push(cx.schedule_with_handle(1.0, i)?);
//! }
//! sim.run()?;
//! assert_eq!(sim.model().cancelled, [(0, false), (1, true), (2, true)]);
//! assert_eq!((sim.counters().executed, sim.counters().cancelled), (1, 2));
//! # Ok::<(), BoxError>(())
//! ```
//!
//! A model may ask to be **told of its stale events**, to predict anew: it is told when the event would have been
//! next, and the clock stays. Such events are never swept or dropped early. A model that does not ask pays nothing. If the
//! model says that the first stamp of an event is its **owner**, who plans anew when it is touched, it is told only of
//! events whose owner has not been touched; the others are dropped and swept as if it did not ask.
//!
//! ```
//! # use saltus::*;
//! struct Door { told: Vec<(f64, &'static str)> }
//! impl Model for Door {
//!     type Time = f64;
//!     type Event = &'static str;
//!     type Refs = Stamps<1>;
//!     const TELL_STALE: bool = true;
//!
//!     fn handle(&mut self, _: &'static str, _: &mut impl Context<Self>) -> Outcome {
//!         Ok(())
//!     }
//!     fn stale(&mut self, event: &'static str, cx: &mut impl Context<Self>) -> Outcome {
//!         self.told.push((cx.now(), event));
//!         Ok(())
//!     }
//! }
//!
//! let mut sim = Simulation::new(Door { told: vec![] });
//! let cx = sim.context();
//! let door = cx.spawn();
//! cx.schedule(When::at(5.0).stamp(door), "closes")?;
//! cx.schedule_at(4.0, "someone comes")?;
//! cx.schedule_at(6.0, "someone goes")?;
//! cx.touch(door);
//! sim.run_until(4.5)?;
//! assert!(sim.model().told.is_empty(), "its time has not come");
//! sim.run()?;
//! assert_eq!(sim.model().told, [(4.5, "closes")]);
//! assert_eq!((sim.counters().stale, sim.counters().executed), (1, 2));
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 7. Reschedule
//!
//! To reschedule gives a new sequence number, so the event comes last among equals even if its time is the same;
//! stamps as of now; and as cause the event whose handler rescheduled. Priority and handle stay.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::with(Log::default(), Settings::default(), observe::Trace::default());
//! let cx = sim.context();
//! let disc = cx.spawn();
//! let first = cx.schedule_with_handle(When::at(5.0).stamp(disc), "first")?;
//! cx.schedule_at(5.0, "second")?;
//! let moved = cx.reschedule(first, 5.0)?;
//! assert_eq!(moved.map(EventId::sequence), Some(3));
//! assert_eq!(cx.due(first), Some(5.0));
//! assert_eq!(cx.version(disc), Some(1), "rescheduling is no touch");
//! sim.run()?;
//! assert_eq!(sim.model().0, ["second", "first"]);
//! assert_eq!(sim.context().reschedule(first, 6.0)?, None, "it has run");
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 8. Reuse
//!
//! The handle of an event that is over, and an entity that is gone, never match whatever takes their place, however
//! often a place is used: sequence numbers are given once, and a place whose generations are used up is retired.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::new(Log::default());
//! let cx = sim.context();
//! let old = cx.spawn();
//! cx.schedule(When::at(1.0).stamp(old), "for the old one")?;
//! cx.despawn(old);
//! let new = cx.spawn();
//! assert_eq!((old.index(), new.index()), (0, 0));
//! assert!(old != new && !cx.touch(old));
//! assert_eq!(cx.schedule(When::at(1.0).stamp(old), "").unwrap_err().reason(), Refusal::DeadEntity(old));
//!
//! let over = cx.schedule_with_handle(1.0, "cancelled")?;
//! cx.cancel(over);
//! let next = cx.schedule_with_handle(1.0, "next in its place")?;
//! assert!(over != next && !cx.cancel(over));
//! sim.run()?;
//! assert_eq!(sim.model().0, ["next in its place"]);
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 9. Periodic events
//!
//! The times are start + k * period from an integer k, never a running sum. Each firing is scheduled just before the
//! one before it runs, whose id is its cause. A handle ends the series or moves it. A series whose next time would not
//! lie after the clock ends the run with an error.
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::with(Log::default(), Settings::default(), observe::Trace::default());
//! sim.context().schedule_every(0.0, 0.1, "sample")?;
//! sim.run_until(1.5)?;
//! let times: Vec<f64> = sim.observer().events.iter().map(|e| e.time).collect();
//! assert_eq!((times[10], times[15]), (1.0, 1.5));
//! let sum = (0..15).fold(0.0, |sum, _| sum + 0.1);
//! assert_eq!(sum, 1.5000000000000002, "a running sum has drifted by now");
//! let event = sim.observer().events[15];
//! assert_eq!((event.id.sequence(), event.cause.map(EventId::sequence)), (16, Some(15)));
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 10. Memory
//!
//! Memory is bounded by what is live, not by what was ever scheduled: the queue is swept when more than half of it may
//! be dead, so it holds at most twice the living and 64. (Events that a model asked to be told of count as living.)
//!
//! ```
//! # mod log { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/log.rs")); }
//! # use {log::Log, saltus::*};
//! let mut sim = Simulation::new(Log::default());
//! let cx = sim.context();
//! let timer = cx.spawn();
//! for _ in 0..100_000 {
//!     cx.touch(timer);
//!     cx.schedule(When::at(1.0).stamp(timer), "superseded but for the last")?;
//! }
//! assert!(sim.counters().largest_queue <= 2 * 1 + 64);
//! sim.run()?;
//! assert_eq!((sim.counters().executed, sim.counters().swept + sim.counters().stale), (1, 99_999));
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # 11. Random numbers
//!
//! They come in streams, each named by three numbers (seed, replication, stream). What one part of a model draws from
//! its stream never shifts another's. Generator and keys are fixed (see [`random`](crate::random)): the same name
//! gives the same numbers on every platform and in every version.
//!
//! ```
//! # use saltus::*;
//! struct Dice { fair: Vec<u64>, distracted: bool }
//! impl Model for Dice {
//!     type Time = f64;
//!     type Event = ();
//!     type Refs = Stamps<0>;
//!
//!     fn handle(&mut self, _: (), cx: &mut impl Context<Self>) -> Outcome {
//!         if self.distracted {
//!             cx.stream(2).normal(0.0, 1.0);
//!         }
//!         let bits = cx.stream(1).bits();
//!         self.fair.push(bits);
//!         cx.schedule_in(1.0, ())?;
//!         Ok(())
//!     }
//! }
//!
//! for distracted in [false, true] {
//!     let mut sim = Simulation::seeded(Dice { fair: vec![], distracted }, 42);
//!     sim.context().schedule_at(0.0, ())?;
//!     sim.run_events(4)?;
//!     // Seed 42, replication 0, stream 1.
//!     assert_eq!(sim.model().fair, [
//!         0x283e_c8c2_36d8_20a6,
//!         0x15fa_8eac_6ea6_cdc6,
//!         0xe68b_430e_36d9_0deb,
//!         0x40f0_d9c3_794a_05db,
//!     ]);
//! }
//! # Ok::<(), BoxError>(())
//! ```
//!
//! # What can be saved
//!
//! With the feature `serde`: ids, entities, handles, counters, and random streams, which go on where they were left, so that a
//! model that holds them can be saved. The kernel's own state (pending events, versions, free places) is written and read in
//! its tests; a call that saves a whole simulation is yet to come.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! # use saltus::*;
//! # fn again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
//! #     serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
//! # }
//! let mut stream = Stream::new(42, 0, 1);
//! stream.bits();
//! let mut read = again(&stream); // written as JSON and read
//! assert_eq!(read.bits(), 0x15fa_8eac_6ea6_cdc6);
//! assert_eq!(again(&EventId::NEVER), EventId::NEVER);
//! assert_eq!(again(&Handle::NEVER), Handle::NEVER);
//! assert_eq!(again(&Counters::default()), Counters::default());
//! # }
//! ```
//!
//! [`Simulation::run`]: crate::Simulation::run
//! [`Simulation::run_until`]: crate::Simulation::run_until
//! [`Settings::round_limit`]: crate::Settings::round_limit
//! [`TieOrder::Shuffled`]: crate::TieOrder::Shuffled
