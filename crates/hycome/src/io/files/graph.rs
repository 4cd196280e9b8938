//! Graph files (`.hyg`): memory-mapped CSR adjacency, with names and labels.
//!
//! The file is safetensors, so NumPy reads it too, and holds the arrays that a [`Graph`] consists of:
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `offsets` | U64 \[n + 1\] | where the neighbours of each node begin in `targets` |
//! | `targets` | U32 \[2m\] | the neighbours of node 0, of node 1, …, ascending; each edge is stored twice |
//! | `weights` | F32 \[2m\] | the weights beside `targets`, if edges have weights |
//! | `names.first` | U64 \[1\] | nodes are called by consecutive numbers from this one, |
//! | `names.numbers` | U64 \[n\] | … or by these numbers, |
//! | `names.text`, `names.ends` | U8 \[bytes\], U64 \[n\] | … or by these pieces of one UTF-8 text |
//! | `labels.offsets` | U64 \[n + 1\] | where the classes of each node begin, if there are labels |
//! | `labels.classes` | U32 \[entries\] | the classes of node 0, of node 1, …, ascending |
//! | `labels.text`, `labels.ends` | U8 \[bytes\], U64 \[classes\] | what the classes are called |
//!
//! The metadata are strings: `format` is `hycome-graph`, `checksum` comes next, `format_version` counts changes that older
//! programs cannot read, `program` is the program that wrote the file; `rows`, `self_loops`, `repeats` and `zero_weights` are what
//! reading the source has counted.
//!
//! Opening copies the names and the labels; offsets, targets and weights stay in the mapping. The whole file is
//! validated when it is opened:
//!
//! - the size of the file must match the header;
//! - `checksum`, CRC-32 in eight hexadecimal digits, is that of the whole file without `targets` and `weights`, its own
//!   digits taken as zeros;
//! - `targets` and `weights`, most of the file, need no checksum: every edge is stored twice, so the validation of the rows
//!   (`graph/validate.rs`) detects corruption, and also rows that were wrong when they were written.
//!
//! This reads the file once, in parallel and sequentially, close to memory bandwidth. Every use of a graph reads it more
//! than once, so a flag "already validated" would save little.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;
use safetensors::Dtype;
use serde_json::json;

use crate::graph::{Buffer, BuildStats, Graph, Labels, Merged};
use crate::io::atomic_file::AtomicFile;
use crate::io::files::container::{
    FileKind, NO_CHECKSUM, Reader, Writer, bytes_of, checksum, checksum_range, content, has_checksum, joined,
    words,
};
use crate::io::formats::detect::Format;
use crate::io::{LoadedGraph, ReadNote, input};
use crate::{Error, Result, mapped};

/// Extension of graph files.
pub const EXTENSION: &str = "hyg";

const GRAPH: FileKind = FileKind {
    format: "hycome-graph",
    noun: "graph file",
    origin: "a hycome graph file",
    version: 1,
    remedy: "; convert the graph again",
};

/// Writes a graph with its names and labels, replacing an existing file atomically.
///
/// # Errors
/// If the file cannot be written.
pub fn save(loaded: &LoadedGraph, path: &Path) -> Result<()> {
    staged(loaded, path)?.commit()
}

