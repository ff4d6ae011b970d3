//! The built command and gases of discs and spheres: how they are made, read, measured and refused.

#[path = "common/calls.rs"]
mod calls;

use std::collections::BTreeSet;

use calls::{Folder, assert_one_line, call, good};
use serde_json::Value;

#[test]
fn a_gas_is_made_at_its_density_and_measured() {
    let gas = ["--eta", "0.3", "-N", "200", "--kT", "4", "--equilibrate", "2000", "--collisions", "20000", "--json"];
    for (start, dim) in [("random", "2"), ("lattice", "2"), ("grow", "2"), ("lattice", "3"), ("grow", "3")] {
        let out = good(&[&["run", "--start", start, "--dim", dim][..], &gas].concat());
        let summary: Value = serde_json::from_str(&out).unwrap();
        let measured = &summary["measured"];
        assert_eq!(summary["n"], 200);
        assert_eq!(summary["pair_events"], 22_000);
        assert_eq!(measured["collisions"], 20_000);
        assert!((measured["temperature"]["value"].as_f64().unwrap() - 4.0).abs() < 1e-12, "{measured}");
        let z = &measured["compressibility"];
        let (value, error) = (z["value"].as_f64().unwrap(), z["error"].as_f64().unwrap());
        let theory = if dim == "2" { 2.063 } else { 3.984 };
        assert!((value - theory).abs() < 5.0 * error + 0.02 * theory && error < 0.1, "{start} {dim}: {z}");
    }
    let words = good(&["run", "--start", "lattice", "--eta", "0.3", "-N", "100", "--until", "5"]);
    for name in ["measured", "  kT", "  pressure", "  Z = P V / (N kT)", "  collision rate", " +- "] {
        assert!(words.contains(name), "{name}: {words}");
    }
}

#[test]
fn every_way_to_look_for_partners_gives_the_same_bytes() {
    let folder = Folder::new();
    let mut finals = BTreeSet::new();
    for neighbours in ["all", "cells", "lists", "auto"] {
        for schedule in ["all", "earliest"] {
            let path = folder.path("last.sph");
            let gas = ["--start", "grow", "--eta", "0.55", "-N", "150", "--seed", "4", "--until", "20"];
            let ways = ["--neighbours", neighbours, "--schedule", schedule, "--final", &path, "--certify"];
            good(&[&["run"][..], &gas, &ways].concat());
            finals.insert(folder.read("last.sph"));
        }
    }
    assert_eq!(finals.len(), 1);
}

#[test]
fn a_final_snapshot_starts_another_run() {
    let folder = Folder::new();
    let (first, second) = (folder.path("first.sph"), folder.path("second.sph"));
    good(&["run", "--start", "grow", "--dim", "3", "--eta", "0.4", "-N", "100", "--until", "3", "--final", &first]);
    let text = folder.read("first.sph");
    assert!(text.starts_with("100\n") && text.lines().nth(2).unwrap().starts_with("a "), "{text}");
    for arguments in [&["run", &first][..], &["run", "--start", &first]] {
        let out = good(&[arguments, &["--until", "0", "--final", &second]].concat());
        assert!(out.starts_with("spheres              100\n"), "{out}");
        assert_eq!(folder.read("second.sph"), text);
    }
    // The types of a snapshot come through.
    let typed = folder.write("typed.sph", b"2\n9 9 9\nx 1 1 1 0.5\nb 4 4 5 0.5\n");
    good(&["run", &typed, "--until", "1", "--final", &second, "--boundary", "box"]);
    let letters: Vec<_> = folder.read("second.sph").lines().skip(2).map(|line| line.as_bytes()[0]).collect();
    assert_eq!(letters, b"xb");
}

