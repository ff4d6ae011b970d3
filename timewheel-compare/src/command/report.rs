//! `timewheel-compare report`: everything, as one page.

use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Outcome, inside, write_whole};
use crate::report::{Part, parts};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder to write to; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Outcome {
    std::fs::create_dir_all(&args.out).map_err(|error| format!("{}: cannot be made: {error}", args.out.display()))?;
    let begin = Instant::now();
    let parts = parts();
    let style = ProgressStyle::with_template("{pos}/{len} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
    let progress = ProgressBar::new(parts.len() as u64).with_style(style);
    let mut page = String::from(crate::report::TITLE);
    for (name, part) in parts {
        progress.set_message(name);
        progress.tick();
        let Part { text, files } = part()?;
        for (name, content) in files {
            write_whole(&inside(&args.out, &name), &content)?;
        }
        page.push('\n');
        page.push_str(&text);
        progress.inc(1);
    }
    progress.finish_and_clear();
    write_whole(&inside(&args.out, "report.md"), &page)?;
    println!("{} written in {:.1} s", inside(&args.out, "report.md").display(), begin.elapsed().as_secs_f64());
    Ok(())
}
