//! Writing edge lists and communities, in the formats that `read_graph` and `read_labels` read.
//!
//! An isolated node is written as a self loop: `read_graph` removes the edge and keeps the node.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::Result;
use crate::graph::{Graph, NodeId};
use crate::io::AtomicFile;
use crate::io::compression::Compression;

/// Writes what `fill` writes to an [`AtomicFile`], compressed if the extension is `.gz` or `.zst`.
///
/// # Errors
/// If the file cannot be written; no file remains then.
pub fn stage(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<AtomicFile> {
    AtomicFile::write_with(path, |file| {
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
        match Compression::of_extension(path) {
            Some(compression) => compression.compress(&mut file, fill)?,
            None => fill(&mut file)?,
        }
        file.flush()
    })
}

/// Size of the write buffer.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes a line `source target [weight]` for each edge, by node ids.
///
/// # Errors
/// Those of `out`.
pub fn write_edges(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines::new(out);
    for u in graph.nodes() {
        let weight = |i: usize| graph.weights(u).map(|weights| weights[i]);
        if graph.degree(u) == 0 {
            lines.edge(u, u, graph.is_weighted().then_some(1.0))?;
        }
        for (i, &v) in graph.neighbors(u).iter().enumerate().filter(|&(_, &v)| v > u) {
            lines.edge(u, v, weight(i))?;
        }
    }
    lines.finish()
}

/// Writes a line `node community` for each node, by node ids.
///
/// # Errors
/// Those of `out`.
pub fn write_communities(communities: &[u32], out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines::new(out);
    for (node, &community) in (0..).zip(communities) {
        lines.edge(node, community, None)?;
    }
    lines.finish()
}

/// Buffered writer of lines.
struct Lines<'w> {
    out: &'w mut dyn Write,
    text: Vec<u8>,
}

impl<'w> Lines<'w> {
    fn new(out: &'w mut dyn Write) -> Self {
        Self { out, text: Vec::with_capacity(BUFFER_BYTES + 64) }
    }

    fn edge(&mut self, u: NodeId, v: u32, weight: Option<f32>) -> io::Result<()> {
        push_number(&mut self.text, u);
        self.text.push(b' ');
        push_number(&mut self.text, v);
        if let Some(weight) = weight {
            write!(self.text, " {weight}")?;
        }
        self.text.push(b'\n');
        if self.text.len() < BUFFER_BYTES {
            return Ok(());
        }
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        self.out.write_all(&self.text)
    }
}

/// Appends a decimal number; `write!` takes five times as long.
fn push_number(text: &mut Vec<u8>, mut number: u32) {
    let mut digits = [0; 10];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return text.extend_from_slice(&digits[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{EdgeList, NodeNames};
    use crate::io::{read_graph, read_labels};

    /// Three components, two of them isolated nodes, one at the end.
    fn graph(weights: Option<Vec<f32>>) -> Graph {
        EdgeList { node_count: 6, pairs: vec![(0, 3), (1, 4), (3, 1)], weights }.build().0
    }

    #[test]
    fn a_graph_that_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        for weights in [None, Some(vec![1.0, 0.3, 1e-30])] {
            let graph = graph(weights);
            for name in ["a.edges", "a.edges.gz", "a.edges.zst"] {
                let path = folder.path().join(name);
                stage(&path, |out| write_edges(&graph, out)).unwrap().commit().unwrap();
                let read = read_graph(&path).unwrap();
                assert_eq!(read.graph, graph, "{name}");
                assert_eq!((read.names, read.stats.self_loops), (NodeNames::numbered(0, 6), 2));
                let magic = &std::fs::read(&path).unwrap()[..2];
                assert_eq!(
                    (magic == b"\x1f\x8b", magic == b"\x28\xb5"),
                    (name.ends_with("gz"), name.ends_with("zst"))
                );
            }
        }
    }

    #[test]
    fn communities_that_were_written_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.labels");
        let communities = [2, 0, 1, 1, 0, 2];
        stage(&path, |out| write_communities(&communities, out)).unwrap().commit().unwrap();
        let labels = read_labels(&path, &NodeNames::numbered(0, 6)).unwrap();
        assert_eq!(labels.first_classes(), communities.map(Some));
    }

    #[test]
    fn numbers_are_written_as_rust_prints_them() {
        for number in [0, 7, 10, 999, 1_000_000, u32::MAX] {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string().as_bytes());
        }
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let full = |_: &mut dyn Write| Err(io::Error::from(io::ErrorKind::StorageFull));
        let message = stage(&folder.path().join("a.gz"), full).unwrap_err().to_string();
        assert!(message.contains("a.gz: cannot write: "), "{message}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
