//! The event-driven driver: a model, a kernel, and the loop that leaps from event to event.

use crate::counters::Counters;
use crate::error::{Culprit, RunError};
use crate::event::{EventId, Header, indices};
use crate::kernel::{Found, Kernel, RecordOf};
use crate::living::Fate;
use crate::model::{Context, Model, Outcome};
use crate::observe::Observer;
use crate::queue::{FutureEventList, Ladder, QueueKind};
use crate::ties::TieOrder;
use crate::time::Time;

/// A model in simulated time. `O` observes it, `Q` keeps its pending events; neither changes what happens.
pub struct Simulation<M: Model, O: Observer<M> = (), Q: QueueKind<M::Time> = Ladder> {
    pub(crate) model: M,
    pub(crate) kernel: Kernel<M, O, Q>,
}

/// How a simulation starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<T> {
    /// The clock at the start.
    pub start: T,
    /// The seed of the random streams.
    pub seed: u64,
    /// The replication: other random numbers from the same seed.
    pub replication: u64,
    /// The order of events with equal time, class and priority.
    pub ties: TieOrder,
    /// Rounds of zero delays allowed in one instant.
    pub round_limit: u64,
}

impl<T: Time> Default for Settings<T> {
    fn default() -> Self {
        Settings { start: T::ORIGIN, seed: 0, replication: 0, ties: TieOrder::Scheduled, round_limit: 10_000 }
    }
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Nothing is pending.
    QueueEmpty,
    /// The next event is later than the end that was asked for.
    EndReached,
    /// As many events as asked for have run.
    MaxEvents,
    /// The predicate of [`Simulation::run_while`] said no.
    Predicate,
    /// The model called [`Context::stop`].
    Requested,
    /// The observer ended the run, for this reason.
    Observer(String),
}

/// The next event, as [`Simulation::peek`] sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Peek<T> {
    /// Its identity.
    pub id: EventId,
    /// When it is due.
    pub time: T,
    /// What the model calls it.
    pub kind: &'static str,
}

type StopResult<M> = Result<Stop, RunError<<M as Model>::Time>>;

impl<M: Model> Simulation<M> {
    /// A simulation from time zero with seed 0.
    pub fn new(model: M) -> Self {
        Simulation::with(model, Settings::default(), ())
    }

    /// A simulation from time zero with this seed.
    pub fn seeded(model: M, seed: u64) -> Self {
        Simulation::with(model, Settings { seed, ..Settings::default() }, ())
    }
}

impl<M: Model, O: Observer<M>> Simulation<M, O> {
    /// A simulation with settings and an observer, on the default queue, the [`Ladder`].
    ///
    /// # Panics
    /// If the start is not a finite time.
    pub fn with(model: M, settings: Settings<M::Time>, observer: O) -> Self {
        Simulation::with_queue(model, settings, observer, Ladder)
    }
}

impl<M: Model, O: Observer<M>, Q: QueueKind<M::Time>> Simulation<M, O, Q> {
    /// A simulation on a queue of your choice: `Simulation::with_queue(model, settings, (), Heap)`.
    ///
    /// # Panics
    /// If the start is not a finite time.
    pub fn with_queue(model: M, settings: Settings<M::Time>, observer: O, queue: Q) -> Self {
        let Ok(Some(start)) = settings.start.check() else {
            panic!("a simulation cannot start at {}", settings.start);
        };
        Simulation { model, kernel: Kernel::new(Settings { start, ..settings }, observer, &queue) }
    }

    /// Runs one event. `None` if it ran and the run may go on; otherwise why not: nothing is pending, or somebody ended the
    /// run before, with or after the event.
    pub fn step(&mut self) -> Result<Option<Stop>, RunError<M::Time>> {
        Ok(Some(self.run_events(1)?).filter(|stop| *stop != Stop::MaxEvents))
    }

    /// Runs until nothing is pending or something stops it. The clock stays at the last event.
    pub fn run(&mut self) -> StopResult<M> {
        self.drive(None, u64::MAX, |_| true)
    }

    /// Runs every event up to and including `end`, then sets the clock to `end`.
    pub fn run_until(&mut self, end: M::Time) -> StopResult<M> {
        self.run_limited(end, u64::MAX)
    }

