//! Benchmark graphs.

use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::datasets::dataset;
use hycome::io::LoadedGraph;
use hycome::{Graph, NodeId};

/// Environment variable with the folder of public graphs.
const DATA_VARIABLE: &str = "HYCOME_DATA";

/// Flag for the folder of public graphs.
#[derive(Debug, clap::Args)]
pub struct DataOptions {
    /// Folder of public graphs, such as dblp/Dblp.mat [default: $HYCOME_DATA, else data/ in the repository].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl DataOptions {
    /// The folder.
    pub fn folder(&self) -> PathBuf {
        let named = self.data.clone().or_else(|| std::env::var_os(DATA_VARIABLE).map(PathBuf::from));
        named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../data"))
    }
}

/// Flags for one graph.
#[derive(Debug, clap::Args)]
pub struct GraphOptions {
    /// Path of a graph, or name of a benchmark graph.
    #[arg(long, value_name = "GRAPH", default_value = "dblp")]
    graph: String,
    #[command(flatten)]
    data: DataOptions,
}

impl GraphOptions {
    /// Loads the graph.
    pub fn load(&self) -> anyhow::Result<LoadedGraph> {
        let path = Path::new(&self.graph);
        if path.is_file() {
            return Ok(hycome::io::read_graph(path)?);
        }
        let folder = self.data.folder();
        load(&self.graph, &folder)?
            .with_context(|| format!("the files of {} are not in {}", self.graph, folder.display()))
    }
}

/// Loads a benchmark graph with its labels; `None` if its file is missing. For `polblogs`, the largest component.
pub fn load(name: &str, folder: &Path) -> anyhow::Result<Option<LoadedGraph>> {
    let dataset = dataset(name).with_context(|| format!("unknown graph `{name}`"))?;
    let Some(mut loaded) = dataset.load(Some(folder))? else { return Ok(None) };
    if name == "polblogs" {
        let nodes = loaded.graph.largest_component();
        loaded = loaded.induced(&nodes);
    }
    loaded.labels.as_ref().with_context(|| format!("`{name}` has no labels to score against"))?;
    Ok(Some(loaded))
}

/// Substitute of the size of DBLP: 1,648 cliques of eight nodes in a ring, 13,184 nodes and 47,792 edges.
pub fn ring_of_cliques() -> Graph {
    const CLIQUES: NodeId = 1648;
    const SIZE: NodeId = 8;
    let inside = (0..CLIQUES).flat_map(|clique| {
        let first = clique * SIZE;
        (0..SIZE).flat_map(move |i| (0..i).map(move |j| (first + i, first + j)))
    });
    let ring = (0..CLIQUES).map(|clique| (clique * SIZE, (clique + 1) % CLIQUES * SIZE + 1));
    Graph::from_edges(inside.chain(ring))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ring_of_cliques_has_the_documented_size() {
        let graph = ring_of_cliques();
        assert_eq!((graph.node_count(), graph.edge_count()), (13_184, 47_792));
    }

    #[test]
    fn built_in_graphs_load_and_missing_files_are_none() {
        let nowhere = Path::new("there-is-no-such-folder");
        let polblogs = load("polblogs", nowhere).unwrap().expect("it is built in");
        assert_eq!(polblogs.graph.node_count(), 1222);
        assert!(load("dblp", nowhere).unwrap().is_none());
        assert!(load("facebook", nowhere).is_err());
    }
}
