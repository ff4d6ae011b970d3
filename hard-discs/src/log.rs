//! The event file: one line an executed event.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::ops::ControlFlow;

use saltus::observe::{GO_ON, Verdict};
use saltus::{Header, Model, Observer};

use crate::model::{HardDiscs, HardSpheres, Hit, Schedule};

/// Writes `seq,time,kind,a,b` lines. `seq` counts collisions from 1, so samples do not change the file; times read back to the
/// same bits; `b` is empty for walls.
pub struct EventLog<W: Write> {
    out: W,
    rows: u64,
    hit: Hit,
    error: Option<io::Error>,
}

impl<W: Write> EventLog<W> {
    /// Writes the heading.
    pub fn new(mut out: W) -> io::Result<Self> {
        writeln!(out, "seq,time,kind,a,b")?;
        Ok(EventLog { out, rows: 0, hit: Hit::Sample, error: None })
    }

    /// The writer, all written; or the error that ended the run.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn row(&mut self, time: impl Display) -> io::Result<()> {
        let (seq, kind) = (self.rows, HardDiscs::kind(&self.hit));
        match self.hit {
            Hit::Pair(a, b) => writeln!(self.out, "{seq},{time},{kind},{a},{b}"),
            Hit::Wall(a, _) => writeln!(self.out, "{seq},{time},{kind},{a},"),
            Hit::Sample | Hit::Look(..) => Ok(()),
        }
    }
}

impl<const D: usize, S: Schedule, W: Write> Observer<HardSpheres<D, S>> for EventLog<W> {
    type Cause = ();

    fn before(&mut self, _: &Header<f64>, hit: &Hit, _: &HardSpheres<D, S>) -> Verdict {
        self.hit = *hit;
        GO_ON
    }

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<D, S>) -> Verdict {
        self.rows += u64::from(self.hit.is_collision());
        match self.row(Moment { elapsed: model.elapsed(), clock: event.time }) {
            Ok(()) => GO_ON,
            Err(error) => {
                let reason = format!("the event file cannot be written: {error}");
                self.error = Some(error);
                ControlFlow::Break(reason)
            }
        }
    }
}

/// A time since the beginning: what was on the clock before it was set back, a whole number where it is large, and what is on
/// it now. It is written to the last digit of both.
struct Moment {
    elapsed: f64,
    clock: f64,
}

impl Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = self.elapsed + self.clock;
        if sum - self.elapsed == self.clock || self.elapsed.fract() != 0.0 {
            return write!(f, "{sum}");
        }
        let clock = self.clock.to_string();
        let fraction = clock.split_once('.').map_or("0", |(_, fraction)| fraction);
        write!(f, "{}.{fraction}", self.elapsed + self.clock.trunc())
    }
}
