//! `hycome datasets`: public graphs by name.

mod download;
mod get;

use std::fs::File;
use std::path::Path;

use anyhow::Context;
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use hycome::datasets::{Dataset, MANIFEST, PublishedFile, dataset};
use serde::Serialize;

use crate::args::data_dir::{DataOptions, get_command, inside};
use crate::term::output::{self, shown};
use crate::term::style::{self, count};
use crate::term::summary;

/// List and download public graphs.
///
/// Every command accepts the names as GRAPH, and uses their labels. Some graphs are built in; the files of others are
/// downloaded and verified by `get`, or provided in the data folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome datasets list
  hycome datasets get dblp
  hycome embed dblp --dim 10
  HYCOME_DATA=/my/data hycome info blogcatalog")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(ListArgs),
    Info(InfoArgs),
    Get(get::Args),
    Path(PathArgs),
}

/// List graphs with size, number of classes and availability.
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    data: DataOptions,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

/// Show details of a graph: citation, source, checksums.
#[derive(Debug, clap::Args)]
struct InfoArgs {
    /// Name of the graph.
    #[arg(value_name = "NAME", value_parser = names())]
    name: String,
    #[command(flatten)]
    data: DataOptions,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

/// Print the folder of downloaded graphs, or the path of a graph.
#[derive(Debug, clap::Args)]
struct PathArgs {
    /// Name of the graph.
    #[arg(value_name = "NAME", value_parser = names())]
    name: Option<String>,
    #[command(flatten)]
    data: DataOptions,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

/// Parser for dataset names.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(MANIFEST.iter().map(|dataset| dataset.name))
}

/// The dataset of a name accepted by [`names`].
pub fn known(name: &str) -> &'static Dataset {
    dataset(name).expect("the parser accepts known names only")
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List(args) => list(args),
        Action::Info(args) => info(args),
        Action::Get(args) => get::run(args),
        Action::Path(args) => path(args),
    }
}

/// A dataset, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    nodes: usize,
    edges: usize,
    communities: usize,
    multi_label: bool,
    citation: &'static str,
    licence: &'static str,
    built_in: bool,
    /// Whether it is built in or downloaded.
    present: bool,
    files: Vec<FileEntry>,
}

#[derive(Debug, Serialize)]
struct FileEntry {
    path: &'static str,
    urls: &'static [&'static str],
    bytes: Option<u64>,
    sha256: Option<&'static str>,
    state: FileState,
}

/// State of a published file in the data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum FileState {
    Absent,
    /// Exists; the checksum was not checked, or none is published.
    Present,
    /// Exists, with the published checksum.
    Verified,
    /// Exists, with another checksum.
    Differs,
}

impl Entry {
    /// `verify` computes checksums.
    fn new(dataset: &'static Dataset, folder: Option<&Path>, verify: bool) -> Self {
        let built_in = dataset.builtin().is_some();
        let state =
            |file: &PublishedFile| folder.map_or(FileState::Absent, |folder| state(file, folder, verify));
        Self {
            name: dataset.name,
            title: dataset.title,
            nodes: dataset.nodes,
            edges: dataset.edges,
            communities: dataset.communities,
            multi_label: dataset.multi_label,
            citation: dataset.citation,
            licence: dataset.licence,
            built_in,
            present: built_in || folder.is_some_and(|folder| dataset.find(folder).is_some()),
            files: dataset
                .files
                .iter()
                .map(|file| FileEntry {
                    path: file.path,
                    urls: file.urls,
                    bytes: file.bytes,
                    sha256: file.sha256,
                    state: state(file),
                })
                .collect(),
        }
    }

    fn availability(&self) -> &'static str {
        match (self.built_in, self.present) {
            (true, _) => "built in",
            (false, true) => "downloaded",
            (false, false) if self.files.iter().any(|file| file.sha256.is_none()) => {
                "not downloaded, no checksum"
            }
            (false, false) => "not downloaded",
        }
    }
}

