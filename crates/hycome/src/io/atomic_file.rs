//! Atomic file replacement: write to a temporary file, fsync, rename, fsync the folder.
//!
//! The temporary file is in the folder of the final one, so the rename is atomic. Several files that belong together are
//! written first and then committed together by [`commit`](super::commit). Dropping an [`AtomicFile`] removes it; a
//! temporary file of a killed process is removed by the next write to the same folder.
//!
//! A device, a FIFO or a descriptor such as `/dev/stdout` cannot be replaced: it is written to directly.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::io::disk::{Disk, System};
use crate::io::target::Target;
use crate::io::temporary::{self, TEMPORARY};
use crate::{Error, Result};

/// A file that is written under a temporary name and not yet committed.
#[derive(Debug)]
#[must_use = "the file is removed unless it is committed"]
pub struct AtomicFile {
    /// `None` if the bytes went to a device, a FIFO or a descriptor.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl AtomicFile {
    /// Writes `bytes` to a temporary file beside `path`.
    ///
    /// # Errors
    /// If the file cannot be written; no file remains then.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<Self> {
        Self::write_with(path, |file| file.write_all(bytes))
    }

    /// Calls `write` with a temporary file beside `path`, unbuffered.
    ///
    /// # Errors
    /// If the file cannot be written; no file remains then.
    pub(crate) fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<Self> {
        let failed = |source| Error::Io { path: path.into(), action: "write", source };
        if let Target::Stream(mut stream) = Target::open(path)? {
            return match write(&mut stream) {
                // A closed pipe, as of `head`, is not an error.
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

    /// Checks that a file can be created in `folder`.
    ///
    /// # Errors
    /// If it cannot.
    pub fn probe(folder: &Path) -> io::Result<()> {
        temporary::create(folder, "probe", TEMPORARY).map(|_| ())
    }

    /// The bytes that were written; `None` if they went to a stream.
    pub(crate) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        self.file.as_ref().map(|file| std::fs::read(file.path())).transpose()
    }

    /// The final path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file still has to be committed.
    pub(crate) fn is_pending(&self) -> bool {
        self.file.is_some()
    }

    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        self.file.as_ref().map_or_else(|| self.path.metadata(), |file| file.as_file().metadata())
    }

    /// Renames the file to its final name, replacing an existing file, and fsyncs the folder so that the rename is durable.
    ///
    /// # Errors
    /// If the rename fails, in which case no file remains; or if the fsync fails, in which case the file has its final name
    /// but may not survive a power failure.
    pub fn commit(self) -> Result<()> {
        self.commit_on(&System)
    }

    pub(crate) fn commit_on(mut self, disk: &impl Disk) -> Result<()> {
        if !self.is_pending() {
            return Ok(());
        }
        self.rename_on(disk)?;
        let synced = disk.sync_folder(folder(&self.path));
        synced.map_err(|source| Error::Io { path: self.path.clone(), action: "write", source })
    }

    /// Renames the file to its final name.
    pub(crate) fn rename_on(&mut self, disk: &impl Disk) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let renamed = disk.rename(file.path(), &self.path);
        renamed.map_err(|source| Error::Io { path: self.path.clone(), action: "write", source })?;
        file.disable_cleanup(true); // the temporary name no longer exists
        Ok(())
    }
}

/// The folder a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
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
    fn commit_replaces_the_old_file_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "old").unwrap();
        let file = AtomicFile::write(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_file_that_is_not_committed_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        drop(AtomicFile::write(&folder.path().join("a"), b"new").unwrap());
        assert!(names(folder.path()).is_empty());
        std::fs::create_dir(folder.path().join("a")).unwrap();
        let error = AtomicFile::write(&folder.path().join("a"), b"new").unwrap_err().to_string();
        assert!(error.ends_with("expected a file to write; give another name, found a folder"), "{error}");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_folder_that_is_missing_is_named_and_the_temporary_name_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::write(&folder.path().join("no/a"), b"new").unwrap_err().to_string();
        let expected = format!("there is no folder {}; create it first", folder.path().join("no").display());
        assert!(error.ends_with(&expected) && !error.contains(TEMPORARY), "{error}");
    }
}
