//! Generating a graph and writing it as a graph file.

use std::path::PathBuf;

use hycome::generate::{LfrConfig, PowerLawConfig, lfr, power_law};
use hycome::io::graph_file;
use serde::{Deserialize, Serialize};

use crate::clock::{Time, time};

/// Flags of `single generate`.
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
    /// LFR benchmark graph.
    Lfr(LfrConfig),
    /// Power-law degrees, no communities.
    PowerLaw(PowerLawConfig),
}

/// Measurement of graph generation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Generated communities; 0 if the model has none.
    pub communities: usize,
    /// Largest degree.
    pub largest_degree: usize,
    /// Time of the generation.
    pub generate: Time,
    /// Time of writing the file.
    pub save: Time,
    /// File size in bytes.
    pub file: u64,
}

impl Options {
    /// Generates and writes the graph.
    pub fn measure(&self) -> anyhow::Result<Generation> {
        let (generate, made) = time(|| match &self.model {
            Model::Lfr(config) => lfr(config),
            Model::PowerLaw(config) => power_law(config),
        });
        let made = made?;
        let communities = made.community_count;
        let loaded = made.loaded("made");
        drop(made);
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

#[cfg(test)]
mod tests {
    use super::*;
    use hycome::io::read_graph;

    #[test]
    fn generated_communities_survive_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("made.hyg");
        let options = Options { model: Model::Lfr(LfrConfig::default()), output: output.clone() };
        let made = options.measure().unwrap();
        let loaded = read_graph(&output).unwrap();
        assert_eq!((made.nodes, made.edges), (loaded.graph.node_count(), loaded.graph.edge_count()));
        assert_eq!(loaded.labels.unwrap().used_class_count(), made.communities);
    }
}
