//! The plugin: hard discs and spheres as a model of the kernel.
//!
//! Between collisions nothing is computed. Every particle keeps its own time and is moved only when it collides. When it does,
//! it is touched, which voids all that was predicted for it, and its contacts are predicted anew. Which predictions still hold
//! is the kernel's business alone.

use std::marker::PhantomData;

use saltus::{Context, EventId, Model, Outcome, Stamps, When};

use crate::around::{Around, Known};
use crate::bodies::{Bodies, Body};
use crate::disc::{Approach, Flight, Particle, bounce};
use crate::images::Images;
use crate::rows::Gathered;
use crate::search::{self, Contact};
use crate::state::{StateError, check};
use crate::vector::{Vector, minus};
use crate::walls::Walls;

/// What can happen. Particles are named by their place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hit {
    /// Two particles touch; the smaller number comes first.
    Pair(u32, u32),
    /// A particle touches the wall across an axis: 0 for left and right, 1 for bottom and top, 2 for back and front.
    Wall(u32, u8),
    /// Nothing happens to any particle; observers may look.
    Sample,
    /// Nothing happens to any particle; this one has flown so far that it must look for others around its new place. The number
    /// is for the neighbours in use: which side of its cell it leaves by.
    Look(u32, u8),
}

impl Hit {
    /// The particles that take part.
    pub fn discs(self) -> impl Iterator<Item = usize> + Clone {
        self.who().filter(move |_| self.is_collision())
    }

    /// The particles that it is about, whether they take part or only look around.
    #[inline]
    pub(crate) fn who(self) -> impl Iterator<Item = usize> + Clone {
        let (a, b) = match self {
            Hit::Pair(a, b) => (Some(a), Some(b)),
            Hit::Wall(a, _) | Hit::Look(a, _) => (Some(a), None),
            Hit::Sample => (None, None),
        };
        a.into_iter().chain(b).map(|disc| disc as usize)
    }

    /// Whether it is a collision, with another particle or a wall.
    pub fn is_collision(self) -> bool {
        matches!(self, Hit::Pair(..) | Hit::Wall(..))
    }
}

/// Work done, to be held against what the textbook promises.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Pair collisions.
    pub pairs: u64,
    /// Wall collisions.
    pub walls: u64,
    /// Particles moved.
    pub moves: u64,
    /// Contact times computed. Where four are looked at in one stride, those count that only fill one up.
    pub predictions: u64,
    /// Contacts at the very time of another contact of the same particle: beyond the model's assumption that contacts are
    /// binary. They run in the kernel's order.
    pub shared_contacts: u64,
    /// Times that a particle looked for others around its new place: cell crossings, or neighbour lists made anew.
    pub looks: u64,
    /// Sum over the pair collisions of Δp·Δr, what passes between the two times their distance, positive. Pressure is
    /// (2 K + `virial` / t) / (D V), K being the kinetic energy and t the time that passed.
    pub virial: f64,
}

/// What cannot be asked of particles.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Misuse {
    /// They would have two entities each, and every contact would be predicted twice.
    #[error("the particles have been started already")]
    StartedTwice,
    /// Zero, negative, infinite or no number.
    #[error("{0} is no time between samples: it must be finite and above zero")]
    SampleInterval(f64),
    /// Cells and lists need a box with an end, and a periodic one must be wide enough that no pair has two images in reach.
    #[error("the box is too small, or has no end, for neighbours in {0}")]
    NoRoomFor(Neighbours),
}

/// Where the partners of contacts are looked for. The collisions are the same to the last bit; only the work differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "command", derive(clap::ValueEnum))]
pub enum Neighbours {
    /// Whichever of the others is best for the density, the number and the sizes.
    #[default]
    Auto,
    /// Among all: O(N) a collision.
    All,
    /// In the cells around, which a particle crosses into: best where few are near.
    Cells,
    /// In a list of those nearby, which holds until its particle has flown too far: best where many are near.
    Lists,
}

impl std::fmt::Display for Neighbours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Neighbours::Auto => "auto",
            Neighbours::All => "all",
            Neighbours::Cells => "cells",
            Neighbours::Lists => "lists",
        })
    }
}

/// Which predictions become events: [`Every`] or [`Earliest`].
pub trait Schedule: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Whether only the earliest prediction of a particle does.
    const EARLIEST: bool;
}

/// Every prediction is an event, as in the textbook.
#[derive(Clone, Copy, Debug)]
pub struct Every;

