//! A certificate: an observer that keeps its own record of every disc and re-checks the laws after every event, with none of
//! the code that it checks.

mod geometry;
mod law;
mod near;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use saltus::observe::{GO_ON, Verdict};
use saltus::{Entity, EventId, Header, Model, Observer};

use crate::disc::Particle;
use crate::model::{HardSpheres, Hit, Schedule};
use crate::vector::Vector;
use crate::walls::Walls;

use geometry::{Images, ahead, energy, length, place, product};
pub use law::{BOUND, Law, Violation, Worst};
use near::Near;

/// Of those who take no part in an event so many are looked at after it, in turn.
const WATCHED: usize = 16;

/// Re-checks every law at every event.
///
/// Its time is that of those nearby: who may have come near whom it finds with cells of its own. At the start and at the end it
/// looks at all, O(N). What happens to those who take no part is noticed within N/16 events, or when it matters. If every contact
/// is to be scheduled, as in the textbook's way, an event takes O(N log N) and the start O(N²), as the textbook's does.
pub struct Certificate<const D: usize = 2> {
    own: Vec<Particle<D>>,
    walls: Walls<D>,
    near: Near<D>,
    /// Up to when each has been held against all that it may have touched.
    cleared: Vec<f64>,
    /// Room for those.
    others: Vec<usize>,
    /// Who is looked at next though taking no part.
    watched: usize,
    /// For each entity, by its index, the first event that still counts for it. Some may be no discs: nobody asks for these.
    since: Vec<u64>,
    scheduled: BTreeMap<Hit, f64>,
    clock: f64,
    /// What was on the clock when it was set back, in all.
    elapsed: f64,
    running: Hit,
    events: u64,
    started: bool,
    /// Whether events must carry the stamps of their discs, and may not run if a disc has been touched since.
    checks_stamps: bool,
    checks_age: bool,
    looks: u64,
    worst: Worst,
    violation: Option<Violation>,
}

/// What a certificate can look at: any model of particles. What it observes need not be the code that it trusts.
pub trait Observed<const D: usize> {
    /// A particle at its own time.
    fn disc(&self, i: usize) -> Particle<D>;

    /// Whether every contact that is to be expected is scheduled, or only what comes first for each particle.
    fn schedules_all(&self) -> bool {
        true
    }

    /// What was on the clock when it was set back, in all.
    fn elapsed(&self) -> f64 {
        0.0
    }
}

impl<const D: usize, S: Schedule> Observed<D> for HardSpheres<D, S> {
    fn disc(&self, i: usize) -> Particle<D> {
        HardSpheres::disc(self, i)
    }

    fn schedules_all(&self) -> bool {
        HardSpheres::schedules_all(self)
    }

    fn elapsed(&self) -> f64 {
        HardSpheres::elapsed(self)
    }
}

impl<const D: usize> Certificate<D> {
    /// A certificate for a model that has not begun.
    pub fn new<S: Schedule>(model: &HardSpheres<D, S>) -> Certificate<D> {
        let (own, walls) = (model.discs(), *model.walls());
        Certificate {
            near: Near::new(&own, &walls),
            cleared: own.iter().map(|disc| disc.time).collect(),
            others: Vec::new(),
            watched: 0,
            own,
            walls,
            since: Vec::new(),
            scheduled: BTreeMap::new(),
            clock: f64::NEG_INFINITY,
            elapsed: model.elapsed(),
            running: Hit::Sample,
            events: 0,
            started: false,
            // A twin that is broken on purpose is to be caught where that does harm.
            checks_stamps: model.is_stamped(),
            checks_age: true,
            looks: 0,
            worst: Worst::default(),
            violation: None,
        }
    }

    /// Leaves out the law of validity, to see which law of physics is the first to be broken when stale events run.
    pub fn of_physics_only<S: Schedule>(model: &HardSpheres<D, S>) -> Certificate<D> {
        Certificate { checks_stamps: false, checks_age: false, ..Certificate::new(model) }
    }

    /// The first law that was broken, if any was.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// The largest deviations so far.
    pub fn worst(&self) -> &Worst {
        &self.worst
    }