/// [`save`] without the commit.
///
/// # Errors
/// If the file cannot be written.
pub fn staged(loaded: &LoadedGraph, path: &Path) -> Result<AtomicFile> {
    let (graph, labels) = (&loaded.graph, loaded.labels.as_ref());
    let place = |place: usize| (place as u64).to_le_bytes();
    let mut file = Writer::default();
    // A default graph has no row at all, a file has the end of none.
    let offsets = if graph.offsets().is_empty() { &[0] } else { graph.offsets() };
    file.tensor("offsets", "U64", &[offsets.len()], bytes_of(offsets, place));
    let text = file.names(&loaded.names);
    let classes = labels.map(|labels| {
        let (offsets, classes) = labels.rows();
        let (text, ends) = joined(labels.class_names().iter());
        file.tensor("labels.offsets", "U64", &[offsets.len()], bytes_of(offsets, place));
        file.tensor("labels.ends", "U64", &[ends.len()], bytes_of(&ends, u64::to_le_bytes).into_owned());
        file.tensor("labels.classes", "U32", &[classes.len()], bytes_of(classes, u32::to_le_bytes));
        text
    });
    let targets = graph.targets();
    file.tensor("targets", "U32", &[targets.len()], bytes_of(targets, u32::to_le_bytes));
    if let Some(weights) = graph.all_weights() {
        file.tensor("weights", "F32", &[weights.len()], bytes_of(weights, f32::to_le_bytes));
    }
    for (name, text) in [("names.text", text), ("labels.text", classes)] {
        if let Some(text) = text {
            file.text(name, text);
        }
    }
    let BuildStats { self_loops, repeats, zero_weights, mirrored, merged } = loaded.stats;
    let mut metadata = json!({
        "format": GRAPH.format,
        "checksum": NO_CHECKSUM,
        "format_version": GRAPH.version.to_string(),
        "program": concat!("hycome ", env!("CARGO_PKG_VERSION")),
        "rows": loaded.rows.to_string(),
        "self_loops": self_loops.to_string(),
        "repeats": repeats.to_string(),
        "zero_weights": zero_weights.to_string(),
    });
    if merged != Merged::Nothing {
        metadata["mirrored"] = mirrored.to_string().into();
        metadata["merged"] = merged.name().into();
    }
    let mut header = file.header(metadata);
    let unsummed = |name: &str| name == "targets" || name == "weights";
    let parts = file.tensors().filter(|(name, _)| !unsummed(name)).map(|(_, bytes)| bytes);
    let checksum = checksum(std::iter::once(header.as_slice()).chain(parts));
    header[checksum_range(GRAPH.format)].copy_from_slice(checksum.as_bytes());
    AtomicFile::write_with(path, |out| file.write(&header, out))
}

/// Whether bytes start like a graph file.
#[must_use]
pub(crate) fn looks_like_graph_file(bytes: &[u8]) -> bool {
    has_checksum(bytes, GRAPH.format)
}

/// Opens the graph in a file that starts like a graph file; `None` for any other file.
///
/// # Errors
/// If the file starts like one but is not a valid one of a supported version.
pub fn open(path: &Path) -> Result<Option<LoadedGraph>> {
    let failed = |source| Error::Io { path: path.into(), action: "read", source };
    if !path.is_file() {
        return Ok(None); // a pipe cannot be inspected and then read from its start
    }
    let mut file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    file.by_ref().take(checksum_range(GRAPH.format).end as u64).read_to_end(&mut start).map_err(failed)?;
    if !looks_like_graph_file(&start) {
        return Ok(None);
    }
    let file = mapped::map(&file).map_err(|source| Error::Io { path: path.into(), action: "map", source })?;
    let file = Arc::new(file);
    Source { bytes: &file, file: Some(&file) }.read(path).map(Some)
}

/// The graph of a file's bytes; `path` is for error messages.
pub(crate) fn from_bytes(bytes: &[u8], path: &Path) -> Result<LoadedGraph> {
    Source { bytes, file: None }.read(path)
}

/// The bytes of a file, and the file if it is mapped.
struct Source<'a> {
    bytes: &'a [u8],
    file: Option<&'a Arc<Mmap>>,
}

