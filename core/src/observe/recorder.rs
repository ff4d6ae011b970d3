//! The recorder: writes down what happened to every event, and why.

use std::io::{self, Write};
use std::ops::ControlFlow;

use super::{GO_ON, Observer, Verdict};
use crate::entity::Entity;
use crate::error::RunError;
use crate::event::{Caused, EventId, Header};
use crate::log::{
    Entities, Log, LogError, LogHeader, LogMemory, LogTime, LogWriter, Outcome, Record, Scheduled, Sink, end_of,
    verdict,
};
use crate::model::Model;
use crate::simulation::Stop;

type LabelOf<M> = Box<dyn Fn(&<M as Model>::Event) -> String + Send>;

/// Records a run for the questions of [`log`](crate::log): in memory, or as a log that is written as the run goes.
///
/// The cause of an event is the event whose handler was running when it was scheduled, whichever part of the program called;
/// where the event takes effect is what it is stamped with. Beside the cause, an event has a parent for each of its stamps: the
/// event that touched or spawned the entity last, whose outcome the prediction rests on.
///
/// ```
/// # use saltus::{BoxError, Context, Model, Outcome, Settings, Simulation, Stamps};
/// use saltus::log::LogHeader;
/// use saltus::observe::Recorder;
/// # struct Countdown;
/// # impl Model for Countdown {
/// #     type Time = f64;
/// #     type Event = u32;
/// #     type Refs = Stamps<0>;
/// #     fn handle(&mut self, left: u32, cx: &mut impl Context<Self>) -> Outcome {
/// #         if left > 0 {
/// #             cx.schedule_in(1.0, left - 1)?;
/// #         }
/// #         Ok(())
/// #     }
/// # }
/// let settings = Settings::default();
/// let header = LogHeader::new("countdown", &settings);
/// let recorder = Recorder::streaming(Vec::new(), &header)?.labelled(|left| format!("{left} left"));
/// let mut simulation = Simulation::<_, _>::with(Countdown, settings, recorder);
/// simulation.context().schedule_at(0.0, 3)?;
/// let result = simulation.run();
/// let text = simulation.into_parts().1.finish(&result)?;
/// assert_eq!(String::from_utf8(text)?.lines().count(), 1 + 2 * 4 + 1);
/// # Ok::<(), BoxError>(())
/// ```
pub struct Recorder<M: Model, S = LogMemory> {
    sink: S,
    label: Option<LabelOf<M>>,
    /// By entity: the event that set its version.
    setters: Vec<Option<EventId>>,
    clock: LogTime,
    /// The clock as the records have it.
    told: LogTime,
    /// The first event whose scheduling was seen. Earlier ones are described when their fate is known.
    first: u64,
    last: Option<EventId>,
}

impl<M: Model> Recorder<M> {
    /// Keeps all records in memory. The header says where the run starts.
    pub fn new(header: &LogHeader) -> Self {
        Recorder::into_sink(LogMemory::new(header.start), header.start)
    }

    /// Keeps the last `most` records in memory.
    pub fn ring(header: &LogHeader, most: usize) -> Self {
        Recorder::into_sink(LogMemory::ring(header.start, most), header.start)
    }

    /// What is in memory.
    pub fn memory(&self) -> &LogMemory {
        &self.sink
    }

    /// The log of what is in memory, with how the run ended if that is known.
    pub fn log(&self, header: &LogHeader, result: Option<&Result<Stop, RunError<M::Time>>>) -> Result<Log, LogError> {
        let mut log = Log::of_memory(header.clone(), &self.sink)?;
        if let Some((outcome, reason)) = result.map(verdict) {
            log.end = Some(end_of(&log, outcome, reason, self.clock));
        }
        Ok(log)
    }
}

impl<M: Model, W: Write> Recorder<M, LogWriter<W>> {
    /// Writes a log to a file, or wherever else.
    pub fn streaming(out: W, header: &LogHeader) -> io::Result<Self> {
        Ok(Recorder::into_sink(LogWriter::new(out, header)?, header.start))
    }

    /// Writes how the run ended, and returns the writer, or the first error that it returned. A log that was not finished is
    /// read as one that is incomplete.
    pub fn finish(mut self, result: &Result<Stop, RunError<M::Time>>) -> io::Result<W> {
        let (outcome, reason) = verdict(result);
        self.sink.end(outcome, &reason, self.clock, self.last);
        self.sink.finish()
    }

