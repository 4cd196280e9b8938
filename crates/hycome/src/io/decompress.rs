//! Decompression within [`Limits`], against decompression bombs.
//!
//! A few kilobytes can decompress to terabytes, so the ratio is checked while bytes are decompressed.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use super::limits::Limits;
use crate::{Error, Result};

/// Decompressed bytes between two checks of the limits.
const STEP: u64 = 1 << 20;

impl Limits {
    /// Everything `decoder` yields for `compressed`; `inspect` is called with all bytes so far, after each step.
    pub(crate) fn decompress<R: Read, D: Read>(
        &self,
        path: &Path,
        what: &str,
        compressed: R,
        decoder: impl FnOnce(Counted<R>) -> io::Result<D>,
        inspect: &mut dyn FnMut(&[u8], u64) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let content = |expected, found| Error::Content { path: path.into(), expected, found };
        let failed = |action, source| Error::Io { path: path.into(), action, source };
        let count = Rc::new(Count::default());
        let decoder = decoder(Counted { inner: compressed, count: Rc::clone(&count) });
        let mut decoder = decoder.map_err(|source| failed("decompress", source))?;
        let mut plain = Vec::new();
        let mut segment = Segment::default();
        loop {
            let read = decoder.by_ref().take(STEP).read_to_end(&mut plain);
            if let Some(expected) = self.excess(&mut segment, count.bytes.get(), plain.len() as u64) {
                let expected = format!("{expected}; decompress it first if you trust it");
                return Err(content(expected, "more".into()));
            }
            match read {
                Ok(0) => return Ok(plain),
                Ok(_) => inspect(&plain, count.bytes.get())?,
                Err(source) if count.failed.get() => return Err(failed("read", source)),
                Err(error) => {
                    let fault = if error.kind() == io::ErrorKind::UnexpectedEof {
                        "one that is cut short"
                    } else {
                        "a damaged one"
                    };
                    let found = format!("{fault}, after {} bytes; copy or download it again", plain.len());
                    return Err(content(format!("a whole {what} stream"), found));
                }
            }
        }
    }

    /// Why `plain` bytes out of `compressed` are too many, if they are.
    fn excess(&self, segment: &mut Segment, compressed: u64, plain: u64) -> Option<String> {
        if plain > self.bytes {
            return Some(format!("at most {} bytes after decompression", self.bytes));
        }
        let (grown, read) = (plain - segment.plain, compressed - segment.compressed);
        if grown <= self.ratio_from {
            return None;
        }
        if grown / self.ratio > read {
            return Some(format!(
                "at most {} bytes or {} times the compressed size after decompression",
                self.ratio_from, self.ratio
            ));
        }
        *segment = Segment { compressed, plain };
        None
    }
}

/// Start of the segment whose growth is measured.
#[derive(Default)]
struct Segment {
    compressed: u64,
    plain: u64,
}

/// How many bytes were read, and whether reading failed.
#[derive(Default)]
struct Count {
    bytes: Cell<u64>,
    failed: Cell<bool>,
}

/// Reader that counts the compressed bytes.
pub(crate) struct Counted<R> {
    inner: R,
    count: Rc<Count>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(into) {
            Ok(count) => {
                self.count.bytes.set(self.count.bytes.get() + count as u64);
                Ok(count)
            }
            Err(error) => {
                // The caller retries an interrupted call.
                self.count.failed.set(error.kind() != io::ErrorKind::Interrupted);
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LIMITS: Limits = Limits { bytes: 1 << 40, ratio: 50, ratio_from: 1 << 20 };

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn noise(bytes: u32) -> Vec<u8> {
        (0..bytes / 4).flat_map(|i| i.wrapping_mul(2_654_435_761).rotate_left(i % 31).to_le_bytes()).collect()
    }

    /// What came of it, and the most bytes that were decompressed.
    fn read(limits: &Limits, compressed: &[u8]) -> (Result<Vec<u8>>, u64) {
        let mut most = 0;
        let decoder = |bytes| Ok(flate2::read::MultiGzDecoder::new(bytes));
        let mut inspect = |plain: &[u8], _| {
            most = plain.len() as u64;
            Ok(())
        };
        (limits.decompress(Path::new("file"), "gzip", compressed, decoder, &mut inspect), most)
    }

    #[test]
    fn a_bomb_is_stopped_at_the_limit_and_the_message_names_it() {
        let message = read(&LIMITS, &gzip(&vec![b'1'; 8 << 20])).0.unwrap_err().to_string();
        assert!(message.contains("1048576 bytes or 50 times the compressed size"), "{message}");
        let limits = Limits { bytes: 1000, ..Limits::default() };
        let message = read(&limits, &gzip(&vec![b'1'; 2000])).0.unwrap_err().to_string();
        assert!(message.contains("at most 1000 bytes after decompression"), "{message}");
    }

    #[test]
    fn padding_before_or_behind_a_bomb_buys_it_nothing() {
        let (bomb, padding) = (gzip(&vec![b'1'; 16 << 20]), noise(2 << 20));
        assert!(read(&LIMITS, &gzip(&padding)).0.is_ok());
        for padded in [[gzip(&padding), bomb.clone()].concat(), [bomb, gzip(&padding)].concat()] {
            let (result, most) = read(&LIMITS, &padded);
            assert!(result.is_err());
            assert!(most <= (padding.len() as u64) + LIMITS.ratio_from + 2 * STEP, "{most} bytes");
        }
    }

    #[test]
    fn a_disk_that_fails_is_not_a_damaged_stream() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("no such sector"))
            }
        }
        let start = gzip(&noise(1 << 16));
        let decoder = |bytes| Ok(flate2::read::MultiGzDecoder::new(bytes));
        let stream = start[..1000].chain(Broken);
        let read = LIMITS.decompress(Path::new("file"), "gzip", stream, decoder, &mut |_, _| Ok(()));
        assert!(read.unwrap_err().to_string().contains("no such sector"));
    }
}
