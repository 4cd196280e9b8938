//! Everything that can be set about a training, in one place.
//!
//! The fields are the flags of the command, the keys of its TOML file and the metadata of a run file; their
//! documentation is the help text.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::graph::Graph;

/// Settings of a training; the defaults serve every graph we know untuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct TrainConfig {
    /// Number of communities; by default the number of label classes.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K"))]
    pub communities: Option<usize>,
    /// Dimensions of the ball, 2 to 1024; 2 can be drawn, 5 to 10 separate communities better.
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", default_value_t = Self::default().dim))]
    pub dim: usize,
    /// Where points live: the Poincaré ball, or flat space to compare with.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "SPACE", default_value_t = Self::default().geometry))]
    pub geometry: Geometry,
    /// Curvature of the ball, as a positive number: the larger, the more room at a given distance.
    ///
    /// By default (0.35 K/(M-1))^2, from 1 to 30: many communities in few dimensions need room. It grows from 1 to
    /// this during the warm-up, so that points first unfold freely and then spread out.
    #[cfg_attr(feature = "clap", arg(long, value_name = "C"))]
    pub curvature: Option<f64>,
    /// Random seed: the same seed gives the same bytes, on any number of threads.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = Self::default().seed))]
    pub seed: u64,
    /// Trainings, each from a start of its own; the one whose communities have the lowest conductance is kept, 1 to 1000.
    ///
    /// By default 2000 divided by the number of nodes, from 1 to 16: on small graphs chance decides more, and costs less.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub starts: Option<usize>,
    /// Weight of the pull between neighbours (O1), 0 or more.
    ///
    /// By default 1, and 8 divided by the mean degree where that is less: in a dense graph a neighbour says less, and there
    /// are many.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X"))]
    pub alpha: Option<f64>,
    /// Weight of predicting the nodes met on random walks (O2), 0 or more.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().beta))]
    pub beta: f64,
    /// Weight of the pull of each node to its communities (O3), 0 or more; 0 looks for communities, but moves nothing.
    ///
    /// By default 1. With `--geometry come` 0.1.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X"))]
    pub gamma: Option<f64>,
    /// Random walks from each node, per epoch, 1 to 10000.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().walks))]
    pub walks: usize,
    /// Nodes of a walk, 2 to 100000.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().walk_length))]
    pub walk_length: usize,
    /// How far from a node, along the walk, its context may reach, 1 to 1000.
    ///
    /// By default 5, and less on graphs of fewer than 32 nodes, which a walk crosses in fewer steps. With
    /// `--geometry come` 10, and less on graphs of fewer than 1024 nodes.
    #[cfg_attr(feature = "clap", arg(long, value_name = "W"))]
    pub window: Option<usize>,
    /// Random nodes that each observed pair is told apart from, 0 to 100.
    ///
    /// By default half the number of communities, rounded up, from 2 to 10: more negatives part communities farther, but
    /// past the number of communities they also tear each one apart. With `--geometry come` 5.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub negatives: Option<usize>,
    /// What gets that many negatives: every observed pair, or every node of a walk with all its window.
    ///
    /// A window has one more pair than its reach, so `center` is that many times quicker, and with the same number of
    /// negatives it lets communities lie closer together.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHAT", default_value_t = Self::default().negatives_per))]
    pub negatives_per: NegativesPer,
    /// Epochs on neighbours and walks alone, before communities join.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().warmup_epochs))]
    pub warmup_epochs: usize,
    /// Epochs of the whole loop: neighbours, walks, communities.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().epochs))]
    pub epochs: usize,
    /// Step size at the start, above 0 and at most 1; it falls linearly to a hundredth.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().learning_rate))]
    pub learning_rate: f64,
    /// Blocks of nodes that can be trained side by side, 0 to 4096; the result depends on it, not on threads.
    ///
    /// Zero trains one pair after the other in the order of the walks: many times slower, the yardstick for blocks.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().blocks))]
    pub blocks: usize,
}

