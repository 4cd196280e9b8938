//! Raw edges in, a clean graph out: symmetric, sorted, without self loops or repeats.
//!
//! Nodes are cut into [`Ranges`], small enough for the lists of a range to fit into a near cache. Each piece
//! of the raw edges is *dealt*: both ends of every edge go, with the other end, to the range they are in. Then each
//! range is *laid out* by itself: count its degrees, put every entry at the next free place of its list, sort the
//! lists, merge repeats. Last, the ranges are moved together. Pieces and ranges go in parallel, and almost every
//! access is to memory that is near; placing entries straight into the whole took three times as long on one thread,
//! since it waits for a far place at each of them.
//!
//! An entry remembers which end of its row it is, so that a list falls into the edges away from the node and those
//! back to it: only so can an edge that is listed once per direction be told from one that is repeated. How repeats
//! are merged may depend on all rows (see [`RepeatedEdges`]); in the rare case that the first layout had to guess
//! wrong, the ranges are laid out a second time.
//!
//! A dealt entry takes 6 bytes (10 with a weight) of which there are two for an edge, a laid out one 4 (8). So the peak
//! is 20 bytes for an edge, or 36 with weights, the raw edges gone before the lists are made. No step depends on
//! the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::lists::{Found, Merge, Scratch, merge_unweighted, merge_weighted};
use super::repeats::{Direction, Merged, RepeatedEdges};
use super::{Graph, NodeId};

/// Edges as they were read: any order, any direction, loops and repeats included.
#[derive(Clone, Debug, Default)]
pub struct EdgeList {
    /// Number of nodes; every id in `pairs` is below it.
    pub node_count: usize,
    /// The edges.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Their weights in the same order, finite and not negative; `None` if every edge weighs one.
    pub weights: Option<Vec<f32>>,
}

/// What [`EdgeList::build`] left out or merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaning {
    /// Edges from a node to itself, dropped.
    pub self_loops: usize,
    /// Rows that named a pair again, in either direction.
    pub repeats: usize,
    /// Edges of weight zero between two nodes, dropped: no weight, no edge.
    pub zero_weights: usize,
    /// Edges that were listed in both directions; not counted in input that is declared undirected, nor where the
    /// first weight is kept.
    pub mirrored: usize,
    /// What was done with the repeats.
    pub merged: Merged,
}

impl EdgeList {
    /// The undirected simple graph of these edges, and what was left out; weights of repeated edges are added.
    ///
    /// # Panics
    ///
    /// If an id is not below `node_count`, or if there are fewer weights than edges.
    #[must_use]
    pub fn build(self) -> (Graph, Cleaning) {
        self.build_with(RepeatedEdges::default(), Direction::default())
    }

    /// [`EdgeList::build`] for edges of this direction, with repeats combined this way. Weights that are all one are
    /// no weights.
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
    pub fn build_with(self, repeated: RepeatedEdges, direction: Direction) -> (Graph, Cleaning) {
        EdgePieces::from(self).build(repeated, direction)
    }
}

/// An [`EdgeList`] in several parts, as parallel readers leave it.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgePieces {
    /// Number of nodes; every id is below it.
    pub node_count: usize,
    /// The edges; all pieces have weights or none has.
    pub pieces: Vec<EdgePiece>,
}

/// Some of the edges.
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

/// Nodes in ranges of one length, whose lists are laid out together.
#[derive(Clone, Copy)]
struct Ranges {
    /// Number of ranges.
    count: usize,
    /// Their length is two to this power.
    bits: u32,
}

impl Ranges {
    /// About 64 ranges, so that all threads have work; but in a range a node's place has at most 15 bits.
    fn of(node_count: usize) -> Self {
        let bits = node_count.div_ceil(64).next_power_of_two().ilog2().clamp(6, 15);
        Self { count: node_count.div_ceil(1 << bits), bits }
    }

    /// The range of a node, and its place there.
    fn place(self, node: NodeId) -> (usize, u16) {
        (node as usize >> self.bits, (node & ((1 << self.bits) - 1)) as u16)
    }
}

/// Edges that are dealt at once.
const DEAL: usize = 1 << 18;