/// Of each particle only what comes first is an event. If that is voided by another, the particle predicts anew when it would
/// have happened.
#[derive(Clone, Copy, Debug)]
pub struct Earliest;

impl Schedule for Every {
    const EARLIEST: bool = false;
}

impl Schedule for Earliest {
    const EARLIEST: bool = true;
}

/// What comes first for a particle.
#[derive(Clone, Copy)]
struct First {
    /// A time, and the partner that it touches then, if that comes before any wall.
    contact: Contact,
    /// The wall that it touches at that time instead.
    wall: Option<Hit>,
}

/// Discs (`D` = 2) or spheres (`D` = 3) in a box.
#[derive(Clone, Debug)]
pub struct HardSpheres<const D: usize, S: Schedule = Every> {
    flights: Vec<Flight<D>>,
    bodies: Bodies,
    counts: Vec<u32>,
    /// Empty if none has a colour.
    colours: Vec<Option<[u8; 3]>>,
    walls: Walls<D>,
    images: Images<D>,
    neighbours: Neighbours,
    around: Around<D>,
    /// A partner is looked for in more than its nearest image.
    has_images: bool,
    has_walls: bool,
    sampling: Option<Sampling>,
    stamped: bool,
    moves_all: bool,
    started: bool,
    /// The time that was on the clock when it was set back, in all.
    elapsed: f64,
    work: Work,
    /// Room for partners.
    scratch: Gathered,
    schedule: PhantomData<S>,
}

/// Discs in the textbook's way: every prediction is an event.
pub type HardDiscs = HardSpheres<2>;

#[derive(Clone, Copy, Debug)]
struct Sampling {
    start: f64,
    every: f64,
    taken: u64,
}

impl Sampling {
    fn next(&self) -> f64 {
        self.start + self.taken as f64 * self.every
    }
}

impl<const D: usize, S: Schedule> HardSpheres<D, S> {
    /// Particles in a box, checked.
    pub fn new(discs: Vec<Particle<D>>, walls: Walls<D>) -> Result<Self, StateError> {
        check(&discs, &walls)?;
        let has_colours = discs.iter().any(|disc| disc.colour.is_some());
        let colours = if has_colours { discs.iter().map(|disc| disc.colour).collect() } else { Vec::new() };
        Ok(HardSpheres {
            flights: discs.iter().map(|disc| Flight { position: walls.wrap(disc.position), ..disc.flight() }).collect(),
            bodies: Bodies::new(discs.iter().map(|disc| Body { radius: disc.radius, mass: disc.mass })),
            counts: discs.iter().map(|disc| disc.count as u32).collect(),
            colours,
            walls,
            images: Images::new(&walls),
            neighbours: if S::EARLIEST { Neighbours::Auto } else { Neighbours::All },
            around: Around::All(Vec::new()),
            has_images: false,
            has_walls: walls.periodic.contains(&false),
            sampling: None,
            stamped: true,
            moves_all: false,
            started: false,
            elapsed: 0.0,
            work: Work::default(),
            scratch: Gathered::default(),
            schedule: PhantomData,
        })
    }

    /// With these neighbours. Unless told so, the textbook's discs look among all, and who plans only the earliest event
    /// chooses by density, number and sizes.
    pub fn with_neighbours(mut self, neighbours: Neighbours) -> Self {
        self.neighbours = neighbours;
        self
    }

    /// Moves every particle at every event, as the textbook's loop does: O(N) an event, and rounding differs.
    pub fn moving_all(mut self) -> Self {
        self.moves_all = true;
        self
    }

    /// With a [`Hit::Sample`] at the start and then every so often.
    pub fn sampled(mut self, every: f64) -> Result<Self, Misuse> {
        if !(every > 0.0 && every.is_finite()) {
            return Err(Misuse::SampleInterval(every));
        }
        self.sampling = Some(Sampling { start: 0.0, every, taken: 0 });
        Ok(self)
    }

    /// A broken twin that does not stamp its predictions, so that none is ever void: for the fault drill.
    pub fn without_stamps(mut self) -> Self {
        self.stamped = false;
        self
    }

