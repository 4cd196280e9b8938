//! Loading a graph from any file.

use std::path::PathBuf;

use hycome::io::read_graph;
use serde::{Deserialize, Serialize};

use super::ThreadOptions;
use crate::clock::{Time, time};

/// Flags of `once load`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The file.
    file: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// What loading took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loading {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Threads.
    pub threads: usize,
    /// Loading it.
    pub load: Time,
}

impl Options {
    /// Loads.
    pub fn measure(&self) -> anyhow::Result<Loading> {
        let pool = self.threads.pool()?;
        let (load, loaded) = time(|| pool.install(|| read_graph(&self.file)));
        let graph = loaded?.graph;
        let (nodes, edges) = (graph.node_count(), graph.edge_count());
        Ok(Loading { nodes, edges, threads: self.threads.count(), load })
    }
}
