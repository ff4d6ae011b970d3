//! The kernel, made to play programs and to report in the oracle's words.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use saltus::observe::{GO_ON, Observer, Trace, Verdict};
use saltus::queue::QueueKind;
use saltus::{
    Context, Counters, Entity, EventId, Handle, Handles, Header, Model, Outcome as Handled, Refusal, RunError,
    ScheduleError, Settings, Simulation, TieOrder, When,
};

use crate::program::{Outside, Program, Reason, Units};
use crate::script::{Answer, Asked, Kind, Request, Script, World};
use crate::{Books, Config, ENOUGH, Kernel, Outcome, Report, kind_of};

/// Payloads alive.
type Tally = Rc<Cell<u64>>;

/// A payload that owns something: its place in the tally.
struct Payload {
    label: u32,
    tally: Tally,
}

impl Payload {
    fn new(label: u32, tally: &Tally) -> Payload {
        tally.set(tally.get() + 1);
        Payload { label, tally: tally.clone() }
    }
}

impl Clone for Payload {
    fn clone(&self) -> Payload {
        Payload::new(self.label, &self.tally)
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        self.tally.set(self.tally.get() - 1);
    }
}

struct Player<T, const TELL: bool, const OWNED: bool> {
    /// Shared with the machine, which reads the log: reaching it through the simulation would count as acting from outside.
    script: Rc<RefCell<Script>>,
    things: Things,
    time: PhantomData<T>,
}

#[derive(Default)]
struct Things {
    entities: Vec<Entity>,
    handles: Vec<Handle>,
    tally: Tally,
}

impl<T: Units, const TELL: bool, const OWNED: bool> Player<T, TELL, OWNED> {
    fn play(&mut self, label: u32, cx: &mut impl Context<Self>) -> Handled {
        let Player { script, things, .. } = self;
        let result = script.borrow_mut().handle(label, &mut Kernelled { cx, things, model: PhantomData });
        result.map_err(|_| "as the program says".into())
    }
}

impl<T: Units, const TELL: bool, const OWNED: bool> Model for Player<T, TELL, OWNED> {
    type Time = T;
    type Event = Payload;
    type Refs = Handles<2>;
    const TELL_STALE: bool = TELL;
    const OWNED: bool = OWNED;

    fn handle(&mut self, event: Payload, cx: &mut impl Context<Self>) -> Handled {
        let id = cx.current().expect("inside of a handler").sequence();
        self.script.borrow_mut().log.push(Answer::Ran { id, label: event.label, time: cx.now().bits() });
        self.play(event.label, cx)
    }

    fn stale(&mut self, event: Payload, cx: &mut impl Context<Self>) -> Handled {
        let id = cx.current().expect("inside of a handler").sequence();
        self.script.borrow_mut().log.push(Answer::Told { id, label: event.label, clock: cx.now().bits() });
        let _ = self.play(event.label, cx);
        Ok(())
    }

    fn kind(event: &Payload) -> &'static str {
        kind_of(event.label)
    }
}

/// The kernel as a [`World`].
struct Kernelled<'a, C, M> {
    cx: &'a mut C,
    things: &'a mut Things,
    model: PhantomData<M>,
}

fn refused<T: Units>(error: ScheduleError<T>) -> Answer {
    Answer::Refused(vec![match error.reason() {
        Refusal::Past(_) => Reason::Past,
        Refusal::NotATime(_) => Reason::NotATime,
        Refusal::NotADelay(_) => Reason::NotADelay,
        Refusal::BelowResolution(_) => Reason::BelowResolution,
        Refusal::Overflow(_) => Reason::Overflow,
        Refusal::DeadEntity(_) => Reason::DeadEntity,
        _ => Reason::Other,
    }])
}

fn scheduled(id: EventId) -> Answer {
    if id == EventId::NEVER { Answer::Never } else { Answer::Scheduled(id.sequence()) }
}

