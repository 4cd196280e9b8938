//! Detection of label files: whether a text is a label file rather than an edge list.

use std::collections::HashSet;
use std::path::PathBuf;

use super::rows::has_label_header;
use crate::io::compression::Compression;
use crate::io::formats::table::Delimiter;
use crate::io::formats::text::Text;
use crate::io::formats::unsupported;
use crate::io::input::Input;
use crate::io::limits::Limits;

/// Lines that are inspected.
const INSPECTED_LINES: usize = 10_000;

/// Bytes of an uncompressed file that are inspected.
const INSPECTED_BYTES: usize = 1 << 20;

/// Files of fewer lines are not judged by how often names repeat.
const MIN_LINES: usize = 8;

/// Whether a text is more likely a label file than an edge list: one column, or more than three somewhere
/// with no more labels than lines (unlike prose), or a first column that never repeats beside a second that mostly does and has other values.
#[must_use]
pub fn looks_like_labels(bytes: &[u8]) -> bool {
    let compressed = Compression::of_bytes(bytes).is_some();
    let glance = match memchr::memrchr(b'\n', &bytes[..bytes.len().min(INSPECTED_BYTES)]) {
        Some(end) if !compressed && bytes.len() > INSPECTED_BYTES => &bytes[..end],
        _ => bytes,
    };
    let Ok(input) = Input::from_bytes(PathBuf::new(), glance.to_vec(), &Limits::default()) else {
        return false;
    };
    let text = Text::new(&input.path, &input.bytes);
    if std::str::from_utf8(&text.bytes[..text.bytes.len().min(4096)]).is_err_and(|e| e.error_len().is_some())
    {
        return false;
    }
    // A table between semicolons is judged by its two columns like any other; an unsupported format is not a label file.
    let delimiter = Delimiter::of(text, true);
    if unsupported::detect(text.bytes, "").is_some() {
        return false;
    }
    if has_label_header(text, delimiter) {
        return true;
    }
    let lines: Vec<Vec<String>> = text
        .data_lines(0..text.bytes.len())
        .map(|(_, line)| delimiter.split(line))
        .take(INSPECTED_LINES)
        .collect();
    let widths = || lines.iter().map(Vec::len);
    if lines.is_empty() || widths().all(|width| width == 1) {
        return !lines.is_empty();
    }
    if widths().any(|width| width != 2) {
        let labels: HashSet<&String> = lines.iter().flat_map(|line| line.iter().skip(1)).collect();
        let (least, most) = (widths().min(), widths().max());
        return least == Some(2) && most > Some(3) && labels.len() <= lines.len();
    }
    let column = |i: usize| lines.iter().filter_map(move |line| line.get(i)).collect::<HashSet<_>>();
    let (first, second) = (column(0), column(1));
    lines.len() >= MIN_LINES && first.len() == lines.len() && 4 * second.len() <= lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_look_unlike_edges() {
        let labels: String = (0..20).map(|i| format!("{i}\t{}\n", i % 3)).collect();
        assert!(looks_like_labels(labels.as_bytes()));
        assert!(looks_like_labels(b"a\nb\na\n"));
        assert!(looks_like_labels(b"1 a\n2 a b c\n3 b\n"));
        let path: String = (0..20).map(|i| format!("{i} {}\n", i + 1)).collect();
        assert!(!looks_like_labels(path.as_bytes()));
        assert!(!looks_like_labels(b"1 2 0.5\n2 3 1\n"));
        assert!(!looks_like_labels(b"The file\nfootball.gml holds the games of one season,\nas a graph\n"));
        assert!(!looks_like_labels(b"a;b;1\nb;c;2\n"));
        assert!(!looks_like_labels(b"Protein accession,Partner accession\na,b\nb,c\nc,a\nd,a\n"));
        assert!(looks_like_labels(b"node\tcommunity\tprobability\na\t0\t0.9\nb\t1\t0.8\n"));
        assert!(looks_like_labels(b"id,facebook_id,page_name,page_type\n0,14,A,tv\n1,15,\"B, C\",gov\n"));
        assert!(!looks_like_labels(b"source,target,type\na,b,x\n"));
        assert!(!looks_like_labels(b"{\"nodes\":[]}"));
        assert!(!looks_like_labels(b""));
        assert!(!looks_like_labels(b"\x1f\x8b\x00"));
    }
}
