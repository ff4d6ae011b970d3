//! The time-driven driver: time pushes events, slot by slot.

use super::SlottedQueue;
use crate::error::RunError;
use crate::kernel::Found;
use crate::model::{Context, Model, Outcome};
use crate::observe::Observer;
use crate::simulation::{Simulation, Stop};
use crate::time::Time;

/// Is called once for every slot, after its events, with the clock at the slot's end: no slot is leapt over while there is an
/// active poll. What it schedules for now still runs in the same slot. `()` does nothing.
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

/// What a time-driven clock has cost. Hand the same counters to every scan of a simulation: they also know how far the slot
/// under the pointer has got.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScanCounters {
    /// Slots that the pointer stood on.
    pub visited: u64,
    /// Those of them in which no event ran.
    pub empty: u64,
    /// Empty slots that were leapt over.
    pub skipped: u64,
    /// Events that ran at the end of a slot.
    pub events: u64,
    /// The sum of their delays.
    pub total_delay: f64,
    /// The largest of their delays.
    pub largest_delay: f64,
    /// No event has run yet in the slot under the pointer.
    quiet: bool,
    /// It has yet to be polled.
    unpolled: bool,
}

impl ScanCounters {
    /// The mean delay of an event; 0 if there was none.
    pub fn mean_delay(&self) -> f64 {
        if self.events == 0 { 0.0 } else { self.total_delay / self.events as f64 }
    }

    fn open_slot(&mut self) {
        self.visited += 1;
        self.empty += 1;
        (self.quiet, self.unpolled) = (true, true);
    }

    fn add_event(&mut self, delay: f64) {
        self.empty -= u64::from(std::mem::take(&mut self.quiet));
        self.events += 1;
        self.total_delay += delay;
        self.largest_delay = self.largest_delay.max(delay);
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
        self.kernel.stop = false;
        self.scan(end, poll, counters)
    }

    fn scan<P: Poll<M>>(
        &mut self,
        end: Option<M::Time>,
        poll: &mut P,
        counters: &mut ScanCounters,
    ) -> Result<Stop, RunError<M::Time>> {
        let last = match end {
            // Every slot is polled, so none is leapt over.
            _ if P::ACTIVE => 0,
            Some(end) => Q::slot_of(&self.kernel.queue, end),
            None => u64::MAX,
        };
        Q::turn_back(&mut self.kernel.queue);
        let mut done_here = false;
        loop {
            if self.kernel.counters.pending() == 0 && !(P::ACTIVE && end.is_some()) {
                self.end_at(end);
                return Ok(Stop::QueueEmpty);
            }
            if done_here {
                counters.skipped += Q::turn(&mut self.kernel.queue, last);
            }
            let slot_end = Q::end_of_slot(&self.kernel.queue);
            let Some(slot_end) = slot_end.filter(|slot_end| end.is_none_or(|end| slot_end.key() <= end.key())) else {
                self.end_at(end);
                return Ok(Stop::EndReached);
            };
            if let Some(stop) = self.visit(slot_end, poll, counters)? {
                return Ok(stop);
            }
            if end.is_some_and(|end| slot_end.key() == end.key()) {
                // The pointer stays: what is scheduled from outside for this time still belongs to this slot.
                let empty = self.kernel.counters.pending() == 0;
                return Ok(if empty { Stop::QueueEmpty } else { Stop::EndReached });
            }
            done_here = true;
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
        if slot_end.key() > self.kernel.now.key() {
            counters.open_slot();
            self.kernel.move_clock(slot_end);
            self.kernel.instant.open_to_outside();
        }
        let stop = self.run_due(slot_end, counters)?;
        if !P::ACTIVE || stop.is_some() || !std::mem::take(&mut counters.unpolled) {
            return Ok(stop);
        }
        let outcome = poll.poll(&mut self.model, &mut self.kernel);
        outcome.map_err(|source| RunError::Poll { time: slot_end, source })?;
        if self.kernel.stop {
            return Ok(Some(Stop::Requested));
        }
        self.run_due(slot_end, counters)
    }

    #[inline]
    fn run_due(&mut self, slot_end: M::Time, counters: &mut ScanCounters) -> Result<Option<Stop>, RunError<M::Time>> {
        let mut latest = None;
        while let Some(record) = Q::pop_due(&mut self.kernel.queue) {
            let time = record.time;
            let stop = match self.kernel.sort_out(record) {
                None | Some(Found::Later | Found::Nothing) => continue,
                Some(Found::Live(record)) => {
                    // Due times that go on are progress, though the clock stands: a short period in a long slot is no loop.
                    let progress = latest.replace(time).is_some_and(|latest| time > latest);
                    let before = self.kernel.counters.executed;
                    let outcome = self.execute(record, slot_end, progress);
                    // An observer may have held it back.
                    if self.kernel.counters.executed > before {
                        counters.add_event(slot_end.minus(M::Time::from_key(time)));
                    }
                    outcome?
                }
                Some(Found::Stale(record)) => self.tell_stale(record)?,
            };
            if stop.is_some() {
                return Ok(stop);
            }
        }
        Ok(None)
    }
}
