//! Snapshots in the format `.sph`: what is read, what is written, and what is refused.

use hard_discs::input::Problem;
use hard_discs::{Every, HardSpheres, Sphere, StateError, Walls, sph};

fn fails(text: &str) -> (Option<usize>, Problem) {
    sph::parse(text).expect_err(text)
}

#[test]
fn a_snapshot_reads_as_it_stands() {
    let text = "# a comment\n2\n\n10 20 30\na 1 2 3 0.5\n  b 4.5 5e0 -6 0.25\n";
    let snapshot = sph::parse(text).unwrap();
    assert_eq!(snapshot.lengths, [10.0, 20.0, 30.0]);
    let entries: Vec<_> = snapshot.entries.iter().map(|e| (e.letter, e.line, e.position, e.radius)).collect();
    assert_eq!(entries, [(b'a', 5, [1.0, 2.0, 3.0], 0.5), (b'b', 6, [4.5, 5.0, -6.0], 0.25)]);
    assert!(!snapshot.is_flat());
    // What lies beyond the box is an image of what lies in it.
    let (particles, walls) = snapshot.particles::<3>([true; 3]);
    assert_eq!(particles[1].position, [4.5, 5.0, 24.0]);
    assert_eq!((particles[1].mass, walls), (1.0, Walls::periodic([10.0, 20.0, 30.0])));
}

#[test]
fn discs_are_a_snapshot_whose_third_coordinate_means_nothing() {
    let snapshot = sph::parse("2\n10 20 6\na 1 2 3 0.5\na 4 5 3 0.5\n").unwrap();
    assert!(snapshot.is_flat());
    let (particles, walls) = snapshot.particles::<2>([false; 2]);
    assert_eq!(particles[1].position, [4.0, 5.0]);
    assert_eq!((walls.high, walls.periodic), ([10.0, 20.0], [false; 2]));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let cases: [(&str, Option<usize>, &str); 17] = [
        ("", None, "is empty"),
        ("two\n", Some(1), "\"two\" is not a number of particles"),
        ("-3\n", Some(1), "\"-3\" is not a number of particles"),
        ("2\n", Some(1), "ends before the box"),
        ("1\n10 10\na 1 1 1 .5\n", Some(2), "\"10 10\" is no box"),
        ("1\n10 10 10 10\na 1 1 1 .5\n", Some(2), "is no box"),
        ("1\n10 NaN 10\na 1 1 1 .5\n", Some(2), "is no box"),
        ("1\n10 0 10\na 1 1 1 .5\n", Some(2), "is no box"),
        ("1\n10 inf 10\na 1 1 1 .5\n", Some(2), "is no box"),
        ("2\n10 10 10\na 1 1 1 .5\n", Some(1), "2 particles are announced, but 1 follow"),
        ("1\n10 10 10\na 1 1 1 .5\na 3 3 3 .5\n", Some(4), "1 particles are announced, but 2 follow"),
        ("2\n10 10 10\na 1 1 1 .5\na 3 3\n", Some(4), "3 fields; a particle of a snapshot has 5"),
        ("1\n10 10 10\n1 1 1 1 .5\n", Some(3), "\"1\" is not a type"),
        ("1\n10 10 10\nA 1 1 1 .5\n", Some(3), "\"A\" is not a type"),
        ("1\n10 10 10\nab 1 1 1 .5\n", Some(3), "\"ab\" is not a type"),
        ("1\n10 10 10\na 1 NaN 1 .5\n", Some(3), "particle 0: y NaN is not finite"),
        ("1\n10 10 10\na 1 1 one .5\n", Some(3), "z: \"one\" is not a number"),
    ];
    for (text, line, words) in cases {
        let (found, problem) = fails(text);
        assert_eq!(found, line, "{text:?}");
        assert!(problem.to_string().contains(words), "{text:?}: {problem}");
    }
    // A file that says it holds more than there is memory for is only too short.
    let (_, problem) = fails("99999999999999\n10 10 10\na 1 1 1 .5\n");
    assert!(matches!(problem, Problem::WrongCount { found: 1, .. }), "{problem}");
}

