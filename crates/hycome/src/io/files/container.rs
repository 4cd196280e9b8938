//! File container: safetensors with a file kind, a format version and a checksum in the metadata.
//!
//! [Safetensors](https://github.com/huggingface/safetensors) is a length, a JSON header of that length and the bytes of
//! the tensors, without gaps. Output is deterministic: the same content has the same bytes, so the header is written here,
//! in a fixed order. Input is not trusted: memory is allocated only after a size was compared with the bytes that are there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytemuck::Pod;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde_json::{Map, Value, json};

use crate::graph::{NodeId, NodeNames};
use crate::io::input::Source;
use crate::io::limits::Memory;
use crate::{Error, Result};

/// A kind of file.
pub(crate) struct FileKind {
    /// Value of `format` in the metadata.
    pub format: &'static str,
    /// Noun for error messages.
    pub noun: &'static str,
    /// What error messages expect.
    pub origin: &'static str,
    /// The version written, and the newest that can be read.
    pub version: u64,
    /// What to do about an invalid file, appended to error messages.
    pub remedy: &'static str,
}

/// Writer of consecutive tensors; callers add the widest types first, so that each is aligned.
#[derive(Default)]
pub(crate) struct Writer<'a> {
    header: Map<String, Value>,
    data: Vec<Cow<'a, [u8]>>,
    length: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn tensor(
        &mut self,
        name: &str,
        dtype: &str,
        shape: &[usize],
        bytes: impl Into<Cow<'a, [u8]>>,
    ) {
        let bytes = bytes.into();
        let start = self.length;
        self.length += bytes.len();
        let info = json!({ "dtype": dtype, "shape": shape, "data_offsets": [start, self.length] });
        self.header.insert(name.to_owned(), info);
        self.data.push(bytes);
    }

    /// Adds names in the smallest of their three forms; returns the text of the third, which belongs to the end of the file.
    pub(crate) fn names(&mut self, names: &NodeNames) -> Option<String> {
        if !names.are_numbers() {
            let (text, ends) = joined(names.iter());
            self.tensor("names.ends", "U64", &[names.len()], u64s(&ends));
            return Some(text);
        }
        let numbers: Vec<u64> =
            names.iter().map(|name| name.parse().expect("are_numbers was checked")).collect();
        let first = numbers.first().copied().unwrap_or(0);
        if *names == NodeNames::numbered(first, numbers.len()) {
            self.tensor("names.first", "U64", &[1], u64s(&[first]));
        } else {
            self.tensor("names.numbers", "U64", &[numbers.len()], u64s(&numbers));
        }
        None
    }

    pub(crate) fn text(&mut self, name: &str, text: String) {
        self.tensor(name, "U8", &[text.len()], text.into_bytes());
    }

    /// The length and the header, which precede the tensors.
    pub(crate) fn header(&self, metadata: Value) -> Vec<u8> {
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), metadata);
        header.extend(self.header.clone());
        let mut text = Value::Object(header).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(8), b' ');
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text);
        bytes
    }

    /// Names and bytes of the tensors, in their order.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.header.keys().map(String::as_str).zip(self.data.iter().map(|bytes| &**bytes))
    }

    /// The whole file, with a CRC-32 checksum of all of it in its header.
    pub(crate) fn with_checksum(&self, kind: &FileKind, metadata: Value) -> Vec<u8> {
        let mut all = Map::new();
        all.insert("format".to_owned(), kind.format.into());
        all.insert("checksum".to_owned(), NO_CHECKSUM.into());
        all.insert("format_version".to_owned(), kind.version.to_string().into());
        all.insert("program".to_owned(), concat!("hycome ", env!("CARGO_PKG_VERSION")).into());
        all.extend(
            metadata.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())),
        );
        let mut bytes = self.header(Value::Object(all));
        self.write_tensors(&mut bytes).expect("memory takes all bytes");
        let checksum = checksum([bytes.as_slice()]);
        bytes[checksum_range(kind.format)].copy_from_slice(checksum.as_bytes());
        bytes
    }

    pub(crate) fn write(&self, header: &[u8], out: &mut impl Write) -> io::Result<()> {
        out.write_all(header)?;
        self.write_tensors(out)
    }

    fn write_tensors(&self, out: &mut impl Write) -> io::Result<()> {
        self.data.iter().try_for_each(|bytes| out.write_all(bytes))
    }
}

