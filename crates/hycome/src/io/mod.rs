//! Reading graphs and labels, and writing results atomically.
//!
//! [`read_graph`] reads edge lists, GML, Matrix Market, MATLAB 5 files and the CSV folders of BlogCatalog and Flickr,
//! compressed or not. The format is detected from the extension or from the content. The result is a [`LoadedGraph`]:
//! undirected, simple, with counts of removed and merged edges. [`graph_file::save`] writes it as a graph file, which is
//! memory-mapped when it is read.
//!
//! Invalid input gives an error with its position, never a panic; a size in a file is compared with the bytes that are
//! there before memory of that size is allocated.
//!
//! | folder | contents |
//! |---|---|
//! | `formats/` | input formats: detection and one parser each |
//! | `files/` | the library's own files: run, model, history, checkpoint, graph |
//! | `atomic_file`, `transaction`, `temporary`, `disk`, `target` | writing: atomic replacement of one or several files |
//! | `input`, `compression`, `decompress`, `limits`, `progress` | reading: bytes of a file or stream, within limits |

mod atomic_file;
mod compression;
#[cfg(feature = "formats")]
mod decompress;
mod disk;
mod files;
mod formats;
mod input;
mod limits;
mod progress;
mod read;
mod target;
mod temporary;
mod transaction;
mod write;
mod write_edges;

pub use atomic_file::AtomicFile;
pub use disk::sync_folder;
pub use files::{
    checkpoint as checkpoint_file, graph as graph_file, history as history_file, model as model_file,
    run as run_file,
};
pub use formats::detect::is_unsupported;
pub use formats::labels::detect::looks_like_labels;
pub use formats::labels::standalone::{LabelFile, read_label_file_from_bytes};
pub use formats::labels::{
    LabelOptions, LoadedLabels, read_labels, read_labels_from_bytes, read_labels_with,
    read_labels_with_progress,
};
pub use input::read_bytes;
pub use limits::Limits;
pub use progress::{ReadCallback, ReadProgress, ReadStep};
pub use read::{ReadOptions, read_graph, read_graph_from_bytes, read_graph_with, read_graph_with_progress};
pub use target::is_stream;
pub use temporary::open_without_links;
pub use transaction::{commit, recover_folder};
pub use write::{stage, write_communities, write_edges};
pub use write_edges::{EdgeFormat, stage_edges};

pub use crate::graph::{ColumnsRead, LoadedGraph, ReadNote};
