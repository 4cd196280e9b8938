//! How much memory a training will take, told before it begins.
//!
//! Memory is highest at one of three moments, and everything large in them is a multiple of nodes, edges, dimensions or
//! communities, so it can be added up beforehand:
//!
//! | moment | beside the graph in the order of rows and both tables of points |
//! | --- | --- |
//! | walks | two chunks of walks, and the contexts that nodes meet on one of them ([`super::visits`]) |
//! | fit | the points in double precision, twice, and responsibilities |
//! | result | the points of the run in double precision, the bytes of its files |
//!
//! What is small or the same in every training (threads, code, reports) is in the memory that the process has already.
//! `hycome-bench memory` prints estimates beside what is measured.

use super::blocks::Blocks;
use super::config::TrainConfig;
use super::course;
use super::second_order::{self, Chunks};
use crate::experiments::machine;
use crate::geometry::Geometry;
use crate::graph::Graph;
use crate::mixture::MixtureConfig;
use crate::plot::edges::MOST_EDGES;
use crate::{Error, Result};

/// What an estimate is made from besides the settings.
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
    /// Whether snapshots are kept.
    pub keeps_snapshots: bool,
    /// Whether a page is made of the result.
    pub has_page: bool,
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
            has_page: false,
        }
    }
}

/// Bytes that a training needs at each of its moments, beside what the process has when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// While walks are trained.
    pub walks: u64,
    /// While communities are fitted.
    pub fit: u64,
    /// While the result is put together and written.
    pub result: u64,
}

impl Estimate {
    /// What a training of these settings needs.
    #[must_use]
    pub fn new(config: &TrainConfig, size: &Size) -> Self {
        let communities = config.communities.unwrap_or(1);
        let (nodes, dim) = (size.nodes as f64, config.dim as f64);
        let starts = config.starts_for(size.nodes);
        let (starts, abreast) = (starts as f64, starts.min(size.threads) as f64);
        let guide = course::guide_config(config, communities).map(|guide| guide.dim as f64);
        let tables = |dim: f64| TABLES_PER_COORDINATE * (dim + 1.0) * nodes;
        let epochs = if size.keeps_snapshots { config.warmup_epochs + config.epochs } else { 0 };
        let snapshots = starts * epochs as f64 * DOUBLE * nodes * dim;
        let kept = graph(size) + starts * tables(dim) + abreast * guide.map_or(0.0, tables) + snapshots;
        let chunks = abreast * chunks(config, size);
        let kept_back = KEPT_BACK * chunks;
        Self {
            walks: (kept + chunks + buckets(config, size)) as u64,
            fit: (kept + kept_back + abreast * fit(config, size, communities, guide)) as u64,
            result: (snapshots + result(size, dim, communities, kept - snapshots)) as u64,
        }
    }

    /// Bytes at the highest moment.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.walks.max(self.fit).max(self.result)
    }

    /// What would lower the peak.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        if self.walks == self.peak() {
            "use a smaller `dim`, fewer `walks` or a shorter `walk_length`"
        } else if self.fit == self.peak() {
            "use fewer `communities`, a smaller `dim` or fewer `threads`"
        } else {
            "use fewer `communities` or a smaller `dim`"
        }
    }
}

/// The bytes that this process will have at its peak if it trains: what it has now and what the training adds.
///
/// The limit is `max_memory` or, if that is not given, [what the machine has](machine::available_memory).
///
/// # Errors
/// If more would be needed than the limit.
pub fn expect_within(max_memory: Option<u64>, config: &TrainConfig, size: &Size) -> Result<u64> {
    let estimate = Estimate::new(config, size);
    let now = machine::resident_memory().unwrap_or(0);
    let needed = now.saturating_add(estimate.peak()).max(machine::peak_memory().unwrap_or(0));
    let (limit, bound, override_) = match max_memory {
        Some(limit) => (limit, "`max_memory` is", "raise the limit"),
        None => {
            let available = machine::available_memory().unwrap_or(u64::MAX);
            (available, "this machine has", "set `max_memory` to train nevertheless")
        }
    };
    if needed <= limit {
        return Ok(needed);
    }
    let remedy = format!("{}, or {override_}", estimate.remedy());
    Err(Error::Memory { needed, limit, bound, remedy })
}

/// Refuses to look for communities among trained points where that would take more memory than the machine has.
///
/// # Errors
/// If more would be needed.
pub fn expect_fit(config: &TrainConfig, nodes: usize, communities: usize, threads: usize) -> Result<()> {
    let size = Size { nodes, edges: 0, is_weighted: false, threads, keeps_snapshots: false, has_page: false };
    let added = fit(config, &size, communities, None) as u64;
    let needed = machine::resident_memory().unwrap_or(0).saturating_add(added);
    let limit = machine::available_memory().unwrap_or(u64::MAX);
    if needed <= limit {
        return Ok(());
    }
    let remedy = "use fewer `communities`".to_owned();
    Err(Error::Memory { needed, limit, bound: "this machine has", remedy })
}

