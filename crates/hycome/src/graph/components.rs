//! Connected components and induced subgraphs.

use prefetch_index::prefetch_index;
use rayon::prelude::*;

use super::{Graph, NodeId};

/// Sentinel of a node without a component or new id.
const NONE: NodeId = NodeId::MAX;

impl Graph {
    /// Connected components: component id of each node, in order of smallest node.
    #[must_use]
    pub(crate) fn components(&self) -> Vec<u32> {
        let mut component = vec![NONE; self.node_count()];
        let mut count = 0;
        let mut waiting = Vec::new();
        for start in self.nodes() {
            if component[start as usize] != NONE {
                continue;
            }
            component[start as usize] = count;
            waiting.push(start);
            while let Some(node) = waiting.pop() {
                for &neighbor in self.neighbors(node) {
                    if component[neighbor as usize] == NONE {
                        component[neighbor as usize] = count;
                        waiting.push(neighbor);
                    }
                }
            }
            count += 1;
        }
        component
    }

    /// Number of connected components, including isolated nodes.
    #[must_use]
    pub fn component_count(&self) -> usize {
        self.components().into_iter().max().map_or(0, |last| last as usize + 1)
    }

    /// Nodes of the largest component in ascending order; ties are broken by smallest node.
    #[must_use]
    pub fn largest_component(&self) -> Vec<NodeId> {
        let component = self.components();
        let mut sizes = Vec::new();
        for &c in &component {
            if c as usize == sizes.len() {
                sizes.push(0usize);
            }
            sizes[c as usize] += 1;
        }
        let largest = (0..sizes.len()).rev().max_by_key(|&c| sizes[c]).unwrap_or(0);
        self.nodes().filter(|&node| component[node as usize] as usize == largest).collect()
    }

    /// Subgraph induced by `nodes`, which are renumbered in the given order.
    ///
    /// # Panics
    ///
    /// If a node is repeated or is not in the graph.
    #[must_use]
    pub fn induced(&self, nodes: &[NodeId]) -> Graph {
        /// Nodes per task.
        const CHUNK_NODES: usize = 4096;
        let mut place = vec![NONE; self.node_count()];
        for (new, &old) in nodes.iter().enumerate() {
            assert!(place[old as usize] == NONE, "node {old} is given twice");
            place[old as usize] = new as NodeId;
        }
        let has_all = nodes.len() == self.node_count();
        let degree = |&old: &NodeId| {
            if has_all {
                return self.degree(old);
            }
            self.neighbors(old).iter().filter(|&&neighbor| place[neighbor as usize] != NONE).count()
        };
        let mut offsets = vec![0];
        offsets.par_extend(nodes.par_iter().map(degree));
        for node in 1..offsets.len() {
            offsets[node] += offsets[node - 1];
        }

        // Each chunk of nodes writes to its own part of the rows.
        let ends = offsets[nodes.len()];
        let mut targets = vec![0; ends];
        let mut weights = self.weights.as_ref().map(|_| vec![0.0; ends]);
        let mut pieces = Vec::new();
        let (mut targets_left, mut weights_left) = (&mut targets[..], weights.as_deref_mut());
        for (piece, nodes) in nodes.chunks(CHUNK_NODES).enumerate() {
            let size = offsets[piece * CHUNK_NODES + nodes.len()] - offsets[piece * CHUNK_NODES];
            let (its_targets, rest) = targets_left.split_at_mut(size);
            targets_left = rest;
            let its_weights = weights_left.take().map(|weights| {
                let (its_weights, rest) = weights.split_at_mut(size);
                weights_left = Some(rest);
                its_weights
            });
            pieces.push((nodes, its_targets, its_weights));
        }
        pieces.into_par_iter().for_each(|(nodes, targets, mut weights)| {
            let (mut row, mut at) = (Vec::new(), 0);
            for (i, &old) in nodes.iter().enumerate() {
                self.prefetch_rows(&nodes[i..], &place);
                row.clear();
                let weight = |i: usize| self.weights(old).map_or(1.0, |weights| weights[i]);
                let neighbors = self.neighbors(old).iter().enumerate();
                row.extend(neighbors.map(|(i, &neighbor)| (place[neighbor as usize], weight(i))));
                row.retain(|entry: &(NodeId, f32)| entry.0 != NONE);
                row.sort_unstable_by_key(|entry| entry.0);
                for &(target, weight) in &row {
                    targets[at] = target;
                    if let Some(weights) = &mut weights {
                        weights[at] = weight;
                    }
                    at += 1;
                }
            }
        });
        Graph { offsets: offsets.into(), targets: targets.into(), weights: weights.map(Into::into) }
    }

