//! Files as memory: the one place with `unsafe` code.
//!
//! A mapped file is read by the processor itself, page by page, when somebody looks. What the rest of the library
//! does with the bytes is safe code: they are seen as integers and floats only, of which every bit pattern is a
//! value, and every index is checked when it is used, however often the file was checked before.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file for reading.
///
/// Nobody may change or shorten the file while it is mapped. We cannot keep others from it, but nothing of ours
/// does: a graph file is replaced by renaming, which leaves the mapped one as it was until it is let go.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is private and read-only, so nobody in this process writes to it. If another process
    // writes to the file all the same, the numbers that were looked at may differ from those that are looked at
    // next: no reference to a `str`, `bool` or enum is ever made of the bytes, and no unchecked index, so that is a
    // wrong result or a panic and not a wild access. If it shortens the file, the system ends our process.
    unsafe { Mmap::map(file) }
}
