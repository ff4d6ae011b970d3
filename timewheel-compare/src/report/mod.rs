//! The report: parts, each with its experiment, its words, its files. Another part is its file and its line below.

use saltus::BoxError;

/// A section of the page, and the files that go with it.
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) files: Vec<(String, String)>,
}

type Make = fn() -> Result<Part, BoxError>;

pub(crate) const TITLE: &str = "# Why event-driven?\n";

pub(crate) fn parts() -> Vec<(&'static str, Make)> {
    vec![]
}
