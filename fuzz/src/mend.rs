//! Files of ours made whole, so that a change is not refused for what surrounds it.
//!
//! A file of ours is the length of a header, the header in JSON, and the bytes of its tensors; lengths, places and a checksum
//! guard all of it. Nearly every change would be refused for one of these, and nothing behind them would ever be tried. So
//! targets also take a header, a zero byte and any bytes: here they become a file whose lengths, places and checksum are
//! right, whatever else is wrong.

use std::borrow::Cow;

use safetensors::Dtype;
use serde_json::{Value, json};

/// A shape that asks for more bytes than this stays the lie that it is.
const MOST: usize = 1 << 20;

/// The file that `data` stands for: itself, unless it starts like a header.
pub(crate) fn mend<'a>(data: &'a [u8], unsummed: &[&str]) -> Cow<'a, [u8]> {
    match data.first() {
        Some(b'{') => Cow::Owned(mended(data, unsummed)),
        _ => Cow::Borrowed(data),
    }
}

/// The form in which [`mend`] takes a file.
pub(crate) fn opened(file: &[u8]) -> Vec<u8> {
    let length = file.first_chunk().map_or(0, |length| u64::from_le_bytes(*length) as usize);
    let (header, tensors) = file[8..].split_at(length);
    [header.trim_ascii_end(), b"\0", tensors].concat()
}

fn mended(data: &[u8], unsummed: &[&str]) -> Vec<u8> {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (text, tensors) = (&data[..end], data.get(end + 1..).unwrap_or_default());
    let Ok(mut header) = serde_json::from_slice::<Value>(text) else {
        return file(text, tensors);
    };
    let (length, skipped) = place_tensors(&mut header, unsummed);
    let tensors: Vec<u8> = tensors.iter().copied().chain(std::iter::repeat(0)).take(length).collect();
    let mut bytes = file(header.to_string().as_bytes(), &tensors);
    seal(&mut bytes, length, &skipped);
    bytes
}

fn file(header: &[u8], tensors: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len().next_multiple_of(8) as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.resize(bytes.len().next_multiple_of(8), b' ');
    bytes.extend(tensors);
    bytes
}

/// Puts tensors one after the other; how many bytes they have, and where those are that have no checksum.
fn place_tensors(header: &mut Value, unsummed: &[&str]) -> (usize, Vec<std::ops::Range<usize>>) {
    let (mut end, mut skipped) = (0, Vec::new());
    for (name, tensor) in header.as_object_mut().into_iter().flatten() {
        let Some(length) = length(tensor).filter(|length| end + length <= MOST) else { continue };
        tensor["data_offsets"] = json!([end, end + length]);
        if unsummed.contains(&name.as_str()) {
            skipped.push(end..end + length);
        }
        end += length;
    }
    (end, skipped)
}

/// The bytes that a tensor of this type and shape has.
fn length(tensor: &Value) -> Option<usize> {
    let dtype: Dtype = serde_json::from_value(tensor.get("dtype")?.clone()).ok()?;
    let count = tensor
        .get("shape")?
        .as_array()?
        .iter()
        .try_fold(1usize, |count, axis| count.checked_mul(usize::try_from(axis.as_u64()?).ok()?))?;
    count.checked_mul(dtype.bitsize() / 8)
}

/// Writes the checksum where the header says it is.
fn seal(bytes: &mut [u8], length: usize, skipped: &[std::ops::Range<usize>]) {
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
