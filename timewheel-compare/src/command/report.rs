//! `timewheel-compare report`: everything, as one page.

use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use pictures::WholeFile;

use super::Outcome;
use crate::report::{PARTS, page};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder to write to; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Outcome {
    std::fs::create_dir_all(&args.out).map_err(|error| format!("{}: cannot be made: {error}", args.out.display()))?;
    let begin = Instant::now();
    let style = ProgressStyle::with_template("{pos}/{len} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
    let progress = ProgressBar::new(PARTS.len() as u64).with_style(style);
    let mut parts = Vec::new();
    for (doing, make) in PARTS {
        progress.set_message(*doing);
        progress.tick();
        let part = make()?;
        for (name, content) in &part.files {
            WholeFile::write(&args.out.join(name), content)?;
        }
        parts.push(part);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let file = args.out.join("report.md");
    WholeFile::write(&file, &page(&parts))?;
    println!("{} written in {:.1} s", file.display(), begin.elapsed().as_secs_f64());
    Ok(())
}
