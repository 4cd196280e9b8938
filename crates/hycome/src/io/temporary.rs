//! Temporary files: made so that nobody else takes them for leftovers, and swept when their process is gone.
//!
//! A temporary file is locked from its creation until it is closed, and the system drops the lock of a process that is
//! killed. So a file that can be locked belongs to nobody any more. Neither a process number in the name, which
//! another process gets later and which says nothing on another machine of a shared disk, nor an age would be that certain.
//! Where a file system has no locks nothing is swept.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::disk::{self, Disk, System};
use super::staged::plainly;
use super::transaction;

/// What names of temporary files end in.
pub(super) const TEMPORARY: &str = ".hycome-tmp";

/// What names of journals end in.
pub(super) const JOURNAL: &str = ".hycome-journal";

/// What names of files end in that a transaction has put aside.
pub(super) const BACKUP: &str = ".hycome-old";

/// Makes a file `.NAME.XXXXXX` + `suffix` in `folder`, open and locked.
pub(super) fn create(folder: &Path, name: &str, suffix: &str) -> io::Result<NamedTempFile> {
    const ATTEMPTS: usize = 16;
    let prefix = if name.is_empty() { ".".to_owned() } else { format!(".{name}.") };
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(suffix);
    for _ in 0..ATTEMPTS {
        let made = builder
            .make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path));
        let file = made.map_err(|error| plainly(folder, &error))?;
        // Somebody who sweeps may be quicker with the lock, and then removes the file.
        if !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock)) && is_there(file.as_file()) {
            return Ok(file);
        }
    }
    Err(io::Error::other("temporary files vanish as soon as they are made"))
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

/// Finishes what killed commands have begun in a folder: their transactions are undone and their files removed.
///
/// What belongs to a running command stays. Files that cannot be removed stay too.
///
/// # Errors
/// If a transaction cannot be undone.
pub(super) fn clean(folder: &Path) -> crate::Result<()> {
    let Ok(names) = disk::names(folder) else { return Ok(()) }; // whoever writes there will be told why
    let names: Vec<&str> =
        names.iter().filter_map(|name| name.to_str()).filter(|name| name.starts_with('.')).collect();
    for name in names.iter().filter(|name| name.ends_with(JOURNAL)) {
        transaction::recover(folder, name)?;
    }
    let mut backups = names.iter().filter(|name| name.ends_with(BACKUP)).peekable();
    if backups.peek().is_some() && System.sync_folder(folder).is_ok() {
        // A journal comes before its backups and goes before them; one that is there still may need them.
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

/// A regular file of ours under a lock, unless its process is still running.
pub(super) fn locked(path: &Path) -> Option<File> {
    let file = open_regular(path, false).ok()?;
    file.try_lock().is_ok().then_some(file)
}

/// Opens an existing regular file without following a link.
pub(super) fn open_regular(path: &Path, write: bool) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(write);
    open_with(&mut options, path)
}

/// Opens a file for reading and writing, made if it is not there, that is a regular file under this name alone.
///
/// A link that somebody put there, symbolic or hard, would lead what is written into another file.
///
/// # Errors
/// If it cannot be opened, or is anything else.
pub fn open_without_links(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    open_with(&mut options, path)
}

#[cfg(unix)]
fn open_with(options: &mut std::fs::OpenOptions, path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    // A FIFO would be waited for.
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
    fn leftovers_are_swept_and_files_of_the_living_are_not() {
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
