//! Shared numerics: point storage, random streams, special functions and the structure-of-arrays layout.

pub(crate) mod columns;
pub(crate) mod elementary;
pub(crate) mod points;
pub mod rng;
pub mod special;
