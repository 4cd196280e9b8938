//! PDF in a fixed order.
//!
//! What converts figures keeps fonts and opacities in hash maps, which come out in another order each time, so that the same figure had
//! other bytes. The picture is the same in any order. Here entries of resources are sorted by name, objects come in the order in which a
//! reader meets them, and are numbered so; nothing else changes.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The same document in a fixed order; nothing if it is not as our converter writes it.
pub(super) fn ordered(pdf: &[u8]) -> Option<Vec<u8>> {
    let start: usize = after(pdf, b"startxref\n")?.lines().next()?.parse().ok()?;
    let table = std::str::from_utf8(pdf.get(start..)?).ok()?;
    let objects = objects(pdf, table, start)?;
    let trailer = table.split_once("trailer\n")?.1.split_once("startxref")?.0;
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut met: Vec<u32> = references(trailer).map(|(_, number)| number).collect();
    let mut next = 0;
    while let Some(&number) = met.get(next) {
        next += 1;
        if numbers.contains_key(&number) {
            continue;
        }
        numbers.insert(number, numbers.len() + 1);
        met.extend(references(&objects.get(&number)?.head).map(|(_, number)| number));
    }
    let mut kept: Vec<(usize, &Object<'_>)> = Vec::new();
    for (number, place) in &numbers {
        kept.push((*place, &objects[number]));
    }
    kept.sort_by_key(|(place, _)| *place);

    let header = pdf.windows(2).position(|pair| pair == b"\n\n")? + 2;
    let mut out = pdf[..header].to_vec();
    let mut offsets = Vec::new();
    for (place, object) in kept {
        offsets.push(out.len());
        out.extend(format!("{place} 0 obj\n{}", renumbered(&object.head, &numbers)?).bytes());
        out.extend(object.data);
    }
    let (xref, size) = (out.len(), offsets.len() + 1);
    out.extend(format!("xref\n0 {size}\n0000000000 65535 f\r\n").bytes());
    for offset in offsets {
        out.extend(format!("{offset:010} 00000 n\r\n").bytes());
    }
    let count = trailer.split_once("/Size ")?.1.split_once('\n')?.0;
    let trailer =
        renumbered(&trailer.replacen(&format!("/Size {count}"), &format!("/Size {size}"), 1), &numbers)?;
    out.extend(format!("trailer\n{trailer}startxref\n{xref}\n%%EOF").bytes());
    Some(out)
}

struct Object<'a> {
    /// Its dictionary, sorted; all of it if it has no stream.
    head: String,
    /// The stream and what follows.
    data: &'a [u8],
}

/// All objects by their numbers.
fn objects<'a>(pdf: &'a [u8], table: &str, end: usize) -> Option<BTreeMap<u32, Object<'a>>> {
    let entries = table.lines().take_while(|line| !line.starts_with("trailer"));
    let offset = |line: &str| line.trim_end().strip_suffix(" 00000 n")?.parse().ok();
    let mut offsets: Vec<usize> = entries.filter_map(offset).collect();
    offsets.sort_unstable();
    offsets.push(end);
    let object = |pair: &[usize]| {
        let bytes = pdf.get(pair[0]..pair[1])?;
        let stream = bytes.windows(8).position(|bytes| bytes == b"\nstream\n").unwrap_or(bytes.len());
        let (head, data) = bytes.split_at(stream);
        let (number, head) = std::str::from_utf8(head).ok()?.split_once(" 0 obj\n")?;
        Some((number.parse().ok()?, Object { head: sorted(head), data }))
    };
    offsets.windows(2).map(object).collect()
}

/// Neighbouring lines that name resources, such as `/gs1 9 0 R`, in the order of the names.
fn sorted(head: &str) -> String {
    let mut lines: Vec<&str> = head.split_inclusive('\n').collect();
    for group in lines.chunk_by_mut(|a, b| resource(a).is_some() && resource(b).is_some()) {
        group.sort_by_key(|line| resource(line));
    }
    lines.concat()
}

/// The name of a resource, short ones first: letters and a number.
fn resource(line: &str) -> Option<(usize, &str)> {
    let name = line.trim_start().strip_prefix('/')?.split(' ').next()?;
    let number = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let is = number.len() < name.len() && !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    is.then_some((name.len(), name))
}

/// References to other objects, such as `9 0 R`: where the number stands, and the number.
fn references(text: &str) -> impl Iterator<Item = (Range<usize>, u32)> + '_ {
    text.match_indices(" 0 R").filter_map(|(end, _)| {
        let digits = text[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
        Some((end - digits..end, text[end - digits..end].parse().ok()?))
    })
}

fn renumbered(text: &str, numbers: &HashMap<u32, usize>) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (place, number) in references(text) {
        out.push_str(&text[done..place.start]);
        out.push_str(&numbers.get(&number)?.to_string());
        done = place.end;
    }
    out.push_str(&text[done..]);
    Some(out)
}

/// What follows the last of these bytes.
fn after<'a>(pdf: &'a [u8], word: &[u8]) -> Option<&'a str> {
    let at = pdf.windows(word.len()).rposition(|bytes| bytes == word)?;
    std::str::from_utf8(&pdf[at + word.len()..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document with these objects in this order, the first being the root.
    fn document(objects: &[(u32, &str)]) -> Vec<u8> {
        let mut out = b"%PDF-1.7\n\n".to_vec();
        let mut offsets = vec![0; objects.len()];
        for (number, text) in objects {
            offsets[*number as usize - 1] = out.len();
            out.extend(format!("{number} 0 obj\n{text}\nendobj\n\n").bytes());
        }
        let (xref, size) = (out.len(), objects.len() + 1);
        out.extend(format!("xref\n0 {size}\n0000000000 65535 f\r\n").bytes());
        offsets.iter().for_each(|offset| out.extend(format!("{offset:010} 00000 n\r\n").bytes()));
        let root = objects[0].0;
        let end = format!("trailer\n<<\n  /Size {size}\n  /Root {root} 0 R\n>>\nstartxref\n{xref}\n%%EOF");
        out.extend(end.bytes());
        out
    }

    #[test]
    fn the_order_of_objects_and_resources_does_not_matter() {
        let stream = "<<\n  /Length 5\n>>\nstream\n9 0 R\nendstream";
        let one = document(&[(1, "<<\n  /gs0 2 0 R\n  /gs10 3 0 R\n>>"), (2, "<<\n>>"), (3, stream)]);
        let two = document(&[(3, "<<\n  /gs10 1 0 R\n  /gs0 2 0 R\n>>"), (1, stream), (2, "<<\n>>")]);
        assert_ne!(one, two);
        assert_eq!(ordered(&one), ordered(&two));
        let once = ordered(&one).unwrap();
        assert_eq!(once, one, "a document that is in order stays as it is, its streams included");
        assert_eq!(ordered(&once).unwrap(), once);
    }

    #[test]
    fn what_is_no_document_of_ours_is_left_alone() {
        let broken = document(&[(1, "<<\n  /Pages 7 0 R\n>>")]);
        for bytes in [b"".as_slice(), b"%PDF", b"startxref\n99\n", &broken] {
            assert_eq!(ordered(bytes), None);
        }
    }
}
