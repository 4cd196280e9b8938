//! Raw edges in, a clean graph out: symmetric, sorted, without self loops or repeats.

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
}

impl EdgeList {
    /// The undirected simple graph of these edges, and what was left out.
    #[must_use]
    pub fn build(self) -> (Graph, Cleaning) {
        let mut cleaning = Cleaning::default();
        let mut rows: Vec<Vec<(NodeId, f32)>> = vec![Vec::new(); self.node_count];
        for (i, &(u, v)) in self.pairs.iter().enumerate() {
            if u == v {
                cleaning.self_loops += 1;
                continue;
            }
            let weight = self.weights.as_ref().map_or(1.0, |w| w[i]);
            rows[u as usize].push((v, weight));
            rows[v as usize].push((u, weight));
        }
        let mut graph = Graph { offsets: vec![0], targets: Vec::new(), weights: self.weights.as_ref().map(|_| Vec::new()) };
        let raw: usize = rows.iter().map(Vec::len).sum();
        for row in &mut rows {
            row.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
            row.dedup_by_key(|entry| entry.0);
            graph.targets.extend(row.iter().map(|entry| entry.0));
            if let Some(weights) = &mut graph.weights {
                weights.extend(row.iter().map(|entry| entry.1));
            }
            graph.offsets.push(graph.targets.len());
        }
        cleaning.repeats = (raw - graph.targets.len()) / 2;
        (graph, cleaning)
    }
}
