//! hycome: graphs as points of hyperbolic space, and communities as Gaussians there.

pub mod datasets;
pub mod error;
pub mod geometry;
pub mod graph;
pub mod io;
pub mod metrics;
pub mod mixture;
pub mod points;
pub mod rng;
pub mod sample;
pub mod special;
pub mod train;

pub use error::{Error, Result};
pub use graph::{Graph, Labels, NodeId, NodeNames};
pub use points::Points;
pub use train::{Run, TrainConfig, Trainer};
