//! The time-driven driver: time pushes events, slot by slot.

use super::SlottedQueue;
use crate::error::RunError;
use crate::kernel::Found;
use crate::model::{Context, Model, Outcome};
use crate::observe::Observer;
use crate::queue::FutureEventList;
use crate::simulation::{Simulation, Stop};
use crate::time::Time;

/// Is called once for every slot that is visited, after its events, with the clock at the slot's end. `()` does nothing.
pub trait Poll<M: Model> {
    /// Whether there is anything to call. If not, a scan ends with the last event.
    const ACTIVE: bool = true;

    /// Looks at the model and does what it wants.
    fn poll(&mut self, model: &mut M, cx: &mut impl Context<M>) -> Outcome;
}

impl<M: Model> Poll<M> for () {
    const ACTIVE: bool = false;

    fn poll(&mut self, _: &mut M, _: &mut impl Context<M>) -> Outcome {
        Ok(())
    }
}

/// What a time-driven clock has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScanCounters {
    /// Slots that the pointer stood on.
    pub visited: u64,
    /// Those of them in which no event ran.
    pub empty: u64,
    /// Empty slots that were leapt over.
    pub skipped: u64,
    /// Events that ran later than they were due, or just then.
    pub events: u64,
    /// The sum of their delays.
    pub total_delay: f64,
    /// The largest of their delays.
    pub largest_delay: f64,
}

impl ScanCounters {
    /// The mean delay of an event; 0 if there was none.
    pub fn mean_delay(&self) -> f64 {
        if self.events == 0 { 0.0 } else { self.total_delay / self.events as f64 }
    }
}

impl<M: Model, O: Observer<M>, Q: SlottedQueue<M::Time>> Simulation<M, O, Q> {
    /// Visits slot after slot up to the last that ends by `end`, then sets the clock to `end`. Everything in a slot happens at
    /// its end, in the order of due time, class, priority and sequence; what is scheduled for the same slot meanwhile as well.
    /// Then `poll` is called. A slot that ends after `end` waits for the next call.
    ///
    /// Without an active `poll` the scan ends with the last event.
    pub fn scan_until(
        &mut self,
        end: M::Time,
        poll: &mut impl Poll<M>,
        counters: &mut ScanCounters,
    ) -> Result<Stop, RunError<M::Time>> {
        let end = self.check_end(end)?;
        self.scan(end, poll, counters)
    }

    fn scan<P: Poll<M>>(
        &mut self,
        end: Option<M::Time>,
        poll: &mut P,
        counters: &mut ScanCounters,
    ) -> Result<Stop, RunError<M::Time>> {
        self.kernel.stop = false;
        let last = end.map_or(u64::MAX, |end| Q::slot_of(&self.kernel.queue, end));
        loop {
            if self.kernel.queue.is_empty() && !(P::ACTIVE && end.is_some()) {
                self.end_at(end);
                return Ok(Stop::QueueEmpty);
            }
            let Some(slot_end) = Q::end_of_slot(&self.kernel.queue) else { return Ok(Stop::EndReached) };
            if end.is_some_and(|end| slot_end.key() > end.key()) {
                self.end_at(end);
                return Ok(Stop::EndReached);
            }
            if let Some(stop) = self.visit(slot_end, poll, counters)? {
                return Ok(stop);
            }
            counters.skipped += Q::turn(&mut self.kernel.queue, last);
        }
    }

    /// Runs all that is due in the slot under the pointer, at its end. A stop leaves the rest to the next scan.
    #[inline]
    fn visit<P: Poll<M>>(
        &mut self,
        slot_end: M::Time,
        poll: &mut P,
        counters: &mut ScanCounters,
    ) -> Result<Option<Stop>, RunError<M::Time>> {
        let mut new_instant = slot_end.key() > self.kernel.now.key();
        if new_instant {
            counters.visited += 1;
            counters.empty += 1;
            self.kernel.move_clock(slot_end);
        }
        while let Some(record) = Q::pop_due(&mut self.kernel.queue) {
            let due = M::Time::from_key(record.time);
            let stop = match self.kernel.sort_out(record) {
                None => continue,
                Some(Found::Live(record)) => {
                    counters.empty -= u64::from(new_instant);
                    counters.events += 1;
                    let delay = slot_end.minus(due);
                    counters.total_delay += delay;
                    counters.largest_delay = counters.largest_delay.max(delay);
                    self.execute(record, slot_end, std::mem::take(&mut new_instant))?
                }
                Some(Found::Stale(record)) => self.tell_stale(record)?,
                Some(Found::Later | Found::Nothing) => None,
            };
            if stop.is_some() {
                return Ok(stop);
            }
        }
        if P::ACTIVE {
            let outcome = poll.poll(&mut self.model, &mut self.kernel);
            outcome.map_err(|source| RunError::Poll { time: slot_end, source })?;
        }
        Ok(self.kernel.stop.then_some(Stop::Requested))
    }
}
