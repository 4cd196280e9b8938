//! MATLAB files as published with DeepWalk, node2vec and ComE: `network`, and perhaps `group`.
//!
//! `network` is a square matrix, sparse or not, whose entry in row i and column j is the weight of an edge;
//! an entry and its mirror image are one edge. A file without a variable of that name may have one square
//! sparse matrix under another. `group` has a row for each node and a column for each class, and a nonzero
//! entry means that the node is in the class. Nodes and classes are called 1, 2, … as in MATLAB.

mod mat5;

use std::path::Path;

use crate::graph::{EdgeList, Labels, NodeNames};
use crate::io::formats::text::{checked_weight, quoted};
use crate::io::limits::Limits;
use crate::io::read::Parsed;
use crate::{Error, Result};
use mat5::{Content, Variable, variables};

/// Reads the graph, and the labels if there is a `group`.
pub(crate) fn parse(path: &Path, bytes: &[u8], limits: &Limits) -> Result<Parsed> {
    let refuse = |expected: String, found: String| Error::Content { path: path.into(), expected, found };
    let is_candidate = |variable: &Variable| variable.class == "sparse" && variable.rows == variable.columns;
    let variables = variables(path, bytes, limits, |variable| {
        is_candidate(variable) || matches!(variable.name.as_str(), "network" | "group")
    })?;

    let candidates = || variables.iter().filter(|variable| is_candidate(variable));
    let named = variables.iter().find(|variable| variable.name == "network");
    let Some(network) = named.or_else(|| candidates().next().filter(|_| candidates().count() == 1)) else {
        let expected = "a variable `network`, or a single square sparse matrix".to_owned();
        return Err(refuse(expected, list(&variables)));
    };
    if network.rows != network.columns {
        let expected = format!("a square matrix in variable {}", quoted(network.name.as_bytes()));
        return Err(refuse(expected, format!("{} × {}", network.rows, network.columns)));
    }
    if network.content == Content::Skipped {
        let expected = format!("a numeric matrix in variable {}", quoted(network.name.as_bytes()));
        return Err(refuse(expected, network.class.to_owned()));
    }
    let node_count = network.rows;
    if node_count == 0 {
        // Before `group`: without rows it may have any number of columns, at no cost.
        let expected = format!("one or more nodes in variable {}", quoted(network.name.as_bytes()));
        return Err(refuse(expected, "0 × 0".to_owned()));
    }
    let mut pairs = Vec::new();
    let mut weights = Vec::new();
    for (row, column, value) in entries(network) {
        let Some(weight) = checked_weight(value) else {
            let expected = "weights of 0 or from 1.4e-45 to 3.4e38".to_owned();
            return Err(refuse(expected, format!("{value} in row {}, column {}", row + 1, column + 1)));
        };
        pairs.push((row, column));
        weights.push(weight);
    }
    let edges = EdgeList { node_count, pairs, weights: Some(weights) };

    let group =
        variables.iter().find(|variable| variable.name == "group" && variable.content != Content::Skipped);
    if let Some(group) = group.filter(|group| group.rows != node_count) {
        let expected = format!("a row of `group` for each of the {node_count} nodes");
        return Err(refuse(expected, format!("{} rows and {} columns", group.rows, group.columns)));
    }
    let labels = group.map(|group| {
        let mut lists = vec![Vec::new(); node_count];
        for (node, class, _) in entries(group).filter(|entry| entry.2 != 0.0) {
            lists[node as usize].push(class);
        }
        Labels::from_lists((1..=group.columns).map(|class| class.to_string()).collect(), lists)
    });
    Ok(Parsed { labels, ..Parsed::new(edges, NodeNames::numbered(1, node_count)) })
}

/// Row, column and value of the stored entries.
fn entries(variable: &Variable) -> impl Iterator<Item = (u32, u32, f64)> {
    let (starts, rows, values) = match &variable.content {
        Content::Entries { starts, rows, values } => (&starts[..], &rows[..], &values[..]),
        Content::Skipped => Default::default(),
    };
    starts
        .windows(2)
        .zip(0u32..)
        .flat_map(move |(range, column)| (range[0]..range[1]).map(move |i| (rows[i], column, values[i])))
}

