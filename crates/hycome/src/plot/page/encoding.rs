//! Compact encoding of a scene: JSON and binary arrays, compressed together.
//!
//! The JSON refers to an array by byte offset and length. Arrays of 32-bit numbers are stored as byte planes, the
//! least significant first (byte shuffle): adjacent bytes are then similar, and compress to half the size of
//! interleaved numbers. Edges are stored once each, delta-encoded in LEB128.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

use crate::graph::{Graph, NodeId};

/// Writer of concatenated arrays.
#[derive(Debug, Default)]
pub(super) struct ArrayWriter {
    bytes: Vec<u8>,
}

impl ArrayWriter {
    /// Appends 32-bit integers; returns their reference for the JSON.
    pub(super) fn u32s(&mut self, numbers: impl Iterator<Item = u32>) -> Value {
        let numbers: Vec<[u8; 4]> = numbers.map(u32::to_le_bytes).collect();
        let slice = json!([self.bytes.len(), numbers.len()]);
        for plane in 0..4 {
            self.bytes.extend(numbers.iter().map(|number| number[plane]));
        }
        slice
    }

    /// Appends numbers in single precision.
    pub(super) fn f32s(&mut self, numbers: impl Iterator<Item = f64>) -> Value {
        self.u32s(numbers.map(|number| (number as f32).to_bits()))
    }

    /// Appends bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Value {
        let slice = json!([self.bytes.len(), bytes.len()]);
        self.bytes.extend_from_slice(bytes);
        slice
    }

    /// The length of the JSON (`u32`), the JSON and the arrays, compressed with zlib and encoded in Base64.
    pub(super) fn finish(self, json: &Value) -> String {
        let json = json.to_string();
        let length = u32::try_from(json.len()).expect("the JSON is shorter than 4 GiB");
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let into_memory = "writing to memory does not fail";
        encoder.write_all(&length.to_le_bytes()).expect(into_memory);
        encoder.write_all(json.as_bytes()).expect(into_memory);
        encoder.write_all(&self.bytes).expect(into_memory);
        STANDARD.encode(encoder.finish().expect(into_memory))
    }
}

/// Edges of a graph as delta-encoded neighbour lists in LEB128: for each node the number of neighbours with a larger
/// id, and the differences between consecutive ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EncodedEdges {
    bytes: Vec<u8>,
}

impl EncodedEdges {
    /// All edges of a graph.
    #[must_use]
    pub(crate) fn from_graph(graph: &Graph) -> Self {
        let mut encoded = Self { bytes: Vec::with_capacity(2 * graph.edge_count()) };
        for u in graph.nodes() {
            let neighbors = graph.neighbors(u);
            encoded.push(u, &neighbors[neighbors.partition_point(|&v| v <= u)..]);
        }
        encoded
    }

    /// Some edges of a graph with `node_count` nodes, as pairs with the smaller id first.
    #[must_use]
    pub(crate) fn from_pairs(node_count: usize, pairs: &[(NodeId, NodeId)]) -> Self {
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        let mut encoded = Self { bytes: Vec::with_capacity(node_count + 4 * pairs.len()) };
        let mut rest = &sorted[..];
        for u in 0..node_count as NodeId {
            let (of_u, after) = rest.split_at(rest.partition_point(|&(first, _)| first <= u));
            encoded.push(u, &of_u.iter().map(|&(_, v)| v).collect::<Vec<_>>());
            rest = after;
        }
        encoded
    }

    /// The encoded bytes.
    #[must_use]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn push(&mut self, u: NodeId, larger: &[NodeId]) {
        self.number(larger.len() as u32);
        let mut before = u;
        for &v in larger {
            self.number(v - before);
            before = v;
        }
    }

    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes the bytes as the viewer does.
    fn decoded(encoded: &EncodedEdges) -> Vec<(NodeId, NodeId)> {
        let mut bytes = encoded.as_bytes().iter();
        let mut number = || {
            let (mut value, mut shift) = (0u32, 0);
            for &byte in bytes.by_ref() {
                value |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    return Some(value);
                }
            }
            None
        };
        let mut pairs = Vec::new();
        let mut u = 0;
        while let Some(count) = number() {
            let mut v = u;
            for _ in 0..count {
                v += number().expect("the list has the stated length");
                pairs.push((u, v));
            }
            u += 1;
        }
        pairs
    }

    #[test]
    fn edges_round_trip() {
        let edges = [(0, 1), (0, 9), (0, 300_000), (1, 2), (2, 9), (299_999, 300_000)];
        let graph = Graph::from_edges(edges);
        assert_eq!(decoded(&EncodedEdges::from_graph(&graph)), edges);
        let some = [(2, 9), (0, 300_000), (0, 1)];
        assert_eq!(decoded(&EncodedEdges::from_pairs(300_001, &some)), [(0, 1), (0, 300_000), (2, 9)]);
        assert!(decoded(&EncodedEdges::from_pairs(5, &[])).is_empty());
    }

    #[test]
    fn arrays_are_at_the_offsets_in_the_json() {
        let mut arrays = ArrayWriter::default();
        assert_eq!(arrays.u32s([1, 0x0102_0304].into_iter()), json!([0, 2]));
        assert_eq!(arrays.bytes(b"xyz"), json!([8, 3]));
        assert_eq!(arrays.f32s([1.0].into_iter()), json!([11, 1]));
        assert_eq!(arrays.bytes, [1, 4, 0, 3, 0, 2, 0, 1, b'x', b'y', b'z', 0, 0, 0x80, 0x3f]);
    }
}
