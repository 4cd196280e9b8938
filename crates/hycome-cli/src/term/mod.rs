//! Terminal output: results, messages, progress and their formatting.

pub mod output;
pub mod progress;
pub mod style;
pub mod summary;