    /// Spawns the particles' entities and predicts all that can happen first. Called once, from outside.
    pub fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        if std::mem::replace(&mut self.started, true) {
            return Err(Misuse::StartedTwice.into());
        }
        for flight in &mut self.flights {
            flight.time = cx.now();
            flight.entity = Some(cx.spawn());
        }
        self.around = Around::new(self.neighbours, &self.flights, &self.bodies, &self.walls)?;
        self.has_images = matches!(self.around, Around::All(_)) && self.images.any();
        for i in 0..self.len() {
            if S::EARLIEST {
                let first = self.look_around::<true>(i, cx.now());
                self.schedule_first(i, first, cx)?;
            } else {
                self.predict(i, |j| j > i, cx)?;
            }
        }
        if let Some(sampling) = &mut self.sampling {
            if self.elapsed == 0.0 {
                sampling.start = cx.now();
            }
            cx.schedule_at(sampling.next().max(cx.now()), Hit::Sample)?;
        }
        Ok(())
    }

    /// How many particles there are.
    #[expect(clippy::len_without_is_empty, reason = "a number of particles, not of things in a collection")]
    pub fn len(&self) -> usize {
        self.flights.len()
    }

    /// A particle at its own time.
    pub fn disc(&self, i: usize) -> Particle<D> {
        let (Flight { position, velocity, time, entity }, Body { radius, mass }) =
            (self.flights[i], *self.bodies.get(i));
        let (count, colour) = (self.counts[i].into(), self.colours.get(i).copied().flatten());
        Particle { position, velocity, time, radius, mass, count, colour, entity }
    }

    /// Copies of the particles, each at its own time: O(N).
    pub fn discs(&self) -> Vec<Particle<D>> {
        (0..self.len()).map(|i| self.disc(i)).collect()
    }

    /// Whether predictions are stamped, as they should be.
    pub(crate) fn is_stamped(&self) -> bool {
        self.stamped
    }

    /// Whether every contact that is to be expected is in the queue.
    pub(crate) fn schedules_all(&self) -> bool {
        !S::EARLIEST && matches!(self.around, Around::All(_)) && !self.has_images
    }

    /// The box.
    pub fn walls(&self) -> &Walls<D> {
        &self.walls
    }

    /// Work done so far.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Where all particles are at time `t`, which must not lie beyond the next event; inside of the box across periodic axes.
    /// Moves nothing.
    pub fn positions_at(&self, t: f64) -> impl Iterator<Item = Vector<D>> {
        self.flights.iter().map(move |flight| self.walls.wrap(flight.position_at(t)))
    }

    /// What was on the clock when it was set back between the legs of a [`Voyage`](crate::Voyage), in all.
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// How long a leg may be: a power of two, in which the rounding of times stays a hundredth of what the certificate
    /// allows even for the lightest particle.
    pub(crate) fn leg(&self) -> f64 {
        let bodies = || (0..self.len()).map(|i| self.bodies.get(i));
        let smallest = bodies().map(|body| body.radius).fold(f64::INFINITY, f64::min);
        let lightest = bodies().map(|body| body.mass).fold(f64::INFINITY, f64::min);
        let fastest = (2.0 * self.energy() / (self.len().max(1) as f64 * lightest)).sqrt();
        let exponent = (smallest / fastest).log2().ceil() + 13.0;
        if exponent.is_finite() { 2f64.powi(exponent as i32) } else { f64::INFINITY }
    }

    /// Puts every particle to where it is at time `t`, which becomes time zero. Then they are to be started again.
    pub(crate) fn set_back(&mut self, t: f64) {
        for flight in &mut self.flights {
            (flight.position, flight.time) = (self.walls.wrap(flight.position_at(t)), 0.0);
            flight.entity = None;
        }
        if let Some(sampling) = &mut self.sampling {
            sampling.start -= t;
        }
        self.elapsed += t;
        self.started = false;
    }

    /// A copy in which every particle stands at time `t`, to start from: nothing has happened to it yet.
    pub fn at(&self, t: f64) -> Self {
        let mut copy = HardSpheres { started: false, elapsed: 0.0, work: Work::default(), ..self.clone() };
        for flight in &mut copy.flights {
            (flight.position, flight.time) = (self.walls.wrap(flight.position_at(t)), t);
            flight.entity = None;
        }
        copy.counts.fill(0);
        if let Some(sampling) = &mut copy.sampling {
            sampling.taken = 0;
        }
        copy
    }

    /// A copy at time `t` in which every particle flies back, at time zero again.
    pub fn reversed_at(&self, t: f64) -> Self {
        let mut copy = self.at(t);
        for flight in &mut copy.flights {
            flight.velocity = flight.velocity.map(|v| -v);
            flight.time = 0.0;
        }
        copy
    }

    /// Kinetic energy of all particles.
    pub fn energy(&self) -> f64 {
        // The empty sum is -0.0.
        (0..self.len()).map(|i| self.disc(i).energy()).sum::<f64>() + 0.0
    }

    /// The neighbours in use once the particles are started.
    pub fn neighbours(&self) -> Neighbours {
        match self.around {
            Around::All(_) => Neighbours::All,
            Around::Cells(_) => Neighbours::Cells,
            Around::Lists(_) => Neighbours::Lists,
        }
    }

    /// When two particles will touch; `None` if never, or surely not before `bound`.
    #[inline(always)]
    fn contact(&self, i: usize, j: usize, now: f64, bound: f64) -> Option<f64> {
        let approach = Approach::new(&self.flights[i], &self.flights[j]);
        let turns = self.images.turns(approach.at(now));
        let sigma = self.bodies.sigma(i, j);
        if self.has_images {
            return self.contact_of_images(approach, turns, sigma);
        }
        approach.shifted(self.images.shift(turns)).contact(sigma, bound)
    }

    #[inline(never)]
    fn contact_of_images(&self, approach: Approach<D>, turns: Vector<D>, sigma: f64) -> Option<f64> {
        let mut first: Option<f64> = None;
        self.images.around(turns, |shift| {
            let time = approach.shifted(shift).contact(sigma, f64::INFINITY);
            first = match (first, time) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        });
        first
    }

    /// The walls that a particle will touch.
    #[inline(always)]
    fn each_wall(&self, i: usize, mut found: impl FnMut(f64, Hit)) {
        for axis in 0..D {
            if let Some(time) = self.flights[i].wall_contact(axis, self.bodies.get(i).radius, &self.walls) {
                found(time, Hit::Wall(i as u32, axis as u8));
            }
        }
    }

    /// Schedules every contact of a particle, but for those partners that do not count.
    fn predict(&mut self, i: usize, counts: impl Fn(usize) -> bool, cx: &mut impl Context<Self>) -> Outcome {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (now, flight) = (cx.now(), &self.flights[i]);
        let (mut predictions, mut outcome) = (D as u64, Ok(()));
        let mut schedule = |time, hit: Hit, discs: [Option<usize>; 2]| {
            let entities = discs.into_iter().flatten().filter_map(|i| self.flights[i].entity);
            let when = entities.filter(|_| self.stamped).fold(When::at(time), When::stamp);
            if let Err(error) = cx.schedule(when, hit) {
                outcome = Err(error);
            }
        };
        self.each_wall(i, |time, hit| schedule(time, hit, [Some(i), None]));
        if let Some((time, side)) = self.around.next_look(i, flight, &self.images, now, f64::INFINITY) {
            schedule(time, Hit::Look(i as u32, side), [Some(i), None]);
        }
        for j in self.around.partners(i, &mut scratch).iter().map(|&j| j as usize).filter(|&j| j != i && counts(j)) {
            predictions += 1;
            if let Some(time) = self.contact(i, j, now, f64::INFINITY) {
                let (a, b) = (i.min(j), i.max(j));
                schedule(time, Hit::Pair(a as u32, b as u32), [Some(a), Some(b)]);
            }
        }
        self.work.predictions += predictions;
        self.scratch = scratch;
        Ok(outcome?)
    }

    /// When a particle will first touch one of those, and which, if that is before the first so far; of two that it touches at
    /// one time, the one with the smaller number.
    fn first_contact<const FRESH: bool>(&self, i: usize, partners: &[u32], now: f64, first: Contact) -> Contact {
        if self.has_images {
            let others = partners.iter().map(|&j| j as usize).filter(|&j| j != i);
            return others.fold(first, |first, j| self.nearer(i, j, now, first));
        }
        let found = search::first_contact::<D, FRESH>(i, partners, &self.flights, &self.bodies, &self.images, now);
        let is_first = found.0 < first.0 || found.0 == first.0 && found.1.zip(first.1).is_some_and(|(a, b)| a < b);
        if is_first { found } else { first }
    }

    /// The contact with `j`, if it comes before the first so far; otherwise that one.
    #[inline]
    fn nearer(&self, i: usize, j: usize, now: f64, first: Contact) -> Contact {
        match self.contact(i, j, now, first.0) {
            Some(time) if time < first.0 => (time, Some(j as u32)),
            _ => first,
        }
    }

    /// What comes first for a particle. If it is `FRESH`, its own time is that of the clock.
    #[inline]
    fn look_around<const FRESH: bool>(&mut self, i: usize, now: f64) -> First {
        let mut scratch = std::mem::take(&mut self.scratch);
        let partners = self.around.partners(i, &mut scratch);
        let first = self.first_event::<FRESH>(i, partners, (f64::INFINITY, None), now);
        self.work.predictions += (partners.len() + D) as u64;
        self.scratch = scratch;
        first
    }

    /// The same for who has come into a new cell by way of a side: what it found among those around the old one need not be
    /// looked for again, if the partner flies on as it did.
    #[inline]
    fn look_ahead(&mut self, i: usize, side: u8, cx: &mut impl Context<Self>) -> First {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (mut first, mut predictions) = (None, 0);
        if let Some((partners, known)) = self.around.news(i, side, &mut scratch)
            && known.version == known.partner.map_or(0, |j| self.version(j as usize, cx))
        {
            first = Some(self.first_event::<false>(i, partners, (known.time, known.partner), cx.now()));
            predictions = (partners.len() + D) as u64;
        }
        self.work.predictions += predictions;
        self.scratch = scratch;
        first.unwrap_or_else(|| self.look_around::<false>(i, cx.now()))
    }

    /// The first contact of a particle, given the one among those that are not in `partners`; and its wall if that comes sooner.
    #[inline(always)]
    fn first_event<const FRESH: bool>(&self, i: usize, partners: &[u32], known: Contact, now: f64) -> First {
        let mut wall = (known.0, None);
        if self.has_walls {
            self.each_wall(i, |time, hit| {
                if time < wall.0 {
                    wall = (time, Some(hit));
                }
            });
        }
        let contact = self.first_contact::<FRESH>(i, partners, now, (wall.0, known.1));
        First { contact, wall: wall.1.filter(|_| contact.0 == wall.0) }
    }

    #[inline]
    fn version(&self, i: usize, cx: &impl Context<Self>) -> u64 {
        self.flights[i].entity.and_then(|entity| cx.version(entity)).unwrap_or(0)
    }

    fn schedule_first(&mut self, i: usize, first: First, cx: &mut impl Context<Self>) -> Outcome {
        let First { contact: (mut time, mut partner), wall } = first;
        if wall.is_some() {
            partner = None;
        }
        if self.around.keeps() {
            let version = partner.map_or(0, |j| self.version(j as usize, cx));
            let known = if partner.is_some() { time } else { f64::INFINITY };
            self.around.keep(i, Known { time: known, partner, version });
        }
        let flight = &self.flights[i];
        let mut hit = wall;
        if let Some(j) = partner {
            hit = Some(Hit::Pair(j.min(i as u32), j.max(i as u32)));
        }
        if let Some((look, side)) = self.around.next_look(i, flight, &self.images, cx.now(), time) {
            (time, hit, partner) = (look, Some(Hit::Look(i as u32, side)), None);
        }
        if let Some(hit) = hit {
            let stamps = [flight.entity, partner.and_then(|j| self.flights[j as usize].entity)];
            cx.schedule(stamps.into_iter().flatten().fold(When::at(time), When::stamp), hit)?;
        }
        Ok(())
    }

    /// A particle looks for others around its new place. What was predicted for it holds; if all of that is in the queue, it is
    /// voided so that nothing is there twice.
    fn look(&mut self, i: usize, side: u8, cx: &mut impl Context<Self>) -> Outcome {
        self.work.looks += 1;
        self.around.look(i, side, &self.flights[i], &self.bodies, &self.walls, cx.now());
        if S::EARLIEST {
            let first = self.look_ahead(i, side, cx);
            return self.schedule_first(i, first, cx);
        }
        if let Some(entity) = self.flights[i].entity {
            cx.touch(entity);
        }
        self.predict(i, |_| true, cx)
    }

    /// Schedules what comes first for each particle of a collision. Both look before either schedules: neither waits for the
    /// other, so a processor does most of the two looks at once.
    #[inline]
    fn plan_all(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        let now = cx.now();
        if let Hit::Pair(i, j) = hit {
            let (i, j) = (i as usize, j as usize);
            let firsts = (self.look_around::<true>(i, now), self.look_around::<true>(j, now));
            self.schedule_first(i, firsts.0, cx)?;
            return self.schedule_first(j, firsts.1, cx);
        }
        for i in hit.discs() {
            let first = self.look_around::<true>(i, now);
            self.schedule_first(i, first, cx)?;
        }
        Ok(())
    }

    /// Moves the particles of a collision to the clock.
    fn meet(&mut self, hit: Hit, now: f64) {
        let mut shared = false;
        for i in hit.discs() {
            let flight = &mut self.flights[i];
            shared |= self.counts[i] > 0 && flight.time == now;
            (flight.position, flight.time) = (self.walls.wrap(flight.position_at(now)), now);
            self.counts[i] = self.counts[i].saturating_add(1);
            self.work.moves += 1;
        }
        self.work.shared_contacts += u64::from(shared);
    }

    fn respond(&mut self, hit: Hit) {
        match hit {
            Hit::Pair(a, b) => {
                let masses = [a, b].map(|i| self.bodies.get(i as usize).mass);
                let (left, right) = self.flights.split_at_mut(b as usize);
                let (a, b) = (&mut left[a as usize], &mut right[0]);
                let dr = self.images.shortest(minus(b.position, a.position));
                self.work.virial += bounce(a, b, dr, masses);
                self.work.pairs += 1;
            }
            Hit::Wall(i, axis) => {
                let radius = self.bodies.get(i as usize).radius;
                self.flights[i as usize].bounce_off_wall(axis.into(), radius, &self.walls);
                self.work.walls += 1;
            }
            Hit::Sample | Hit::Look(..) => {}
        }
    }
}