    /// Pairs of which the ways were checked.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Collisions checked.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Checks the ways and places of all up to time `t`, the end of the run: O(N).
    pub fn finish(&mut self, model: &impl Observed<D>, t: f64) -> Result<(), Violation> {
        match &self.violation {
            Some(violation) => Err(violation.clone()),
            None => self.check_end(model, t).inspect_err(|violation| self.violation = Some(violation.clone())),
        }
    }

    fn check_end(&mut self, discs: &impl Observed<D>, t: f64) -> Result<(), Violation> {
        self.check_leg(discs)?;
        if t < self.clock {
            return Err(self.broken(Law::Clock, &[], "the clock never goes back", self.clock, t));
        }
        self.check_flights(t)?;
        self.clock = t;
        (0..self.own.len()).try_for_each(|i| self.check_unchanged(i, discs))?;
        self.check_all_ways(t)
    }

    /// The flights of all to where they are at time `t`.
    fn check_all_ways(&mut self, t: f64) -> Result<(), Violation> {
        (0..self.own.len()).try_for_each(|i| {
            self.check_bounds(i, t)?;
            self.check_ways(i, t, |other| other < i)
        })
    }

    /// Files anew all that have flown far by time `t`, and checks that they have touched nobody on the way.
    fn check_flights(&mut self, t: f64) -> Result<(), Violation> {
        while let Some((i, due)) = self.near.overdue(t) {
            self.clock = due;
            self.check_bounds(i, due)?;
            self.check_ways(i, due, |_| true)?;
            self.near.file(i, &self.own[i], due);
            self.cleared[i] = due;
        }
        Ok(())
    }

    /// The ways of a particle and those others that count.
    fn check_ways(&mut self, i: usize, t: f64, counts: impl Fn(usize) -> bool) -> Result<(), Violation> {
        let mut others = std::mem::take(&mut self.others);
        others.clear();
        self.near.around(i, |other| others.push(other));
        let outcome = others.iter().filter(|&&other| counts(other)).try_for_each(|&other| self.check_way(i, other, t));
        self.others = others;
        outcome
    }

    fn broken(&self, law: Law, particles: &[usize], rule: &str, expected: f64, found: f64) -> Violation {
        let (particles, rule) = (particles.to_vec(), rule.to_owned());
        Violation { law, after_events: self.events, time: self.clock, particles, rule, expected, found }
    }

    fn verdict(&mut self, outcome: Result<(), Violation>) -> Verdict {
        match outcome {
            Ok(()) => GO_ON,
            Err(violation) => {
                let reason = violation.to_string();
                self.violation.get_or_insert(violation);
                ControlFlow::Break(reason)
            }
        }
    }

    /// Nothing has run yet: takes the discs as they are and checks that what comes first for them is scheduled.
    fn check_start(&mut self, discs: &impl Observed<D>) -> Result<(), Violation> {
        self.started = true;
        for (i, own) in self.own.iter_mut().enumerate() {
            *own = discs.disc(i);
        }
        self.clock = self.own.iter().map(|disc| disc.time).fold(self.clock, f64::max);
        self.near = Near::new(&self.own, &self.walls);
        self.cleared = self.own.iter().map(|disc| disc.time).collect();
        if !discs.schedules_all() {
            let mut first = vec![f64::INFINITY; self.own.len()];
            for (hit, &time) in &self.scheduled {
                hit.who().for_each(|i| first[i] = first[i].min(time));
            }
            return first.into_iter().enumerate().try_for_each(|(i, first)| self.check_first(i, first));
        }
        (0..self.own.len()).try_for_each(|i| {
            self.check_predicted_walls(i)?;
            (0..i).try_for_each(|j| self.check_predicted_pair(j, i))
        })
    }

    fn check_before(&mut self, event: &Header<f64>, hit: Hit, discs: &impl Observed<D>) -> Result<(), Violation> {
        let t = event.time;
        self.check_leg(discs)?;
        if t < self.clock {
            return Err(self.broken(Law::Clock, &[], "the clock never goes back", self.clock, t));
        }
        self.check_flights(t)?;
        self.clock = t;
        self.check_valid(event, hit)?;
        hit.discs().try_for_each(|i| self.check_unchanged(i, discs))?;
        match hit {
            Hit::Pair(a, b) => self.check_touching(a as usize, b as usize, t),
            Hit::Wall(i, axis) => self.check_at_wall(i as usize, axis as usize, t),
            Hit::Sample | Hit::Look(..) => Ok(()),
        }?;
        for disc in hit.discs() {
            self.check_bounds(disc, t)?;
            self.check_ways(disc, t, |_| true)?;
        }
        Ok(())
    }

