//! What the commands show to people: [charts](Chart) as SVG, [pages](Page) that are one file and need no
//! network, and [files](WholeFile) that are whole or not there.

#![warn(missing_docs)]

mod chart;
mod column;
mod file;
mod page;

pub use chart::{Axis, Chart, Corner, Look, Series};
pub use column::{integers, numbers};
pub use file::{WholeFile, check_outputs};
pub use page::Page;

/// Why a picture cannot be drawn.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
