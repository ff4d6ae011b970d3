//! What must hold over long runs, and what must not change a run at all.

mod common;

use common::plain::{Fault, Plain};
use common::{Hits, assert_near, discs, run, started};
use hard_discs::starts::{Start, StartError, make};
use hard_discs::{Certificate, Disc, EventLog, HardDiscs, Hit, Walls, input};
use saltus::observe::{GO_ON, Verdict};
use saltus::queue::{CountedHeap, Heap, QueueKind, SortedArray};
use saltus::{Header, Observer, Settings, Simulation};

fn gas(n: usize, seed: u64) -> HardDiscs {
    make(Start::Random, Some(n), None, seed).unwrap()
}

/// Sixty discs that cover most of what fits and are fast: more than a thousand collisions a unit of time.
fn dense() -> HardDiscs {
    let list = (0..64).map(|i| {
        let place = |k: i32| 0.0625 + 0.125 * f64::from(k);
        let angle = f64::from(i) * 2.4;
        Disc::new([place(i % 8), place(i / 8)], [angle.cos() * 2.0, angle.sin() * 2.0], 0.056, 1.0)
    });
    HardDiscs::new(list.collect(), Walls::UNIT).unwrap()
}

fn energy(discs: &[Disc]) -> f64 {
    discs.iter().map(Disc::energy).sum()
}

/// The relative drift of the energy over `events` collisions, begun at a clock at which times have few digits left.
fn drift_of_plain(fault: Fault, start: f64, events: u64) -> f64 {
    let model = Plain::new(&gas(64, 2).discs(), fault);
    let before = energy(model.discs());
    let settings = Settings { start, ..Settings::default() };
    let mut simulation = Simulation::with(model, settings, ());
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation.run_events(events).unwrap();
    energy(simulation.model().discs()) / before - 1.0
}

#[test]
fn the_sum_of_radii_in_place_of_the_separation_leaks_energy_and_the_separation_does_not() {
    for (start, leak) in [(1e6, 1e-13), (1e9, 1e-8)] {
        let sigma = drift_of_plain(Fault::Sigma, start, 100_000);
        let actual = drift_of_plain(Fault::None, start, 100_000);
        println!(
            "energy drift from t = {start:e}: with the sum of radii {sigma:.1e}, with the separation {actual:.1e}"
        );
        assert!(sigma.abs() > leak, "{sigma}");
        assert!(actual.abs() < 1e-13, "{actual}");
    }
}

#[test]
fn energy_drifts_less_than_1e_10_in_a_million_collisions_of_256_discs() {
    let model = gas(256, 4);
    let before = model.energy();
    let mut simulation = started(model, ());
    simulation.run_events(1_000_000).unwrap();
    let drift = simulation.model().energy() / before - 1.0;
    println!("energy drift {drift:.1e}");
    assert!(drift.abs() < 1e-10, "{drift}");
}

/// How deep discs were ever in a wall, in radii, at any event; and whether the clock ever went back.
struct Depth {
    deepest: f64,
    clock: f64,
}

impl Observer<HardDiscs> for Depth {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, model: &HardDiscs) -> Verdict {
        assert!(event.time >= self.clock);
        self.clock = event.time;
        for (disc, place) in model.discs().iter().zip(model.positions_at(event.time)) {
            for x in place {
                let depth = (disc.radius - x).max(x + disc.radius - 1.0) / disc.radius;
                self.deepest = self.deepest.max(depth);
            }
        }
        GO_ON
    }
}

const AT_THE_SURFACE: Depth = Depth { deepest: 0.0, clock: 0.0 };

fn how_deep_a_gas_sinks_into_its_walls(events: u64) {
    let mut simulation = started(gas(100, 6), AT_THE_SURFACE);
    simulation.run_events(events).unwrap();
    let deepest = simulation.observer().deepest;
    println!("deepest {deepest:.1e} radii at t = {:.0}", simulation.now());
    assert!(deepest < 1e-9, "{deepest}");
}

#[test]
fn no_disc_of_a_gas_sinks_into_a_wall() {
    how_deep_a_gas_sinks_into_its_walls(500_000);
}

/// `cargo test --release -p hard-discs --test laws -- --ignored`
#[test]
#[ignore = "a minute"]
fn no_disc_of_a_gas_sinks_into_a_wall_in_ten_million_events() {
    how_deep_a_gas_sinks_into_its_walls(10_000_000);
}

