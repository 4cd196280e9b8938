//! Resolved settings: every default that depends on the graph, filled in once.
//!
//! [`TrainConfig`] has the settings as given; [`ResolvedConfig`] has plain numbers, which training reads.

use super::config::{NegativeSharing, TrainConfig};
use super::initialization::{MAX_LAYOUT_COMMUNITIES, MAX_PRETRAINED_DIM, PRETRAINING_DIM};
use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::graph::Graph;

/// Pre-training gets one epoch for this many of the training.
const PRETRAINING_SHARE: usize = 4;

/// Settings of a training, all of them numbers. Fields are those of [`TrainConfig`].
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // documented in `TrainConfig`
#[non_exhaustive]
pub struct ResolvedConfig {
    pub communities: usize,
    pub dim: usize,
    pub geometry: Geometry,
    /// One in Euclidean space, where it has no meaning.
    pub curvature: f64,
    pub seed: u64,
    pub restarts: usize,
    pub alpha: f64,
    pub beta: f64,
    pub gamma: f64,
    pub walks: usize,
    pub walk_length: usize,
    pub window: usize,
    pub negatives: usize,
    pub noise_exponent: f64,
    pub negative_sharing: NegativeSharing,
    /// Zero for none.
    pub pretrain_dim: usize,
    /// None for the default of the geometry, which depends on the number of nodes.
    pub scale_shrinkage: Option<f64>,
    pub warmup_epochs: usize,
    pub epochs: usize,
    pub learning_rate: f64,
    pub blocks: usize,
}

/// The numbers of a graph that defaults depend on.
#[derive(Clone, Copy, Debug)]
pub struct GraphSize {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of edges.
    pub edges: usize,
}

impl GraphSize {
    /// Numbers of this graph.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        Self { nodes: graph.node_count(), edges: graph.edge_count() }
    }
}

impl ResolvedConfig {
    /// Fills in what was not set, for training this graph.
    ///
    /// # Errors
    /// If a setting is outside its range, or the number of communities is missing or larger than the number of nodes.
    pub(crate) fn new(config: &TrainConfig, graph: &Graph) -> Result<Self> {
        config.validate()?;
        let communities = config.communities.ok_or_else(|| Error::Config {
            parameter: "communities",
            expected: "given, since there are no labels to count classes of".into(),
            found: "missing".into(),
        })?;
        if communities > graph.node_count() {
            return Err(Error::Config {
                parameter: "communities",
                expected: format!("at most the number of nodes, {}", graph.node_count()),
                found: communities.to_string(),
            });
        }
        Ok(Self::for_size(config, communities, GraphSize::of(graph)))
    }

    /// Fills in what was not set, for a graph of this size, without any check.
    #[must_use]
    pub fn for_size(config: &TrainConfig, communities: usize, size: GraphSize) -> Self {
        let geometry = config.geometry;
        let dim = config.dim.unwrap_or_else(|| default_dim(size.nodes));
        let defaults = SamplingDefaults::new(geometry, dim, communities, size);
        Self {
            communities,
            dim,
            geometry,
            curvature: match config.curvature {
                Some(curvature) if !geometry.is_euclidean() => curvature,
                _ => default_curvature(geometry, dim, communities),
            },
            seed: config.seed,
            restarts: config.restarts.unwrap_or_else(|| default_restarts(size.nodes)),
            alpha: config.alpha.unwrap_or_else(|| default_alpha(geometry, size)),
            beta: config.beta,
            gamma: config.gamma.unwrap_or(defaults.gamma),
            walks: config.walks.unwrap_or(defaults.walks),
            walk_length: config.walk_length,
            window: config.window.unwrap_or(defaults.window),
            negatives: config.negatives.unwrap_or(defaults.negatives),
            noise_exponent: config.noise_exponent.unwrap_or(defaults.noise_exponent),
            negative_sharing: config.negative_sharing,
            pretrain_dim: config
                .pretrain_dim
                .unwrap_or_else(|| default_pretrain_dim(geometry, dim, communities)),
            scale_shrinkage: config.scale_shrinkage,
            warmup_epochs: config.warmup_epochs,
            epochs: config.epochs,
            learning_rate: config.learning_rate.unwrap_or(defaults.learning_rate),
            blocks: config.blocks,
        }
    }

