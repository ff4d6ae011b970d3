//! Random states under the certificate, and random texts for the parser.

mod common;

use common::started;
use hard_discs::starts::{Start, make};
use hard_discs::{Certificate, Disc, HardDiscs, Walls, check, input};
use proptest::prelude::*;

/// Discs of mixed size, mass and speed, many at rest; what would overlap is left out. They often touch: half of them are put
/// beside the one before.
fn states() -> impl Strategy<Value = Vec<Disc>> {
    let place = (0.0..1.0, 0.0..1.0, any::<bool>(), 0.0..std::f64::consts::TAU);
    let velocity = prop_oneof![
        Just([0.0, 0.0]),
        [-1.0..1.0, -1.0..1.0],
        (-1.0..1.0).prop_map(|v| [v, 0.0]),
        [-1e-3..1e-3, -1e-3..1e-3],
        // Nearly the same velocity for all: what they exchange has few digits left.
        [-1e-8..1e-8, -1e-8..1e-8].prop_map(|[x, y]| [0.5 + x, 0.3 + y])
    ];
    let radius = prop_oneof![Just(0.08), 0.01..0.15, 0.001..0.01];
    let disc = (place, velocity, radius, -3.0..3.0f64);
    prop::collection::vec(disc, 40..200).prop_map(|list| {
        let mut discs: Vec<Disc> = Vec::new();
        for ((x, y, beside, angle), velocity, radius, exponent) in list {
            let mut position = [x, y];
            if let (true, Some(last)) = (beside, discs.last()) {
                let sigma = last.radius + radius;
                position = [last.position[0] + sigma * angle.cos(), last.position[1] + sigma * angle.sin()];
            }
            discs.push(Disc::new(position, velocity, radius, 10f64.powf(exponent)));
            if discs.len() > 40 || check(&discs, &Walls::UNIT).is_err() {
                discs.pop();
            }
        }
        discs
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_state_keeps_every_law(discs in states()) {
        let model = HardDiscs::new(discs, Walls::UNIT).unwrap();
        let before = model.energy();
        let certificate = Certificate::new(&model);
        let mut simulation = started(model, certificate);
        simulation.run_limited(100.0, 1000).unwrap();
        let now = simulation.now();
        let (model, mut certificate) = simulation.into_parts();
        if let Err(violation) = certificate.finish(&model, now) {
            return Err(TestCaseError::fail(violation.to_string()));
        }
        prop_assert!(model.discs().iter().all(|d| d.position.iter().chain(&d.velocity).all(|x| x.is_finite())));
        prop_assert!((model.energy() - before).abs() <= 1e-11 * before);
    }

    #[test]
    fn a_state_that_was_written_reads_back_to_the_same_bits(discs in states()) {
        let model = HardDiscs::new(discs, Walls::UNIT).unwrap();
        let again = input::parse(&input::write(&model, 0.0)).unwrap();
        prop_assert_eq!(again.discs(), model.discs());
    }
}

/// A part of a text is replaced by something that a parser may stumble over.
fn mutate(text: &str, at: usize, length: usize, with: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = at % (characters.len() + 1);
    let end = (at + length).min(characters.len());
    characters.splice(at..end, with.chars());
    characters.into_iter().collect()
}

const ODD: [&str; 24] = [
    "",
    " ",
    "\n",
    "\r",
    "-",
    "+",
    ".",
    "e",
    "1e400",
    "-1e-400",
    "NaN",
    "inf",
    "0",
    "-0",
    "9999999999999999999",
    "0x1p3",
    "1_000",
    "\u{feff}",
    "½",
    "\t",
    "1 1 1 1 1 1\n",
    "256",
    "4e-324",
    "\u{0}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_refused_in_one_line_or_gives_a_state_that_passes_the_check(
        changes in prop::collection::vec((any::<u16>(), 0usize..8, 0..ODD.len()), 0..6),
        start in prop_oneof![Just(Start::Squeeze), Just(Start::Cradle), Just(Start::Billiards)],
    ) {
        let mut text = input::write(&make(start, None, None, 1).unwrap(), 0.0);
        for (at, length, odd) in changes {
            text = mutate(&text, at.into(), length, ODD[odd]);
        }
        match input::parse(&text) {
            Ok(model) => prop_assert!(check(&model.discs(), model.walls()).is_ok()),
            Err((line, problem)) => {
                let message = problem.to_string();
                prop_assert!(message.lines().count() == 1 && message.chars().count() < 400, "{}", message);
                prop_assert!(line.is_none_or(|line| (1..=text.lines().count()).contains(&line)));
            }
        }
    }

    #[test]
    fn noise_is_no_input(noise in "[0-9. \n\r\t\\-+eEinfa½\u{0}]{0,80}") {
        if let Ok(model) = input::parse(&noise) {
            prop_assert!(check(&model.discs(), model.walls()).is_ok());
        }
    }
}
