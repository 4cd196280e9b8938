//! Fuzz targets: every parser of hycome as a function of arbitrary bytes.
//!
//! A target parses bytes through the public API, with tight limits, and checks the invariants of accepted input: a
//! graph is symmetric, sorted and without self-loops, a round trip gives an equal value, a run is finite. Rejecting the
//! input is correct; a panic, a violated invariant, excessive memory or excessive time is a finding.
//!
//! | file | content |
//! |---|---|
//! | `graphs.rs` | edge lists, tables, headers, bipartite lists, GML, Matrix Market, MATLAB, CSV folders, compression |
//! | `labels.rs` | label files |
//! | `files.rs` | files that hycome writes: graph, run, checkpoint, model, history |
//! | `settings.rs` | TOML settings |
//! | `repair.rs` | repairs lengths, offsets and checksum of a mutated file, so that the code behind them runs |
//! | `seeds.rs`, `words.rs` | seed corpus; dictionary of keywords and extreme numbers |
//! | `mutate.rs` | mutations of inputs, for the short run |
//!
//! `tests/short.rs` is the short run, part of every `cargo test`. `fuzz/run` runs libFuzzer, guided by coverage, for any
//! length of time; its results are in `docs/benchmarks/fuzzing.md`.

mod files;
mod graphs;
mod labels;
pub mod mutate;
mod repair;
pub mod seeds;
mod settings;
pub mod words;

pub use files::{checkpoint, graph_file, history, model, run};
pub use graphs::{
    bipartite, csv_folder, edge_list, edge_table, foreign, gml, gzip, header, matlab, matrix_market,
    zstandard,
};
pub use labels::{label_table, labels};
pub use settings::settings;

/// A parser and its invariants; panics if one is violated.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 19] = [
    ("edge_list", edge_list),
    ("edge_table", edge_table),
    ("header", header),
    ("bipartite", bipartite),
    ("foreign", foreign),
    ("gml", gml),
    ("matrix_market", matrix_market),
    ("matlab", matlab),
    ("csv_folder", csv_folder),
    ("gzip", gzip),
    ("zstandard", zstandard),
    ("labels", labels),
    ("label_table", label_table),
    ("graph_file", graph_file),
    ("run", run),
    ("checkpoint", checkpoint),
    ("model", model),
    ("history", history),
    ("settings", settings),
];
