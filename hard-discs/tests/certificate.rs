//! A certificate that cannot fail is worth nothing: a second, small plugin of discs can be wrong in one way at a time, and
//! for each way the law that the certificate must name.

mod common;

use common::plain::{Fault, Plain};
use hard_discs::starts::{Start, insertion, lattice, make, maxwell};
use hard_discs::{Certificate, Disc, Earliest, HardDiscs, HardSpheres, Hit, Law, Violation, Voyage, Walls};
use saltus::observe::{GO_ON, Verdict};
use saltus::queue::Ladder;
use saltus::{Context, Header, Observer, Settings, Simulation};

/// What the certificate says of a run with a fault; it also says so to whoever asks for the reason of the stop.
fn certify(discs: &[Disc], fault: Fault, until: f64) -> Result<u64, Violation> {
    certify_plain(Plain::new(discs, fault), until)
}

fn certify_plain(plain: Plain, until: f64) -> Result<u64, Violation> {
    let start = HardDiscs::new(plain.discs().to_vec(), Walls::UNIT).unwrap();
    let mut simulation = Simulation::with(plain, Settings::default(), Certificate::new(&start));
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    let stop = simulation.run_until(until).unwrap();
    let now = simulation.now();
    let (model, mut certificate) = simulation.into_parts();
    if let Some(violation) = certificate.violation() {
        assert_eq!(stop, saltus::Stop::Observer(violation.to_string()));
    }
    certificate.finish(&model, now)?;
    Ok(certificate.events())
}

/// 0 flies to the right and hits 1 at t = 0.2. 2 and 3 fly elsewhere, 3 onto 2.
fn four() -> Vec<Disc> {
    vec![
        Disc::new([0.2, 0.2], [1.0, 0.0], 0.05, 1.0),
        Disc::new([0.5, 0.23], [0.0, 0.0], 0.05, 2.0),
        Disc::new([0.3, 0.7], [0.0, 0.1], 0.05, 1.0),
        Disc::new([0.8, 0.72], [-0.4, 0.1], 0.05, 1.0),
    ]
}

#[track_caller]
fn assert_breaks(discs: &[Disc], fault: Fault, law: Law, who: &[usize]) -> Violation {
    let violation = certify(discs, fault, 5.0).expect_err("a law is broken");
    assert_eq!((violation.law, &violation.particles[..]), (law, who), "{fault:?}: {violation}");
    violation
}

#[test]
fn the_plain_plugin_without_a_fault_keeps_every_law() {
    assert!(certify(&four(), Fault::None, 5.0).unwrap() > 10);
    let gas = make(Start::Random, Some(40), None, 3).unwrap();
    assert!(certify(&gas.discs(), Fault::None, 500.0).unwrap() > 500);
}

#[test]
fn the_plain_plugin_and_the_real_one_agree() {
    let start = make(Start::Billiards, None, None, 1).unwrap();
    let events = certify(&start.discs(), Fault::None, 200.0).unwrap();
    assert_eq!(events, 38);
}

#[test]
fn too_large_an_impulse_breaks_the_energy() {
    let violation = assert_breaks(&four(), Fault::Impulse(1e-6), Law::Energy, &[0, 1]);
    assert!(violation.found > violation.expected);
    assert_eq!(violation.expected, 0.5);
    assert_eq!(violation.after_events, 0);
    assert!((violation.time - (0.3 - 0.0091f64.sqrt())).abs() < 1e-12, "{}", violation.time);
}

#[test]
fn an_impulse_without_its_opposite_breaks_the_momentum() {
    assert_breaks(&four(), Fault::OneSided, Law::Momentum, &[0, 1]);
}

#[test]
fn a_collision_without_effect_breaks_the_response() {
    let violation = assert_breaks(&four(), Fault::PassThrough, Law::Response, &[0, 1]);
    assert!(violation.expected > 0.0 && violation.found < 0.0, "{violation}");
}

#[test]
fn a_soft_wall_breaks_the_energy() {
    let alone = [Disc::new([0.5, 0.5], [1.0, 0.0], 0.1, 1.0)];
    let violation = assert_breaks(&alone, Fault::WallLoss(1e-6), Law::Energy, &[0]);
    assert_eq!(violation.rule, "a particle keeps its speed at a wall");
}

