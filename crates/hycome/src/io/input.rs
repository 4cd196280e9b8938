//! Opening: bytes from a file or from standard input, decompressed within limits.
//!
//! Gzip and Zstandard are recognised by their first bytes, whatever the file is called. A few kilobytes can
//! decompress to terabytes, so decompression stops at [`Limits`]. Compressed and plain bytes are both kept
//! in memory while reading; the parsers then borrow from the plain ones.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::{Error, Result};

/// How much a compressed file may grow.
///
/// Real graphs shrink 3 to 20 times, so the defaults stop only what was made to harm; whoever has a file
/// they do stop can decompress it first and give us the result. A file of up to 64 MB after decompression hurts nobody. Beyond it
/// memory is bounded by what was read so far: a megabyte becomes 100 at most, whatever it says, and a bomb is refused in
/// less than 256 MB. The bytes in all are bounded only by [`Limits::bytes`], because honest graphs are large: Friendster
/// is a text of 31 GB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes after decompression, at most.
    pub bytes: u64,
    /// Times the compressed size, at most, …
    pub ratio: u64,
    /// … once this many bytes were decompressed.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 30, ratio: 100, ratio_from: 64 << 20 }
    }
}

impl Limits {
    /// Why `plain` bytes out of `compressed` are too many, if they are.
    fn objection(&self, compressed: u64, plain: u64) -> Option<String> {
        if plain > self.bytes {
            return Some(format!("at most {} bytes after decompression", self.bytes));
        }
        if plain > self.ratio_from && plain / self.ratio > compressed {
            return Some(format!(
                "at most {} bytes or {} times the compressed size after decompression",
                self.ratio_from, self.ratio
            ));
        }
        None
    }