/// Placeholder of the checksum while it is computed.
pub(crate) const NO_CHECKSUM: &str = "00000000";

/// Start of the header, up to the digits of the checksum.
fn start_of_header(format: &str) -> String {
    format!(r#"{{"__metadata__":{{"format":"{format}","checksum":""#)
}

/// Byte range of the checksum digits in a file.
pub(crate) fn checksum_range(format: &str) -> Range<usize> {
    let start = 8 + start_of_header(format).len();
    start..start + NO_CHECKSUM.len()
}

/// Whether bytes start like a file of this format with a checksum.
pub(crate) fn has_checksum(bytes: &[u8], format: &str) -> bool {
    looks_like_safetensors(bytes) && bytes[8..].starts_with(start_of_header(format).as_bytes())
}

/// CRC-32 of consecutive parts, in eight hexadecimal digits.
pub(crate) fn checksum<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    format!("{:08x}", hasher.finalize())
}

/// Concatenated names, and where each ends.
pub(crate) fn joined<T: AsRef<str>>(names: impl Iterator<Item = T>) -> (String, Vec<u64>) {
    let mut text = String::new();
    let ends = names.map(|name| {
        text.push_str(name.as_ref());
        text.len() as u64
    });
    let ends = ends.collect();
    (text, ends)
}

fn u64s(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Little-endian bytes of numbers; borrowed on little-endian machines.
pub(crate) fn bytes_of<T: Pod, const N: usize>(numbers: &[T], bytes: impl Fn(T) -> [u8; N]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") && size_of::<T>() == N {
        Cow::Borrowed(bytemuck::cast_slice(numbers))
    } else {
        numbers.iter().flat_map(|&number| bytes(number)).collect()
    }
}

