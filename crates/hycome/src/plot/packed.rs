//! Data of a page in little room: JSON and long lists of numbers, compressed together.
//!
//! The JSON refers to a list by its offset and length. Lists of 32-bit numbers are stored byte plane by byte plane (all lowest bytes first, all
//! highest last): neighbouring bytes are then alike, and compress to half of what they would one number after the other. Edges are
//! stored once each, as differences in a variable number of bytes.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

use crate::graph::{Graph, NodeId};

/// Lists of numbers, one after the other.
#[derive(Debug, Default)]
pub(super) struct Lists {
    bytes: Vec<u8>,
}

impl Lists {
    /// Stores 32-bit numbers; what is returned stands for them in the JSON.
    pub(super) fn whole(&mut self, numbers: impl Iterator<Item = u32>) -> Value {
        let numbers: Vec<[u8; 4]> = numbers.map(u32::to_le_bytes).collect();
        let place = json!([self.bytes.len(), numbers.len()]);
        for plane in 0..4 {
            self.bytes.extend(numbers.iter().map(|number| number[plane]));
        }
        place
    }

    /// Stores numbers in single precision.
    pub(super) fn single(&mut self, numbers: impl Iterator<Item = f64>) -> Value {
        self.whole(numbers.map(|number| (number as f32).to_bits()))
    }

    /// Stores bytes as they are.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> Value {
        let place = json!([self.bytes.len(), bytes.len()]);
        self.bytes.extend_from_slice(bytes);
        place
    }

    /// The length of the JSON in four bytes, the JSON and the lists, as zlib data in Base64, which means nothing to a reader of HTML.
    pub(super) fn seal(self, json: &Value) -> String {
        let json = json.to_string();
        let length = u32::try_from(json.len()).expect("names and settings take less than 4 GB");
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let into_memory = "writing to memory does not fail";
        encoder.write_all(&length.to_le_bytes()).expect(into_memory);
        encoder.write_all(json.as_bytes()).expect(into_memory);
        encoder.write_all(&self.bytes).expect(into_memory);
        STANDARD.encode(encoder.finish().expect(into_memory))
    }
}

/// Edges for a page that looks up neighbours: of each node, how many neighbours have a larger number, and the differences from one to the
/// next, all in LEB128.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedEdges {
    bytes: Vec<u8>,
}

impl PackedEdges {
    /// All edges of a graph.
    #[must_use]
    pub fn all(graph: &Graph) -> Self {
        let mut packed = Self { bytes: Vec::with_capacity(2 * graph.edge_count()) };
        for u in graph.nodes() {
            let neighbors = graph.neighbors(u);
            packed.push(u, &neighbors[neighbors.partition_point(|&v| v <= u)..]);
        }
        packed
    }

    /// Some edges of a graph of so many nodes, each as a pair of which the first number is smaller.
    #[must_use]
    pub fn some(node_count: usize, pairs: &[(NodeId, NodeId)]) -> Self {
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        let mut packed = Self { bytes: Vec::with_capacity(node_count + 4 * pairs.len()) };
        let mut rest = &sorted[..];
        for u in 0..node_count as NodeId {
            let (of_u, after) = rest.split_at(rest.partition_point(|&(first, _)| first <= u));
            packed.push(u, &of_u.iter().map(|&(_, v)| v).collect::<Vec<_>>());
            rest = after;
        }
        packed
    }

    /// The bytes, as the page reads them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
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

    /// What the page makes of the bytes.
    fn unpacked(packed: &PackedEdges) -> Vec<(NodeId, NodeId)> {
        let mut bytes = packed.as_bytes().iter();
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
                v += number().expect("there are as many as it says");
                pairs.push((u, v));
            }
            u += 1;
        }
        pairs
    }

    #[test]
    fn edges_come_back_each_once() {
        let edges = [(0, 1), (0, 9), (0, 300_000), (1, 2), (2, 9), (299_999, 300_000)];
        let graph = Graph::from_edges(edges);
        assert_eq!(unpacked(&PackedEdges::all(&graph)), edges);
        let some = [(2, 9), (0, 300_000), (0, 1)];
        assert_eq!(unpacked(&PackedEdges::some(300_001, &some)), [(0, 1), (0, 300_000), (2, 9)]);
        assert!(unpacked(&PackedEdges::some(5, &[])).is_empty());
    }

    #[test]
    fn lists_are_found_where_the_json_says() {
        let mut lists = Lists::default();
        assert_eq!(lists.whole([1, 0x0102_0304].into_iter()), json!([0, 2]));
        assert_eq!(lists.raw(b"xyz"), json!([8, 3]));
        assert_eq!(lists.single([1.0].into_iter()), json!([11, 1]));
        assert_eq!(lists.bytes, [1, 4, 0, 3, 0, 2, 0, 1, b'x', b'y', b'z', 0, 0, 0x80, 0x3f]);
    }
}
