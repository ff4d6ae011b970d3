//! A log as a page to look at: one file with everything in it, which needs no network.

mod data;

use pictures::Page;
use saltus::log::Log;

use data::Data;

/// In the order in which they build on each other.
const SCRIPTS: [&str; 9] = [
    include_str!("numbers.js"),
    include_str!("log.js"),
    include_str!("camera.js"),
    include_str!("focus.js"),
    include_str!("grid.js"),
    include_str!("overview.js"),
    include_str!("draw.js"),
    include_str!("panel.js"),
    include_str!("main.js"),
];

/// The page of a log.
pub(crate) fn page(log: &Log) -> serde_json::Result<String> {
    let page = Page {
        title: &format!("{} · saltus", log.header.model),
        styles: &[include_str!("style.css")],
        body: &[include_str!("page.html")],
        scripts: &SCRIPTS,
    };
    page.html(&Data::of(log))
}
