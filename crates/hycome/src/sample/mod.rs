//! Drawing: weighted choices, random walks, negative samples.

mod alias;
mod noise;
mod walk;

pub use alias::AliasTable;
pub use noise::{NoiseSampler, noise_weight};
pub use walk::{ABREAST, Together, Walker};
