//! Owned or memory-mapped array of numbers that dereferences to a slice.
//!
//! A graph parsed from text owns its arrays; a graph opened from a graph file borrows them from the mapping, which is
//! unmapped with the last buffer that refers to it. The cast from bytes is checked at each access, which costs about a
//! nanosecond and needs no `unsafe`, since every bit pattern is a valid number.

use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;

/// Owned or memory-mapped array.
#[derive(Clone)]
pub(crate) enum Buffer<T> {
    /// Heap-allocated.
    Owned(Vec<T>),
    /// Part of a memory-mapped file.
    Mapped {
        /// The mapping of the whole file.
        file: Arc<Mmap>,
        /// Byte range of the array.
        bytes: Range<usize>,
    },
}

impl<T: Pod> Buffer<T> {
    /// View of a byte range of a file; `None` if it is out of bounds or misaligned.
    pub(crate) fn mapped(file: &Arc<Mmap>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(file.get(bytes.clone())?).ok()?;
        Some(Self::Mapped { file: Arc::clone(file), bytes })
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Owned(numbers) => numbers,
            Self::Mapped { file, bytes } => bytemuck::cast_slice(&file[bytes.clone()]),
        }
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self::Owned(numbers)
    }
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T: Pod + PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