#[test]
fn a_wall_holds_at_any_speed() {
    for speed in [1.0, 1e3, 1e6] {
        let disc = Disc::new([0.3, 0.4], [speed, speed / 3.0], 0.1, 1.0);
        let mut simulation = started(discs(&[disc], Walls::UNIT), AT_THE_SURFACE);
        simulation.run_events(100_000).unwrap();
        let deepest = simulation.observer().deepest * 0.1;
        println!("speed {speed:e}: deepest {deepest:.1e}");
        // The way from wall to wall is 0.8.
        assert!(deepest <= 0.8e-12, "speed {speed}: {deepest}");
        assert_eq!(simulation.model().discs()[0].velocity.map(f64::abs), [speed, speed / 3.0]);
    }
}

#[test]
fn the_clock_stands_exactly_where_a_run_was_to_end() {
    let mut halting = started(dense(), Hits::default());
    for end in [8.0, 9.0, 10.0] {
        halting.run_until(end).unwrap();
        assert_eq!(halting.now(), end);
        let mut direct = started(dense(), ());
        direct.run_until(end).unwrap();
        let (a, b) = (halting.model(), direct.model());
        assert!(a.positions_at(end).eq(b.positions_at(end)), "until {end}");
        assert_eq!(a.discs(), b.discs());
    }
    let late = halting.observer().0.iter().filter(|(t, _)| *t > 9.0).count();
    assert!(late > 1000, "only {late} collisions in a unit of time");
}

#[test]
fn a_dense_and_fast_box_keeps_every_law() {
    let end = run(dense(), 3.0);
    assert!(end.hits.len() > 3000);
}

#[test]
fn a_continued_run_is_the_uninterrupted_one_to_the_last_bit() {
    let mut direct = started(gas(100, 8), Hits::default());
    direct.run_until(100.0).unwrap();
    let mut halting = started(gas(100, 8), Hits::default());
    for k in 1..=700 {
        // Ends that fall anywhere, twice the same now and then.
        halting.run_until(f64::from(k / 2 * 2) / 7.0).unwrap();
    }
    halting.run_until(100.0).unwrap();
    assert!(direct.observer().0.len() > 300);
    assert_eq!(halting.observer(), direct.observer());
    assert_eq!(halting.model().discs(), direct.model().discs());
}

fn event_file(model: HardDiscs, until: f64) -> String {
    let mut simulation = started(model, EventLog::new(Vec::new()).unwrap());
    simulation.run_until(until).unwrap();
    String::from_utf8(simulation.into_parts().1.finish().unwrap()).unwrap()
}

#[test]
fn sampling_changes_no_bit_of_the_event_file() {
    let plain = event_file(gas(100, 9), 100.0);
    assert!(plain.lines().count() > 300);
    for every in [2.0, 0.01, 1e-3] {
        assert_eq!(event_file(gas(100, 9).sampled(every).unwrap(), 100.0), plain, "every {every}");
    }
}

#[test]
fn samples_that_do_not_move_the_clock_end_in_an_error_and_not_in_a_loop() {
    let settings = Settings { start: 1e10, ..Settings::default() };
    let mut simulation = Simulation::with(gas(2, 1).sampled(1e-300).unwrap(), settings, ());
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    let error = simulation.run_until(1e10 + 1.0).unwrap_err().to_string();
    assert!(error.starts_with("no progress at 10000000000: "), "{error}");
}

#[test]
fn a_speed_at_which_time_stands_still_ends_in_an_error_and_not_in_a_loop() {
    let settings = Settings { start: 1.0, ..Settings::default() };
    // From wall to wall in 1e-49: a clock at 1 does not move by that.
    let fast = Disc::new([0.5, 0.5], [1e49, 0.0], 0.1, 1.0);
    let mut simulation = Simulation::with(discs(&[fast], Walls::UNIT), settings, ());
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    let error = simulation.run_until(2.0).unwrap_err().to_string();
    assert!(error.starts_with("no progress at 1: ") && error.contains("wall-x of entity 0"), "{error}");
}

fn hits_on<Q: QueueKind<f64> + Default>() -> Vec<(f64, Hit)> {
    let mut simulation = Simulation::with_queue(dense(), Settings::default(), Hits::default(), Q::default());
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation.run_until(2.0).unwrap();
    simulation.into_parts().1.0
}

