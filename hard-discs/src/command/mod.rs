//! What the subcommands share: where discs come from and where files go.

pub(crate) mod drill;
pub(crate) mod make;
pub(crate) mod reverse;
pub(crate) mod run;
pub(crate) mod step;
mod watch;

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hard_discs::starts::{Start, make};
use hard_discs::{HardDiscs, input};
use saltus::BoxError;
use tempfile::NamedTempFile;

pub(crate) type Outcome = Result<ExitCode, BoxError>;

/// Where the discs come from.
#[derive(Args, Clone)]
#[group(required = true, multiple = false)]
pub(crate) struct Source {
    /// A file in the textbook's format: N, then `rx ry vx vy radius mass [r g b]` a line; - is standard input
    file: Option<PathBuf>,
    /// A start state, as `make` writes it
    #[arg(long, value_enum, value_name = "NAME")]
    start: Option<Start>,
    /// That many discs at random places
    #[arg(long, value_name = "N")]
    random: Option<usize>,
}

/// How start states are made.
#[derive(Args, Clone)]
pub(crate) struct Making {
    /// Radius of the discs of a start state that has discs at random places
    #[arg(long, value_name = "R", value_parser = positive, allow_negative_numbers = true)]
    radius: Option<f64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Source {
    pub(crate) fn discs(&self, making: &Making) -> Result<HardDiscs, BoxError> {
        Ok(match (&self.file, self.start) {
            (Some(file), _) => input::read(file)?,
            (None, Some(start)) => make(start, None, making.radius, making.seed)?,
            (None, None) => make(Start::Random, self.random, making.radius, making.seed)?,
        })
    }
}

/// For clap: a finite number above zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        Ok(_) => Err("must be a finite number above zero".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// For clap: a finite number, not negative.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        Ok(_) => Err("must be a finite number, zero or more".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// A file that appears under its name only once it is whole. What is no ordinary file, a pipe or a device, is written straight
/// away and never replaced.
pub(crate) struct WholeFile {
    path: PathBuf,
    out: BufWriter<Target>,
}

enum Target {
    Temporary(NamedTempFile),
    Straight(File),
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> Result<WholeFile, BoxError> {
        let target = if path.metadata().is_ok_and(|about| !about.is_file()) {
            OpenOptions::new().write(true).open(path).map(Target::Straight)
        } else {
            temporary_for(path).map(Target::Temporary)
        };
        Ok(WholeFile {
            path: path.to_owned(),
            out: BufWriter::new(target.map_err(|error| cannot_write(path, &error))?),
        })
    }

    pub(crate) fn finish(self) -> Result<(), BoxError> {
        let fail = |error: &io::Error| cannot_write(&self.path, error);
        match self.out.into_inner().map_err(|error| fail(error.error()))? {
            Target::Temporary(file) => file.persist(&self.path).map(|_| ()).map_err(|error| fail(&error.error))?,
            Target::Straight(_) => {}
        }
        Ok(())
    }
}

fn temporary_for(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // As an ordinary new file, less what the user's mask takes away.
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("{}: cannot be written: {error}", path.display())
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Temporary(file) => file.write(bytes),
            Target::Straight(file) => file.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Temporary(file) => file.flush(),
            Target::Straight(file) => file.flush(),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints to standard output. A reader that has seen enough and closed the pipe is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Ends the program quietly, as other filters do, when nobody reads its output any more.
pub(crate) fn quiet_on_broken_pipe() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        if message.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(info);
    }));
}
