//! From what was typed to a graph: a known name, a file, a folder or standard input.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::datasets::{self, dataset};
use hycome::graph::RepeatedEdges;
use hycome::io::{
    LabelOptions, LoadedGraph, LoadedLabels, ReadNote, ReadOptions, read_graph_with, read_labels_with,
};
use serde::{Deserialize, Serialize};

use crate::data::DataOptions;
use crate::output::{escaped, say};
use crate::runs;

/// Flags that say what of a graph is used.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct GraphOptions {
    /// Classes of the nodes, to count communities and to score against: lines `node label [label …]`, a table of two
    /// columns or with a header, or one label per line in the order of the nodes. Replaces labels inside the graph's file.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub labels: Option<PathBuf>,
    /// Keep only the largest connected component.
    #[arg(long, help_heading = "Input")]
    pub largest_component: bool,
    /// Let every edge weigh the same, whatever weights the file gives.
    #[arg(long, help_heading = "Input")]
    pub unweighted: bool,
    /// Whether there may be nearly as many classes as nodes; otherwise a column of ids was taken for labels.
    #[arg(skip)]
    #[serde(default)]
    pub many_classes: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub data: DataOptions,
}

/// Flags that say how a graph is read.
#[derive(Clone, Copy, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct ReadingOptions {
    /// How weights of repeated edges are combined; without weights, `sum` counts the rows [default: sum, and max for
    /// the graphs known by name].
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Input")]
    #[serde(default = "before_there_was_a_choice")]
    pub repeated: Option<RepeatedEdges>,
    /// The first line of an edge list is a header, whatever it looks like.
    #[arg(long, help_heading = "Input")]
    #[serde(default)]
    pub header: bool,
    /// The first line of an edge list is an edge, whatever it looks like.
    #[arg(long, help_heading = "Input", conflicts_with = "header")]
    #[serde(default)]
    pub no_header: bool,
}

/// What checkpoints mean that do not say how repeated edges were combined.
fn before_there_was_a_choice() -> Option<RepeatedEdges> {
    Some(RepeatedEdges::Max)
}

impl ReadingOptions {
    /// The flags that read a graph this way again.
    pub fn flags(&self) -> String {
        let mut flags = self.repeated.map_or(String::new(), |repeated| format!(" --repeated {repeated}"));
        flags.push_str(if self.header { " --header" } else { "" });
        flags.push_str(if self.no_header { " --no-header" } else { "" });
        flags
    }

    /// The same for the library.
    pub fn read_options(&self) -> ReadOptions {
        let header = (self.header || self.no_header).then_some(self.header);
        ReadOptions { repeated: self.repeated.unwrap_or_default(), header, ..ReadOptions::default() }
    }
}

/// A graph that is ready for use, and what it was called.
#[derive(Debug)]
pub struct Input {
    pub loaded: LoadedGraph,
    /// Nodes before only the largest component was kept.
    pub nodes_before: usize,
    /// What a known graph shows.
    pub title: Option<&'static str>,
}

/// Loads the graph that `argument` names.
pub fn load(argument: &Path, options: &GraphOptions, quiet: bool) -> anyhow::Result<Input> {
    let both_standard_input = argument == Path::new("-") && options.labels.as_deref() == Some(argument);
    if both_standard_input {
        bail!(crate::Usage("graph and labels cannot both come from standard input".into()));
    }
    runs::refuse(argument)?;
    let (mut loaded, title) = match named(argument, &options.data, &options.reading)? {
        Some((loaded, title)) => (loaded, Some(title)),
        None => (read_graph_with(argument, &options.reading.read_options())?, None),
    };
    if !quiet {
        tell(&loaded);
    }
    if let Some(path) = &options.labels {
        let read =
            read_labels_with(path, &loaded.names, &LabelOptions { many_classes: options.many_classes })?;
        if !quiet {
            tell_labels(&read);
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
        loaded.graph = loaded.graph.induced(&nodes);
        loaded.names = loaded.names.subset(&nodes);
        loaded.labels = loaded.labels.map(|labels| labels.subset(&nodes));
    }
    if argument == Path::new("-") {
        loaded.name = "stdin".to_owned();
    }
    Ok(Input { loaded, nodes_before, title })
}

/// Says how a graph was read: which columns, and what was guessed, merged or left out.
pub fn tell(loaded: &LoadedGraph) {
    if let Some(columns) = &loaded.columns {
        say(&format!("reads: {columns}"));
    }
    tell_notes(&loaded.notes);
}

/// Says how labels were read.
pub fn tell_labels(loaded: &LoadedLabels) {
    if let Some(columns) = &loaded.columns {
        say(&format!("reads labels: {columns}"));
    }
    tell_notes(&loaded.notes);
}

/// Says what a reader noticed.
pub fn tell_notes(notes: &[ReadNote]) {
    notes.iter().for_each(|note| say(&format!("note: {note}")));
}

/// What a reader noticed, for `--json`.
pub fn note_texts(notes: &[ReadNote]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

/// The graph of this name with its labels, and what it shows; none if `argument` is a file.
///
/// A name comes before a file, which can be written with its folder. Fails with the names there are if something that
/// looks like a name is none, and with what to do if the graph was not downloaded.
pub fn named(
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
        say(&format!("note: `{name}` is the {kind} graph; write ./{name} for the file or folder here"));
    }
    Ok(Some((loaded, dataset.title)))
}

/// Fails with the names there are if something that looks like a name is none.
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
        "no file is called `{name}`, nor a graph that hycome knows ({}){}",
        names.join(", "),
        near.unwrap_or_default()
    );
}

/// The candidate that differs least, if it differs little.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    let (distance, candidate) = candidates.map(|other| (edit_distance(&word, other), other)).min()?;
    (3 * distance <= candidate.len().max(3)).then_some(candidate)
}

/// Letters to insert, remove or replace to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["karate", "football", "learning_rate"];
        assert_eq!(nearest("karat", names.into_iter()), Some("karate"));
        assert_eq!(nearest("fotbal", names.into_iter()), Some("football"));
        assert_eq!(nearest("Learning-Rate", names.into_iter()), Some("learning_rate"));
        assert_eq!(nearest("dblp", names.into_iter()), None);
    }

    #[test]
    fn edit_distance_counts_letters() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
    }
}