    /// Runs for a span of time from the clock.
    pub fn run_for(&mut self, span: <M::Time as Time>::Delay) -> StopResult<M> {
        match self.kernel.now.after(span) {
            Ok(Some(end)) => self.run_until(end),
            Ok(None) => self.run(),
            Err(fault) => Err(RunError::BadSpan { span, fault }),
        }
    }

    /// Runs `count` events.
    pub fn run_events(&mut self, count: u64) -> StopResult<M> {
        self.drive(None, count, |_| true)
    }

    /// Runs every event up to and including `end`, but no more than `count`. Only if the end is reached is the clock set to it.
    pub fn run_limited(&mut self, end: M::Time, count: u64) -> StopResult<M> {
        let end = self.check_end(end)?;
        self.drive(end, count, |_| true)
    }

    /// The end of a run; `None` if there is none.
    pub(crate) fn check_end(&self, end: M::Time) -> Result<Option<M::Time>, RunError<M::Time>> {
        match end.check() {
            Ok(Some(end)) if end.key() < self.kernel.now.key() => {
                Err(RunError::EndInPast { end, now: self.kernel.now })
            }
            Ok(end) => Ok(end),
            Err(_) => Err(RunError::EndNotATime(end)),
        }
    }

    /// Runs as long as `go_on` says so before each event.
    pub fn run_while(&mut self, go_on: impl FnMut(&Self) -> bool) -> StopResult<M> {
        self.drive(None, u64::MAX, go_on)
    }

    /// The main loop.
    #[inline]
    fn drive(&mut self, end: Option<M::Time>, count: u64, mut go_on: impl FnMut(&Self) -> bool) -> StopResult<M> {
        let end_key = end.map(Time::key);
        self.kernel.stop = false;
        let mut left = count;
        loop {
            if left == 0 {
                return Ok(Stop::MaxEvents);
            }
            if !go_on(self) {
                return Ok(Stop::Predicate);
            }
            match self.kernel.find(end_key, &mut self.model) {
                Found::Live(event) => {
                    let time = M::Time::from_key(event.time);
                    let new_instant = time.key() > self.kernel.now.key();
                    if let Some(stop) = self.execute(event, time, new_instant)? {
                        return Ok(stop);
                    }
                    left -= 1;
                }
                Found::Stale(event) => {
                    if let Some(stop) = self.tell_stale(event)? {
                        return Ok(stop);
                    }
                }
                Found::Later => {
                    self.end_at(end);
                    return Ok(Stop::EndReached);
                }
                Found::Nothing => {
                    self.end_at(end);
                    return Ok(Stop::QueueEmpty);
                }
            }
        }
    }

    /// Runs an event at `time`, which is when it is due or, under a time-driven clock, later.
    #[inline]
    pub(crate) fn execute(
        &mut self,
        record: RecordOf<M, O>,
        time: M::Time,
        new_instant: bool,
    ) -> Result<Option<Stop>, RunError<M::Time>> {
        let Simulation { model, kernel } = self;
        let header = Header { time, ..kernel.living.header(&record) };
        let Some(turn) = kernel.instant.turn(new_instant, header.id.sequence()) else {
            return Err(self.no_progress(record));
        };
        if let Some(payload) = kernel.living.payload(&record)
            && let Some(reason) = kernel.observer.before(&header, payload, model).break_value()
        {
            kernel.queue.push(record);
            return Ok(Some(Stop::Observer(reason)));
        }

        kernel.enter(turn);
        kernel.begin(&header, &record);
        if let Some(payload) = kernel.living.payload(&record) {
            kernel.observer.executed(&header, payload);
        }
        let (event, refused) = kernel.take_payload(record);
        let kind = M::kind(&event);
        let outcome = model.handle(event, kernel);
        self.finish(&header, kind, outcome)?;

        let Simulation { model, kernel } = self;
        let verdict = kernel.observer.after(&header, model);
        if let Some(source) = refused {
            let event = culprit(&header, kind);
            return Err(RunError::Periodic { event, source });
        }
        if let Some(reason) = verdict.break_value() {
            return Ok(Some(Stop::Observer(reason)));
        }
        Ok(kernel.stop.then_some(Stop::Requested))
    }