#[test]
fn a_wall_that_turns_the_wrong_way_breaks_the_response() {
    let alone = [Disc::new([0.5, 0.5], [1.0, 0.1], 0.1, 1.0)];
    assert_breaks(&alone, Fault::WrongAxis, Law::Response, &[0]);
}

#[test]
fn a_forgotten_pair_breaks_the_prediction() {
    // Both 0 and 1 come off their collision; one of them is on its way to another disc.
    let mut list = four();
    list.push(Disc::new([0.85, 0.31], [0.0, 0.0], 0.05, 1.0));
    let violation = assert_breaks(&list, Fault::Forgotten, Law::Prediction, &[1, 4]);
    assert_eq!(violation.found, f64::INFINITY);
}

#[test]
fn a_forgotten_wall_breaks_the_prediction_before_anything_has_run() {
    let violation = assert_breaks(&four(), Fault::ForgottenWall, Law::Prediction, &[0]);
    assert_eq!(violation.after_events, 0);
    assert!((violation.expected - 0.75).abs() < 1e-12);
}

#[test]
fn a_forgotten_wall_breaks_the_prediction_even_if_nothing_ever_runs() {
    let alone = [Disc::new([0.5, 0.5], [1.0, 0.0], 0.1, 1.0)];
    let violation = certify(&alone, Fault::ForgottenWall, 0.1).unwrap_err();
    assert_eq!(violation.law, Law::Prediction);
}

#[test]
fn a_late_contact_breaks_the_prediction() {
    // An overlap of a millionth of the sum of radii, 0.1, is so much time at a speed of 1.
    let violation = assert_breaks(&four(), Fault::Late(1e-7), Law::Prediction, &[0, 1]);
    assert!((violation.found - violation.expected - 1e-7).abs() < 1e-12);
}

#[test]
fn a_wall_in_the_wrong_place_breaks_the_prediction() {
    assert_breaks(&four(), Fault::WallTooClose(1e-6), Law::Prediction, &[0]);
}

#[test]
fn a_jump_breaks_the_position() {
    let violation = assert_breaks(&four(), Fault::Jump(1e-6), Law::Position, &[0]);
    assert!((violation.found - 1e-6).abs() < 1e-12);
}

#[test]
fn a_change_of_a_disc_that_took_no_part_breaks_the_position() {
    assert_breaks(&four(), Fault::Bystander(1e-6), Law::Position, &[2]);
}

#[test]
fn a_contact_of_discs_apart_breaks_the_geometry() {
    let violation = assert_breaks(&four(), Fault::Phantom(Hit::Pair(0, 3)), Law::Geometry, &[0, 3]);
    assert_eq!(violation.expected, 0.1);
    assert!(violation.found > 0.5, "{violation}");
}

#[test]
fn a_wall_contact_away_from_the_wall_breaks_the_geometry() {
    let violation = assert_breaks(&four(), Fault::Phantom(Hit::Wall(0, 1)), Law::Geometry, &[0]);
    assert_eq!((violation.expected, violation.found), (0.05, 0.2));
}

#[test]
fn a_contact_of_touching_discs_that_part_breaks_the_geometry() {
    let parting = [Disc::new([0.3, 0.5], [0.0, 0.0], 0.1, 1.0), Disc::new([0.5, 0.5], [1e-12, 0.0], 0.1, 1.0)];
    let violation = assert_breaks(&parting, Fault::Phantom(Hit::Pair(0, 1)), Law::Geometry, &[0, 1]);
    assert_eq!(violation.rule, "a pair that collides is approaching");
}

#[test]
fn a_missing_or_wrong_stamp_breaks_the_validity_before_it_does_harm() {
    for (fault, disc) in [(Fault::NoStamps, 0), (Fault::OneStamp, 1), (Fault::WrongStamp, 0)] {
        let violation = assert_breaks(&three_on_a_line(), fault, Law::Validity, &[disc]);
        assert_eq!((violation.after_events, &violation.rule[..]), (0, "an event is stamped with its particles"));
    }
}