/// Reader of a safetensors file with a valid header.
pub(crate) struct Reader<'a> {
    pub path: PathBuf,
    tensors: SafeTensors<'a>,
    metadata: HashMap<String, String>,
    kind: &'a FileKind,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(bytes: &'a [u8], path: &Path, kind: &'a FileKind) -> Result<Self> {
        if !looks_like_safetensors(bytes) {
            return Err(content(path, kind.origin, "another kind of file"));
        }
        let unsound = |error: SafeTensorError| {
            let found = match error {
                SafeTensorError::MetadataIncompleteBuffer | SafeTensorError::InvalidHeaderLength => {
                    format!("one of {} bytes, which differs from its header{}", bytes.len(), kind.remedy)
                }
                error => format!("a damaged one ({error}){}", kind.remedy),
            };
            content(path, format!("a whole {} in the safetensors format", kind.noun), found)
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(unsound)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(unsound)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        let reader = Self { path: path.into(), tensors, metadata, kind };
        match reader.metadata.get("format").map(String::as_str) {
            Some(format) if format == kind.format => {}
            Some("hycome-run") => return Err(content(path, kind.origin, "a run")),
            Some("hycome-model") => return Err(content(path, kind.origin, "a model")),
            _ => return Err(content(path, kind.origin, "other tensors")),
        }
        let version = reader.metadata("format_version")?;
        match version.parse::<u64>() {
            Ok(version) if version == kind.version => Ok(reader),
            Ok(newer) if newer > kind.version => {
                let expected = format!("a {} of format version {}", kind.noun, kind.version);
                let program = reader.metadata.get("program").map_or("a newer hycome", String::as_str);
                let found = format!("version {newer}, written by {program:?}; update hycome to read it");
                Err(content(path, expected, found))
            }
            Ok(older) if older > 0 => {
                let expected = format!("a {} of format version {}", kind.noun, kind.version);
                let program = reader.metadata.get("program").map_or("an older hycome", String::as_str);
                let found =
                    format!("version {older}, written by {program:?}; make it again with this version");
                Err(content(path, expected, found))
            }
            _ => Err(reader.content_error("a format version", format!("{version:?}"))),
        }
    }

    /// [`Reader::open`] for a file that [`Writer::with_checksum`] made, whose checksum is compared too.
    pub(crate) fn open_with_checksum(bytes: &'a [u8], path: &Path, kind: &'a FileKind) -> Result<Self> {
        let reader = Self::open(bytes, path, kind)?;
        let place = checksum_range(kind.format);
        if !has_checksum(bytes, kind.format) || bytes.len() < place.end {
            return Err(reader.content_error("a checksum among the metadata", "none"));
        }
        let parts = [&bytes[..place.start], NO_CHECKSUM.as_bytes(), &bytes[place.end..]];
        reader.compare_checksum(&bytes[place], &checksum(parts))?;
        Ok(reader)
    }

    /// Fails unless the checksum of the content is the one that was written.
    pub(crate) fn compare_checksum(&self, written: &[u8], found: &str) -> Result<()> {
        if found.as_bytes() == written {
            return Ok(());
        }
        let expected = format!("content of the checksum {} that it was written with", written.escape_ascii());
        Err(self.content_error(expected, format!("{found}: the file was changed or damaged")))
    }

    pub(crate) fn content_error(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        content(&self.path, expected, found.into() + self.kind.remedy)
    }

    pub(crate) fn metadata(&self, key: &str) -> Result<&str> {
        let text = self.metadata.get(key).map(String::as_str);
        text.ok_or_else(|| self.content_error(format!("`{key}` among the metadata"), "none"))
    }

    pub(crate) fn optional_metadata(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// Whether the file has a tensor of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tensors.tensor(name).is_ok()
    }

    /// Shape and bytes of a tensor of this type and number of axes.
    pub(crate) fn tensor(&self, name: &str, dtype: Dtype, axes: usize) -> Result<(Vec<usize>, &'a [u8])> {
        let Ok(view) = self.tensors.tensor(name) else {
            return Err(self.content_error(format!("a tensor `{name}`"), "none"));
        };
        if view.dtype() != dtype || view.shape().len() != axes {
            let expected = format!("`{name}` as {dtype:?} with {axes} axes");
            return Err(
                self.content_error(expected, format!("{:?} of shape {:?}", view.dtype(), view.shape()))
            );
        }
        Ok((view.shape().to_vec(), view.data()))
    }

    pub(crate) fn u64s(&self, name: &str) -> Result<Vec<u64>> {
        Ok(words::<8>(self.tensor(name, Dtype::U64, 1)?.1).map(u64::from_le_bytes).collect())
    }

    /// A tensor of U64 as `usize`.
    pub(crate) fn usizes(&self, name: &str) -> Result<Vec<usize>> {
        let places: std::result::Result<_, _> = self.u64s(name)?.into_iter().map(usize::try_from).collect();
        places.map_err(|_| self.content_error(format!("numbers of this machine in `{name}`"), "larger ones"))
    }

    /// The text and the ends of the names in `PREFIX.text` and `PREFIX.ends`.
    pub(crate) fn texts(&self, prefix: &str) -> Result<(String, Vec<usize>)> {
        let ends = self.usizes(&format!("{prefix}.ends"))?;
        let bytes = self.tensor(&format!("{prefix}.text"), Dtype::U8, 1)?.1;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok((text.to_owned(), ends)),
            Err(_) => Err(self.content_error("names in UTF-8", "other bytes")),
        }
    }

    /// The names of `count` nodes.
    pub(crate) fn names(&self, count: usize) -> Result<NodeNames> {
        if NodeId::try_from(count).is_err() {
            return Err(self.content_error("fewer than 2³² nodes", count.to_string()));
        }
        if self.has("names.first") {
            let first = self.u64s("names.first")?;
            let last = first.first().and_then(|first| first.checked_add(count.saturating_sub(1) as u64));
            return match (first.as_slice(), last) {
                (&[first], Some(_)) => Ok(NodeNames::numbered(first, count)),
                _ => Err(self.content_error(
                    "one number in `names.first`, with room for the others",
                    format!("{first:?}"),
                )),
            };
        }
        if self.has("names.numbers") {
            return Ok(NodeNames::from_numbers(self.u64s("names.numbers")?));
        }
        let (text, ends) = self.texts("names")?;
        let length = text.len();
        let names = NodeNames::from_text(text, ends);
        names.ok_or_else(|| {
            let expected = format!("ends of names that rise, between characters, to {length} bytes");
            self.content_error(expected, "others")
        })
    }
}

