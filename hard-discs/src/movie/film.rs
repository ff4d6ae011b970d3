//! A film: where every disc was at every time.
//!
//! Between its collisions a disc flies straight. So a film holds the initial state and, for each event, the discs whose flight it
//! has changed: what is between is computed when it is shown. Every number is kept as it is, so a shown position is the model's
//! own, to the last bit; in a run so long that its clock is set back on the way, to rounding from there on.

use pictures::{integers, numbers};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Header, Observer};
use serde::Serialize;

use crate::disc::Particle;
use crate::model::{HardSpheres, Hit, Schedule};
use crate::vector::{Vector, plus};

/// Changes of flight that a film holds before it is thinned: a hundred thousand collisions of two, or twice as many with walls.
/// As a page they take some 13 MB.
pub const MOST_CHANGES: usize = 200_000;

/// Films a run: an observer.
///
/// A film that grows beyond its limit is thinned: what happens within a short interval becomes one event at the time of the last
/// of them, at which places and velocities are still exact. What happened on the way there is lost, but counted. The interval
/// doubles as often as needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Film<const D: usize = 2> {
    discs: usize,
    most: usize,
    end: f64,
    /// The interval within which events have been merged; zero if none have.
    interval: f64,
    events: Vec<Event>,
    /// The initial state, a change for each disc, then the changes of each event.
    changes: Vec<Change<D>>,
    hit: Hit,
}

/// The changes of an event begin where those of the event before end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Event {
    time: f64,
    /// Collisions of pairs up to here, this one among them.
    pairs: u32,
    walls: u32,
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Change<const D: usize> {
    disc: usize,
    position: Vector<D>,
    velocity: Vector<D>,
}

/// A straight piece of a disc's flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg<const D: usize = 2> {
    /// When it begins.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// Where it begins.
    pub position: Vector<D>,
    /// Its velocity.
    pub velocity: Vector<D>,
}

impl<const D: usize> Leg<D> {
    /// Where the disc is at time `t`.
    pub fn position_at(&self, t: f64) -> Vector<D> {
        plus(self.position, t - self.from, self.velocity)
    }
}

/// A film as a page holds it: numbers in columns.
#[derive(Serialize)]
pub struct FilmColumns {
    end: f64,
    interval: f64,
    time: String,
    pairs: String,
    walls: String,
    change_end: String,
    disc: String,
    position: String,
    velocity: String,
}

impl<const D: usize> Film<D> {
    /// A film that begins with the discs as they are, at time zero.
    pub fn new<S: Schedule>(model: &HardSpheres<D, S>) -> Film<D> {
        Film::with_limit(model, MOST_CHANGES)
    }

    /// The same with another limit than [`MOST_CHANGES`].
    pub fn with_limit<S: Schedule>(model: &HardSpheres<D, S>, most: usize) -> Film<D> {
        let discs = model.len();
        let mut film = Film {
            discs,
            // One change of each disc must always fit, or thinning would lead nowhere.
            most: most.max(4 * discs),
            end: 0.0,
            interval: 0.0,
            events: Vec::new(),
            changes: Vec::new(),
            hit: Hit::Sample,
        };
        film.push(model.discs().into_iter().enumerate());
        film
    }

    /// Adds what has happened at `time`, which is not before what was added last: so many collisions of pairs and with walls, and
    /// the discs that now fly otherwise, as they are then.
    pub fn add(
        &mut self,
        time: f64,
        [pairs, walls]: [u32; 2],
        changed: impl IntoIterator<Item = (usize, Particle<D>)>,
    ) {
        let [pairs_before, walls_before] = self.collisions();
        self.push(changed);
        self.events.push(Event {
            time,
            pairs: pairs_before + pairs,
            walls: walls_before + walls,
            end: self.changes.len(),
        });
        self.end = time;
        if self.changes.len() > self.most {
            self.thin();
        }
    }

    /// The run has ended at `time`.
    pub fn finish(&mut self, time: f64) {
        self.end = time;
        if self.is_thinned() {
            self.merge();
        }
    }

    /// Whether events have been merged.
    pub fn is_thinned(&self) -> bool {
        self.interval > 0.0
    }

    /// When the run ended.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Collisions of pairs, and with walls.
    pub fn collisions(&self) -> [u32; 2] {
        self.events.last().map_or([0, 0], |event| [event.pairs, event.walls])
    }

