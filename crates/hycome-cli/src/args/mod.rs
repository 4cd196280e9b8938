//! Arguments shared by several commands: flags, and the graphs, runs and settings they refer to.

pub mod checkpoint;
pub mod config_file;
pub mod data_dir;
pub mod graph;
pub mod labels;
pub mod memory_size;
pub mod output_format;
pub mod saved_run;
pub mod suggestion;
pub mod usage_error;
