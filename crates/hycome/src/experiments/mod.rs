//! Many trainings: what is asked of each, what came out, and what it says against the paper.
//!
//! | idea | file |
//! |---|---|
//! | [`Job`]: one training of one graph, and what is measured on it | `job.rs` |
//! | [`Grid`]: lists of settings, and every combination of them | `grid.rs` |
//! | [`Store`]: a line for each result, which a crash cannot spoil | `store.rs` |
//! | [`Group`]: results that differ in the seed only; the best of them | `groups.rs` |
//! | [`Sample`]: mean and deviation | `statistics.rs` |
//! | [`paper`]: the figures that the paper printed, and what counts as ahead of them | `paper.rs` |
//! | [`tables`]: the paper's tables, their rows and columns | `tables.rs` |
//! | [`Plan`]: what has to be trained for them, and the [`Cell`]s that come of it | `plan.rs`, `present.rs` |
//! | [`machine`], [`markdown`]: what a report says about itself, and how | |
//!
//! Nothing here starts threads or looks for graphs: a front end loads what [`Source`] names, calls
//! [`Job::measure`] as it likes, and puts each result into the store. A result depends on its job alone.

mod grid;
mod groups;
mod job;
pub mod machine;
pub mod markdown;
pub mod paper;
mod plan;
mod present;
mod statistics;
mod store;
pub mod tables;

pub use grid::Grid;
pub use groups::{Group, groups};
pub use job::{Classify, Job, Measured, Outcome, Record, Source, fingerprint, smaller_is_better};
pub use plan::{Cell, Plan, best};
pub use present::Present;
pub use statistics::Sample;
pub use store::Store;
