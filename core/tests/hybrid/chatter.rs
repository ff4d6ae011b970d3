//! Switches that point at each other: the run ends with a diagnosis, not with a hang.

use saltus::hybrid::*;

/// `x' = -sign(x)` with the sign as mode.
macro_rules! chatter {
    ($name:ident, $($rule:expr),+ $(,)?) => {
        struct $name;
        impl Hybrid for $name {
            type State = [f64; 1];
            type Mode = i8;
            const RULES: &'static [Rule<Self>] = &[$($rule),+];
            fn derivative(&self, at: &At<Self>) -> [f64; 1] {
                [-f64::from(*at.mode)]
            }
        }
    };
}

chatter!(Toggles, Rule::either("switch", |_, at| at.x[0], |_, now| now.mode = -now.pre.mode));
chatter!(
    Signs,
    Rule::rising("plus", |_, at| at.x[0], |_, now| now.mode = 1),
    Rule::falling("minus", |_, at| at.x[0], |_, now| now.mode = -1),
);

fn diagnose<H: Hybrid<State = [f64; 1], Mode = i8>>(
    model: H,
    start: f64,
    settings: Settings,
) -> (f64, f64, u32, Names) {
    let mut run = Run::with(model, [start], 1, DormandPrince::new(1e-6), settings).unwrap();
    match run.until(5.0) {
        Err(Error::Chatter { from, to, count, names, rate, .. }) => {
            assert!(rate > 1e4, "{rate}");
            (from, to, count, names)
        }
        other => panic!("{other:?} at {:?}, {:?}", run.state(), run.statistics()),
    }
}

#[test]
fn a_field_that_points_at_its_switch_from_both_sides_is_chatter_with_names_and_times() {
    // From 1 the switch is reached exactly, from the others with a rounding.
    for start in [1.0, 0.7, 1.0 / 3.0, 2.5] {
        let (from, to, count, names) = diagnose(Toggles, start, Settings::default());
        assert!((from - start).abs() < 1e-9 && to - from < 1e-4 && to >= from, "{from} {to}");
        assert_eq!((count, names.0), (101, vec!["switch"]));
        let (from, to, count, names) = diagnose(Signs, start, Settings::default());
        assert!((from - start).abs() < 1e-9 && to - from < 1e-4, "{from} {to}");
        assert_eq!((count, names.0), (101, vec!["plus", "minus"]));
    }
}

#[test]
fn what_counts_as_chatter_is_a_setting() {
    let settings = Settings { chatter: Chatter { spacing: 1e-6, count: 7 }, ..Settings::default() };
    let (_, _, count, _) = diagnose(Signs, 1.0, settings);
    assert_eq!(count, 8);
}

#[test]
fn a_smooth_switch_in_its_place_reaches_the_same_end_without_events() {
    struct Smooth(Switch);
    impl Hybrid for Smooth {
        type State = [f64; 1];
        type Mode = ();
        const RULES: &'static [Rule<Self>] = &[];
        fn derivative(&self, at: &At<Self>) -> [f64; 1] {
            [1.0 - 2.0 * self.0.at(at.x[0])]
        }
    }
    let end = |width: f64| {
        let mut run = Run::new(Smooth(Switch { width }), [1.0], ()).unwrap();
        run.until(5.0).unwrap();
        assert_eq!(run.log().iter().filter(|entry| entry.kind != Kind::Retry).count(), 0);
        run.state()[0]
    };
    // The sliding motion stays at zero.
    assert!(Switch::may_replace(0.0, end(1e-2), 1e-3));
    assert!(!Switch::may_replace(0.0, 0.1, 1e-3));
}
