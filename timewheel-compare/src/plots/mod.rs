//! Plots as SVG, to be read in black and white: lines differ by dashes and marks, not by colour.

mod wheel;

pub use pictures::{Axis, Chart, Corner, Look, Series};
pub use wheel::{wheel_as_svg, wheel_as_text};