impl EdgePieces {
    /// Number of edges.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.pairs.len()).sum()
    }

    /// The edges in one list.
    #[cfg(test)]
    pub fn joined(self) -> EdgeList {
        let weighted = self.pieces.first().is_some_and(|piece| piece.weights.is_some());
        let pairs = self.pieces.iter().flat_map(|piece| piece.pairs.iter().copied()).collect();
        let weights = self.pieces.into_iter().flat_map(|piece| piece.weights.unwrap_or_default()).collect();
        EdgeList { node_count: self.node_count, pairs, weights: weighted.then_some(weights) }
    }

    /// Forgets the weights if every edge weighs one.
    pub fn drop_equal_weights(&mut self) {
        let ones = |piece: &EdgePiece| piece.weights.as_ref().is_none_or(|all| all.iter().all(|&w| w == 1.0));
        if self.pieces.par_iter().all(ones) {
            self.pieces.iter_mut().for_each(|piece| piece.weights = None);
        }
    }

    /// The undirected simple graph of these edges, and what was left out.
    pub fn build(mut self, repeated: RepeatedEdges, direction: Direction) -> (Graph, Cleaning) {
        self.drop_equal_weights();
        let node_count = self.node_count;
        let weighted = self.pieces.iter().any(|piece| piece.weights.is_some());
        // The first of all rows is known only while both directions are one list.
        let sided = direction != Direction::Undirected && !(weighted && repeated == RepeatedEdges::First);
        let ranges = Ranges::of(node_count);
        let (deals, mut cleaning) = self.deal(ranges, sided);

        // At first a list that has entries of both directions is taken for a symmetric listing.
        let merge = Merge { repeated, together: !sided };
        let mut lists = Lists::lay_out(&deals, ranges, node_count, weighted, merge);
        let found = lists.found;
        cleaning.repeats = (deals.iter().map(|deal| deal.far.len()).sum::<usize>() - lists.targets.len()) / 2;
        cleaning.mirrored = found.mirrored / 2;
        let one_per_direction = sided && !found.same_direction && !(weighted && found.asymmetric);
        cleaning.merged = match repeated {
            _ if cleaning.repeats == 0 => Merged::Nothing,
            _ if one_per_direction => Merged::BothDirections,
            RepeatedEdges::Sum if weighted => Merged::Summed,
            RepeatedEdges::Sum => Merged::Counted,
            RepeatedEdges::Max => Merged::Largest,
            RepeatedEdges::First => Merged::First,
        };
        let together = !sided || found.asymmetric;
        let was_summed_one_sided =
            cleaning.merged == Merged::Summed && sided && together && found.mirrored > 0;
        if cleaning.merged == Merged::Counted || was_summed_one_sided {
            drop(lists);
            lists = Lists::lay_out(&deals, ranges, node_count, true, Merge { repeated, together });
        }
        drop(deals);
        let Lists { offsets, targets, weights, .. } = lists;
        let graph =
            Graph { offsets: offsets.into(), targets: targets.into(), weights: weights.map(Into::into) };
        (graph, cleaning)
    }

    /// Deals all edges to the ranges of both their ends.
    fn deal(self, ranges: Ranges, sided: bool) -> (Vec<Deal>, Cleaning) {
        let chunks: Vec<(&EdgePiece, Range<usize>)> = self
            .pieces
            .iter()
            .flat_map(|piece| {
                let count = piece.pairs.len();
                (0..count).step_by(DEAL).map(move |from| (piece, from..count.min(from + DEAL)))
            })
            .collect();
        let dealt: Vec<(Deal, Cleaning)> = chunks
            .into_par_iter()
            .map(|(piece, chunk)| {
                let weights = piece.weights.as_ref().map(|weights| &weights[chunk.clone()]);
                Deal::new(&piece.pairs[chunk], weights, ranges, sided)
            })
            .collect();
        let mut cleaning = Cleaning::default();
        for (_, left_out) in &dealt {
            cleaning.self_loops += left_out.self_loops;
            cleaning.zero_weights += left_out.zero_weights;
        }
        (dealt.into_iter().map(|(deal, _)| deal).collect(), cleaning)
    }
}

/// Ends of some edges, ordered by the range they are in.
struct Deal {
    /// Where the entries of each range start; one more for the end.
    starts: Vec<usize>,
    /// Twice the end, counted from the start of its range; one more if the edge leads to it.
    near: Vec<u16>,
    /// The other end.
    far: Vec<NodeId>,
    /// The weight; empty if there are none.
    weights: Vec<f32>,
}

