//! Limits on input: growth under decompression, and memory.

use std::path::Path;

use crate::machine;
use crate::machine::readable;
use crate::{Error, Result};

/// How much a compressed file may grow.
///
/// Real graphs have a compression ratio of 3 to 20, so the defaults stop only decompression bombs; a file that is stopped by
/// mistake can be decompressed first. The ratio is that of every segment of [`Limits::ratio_from`] bytes, not that of the
/// whole file, so that padding does not hide a bomb. The total bytes are
/// bounded by [`Limits::bytes`] and by the memory of the machine, because honest graphs are large: Friendster is a text of 31 GB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes after decompression, at most.
    pub bytes: u64,
    /// Times the compressed size, at most, …
    pub ratio: u64,
    /// … in every segment of this many decompressed bytes.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 30, ratio: 100, ratio_from: 64 << 20 }
    }
}

/// Memory limit of an input: two thirds of the available memory, as the graph needs memory too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    bytes: u64,
}

impl Memory {
    /// The limit of this machine or control group; none if the system does not report it.
    pub(super) fn of_this_machine() -> Self {
        Self { bytes: machine::available_memory().map_or(u64::MAX, |available| available / 3 * 2) }
    }

    #[cfg(test)]
    pub(crate) fn of(bytes: u64) -> Self {
        Self { bytes }
    }

    /// Fails if `bytes` exceed the limit.
    pub(super) fn expect(self, path: &Path, bytes: u64) -> Result<()> {
        if bytes <= self.bytes {
            return Ok(());
        }
        Err(Error::Content {
            path: path.into(),
            expected: format!("at most {}, two thirds of the memory that is free", readable(self.bytes)),
            found: format!("{} or more; use a machine with more memory", readable(bytes)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_memory_cannot_hold_is_refused_with_the_limit() {
        let memory = Memory::of(3_000_000);
        assert!(memory.expect(Path::new("a"), 3_000_000).is_ok());
        let message = memory.expect(Path::new("a"), 4_000_000).unwrap_err().to_string();
        assert!(message.contains("at most 3.0 MB") && message.contains("4.0 MB or more"), "{message}");
    }
}
