//! Files that appear whole or not at all.
//!
//! A file is first written under a passing name in the folder where it will live, and brought to the disk; then
//! it is renamed, which a file system does in one step, and the folder is brought to the disk too. Whoever
//! writes several files that belong together stages all of them before the first is renamed, so that a
//! full disk is noticed while the old ones are still there. Dropping a [`StagedFile`] removes it.
//!
//! A device, a FIFO or a descriptor such as `/dev/stdout` cannot be replaced: what is written goes into it at once.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::target::Target;
use crate::{Error, Result};

/// What passing names end in.
const SUFFIX: &str = ".hycome-tmp";

/// A file that is written but not yet in its place.
#[derive(Debug)]
#[must_use = "a staged file is removed unless it is put in place"]
pub struct StagedFile {
    /// None if the bytes went into a device, a FIFO or a descriptor.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl StagedFile {
    /// Writes `bytes` beside `path`.
    ///
    /// # Errors
    /// If the folder or the disk does not take them; nothing is left then.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<Self> {
        Self::write_with(path, |file| file.write_all(bytes))
    }

    /// Writes what `write` does beside `path`; each of its writes goes to the system as it is.
    ///
    /// # Errors
    /// If the folder or the disk does not take it; nothing is left then.
    pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<Self> {
        let failed = |source| Error::Io { path: path.into(), action: "write", source };
        if let Target::Stream(mut stream) = Target::open(path)? {
            return match write(&mut stream) {
                // A reader that has left, as `head` does, is no failure.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error)),
                _ => Ok(Self { file: None, path: path.into() }),
            };
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{name}.");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        #[cfg(unix)]
        let permissions = {
            use std::os::unix::fs::PermissionsExt;
            std::fs::Permissions::from_mode(0o666) // less the umask, as for any other file
        };
        #[cfg(unix)]
        builder.permissions(permissions);
        let mut file = builder.tempfile_in(folder(path)).map_err(|error| failed(plainly(path, &error)))?;
        write(file.as_file_mut()).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        Ok(Self { file: Some(file), path: path.into() })
    }

    /// The bytes that were written, unless they went into a stream.
    pub(super) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        self.file.as_ref().map(|file| std::fs::read(file.path())).transpose()
    }

    /// Whether a file has a passing name, as those have that a killed process leaves behind.
    #[must_use]
    pub fn is_name_of_one(name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(SUFFIX))
    }

    /// Gives the file its name, replacing what has it now.
    ///
    /// # Errors
    /// If the name cannot be given, for instance to something else than a file; nothing is left then.
    pub fn put_in_place(self) -> Result<()> {
        let Self { file: Some(file), path } = self else { return Ok(()) };
        file.persist(&path).map_err(|error| Error::Io {
            path: path.clone(),
            action: "write",
            source: error.error,
        })?;
        sync_folder(folder(&path));
        Ok(())
    }
}

/// Why there can be no file in the folder of `path`, without the passing name, which says nothing to anybody.
fn plainly(path: &Path, error: &io::Error) -> io::Error {
    let folder = folder(path);
    if folder.is_dir() {
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or_default();
        return io::Error::new(error.kind(), reason);
    }
    io::Error::new(error.kind(), format!("there is no folder {}; make it first", folder.display()))
}

/// The folder a file is in.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Brings a renaming to the disk. Some systems cannot do so for a folder; the file is whole all the same.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_staged_file_replaces_the_old_one_in_one_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "old").unwrap();
        let staged = StagedFile::write(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        staged.put_in_place().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_file_that_is_not_put_in_place_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(StagedFile::write(&folder.path().join("a"), b"new").unwrap());
        assert!(names(folder.path()).is_empty());
        std::fs::create_dir(folder.path().join("a")).unwrap();
        let error = StagedFile::write(&folder.path().join("a"), b"new").unwrap_err().to_string();
        assert!(error.ends_with("expected a file to write; give another name, found a folder"), "{error}");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_folder_that_is_missing_is_named_and_the_passing_name_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let error = StagedFile::write(&folder.path().join("no/a"), b"new").unwrap_err().to_string();
        let expected = format!("there is no folder {}; make it first", folder.path().join("no").display());
        assert!(error.ends_with(&expected) && !error.contains(SUFFIX), "{error}");
    }
}