/// A number of bytes for people: `41.3 MB`.
#[must_use]
pub fn readable(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    let mut number = bytes as f64 / 1000.0;
    if number < 1.0 {
        return format!("{bytes} B");
    }
    let mut place = 0;
    // What would be rounded to 1000.0 is one of the next unit.
    while number >= 999.95 && place + 1 < units.len() {
        number /= 1000.0;
        place += 1;
    }
    format!("{number:.1} {}", units[place])
}

/// Nodes and contexts, in single precision.
const TABLES_PER_COORDINATE: f64 = 2.0 * 4.0;

/// The share of the many lists of pairs that the allocator does not give back when they are freed; measured.
const KEPT_BACK: f64 = 0.5;

/// A number in double precision.
const DOUBLE: f64 = 8.0;

/// The graph in the order of rows, with what walks and noise need.
fn graph(size: &Size) -> f64 {
    /// Where a node's neighbours are, its row, and its count and cards in a deck.
    const PER_NODE: f64 = 8.0 + 4.0 + 4.0 + 2.0;
    /// Two ends; with weights, these and the cells of the tables that steer walks.
    const PER_EDGE: f64 = 2.0 * 4.0;
    const PER_WEIGHTED_EDGE: f64 = 2.0 * (4.0 + 4.0 + 16.0);
    /// The table of a node's weights: where it is, and what the allocator adds.
    const PER_WEIGHTED_NODE: f64 = 24.0 + 16.0;
    let (nodes, edges) = (size.nodes as f64, size.edges as f64);
    if size.is_weighted {
        return (PER_NODE + PER_WEIGHTED_NODE) * nodes + PER_WEIGHTED_EDGE * edges;
    }
    PER_NODE * nodes + PER_EDGE * edges
}

/// Walks of an epoch's chunks, the one that is trained and, unless it is the last, the one that is made; and the contexts that
/// nodes meet on the first.
fn chunks(config: &TrainConfig, size: &Size) -> f64 {
    /// A node of a walk, and its visit.
    const NODE: usize = 4 + 8;
    /// A context, and where those of a node end in a block, if there are any.
    const CONTEXT: usize = 4;
    const END: usize = 8;
    if config.blocks == 0 {
        return 0.0;
    }
    let window = config.window_for(size.nodes);
    let Chunks { walks, all } = second_order::chunks(config, window, size.nodes);
    let blocks = Blocks::new(size.nodes, config.blocks).count;
    let made = |walks: usize| (NODE * config.walk_length * walks) as f64;
    // Windows at both ends of a walk are cut off.
    let cut = (window + 1) * (window + 2) / 3;
    let pairs = (config.walk_length * (window + 1)).saturating_sub(cut).max(1);
    let pairs = pairs * walks.min(all);
    let contexts = (CONTEXT * pairs + END * pairs.min(blocks * size.nodes)) as f64;
    made(walks.min(all)) + made(walks.min(all.saturating_sub(walks))) + contexts
}

/// What each thread needs for the bucket that it trains.
fn buckets(config: &TrainConfig, size: &Size) -> f64 {
    /// A card of the deck, a mark of the group.
    const PER_ROW: f64 = 2.0 + 1.0;
    if config.blocks == 0 {
        return 0.0;
    }
    let blocks = Blocks::new(size.nodes, config.blocks);
    size.threads.min(blocks.count) as f64 * PER_ROW * blocks.size as f64
}

/// A fit of the communities; the first tries several starts side by side, unless a guide has found the communities.
fn fit(config: &TrainConfig, size: &Size, communities: usize, guide: Option<f64>) -> f64 {
    /// The cluster of a point and its distance, before and after; its place among the members.
    const NEAREST: f64 = 2.0 * (4.0 + 8.0) + 8.0;
    let nodes = size.nodes as f64;
    let dim = guide.unwrap_or(0.0).max(config.dim as f64);
    let (points, columns) = (DOUBLE * nodes * dim, DOUBLE * nodes * (dim + 1.0));
    let responsibilities = DOUBLE * nodes * communities as f64;
    if config.geometry.is_flat() {
        let covariances = if config.geometry == Geometry::Come {
            2.0 * DOUBLE * communities as f64 * dim * dim
        } else {
            0.0
        };
        return points + columns + 3.0 * responsibilities + covariances;
    }
    // A trial first has its points by clusters, then responsibilities that are certain and those of its search. These
    // are two; 2.6 is calibrated, not derived: on 12,000 nodes in 3 dimensions with 40 communities the peak of ten runs lay 7 % below
    // to 12 % above the estimate, with two it was up to a quarter above. What takes the rest is not known.
    let trials = size.threads.min(MixtureConfig::of_communities(communities, size.nodes).restarts);
    points + columns + trials as f64 * (columns.max(2.6 * responsibilities) + NEAREST * nodes)
}

