//! Construction of CSR adjacency from raw edges: symmetric, sorted, without self loops or repeats.
//!
//! Two-pass radix partition. Nodes are divided into [`Ranges`] whose rows fit in cache. Each chunk of raw edges is
//! *partitioned*: both endpoints of every edge are appended, with the opposite endpoint, to the range that contains
//! them. Then [`fill_rows`] builds the rows of each range independently: count degrees, prefix sum, scatter, sort each
//! row, merge repeats. Finally the ranges are compacted. Chunks and ranges are processed in parallel. Scattering
//! directly into the whole array took three times as long on one thread, because almost every write was a cache miss.
//!
//! Each entry stores its direction, so that outgoing and incoming edges of a row can be separated: this distinguishes
//! an edge listed once per direction from a repeated edge. How repeats are merged may depend on all rows (see
//! [`RepeatedEdges`]); in the rare case that the first pass assumed the wrong rule, the rows are filled a second time.
//!
//! A partitioned entry takes 6 bytes (10 if weighted), a row entry 4 (8), and each edge has two of both. Peak memory
//! is 20 bytes per edge, or 36 if weighted; the raw edges are freed before the rows are built. The result does not
//! depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::lists::{Found, Merge, Scratch, merge_unweighted, merge_weighted};
use super::repeats::{Direction, Merged, RepeatedEdges};
use super::{Graph, NodeId};

/// Raw edges: any order, any direction, self loops and repeats included.
#[derive(Clone, Debug, Default)]
pub struct EdgeList {
    /// Number of nodes; every id in `pairs` is below it.
    pub node_count: usize,
    /// The edges.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Edge weights in the same order, finite and non-negative; `None` if unweighted.
    pub weights: Option<Vec<f32>>,
}

/// Counts of what [`EdgeList::build`] removed or merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildStats {
    /// Edges from a node to itself, removed.
    pub self_loops: usize,
    /// Rows that repeat an earlier pair, in either direction.
    pub repeats: usize,
    /// Edges of weight zero, removed; self loops are not included.
    pub zero_weights: usize,
    /// Edges listed in both directions; not counted if the input is declared undirected or the first weight is kept.
    pub mirrored: usize,
    /// How repeats were merged.
    pub merged: Merged,
}

impl EdgeList {
    /// Builds the undirected simple graph, adding the weights of repeated edges. Also returns what was removed.
    ///
    /// # Panics
    ///
    /// If an id is not below `node_count`, or if there are fewer weights than edges.
    #[must_use]
    pub fn build(self) -> (Graph, BuildStats) {
        self.build_with(RepeatedEdges::default(), Direction::default())
    }

    /// [`EdgeList::build`] with the given direction and merging of repeats. Weights that all equal one are removed.
    ///
    /// ```
    /// use hycome::graph::{Direction, EdgeList, RepeatedEdges};
    /// let log = EdgeList { node_count: 3, pairs: vec![(0, 1), (0, 1), (1, 0), (1, 2)], weights: None };
    /// let (graph, _) = log.clone().build_with(RepeatedEdges::Sum, Direction::Unknown);
    /// assert_eq!(graph.weights(1), Some(&[3.0, 1.0][..]));
    /// let (graph, _) = log.build_with(RepeatedEdges::First, Direction::Unknown);
    /// assert!(!graph.is_weighted());
    /// ```
    ///
    /// # Panics
    ///
    /// As [`EdgeList::build`].
    #[must_use]
    pub fn build_with(self, repeated: RepeatedEdges, direction: Direction) -> (Graph, BuildStats) {
        EdgePieces::from(self).build(repeated, direction)
    }
}

/// An [`EdgeList`] in chunks, as produced by parallel readers.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgePieces {
    /// Number of nodes; every id is below it.
    pub node_count: usize,
    /// Chunks of edges; either all or none are weighted.
    pub pieces: Vec<EdgePiece>,
}

/// A chunk of edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgePiece {
    pub pairs: Vec<(NodeId, NodeId)>,
    pub weights: Option<Vec<f32>>,
}

