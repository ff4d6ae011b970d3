//! The oracle: the rules applied literally to a plain list of events. Every search is a scan, nothing is lazy, versions are
//! counters of their own, and no number is shared with the kernel.

use std::collections::VecDeque;

use saltus::Stop;

use crate::program::{Judged, Outside, Program, Reason, Units};
use crate::script::{Answer, Asked, Kind, Request, Script, World};
use crate::{Books, Config, ENOUGH, Outcome, Report, kind_of};

struct Event<T: Units> {
    sequence: u64,
    time: T,
    priority: i16,
    /// Each with the entity's version at the time of scheduling.
    stamps: Vec<(usize, u64)>,
    cause: Option<u64>,
    label: u32,
    handle: Option<usize>,
    series: Option<Series<T>>,
}

#[derive(Clone, Copy)]
struct Series<T: Units> {
    start: T,
    k: u64,
    period: T::Delay,
}

struct Entity {
    version: u64,
    alive: bool,
}

struct Rules<T: Units> {
    tell_stale: bool,
    owned: bool,
    now: T,
    next: u64,
    events: Vec<Event<T>>,
    entities: Vec<Entity>,
    handles: usize,
    current: Option<u64>,
    stop: bool,
    books: Books,
    /// Stale events that the model was told of, and those of which it is not.
    told: u64,
    dead: u64,
}

/// Where the present instant and its present round began, as sequence numbers.
struct Instant {
    began: u64,
    round_began: u64,
    rounds: u64,
    fresh: bool,
}

pub(crate) struct Oracle<T: Units> {
    config: Config<T>,
    script: Script,
    rules: Rules<T>,
    instant: Instant,
    /// The last event's time, priority, and the next sequence number when it began.
    last: Option<(u64, i16, u64)>,
    trace: Vec<(u64, u64, Option<u64>)>,
    /// In a shuffled tie order, what the kernel chose next; it is checked to be one of the equals.
    hints: VecDeque<u64>,
}

impl<T: Units> Rules<T> {
    fn is_stale(&self, event: &Event<T>) -> bool {
        event.stamps.iter().any(|&(entity, version)| self.entities[entity].version != version)
    }

    /// Whether a stale event stays in the list, for the model to be told of it.
    fn tells_of(&self, event: &Event<T>) -> bool {
        let owner_is_touched = || {
            let &(owner, version) = event.stamps.first().expect("an event without stamps is never stale");
            self.entities[owner].version != version
        };
        self.tell_stale && !(self.owned && owner_is_touched())
    }

    fn take_sequence(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn stamp(&self, entities: &[usize]) -> Vec<(usize, u64)> {
        entities.iter().map(|&entity| (entity, self.entities[entity].version)).collect()
    }

    /// The place in the list of a pending event that would run.
    fn pending(&self, handle: usize) -> Option<usize> {
        let place = self.events.iter().position(|event| event.handle == Some(handle))?;
        (!self.is_stale(&self.events[place])).then_some(place)
    }

    fn void(&mut self, entity: usize) -> bool {
        if !self.entities[entity].alive {
            return false;
        }
        self.entities[entity].version += 1;
        let events = std::mem::take(&mut self.events);
        let all = events.len();
        for event in events {
            if !self.is_stale(&event) || self.tells_of(&event) {
                self.events.push(event);
            }
        }
        self.dead += (all - self.events.len()) as u64;
        true
    }

    fn judge(&self, asked: Asked<T>) -> Judged<T> {
        match asked {
            Asked::At(time) => match time.judge_time() {
                Judged::Time(time) if time < self.now => Judged::Bad(Reason::Past),
                judged => judged,
            },
            Asked::After(delay) => self.now.judge_delay(delay),
        }
    }
}

impl<T: Units> World<T> for Rules<T> {
    fn now(&self) -> T {
        self.now
    }

    fn schedule(&mut self, request: Request<T>) -> Answer {
        let Request { due, priority, stamps, kind, label } = request;
        let mut broken = Vec::new();
        if let Kind::Every(period) = kind {
            match T::ORIGIN.judge_delay(period) {
                Judged::Bad(reason) => broken.push(reason),
                Judged::Time(time) if time == T::ORIGIN => broken.push(Reason::BelowResolution),
                _ => {}
            }
        }
        let judged = self.judge(due);
        if let Judged::Bad(reason) = judged {
            broken.push(reason);
        }
        if stamps.iter().any(|&entity| !self.entities[entity].alive) {
            broken.push(Reason::DeadEntity);
        }
        if !broken.is_empty() {
            return Answer::Refused(broken);
        }
        let Judged::Time(time) = judged else {
            return Answer::Never;
        };
        let sequence = self.take_sequence();
        let (handle, series) = match kind {
            Kind::Plain => (None, None),
            Kind::Handle => (Some(self.handles), None),
            Kind::Every(period) => (Some(self.handles), Some(Series { start: time, k: 0, period })),
        };
        self.handles += usize::from(handle.is_some());
        self.books.scheduled += 1;
        self.events.push(Event {
            sequence,
            time,
            priority,
            stamps: self.stamp(&stamps),
            cause: self.current,
            label,
            handle,
            series,
        });
        if handle.is_some() { Answer::GotHandle } else { Answer::Scheduled(sequence) }
    }

