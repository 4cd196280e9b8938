//! GRAPH arguments: the name of a dataset, a file, a folder or standard input.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::NodeNames;
use hycome::datasets::{self, dataset};
use hycome::graph::RepeatedEdges;
use hycome::io::{
    LabelOptions, LoadedGraph, LoadedLabels, ReadCallback, ReadNote, ReadOptions, read_graph_with_progress,
    read_labels_with_progress,
};
use serde::{Deserialize, Serialize};

use crate::args::data_dir::DataOptions;
use crate::args::saved_run;
use crate::args::suggestion::nearest;
use crate::term::output::{escaped, notify, shown};
use crate::term::progress::Bar;

/// Flags for the graph and its labels.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct GraphOptions {
    /// Ground-truth labels of the nodes: lines `node label [label …]`, a table with two columns or a header, or one
    /// label per line in node order. Overrides labels in the graph's file.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub labels: Option<PathBuf>,
    /// Keep only the largest connected component.
    #[arg(long, help_heading = "Input")]
    pub largest_component: bool,
    /// Ignore edge weights.
    #[arg(long, help_heading = "Input")]
    pub unweighted: bool,
    /// Accept nearly as many classes as nodes, which otherwise indicates a column of ids.
    #[arg(skip)]
    #[serde(default)]
    pub many_classes: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub data: DataOptions,
}

/// Flags for parsing an edge list.
#[derive(Clone, Copy, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct ReadingOptions {
    /// How to combine the weights of repeated edges; without weights, `sum` counts the rows [default: sum; max for
    /// datasets given by name].
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Input")]
    #[serde(default = "repeated_in_old_checkpoints")]
    pub repeated: Option<RepeatedEdges>,
    /// Treat the first line of an edge list as a header.
    #[arg(long, help_heading = "Input")]
    #[serde(default)]
    pub header: bool,
    /// Treat the first line of an edge list as an edge.
    #[arg(long, help_heading = "Input", conflicts_with = "header")]
    #[serde(default)]
    pub no_header: bool,
}

/// Value for checkpoints from before the flag existed.
fn repeated_in_old_checkpoints() -> Option<RepeatedEdges> {
    Some(RepeatedEdges::Max)
}

impl ReadingOptions {
    /// These options as flags.
    pub fn flags(&self) -> String {
        let mut flags = self.repeated.map_or(String::new(), |repeated| format!(" --repeated {repeated}"));
        flags.push_str(if self.header { " --header" } else { "" });
        flags.push_str(if self.no_header { " --no-header" } else { "" });
        flags
    }

    /// These options for the library.
    pub fn read_options(&self) -> ReadOptions {
        let header = (self.header || self.no_header).then_some(self.header);
        ReadOptions { repeated: self.repeated.unwrap_or_default(), header, ..ReadOptions::default() }
    }
}

/// A loaded graph.
#[derive(Debug)]
pub struct Input {
    pub loaded: LoadedGraph,
    /// Number of nodes before the restriction to the largest component.
    pub nodes_before: usize,
    /// Title of a dataset.
    pub title: Option<&'static str>,
}

/// Loads the graph given by `argument`, with progress on `bar`.
pub fn load(argument: &Path, options: &GraphOptions, quiet: bool, bar: &Bar) -> anyhow::Result<Input> {
    let both_standard_input = argument == Path::new("-") && options.labels.as_deref() == Some(argument);
    if both_standard_input {
        bail!(crate::Usage("graph and labels cannot both come from standard input".into()));
    }
    saved_run::refuse(argument)?;
    let (mut loaded, title) = match load_dataset(argument, &options.data, &options.reading)? {
        Some((loaded, title)) => (loaded, Some(title)),
        None => (read_graph(argument, &options.reading, bar)?, None),
    };
    if !quiet {
        report_columns(&loaded);
    }
    if let Some(path) = &options.labels {
        let many_classes = options.many_classes;
        let read = read_labels(path, &loaded.names, &LabelOptions { many_classes }, bar)?;
        if !quiet {
            report_labels(&read);
        }
        loaded.labels = Some(read.labels);
        loaded.notes.extend(read.notes);
    }
    if options.unweighted {
        loaded.graph = std::mem::take(&mut loaded.graph).unweighted();
    }
    let nodes_before = loaded.graph.node_count();
    if options.largest_component {
        let nodes = loaded.graph.largest_component();
        loaded = loaded.induced(&nodes);
    }
    if argument == Path::new("-") {
        loaded.name = "stdin".to_owned();
    }
    Ok(Input { loaded, nodes_before, title })
}

