//! Malformed files are refused with the message in their `.expected` file; any graph survives a round trip through each text format.
//!
//! `malformed/make.py` writes the files; `HYCOME_BLESS=1` rewrites the expected messages.

use std::fs;
use std::path::{Path, PathBuf};

use hycome::graph::{EdgeList, Graph, NodeNames};
use hycome::io::{LoadedGraph, ReadOptions, read_graph, read_graph_from_bytes, read_labels};
use proptest::prelude::*;

fn malformed_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        !name.starts_with('.') && !name.ends_with(".expected") && name != "make.py"
    });
    files.sort();
    files
}

/// Error message of a file, with its bare name as the path.
fn error_message(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    let refused = if name.starts_with("labels-") {
        read_labels(path, &NodeNames::numbered(1, 3)).map(|_| ())
    } else {
        read_graph(path).map(|_| ())
    };
    let message = refused.err().map_or("nothing: it was read".to_owned(), |error| error.to_string());
    message.replace(&path.display().to_string(), name) + "\n"
}

#[test]
fn every_malformed_file_is_refused_with_its_expected_message() {
    let files = malformed_files();
    assert!(files.len() >= 60, "only {} malformed files", files.len());
    let mut differences = Vec::new();
    for path in files {
        let message = error_message(&path);
        let kept = PathBuf::from(format!("{}.expected", path.display()));
        if std::env::var_os("HYCOME_BLESS").is_some() {
            fs::write(&kept, &message).unwrap();
        }
        let expected = fs::read_to_string(&kept).unwrap_or_default();
        if message != expected {
            differences.push(format!("found    {message}expected {expected}"));
        }
    }
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}

#[test]
fn no_message_holds_control_characters() {
    for path in malformed_files() {
        let message = error_message(&path);
        assert!(!message.trim_end_matches('\n').chars().any(char::is_control), "{message:?}");
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