#[test]
fn gases_that_cannot_be_are_refused_in_one_line() {
    let folder = Folder::new();
    let flat = folder.path("last.txt");
    let gas = |more: &[&'static str]| [&["run", "--start", "grow"][..], more].concat();
    let named = |start: &'static str, more: &[&'static str]| [&["run", "--start", start][..], more].concat();
    for (arguments, words) in [
        (named("lattice", &[]), "a gas wants its density: --eta"),
        (named("lattice", &["--eta", "0.95"]), "no packing exceeds 0.9069"),
        (gas(&["--dim", "3", "--eta", "0.75"]), "no packing exceeds 0.7405"),
        (named("random", &["--eta", "0.65", "-N", "100"]), "in 10000 tries"),
        (named("lattice", &["--eta", "0.9", "-N", "100", "--boundary", "box"]), "do not fit on a lattice"),
        (gas(&["--eta", "0.3", "-N", "0"]), "no particle at all: a gas at a density has at least one"),
        (named("lattice", &["--eta", "0.3", "-N", "0"]), "no particle at all"),
        (named("random", &["--eta", "0.3", "-N", "0"]), "no particle at all"),
        (named("lattice", &["--eta", "0.3", "-N", "1e15"]), "1000000000000000 particles are too many: at most"),
        (named("random", &["--eta", "0.3", "-N", "999999999"]), "999999999 particles are too many: at most 100000000"),
        (vec!["run", "--random", "999999999"], "999999999 particles are too many"),
        (named("lattice", &["--eta", "0.3", "-N", "1", "--collisions", "9"]), "it takes two to collide"),
        (named("lattice", &["--eta", "1e-300", "-N", "9"]), "a box is at most 1e50 wide"),
        (named("lattice", &["--eta", "0.3", "-N", "9", "--kT", "1e300"]), "is beyond 1e50"),
        (named("lattice", &["--eta", "0.3", "--radius", "1"]), "--radius has no meaning"),
        (named("billiards", &["--eta", "0.3"]), "--eta has no meaning for start state billiards"),
        (named("billiards", &["-N", "5"]), "-N has no meaning for start state billiards"),
        (named("cradle", &["--kT", "2"]), "--kT has no meaning"),
        (vec!["run", "--random", "5", "--dim", "3"], "--dim 3 has no meaning"),
        (named("no-such-start", &[]), "no-such-start: cannot be read"),
        (named("no-such.sph", &[]), "no-such.sph: cannot be read"),
        (gas(&["--eta", "0.3", "-N", "4", "--neighbours", "cells"]), "it is 3.23604"),
        (
            gas(&["--eta", "0.3", "-N", "4", "--neighbours", "lists"]),
            "the largest diameter 1.0, of which a little more than four",
        ),
        (vec!["eos", "--eta", "0.1,0.95"], "no packing exceeds 0.9069"),
        (vec!["eos", "--eta", "0.1,0.75", "--dim", "3"], "no packing exceeds 0.7405"),
    ] {
        assert_one_line(&call(&arguments), words);
    }
    assert_one_line(&call(&["run", "--start", "grow", "--eta", "0.3", "-N", "10", "--final", &flat]), "ends in .sph");
    assert_eq!(folder.names().len(), 0, "{:?}", folder.names());
}

