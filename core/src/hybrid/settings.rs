//! How a trajectory is computed, and what is written down of it.

use super::error::Error;
use super::guard::Chatter;

/// How a trajectory is computed, and what is written down of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// No step is longer. A step is looked at in eight places, so what an indicator does between them can be missed: this makes
    /// them closer.
    pub max_step: f64,
    /// How far the time of an event may lie behind the crossing, relative to the step; two roundings of the time are added, which
    /// is all there is by default. It is no tolerance of the integrator, and saves next to nothing.
    pub event_tolerance: f64,
    /// Whether crossings are located. If not, a step is looked at where it ends, and an event happens there.
    pub locate: bool,
    /// Passes of one instant before it is an error that something still changes.
    pub iteration_limit: u32,
    /// When closely spaced state events are an error.
    pub chatter: Chatter,
    /// Whether events are written to the log.
    pub log: bool,
    /// Rows of output at `start + k * interval`, and two at each event; `None` for no rows at all.
    pub output_interval: Option<f64>,
}

impl Default for Settings {
    /// Steps of any length, events to two roundings of their time, 100 passes, 100 events within 1e-4 of one another are chatter, a log, no
    /// rows.
    fn default() -> Self {
        Settings {
            max_step: f64::INFINITY,
            event_tolerance: 0.0,
            locate: true,
            iteration_limit: 100,
            chatter: Chatter { spacing: 1e-4, count: 100 },
            log: true,
            output_interval: None,
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), Error> {
        let is_positive = |name, value: f64| if value > 0.0 { Ok(()) } else { Err(Error::BadSetting { name, value }) };
        is_positive("max_step", self.max_step)?;
        is_positive("output_interval", self.output_interval.unwrap_or(1.0))?;
        is_positive("iteration_limit", f64::from(self.iteration_limit))?;
        is_positive("chatter.count", f64::from(self.chatter.count))?;
        if self.event_tolerance >= 0.0 {
            Ok(())
        } else {
            Err(Error::BadSetting { name: "event_tolerance", value: self.event_tolerance })
        }
    }
}
