//! hycome's file formats: safetensors with metadata and a checksum, one module per kind of file.

pub mod checkpoint;
pub(crate) mod container;
pub mod graph;
pub mod history;
pub mod model;
pub mod run;
