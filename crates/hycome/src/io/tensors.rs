//! What our own files share: safetensors with a kind and a version among the metadata.
//!
//! [Safetensors](https://github.com/huggingface/safetensors) is a length, a JSON header of that length and the bytes of
//! the tensors, without gaps. Nothing we write depends on the time or the machine, so the same content has the
//! same bytes; that is why the header is written here, in a fixed order. Reading trusts nothing: memory is
//! asked for only after a size was compared with the bytes that are there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytemuck::Pod;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde_json::{Map, Value, json};

use crate::graph::{NodeId, NodeNames};
use crate::{Error, Result};

/// A kind of file.
pub(super) struct Kind {
    /// What `format` says among the metadata.
    pub format: &'static str,
    /// What messages call it.
    pub noun: &'static str,
    /// What messages ask for.
    pub origin: &'static str,
    /// The version written, and the newest that can be read.
    pub version: u64,
    /// What to do about a file that cannot be used.
    pub remedy: &'static str,
}

/// Tensors that will stand one after the other; the widest types come first so that each is aligned.
#[derive(Default)]
pub(super) struct Writer<'a> {
    header: Map<String, Value>,
    data: Vec<Cow<'a, [u8]>>,
    length: usize,
}

impl<'a> Writer<'a> {
    pub fn tensor(&mut self, name: &str, dtype: &str, shape: &[usize], bytes: impl Into<Cow<'a, [u8]>>) {
        let bytes = bytes.into();
        let start = self.length;
        self.length += bytes.len();
        let info = json!({ "dtype": dtype, "shape": shape, "data_offsets": [start, self.length] });
        self.header.insert(name.to_owned(), info);
        self.data.push(bytes);
    }

    /// Names in the smallest of their three forms; the text of the third is left for the end of the file.
    pub fn names(&mut self, names: &NodeNames) -> Option<String> {
        if !names.are_numbers() {
            let (text, ends) = joined(names.iter());
            self.tensor("names.ends", "U64", &[names.len()], whole_numbers(&ends));
            return Some(text);
        }
        let numbers: Vec<u64> =
            names.iter().map(|name| name.parse().expect("names are numbers where they say so")).collect();
        let first = numbers.first().copied().unwrap_or(0);
        if *names == NodeNames::numbered(first, numbers.len()) {
            self.tensor("names.first", "U64", &[1], whole_numbers(&[first]));
        } else {
            self.tensor("names.numbers", "U64", &[numbers.len()], whole_numbers(&numbers));
        }
        None
    }

    pub fn text(&mut self, name: &str, text: String) {
        self.tensor(name, "U8", &[text.len()], text.into_bytes());
    }

    /// The length and the header, to stand before the tensors.
    pub fn header(&self, metadata: Value) -> Vec<u8> {
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
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.header.keys().map(String::as_str).zip(self.data.iter().map(|bytes| &**bytes))
    }

    /// The whole file; its header carries the checksum of all of it, so that a changed bit is noticed anywhere.
    pub fn sealed(&self, kind: &Kind, metadata: Value) -> Vec<u8> {
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
        bytes[place_of_checksum(kind.format)].copy_from_slice(checksum.as_bytes());
        bytes
    }

    pub fn write(&self, header: &[u8], out: &mut impl Write) -> io::Result<()> {
        out.write_all(header)?;
        self.write_tensors(out)
    }

    fn write_tensors(&self, out: &mut impl Write) -> io::Result<()> {
        self.data.iter().try_for_each(|bytes| out.write_all(bytes))
    }
}

/// Stands for the checksum while it is computed.
pub(super) const NO_CHECKSUM: &str = "00000000";

/// How a header starts, up to the digits of the checksum.
fn start_of_header(format: &str) -> String {
    format!(r#"{{"__metadata__":{{"format":"{format}","checksum":""#)
}

/// Where the digits of the checksum are in a file that is sealed.
pub(super) fn place_of_checksum(format: &str) -> Range<usize> {
    let start = 8 + start_of_header(format).len();
    start..start + NO_CHECKSUM.len()
}

/// Whether bytes start like a sealed file of this format.
pub(super) fn looks_sealed(bytes: &[u8], format: &str) -> bool {
    looks_like_tensors(bytes) && bytes[8..].starts_with(start_of_header(format).as_bytes())
}

/// CRC-32 of parts that follow each other, in eight hexadecimal digits.
pub(super) fn checksum<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    format!("{:08x}", hasher.finalize())
}

/// Names in one text, and where each ends.
pub(super) fn joined<T: AsRef<str>>(names: impl Iterator<Item = T>) -> (String, Vec<u64>) {
    let mut text = String::new();
    let ends = names.map(|name| {
        text.push_str(name.as_ref());
        text.len() as u64
    });
    let ends = ends.collect();
    (text, ends)
}

fn whole_numbers(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Numbers as a file has them, N bytes each, the lowest first: on most machines the bytes they have already.
pub(super) fn bytes_of<T: Pod, const N: usize>(numbers: &[T], bytes: impl Fn(T) -> [u8; N]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") && size_of::<T>() == N {
        Cow::Borrowed(bytemuck::cast_slice(numbers))
    } else {
        numbers.iter().flat_map(|&number| bytes(number)).collect()
    }
}

/// A safetensors file whose header was understood.
pub(super) struct Reader<'a> {
    pub path: PathBuf,
    tensors: SafeTensors<'a>,
    metadata: HashMap<String, String>,
    kind: &'a Kind,
}

