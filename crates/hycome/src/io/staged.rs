//! Files that appear whole or not at all.
//!
//! A file is first written under a temporary name in the folder where it will live, and brought to the disk; then
//! it is renamed, which a file system does in one step, and the folder is brought to the disk too. Whoever
//! writes several files that belong together stages all of them and hands them to [`commit`](super::commit), so that they
//! change together. Dropping a [`StagedFile`] removes it; what a killed process leaves is swept by the next one that
//! writes into the same folder.
//!
//! A device, a FIFO or a descriptor such as `/dev/stdout` cannot be replaced: what is written goes into it at once.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::disk::{Disk, System};
use super::target::Target;
use super::temporary::{self, TEMPORARY};
use crate::{Error, Result};

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
        temporary::clean(folder(path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut file = temporary::create(folder(path), &name, TEMPORARY).map_err(failed)?;
        write(file.as_file_mut()).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        Ok(Self { file: Some(file), path: path.into() })
    }

    /// Fails if no file can be made in `folder`.
    ///
    /// # Errors
    /// The system's own.
    pub fn probe(folder: &Path) -> io::Result<()> {
        temporary::create(folder, "probe", TEMPORARY).map(|_| ())
    }

    /// The bytes that were written, unless they went into a stream.
    pub(super) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        self.file.as_ref().map(|file| std::fs::read(file.path())).transpose()
    }

    /// The path that the file will have.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file still has to be put in place.
    pub(super) fn is_pending(&self) -> bool {
        self.file.is_some()
    }

    pub(super) fn metadata(&self) -> io::Result<Metadata> {
        self.file.as_ref().map_or_else(|| self.path.metadata(), |file| file.as_file().metadata())
    }

    /// Gives the file its name, replacing what has it now, and brings that to the disk.
    ///
    /// # Errors
    /// If the name cannot be given, and then nothing is left; or if the folder cannot be brought to the disk, and then the
    /// file is in place but may not survive a power cut.
    pub fn put_in_place(self) -> Result<()> {
        self.put_in_place_on(&System)
    }

    pub(super) fn put_in_place_on(mut self, disk: &impl Disk) -> Result<()> {
        if !self.is_pending() {
            return Ok(());
        }
        self.rename_on(disk)?;
        let synced = disk.sync_folder(folder(&self.path));
        synced.map_err(|source| Error::Io { path: self.path.clone(), action: "write", source })
    }

    /// Gives the file its name.
    pub(super) fn rename_on(&mut self, disk: &impl Disk) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let renamed = disk.rename(file.path(), &self.path);
        renamed.map_err(|source| Error::Io { path: self.path.clone(), action: "write", source })?;
        file.disable_cleanup(true); // its temporary name is gone
        Ok(())
    }
}

/// Why there can be no file in a folder, without the temporary name, which says nothing to anybody.
pub(super) fn plainly(folder: &Path, error: &io::Error) -> io::Error {
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
    fn a_folder_that_is_missing_is_named_and_the_temporary_name_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let error = StagedFile::write(&folder.path().join("no/a"), b"new").unwrap_err().to_string();
        let expected = format!("there is no folder {}; make it first", folder.path().join("no").display());
        assert!(error.ends_with(&expected) && !error.contains(TEMPORARY), "{error}");
    }
}