/// A path for messages; `-` is standard input.
pub fn display_name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { shown(path) }
}

/// Reads a graph from a file or folder, with progress on `bar`.
pub fn read_graph(path: &Path, reading: &ReadingOptions, bar: &Bar) -> hycome::Result<LoadedGraph> {
    let name = display_name(path);
    read_graph_with_progress(
        path,
        &reading.read_options(),
        ReadCallback::new(&|progress| bar.read(&name, progress)),
    )
}

/// Reads labels from a file, with progress on `bar`.
pub fn read_labels(
    path: &Path,
    names: &NodeNames,
    options: &LabelOptions,
    bar: &Bar,
) -> hycome::Result<LoadedLabels> {
    let name = display_name(path);
    read_labels_with_progress(path, names, options, ReadCallback::new(&|progress| bar.read(&name, progress)))
}

/// Reports how a graph was read: its columns, and what was guessed, merged or ignored.
pub fn report_columns(loaded: &LoadedGraph) {
    if let Some(columns) = &loaded.columns {
        notify(&format!("reads: {columns}"));
    }
    report_notes(&loaded.notes);
}

/// Reports how labels were read.
pub fn report_labels(loaded: &LoadedLabels) {
    if let Some(columns) = &loaded.columns {
        notify(&format!("reads labels: {columns}"));
    }
    report_notes(&loaded.notes);
}

/// Reports the notes of a reader.
pub fn report_notes(notes: &[ReadNote]) {
    note_texts(notes).iter().for_each(|note| notify(&format!("note: {note}")));
}

/// The notes of a reader, for `--json`.
pub fn note_texts(notes: &[ReadNote]) -> Vec<String> {
    let text = |note: &ReadNote| match note.parameter() {
        Some(parameter) => note.to_string().replace(&format!("`{parameter}`"), &format!("--{parameter}")),
        None => note.to_string(),
    };
    notes.iter().map(text).collect()
}

/// Loads the dataset of this name, with its labels and title; none if `argument` is a file.
///
/// A dataset takes precedence over a file of the same name, which can be given as `./NAME`. Fails if the dataset was
/// not downloaded, and for a word that is neither a dataset nor a file.
pub fn load_dataset(
    argument: &Path,
    data: &DataOptions,
    reading: &ReadingOptions,
) -> anyhow::Result<Option<(LoadedGraph, &'static str)>> {
    let Some(dataset) = argument.to_str().and_then(dataset) else {
        refuse_unknown(argument)?;
        return Ok(None);
    };
    let name = dataset.name;
    let folder = data.folder();
    let loaded = match reading.repeated {
        Some(repeated) => dataset.load_with(folder.as_deref(), repeated)?,
        None => dataset.load(folder.as_deref())?,
    };
    let Some(loaded) = loaded else {
        anyhow::ensure!(argument.exists(), "{}", data.missing(dataset));
        return Ok(None);
    };
    if argument.exists() {
        let kind = if dataset.builtin().is_some() { "built-in" } else { "downloaded" };
        notify(&format!("note: `{name}` is the {kind} dataset; use ./{name} for the file or folder"));
    }
    Ok(Some((loaded, dataset.title)))
}

/// Fails with the available names if a word is neither a dataset nor a file.
fn refuse_unknown(argument: &Path) -> anyhow::Result<()> {
    let Some(name) = argument.to_str() else { return Ok(()) };
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' '));
    if argument.exists() || !is_word {
        return Ok(());
    }
    let names: Vec<&str> = datasets::MANIFEST.iter().map(|dataset| dataset.name).collect();
    let near = nearest(name, names.iter().copied()).map(|near| format!("; did you mean {near}?"));
    let name = escaped(name);
    bail!(
        "no file or dataset is named `{name}`; datasets are {}{}",
        names.join(", "),
        near.unwrap_or_default()
    );
}
