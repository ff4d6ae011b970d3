//! What belongs to one instant, in which order, and how it ends.

use saltus::hybrid::*;
use saltus::{BoxError, Context, Model, Outcome, Simulation, Stamps, When};

fn events<X>(log: &[Entry<X>]) -> Vec<(&'static str, f64)> {
    log.iter().map(|entry| (entry.name, entry.time)).collect()
}

#[test]
fn two_rules_with_one_root_act_in_one_instant_in_their_order_each_once() {
    /// Each rule notes how many have acted before it.
    struct Twins;
    impl Hybrid for Twins {
        type State = [f64; 1];
        type Mode = [u32; 3];
        const RULES: &'static [Rule<Self>] = &[
            Rule::falling("b", |_, at| 2.0 - 2.0 * at.x[0], |_, now| now.mode[0] = now.mode.iter().sum::<u32>() + 1),
            Rule::rising("a", |_, at| at.x[0] - 1.0, |_, now| now.mode[1] = now.mode.iter().sum::<u32>() + 1),
            Rule::rising("c", |_, at| at.x[0] * at.x[0] - 1.0, |_, now| now.mode[2] = now.mode.iter().sum::<u32>() + 1),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 1] {
            [1.0]
        }
    }
    for step in [f64::INFINITY, 0.25, 0.1] {
        let settings = Settings { max_step: step, ..Settings::default() };
        let mut run = Run::with(Twins, [0.0], [0; 3], DormandPrince::new(1e-6), settings).unwrap();
        run.until(2.0).unwrap();
        let names: Vec<_> = events(run.log()).iter().map(|event| event.0).collect();
        assert_eq!(names, ["b", "a", "c"], "{:?}", events(run.log()));
        assert!(run.log().iter().all(|entry| entry.time == run.log()[0].time && (entry.time - 1.0).abs() < 1e-12));
        assert_eq!(*run.mode(), [1, 2, 4]);
    }
}

#[test]
fn what_a_reset_carries_across_zero_happens_at_the_same_time() {
    struct Chain;
    impl Hybrid for Chain {
        type State = [f64; 3];
        type Mode = Vec<&'static str>;
        const RULES: &'static [Rule<Self>] = &[
            Rule::falling("third", |_, at| at.x[2], |_, now| now.mode.push("third")),
            Rule::falling(
                "second",
                |_, at| at.x[1],
                |_, now| {
                    now.mode.push("second");
                    now.reinit(2, -1.0);
                },
            ),
            Rule::rising(
                "first",
                |_, at| at.x[0] - 1.0,
                |_, now| {
                    now.mode.push("first");
                    now.reinit(1, -1.0);
                },
            ),
            Rule::rising("against its direction", |_, at| at.x[1], |_, now| now.mode.push("wrong")),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 3] {
            [1.0, 0.0, 0.0]
        }
    }
    let mut run = Run::new(Chain, [0.0, 1.0, 1.0], vec![]).unwrap();
    run.until(3.0).unwrap();
    assert_eq!(*run.mode(), ["first", "second", "third"]);
    assert_eq!(run.log().len(), 3);
    assert!(run.log().iter().all(|entry| (entry.time - 1.0).abs() < 1e-12 && entry.iterations == 4));
    assert_eq!(run.log()[0].time, run.log()[2].time);
}

/// A Boolean that is the opposite of itself, once it has been asked to.
struct Liar;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Lie {
    begun: bool,
    value: bool,
    note: u32,
}

impl Hybrid for Liar {
    type State = [f64; 1];
    type Mode = Lie;
    const RULES: &'static [Rule<Self>] = &[Rule::rising(
        "asked",
        |_, at| at.x[0] - 1.0,
        |_, now| {
            now.mode.begun = true;
            now.mode.note = 7;
            now.reinit(0, 100.0);
        },
    )];
    fn derivative(&self, _: &At<Self>) -> [f64; 1] {
        [1.0]
    }
    fn update(&self, now: &mut Now<Self>) {
        if now.mode.begun {
            now.mode.value = !now.pre.mode.value;
        }
    }
}