fn state(file: &PublishedFile, folder: &Path, verify: bool) -> FileState {
    let Ok(found) = File::open(inside(folder, file.path)) else { return FileState::Absent };
    let Some(expected) = file.sha256.filter(|_| verify) else { return FileState::Present };
    match download::sum(&found) {
        Ok((_, sum)) if sum == expected => FileState::Verified,
        Ok(_) => FileState::Differs,
        Err(_) => FileState::Absent,
    }
}

fn list(args: &ListArgs) -> anyhow::Result<()> {
    let folder = args.data.folder();
    let entries: Vec<Entry> =
        MANIFEST.iter().map(|dataset| Entry::new(dataset, folder.as_deref(), false)).collect();
    if args.json {
        let version = env!("CARGO_PKG_VERSION");
        let report = serde_json::json!({ "version": version, "folder": folder, "datasets": entries });
        return output::print_json(&report);
    }
    let style = style::stdout();
    let header =
        format!("{:<12} {:>8} {:>10} {:>8}  {:<12} files", "name", "nodes", "edges", "classes", "labels");
    let mut text = format!("{}\n", style.heading(&header));
    for entry in &entries {
        text.push_str(&format!(
            "{:<12} {:>8} {:>10} {:>8}  {:<12} {}\n",
            entry.name,
            count(entry.nodes as u64),
            count(entry.edges as u64),
            entry.communities,
            if entry.multi_label { "multi-label" } else { "single" },
            entry.availability(),
        ));
    }
    output::print(&text)
}

fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let folder = args.data.folder();
    let entry = Entry::new(known(&args.name), folder.as_deref(), true);
    if args.json {
        return output::print_json(&entry);
    }
    let style = style::stdout();
    let mut text = String::new();
    let mut part = |heading: &str, lines: &[String]| summary::section(&mut text, style, heading, lines);
    let classes = if entry.multi_label { "multi-label" } else { "single-label" };
    part(
        entry.name,
        &[
            entry.title.to_owned(),
            format!("{} nodes, {} edges", count(entry.nodes as u64), count(entry.edges as u64)),
            format!("{} classes, {classes}", entry.communities),
        ],
    );
    part("cite", &[entry.citation.to_owned()]);
    part("licence", &[entry.licence.to_owned()]);
    for file in &entry.files {
        let size = file.bytes.map_or("unknown size".to_owned(), |bytes| format!("{} bytes", count(bytes)));
        let sum = file.sha256.map_or("SHA-256 unknown: downloads cannot be verified".to_owned(), |sum| {
            format!("SHA-256 {sum}")
        });
        let state = match (file.state, entry.built_in) {
            (_, true) => "not needed: the graph is built in",
            (FileState::Absent, _) => "not downloaded",
            (FileState::Present, _) => "downloaded",
            (FileState::Verified, _) => "downloaded, checksum verified",
            (FileState::Differs, _) => "downloaded, but its SHA-256 differs from the published one",
        };
        let mut lines = vec![format!("{}, {size}", file.path), sum];
        lines.extend(file.urls.iter().map(ToString::to_string));
        lines.push(state.to_owned());
        part("file", &lines);
    }
    if !entry.built_in {
        part("folder", &[folder.map_or("none".to_owned(), |folder| shown(&folder))]);
        let next = if entry.present {
            format!("hycome embed {}", entry.name)
        } else {
            get_command(&[known(entry.name)])
        };
        part("next", &[next]);
    }
    output::print(&text)
}

fn path(args: &PathArgs) -> anyhow::Result<()> {
    let folder = args.data.some_folder()?;
    let files = match &args.name {
        None => None,
        Some(name) => {
            let dataset = known(name);
            anyhow::ensure!(dataset.builtin().is_none(), "`{name}` is built in and has no file");
            Some(dataset.find(&folder).with_context(|| args.data.missing(dataset))?)
        }
    };
    if args.json {
        let (graph, labels) = files.map_or((None, None), |files| (Some(files.graph), files.labels));
        let report = serde_json::json!({ "folder": folder, "graph": graph, "labels": labels });
        return output::print_json(&report);
    }
    let path = files.map_or(folder, |files| files.graph);
    output::print(&format!("{}\n", path.display()))
}
