//! Validation of CSR rows from a file; returns a graph or the first error.
//!
//! The invariants of a [`Graph`]: adjacency lists are sorted and distinct, there are no self loops, and every edge is
//! in the lists of both its endpoints, with the same positive weight. [`EdgeList::build`](super::EdgeList) establishes
//! them; [`Graph::from_rows`] verifies them in one parallel pass with sequential access.
//!
//! All but symmetry is checked per list. Symmetry is checked by a sum of hashes: the hash of the edge u < v and its
//! weight is added at u and subtracted at v, so the sum is zero if every edge is stored twice. The hash is a
//! bijection, so a single wrong entry never yields zero, and many wrong entries do with probability 2⁻⁶⁴. A binary
//! search for each reverse edge would cost a cache miss per edge, ten times as slow. *Crafted* lists with a zero sum
//! give a graph with some one-way edges: wrong scores, but no out-of-bounds access.

use rayon::prelude::*;

use super::{Buffer, Graph, NodeId};

/// Violated invariant of CSR rows: what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowError {
    pub expected: &'static str,
    pub found: String,
}

/// Nodes per validation task.
const CHUNK_NODES: usize = 1 << 12;

impl Graph {
    /// Validates CSR rows and creates the graph: the neighbours of node `i` are `targets[offsets[i]..offsets[i + 1]]`.
    pub(crate) fn from_rows(
        offsets: Buffer<usize>,
        targets: Buffer<NodeId>,
        weights: Option<Buffer<f32>>,
    ) -> Result<Self, RowError> {
        check_offsets(&offsets, targets.len())?;
        if let Some(weights) = &weights
            && weights.len() != targets.len()
        {
            let found = format!("{} for {}", weights.len(), targets.len());
            return Err(RowError { expected: "as many weights as targets", found });
        }
        let graph = Self { offsets, targets, weights };
        let starts: Vec<usize> = (0..graph.node_count()).step_by(CHUNK_NODES).collect();
        let sums: Vec<Result<u64, RowError>> = starts
            .into_par_iter()
            .map(|start| graph.check_lists(start, graph.node_count().min(start + CHUNK_NODES)))
            .collect();
        let mut total = 0u64;
        for sum in sums {
            total = total.wrapping_add(sum?);
        }
        if total == 0 { Ok(graph) } else { Err(graph.one_way_edge()) }
    }

    /// Validates the lists of nodes `from..to` and returns the signed sum of their edge hashes.
    fn check_lists(&self, from: usize, to: usize) -> Result<u64, RowError> {
        let (offsets, targets, weights) = (self.offsets(), self.targets(), self.all_weights());
        let mut sum = 0u64;
        for node in from..to {
            let row = offsets[node]..offsets[node + 1];
            let list = &targets[row.clone()];
            let node = node as NodeId;
            check_list(list, node, self.node_count())?;
            sum = sum.wrapping_add(match weights {
                None => sum_of(list.iter().map(|&other| signed(node, other, mix(pair(node, other))))),
                Some(weights) => {
                    let weights = &weights[row];
                    if let Some(weight) =
                        weights.iter().find(|weight| !(weight.is_finite() && **weight > 0.0))
                    {
                        let found = format!("{weight} in the list of node {node}");
                        return Err(RowError { expected: "weights above 0", found });
                    }
                    sum_of(list.iter().zip(weights).map(|(&other, weight)| {
                        signed(node, other, mix(mix(pair(node, other)) ^ u64::from(weight.to_bits())))
                    }))
                }
            });
        }
        Ok(sum)
    }

    /// Finds the first edge whose reverse is missing or has a different weight.
    fn one_way_edge(&self) -> RowError {
        let weight = |node, place: usize| self.weights(node).map_or(1.0, |weights| weights[place]);
        for node in self.nodes() {
            for (place, &other) in self.neighbors(node).iter().enumerate() {
                let mirrored = self.neighbors(other).binary_search(&node);
                if mirrored.is_ok_and(|at| weight(other, at) == weight(node, place)) {
                    continue;
                }
                let found = format!("one from node {node} to {other} whose reverse differs");
                return RowError { expected: "every edge in the lists of both its nodes", found };
            }
        }
        unreachable!("the sum is zero if every edge has its reverse")
    }
}

/// Checks that offsets start at zero, are non-decreasing and end at the number of targets.
fn check_offsets(offsets: &[usize], entries: usize) -> Result<(), RowError> {
    let expected = "offsets that rise from 0 to the number of targets";
    let ends = offsets.first().zip(offsets.last());
    if ends != Some((&0, &entries)) {
        let found = ends.map_or("none".to_owned(), |(first, last)| format!("{first} to {last} of {entries}"));
        return Err(RowError { expected, found });
    }
    if let Some(node) = offsets.windows(2).position(|pair| pair[1] < pair[0]) {
        return Err(RowError { expected, found: format!("fewer after node {node} than before it") });
    }
    if NodeId::try_from(offsets.len() - 1).is_err() {
        let found = (offsets.len() - 1).to_string();
        return Err(RowError { expected: "fewer than 2³² nodes", found });
    }
    Ok(())
}