    /// The same with an outcome that the caller knows better.
    pub fn finish_as(mut self, outcome: Outcome, reason: &str) -> io::Result<W> {
        self.sink.end(outcome, reason, self.clock, self.last);
        self.sink.finish()
    }
}

impl<M: Model, S: Sink> Recorder<M, S> {
    /// Gives records to a sink of your own.
    pub fn into_sink(sink: S, start: LogTime) -> Self {
        Recorder { sink, label: None, setters: Vec::new(), clock: start, told: start, first: u64::MAX, last: None }
    }

    /// Has every event carry a text made from its payload.
    pub fn labelled(mut self, label: impl Fn(&M::Event) -> String + Send + 'static) -> Self {
        self.label = Some(Box::new(label));
        self
    }

    /// The clock.
    pub fn clock(&self) -> LogTime {
        self.clock
    }

    /// The event that ran last.
    pub fn last(&self) -> Option<EventId> {
        self.last
    }

    #[inline]
    fn setter(&self, entity: u32) -> Option<EventId> {
        self.setters.get(entity as usize).copied().flatten()
    }

    #[inline]
    fn set(&mut self, entity: Entity, by: Option<EventId>) {
        if self.setters.len() <= entity.index() {
            self.setters.resize(entity.index() + 1, None);
        }
        self.setters[entity.index()] = by;
    }

    /// Says how far the clock has moved without an event, if it has.
    #[inline]
    fn tell_clock(&mut self) {
        if self.clock.key() != self.told.key() {
            self.told = self.clock;
            self.sink.put(&Record::Clock(self.clock));
        }
    }

    #[inline]
    fn put_scheduled(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        let label = self.label.as_ref().map(|label| label(payload));
        let entities = Entities(event.stamps);
        self.sink.put(&Record::Schedule(Scheduled {
            id: event.id,
            due: LogTime::of(event.due),
            class: event.class,
            priority: event.priority,
            kind: M::kind(payload),
            entities,
            parents: event.stamps.map(|entity| self.setter(entity)),
            cause: event.cause,
            label: label.as_deref(),
        }));
    }

    /// Describes an event that was scheduled before anybody watched.
    #[inline]
    fn introduce(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        if event.id.sequence() < self.first {
            self.tell_clock();
            self.put_scheduled(event, payload);
        }
    }

    #[inline]
    fn verdict(&self) -> Verdict {
        match self.sink.error() {
            None => GO_ON,
            Some(error) => ControlFlow::Break(format!("the log cannot be written: {error}")),
        }
    }
}

impl<M: Model, S: Sink> Observer<M> for Recorder<M, S> {
    type Cause = Caused;

    #[inline]
    fn scheduled(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.first = self.first.min(event.id.sequence());
        self.tell_clock();
        self.put_scheduled(event, payload);
    }

    #[inline]
    fn executed(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.introduce(event, payload);
        self.clock = LogTime::of(event.time);
        self.told = self.clock;
        self.last = Some(event.id);
        self.sink.put(&Record::Execute { id: event.id, at: self.clock });
    }

    #[inline]
    fn after(&mut self, _: &Header<M::Time>, _: &M) -> Verdict {
        self.verdict()
    }

    fn stale(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.introduce(event, payload);
        self.tell_clock();
        self.sink.put(&Record::Stale { id: event.id, swept: false, void: None });
    }

    fn swept(&mut self, event: &Header<M::Time>, payload: &M::Event) {
        self.introduce(event, payload);
        self.tell_clock();
        self.sink.put(&Record::Stale { id: event.id, swept: true, void: None });
    }

    fn cancelled(&mut self, event: EventId, _: M::Time, by: Option<EventId>) {
        self.tell_clock();
        self.sink.put(&Record::Cancel { id: event, by });
    }

    fn rescheduled(&mut self, event: EventId, successor: EventId) {
        self.tell_clock();
        self.sink.put(&Record::Move { id: event, to: successor });
    }

    #[inline]
    fn spawned(&mut self, entity: Entity, by: Option<EventId>) {
        self.set(entity, by);
    }

    #[inline]
    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        self.set(entity, by);
        self.tell_clock();
        self.sink.put(&Record::Touch { entity: entity.index() as u32, version, by });
    }

    #[inline]
    fn clock(&mut self, _: M::Time, to: M::Time) {
        self.clock = LogTime::of(to);
    }
}