#[test]
fn particles_that_cannot_be_are_told_with_their_line() {
    let cases = [
        ("2\n10 10 10\na 1 1 1 .5\n\na 1.5 1 1 .5\n", 5, "particles overlap: 0 and 1 by 0.5"),
        ("2\n10 10 10\na 0.2 1 1 .5\na 9.9 1 1 .5\n", 4, "particles overlap: 0 and 1 by 0.7"),
        ("1\n10 10 10\na 1 1 1 5.5\n", 3, "particle 0: radius 5.5 does not fit"),
        ("1\n10 10 10\na 1 1 1 -0.5\n", 3, "particle 0: radius -0.5 is not positive"),
        ("1\n10 10 10\na 1 1 1 0\n", 3, "particle 0: radius 0.0 is not positive"),
    ];
    for (text, line, words) in cases {
        let snapshot = sph::parse(text).unwrap();
        let (particles, walls) = snapshot.particles::<3>([true; 3]);
        let error = snapshot.explain(HardSpheres::<3, Every>::new(particles, walls).unwrap_err());
        assert_eq!(error.line, Some(line), "{text:?}");
        assert!(error.to_string().contains(words), "{text:?}: {error}");
    }
}

fn written<const D: usize>(model: &HardSpheres<D, Every>, letters: &[u8]) -> String {
    let mut text = Vec::new();
    sph::write(&mut text, model, 0.0, letters).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn what_is_written_reads_back_to_the_same_bits() {
    let mut stream = saltus::Stream::new(11, 0, 0);
    let mut spheres = Vec::new();
    for i in 0..60 {
        let cell = [i % 4, i / 4 % 4, i / 16].map(f64::from);
        let place = cell.map(|c| 2.5 * c + 1.0 + 0.3 * stream.uniform());
        spheres.push(Sphere::new(place, [0.0; 3], 0.5 + 0.25 * f64::from(i % 3), 1.0));
    }
    let walls = Walls::periodic([10.0, 10.5, 11.0]);
    let model = HardSpheres::<3, Every>::new(spheres.clone(), walls).unwrap();
    let text = written(&model, &[]);
    let snapshot = sph::parse(&text).unwrap();
    let (again, box_again) = snapshot.particles::<3>([true; 3]);
    assert_eq!((&again, box_again), (&spheres, walls));
    // A letter for each radius, the smallest first; what was read is written again.
    assert!(snapshot.entries.iter().zip(0u8..).all(|(entry, i)| entry.letter == b'a' + i % 3));
    assert_eq!(written(&model, &snapshot.letters()), text);
    assert!(written(&model, &[b'q'; 60]).lines().skip(2).all(|line| line.starts_with("q ")));
}

#[test]
fn more_radii_than_letters_share_the_last() {
    let spheres =
        (0..40u32).map(|i| Sphere::new([f64::from(i) + 0.5, 0.5, 0.5], [0.0; 3], 0.1 + 0.01 * f64::from(i), 1.0));
    let model = HardSpheres::<3, Every>::new(spheres.collect(), Walls::periodic([40.0, 2.0, 2.0])).unwrap();
    let snapshot = sph::parse(&written(&model, &[])).unwrap();
    let letters = snapshot.letters();
    assert_eq!((letters[0], letters[24], letters[25], letters[39]), (b'a', b'y', b'z', b'z'));
}

#[test]
fn discs_are_written_into_a_flat_box_from_its_corner() {
    let disc = hard_discs::Disc::new([0.5, -1.0], [0.0; 2], 0.25, 1.0);
    let walls = Walls { low: [-1.0, -2.0], high: [2.0, 2.0], periodic: [false; 2] };
    let model = HardSpheres::<2, Every>::new(vec![disc], walls).unwrap();
    assert_eq!(written(&model, &[]), "1\n3 4 3\na 1.5 1 1.5 0.25\n");
}

#[test]
fn an_error_of_the_box_as_a_whole_has_no_line() {
    let snapshot = sph::parse("1\n10 10 10\na 1 1 1 .5\n").unwrap();
    assert_eq!(snapshot.explain(StateError::NoBox { axis: 0, low: 0.0, high: 0.0 }).line, None);
}