    /// Settings that were resolved before, as in a file; none if some are missing.
    #[must_use]
    pub(crate) fn from_complete(config: &TrainConfig) -> Option<Self> {
        let is_complete = config.restarts.is_some()
            && config.alpha.is_some()
            && config.gamma.is_some()
            && config.window.is_some()
            && config.negatives.is_some()
            && config.dim.is_some()
            && config.walks.is_some()
            && config.noise_exponent.is_some()
            && config.learning_rate.is_some()
            && config.pretrain_dim.is_some()
            && (config.curvature.is_some() || config.geometry.is_euclidean());
        let unused = GraphSize { nodes: 0, edges: 0 };
        config.communities.filter(|_| is_complete).map(|k| Self::for_size(config, k, unused))
    }

    /// The same settings as a [`TrainConfig`] that leaves nothing to be filled in: what files store.
    #[must_use]
    pub fn to_config(&self) -> TrainConfig {
        TrainConfig {
            communities: Some(self.communities),
            dim: Some(self.dim),
            geometry: self.geometry,
            curvature: (!self.geometry.is_euclidean()).then_some(self.curvature),
            seed: self.seed,
            restarts: Some(self.restarts),
            alpha: Some(self.alpha),
            beta: self.beta,
            gamma: Some(self.gamma),
            walks: Some(self.walks),
            walk_length: self.walk_length,
            window: Some(self.window),
            negatives: Some(self.negatives),
            noise_exponent: Some(self.noise_exponent),
            negative_sharing: self.negative_sharing,
            pretrain_dim: Some(self.pretrain_dim),
            scale_shrinkage: self.scale_shrinkage,
            warmup_epochs: self.warmup_epochs,
            epochs: self.epochs,
            learning_rate: Some(self.learning_rate),
            blocks: self.blocks,
        }
    }

    /// Settings of the pre-training, if there is one: a short training in more dimensions.
    #[must_use]
    pub(crate) fn pretraining(&self) -> Option<Self> {
        let warmup_epochs = self.total_epochs() / PRETRAINING_SHARE;
        let is_pretrained = self.pretrain_dim > 0 && warmup_epochs > 0;
        is_pretrained.then(|| Self {
            dim: self.pretrain_dim,
            curvature: default_curvature(self.geometry, self.pretrain_dim, self.communities),
            warmup_epochs,
            epochs: 0,
            ..self.clone()
        })
    }

    /// Epochs of the pre-training.
    #[must_use]
    pub(crate) fn pretraining_epochs(&self) -> usize {
        self.pretraining().map_or(0, |pretraining| pretraining.warmup_epochs)
    }

    /// Epochs without those of the pre-training.
    #[must_use]
    pub(crate) fn total_epochs(&self) -> usize {
        self.warmup_epochs + self.epochs
    }

    /// Negatives per positive pair, on average.
    ///
    /// A window has from 1 to W nodes on either side, each size equally likely, so a centre has W + 1 pairs on average.
    #[must_use]
    pub fn negatives_per_pair(&self) -> f64 {
        let negatives = self.negatives as f64;
        match self.negative_sharing {
            NegativeSharing::None => negatives,
            NegativeSharing::Center => negatives / (self.window + 1) as f64,
        }
    }
}

/// Dimensions in which communities are found.
///
/// Over five development graphs the NMI rises up to 32 and stays the same at 64; on large graphs time matters more.
fn default_dim(nodes: usize) -> usize {
    /// Above, half of the dimensions have to do.
    const LARGE: usize = 100_000;
    if nodes > LARGE { 16 } else { 32 }
}

