//! Parser of Matrix Market coordinate files: a header, a size line, an entry per line.
//!
//! ```text
//! %%MatrixMarket matrix coordinate pattern symmetric
//! % comments
//! 34 34 78
//! 2 1
//! ```
//!
//! Row and column i are the node called `i`, counted from 1 and at most `u32::MAX`. Real, integer and pattern
//! matrices are read, general or symmetric. In a symmetric matrix an entry implies its mirror image.

use crate::Result;
use crate::graph::{Direction, EdgeList, NodeId, NodeNames};
use crate::io::formats::text::{CHUNK_BYTES, Fault, Text, columns, first_columns, plain_u32, quoted, weight};
use crate::io::read::Parsed;

/// Reads a matrix as a graph.
pub(crate) fn parse(text: Text) -> Result<Parsed> {
    let header = text.report(Header::parse(text))?;
    let pieces = text.in_chunks(header.end, CHUNK_BYTES, |range| {
        text.data_lines(range).map(|(offset, line)| header.entry(line, offset)).collect()
    });
    let mut pairs = Vec::new();
    let mut weights = header.weighted.then(Vec::new);
    for piece in pieces {
        let piece: Vec<(NodeId, NodeId, f32)> = text.report(piece)?;
        pairs.extend(piece.iter().map(|&(u, v, _)| (u, v)));
        if let Some(weights) = &mut weights {
            weights.extend(piece.iter().map(|entry| entry.2));
        }
    }
    if pairs.len() as u64 != header.entries {
        let expected = format!("as many entries as the size line says, {}", header.entries);
        return Err(text.content_error(expected, pairs.len().to_string()));
    }
    let node_count = header.nodes as usize;
    if node_count > pairs.len().saturating_mul(NODES_PER_ENTRY).saturating_add(NODES_ANYWAY) {
        let expected = format!("at most {NODES_PER_ENTRY} rows per entry (beyond {NODES_ANYWAY} rows)");
        return Err(
            text.content_error(expected, format!("{node_count} rows and an entry count of {}", pairs.len()))
        );
    }
    let names = NodeNames::numbered(1, node_count);
    let direction = if header.symmetric { Direction::Undirected } else { Direction::Unknown };
    Ok(Parsed { direction, ..Parsed::new(EdgeList { node_count, pairs, weights }, names) })
}

/// A size line costs nothing to write, so beyond [`NODES_ANYWAY`] rows most of them must not be empty.
const NODES_PER_ENTRY: usize = 64;

/// This many rows are accepted even if they are empty.
const NODES_ANYWAY: usize = 1_000_000;

/// The first lines.
struct Header {
    weighted: bool,
    symmetric: bool,
    nodes: u32,
    entries: u64,
    /// Where the entries start.
    end: usize,
}