impl<M, C> World<M::Time> for Kernelled<'_, C, M>
where
    M: Model<Time: Units, Event = Payload, Refs = Handles<2>>,
    C: Context<M>,
{
    fn now(&self) -> M::Time {
        self.cx.now()
    }

    fn schedule(&mut self, request: Request<M::Time>) -> Answer {
        let Things { entities, handles, tally } = &mut *self.things;
        let payload = Payload::new(request.label, tally);
        let when = match request.due {
            Asked::At(time) => When::at(time),
            Asked::After(delay) => When::after(delay),
        };
        let when = when.priority(request.priority);
        let when = request.stamps.iter().fold(when, |when, &entity| when.stamp(entities[entity]));
        let handle = match request.kind {
            Kind::Plain => return self.cx.schedule(when, payload).map_or_else(refused, scheduled),
            Kind::Handle => self.cx.schedule_with_handle(when, payload),
            Kind::Every(period) => self.cx.schedule_every(when, period, payload),
        };
        match handle {
            Ok(Handle::NEVER) => Answer::Never,
            Ok(handle) => {
                handles.push(handle);
                Answer::GotHandle
            }
            Err(error) => refused(error),
        }
    }

    fn cancel(&mut self, handle: usize) -> bool {
        self.cx.cancel(self.things.handles[handle])
    }

    fn reschedule(&mut self, handle: usize, time: M::Time) -> Answer {
        match self.cx.reschedule(self.things.handles[handle], time) {
            Ok(Some(id)) => scheduled(id),
            Ok(None) => Answer::Nothing,
            Err(error) => refused(error),
        }
    }

    fn due(&self, handle: usize) -> Option<M::Time> {
        self.cx.due(self.things.handles[handle])
    }

    fn spawn(&mut self) -> usize {
        self.things.entities.push(self.cx.spawn());
        self.things.entities.len() - 1
    }

    fn despawn(&mut self, entity: usize) -> bool {
        self.cx.despawn(self.things.entities[entity])
    }

    fn touch(&mut self, entity: usize) -> bool {
        self.cx.touch(self.things.entities[entity])
    }

    fn is_alive(&self, entity: usize) -> bool {
        self.cx.version(self.things.entities[entity]).is_some()
    }

    fn stop(&mut self) {
        self.cx.stop();
    }

    fn handles(&self) -> usize {
        self.things.handles.len()
    }
}

/// Counts what an observer is told, and follows the clock.
struct Witness {
    told: Counters,
    in_this_act: u64,
    clock: u64,
}

impl Witness {
    /// What an observer was told of must be what the kernel counted.
    fn check(&self, counters: &Counters) {
        let mut told = self.told;
        (told.ties, told.rounds, told.largest_queue) = (counters.ties, counters.rounds, counters.largest_queue);
        assert_eq!(&told, counters);
    }
}

impl<M: Model<Time: Units>> Observer<M> for Witness {
    type Cause = ();

    fn scheduled(&mut self, _: &Header<M::Time>, _: &M::Event) {
        self.told.scheduled += 1;
    }
    fn executed(&mut self, _: &Header<M::Time>, _: &M::Event) {
        self.told.executed += 1;
        self.in_this_act += 1;
    }
    fn after(&mut self, _: &Header<M::Time>, _: &M) -> Verdict {
        if self.in_this_act < ENOUGH { GO_ON } else { Verdict::Break(String::new()) }
    }
    fn stale(&mut self, _: &Header<M::Time>, _: &M::Event) {
        self.told.stale += 1;
    }
    fn swept(&mut self, _: &Header<M::Time>, _: &M::Event) {
        self.told.swept += 1;
    }
    fn cancelled(&mut self, _: EventId, _: M::Time, _: Option<EventId>) {
        self.told.cancelled += 1;
    }
    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        assert!(event < successor);
        self.told.rescheduled += 1;
    }
    fn clock(&mut self, from: M::Time, to: M::Time) {
        assert_eq!(from.bits(), self.clock, "the clock moves from where it was");
        assert!(from < to, "the clock moves forward");
        self.clock = to.bits();
    }
}

struct Machine<T: Units, Q: QueueKind<T> + Default, const TELL: bool, const OWNED: bool> {
    simulation: Simulation<Player<T, TELL, OWNED>, (Trace<T>, Witness), Q>,
    script: Rc<RefCell<Script>>,
    tally: Tally,
    /// How much of the trace has been reported.
    reported: usize,
}

/// The kernel with this queue, ready to play the program.
pub(crate) fn machine<T: Units, Q: QueueKind<T> + Default + 'static>(
    config: Config<T>,
    program: &Program,
) -> Box<dyn Kernel> {
    match (config.tell_stale, config.owned) {
        (true, true) => Box::new(Machine::<T, Q, true, true>::new(config, program)),
        (true, false) => Box::new(Machine::<T, Q, true, false>::new(config, program)),
        // Whether events have owners matters only to a model that is told.
        (false, true) => Box::new(Machine::<T, Q, false, true>::new(config, program)),
        (false, false) => Box::new(Machine::<T, Q, false, false>::new(config, program)),
    }
}

