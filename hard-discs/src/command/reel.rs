//! `hard-discs run --movie`: the page that plays the run.

use std::io::Write;
use std::path::Path;

use hard_discs::movie::{Cast, Film, movie};
use hard_discs::{HardDiscs, Hit};
use saltus::observe::Verdict;
use saltus::{BoxError, Header, Observer};

use super::whole_file::WholeFile;

/// The film of a run that is being made, and where it goes.
pub(crate) struct Reel {
    file: WholeFile,
    title: String,
    cast: Cast,
    pub(crate) film: Film,
}

impl Reel {
    pub(crate) fn new(path: &Path, title: String, model: &HardDiscs) -> Result<Reel, BoxError> {
        Ok(Reel { file: WholeFile::create(path)?, title, cast: Cast::new(model), film: Film::new(model) })
    }

    pub(crate) fn finish(mut self) -> Result<(), BoxError> {
        self.file.write_all(movie(&self.title, self.cast, &self.film)?.as_bytes())?;
        self.file.finish()
    }
}

impl Observer<HardDiscs> for Reel {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        self.film.before(event, hit, model)
    }

    fn after(&mut self, event: &Header<f64>, model: &HardDiscs) -> Verdict {
        self.film.after(event, model)
    }
}
