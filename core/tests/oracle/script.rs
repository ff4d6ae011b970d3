//! The same program, played on a kernel or on the oracle: whatever offers a [`World`].

use std::rc::Rc;

use crate::program::{Due, How, Op, Reason, Units};

/// What a program may ask for. Entities and handles are numbered in the order in which they were made, from 0.
pub(crate) trait World<T: Units> {
    fn now(&self) -> T;
    fn schedule(&mut self, request: Request<T>) -> Answer;
    fn cancel(&mut self, handle: usize) -> bool;
    fn reschedule(&mut self, handle: usize, time: T) -> Answer;
    fn due(&self, handle: usize) -> Option<T>;
    fn spawn(&mut self) -> usize;
    fn despawn(&mut self, entity: usize) -> bool;
    fn touch(&mut self, entity: usize) -> bool;
    fn is_alive(&self, entity: usize) -> bool;
    fn stop(&mut self);
    /// How many handles have been given out.
    fn handles(&self) -> usize;
}

pub(crate) struct Request<T: Units> {
    pub(crate) due: Asked<T>,
    pub(crate) priority: i16,
    pub(crate) stamps: Vec<usize>,
    pub(crate) kind: Kind<T>,
    pub(crate) label: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum Asked<T: Units> {
    At(T),
    After(T::Delay),
}

#[derive(Clone, Copy)]
pub(crate) enum Kind<T: Units> {
    Plain,
    Handle,
    Every(T::Delay),
}

/// One line of the record that kernel and oracle must agree on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// An event ran, or the model was told that it is stale.
    Ran {
        id: u64,
        label: u32,
        time: u64,
    },
    Told {
        id: u64,
        label: u32,
        clock: u64,
    },
    Scheduled(u64),
    GotHandle,
    Never,
    /// There was nothing to reschedule.
    Nothing,
    /// One of these rules was broken. The kernel names one, the oracle all.
    Refused(Vec<Reason>),
    Was(bool),
    Due(Option<u64>),
}

impl Answer {
    pub(crate) fn agrees_with(&self, oracle: &Answer) -> bool {
        match (self, oracle) {
            (Answer::Refused(named), Answer::Refused(all)) => named.iter().all(|reason| all.contains(reason)),
            _ => self == oracle,
        }
    }
}

pub(crate) struct Failure;

/// A player of the program, with what it remembers.
pub(crate) struct Script {
    handlers: Rc<Vec<Vec<Op>>>,
    /// Entities made lately; some are gone.
    entities: Vec<usize>,
    /// The handles of series, oldest first. There are never many, or they would flood the run.
    series: Vec<usize>,
    next_label: u32,
    /// How many more events handlers may schedule until the outside acts again.
    fuel: u32,
    pub(crate) operations: u64,
    pub(crate) log: Vec<Answer>,
}

const FUEL: u32 = 24;

impl Script {
    pub(crate) fn new(handlers: Rc<Vec<Vec<Op>>>) -> Script {
        Script {
            handlers,
            entities: Vec::new(),
            series: Vec::new(),
            next_label: 0,
            fuel: FUEL,
            operations: 0,
            log: Vec::new(),
        }
    }

    pub(crate) fn refuel(&mut self) {
        self.fuel = FUEL;
    }

    /// What the event with this label does.
    pub(crate) fn handle<T: Units>(&mut self, label: u32, world: &mut impl World<T>) -> Result<(), Failure> {
        let handlers = self.handlers.clone();
        handlers[label as usize % handlers.len()].iter().try_for_each(|op| self.play(op, world))
    }

