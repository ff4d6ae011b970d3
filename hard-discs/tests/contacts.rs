//! Single contacts whose outcome can be worked out by hand.

mod common;

use common::{Run, assert_near, assert_near_each, discs, run};
use hard_discs::{Disc, HardDiscs, Hit, LARGEST, Misuse, SMALLEST, StateError, Walls};

fn disc(position: [f64; 2], velocity: [f64; 2]) -> Disc {
    Disc::new(position, velocity, 0.1, 1.0)
}

fn free(list: &[Disc], until: f64) -> Run {
    run(discs(list, Walls::NONE), until)
}

fn boxed(list: &[Disc], until: f64) -> Run {
    run(discs(list, Walls::UNIT), until)
}

#[test]
fn one_disc_bounces_between_two_walls() {
    let end = boxed(&[disc([0.5, 0.5], [0.25, 0.0])], 10.0);
    let times: Vec<f64> = end.hits.iter().map(|hit| hit.0).collect();
    assert_eq!(times.len(), 3);
    assert_near_each([times[0], times[1], times[2]], [1.6, 4.8, 8.0], 1e-14);
    assert!(end.hits.iter().all(|&(_, hit)| hit == Hit::Wall(0, 0)));
    assert_eq!(end.velocity(0), [-0.25, 0.0]);
    assert_eq!(end.model.discs()[0].count, 3);
}

#[test]
fn equal_masses_head_on_swap_their_velocities() {
    let end = free(&[disc([0.0, 0.0], [1.0, 0.0]), disc([1.0, 0.0], [-0.5, 0.0])], 2.0);
    assert_eq!(end.hits.len(), 1);
    assert_near(end.hits[0].0, 0.8 / 1.5, 1e-15);
    assert_near_each(end.velocity(0), [-0.5, 0.0], 1e-15);
    assert_near_each(end.velocity(1), [1.0, 0.0], 1e-15);
}

#[test]
fn unequal_masses_head_on_share_the_velocity_as_the_textbook_says() {
    let mut heavy = disc([1.0, 0.0], [0.0, 0.0]);
    heavy.mass = 3.0;
    let end = free(&[disc([0.0, 0.0], [1.0, 0.0]), heavy], 2.0);
    assert_near(end.hits[0].0, 0.8, 1e-15);
    assert_near_each(end.velocity(0), [-0.5, 0.0], 1e-15);
    assert_near_each(end.velocity(1), [0.5, 0.0], 1e-15);
}

#[test]
fn an_oblique_hit_turns_both_discs() {
    let end = free(&[disc([0.0, 0.0], [1.0, 0.0]), disc([1.0, 0.1], [0.0, 0.0])], 2.0);
    assert_eq!(end.hits.len(), 1);
    assert_near(end.hits[0].0, 1.0 - 0.03f64.sqrt(), 1e-15);
    assert_near_each(end.velocity(0), [0.25, -0.75f64.sqrt() / 2.0], 1e-14);
    assert_near_each(end.velocity(1), [0.75, 0.75f64.sqrt() / 2.0], 1e-14);
}

/// A disc passes, or just hits, one that rests, at the distance `b` of their centres.
fn pass_at(b: f64) -> Run {
    free(&[disc([0.0, 0.0], [1.0, 0.0]), disc([1.0, b], [0.0, 0.0])], 3.0)
}

#[test]
fn a_tangent_is_no_collision() {
    let end = pass_at(0.2);
    assert_eq!(end.hits, []);
    assert_eq!(end.velocity(0), [1.0, 0.0]);
    assert_eq!(end.velocity(1), [0.0, 0.0]);
}

#[test]
fn a_hair_inside_a_tangent_exchanges_next_to_nothing() {
    let end = pass_at(0.2 - 1e-12);
    assert!(end.hits.len() <= 1);
    // The normal part of a unit velocity is sqrt(1 - (b/σ)²).
    let [vx, vy] = end.velocity(1);
    assert!(vx.hypot(vy) < 3.3e-6, "{vx} {vy}");
}

