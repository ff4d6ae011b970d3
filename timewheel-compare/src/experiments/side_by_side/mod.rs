//! The same discs under three clocks, filmed, and a page that plays the films beside each other.

mod overlaps;

use std::collections::BTreeSet;
use std::convert::Infallible;

use hard_discs::movie::{CONTROLS, Cast, Film, Leg, MOST_CHANGES, SCRIPTS, STYLE};
use hard_discs::{Hit, SteppedDiscs, Vector};
use pictures::Page;
use saltus::BoxError;
use saltus::driver::{Stepped, run_steps};
use serde::{Serialize, Serializer};

use self::overlaps::overlaps;
use super::discs::{Experiment, Hits, differences};
use crate::drivers::Driver;

pub use overlaps::Overlap;

/// One clock's film, and what went wrong in it.
#[derive(Serialize)]
pub struct Take {
    /// Which clock.
    pub clock: &'static str,
    /// Its slot or step, in seconds; zero for the event-driven one.
    pub dt: f64,
    /// Collisions that happened.
    pub collisions: usize,
    /// The film.
    #[serde(serialize_with = "in_columns")]
    pub film: Film,
    /// Pairs of discs that were inside of each other, and when.
    pub overlaps: Vec<Overlap>,
    /// Collisions of the event-driven run that did not happen: where they should have been.
    pub missed: Vec<Mark>,
    /// Collisions that the event-driven run does not have.
    pub spurious: Vec<Mark>,
}

/// A place in a film.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// When.
    pub time: f64,
    /// Where.
    pub place: Vector<2>,
}

/// Films the event-driven run, the quantising wheel with slots of length `slot`, and the fixed step `step`.
pub fn takes(experiment: &Experiment, slot: f64, step: f64) -> Result<[Take; 3], BoxError> {
    let event_driven = driven(experiment, Driver::EventDriven, 1.0)?;
    let truth = event_driven.0.legs();
    let takes = [
        ("event-driven", 0.0, event_driven),
        ("time wheel", slot, driven(experiment, Driver::QuantisingWheel, slot)?),
        ("fixed step", step, stepped(experiment, step)?),
    ];
    let mut made = Vec::new();
    for (clock, dt, (film, hits)) in takes {
        if film.is_thinned() {
            return Err(format!(
                "{clock}: too many collisions for a page, which holds {MOST_CHANGES} changes of flight; see --until"
            )
            .into());
        }
        let legs = film.legs();
        let radii: Vec<f64> = experiment.discs.discs().iter().map(|disc| disc.radius).collect();
        let [missed, spurious] = differences(experiment.reference_until(film.end()), &hits);
        // What a fixed step has found between two looks is seen at the later one.
        let times: Vec<f64> = film.times().collect();
        let seen = |time: f64| times.get(times.partition_point(|&seen| seen < time)).copied().unwrap_or(time);
        made.push(Take {
            clock,
            dt,
            collisions: hits.len(),
            overlaps: overlaps(&legs, &radii),
            missed: missed.into_iter().map(|(time, hit)| mark(time, hit, &truth, &radii)).collect(),
            spurious: spurious.into_iter().map(|(time, hit)| mark(seen(time), hit, &legs, &radii)).collect(),
            film,
        });
    }
    made.try_into().map_err(|_| "there are three clocks".into())
}

type Filmed = (Film, Vec<(f64, Hit)>);

fn driven(experiment: &Experiment, driver: Driver, slot: f64) -> Result<Filmed, BoxError> {
    let observer = (Film::new(&experiment.discs), Hits::default());
    let (mut film, hits) = driver.run(experiment.job(observer, slot)?)?.observer;
    film.finish(experiment.until);
    Ok((film, hits.hits))
}

fn stepped(experiment: &Experiment, step: f64) -> Result<Filmed, BoxError> {
    let discs = SteppedDiscs::new(&experiment.discs);
    let mut filmed = FilmedSteps { discs, film: Film::new(&experiment.discs) };
    run_steps(&mut filmed, step, experiment.until)?;
    filmed.film.finish(filmed.discs.now());
    Ok((filmed.film, filmed.discs.hits().to_vec()))
}

/// Discs under a fixed step, with a film of what each look has changed.
struct FilmedSteps {
    discs: SteppedDiscs,
    film: Film,
}

impl Stepped for FilmedSteps {
    type Error = Infallible;

    fn advance(&mut self, dt: f64) {
        self.discs.advance(dt);
    }

    fn look(&mut self) -> Result<u64, Infallible> {
        let before = self.discs.hits().len();
        let found = self.discs.look()?;
        let hits = &self.discs.hits()[before..];
        if !hits.is_empty() {
            let pairs = hits.iter().filter(|(_, hit)| matches!(hit, Hit::Pair(..))).count();
            let changed: BTreeSet<usize> = hits.iter().flat_map(|(_, hit)| hit.discs()).collect();
            let discs = changed.into_iter().map(|disc| (disc, self.discs.discs()[disc]));
            self.film.add(self.discs.now(), [pairs as u32, (hits.len() - pairs) as u32], discs);
        }
        Ok(found)
    }
}

/// Where two discs touch, or the centre of one that is at a wall.
fn mark(time: f64, hit: Hit, legs: &[Vec<Leg>], radii: &[f64]) -> Mark {
    let at = |disc: usize| {
        let flight = &legs[disc];
        flight[flight.partition_point(|leg| leg.from < time).max(1) - 1].position_at(time)
    };
    let mut discs = hit.discs();
    let place = match (discs.next(), discs.next()) {
        (Some(a), Some(b)) => {
            let share = radii[a] / (radii[a] + radii[b]);
            std::array::from_fn(|axis| at(a)[axis] + share * (at(b)[axis] - at(a)[axis]))
        }
        (Some(a), None) => at(a),
        _ => [0.0; 2],
    };
    Mark { time, place }
}

#[derive(Serialize)]
struct SideBySide<'a> {
    title: &'a str,
    cast: Cast,
    takes: &'a [Take],
}

fn in_columns<S: Serializer>(film: &Film, serializer: S) -> Result<S::Ok, S::Error> {
    film.columns().serialize(serializer)
}

/// A page that plays the films in one clock.
pub fn page(title: &str, experiment: &Experiment, takes: &[Take; 3]) -> Result<String, BoxError> {
    let page = Page {
        title: &format!("{title} - three clocks"),
        styles: &[STYLE, include_str!("side.css")],
        body: &[include_str!("side.html"), CONTROLS],
        scripts: &[SCRIPTS.as_slice(), &[include_str!("lane.js"), include_str!("side.js")]].concat(),
    };
    Ok(page.html(&SideBySide { title, cast: Cast::new(&experiment.discs), takes })?)
}
