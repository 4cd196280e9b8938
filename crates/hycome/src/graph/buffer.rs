//! Owned or memory-mapped array of numbers, which dereferences to a slice.
//!
//! A graph that was parsed from text owns its arrays; one that was opened from a graph file borrows them from the mapping,
//! which lives as long as some buffer refers to it. The cast from bytes to numbers is checked at each access: that costs
//! about a nanosecond and keeps the code safe, since any bit pattern is a number.

use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;

/// Owned or memory-mapped numbers.
#[derive(Clone)]
pub(crate) enum Buffer<T> {
    /// On the heap.
    Owned(Vec<T>),
    /// In a memory-mapped file.
    Mapped {
        /// The whole file.
        file: Arc<Mmap>,
        /// The bytes of the numbers.
        bytes: Range<usize>,
    },
}

impl<T: Pod> Buffer<T> {
    /// A view of these bytes of a file; `None` if they are out of bounds or not aligned.
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