    fn cancel(&mut self, handle: usize) -> bool {
        let Some(place) = self.pending(handle) else {
            return false;
        };
        self.events.remove(place);
        self.books.cancelled += 1;
        true
    }

    fn reschedule(&mut self, handle: usize, time: T) -> Answer {
        let Some(place) = self.pending(handle) else {
            return Answer::Nothing;
        };
        match self.judge(Asked::At(time)) {
            Judged::Bad(reason) => Answer::Refused(vec![reason]),
            Judged::Never => {
                self.cancel(handle);
                Answer::Never
            }
            Judged::Time(time) => {
                let event = self.events.remove(place);
                let entities: Vec<usize> = event.stamps.iter().map(|&(entity, _)| entity).collect();
                let sequence = self.take_sequence();
                self.books.scheduled += 1;
                self.books.rescheduled += 1;
                self.events.push(Event {
                    sequence,
                    time,
                    stamps: self.stamp(&entities),
                    cause: self.current,
                    series: event.series.map(|series| Series { start: time, k: 0, ..series }),
                    ..event
                });
                Answer::Scheduled(sequence)
            }
        }
    }

    fn due(&self, handle: usize) -> Option<T> {
        self.pending(handle).map(|place| self.events[place].time)
    }

    fn spawn(&mut self) -> usize {
        self.entities.push(Entity { version: 0, alive: true });
        self.entities.len() - 1
    }

    fn despawn(&mut self, entity: usize) -> bool {
        let was = self.void(entity);
        self.entities[entity].alive = false;
        was
    }

    fn touch(&mut self, entity: usize) -> bool {
        self.void(entity)
    }

    fn is_alive(&self, entity: usize) -> bool {
        self.entities[entity].alive
    }

    fn stop(&mut self) {
        self.stop = true;
    }

    fn handles(&self) -> usize {
        self.handles
    }
}

impl<T: Units> Oracle<T> {
    pub(crate) fn new(config: Config<T>, program: &Program) -> Oracle<T> {
        Oracle {
            config,
            script: Script::new(program.handlers.clone()),
            rules: Rules {
                tell_stale: config.tell_stale,
                owned: config.owned,
                now: config.start,
                next: 1,
                events: Vec::new(),
                entities: Vec::new(),
                handles: 0,
                current: None,
                stop: false,
                books: Books::default(),
                told: 0,
                dead: 0,
            },
            instant: Instant { began: 0, round_began: 0, rounds: 0, fresh: true },
            last: None,
            trace: Vec::new(),
            hints: VecDeque::new(),
        }
    }

    pub(crate) fn operations(&self) -> u64 {
        self.script.operations
    }

    /// `kernel` is asked only for the order of equals, and only if that is shuffled.
    pub(crate) fn act(&mut self, outside: &Outside, kernel: &Report) -> Report {
        self.script.refuel();
        if self.config.shuffled {
            self.hints = kernel.order().collect();
        }
        let now = self.rules.now;
        let outcome = match *outside {
            Outside::Ask(ref op) => {
                let scheduled = self.rules.books.scheduled;
                let _ = self.script.play(op, &mut self.rules);
                self.instant.fresh |= self.rules.books.scheduled > scheduled;
                Outcome::Asked
            }
            Outside::RunUntil(n) => self.run_until(now.units(n), u64::MAX),
            Outside::RunFor(n) => match now.judge_delay(T::half_units(n)) {
                Judged::Time(end) => self.run_until(end, u64::MAX),
                _ => Outcome::BadSpan,
            },
            Outside::RunEvents(count) => self.drive(None, count.into()),
            Outside::RunLimited(n, count) => self.run_until(now.units(n), count.into()),
            Outside::Step => match self.drive(None, 1) {
                Outcome::Stopped(stop) => Outcome::Stepped(stop == Stop::MaxEvents),
                error => error,
            },
            Outside::Peek => Outcome::Peeked(self.first(|rules, event| !rules.is_stale(event)).map(|place| {
                let event = &self.rules.events[place];
                (event.sequence, event.time.bits(), kind_of(event.label))
            })),
        };
        let living = self.rules.events.len() as u64;
        Report {
            outcome,
            log: std::mem::take(&mut self.script.log),
            trace: std::mem::take(&mut self.trace),
            now: self.rules.now.bits(),
            books: self.rules.books,
            pending: living,
            stale: self.rules.told,
            swept: self.rules.dead,
            queue_len: living,
            payloads: living,
        }
    }

    fn run_until(&mut self, end: T, count: u64) -> Outcome {
        if end < self.rules.now { Outcome::EndInPast } else { self.drive(Some(end), count) }
    }