#[test]
fn a_stale_event_breaks_the_validity_whatever_the_numbers_of_the_entities() {
    for strangers in [0, 1, 7] {
        let start = common::discs(&three_on_a_line(), Walls::UNIT).without_stamps();
        let certificate = Certificate::new(&start);
        let mut simulation = with_strangers(start, certificate, strangers);
        simulation.run_until(5.0).unwrap();
        let violation = simulation.observer().violation().unwrap();
        assert_eq!((violation.law, &violation.particles[..]), (Law::Validity, &[0][..]));
        assert_eq!(violation.rule, "an event is younger than the last collision of its particles");
        assert!(violation.found < violation.expected);
    }
}

/// Entities that are no discs are spawned before the discs' and touched after.
fn with_strangers(model: HardDiscs, certificate: Certificate, count: usize) -> Simulation<HardDiscs, Certificate> {
    let mut simulation = Simulation::with(model, Settings::default(), certificate);
    let (model, cx) = simulation.parts();
    let strangers: Vec<_> = (0..count).map(|_| cx.spawn()).collect();
    model.start(cx).unwrap();
    let late = cx.spawn();
    for stranger in strangers.into_iter().chain([late]) {
        assert!(cx.touch(stranger));
    }
    simulation
}

#[test]
fn entities_that_are_no_discs_raise_no_alarm() {
    for strangers in [0, 1, 60] {
        let start = make(Start::Random, Some(20), None, 3).unwrap();
        let certificate = Certificate::new(&start);
        let mut simulation = with_strangers(start, certificate, strangers);
        simulation.run_events(1000).unwrap();
        let now = simulation.now();
        let (model, mut certificate) = simulation.into_parts();
        assert_eq!((certificate.finish(&model, now), certificate.events()), (Ok(()), 1000));
    }
}

/// 0 runs into 1, which rests before the wall.
fn three_on_a_line() -> [Disc; 3] {
    [
        Disc::new([0.2, 0.5], [1.0, 0.0], 0.05, 1.0),
        Disc::new([0.6, 0.5], [0.0, 0.0], 0.05, 1.0),
        Disc::new([0.2, 0.2], [0.0, 0.0], 0.05, 1.0),
    ]
}

/// 0 hits a wall, which makes the fault; later 3 passes 2, inside of it by `depth` of the sum of radii.
fn passing(depth: f64) -> [Disc; 4] {
    [
        Disc::new([0.9, 0.9], [0.5, 0.0], 0.05, 1.0),
        Disc::new([0.1, 0.9], [0.0, 0.0], 0.05, 1.0),
        Disc::new([0.5, 0.3], [0.0, 0.0], 0.05, 1.0),
        Disc::new([0.9, 0.3 + 0.1 * (1.0 - depth)], [-0.5, 0.0], 0.05, 1.0),
    ]
}

#[test]
fn an_overlap_of_a_millionth_is_noticed() {
    let violation = certify(&passing(1e-6), Fault::VoidOther, 1.0).unwrap_err();
    assert_eq!((violation.law, &violation.particles[..]), (Law::Overlap, &[2, 3][..]));
    assert!((violation.expected - 0.1).abs() < 1e-15 && (violation.found - 0.1 * (1.0 - 1e-6)).abs() < 1e-12);
    // What passes outside is no overlap.
    assert!(certify(&passing(-1e-6), Fault::VoidOther, 1.0).is_ok());
}

#[test]
fn a_disc_that_leaves_the_box_breaks_the_bounds() {
    let leaving = [
        Disc::new([0.9, 0.9], [0.5, 0.0], 0.05, 1.0),
        Disc::new([0.1, 0.9], [0.0, 0.0], 0.05, 1.0),
        Disc::new([0.5, 0.3], [0.0, -0.5], 0.05, 1.0),
    ];
    let violation = certify(&leaving, Fault::VoidOther, 1.0).unwrap_err();
    assert_eq!((violation.law, &violation.particles[..]), (Law::Bounds, &[2][..]));
    assert!((violation.expected, violation.found) < (0.06, -0.1), "{violation}");
}

