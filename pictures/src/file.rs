//! Files that are there as a whole or not at all.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that appears under its name only once it is whole. What is no ordinary file, a pipe or a device, is written straight
/// away and never replaced. Errors name the file.
pub struct WholeFile {
    path: PathBuf,
    out: BufWriter<Target>,
}

enum Target {
    Temporary(NamedTempFile),
    Straight(File),
}

impl WholeFile {
    /// Begins a file, beside the place where it is to be.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let target = if is_special(path) {
            OpenOptions::new().write(true).open(path).map(Target::Straight)
        } else {
            temporary_for(path).map(Target::Temporary)
        };
        let out = BufWriter::new(target.map_err(|error| cannot_write(path, &error))?);
        Ok(WholeFile { path: path.to_owned(), out })
    }

    /// Gives it its name.
    pub fn finish(self) -> io::Result<()> {
        let fail = |error: &io::Error| cannot_write(&self.path, error);
        match self.out.into_inner().map_err(|error| fail(error.error()))? {
            Target::Temporary(file) => file.persist(&self.path).map(|_| ()).map_err(|error| fail(&error.error)),
            Target::Straight(_) => Ok(()),
        }
    }

    /// Writes a file of which all is known.
    pub fn write(path: &Path, content: &str) -> io::Result<()> {
        let mut file = WholeFile::create(path)?;
        file.write_all(content.as_bytes())?;
        file.finish()
    }
}

/// Whether each of some outputs has a place of its own: of two with one name, only the last would be left. A dash, which by custom
/// is the standard output, is refused.
pub fn check_outputs<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let mut places = Vec::new();
    for path in paths {
        let wrong = |what| Err(io::Error::new(ErrorKind::InvalidInput, format!("{}: {what}", path.display())));
        if path.as_os_str() == "-" {
            return wrong("outputs are files; only the summary goes to standard output");
        }
        let place = place(path);
        if places.contains(&place) && !is_special(path) {
            return wrong("named twice: an output needs a place of its own");
        }
        places.push(place);
    }
    Ok(())
}

fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The one name of a file that has many, even if it is not there yet.
fn place(path: &Path) -> PathBuf {
    let beside = || Ok::<_, io::Error>(folder_of(path).canonicalize()?.join(path.file_name().unwrap_or_default()));
    path.canonicalize().or_else(|_| beside()).unwrap_or_else(|_| path.to_owned())
}

fn temporary_for(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    folder.metadata()?;
    let mut builder = tempfile::Builder::new();
    // As an ordinary new file, less what the user's mask takes away.
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    // The error itself would name the temporary file, of which nobody has heard: its kind is enough.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

fn cannot_write(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: cannot be written: {error}", path.display()))
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
        self.out.write(bytes).map_err(|error| cannot_write(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| cannot_write(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_as_a_whole_or_not_at_all() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("page.html");
        let mut file = WholeFile::create(&path)?;
        file.write_all(b"whole")?;
        assert!(!path.exists());
        file.finish()?;
        assert_eq!(std::fs::read_to_string(&path)?, "whole");
        WholeFile::create(&path)?.write_all(b"half")?;
        assert_eq!(std::fs::read_to_string(&path)?, "whole");
        assert_eq!(std::fs::read_dir(&folder)?.count(), 1);
        let nowhere = folder.path().join("nowhere/page.html");
        let error = WholeFile::write(&nowhere, "").unwrap_err().to_string();
        let why = error.strip_prefix(&format!("{}: cannot be written: ", nowhere.display()));
        assert!(why.is_some_and(|why| !why.contains(".tmp")), "{error}");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_and_never_replaced() -> io::Result<()> {
        let device = Path::new("/dev/full");
        if !is_special(device) {
            return Ok(());
        }
        let link = tempfile::tempdir()?;
        let link = link.path().join("full");
        std::os::unix::fs::symlink(device, &link)?;
        for content in ["short", &"long".repeat(1 << 14)] {
            let error = WholeFile::write(&link, content).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}: cannot be written: ", link.display())), "{error}");
        }
        assert!(link.is_symlink());
        Ok(())
    }

    #[test]
    fn one_file_under_two_names_is_one_file() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let [a, b, detour] = ["a", "b", "./a"].map(|name| folder.path().join(name));
        // Path drops the dot, so that the detour is a true one.
        std::fs::create_dir(folder.path().join("in"))?;
        let detour = detour.parent().map_or(a.clone(), |folder| folder.join("in/../a"));
        check_outputs([&*a, &b])?;
        for outputs in [[&*a, &*a], [&a, &detour]] {
            let error = check_outputs(outputs).unwrap_err().to_string();
            assert!(error.ends_with("named twice: an output needs a place of its own"), "{error}");
        }
        check_outputs([folder.path(), folder.path()])?;
        assert!(check_outputs([Path::new("-")]).is_err());
        Ok(())
    }
}