#[test]
fn snapshots_that_cannot_be_are_refused_in_one_line_with_their_line() {
    let folder = Folder::new();
    for (text, words) in [
        ("", "bad.sph: is empty"),
        ("two\n", "bad.sph:1: \"two\" is not a number of particles"),
        ("2\n", "bad.sph:1: ends before the box"),
        ("2\n9 9\n", "bad.sph:2: \"9 9\" is no box"),
        ("1\n9 -9 9\na 1 1 1 .5\n", "bad.sph:2: \"9 -9 9\" is no box"),
        ("1\n9 NaN 9\na 1 1 1 .5\n", "bad.sph:2: \"9 NaN 9\" is no box"),
        ("2\n9 9 9\na 1 1 1 0.5\n", "bad.sph:1: 2 particles are announced, but 1 follow"),
        ("2\n9 9 9\na 1 1 1 0.5\na 3 3", "bad.sph:4: 3 fields; a particle of a snapshot has 5"),
        ("1\n9 9 9\na 1 nan 1 0.5\n", "bad.sph:3: particle 0: y NaN is not finite"),
        ("1\n9 9 9\na 1 1 inf 0.5\n", "bad.sph:3: particle 0: z inf is not finite"),
        ("1\n9 9 9\na 1 1 1 NaN\n", "bad.sph:3: particle 0: radius NaN is not finite"),
        ("1\n9 9 9\na 1e99 1 1 0.5\n", "bad.sph:3: particle 0: x 1e99 is beyond 1e50"),
        ("1\n1e99 9 9\na 1 1 1 0.5\n", "bad.sph: the walls across x stand at 0.0 and 1e99"),
        ("1\n9 9 9\n7 1 1 1 0.5\n", "bad.sph:3: \"7\" is not a type"),
        ("1\n9 9 9\nA 1 1 1 0.5\n", "bad.sph:3: \"A\" is not a type"),
        ("1\n9 9 9\nab 1 1 1 0.5\n", "bad.sph:3: \"ab\" is not a type"),
        ("1\n9 9 9\na 1 1 1 5\n", "bad.sph:3: particle 0: radius 5.0 does not fit into a box 9.0 wide"),
        ("1\n9 9 9\na 1 1 1 -1\n", "bad.sph:3: particle 0: radius -1.0 is not positive"),
        ("2\n9 9 9\na 1 1 1 .5\na 1 1 1.5 .5\n", "bad.sph:4: particles overlap: 0 and 1 by 0.5"),
    ] {
        let path = folder.write("bad.sph", text.as_bytes());
        assert_one_line(&call(&["run", &path, "--dim", "3"]), words);
        assert_one_line(&call(&["run", "--start", &path, "--dim", "3", "--certify"]), words);
    }
    let good = folder.write("good.sph", b"1\n9 9 9\na 9.3 1 1 0.5\n");
    assert_one_line(
        &call(&["run", &good, "--boundary", "box"]),
        "good.sph:3: particle 0: overlaps the right wall by 0.8",
    );
    assert_one_line(&call(&["run", &good, "--eta", "0.3"]), "--eta has no meaning for a snapshot");
    assert_one_line(&call(&["run", &good, "-N", "3"]), "-N has no meaning for a snapshot");
    assert_one_line(&call(&["run", &good, "--collisions", "3"]), "it takes two to collide");
}

#[test]
fn values_that_cannot_be_are_told_in_one_line_with_their_option() {
    let grow = |option: &'static str, value: &'static str| ["run", "--start", "grow", "--eta", "0.3", option, value];
    let above = "must be a finite number above zero";
    for (option, value, rule) in [
        ("--kT", "0", above),
        ("--kT", "-1", above),
        ("--kT", "NaN", above),
        ("--kT", "inf", above),
        ("--dim", "4", "4 is not in 2..=3"),
        ("--dim", "1", "1 is not in 2..=3"),
        ("-N", "-4", "must be a whole number, zero or more"),
        ("-N", "1.5", "must be a whole number, zero or more"),
        ("-N", "many", "not a number"),
        ("--collisions", "0", "must be at least 1"),
        ("--collisions", "-1", "must be a whole number, zero or more"),
        ("--equilibrate", "-1", "must be a whole number, zero or more"),
        ("--equilibrate", "1e20", "must be a whole number, zero or more"),
        ("--max-events", "1e-3", "must be a whole number, zero or more"),
        ("--boundary", "torus", "[possible values: box, periodic]"),
        ("--neighbours", "none", "[possible values: auto, all, cells, lists]"),
        ("--schedule", "never", "[possible values: all, earliest]"),
    ] {
        let end = call(&grow(option, value));
        assert_one_line(&end, &format!("invalid value '{value}' for '{option}"));
        assert_one_line(&end, rule);
    }
    for value in ["0", "-0.1", "nan", "inf", "x"] {
        assert_one_line(&call(&["run", "--start", "grow", "--eta", value]), &format!("'{value}' for '--eta <F>'"));
        assert_one_line(&call(&["eos", "--eta", value]), &format!("'{value}' for '--eta <F,F,...>'"));
    }
    assert_one_line(&call(&["eos", "--eta", "0.1,x"]), "not a number");
    assert_one_line(&call(&["eos", "--eta", "0.1", "-N", "1"]), "must be at least 2");
    assert_one_line(&call(&["eos", "--eta", "0.1", "--dim", "4"]), "4 is not in 2..=3");
    for (arguments, words) in [
        (&["run", "--random", "5", "--collisions", "9", "--until", "1"][..], "cannot be used with"),
        (&["eos"], "--eta"),
    ] {
        let end = call(arguments);
        assert_eq!((end.code, &end.out[..]), (2, ""), "{arguments:?}");
        assert!(end.err.contains(words), "{arguments:?}: {}", end.err);
    }
}

