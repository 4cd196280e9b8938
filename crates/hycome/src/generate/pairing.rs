//! Configuration model with rewiring: a random simple graph with a given degree sequence.
//!
//! Each node has one stub (*end*) per neighbour. Stubs are shuffled and matched in pairs. Self-loops, repeated edges
//! and pairs that are not allowed are queued and then rewired by edge swaps: a queued pair (u, v) and a random edge
//! (x, y) become (u, x) and (v, y). If both are new and allowed, both become edges; if one is, it becomes an edge and
//! the other remains queued. Swaps preserve all degrees. A pair still queued after [`TRIES`] swaps is removed and
//! counted; in sparse graphs there are none.
//!
//! The distribution is not exactly uniform over simple graphs with these degrees, because swaps are biased, but they
//! are few. An edge is stored as one integer in a sorted array, so that repeats are adjacent and a lookup is a binary
//! search.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::draw::{below, shuffle};
use crate::graph::NodeId;
use crate::interrupt;
use crate::rng::Stream;

/// Maximum number of swaps tried per pair. Sparse graphs need one or two. In nearly complete communities this is
/// enough to place most of the pairs that can be placed.
const TRIES: usize = 200;

/// Matched edges.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Unmatched stubs.
    pub dropped_ends: usize,
}

/// Matches stubs to edges, using only `allowed` pairs and never a self-loop.
pub(super) fn join(
    mut ends: Vec<NodeId>,
    allowed: impl Fn(NodeId, NodeId) -> bool,
    stream: &mut Stream,
) -> Pairing {
    shuffle(&mut ends, stream);
    let allowed = |u, v| u != v && allowed(u, v);
    let (pairs, odd) = ends.as_chunks::<2>();
    let odd = odd.len();
    let mut edges = Vec::with_capacity(pairs.len());
    let mut waiting = Vec::new();
    for &[u, v] in pairs {
        if allowed(u, v) {
            edges.push(key(u, v));
        } else {
            waiting.push((u, v));
        }
    }
    drop(ends);
    edges.par_sort_unstable();
    let mut last = None;
    edges.retain(|&edge| {
        let is_new = last.replace(edge) != Some(edge);
        if !is_new {
            waiting.push(ends_of(edge));
        }
        is_new
    });

    let mut edges = Edges::new(edges);
    let mut dropped_ends = odd;
    for (u, v) in waiting {
        if interrupt::is_requested() {
            break; // the caller checks for cancellation and returns the error
        }
        if !edges.place(u, v, &allowed, stream) {
            dropped_ends += 2;
        }
    }
    Pairing { pairs: edges.list.into_iter().map(ends_of).collect(), dropped_ends }
}

/// An edge as one integer, smaller id first.
fn key(u: NodeId, v: NodeId) -> u64 {
    u64::from(u.min(v)) << 32 | u64::from(u.max(v))
}

fn ends_of(key: u64) -> (NodeId, NodeId) {
    ((key >> 32) as NodeId, key as NodeId)
}

/// Set of edges, stored as differences from the initial sorted array.
struct Edges {
    list: Vec<u64>,
    /// Initial edges, sorted.
    start: Vec<u64>,
    /// Initial edges that were removed.
    removed: BTreeSet<u64>,
    /// Edges added since.
    added: BTreeSet<u64>,
}

impl Edges {
    fn new(start: Vec<u64>) -> Self {
        Self { list: start.clone(), start, removed: BTreeSet::new(), added: BTreeSet::new() }
    }

    fn contains(&self, edge: u64) -> bool {
        self.added.contains(&edge) || self.start.binary_search(&edge).is_ok() && !self.removed.contains(&edge)
    }

    /// Appends a new edge.
    fn add(&mut self, edge: u64) {
        if !self.removed.remove(&edge) {
            self.added.insert(edge);
        }
    }

    /// Replaces edge `i` by a new one.
    fn replace(&mut self, i: usize, edge: u64) {
        let old = std::mem::replace(&mut self.list[i], edge);
        if !self.added.remove(&old) {
            self.removed.insert(old);
        }
        self.add(edge);
    }