#[test]
fn what_never_stops_changing_is_an_error_and_the_state_before_it_stands() {
    let lie = Lie { begun: false, value: false, note: 0 };
    let mut run = Run::new(Liar, [0.0], lie).unwrap();
    let Err(Error::NoConvergence { time, names, count }) = run.until(2.0) else { panic!("no error") };
    assert!((time - 1.0).abs() < 1e-12);
    assert_eq!((count, names.0), (100, vec!["update"]));
    assert_eq!(*run.mode(), lie, "nothing of the instant is left");
    assert!((run.state()[0] - 1.0).abs() < 1e-12);
    assert!(run.log().is_empty() && run.statistics().state_events == 0);
    // And the run is over: it neither goes on as if nothing had been nor invents a state.
    let Err(Error::Ended { time: ended }) = run.until(3.0) else { panic!("no error") };
    assert_eq!(ended, time);
    assert!(matches!(run.change("kick", |_, now| now.reinit(0, 0.0)), Err(Error::Ended { .. })));
    assert!((run.trajectory().state_at(7.0)[0] - 1.0).abs() < 1e-12);
}

#[test]
fn two_rules_that_undo_each_other_are_an_error_with_both_names() {
    struct Quarrel;
    impl Hybrid for Quarrel {
        type State = [f64; 2];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[
            Rule::rising("push", |_, at| at.x[0] - 1.0, |_, now| now.reinit(1, 1.0)),
            Rule::rising("up", |_, at| at.x[1], |_, now| now.reinit(1, -1.0)),
            Rule::falling("down", |_, at| at.x[1], |_, now| now.reinit(1, 1.0)),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 2] {
            [1.0, 0.0]
        }
    }
    let settings = Settings { iteration_limit: 11, ..Settings::default() };
    let mut run = Run::with(Quarrel, [0.0, -1.0], (), DormandPrince::new(1e-6), settings).unwrap();
    let error = run.until(2.0).unwrap_err();
    let Error::NoConvergence { time, names, count } = &error else { panic!("{error}") };
    assert!((time - 1.0).abs() < 1e-12 && *count == 11);
    assert!(names.0 == ["up"] || names.0 == ["down"], "{error}");
    assert!(error.to_string().contains("did not converge"), "{error}");
}

/// A ramp of known slope, a sampler of it, and the level that it crosses on a sampling instant.
struct Ramp;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Held {
    value: f64,
    /// What was held when the level was crossed.
    at_level: f64,
}

impl Hybrid for Ramp {
    type State = [f64; 0];
    type Mode = Held;
    const RULES: &'static [Rule<Self>] = &[
        Rule::rising("level", |_, at| 2.0 * at.time - 1.0, |_, now| now.mode.at_level = now.mode.value),
        Rule::every("sample", |_| (0.0, 0.02), |_, now| now.mode.value = 2.0 * now.time),
    ];
    fn derivative(&self, _: &At<Self>) -> [f64; 0] {
        []
    }
}

#[test]
fn a_sample_and_a_crossing_at_one_time_are_one_instant_and_the_sample_comes_first() {
    let settings = Settings { output_interval: Some(0.1), ..Settings::default() };
    let mut run = Run::with(Ramp, [], Held::default(), DormandPrince::new(1e-6), settings).unwrap();
    run.until(1.0).unwrap();
    let at_level: Vec<_> = run.log().iter().filter(|entry| entry.time == 0.5).collect();
    let kinds: Vec<_> = at_level.iter().map(|entry| (entry.kind, entry.name)).collect();
    assert_eq!(kinds, [(Kind::Time, "sample"), (Kind::State, "level")]);
    assert_eq!(run.mode().at_level, 1.0, "the value of this instant, not of one period before");
    let rows: Vec<_> = run.rows().iter().filter(|row| row.time == 0.5).collect();
    assert_eq!(rows.iter().map(|row| row.moment).collect::<Vec<_>>(), [Moment::Before, Moment::After]);
    assert_eq!((rows[0].mode.value, rows[1].mode.value), (2.0 * (24.0 * 0.02), 1.0));
    assert_eq!(run.statistics().time_events, 51);
}

