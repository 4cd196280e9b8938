//! Random graph models with planted communities, degrees or points.
//!
//! | model | ground truth |
//! |---|---|
//! | [`lfr()`] | communities of power-law sizes, power-law degrees, mixing parameter |
//! | [`sbm()`] | blocks, edge probabilities within and between them |
//! | [`power_law()`] | expected degrees that follow a power law, no communities |
//! | [`hyperbolic()`] | points of a Gaussian mixture in the Poincaré ball, joined if they are near |
//!
//! Graphs are simple and undirected. Node ids are a random permutation, so they carry no information on communities or
//! degrees. The cost is linear in nodes and edges, except that of [`hyperbolic()`], which is quadratic in the nodes.
//! The same settings and seed give the same graph on any number of threads: each unit of parallel work, a community or
//! a block of rows, has its own random stream.
//!
//! ```
//! use hycome::generate::{LfrConfig, lfr};
//! let made = lfr(&LfrConfig { nodes: 500, mixing: 0.2, ..LfrConfig::default() })?;
//! assert_eq!(made.graph.node_count(), 500);
//! assert!((made.mixing() - 0.2).abs() < 0.05);
//! # Ok::<(), hycome::Error>(())
//! ```

mod degrees;
mod draw;
mod gaussian;
mod hyperbolic;
mod lfr;
mod pairing;
mod power_law;
mod sbm;

pub use gaussian::sample_mixture;
pub use hyperbolic::{Hyperbolic, HyperbolicConfig, hyperbolic};
pub use lfr::{LfrConfig, lfr};
pub use power_law::{PowerLawConfig, power_law};
pub use sbm::{SbmConfig, sbm};

use rayon::prelude::*;

use crate::graph::LoadedGraph;
use crate::graph::{BuildStats, Direction, EdgeList, Graph, Labels, NodeId, NodeNames, RepeatedEdges};
use crate::rng::{Purpose, Stream, stream};
use crate::{Error, Result};

/// A generated graph and its planted communities.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// The graph.
    pub graph: Graph,
    /// Community of each node, numbered from 0; empty if the model has none.
    pub communities: Vec<u32>,
    /// Number of communities, including empty ones.
    pub community_count: usize,
    /// Unmatched edge endpoints (stubs), which are removed: [`lfr()`] only.
    pub dropped_ends: usize,
    /// Nodes with a lower internal degree than requested, because their community is too small: [`lfr()`] only.
    pub cut_nodes: usize,
}

impl Generated {
    /// Converts to a [`LoadedGraph`] whose node names are the ids and whose labels are the communities.
    #[must_use]
    pub fn loaded(&self, name: &str) -> LoadedGraph {
        let labels = (self.community_count > 0).then(|| {
            let names = (0..self.community_count).map(|community| community.to_string()).collect();
            Labels::from_lists(names, self.communities.iter().map(|&community| vec![community]).collect())
        });
        LoadedGraph {
            name: name.to_owned(),
            graph: self.graph.clone(),
            names: NodeNames::numbered(0, self.graph.node_count()),
            labels,
            rows: self.graph.edge_count(),
            stats: BuildStats::default(),
            header: None,
            format: "generated",
            columns: None,
            notes: Vec::new(),
        }
    }

    /// Mean degree.
    #[must_use]
    pub fn average_degree(&self) -> f64 {
        2.0 * self.graph.edge_count() as f64 / self.graph.node_count().max(1) as f64
    }

    /// Mixing parameter: fraction of edge endpoints whose edge leaves the community, 0 to 1; zero without communities
    /// or edges.
    #[must_use]
    pub fn mixing(&self) -> f64 {
        if self.communities.is_empty() || self.graph.edge_count() == 0 {
            return 0.0;
        }
        let leaving = |node: NodeId| {
            let here = self.communities[node as usize];
            let neighbors = self.graph.neighbors(node);
            neighbors.iter().filter(|&&other| self.communities[other as usize] != here).count()
        };
        let leaving: usize = (0..self.communities.len() as NodeId).into_par_iter().map(leaving).sum();
        leaving as f64 / self.graph.targets().len() as f64
    }

    /// Number of isolated nodes.
    #[must_use]
    pub fn isolated_count(&self) -> usize {
        self.graph.nodes().filter(|&node| self.graph.degree(node) == 0).count()
    }

    /// Number of nodes in each community.
    #[must_use]
    pub fn community_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.community_count];
        for &community in &self.communities {
            sizes[community as usize] += 1;
        }
        sizes
    }
}

/// Purpose of a generator's random stream, used as the epoch of its address.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Step {
    Order = 1,
    Degrees = 2,
    Sizes = 3,
    Assignment = 4,
    Inside = 5,
    Between = 6,
    Means = 7,
    Points = 8,
    Edges = 9,
}

fn step(seed: u64, step: Step, item: usize) -> Stream {
    stream(seed, Purpose::Generate, step as u64, item as u64)
}

type Pairs = Vec<(NodeId, NodeId)>;

/// Builds a graph from edges and randomly permutes its nodes together with `communities`.
fn in_random_order(node_count: usize, mut pairs: Pairs, communities: &[u32], seed: u64) -> (Graph, Vec<u32>) {
    let mut node_at: Vec<NodeId> = (0..node_count as NodeId).collect();
    draw::shuffle(&mut node_at, &mut step(seed, Step::Order, 0));
    pairs.par_iter_mut().for_each(|(u, v)| (*u, *v) = (node_at[*u as usize], node_at[*v as usize]));
    let mut moved = vec![0; communities.len()];
    for (&community, &node) in communities.iter().zip(&node_at) {
        moved[node as usize] = community;
    }
    drop(node_at);
    let edges = EdgeList { node_count, pairs, weights: None };
    (edges.build_with(RepeatedEdges::First, Direction::Undirected).0, moved)
}

/// Maximum number of edges: their adjacency lists alone would take 34 GB.
const MAX_EDGES: f64 = (1u64 << 32) as f64;

/// Rejects graphs too large for memory.
fn check_size(nodes: usize, average_degree: f64) -> Result<()> {
    if !(2..=NodeId::MAX as usize).contains(&nodes) {
        return refuse("nodes", format!("a whole number from 2 to {}", NodeId::MAX), nodes);
    }
    let edges = 0.5 * nodes as f64 * average_degree;
    if edges > MAX_EDGES {
        let expected = format!("such that there are at most {MAX_EDGES} edges");
        return refuse("average_degree", expected, format!("{average_degree}, which makes {edges:.0}"));
    }
    Ok(())
}

/// Fails if `value` is outside `range` or NaN.
fn check_range(parameter: &'static str, value: f64, range: std::ops::RangeInclusive<f64>) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    refuse(parameter, format!("a number from {} to {}", range.start(), range.end()), value)
}

fn refuse<T>(parameter: &'static str, expected: impl Into<String>, found: impl ToString) -> Result<T> {
    Err(Error::Config { parameter, expected: expected.into(), found: found.to_string() })
}