impl From<EdgeList> for EdgePieces {
    fn from(edges: EdgeList) -> Self {
        let piece = EdgePiece { pairs: edges.pairs, weights: edges.weights };
        Self { node_count: edges.node_count, pieces: vec![piece] }
    }
}

/// Partition of the nodes into ranges of equal length, the unit of work of [`fill_rows`].
#[derive(Clone, Copy)]
struct Ranges {
    /// Number of ranges.
    count: usize,
    /// Base-2 logarithm of their length.
    bits: u32,
}

impl Ranges {
    /// About 64 ranges, enough for all threads; offsets within a range have at most 15 bits.
    fn of(node_count: usize) -> Self {
        let bits = node_count.div_ceil(64).next_power_of_two().ilog2().clamp(6, 15);
        Self { count: node_count.div_ceil(1 << bits), bits }
    }

    /// Range of a node, and its offset within the range.
    fn locate(self, node: NodeId) -> (usize, u16) {
        (node as usize >> self.bits, (node & ((1 << self.bits) - 1)) as u16)
    }
}

/// Edges per partitioning task.
const PARTITION_EDGES: usize = 1 << 18;

impl EdgePieces {
    /// Number of edges.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.pairs.len()).sum()
    }

    /// Concatenates the chunks.
    #[cfg(test)]
    pub(crate) fn joined(self) -> EdgeList {
        let weighted = self.pieces.first().is_some_and(|piece| piece.weights.is_some());
        let pairs = self.pieces.iter().flat_map(|piece| piece.pairs.iter().copied()).collect();
        let weights = self.pieces.into_iter().flat_map(|piece| piece.weights.unwrap_or_default()).collect();
        EdgeList { node_count: self.node_count, pairs, weights: weighted.then_some(weights) }
    }

    /// Removes the weights if they all equal one.
    pub(crate) fn drop_equal_weights(&mut self) {
        let ones = |piece: &EdgePiece| piece.weights.as_ref().is_none_or(|all| all.iter().all(|&w| w == 1.0));
        if self.pieces.par_iter().all(ones) {
            self.pieces.iter_mut().for_each(|piece| piece.weights = None);
        }
    }

    /// Builds the undirected simple graph and counts what was removed.
    pub(crate) fn build(mut self, repeated: RepeatedEdges, direction: Direction) -> (Graph, BuildStats) {
        self.drop_equal_weights();
        let node_count = self.node_count;
        let weighted = self.pieces.iter().any(|piece| piece.weights.is_some());
        // The order of rows across directions is preserved only in a single list.
        let sided = direction != Direction::Undirected && !(weighted && repeated == RepeatedEdges::First);
        let ranges = Ranges::of(node_count);
        let (partitions, mut stats) = self.partition(ranges, sided);

        // The first pass assumes that pairs with entries in both directions are listed symmetrically.
        let merge = Merge { repeated, together: !sided };
        let mut rows = Rows::build(&partitions, ranges, node_count, weighted, merge);
        let found = rows.found;
        stats.repeats =
            (partitions.iter().map(|partition| partition.far.len()).sum::<usize>() - rows.targets.len()) / 2;
        stats.mirrored = found.mirrored / 2;
        let one_per_direction = sided && !found.same_direction && !(weighted && found.asymmetric);
        stats.merged = match repeated {
            _ if stats.repeats == 0 => Merged::Nothing,
            _ if one_per_direction => Merged::BothDirections,
            RepeatedEdges::Sum if weighted => Merged::Summed,
            RepeatedEdges::Sum => Merged::Counted,
            RepeatedEdges::Max => Merged::Largest,
            RepeatedEdges::First => Merged::First,
        };
        let together = !sided || found.asymmetric;
        let was_summed_one_sided = stats.merged == Merged::Summed && sided && together && found.mirrored > 0;
        if stats.merged == Merged::Counted || was_summed_one_sided {
            drop(rows);
            rows = Rows::build(&partitions, ranges, node_count, true, Merge { repeated, together });
        }
        drop(partitions);
        let Rows { offsets, targets, weights, .. } = rows;
        let graph =
            Graph { offsets: offsets.into(), targets: targets.into(), weights: weights.map(Into::into) };
        (graph, stats)
    }

    /// Partitions all edges by the ranges of both endpoints.
    fn partition(self, ranges: Ranges, sided: bool) -> (Vec<Partition>, BuildStats) {
        let chunks: Vec<(&EdgePiece, Range<usize>)> = self
            .pieces
            .iter()
            .flat_map(|piece| {
                let count = piece.pairs.len();
                (0..count)
                    .step_by(PARTITION_EDGES)
                    .map(move |from| (piece, from..count.min(from + PARTITION_EDGES)))
            })
            .collect();
        let partitioned: Vec<(Partition, BuildStats)> = chunks
            .into_par_iter()
            .map(|(piece, chunk)| {
                let weights = piece.weights.as_ref().map(|weights| &weights[chunk.clone()]);
                Partition::new(&piece.pairs[chunk], weights, ranges, sided)
            })
            .collect();
        let mut stats = BuildStats::default();
        for (_, removed) in &partitioned {
            stats.self_loops += removed.self_loops;
            stats.zero_weights += removed.zero_weights;
        }
        (partitioned.into_iter().map(|(partition, _)| partition).collect(), stats)
    }
}

