//! `hard-discs make`: start states.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use hard_discs::input;
use hard_discs::starts::Start;

use super::source::Making;
use super::whole_file::WholeFile;
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
            let mut file = WholeFile::create(&path)?;
            file.write_all(text.as_bytes())?;
            file.finish()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