/// Ordinary events beside a trajectory in closed form.
struct Mixed<H: Hybrid<State = [f64; 1]>> {
    part: Trajectory<H, ClosedForm<[f64; 1]>>,
    order: Vec<(&'static str, f64)>,
}

#[derive(Clone, Copy)]
enum Event {
    Part,
    Ordinary,
    Input(f64),
}

struct Line;

impl Hybrid for Line {
    type State = [f64; 1];
    type Mode = f64; // an input
    const RULES: &'static [Rule<Self>] = &[
        Rule::<Self>::rising("level", |_, at| at.x[0] - 1.0, |_, _| {})
            .closed(|_, at| Curve::uniform(at.x[0] - 1.0, 2.0)),
        Rule::at("timer", |_, _| 2.5, |_, _| {}),
    ];
    fn derivative(&self, _: &At<Self>) -> [f64; 1] {
        [2.0]
    }
    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 1]> {
        Some([Curve::uniform(at.x[0], 2.0)])
    }
}

impl<H: Hybrid<State = [f64; 1], Mode = f64>> Model for Mixed<H> {
    type Time = f64;
    type Event = Event;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: Event, cx: &mut impl Context<Self>) -> Outcome {
        let now = cx.now();
        match event {
            Event::Part => {
                let fired = self.part.advance(cx, Event::Part)?;
                self.order.extend(fired.names().map(|name| (name, now)));
            }
            Event::Ordinary => self.order.push(("ordinary", now)),
            Event::Input(value) => {
                let fired = self.part.change(cx, Event::Part, "input", |_, now| now.mode = value)?;
                self.order.push(("input", now));
                self.order.extend(fired.names().map(|name| (name, now)));
            }
        }
        Ok(())
    }
}

fn mixed(events: &[(f64, Event)]) -> Result<Simulation<Mixed<Line>>, BoxError> {
    let part = Trajectory::with(Line, [0.0], 0.0, ClosedForm::new(), Settings::default());
    let mut simulation = Simulation::new(Mixed { part, order: vec![] });
    let (model, cx) = simulation.parts();
    model.part.start(cx, Event::Part)?;
    for &(time, event) in events {
        // The most backward of all priorities: the class counts before it.
        cx.schedule(When::at(time).priority(i16::MAX), event)?;
    }
    simulation.run_until(3.0)?;
    Ok(simulation)
}

#[test]
fn among_all_events_of_one_time_those_of_a_time_come_first_whatever_their_priority() {
    let simulation = mixed(&[(0.5, Event::Ordinary)]).unwrap();
    assert_eq!(simulation.model().order, [("ordinary", 0.5), ("level", 0.5), ("timer", 2.5)]);
}

#[test]
fn an_input_that_changes_at_the_time_of_a_crossing_leaves_it_in_the_same_instant() {
    let simulation = mixed(&[(0.5, Event::Input(1.0))]).unwrap();
    assert_eq!(simulation.model().order, [("input", 0.5), ("level", 0.5), ("timer", 2.5)]);
    assert_eq!(events(simulation.model().part.log()), [("input", 0.5), ("level", 0.5), ("timer", 2.5)]);
}

#[test]
fn an_input_and_a_timer_at_one_time_are_both_applied_then_and_a_picosecond_apart_in_turn() {
    let simulation = mixed(&[(2.5, Event::Input(1.0))]).unwrap();
    let part = &simulation.model().part;
    assert_eq!(events(part.log())[1..], [("timer", 2.5), ("input", 2.5)], "the timer was scheduled with less priority");
    assert_eq!(*part.mode(), 1.0);

    let early = 2.5 - 1e-12;
    let simulation = mixed(&[(early, Event::Input(1.0))]).unwrap();
    assert_eq!(events(simulation.model().part.log())[1..], [("input", early), ("timer", 2.5)]);
}