    pub(crate) fn play<T: Units>(&mut self, op: &Op, world: &mut impl World<T>) -> Result<(), Failure> {
        self.operations += 1;
        match op {
            Op::Schedule { how, due, priority, stamps } => {
                let kind = match *how {
                    How::Plain => Kind::Plain,
                    How::Handle => Kind::Handle,
                    How::Every(n) => Kind::Every(T::half_units(n)),
                    How::OddPeriod(n) => Kind::Every(world.now().odd_delay(n)),
                };
                if matches!(kind, Kind::Every(_)) && self.series.len() > 10 {
                    let oldest = self.series.remove(0);
                    let was = world.cancel(oldest);
                    self.log.push(Answer::Was(was));
                }
                self.schedule(asked(*due, world.now()), *priority, stamps, kind, world);
            }
            Op::Burst { count, stamps, handles } => {
                for n in 0..*count {
                    let due = Asked::At(world.now().units((n % 100) as i8 + 1));
                    let kind = if *handles { Kind::Handle } else { Kind::Plain };
                    self.refuel();
                    self.schedule(due, 0, stamps, kind, world);
                }
            }
            Op::Cancel(n) => {
                if let Some(handle) = recent(world.handles(), 32, *n) {
                    let was = world.cancel(handle);
                    self.log.push(Answer::Was(was));
                }
            }
            Op::CancelMany(count) => {
                let made = world.handles();
                for handle in made.saturating_sub(usize::from(*count))..made {
                    self.operations += 1;
                    let was = world.cancel(handle);
                    self.log.push(Answer::Was(was));
                }
            }
            Op::Reschedule(n, due) => {
                if let Some(handle) = recent(world.handles(), 32, *n) {
                    let now = world.now();
                    let time = match asked(*due, now) {
                        Asked::At(time) => time,
                        Asked::After(_) => now.units(2),
                    };
                    let answer = world.reschedule(handle, time);
                    self.log.push(answer);
                }
            }
            Op::Look(n) => {
                if let Some(handle) = recent(world.handles(), 32, *n) {
                    self.log.push(Answer::Due(world.due(handle).map(Units::bits)));
                }
                if let Some(entity) = self.entity(*n) {
                    self.log.push(Answer::Was(world.is_alive(entity)));
                }
            }
            Op::Spawn => {
                let entity = world.spawn();
                self.entities.push(entity);
                if self.entities.len() > 16 {
                    let was = world.despawn(self.entities.remove(0));
                    self.log.push(Answer::Was(was));
                }
            }
            Op::Despawn(n) => {
                if let Some(entity) = self.entity(*n) {
                    let was = world.despawn(entity);
                    self.log.push(Answer::Was(was));
                }
            }
            Op::Touch(n) => {
                if let Some(entity) = self.entity(*n) {
                    let was = world.touch(entity);
                    self.log.push(Answer::Was(was));
                }
            }
            Op::TouchAll => {
                for &entity in &self.entities {
                    self.operations += 1;
                    let was = world.touch(entity);
                    self.log.push(Answer::Was(was));
                }
            }
            Op::Stop => world.stop(),
            Op::Fail => return Err(Failure),
        }
        Ok(())
    }

    fn schedule<T: Units>(
        &mut self,
        due: Asked<T>,
        priority: i16,
        stamps: &[u8],
        kind: Kind<T>,
        world: &mut impl World<T>,
    ) {
        let Some(fuel) = self.fuel.checked_sub(1) else { return };
        self.fuel = fuel;
        self.operations += 1;
        let label = self.next_label;
        self.next_label += 1;
        let stamps = stamps.iter().filter_map(|&n| self.entity(n)).collect();
        let made = world.handles();
        let answer = world.schedule(Request { due, priority, stamps, kind, label });
        if matches!(kind, Kind::Every(_)) && world.handles() > made {
            self.series.push(made);
        }
        self.log.push(answer);
    }

    fn entity(&self, n: u8) -> Option<usize> {
        (!self.entities.is_empty()).then(|| self.entities[usize::from(n) % self.entities.len()])
    }
}

/// The `n`-th of the `span` youngest of `made` things, the youngest first.
fn recent(made: usize, span: usize, n: u8) -> Option<usize> {
    (made > 0).then(|| made - 1 - usize::from(n) % made.min(span))
}

fn asked<T: Units>(due: Due, now: T) -> Asked<T> {
    match due {
        Due::At(n) => Asked::At(now.units(n)),
        Due::After(n) => Asked::After(T::half_units(n)),
        Due::OddTime(n) => Asked::At(now.odd_time(n)),
        Due::OddDelay(n) => Asked::After(now.odd_delay(n)),
    }
}
