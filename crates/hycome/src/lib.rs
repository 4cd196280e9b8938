//! Graph node embedding in hyperbolic space with joint community detection (RComE).
//!
//! Each node is embedded as a point of the Poincaré ball, whose volume grows exponentially with the radius, so that
//! tree-like graphs fit with low distortion. Each community is a Riemannian Gaussian, so that every node has a
//! probability for each community. Training minimizes three losses in turn: first-order proximity of neighbours,
//! skip-gram with negative sampling on random walks, and the negative log-likelihood of the communities.
//!
//! # Quick start
//!
//! Zachary's karate club has 34 members, 78 friendships, and a quarrel that split it in two:
//!
//! ```
//! use hycome::{TrainConfig, Trainer, datasets, metrics};
//!
//! let club = datasets::builtin("karate").expect("karate is built in");
//! let karate = club.load();
//!
//! // Two walks from each node suffice for a club; the default is more.
//! let config = TrainConfig { communities: Some(2), walks: Some(2), ..TrainConfig::default() };
//! let trainer = Trainer::new(&karate.graph, config)?.with_names(karate.names);
//! let run = trainer.train_to_end()?.run;
//!
//! let responsibilities = run.responsibilities()?;     // a row for each node, adding up to one
//! let communities = responsibilities.communities();   // the largest of each row
//! println!("{} is in community {}", run.names.name(0), communities[0]);
//!
//! // Ground truth: the club that each member joined.
//! let truth = club.truth();
//! let scores = metrics::score(&karate.graph, &communities, 2, Some(truth.view()));
//! assert!(scores.accuracy > Some(0.9) && scores.conductance < 0.2);
//! # Ok::<(), hycome::Error>(())
//! ```
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`graph`] | [`Graph`] (undirected, simple), [`NodeNames`], [`Labels`] |
//! | [`io`] | reading graphs, writing results, [run files](io::run_file), [model files](io::model_file) |
//! | [`datasets`] | four built-in graphs, and a manifest of public ones |
//! | [`train`] | [`TrainConfig`], [`Trainer`], [`Run`]: start here to read the code |
//! | [`mixture`] | Gaussian mixtures by EM, K-means, [responsibilities](mixture::Responsibilities) |
//! | [`metrics`] | conductance, modularity, NMI, AMI, ARI, accuracy, and warnings about misleading scores |
//! | [`classify`] | seven supervised methods with cross-validation |
//! | [`generate`] | random graph models: LFR, stochastic block model, Chung–Lu, hyperbolic |
//! | [`geometry`] | Poincaré ball, Lorentz model, Fréchet means; [`Geometry`](geometry::Geometry) selects the Euclidean baselines |
//! | [`special`], [`rng`] | normalizing constant of the Riemannian Gaussian, random streams |
//! | [`plot`] | figures and the interactive viewer |
//!
//! # Features
//!
//! All are on by default except `clap`; `default-features = false` leaves training, classification, metrics, edge lists and the
//! library's own files.
//!
//! | feature | adds |
//! |---|---|
//! | `formats` | readers of GML, Matrix Market, MATLAB and CSV folders; gzip and Zstandard in [`io`] |
//! | `plot` | [`plot`]: SVG figures and the interactive viewer |
//! | `figures` | PNG and PDF figures; implies `plot` |
//! | `generate` | [`generate`]: random graphs with known communities |
//! | `datasets` | [`datasets`]: built-in graphs and the list of public ones; implies `formats` |
//! | `clap` | `clap::ValueEnum` for the enums of the settings |
//!
//! # Guarantees
//!
//! Results are deterministic: the same graph, settings and seed give the same bytes on any number of threads. The
//! library runs in the current rayon pool, prints nothing, reads no environment variable and has one `unsafe` line, which
//! memory-maps graph files. Invalid input is an [`Error`], never a panic. Updates that would leave the ball are skipped and
//! counted ([`Run::dropped_steps`]).
//!
//! Communities are not nested, and a node's probabilities are the uncertainty of the mixture, not memberships of several
//! groups.

#![warn(unreachable_pub)] // what a library user cannot reach is pub(crate)

/// The Rust example of the README, compiled with the doctests.
#[cfg(all(doctest, feature = "datasets"))]
#[doc = include_str!("../../../README.md")]
struct ReadmeExample;

pub mod classify;
#[cfg(feature = "datasets")]
pub mod datasets;
pub mod error;
#[cfg(feature = "generate")]
pub mod generate;
pub mod geometry;
pub mod graph;
pub mod interrupt;
pub mod io;
pub mod json;
pub mod machine;
mod mapped;
pub mod metrics;
pub mod mixture;
mod numeric;
#[cfg(feature = "plot")]
pub mod plot;
mod sampling;
pub mod train;

pub use error::{Error, Result};
pub use graph::{Graph, Labels, NodeId, NodeNames};
pub(crate) use numeric::points;
pub use numeric::points::Points;
pub use numeric::{rng, special};
pub use train::{Run, TrainConfig, Trainer};
