//! Every parser of hycome as a function of any bytes.
//!
//! A target reads bytes through the library's public functions, with tight limits, and if they are accepted checks the laws
//! of what came out: a graph is symmetric, sorted and without loops, what is written again is read again as the same, a
//! run is finite. A refusal is as good as a result; only a panic, a law that does not hold, too much memory or too much
//! time is a find.
//!
//! | file | holds |
//! |---|---|
//! | `graphs.rs` | edge lists, tables, headers, bipartite lists, formats that are refused, GML, Matrix Market, MATLAB, CSV folders, and streams that are compressed |
//! | `labels.rs` | label files |
//! | `files.rs` | our own files: graph, run, checkpoint, model, history |
//! | `settings.rs` | TOML settings |
//! | `mend.rs` | makes a file of ours whole, so that a change of its header is not refused for the checksum alone |
//! | `seeds.rs` | sound inputs to start from; `words.rs`: what the formats are made of |
//! | `mutate.rs` | changes of inputs, for the short run |
//!
//! `tests/short.rs` is the short run that every `cargo test` makes. `fuzz/run` fuzzes for as long as you like, guided by
//! coverage, and its figures are in `docs/benchmarks/fuzzing.md`.

mod files;
mod graphs;
mod labels;
mod mend;
pub mod mutate;
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

/// A parser and its laws; it panics where one does not hold.
pub type Target = fn(&[u8]);

/// Every target by its name.
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
