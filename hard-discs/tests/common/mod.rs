//! What the tests share: a run of discs that keeps its events, under the certificate.

// Every test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod plain;

use hard_discs::{Certificate, Disc, HardDiscs, Hit, Walls};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Header, Observer, Settings, Simulation, Stop};

/// Every collision as it happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hits(pub(crate) Vec<(f64, Hit)>);

impl Observer<HardDiscs> for Hits {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, _: &HardDiscs) -> Verdict {
        if *hit != Hit::Sample {
            self.0.push((event.time, *hit));
        }
        GO_ON
    }
}

pub(crate) struct Run {
    pub(crate) hits: Vec<(f64, Hit)>,
    pub(crate) model: HardDiscs,
    pub(crate) now: f64,
    pub(crate) stop: Stop,
}

impl Run {
    pub(crate) fn pairs(&self) -> usize {
        self.hits.iter().filter(|(_, hit)| matches!(hit, Hit::Pair(..))).count()
    }

    pub(crate) fn walls(&self) -> usize {
        self.hits.len() - self.pairs()
    }

    pub(crate) fn velocity(&self, disc: usize) -> [f64; 2] {
        self.model.disc(disc).velocity
    }

    pub(crate) fn position(&self, disc: usize) -> [f64; 2] {
        self.model.disc(disc).position_at(self.now)
    }
}

pub(crate) fn discs(discs: &[Disc], walls: Walls) -> HardDiscs {
    HardDiscs::new(discs.to_vec(), walls).unwrap()
}

/// A simulation in which all first contacts are predicted.
pub(crate) fn started<O: Observer<HardDiscs>>(model: HardDiscs, observer: O) -> Simulation<HardDiscs, O> {
    let mut simulation = Simulation::with(model, Settings::default(), observer);
    let (model, cx) = simulation.parts();
    model.start(cx).unwrap();
    simulation
}

/// Runs to `until` and panics if a law is broken.
pub(crate) fn run(model: HardDiscs, until: f64) -> Run {
    let certificate = Certificate::new(&model);
    let mut simulation = started(model, (Hits::default(), certificate));
    let stop = simulation.run_until(until).unwrap();
    let now = simulation.now();
    let (model, (hits, mut certificate)) = simulation.into_parts();
    if let Err(violation) = certificate.finish(&model, now) {
        panic!("{violation}");
    }
    Run { hits: hits.0, model, now, stop }
}

#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64, bound: f64) {
    assert!((found - expected).abs() <= bound, "expected {expected}, found {found}");
}

#[track_caller]
pub(crate) fn assert_near_each<const N: usize>(found: [f64; N], expected: [f64; N], bound: f64) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert_near(found, expected, bound);
    }
}