    /// Whether a new leg has begun, or the first.
    fn check_leg(&mut self, discs: &impl Observed<D>) -> Result<(), Violation> {
        if discs.elapsed() != self.elapsed {
            self.check_set_back(discs)?;
        }
        if self.started { Ok(()) } else { self.check_start(discs) }
    }

    /// The clock has been set back: nobody has met up to then, and all go on from where they were.
    fn check_set_back(&mut self, discs: &impl Observed<D>) -> Result<(), Violation> {
        let t = discs.elapsed() - self.elapsed;
        self.check_flights(t)?;
        self.clock = t;
        self.check_all_ways(t)?;
        for i in 0..self.own.len() {
            let (own, now) = (&self.own[i], discs.disc(i));
            let off = length(self.shortest(ahead(now.position, -1.0, place(own, t))));
            if off > BOUND * own.radius || own.velocity != now.velocity || now.time != 0.0 {
                return Err(self.broken(Law::Position, &[i], "a clock that is set back moves nothing", 0.0, off));
            }
        }
        self.since.clear();
        (self.clock, self.elapsed, self.started) = (0.0, discs.elapsed(), false);
        Ok(())
    }

    fn check_valid(&self, event: &Header<f64>, hit: Hit) -> Result<(), Violation> {
        let entity = |disc: usize| self.own[disc].entity.map(Entity::index);
        for disc in hit.discs().filter(|_| self.checks_stamps) {
            if !event.entities().any(|stamp| Some(stamp) == entity(disc)) {
                let rule = "an event is stamped with its particles";
                return Err(self.broken(Law::Validity, &[disc], rule, 1.0, 0.0));
            }
        }
        // A look changes nothing but is voided with the rest.
        let (looks, stamps) = (usize::from(matches!(hit, Hit::Look(..))), event.entities().count());
        let discs = hit.discs().count() + looks;
        if self.checks_stamps && stamps != discs {
            let rule = "an event has a stamp for each of its particles";
            return Err(self.broken(Law::Validity, &[], rule, discs as f64, stamps as f64));
        }
        for disc in hit.discs().filter(|_| self.checks_age) {
            let since = entity(disc).and_then(|index| self.since.get(index)).copied().unwrap_or(0);
            let sequence = event.id.sequence();
            if sequence < since {
                let rule = "an event is younger than the last collision of its particles";
                return Err(self.broken(Law::Validity, &[disc], rule, since as f64, sequence as f64));
            }
        }
        Ok(())
    }

    fn check_touching(&mut self, a: usize, b: usize, t: f64) -> Result<(), Violation> {
        let (dr, dv) = self.relative(a, b, t);
        let (distance, sigma) = (length(dr), self.own[a].radius + self.own[b].radius);
        self.worst.contact = self.worst.contact.max((distance / sigma - 1.0).abs());
        if (distance - sigma).abs() > BOUND * sigma {
            return Err(self.broken(Law::Geometry, &[a, b], "a pair collides at the sum of radii", sigma, distance));
        }
        let closing = -product(dr, dv) / distance;
        if closing < -BOUND * length(dv) {
            return Err(self.broken(Law::Geometry, &[a, b], "a pair that collides is approaching", 0.0, closing));
        }
        Ok(())
    }

    fn check_at_wall(&mut self, i: usize, axis: usize, t: f64) -> Result<(), Violation> {
        let disc = &self.own[i];
        let x = place(disc, t)[axis];
        let expected = if disc.velocity[axis] > 0.0 {
            self.walls.high[axis] - disc.radius
        } else {
            self.walls.low[axis] + disc.radius
        };
        let off = (x - expected).abs() / disc.radius;
        self.worst.contact = self.worst.contact.max(off);
        if off > BOUND {
            return Err(self.broken(Law::Geometry, &[i], "a particle hits a wall where it touches it", expected, x));
        }
        Ok(())
    }