/// Entries of a chunk of edges, grouped by range.
struct Partition {
    /// Prefix sum: start of the entries of each range, and the end.
    starts: Vec<usize>,
    /// Twice the offset of the row within its range, plus one if the edge is incoming.
    near: Vec<u16>,
    /// Opposite endpoint.
    far: Vec<NodeId>,
    /// Weights; empty if unweighted.
    weights: Vec<f32>,
}

impl Partition {
    /// Partitions edges; unless `sided`, both endpoints are stored as outgoing.
    fn new(
        pairs: &[(NodeId, NodeId)],
        weights: Option<&[f32]>,
        ranges: Ranges,
        sided: bool,
    ) -> (Self, BuildStats) {
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let is_kept = |i: usize, u: NodeId, v: NodeId| u != v && weight(i) != 0.0;
        let mut starts = vec![0; ranges.count + 1];
        let mut self_loops = 0;
        for (i, &(u, v)) in pairs.iter().enumerate() {
            self_loops += usize::from(u == v);
            let kept = usize::from(is_kept(i, u, v));
            starts[ranges.locate(u).0 + 1] += kept;
            starts[ranges.locate(v).0 + 1] += kept;
        }
        for range in 0..ranges.count {
            starts[range + 1] += starts[range];
        }
        let entries = starts[ranges.count];
        let mut next = starts.clone();
        let mut near = vec![0; entries];
        let mut far = vec![0; entries];
        let mut entry_weights = vec![0.0; if weights.is_some() { entries } else { 0 }];
        for (i, &(u, v)) in pairs.iter().enumerate() {
            if !is_kept(i, u, v) {
                continue;
            }
            for (from, to, side) in [(u, v, 0), (v, u, u16::from(sided))] {
                let (range, in_range) = ranges.locate(from);
                let place = next[range];
                next[range] += 1;
                (near[place], far[place]) = (2 * in_range + side, to);
                if weights.is_some() {
                    entry_weights[place] = weight(i);
                }
            }
        }
        let zero_weights = pairs.len() - self_loops - entries / 2;
        let stats = BuildStats { self_loops, zero_weights, ..BuildStats::default() };
        (Self { starts, near, far, weights: entry_weights }, stats)
    }

    /// Entries of a range.
    fn of(&self, range: usize) -> Range<usize> {
        self.starts[range]..self.starts[range + 1]
    }
}

/// Splits a slice into consecutive parts of the given sizes.
fn split<'a, T>(mut rest: &'a mut [T], sizes: &[usize]) -> Vec<&'a mut [T]> {
    let cut = |&size: &usize| {
        let (part, after) = std::mem::take(&mut rest).split_at_mut(size);
        rest = after;
        part
    };
    sizes.iter().map(cut).collect()
}

/// CSR rows of a graph.
struct Rows {
    offsets: Vec<usize>,
    targets: Vec<NodeId>,
    weights: Option<Vec<f32>>,
    found: Found,
}