#[test]
fn a_glancing_hit_exchanges_the_normal_part_only() {
    let end = pass_at(0.1999);
    assert_eq!(end.hits.len(), 1);
    let [vx, vy] = end.velocity(1);
    assert_near(vx.hypot(vy), 0.0316188, 1e-7);
}

#[test]
fn who_misses_by_a_hair_never_collides_whatever_the_rounding() {
    for i in 0..2000 {
        // Far away and at many angles, a negative discriminant comes out small against its two large terms.
        let angle = f64::from(i) * 0.00314;
        let (sin, cos) = angle.sin_cos();
        let at = |along: f64, across: f64| [along * cos - across * sin, along * sin + across * cos];
        let a = disc(at(0.0, 0.0), [cos, sin]);
        let b = disc(at(100.0, 0.2 * (1.0 + 1e-9)), [0.0, 0.0]);
        assert_eq!(a.contact(&b), None, "angle {angle}");
        let b = disc(at(100.0, 0.2 * (1.0 - 1e-9)), [0.0, 0.0]);
        assert!(a.contact(&b).is_some(), "angle {angle}");
    }
}

#[test]
fn parallel_discs_of_one_velocity_never_meet_and_give_no_nan() {
    let side_by_side = [disc([0.3, 0.5], [0.02, 0.0]), disc([0.5, 0.5], [0.02, 0.0])];
    let end = boxed(&side_by_side, 9.0);
    assert_eq!(end.hits, []);
    assert!(end.position(0).iter().all(|x| x.is_finite()));
    // The right one turns at the wall and only then meets the other.
    let end = boxed(&side_by_side, 40.0);
    assert_eq!(end.hits[0].1, Hit::Wall(1, 0));
    assert_near(end.hits[0].0, 20.0, 1e-12);
}

#[test]
fn who_moves_apart_is_not_predicted() {
    let (a, b) = (disc([0.0, 0.0], [-1.0, 0.0]), disc([1.0, 0.0], [1.0, 0.0]));
    assert_eq!(a.contact(&b), None);
}

#[test]
fn a_contact_does_not_depend_on_the_order_of_the_two() {
    let (a, b) = (disc([0.0, 0.03], [1.0, 0.1]), disc([1.3, 0.1], [-0.4, 0.0]));
    assert_eq!(a.contact(&b), b.contact(&a));
}

#[test]
fn discs_at_rest_stay_and_the_clock_goes_on() {
    let end = boxed(&[disc([0.3, 0.8], [0.0, 0.0]), disc([0.6, 0.8], [0.0, 0.0])], 100.0);
    assert_eq!((end.hits.len(), end.now), (0, 100.0));
    assert_eq!((end.position(0), end.position(1)), ([0.3, 0.8], [0.6, 0.8]));
}

#[test]
fn a_collision_voids_what_was_predicted_for_both() {
    // 0 would hit 2 at t = 1.6 and the wall later; but 1 comes from below and knocks it out of its way at t = 0.5.
    let list = [disc([-1.0, 0.0], [1.0, 0.0]), disc([-0.5, -0.7], [0.0, 1.0]), disc([0.8, 0.0], [0.0, 0.0])];
    let alone = free(&[list[0], list[2]], 5.0);
    assert_eq!(alone.hits.len(), 1);
    assert_near(alone.hits[0].0, 1.6, 1e-14);

    let end = free(&list, 5.0);
    assert_eq!(end.hits[0].1, Hit::Pair(0, 1));
    let met_as_predicted = |&(t, hit): &(f64, Hit)| hit == Hit::Pair(0, 2) && (t - 1.6).abs() < 0.01;
    assert!(!end.hits.iter().any(met_as_predicted), "{:?}", end.hits);
}

