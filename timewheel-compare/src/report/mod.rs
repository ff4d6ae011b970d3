//! The report: parts, each with its experiment, its words and its files. Another part is its file and its line below.

mod cost;
mod discs;
mod haste;
mod latency;
mod quantise;
mod scan;

use saltus::BoxError;

/// A section of the page.
pub(crate) struct Part {
    /// The gist of it, for the top of the page.
    pub(crate) gist: String,
    /// The section, with a heading.
    pub(crate) text: String,
    /// Names and contents of files that go with it.
    pub(crate) files: Vec<(String, String)>,
}

type Make = fn() -> Result<Part, BoxError>;

/// The parts in their order, and what is being done while one is made.
pub(crate) const PARTS: &[(&str, Make)] = &[
    ("where events end up", quantise::make),
    ("waiting", scan::make),
    ("sweeping over haste", haste::make),
    ("latency", latency::make),
    ("timing", cost::make),
    ("discs", discs::make),
];

const OPENING: &str = "\
# Why event-driven?

A simulation can move its clock in two ways. A *time-driven* one pushes the clock on by a small, fixed piece and looks whether
anything happens there. An *event-driven* one keeps what is going to happen in order and leaps to the next. This page runs the
same models, unchanged, under both, and shows what the first way costs: time on the wall clock while nothing happens, and errors
when something does. All numbers are of the run that wrote the page; timings are of the machine that it ran on.

The drivers: the **event-driven** one of the kernel; the **quantising wheel**, which visits every slot and lets everything in it
happen at the slot's end; the **sorted-bucket wheel**, whose slots are only buckets, so that events keep their times; the
**bitmap-skipping wheel**, which quantises but leaps over empty slots; and the **fixed step** of textbooks, which advances all and
then looks. Slots are counted a second: 32 unless said otherwise, as in SimulationCraft.

In short:
";

/// The page, from its parts.
pub(crate) fn page(parts: &[Part]) -> String {
    let mut page = OPENING.to_owned();
    page.push('\n');
    for part in parts {
        page.push_str(&format!("- {}\n", part.gist));
    }
    for part in parts {
        page.push('\n');
        page.push_str(&part.text);
    }
    page
}
