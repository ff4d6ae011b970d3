//! Files that are there as a whole or not at all.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use saltus::BoxError;
use tempfile::NamedTempFile;

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
    // The error itself would name the temporary file, of which nobody has heard: its kind is enough.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
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
