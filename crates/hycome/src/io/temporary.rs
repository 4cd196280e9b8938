//! Temporary files: locked while they are in use, and removed after their process was killed.
//!
//! A temporary file is locked (`flock`) from its creation until it is closed, and the operating system releases the locks of
//! a killed process. So a file that can be locked is stale. A process id in the name would be reused and would mean
//! nothing on another machine of a shared disk; an age would be a guess. On a file system without locks nothing is removed.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::io::disk::{self, Disk, System};
use crate::io::transaction;

/// Suffix of temporary files.
pub(crate) const TEMPORARY: &str = ".hycome-tmp";

/// Suffix of journals.
pub(crate) const JOURNAL: &str = ".hycome-journal";

/// Suffix of the backups of a transaction.
pub(crate) const BACKUP: &str = ".hycome-old";

/// Creates a file `.NAME.XXXXXX` + `suffix` in `folder`, open and locked.
pub(crate) fn create(folder: &Path, name: &str, suffix: &str) -> io::Result<NamedTempFile> {
    const ATTEMPTS: usize = 16;
    let prefix = if name.is_empty() { ".".to_owned() } else { format!(".{name}.") };
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(suffix);
    for _ in 0..ATTEMPTS {
        // tempfile adds the temporary name to the error, so the error code is taken from the call itself.
        let mut code = None;
        let created = builder.make_in(folder, |path| {
            let file = File::options().read(true).write(true).create_new(true).open(path);
            file.inspect_err(|error| code = error.raw_os_error())
        });
        let file = created.map_err(|error| creation_error(folder, error.kind(), code))?;
        // Another process that removes stale files may lock it first, and then removes it.
        if !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock)) && is_there(file.as_file()) {
            return Ok(file);
        }
    }
    Err(io::Error::other("temporary files are removed as soon as they are created"))
}

/// Why no file can be created in `folder`, without the temporary name.
fn creation_error(folder: &Path, kind: io::ErrorKind, code: Option<i32>) -> io::Error {
    if folder.is_dir() {
        return code.map_or_else(|| kind.into(), io::Error::from_raw_os_error);
    }
    io::Error::new(kind, format!("there is no folder {}; create it first", folder.display()))
}

/// Whether an open file still has a name.
#[cfg(unix)]
fn is_there(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().map_or(true, |metadata| metadata.nlink() > 0)
}

#[cfg(not(unix))]
fn is_there(_file: &File) -> bool {
    true
}

/// Cleans up after killed processes: rolls back their transactions and removes their temporary files.
///
/// Files of running processes, and files that cannot be removed, are kept.
///
/// # Errors
/// If a transaction cannot be rolled back.
pub(crate) fn clean(folder: &Path) -> crate::Result<()> {
    let Ok(names) = disk::names(folder) else { return Ok(()) }; // a write to the folder reports the error
    let names: Vec<&str> =
        names.iter().filter_map(|name| name.to_str()).filter(|name| name.starts_with('.')).collect();
    for name in names.iter().filter(|name| name.ends_with(JOURNAL)) {
        transaction::recover(folder, name)?;
    }
    let mut backups = names.iter().filter(|name| name.ends_with(BACKUP)).peekable();
    if backups.peek().is_some() && System.sync_folder(folder).is_ok() {
        // A journal is created and removed before its backups; one that still exists may need them.
        backups.filter(|name| !transaction::has_journal(folder, name)).for_each(|name| {
            let _ = std::fs::remove_file(folder.join(name));
        });
    }
    for name in names.iter().filter(|name| name.ends_with(TEMPORARY)) {
        let path = folder.join(name);
        if locked(&path).is_some() {
            let _ = std::fs::remove_file(path);
        }
    }
    Ok(())
}

/// Opens and locks a regular file; `None` if its process is still running.
pub(crate) fn locked(path: &Path) -> Option<File> {
    let file = open_regular(path, false).ok()?;
    file.try_lock().is_ok().then_some(file)
}

/// Opens an existing regular file without following a link.
pub(crate) fn open_regular(path: &Path, write: bool) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(write);
    open_with(&mut options, path)
}

/// Opens a regular file for reading and writing, created if it does not exist; refuses symbolic and hard links.
///
/// A link created by another user would redirect the write to another file.
///
/// # Errors
/// If it cannot be opened, or is not a regular file with a single link.
pub fn open_without_links(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    open_with(&mut options, path)
}

#[cfg(unix)]
fn open_with(options: &mut std::fs::OpenOptions, path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    // Without NONBLOCK, opening a FIFO blocks.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = options.custom_flags(flags.bits() as i32).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.nlink() > 1 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link or no regular file"));
    }
    Ok(file)
}

#[cfg(not(unix))]
fn open_with(options: &mut std::fs::OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_files_are_removed_and_files_in_use_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let living = create(folder.path(), "a", TEMPORARY).unwrap();
        let left = [".a.XXXXXX.hycome-tmp", ".b.YYYYYY.hycome-old", ".ZZZZZZ.hycome-journal"];
        let foreign = ["a.hycome-tmp", ".other", "b"];
        left.iter().chain(&foreign).for_each(|name| std::fs::write(folder.path().join(name), "x").unwrap());
        clean(folder.path()).unwrap();
        for name in left {
            assert!(!folder.path().join(name).exists(), "{name}");
        }
        assert!(living.path().exists() && foreign.iter().all(|name| folder.path().join(name).exists()));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("victim"), "x").unwrap();
        std::os::unix::fs::symlink(path("victim"), path("link")).unwrap();
        std::fs::hard_link(path("victim"), path("hard")).unwrap();
        assert!(open_without_links(&path("link")).is_err());
        assert!(open_without_links(&path("hard")).is_err());
        assert!(open_without_links(&path("new")).is_ok() && open_without_links(&path("new")).is_ok());
    }
}
