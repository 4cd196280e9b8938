//! Input: bytes of a file or of standard input, decompressed within limits.
//!
//! Compression is detected by magic bytes, and decompression is streamed, so that compressed and plain bytes are never
//! in memory together. A device or a pipe may be endless, so the start of a stream is inspected before the rest is read,
//! and reading stops at the memory limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::io::compression::Compression;
use crate::io::files::container;
use crate::io::formats::detect;
use crate::io::formats::text::Text;
use crate::io::limits::{Limits, Memory};
use crate::io::progress::{ReadCallback, ReadStep};
use crate::{Error, Result};

/// A stream is inspected after this many bytes.
const START: usize = 1 << 20;

/// Bytes that are read to detect compression and safetensors. No more, as a megabyte of a compressed stream may decompress to
/// a gigabyte.
const MAGIC: u64 = 1 << 12;

/// Bytes per read.
const STEP: u64 = 8 << 20;

/// Decompressed bytes and their path.
#[derive(Debug)]
pub(crate) struct Input {
    /// Path for error messages.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Options and callbacks of a read.
pub(crate) struct Reading<'a> {
    pub limits: Limits,
    pub memory: Memory,
    pub progress: ReadCallback<'a>,
    /// Called with the start of a stream, which it may refuse.
    pub inspect: &'a dyn Fn(Text<'_>) -> Result<()>,
}

impl<'a> Reading<'a> {
    /// A read without progress callback or inspection.
    pub(super) fn new(limits: &Limits) -> Self {
        let memory = Memory::of_this_machine();
        Self { limits: *limits, memory, progress: ReadCallback::default(), inspect: &|_| Ok(()) }
    }

    pub(super) fn with_progress(self, progress: ReadCallback<'a>) -> Self {
        Self { progress, ..self }
    }

    pub(super) fn inspected(self, inspect: &'a dyn Fn(Text<'_>) -> Result<()>) -> Self {
        Self { inspect, ..self }
    }

    /// Reads a file, or standard input if the path is `-`.
    pub(super) fn read(&self, path: &Path) -> Result<Input> {
        let source = Source::open(path)?;
        let path = source.name.clone();
        Ok(Input { bytes: self.bytes(source)?, path })
    }

    fn bytes(&self, mut source: Source) -> Result<Vec<u8>> {
        let path = source.name.as_path();
        let failed = |source| Error::Io { path: path.into(), action: "read", source };
        if let Some(length) = source.length {
            self.memory.expect(path, length)?;
        }
        let mut start = Vec::new();
        source.reader.by_ref().take(MAGIC).read_to_end(&mut start).map_err(failed)?;
        if container::looks_like_safetensors(&start) {
            return container::read_rest(path, start, source.reader, self.memory);
        }
        let length = source.length;
        let mut is_inspected = length.is_some();
        let mut inspect = |bytes: &[u8], read: u64| {
            self.memory.expect(path, bytes.len() as u64)?;
            self.progress.notify(ReadStep::Reading, read, length);
            if !is_inspected && bytes.len() >= START {
                is_inspected = true;
                self.inspect(Text::new(path, &bytes[..START]))?;
            }
            Ok(())
        };
        if let Some(compression) = Compression::of_bytes(&start) {
            let all = io::Cursor::new(start).chain(source.reader);
            return compression.decompress(path, all, &self.limits, &mut inspect);
        }
        let mut bytes = start;
        source.reader.by_ref().take(START as u64 - MAGIC).read_to_end(&mut bytes).map_err(failed)?;
        let more = length.unwrap_or(0).saturating_sub(bytes.len() as u64);
        let room =
            usize::try_from(more).map_or(Err(()), |more| bytes.try_reserve_exact(more).map_err(|_| ()));
        room.map_err(|()| failed(io::ErrorKind::OutOfMemory.into()))?;
        loop {
            inspect(&bytes, bytes.len() as u64)?;
            let count = source.reader.by_ref().take(STEP).read_to_end(&mut bytes).map_err(failed)?;
            if count == 0 {
                return Ok(bytes);
            }
        }
    }

    /// Refuses a stream that is neither text nor a supported format.
    fn inspect(&self, start: Text<'_>) -> Result<()> {
        detect::expect_text(start)?;
        (self.inspect)(start)
    }
}

/// An opened file or stream.
pub(crate) struct Source {
    /// Name for error messages.
    pub name: PathBuf,
    pub reader: Box<dyn Read>,
    /// The bytes of a file; a stream has no length.
    pub length: Option<u64>,
}

impl Source {
    /// Opens a file, or standard input if the path is `-`.
    pub(super) fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let reader = Box::new(io::stdin().lock());
            return Ok(Self { name: "standard input".into(), reader, length: None });
        }
        let failed = |source| Error::Io { path: path.into(), action: "read", source };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // Files of /proc have content but no length.
        let length = Some(metadata.len()).filter(|&length| metadata.is_file() && length > 0);
        Ok(Self { name: path.into(), reader: Box::new(file), length })
    }
}