/// What negatives are drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum NegativesPer {
    /// Each node that is seen in the window of another.
    #[default]
    Pair,
    /// Each node of a walk, once for its whole window.
    Center,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            communities: None,
            dim: 2,
            geometry: Geometry::Poincare,
            curvature: None,
            seed: 1,
            starts: None,
            alpha: None,
            beta: 1.0,
            gamma: None,
            walks: 10,
            walk_length: 80,
            window: None,
            negatives: None,
            negatives_per: NegativesPer::Pair,
            warmup_epochs: 4,
            epochs: 4,
            learning_rate: 0.02,
            blocks: 8,
        }
    }
}

impl TrainConfig {
    /// Refuses what cannot be trained with, naming the parameter.
    ///
    /// # Errors
    /// [`Error::Config`] for the first setting outside its range.
    pub fn validate(&self) -> Result<()> {
        if let Some(communities) = self.communities {
            within("communities", communities, 1, 1_000_000)?;
        }
        within("dim", self.dim, 2, 1024)?;
        if let Some(starts) = self.starts {
            within("starts", starts, 1, 1000)?;
        }
        within("walks", self.walks, 1, 10_000)?;
        within("walk_length", self.walk_length, 2, 100_000)?;
        if let Some(window) = self.window {
            within("window", window, 1, 1000)?;
        }
        if let Some(negatives) = self.negatives {
            within("negatives", negatives, 0, 100)?;
        }
        within("warmup_epochs", self.warmup_epochs, 0, 100_000)?;
        within("epochs", self.epochs, 0, 100_000)?;
        within("blocks", self.blocks, 0, 4096)?;
        for (parameter, value) in
            [("alpha", self.alpha.unwrap_or(1.0)), ("beta", self.beta), ("gamma", self.gamma_or_usual())]
        {
            if !(0.0..=1e6).contains(&value) {
                return refuse(parameter, "a number from 0 to 1000000", value);
            }
        }
        if let (true, Some(curvature)) = (self.geometry.is_flat(), self.curvature) {
            return refuse("curvature", "left out where space is flat", curvature);
        }
        if let Some(curvature) = self.curvature
            && !(1e-3..=1e3).contains(&curvature)
        {
            return refuse("curvature", "a number from 0.001 to 1000", curvature);
        }
        if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            return refuse("learning_rate", "above 0 and at most 1", self.learning_rate);
        }
        Ok(())
    }
}

impl TrainConfig {
    /// The curvature of the trained space: as set, or what gives this many communities room. Where space is flat it has no
    /// meaning and is one.
    ///
    /// At a given distance a space of curvature −c has room for about e^((m−1)·√c·r) communities. In ten dimensions
    /// curvature one is plenty; in two it leaves five communities little room to part, and twelve none.
    #[must_use]
    pub fn curvature_for(&self, communities: usize) -> f64 {
        /// √c for each community in two dimensions; football (12) would like more, books (3) and DBLP (5) less.
        const ROOT_PER_COMMUNITY: f64 = 0.35;
        /// Beyond, communities would lie outside the radius that single precision resolves.
        const LARGEST: f64 = 30.0;
        if self.geometry.is_flat() {
            return 1.0;
        }
        let root = ROOT_PER_COMMUNITY * communities as f64 / (self.dim as f64 - 1.0);
        self.curvature.unwrap_or((root * root).clamp(1.0, LARGEST))
    }
}

impl TrainConfig {
    /// Reach of a context: as set, or five steps (ten in ComE) but no more than log₂ of the number of nodes.
    #[must_use]
    pub fn window_for(&self, node_count: usize) -> usize {
        let usual = if self.geometry == Geometry::Come { 10 } else { 5 };
        self.window.unwrap_or_else(|| (node_count.max(2).ilog2() as usize).min(usual))
    }

    /// Weight of O₁: as set, or what lets the neighbours of a node pull no harder together than eight would.
    #[must_use]
    pub fn alpha_for(&self, graph: &Graph) -> f64 {
        /// Neighbours that pull with all their weight.
        const NEIGHBORS: f64 = 8.0;
        if self.geometry == Geometry::Come {
            return self.alpha.unwrap_or(1.0); // as its own program has it
        }
        let mean_degree = graph.targets().len() as f64 / graph.node_count().max(1) as f64;
        self.alpha.unwrap_or((NEIGHBORS / mean_degree).min(1.0))
    }