    /// The model is told that this event will not happen. The clock stays. As it may schedule, telling takes part in the rounds.
    pub(crate) fn tell_stale(&mut self, record: RecordOf<M, O>) -> Result<Option<Stop>, RunError<M::Time>> {
        let Simulation { model, kernel } = self;
        let header = kernel.living.header(&record);
        let Some(turn) = kernel.instant.turn(false, header.id.sequence()) else {
            return Err(self.no_progress(record));
        };
        kernel.enter(turn);
        kernel.living.left(&record, Fate::Stale);
        kernel.counters.stale += 1;
        if let Some(payload) = kernel.living.payload(&record) {
            kernel.observer.stale(&header, payload);
        }
        kernel.current = Some(header.id);
        let event = kernel.take_stale_payload(record);
        let kind = M::kind(&event);
        let outcome = model.stale(event, kernel);
        self.finish(&header, kind, outcome)?;
        Ok(self.kernel.stop.then_some(Stop::Requested))
    }

    /// The event stays pending.
    #[cold]
    fn no_progress(&mut self, record: RecordOf<M, O>) -> RunError<M::Time> {
        let kernel = &mut self.kernel;
        let kind = kernel.living.payload(&record).map_or("event", M::kind);
        let event = culprit(&kernel.living.header(&record), kind);
        kernel.queue.push(record);
        let rounds = kernel.instant.limit();
        RunError::NoProgress { event, rounds }
    }

    #[inline(always)]
    fn finish(
        &mut self,
        header: &Header<M::Time>,
        kind: &'static str,
        outcome: Outcome,
    ) -> Result<(), RunError<M::Time>> {
        self.kernel.current = None;
        match outcome {
            Ok(()) => Ok(()),
            Err(source) => Err(RunError::Handler { event: culprit(header, kind), source }),
        }
    }

    pub(crate) fn end_at(&mut self, end: Option<M::Time>) {
        if let Some(end) = end
            && end.key() > self.kernel.now.key()
        {
            self.kernel.move_clock(end);
            self.kernel.instant.open_to_outside();
        }
    }

    /// The next event that would run, exactly: stale ones in front of it are dropped.
    ///
    /// A model that is told of its stale events may predict something earlier when it is told. Its next living event is
    /// searched for in O(n), as the stale ones may not be dropped.
    pub fn peek(&mut self) -> Option<Peek<M::Time>> {
        let (header, kind) = self.kernel.next_live()?;
        Some(Peek { id: header.id, time: header.time, kind })
    }

    /// Whether anything is still to come: an event to run or, if the model asks for it, a stale one to be told, which is
    /// searched for in O(n).
    pub fn has_events(&mut self) -> bool {
        self.kernel.has_events()
    }

    /// The clock.
    pub fn now(&self) -> M::Time {
        self.kernel.now
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        &self.kernel.observer
    }

    /// The observer, to change what it looks for.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.kernel.observer
    }

    /// The model and the observer, when the simulation is over.
    pub fn into_parts(self) -> (M, O) {
        (self.model, self.kernel.observer)
    }

    /// What handlers are given, for use from outside: to schedule the first events, spawn entities, draw numbers.
    pub fn context(&mut self) -> &mut impl Context<M> {
        &mut self.kernel
    }

    /// The model beside its context, to let the model itself do something from outside.
    pub fn parts(&mut self) -> (&mut M, &mut impl Context<M>) {
        (&mut self.model, &mut self.kernel)
    }

    /// What has happened so far.
    pub fn counters(&self) -> &Counters {
        &self.kernel.counters
    }

    /// Events that are neither cancelled nor yet found stale.
    pub fn pending(&self) -> u64 {
        self.kernel.counters.pending()
    }

    /// The length of the queue, dead entries included: at most twice the living and 64.
    pub fn queue_len(&self) -> usize {
        self.kernel.queue.len()
    }

    /// Key comparisons of the queue, if it counts them.
    pub fn compares(&self) -> Option<u64> {
        self.kernel.queue.compares()
    }
}

#[inline(always)]
fn culprit<T: Time>(header: &Header<T>, kind: &'static str) -> Culprit<T> {
    // By value and no more than is named, so that nothing else of the header need be kept while the event runs.
    #[cold]
    fn name<T>(id: EventId, time: T, kind: &'static str, stamps: [u32; 2]) -> Culprit<T> {
        Culprit { id, time, kind, entities: indices(stamps).collect() }
    }
    name(header.id, header.time, kind, header.stamps)
}

#[cfg(all(test, feature = "serde"))]
mod saved;