/// At most this many variables are listed in a message.
const LISTED: usize = 10;

fn list(variables: &[Variable]) -> String {
    let shown = |variable: &Variable| {
        let name = quoted(variable.name.as_bytes());
        format!("{name} ({} × {} {})", variable.rows, variable.columns, variable.class)
    };
    let mut shown: Vec<String> = variables.iter().take(LISTED).map(shown).collect();
    if variables.len() > LISTED {
        shown.push("…".to_owned());
    }
    if shown.is_empty() { "no variable".to_owned() } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::assert_mentions;
    use proptest::prelude::*;
    use std::io::Write;

    /// Writes MATLAB files in either byte order.
    #[derive(Clone, Copy)]
    struct Writer {
        big_endian: bool,
    }

    const LITTLE: Writer = Writer { big_endian: false };
    const INT32: u32 = 5;
    const DOUBLE: u32 = 9;

    impl Writer {
        fn number(self, value: f64, kind: u32) -> Vec<u8> {
            let mut bytes = match kind {
                2 => vec![value as u8],
                INT32 => (value as i32).to_le_bytes().to_vec(),
                7 => (value as f32).to_le_bytes().to_vec(),
                12 => (value as i64).to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            };
            if self.big_endian {
                bytes.reverse();
            }
            bytes
        }

        fn element(self, kind: u32, data: &[u8]) -> Vec<u8> {
            let mut bytes = self.number(f64::from(kind), INT32);
            bytes.extend(self.number(data.len() as f64, INT32));
            bytes.extend(data);
            if kind != 15 {
                bytes.resize(bytes.len().next_multiple_of(8), 0);
            }
            bytes
        }

        fn numbers(self, kind: u32, values: &[f64]) -> Vec<u8> {
            let data: Vec<u8> = values.iter().flat_map(|&value| self.number(value, kind)).collect();
            if data.is_empty() || data.len() > 4 {
                return self.element(kind, &data);
            }
            let mut bytes = self.number((data.len() << 16) as f64 + f64::from(kind), INT32);
            bytes.extend(data);
            bytes.resize(8, 0);
            bytes
        }

        /// A variable: class and flags, dimensions, name, then arrays of numbers.
        fn variable(self, name: &str, class: u32, size: [usize; 2], arrays: &[(u32, &[f64])]) -> Vec<u8> {
            let mut data = Vec::new();
            data.extend(
                self.element(6, &[self.number(f64::from(class), INT32), self.number(99.0, INT32)].concat()),
            );
            data.extend(self.numbers(INT32, &size.map(|n| n as f64)));
            data.extend(self.element(1, name.as_bytes()));
            for (kind, values) in arrays {
                data.extend(self.numbers(*kind, values));
            }
            self.element(14, &data)
        }

        fn file(self, variables: &[Vec<u8>]) -> Vec<u8> {
            let mut bytes = b"MATLAB 5.0 MAT-file".to_vec();
            bytes.resize(124, b' ');
            bytes.extend(if self.big_endian { b"\x01\x00MI" } else { b"\x00\x01IM" });
            bytes.extend(variables.concat());
            bytes
        }

        /// The path 1 – 2 – 3 with a self loop at 3; arrays longer than they need be.
        fn network(self, kind: u32) -> Vec<u8> {
            let rows = [1.0, 0.0, 2.0, 1.0, 2.0, 77.0];
            let values = [2.0, 2.0, 1.0, 1.0, 5.0, 0.0, 0.0];
            let starts = [0.0, 1.0, 3.0, 5.0];
            self.variable("network", 5, [3, 3], &[(INT32, &rows), (INT32, &starts), (kind, &values)])
        }
    }

    fn compress(writer: Writer, variable: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(variable).unwrap();
        writer.element(15, &encoder.finish().unwrap())
    }

    fn read(bytes: &[u8]) -> Result<Parsed> {
        parse(Path::new("m"), bytes, &Limits::default())
    }

    fn refusal(bytes: &[u8]) -> String {
        read(bytes).expect_err("a fault").to_string()
    }

    #[test]
    fn sparse_matrices_are_read_in_every_storage() {
        for big_endian in [false, true] {
            let writer = Writer { big_endian };
            for kind in [2, INT32, 7, DOUBLE, 12] {
                let network = writer.network(kind);
                for variable in [network.clone(), compress(writer, &network)] {
                    let parsed = read(&writer.file(&[variable])).unwrap();
                    assert_eq!(parsed.edges.pieces[0].pairs, [(1, 0), (0, 1), (2, 1), (1, 2), (2, 2)]);
                    assert_eq!(parsed.edges.pieces[0].weights, Some(vec![2.0, 2.0, 1.0, 1.0, 5.0]));
                    assert_eq!(parsed.names, NodeNames::numbered(1, 3));
                }
            }
        }
    }

    #[test]
    fn full_matrices_and_groups_are_read() {
        let network = LITTLE.variable("network", 6, [2, 2], &[(DOUBLE, &[0.0, 1.0, 0.5, 0.0])]);
        let group = LITTLE.variable("group", 9, [2, 3], &[(2, &[1.0, 0.0, 0.0, 0.0, 1.0, 1.0])]);
        let text = LITTLE.variable("note", 4, [1, 5], &[(2, &[1.0; 5])]);
        let parsed = read(&LITTLE.file(&[text, group, network])).unwrap();
        assert_eq!(parsed.edges.pieces[0].pairs, [(1, 0), (0, 1)]);
        let labels = parsed.labels.unwrap();
        assert_eq!((labels.of(0), labels.of(1), labels.class_count()), (&[0, 2][..], &[2][..], 3));
    }

    #[test]
    fn the_only_square_sparse_matrix_needs_no_name() {
        let other = |name| {
            LITTLE.variable(name, 5, [1, 1], &[(INT32, &[0.0]), (INT32, &[0.0, 1.0]), (DOUBLE, &[1.0])])
        };
        assert_eq!(read(&LITTLE.file(&[other("A")])).unwrap().edges.pieces[0].pairs, [(0, 0)]);
        let expected = "m: … \"A\" … 1 × 1 … \"B\" … 1 × 1";
        assert_mentions(&refusal(&LITTLE.file(&[other("A"), other("B")])), expected);
        let expected = "m: … `network`";
        assert_mentions(&refusal(&LITTLE.file(&[])), expected);
    }

    #[test]
    fn a_matrix_that_is_not_square_is_refused() {
        let network = LITTLE.variable("network", 6, [1, 2], &[(DOUBLE, &[1.0, 1.0])]);
        assert_mentions(&refusal(&LITTLE.file(&[network])), "m: … 1 × 2");
    }

    #[test]
    fn groups_of_other_nodes_are_refused() {
        let group = LITTLE.variable("group", 6, [1, 2], &[(DOUBLE, &[1.0, 1.0])]);
        let expected = "m: … `group` … 1 rows and 2 columns";
        assert_mentions(&refusal(&LITTLE.file(&[LITTLE.network(DOUBLE), group])), expected);
    }

    #[test]
    fn a_file_cut_short_anywhere_is_refused() {
        let plain = LITTLE.file(&[LITTLE.network(DOUBLE)]);
        let expected = "m: … 168 bytes … 160";
        assert_mentions(&refusal(&plain[..plain.len() - 8]), expected);
        let compressed = LITTLE.file(&[compress(LITTLE, &LITTLE.network(DOUBLE))]);
        for whole in [plain, compressed] {
            for length in 0..whole.len() {
                assert!(read(&whole[..length]).is_err(), "{length} of {}", whole.len());
            }
        }
    }

    #[test]
    fn a_compressed_variable_cut_short_is_refused() {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&LITTLE.network(DOUBLE)).unwrap();
        let stream = encoder.finish().unwrap();
        let message = refusal(&LITTLE.file(&[LITTLE.element(15, &stream[..stream.len() / 2])]));
        assert_mentions(&message, "m: … zlib");
    }

    #[test]
    fn a_bomb_is_stopped_at_the_limit() {
        let bomb = compress(LITTLE, &vec![0; 4 << 20]);
        let limits = Limits { bytes: 1 << 40, ratio: 100, ratio_from: 1 << 20 };
        let message = parse(Path::new("m"), &LITTLE.file(&[bomb]), &limits).err().unwrap().to_string();
        let expected = "m: … 1048576 bytes or 100 times";
        assert_mentions(&message, expected);
    }

    #[test]
    fn sparse_arrays_that_do_not_fit_are_refused() {
        let sparse = |rows: &[f64], starts: &[f64], values: &[f64]| {
            let arrays = [(INT32, rows), (INT32, starts), (DOUBLE, values)];
            refusal(&LITTLE.file(&[LITTLE.variable("network", 5, [2, 2], &arrays)]))
        };
        let expected = "m: … row indices … \"network\" … 2";
        assert_mentions(&sparse(&[0.0, 2.0], &[0.0, 1.0, 2.0], &[1.0, 1.0]), expected);
        let expected = "m: … row index … -1";
        assert_mentions(&sparse(&[0.0, -1.0], &[0.0, 1.0, 2.0], &[1.0, 1.0]), expected);
        let expected = "m: … column starts … \"network\"";
        assert_mentions(&sparse(&[0.0, 1.0], &[0.0, 2.0, 1.0], &[1.0, 1.0]), expected);
        let expected = "m: … 3 column starts … 2";
        assert_mentions(&sparse(&[0.0, 1.0], &[0.0, 2.0], &[1.0, 1.0]), expected);
        let expected = "m: … 2 row indices and 1 values";
        assert_mentions(&sparse(&[0.0, 1.0], &[0.0, 1.0, 2.0], &[1.0]), expected);
    }

    #[test]
    fn weights_no_edge_can_have_are_refused() {
        for (value, shown) in [(f64::NAN, "NaN"), (-1.0, "-1"), (f64::INFINITY, "inf")] {
            let network = LITTLE.variable("network", 6, [1, 1], &[(DOUBLE, &[value])]);
            assert_mentions(&refusal(&LITTLE.file(&[network])), &format!("m: … {shown} in row 1, column 1"));
        }
    }

    #[test]
    fn complex_numbers_are_refused() {
        let network = LITTLE.variable("network", 5 | 0x0800, [1, 1], &[]);
        let expected = "m: … real numbers … \"network\"";
        assert_mentions(&refusal(&LITTLE.file(&[network])), expected);
    }

    #[test]
    fn other_versions_are_refused_with_what_to_do() {
        let mut newer = LITTLE.file(&[]);
        newer[125] = 2;
        assert_mentions(&refusal(&newer), "m: … -v7 … version 7.3");
        let older = [&0u32.to_le_bytes()[..], &[1, 0, 0, 0].repeat(8)].concat();
        assert_mentions(&refusal(&older), "m: … -v7 … version 4");
        assert_mentions(&refusal(b"hello"), "m: … -v7 … \"hello\"");
    }

    #[test]
    fn a_text_called_network_is_refused() {
        let network = LITTLE.variable("network", 4, [1, 1], &[(2, &[65.0])]);
        assert_mentions(&refusal(&LITTLE.file(&[network])), "m: … numeric matrix … \"network\" … text");
    }

    #[test]
    fn groups_of_no_nodes_are_not_counted_out() {
        let network = LITTLE.variable("network", 6, [0, 0], &[(DOUBLE, &[])]);
        let group = LITTLE.variable("group", 6, [0, i32::MAX as usize], &[(DOUBLE, &[])]);
        let expected = "m: … 0 × 0";
        assert_mentions(&refusal(&LITTLE.file(&[network, group])), expected);
    }

    proptest! {
        #[test]
        fn a_damaged_file_is_read_or_refused(
            damage in prop::collection::vec((128usize..500, any::<u8>()), 1..6),
            big_endian: bool,
        ) {
            let writer = Writer { big_endian };
            let mut bytes = writer.file(&[writer.network(DOUBLE), writer.network(2)]);
            for (at, byte) in damage {
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
            let _ = read(&bytes);
        }
    }
}
