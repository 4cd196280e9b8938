//! Output files of `hycome generate`: edges, labels, ground truth.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use hycome::generate::Generated;
use hycome::io::{
    AtomicFile, EdgeFormat, commit, graph_file, is_stream, stage, stage_edges, write_communities, write_edges,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::output_format;
use crate::commands::convert::Format;
use crate::file_set;
use crate::term::output::shown;
use crate::{Usage, interrupt};

/// A generated graph.
pub struct Made {
    pub generated: Generated,
    pub config: Value,
    /// Ground truth beyond communities.
    pub truth: Option<Value>,
}

impl Made {
    pub fn new(generated: Generated, config: &impl Serialize) -> Self {
        Self { generated, config: json!(config), truth: None }
    }
}

/// Output paths.
#[derive(Debug, Serialize)]
pub struct Files {
    pub edges: PathBuf,
    pub labels: Option<PathBuf>,
    pub truth: Option<PathBuf>,
}

/// `path` with its extension replaced: `a/b.edges.gz` becomes `a/b.labels`; none for standard output or a device.
pub fn beside(path: &Path, ending: &str) -> Option<PathBuf> {
    if path == Path::new("-") || is_stream(path) {
        return None;
    }
    let compressed = path.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
    let plain = if compressed { path.with_extension("") } else { path.to_path_buf() };
    Some(plain.with_extension(ending))
}

impl Files {
    /// Paths of the files, with their flags.
    pub fn paths(&self) -> Vec<(&'static str, &Path)> {
        let more = [("--labels-out", &self.labels), ("--truth-out", &self.truth)];
        let more = more.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?)));
        std::iter::once(("--output", self.edges.as_path())).chain(more).collect()
    }

    /// Fails early if the files cannot be written.
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
                "--truth-out" => output_format::expect(path, "the ground truth", &["json"], true)?,
                _ => output_format::expect(path, "labels", &["labels", "txt"], true)?,
            }
            if is_stream(path) {
                continue;
            }
            ensure!(!path.is_dir(), "{}: cannot write: it is a folder; give a file", shown(path));
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            ensure!(folder.is_dir(), "{}: cannot write: no folder {}", shown(path), shown(folder));
            file_set::probe(folder)?;
        }
        Ok(())
    }

    /// Writes all files or none.
    pub fn write(&self, made: &Made) -> anyhow::Result<()> {
        interrupt::watch();
        let mut staged: Vec<AtomicFile> = Vec::new();
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

/// Format for the extension of a graph; an edge list without one.
fn graph_format(path: &Path) -> anyhow::Result<Format> {
    if output_format::extension(path).is_empty() {
        Ok(Format::Edges(EdgeFormat::Plain))
    } else {
        Format::of(path)
    }
}

fn stage_graph(path: &Path, generated: &Generated) -> anyhow::Result<AtomicFile> {
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
