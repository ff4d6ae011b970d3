//! Right values that were computed elsewhere with sixty digits, for start states that the project builds itself.

mod common;

use common::{Run, assert_near, assert_near_each, discs, run};
use hard_discs::starts::{Start, make};
use hard_discs::{Certificate, Disc, HardDiscs, Hit, Walls};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Header, Observer};

fn start(start: Start) -> HardDiscs {
    make(start, None, None, 1).unwrap()
}

#[track_caller]
fn assert_begins(run: &Run, expected: &[(f64, Hit)], bound: f64) {
    for (k, (&(found, hit), &(time, expected))) in run.hits.iter().zip(expected).enumerate() {
        assert_eq!(hit, expected, "event {}", k + 1);
        assert_near(found, time, bound);
    }
    assert!(run.hits.len() >= expected.len());
}

const PAIR: fn(u32, u32) -> Hit = Hit::Pair;

#[test]
fn the_break_of_ten_balls_is_the_known_one() {
    let end = run(start(Start::Billiards), 200.0);
    assert_eq!((end.hits.len(), end.pairs(), end.walls()), (38, 27, 11));
    let expected = [
        (30.167197630926236, PAIR(4, 10)),
        (30.168568749193135, PAIR(1, 4)),
        (30.170977311638524, PAIR(4, 5)),
        (30.171312711058743, PAIR(1, 2)),
        (30.174058048787035, PAIR(2, 3)),
        (30.178534024201866, PAIR(5, 6)),
        (30.18610207707093, PAIR(4, 7)),
        (30.194298649299196, PAIR(4, 10)),
        (30.201224663594044, PAIR(7, 9)),
        (30.397917485816954, PAIR(0, 4)),
    ];
    assert_begins(&end, &expected, 1e-9);
    assert_near(end.model.energy(), 2e-4, 1e-16);
}

/// The smallest distance of any two centres at any event.
struct Nearest(f64);

impl Observer<HardDiscs> for Nearest {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, model: &HardDiscs) -> Verdict {
        let places: Vec<_> = model.positions_at(event.time).collect();
        for (j, b) in places.iter().enumerate() {
            for a in &places[..j] {
                self.0 = self.0.min((b[0] - a[0]).hypot(b[1] - a[1]));
            }
        }
        GO_ON
    }
}

#[test]
fn no_ball_of_a_tight_rack_passes_through_another() {
    let mut simulation = common::started(start(Start::Billiards), Nearest(1.0));
    simulation.run_until(200.0).unwrap();
    let nearest = simulation.observer().0;
    assert!((0.05998 * (1.0 - 1e-9)..0.05998 * (1.0 + 1e-9)).contains(&nearest), "{nearest}");
}

#[test]
fn the_cradle_hands_the_blow_on_and_back() {
    let end = run(start(Start::Cradle), 60.0);
    let expected = [
        (12.001, PAIR(0, 1)),
        (12.002, PAIR(1, 2)),
        (12.003, PAIR(2, 3)),
        (12.004, PAIR(3, 4)),
        (26.5045, Hit::Wall(4, 0)),
        (41.005, PAIR(3, 4)),
        (41.006, PAIR(2, 3)),
        (41.007, PAIR(1, 2)),
        (41.008, PAIR(0, 1)),
    ];
    assert_begins(&end, &expected, 1e-9);
    assert_eq!(end.hits.len(), 9);
    assert_near_each(end.velocity(0), [-0.02, 0.0], 1e-15);
    for disc in 1..5 {
        assert_near_each(end.velocity(disc), [0.0, 0.0], 1e-15);
    }
}

#[test]
fn a_light_disc_between_two_heavy_ones_loses_no_collision() {
    for (until, pairs, walls) in [(20.0, 1, 0), (30.0, 4, 0), (40.0, 108, 0), (100.0, 112, 2), (200.0, 330, 4)] {
        let end = run(start(Start::Squeeze), until);
        assert_eq!((end.pairs(), end.walls()), (pairs, walls), "until {until}");
    }
    let end = run(start(Start::Squeeze), 200.0);
    let expected = [(17.0, PAIR(0, 1)), (25.5034, PAIR(1, 2)), (28.340891509250014, PAIR(0, 1))];
    assert_begins(&end, &expected, 1e-10);
}

#[test]
fn the_collisions_of_two_discs_and_a_wall_count_the_digits_of_pi() {
    let wall = Walls { low: [0.0, f64::NEG_INFINITY], high: [f64::INFINITY; 2], periodic: [false; 2] };
    for (mass, collisions, velocity) in
        [(1.0, 3, 1.0), (1e2, 31, 0.998857595563), (1e4, 314, 0.999998559563), (1e6, 3141, 0.999999917461)]
    {
        let light = Disc::new([0.3, 0.5], [0.0, 0.0], 0.05, 1.0);
        let heavy = Disc::new([0.6, 0.5], [-1.0, 0.0], 0.05, mass);
        let model = discs(&[light, heavy], wall);
        let certificate = Certificate::new(&model);
        let mut simulation = common::started(model, certificate);
        // Once the heavy disc is the faster one, nothing more can happen.
        simulation.run().unwrap();
        let now = simulation.now();
        let (model, mut certificate) = simulation.into_parts();
        assert_eq!(certificate.finish(&model, now), Ok(()), "mass {mass}");
        assert_eq!(model.work().pairs + model.work().walls, collisions, "mass {mass}");
        assert_near(model.discs()[1].velocity[0], velocity, 1e-11);
    }
}