impl Rows {
    fn build(
        partitions: &[Partition],
        ranges: Ranges,
        node_count: usize,
        weighted: bool,
        merge: Merge,
    ) -> Self {
        let entries = |range| partitions.iter().map(|partition| partition.of(range).len()).sum::<usize>();
        let sizes: Vec<usize> = (0..ranges.count).map(entries).collect();
        let total: usize = sizes.iter().sum();
        let mut offsets = vec![0; node_count + 1];
        let mut targets = vec![0; total];
        let mut weights = weighted.then(|| vec![0.0; total]);

        // Each range writes to its own part of every array; `offsets` first holds the row lengths.
        let lengths = offsets[1..].chunks_mut(1 << ranges.bits);
        let parts = split(&mut targets, &sizes);
        let weight_parts = weights.as_mut().map_or_else(Vec::new, |weights| split(weights, &sizes));
        let mut weight_parts = weight_parts.into_iter();
        let parts = lengths.zip(parts).map(|(lengths, targets)| (lengths, targets, weight_parts.next()));
        let parts: Vec<_> = parts.enumerate().collect();
        let filled: Vec<(usize, Found)> = parts
            .into_par_iter()
            .map(|(range, (lengths, targets, weights))| {
                fill_rows(partitions, range, lengths, targets, weights, merge)
            })
            .collect();
        let kept: Vec<usize> = filled.iter().map(|(kept, _)| *kept).collect();
        let found = filled.iter().fold(Found::default(), |all, (_, found)| all.and(*found));

        compact(&mut targets, &sizes, &kept);
        if let Some(weights) = &mut weights {
            compact(weights, &sizes, &kept);
        }
        for node in 0..node_count {
            offsets[node + 1] += offsets[node];
        }
        Self { offsets, targets, weights, found }
    }
}

/// Fills the rows of a range, compacted at the front of its part. Returns the number of entries and the repeats found.
fn fill_rows(
    partitions: &[Partition],
    range: usize,
    lengths: &mut [usize],
    targets: &mut [NodeId],
    mut weights: Option<&mut [f32]>,
    merge: Merge,
) -> (usize, Found) {
    // Two lists per node, outgoing and incoming: first the lengths, then the write positions, finally the ends.
    let mut next = vec![0usize; 2 * lengths.len()];
    for partition in partitions {
        partition.near[partition.of(range)].iter().for_each(|&list| next[list as usize] += 1);
    }
    let mut end = 0;
    for place in &mut next {
        end += std::mem::replace(place, end);
    }
    for partition in partitions {
        for entry in partition.of(range) {
            let place = &mut next[partition.near[entry] as usize];
            targets[*place] = partition.far[entry];
            if let Some(weights) = &mut weights {
                weights[*place] = partition.weights.get(entry).copied().unwrap_or(1.0);
            }
            *place += 1;
        }
    }
    let mut scratch = Scratch::default();
    let mut found = Found::default();
    let (mut start, mut kept) = (0, 0);
    for (length, ends) in lengths.iter_mut().zip(next.chunks_exact(2)) {
        let (out, list) = (ends[0] - start, start..ends[1]);
        let part = &mut targets[list.clone()];
        *length = match &mut weights {
            None => merge_unweighted(part, out, &mut scratch, &mut found),
            Some(weights) => {
                merge_weighted(part, &mut weights[list.clone()], out, merge, &mut scratch, &mut found)
            }
        };
        if list.start != kept {
            targets.copy_within(list.start..list.start + *length, kept);
            if let Some(weights) = &mut weights {
                weights.copy_within(list.start..list.start + *length, kept);
            }
        }
        kept += *length;
        start = list.end;
    }
    (kept, found)
}

/// Removes the gaps between the parts.
fn compact<T: Copy>(whole: &mut Vec<T>, sizes: &[usize], kept: &[usize]) {
    let (mut start, mut end) = (0, 0);
    for (&size, &kept) in sizes.iter().zip(kept) {
        if start != end {
            whole.copy_within(start..start + kept, end);
        }
        start += size;
        end += kept;
    }
    whole.truncate(end);
    whole.shrink_to_fit();
}

#[cfg(test)]
#[path = "build_tests.rs"]
mod tests;
