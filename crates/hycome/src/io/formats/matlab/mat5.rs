//! Parser of the MATLAB 5 container: variables from untrusted bytes.
//!
//! After a header of 128 bytes, which has the byte order, come elements: a type, a length, the data and
//! padding to 8 bytes; data of up to 4 bytes may share the tag's 8. A variable is an element that holds
//! elements: flags with the class, dimensions, name, then for numeric classes the values and for sparse ones
//! row indices, column starts and values. Files of version 7 wrap each variable in a zlib stream.
//!
//! Values may be stored in any numeric type, whatever the class. A sparse variable's arrays may be longer
//! than needed; the number of entries is the last column start. Lengths are compared with
//! the bytes that are there before anything is made of them. Other classes (text, cells,
//! structs, …) are skipped, and so are numeric variables for which `is_needed` is false.

use std::path::Path;

use crate::io::formats::text::quoted;
use crate::io::limits::Limits;
use crate::{Error, Result};

/// A variable, its content only if it is numeric and needed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variable {
    pub name: String,
    pub class: &'static str,
    pub rows: usize,
    pub columns: usize,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Entries by column: those of column c are at `starts[c]..starts[c + 1]`. Zeros of a full matrix are none: they may be
    /// most of it, and bytes that a file has for nothing must not become numbers of eight bytes.
    Entries {
        starts: Vec<usize>,
        rows: Vec<u32>,
        values: Vec<f64>,
    },
    Skipped,
}

/// What should be there and what is, at some place that the caller adds.
struct Fault {
    expected: String,
    found: String,
}

impl Fault {
    fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into() }
    }

    fn error(self, path: &Path) -> Error {
        Error::Content { path: path.into(), expected: self.expected, found: self.found }
    }
}

/// Length of a file's header.
const HEADER: usize = 128;
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;

/// The variables of a file; `is_needed` is called with each variable's header, with [`Content::Skipped`].
pub(super) fn variables(
    path: &Path,
    bytes: &[u8],
    limits: &Limits,
    is_needed: impl Fn(&Variable) -> bool,
) -> Result<Vec<Variable>> {
    let big_endian = byte_order(bytes).map_err(|fault| fault.error(path))?;
    let mut reader = Reader { bytes: &bytes[HEADER..], big_endian };
    let mut variables = Vec::new();
    while !reader.bytes.is_empty() {
        let element = reader.element("a variable").map_err(|fault| fault.error(path))?;
        let inflated;
        let data = match element.kind {
            MATRIX => element.data,
            COMPRESSED => {
                let decoder = |bytes| Ok(flate2::read::ZlibDecoder::new(bytes));
                inflated = limits.decompress(path, "zlib", element.data, decoder, &mut |_, _| Ok(()))?;
                let mut inner = Reader { bytes: &inflated, big_endian };
                inner.element("a variable").map_err(|fault| fault.error(path))?.data
            }
            _ => continue, // not a variable, for example data of a subsystem
        };
        if !data.is_empty() {
            let mut inner = Reader { bytes: data, big_endian };
            variables.push(inner.variable(&is_needed).map_err(|fault| fault.error(path))?);
        }
    }
    Ok(variables)
}

/// Whether the file is big-endian, from a header that is one of version 5.
fn byte_order(bytes: &[u8]) -> std::result::Result<bool, Fault> {
    let expected = "a MATLAB file of version 5 or 7 (save with -v7)";
    let header = bytes.get(..HEADER).unwrap_or_default();
    let big_endian = match header {
        [.., b'I', b'M'] => false,
        [.., b'M', b'I'] => true,
        _ if looks_like_version_4(bytes) => return Err(Fault::new(expected, "one of version 4")),
        _ => {
            return Err(Fault::new(
                expected,
                format!("{} at its start", quoted(&bytes[..bytes.len().min(16)])),
            ));
        }
    };
    let major = if big_endian { header[124] } else { header[125] };
    match major {
        1 => Ok(big_endian),
        2 => Err(Fault::new(expected, "one of version 7.3")),
        other => Err(Fault::new(expected, format!("one of version {other}.x in its header"))),
    }
}

