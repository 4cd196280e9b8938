//! Hyperparameters of a training, in one place.
//!
//! The fields are the flags of the command, the keys of its TOML file, the keyword arguments of Python and the metadata of a run file; their
//! documentation is the help text. [`ResolvedConfig`](super::ResolvedConfig) fills in what is not set.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::train::initialization::MAX_PRETRAINED_DIM;

/// Hyperparameters of a training; the defaults need no tuning on any of the public graphs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct TrainConfig {
    /// Number of communities; by default the number of label classes.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K"))]
    pub communities: Option<usize>,
    /// Dimensions of the ball, 2 to 1024; by default 32, or 16 beyond 100,000 nodes.
    ///
    /// These separate communities, which are then drawn in a two-dimensional layout. With 2 the embedding itself is drawn, as in
    /// the paper; it keeps fewer communities apart.
    #[cfg_attr(feature = "clap", arg(long, value_name = "M"))]
    pub dim: Option<usize>,
    /// Geometry of the embedding: the Poincaré ball, or Euclidean space as a baseline.
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
    /// Number of random restarts, 1 to 1000; the one whose communities have the lowest conductance is kept.
    ///
    /// By default 2000 divided by the number of nodes, from 1 to 16: small graphs vary more between seeds and cost less.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub restarts: Option<usize>,
    /// Weight of the first-order loss O1, attraction of neighbours, 0 or more.
    ///
    /// By default 1, or 8 divided by the mean degree where that is less.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X"))]
    pub alpha: Option<f64>,
    /// Weight of the second-order loss O2, skip-gram on random walks, 0 or more.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().beta))]
    pub beta: f64,
    /// Weight of the community loss O3, 0 or more; with 0 communities are detected, but do not move the points.
    ///
    /// By default 0.1, and 1 in two and three dimensions, where communities need help to separate.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X"))]
    pub gamma: Option<f64>,
    /// Random walks per node and epoch, 1 to 10000.
    ///
    /// By default 4000 divided by the number of nodes, rounded up, from 1 to 10; in two and three dimensions and for the
    /// geometry `come` 10.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub walks: Option<usize>,
    /// Walk length in nodes, 2 to 100000.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().walk_length))]
    pub walk_length: usize,
    /// Context window size, 1 to 1000.
    ///
    /// By default 1.5 times the typical distance of two nodes, ln n / ln d for n nodes of mean degree d, from 2 to 10; in two
    /// and three dimensions 5 and for the geometry `come` 10, but at most log2 n.
    #[cfg_attr(feature = "clap", arg(long, value_name = "W"))]
    pub window: Option<usize>,
    /// Negative samples per positive pair, 0 to 100.
    ///
    /// By default the number of communities, from 2 to 5; in two and three dimensions half of it, rounded up, from 2 to 10: more negatives
    /// separate communities further, but beyond the number of communities they also pull each one apart.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub negatives: Option<usize>,
    /// Exponent of the degree in the distribution of negative samples, 0 to 2: 0 is uniform, 1 proportional to the degree.
    ///
    /// By default 1; in two and three dimensions and for the geometry `come` 0.75.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X"))]
    pub noise_exponent: Option<f64>,
    /// How negative samples are shared: not at all, or by all pairs of a centre node's window.
    ///
    /// A window of size W has W + 1 pairs on average, so `center` draws that many times fewer negatives, is faster, and lets
    /// communities lie closer together.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW", default_value_t = Self::default().negative_sharing))]
    pub negative_sharing: NegativeSharing,
    /// Dimensions of the pre-training, 4 to 1024, or 0 for none.
    ///
    /// By default 10 for embeddings in two or three dimensions, whose communities it finds, and none for others.
    #[cfg_attr(feature = "clap", arg(long, value_name = "M"))]
    pub pretrain_dim: Option<usize>,
    /// Shrinkage of the communities' scales towards their common value, 0 or more; 0 is maximum likelihood.
    ///
    /// By default 3, as if each community had three times the average community's nodes more, of average spread; for the
    /// geometry `come` the number of dimensions in nodes.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X"))]
    pub scale_shrinkage: Option<f64>,
    /// Warm-up epochs: first- and second-order steps only, without communities.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().warmup_epochs))]
    pub warmup_epochs: usize,
    /// Epochs of the full loop: first-order step, second-order step, EM, community step.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().epochs))]
    pub epochs: usize,
    /// Initial learning rate, above 0 and at most 1; it decays linearly to a hundredth.
    ///
    /// By default 0.05; in two and three dimensions and for the geometry `come` 0.02.
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE"))]
    pub learning_rate: Option<f64>,
    /// Blocks of nodes that are trained in parallel, 0 to 4096; the result depends on it, not on the number of threads.
    ///
    /// Zero selects sequential SGD in the order of the walks: many times slower, the reference for blocks.
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Self::default().blocks))]
    pub blocks: usize,
}