    /// Tries to place stubs `u` and `v` by swaps with random edges.
    fn place(
        &mut self,
        mut u: NodeId,
        mut v: NodeId,
        allowed: &impl Fn(NodeId, NodeId) -> bool,
        stream: &mut Stream,
    ) -> bool {
        if self.list.is_empty() {
            return false;
        }
        for _ in 0..TRIES {
            let i = below(self.list.len(), stream);
            let (x, y) = ends_of(self.list[i]);
            let (x, y) = if stream.bits() & 1 == 0 { (x, y) } else { (y, x) };
            let (one, other) = (key(u, x), key(v, y));
            let one_fits = allowed(u, x) && !self.contains(one);
            let other_fits = allowed(v, y) && !self.contains(other) && one != other;
            match (one_fits, other_fits) {
                (true, true) => {
                    self.replace(i, one);
                    self.add(other);
                    self.list.push(other);
                    return true;
                }
                (true, false) => {
                    self.replace(i, one);
                    (u, v) = (v, y);
                }
                (false, true) => {
                    self.replace(i, other);
                    (u, v) = (u, x);
                }
                (false, false) => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn ends(degrees: &[usize]) -> Vec<NodeId> {
        (0..).zip(degrees).flat_map(|(node, &degree)| std::iter::repeat_n(node, degree)).collect()
    }

    fn degrees_of(pairing: &Pairing, count: usize) -> Vec<usize> {
        let mut degrees = vec![0; count];
        for &(u, v) in &pairing.pairs {
            degrees[u as usize] += 1;
            degrees[v as usize] += 1;
        }
        degrees
    }

    fn is_simple(pairing: &Pairing) -> bool {
        let mut keys: Vec<u64> = pairing.pairs.iter().map(|&(u, v)| key(u, v)).collect();
        keys.sort_unstable();
        keys.windows(2).all(|pair| pair[0] != pair[1]) && pairing.pairs.iter().all(|(u, v)| u != v)
    }

    #[test]
    fn every_node_has_its_degree_and_the_graph_is_simple() {
        for seed in 0..50 {
            // Half of all pairs are edges, so the initial matching has dozens of repeats.
            let degrees = [20; 41];
            let made = join(ends(&degrees), |_, _| true, &mut stream(seed, Purpose::Generate, 0, 0));
            assert!(is_simple(&made));
            assert_eq!((made.dropped_ends, degrees_of(&made, 41)), (0, degrees.to_vec()), "seed {seed}");
        }
    }

    #[test]
    fn forbidden_pairs_are_rewired() {
        let is_between = |u, v| u % 4 != v % 4;
        let degrees = [6; 100];
        let made = join(ends(&degrees), is_between, &mut stream(1, Purpose::Generate, 0, 0));
        assert!(is_simple(&made) && made.pairs.iter().all(|&(u, v)| is_between(u, v)));
        assert_eq!((made.dropped_ends, degrees_of(&made, 100)), (0, degrees.to_vec()));
    }

    #[test]
    fn unmatched_ends_are_counted() {
        for degrees in [vec![5, 1, 1], vec![3], vec![2, 2], vec![], vec![9; 6]] {
            let total: usize = degrees.iter().sum();
            let made = join(ends(&degrees), |_, _| true, &mut stream(1, Purpose::Generate, 0, 0));
            assert!(is_simple(&made));
            assert_eq!(2 * made.pairs.len() + made.dropped_ends, total, "{degrees:?}");
        }
    }

    #[test]
    fn every_edge_of_a_sparse_graph_is_equally_likely() {
        // There are three perfect matchings of four nodes.
        let mut counts = [0u32; 3];
        for seed in 0..3000 {
            let made = join(ends(&[1; 4]), |_, _| true, &mut stream(seed, Purpose::Generate, 0, 0));
            counts[made.pairs[0].1 as usize - 1] += 1;
        }
        // Six standard deviations of a binomial with 3,000 trials and p = 1/3.
        assert!(counts.iter().all(|count| count.abs_diff(1000) < 155), "{counts:?}");
    }
}