/// Checks the adjacency list of `node`.
fn check_list(list: &[NodeId], node: NodeId, node_count: usize) -> Result<(), RowError> {
    // No early return: branch-free loops are vectorized.
    let unsorted = list.windows(2).fold(0u32, |count, pair| count + u32::from(pair[0] >= pair[1]));
    let own = list.iter().fold(0u32, |count, &other| count + u32::from(other == node));
    if unsorted > 0 {
        let found = format!("others in the list of node {node}");
        return Err(RowError { expected: "neighbours that are sorted and distinct", found });
    }
    if let Some(&last) = list.last()
        && last as usize >= node_count
    {
        let found = format!("neighbour {last} of node {node}, but {node_count} nodes");
        return Err(RowError { expected: "neighbours that are nodes of the graph", found });
    }
    if own > 0 {
        return Err(RowError {
            expected: "no node that is its own neighbour",
            found: format!("node {node}"),
        });
    }
    Ok(())
}

/// Key of an undirected pair.
fn pair(one: NodeId, other: NodeId) -> u64 {
    u64::from(one.min(other)) << 32 | u64::from(one.max(other))
}

/// `number` if `other > node`, else its negation.
fn signed(node: NodeId, other: NodeId, number: u64) -> u64 {
    let below = u64::from(other < node).wrapping_neg(); // all bits or none
    (number ^ below).wrapping_sub(below)
}

fn sum_of(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::wrapping_add)
}

/// Bijective 64-bit hash: xorshift, multiplication by an odd constant, xorshift.
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value ^ value >> 32
}

#[cfg(test)]
mod tests {
    use super::super::EdgeList;
    use super::*;
    use proptest::prelude::*;

    type Rows = (Vec<usize>, Vec<NodeId>, Option<Vec<f32>>);

    fn rows(graph: &Graph) -> Rows {
        let weights = graph.all_weights().map(<[f32]>::to_vec);
        (graph.offsets().to_vec(), graph.targets().to_vec(), weights)
    }

    fn check((offsets, targets, weights): Rows) -> Result<Graph, RowError> {
        Graph::from_rows(offsets.into(), targets.into(), weights.map(Into::into))
    }

    fn graphs() -> impl Strategy<Value = Graph> {
        let edges = prop::collection::vec((0u32..25, 0u32..25, 1u8..4), 1..60);
        (edges, any::<bool>()).prop_map(|(edges, weighted)| {
            let pairs = edges.iter().map(|&(u, v, _)| (u, v)).collect();
            let weights = weighted.then(|| edges.iter().map(|edge| f32::from(edge.2)).collect());
            EdgeList { node_count: 25, pairs, weights }.build().0
        })
    }

    proptest! {
        #[test]
        fn rows_of_a_graph_round_trip(graph in graphs()) {
            prop_assert_eq!(check(rows(&graph)), Ok(graph));
        }

        #[test]
        fn any_changed_number_is_detected(graph in graphs(), place in any::<prop::sample::Index>(), change in 1u32..) {
            prop_assume!(graph.edge_count() > 0);
            let mut changed = rows(&graph);
            let at = place.index(changed.1.len());
            changed.1[at] ^= change;
            prop_assert!(check(changed).is_err());

            let mut changed = rows(&graph);
            let row = place.index(changed.0.len());
            changed.0[row] ^= change as usize;
            prop_assert!(check(changed).is_err());

            let mut changed = rows(&graph);
            if let Some(weights) = &mut changed.2 {
                weights[at] = f32::from_bits(weights[at].to_bits() ^ change);
                prop_assert!(check(changed).is_err());
            }
        }

        #[test]
        fn arbitrary_rows_are_accepted_or_rejected_without_panic(
            offsets in prop::collection::vec(0usize..8, 0..6),
            targets in prop::collection::vec(0u32..6, 0..8),
        ) {
            if let Ok(graph) = check((offsets, targets, None)) {
                let again = EdgeList {
                    node_count: graph.node_count(),
                    pairs: graph.nodes().flat_map(|u| graph.neighbors(u).iter().map(move |&v| (u, v))).collect(),
                    weights: None,
                };
                prop_assert_eq!(again.build().0, graph);
            }
        }
    }

    #[test]
    fn each_violation_is_reported() {
        let found = |offsets: &[usize], targets: &[NodeId]| {
            let error = check((offsets.to_vec(), targets.to_vec(), None)).unwrap_err();
            format!("{}, found {}", error.expected, error.found)
        };
        assert_eq!(found(&[], &[]), "offsets that rise from 0 to the number of targets, found none");
        assert_eq!(
            found(&[0, 3], &[]),
            "offsets that rise from 0 to the number of targets, found 0 to 3 of 0"
        );
        assert_eq!(
            found(&[0, 2, 1, 2], &[1, 0]),
            "offsets that rise from 0 to the number of targets, found fewer after node 1 than before it"
        );
        assert_eq!(
            found(&[0, 1, 2], &[7, 0]),
            "neighbours that are nodes of the graph, found neighbour 7 of node 0, but 2 nodes"
        );
        assert_eq!(
            found(&[0, 2, 3], &[1, 1, 0]),
            "neighbours that are sorted and distinct, found others in the list of node 0"
        );
        assert_eq!(found(&[0, 1, 2], &[0, 1]), "no node that is its own neighbour, found node 0");
        assert_eq!(
            found(&[0, 1, 2, 2], &[2, 0]),
            "every edge in the lists of both its nodes, found one from node 0 to 2 whose reverse differs"
        );
    }
}