    /// Prefetches the rows of the `coming` nodes, at decreasing distances along the chain of dependent loads: row
    /// offset, row, new ids of the neighbours.
    #[inline(always)]
    fn prefetch_rows(&self, coming: &[NodeId], place: &[NodeId]) {
        const OFFSETS: usize = 24;
        const LISTS: usize = 12;
        const PLACES: usize = 3;
        if let Some(&node) = coming.get(OFFSETS) {
            prefetch_index(&*self.offsets, node as usize);
        }
        if let Some(&node) = coming.get(LISTS) {
            prefetch_index(&*self.targets, self.offsets[node as usize]);
            prefetch_index(&*self.targets, self.offsets[node as usize + 1].max(1) - 1);
        }
        for &neighbor in coming.get(PLACES).into_iter().flat_map(|&node| self.neighbors(node)) {
            prefetch_index(place, neighbor as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::EdgeList;
    use super::*;
    use proptest::prelude::*;

    fn graphs() -> impl Strategy<Value = Graph> {
        prop::collection::vec((0u32..25, 0u32..25, 2u8..5), 1..40).prop_map(|edges| {
            let pairs = edges.iter().map(|&(u, v, _)| (u, v)).collect();
            let weights = Some(edges.iter().map(|edge| f32::from(edge.2)).collect());
            EdgeList { node_count: 25, pairs, weights }.build().0
        })
    }

    /// Reference implementation: propagates the smallest node along edges until convergence.
    fn smallest_reachable(graph: &Graph) -> Vec<NodeId> {
        let mut smallest: Vec<NodeId> = graph.nodes().collect();
        loop {
            let before = smallest.clone();
            for u in graph.nodes() {
                for &v in graph.neighbors(u) {
                    smallest[u as usize] = smallest[u as usize].min(smallest[v as usize]);
                }
            }
            if smallest == before {
                return smallest;
            }
        }
    }

    proptest! {
        #[test]
        fn components_match_the_reference_implementation(graph in graphs()) {
            let smallest = smallest_reachable(&graph);
            let component = graph.components();
            for u in 0..25 {
                for v in 0..25 {
                    prop_assert_eq!(component[u] == component[v], smallest[u] == smallest[v]);
                }
            }
            let size = |root| smallest.iter().filter(|&&other| other == root).count();
            let roots: Vec<NodeId> = graph.nodes().filter(|&u| smallest[u as usize] == u).collect();
            prop_assert_eq!(graph.component_count(), roots.len());
            let largest = graph.largest_component();
            prop_assert_eq!(largest.len(), roots.iter().map(|&root| size(root)).max().unwrap());
            prop_assert!(largest.iter().all(|&u| smallest[u as usize] == largest[0]));
            prop_assert!(roots.iter().all(|&root| root >= largest[0] || size(root) < largest.len()));
        }

        #[test]
        fn induced_subgraph_has_exactly_the_edges_between_its_nodes(
            graph in graphs(),
            nodes in Just((0u32..25).collect::<Vec<_>>()).prop_shuffle(),
            count in 0usize..25,
        ) {
            let nodes = &nodes[..count];
            let induced = graph.induced(nodes);
            prop_assert_eq!(induced.node_count(), count);
            for (i, &u) in nodes.iter().enumerate() {
                prop_assert!(induced.neighbors(i as NodeId).is_sorted());
                for (j, &v) in nodes.iter().enumerate() {
                    let old = graph.neighbors(u).binary_search(&v).ok().map(|at| graph.weights(u).unwrap()[at]);
                    let new = induced.neighbors(i as NodeId).binary_search(&(j as NodeId)).ok();
                    prop_assert_eq!(old, new.map(|at| induced.weights(i as NodeId).unwrap()[at]));
                }
            }
        }
    }

    #[test]
    fn a_graph_without_nodes_has_no_component() {
        let empty = Graph::from_edges([]);
        assert_eq!(empty.component_count(), 0);
        assert!(empty.largest_component().is_empty());
    }
}
