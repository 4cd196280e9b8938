//! Input files for other programs, so that all programs do the same work.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use hycome::NodeId;
use hycome::io::{graph_file, write_edges};

use crate::graphs::GraphOptions;
use crate::load::{number, write_lines};
use crate::single::{WalkBatch, WalkOptions, clusters, make_walks, start};

/// Flags of `export`.
#[derive(Debug, clap::Args)]
pub struct Export {
    #[command(subcommand)]
    content: Content,
    /// Output file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, clap::Subcommand)]
enum Content {
    /// Edge list: a line `u v` per edge, nodes numbered from 0.
    Edges {
        #[command(flatten)]
        graph: GraphOptions,
    },
    /// Graph file.
    Graph {
        #[command(flatten)]
        graph: GraphOptions,
    },
    /// Random walks: a line of nodes per walk.
    Corpus {
        #[command(flatten)]
        graph: GraphOptions,
        #[command(flatten)]
        plan: WalkOptions,
    },
    /// Edge list of random pairs, ten per node.
    Lines {
        /// Number of lines.
        #[arg(long, value_name = "N", default_value_t = 10_000_000)]
        lines: usize,
    },
    /// Points and initial means of the EM benchmark, as little-endian doubles.
    Points {
        /// Number of components.
        #[arg(long, value_name = "K", default_value_t = 5)]
        communities: usize,
    },
}

impl Export {
    /// Writes the file.
    pub fn run(&self) -> anyhow::Result<()> {
        let path = &self.output;
        match &self.content {
            Content::Edges { graph } => {
                let graph = graph.load()?.graph.unweighted();
                write(path, |file| write_edges(&graph, file))
            }
            Content::Graph { graph } => Ok(graph_file::save(&graph.load()?, path)?),
            Content::Corpus { graph, plan } => {
                let walks = make_walks(&graph.load()?.graph, *plan);
                write(path, |file| {
                    walks.iter().flat_map(WalkBatch::iter).try_for_each(|walk| write_walk(walk, file))
                })
            }
            Content::Lines { lines } => write_lines(path, *lines, number),
            Content::Points { communities } => {
                let points = clusters(*communities);
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
    fn each_walk_is_one_line() {
        let mut file = Vec::new();
        write_walk(&[3, 1, 4], &mut file).unwrap();
        assert_eq!(file, b"3 1 4\n");
    }
}
