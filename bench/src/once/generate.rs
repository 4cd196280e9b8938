//! A graph of a given size, written as a graph file.

use std::path::{Path, PathBuf};

use hycome::generate::{Generated, LfrConfig, PowerLawConfig, lfr, power_law};
use hycome::io::{Limits, LoadedGraph, graph_file, read_graph_from_bytes};
use hycome::{Labels, NodeNames};
use serde::{Deserialize, Serialize};

use crate::clock::{Time, time};

/// Flags of `once generate`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    model: Model,
    /// The graph file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, clap::Subcommand)]
enum Model {
    /// Communities of unequal sizes among nodes of unequal degrees.
    Lfr(LfrConfig),
    /// Degrees that follow a power law.
    PowerLaw(PowerLawConfig),
}

/// What generating took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Communities it was made from; 0 if the model has none.
    pub communities: usize,
    /// Largest degree.
    pub largest_degree: usize,
    /// Making it.
    pub generate: Time,
    /// Writing it.
    pub save: Time,
    /// Bytes of the file.
    pub file: u64,
}

impl Options {
    /// Makes and writes.
    pub fn measure(&self) -> anyhow::Result<Generation> {
        let (generate, made) = time(|| match &self.model {
            Model::Lfr(config) => lfr(config),
            Model::PowerLaw(config) => power_law(config),
        });
        let made = made?;
        let communities = made.community_count;
        let loaded = loaded(made)?;
        let (save, saved) = time(|| graph_file::save(&loaded, &self.output));
        saved?;
        let graph = &loaded.graph;
        Ok(Generation {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            communities,
            largest_degree: graph.nodes().map(|node| graph.degree(node)).max().unwrap_or(0),
            generate,
            save,
            file: self.output.metadata()?.len(),
        })
    }
}

/// The graph as if it had been read: nodes called by their numbers, communities as labels.
fn loaded(made: Generated) -> anyhow::Result<LoadedGraph> {
    // Only reading makes such a value; the edge is replaced at once.
    let mut loaded = read_graph_from_bytes(Path::new("made.txt"), b"0 1\n".to_vec(), &Limits::default())?;
    let node_count = made.graph.node_count();
    loaded.names = NodeNames::numbered(0, node_count);
    loaded.rows = made.graph.edge_count();
    loaded.labels = (made.community_count > 0).then(|| {
        let names = (0..made.community_count).map(|community| community.to_string()).collect();
        Labels::from_lists(names, made.communities.iter().map(|&community| vec![community]).collect())
    });
    loaded.graph = made.graph;
    Ok(loaded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hycome::io::read_graph;

    #[test]
    fn a_made_graph_is_loaded_with_its_communities() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("made.hyg");
        let options = Options { model: Model::Lfr(LfrConfig::default()), output: output.clone() };
        let made = options.measure().unwrap();
        let loaded = read_graph(&output).unwrap();
        assert_eq!((made.nodes, made.edges), (loaded.graph.node_count(), loaded.graph.edge_count()));
        assert_eq!(loaded.labels.unwrap().used_class_count(), made.communities);
    }
}