impl Source<'_> {
    fn read(&self, path: &Path) -> Result<LoadedGraph> {
        let reader = Reader::open(self.bytes, path, &GRAPH)?;
        self.check_sum(&reader)?;
        let graph = self.graph(&reader)?;
        let n = graph.node_count();
        let names = reader.names(n)?;
        if names.len() != n {
            return Err(
                reader.content_error(format!("{n} names, one for each node"), names.len().to_string())
            );
        }
        let labels = reader.has("labels.offsets").then(|| labels(&reader, n)).transpose()?;
        let count = |key| {
            let text = reader.metadata(key)?;
            text.parse::<usize>()
                .map_err(|_| reader.content_error(format!("a number as `{key}`"), format!("{text:?}")))
        };
        let repeats = count("repeats")?;
        // Programs that did not write `merged` kept the largest weight.
        let merged = match reader.metadata("merged") {
            Ok(name) => Merged::from_name(name).ok_or_else(|| {
                reader.content_error("what was done with repeats as `merged`", format!("{name:?}"))
            })?,
            Err(_) if repeats > 0 => Merged::Largest,
            Err(_) => Merged::Nothing,
        };
        let mirrored = if reader.metadata("mirrored").is_ok() { count("mirrored")? } else { 0 };
        let (self_loops, zero_weights) = (count("self_loops")?, count("zero_weights")?);
        let stats = BuildStats { self_loops, repeats, zero_weights, mirrored, merged };
        let (name, _) = input::stem_and_extension(path);
        let (rows, format) = (count("rows")?, Format::GraphFile.description());
        let notes = ReadNote::of_stats(&stats);
        let (header, columns) = (None, None);
        Ok(LoadedGraph { name, graph, names, labels, rows, stats, header, format, columns, notes })
    }

    fn check_sum(&self, reader: &Reader<'_>) -> Result<()> {
        if !looks_like_graph_file(self.bytes) {
            return Err(content(&reader.path, GRAPH.origin, "other tensors"));
        }
        let mut unsummed = self.place(reader.tensor("targets", Dtype::U32, 1)?.1);
        if reader.has("weights") {
            let weights = self.place(reader.tensor("weights", Dtype::F32, 1)?.1);
            if weights.start != unsummed.end {
                return Err(reader.content_error("`weights` right after `targets`", "them elsewhere"));
            }
            unsummed.end = weights.end;
        }
        let place = checksum_range(GRAPH.format);
        let before = &self.bytes[place.end..unsummed.start];
        let zeros = NO_CHECKSUM.as_bytes();
        let parts = [&self.bytes[..place.start], zeros, before, &self.bytes[unsummed.end..]];
        reader.compare_checksum(&self.bytes[place], &checksum(parts))
    }

    fn graph(&self, reader: &Reader<'_>) -> Result<Graph> {
        let offsets = reader.tensor("offsets", Dtype::U64, 1)?.1;
        let offsets =
            self.array(offsets, |word| usize::try_from(u64::from_le_bytes(word)).unwrap_or(usize::MAX));
        let targets = self.array(reader.tensor("targets", Dtype::U32, 1)?.1, u32::from_le_bytes);
        let weights = reader.has("weights").then(|| reader.tensor("weights", Dtype::F32, 1)).transpose()?;
        let weights = weights.map(|(_, weights)| self.array(weights, f32::from_le_bytes));
        let graph = Graph::from_rows(offsets, targets, weights);
        let graph = graph.map_err(|error| reader.content_error(error.expected, error.found))?;
        if graph.edge_count() == 0 {
            return Err(reader.content_error("at least one edge", "none"));
        }
        Ok(graph)
    }

    /// Numbers of N bytes: a view of the mapping if the machine is little-endian, else a copy.
    fn array<T: Pod, const N: usize>(&self, part: &[u8], number: impl Fn([u8; N]) -> T) -> Buffer<T> {
        let alike = cfg!(target_endian = "little") && size_of::<T>() == N;
        let mapped = self.file.filter(|_| alike).and_then(|file| Buffer::mapped(file, self.place(part)));
        mapped.unwrap_or_else(|| words(part).map(number).collect::<Vec<T>>().into())
    }

    /// Byte range of a part.
    fn place(&self, part: &[u8]) -> Range<usize> {
        let start = part.as_ptr().addr() - self.bytes.as_ptr().addr();
        start..start + part.len()
    }
}

