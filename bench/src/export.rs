//! Files that other programs read, so that they and we have the same work.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use hycome::NodeId;
use hycome::io::{graph_file, write_edges};

use crate::graphs::GraphOptions;
use crate::load::{number, write_lines};
use crate::once::{WalkPlan, Walks, heaps, make_walks, start};

/// Flags of `export`.
#[derive(Debug, clap::Args)]
pub struct Export {
    #[command(subcommand)]
    what: What,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// A graph: a line `u v` for each edge, nodes numbered from 0.
    Edges {
        #[command(flatten)]
        graph: GraphOptions,
    },
    /// A graph as a graph file.
    Graph {
        #[command(flatten)]
        graph: GraphOptions,
    },
    /// Random walks: a line of nodes for each.
    Corpus {
        #[command(flatten)]
        graph: GraphOptions,
        #[command(flatten)]
        plan: WalkPlan,
    },
    /// An edge list of random pairs between a tenth as many nodes.
    Lines {
        /// Lines.
        #[arg(long, value_name = "N", default_value_t = 10_000_000)]
        lines: usize,
    },
    /// What EM is measured on: coordinates of the points, then of the means it starts from, as little-endian doubles.
    Points {
        /// Number of components.
        #[arg(long, value_name = "K", default_value_t = 5)]
        communities: usize,
    },
}

impl Export {
    /// Writes.
    pub fn run(&self) -> anyhow::Result<()> {
        let path = &self.output;
        match &self.what {
            What::Edges { graph } => {
                let graph = graph.load()?.graph.unweighted();
                write(path, |file| write_edges(&graph, file))
            }
            What::Graph { graph } => Ok(graph_file::save(&graph.load()?, path)?),
            What::Corpus { graph, plan } => {
                let walks = make_walks(&graph.load()?.graph, *plan);
                write(path, |file| {
                    walks.iter().flat_map(Walks::iter).try_for_each(|walk| write_walk(walk, file))
                })
            }
            What::Lines { lines } => write_lines(path, *lines, number),
            What::Points { communities } => {
                let points = heaps(*communities);
                let means = start(&points, *communities)?.means;
                let mut coordinates = points.rows().chain(means.rows()).flatten();
                write(path, |file| coordinates.try_for_each(|x| file.write_all(&x.to_le_bytes())))
            }
        }
    }
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    fill(&mut file)?;
    Ok(file.flush()?)
}

fn write_walk(walk: &[NodeId], file: &mut dyn Write) -> io::Result<()> {
    let nodes: Vec<String> = walk.iter().map(NodeId::to_string).collect();
    writeln!(file, "{}", nodes.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_is_a_line_of_numbers() {
        let mut file = Vec::new();
        write_walk(&[3, 1, 4], &mut file).unwrap();
        assert_eq!(file, b"3 1 4\n");
    }
}
