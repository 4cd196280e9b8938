//! Loading a graph from any file.

use std::path::PathBuf;

use hycome::io::read_graph;
use serde::{Deserialize, Serialize};

use super::ThreadOptions;
use crate::clock::{Time, time};

/// Flags of `single load`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The file.
    file: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// Measurement of loading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loading {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Number of threads.
    pub threads: usize,
    /// Time of loading.
    pub load: Time,
}

impl Options {
    /// Loads the file.
    pub fn measure(&self) -> anyhow::Result<Loading> {
        let pool = self.threads.pool()?;
        let (load, loaded) = time(|| pool.install(|| read_graph(&self.file)));
        let graph = loaded?.graph;
        let (nodes, edges) = (graph.node_count(), graph.edge_count());
        Ok(Loading { nodes, edges, threads: self.threads.count(), load })
    }
}
