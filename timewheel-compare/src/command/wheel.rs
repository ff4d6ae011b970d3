//! `timewheel-compare wheel`: the wheel drawn.

use std::path::PathBuf;

use pictures::WholeFile;
use saltus::driver::Slots;
use timewheel_compare::plots::{wheel_as_svg, wheel_as_text};

use super::{Outcome, Resolution, Unit, Wheel};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    wheel: Wheel,
    /// The time that the pointer has come to, in seconds
    #[arg(long, value_name = "S", default_value = "6")]
    at: String,
    /// Write the drawing as SVG; otherwise it is printed in characters
    #[arg(long, value_name = "OUT.svg")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Outcome {
    let settings = args.wheel.settle();
    let resolution = Resolution::Millisecond;
    let slots = settings.wheel(resolution.ticks())?.slots;
    let slot = slots.slot_of(resolution.parse(&args.at, Unit::Seconds)?);
    match args.out {
        Some(path) => Ok(WholeFile::write(&path, &wheel_as_svg(&settings, slot))?),
        None => {
            print!("{}", wheel_as_text(&settings, slot));
            Ok(())
        }
    }
}
