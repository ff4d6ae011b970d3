//! Films: every place is the model's own, and thinning loses nothing but the way between.

use hard_discs::movie::{Film, Leg};
use hard_discs::starts::{Start, make};
use hard_discs::{Disc, Earliest, HardDiscs, HardSpheres, Schedule, Sphere, Walls};
use proptest::prelude::*;
use saltus::{Settings, Simulation};

fn filmed<const D: usize, S: Schedule>(
    model: &HardSpheres<D, S>,
    mut film: Film<D>,
    until: f64,
) -> (Film<D>, HardSpheres<D, S>) {
    let mut simulation = Simulation::with(model.clone(), Settings::default(), film);
    let (discs, cx) = simulation.parts();
    discs.start(cx).unwrap();
    simulation.run_until(until).unwrap();
    let (discs, observer) = simulation.into_parts();
    film = observer;
    film.finish(until);
    (film, discs)
}

/// Where a disc is by its film. At the time of a change it has changed.
fn place<const D: usize>(flight: &[Leg<D>], t: f64) -> [f64; D] {
    flight[flight.partition_point(|leg| leg.from <= t) - 1].position_at(t)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_place_is_the_models_own_to_the_last_bit(n in 1usize..40, seed: u64, times in prop::collection::vec(0.0..60.0, 5)) {
        let model = make(Start::Random, Some(n), None, seed).unwrap();
        let (film, _) = filmed(&model, Film::new(&model), 60.0);
        let legs = film.legs();
        for t in times {
            let (_, at_t) = filmed(&model, Film::new(&model), t);
            let places: Vec<[f64; 2]> = legs.iter().map(|flight| place(flight, t)).collect();
            prop_assert_eq!(places, at_t.positions_at(t).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_thinned_film_is_exact_at_its_events_and_keeps_within_its_limit(n in 1usize..30, seed: u64, most in 1usize..400) {
        let model = make(Start::Random, Some(n), None, seed).unwrap();
        let (whole, _) = filmed(&model, Film::new(&model), 300.0);
        let (thinned, _) = filmed(&model, Film::with_limit(&model, most), 300.0);
        let most = most.max(4 * n);
        let changes: usize = thinned.legs().iter().map(Vec::len).sum();
        // A collision adds two at once.
        prop_assert!(changes <= most + 2, "{changes} of {most}");
        prop_assert_eq!(thinned.is_thinned(), whole.legs().iter().map(Vec::len).sum::<usize>() > most);
        prop_assert_eq!(thinned.collisions(), whole.collisions());
        let truth = whole.legs();
        for (disc, flight) in thinned.legs().iter().enumerate() {
            for leg in flight {
                let [x, y] = place(&truth[disc], leg.from);
                prop_assert!((x - leg.position[0]).abs() < 1e-12 && (y - leg.position[1]).abs() < 1e-12);
                let at = truth[disc].partition_point(|other| other.from <= leg.from) - 1;
                prop_assert_eq!(leg.velocity, truth[disc][at].velocity);
            }
        }
    }
}

#[test]
fn a_film_in_which_all_happens_at_once_ends_as_well() {
    // Columns of balls that meet head on, all at the same instant.
    let ball = |x, i, v| Disc::new([x, 0.01 + 0.02 * f64::from(i)], [v, 0.0], 0.005, 1.0);
    let discs = (0..50).flat_map(|i| [ball(0.4, i, 0.5), ball(0.6, i, -0.5)]).collect();
    let model = HardDiscs::new(discs, Walls::UNIT).unwrap();
    let (film, _) = filmed(&model, Film::with_limit(&model, 1), 100.0);
    assert!(film.is_thinned());
    assert_eq!(
        film.times().len(),
        film.times().collect::<Vec<_>>().windows(2).filter(|pair| pair[0] < pair[1]).count() + 1
    );
    let [pairs, walls] = film.collisions();
    let (plain, _) = filmed(&model, Film::new(&model), 100.0);
    assert_eq!([pairs, walls], plain.collisions());
    assert!(pairs >= 50 * 40 && walls >= 100 * 40);
}

#[test]
fn spheres_in_a_periodic_box_are_filmed_as_well() {
    let walls = Walls { periodic: [true, false, true], ..Walls::UNIT };
    let sphere = |i: u32| {
        let [x, y, z] = [i % 4, i / 4 % 4, i / 16].map(|place| 0.125 + 0.25 * f64::from(place));
        Sphere::new([x, y, z], [1, 2, 3].map(|k| (f64::from(i * k) * 1.7).sin()), 0.06, 1.0)
    };
    let model = HardSpheres::<3, Earliest>::new((0..64).map(sphere).collect(), walls).unwrap();
    let (film, _) = filmed(&model, Film::new(&model), 3.0);
    let legs = film.legs();
    assert!(film.collisions()[0] > 100, "{:?}", film.collisions());
    for look in 0..20 {
        let t = 0.15 * f64::from(look);
        let (_, at_t) = filmed(&model, Film::new(&model), t);
        let places: Vec<[f64; 3]> = legs.iter().map(|flight| walls.wrap(place(flight, t))).collect();
        assert_eq!(places, at_t.positions_at(t).collect::<Vec<_>>());
    }
}
