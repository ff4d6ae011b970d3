//! What `hard-discs run` prints when a run has ended.

use std::fmt::Write as _;

use hard_discs::{Certificate, Estimate, HardSpheres, Measured, Schedule, Violation, Work, Worst};
use saltus::Counters;
use serde::Serialize;

use super::totals::Totals;

#[derive(Serialize)]
pub(crate) struct Summary {
    dim: usize,
    n: usize,
    simulated_time: f64,
    stopped: String,
    pair_events: u64,
    wall_events: u64,
    shared_contacts: u64,
    predictions: u64,
    pushes: u64,
    stale: u64,
    swept: u64,
    largest_queue: usize,
    energy: f64,
    energy_drift: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    momentum_drift: Option<f64>,
    wall_clock_seconds: f64,
    events_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) certificate: Option<Certified>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) work_per_collision: Option<PerCollision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) measured: Option<Measured>,
}

#[derive(Serialize)]
pub(crate) struct Certified {
    pub(crate) holds: bool,
    events_checked: u64,
    worst: Worst,
    violation: Option<Violation>,
}

#[derive(Serialize)]
pub(crate) struct PerCollision {
    moves: f64,
    predictions: f64,
    pushes: f64,
    compares: f64,
    stale_or_swept: f64,
}

impl Summary {
    pub(crate) fn new<const D: usize, S: Schedule>(
        model: &HardSpheres<D, S>,
        before: &Totals<D>,
        now: f64,
        stopped: String,
        counters: &Counters,
        seconds: f64,
        certificate: Option<&Certificate<D>>,
    ) -> Summary {
        let work = model.work();
        let totals = Totals::of(model);
        Summary {
            dim: D,
            n: model.len(),
            simulated_time: now,
            stopped,
            pair_events: work.pairs,
            wall_events: work.walls,
            shared_contacts: work.shared_contacts,
            predictions: work.predictions,
            pushes: counters.scheduled,
            stale: counters.stale,
            swept: counters.swept,
            largest_queue: counters.largest_queue,
            energy: totals.energy,
            energy_drift: totals.energy_drift(before),
            momentum_drift: totals.momentum_drift(before),
            wall_clock_seconds: seconds,
            events_per_second: (work.pairs + work.walls) as f64 / seconds,
            certificate: certificate.map(|certificate| Certified {
                holds: certificate.violation().is_none(),
                events_checked: certificate.events(),
                worst: *certificate.worst(),
                violation: certificate.violation().cloned(),
            }),
            work_per_collision: None,
            measured: None,
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut rows = vec![
            (if self.dim == 2 { "discs" } else { "spheres" }, self.n.to_string()),
            ("simulated time", format!("{} ({})", self.simulated_time, self.stopped)),
            ("pair events", self.pair_events.to_string()),
            ("wall events", self.wall_events.to_string()),
            ("predictions", self.predictions.to_string()),
            ("pushes", self.pushes.to_string()),
            ("stale, swept events", format!("{}, {}", self.stale, self.swept)),
            ("largest queue", self.largest_queue.to_string()),
            ("energy", format!("{:e}, drift {:.1e}", self.energy, self.energy_drift)),
            ("wall-clock", format!("{:.3} s, {:.0} events/s", self.wall_clock_seconds, self.events_per_second)),
        ];
        if let Some(drift) = self.momentum_drift {
            rows.push(("momentum", format!("drift {drift:.1e}")));
        }
        if self.shared_contacts > 0 {
            let note = "simultaneous contacts of one particle, resolved in the order of their scheduling";
            rows.push(("shared contacts", format!("{} ({note})", self.shared_contacts)));
        }
        if let Some(Certified { events_checked, worst, violation, .. }) = &self.certificate {
            rows.push((
                "certificate",
                match violation {
                    None => format!("holds over {events_checked} events"),
                    Some(violation) => format!("BROKEN: {violation}"),
                },
            ));
            rows.push((
                "worst deviations",
                format!(
                    "contact {:.1e}, overlap {:.1e}, momentum {:.1e}, energy {:.1e}",
                    worst.contact, worst.overlap, worst.momentum, worst.energy
                ),
            ));
        }
        if let Some(measured) = &self.measured {
            rows.push((
                "measured",
                format!("{} pair collisions in {:.6} units of time", measured.collisions, measured.time),
            ));
            rows.push(("  kT", with_error(measured.temperature)));
            rows.push(("  pressure", with_error(measured.pressure)));
            rows.push(("  Z = P V / (N kT)", with_error(measured.compressibility)));
            rows.push(("  collision rate", format!("{} a particle", with_error(measured.rate))));
        }
        if let Some(work) = &self.work_per_collision {
            rows.push(("work per collision", String::new()));
            rows.push(("  moves", format!("{:.2} (claim O(1); the textbook's loop moves all {})", work.moves, self.n)));
            rows.push(("  predictions", format!("{:.1} (claim O(N), N = {})", work.predictions, self.n)));
            rows.push(("  pushes", format!("{:.2} (the contacts among them that come at all)", work.pushes)));
            let depth = (self.largest_queue.max(2) as f64).log2();
            rows.push((
                "  compares",
                format!("{:.1} (claim O(log Q) a push or pop, log2 Q = {depth:.1})", work.compares),
            ));
            rows.push(("  stale or swept", format!("{:.2}", work.stale_or_swept)));
        }
        let mut text = String::new();
        for (name, value) in rows {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", format!("{name:<20} {value}").trim_end());
        }
        text
    }
}

/// A value with as many digits as its error leaves, two of which are shown.
pub(crate) fn with_error(estimate: Estimate) -> String {
    let Estimate { value, error } = estimate;
    match error {
        Some(error) if error > 1e-12 * value.abs() => {
            let digits = (1.0 - error.log10().floor()).clamp(0.0, 15.0) as usize;
            format!("{value:.digits$} +- {error:.digits$}")
        }
        _ => format!("{value:.12}"),
    }
}

impl PerCollision {
    pub(crate) fn new(work: &Work, counters: &Counters, compares: Option<u64>) -> PerCollision {
        let collisions = (work.pairs + work.walls).max(1) as f64;
        PerCollision {
            moves: work.moves as f64 / collisions,
            predictions: work.predictions as f64 / collisions,
            pushes: counters.scheduled as f64 / collisions,
            compares: compares.unwrap_or(0) as f64 / collisions,
            stale_or_swept: (counters.stale + counters.swept) as f64 / collisions,
        }
    }
}