    /// The same up to a time.
    pub fn collisions_by(&self, time: f64) -> [u32; 2] {
        let events = &self.events[..self.events.partition_point(|event| event.time <= time)];
        events.last().map_or([0, 0], |event| [event.pairs, event.walls])
    }

    /// When the events were.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        self.events.iter().map(|event| event.time)
    }

    /// The flight of each disc in straight pieces, the first from its initial state. In a thinned film they do not meet.
    pub fn legs(&self) -> Vec<Vec<Leg<D>>> {
        let leg = |time, change: &Change<D>| Leg {
            from: time,
            to: self.end,
            position: change.position,
            velocity: change.velocity,
        };
        let mut legs: Vec<Vec<Leg<D>>> =
            self.changes[..self.discs].iter().map(|change| vec![leg(0.0, change)]).collect();
        let mut begin = self.discs;
        for event in &self.events {
            for change in &self.changes[begin..event.end] {
                let flight = &mut legs[change.disc];
                if let Some(last) = flight.last_mut() {
                    last.to = event.time;
                }
                flight.push(leg(event.time, change));
            }
            begin = event.end;
        }
        legs
    }

    /// The film as a page holds it.
    pub fn columns(&self) -> FilmColumns {
        let (events, changes) = (&self.events, &self.changes);
        let whole = |value: fn(&Event) -> u32| integers(events.iter().map(value));
        let real = |value: fn(&Change<D>) -> Vector<D>| numbers(changes.iter().flat_map(value));
        FilmColumns {
            end: self.end,
            interval: self.interval,
            time: numbers(self.times()),
            pairs: whole(|event| event.pairs),
            walls: whole(|event| event.walls),
            change_end: whole(|event| event.end as u32),
            disc: integers(changes.iter().map(|change| change.disc as u32)),
            position: real(|change| change.position),
            velocity: real(|change| change.velocity),
        }
    }

    fn push(&mut self, changed: impl IntoIterator<Item = (usize, Particle<D>)>) {
        self.changes.extend(changed.into_iter().map(|(disc, state)| Change {
            disc,
            position: state.position,
            velocity: state.velocity,
        }));
    }

    /// Merges events until half of the limit is free.
    fn thin(&mut self) {
        let span = self.end.max(f64::MIN_POSITIVE);
        if !self.is_thinned() {
            self.interval = (span / self.most as f64).max(f64::MIN_POSITIVE);
        }
        self.merge();
        while self.changes.len() > self.most / 2 && self.interval < 2.0 * span {
            self.interval *= 2.0;
            self.merge();
        }
    }

    /// Makes one event of all that lie within the same interval.
    fn merge(&mut self) {
        let interval = self.interval;
        let interval_of = |event: &Event| (event.time / interval).floor();
        let mut merged = self.changes[..self.discs].to_vec();
        let mut events = Vec::new();
        // By disc: its last change, which belongs to the present group if it lies beyond the group's beginning.
        let mut place: Vec<usize> = (0..self.discs).collect();
        let mut from = self.discs;
        for group in self.events.chunk_by(|a, b| interval_of(a) == interval_of(b)) {
            let (begin, last) = (merged.len(), group[group.len() - 1]);
            for event in group {
                for change in &self.changes[from..event.end] {
                    let position = plus(change.position, last.time - event.time, change.velocity);
                    let change = Change { position, ..*change };
                    if place[change.disc] >= begin {
                        merged[place[change.disc]] = change;
                    } else {
                        place[change.disc] = merged.len();
                        merged.push(change);
                    }
                }
                from = event.end;
            }
            events.push(Event { end: merged.len(), ..last });
        }
        (self.changes, self.events) = (merged, events);
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Film<D> {
    type Cause = ();

    fn before(&mut self, _: &Header<f64>, hit: &Hit, _: &HardSpheres<D, S>) -> Verdict {
        self.hit = *hit;
        GO_ON
    }

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<D, S>) -> Verdict {
        let counts = match self.hit {
            Hit::Pair(..) => [1, 0],
            Hit::Wall(..) => [0, 1],
            Hit::Sample | Hit::Look(..) => return GO_ON,
        };
        let time = model.elapsed() + event.time;
        self.add(time, counts, self.hit.discs().map(|disc| (disc, model.disc(disc))));
        GO_ON
    }
}