    fn drive(&mut self, end: Option<T>, mut count: u64) -> Outcome {
        self.rules.stop = false;
        let executed = self.rules.books.executed;
        while count > 0 {
            let next = self.first(|_, _| true);
            let beyond = |place: usize| end.is_some_and(|end| self.rules.events[place].time > end);
            let Some(place) = next.filter(|&place| !beyond(place)) else {
                if let Some(end) = end
                    && end > self.rules.now
                {
                    self.rules.now = end;
                    self.last = None;
                    self.instant.fresh = true;
                }
                return Outcome::Stopped(if next.is_none() { Stop::QueueEmpty } else { Stop::EndReached });
            };
            if !self.begin_round(place) {
                return Outcome::NoProgress(self.rules.events[place].sequence);
            }
            let event = self.rules.events.remove(place);
            self.hints.pop_front();
            let result = if self.rules.is_stale(&event) {
                self.tell(event);
                Outcome::Asked
            } else {
                count -= 1;
                self.run(event)
            };
            self.rules.current = None;
            if !matches!(result, Outcome::Asked) {
                return result;
            }
            if self.rules.books.executed - executed >= ENOUGH {
                return Outcome::Stopped(Stop::Observer(String::new()));
            }
            if self.rules.stop {
                return Outcome::Stopped(Stop::Requested);
            }
        }
        Outcome::Stopped(Stop::MaxEvents)
    }

    fn tell(&mut self, event: Event<T>) {
        self.rules.told += 1;
        self.rules.current = Some(event.sequence);
        let (id, label, clock) = (event.sequence, event.label, self.rules.now.bits());
        self.script.log.push(Answer::Told { id, label, clock });
        let _ = self.script.handle(label, &mut self.rules);
    }

    /// [`Outcome::Asked`] if all went well.
    fn run(&mut self, event: Event<T>) -> Outcome {
        let Event { sequence: id, time, priority, cause, label, .. } = event;
        // A tie needs two that waited side by side.
        if let Some((bits, last_priority, next)) = self.last
            && (bits, last_priority) == (time.bits(), priority)
            && id < next
        {
            self.rules.books.ties += 1;
        }
        self.last = Some((time.bits(), priority, self.rules.next));
        self.rules.now = time;
        self.rules.books.executed += 1;
        self.rules.current = Some(id);
        self.trace.push((id, time.bits(), cause));
        let repeats = self.repeat(event);
        self.script.log.push(Answer::Ran { id, label, time: time.bits() });
        if self.script.handle(label, &mut self.rules).is_err() {
            Outcome::Failed(id)
        } else if !repeats {
            Outcome::CannotRepeat(id)
        } else {
            Outcome::Asked
        }
    }

    /// Schedules the next event of a series. False if that would not move the clock.
    fn repeat(&mut self, event: Event<T>) -> bool {
        let Some(mut series) = event.series else { return true };
        series.k += 1;
        match T::nth(series.start, series.k, series.period) {
            Judged::Time(time) if time > self.rules.now => {
                let entities: Vec<usize> = event.stamps.iter().map(|&(entity, _)| entity).collect();
                let sequence = self.rules.take_sequence();
                self.rules.books.scheduled += 1;
                self.rules.events.push(Event {
                    sequence,
                    time,
                    stamps: self.rules.stamp(&entities),
                    cause: Some(event.sequence),
                    series: Some(series),
                    ..event
                });
                true
            }
            Judged::Time(_) => false,
            _ => true,
        }
    }

    /// The first of the events that `counts` admits.
    fn first(&self, counts: impl Fn(&Rules<T>, &Event<T>) -> bool) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (place, event) in self.rules.events.iter().enumerate().filter(|(_, event)| counts(&self.rules, event)) {
            let Some(other) = best.map(|best| &self.rules.events[best]) else {
                best = Some(place);
                continue;
            };
            let comes_first = if event.time != other.time {
                event.time < other.time
            } else if event.priority != other.priority {
                event.priority < other.priority
            } else if let (true, Some(&hint)) = (self.config.shuffled, self.hints.front()) {
                event.sequence == hint
            } else {
                event.sequence < other.sequence
            };
            if comes_first {
                best = Some(place);
            }
        }
        best
    }

    /// False if the event would begin one round too many.
    fn begin_round(&mut self, place: usize) -> bool {
        let event = &self.rules.events[place];
        let moves = event.time > self.rules.now && !self.rules.is_stale(event);
        let Instant { began, round_began, rounds, fresh } = &mut self.instant;
        let next = self.rules.next;
        if moves || *fresh {
            (*began, *round_began, *rounds, *fresh) = (next, next, 1, false);
        } else if event.sequence < *began {
            *rounds = 1;
            return true;
        } else if event.sequence < *round_began {
            return true;
        } else if *rounds == self.config.round_limit {
            return false;
        } else {
            (*round_began, *rounds) = (next, *rounds + 1);
        }
        self.rules.books.rounds += 1;
        true
    }
}