impl<const D: usize, S: Schedule> Model for HardSpheres<D, S> {
    type Time = f64;
    type Event = Hit;
    type Refs = Stamps<2>;
    const TELL_STALE: bool = S::EARLIEST;
    const OWNED: bool = S::EARLIEST;

    fn handle(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        if let (Hit::Sample, Some(sampling)) = (hit, &mut self.sampling) {
            sampling.taken += 1;
            cx.schedule_at(sampling.next(), Hit::Sample)?;
            return Ok(());
        }
        if let Hit::Look(i, side) = hit {
            return self.look(i as usize, side, cx);
        }
        if self.moves_all {
            for flight in &mut self.flights {
                (flight.position, flight.time) = (self.walls.wrap(flight.position_at(cx.now())), cx.now());
            }
        }
        self.meet(hit, cx.now());
        self.respond(hit);
        for entity in hit.discs().filter_map(|i| self.flights[i].entity) {
            cx.touch(entity);
        }
        if S::EARLIEST {
            return self.plan_all(hit, cx);
        }
        let mut done = None;
        for disc in hit.discs() {
            self.predict(disc, |other| Some(other) != done, cx)?;
            done = Some(disc);
        }
        Ok(())
    }

    /// Reads the particles, and then who is around them.
    fn expect<'a>(&mut self, hits: impl Iterator<Item = &'a Hit> + Clone) {
        if self.len() < self.around.pays_to_expect() {
            return;
        }
        let HardSpheres { flights, counts, around, scratch, .. } = self;
        let mut seen = 0;
        for i in hits.clone().flat_map(|hit| hit.who()) {
            seen |= flights[i].time.to_bits() | u64::from(counts[i]) | around.glance(i);
        }
        std::hint::black_box(seen);
        around.expect(hits, flights, scratch);
    }

    /// Somebody else has spoilt what a particle had planned: it plans anew.
    fn stale(&mut self, hit: Hit, cx: &mut impl Context<Self>) -> Outcome {
        let planned = cx.current().map_or(0, EventId::sequence);
        let is_untouched =
            |i: &usize| self.flights[*i].entity.and_then(|e| cx.version(e)).is_some_and(|v| v <= planned);
        match hit.discs().find(is_untouched) {
            Some(owner) => {
                let first = self.look_around::<false>(owner, cx.now());
                self.schedule_first(owner, first, cx)
            }
            None => Ok(()),
        }
    }

    fn kind(hit: &Hit) -> &'static str {
        match hit {
            Hit::Pair(..) => "pair",
            Hit::Wall(_, 0) => "wall-x",
            Hit::Wall(_, 1) => "wall-y",
            Hit::Wall(..) => "wall-z",
            Hit::Sample => "sample",
            Hit::Look(..) => "look",
        }
    }
}
