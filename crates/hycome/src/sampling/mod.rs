//! Random sampling: weighted choice, random walks, negative samples.

mod alias;
mod negatives;
mod walks;

pub use alias::AliasTable;
pub use negatives::{NegativeSampler, negative_weight};
pub use walks::{INTERLEAVED_WALKS, InterleavedWalks, Walker};
