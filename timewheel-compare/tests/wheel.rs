//! The wheel as a list under the ordinary driver equals the heap bit for bit; the wheel that skips equals the one that steps.

mod common;

use common::{Busy, Ticks};
use proptest::prelude::*;
use saltus::driver::{ScanCounters, Slots};
use saltus::observe::Trace;
use saltus::queue::{Heap, QueueKind};
use saltus::{Context, Counters, Header, Model, Observer, Settings, Simulation, TieOrder};
use timewheel_compare::{RuleR, Steps, Wheel};

#[derive(Clone, Debug)]
struct Case {
    seed: u64,
    start: u16,
    shuffled: bool,
    /// Log of the wheel's length.
    bits: u32,
    /// In units of the wheel's length.
    reach: f64,
    ends: Vec<u16>,
}

fn case() -> impl Strategy<Value = Case> {
    let ends = prop::collection::vec(0..600u16, 1..6);
    (any::<u64>(), any::<u16>(), any::<bool>(), 1..9u32, prop_oneof![Just(0.3), Just(0.99), Just(3.0)], ends)
        .prop_map(|(seed, start, shuffled, bits, reach, ends)| Case { seed, start, shuffled, bits, reach, ends })
}

type Record<T> = (Trace<T>, Vec<(T, u64)>, Counters, u64, Vec<(T, String)>);

fn begin<T: Ticks, O: Observer<Busy<T>>, Q: QueueKind<T>>(
    case: &Case,
    span: f64,
    observer: O,
    queue: Q,
) -> Simulation<Busy<T>, O, Q> {
    let ties = if case.shuffled { TieOrder::Shuffled { seed: 7 } } else { TieOrder::Scheduled };
    let settings = Settings { start: T::ticks(case.start.into()), seed: case.seed, ties, ..Settings::default() };
    let mut sim = Simulation::with_queue(Busy::new(span), settings, observer, queue);
    let (model, cx) = sim.parts();
    model.start(cx);
    sim
}

const EVENTS: u64 = 300;

/// Runs in pieces, some of which end between events.
fn run<T: Ticks, Q: QueueKind<T>>(case: &Case, span: f64, queue: Q) -> Record<T> {
    let mut sim = begin(case, span, Trace::default(), queue);
    let mut clocks = Vec::new();
    for &end in &case.ends {
        let end = T::ticks(f64::from(case.start) + f64::from(end));
        if end >= sim.now() {
            let stop = sim.run_limited(end, EVENTS).expect("no errors");
            clocks.push((sim.now(), format!("{stop:?}")));
            // Scheduled from outside, before what the list has already looked for.
            sim.context().schedule_in(T::ticks(1.0), 1).expect("a time");
        }
    }
    sim.run_events(EVENTS).expect("no errors");
    let counters = *sim.counters();
    let (model, trace) = sim.into_parts();
    (trace, model.seen, counters, model.refused, clocks)
}

fn the_list_equals_the_heap<T: Ticks, S: Slots<T> + Copy>(
    case: &Case,
    slots: S,
    width: f64,
) -> Result<(), TestCaseError> {
    let wheel = Wheel::new(slots, 1 << case.bits).parking();
    let span = case.reach * width * f64::from(1 << case.bits);
    let heap = run(case, span, Heap);
    prop_assert!(heap.1.len() > 100 || heap.2.pending() == 0);
    prop_assert!(heap == run(case, span, wheel), "stepping");
    prop_assert!(heap == run(case, span, wheel.skipping()), "skipping");
    Ok(())
}

/// Every event runs at the end of the slot in which it is due, and in each slot in the order of keys as far as it was there.
struct SlotLaw<S, T> {
    slots: S,
    /// Of the last event: when it ran, its due time, priority and id.
    last: Option<(T, T, i16, u64)>,
    /// The youngest event when it ran.
    scheduled_then: u64,
    scheduled: u64,
    shuffled: bool,
}

impl<T: Ticks, S: Slots<T>> Observer<Busy<T>> for SlotLaw<S, T> {
    type Cause = ();

    fn scheduled(&mut self, event: &Header<T>, _: &u64) {
        self.scheduled = event.id.sequence();
    }

    fn executed(&mut self, event: &Header<T>, _: &<Busy<T> as Model>::Event) {
        let Header { time, due, priority, id, .. } = *event;
        assert!(time >= due);
        assert_eq!(Some(time), self.slots.end_of(self.slots.slot_of(due)), "at the end of its slot");
        if let Some((last_time, last_due, last_priority, last_id)) = self.last {
            assert!(time >= last_time);
            let place = |id| if self.shuffled { 0 } else { id };
            let in_order = (last_due, last_priority, place(last_id)) <= (due, priority, place(id.sequence()));
            assert!(time > last_time || in_order || id.sequence() > self.scheduled_then, "in the order of keys");
        }
        self.last = Some((time, due, priority, id.sequence()));
        self.scheduled_then = self.scheduled;
    }
}