#[test]
fn a_chain_of_collisions_voids_one_prediction_after_the_other() {
    // 0 was to hit 1 where it rests. But 2 comes first, kicks 1 onwards; so 1 hits 3 first, stops there; and so on.
    let list = [
        disc([0.0, 0.0], [0.5, 0.0]),
        disc([1.0, 0.0], [0.0, 0.0]),
        disc([1.0, -0.7], [0.0, 1.0]),
        disc([1.0, 0.7], [0.0, 0.0]),
    ];
    let end = free(&list, 10.0);
    let hits: Vec<Hit> = end.hits.iter().map(|hit| hit.1).collect();
    assert_eq!(hits, [Hit::Pair(1, 2), Hit::Pair(1, 3)]);
    assert_near(end.hits[0].0, 0.5, 1e-14);
    assert_near(end.hits[1].0, 1.0, 1e-14);
    // Disc 1 came to rest 0.5 higher, and 0 passed beneath it.
    assert_near_each(end.position(1), [1.0, 0.5], 1e-14);
    assert_eq!(end.velocity(0), [0.5, 0.0]);
}

#[test]
fn a_corner_turns_both_velocities() {
    let end = boxed(&[disc([0.5, 0.5], [1.0, 1.0])], 0.8);
    assert_eq!(end.hits.len(), 2);
    assert!(end.hits.iter().all(|(t, _)| (t - 0.4).abs() < 1e-14));
    assert_eq!(end.velocity(0), [-1.0, -1.0]);
    assert_near_each(end.position(0), [0.5, 0.5], 1e-14);
}

#[test]
fn a_corner_a_rounding_error_apart_turns_both_velocities() {
    let end = boxed(&[disc([0.6, 0.2], [0.75, 1.75])], 0.5);
    assert_eq!(end.hits.len(), 2);
    assert!(end.hits.iter().all(|(t, _)| (t - 0.4).abs() < 1e-14));
    assert_eq!(end.velocity(0), [-0.75, -1.75]);
}

#[test]
fn a_disc_at_the_wall_bounces_at_once_or_leaves() {
    let towards = boxed(&[disc([0.9, 0.5], [1.0, 0.0])], 0.7);
    assert_eq!(towards.hits, [(0.0, Hit::Wall(0, 0))]);
    assert_eq!(towards.velocity(0), [-1.0, 0.0]);
    let away = boxed(&[disc([0.9, 0.5], [-1.0, 0.0])], 1.0);
    assert_eq!(away.hits.len(), 1);
    assert_near(away.hits[0].0, 0.8, 1e-15);
}

/// 0.6 - 0.4 is a rounding error less than twice 0.1.
fn touching(left: f64, right: f64, until: f64) -> Run {
    boxed(&[disc([0.4, 0.5], [left, 0.0]), disc([0.6, 0.5], [right, 0.0])], until)
}

#[test]
fn touching_discs_that_close_in_collide_once_and_at_once() {
    let end = touching(1.0, -1.0, 0.31);
    assert_eq!(end.hits[0], (0.0, Hit::Pair(0, 1)));
    assert_eq!(end.hits.len(), 3);
    assert!(end.hits[1..].iter().all(|(t, _)| (t - 0.3).abs() < 1e-15));
    assert_eq!(end.pairs(), 1);
}

#[test]
fn touching_discs_that_part_hit_the_walls_first() {
    let end = touching(-1.0, 1.0, 0.31);
    assert_eq!((end.pairs(), end.walls()), (0, 2));
    assert!(end.hits.iter().all(|(t, _)| (t - 0.3).abs() < 1e-15));
}

#[test]
fn touching_discs_at_rest_do_nothing() {
    assert_eq!(touching(0.0, 0.0, 1e6).hits, []);
}

#[test]
fn touching_discs_of_one_velocity_meet_only_after_a_wall() {
    let end = touching(1.0, 1.0, 0.31);
    assert_eq!(end.hits[0].1, Hit::Wall(1, 0));
    assert_near(end.hits[0].0, 0.3, 1e-15);
    // The right one turns round and at once runs into the other.
    assert_eq!(end.hits[1].1, Hit::Pair(0, 1));
    assert_near(end.hits[1].0, 0.3, 1e-12);
}