#[test]
fn a_clock_that_goes_back_is_noticed() {
    let start = make(Start::Billiards, None, None, 1).unwrap();
    let mut late = common::started(start.clone(), Certificate::new(&start));
    late.run_until(31.0).unwrap();
    let seen = late.into_parts().1;
    assert_eq!(seen.violation(), None);
    // The same certificate watches a run that begins at time zero.
    let mut early = common::started(start, seen);
    early.run_until(31.0).unwrap();
    let violation = early.observer().violation().unwrap();
    assert_eq!(violation.law, Law::Clock);
    assert!(violation.found < violation.expected);
}

#[test]
fn the_drill_is_noticed_by_physics_too() {
    let start = make(Start::Billiards, None, None, 1).unwrap();
    for (certificate, law) in
        [(Certificate::new(&start), Law::Validity), (Certificate::of_physics_only(&start), Law::Geometry)]
    {
        let mut simulation = common::started(start.clone().without_stamps(), certificate);
        simulation.run_until(200.0).unwrap();
        assert_eq!(simulation.observer().violation().map(|violation| violation.law), Some(law));
    }
}

#[test]
fn a_healthy_run_of_a_hundred_thousand_events_gives_no_warning() {
    let start = make(Start::Random, Some(50), None, 5).unwrap();
    let certificate = Certificate::new(&start);
    let mut simulation = common::started(start, certificate);
    simulation.run_events(100_000).unwrap();
    let now = simulation.now();
    let (model, mut certificate) = simulation.into_parts();
    assert_eq!(certificate.finish(&model, now), Ok(()));
    assert_eq!(certificate.events(), 100_000);
    let worst = certificate.worst();
    println!("t = {now}: {worst:?}");
    assert!(worst.contact < 1e-9 && worst.overlap < 1e-9 && worst.momentum < 1e-14 && worst.energy < 1e-13);
}

/// How deep any two were ever inside each other, by looking at all pairs after every collision.
struct Deepest(f64);

impl Observer<HardSpheres<2, Earliest>> for Deepest {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<2, Earliest>) -> Verdict {
        let (places, lengths) = (model.positions_at(event.time).collect::<Vec<_>>(), model.walls().lengths());
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                let way = [0, 1].map(|axis| {
                    let way = a[axis] - b[axis];
                    way - lengths[axis] * (way / lengths[axis]).round()
                });
                self.0 = self.0.max(1.0 - way[0].hypot(way[1]));
            }
        }
        GO_ON
    }
}

#[test]
fn the_depth_that_the_certificate_finds_nearby_is_that_of_all_pairs() {
    let (mut particles, walls) = lattice::<2>(150, 0.6, [true; 2]).unwrap();
    maxwell(&mut particles, 1.0, 1);
    let model = HardSpheres::<2, Earliest>::new(particles, walls).unwrap();
    let certificate = Certificate::new(&model);
    let mut simulation = Simulation::with_queue(model, Settings::default(), (certificate, Deepest(-1.0)), Ladder);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation.run_events(20_000).unwrap();
    let now = simulation.now();
    let (model, (mut certificate, Deepest(deepest))) = simulation.into_parts();
    assert_eq!(certificate.finish(&model, now), Ok(()));
    let found = certificate.worst().overlap;
    println!("all pairs {deepest:e}, nearby {found:e}");
    // Their rounding is not the same; a healthy run is far from where a warning would come.
    assert!((0.0..1e-11).contains(&deepest) && (found - deepest).abs() < 1e-12, "{found:e} {deepest:e}");
}

#[test]
fn discs_that_fly_almost_side_by_side_raise_no_alarm() {
    // Their contact would come at t = 6e7, and at any they exchange eight digits less than they have.
    let pair = |gap: f64| {
        [
            Disc::new([0.3, 0.5], [0.5, 0.3], 0.08, 1.0),
            Disc::new([0.46 + gap, 0.5], [0.5 - 1.3e-9, 0.3 + 1e-10], 0.08, 1.0),
        ]
    };
    for gap in [0.0, 0.08] {
        let model = HardDiscs::new(pair(gap).to_vec(), Walls::UNIT).unwrap();
        let end = common::run(model, 1000.0);
        assert!(end.pairs() > 100);
    }
}

