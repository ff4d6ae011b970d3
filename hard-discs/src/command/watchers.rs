//! What the options ask to be there while the discs fly.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use hard_discs::{Certificate, EventLog, HardSpheres, Hit, Schedule};
use pictures::WholeFile;
use saltus::observe::{GO_ON, Verdict};
use saltus::{BoxError, Entity, EventId, Header, Observer};

use super::plots::Plots;
use super::progress::Progress;
use super::reel::Reel;
use super::run::Args;
use super::watch::Watch;

/// All that watches a run.
pub(crate) struct Watchers<const D: usize> {
    pub(crate) certificate: Option<Certificate<D>>,
    log: Option<EventLog<WholeFile>>,
    samples: Option<Samples>,
    watch: Option<Watch>,
    reel: Option<Reel<D>>,
    plots: Option<Plots>,
    pace: Pace,
}

impl<const D: usize> Watchers<D> {
    pub(crate) fn new<S: Schedule>(args: &Args, model: &HardSpheres<D, S>) -> Result<Watchers<D>, BoxError> {
        let log = args.events.as_deref().map(|path| EventLog::new(WholeFile::create(path)?).map_err(BoxError::from));
        let samples = args.samples.as_deref().map(|path| Samples::new::<D>(WholeFile::create(path)?));
        let reel = args.movie.as_deref().map(|path| Reel::new(path, args.source.title(), model));
        let plots = args.plot.as_deref().map(|folder| Plots::new(folder, model, args.end().until));
        Ok(Watchers {
            certificate: args.certify.then(|| Certificate::new(model)),
            log: log.transpose()?,
            samples: samples.transpose()?,
            watch: args.watch.then(Watch::new),
            reel: reel.transpose()?,
            plots: plots.transpose()?,
            pace: Pace::new(args.end(), args.watch),
        })
    }

    /// The run has ended: what is left to check is checked, and kept in the certificate.
    pub(crate) fn end<S: Schedule>(&mut self, model: &HardSpheres<D, S>, now: f64) {
        if let Some(certificate) = &mut self.certificate {
            // It is reported from there.
            let _ = certificate.finish(model, now);
        }
        if let Some(reel) = &mut self.reel {
            reel.film.finish(model.elapsed() + now);
        }
        if let Some(plots) = &mut self.plots {
            plots.end(model.elapsed() + now);
        }
    }

    /// How long the run has waited for somebody to see the pictures.
    pub(crate) fn waited(&self) -> Duration {
        self.watch.as_ref().map_or(Duration::ZERO, |watch| watch.waited)
    }

    /// Makes the files whole.
    pub(crate) fn finish(self) -> Result<(), BoxError> {
        if let Some(log) = self.log {
            log.finish()?.finish()?;
        }
        self.reel.map_or(Ok(()), Reel::finish)?;
        self.plots.map_or(Ok(()), Plots::finish)?;
        self.samples.map_or(Ok(()), Samples::finish)
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Watchers<D> {
    type Cause = ();

    fn scheduled(&mut self, event: &Header<f64>, hit: &Hit) {
        Observer::<HardSpheres<D, S>>::scheduled(&mut self.certificate, event, hit);
    }

    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        Observer::<HardSpheres<D, S>>::touched(&mut self.certificate, entity, version, by);
    }

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardSpheres<D, S>) -> Verdict {
        self.certificate.before(event, hit, model)?;
        self.log.before(event, hit, model)?;
        self.samples.before(event, hit, model)?;
        self.reel.before(event, hit, model)?;
        self.plots.before(event, hit, model)?;
        self.watch.before(event, hit, model)
    }

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<D, S>) -> Verdict {
        // All are told in any case: the event has happened.
        let certified = self.certificate.after(event, model);
        let logged = self.log.after(event, model);
        let filmed = self.reel.after(event, model);
        let plotted = self.plots.after(event, model);
        let paced = self.pace.after(event, model);
        certified?;
        logged?;
        filmed?;
        plotted?;
        paced
    }
}

pub(crate) const MAX_EVENTS: &str = "as many collisions as asked for";

/// Where a run is to end.
#[derive(Clone, Copy)]
pub(crate) struct End {
    /// Simulated time.
    pub(crate) until: f64,
    /// Collisions with others and walls.
    pub(crate) events: Option<u64>,
    /// Pair collisions.
    pub(crate) pairs: Option<u64>,
}

/// Ends the run after enough collisions, and moves the progress bar.
pub(crate) struct Pace {
    end: End,
    progress: Progress,
    ticks: u32,
    /// Collisions when the bar was moved last.
    last: u64,
}

impl Pace {
    pub(crate) fn new(end: End, is_hidden: bool) -> Pace {
        Pace { end, progress: Progress::new(is_hidden), ticks: 0, last: 0 }
    }

    fn show(&mut self, t: f64, pairs: u64, events: u64) {
        let part = |done: u64, all: Option<u64>| all.map_or(0.0, |all| done as f64 / all as f64);
        let done = (t / self.end.until).max(part(events, self.end.events)).max(part(pairs, self.end.pairs));
        let last = &mut self.last;
        self.progress.show(done, |since| {
            let rate = (events - *last) as f64 / since.as_secs_f64();
            *last = events;
            format!("t = {t:.2}, {events} collisions, {rate:.0} a second")
        });
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Pace {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<D, S>) -> Verdict {
        let (pairs, events) = (model.work().pairs, model.work().pairs + model.work().walls);
        self.ticks += 1;
        if self.ticks == 4096 {
            self.ticks = 0;
            self.show(model.elapsed() + event.time, pairs, events);
        }
        if self.end.events.is_some_and(|most| events >= most) {
            ControlFlow::Break(MAX_EVENTS.to_owned())
        } else {
            GO_ON
        }
    }
}

/// Writes every particle at every sample.
pub(crate) struct Samples {
    file: WholeFile,
    error: Option<std::io::Error>,
}

impl Samples {
    pub(crate) fn new<const D: usize>(mut file: WholeFile) -> Result<Samples, BoxError> {
        writeln!(file, "time,{}", if D == 2 { "disc,rx,ry,vx,vy" } else { "sphere,rx,ry,rz,vx,vy,vz" })?;
        Ok(Samples { file, error: None })
    }

    fn write<const D: usize, S: Schedule>(&mut self, t: f64, model: &HardSpheres<D, S>) -> std::io::Result<()> {
        let now = model.elapsed() + t;
        for (i, place) in model.positions_at(t).enumerate() {
            write!(self.file, "{now},{i}")?;
            for number in place.into_iter().chain(model.disc(i).velocity) {
                write!(self.file, ",{number}")?;
            }
            writeln!(self.file)?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(), BoxError> {
        match self.error {
            Some(error) => Err(error.into()),
            None => Ok(self.file.finish()?),
        }
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Samples {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardSpheres<D, S>) -> Verdict {
        if *hit == Hit::Sample
            && let Err(error) = self.write(event.time, model)
        {
            let reason = format!("the samples cannot be written: {error}");
            self.error = Some(error);
            return ControlFlow::Break(reason);
        }
        GO_ON
    }
}