fn labels(reader: &Reader<'_>, node_count: usize) -> Result<Labels> {
    let classes = reader.tensor("labels.classes", Dtype::U32, 1)?.1;
    let classes = words(classes).map(u32::from_le_bytes).collect();
    let (text, ends) = reader.texts("labels")?;
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let names: Option<Vec<String>> =
        starts.zip(&ends).map(|(start, &end)| text.get(start..end).map(str::to_owned)).collect();
    let labels =
        names.and_then(|names| Labels::from_rows(reader.usizes("labels.offsets").ok()?, classes, names));
    let labels = labels.filter(|labels| labels.node_count() == node_count);
    labels.ok_or_else(|| {
        let expected = format!("ascending classes with names, for each of {node_count} nodes");
        reader.content_error(expected, "others")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::assert_mentions;
    use crate::graph::{EdgeList, NodeId, NodeNames};
    use proptest::prelude::*;

    /// A graph with or without weights and labels, its nodes called in each of the ways there are.
    fn anything() -> impl Strategy<Value = LoadedGraph> {
        let edges = prop::collection::vec((0u32..20, 0u32..20, 1u8..5), 0..50);
        (20usize..24, edges, any::<bool>(), any::<bool>(), 0u8..3).prop_map(
            |(node_count, mut edges, weighted, labelled, naming)| {
                edges.push((0, 1, 1));
                let pairs = edges.iter().map(|&(u, v, _)| (u, v)).collect();
                let weights = weighted.then(|| edges.iter().map(|edge| f32::from(edge.2) / 3.0).collect());
                let (graph, stats) = EdgeList { node_count, pairs, weights }.build();
                let names = match naming {
                    0 => NodeNames::numbered(1, node_count),
                    1 => NodeNames::from_numbers((0..node_count as u64).map(|i| (i * i) << 30).collect()),
                    _ => NodeNames::from_strings((0..node_count).map(|i| format!("é{}", "x".repeat(i)))),
                };
                let classes: Vec<(NodeId, &str)> = edges
                    .iter()
                    .map(|&(u, _, class)| (u, ["ä", "b", "10", "", "e"][class as usize]))
                    .collect();
                let labels = labelled.then(|| Labels::from_pairs(node_count, &classes, &["nobody"]));
                let (name, rows, format) = ("a".to_owned(), edges.len(), "edge list");
                let (header, columns, notes) = (None, None, Vec::new());
                LoadedGraph { name, graph, names, labels, rows, stats, header, format, columns, notes }
            },
        )
    }

    fn same(a: &LoadedGraph, b: &LoadedGraph) -> bool {
        (&a.graph, &a.names, &a.labels, a.rows, a.stats) == (&b.graph, &b.names, &b.labels, b.rows, b.stats)
    }

    fn bytes_of(loaded: &LoadedGraph) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        save(loaded, &folder.path().join("a.hyg")).unwrap();
        std::fs::read(folder.path().join("a.hyg")).unwrap()
    }

    fn opened(bytes: &[u8]) -> Result<Option<LoadedGraph>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hyg");
        std::fs::write(&path, bytes).unwrap();
        open(&path)
    }

    fn triangle() -> LoadedGraph {
        LoadedGraph {
            name: "a".to_owned(),
            graph: Graph::from_edges([(0, 1), (1, 2), (2, 0)]),
            names: NodeNames::from_strings(["x", "y", "z"]),
            labels: Some(Labels::from_pairs(3, &[(0, "k"), (2, "l")], &[])),
            rows: 3,
            stats: BuildStats::default(),
            header: None,
            format: "edge list",
            columns: None,
            notes: Vec::new(),
        }
    }

    fn refusal(bytes: &[u8]) -> String {
        from_bytes(bytes, Path::new("a.hyg")).unwrap_err().to_string()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_graph_comes_back_from_its_file(loaded in anything()) {
            let bytes = bytes_of(&loaded);
            let mapped = opened(&bytes).unwrap().unwrap();
            prop_assert!(same(&mapped, &loaded));
            prop_assert!(same(&from_bytes(&bytes, Path::new("a")).unwrap(), &loaded));
            prop_assert_eq!(bytes_of(&mapped), bytes, "the same graph has the same bytes");
        }

        #[test]
        fn any_flipped_byte_is_noticed(loaded in anything(), place in any::<prop::sample::Index>(), flip in 1u8..) {
            let mut bytes = bytes_of(&loaded);
            let at = place.index(bytes.len());
            bytes[at] ^= flip;
            prop_assert!(from_bytes(&bytes, Path::new("a")).is_err(), "byte {} of {}", at, bytes.len());
            prop_assert!(opened(&bytes).map_or(true, |found| found.is_none()));
        }

        #[test]
        fn any_file_cut_short_or_longer_is_refused(loaded in anything(), place in any::<prop::sample::Index>()) {
            let mut bytes = bytes_of(&loaded);
            prop_assert!(from_bytes(&bytes[..place.index(bytes.len())], Path::new("a")).is_err());
            bytes.push(0);
            prop_assert!(from_bytes(&bytes, Path::new("a")).is_err());
        }
    }

    #[test]
    fn every_flipped_bit_of_the_header_is_noticed() {
        let whole = bytes_of(&triangle());
        let header = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
        for at in 0..header {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                assert!(from_bytes(&bytes, Path::new("a")).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    /// The file of the triangle with `from` replaced by `to`, and the checksum recomputed.
    fn forged(from: &[u8], to: &[u8]) -> Vec<u8> {
        let mut bytes = bytes_of(&triangle());
        let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
        bytes[at..at + to.len()].copy_from_slice(to);
        let place = checksum_range(GRAPH.format);
        bytes[place.clone()].copy_from_slice(NO_CHECKSUM.as_bytes());
        let targets: Vec<u8> = [1u32, 2, 0, 2, 0, 1].iter().flat_map(|target| target.to_le_bytes()).collect();
        let start = bytes.windows(24).position(|window| window == targets).unwrap();
        let sum = checksum([&bytes[..start], &bytes[start + 24..]]);
        bytes[place].copy_from_slice(sum.as_bytes());
        bytes
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        let whole = bytes_of(&triangle());
        let size = whole.len();
        assert_eq!(
            refusal(&whole[..size - 1]),
            format!(
                "a.hyg: expected a whole graph file in the safetensors format, found one of {} bytes, which differs \
                 from its header; convert the graph again",
                size - 1
            )
        );
        assert_mentions(&refusal(b"1 2\n2 3\n3 1\n"), "a.hyg: … another kind of file");
        assert_eq!(
            refusal(&forged(br#"version":"1"#, br#"version":"7"#)),
            format!(
                "a.hyg: expected a graph file of format version 1, found version 7, written by \"hycome {}\"; \
                 update hycome to read it",
                env!("CARGO_PKG_VERSION")
            )
        );
        let mut bytes = whole.clone();
        bytes[size - 1] ^= 1;
        let message = refusal(&bytes);
        assert!(message.starts_with("a.hyg: expected content of the checksum "), "{message}");
        assert!(message.ends_with(": the file was changed or damaged; convert the graph again"), "{message}");
        let mut bytes = whole;
        let targets = size - 5 - 24; // before the names, `xyz`, and the classes, `kl`
        bytes[targets] = 200;
        assert_mentions(&refusal(&bytes), "a.hyg: … sorted … node 0");
        bytes[targets..targets + 8].copy_from_slice(&[1, 0, 0, 0, 200, 0, 0, 0]);
        assert_mentions(&refusal(&bytes), "a.hyg: … 200 of node 0 … 3 nodes");
    }

    #[test]
    fn a_hostile_author_is_refused_too() {
        let word = |n: u64| n.to_le_bytes();
        let offsets: Vec<u8> = [0, 2, 4, 6].into_iter().flat_map(word).collect();
        let wild: Vec<u8> = [0, u64::MAX, 4, 6].into_iter().flat_map(word).collect();
        assert!(refusal(&forged(&offsets, &wild)).contains("expected offsets that rise from 0"));
        let ends: Vec<u8> = [1, 2, 3].into_iter().flat_map(word).collect();
        let wild: Vec<u8> = [1, u64::MAX, 3].into_iter().flat_map(word).collect();
        assert!(refusal(&forged(&ends, &wild)).contains("expected ends of names that rise"));
        let classes: Vec<u8> = [0, 1, 1, 2].into_iter().flat_map(word).collect();
        let wild: Vec<u8> = [0, 1, 9, 2].into_iter().flat_map(word).collect();
        assert!(refusal(&forged(&classes, &wild)).contains("expected ascending classes with names"));
        assert!(refusal(&forged(b"xyz", b"x\xffz")).contains("expected names in UTF-8"));
        assert!(refusal(&forged(br#""rows":"3""#, br#""rows":"x""#)).contains("expected a number as `rows`"));
    }

    #[test]
    fn a_replaced_file_leaves_the_mapped_graph_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hyg");
        save(&triangle(), &path).unwrap();
        let mapped = open(&path).unwrap().unwrap();
        let other = LoadedGraph { graph: Graph::from_edges([(0, 1), (1, 2)]), ..triangle() };
        save(&other, &path).unwrap();
        assert_eq!(mapped.graph, triangle().graph);
        assert_eq!(open(&path).unwrap().unwrap().graph, other.graph);
    }
}
