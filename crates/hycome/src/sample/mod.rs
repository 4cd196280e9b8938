//! Drawing: weighted choices, random walks, negative samples.

mod alias;
mod noise;
mod walk;

pub use alias::AliasTable;
pub use noise::NoiseSampler;
pub use walk::Walker;
