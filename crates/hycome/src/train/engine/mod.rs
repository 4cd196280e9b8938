//! Blocked parallel SGD on SIMD tiles: how pair updates are scheduled, laid out and computed.
//!
//! Nodes are partitioned into blocks, pairs into buckets that share no row, and buckets are trained in parallel without locks on rows
//! (Gemulla et al. 2011; Lerer et al. 2019). `README.md` beside this file explains the design.

pub(crate) mod bucket;
pub(crate) mod chunks;
pub(crate) mod euclidean;
pub(crate) mod kernel;
pub(crate) mod negative_sampler;
pub(crate) mod pair_index;
pub(crate) mod pair_update;
pub(crate) mod partition;
pub(crate) mod poincare;
pub(crate) mod scheduler;
pub(crate) mod table;
pub(crate) mod throttle;
pub(crate) mod tiled_rows;