/// Curvature that gives this many communities room; one in Euclidean space.
///
/// At a given distance a space of curvature −c has room for about e^((m−1)·√c·r) communities. In ten dimensions
/// curvature one is plenty; in two it leaves five communities little room, and twelve none.
fn default_curvature(geometry: Geometry, dim: usize, communities: usize) -> f64 {
    /// √c per community in two dimensions; football (12) would do better with more, books (3) and DBLP (5) with less.
    const ROOT_PER_COMMUNITY: f64 = 0.35;
    /// Beyond, communities would lie outside the radius that single precision resolves.
    const MAX_CURVATURE: f64 = 30.0;
    if geometry.is_euclidean() {
        return 1.0;
    }
    let root = ROOT_PER_COMMUNITY * communities as f64 / (dim as f64 - 1.0);
    (root * root).clamp(1.0, MAX_CURVATURE)
}

/// Dimensions of the pre-training; zero where it would not pay, or communities are too many to lay out.
fn default_pretrain_dim(geometry: Geometry, dim: usize, communities: usize) -> usize {
    let is_pretrained =
        !geometry.is_euclidean() && dim <= MAX_PRETRAINED_DIM && communities <= MAX_LAYOUT_COMMUNITIES;
    if is_pretrained { PRETRAINING_DIM } else { 0 }
}

/// Settings of walks, negatives and steps that depend on geometry, dimension and graph.
struct SamplingDefaults {
    walks: usize,
    window: usize,
    negatives: usize,
    noise_exponent: f64,
    learning_rate: f64,
    gamma: f64,
}

impl SamplingDefaults {
    fn new(geometry: Geometry, dim: usize, communities: usize, size: GraphSize) -> Self {
        if geometry.uses_dot_products() {
            return Self::come(size.nodes);
        }
        if dim <= MAX_PRETRAINED_DIM {
            return Self::low_dimensional(communities, size.nodes);
        }
        Self {
            walks: walks(size.nodes),
            window: path_window(size),
            negatives: communities.clamp(2, 5), // more than communities push each one apart
            noise_exponent: 1.0,
            learning_rate: 0.05,
            gamma: 0.1,
        }
    }

    /// Those of ComE's program (Cavallari et al. 2017), which divides γ by the number of communities.
    fn come(nodes: usize) -> Self {
        let window = short_window(10, nodes);
        Self { walks: 10, window, negatives: 5, noise_exponent: 0.75, learning_rate: 0.02, gamma: 0.1 }
    }

    /// Two and three dimensions: many small steps, since points hardly pass each other.
    fn low_dimensional(communities: usize, nodes: usize) -> Self {
        Self {
            walks: 10,
            window: short_window(5, nodes),
            negatives: separating_negatives(communities),
            noise_exponent: 0.75,
            learning_rate: 0.02,
            gamma: 1.0,
        }
    }
}

/// Walks per node: small graphs cost little, and have few pairs to learn from otherwise.
fn walks(nodes: usize) -> usize {
    /// Walks of all nodes that an epoch has at least.
    const TOTAL_WALKS: usize = 4000;
    const MAX_WALKS: usize = 10;
    TOTAL_WALKS.div_ceil(nodes.max(1)).clamp(1, MAX_WALKS)
}

/// Window of this size, but at most log₂ of the number of nodes.
fn short_window(size: usize, nodes: usize) -> usize {
    (nodes.max(2).ilog2() as usize).min(size)
}

/// Window of 1.5 times the typical distance of two nodes, ln n / ln d in a random graph of mean degree d (Bollobás 1981).
///
/// Walks leave a community sooner on a dense graph; on a sparse one close contexts alone say too little about it. Chosen on cora,
/// citeseer, email-eu-core, sp-school and an LFR graph of a thousand nodes.
fn path_window(size: GraphSize) -> usize {
    const FACTOR: f64 = 1.5;
    let nodes = size.nodes.max(2) as f64;
    let mean_degree = (2.0 * size.edges as f64 / nodes).max(2.0);
    (FACTOR * nodes.ln() / mean_degree.ln()).round().clamp(2.0, 10.0) as usize
}

/// Weight of O₁ with which all neighbours of a node attract it no more than eight would.
fn default_alpha(geometry: Geometry, size: GraphSize) -> f64 {
    /// Neighbours that attract with full weight.
    const NEIGHBORS: f64 = 8.0;
    if geometry.uses_dot_products() {
        return 1.0; // as in ComE's program
    }
    let mean_degree = 2.0 * size.edges as f64 / size.nodes.max(1) as f64;
    (NEIGHBORS / mean_degree).min(1.0)
}

