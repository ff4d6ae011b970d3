//! What the options ask to be there while the discs fly.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use hard_discs::{Certificate, EventLog, HardDiscs, Hit};
use indicatif::{ProgressBar, ProgressStyle};
use saltus::observe::{GO_ON, Verdict};
use saltus::{BoxError, Entity, EventId, Header, Observer};

use super::plots::Plots;
use super::reel::Reel;
use super::run::Args;
use super::watch::Watch;
use super::whole_file::WholeFile;

/// All that watches a run.
pub(crate) struct Watchers {
    pub(crate) certificate: Option<Certificate>,
    log: Option<EventLog<WholeFile>>,
    samples: Option<Samples>,
    watch: Option<Watch>,
    reel: Option<Reel<2>>,
    plots: Option<Plots>,
    pace: Pace,
}

impl Watchers {
    pub(crate) fn new(args: &Args, model: &HardDiscs) -> Result<Watchers, BoxError> {
        let log = args.events.as_deref().map(|path| EventLog::new(WholeFile::create(path)?).map_err(BoxError::from));
        let samples = args.samples.as_deref().map(|path| Samples::new(WholeFile::create(path)?));
        let reel = args.movie.as_deref().map(|path| Reel::new(path, args.source.name(), model));
        let plots = args.plot.as_deref().map(|folder| Plots::new(folder, model, args.until));
        Ok(Watchers {
            certificate: args.certify.then(|| Certificate::new(model)),
            log: log.transpose()?,
            samples: samples.transpose()?,
            watch: args.watch.then(Watch::new),
            reel: reel.transpose()?,
            plots: plots.transpose()?,
            pace: Pace::new(args.until, args.max_events, args.watch),
        })
    }

    /// The run has ended: what is left to check is checked, and kept in the certificate.
    pub(crate) fn end(&mut self, model: &HardDiscs, now: f64) {
        self.pace.finish();
        if let Some(certificate) = &mut self.certificate {
            // It is reported from there.
            let _ = certificate.finish(model, now);
        }
        if let Some(reel) = &mut self.reel {
            reel.film.finish(now);
        }
        if let Some(plots) = &mut self.plots {
            plots.end(now);
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

impl Observer<HardDiscs> for Watchers {
    type Cause = ();

    fn scheduled(&mut self, event: &Header<f64>, hit: &Hit) {
        Observer::<HardDiscs>::scheduled(&mut self.certificate, event, hit);
    }

    fn touched(&mut self, entity: Entity, version: u64, by: Option<EventId>) {
        Observer::<HardDiscs>::touched(&mut self.certificate, entity, version, by);
    }

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        self.certificate.before(event, hit, model)?;
        self.log.before(event, hit, model)?;
        self.samples.before(event, hit, model)?;
        self.reel.before(event, hit, model)?;
        self.plots.before(event, hit, model)?;
        self.watch.before(event, hit, model)
    }

    fn after(&mut self, event: &Header<f64>, model: &HardDiscs) -> Verdict {
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

/// Ends the run after enough collisions, and moves the progress bar.
pub(crate) struct Pace {
    most: u64,
    until: f64,
    bar: ProgressBar,
    ticks: u32,
}

impl Pace {
    pub(crate) fn new(until: f64, most: Option<u64>, hidden: bool) -> Pace {
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(1000) };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}%  {msg}  {eta} left") {
            bar.set_style(style);
        }
        Pace { most: most.unwrap_or(u64::MAX), until, bar, ticks: 0 }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer<HardDiscs> for Pace {
    type Cause = ();

    fn after(&mut self, event: &Header<f64>, model: &HardDiscs) -> Verdict {
        let events = model.work().pairs + model.work().walls;
        self.ticks += 1;
        if self.ticks == 1024 {
            self.ticks = 0;
            let done = (event.time / self.until).max(events as f64 / self.most as f64);
            self.bar.set_position((1000.0 * done) as u64);
            self.bar.set_message(format!("t = {:.2}, {events} events", event.time));
        }
        if events >= self.most { ControlFlow::Break(MAX_EVENTS.to_owned()) } else { GO_ON }
    }
}

/// Writes every disc at every sample.
pub(crate) struct Samples {
    file: WholeFile,
    error: Option<std::io::Error>,
}

impl Samples {
    pub(crate) fn new(mut file: WholeFile) -> Result<Samples, BoxError> {
        writeln!(file, "time,disc,rx,ry,vx,vy")?;
        Ok(Samples { file, error: None })
    }

    fn write(&mut self, t: f64, model: &HardDiscs) -> std::io::Result<()> {
        for (i, (disc, [rx, ry])) in model.discs().iter().zip(model.positions_at(t)).enumerate() {
            let [vx, vy] = disc.velocity;
            writeln!(self.file, "{t},{i},{rx},{ry},{vx},{vy}")?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(), BoxError> {
        match self.error {
            Some(error) => Err(error.into()),
            None => self.file.finish(),
        }
    }
}

impl Observer<HardDiscs> for Samples {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
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