impl<'a> Reader<'a> {
    pub fn open(bytes: &'a [u8], path: &Path, kind: &'a Kind) -> Result<Self> {
        if !looks_like_tensors(bytes) {
            return Err(content(path, kind.origin, "another kind of file"));
        }
        let unsound = |error: SafeTensorError| {
            let found = match error {
                SafeTensorError::MetadataIncompleteBuffer | SafeTensorError::InvalidHeaderLength => {
                    format!("one of {} bytes, which is not what its header says{}", bytes.len(), kind.remedy)
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
            _ => Err(reader.objection("a format version", format!("{version:?}"))),
        }
    }

    /// [`Reader::open`] for a file that [`Writer::sealed`] made, whose checksum is compared too.
    pub fn open_sealed(bytes: &'a [u8], path: &Path, kind: &'a Kind) -> Result<Self> {
        let reader = Self::open(bytes, path, kind)?;
        let place = place_of_checksum(kind.format);
        if !looks_sealed(bytes, kind.format) || bytes.len() < place.end {
            return Err(reader.objection("a checksum among the metadata", "none"));
        }
        let parts = [&bytes[..place.start], NO_CHECKSUM.as_bytes(), &bytes[place.end..]];
        reader.compare_checksum(&bytes[place], &checksum(parts))?;
        Ok(reader)
    }

    /// Whether the content is what the file was written with.
    pub fn compare_checksum(&self, written: &[u8], found: &str) -> Result<()> {
        if found.as_bytes() == written {
            return Ok(());
        }
        let expected = format!("content of the checksum {} that it was written with", written.escape_ascii());
        Err(self.objection(expected, format!("{found}: the file was changed or damaged")))
    }

    pub fn objection(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        content(&self.path, expected, found.into() + self.kind.remedy)
    }

    pub fn metadata(&self, key: &str) -> Result<&str> {
        let text = self.metadata.get(key).map(String::as_str);
        text.ok_or_else(|| self.objection(format!("`{key}` among the metadata"), "none"))
    }

    pub fn optional_metadata(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    pub fn has(&self, name: &str) -> bool {
        self.tensors.tensor(name).is_ok()
    }

    /// Shape and bytes of a tensor of this type and number of axes.
    pub fn tensor(&self, name: &str, dtype: Dtype, axes: usize) -> Result<(Vec<usize>, &'a [u8])> {
        let Ok(view) = self.tensors.tensor(name) else {
            return Err(self.objection(format!("a tensor `{name}`"), "none"));
        };
        if view.dtype() != dtype || view.shape().len() != axes {
            let expected = format!("`{name}` as {dtype:?} with {axes} axes");
            return Err(self.objection(expected, format!("{:?} of shape {:?}", view.dtype(), view.shape())));
        }
        Ok((view.shape().to_vec(), view.data()))
    }

    pub fn whole_numbers(&self, name: &str) -> Result<Vec<u64>> {
        Ok(words::<8>(self.tensor(name, Dtype::U64, 1)?.1).map(u64::from_le_bytes).collect())
    }

    /// Whole numbers that count or place something in memory.
    pub fn places(&self, name: &str) -> Result<Vec<usize>> {
        let places: std::result::Result<_, _> =
            self.whole_numbers(name)?.into_iter().map(usize::try_from).collect();
        places.map_err(|_| self.objection(format!("numbers of this machine in `{name}`"), "larger ones"))
    }

    /// Whatever names the tensors `PREFIX.ends` and `PREFIX.text` hold.
    pub fn texts(&self, prefix: &str) -> Result<(String, Vec<usize>)> {
        let ends = self.places(&format!("{prefix}.ends"))?;
        let bytes = self.tensor(&format!("{prefix}.text"), Dtype::U8, 1)?.1;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok((text.to_owned(), ends)),
            Err(_) => Err(self.objection("names in UTF-8", "other bytes")),
        }
    }

    /// The names of `count` nodes.
    pub fn names(&self, count: usize) -> Result<NodeNames> {
        if NodeId::try_from(count).is_err() {
            return Err(self.objection("fewer than 2³² nodes", count.to_string()));
        }
        if self.has("names.first") {
            let first = self.whole_numbers("names.first")?;
            let last = first.first().and_then(|first| first.checked_add(count.saturating_sub(1) as u64));
            return match (first.as_slice(), last) {
                (&[first], Some(_)) => Ok(NodeNames::numbered(first, count)),
                _ => Err(self.objection(
                    "one number in `names.first`, with room for the others",
                    format!("{first:?}"),
                )),
            };
        }
        if self.has("names.numbers") {
            return Ok(NodeNames::from_numbers(self.whole_numbers("names.numbers")?));
        }
        let (text, ends) = self.texts("names")?;
        let length = text.len();
        let names = NodeNames::from_text(text, ends);
        names.ok_or_else(|| {
            let expected = format!("ends of names that rise, between characters, to {length} bytes");
            self.objection(expected, "others")
        })
    }
}

/// Whether bytes start like a safetensors file: the length of a header, then its opening brace.
pub(super) fn looks_like_tensors(bytes: &[u8]) -> bool {
    bytes.len() > 9 && bytes[8] == b'{' && bytes[6..8] == [0, 0]
}

/// `data` in words of N bytes.
pub(super) fn words<const N: usize>(data: &[u8]) -> impl Iterator<Item = [u8; N]> {
    data.chunks_exact(N).map(|word| word.try_into().expect("a chunk has the length of a word"))
}

pub(super) fn content(path: &Path, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::Content { path: path.into(), expected: expected.into(), found: found.into() }
}
