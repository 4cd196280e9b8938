//! One module per subcommand; its `Args` are the flags and `run` does the work.

pub mod classify;
pub mod communities;
pub mod completions;
pub mod convert;
pub mod datasets;
pub mod embed;
pub mod evaluate;
pub mod figure;
pub mod generate;
pub mod info;
pub mod plot;
pub mod predict;
pub mod reproduce;
pub mod sweep;