    fn check_bounds(&self, i: usize, t: f64) -> Result<(), Violation> {
        let disc = &self.own[i];
        let at = place(disc, t);
        for (axis, x) in at.into_iter().enumerate() {
            let (low, high) = (self.walls.low[axis] + disc.radius, self.walls.high[axis] - disc.radius);
            if self.walls.periodic[axis] {
                continue;
            }
            if x < low - BOUND * disc.radius {
                return Err(self.broken(Law::Bounds, &[i], "a particle stays inside of the box", low, x));
            }
            if x > high + BOUND * disc.radius {
                return Err(self.broken(Law::Bounds, &[i], "a particle stays inside of the box", high, x));
            }
        }
        Ok(())
    }

    /// Two discs fly straight from the later of their own times to `t`: they must not have come too close on the way, in any
    /// of their images.
    fn check_way(&mut self, a: usize, b: usize, t: f64) -> Result<(), Violation> {
        self.looks += 1;
        let start = self.cleared[a].max(self.cleared[b]);
        let (ra, rb) = (place(&self.own[a], start), place(&self.own[b], start));
        let (dr, dv) = (ahead(rb, -1.0, ra), ahead(self.own[b].velocity, -1.0, self.own[a].velocity));
        let (sigma, span) = (self.own[a].radius + self.own[b].radius, (t - start).max(0.0));
        let images = Images::met(&self.walls, dr, ahead(dr, span, dv), sigma);
        for shift in images {
            let dr = ahead(dr, 1.0, shift);
            let speed = product(dv, dv);
            let nearest = if speed > 0.0 { -product(dr, dv) / speed } else { 0.0 };
            let distance = length(ahead(dr, nearest.clamp(0.0, span), dv));
            self.worst.overlap = self.worst.overlap.max(1.0 - distance / sigma);
            if distance < sigma * (1.0 - BOUND) {
                let (discs, rule) = ([a.min(b), a.max(b)], "particles do not overlap on their way");
                return Err(self.broken(Law::Overlap, &discs, rule, sigma, distance));
            }
        }
        Ok(())
    }

    fn check_after(&mut self, t: f64, after: &impl Observed<D>) -> Result<(), Violation> {
        let hit = self.running;
        self.check_bystanders(after, hit)?;
        for i in hit.discs() {
            let (own, now) = (place(&self.own[i], t), place(&after.disc(i), t));
            let off = length(self.shortest(ahead(now, -1.0, own)));
            if off > BOUND * self.own[i].radius {
                return Err(self.broken(Law::Position, &[i], "a collision moves nothing", 0.0, off));
            }
        }
        match hit {
            Hit::Pair(a, b) => self.check_pair_response(a as usize, b as usize, t, after)?,
            Hit::Wall(i, axis) => self.check_wall_response(i as usize, axis as usize, after)?,
            Hit::Sample | Hit::Look(..) => {}
        }
        for i in hit.discs() {
            self.own[i] = after.disc(i);
            self.cleared[i] = t;
            self.near.file(i, &self.own[i], t);
        }
        if !after.schedules_all() {
            return hit.discs().try_for_each(|i| self.check_first(i, self.first_scheduled(i)));
        }
        for i in hit.discs() {
            self.check_predicted_walls(i)?;
            (0..self.own.len()).filter(|&j| j != i).try_for_each(|j| self.check_predicted_pair(i.min(j), i.max(j)))?;
        }
        Ok(())
    }

    /// Some of those who take no part, others each time.
    fn check_bystanders(&mut self, discs: &impl Observed<D>, hit: Hit) -> Result<(), Violation> {
        // Where all is predicted anew anyhow, all are looked at.
        let many = if discs.schedules_all() { self.own.len() } else { self.own.len().min(WATCHED) };
        for _ in 0..many {
            self.watched = (self.watched + 1) % self.own.len();
            if hit.discs().all(|i| i != self.watched) {
                self.check_unchanged(self.watched, discs)?;
            }
        }
        Ok(())
    }

    fn check_unchanged(&self, i: usize, discs: &impl Observed<D>) -> Result<(), Violation> {
        let (own, now) = (&self.own[i], discs.disc(i));
        if (own.position, own.velocity, own.time) == (now.position, now.velocity, now.time) {
            return Ok(());
        }
        Err(self.broken(Law::Position, &[i], "who takes no part does not change", own.time, now.time))
    }