impl Deal {
    /// Deals edges; unless `sided`, all of them count as leading away from both ends.
    fn new(
        pairs: &[(NodeId, NodeId)],
        weights: Option<&[f32]>,
        ranges: Ranges,
        sided: bool,
    ) -> (Self, Cleaning) {
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let is_kept = |i: usize, u: NodeId, v: NodeId| u != v && weight(i) != 0.0;
        let mut starts = vec![0; ranges.count + 1];
        let mut self_loops = 0;
        for (i, &(u, v)) in pairs.iter().enumerate() {
            self_loops += usize::from(u == v);
            let kept = usize::from(is_kept(i, u, v));
            starts[ranges.place(u).0 + 1] += kept;
            starts[ranges.place(v).0 + 1] += kept;
        }
        for range in 0..ranges.count {
            starts[range + 1] += starts[range];
        }
        let entries = starts[ranges.count];
        let mut next = starts.clone();
        let mut near = vec![0; entries];
        let mut far = vec![0; entries];
        let mut of_entries = vec![0.0; if weights.is_some() { entries } else { 0 }];
        for (i, &(u, v)) in pairs.iter().enumerate() {
            if !is_kept(i, u, v) {
                continue;
            }
            for (from, to, side) in [(u, v, 0), (v, u, u16::from(sided))] {
                let (range, in_range) = ranges.place(from);
                let place = next[range];
                next[range] += 1;
                (near[place], far[place]) = (2 * in_range + side, to);
                if weights.is_some() {
                    of_entries[place] = weight(i);
                }
            }
        }
        let zero_weights = pairs.len() - self_loops - entries / 2;
        let cleaning = Cleaning { self_loops, zero_weights, ..Cleaning::default() };
        (Self { starts, near, far, weights: of_entries }, cleaning)
    }

    /// The entries of a range.
    fn of(&self, range: usize) -> Range<usize> {
        self.starts[range]..self.starts[range + 1]
    }
}

/// Cuts an array into parts of these sizes.
fn split<'a, T>(mut rest: &'a mut [T], sizes: &[usize]) -> Vec<&'a mut [T]> {
    let cut = |&size: &usize| {
        let (part, after) = std::mem::take(&mut rest).split_at_mut(size);
        rest = after;
        part
    };
    sizes.iter().map(cut).collect()
}

/// The rows of a graph.
struct Lists {
    offsets: Vec<usize>,
    targets: Vec<NodeId>,
    weights: Option<Vec<f32>>,
    found: Found,
}

impl Lists {
    fn lay_out(deals: &[Deal], ranges: Ranges, node_count: usize, weighted: bool, merge: Merge) -> Self {
        let entries = |range| deals.iter().map(|deal| deal.of(range).len()).sum::<usize>();
        let sizes: Vec<usize> = (0..ranges.count).map(entries).collect();
        let total: usize = sizes.iter().sum();
        let mut offsets = vec![0; node_count + 1];
        let mut targets = vec![0; total];
        let mut weights = weighted.then(|| vec![0.0; total]);

        // Each range has its part of every array; `offsets` receives the lengths of the lists first.
        let lengths = offsets[1..].chunks_mut(1 << ranges.bits);
        let parts = split(&mut targets, &sizes);
        let weight_parts = weights.as_mut().map_or_else(Vec::new, |weights| split(weights, &sizes));
        let mut weight_parts = weight_parts.into_iter();
        let parts = lengths.zip(parts).map(|(lengths, targets)| (lengths, targets, weight_parts.next()));
        let parts: Vec<_> = parts.enumerate().collect();
        let laid: Vec<(usize, Found)> = parts
            .into_par_iter()
            .map(|(range, (lengths, targets, weights))| {
                lay_out(deals, range, lengths, targets, weights, merge)
            })
            .collect();
        let kept: Vec<usize> = laid.iter().map(|(kept, _)| *kept).collect();
        let found = laid.iter().fold(Found::default(), |all, (_, found)| all.and(*found));

        move_together(&mut targets, &sizes, &kept);
        if let Some(weights) = &mut weights {
            move_together(weights, &sizes, &kept);
        }
        for node in 0..node_count {
            offsets[node + 1] += offsets[node];
        }
        Self { offsets, targets, weights, found }
    }
}

/// Makes the lists of a range at the front of its part. Returns how many entries are left, and what was found.
fn lay_out(
    deals: &[Deal],
    range: usize,
    lengths: &mut [usize],
    targets: &mut [NodeId],
    mut weights: Option<&mut [f32]>,
    merge: Merge,
) -> (usize, Found) {
    // Of each node two lists, away and back; then where the next entry goes; in the end, where the list ends.
    let mut next = vec![0usize; 2 * lengths.len()];
    for deal in deals {
        deal.near[deal.of(range)].iter().for_each(|&list| next[list as usize] += 1);
    }
    let mut end = 0;
    for place in &mut next {
        end += std::mem::replace(place, end);
    }
    for deal in deals {
        for entry in deal.of(range) {
            let place = &mut next[deal.near[entry] as usize];
            targets[*place] = deal.far[entry];
            if let Some(weights) = &mut weights {
                weights[*place] = deal.weights.get(entry).copied().unwrap_or(1.0);
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

/// Closes the gaps behind what is kept of each part.
fn move_together<T: Copy>(whole: &mut Vec<T>, sizes: &[usize], kept: &[usize]) {
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