#[test]
fn numbers_of_collisions_may_be_written_as_powers_of_ten() {
    let gas = ["run", "--start", "lattice", "--eta", "0.3", "-N", "1e2", "--json"];
    let out = good(&[&gas[..], &["--equilibrate", "1e3", "--collisions", "2.5e3"]].concat());
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&summary["n"], &summary["pair_events"]), (&100.into(), &3500.into()));
}

#[test]
fn spheres_are_called_spheres_and_discs_discs() {
    let folder = Folder::new();
    let samples = folder.path("s.csv");
    for (dim, head) in [("2", "time,disc,rx,ry,vx,vy\n"), ("3", "time,sphere,rx,ry,rz,vx,vy,vz\n")] {
        let gas = ["run", "--start", "lattice", "--eta", "0.3", "-N", "100", "--until", "1", "--dim", dim];
        let out = good(&[&gas[..], &["--samples", &samples]].concat());
        let [name, other] = if dim == "2" { ["disc", "sphere"] } else { ["sphere", "disc"] };
        assert!(out.starts_with(&format!("{:<20} 100\n", format!("{name}s"))) && !out.contains(other), "{out}");
        assert!(folder.read("s.csv").starts_with(head));
        let summary: Value = serde_json::from_str(&good(&[&gas[..], &["--json"]].concat())).unwrap();
        assert_eq!((&summary["n"], summary["dim"].to_string().as_str()), (&100.into(), dim));
    }
}

#[test]
fn a_run_says_how_far_energy_and_momentum_have_drifted() {
    let drifts = |boundary: &str| {
        let gas = ["run", "--start", "lattice", "--eta", "0.5", "-N", "100", "--collisions", "20000", "--json"];
        let summary: Value = serde_json::from_str(&good(&[&gas[..], &["--boundary", boundary]].concat())).unwrap();
        (summary["energy_drift"].as_f64().unwrap(), summary["momentum_drift"].as_f64())
    };
    let (energy, momentum) = drifts("periodic");
    assert!(energy.abs() < 1e-12 && momentum.is_some_and(|drift| drift < 1e-12), "{energy} {momentum:?}");
    // Walls take momentum up.
    assert_eq!(drifts("box").1, None);
}

#[test]
fn the_equation_of_state_is_a_row_a_density() {
    let out = good(&["eos", "--dim", "2", "--eta", "0.1,0.5,0.72", "-N", "100", "--collisions", "20000", "--json"]);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    for row in &rows[..2] {
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"));
        assert_eq!(
            (row["dim"].as_u64(), row["n"].as_u64(), row["collisions"].as_u64()),
            (Some(2), Some(100), Some(20_000))
        );
        assert!([0.1, 0.5].contains(&number("eta")), "{row}");
        assert!((number("z") - number("z_theory")).abs() < 5.0 * number("z_error"), "{row}");
        let sigmas = (number("z") - number("z_theory")) / number("z_error");
        assert!((number("z_sigmas") - sigmas).abs() < 1e-9, "{row}");
        assert!((number("rate") - number("rate_enskog")).abs() < 0.05 * number("rate"), "{row}");
    }
    // That is no fluid, which the formulas are for.
    assert!(rows[2]["z_theory"].is_null() && rows[2]["z"].as_f64().unwrap() > 7.0, "{}", rows[2]);
    let table = good(&["eos", "--dim", "3", "--eta", "0.1", "-N", "64", "--collisions", "5000"]);
    assert!(table.lines().count() == 2 && table.contains("theory") && table.contains("sigmas"), "{table}");
}
