//! File system operations of a commit behind a trait, so that tests can inject failures.

use std::fs::File;
use std::io;
use std::path::Path;

/// The file system operations of a commit.
pub(crate) trait Disk {
    /// Renames a file, replacing an existing one.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Creates a hard link.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Fsyncs a file.
    fn sync_file(&self, file: &File) -> io::Result<()>;
    /// Fsyncs a folder, which makes renames in it durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// The real file system.
pub(crate) struct System;

impl Disk for System {
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn sync_file(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let opened = match File::open(folder) {
            // A folder may be writable but not readable; its entries are then written back later.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
            opened => opened?,
        };
        match opened.sync_all() {
            Err(error) if is_unsupported(&error) => Ok(()),
            done => done,
        }
    }

    /// Only Unix can open folders as files.
    #[cfg(not(unix))]
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Fsyncs a folder, where the system supports it, which makes renames in it durable.
///
/// # Errors
/// If the fsync fails, so that a rename may not survive a power failure.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    System.sync_folder(folder)
}

/// Whether the file system does not support fsync of a folder, like some network file systems.
#[cfg(unix)]
fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let unsupported = [Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS];
    error.raw_os_error().is_some_and(|code| unsupported.iter().any(|errno| errno.raw_os_error() == code))
}

/// The names in a folder.
///
/// `std::fs::read_dir` panics if closing the folder fails, as on a failing disk.
#[cfg(unix)]
pub(crate) fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    use std::os::unix::ffi::OsStrExt;
    let mut entries = rustix::fs::Dir::new(File::open(folder)?)?;
    let mut names = Vec::new();
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(std::ffi::OsStr::from_bytes(name).to_owned());
        }
    }
    Ok(names)
}

#[cfg(not(unix))]
pub(crate) fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
}