    /// Everything `decoder` makes out of `compressed` bytes.
    ///
    /// The ratio is to the bytes that were read so far, not to all that are there: a bomb is refused where it begins to
    /// grow, and padding behind it buys it nothing.
    pub(super) fn decompress<'a, D: Read>(
        &self,
        path: &Path,
        what: &str,
        compressed: &'a [u8],
        decoder: impl FnOnce(Counted<'a>) -> io::Result<D>,
    ) -> Result<Vec<u8>> {
        let content = |expected, found| Error::Content { path: path.into(), expected, found };
        let read_so_far = Rc::new(Cell::new(0));
        let decoder = decoder(Counted { rest: compressed, read: Rc::clone(&read_so_far) });
        let mut decoder =
            decoder.map_err(|source| Error::Io { path: path.into(), action: "decompress", source })?;
        let mut plain = Vec::new();
        loop {
            let read = decoder.by_ref().take(STEP).read_to_end(&mut plain);
            if let Some(expected) = self.objection(read_so_far.get(), plain.len() as u64) {
                return Err(content(
                    format!("{expected}; decompress it first if you trust it"),
                    "more".into(),
                ));
            }
            match read {
                Ok(0) => return Ok(plain),
                Ok(_) => {}
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
}

/// Compressed bytes, and how many of them were read.
pub(super) struct Counted<'a> {
    rest: &'a [u8],
    read: Rc<Cell<u64>>,
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(into)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

/// Decompression is checked against the limits after this many bytes.
const STEP: u64 = 1 << 20;

/// Bytes that were read, decompressed, and what to call them.
#[derive(Debug)]
pub(super) struct Input {
    /// The path for messages.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

impl Input {
    /// Reads `path`, or standard input if it is `-`.
    pub fn read(path: &Path, limits: &Limits) -> Result<Self> {
        let name = if path == Path::new("-") { "standard input".into() } else { path.to_path_buf() };
        Self::from_bytes(name, read_bytes(path)?, limits)
    }

    /// Bytes in memory, decompressed if they are compressed.
    pub fn from_bytes(path: PathBuf, bytes: Vec<u8>, limits: &Limits) -> Result<Self> {
        let plain = if bytes.starts_with(b"\x1f\x8b") {
            let decoder = |bytes| Ok(flate2::read::MultiGzDecoder::new(bytes));
            limits.decompress(&path, "gzip", &bytes, decoder)?
        } else if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
            limits.decompress(&path, "Zstandard", &bytes, zstd::Decoder::new)?
        } else {
            bytes
        };
        Ok(Self { path, bytes: plain })
    }
}

/// The bytes of a file or, if the path is `-`, of standard input.
///
/// A stream may never end, as `/dev/zero` does not, so its start is looked at before the rest is read.
///
/// # Errors
/// If it cannot be read, or is a stream of something that is neither text nor a format we know.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new("-") {
        return read_stream(Path::new("standard input"), io::stdin().lock());
    }
    let failed = |source| Error::Io { path: path.into(), action: "read", source };
    let is_stream = path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if is_stream {
        return read_stream(path, File::open(path).map_err(failed)?);
    }
    std::fs::read(path).map_err(failed)
}

/// So much of a stream is looked at before the rest is read.
const START: u64 = 1 << 16;

fn read_stream(path: &Path, mut stream: impl Read) -> Result<Vec<u8>> {
    let failed = |source| Error::Io { path: path.into(), action: "read", source };
    let mut bytes = Vec::new();
    stream.by_ref().take(START).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.contains(&0) && !is_known_binary(&bytes) {
        let found = "zero bytes; it is another kind of file, an endless device, or text in UTF-16".to_owned();
        return Err(Error::Content { path: path.into(), expected: "text in UTF-8".to_owned(), found });
    }
    stream.read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Whether bytes start like a compressed file, a MATLAB file or a safetensors file.
fn is_known_binary(bytes: &[u8]) -> bool {
    let is_safetensors = bytes.get(4..9) == Some(b"\0\0\0\0{");
    let starts: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"MATLAB"];
    is_safetensors || starts.iter().any(|start| bytes.starts_with(start))
}

/// The file's name without folders and without `.gz` or `.zst`, then its stem and its extension in lower case.
pub(super) fn stem_and_extension(path: &Path) -> (String, String) {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem.to_owned(), extension.to_ascii_lowercase()),
        _ => (name.to_owned(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: Vec<u8>, limits: &Limits) -> Result<Vec<u8>> {
        Input::from_bytes("file".into(), bytes, limits).map(|input| input.bytes)
    }

    #[test]
    fn compression_is_recognised_by_its_first_bytes() {
        let plain = b"1 2\n2 3\n".repeat(1000);
        assert_eq!(read(gzip(&plain), &Limits::default()).unwrap(), plain);
        assert_eq!(read(zstd::encode_all(&plain[..], 3).unwrap(), &Limits::default()).unwrap(), plain);
        assert_eq!(read(plain.clone(), &Limits::default()).unwrap(), plain);
        let joined = [gzip(b"1 2\n"), gzip(b"2 3\n")].concat();
        assert_eq!(read(joined, &Limits::default()).unwrap(), b"1 2\n2 3\n");
    }

    #[test]
    fn endless_streams_are_refused_at_their_start() {
        let refused = |stream: &mut dyn Read| read_stream(Path::new("s"), stream).unwrap_err().to_string();
        assert!(refused(&mut io::repeat(0)).contains("endless device"));
        let noise: Vec<u8> = (0..1u32 << 16).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert!(refused(&mut noise.as_slice().chain(io::repeat(1))).contains("zero bytes"));
        let packed = gzip(b"1 2\n");
        assert_eq!(read_stream(Path::new("s"), packed.as_slice()).unwrap(), packed);
        assert_eq!(read_stream(Path::new("s"), &b"1 2"[..]).unwrap(), b"1 2");
        #[cfg(unix)]
        assert!(read_bytes(Path::new("/dev/zero")).is_err());
    }

    #[test]
    fn streams_cut_short_are_refused() {
        let plain: Vec<u8> =
            (0..20_000u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for (what, whole) in [("gzip", gzip(&plain)), ("Zstandard", zstd::encode_all(&plain[..], 3).unwrap())]
        {
            let message =
                read(whole[..whole.len() - 9].to_vec(), &Limits::default()).unwrap_err().to_string();
            let start = format!("file: expected a whole {what} stream, found one that is cut short, after ");
            assert!(message.starts_with(&start), "{message}");
            assert!(message.ends_with(" bytes; copy or download it again"), "{message}");
        }
    }

    #[test]
    fn a_damaged_stream_is_refused() {
        let mut bytes = gzip(b"1 2\n2 3\n");
        let checksum = bytes.len() - 8;
        bytes[checksum] ^= 1;
        let message = read(bytes, &Limits::default()).unwrap_err().to_string();
        let expected = "file: expected a whole gzip stream, found a damaged one, after 8 bytes; copy or download it again";
        assert_eq!(message, expected);
    }

    #[test]
    fn a_bomb_is_stopped_at_the_limit_and_the_message_names_it() {
        let limits = Limits { bytes: 1 << 40, ratio: 50, ratio_from: 1 << 20 };
        let bomb = gzip(&vec![b'1'; 8 << 20]);
        let message = read(bomb, &limits).unwrap_err().to_string();
        let expected = "file: expected at most 1048576 bytes or 50 times the compressed size after \
            decompression; decompress it first if you trust it, found more";
        assert_eq!(message, expected);
        let limits = Limits { bytes: 1000, ..Limits::default() };
        let message = read(gzip(&vec![b'1'; 2000]), &limits).unwrap_err().to_string();
        let expected = "file: expected at most 1000 bytes after decompression; decompress it first if you \
            trust it, found more";
        assert_eq!(message, expected);
    }

    #[test]
    fn a_bomb_is_stopped_where_it_grows_whatever_its_size() {
        let limits = Limits { bytes: 1 << 40, ratio: 50, ratio_from: 1 << 20 };
        let padding: Vec<u8> =
            (0..1u32 << 19).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        // The padding alone would allow a hundred times as much.
        let bomb = [gzip(&vec![b'1'; 8 << 20]), gzip(&padding)].concat();
        assert!(read(bomb.clone(), &limits).is_err());
        assert!(limits.objection(bomb.len() as u64, (8 << 20) + (2 << 20)).is_none());
        assert!(read(gzip(&padding), &limits).is_ok());
    }

    #[test]
    fn names_lose_their_endings() {
        let split = |path: &str| stem_and_extension(Path::new(path));
        assert_eq!(split("a/karate.GML.gz"), ("karate".into(), "gml".into()));
        assert_eq!(split("edges"), ("edges".into(), String::new()));
        assert_eq!(split(".hidden"), (".hidden".into(), String::new()));
        assert_eq!(split("a.b.txt.zst"), ("a.b".into(), "txt".into()));
    }
}
