//! `hard-discs run --movie`: the page that plays the run.

use std::io::Write;
use std::path::Path;

use hard_discs::movie::{Cast, Film, movie};
use hard_discs::{HardSpheres, Hit, Schedule};
use pictures::WholeFile;
use saltus::observe::Verdict;
use saltus::{BoxError, Header, Observer};

/// The film of a run that is being made, and where it goes.
pub(crate) struct Reel<const D: usize> {
    file: WholeFile,
    title: String,
    cast: Cast,
    pub(crate) film: Film<D>,
}

impl<const D: usize> Reel<D> {
    pub(crate) fn new<S: Schedule>(path: &Path, title: String, model: &HardSpheres<D, S>) -> Result<Self, BoxError> {
        Ok(Reel { file: WholeFile::create(path)?, title, cast: Cast::new(model), film: Film::new(model) })
    }

    pub(crate) fn finish(mut self) -> Result<(), BoxError> {
        self.file.write_all(movie(&self.title, self.cast, &self.film)?.as_bytes())?;
        Ok(self.file.finish()?)
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Reel<D> {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardSpheres<D, S>) -> Verdict {
        self.film.before(event, hit, model)
    }

    fn after(&mut self, event: &Header<f64>, model: &HardSpheres<D, S>) -> Verdict {
        self.film.after(event, model)
    }
}
