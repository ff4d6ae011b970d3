//! `hard-discs make`: start states.

use std::path::PathBuf;
use std::process::ExitCode;

use hard_discs::input;
use hard_discs::starts::{Start, make};
use std::io::Write;

use super::{Making, Outcome, WholeFile, print};

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
    let model = make(args.name, args.n, args.making.radius, args.making.seed)?;
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
