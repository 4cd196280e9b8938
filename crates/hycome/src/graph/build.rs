//! Raw edges in, a clean graph out: symmetric, sorted, without self loops or repeats.
//!
//! Nodes are cut into [`Ranges`], small enough for the lists of a range to fit into a near cache. Each piece
//! of the raw edges is *dealt*: both ends of every edge go, with the other end, to the range they are in. Then each
//! range is *laid out* by itself: count its degrees, put every entry at the next free place of its list, sort the
//! lists, remove repeats. Last, the ranges are moved together. Pieces and ranges go in parallel, and almost every
//! access is to memory that is near; placing entries straight into the whole took three times as long on one thread,
//! since it waits for a far place at each of them.
//!
//! A dealt entry takes 6 bytes (10 with a weight) of which there are two for an edge, a laid out one 4 (8). So the peak
//! is 20 bytes for an edge, or 36 with weights, the raw edges gone before the lists are made. No step depends on
//! the number of threads.

use std::ops::Range;

use rayon::prelude::*;

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

/// What [`EdgeList::build`] left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaning {
    /// Edges from a node to itself, dropped.
    pub self_loops: usize,
    /// Edges that named a pair again, in either direction; the largest weight was kept.
    pub repeats: usize,
    /// Edges of weight zero between two nodes, dropped: no weight, no edge.
    pub zero_weights: usize,
}

