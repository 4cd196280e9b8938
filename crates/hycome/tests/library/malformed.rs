//! Malformed files are refused with the kind of error and the key fact listed in `expected.tsv`; any graph survives a round
//! trip through each text format. `malformed/make.py` writes the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hycome::Error;
use hycome::graph::{EdgeList, Graph, NodeNames};
use hycome::io::{LoadedGraph, ReadOptions, read_graph, read_graph_from_bytes, read_labels};
use proptest::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed")
}

fn malformed_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        !name.starts_with('.') && !["expected.tsv", "make.py"].contains(&name)
    });
    files.sort();
    files
}

/// Error of a file, if it is refused.
fn error(path: &Path) -> Option<Error> {
    if path.file_name().unwrap().to_str().unwrap().starts_with("labels-") {
        read_labels(path, &NodeNames::numbered(1, 3)).err()
    } else {
        read_graph(path).err()
    }
}

/// Kind and place of an error, its file, and what it says of the content.
fn kind_and_content(error: &Error) -> (String, &Path, String) {
    match error {
        Error::Line { path, line, expected, found } => {
            (format!("Line {line}"), path, format!("{expected}, found {found}"))
        }
        Error::Content { path, expected, found } => {
            ("Content".to_owned(), path, format!("{expected}, found {found}"))
        }
        other => panic!("neither Line nor Content: {other:?}"),
    }
}

#[test]
fn every_malformed_file_is_refused_with_the_expected_kind_place_and_fact() {
    let table = fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let mut expected: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let [file, kind, fact] = row.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
        expected.insert(file, (kind, fact));
    }
    let files = malformed_files();
    assert!(files.len() >= 60, "only {} malformed files", files.len());
    let mut differences = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (kind, fact) = expected.remove(name).unwrap_or_else(|| panic!("{name} is not in expected.tsv"));
        let Some(error) = error(&path) else {
            differences.push(format!("{name}: expected {kind}, {fact}; it was read"));
            continue;
        };
        let (found, place, content) = kind_and_content(&error);
        if found != kind || place != path || !content.contains(fact) {
            differences.push(format!("{name}: expected {kind}, {fact}; found {error:?}"));
        }
    }
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
    assert!(expected.is_empty(), "expected.tsv lists files that do not exist: {expected:?}");
}

#[test]
fn no_message_holds_control_characters() {
    for path in malformed_files() {
        let message = error(&path).expect("the file is malformed").to_string();
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
}

/// A graph whose nodes are called by what the formats can write, and its edges as written.
#[derive(Clone, Debug)]
struct Written {
    node_count: usize,
    edges: Vec<(u32, u32, f32)>,
}

fn written() -> impl Strategy<Value = Written> {
    (2usize..20).prop_flat_map(|node_count| {
        let node = 0..node_count as u32;
        let edge = (node.clone(), node, 0u16..64).prop_map(|(u, v, weight)| (u, v, f32::from(weight) / 8.0));
        prop::collection::vec(edge, 1..50).prop_map(move |mut edges| {
            // A path through every node, for an edge list cannot say that a node is isolated.
            edges.extend((1..node_count as u32).map(|v| (v - 1, v, 0.5)));
            Written { node_count, edges }
        })
    })
}

impl Written {
    fn graph(&self) -> Graph {
        let pairs = self.edges.iter().map(|&(u, v, _)| (u, v)).collect();
        let weights = Some(self.edges.iter().map(|edge| edge.2).collect());
        EdgeList { node_count: self.node_count, pairs, weights }.build().0
    }

    fn lines(&self, line: impl Fn(u32, u32, f32) -> String) -> String {
        self.edges.iter().map(|&(u, v, weight)| line(u, v, weight)).collect()
    }

    /// The graph in each text format, nodes counted from 1.
    fn formats(&self) -> [(&'static str, String); 6] {
        let spaced = |u, v, weight| format!("{} {} {weight}\n", u + 1, v + 1);
        let nodes: String =
            (0..self.node_count).rev().map(|node| format!("node [ id {} ]\n", node + 1)).collect();
        let edge = |u, v, weight| format!("edge\n[\nsource {}\ntarget {}\nvalue {weight}\n]\n", u + 1, v + 1);
        let size = format!("{} {} {}\n", self.node_count, self.node_count, self.edges.len());
        [
            ("spaces.txt", self.lines(spaced)),
            ("commas.csv", self.lines(|u, v, w| format!("{},{},{w}\r\n", v + 1, u + 1))),
            (
                "header.tsv",
                format!("from\tto\tweight\n{}", self.lines(|u, v, w| format!("{}\t{}\t{w}\n", u + 1, v + 1))),
            ),
            ("letters.txt", self.lines(|u, v, w| format!("{} {} {w}\n", letter(u), letter(v)))),
            ("graph.gml", format!("graph [\n{nodes}{}]\n", self.lines(edge))),
            (
                "matrix",
                format!("%%MatrixMarket matrix coordinate real general\n{size}{}", self.lines(spaced)),
            ),
        ]
    }
}

fn letter(node: u32) -> char {
    char::from(b'a' + node as u8)
}

fn read(name: &str, content: &[u8]) -> LoadedGraph {
    read_graph_from_bytes(Path::new(name), content.to_vec(), &ReadOptions::default()).unwrap()
}

proptest! {
    #[test]
    fn a_graph_is_the_same_in_every_text_format(written in written()) {
        let graph = written.graph();
        for (name, content) in written.formats() {
            let loaded = read(name, content.as_bytes());
            prop_assert_eq!(&loaded.graph, &graph, "{}", name);
            prop_assert_eq!(loaded.rows, written.edges.len());
            let names = NodeNames::from_strings((0..written.node_count as u32).map(|node| match name {
                "letters.txt" => letter(node).to_string(),
                _ => (node + 1).to_string(),
            }));
            prop_assert_eq!(loaded.names, names, "{}", name);
        }
    }

    #[test]
    fn compression_changes_nothing(written in written()) {
        let (_, content) = &written.formats()[0];
        let packed = zstd::encode_all(content.as_bytes(), 1).unwrap();
        prop_assert_eq!(read("a.txt.zst", &packed).graph, written.graph());
        prop_assert_eq!(read("a.misnamed", &packed).graph, written.graph());
    }

    #[test]
    fn any_bytes_are_read_or_refused_in_every_format(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        extension in prop::sample::select(vec!["txt", "gml", "mtx", "mat", "hyg", "gz"]),
    ) {
        let _ = read_graph_from_bytes(Path::new(&format!("a.{extension}")), bytes, &ReadOptions::default());
    }
}
