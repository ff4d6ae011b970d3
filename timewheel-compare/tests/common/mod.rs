//! Models for tests: one that is told what to do, and one that does anything.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use saltus::driver::{ScanCounters, Slots};
use saltus::{
    BoxError, Context, Entity, Handle, Handles, Model, Observer, Outcome, Settings, Simulation, Stop, Time, When,
};
use timewheel_compare::Wheel;

/// Writes down what runs, and schedules what it was told to when a word comes up.
pub(crate) struct Script<T> {
    pub(crate) log: Vec<(T, &'static str)>,
    acts: Vec<(&'static str, Act<T>)>,
    pub(crate) handles: Vec<Handle>,
    pub(crate) entities: Vec<Entity>,
}

#[derive(Clone, Copy)]
pub(crate) enum Act<T> {
    At(T, &'static str),
    /// With a handle, the next number.
    Held(T, &'static str),
    /// With the stamp of an entity, spawned at need.
    Stamped(T, &'static str),
    Every(T, T, &'static str),
    Cancel(usize),
    Move(usize, T),
    Touch,
    Stop,
}

impl<T> Default for Script<T> {
    fn default() -> Self {
        Script { log: Vec::new(), acts: Vec::new(), handles: Vec::new(), entities: Vec::new() }
    }
}

impl<T: Time<Delay = T>> Script<T> {
    pub(crate) fn on(mut self, word: &'static str, act: Act<T>) -> Self {
        self.acts.push((word, act));
        self
    }

    pub(crate) fn act(&mut self, act: Act<T>, cx: &mut impl Context<Self>) -> Outcome {
        match act {
            Act::At(time, word) => drop(cx.schedule_at(time, word)?),
            Act::Held(time, word) => {
                let handle = cx.schedule_with_handle(time, word)?;
                self.handles.push(handle);
            }
            Act::Stamped(time, word) => {
                if self.entities.is_empty() {
                    self.entities.push(cx.spawn());
                }
                cx.schedule(When::at(time).stamp(self.entities[0]), word)?;
            }
            Act::Every(start, period, word) => {
                let handle = cx.schedule_every(start, period, word)?;
                self.handles.push(handle);
            }
            Act::Cancel(number) => drop(cx.cancel(self.handles[number])),
            Act::Move(number, time) => drop(cx.reschedule(self.handles[number], time)?),
            Act::Touch => drop(cx.touch(self.entities[0])),
            Act::Stop => cx.stop(),
        }
        Ok(())
    }
}

impl<T: Time<Delay = T>> Model for Script<T> {
    type Time = T;
    type Event = &'static str;
    type Refs = Handles<1>;

    fn handle(&mut self, word: &'static str, cx: &mut impl Context<Self>) -> Outcome {
        self.log.push((cx.now(), word));
        let acts: Vec<Act<T>> = self.acts.iter().filter(|(on, _)| *on == word).map(|(_, act)| *act).collect();
        acts.into_iter().try_for_each(|act| self.act(act, cx))
    }

    fn kind(word: &&'static str) -> &'static str {
        word
    }
}

pub(crate) type OnWheel<T, S> = Simulation<Script<T>, (), Wheel<S>>;

/// A script on a wheel, with the first acts done.
pub(crate) fn on_wheel<T: Time<Delay = T>, S: Slots<T> + Copy>(
    script: Script<T>,
    wheel: Wheel<S>,
    acts: &[Act<T>],
) -> OnWheel<T, S> {
    let mut sim = Simulation::with_queue(script, Settings::default(), (), wheel);
    do_now(&mut sim, acts).expect("the first acts can be done");
    sim
}

pub(crate) fn do_now<T: Time<Delay = T>, S: Slots<T> + Copy>(sim: &mut OnWheel<T, S>, acts: &[Act<T>]) -> Outcome {
    let (script, cx) = sim.parts();
    acts.iter().try_for_each(|&act| script.act(act, cx))
}

/// Scans on with counters of its own.
pub(crate) fn scan<T: Time, M: Model<Time = T>, O: Observer<M>, S: Slots<T> + Copy>(
    sim: &mut Simulation<M, O, Wheel<S>>,
    end: T,
) -> Result<(Stop, ScanCounters), BoxError> {
    let mut counters = ScanCounters::default();
    let stop = sim.scan_until(end, &mut (), &mut counters)?;
    Ok((stop, counters))
}

/// Does whatever its random streams say: schedules with and without handles and stamps, now, soon and far, cancels, moves,
/// touches, repeats.
#[derive(Default)]
pub(crate) struct Busy<T> {
    pub(crate) seen: Vec<(T, u64)>,
    entities: Vec<Entity>,
    handles: Vec<Handle>,
    /// How far events are scheduled ahead, at most.
    pub(crate) span: f64,
    /// Requests that were refused.
    pub(crate) refused: u64,
}

/// How a time type makes a delay from a number of ticks.
pub(crate) trait Ticks: Time<Delay = Self> + Default {
    fn ticks(ticks: f64) -> Self;
}

impl Ticks for u64 {
    fn ticks(ticks: f64) -> u64 {
        ticks as u64
    }
}

impl Ticks for f64 {
    fn ticks(ticks: f64) -> f64 {
        ticks / 7.0
    }
}

const CHOICES: u64 = 1;

impl<T: Ticks> Busy<T> {
    pub(crate) fn new(span: f64) -> Busy<T> {
        Busy { seen: Vec::new(), entities: Vec::new(), handles: Vec::new(), span, refused: 0 }
    }

    pub(crate) fn start(&mut self, cx: &mut impl Context<Self>) {
        for _ in 0..3 {
            self.entities.push(cx.spawn());
        }
        for number in 0..20 {
            self.act(number, cx);
        }
    }

    fn delay(&self, cx: &mut impl Context<Self>) -> T {
        let stream = cx.stream(CHOICES);
        let size = stream.uniform();
        T::ticks(match stream.below(8) {
            0 | 1 => 0.0,
            2 => 1.0,
            3 | 4 => (size * 10.0).floor(),
            5 | 6 => (size * size * self.span).floor(),
            _ => self.span.floor(),
        })
    }

    fn act(&mut self, number: u64, cx: &mut impl Context<Self>) {
        let delay = self.delay(cx);
        let mut when = When::after(delay).priority(cx.stream(CHOICES).below(3) as i16 - 1);
        for _ in 0..cx.stream(CHOICES).below(2) {
            let entity = cx.stream(CHOICES).below(self.entities.len() as u64);
            when = when.stamp(self.entities[entity as usize]);
        }
        let handle = cx.stream(CHOICES).below(self.handles.len().max(1) as u64) as usize;
        let handle = self.handles.get(handle).copied();
        let fine = match (cx.stream(CHOICES).below(16), handle) {
            (0, _) => {
                let entity = cx.stream(CHOICES).below(self.entities.len() as u64) as usize;
                cx.touch(self.entities[entity])
            }
            (1, Some(handle)) => {
                cx.cancel(handle);
                true
            }
            (2 | 3, Some(handle)) => {
                let Ok(Some(time)) = cx.now().after(delay) else { return };
                cx.reschedule(handle, time).is_ok()
            }
            (4, _) => {
                let period = T::ticks(1.0 + cx.stream(CHOICES).below(40) as f64);
                cx.schedule_every(when, period, number).map(|handle| self.handles.push(handle)).is_ok()
            }
            (5..=9, _) => cx.schedule_with_handle(when, number).map(|handle| self.handles.push(handle)).is_ok(),
            _ => cx.schedule(when, number).is_ok(),
        };
        self.refused += u64::from(!fine);
        while self.handles.len() > 8 {
            cx.cancel(self.handles.remove(0));
        }
    }
}

impl<T: Ticks> Model for Busy<T> {
    type Time = T;
    type Event = u64;
    type Refs = Handles<1>;

    fn handle(&mut self, number: u64, cx: &mut impl Context<Self>) -> Outcome {
        self.seen.push((cx.now(), number));
        let number = self.seen.len() as u64;
        self.act(number, cx);
        // A handful of events is kept alive, and never a flood.
        if !number.is_multiple_of(3) || self.handles.len() < 2 {
            self.act(number, cx);
        }
        Ok(())
    }
}