    fn check_pair_response(&mut self, a: usize, b: usize, t: f64, after: &impl Observed<D>) -> Result<(), Violation> {
        let (old, new) = ([self.own[a], self.own[b]], [after.disc(a), after.disc(b)]);
        let scale: f64 = old.iter().map(|disc| disc.mass * length(disc.velocity)).sum();
        // What a fixed obstacle takes up it does not show.
        let is_free = old.iter().all(|disc| disc.mass.is_finite());
        for axis in (0..D).filter(|_| is_free) {
            let [before, now] = [&old, &new].map(|pair| pair.iter().map(|d| d.mass * d.velocity[axis]).sum::<f64>());
            self.worst.momentum = self.worst.momentum.max((now - before).abs() / scale);
            if (now - before).abs() > BOUND * scale {
                return Err(self.broken(Law::Momentum, &[a, b], "a pair keeps its momentum", before, now));
            }
        }
        let [before, now] = [&old, &new].map(|pair| pair.iter().map(energy).sum::<f64>());
        self.worst.energy = self.worst.energy.max((now / before - 1.0).abs());
        if (now - before).abs() > BOUND * before {
            return Err(self.broken(Law::Energy, &[a, b], "a pair keeps its energy", before, now));
        }
        let (dr, dv) = self.relative(a, b, t);
        let along = |v: Vector<D>| product(dr, v) / length(dr);
        let was = along(dv);
        let is = along(ahead(new[1].velocity, -1.0, new[0].velocity));
        // Two that fly side by side differ by little; what rounding does to their velocities is measured by these themselves.
        let rounding = 16.0 * f64::EPSILON * old.iter().chain(&new).map(|disc| length(disc.velocity)).sum::<f64>();
        if (is + was).abs() > BOUND * length(dv) + rounding {
            return Err(self.broken(Law::Response, &[a, b], "the normal velocity is reversed", -was, is));
        }
        Ok(())
    }

    fn check_wall_response(&mut self, i: usize, axis: usize, after: &impl Observed<D>) -> Result<(), Violation> {
        let (old, new) = (self.own[i].velocity, after.disc(i).velocity);
        let [before, now] = [length(old), length(new)];
        self.worst.energy = self.worst.energy.max((now / before - 1.0).abs());
        if (now - before).abs() > BOUND * before {
            return Err(self.broken(Law::Energy, &[i], "a particle keeps its speed at a wall", before, now));
        }
        if (0..D).any(|k| new[k] != if k == axis { -old[k] } else { old[k] }) {
            return Err(self.broken(
                Law::Response,
                &[i],
                "the velocity across the wall is reversed",
                -old[axis],
                new[axis],
            ));
        }
        Ok(())
    }

    /// Where the textbook's quadratic equation has a clear root, the contact must have been scheduled for it.
    fn check_predicted_pair(&self, a: usize, b: usize) -> Result<(), Violation> {
        let start = self.own[a].time.max(self.own[b].time);
        let (dr, dv) = self.relative(a, b, start);
        let sigma = self.own[a].radius + self.own[b].radius;
        let Some(wait) = self.expected(dr, dv, sigma) else { return Ok(()) };
        let expected = start + wait;
        let Some(&found) = self.scheduled.get(&Hit::Pair(a as u32, b as u32)) else {
            return Err(self.broken(
                Law::Prediction,
                &[a, b],
                "a coming contact is scheduled",
                expected,
                f64::INFINITY,
            ));
        };
        // From where they were together: far ahead their places, taken one by one, have lost the digits that count.
        let dr = ahead(dr, found - start, dv);
        if (length(dr) - sigma).abs() > BOUND * sigma {
            return Err(self.broken(Law::Prediction, &[a, b], "a contact is scheduled for its time", expected, found));
        }
        Ok(())
    }