fn scan<T: Ticks, S: Slots<T> + Copy>(case: &Case, span: f64, wheel: Wheel<S>) -> (Record<T>, ScanCounters) {
    let law = SlotLaw { slots: wheel.slots, last: None, scheduled_then: 0, scheduled: 0, shuffled: case.shuffled };
    let mut sim = begin(case, span, (Trace::default(), law), wheel);
    let mut counters = ScanCounters::default();
    let mut clocks = Vec::new();
    for &end in &case.ends {
        let end = T::ticks(f64::from(case.start) + f64::from(end));
        if end >= sim.now() {
            // A series that reaches beyond the wheel ends the run with an error.
            let stop = sim.scan_until(end, &mut (), &mut counters);
            clocks.push((sim.now(), format!("{stop:?}")));
            // Refused if even that is beyond the wheel, by all alike.
            let _ = sim.context().schedule_in(T::ticks(1.0), 1);
        }
    }
    assert_eq!(counters.events, sim.counters().executed);
    let kernel = *sim.counters();
    let (model, (trace, _)) = sim.into_parts();
    ((trace, model.seen, kernel, model.refused, clocks), counters)
}

fn skipping_equals_stepping<T: Ticks, S: Slots<T> + Copy>(
    case: &Case,
    slots: S,
    width: f64,
) -> Result<(), TestCaseError> {
    let span = case.reach * width * f64::from(1 << case.bits);
    for wheel in [Wheel::new(slots, 1 << case.bits), Wheel::new(slots, 1 << case.bits).parking()] {
        let (stepped, step_cost) = scan(case, span, wheel);
        let (skipped, skip_cost) = scan(case, span, wheel.skipping());
        prop_assert!(stepped == skipped);
        prop_assert_eq!(step_cost.visited, skip_cost.visited + skip_cost.skipped);
        prop_assert_eq!(step_cost.visited - step_cost.empty, skip_cost.visited - skip_cost.empty);
        prop_assert_eq!(step_cost.total_delay, skip_cost.total_delay);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_sorted_bucket_wheel_is_the_heap(case in case(), resolution in 1..40u64, granularity in 1..40u64) {
        let slots = RuleR::new(resolution.max(granularity), granularity).expect("not too fine");
        the_list_equals_the_heap::<u64, _>(&case, slots, resolution.max(granularity) as f64 / granularity as f64)?;
    }

    #[test]
    fn so_it_is_with_floating_point_steps(case in case(), dt in 0.01..9.0f64) {
        the_list_equals_the_heap::<f64, _>(&case, Steps::new(dt).expect("a step"), dt * 7.0)?;
    }

    #[test]
    fn a_wheel_that_skips_does_what_one_that_steps_does(case in case(), resolution in 1..40u64, granularity in 1..40u64) {
        let slots = RuleR::new(resolution.max(granularity), granularity).expect("not too fine");
        skipping_equals_stepping::<u64, _>(&case, slots, resolution.max(granularity) as f64 / granularity as f64)?;
    }

    #[test]
    fn and_with_floating_point_steps(case in case(), dt in 0.01..9.0f64) {
        skipping_equals_stepping::<f64, _>(&case, Steps::new(dt).expect("a step"), dt * 7.0)?;
    }

    #[test]
    fn rule_r_is_the_formula(resolution in 1..5000u64, granularity in 1..5000u64, time in any::<u64>(), small in 0..1_000_000u64) {
        prop_assume!(granularity <= resolution);
        let slots = RuleR::new(resolution, granularity).expect("not too fine");
        for time in [time, small] {
            let formula = ((u128::from(time) + 1) * u128::from(granularity)).div_ceil(u128::from(resolution)) - 1;
            let slot = slots.slot_of(time);
            prop_assert_eq!(u128::from(slot), formula);
            let end = slots.end_of(slot).expect("a slot that owns a time has an end");
            prop_assert!(end >= time);
            prop_assert_eq!(slots.slot_of(end), slot);
            prop_assert!(slot == 0 || slots.end_of(slot - 1).is_some_and(|end| end < time));
        }
    }

    #[test]
    fn steps_own_what_follows_the_step_before(dt in 1e-9..1e9f64, time in 0.0..1e12f64, ticks in 1..1000u64, tick in any::<u64>()) {
        let steps = Steps::new(dt).expect("a step");
        let slot = steps.slot_of(time);
        prop_assert!(steps.end_of(slot).is_some_and(|end| end >= time));
        prop_assert!(slot == 0 || steps.end_of(slot - 1).is_some_and(|end| end < time));
        let steps = Steps::of_ticks(ticks).expect("a step");
        let slot = steps.slot_of(tick);
        prop_assert!(steps.end_of(slot).is_some_and(|end| end >= tick));
        prop_assert!(slot == 0 || steps.end_of(slot - 1).is_some_and(|end| end < tick));
    }
}
