//! A graph with its names, labels, build statistics and reader notes.

use super::{BuildStats, ColumnsRead, Graph, Labels, NodeId, NodeNames, ReadNote};

/// A graph with its metadata, as returned by readers, generators and built-in datasets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedGraph {
    /// File name without folder and extensions.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// External names of the nodes.
    pub names: NodeNames,
    /// Classes of the nodes, if the file contains them.
    pub labels: Option<Labels>,
    /// Number of edges as written: lines of an edge list, entries of a matrix.
    pub rows: usize,
    /// Counts of removed and merged edges.
    pub stats: BuildStats,
    /// First line of an edge list, quoted, if it was read as a header.
    pub header: Option<String>,
    /// Name of the input format.
    pub format: &'static str,
    /// Roles of the columns, if the input is a table.
    pub columns: Option<ColumnsRead>,
    /// Decisions of the reader that the user may want to check.
    pub notes: Vec<ReadNote>,
}

impl LoadedGraph {
    /// Induced subgraph of `nodes`, in this order, with their names and labels.
    #[must_use]
    pub fn induced(self, nodes: &[NodeId]) -> Self {
        Self {
            graph: self.graph.induced(nodes),
            names: self.names.subset(nodes),
            labels: self.labels.map(|labels| labels.subset(nodes)),
            ..self
        }
    }
}