    /// When two will touch by the textbook's equation, if it has a clear root: how long after `start` and how fast they are.
    fn expected(&self, dr: Vector<D>, dv: Vector<D>, sigma: f64) -> Option<f64> {
        let (dvdr, dvdv) = (product(dr, dv), product(dv, dv));
        let cross = |i: usize, j: usize| dr[i] * dv[j] - dr[j] * dv[i];
        let crossed: f64 = (0..D).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| cross(i, j).powi(2)).sum();
        let discriminant = dvdv * sigma * sigma - crossed;
        // What grazes within the bound may be seen as a miss.
        let is_clear = dvdr < -BOUND * sigma * dvdv.sqrt() && discriminant > 2.0 * BOUND * dvdv * sigma * sigma;
        is_clear.then(|| (-(dvdr + discriminant.sqrt()) / dvdv).max(0.0))
    }

    /// A disc meets no wall before the first of what has just been scheduled for it. With others it is not alone: who comes into
    /// its reach later says so then, and a contact that nobody has scheduled shows as an overlap.
    fn check_first(&self, i: usize, first: f64) -> Result<(), Violation> {
        let own = &self.own[i];
        for axis in (0..D).filter(|&axis| !self.walls.periodic[axis]) {
            let v = own.velocity[axis];
            let wall = if v > 0.0 { self.walls.high[axis] - own.radius } else { self.walls.low[axis] + own.radius };
            let expected = own.time + (wall - own.position[axis]) / v;
            if (first - expected) * v.abs() > BOUND * own.radius {
                let rule = "what comes first for a particle is scheduled";
                return Err(self.broken(Law::Prediction, &[i], rule, expected, first));
            }
        }
        Ok(())
    }

    /// The first of what has just been scheduled for a disc.
    fn first_scheduled(&self, i: usize) -> f64 {
        let concerns = |hit: Hit| hit.who().any(|disc| disc == i);
        let times = self.scheduled.iter().filter(|(hit, _)| concerns(**hit)).map(|(_, &time)| time);
        times.fold(f64::INFINITY, f64::min)
    }

    fn check_predicted_walls(&self, i: usize) -> Result<(), Violation> {
        let disc = &self.own[i];
        for axis in 0..D {
            let v = disc.velocity[axis];
            let wall = if v > 0.0 { self.walls.high[axis] - disc.radius } else { self.walls.low[axis] + disc.radius };
            let expected = disc.time + (wall - disc.position[axis]) / v;
            if v == 0.0 || !expected.is_finite() {
                continue;
            }
            let found = self.scheduled.get(&Hit::Wall(i as u32, axis as u8)).copied().unwrap_or(f64::INFINITY);
            if ((found - expected) * v).abs() > BOUND * disc.radius || !found.is_finite() {
                return Err(self.broken(
                    Law::Prediction,
                    &[i],
                    "a coming wall is scheduled for its time",
                    expected,
                    found,
                ));
            }
        }
        Ok(())
    }

    /// Of a way across periodic axes the image that is shortest.
    fn shortest(&self, way: Vector<D>) -> Vector<D> {
        std::array::from_fn(|axis| {
            let length = self.walls.high[axis] - self.walls.low[axis];
            if self.walls.periodic[axis] { way[axis] - length * (way[axis] / length).round() } else { way[axis] }
        })
    }

    /// The way between two discs at time `t`, of the images that are nearest, and their relative velocity.
    fn relative(&self, a: usize, b: usize, t: f64) -> (Vector<D>, Vector<D>) {
        let (a, b) = (&self.own[a], &self.own[b]);
        let (ra, rb) = (place(a, t), place(b, t));
        (self.shortest(ahead(rb, -1.0, ra)), ahead(b.velocity, -1.0, a.velocity))
    }
}

impl<const D: usize, M: Model<Time = f64, Event = Hit> + Observed<D>> Observer<M> for Certificate<D> {
    type Cause = ();

    fn scheduled(&mut self, event: &Header<f64>, hit: &Hit) {
        self.scheduled.insert(*hit, event.time);
    }

    fn touched(&mut self, entity: Entity, version: u64, _: Option<EventId>) {
        let index = entity.index();
        self.since.resize(self.since.len().max(index + 1), 0);
        self.since[index] = version;
    }

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &M) -> Verdict {
        self.running = *hit;
        let outcome = self.check_before(event, *hit, model);
        self.scheduled.clear();
        self.verdict(outcome)
    }

    fn after(&mut self, event: &Header<f64>, model: &M) -> Verdict {
        let outcome = self.check_after(event.time, model);
        self.events += u64::from(outcome.is_ok() && self.running.is_collision());
        self.verdict(outcome)
    }
}
