//! Graphs of other programs.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use hycome::Graph;
use hycome::graph::{NodeNames, RepeatedEdges};
use hycome::io::{
    Limits, LoadedGraph, ReadNote, ReadOptions, is_unsupported, looks_like_labels, read_graph_from_bytes,
    read_graph_with, write_edges,
};
use tempfile::TempDir;

/// A fuzzed file may grow to a megabyte, and at once only to 64 kB, so that bombs are met often and cost little.
const OPTIONS: ReadOptions = ReadOptions {
    repeated: RepeatedEdges::Sum,
    header: None,
    limits: Limits { bytes: 1 << 20, ratio: 100, ratio_from: 1 << 16 },
};

/// `source target [weight]` per line.
pub fn edge_list(data: &[u8]) {
    read("a.edges", data);
}

/// A table of edges: quotes, semicolons, columns that a header chooses.
pub fn edge_table(data: &[u8]) {
    read("a.csv", data);
    read("a.tsv", &data.iter().map(|&byte| if byte == b',' { b'\t' } else { byte }).collect::<Vec<_>>());
}

/// A first line above some edges, taken for a header, for an edge, and for whatever it looks like. Said to be a header it is
/// no edge, so there is an edge less or the file is refused.
pub fn header(data: &[u8]) {
    let line = data.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let text = [line, b"\na,b\nb,c\nc,a\n"].concat();
    let rows = |header| {
        let options = ReadOptions { header, ..OPTIONS };
        let loaded = read_graph_from_bytes(Path::new("a.csv"), text.clone(), &options).ok()?;
        check(&loaded);
        assert!(header != Some(true) || loaded.header.is_some() || loaded.rows == 3, "a header is told");
        Some(loaded.rows)
    };
    if let (Some(with), Some(without)) = (rows(Some(true)), rows(Some(false))) {
        assert!(with <= without, "a header is no edge: {with} and {without} rows");
        assert!(
            rows(None).is_none_or(|found| found == with || found == without),
            "it is a header or an edge"
        );
    }
}

/// Two columns of small numbers, which may count different things. Whatever is shared occurs in both.
pub fn bipartite(data: &[u8]) {
    let pairs: Vec<(u32, u32)> =
        data.chunks_exact(2).map(|pair| (u32::from(pair[0]), u32::from(pair[1]))).collect();
    let node_count = pairs.iter().map(|&(u, v)| u.max(v) as usize + 1).max().unwrap_or(1);
    let names = NodeNames::numbered(0, node_count);
    let middle = pairs.len() / 2;
    let pieces = [&pairs[..middle], &pairs[middle..]];
    for columns in [None, Some(("user", "item")), Some(("source", "target"))] {
        let note = ReadNote::of_columns(&pieces, &names, columns);
        assert!(note == ReadNote::of_columns(&[&pairs], &names, columns), "pieces do not matter");
        if let Some(ReadNote::SharedIds { shared, .. }) = note {
            let sources: HashSet<u32> = pairs.iter().map(|pair| pair.0).collect();
            let targets: HashSet<u32> = pairs.iter().map(|pair| pair.1).collect();
            assert_eq!(shared, sources.intersection(&targets).count(), "ids in both columns");
        }
    }
}

/// A file that may be a graph of another program. What is refused by name is never read as a graph, nor taken for labels.
pub fn foreign(data: &[u8]) {
    for name in ["a", "a.csv", "a.graph", "a.json", "a.net"] {
        if is_unsupported(Path::new(name), data) {
            let read = read_graph_from_bytes(Path::new(name), data.to_vec(), &OPTIONS);
            assert!(read.is_err(), "{name} is refused");
        }
    }
    assert!(!(is_unsupported(Path::new("a"), data) && looks_like_labels(data)), "a graph is no label file");
}

/// Graph Modelling Language.
pub fn gml(data: &[u8]) {
    read("a.gml", data);
}

/// Matrix Market.
pub fn matrix_market(data: &[u8]) {
    read("a.mtx", data);
}

/// MATLAB 5 and 7.
pub fn matlab(data: &[u8]) {
    read("a.mat", data);
}

/// A gzip stream in front of whatever its content starts like.
pub fn gzip(data: &[u8]) {
    read("a.gz", &[b"\x1f\x8b", data].concat());
}

/// A Zstandard stream in front of whatever its content starts like.
pub fn zstandard(data: &[u8]) {
    read("a.zst", &[b"\x28\xb5\x2f\xfd", data].concat());
}

/// The four files of a folder, of which any but the first may be missing; a zero byte ends each.
pub fn csv_folder(data: &[u8]) {
    thread_local!(static FOLDER: RefCell<TempDir> = RefCell::new(memory_folder()));
    FOLDER.with_borrow(|folder| {
        let names = ["edges.csv", "nodes.csv", "group-edges.csv", "groups.csv"];
        let mut parts = data.split(|&byte| byte == 0);
        for name in names {
            let path = folder.path().join(name);
            match parts.next() {
                Some(part) => fs::write(path, part).expect("the folder is ours"),
                None => _ = fs::remove_file(path),
            }
        }
        if let Ok(loaded) = read_graph_with(folder.path(), &OPTIONS) {
            check(&loaded);
        }
    });
}

/// A folder that needs no disk, where there is such a thing.
pub(crate) fn memory_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder can be made")
}

fn read(name: &str, data: &[u8]) {
    if let Ok(loaded) = read_graph_from_bytes(Path::new(name), data.to_vec(), &OPTIONS) {
        check(&loaded);
    }
}

/// The laws of any graph that was read.
pub(crate) fn check(loaded: &LoadedGraph) {
    let graph = &loaded.graph;
    check_graph(graph);
    assert_eq!(loaded.names.len(), graph.node_count(), "a name for each node");
    let labels = loaded.labels.as_ref();
    assert!(labels.is_none_or(|labels| labels.node_count() == graph.node_count()), "classes for each node");

    let mut text = Vec::new();
    write_edges(graph, &mut text).expect("memory takes all bytes");
    let again = read_graph_from_bytes(Path::new("again.edges"), text, &ReadOptions::default());
    let again = again.expect("what was written can be read").graph;
    assert_eq!((again.offsets(), again.targets()), (graph.offsets(), graph.targets()), "the same edges");
    assert_eq!(weights(&again), weights(graph), "the same weights");
}

fn check_graph(graph: &Graph) {
    assert!(graph.edge_count() > 0, "a graph has an edge");
    assert_eq!(graph.targets().len(), 2 * graph.edge_count(), "each edge stands twice");
    for u in graph.nodes() {
        let neighbors = graph.neighbors(u);
        assert!(neighbors.is_sorted_by(|a, b| a < b), "neighbours of {u} are sorted and differ");
        assert!(!neighbors.contains(&u), "{u} has no loop");
        for (i, &v) in neighbors.iter().enumerate() {
            let back = graph.neighbors(v).binary_search(&u).expect("an edge goes both ways");
            let weight = |node, i| graph.weights(node).map_or(1.0, |weights: &[f32]| weights[i]);
            assert_eq!(weight(u, i), weight(v, back), "both ways weigh the same");
            assert!(weight(u, i).is_finite() && weight(u, i) > 0.0, "a weight is a finite number above zero");
        }
    }
}

/// The weights of all edges; a list in which all are one says the same as none.
fn weights(graph: &Graph) -> Option<&[f32]> {
    graph.all_weights().filter(|weights| weights.iter().any(|&weight| weight != 1.0))
}
