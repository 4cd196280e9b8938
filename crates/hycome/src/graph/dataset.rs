//! A graph with everything that was read with it: names, labels, statistics and notes.

use super::{BuildStats, ColumnsRead, Graph, Labels, NodeNames, ReadNote};

/// A graph with its names, labels and notes, as a reader, a generator or a built-in dataset returns it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedGraph {
    /// The file's name without folder and extensions.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// External names of the nodes.
    pub names: NodeNames,
    /// The classes of the nodes, if the file holds them.
    pub labels: Option<Labels>,
    /// Edges as written: lines of an edge list, entries of a matrix.
    pub rows: usize,
    /// Counts of removed and merged edges.
    pub stats: BuildStats,
    /// The first line of an edge list, in quotes, if it was read as a header.
    pub header: Option<String>,
    /// Name of the input format.
    pub format: &'static str,
    /// Roles of the columns, if the input is a table.
    pub columns: Option<ColumnsRead>,
    /// What the reader guessed, merged or ignored.
    pub notes: Vec<ReadNote>,
}
