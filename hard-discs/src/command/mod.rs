//! What the subcommands share: where discs come from and where files go.

pub(crate) mod drill;
pub(crate) mod make;
pub(crate) mod reverse;
pub(crate) mod run;
pub(crate) mod step;
pub(crate) mod ties;
mod watch;

use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hard_discs::starts::{Start, make};
use hard_discs::{HardDiscs, input};
use saltus::BoxError;
use saltus::log::LogHeader;
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
    #[arg(long, value_name = "R", value_parser = positive)]
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

    /// Enters the source into the header of an event log.
    pub(crate) fn describe(&self, header: LogHeader) -> LogHeader {
        match (&self.file, self.start, self.random) {
            (Some(file), ..) => header.setting("file", file.display()),
            (None, Some(start), _) => {
                header.setting("start", start.to_possible_value().map_or(String::new(), |v| v.get_name().to_owned()))
            }
            (None, None, count) => header.setting("random", count.unwrap_or(0)),
        }
    }
}

impl Making {
    /// Enters how a start state was made.
    pub(crate) fn describe(&self, header: LogHeader) -> LogHeader {
        let header = LogHeader { seed: self.seed, ..header };
        match self.radius {
            Some(radius) => header.setting("radius", radius),
            None => header,
        }
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

/// A file that appears under its name only once it is whole.
pub(crate) struct WholeFile {
    path: PathBuf,
    temporary: BufWriter<NamedTempFile>,
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> Result<WholeFile, BoxError> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        // As an ordinary new file, less what the user's mask takes away.
        #[cfg(unix)]
        builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
        let temporary =
            builder.tempfile_in(folder).map_err(|error| format!("{}: cannot be written: {error}", path.display()))?;
        Ok(WholeFile { path: path.to_owned(), temporary: BufWriter::new(temporary) })
    }

    pub(crate) fn finish(self) -> Result<(), BoxError> {
        let name = self.path.display().to_string();
        let fail = |error: &dyn std::fmt::Display| format!("{name}: cannot be written: {error}");
        let temporary = self.temporary.into_inner().map_err(|error| fail(&error.error()))?;
        temporary.persist(&self.path).map_err(|error| fail(&error.error))?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.temporary.write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.temporary.flush()
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
