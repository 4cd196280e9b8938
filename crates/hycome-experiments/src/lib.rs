//! Hyperparameter sweeps over [`hycome`], their result log, and the reproduction of the paper's tables.
//!
//! | module | content |
//! |---|---|
//! | `job.rs` | [`Job`]: one training run on one graph, with its evaluation [`Metrics`] |
//! | `grid.rs` | [`Grid`]: Cartesian product of lists of hyperparameters |
//! | `runner.rs` | [`Runner`]: parallel job runner |
//! | `result_log.rs` | [`ResultLog`]: append-only, crash-safe JSON Lines |
//! | `csv.rs` | [`to_csv`](csv::to_csv): results as CSV |
//! | `groups.rs` | [`Group`]: results aggregated over seeds |
//! | `seed_stats.rs` | [`SeedStats`]: mean and standard deviation over seeds |
//! | `paper.rs` | [`Reported`](paper::Reported): figures of the paper; [`Verdict`](paper::Verdict): comparison with them |
//! | `tables.rs` | [`PaperTable`](tables::PaperTable): rows and columns of the paper's tables |
//! | `dataset_summary.rs` | [`DatasetSummary`]: class counts and the majority-class baseline |
//! | `reproduction_plan.rs` | [`ReproductionPlan`]: the jobs that the tables need |
//! | `protocol.rs` | [`Protocol`]: hycome's defaults, or the grid and the fixed settings of the paper |
//! | `selection.rs` | [`Selection`]: hyperparameters selected by conductance, as in the paper |
//! | `differences.rs` | what differs from the experiments of the paper |
//! | `cells.rs` | [`Cell`]: a reported figure beside the measured one |
//! | `report.rs` | [`ReproductionReport`]: all cells, as Markdown and JSON |
//! | `markdown.rs` | [`MarkdownTable`](markdown::MarkdownTable) |
//!
//! The caller resolves a [`Source`] to a graph. The result of a job is a function of the job and the graph alone; it does
//! not depend on the number of threads.

mod cells;
pub mod csv;
mod dataset_summary;
mod differences;
mod grid;
mod groups;
mod job;
pub mod markdown;
pub mod paper;
mod protocol;
pub mod report;
mod reproduction_plan;
mod result_log;
mod runner;
mod seed_stats;
mod selection;
pub mod tables;

pub use cells::{Cell, ScoreOf, best};
pub use dataset_summary::DatasetSummary;
pub use grid::Grid;
pub use groups::{Group, groups};
pub use job::{Classify, Job, Metrics, Outcome, Record, Source, fingerprint, smaller_is_better};
pub use protocol::{Protocol, SEARCH_SEED};
pub use report::ReproductionReport;
pub use reproduction_plan::ReproductionPlan;
pub use result_log::{LineError, ResultLog, parse_records};
pub use runner::{JobOnGraph, Runner, RunnerError, RunnerProgress, validate};
pub use seed_stats::SeedStats;
pub use selection::Selection;