impl<T: Units, Q: QueueKind<T> + Default, const TELL: bool, const OWNED: bool> Machine<T, Q, TELL, OWNED> {
    fn new(config: Config<T>, program: &Program) -> Self {
        let script = Rc::new(RefCell::new(Script::new(program.handlers.clone())));
        let things = Things::default();
        let tally = things.tally.clone();
        let player = Player { script: script.clone(), things, time: PhantomData };
        let ties = match config.shuffled {
            true => TieOrder::Shuffled { seed: 7 },
            false => TieOrder::Scheduled,
        };
        let settings = Settings { start: config.start, ties, round_limit: config.round_limit, ..Settings::default() };
        let witness = Witness { told: Counters::default(), in_this_act: 0, clock: config.start.bits() };
        let trace = Trace { events: Vec::new() };
        Machine {
            simulation: Simulation::with_queue(player, settings, (trace, witness), Q::default()),
            script,
            tally,
            reported: 0,
        }
    }
}

impl<T: Units, Q: QueueKind<T> + Default, const TELL: bool, const OWNED: bool> Kernel for Machine<T, Q, TELL, OWNED> {
    fn act(&mut self, outside: &Outside) -> Report {
        self.script.borrow_mut().refuel();
        let simulation = &mut self.simulation;
        let now = simulation.now();
        simulation.observer_mut().1.in_this_act = 0;
        let outcome = match *outside {
            Outside::Ask(ref op) => {
                let (player, cx) = simulation.parts();
                let things = &mut player.things;
                let _ = self.script.borrow_mut().play(op, &mut Kernelled { cx, things, model: PhantomData });
                Outcome::Asked
            }
            Outside::RunUntil(n) => outcome(simulation.run_until(now.units(n)), Outcome::Stopped),
            Outside::RunFor(n) => outcome(simulation.run_for(T::half_units(n)), Outcome::Stopped),
            Outside::RunEvents(count) => outcome(simulation.run_events(count.into()), Outcome::Stopped),
            Outside::RunLimited(n, count) => {
                outcome(simulation.run_limited(now.units(n), count.into()), Outcome::Stopped)
            }
            Outside::Step => outcome(simulation.step(), |stop| Outcome::Stepped(stop.is_none())),
            Outside::Peek => {
                let peek = simulation.peek();
                // The dead of touched owners stay pending until they are found, and are nothing to come.
                let has_events = simulation.has_events();
                assert!(if TELL && OWNED {
                    has_events >= peek.is_some()
                } else {
                    has_events == (simulation.pending() > 0)
                });
                Outcome::Peeked(peek.map(|peek| (peek.id.sequence(), peek.time.bits(), peek.kind)))
            }
        };
        let (trace, witness) = simulation.observer();
        let new = &trace.events[self.reported..];
        self.reported = trace.events.len();
        let counters = *simulation.counters();
        witness.check(&counters);
        assert!(counters.largest_queue >= simulation.queue_len());
        Report {
            outcome,
            log: std::mem::take(&mut self.script.borrow_mut().log),
            trace: new
                .iter()
                .map(|event| (event.id.sequence(), event.time.bits(), event.cause.map(EventId::sequence)))
                .collect(),
            now: simulation.now().bits(),
            books: Books {
                scheduled: counters.scheduled,
                executed: counters.executed,
                cancelled: counters.cancelled,
                rescheduled: counters.rescheduled,
                ties: counters.ties,
                rounds: counters.rounds,
            },
            pending: simulation.pending(),
            stale: counters.stale,
            swept: counters.swept,
            queue_len: simulation.queue_len() as u64,
            payloads: self.tally.get(),
        }
    }

    fn end(self: Box<Self>) -> u64 {
        let tally = self.tally.clone();
        drop(self);
        tally.get()
    }
}

fn outcome<T: Units, X>(result: Result<X, RunError<T>>, well: impl FnOnce(X) -> Outcome) -> Outcome {
    match result {
        Ok(x) => well(x),
        Err(RunError::Handler { event, .. }) => Outcome::Failed(event.id.sequence()),
        Err(RunError::NoProgress { event, .. }) => Outcome::NoProgress(event.id.sequence()),
        Err(RunError::Periodic { event, .. }) => Outcome::CannotRepeat(event.id.sequence()),
        Err(RunError::EndInPast { .. }) => Outcome::EndInPast,
        Err(RunError::BadSpan { .. }) => Outcome::BadSpan,
        Err(error) => panic!("{error}"),
    }
}