/// Version 4 starts with a number whose decimal digits are machine, 0, precision, kind of matrix.
fn looks_like_version_4(bytes: &[u8]) -> bool {
    let Some(&start) = bytes.first_chunk::<4>() else { return false };
    let digit = |code: u32, unit: u32| code / unit % 10;
    let plausible =
        |code| code < 5000 && digit(code, 100) == 0 && digit(code, 10) <= 5 && digit(code, 1) <= 2;
    bytes.len() >= 20 && (plausible(u32::from_le_bytes(start)) || plausible(u32::from_be_bytes(start)))
}

/// Remaining bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    big_endian: bool,
}

struct Element<'a> {
    kind: u32,
    data: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize, what: &str) -> std::result::Result<&'a [u8], Fault> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            let found = format!("{}; the file is cut short or damaged", self.bytes.len());
            return Err(Fault::new(format!("{count} bytes of {what}"), found));
        };
        self.bytes = rest;
        Ok(taken)
    }

    fn u32(&self, bytes: &[u8]) -> u32 {
        let bytes = bytes.first_chunk().copied().unwrap_or_default();
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    fn element(&mut self, what: &str) -> std::result::Result<Element<'a>, Fault> {
        let tag = self.take(8, what)?;
        let (first, second) = (self.u32(tag), self.u32(&tag[4..]));
        if first >> 16 != 0 {
            let length = (first >> 16) as usize;
            let Some(data) = tag[4..].get(..length) else {
                return Err(Fault::new(
                    format!("at most 4 bytes of {what} in a small element"),
                    length.to_string(),
                ));
            };
            return Ok(Element { kind: first & 0xffff, data });
        }
        let length = second as usize;
        let data = self.take(length, what)?;
        if first != COMPRESSED {
            let padding = length.next_multiple_of(8) - length;
            self.bytes = self.bytes.get(padding..).unwrap_or_default();
        }
        Ok(Element { kind: first, data })
    }

    fn numbers(&mut self, what: &str) -> std::result::Result<Numbers<'a>, Fault> {
        let Element { kind, data } = self.element(what)?;
        let width = match kind {
            1 | 2 => 1,
            3 | 4 => 2,
            5..=7 => 4,
            9 | 12 | 13 => 8,
            _ => return Err(Fault::new(format!("numbers for {what}"), format!("an element of type {kind}"))),
        };
        if data.len() % width != 0 {
            let found = format!("{} bytes", data.len());
            return Err(Fault::new(format!("{width} bytes for each number of {what}"), found));
        }
        Ok(Numbers { kind, width, data, big_endian: self.big_endian })
    }

    fn variable(&mut self, is_needed: impl Fn(&Variable) -> bool) -> std::result::Result<Variable, Fault> {
        let flags = self.element("array flags")?.data;
        if flags.len() < 8 {
            return Err(Fault::new("8 bytes of array flags", flags.len().to_string()));
        }
        let flags = self.u32(flags);
        let class = class_name(flags & 0xff);
        let is_complex = flags & 0x0800 != 0;
        let mut variable =
            Variable { name: String::new(), class, rows: 0, columns: 0, content: Content::Skipped };
        if class == "opaque object" {
            return Ok(variable);
        }
        let dimensions = self.numbers("dimensions")?;
        let dimension = |i| index(dimensions.get(i), "a dimension");
        let name = self.element("a variable's name")?.data;
        variable.name = String::from_utf8_lossy(name).into_owned();
        if dimensions.len() != 2 {
            return Ok(variable);
        }
        (variable.rows, variable.columns) = (dimension(0)?, dimension(1)?);
        if matches!(flags & 0xff, 5..=15) && is_needed(&variable) {
            if is_complex {
                let expected = format!("real numbers in {}; take their absolute values", quoted(name));
                return Err(Fault::new(expected, "complex ones"));
            }
            let content = if class == "sparse" { self.sparse(&variable) } else { self.dense(&variable) };
            variable.content = content.map_err(|fault| {
                let expected = format!("{} in variable {}", fault.expected, quoted(name));
                Fault::new(expected, fault.found)
            })?;
        }
        Ok(variable)
    }

    fn dense(&mut self, variable: &Variable) -> std::result::Result<Content, Fault> {
        let values = self.numbers("values")?;
        if variable.rows.checked_mul(variable.columns) != Some(values.len()) {
            let expected = format!("{} × {} values", variable.rows, variable.columns);
            return Err(Fault::new(expected, values.len().to_string()));
        }
        let (mut starts, mut rows, mut kept) = (vec![0], Vec::new(), Vec::new());
        for i in 0..values.len() {
            let value = values.get(i);
            if value != 0.0 {
                rows.push((i % variable.rows) as u32);
                kept.push(value);
            }
            if (i + 1) % variable.rows == 0 {
                starts.push(kept.len());
            }
        }
        Ok(Content::Entries { starts, rows, values: kept })
    }

    fn sparse(&mut self, variable: &Variable) -> std::result::Result<Content, Fault> {
        let rows = self.numbers("row indices")?;
        let starts = self.numbers("column starts")?;
        if starts.len() != variable.columns + 1 {
            let expected = format!("{} column starts", variable.columns + 1);
            return Err(Fault::new(expected, starts.len().to_string()));
        }
        let starts: Vec<usize> = (0..starts.len())
            .map(|i| index(starts.get(i), "a column start"))
            .collect::<std::result::Result<_, _>>()?;
        if starts[0] != 0 || !starts.is_sorted() {
            return Err(Fault::new("column starts that begin at 0 and never decrease", "others"));
        }
        let count = starts[starts.len() - 1];
        let values = self.numbers("values")?;
        if rows.len() < count || values.len() < count {
            let found = format!("{} row indices and {} values", rows.len(), values.len());
            return Err(Fault::new(format!("{count} entries as the last column start says"), found));
        }
        let row = |i| {
            let row = index(rows.get(i), "a row index")?;
            let fault = || Fault::new(format!("row indices below {}", variable.rows), row.to_string());
            u32::try_from(row).ok().filter(|_| row < variable.rows).ok_or_else(fault)
        };
        let rows = (0..count).map(row).collect::<std::result::Result<_, _>>()?;
        Ok(Content::Entries { starts, rows, values: (0..count).map(|i| values.get(i)).collect() })
    }
}

