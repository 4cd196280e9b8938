//! What an output path leads to: a file to replace, or a device, pipe or descriptor to write into.
//!
//! Replacing is a rename, and a rename onto `/dev/null` would put a regular file in its place for everybody. So whatever exists
//! and is not a regular file is opened and written into, as a shell's `>` does, or refused where that makes no sense.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::{Error, Result};

/// How to write to a path.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular file or nothing: a new file takes the name.
    Replace,
    /// A device, a FIFO or an open descriptor: bytes go into it.
    Stream(File),
}

impl Target {
    /// Opens what `path` leads to, if it has to be written into. Opening a FIFO waits for its reader.
    ///
    /// # Errors
    /// If the path is a folder, a socket or a block device, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::Io { path: path.into(), action: "write", source };
        if let Some(descriptor) = descriptor(path) {
            return descriptor.map(Self::Stream).map_err(failed);
        }
        let Ok(metadata) = path.metadata() else { return Ok(Self::Replace) };
        match kind(&metadata) {
            Kind::File => Ok(Self::Replace),
            Kind::Stream => File::options().write(true).open(path).map(Self::Stream).map_err(failed),
            Kind::Other(found) => Err(Error::Content {
                path: path.into(),
                expected: "a file to write; give another name".into(),
                found: found.into(),
            }),
        }
    }
}

/// Whether `path` is a device, a FIFO or an open descriptor, which is written into rather than replaced.
///
/// Nothing is made beside such a path, and its name says nothing about a format.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    is_descriptor(path) || path.metadata().is_ok_and(|metadata| matches!(kind(&metadata), Kind::Stream))
}

enum Kind {
    File,
    Stream,
    Other(&'static str),
}

#[cfg(unix)]
fn kind(metadata: &std::fs::Metadata) -> Kind {
    use std::os::unix::fs::FileTypeExt;
    let file_type = metadata.file_type();
    if file_type.is_file() {
        Kind::File
    } else if file_type.is_dir() {
        Kind::Other("a folder")
    } else if file_type.is_socket() {
        Kind::Other("a socket")
    } else if file_type.is_block_device() {
        Kind::Other("a block device")
    } else {
        Kind::Stream
    }
}

#[cfg(not(unix))]
fn kind(metadata: &std::fs::Metadata) -> Kind {
    if metadata.is_dir() { Kind::Other("a folder") } else { Kind::File }
}

/// The descriptor that `path` stands for, such as `/dev/stdout`, whatever it is open on.
///
/// With `-o /dev/stdout > file` the path leads to a regular file, but replacing it would replace the link in `/dev`.
/// Standard output and standard error are duplicated rather than opened again, so that their offset is shared.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let path = descriptor_path(path)?;
    let duplicate = |fd: std::os::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map(File::from);
    Some(match path.file_name()?.to_str()? {
        "1" => duplicate(io::stdout().as_fd()),
        "2" => duplicate(io::stderr().as_fd()),
        _ => File::options().append(true).open(&path),
    })
}

#[cfg(not(unix))]
fn descriptor(_path: &Path) -> Option<io::Result<File>> {
    None
}

#[cfg(unix)]
fn is_descriptor(path: &Path) -> bool {
    descriptor_path(path).is_some()
}

#[cfg(not(unix))]
fn is_descriptor(_path: &Path) -> bool {
    false
}

/// `/proc/PID/fd/N`, if following the links of `path` comes by it.
#[cfg(unix)]
fn descriptor_path(path: &Path) -> Option<std::path::PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let folder = super::staged::folder(&path).canonicalize().ok()?;
        path = folder.join(path.file_name()?);
        if folder.starts_with("/proc") && folder.ends_with("fd") {
            return Some(path);
        }
        path = folder.join(path.read_link().ok()?);
    }
    None
}
