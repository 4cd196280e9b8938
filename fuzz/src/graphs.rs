//! Targets for graphs in text and third-party formats.

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

/// Tight limits on decompression, so that bombs are frequent and cheap.
const OPTIONS: ReadOptions = ReadOptions {
    repeated: RepeatedEdges::Sum,
    header: None,
    limits: Limits { bytes: 1 << 20, ratio: 100, ratio_from: 1 << 16 },
};

/// Edge list: `source target [weight]` per line.
pub fn edge_list(data: &[u8]) {
    read("a.edges", data);
}

/// Table of edges: quotes, semicolons, columns selected by a header.
pub fn edge_table(data: &[u8]) {
    read("a.csv", data);
    read("a.tsv", &data.iter().map(|&byte| if byte == b',' { b'\t' } else { byte }).collect::<Vec<_>>());
}

/// Header detection: a first line above some edges, read as a header, as an edge, and by detection.
///
/// A header is not an edge, so there is one edge less, or the file is rejected.
pub fn header(data: &[u8]) {
    let line = data.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let text = [line, b"\na,b\nb,c\nc,a\n"].concat();
    let rows = |header| {
        let options = ReadOptions { header, ..OPTIONS };
        let loaded = read_graph_from_bytes(Path::new("a.csv"), text.clone(), &options).ok()?;
        check(&loaded);
        assert!(header != Some(true) || loaded.header.is_some() || loaded.rows == 3, "a header is reported");
        Some(loaded.rows)
    };
    if let (Some(with), Some(without)) = (rows(Some(true)), rows(Some(false))) {
        assert!(with <= without, "a header is not an edge: {with} and {without} rows");
        assert!(
            rows(None).is_none_or(|found| found == with || found == without),
            "it is a header or an edge"
        );
    }
}

/// Bipartite detection: two columns of small ids; shared ids must occur in both columns.
pub fn bipartite(data: &[u8]) {
    let pairs: Vec<(u32, u32)> =
        data.chunks_exact(2).map(|pair| (u32::from(pair[0]), u32::from(pair[1]))).collect();
    let node_count = pairs.iter().map(|&(u, v)| u.max(v) as usize + 1).max().unwrap_or(1);
    let names = NodeNames::numbered(0, node_count);
    let middle = pairs.len() / 2;
    let parts = [&pairs[..middle], &pairs[middle..]];
    for columns in [None, Some(("user", "item")), Some(("source", "target"))] {
        let note = ReadNote::of_columns(&parts, &names, columns);
        assert!(
            note == ReadNote::of_columns(&[&pairs], &names, columns),
            "the note does not depend on the partition"
        );
        if let Some(ReadNote::SharedIds { shared, .. }) = note {
            let sources: HashSet<u32> = pairs.iter().map(|pair| pair.0).collect();
            let targets: HashSet<u32> = pairs.iter().map(|pair| pair.1).collect();
            assert_eq!(shared, sources.intersection(&targets).count(), "ids in both columns");
        }
    }
}

/// Unsupported formats: a file that is recognized as one is never read as a graph or as labels.
pub fn foreign(data: &[u8]) {
    for name in ["a", "a.csv", "a.graph", "a.json", "a.net"] {
        if is_unsupported(Path::new(name), data) {
            let read = read_graph_from_bytes(Path::new(name), data.to_vec(), &OPTIONS);
            assert!(read.is_err(), "{name} is rejected");
        }
    }
    assert!(
        !(is_unsupported(Path::new("a"), data) && looks_like_labels(data)),
        "a graph is not a label file"
    );
}

/// GML.
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

/// gzip stream; the format is detected from its content.
pub fn gzip(data: &[u8]) {
    read("a.gz", &[b"\x1f\x8b", data].concat());
}

/// Zstandard stream; the format is detected from its content.
pub fn zstandard(data: &[u8]) {
    read("a.zst", &[b"\x28\xb5\x2f\xfd", data].concat());
}

/// CSV folder: four files, separated by zero bytes; all but the first may be missing.
pub fn csv_folder(data: &[u8]) {
    thread_local!(static FOLDER: RefCell<TempDir> = RefCell::new(memory_folder()));
    FOLDER.with_borrow(|folder| {
        let names = ["edges.csv", "nodes.csv", "group-edges.csv", "groups.csv"];
        let mut parts = data.split(|&byte| byte == 0);
        for name in names {
            let path = folder.path().join(name);
            match parts.next() {
                Some(part) => fs::write(path, part).expect("the temporary folder is writable"),
                None => _ = fs::remove_file(path),
            }
        }
        if let Ok(loaded) = read_graph_with(folder.path(), &OPTIONS) {
            check(&loaded);
        }
    });
}

/// Temporary folder, in memory where the system has such a file system.
pub(crate) fn memory_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a temporary folder can be created")
}

fn read(name: &str, data: &[u8]) {
    if let Ok(loaded) = read_graph_from_bytes(Path::new(name), data.to_vec(), &OPTIONS) {
        check(&loaded);
    }
}

/// Checks the invariants of a loaded graph.
pub(crate) fn check(loaded: &LoadedGraph) {
    let graph = &loaded.graph;
    check_graph(graph);
    assert_eq!(loaded.names.len(), graph.node_count(), "one name per node");
    let labels = loaded.labels.as_ref();
    assert!(labels.is_none_or(|labels| labels.node_count() == graph.node_count()), "labels cover all nodes");

    let mut text = Vec::new();
    write_edges(graph, &mut text).expect("writing to memory cannot fail");
    let again = read_graph_from_bytes(Path::new("again.edges"), text, &ReadOptions::default());
    let again = again.expect("a written graph can be parsed").graph;
    assert_eq!((again.offsets(), again.targets()), (graph.offsets(), graph.targets()), "the same edges");
    assert_eq!(weights(&again), weights(graph), "the same weights");
}

fn check_graph(graph: &Graph) {
    assert!(graph.edge_count() > 0, "a graph has an edge");
    assert_eq!(graph.targets().len(), 2 * graph.edge_count(), "each edge is stored twice");
    for u in graph.nodes() {
        let neighbors = graph.neighbors(u);
        assert!(neighbors.is_sorted_by(|a, b| a < b), "neighbours of {u} are sorted and distinct");
        assert!(!neighbors.contains(&u), "{u} has no self-loop");
        for (i, &v) in neighbors.iter().enumerate() {
            let back = graph.neighbors(v).binary_search(&u).expect("adjacency is symmetric");
            let weight = |node, i| graph.weights(node).map_or(1.0, |weights: &[f32]| weights[i]);
            assert_eq!(weight(u, i), weight(v, back), "weights are symmetric");
            assert!(weight(u, i).is_finite() && weight(u, i) > 0.0, "weights are finite and positive");
        }
    }
}

/// Weights of all edges; `None` if all are one, which is the same as an unweighted graph.
fn weights(graph: &Graph) -> Option<&[f32]> {
    graph.all_weights().filter(|weights| weights.iter().any(|&weight| weight != 1.0))
}
