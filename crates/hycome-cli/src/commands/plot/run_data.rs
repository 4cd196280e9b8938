//! Runs with their graphs and labels, for plotting.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::plot::Scene;
use hycome::{Graph, Labels, NodeNames, Run};

use crate::Usage;
use crate::args::data_dir::DataOptions;
use crate::args::graph::{self, GraphOptions};
use crate::args::{labels, saved_run};
use crate::term::output::{self, shown};
use crate::term::progress::Bar;

/// Flags for graphs and labels; given once for all runs, or once per run.
#[derive(Debug, clap::Args)]
pub struct RunInputs {
    /// Graph of the run, for edges, degrees and scores; one for all runs, or one per run.
    #[arg(long, value_name = "GRAPH", help_heading = "Input")]
    pub graph: Vec<PathBuf>,
    /// Ground-truth labels: a label file, or a graph with labels. Overrides labels in the graph's file; one for all
    /// runs, or one per run.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub labels: Vec<PathBuf>,
    #[command(flatten)]
    pub data: DataOptions,
}

/// A run with its graph and labels, in the run's node order.
pub struct RunData {
    pub run: Run,
    pub title: String,
    pub graph: Option<Graph>,
    pub labels: Option<Labels>,
}

impl RunInputs {
    /// Loads the run at `index` of `runs`, with its graph and labels.
    pub fn of_run(&self, path: &Path, index: usize, runs: usize) -> anyhow::Result<RunData> {
        let run = saved_run::load(path)?;
        if run.config.geometry.is_euclidean() {
            bail!(
                "{}: plots show the Poincaré disc, and this run is Euclidean (geometry {}); train with --geometry \
                 poincare, or plot the points in run.safetensors with another program",
                shown(path),
                run.config.geometry.name(),
            );
        }
        let (graph, of_graph, name) = match per_run_arg(&self.graph, "graph", index, runs)? {
            Some(argument) => {
                let (graph, labels, name) = graph(argument, &run.names, path, &self.data)?;
                (Some(graph), labels, Some(name))
            }
            None => (None, None, None),
        };
        let labels = match per_run_arg(&self.labels, "labels", index, runs)? {
            Some(file) => Some(labels::load(file, &run.names, &self.data)?),
            None => of_graph,
        };
        let name = if runs == 1 { name } else { None };
        Ok(RunData { title: name.unwrap_or_else(|| title(path)), run, graph, labels })
    }
}

/// The argument for the run at `index`: the only one, or the one at the same index.
pub fn per_run_arg<'a>(
    given: &'a [PathBuf],
    flag: &str,
    index: usize,
    runs: usize,
) -> anyhow::Result<Option<&'a Path>> {
    match given {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        all if all.len() == runs => Ok(Some(&all[index])),
        all => bail!(Usage(format!(
            "--{flag} is given {} times for {runs} runs; give it once for all of them, or once per run",
            all.len()
        ))),
    }
}

impl RunData {
    /// The scene, with at most `max_edges` edges.
    pub fn scene(&self, max_edges: usize) -> hycome::Result<Scene> {
        Scene::compose(&self.run, &self.title, self.graph.as_ref(), self.labels.as_ref(), max_edges)
    }
}

/// Loads a graph, restricted to the run's nodes in the run's order, with its labels and name.
fn graph(
    argument: &Path,
    names: &NodeNames,
    run: &Path,
    data: &DataOptions,
) -> anyhow::Result<(Graph, Option<Labels>, String)> {
    let options = GraphOptions { unweighted: true, data: data.clone(), ..GraphOptions::default() };
    let loaded = graph::load(argument, &options, true, &Bar::new(false))?.loaded;
    if &loaded.names == names {
        return Ok((loaded.graph, loaded.labels, loaded.name));
    }
    let nodes = saved_run::find_nodes(names, &loaded.names, run, argument)?;
    let loaded = loaded.induced(&nodes);
    Ok((loaded.graph, loaded.labels, loaded.name))
}

/// Title of a run: its folder, without the suffix `-run` that `hycome embed` adds.
pub fn title(path: &Path) -> String {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let folder = folder.and_then(|folder| std::fs::canonicalize(folder).ok());
    let name = folder.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    output::file_name(name.strip_suffix("-run").filter(|name| !name.is_empty()).unwrap_or(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_the_folder_of_the_run() {
        let here = tempfile::tempdir().unwrap();
        let run = here.path().join("karate-run");
        std::fs::create_dir(&run).unwrap();
        assert_eq!(title(&run), "karate");
        assert_eq!(title(&run.join("run.safetensors")), "karate");
    }

    #[test]
    fn flags_are_given_once_or_per_run() {
        let (one, two) = ([PathBuf::from("a")], [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(per_run_arg(&[], "graph", 0, 3).unwrap(), None);
        assert_eq!(per_run_arg(&one, "graph", 2, 3).unwrap(), Some(Path::new("a")));
        assert_eq!(per_run_arg(&two, "graph", 1, 2).unwrap(), Some(Path::new("b")));
        assert!(per_run_arg(&two, "graph", 1, 3).is_err());
    }
}