#[test]
fn a_million_samples_are_multiples_of_the_period_bit_for_bit() {
    struct Sampler;
    impl Hybrid for Sampler {
        type State = [f64; 0];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[Rule::every("sample", |_| (0.0, 0.02), |_, _| {})];
        fn derivative(&self, _: &At<Self>) -> [f64; 0] {
            []
        }
    }
    let settings = Settings { log: false, ..Settings::default() };
    let mut sampler = Trajectory::with(Sampler, [], (), DormandPrince::new(1e-6), settings);
    sampler.begin(0.0).unwrap();
    let (mut k, mut sum, mut drifted, mut odd) = (0u32, 0.0, 0, 0);
    while k <= 1_000_000 {
        let time = sampler.next_time();
        if sampler.fire().unwrap().is_empty() {
            continue;
        }
        assert_eq!(time.to_bits(), (f64::from(k) * 0.02).to_bits());
        // Neither a running sum nor a division tells the instants of the sampler.
        if k <= 1000 {
            drifted += u32::from(sum != time);
            odd += u32::from(time / 0.02 != f64::from(k));
            sum += 0.02;
        }
        k += 1;
    }
    assert_eq!((drifted, odd), (987, 150));
}

#[test]
fn time_events_come_at_the_start_too_and_a_delay_counts_from_the_start() {
    struct Timed;
    impl Hybrid for Timed {
        type State = [f64; 0];
        type Mode = f64; // a deadline
        const RULES: &'static [Rule<Self>] =
            &[Rule::every("five", |_| (0.0, 5.0), |_, _| {}), Rule::at("delayed", |_, deadline| *deadline, |_, _| {})];
        fn derivative(&self, _: &At<Self>) -> [f64; 0] {
            []
        }
    }
    let mut run = Run::new(Timed, [], f64::INFINITY).unwrap();
    run.until(100.0).unwrap();
    let times: Vec<f64> = run.log().iter().map(|entry| entry.time).collect();
    assert_eq!(times, (0..=20).map(|k| f64::from(k) * 5.0).collect::<Vec<_>>());

    struct Delays;
    impl Hybrid for Delays {
        type State = [f64; 0];
        type Mode = [f64; 2];
        const RULES: &'static [Rule<Self>] = &[
            Rule::at("delayed", |_, mode: &[f64; 2]| mode[1], |_, _| {}),
            Rule::at("start", |_, mode: &[f64; 2]| mode[0], |_, now| now.mode[1] = now.time + 2.0),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 0] {
            []
        }
    }
    let trajectory = Trajectory::new(Delays, [], [10.0, f64::INFINITY]);
    let mut run = Run::start(trajectory, 10.0).unwrap();
    run.until(20.0).unwrap();
    assert_eq!(events(run.log()), [("start", 10.0), ("delayed", 12.0)]);
}

#[test]
fn a_time_that_is_set_to_now_belongs_to_the_instant_and_one_in_the_past_is_an_error() {
    struct Sets;
    impl Hybrid for Sets {
        type State = [f64; 0];
        type Mode = (f64, f64, u32);
        const RULES: &'static [Rule<Self>] = &[
            Rule::at("answer", |_, mode: &(f64, f64, u32)| mode.1, |_, now| now.mode.2 += 1),
            Rule::at("question", |_, _| 1.0, |_, now| now.mode.1 = now.time + now.pre.mode.0),
        ];
        fn derivative(&self, _: &At<Self>) -> [f64; 0] {
            []
        }
    }
    let mut run = Run::new(Sets, [], (0.0, f64::INFINITY, 0)).unwrap();
    run.until(3.0).unwrap();
    assert_eq!((events(run.log()), run.mode().2), (vec![("answer", 1.0), ("question", 1.0)], 1));
    let mut run = Run::new(Sets, [], (-0.5, f64::INFINITY, 0)).unwrap();
    let Err(Error::PastDue { name, due, time }) = run.until(3.0) else { panic!("no error") };
    assert_eq!((name, due, time), ("answer", 0.5, 1.0));
}

