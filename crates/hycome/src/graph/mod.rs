//! Undirected simple graphs in compressed sparse row (CSR) format, with node names and labels.
//!
//! The neighbours of node `i` are `targets[offsets[i]..offsets[i + 1]]`, ascending, and each edge is stored twice.
//! [`EdgeList::build`] builds a graph from raw edges; `Graph::from_rows` validates rows from a file. [`NodeNames`]
//! maps nodes to external names, [`Labels`] maps them to classes, and [`LoadedGraph`] holds all of these.

mod buffer;
mod build;
mod components;
mod dataset;
mod labels;
mod lists;
mod names;
mod notes;
mod repeats;
mod validate;

pub(crate) use buffer::Buffer;
pub use build::{BuildStats, EdgeList};
pub(crate) use build::{EdgePiece, EdgePieces};
pub use dataset::LoadedGraph;
pub use labels::Labels;
pub use names::{NameIndex, NodeNames};
pub use notes::{ColumnsRead, ReadNote};
pub use repeats::{Direction, Merged, RepeatedEdges};

/// Index of a node.
pub type NodeId = u32;

/// An undirected simple graph in CSR format, with sorted adjacency lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    offsets: Buffer<usize>,
    targets: Buffer<NodeId>,
    weights: Option<Buffer<f32>>,
}

impl Graph {
    /// Builds an unweighted graph on nodes `0..=largest id` from edges in any order and direction.
    ///
    /// ```
    /// let triangle = hycome::Graph::from_edges([(0, 1), (1, 2), (2, 0), (0, 2)]);
    /// assert_eq!((triangle.node_count(), triangle.edge_count()), (3, 3));
    /// assert_eq!(triangle.neighbors(1), [0, 2]);
    /// ```
    #[must_use]
    pub fn from_edges(edges: impl IntoIterator<Item = (NodeId, NodeId)>) -> Self {
        let pairs: Vec<(NodeId, NodeId)> = edges.into_iter().collect();
        let node_count = pairs.iter().map(|&(u, v)| u.max(v) as usize + 1).max().unwrap_or(0);
        EdgeList { node_count, pairs, weights: None }
            .build_with(RepeatedEdges::First, Direction::Undirected)
            .0
    }

    /// Number of nodes, including isolated ones.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Number of undirected edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.targets.len() / 2
    }

    /// Degree of `node`.
    #[must_use]
    pub fn degree(&self, node: NodeId) -> usize {
        self.offsets[node as usize + 1] - self.offsets[node as usize]
    }

    /// Neighbours of `node` in ascending order.
    #[inline]
    #[must_use]
    pub fn neighbors(&self, node: NodeId) -> &[NodeId] {
        &self.targets[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }

    /// Weights of the edges to [`Graph::neighbors`], in the same order; `None` if unweighted.
    #[must_use]
    pub fn weights(&self, node: NodeId) -> Option<&[f32]> {
        let weights = self.weights.as_ref()?;
        Some(&weights[self.offsets[node as usize]..self.offsets[node as usize + 1]])
    }

    /// Whether the graph is weighted.
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Iterates over all nodes.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        0..self.node_count() as NodeId
    }

    /// CSR row offsets into [`Graph::targets`]: `node_count() + 1` entries.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Concatenated adjacency lists.
    #[must_use]
    pub fn targets(&self) -> &[NodeId] {
        &self.targets
    }

    /// Edge weights parallel to [`Graph::targets`]; `None` if unweighted.
    #[must_use]
    pub fn all_weights(&self) -> Option<&[f32]> {
        self.weights.as_deref()
    }

    /// CRC-32 checksum of edges and weights, to detect a different graph.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for node in self.nodes() {
            let neighbors = self.neighbors(node);
            sum.update(&(neighbors.len() as u64).to_le_bytes());
            neighbors.iter().for_each(|neighbor| sum.update(&neighbor.to_le_bytes()));
        }
        let weights = self.all_weights().unwrap_or_default();
        weights.iter().for_each(|weight| sum.update(&weight.to_le_bytes()));
        sum.finalize()
    }

    /// Removes the weights.
    #[must_use]
    pub fn unweighted(self) -> Self {
        Self { weights: None, ..self }
    }
}