impl Input {
    /// Bytes in memory, decompressed if they are compressed.
    pub(super) fn from_bytes(path: PathBuf, bytes: Vec<u8>, limits: &Limits) -> Result<Self> {
        let memory = Memory::of_this_machine();
        let mut inspect = |plain: &[u8], _| memory.expect(&path, plain.len() as u64);
        let plain = match Compression::of_bytes(&bytes) {
            Some(compression) => compression.decompress(&path, bytes.as_slice(), limits, &mut inspect)?,
            None => bytes,
        };
        Ok(Self { path, bytes: plain })
    }
}

/// The content of a file or, if the path is `-`, of standard input, decompressed.
///
/// # Errors
/// If it cannot be read, does not fit into memory, or is a stream of neither text nor a supported format.
pub fn read_bytes(path: &Path, progress: ReadCallback<'_>) -> Result<Vec<u8>> {
    let input = Reading::new(&Limits::default()).with_progress(progress).read(path)?;
    if Compression::of_bytes(&input.bytes).is_some() {
        return Err(Error::Content {
            path: input.path,
            expected: "a file that is compressed once at most".to_owned(),
            found: "one that was compressed twice; decompress it first".to_owned(),
        });
    }
    Ok(input.bytes)
}

/// The file's name without folders and without `.gz` or `.zst`, then its stem and its extension in lower case.
pub(crate) fn stem_and_extension(path: &Path) -> (String, String) {
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

    /// What becomes of a stream, on a machine of ten megabytes.
    fn stream(reader: impl Read + 'static) -> Result<Vec<u8>> {
        let source = Source { name: "s".into(), reader: Box::new(reader), length: None };
        let memory = Memory::of(10_000_000);
        Reading { memory, ..Reading::new(&Limits::default()) }.bytes(source)
    }

    fn refusal(reader: impl Read + 'static) -> String {
        stream(reader).unwrap_err().to_string()
    }

    #[test]
    fn compression_is_recognised_by_its_first_bytes() {
        let plain = b"1 2\n2 3\n".repeat(1000);
        assert_eq!(read(gzip(&plain), &Limits::default()).unwrap(), plain);
        assert_eq!(read(zstd::encode_all(&plain[..], 3).unwrap(), &Limits::default()).unwrap(), plain);
        assert_eq!(read(plain.clone(), &Limits::default()).unwrap(), plain);
        let joined = [gzip(b"1 2\n"), gzip(b"2 3\n")].concat();
        assert_eq!(read(joined, &Limits::default()).unwrap(), b"1 2\n2 3\n");
        for packed in [gzip(&plain), zstd::encode_all(&plain[..], 3).unwrap(), plain.clone()] {
            assert_eq!(stream(io::Cursor::new(packed)).unwrap(), plain);
        }
    }

    #[test]
    fn endless_streams_are_refused_at_their_start() {
        assert!(refusal(io::repeat(0)).contains("endless device"));
        let noise: Vec<u8> = (0..1u32 << 20).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert!(refusal(io::Cursor::new(noise).chain(io::repeat(1))).contains("zero bytes"));
        assert!(refusal(io::repeat(0xff)).contains("text in UTF-8"));
        let parquet = io::Cursor::new(b"PAR1").chain(io::repeat(0));
        assert!(refusal(parquet).contains("Parquet"));
        let mut tensors = 100u64.to_le_bytes().to_vec();
        tensors.extend(b"{ \"no\": \"header\"");
        assert!(stream(io::Cursor::new(tensors).chain(io::repeat(0))).unwrap().len() < START);
        #[cfg(unix)]
        assert!(read_bytes(Path::new("/dev/zero"), ReadCallback::default()).is_err());
    }

    #[test]
    fn an_endless_text_is_refused_at_the_limit_of_memory() {
        let message = refusal(io::repeat(b'1'));
        assert!(message.contains("at most 10.0 MB, two thirds of the memory"), "{message}");
        let packed = gzip(&b"1 2\n".repeat(3_000_000)); // 12 MB, which any ratio allows
        assert!(refusal(io::Cursor::new(packed)).contains("at most 10.0 MB"));
    }

    #[test]
    fn progress_is_told_of_files() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        std::fs::write(&path, vec![b'1'; 20 << 20]).unwrap();
        let shares = std::sync::Mutex::new(Vec::new());
        let callback =
            |progress: &crate::io::ReadProgress| shares.lock().unwrap().push(progress.done.unwrap());
        let input =
            Reading::new(&Limits::default()).with_progress(ReadCallback::new(&callback)).read(&path).unwrap();
        assert_eq!(input.bytes.len(), 20 << 20);
        let shares = shares.into_inner().unwrap();
        assert!(shares.len() > 2 && shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
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
        assert!(message.contains("found a damaged one, after 8 bytes"), "{message}");
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
