//! Memory-mapped files: the only `unsafe` code of the library.
//!
//! Pages of a mapped file are loaded on first access. The rest of the library is safe code: the bytes are cast to
//! integers and floats only, for which every bit pattern is valid, and every index is bounds-checked when it is used,
//! even though the file was validated before.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file read-only.
///
/// The file must not be modified or truncated while it is mapped. Other programs cannot be prevented from it, but this library
/// replaces graph files by renaming, which leaves the mapped file unchanged until it is unmapped.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is private and read-only, so no code in this process writes to it. If another process
    // writes to the file, two reads of the same number may differ: no reference to a `str`, `bool` or enum is ever
    // made of the bytes, and no index is unchecked, so that is a wrong result or a panic and not an access out of
    // bounds. If it truncates the file, the operating system terminates this process (SIGBUS).
    unsafe { Mmap::map(file) }
}