/// Restarts: as many as take little time on a small graph.
fn default_restarts(nodes: usize) -> usize {
    /// Nodes that all restarts may have together.
    const TOTAL_NODES: usize = 2000;
    const MAX_RESTARTS: usize = 16;
    (TOTAL_NODES / nodes.max(1)).clamp(1, MAX_RESTARTS)
}

/// Negatives that separate this many communities in two or three dimensions.
///
/// With k negatives the loss is least where d² = ln k − PMI, the pair's pointwise mutual information; two nodes of one of
/// K equal communities meet at most K times as often as by chance, so with k above K even they would be
/// pushed apart, and with few negatives the communities stay close. A distance is at least zero, so all pairs with a
/// PMI above ln k have the same optimum: where communities are many, too few negatives blur the finer classes. Beyond
/// ten little is gained, and each costs as much as the pair itself.
fn separating_negatives(communities: usize) -> usize {
    const MIN_NEGATIVES: usize = 2;
    const MAX_NEGATIVES: usize = 10;
    communities.div_ceil(2).clamp(MIN_NEGATIVES, MAX_NEGATIVES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(config: TrainConfig, communities: usize, nodes: usize, edges: usize) -> ResolvedConfig {
        ResolvedConfig::for_size(&config, communities, GraphSize { nodes, edges })
    }

    #[test]
    fn neighbours_attract_no_more_than_eight_of_them() {
        let alpha = |config: TrainConfig, edges| resolved(config, 2, 30, edges).alpha;
        assert_eq!(alpha(TrainConfig::default(), 30), 1.0);
        assert_eq!(alpha(TrainConfig::default(), 480), 0.25);
        assert_eq!(alpha(TrainConfig { alpha: Some(3.0), ..TrainConfig::default() }, 480), 3.0);
    }

    #[test]
    fn negatives_separate_communities() {
        let negatives = |config: &TrainConfig, k| resolved(config.clone(), k, 300, 300).negatives;
        let flat = TrainConfig { dim: Some(2), ..TrainConfig::default() };
        let of = |communities| negatives(&flat, communities);
        assert_eq!([1, 3, 5, 12, 19, 200].map(of), [2, 2, 3, 6, 10, 10]);
        assert_eq!(negatives(&TrainConfig { negatives: Some(7), ..TrainConfig::default() }, 3), 7);
        assert_eq!(negatives(&TrainConfig { geometry: Geometry::Come, ..TrainConfig::default() }, 40), 5);
        assert_eq!([1, 2, 3, 5, 40].map(|k| negatives(&TrainConfig::default(), k)), [2, 2, 3, 5, 5]);
    }

    #[test]
    fn windows_follow_typical_distances_and_walks_the_number_of_nodes() {
        let of = |nodes, edges| {
            let config = resolved(TrainConfig { dim: Some(10), ..TrainConfig::default() }, 5, nodes, edges);
            (config.window, config.walks)
        };
        assert_eq!(of(2485, 5069), (8, 2), "cora");
        assert_eq!(of(236, 5899), (2, 10), "a school: everyone meets everyone");
        assert_eq!(of(1_000_000, 5_000_000), (9, 1));
        assert_eq!(of(1000, 999), (10, 4), "a tree");
        assert_eq!(of(2, 1).0, 2);
    }

    #[test]
    fn resolved_settings_resolve_to_themselves() {
        for geometry in [Geometry::Poincare, Geometry::Come, Geometry::Euclidean] {
            let asked = TrainConfig { geometry, ..TrainConfig::default() };
            let config = resolved(asked.clone(), 7, 34, 78);
            assert_eq!(ResolvedConfig::from_complete(&config.to_config()), Some(config.clone()));
            let other = GraphSize { nodes: 1000, edges: 100_000 };
            assert_eq!(ResolvedConfig::for_size(&config.to_config(), 7, other), config);
            assert_eq!(ResolvedConfig::from_complete(&asked), None);
        }
    }
}
