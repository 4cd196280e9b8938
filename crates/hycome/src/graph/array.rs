//! A row of numbers that is owned or lies in a mapped file.
//!
//! A graph that was read from text owns its arrays; one that was opened from a graph file borrows them from
//! the file, which stays mapped as long as some array needs it. Whoever reads sees a slice either way. The
//! view of the mapped bytes as numbers is made, and checked, at each look: that costs about a nanosecond and
//! needs no trust, since any bytes are a number.

use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;

/// Numbers in memory of our own or in a mapped file.
#[derive(Clone)]
pub(crate) enum Array<T> {
    /// In memory of our own.
    Owned(Vec<T>),
    /// In a file.
    Mapped {
        /// The whole file.
        file: Arc<Mmap>,
        /// The bytes of the numbers.
        bytes: Range<usize>,
    },
}

impl<T: Pod> Array<T> {
    /// The numbers that these bytes of a file are; `None` if they cannot be used where they lie.
    pub fn mapped(file: &Arc<Mmap>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(file.get(bytes.clone())?).ok()?;
        Some(Self::Mapped { file: Arc::clone(file), bytes })
    }
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Owned(numbers) => numbers,
            Self::Mapped { file, bytes } => bytemuck::cast_slice(&file[bytes.clone()]),
        }
    }
}

impl<T> From<Vec<T>> for Array<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self::Owned(numbers)
    }
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T: Pod + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
