//! Raw edges in, a clean graph out: symmetric, sorted, without self loops or repeats.
//!
//! The neighbour lists are laid out by counting: once over the edges to know each node's degree, once more
//! to put both ends of every edge in place. Then each list is sorted and its repeats removed, lists in
//! parallel, and the lists are moved together. Beyond the raw edges this needs the final arrays only, in
//! the size they have before repeats are removed. No step depends on the number of threads.

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

/// Below this many entries a group of lists is sorted by one thread.
const SORT_ALONE: usize = 1 << 14;

impl EdgeList {
    /// The undirected simple graph of these edges, and what was left out.
    ///
    /// # Panics
    ///
    /// If an id is not below `node_count`, or if there are fewer weights than edges.
    #[must_use]
    pub fn build(self) -> (Graph, Cleaning) {
        let (starts, mut cleaning) = self.count();
        let (mut targets, mut weights) = self.place(&starts);
        drop(self);

        let mut lengths = vec![0; starts.len() - 1];
        sort_lists(&starts, &mut lengths, &mut targets, weights.as_deref_mut());
        let entries = targets.len();
        let offsets = move_together(&starts, &lengths, &mut targets, weights.as_mut());
        cleaning.repeats = (entries - targets.len()) / 2;
        (Graph { offsets, targets, weights }, cleaning)
    }

    /// The edges that stay, with their weights.
    fn kept(&self) -> impl Iterator<Item = (NodeId, NodeId, f32)> {
        let weight = |i| self.weights.as_ref().map_or(1.0, |weights: &Vec<f32>| weights[i]);
        let edges = self.pairs.iter().enumerate().map(move |(i, &(u, v))| (u, v, weight(i)));
        edges.filter(|&(u, v, weight)| u != v && weight != 0.0)
    }

    /// Where each node's list starts, and how many edges have no place in any.
    fn count(&self) -> (Vec<usize>, Cleaning) {
        let mut starts = vec![0; self.node_count + 1];
        for (u, v, _) in self.kept() {
            starts[u as usize + 1] += 1;
            starts[v as usize + 1] += 1;
        }
        for node in 0..self.node_count {
            starts[node + 1] += starts[node];
        }
        let self_loops = self.pairs.iter().filter(|(u, v)| u == v).count();
        let zero_weights = self.pairs.len() - self_loops - starts[self.node_count] / 2;
        (starts, Cleaning { self_loops, zero_weights, repeats: 0 })
    }

    /// Both ends of every edge at the next free place of the other end's list.
    fn place(&self, starts: &[usize]) -> (Vec<NodeId>, Option<Vec<f32>>) {
        let entries = starts[self.node_count];
        let mut next = starts.to_vec();
        let mut targets = vec![0; entries];
        let mut weights = self.weights.as_ref().map(|_| vec![0.0; entries]);
        for (u, v, weight) in self.kept() {
            for (from, to) in [(u, v), (v, u)] {
                let place = next[from as usize];
                next[from as usize] += 1;
                targets[place] = to;
                if let Some(weights) = &mut weights {
                    weights[place] = weight;
                }
            }
        }
        (targets, weights)
    }
}

/// Sorts every list and removes its repeats; `lengths` receives what is left of each.
///
/// `starts` are positions in the whole; `targets` begins at `starts[0]`. Halves are sorted in parallel.
fn sort_lists(
    starts: &[usize],
    lengths: &mut [usize],
    targets: &mut [NodeId],
    mut weights: Option<&mut [f32]>,
) {
    if lengths.len() > 1 && targets.len() > SORT_ALONE {
        let middle = lengths.len() / 2;
        let cut = starts[middle] - starts[0];
        let (left_lengths, right_lengths) = lengths.split_at_mut(middle);
        let (left, right) = targets.split_at_mut(cut);
        let (left_weights, right_weights) = weights.map(|weights| weights.split_at_mut(cut)).unzip();
        rayon::join(
            || sort_lists(&starts[..=middle], left_lengths, left, left_weights),
            || sort_lists(&starts[middle..], right_lengths, right, right_weights),
        );
        return;
    }
    let mut scratch = Vec::new();
    for (node, length) in lengths.iter_mut().enumerate() {
        let list = starts[node] - starts[0]..starts[node + 1] - starts[0];
        *length = match &mut weights {
            None => sort_unweighted(&mut targets[list]),
            Some(weights) => sort_weighted(&mut targets[list.clone()], &mut weights[list], &mut scratch),
        };
    }
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

/// Closes the gaps that repeats left between the lists and returns where each list now starts.
fn move_together(
    starts: &[usize],
    lengths: &[usize],
    targets: &mut Vec<NodeId>,
    mut weights: Option<&mut Vec<f32>>,
) -> Vec<usize> {
    let mut offsets = Vec::with_capacity(starts.len());
    let mut end = 0;
    offsets.push(end);
    for (&start, &length) in starts.iter().zip(lengths) {
        if start != end {
            targets.copy_within(start..start + length, end);
            if let Some(weights) = &mut weights {
                weights.copy_within(start..start + length, end);
            }
        }
        end += length;
        offsets.push(end);
    }
    targets.truncate(end);
    targets.shrink_to_fit();
    if let Some(weights) = weights {
        weights.truncate(end);
        weights.shrink_to_fit();
    }
    offsets
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
    fn lists_too_long_for_one_thread_are_sorted_all_the_same() {
        let count = 3 * SORT_ALONE as NodeId;
        let pairs: Vec<_> = (0..count).map(|i| (i % 1009, i.wrapping_mul(2_654_435_761) % 1009)).collect();
        let weights = Some(pairs.iter().map(|&(u, v)| (u * v % 7) as f32).collect());
        let edges = EdgeList { node_count: 1009, pairs, weights };
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
