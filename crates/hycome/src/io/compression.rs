//! Compression of input and output: gzip and Zstandard.
//!
//! Input is recognized by its magic bytes, output by its extension. Without the feature `formats` both are refused.

use std::io::{self, Read, Write};
use std::path::Path;

use super::limits::Limits;
#[cfg(not(feature = "formats"))]
use crate::Error;
use crate::Result;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    /// The format of a content, by its magic bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x1f\x8b") {
            Some(Self::Gzip)
        } else if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
            Some(Self::Zstandard)
        } else {
            None
        }
    }

    /// The format of a file to write, by its extension.
    pub(super) fn of_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_ascii_lowercase().to_str()? {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstandard),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
        }
    }

    /// Decompresses everything; `inspect` is called with all bytes so far and the number of compressed bytes read.
    #[cfg(feature = "formats")]
    pub(super) fn decompress(
        self,
        path: &Path,
        compressed: impl Read,
        limits: &Limits,
        inspect: &mut dyn FnMut(&[u8], u64) -> Result<()>,
    ) -> Result<Vec<u8>> {
        match self {
            Self::Gzip => {
                let decoder = |bytes| Ok(flate2::read::MultiGzDecoder::new(bytes));
                limits.decompress(path, self.name(), compressed, decoder, inspect)
            }
            Self::Zstandard => limits.decompress(path, self.name(), compressed, zstd::Decoder::new, inspect),
        }
    }

    /// Refuses the input: this build has no decompression.
    #[cfg(not(feature = "formats"))]
    pub(crate) fn decompress(
        self,
        path: &Path,
        _compressed: impl Read,
        _limits: &Limits,
        _inspect: &mut dyn FnMut(&[u8], u64) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let expected = "an uncompressed file, as this build lacks the feature `formats`; decompress it first";
        let found = format!("a {} stream", self.name());
        Err(Error::Content { path: path.into(), expected: expected.into(), found })
    }

    /// Compresses what `fill` writes.
    #[cfg(feature = "formats")]
    pub(super) fn compress(
        self,
        out: &mut dyn Write,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::default());
                fill(&mut encoder)?;
                encoder.finish().map(|_| ())
            }
            Self::Zstandard => {
                let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                fill(&mut encoder)?;
                encoder.finish().map(|_| ())
            }
        }
    }

    /// Fails: this build has no compression.
    #[cfg(not(feature = "formats"))]
    pub(crate) fn compress(
        self,
        _out: &mut dyn Write,
        _fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let reason = format!("{} needs the feature `formats`; choose another extension", self.name());
        Err(io::Error::new(io::ErrorKind::Unsupported, reason))
    }
}