/// So many small discs at rest between two that are not in the way of [`four`], so that the certificate looks only nearby.
fn crowd() -> Vec<Disc> {
    let mut discs = four();
    let place = |i: u32| [0.02 + 0.024 * f64::from(i % 40), 0.35 + 0.024 * f64::from(i / 40)];
    discs.extend((0..400).map(|i| Disc::new(place(i), [0.0; 2], 0.002 + 0.001 * f64::from(i % 7), 1.0)));
    discs
}

#[test]
fn in_a_crowd_every_fault_is_found_whether_all_is_in_the_queue_or_not() {
    for all in [true, false] {
        let expect = |fault, law: Law, who: &[usize]| {
            let plain = Plain::new(&crowd(), fault);
            let plain = if all { plain } else { plain.in_silence() };
            let violation = certify_plain(plain, 5.0).expect_err("a law is broken");
            assert_eq!((violation.law, &violation.particles[..]), (law, who), "{all}, {fault:?}: {violation}");
        };
        expect(Fault::Impulse(1e-6), Law::Energy, &[0, 1]);
        expect(Fault::OneSided, Law::Momentum, &[0, 1]);
        expect(Fault::PassThrough, Law::Response, &[0, 1]);
        expect(Fault::Jump(1e-6), Law::Position, &[0]);
        expect(Fault::Bystander(1e-6), Law::Position, &[2]);
        expect(Fault::Phantom(Hit::Pair(0, 3)), Law::Geometry, &[0, 3]);
        expect(Fault::Phantom(Hit::Wall(0, 1)), Law::Geometry, &[0]);
        expect(Fault::NoStamps, Law::Validity, &[0]);
        expect(Fault::OneStamp, Law::Validity, &[1]);
        expect(Fault::ForgottenWall, Law::Prediction, if all { &[0] } else { &[1] });
        // What is late is noticed before anything has run only by who knows all that is to come.
        let late = if all { Law::Prediction } else { Law::Geometry };
        expect(Fault::Late(1e-7), late, &[0, 1]);
        let (law, who) = if all { (Law::Prediction, 0) } else { (Law::Geometry, 1) };
        expect(Fault::WallTooClose(1e-6), law, &[who]);
    }
}

#[test]
fn in_a_crowd_a_contact_that_nobody_planned_shows_as_an_overlap() {
    // After the first collision no pair is predicted any more: the first to pass through each other are found out.
    let plain = Plain::new(&crowd(), Fault::Forgotten).in_silence();
    let violation = certify_plain(plain, 50.0).unwrap_err();
    assert_eq!(violation.law, Law::Overlap, "{violation}");
    for depth in [1e-6, 1e-3] {
        let mut discs = passing(depth).to_vec();
        discs.extend(crowd().into_iter().skip(4).filter(|disc| disc.position[1] > 0.45));
        let violation = certify(&discs, Fault::VoidOther, 1.0).unwrap_err();
        assert_eq!((violation.law, &violation.particles[..]), (Law::Overlap, &[2, 3][..]), "{violation}");
    }
}

#[test]
fn a_hundred_thousand_discs_are_certified_by_looking_nearby() {
    let (mut particles, walls) = insertion::<2>(100_000, 0.3, [true; 2], 1).unwrap();
    maxwell(&mut particles, 1.0, 1);
    let model = HardSpheres::<2, Earliest>::new(particles, walls).unwrap();
    let certificate = Certificate::new(&model);
    let mut voyage = Voyage::new(model, certificate, Ladder).unwrap();
    voyage.run_events(100_000).unwrap();
    let clock = voyage.clock();
    let (model, mut certificate) = voyage.into_parts();
    assert_eq!(certificate.finish(&model, clock), Ok(()));
    // Every pair of them would be 5e9 looks for each of the passes at the start and at the end, and 1e10 for the events.
    assert!(certificate.events() > 20_000 && certificate.looks() < 100_000_000, "{}", certificate.looks());
}