/// How negative samples are shared between pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum NegativeSharing {
    /// Every positive pair has its own negatives.
    #[default]
    None,
    /// All pairs of a centre node's window share their negatives.
    Center,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            communities: None,
            dim: None,
            geometry: Geometry::Poincare,
            curvature: None,
            seed: 1,
            restarts: None,
            alpha: None,
            beta: 1.0,
            gamma: None,
            walks: None,
            walk_length: 80,
            window: None,
            negatives: None,
            noise_exponent: None,
            negative_sharing: NegativeSharing::None,
            pretrain_dim: None,
            scale_shrinkage: None,
            warmup_epochs: 4,
            epochs: 4,
            learning_rate: None,
            blocks: 8,
        }
    }
}

impl TrainConfig {
    /// Checks the range of every setting.
    ///
    /// # Errors
    /// [`Error::Config`] for the first setting outside its range.
    pub fn validate(&self) -> Result<()> {
        if let Some(communities) = self.communities {
            within("communities", communities, 1, 1_000_000)?;
        }
        if let Some(dim) = self.dim {
            within("dim", dim, 2, 1024)?;
        }
        if let Some(restarts) = self.restarts {
            within("restarts", restarts, 1, 1000)?;
        }
        if let Some(walks) = self.walks {
            within("walks", walks, 1, 10_000)?;
        }
        within("walk_length", self.walk_length, 2, 100_000)?;
        if let Some(window) = self.window {
            within("window", window, 1, 1000)?;
        }
        if let Some(negatives) = self.negatives {
            within("negatives", negatives, 0, 100)?;
        }
        if let Some(dim) = self.pretrain_dim.filter(|&dim| dim != 0) {
            within("pretrain_dim", dim, 4, 1024)?;
            if self.geometry.is_euclidean() || self.dim.is_none_or(|dim| dim > MAX_PRETRAINED_DIM) {
                let expected = "0 in Euclidean space and above three dimensions";
                return refuse("pretrain_dim", expected, dim);
            }
        }
        for (parameter, value, most) in [
            ("noise_exponent", self.noise_exponent.unwrap_or(1.0), 2.0),
            ("scale_shrinkage", self.scale_shrinkage.unwrap_or(0.0), 1e6),
        ] {
            if !(0.0..=most).contains(&value) {
                return refuse(parameter, &format!("a number from 0 to {most}"), value);
            }
        }
        within("warmup_epochs", self.warmup_epochs, 0, 100_000)?;
        within("epochs", self.epochs, 0, 100_000)?;
        within("blocks", self.blocks, 0, 4096)?;
        for (parameter, value) in
            [("alpha", self.alpha.unwrap_or(1.0)), ("beta", self.beta), ("gamma", self.gamma.unwrap_or(1.0))]
        {
            if !(0.0..=1e6).contains(&value) {
                return refuse(parameter, "a number from 0 to 1000000", value);
            }
        }
        if let (true, Some(curvature)) = (self.geometry.is_euclidean(), self.curvature) {
            return refuse("curvature", "left out in Euclidean space", curvature);
        }
        if let Some(curvature) = self.curvature
            && !(1e-3..=1e3).contains(&curvature)
        {
            return refuse("curvature", "a number from 0.001 to 1000", curvature);
        }
        if let Some(rate) = self.learning_rate
            && !(rate > 0.0 && rate <= 1.0)
        {
            return refuse("learning_rate", "above 0 and at most 1", rate);
        }
        Ok(())
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