/// The run, its communities and the bytes of its files.
fn result(size: &Size, dim: f64, communities: usize, kept: f64) -> f64 {
    /// A line of the table of communities, and the name in it.
    const LINE: f64 = 40.0;
    /// A node and an edge of the page: in the scene, as text, and as text of the page.
    const PAGE_NODE: f64 = 400.0;
    const PAGE_EDGE: f64 = 40.0;
    let nodes = size.nodes as f64;
    let (points, columns) = (DOUBLE * nodes * dim, DOUBLE * nodes * (dim + 1.0));
    let (run, responsibilities) = (2.0 * points, DOUBLE * nodes * communities as f64);
    let gathered = kept + run + 0.5 * columns;
    let described = run + columns + 2.0 * responsibilities + LINE * nodes;
    // The file and its parts are in memory together; then the file, the scene, and points on their way to the disc.
    let projected = if dim > 2.0 { 1.5 * columns } else { 0.0 };
    let scene = PAGE_NODE * nodes + PAGE_EDGE * size.edges.min(MOST_EDGES) as f64;
    let page = if size.has_page { points + projected + scene } else { 0.0 };
    let written = run + LINE * nodes + page.max(2.0 * points);
    gathered.max(described).max(written)
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
            has_page: false,
        }
    }

    #[test]
    fn more_of_anything_needs_more() {
        let config = TrainConfig { communities: Some(10), ..TrainConfig::default() };
        let base = Estimate::new(&config, &size(100_000)).peak();
        let more = |config: TrainConfig, size: Size| Estimate::new(&config, &size).peak();
        assert!(more(config.clone(), size(200_000)) > base);
        assert!(more(TrainConfig { dim: 64, ..config.clone() }, size(100_000)) > base);
        assert!(more(config.clone(), Size { is_weighted: true, ..size(100_000) }) > base);
        assert!(more(TrainConfig { communities: Some(1000), ..config.clone() }, size(100_000)) > base);
        assert!(more(TrainConfig { starts: Some(8), ..config.clone() }, size(100_000)) > base);
        assert!(more(config, Size { keeps_snapshots: true, ..size(100_000) }) > base);
    }

    #[test]
    fn the_remedy_fits_the_moment() {
        let at = |walks, fit, result| Estimate { walks, fit, result }.remedy();
        assert!(at(3, 2, 1).contains("`walks`"));
        assert!(at(1, 3, 2).contains("`threads`"));
        assert!(at(1, 2, 3).starts_with("use fewer `communities`"));
    }

    #[test]
    fn a_training_that_cannot_fit_is_refused() {
        let config = TrainConfig { communities: Some(100_000), ..TrainConfig::default() };
        let refused = expect_within(None, &config, &size(10_000_000)).unwrap_err().to_string();
        assert!(refused.starts_with("training needs about "), "{refused}");
        assert!(refused.contains("of memory, but this machine has "), "{refused}");
        let refused = expect_fit(&config, 10_000_000, 1_000_000, 2).unwrap_err().to_string();
        assert!(refused.ends_with("; use fewer `communities`"), "{refused}");
        assert!(expect_fit(&config, 1000, 10, 2).is_ok());
        let refused = expect_within(Some(1), &config, &size(10)).unwrap_err().to_string();
        assert!(refused.contains("but `max_memory` is 1 B; "), "{refused}");
        assert!(expect_within(Some(u64::MAX), &config, &size(10_000_000)).is_ok());
    }

    #[test]
    fn bytes_are_readable() {
        let shown = [7, 1_500, 41_300_000, 999_950_000, 160_000_000_000, u64::MAX].map(readable);
        assert_eq!(shown, ["7 B", "1.5 kB", "41.3 MB", "1.0 GB", "160.0 GB", "18446744.1 TB"]);
    }

    #[test]
    fn the_largest_settings_do_not_overflow() {
        let config = TrainConfig {
            dim: 1024,
            communities: Some(1_000_000),
            starts: Some(1000),
            ..TrainConfig::default()
        };
        let size = Size { threads: 4096, keeps_snapshots: true, ..size(100_000_000) };
        assert!(Estimate::new(&config, &size).peak() > 1 << 50);
    }
}
