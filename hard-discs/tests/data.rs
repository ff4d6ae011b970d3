//! The published inputs and the reference lists, from the folder that SALTUS_DATA names, else from `shared/data` beside the
//! repository. Without the folder the tests are skipped.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{assert_near, run};
use hard_discs::{Hit, input};

/// A file of the reference data; none, saying so, if there is no such folder at all. A folder that was named must be there.
fn data(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os("SALTUS_DATA").map(PathBuf::from);
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"));
    let folder = named.clone().unwrap_or_else(beside);
    if named.is_none() && !folder.exists() {
        eprintln!("skipped: no reference data at {}", folder.display());
        return None;
    }
    let path = folder.join(name);
    assert!(path.exists(), "{} is missing", path.display());
    Some(path)
}

/// Runs a published input under the certificate.
fn certify(name: &str, until: f64, at_least: usize) {
    let Some(path) = data(name) else { return };
    let model = input::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let discs = model.discs().len();
    let end = run(model, until);
    println!("{name}: {discs} discs, {} events by t = {until}, every law holds", end.hits.len());
    assert!(end.hits.len() >= at_least, "{name}: only {} events", end.hits.len());
}

/// Compares the events of a published input with a list of `k,t,kind,a,b`, up to `until` and to the `most`-th.
fn compare(name: &str, list: &str, until: f64, most: usize, bound: f64) {
    let (Some(path), Some(list)) = (data(name), data(list)) else {
        return;
    };
    let end = run(input::read(&path).unwrap_or_else(|error| panic!("{error}")), until);
    let text = fs::read_to_string(list).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    for (row, &(found, hit)) in rows.iter().zip(&end.hits).take(most) {
        let fields: Vec<&str> = row.split(',').collect();
        let (a, b): (u32, u32) = (fields[3].parse().unwrap(), fields[4].parse().unwrap());
        let expected = match fields[2] {
            "p" => Hit::Pair(a, b),
            _ => Hit::Wall(a, b as u8),
        };
        assert_eq!(hit, expected, "{name}: event {}", fields[0]);
        assert_near(found, fields[1].parse().unwrap(), bound);
    }
    assert!(end.hits.len() >= most.min(rows.len()), "{name}: events are missing");
    if rows.len() < most {
        assert_eq!(end.hits.len(), rows.len(), "{name}: the list is complete up to t = {until}");
    }
}

#[test]
fn the_published_inputs_of_the_lab_keep_every_law() {
    certify("algs4_tnd004/against-each-other.txt", 1000.0, 40);
    certify("algs4_tnd004/billiards10.txt", 2000.0, 200);
    certify("algs4_tnd004/brownian.txt", 10.0, 700);
    certify("algs4_tnd004/diffusion.txt", 200.0, 2000);
    certify("algs4_tnd004/newton-pendulum.txt", 1000.0, 50);
    certify("algs4_tnd004/p2000.txt", 5.0, 500);
    certify("algs4_tnd004/sam4.txt", 150.0, 1);
    certify("algs4_tnd004/standing-still.txt", 100.0, 0);
}

#[test]
fn the_published_inputs_of_the_assignment_keep_every_law() {
    certify("nbody_joshi/brownian.txt", 200.0, 2000);
    certify("nbody_joshi/diffusion.txt", 200.0, 2000);
    certify("nbody_joshi/diffusion2.txt", 200.0, 2000);
    certify("nbody_joshi/p10.txt", 1000.0, 100);
    certify("nbody_joshi/p2000.txt", 5.0, 500);
    certify("nbody_joshi/squeeze.txt", 200.0, 334);
}

#[test]
fn ten_balls_give_the_reference_list() {
    compare("algs4_tnd004/billiards10.txt", "own_reference/billiards10.csv", 200.0, 100, 1e-8);
}

#[test]
fn the_cradle_gives_the_reference_list() {
    compare("algs4_tnd004/newton-pendulum.txt", "own_reference/newton-pendulum.csv", 60.0, 100, 1e-9);
}

#[test]
fn ten_random_discs_give_the_first_thirty_of_the_reference_list() {
    // Not more: the motion is chaotic, and sixteen digits are used up soon after.
    compare("nbody_joshi/p10.txt", "own_reference/p10.csv", 120.0, 30, 1e-8);
}

#[test]
fn the_squeezed_disc_gives_the_reference_list() {
    compare("nbody_joshi/squeeze.txt", "own_reference/squeeze.csv", 200.0, 1000, 1e-10);
}