#[test]
fn a_symmetric_hit_on_two_discs_is_resolved_pair_by_pair_in_the_order_of_the_input() {
    // Two touching discs rest at ±30 degrees before the mover.
    let upper = disc([0.2 * 0.75f64.sqrt(), 0.1], [0.0, 0.0]);
    let lower = disc([0.2 * 0.75f64.sqrt(), -0.1], [0.0, 0.0]);
    let mover = disc([-1.0, 0.0], [1.0, 0.0]);
    let end = free(&[mover, upper, lower], 3.0);
    assert_eq!(end.hits.len(), 2);
    assert_eq!(end.hits[0].1, Hit::Pair(0, 1));
    assert_near_each(end.velocity(0), [-0.125, -0.2165063509461097], 1e-12);
    assert_near_each(end.velocity(1), [0.75, 0.4330127018922193], 1e-12);
    assert_near_each(end.velocity(2), [0.375, -0.2165063509461097], 1e-12);
    assert_eq!(end.model.work().shared_contacts, 1);

    // The mirror image if the lower one comes first; the same again if run again.
    let mirrored = free(&[mover, lower, upper], 3.0);
    assert_near_each(mirrored.velocity(0), [-0.125, 0.2165063509461097], 1e-12);
    assert_eq!(free(&[mover, upper, lower], 3.0).hits, end.hits);
}

#[test]
fn without_walls_discs_fly_on_for_ever() {
    let end = free(&[disc([0.5, 0.5], [3.0, -4.0])], 1e6);
    assert_eq!(end.hits, []);
    assert_eq!(end.position(0), [3e6 + 0.5, -4e6 + 0.5]);
}

#[test]
fn one_wall_alone_is_a_wall() {
    let walls = Walls { low: [0.0, f64::NEG_INFINITY], high: [f64::INFINITY; 2], periodic: [false; 2] };
    let end = run(discs(&[disc([0.5, 0.5], [-1.0, -1.0])], walls), 10.0);
    assert_eq!(end.hits.len(), 1);
    assert_eq!(end.velocity(0), [1.0, -1.0]);
}

#[test]
fn a_contact_at_the_very_start_is_not_shared_with_one_of_an_earlier_run() {
    let end = boxed(&[disc([0.2, 0.5], [0.5, 0.0]), disc([0.8, 0.5], [-0.5, 0.0])], 0.9);
    // At the instant of the first contact, before and after it; turned round there, and gone on from there.
    let t = end.hits[0].0;
    let moments = [end.model.clone(), boxed(&[disc([0.2, 0.5], [0.5, 0.0]), disc([0.8, 0.5], [-0.5, 0.0])], t).model];
    for there in moments {
        for again in [there.reversed_at(there.discs()[0].time), there.at(there.discs()[0].time)] {
            let discs: Vec<_> = again.discs().iter().map(|disc| (disc.count, disc.entity)).collect();
            assert_eq!(discs, [(0, None), (0, None)]);
            let end = run(again, 0.9);
            assert!(!end.hits.is_empty());
            assert_eq!(end.model.work().shared_contacts, 0, "{:?}", end.hits);
        }
    }
}

#[test]
fn discs_are_started_once() {
    for list in [&[][..], &[disc([0.5, 0.5], [1.0, 0.0])]] {
        let mut simulation = common::started(discs(list, Walls::UNIT), ());
        let (model, cx) = simulation.parts();
        let error = model.start(cx).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Misuse::StartedTwice));
        assert_eq!(simulation.pending(), list.len() as u64);
        // A copy to start from is another matter, a plain copy is not.
        common::started(simulation.model().at(0.0), ());
        let mut copy = saltus::Simulation::new(simulation.model().clone());
        let (model, cx) = copy.parts();
        assert!(model.start(cx).is_err());
    }
}

#[test]
fn an_interval_that_is_none_is_refused() {
    for every in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = discs(&[], Walls::UNIT).sampled(every).unwrap_err();
        assert!(matches!(error, Misuse::SampleInterval(x) if x.to_bits() == every.to_bits()));
    }
    assert!(discs(&[], Walls::UNIT).sampled(f64::MIN_POSITIVE).is_ok());
}