#[test]
fn periods_that_do_not_move_the_clock_and_starts_that_are_no_numbers_are_errors() {
    struct Period(f64);
    impl Hybrid for Period {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[Rule::every("tick", |period: &Period| (1.0, period.0), |_, _| {})];
        fn derivative(&self, _: &At<Self>) -> [f64; 1] {
            [0.0]
        }
    }
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-17] {
        assert!(matches!(Run::new(Period(period), [0.0], ()), Err(Error::BadPeriod { name: "tick", .. })), "{period}");
    }
    assert!(matches!(Run::new(Period(1.0), [f64::NAN], ()), Err(Error::BadStart { .. })));
    let bad = |settings| Run::with(Period(1.0), [0.0], (), DormandPrince::new(1e-6), settings).map(drop);
    for value in [0.0, -1.0, f64::NAN] {
        let settings = Settings { max_step: value, ..Settings::default() };
        assert!(matches!(bad(settings), Err(Error::BadSetting { name: "max_step", .. })));
        let settings = Settings { output_interval: Some(value), ..Settings::default() };
        assert!(matches!(bad(settings), Err(Error::BadSetting { name: "output_interval", .. })));
    }
    let settings = Settings { iteration_limit: 0, ..Settings::default() };
    assert!(matches!(bad(settings), Err(Error::BadSetting { name: "iteration_limit", .. })));
    let settings = Settings { chatter: Chatter { spacing: 1e-4, count: 0 }, ..Settings::default() };
    assert!(matches!(bad(settings), Err(Error::BadSetting { name: "chatter.count", .. })));
    assert!(matches!(Run::start(Trajectory::new(Period(1.0), [0.0], ()), f64::INFINITY), Err(Error::BadStart { .. })));
}

#[test]
fn a_reset_to_what_is_no_number_is_an_error_that_changes_nothing() {
    struct Bad;
    impl Hybrid for Bad {
        type State = [f64; 2];
        type Mode = ();
        const RULES: &'static [Rule<Self>] =
            &[Rule::rising("bad", |_, at| at.x[0] - 1.0, |_, now| now.reinit(1, f64::NAN))];
        fn derivative(&self, _: &At<Self>) -> [f64; 2] {
            [1.0, 0.0]
        }
    }
    let mut run = Run::new(Bad, [0.0, 3.0], ()).unwrap();
    let Err(Error::BadReset { names, time, component, .. }) = run.until(2.0) else { panic!("no error") };
    assert!(names.0 == ["bad"] && (time - 1.0).abs() < 1e-12 && component == 1);
    assert_eq!(run.state()[1], 3.0);
}

/// Rises with unit speed and is thrown back at one.
struct Sawtooth;

impl Hybrid for Sawtooth {
    type State = [f64; 1];
    type Mode = ();
    const RULES: &'static [Rule<Self>] =
        &[Rule::<Self>::rising("top", |_, at| at.x[0] - 1.0, |_, now| now.reinit(0, 0.0))
            .closed(|_, at| Curve::uniform(at.x[0] - 1.0, 1.0))];
    fn derivative(&self, _: &At<Self>) -> [f64; 1] {
        [1.0]
    }
    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 1]> {
        Some([Curve::uniform(at.x[0], 1.0)])
    }
}

#[test]
fn events_in_the_first_step_at_the_end_and_at_output_times_are_reported_once_with_both_rows() {
    // In closed form the times are exact: an output time, the end of the run.
    let settings = Settings { output_interval: Some(0.25), ..Settings::default() };
    let mut run = Run::with(Sawtooth, [0.0], (), ClosedForm::new(), settings).unwrap();
    run.until(2.0).unwrap();
    assert_eq!(events(run.log()), [("top", 1.0), ("top", 2.0)]);
    run.until(2.0).unwrap();
    assert_eq!(run.log().len(), 2, "the same end again runs nothing");
    let rows: Vec<_> = run.rows().iter().map(|row| (row.time, row.moment, row.x[0])).collect();
    use Moment::{After, Before, Between};
    assert_eq!(
        rows,
        [
            (0.0, Between, 0.0),
            (0.25, Between, 0.25),
            (0.5, Between, 0.5),
            (0.75, Between, 0.75),
            (1.0, Before, 1.0),
            (1.0, After, 0.0),
            (1.25, Between, 0.25),
            (1.5, Between, 0.5),
            (1.75, Between, 0.75),
            (2.0, Before, 1.0),
            (2.0, After, 0.0),
        ]
    );
    // Very early: in the first step of the integrator, whatever its size.
    for start in [1.0 - 1e-12, 1.0 - 1e-7, 1.0 - 1e-3] {
        let mut run = Run::new(Sawtooth, [start], ()).unwrap();
        run.until(0.5).unwrap();
        assert_eq!(run.log().len(), 1, "{start}");
        assert!((run.log()[0].time - (1.0 - start)).abs() < 1e-15, "{:?}", run.log()[0].time);
    }
}