impl Header {
    fn parse(text: Text) -> std::result::Result<Self, Fault> {
        let first = text.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let words: Vec<String> =
            columns(first).map(|word| String::from_utf8_lossy(word).to_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let refused = |expected: &str| Err(Fault::new(0, expected, quoted(first)));
        let (weighted, symmetric) = match words[..] {
            ["%%matrixmarket", "matrix", "array", ..] => {
                return refused(
                    "a sparse matrix (`coordinate`); convert it with scipy.io.mmwrite of a sparse matrix",
                );
            }
            ["%%matrixmarket", "matrix", "coordinate", _, "skew-symmetric" | "hermitian"] => {
                return refused("a `general` or `symmetric` matrix; write the absolute values as weights");
            }
            ["%%matrixmarket", "matrix", "coordinate", "complex", _] => {
                return refused(
                    "`real`, `integer` or `pattern` entries; write the absolute values as weights",
                );
            }
            [
                "%%matrixmarket",
                "matrix",
                "coordinate",
                kind @ ("real" | "integer" | "pattern"),
                shape @ ("general" | "symmetric"),
            ] => (kind != "pattern", shape == "symmetric"),
            _ => {
                return refused("`%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric`");
            }
        };
        let Some((offset, line)) = text.data_lines(0..text.bytes.len()).next() else {
            return Err(Fault::new(text.bytes.len(), "`rows columns entries`", "the end of the file"));
        };
        let numbers: Option<Vec<u64>> =
            columns(line).map(|word| std::str::from_utf8(word).ok()?.parse().ok()).collect();
        let Some(&[rows, columns, entries]) = numbers.as_deref() else {
            return Err(Fault::new(offset, "`rows columns entries`", quoted(line)));
        };
        if rows != columns {
            let expected = "a square matrix, a row and a column for each node";
            return Err(Fault::new(offset, expected, format!("{rows} rows and {columns} columns")));
        }
        let Ok(nodes) = u32::try_from(rows) else {
            return Err(Fault::new(offset, "at most 4294967295 rows", rows.to_string()));
        };
        let rest = &text.bytes[offset..];
        let end = memchr::memchr(b'\n', rest).map_or(text.bytes.len(), |at| offset + at + 1);
        Ok(Self { weighted, symmetric, nodes, entries, end })
    }

    /// A line of the body: row, column and, unless it is a pattern, value.
    fn entry(&self, line: &[u8], offset: usize) -> std::result::Result<(NodeId, NodeId, f32), Fault> {
        let ([row, column, value], more) = first_columns(line);
        if more || value.is_empty() == self.weighted || column.is_empty() {
            let expected = if self.weighted { "`row column value`" } else { "`row column`" };
            return Err(Fault::new(offset, expected, quoted(line)));
        }
        let node = |word| match plain_u32(word) {
            Some(number) if 0 < number && number <= self.nodes => Ok(number - 1),
            _ => Err(Fault::new(offset, format!("rows and columns from 1 to {}", self.nodes), quoted(word))),
        };
        let value = if self.weighted { weight(value, offset)? } else { 1.0 };
        Ok((node(row)?, node(column)?, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::assert_mentions;
    use std::path::Path;

    fn refusal(header: &str, body: &str) -> String {
        let text = format!("%%MatrixMarket matrix {header}\n{body}");
        parse(Text::new(Path::new("m"), text.as_bytes())).err().unwrap().to_string()
    }

    const REAL: &str = "coordinate real general";

    #[test]
    fn symmetric_patterns_and_general_values_are_read() {
        let text = b"%%MatrixMarket MATRIX coordinate pattern symmetric\r\n% note\r\n3 3 2\r\n2 1\r\n3 3\r\n";
        let parsed = parse(Text::new(Path::new("m"), text)).unwrap();
        let edges = parsed.edges.joined();
        assert_eq!((edges.pairs, edges.weights), (vec![(1, 0), (2, 2)], None));
        assert_eq!(parsed.names, NodeNames::numbered(1, 3));
        let text = b"%%MatrixMarket matrix coordinate real general\n3 3 1\n\n1 3 2.5";
        let parsed = parse(Text::new(Path::new("m"), text)).unwrap();
        let edges = parsed.edges.joined();
        assert_eq!((edges.pairs, edges.weights), (vec![(0, 2)], Some(vec![2.5])));
    }

    #[test]
    fn a_matrix_that_is_not_square_is_refused() {
        let expected = "m:2: … 3 rows and 4 columns";
        assert_mentions(&refusal(REAL, "3 4 1\n1 1 1\n"), expected);
    }

    #[test]
    fn a_matrix_beyond_32_bits_is_refused() {
        let message = refusal(REAL, "4294967296 4294967296 1\n1 1 1\n");
        assert_mentions(&message, "m:2: … 4294967296");
    }

    #[test]
    fn a_size_line_does_not_make_us_allocate() {
        let message = refusal(REAL, "4000000000 4000000000 1\n1 2 1\n");
        let expected = "m: … 4000000000 … 1";
        assert_mentions(&message, expected);
        let message = refusal(REAL, "3 3 18446744073709551615\n1 2 1\n");
        assert_mentions(&message, "m: … 18446744073709551615, found 1");
    }

    #[test]
    fn entries_outside_the_matrix_are_refused() {
        assert_mentions(&refusal(REAL, "3 3 1\n0 1 1\n"), "m:3: … \"0\"");
        assert_mentions(&refusal(REAL, "3 3 1\n1 4 1\n"), "m:3: … \"4\"");
    }

    #[test]
    fn more_or_fewer_entries_than_declared_are_refused() {
        assert_mentions(&refusal(REAL, "3 3 2\n1 2 1\n"), "m: … 2, found 1");
        assert_mentions(&refusal(REAL, "3 3 0\n1 2 1\n"), "m: … 0, found 1");
    }

    #[test]
    fn entries_of_the_wrong_shape_are_refused() {
        assert_mentions(&refusal(REAL, "3 3 1\n1 2\n"), "m:3: … \"1 2\"");
        let pattern = "coordinate pattern general";
        assert_mentions(&refusal(pattern, "3 3 1\n1 2 3\n"), "m:3: … \"1 2 3\"");
        assert_mentions(&refusal(REAL, "3 3\n"), "m:2: … \"3 3\"");
        assert_mentions(&refusal(REAL, ""), "m:2: … `rows columns entries`");
    }

    #[test]
    fn weights_no_edge_can_have_are_refused() {
        assert_mentions(&refusal(REAL, "3 3 1\n1 2 NaN\n"), "m:3: … weight … \"NaN\"");
        assert_mentions(&refusal(REAL, "3 3 1\n1 2 -2\n"), "m:3: … weight … \"-2\"");
    }

    #[test]
    fn kinds_that_are_no_graph_are_refused_with_what_to_do() {
        let array = "m:1: … \"%%MatrixMarket matrix array real general\"";
        assert_mentions(&refusal("array real general", ""), array);
        let skew = "m:1: … \"%%MatrixMarket matrix coordinate real skew-symmetric\"";
        assert_mentions(&refusal("coordinate real skew-symmetric", ""), skew);
        let complex = "m:1: … \"%%MatrixMarket matrix coordinate complex general\"";
        assert_mentions(&refusal("coordinate complex general", ""), complex);
        let other = "m:1: … \"%%MatrixMarket matrix nonsense\"";
        assert_mentions(&refusal("nonsense", ""), other);
    }
}
