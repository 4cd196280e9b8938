//! Training: joint embedding of nodes and communities. Start reading here.
//!
//! An epoch has four training steps:
//!
//! | step | loss | reads and writes |
//! | --- | --- | --- |
//! | first-order, `objective/first_order.rs` | O₁: every edge | nodes |
//! | second-order, `objective/second_order.rs` | O₂: skip-gram on random walks, with negative samples | nodes and contexts |
//! | [EM](crate::mixture) | | reads nodes, replaces the mixture |
//! | community, `objective/community.rs` | O₃: every node | nodes, the mixture fixed |
//!
//! In two or three dimensions a short pre-training in ten finds the communities, and the points are initialized around them
//! (`initialization.rs`). The warm-up epochs take steps one and two only: a mixture fitted to points that have not
//! unfolded would hold them where they are. Meanwhile the curvature grows from one to its final value, and the learning rate decays over the
//! whole training (`schedule.rs`).
//!
//! All of this is for the Poincaré ball. In the Euclidean baselines points are initialized at random, there is no
//! curvature, and the steps are those of `engine/euclidean.rs`, `objective/first_order_line.rs` and [`crate::mixture::euclidean`].
//!
//! For pictures of more than two dimensions, a [`Trainer`] can add a layout in the disc (`layout.rs`).
//!
//! Small graphs get several random restarts (`restarts.rs`), and the one whose communities have the lowest conductance is kept.
//!
//! [`TrainConfig`] has the settings as given, [`ResolvedConfig`] as run; `TrainState` is what a [`Checkpoint`] stores, and
//! `training_run.rs` the loop over it. Inside, nodes are in a random order (the rows), partitioned into blocks that are trained in parallel
//! (`engine/`, which has a README); the result has the order of the graph.

#[doc(hidden)]
pub mod bench_support;
mod checkpoint;
mod config;
pub(crate) mod engine;
mod fingerprint;
pub(crate) mod initialization;
mod layout;
pub mod memory;
pub(crate) mod objective;
mod progress;
mod report;
mod resolved;
mod restarts;
mod run;
mod schedule;
mod settings;
mod snapshot;
mod state;
mod trainer;
mod training_run;
mod warnings;

pub use checkpoint::{Checkpoint, CheckpointPolicy};
pub use config::{NegativeSharing, TrainConfig};
pub use fingerprint::RunFingerprint;
pub use progress::ProgressCallback;
pub use report::{EpochReport, MixtureReport, Progress, RestartReport, Step, Timings};
pub use resolved::{GraphSize, ResolvedConfig};
pub use run::Run;
pub use settings::{SettingError, Settings};
pub use snapshot::Snapshot;
pub(crate) use state::{Cursor, TrainState};
pub use trainer::{TrainOutcome, Trained, Trainer};
pub use warnings::TrainWarning;
