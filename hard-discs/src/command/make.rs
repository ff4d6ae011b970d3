//! `hard-discs make`: start states.

use std::path::PathBuf;
use std::process::ExitCode;

use hard_discs::input;
use hard_discs::starts::Start;
use pictures::WholeFile;

use super::source::Making;
use super::{Outcome, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which start state
    #[arg(value_enum)]
    name: Start,
    /// How many small discs, where there are any
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    #[command(flatten)]
    making: Making,
    /// File to write; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Outcome {
    let model = args.making.make(args.name, args.n)?;
    let text = input::write(&model, 0.0);
    match args.out {
        None => print(&text)?,
        Some(path) => {
            WholeFile::write(&path, &text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