#[test]
fn every_queue_gives_the_same_events() {
    let heap = hits_on::<Heap>();
    assert!(heap.len() > 2000);
    assert_eq!(heap, hits_on::<SortedArray>());
    assert_eq!(heap, hits_on::<CountedHeap>());
}

/// How far from the start the discs end if they fly to `until` and back; and the collisions on the way there.
fn there_and_back(until: f64) -> (f64, u64) {
    let start = gas(50, 10);
    let there = run(start.clone(), until).model;
    let back = run(there.reversed_at(until), until).model;
    let distance = std::iter::zip(start.discs(), back.positions_at(until))
        .map(|(disc, [x, y])| (disc.position[0] - x).hypot(disc.position[1] - y))
        .fold(0.0, f64::max);
    (distance, there.work().pairs + there.work().walls)
}

#[test]
fn time_runs_backwards_to_the_start_until_rounding_has_grown() {
    let mut last = 0.0;
    for until in [10.0, 20.0, 40.0, 80.0, 160.0, 320.0] {
        let (distance, collisions) = there_and_back(until);
        println!("until {until}: {collisions} collisions, {distance:.1e} from the start");
        if until <= 40.0 {
            assert!(distance < 1e-8, "{distance} after {collisions} collisions");
        }
        last = distance;
    }
    assert!(last > 1e-6, "chaos must show in the end, or nothing was turned round: {last}");
}

#[test]
fn the_total_momentum_without_walls_stays() {
    let list: Vec<Disc> = gas(50, 11).discs();
    let momentum = |list: &[Disc], axis: usize| list.iter().map(|d| d.mass * d.velocity[axis]).sum::<f64>();
    let end = run(discs(&list, Walls::NONE), 1000.0);
    assert!(end.pairs() > 10);
    for axis in 0..2 {
        assert_near(momentum(&end.model.discs(), axis), momentum(&list, axis), 1e-15);
    }
}

#[test]
fn a_density_that_no_packing_reaches_is_refused_with_the_fraction() {
    let error = make(Start::Random, Some(200), Some(0.05), 1).unwrap_err();
    let StartError::Impossible { fraction, .. } = error else { panic!("{error}") };
    assert_near(fraction, 200.0 * std::f64::consts::PI * 0.05 * 0.05, 1e-12);
    assert!(error.to_string().contains("1.5708"), "{error}");
}

#[test]
fn a_density_at_which_random_places_run_out_is_refused_after_so_many_tries() {
    let error = make(Start::Random, Some(100), Some(0.05), 1).unwrap_err();
    assert!(matches!(error, StartError::NoRoom { n: 100, tries: 10_000, .. }), "{error}");
}

#[test]
fn sixty_discs_find_room() {
    for seed in 0..10 {
        assert_eq!(make(Start::Random, Some(60), Some(0.05), seed).unwrap().discs().len(), 60);
    }
}

#[test]
fn every_start_state_can_be_made_and_keeps_every_law() {
    for start in [
        Start::Billiards,
        Start::Cradle,
        Start::Pendulum,
        Start::Brownian,
        Start::Diffusion,
        Start::Squeeze,
        Start::WreckingBall,
        Start::Random,
    ] {
        let model = make(start, None, None, 1).unwrap();
        let again = input::parse(&input::write(&model, 0.0)).unwrap();
        assert_eq!(again.discs(), model.discs(), "{start:?} reads back to the same bits");
        let end = run(model, 20.0);
        println!("{start:?}: {} pairs, {} walls", end.pairs(), end.walls());
    }
}

#[test]
fn a_run_costs_two_moves_a_pair_and_no_more() {
    let end = run(gas(100, 12), 50.0);
    let work = end.model.work();
    assert_eq!(work.moves, 2 * work.pairs + work.walls);
    // Each disc that collided: two walls and all others, a pair once.
    let predictions = 100 * 2 + 100 * 99 / 2 + work.pairs * (2 * (2 + 99) - 1) + work.walls * (2 + 99);
    assert_eq!(work.predictions, predictions);
}

#[test]
fn a_certificate_of_a_run_begun_at_another_clock_holds() {
    let model = gas(20, 13);
    let certificate = Certificate::new(&model);
    let settings = Settings { start: 1000.0, ..Settings::default() };
    let mut simulation = Simulation::with(model, settings, certificate);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation.run_until(1000.001).unwrap();
    let (model, mut certificate) = simulation.into_parts();
    assert_eq!((certificate.finish(&model, 1000.001), certificate.events()), (Ok(()), 0));
}
