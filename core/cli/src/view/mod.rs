//! A log as a page to look at: one file with everything in it, which needs no network.

mod data;

use std::io::{self, Write};

use saltus::log::Log;

use data::Data;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

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

/// Writes the page of a log.
pub(crate) fn page(mut out: impl Write, log: &Log) -> io::Result<()> {
    for part in PAGE.split("{{") {
        let Some((name, text)) = part.split_once("}}") else {
            out.write_all(part.as_bytes())?;
            continue;
        };
        match name {
            "style" => out.write_all(STYLE.as_bytes())?,
            // Nothing but `<` can end a script early or open a comment in it, and JSON has it in texts alone.
            "log" => out.write_all(serde_json::to_string(&Data::of(log))?.replace('<', r"\u003c").as_bytes())?,
            "script" => SCRIPTS.iter().try_for_each(|script| out.write_all(script.as_bytes()))?,
            name => unreachable!("the page has no place {name}"),
        }
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}
