//! Kind of an output path: a file to replace, or a device, pipe or descriptor to write to.
//!
//! Replacing is a rename, and a rename onto `/dev/null` would replace the device with a regular file. So a path that exists and
//! is not a regular file is opened and written to, as with a shell's `>`, or refused. `-` is standard output, as it is
//! standard input for readers; a file of that name is `./-`.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::{Error, Result};

/// How to write to a path.
#[derive(Debug)]
pub(crate) enum Target {
    /// A regular file or nothing: replaced by a new file.
    Replace,
    /// A device, a FIFO or an open descriptor: written to directly.
    Stream(File),
}

impl Target {
    /// Opens `path` if it is to be written to directly. Opening a FIFO blocks until it has a reader.
    ///
    /// # Errors
    /// If the path is a folder, a socket or a block device, or cannot be opened.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::Io { path: path.into(), action: "write", source };
        if path == Path::new(STANDARD_OUTPUT) {
            return standard_output().map(Self::Stream).map_err(failed);
        }
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

/// Whether `path` is a device, a FIFO or an open descriptor, which is written to rather than replaced.
///
/// No file is created beside such a path, and its extension does not select a format.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    path == Path::new(STANDARD_OUTPUT)
        || is_descriptor(path)
        || path.metadata().is_ok_and(|metadata| matches!(kind(&metadata), Kind::Stream))
}

/// The path of standard output.
const STANDARD_OUTPUT: &str = "-";

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
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

/// The descriptor of a path such as `/dev/stdout`.
///
/// If standard output is redirected to a file, the path resolves to a regular file, but replacing it would replace the link
/// in `/dev`. Standard output and standard error are duplicated rather than reopened, so that their offset is shared.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let path = descriptor_path(path)?;
    let duplicate = |fd: std::os::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map(File::from);
    Some(match path.file_name()?.to_str()? {
        "1" => standard_output(),
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

/// `/proc/PID/fd/N`, if the links of `path` lead there.
#[cfg(unix)]
fn descriptor_path(path: &Path) -> Option<std::path::PathBuf> {
    const MAX_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let folder = super::atomic_file::folder(&path).canonicalize().ok()?;
        path = folder.join(path.file_name()?);
        if folder.starts_with("/proc") && folder.ends_with("fd") {
            return Some(path);
        }
        path = folder.join(path.read_link().ok()?);
    }
    None
}
