//! Repair of mutated safetensors files: lengths, offsets and checksum.
//!
//! A file consists of the length of the header, the header in JSON and the tensors, protected by lengths, offsets and a
//! checksum. Almost every mutation would be rejected by one of these, and the code behind the checks would never run.
//! Targets therefore also accept a header, a zero byte and arbitrary bytes, from which this module builds a file with
//! correct lengths, offsets and checksum.

use std::borrow::Cow;

use safetensors::Dtype;
use serde_json::{Value, json};

/// Maximum size of all tensors; shapes that declare more are not repaired.
const MAX_BYTES: usize = 1 << 20;

/// Repairs `data` if it starts like a header; otherwise returns it unchanged.
pub(crate) fn repair<'a>(data: &'a [u8], unchecksummed: &[&str]) -> Cow<'a, [u8]> {
    match data.first() {
        Some(b'{') => Cow::Owned(repaired(data, unchecksummed)),
        _ => Cow::Borrowed(data),
    }
}

/// The inverse of [`repair`]: header, zero byte, tensors.
pub(crate) fn unpacked(file: &[u8]) -> Vec<u8> {
    let length = file.first_chunk().map_or(0, |length| u64::from_le_bytes(*length) as usize);
    let (header, tensors) = file[8..].split_at(length);
    [header.trim_ascii_end(), b"\0", tensors].concat()
}

fn repaired(data: &[u8], unchecksummed: &[&str]) -> Vec<u8> {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (text, tensors) = (&data[..end], data.get(end + 1..).unwrap_or_default());
    let Ok(mut header) = serde_json::from_slice::<Value>(text) else {
        return file(text, tensors);
    };
    let (length, skipped) = place_tensors(&mut header, unchecksummed);
    let tensors: Vec<u8> = tensors.iter().copied().chain(std::iter::repeat(0)).take(length).collect();
    let mut bytes = file(header.to_string().as_bytes(), &tensors);
    write_checksum(&mut bytes, length, &skipped);
    bytes
}

fn file(header: &[u8], tensors: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len().next_multiple_of(8) as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.resize(bytes.len().next_multiple_of(8), b' ');
    bytes.extend(tensors);
    bytes
}

/// Assigns consecutive offsets; returns the total size and the ranges that the checksum excludes.
fn place_tensors(header: &mut Value, unchecksummed: &[&str]) -> (usize, Vec<std::ops::Range<usize>>) {
    let (mut end, mut skipped) = (0, Vec::new());
    for (name, tensor) in header.as_object_mut().into_iter().flatten() {
        let Some(length) = length(tensor).filter(|length| end + length <= MAX_BYTES) else { continue };
        tensor["data_offsets"] = json!([end, end + length]);
        if unchecksummed.contains(&name.as_str()) {
            skipped.push(end..end + length);
        }
        end += length;
    }
    (end, skipped)
}

/// Size of a tensor in bytes, from its type and shape.
fn length(tensor: &Value) -> Option<usize> {
    let dtype: Dtype = serde_json::from_value(tensor.get("dtype")?.clone()).ok()?;
    let count = tensor
        .get("shape")?
        .as_array()?
        .iter()
        .try_fold(1usize, |count, axis| count.checked_mul(usize::try_from(axis.as_u64()?).ok()?))?;
    count.checked_mul(dtype.bitsize() / 8)
}

/// Writes the checksum into the header.
fn write_checksum(bytes: &mut [u8], length: usize, skipped: &[std::ops::Range<usize>]) {
    const KEY: &[u8] = br#""checksum":""#;
    let Some(place) = bytes.windows(KEY.len()).position(|window| window == KEY) else { return };
    let place = place + KEY.len()..place + KEY.len() + 8;
    let Some(digits) = bytes.get_mut(place.clone()) else { return };
    digits.fill(b'0');
    let start = bytes.len() - length;
    let mut sum = crc32fast::Hasher::new();
    let mut from = 0;
    for range in skipped {
        sum.update(&bytes[from..start + range.start]);
        from = start + range.end;
    }
    sum.update(&bytes[from..]);
    bytes[place].copy_from_slice(format!("{:08x}", sum.finalize()).as_bytes());
}
