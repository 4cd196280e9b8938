//! Estimate of the memory of a training, before it begins.
//!
//! Memory peaks in one of three phases, and everything large in them is a multiple of nodes, edges, dimensions or
//! communities, so it can be added up beforehand. Sizes of elements are those of the types that hold them.
//!
//! | phase | in addition to the graph in the order of rows and both embedding tables |
//! | --- | --- |
//! | walks | two chunks of walks, and the contexts of one of them (`engine/pair_index.rs`) |
//! | fit | the points in double precision, twice, and responsibilities |
//! | result | the points of the run in double precision, the bytes of its files |
//!
//! What is small or constant (threads, code, reports) is part of the memory that the process already has.
//! `hycome-bench memory` prints estimates beside measurements.

use super::config::TrainConfig;
use super::engine::chunks::walks_per_chunk;
use super::engine::kernel::GROUP_BYTES_PER_ROW;
use super::engine::negative_sampler;
use super::engine::pair_index::{BYTES_PER_CONTEXT, BYTES_PER_END, BYTES_PER_POSITION};
use super::engine::partition::Partition;
use super::resolved::{GraphSize, ResolvedConfig};
use crate::error::{MemoryLimit, Remedy};
use crate::geometry::Geometry;
use crate::graph::{Graph, NodeId};
use crate::machine;
use crate::mixture::MixtureConfig;
use crate::sampling::AliasTable;
use crate::{Error, Result};

/// What an estimate depends on besides the settings.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Its edges.
    pub edges: usize,
    /// Whether they have weights.
    pub is_weighted: bool,
    /// Threads of the pool.
    pub threads: usize,
    /// Whether snapshots are recorded.
    pub keeps_snapshots: bool,
    /// Maximum number of edges of the interactive viewer that is made of the result; none if none is made.
    pub page_edges: Option<usize>,
}

impl Size {
    /// The size of a graph.
    #[must_use]
    pub fn of(graph: &Graph, threads: usize) -> Self {
        Self {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            is_weighted: graph.is_weighted(),
            threads,
            keeps_snapshots: false,
            page_edges: None,
        }
    }
}

/// Bytes that a training needs in each phase, in addition to what the process has when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// During the second-order step.
    pub walks: u64,
    /// During a fit of the mixture.
    pub fit: u64,
    /// While the result is assembled and written.
    pub result: u64,
}

impl Estimate {
    /// Estimate for a training with these settings.
    #[must_use]
    pub fn new(config: &TrainConfig, size: &Size) -> Self {
        let graph_size = GraphSize { nodes: size.nodes, edges: size.edges };
        let config = &ResolvedConfig::for_size(config, config.communities.unwrap_or(1), graph_size);
        let (nodes, dim) = (size.nodes as f64, config.dim as f64);
        let (restarts, parallel) = (config.restarts as f64, config.restarts.min(size.threads) as f64);
        let pretraining_dim = config.pretraining().map(|pretraining| pretraining.dim as f64);
        let tables = |dim: f64| 2.0 * SINGLE * (dim + 1.0) * nodes;
        let epochs = if size.keeps_snapshots { config.total_epochs() } else { 0 };
        let snapshots = restarts * epochs as f64 * DOUBLE * nodes * dim;
        let pretraining = parallel * pretraining_dim.map_or(0.0, tables);
        let kept = graph(size) + restarts * tables(dim) + pretraining + snapshots;
        let chunks = parallel * chunks(config, size);
        let fit = parallel * fit(config, size, config.communities, pretraining_dim);
        Self {
            walks: (kept + chunks + buckets(config, size)) as u64,
            fit: (kept + FRAGMENTATION * chunks + fit) as u64,
            result: (snapshots + result(size, dim, config.communities, kept - snapshots)) as u64,
        }
    }

    /// Bytes in the phase of the peak.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.walks.max(self.fit).max(self.result)
    }

    /// What would lower the peak.
    #[must_use]
    pub(crate) fn remedies(&self) -> &'static [Remedy] {
        use Remedy::Lower;
        if self.walks == self.peak() {
            &[Lower("dim"), Lower("walks"), Lower("walk_length")]
        } else if self.fit == self.peak() {
            &[Lower("communities"), Lower("dim"), Lower("threads")]
        } else {
            &[Lower("communities"), Lower("dim")]
        }
    }
}

/// Bytes that this process will have at its peak if it trains: what it has now and what the training adds.
///
/// The limit is `max_memory` or, if that is not given, [what the machine has](machine::available_memory).
///
/// # Errors
/// If more would be needed than the limit.
pub fn expect_within(max_memory: Option<u64>, config: &TrainConfig, size: &Size) -> Result<u64> {
    let estimate = Estimate::new(config, size);
    let now = machine::resident_memory().unwrap_or(0);
    let needed = now.saturating_add(estimate.peak()).max(machine::peak_memory().unwrap_or(0));
    let (limit, kind, last) = match max_memory {
        Some(limit) => (limit, MemoryLimit::Parameter, Remedy::Raise("max_memory")),
        None => {
            let available = machine::available_memory().unwrap_or(u64::MAX);
            (available, MemoryLimit::Machine, Remedy::Set("max_memory"))
        }
    };
    if needed <= limit {
        return Ok(needed);
    }
    let remedies = estimate.remedies().iter().copied().chain([last]).collect();
    Err(Error::Memory { needed, limit, kind, remedies })
}

