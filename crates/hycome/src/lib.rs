//! Graphs as points of hyperbolic space, and communities as Gaussians there.
//!
//! hycome takes a graph and learns two things at once. Each node becomes a point of the Poincaré ball, the unit ball
//! with distances that grow without bound towards its surface, so that there is room for graphs that branch like
//! trees. Each community becomes a Gaussian of that space, with a centre and a width, so that each node has a probability
//! for each community. Points that meet on random walks attract each other, random others repel, and communities
//! gather their own.
//!
//! # A first community
//!
//! Zachary's karate club has 34 members, 78 friendships, and a quarrel that split it in two:
//!
//! ```
//! use hycome::{TrainConfig, Trainer, datasets, metrics};
//! use std::ops::ControlFlow;
//!
//! let club = datasets::builtin("karate").expect("karate is built in");
//! let karate = club.load();
//!
//! // Two walks from each node suffice for a club; the default is more.
//! let config = TrainConfig { communities: Some(2), walks: 2, ..TrainConfig::default() };
//! let mut trainer = Trainer::new(&karate.graph, config)?;
//! trainer.train(&mut |_progress| ControlFlow::Continue(()))?;
//! let run = trainer.into_run(karate.names);
//!
//! let responsibilities = run.responsibilities()?;     // a row for each node, adding up to one
//! let communities = responsibilities.communities();   // the largest of each row
//! println!("{} is in community {}", run.names.name(0), communities[0]);
//!
//! // The club's members are known to have gone one way or the other.
//! let truth = club.truth();
//! let scores = metrics::score(&karate.graph, &communities, 2, Some(truth.view()));
//! assert!(scores.precision_at_1 > Some(0.9) && scores.conductance < 0.2);
//! # Ok::<(), hycome::Error>(())
//! ```
//!
//! # In reading order
//!
//! **A graph comes in.** [`Graph`] is undirected and simple; its nodes are numbers from zero, and [`NodeNames`] remembers
//! what the outside calls them. [`Labels`] holds classes, if some are known. [`io::read_graph`] makes all three out of
//! whatever graphs are published in, [`datasets`] has four inside, and [`Graph::from_edges`] takes pairs.
//!
//! **It is trained.** [`TrainConfig`] has every setting with its default. [`Trainer`] makes the epochs, of four moves
//! each; [`train`] explains them and is where to start reading the code. On the way it tells its
//! [`Progress`](train::Progress) and can be stopped.
//!
//! **A run remains.** [`Run`] holds the [`Points`] of the nodes, the [mixture](mixture::Mixture) whose components
//! are the communities, the settings and an [`EpochReport`](train::EpochReport) per epoch. [`io::run_file`] saves and
//! loads it. [`Run::responsibilities`] gives the probability of each community for each node.
//!
//! **Communities are found anew or judged.** [`mixture::fit`] and [`mixture::kmeans()`] cluster any points of the ball, also
//! into another number of communities. [`metrics::score`] says how good communities are, [`metrics::warnings`] when
//! the sizes make them look better than they are.
//!
//! **Graphs are made to measure**, with known communities, degrees or points, by [`generate`].
//!
//! **Classes are learnt.** Where some nodes have labels, [`classify::fit`] learns to tell classes apart from the points, by any of
//! seven methods, and [`classify::cross_validate`] says how well that goes on nodes held out. [`io::model_file`] saves and
//! loads a classifier.
//!
//! **Other methods are trained to compare with**: a [`Geometry`](geometry::Geometry) other than the ball makes ComE, or the losses of
//! the ball without its curvature, of the same engine.
//!
//! **Many trainings are compared** by [`experiments`]: grids of settings, results that survive a crash, and the tables of
//! the paper beside what was measured.
//!
//! **Underneath** are the space itself ([`geometry::poincare`], with means in [`geometry::barycenter`]), the constants
//! of its Gaussian ([`special`]), walks and negative samples ([`sample`]), and generators of random numbers that are
//! addressed by what they are for ([`rng`]).
//!
//! # What it promises
//!
//! The same graph, settings and seed give the same bytes, on any number of threads. The library runs in the current
//! rayon pool, prints nothing, reads no environment and has one `unsafe` line, which maps graph files. Input, however strange, is an
//! [`Error`] and not a panic. Steps that would leave the ball are not made, and counted
//! ([`Run::dropped_steps`]).
//!
//! Communities are not nested, and a node's probabilities say how sure the mixture is, not in how many groups the
//! node is.

pub mod classify;
pub mod datasets;
pub mod error;
pub mod experiments;
pub mod generate;
pub mod geometry;
pub mod graph;
pub mod interrupt;
pub mod io;
pub mod json;
mod mapped;
pub mod metrics;
pub mod mixture;
pub mod plot;
pub mod points;
pub mod rng;
pub mod sample;
pub mod special;
pub mod train;

pub use error::{Error, Result};
pub use graph::{Graph, Labels, NodeId, NodeNames};
pub use points::Points;
pub use train::{Run, TrainConfig, Trainer};

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