#[track_caller]
fn refused(list: &[Disc], walls: Walls) -> StateError {
    HardDiscs::new(list.to_vec(), walls).unwrap_err()
}

#[test]
fn discs_at_one_place_are_refused_by_name() {
    let here = disc([0.5, 0.5], [0.0, 0.0]);
    let StateError::Overlap { pairs, more: 0 } = refused(&[here, here, here], Walls::UNIT) else {
        panic!("an overlap")
    };
    assert_eq!(pairs, [(0, 1, 0.2), (0, 2, 0.2), (1, 2, 0.2)]);
    let moving = disc([0.5, 0.5], [0.3, 0.0]);
    assert!(matches!(refused(&[moving, moving], Walls::NONE), StateError::Overlap { .. }));
}

#[test]
fn of_many_overlaps_the_first_are_named_and_all_are_counted() {
    for n in [3u64, 4, 3000] {
        let here = vec![disc([0.5, 0.5], [0.0, 0.0]); n as usize];
        let error = refused(&here, Walls::UNIT);
        assert_eq!(error.disc(), 1);
        let StateError::Overlap { pairs, more } = error else { panic!("an overlap") };
        assert_eq!((pairs.len(), more), (3, n * (n - 1) / 2 - 3));
    }
}

#[test]
fn overlaps_are_refused_with_their_depth() {
    let error = refused(&[disc([0.3, 0.5], [0.0; 2]), disc([0.45, 0.5], [0.0; 2])], Walls::UNIT);
    assert_eq!(error.to_string(), "particles overlap: 0 and 1 by 0.05");
    let error = refused(&[disc([0.05, 0.5], [0.0; 2])], Walls::UNIT);
    assert_eq!(error.to_string(), "particle 0: overlaps the left wall by 0.05");
}

#[test]
fn touching_is_within_a_billionth_of_a_thousandth() {
    let pair = |gap: f64| vec![disc([0.3, 0.5], [0.0; 2]), disc([0.5 + gap, 0.5], [0.0; 2])];
    assert!(HardDiscs::new(pair(-1e-13), Walls::UNIT).is_ok());
    assert!(HardDiscs::new(pair(-1e-12), Walls::UNIT).is_err());
    let at_wall = |gap: f64| vec![disc([0.9 + gap, 0.5], [0.0; 2])];
    assert!(HardDiscs::new(at_wall(5e-14), Walls::UNIT).is_ok());
    assert!(HardDiscs::new(at_wall(1e-12), Walls::UNIT).is_err());
}

#[test]
fn numbers_that_the_physics_cannot_square_are_refused() {
    let with = |change: fn(&mut Disc)| {
        let mut odd = disc([0.5, 0.5], [0.0; 2]);
        change(&mut odd);
        refused(&[odd], Walls::UNIT).to_string()
    };
    assert_eq!(with(|d| d.velocity[0] = 1e300), "particle 0: vx 1e300 is beyond 1e50");
    assert_eq!(with(|d| d.velocity[1] = -1e51), "particle 0: vy -1e51 is beyond 1e50");
    assert_eq!(with(|d| d.radius = 1e-300), "particle 0: radius 1e-300 is below 1e-50");
    assert_eq!(with(|d| d.mass = 5e-324), "particle 0: mass 5e-324 is below 1e-50");
    assert_eq!(with(|d| d.mass = 1e200), "particle 0: mass 1e200 is beyond 1e50");
    assert_eq!(with(|d| d.mass = f64::NAN), "particle 0: mass NaN is not finite");
    assert_eq!(with(|d| d.mass = -0.0), "particle 0: mass -0.0 is not positive");
    assert_eq!(with(|d| d.radius = 0.6), "particle 0: radius 0.6 does not fit into a box 1.0 wide");
}

