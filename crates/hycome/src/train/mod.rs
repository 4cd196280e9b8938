//! Training.
pub mod blocks;
pub mod config;
pub mod kernel;
pub mod lanes;
pub mod second_order;
pub mod table;
