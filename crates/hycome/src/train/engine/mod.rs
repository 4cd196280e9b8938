//! Blocked parallel SGD on SIMD tiles: how pair updates are scheduled, laid out and computed.
//!
//! Nodes are partitioned into blocks, pairs into buckets that share no row, and buckets are trained in parallel without locks on rows
//! (Gemulla et al. 2011; Lerer et al. 2019). `README.md` beside this file explains the design.

pub mod bucket;
pub mod chunks;
pub mod euclidean;
pub mod kernel;
pub mod negative_sampler;
pub mod pair_index;
pub mod pair_update;
pub mod partition;
pub mod poincare;
pub mod scheduler;
pub mod table;
pub mod throttle;
pub mod tiled_rows;
