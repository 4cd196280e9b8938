//! Shared numerics: point storage, random streams, special functions and the column layout of vectorised loops.

pub(crate) mod columns;
pub(crate) mod elementary;
pub(crate) mod points;
pub mod rng;
pub mod special;