/// Checks that the machine has the memory to fit a mixture to trained points.
///
/// # Errors
/// If more would be needed.
pub fn expect_fit(config: &TrainConfig, nodes: usize, communities: usize, threads: usize) -> Result<()> {
    let size =
        Size { nodes, edges: 0, is_weighted: false, threads, keeps_snapshots: false, page_edges: None };
    let config = ResolvedConfig::for_size(config, communities, GraphSize { nodes, edges: 0 });
    let added = fit(&config, &size, communities, None) as u64;
    let needed = machine::resident_memory().unwrap_or(0).saturating_add(added);
    let limit = machine::available_memory().unwrap_or(u64::MAX);
    if needed <= limit {
        return Ok(());
    }
    let remedies = vec![Remedy::Lower("communities")];
    Err(Error::Memory { needed, limit, kind: MemoryLimit::Machine, remedies })
}

const SINGLE: f64 = size_of::<f32>() as f64;
const DOUBLE: f64 = size_of::<f64>() as f64;

/// Fraction of the many buffers of pairs that the allocator does not return when they are freed; measured.
const FRAGMENTATION: f64 = 0.5;

/// The graph in the order of rows, with walker and negative samplers.
fn graph(size: &Size) -> f64 {
    /// Offset of a node's neighbours, its row, and its share of the sampler.
    const PER_NODE: usize = size_of::<u64>() + size_of::<NodeId>() + negative_sampler::BYTES_PER_ROW;
    /// Both directions of an edge.
    const PER_EDGE: usize = 2 * size_of::<NodeId>();
    /// With weights: also these, and the alias tables.
    const PER_WEIGHTED_EDGE: usize = PER_EDGE + 2 * (size_of::<f32>() + AliasTable::BYTES_PER_WEIGHT);
    /// Alias table of a node, and the overhead of its allocation.
    const PER_WEIGHTED_NODE: usize = PER_NODE + size_of::<Option<AliasTable>>() + 16;
    let (per_node, per_edge) =
        if size.is_weighted { (PER_WEIGHTED_NODE, PER_WEIGHTED_EDGE) } else { (PER_NODE, PER_EDGE) };
    per_node as f64 * size.nodes as f64 + per_edge as f64 * size.edges as f64
}

/// Walks of two chunks, the one that is trained and, unless it is the last, the one that is generated; and the contexts of the first.
fn chunks(config: &ResolvedConfig, size: &Size) -> f64 {
    if config.blocks == 0 {
        return 0.0;
    }
    let (window, total) = (config.window, config.walks * size.nodes);
    let walks = walks_per_chunk(config.walk_length, window, size.nodes, total);
    let blocks = Partition::new(size.nodes, config.blocks).block_count;
    let generated = |walks: usize| (BYTES_PER_POSITION * config.walk_length * walks) as f64;
    // Windows are cut off at both ends of a walk.
    let cut = (window + 1) * (window + 2) / 3;
    let pairs = (config.walk_length * (window + 1)).saturating_sub(cut).max(1);
    let pairs = pairs * walks.min(total);
    let contexts = (BYTES_PER_CONTEXT * pairs + BYTES_PER_END * pairs.min(blocks * size.nodes)) as f64;
    generated(walks.min(total)) + generated(walks.min(total.saturating_sub(walks))) + contexts
}

/// What each thread needs for the bucket that it trains.
fn buckets(config: &ResolvedConfig, size: &Size) -> f64 {
    if config.blocks == 0 {
        return 0.0;
    }
    let per_row = negative_sampler::SHUFFLED_BYTES_PER_ROW + GROUP_BYTES_PER_ROW;
    let partition = Partition::new(size.nodes, config.blocks);
    (size.threads.min(partition.block_count) * per_row) as f64 * partition.block_size as f64
}