impl EdgeList {
    /// The undirected simple graph of these edges, and what was left out.
    ///
    /// # Panics
    ///
    /// If an id is not below `node_count`, or if there are fewer weights than edges.
    #[must_use]
    pub fn build(self) -> (Graph, Cleaning) {
        EdgePieces::from(self).build()
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
    /// About 64 ranges, so that all threads have work; but in a range a node's place has at most 16 bits.
    fn of(node_count: usize) -> Self {
        let bits = node_count.div_ceil(64).next_power_of_two().ilog2().clamp(6, 16);
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
    pub fn build(self) -> (Graph, Cleaning) {
        let node_count = self.node_count;
        let weighted = self.pieces.iter().any(|piece| piece.weights.is_some());
        let ranges = Ranges::of(node_count);
        let (deals, mut cleaning) = self.deal(ranges);

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
        let kept: Vec<usize> = parts
            .into_par_iter()
            .map(|(range, (lengths, targets, weights))| lay_out(&deals, range, lengths, targets, weights))
            .collect();
        drop(deals);

        move_together(&mut targets, &sizes, &kept);
        if let Some(weights) = &mut weights {
            move_together(weights, &sizes, &kept);
        }
        for node in 0..node_count {
            offsets[node + 1] += offsets[node];
        }
        cleaning.repeats = (total - targets.len()) / 2;
        let graph =
            Graph { offsets: offsets.into(), targets: targets.into(), weights: weights.map(Into::into) };
        (graph, cleaning)
    }

    /// Deals all edges to the ranges of both their ends.
    fn deal(self, ranges: Ranges) -> (Vec<Deal>, Cleaning) {
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
                Deal::new(&piece.pairs[chunk], weights, ranges)
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
    /// The end, counted from the start of its range.
    near: Vec<u16>,
    /// The other end.
    far: Vec<NodeId>,
    /// The weight; empty if there are none.
    weights: Vec<f32>,
}

impl Deal {
    fn new(pairs: &[(NodeId, NodeId)], weights: Option<&[f32]>, ranges: Ranges) -> (Self, Cleaning) {
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
            for (from, to) in [(u, v), (v, u)] {
                let (range, in_range) = ranges.place(from);
                let place = next[range];
                next[range] += 1;
                (near[place], far[place]) = (in_range, to);
                if weights.is_some() {
                    of_entries[place] = weight(i);
                }
            }
        }
        let zero_weights = pairs.len() - self_loops - entries / 2;
        let cleaning = Cleaning { self_loops, zero_weights, repeats: 0 };
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

/// Makes the lists of a range: sorted, without repeats, at the front of its part. Returns how many entries are left.
fn lay_out(
    deals: &[Deal],
    range: usize,
    lengths: &mut [usize],
    targets: &mut [NodeId],
    mut weights: Option<&mut [f32]>,
) -> usize {
    for deal in deals {
        deal.near[deal.of(range)].iter().for_each(|&node| lengths[node as usize] += 1);
    }
    // Where the next entry of each list goes; in the end, where the list ends.
    let mut next: Vec<usize> = lengths
        .iter()
        .scan(0, |end, &length| {
            *end += length;
            Some(*end - length)
        })
        .collect();
    for deal in deals {
        for entry in deal.of(range) {
            let place = &mut next[deal.near[entry] as usize];
            targets[*place] = deal.far[entry];
            if let Some(weights) = &mut weights {
                weights[*place] = deal.weights[entry];
            }
            *place += 1;
        }
    }
    let mut scratch = Vec::new();
    let mut kept = 0;
    for (length, &end) in lengths.iter_mut().zip(&next) {
        let list = end - *length..end;
        *length = match &mut weights {
            None => sort_unweighted(&mut targets[list.clone()]),
            Some(weights) => {
                sort_weighted(&mut targets[list.clone()], &mut weights[list.clone()], &mut scratch)
            }
        };
        if list.start != kept {
            targets.copy_within(list.start..list.start + *length, kept);
            if let Some(weights) = &mut weights {
                weights.copy_within(list.start..list.start + *length, kept);
            }
        }
        kept += *length;
    }
    kept
}

/// Sorts a list, moves the distinct entries to its front and returns their number.
fn sort_unweighted(targets: &mut [NodeId]) -> usize {
    targets.sort_unstable();
    let mut length = 0;
    for i in 0..targets.len() {
        if length == 0 || targets[length - 1] != targets[i] {
            targets[length] = targets[i];
            length += 1;
        }
    }
    length
}

/// The same for a list with weights, of which repeats keep the largest.
fn sort_weighted(targets: &mut [NodeId], weights: &mut [f32], scratch: &mut Vec<(NodeId, f32)>) -> usize {
    scratch.clear();
    scratch.extend(targets.iter().copied().zip(weights.iter().copied()));
    scratch.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    scratch.dedup_by_key(|entry| entry.0);
    for (i, &(target, weight)) in scratch.iter().enumerate() {
        (targets[i], weights[i]) = (target, weight);
    }
    scratch.len()
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
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The obvious way: a map from pair to weight.
    fn obvious(edges: &EdgeList) -> (BTreeMap<(NodeId, NodeId), f32>, Cleaning) {
        let mut kept = BTreeMap::new();
        let mut cleaning = Cleaning::default();
        for (i, &(u, v)) in edges.pairs.iter().enumerate() {
            let weight = edges.weights.as_ref().map_or(1.0, |weights| weights[i]);
            if u == v {
                cleaning.self_loops += 1;
            } else if weight == 0.0 {
                cleaning.zero_weights += 1;
            } else if let Some(old) = kept.insert((u.min(v), u.max(v)), weight) {
                cleaning.repeats += 1;
                kept.insert((u.min(v), u.max(v)), weight.max(old));
            }
        }
        (kept, cleaning)
    }

    fn edges_of(graph: &Graph) -> BTreeMap<(NodeId, NodeId), f32> {
        let mut edges = BTreeMap::new();
        for u in graph.nodes() {
            assert!(graph.neighbors(u).is_sorted_by(|a, b| a < b), "sorted and distinct");
            for (i, &v) in graph.neighbors(u).iter().enumerate() {
                let weight = graph.weights(u).map_or(1.0, |weights| weights[i]);
                let mirrored = edges.insert((u.min(v), u.max(v)), weight);
                assert!(mirrored.is_none_or(|other| other == weight), "symmetric");
                assert_eq!(mirrored.is_some(), v < u, "each edge twice");
            }
        }
        edges
    }

    fn edge_lists() -> impl Strategy<Value = EdgeList> {
        (1usize..30, any::<bool>()).prop_flat_map(|(node_count, weighted)| {
            let node = 0..node_count as NodeId;
            prop::collection::vec((node.clone(), node, 0u8..4), 0..80).prop_map(move |edges| EdgeList {
                node_count,
                pairs: edges.iter().map(|&(u, v, _)| (u, v)).collect(),
                weights: weighted.then(|| edges.iter().map(|edge| f32::from(edge.2)).collect()),
            })
        })
    }

    proptest! {
        #[test]
        fn the_graph_is_that_of_the_obvious_way(edges in edge_lists()) {
            let (expected, expected_cleaning) = obvious(&edges);
            let (node_count, weighted) = (edges.node_count, edges.weights.is_some());
            let (graph, cleaning) = edges.build();
            prop_assert_eq!(graph.node_count(), node_count);
            prop_assert_eq!(graph.is_weighted(), weighted);
            prop_assert_eq!(edges_of(&graph), expected);
            prop_assert_eq!(cleaning, expected_cleaning);
        }
    }

    #[test]
    fn many_ranges_and_pieces_make_the_same_graph() {
        let (count, node_count) = (DEAL as NodeId + 1000, 100_000);
        let node = |i: NodeId| i.wrapping_mul(2_654_435_761) / 9 % node_count;
        let pairs: Vec<_> =
            (0..count).map(|i| (node(i % 50_003), node(i.wrapping_mul(i) % 50_003))).collect();
        let weights = Some(pairs.iter().map(|&(u, v)| (u.wrapping_mul(v) % 7) as f32).collect());
        let edges = EdgeList { node_count: node_count as usize, pairs, weights };
        let (expected, expected_cleaning) = obvious(&edges);
        let (graph, cleaning) = edges.build();
        assert_eq!(edges_of(&graph), expected);
        assert_eq!(cleaning, expected_cleaning);
    }

    #[test]
    fn no_nodes_make_an_empty_graph() {
        let (graph, cleaning) = EdgeList::default().build();
        assert_eq!((graph.node_count(), graph.edge_count()), (0, 0));
        assert_eq!(cleaning, Cleaning::default());
    }
}
