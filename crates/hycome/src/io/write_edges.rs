//! Writing a graph with names as an edge list, verified to read back as the same graph.
//!
//! Names are arbitrary text, and the reader detects headers, separators and comments. So the file is read back and compared
//! before it is committed.

use std::io::{self, Write};
use std::path::Path;

use crate::graph::{Graph, NodeNames};
use crate::io::{AtomicFile, Limits, ReadOptions, read_graph_from_bytes, stage};
use crate::{Error, Result};

/// How an edge list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeFormat {
    /// Columns separated by spaces, without a header.
    Plain,
    /// Columns separated by tabs below a header `source target [weight]`, quoted where that is needed.
    Tsv,
    /// Columns separated by commas below a header `source,target[,weight]`, quoted where that is needed.
    Csv,
}

impl EdgeFormat {
    /// The format of an extension, if it is that of an edge list.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "edges" | "txt" => Self::Plain,
            "tsv" => Self::Tsv,
            "csv" => Self::Csv,
            _ => return None,
        })
    }

    fn separator(self) -> u8 {
        match self {
            Self::Plain => b' ',
            Self::Tsv => b'\t',
            Self::Csv => b',',
        }
    }
}

/// Writes the edges of a graph, by node names, to an [`AtomicFile`], compressed if the path ends in `.gz` or `.zst`.
///
/// # Errors
/// If the file cannot be written, or if it would not be read back as the same graph.
pub fn stage_edges(path: &Path, graph: &Graph, names: &NodeNames, format: EdgeFormat) -> Result<AtomicFile> {
    let staged = stage(path, |out| write_named_edges(graph, names, format, out))?;
    let written = staged.read().map_err(|source| Error::Io { path: path.into(), action: "read", source })?;
    let Some(written) = written else { return Ok(staged) }; // a pipe cannot be read back
    let limits = Limits { ratio: u64::MAX, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let read = read_graph_from_bytes(path, written, &options);
    if read.is_ok_and(|read| is_same(graph, names, &read.graph, &read.names)) {
        return Ok(staged);
    }
    let other = if format == EdgeFormat::Plain { ".csv or .hyg" } else { ".hyg" };
    Err(Error::Content {
        path: path.into(),
        expected: format!("names that an edge list can hold; write a {other} file instead"),
        found: "some that would be read back as something else".into(),
    })
}

/// Writes a line for each edge, and an edge to itself for a node without neighbours.
fn write_named_edges(
    graph: &Graph,
    names: &NodeNames,
    format: EdgeFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_plain =
        |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '-' || format == EdgeFormat::Plain;
    let quotes = match (format, names.iter().all(|name| !name.is_empty() && name.chars().all(is_plain))) {
        (EdgeFormat::Plain, _) => csv::QuoteStyle::Never,
        (_, true) => csv::QuoteStyle::Necessary,
        // Once a name needs care all get it: a reader can take none for a comment or trim it.
        (_, false) => csv::QuoteStyle::NonNumeric,
    };
    let mut writer = csv::WriterBuilder::new();
    writer.delimiter(format.separator()).quote_style(quotes).flexible(true);
    let mut writer = writer.from_writer(out);
    if format != EdgeFormat::Plain {
        let weight = graph.is_weighted().then_some("weight");
        writer.write_record(["source", "target"].into_iter().chain(weight))?;
    }
    for u in graph.nodes() {
        let name = names.name(u);
        let mut edge = |v: &str, weight: Option<f32>| {
            let weight = weight.map(|weight| weight.to_string());
            writer.write_record([name.as_ref(), v].into_iter().chain(weight.as_deref()))
        };
        if graph.degree(u) == 0 {
            edge(&name, graph.is_weighted().then_some(1.0))?;
        }
        for (i, &v) in graph.neighbors(u).iter().enumerate().filter(|&(_, &v)| v > u) {
            edge(&names.name(v), graph.weights(u).map(|weights| weights[i]))?;
        }
    }
    writer.flush()
}

/// Whether two graphs have the same nodes by name, in any order, with the same neighbours and weights.
fn is_same(graph: &Graph, names: &NodeNames, read: &Graph, read_names: &NodeNames) -> bool {
    if (graph.node_count(), graph.edge_count()) != (read.node_count(), read.edge_count()) {
        return false;
    }
    let index = read_names.index();
    let Some(places) = names.iter().map(|name| index.get(&name)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    graph.nodes().all(|u| {
        let place = places[u as usize];
        let mut order: Vec<usize> = (0..graph.degree(u)).collect();
        order.sort_unstable_by_key(|&i| places[graph.neighbors(u)[i] as usize]);
        let targets = order.iter().map(|&i| places[graph.neighbors(u)[i] as usize]);
        let weights = graph.weights(u).map(|weights| order.iter().map(|&i| weights[i]).collect::<Vec<_>>());
        targets.eq(read.neighbors(place).iter().copied()) && weights.as_deref() == read.weights(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;

    fn graph(weights: Option<Vec<f32>>) -> Graph {
        EdgeList { node_count: 5, pairs: vec![(0, 3), (1, 4), (3, 1)], weights }.build().0
    }

    #[test]
    fn every_edge_list_is_read_back_as_the_same_graph() {
        let folder = tempfile::tempdir().unwrap();
        let texts = NodeNames::from_strings(["b", "a", "é", "10", "-"]);
        for weights in [None, Some(vec![1.0, 0.3, 1e-30])] {
            for (graph, names) in
                [(graph(weights.clone()), &texts), (graph(weights), &NodeNames::numbered(7, 5))]
            {
                for name in ["a.edges", "a.txt.gz", "a.tsv", "a.csv", "a.csv.zst"] {
                    let path = folder.path().join(name);
                    let extension = name.split('.').nth(1).unwrap();
                    let format = EdgeFormat::of_extension(extension).unwrap();
                    stage_edges(&path, &graph, names, format).unwrap().commit().unwrap();
                    let read = crate::io::read_graph(&path).unwrap();
                    assert!(is_same(&graph, names, &read.graph, &read.names), "{name}");
                }
            }
        }
    }

    #[test]
    fn names_that_would_be_read_otherwise_are_refused_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.edges");
        for name in ["a b", "#a", "", "line\nbreak"] {
            let names = NodeNames::from_strings(["x", "y", name, "z", "w"]);
            let graph =
                EdgeList { node_count: 5, pairs: vec![(2, 3), (1, 4), (0, 1)], weights: None }.build().0;
            let error = stage_edges(&path, &graph, &names, EdgeFormat::Plain).unwrap_err().to_string();
            assert!(error.contains("a.edges: expected names that an edge list can hold"), "{error}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn another_graph_is_told_apart() {
        let names = NodeNames::numbered(0, 5);
        let weighted = graph(Some(vec![1.0, 0.3, 1e-30]));
        assert!(is_same(&weighted, &names, &weighted, &names));
        assert!(!is_same(&graph(None), &names, &weighted, &names));
        assert!(!is_same(&weighted, &names, &weighted, &NodeNames::numbered(1, 5)));
        let other = EdgeList { node_count: 5, pairs: vec![(0, 3), (1, 4), (3, 2)], weights: None }.build().0;
        assert!(!is_same(&graph(None), &names, &other, &names));
    }
}