    /// Weight of O₃: as set, or what its geometry is used to.
    ///
    /// With dot products it is the weight that ComE's program has (which divides it by the number of communities).
    #[must_use]
    pub fn gamma_or_usual(&self) -> f64 {
        let usual = if self.geometry == Geometry::Come { 0.1 } else { 1.0 };
        self.gamma.unwrap_or(usual)
    }

    /// Starts of which the best is kept: as set, or as many as a small graph can have in no time.
    #[must_use]
    pub fn starts_for(&self, node_count: usize) -> usize {
        /// Nodes that all starts may have together.
        const NODES: usize = 2000;
        const MOST: usize = 16;
        self.starts.unwrap_or_else(|| (NODES / node_count.max(1)).clamp(1, MOST))
    }

    /// Negatives per observed pair: as set, or what parts this many communities.
    ///
    /// With k negatives the loss is least where d² = ln k − PMI, the pair's mutual information; two nodes of one of
    /// K equal communities meet at most K times as often as by chance, so with k above K even they would be
    /// pushed apart, and with few negatives the communities stay close. A distance is no less than zero, so pairs with a
    /// PMI above ln k all want the same: where communities are many, too few negatives blur the finer classes. Beyond
    /// ten little is gained, and each costs as much as the pair itself.
    ///
    /// Dot products know no such limit, since they may have either sign; there it is word2vec's and ComE's number.
    #[must_use]
    pub fn negatives_for(&self, communities: usize) -> usize {
        const OF_DOT_PRODUCTS: usize = 5;
        const FEWEST: usize = 2;
        const MOST: usize = 10;
        match self.geometry {
            Geometry::Come => self.negatives.unwrap_or(OF_DOT_PRODUCTS),
            Geometry::Poincare | Geometry::Euclidean => {
                self.negatives.unwrap_or(communities.div_ceil(2).clamp(FEWEST, MOST))
            }
        }
    }

    /// Negatives for each observed pair, on average.
    ///
    /// A window reaches from 1 to W nodes to either side, each as often, so a node has W + 1 pairs on average.
    #[must_use]
    pub fn negatives_of_a_pair(&self, communities: usize, node_count: usize) -> f64 {
        let negatives = self.negatives_for(communities) as f64;
        match self.negatives_per {
            NegativesPer::Pair => negatives,
            NegativesPer::Center => negatives / (self.window_for(node_count) + 1) as f64,
        }
    }
}

fn within(parameter: &'static str, value: usize, least: usize, most: usize) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    refuse(parameter, &format!("a whole number from {least} to {most}"), value)
}

fn refuse<T>(parameter: &'static str, expected: &str, found: impl ToString) -> Result<T> {
    Err(Error::Config { parameter, expected: expected.to_string(), found: found.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_pull_together_no_harder_than_eight_of_them() {
        let ring = Graph::from_edges((0..30u32).map(|i| (i, (i + 1) % 30)));
        let clique = Graph::from_edges((0..33u32).flat_map(|i| (0..i).map(move |j| (i, j))));
        let config = TrainConfig::default();
        assert_eq!((config.alpha_for(&ring), config.alpha_for(&clique)), (1.0, 0.25));
        assert_eq!(TrainConfig { alpha: Some(3.0), ..config }.alpha_for(&clique), 3.0);
    }

    #[test]
    fn negatives_are_half_the_communities_from_two_to_ten() {
        let of = |communities| TrainConfig::default().negatives_for(communities);
        assert_eq!([1, 3, 5, 12, 19, 200].map(of), [2, 2, 3, 6, 10, 10]);
        assert_eq!(TrainConfig { negatives: Some(7), ..TrainConfig::default() }.negatives_for(3), 7);
        assert_eq!(TrainConfig { geometry: Geometry::Come, ..TrainConfig::default() }.negatives_for(40), 5);
    }
}