/// Bytes that are read before the kind of file is checked.
const START: u64 = 1 << 12;

/// Limit of the safetensors crate on the length of a header.
const LONGEST_HEADER: u64 = 100_000_000;

/// Bytes that are read beyond the end according to the header, to detect trailing data.
const BEYOND: u64 = 1 << 16;

/// Bytes per read.
const STEP: u64 = 8 << 20;

/// Reads a file of this kind; any other file is refused after its first bytes.
pub(crate) fn read(path: &Path, kind: &FileKind) -> Result<Vec<u8>> {
    let mut source = Source::open(path)?;
    let mut start = Vec::new();
    let read = source.reader.by_ref().take(START).read_to_end(&mut start);
    read.map_err(|source| Error::Io { path: path.into(), action: "read", source })?;
    if !looks_like_safetensors(&start) {
        return Err(content(path, kind.origin, "another kind of file"));
    }
    read_rest(path, start, source.reader, Memory::of_this_machine())
}

/// Reads the rest of a safetensors file, up to little more than the length in its header.
///
/// [`Reader::open`] validates the header and the length.
pub(crate) fn read_rest(path: &Path, start: Vec<u8>, mut rest: impl Read, memory: Memory) -> Result<Vec<u8>> {
    let mut bytes = start;
    let mut read_to = |bytes: &mut Vec<u8>, end: u64| loop {
        memory.expect(path, bytes.len() as u64)?;
        let more = end.saturating_sub(bytes.len() as u64).min(STEP);
        let count = rest.by_ref().take(more).read_to_end(bytes);
        if count.map_err(|source| Error::Io { path: path.into(), action: "read", source })? == 0 {
            return Ok::<(), Error>(());
        }
    };
    let header = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
    if header > LONGEST_HEADER {
        return Ok(bytes);
    }
    read_to(&mut bytes, 8 + header)?;
    let header_end = (8 + header) as usize;
    let text = bytes.get(8..header_end).unwrap_or_default();
    let Ok(Value::Object(tensors)) = serde_json::from_slice(text) else { return Ok(bytes) };
    let end = |tensor: &Value| tensor["data_offsets"][1].as_u64();
    let length = tensors.values().filter_map(end).max().unwrap_or(0);
    read_to(&mut bytes, (header_end as u64).saturating_add(length).saturating_add(BEYOND))?;
    Ok(bytes)
}

/// Whether bytes start like a safetensors file: the length of a header, then its opening brace.
pub(crate) fn looks_like_safetensors(bytes: &[u8]) -> bool {
    bytes.len() > 9 && bytes[8] == b'{' && bytes[6..8] == [0, 0]
}

/// `data` in words of N bytes.
pub(crate) fn words<const N: usize>(data: &[u8]) -> impl Iterator<Item = [u8; N]> {
    data.chunks_exact(N).map(|word| word.try_into().expect("a chunk has the length of a word"))
}

pub(crate) fn content(path: &Path, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::Content { path: path.into(), expected: expected.into(), found: found.into() }
}