#[test]
fn the_extremes_that_are_allowed_still_collide_by_the_laws() {
    let mut light = disc([0.3, 0.5], [LARGEST, 0.0]);
    light.mass = SMALLEST;
    let mut heavy = disc([0.7, 0.5], [0.0, 0.0]);
    heavy.mass = LARGEST;
    let mut simulation = common::started(discs(&[light, heavy], Walls::UNIT), common::Hits::default());
    simulation.run_events(2).unwrap();
    assert_eq!(simulation.observer().0[0].1, Hit::Pair(0, 1));
    // Off the disc and off the wall.
    assert_near_each(simulation.model().discs()[0].velocity, [LARGEST, 0.0], 1e-14 * LARGEST);
    assert!(simulation.model().energy().is_finite());
    // The heavy one now moves at a speed whose square is zero. That is slow, but no NaN.
    let creeping = Disc::new([0.7, 0.5], [-1e-200, 1e-210], 0.1, 1.0);
    assert_eq!(creeping.contact(&disc([0.3, 0.5], [0.0, 0.0])), None);
}

#[test]
fn a_contact_is_the_same_at_every_scale_of_length_and_speed_that_is_allowed() {
    // The longest numbers of the pair are 0.7 and 1, the smallest 0.4: at both ends of the range they are just inside.
    let pair = |b: f64, length: f64, speed: f64| {
        [(-0.7, 0.0, 1.0), (0.7, b, 0.0)]
            .map(|(x, y, v)| Disc::new([x * length, y * length], [v * speed, 0.0], 0.4 * length, 1.0))
    };
    let scales = [2.5000001 * SMALLEST, 1e-30, 1e-10, 1.0, 1e10, 1e30, LARGEST];
    for b in [0.0f64, 0.3, 0.79] {
        let expected = 1.4 - (0.64 - b * b).sqrt();
        for (length, speed) in scales.into_iter().flat_map(|l| scales.map(|v| (l, v))) {
            let [left, right] = pair(b, length, speed);
            assert!(HardDiscs::new(vec![left, right], Walls::NONE).is_ok(), "{length:e}");
            let found = left.contact(&right).unwrap_or(f64::NAN) * (speed / length);
            assert!((found - expected).abs() < 1e-12, "b {b}, length {length:e}, speed {speed:e}: {found}");
            // The second passes outside.
            let [left, right] = pair(0.8 + b + 1e-9, length, speed);
            assert_eq!(left.contact(&right), None);
        }
    }
}

#[test]
fn the_fastest_that_a_light_disc_can_become_is_still_a_speed() {
    // All the energy of the heaviest and fastest disc in the lightest one.
    let fastest = LARGEST * LARGEST;
    for radius in [SMALLEST, 0.1, 0.1 * LARGEST] {
        let light = Disc::new([-10.0 * radius, 0.0], [fastest, 0.0], radius, SMALLEST);
        let resting = Disc::new([0.0; 2], [0.0; 2], radius, LARGEST);
        let expected = 8.0 * radius / fastest;
        assert_near(light.contact(&resting).unwrap() / expected, 1.0, 1e-14);
        assert!(light.energy().is_finite());
    }
}

#[test]
fn who_flies_to_no_wall_has_no_contact_with_one() {
    let still = disc([0.5, 0.5], [0.0, -1.0]);
    assert_eq!(still.wall_contact(0, &Walls::UNIT), None);
    assert_eq!(still.wall_contact(1, &Walls::NONE), None);
    assert_eq!(still.wall_contact(1, &Walls::UNIT), Some(0.4));
}

#[test]
fn walls_that_are_no_box_are_refused() {
    let walls = |low, high| Walls { low: [low, 0.0], high: [high, 1.0], periodic: [false; 2] };
    for (low, high) in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN), (0.5, 0.5)] {
        let error = HardDiscs::new(Vec::new(), walls(low, high)).unwrap_err();
        let text = format!("the walls across x stand at {low:?} and {high:?}: that is no box");
        assert_eq!(error.to_string(), text);
    }
}