/// A fit of the mixture; the first tries several restarts in parallel, unless a pre-training has found the communities.
fn fit(config: &ResolvedConfig, size: &Size, communities: usize, pretraining_dim: Option<f64>) -> f64 {
    /// Cluster and distance of a point, before and after; its position among the members.
    const PER_ASSIGNMENT: f64 = (2 * (size_of::<u32>() + size_of::<f64>()) + size_of::<usize>()) as f64;
    let nodes = size.nodes as f64;
    let dim = pretraining_dim.unwrap_or(0.0).max(config.dim as f64);
    let (points, columns) = (DOUBLE * nodes * dim, DOUBLE * nodes * (dim + 1.0));
    let responsibilities = DOUBLE * nodes * communities as f64;
    if config.geometry.is_euclidean() {
        let covariances = if config.geometry == Geometry::Come {
            2.0 * DOUBLE * communities as f64 * dim * dim
        } else {
            0.0
        };
        return points + columns + 3.0 * responsibilities + covariances;
    }
    let trials = size.threads.min(MixtureConfig::for_communities(communities, size.nodes).restarts);
    // Each restart has its responsibilities; about one more copy was freed and is kept by the allocator, measured.
    let retained = responsibilities;
    points + columns + retained + trials as f64 * (responsibilities + columns + PER_ASSIGNMENT * nodes)
}

/// The run, its communities and the bytes of its files.
fn result(size: &Size, dim: f64, communities: usize, kept: f64) -> f64 {
    /// A line of communities.tsv, with the name of the node.
    const PER_LINE: f64 = 40.0;
    /// A node and an edge of the viewer: in the scene, as JSON, and in the HTML page; measured.
    const PAGE_NODE: f64 = 400.0;
    const PAGE_EDGE: f64 = 40.0;
    let nodes = size.nodes as f64;
    let (points, columns) = (DOUBLE * nodes * dim, DOUBLE * nodes * (dim + 1.0));
    let (run, responsibilities) = (2.0 * points, DOUBLE * nodes * communities as f64);
    let assembled = kept + run + 0.5 * columns;
    let described = run + columns + 2.0 * responsibilities + PER_LINE * nodes;
    // The file and its parts are in memory together; then the file, the scene, and points being projected to the disc.
    let projected = if dim > 2.0 { 1.5 * columns } else { 0.0 };
    let page = size
        .page_edges
        .map_or(0.0, |max| points + projected + PAGE_NODE * nodes + PAGE_EDGE * size.edges.min(max) as f64);
    let written = run + PER_LINE * nodes + page.max(2.0 * points);
    assembled.max(described).max(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(nodes: usize) -> Size {
        Size {
            nodes,
            edges: 10 * nodes,
            is_weighted: false,
            threads: 2,
            keeps_snapshots: false,
            page_edges: None,
        }
    }

    #[test]
    fn more_of_anything_needs_more() {
        let config = TrainConfig { communities: Some(10), ..TrainConfig::default() };
        let base = Estimate::new(&config, &size(100_000)).peak();
        let more = |config: TrainConfig, size: Size| Estimate::new(&config, &size).peak();
        assert!(more(config.clone(), size(200_000)) > base);
        assert!(more(TrainConfig { dim: Some(64), ..config.clone() }, size(100_000)) > base);
        assert!(more(config.clone(), Size { is_weighted: true, ..size(100_000) }) > base);
        assert!(more(TrainConfig { communities: Some(1000), ..config.clone() }, size(100_000)) > base);
        assert!(more(TrainConfig { restarts: Some(8), ..config.clone() }, size(100_000)) > base);
        assert!(more(config, Size { keeps_snapshots: true, ..size(100_000) }) > base);
    }

    #[test]
    fn remedies_fit_the_phase_of_the_peak() {
        let at = |walks, fit, result| Estimate { walks, fit, result }.remedies();
        assert!(at(3, 2, 1).contains(&Remedy::Lower("walks")));
        assert!(at(1, 3, 2).contains(&Remedy::Lower("threads")));
        assert_eq!(at(1, 2, 3)[0], Remedy::Lower("communities"));
    }

    #[test]
    fn a_training_that_cannot_fit_is_refused() {
        let config = TrainConfig { communities: Some(100_000), ..TrainConfig::default() };
        let refused = expect_within(None, &config, &size(10_000_000)).unwrap_err().to_string();
        assert!(refused.starts_with("training needs about "), "{refused}");
        assert!(refused.contains("of memory, but this machine has "), "{refused}");
        let refused = expect_fit(&config, 10_000_000, 1_000_000, 2).unwrap_err().to_string();
        assert!(refused.ends_with("; lower `communities`"), "{refused}");
        assert!(expect_fit(&config, 1000, 10, 2).is_ok());
        let refused = expect_within(Some(1), &config, &size(10)).unwrap_err().to_string();
        assert!(refused.contains("but `max_memory` is 1 B; "), "{refused}");
        assert!(expect_within(Some(u64::MAX), &config, &size(10_000_000)).is_ok());
    }

    #[test]
    fn the_largest_settings_do_not_overflow() {
        let config = TrainConfig {
            dim: Some(1024),
            communities: Some(1_000_000),
            restarts: Some(1000),
            ..TrainConfig::default()
        };
        let size = Size { threads: 4096, keeps_snapshots: true, ..size(100_000_000) };
        assert!(Estimate::new(&config, &size).peak() > 1 << 50);
    }
}