/// Numbers in one of the container's types.
struct Numbers<'a> {
    kind: u32,
    width: usize,
    data: &'a [u8],
    big_endian: bool,
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        self.data.len() / self.width
    }

    fn get(&self, i: usize) -> f64 {
        let mut bytes = [0; 8];
        let number = &self.data[i * self.width..(i + 1) * self.width];
        bytes[..self.width].copy_from_slice(number);
        if self.big_endian {
            bytes[..self.width].reverse();
        }
        let unsigned = u64::from_le_bytes(bytes);
        match self.kind {
            1 => f64::from(unsigned as i8),
            3 => f64::from(unsigned as i16),
            5 => f64::from(unsigned as i32),
            7 => f64::from(f32::from_bits(unsigned as u32)),
            9 => f64::from_bits(unsigned),
            12 => unsigned as i64 as f64,
            _ => unsigned as f64,
        }
    }
}

/// A number that counts something.
fn index(value: f64, what: &str) -> std::result::Result<usize, Fault> {
    let is_index = value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX);
    if is_index {
        Ok(value as usize)
    } else {
        Err(Fault::new(format!("{what} from 0 to 4294967295"), value.to_string()))
    }
}

fn class_name(class: u32) -> &'static str {
    match class {
        1 => "cell array",
        2 => "struct",
        3 => "object",
        4 => "text",
        5 => "sparse",
        6 => "double",
        7 => "single",
        8..=15 => "integer",
        16 => "function",
        17 => "opaque object",
        _ => "unknown class",
    }
}
