//! The files of `hycome generate`: edges, labels, and what the graph was made from.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use hycome::generate::Generated;
use hycome::io::{
    EdgeFormat, StagedFile, commit, graph_file, is_stream, stage, stage_edges, write_communities, write_edges,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::convert::Format;
use crate::output::{self, shown};
use crate::{Usage, formats, interrupt};

/// What a model made.
pub struct Made {
    pub generated: Generated,
    pub config: Value,
    /// What the graph was made from, beyond communities.
    pub truth: Option<Value>,
}

impl Made {
    pub fn new(generated: Generated, config: &impl Serialize) -> Self {
        Self { generated, config: json!(config), truth: None }
    }
}

/// Where everything goes.
#[derive(Debug, Serialize)]
pub struct Files {
    pub edges: PathBuf,
    pub labels: Option<PathBuf>,
    pub truth: Option<PathBuf>,
}

/// `path` with its endings replaced: `a/b.edges.gz` becomes `a/b.labels`. Nothing is beside standard output or a device.
pub fn beside(path: &Path, ending: &str) -> Option<PathBuf> {
    if path == Path::new("-") || is_stream(path) {
        return None;
    }
    let compressed = path.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
    let plain = if compressed { path.with_extension("") } else { path.to_path_buf() };
    Some(plain.with_extension(ending))
}

impl Files {
    /// The paths of files, with the flags that gave them.
    pub fn paths(&self) -> Vec<(&'static str, &Path)> {
        let more = [("--labels-out", &self.labels), ("--truth-out", &self.truth)];
        let more = more.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?)));
        std::iter::once(("--output", self.edges.as_path())).chain(more).collect()
    }

    /// Fails if the files could not be written: better now than after the work.
    pub fn check(&self, json: bool) -> anyhow::Result<()> {
        let paths = self.paths();
        for (i, &(flag, path)) in paths.iter().enumerate() {
            if path == Path::new("-") {
                ensure!(
                    i == 0,
                    Usage(format!("{flag} must be a file, but is -; only edges can go to standard output"))
                );
                ensure!(
                    !json,
                    Usage("--json and --output - both need standard output; give --output a file".into())
                );
                continue;
            }
            if let Some((other, _)) = paths[..i].iter().find(|(_, before)| before == &path) {
                bail!(Usage(format!(
                    "{flag} and {other} must be different files, but both are {}",
                    shown(path)
                )));
            }
        }
        for (flag, path) in paths.into_iter().filter(|(_, path)| *path != Path::new("-")) {
            match flag {
                "--output" => graph_format(path).map(|_| ())?,
                "--truth-out" => formats::expect(path, "the truth", &["json"], true)?,
                _ => formats::expect(path, "a file of labels", &["labels", "txt"], true)?,
            }
            if is_stream(path) {
                continue;
            }
            ensure!(!path.is_dir(), "{}: cannot write: it is a folder, give a file", shown(path));
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            ensure!(folder.is_dir(), "{}: cannot write: there is no folder {}", shown(path), shown(folder));
            output::probe(folder)?;
        }
        Ok(())
    }

    /// Writes all files or none.
    pub fn write(&self, made: &Made) -> anyhow::Result<()> {
        interrupt::watch();
        let mut staged: Vec<StagedFile> = Vec::new();
        let generated = &made.generated;
        if let Some(path) = &self.labels {
            staged.push(stage(path, |out| write_communities(&generated.communities, out))?);
        }
        if let (Some(path), Some(truth)) = (&self.truth, &made.truth) {
            staged.push(stage(path, |out| {
                hycome::json::to_writer(&mut *out, truth)?;
                out.write_all(b"\n")
            })?);
        }
        if self.edges == Path::new("-") {
            match write_edges(&generated.graph, &mut std::io::stdout().lock()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    return Err(error).context("standard output: cannot write");
                }
                _ => {}
            }
        } else {
            staged.push(stage_graph(&self.edges, generated)?);
        }
        interrupt::check()?;
        Ok(commit(staged, &[])?)
    }
}

/// The format that the extension of a graph asks for; without one it is an edge list.
fn graph_format(path: &Path) -> anyhow::Result<Format> {
    if formats::extension(path).is_empty() { Ok(Format::Edges(EdgeFormat::Plain)) } else { Format::of(path) }
}

fn stage_graph(path: &Path, generated: &Generated) -> anyhow::Result<StagedFile> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(match graph_format(path)? {
        Format::GraphFile => graph_file::staged(&generated.loaded(&name), path)?,
        Format::Edges(EdgeFormat::Plain) => stage(path, |out| write_edges(&generated.graph, out))?,
        Format::Edges(format) => stage_edges(path, &generated.graph, &generated.loaded(&name).names, format)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_beside_the_edges() {
        let labels = |path: &str| beside(Path::new(path), "labels");
        assert_eq!(labels("a/b.edges.gz"), Some("a/b.labels".into()));
        assert_eq!(labels("b.c.txt"), Some("b.c.labels".into()));
        assert_eq!(labels("edges"), Some("edges.labels".into()));
        assert_eq!(labels("-"), None);
    }
}
