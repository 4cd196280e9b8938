//! Random sampling: weighted choice, random walks, negative samples.

mod alias;
mod negatives;
mod walks;

pub(crate) use alias::AliasTable;
pub(crate) use negatives::{NegativeSampler, negative_weight};
pub use walks::{INTERLEAVED_WALKS, InterleavedWalks, Walker};
