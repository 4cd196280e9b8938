//! The calls by which files change their names, in one place, so that tests can let each of them fail.

use std::fs::File;
use std::io;
use std::path::Path;

/// What a commit asks of a file system.
pub(super) trait Disk {
    /// Gives a file another name, replacing what has it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a name.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Brings the bytes of a file to the disk.
    fn sync_file(&self, file: &File) -> io::Result<()>;
    /// Brings the names in a folder to the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// The file system itself.
pub(super) struct System;

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
            // A folder may be writable without being readable; its names reach the disk all the same, only later.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
            opened => opened?,
        };
        match opened.sync_all() {
            Err(error) if is_unsupported(&error) => Ok(()),
            done => done,
        }
    }

    /// Only Unix opens folders as files.
    #[cfg(not(unix))]
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Brings the names in a folder to the disk, where the system can do that.
///
/// # Errors
/// If the disk fails, so that a name may not survive a power cut.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    System.sync_folder(folder)
}

/// Whether a file system says that it cannot bring a folder to the disk at all, as some network file systems do.
#[cfg(unix)]
fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let unsupported = [Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS];
    error.raw_os_error().is_some_and(|code| unsupported.iter().any(|errno| errno.raw_os_error() == code))
}

/// The names in a folder.
///
/// Not by `std::fs::read_dir`, which panics if closing the folder fails, as it does on a disk that is going bad.
#[cfg(unix)]
pub(super) fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
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
pub(super) fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
}
