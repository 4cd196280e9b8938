//! RUN arguments: a finished run, or an unfinished one as of its last checkpoint.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::io::checkpoint_file::{self, CHECKPOINT_FILE};
use hycome::io::run_file::{self, RUN_FILE};
use hycome::{NodeId, NodeNames, Run};

use crate::args::suggestion;
use crate::term::output::{escaped, notify, shown};
use crate::term::progress::Bar;
use crate::term::summary::shell_quote;

/// Loads a run. If there is none, suggests the run or the command that the name probably refers to.
pub fn load(path: &Path) -> anyhow::Result<Run> {
    if !path.exists() {
        let mut default = path.as_os_str().to_owned();
        default.push("-run");
        let default = PathBuf::from(default);
        if is_run(&default) {
            bail!("{}: no such run; did you mean {}?", shown(path), shown(&default));
        }
        if path.to_str().and_then(hycome::datasets::dataset).is_some() {
            let (name, word) = (shown(path), shell_quote(path));
            bail!("{name}: expected a run, found a graph; `hycome embed {word}` trains one in {name}-run");
        }
        if let Some(similar) = similar_run(path) {
            bail!("{}: no such run; did you mean {}?", shown(path), shown(&similar));
        }
    }
    load_file(path)
}

/// The run beside `path` whose name is most similar, if one is.
fn similar_run(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folders = std::fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
    let runs = folders.flatten().map(|entry| entry.path()).filter(|folder| is_run(folder));
    let names: Vec<String> = runs.filter_map(|run| Some(run.file_name()?.to_str()?.to_owned())).collect();
    let similar = suggestion::nearest(name, names.iter().map(String::as_str))?;
    Some(parent.map_or_else(|| similar.into(), |parent| parent.join(similar)))
}

/// Fails if `path` is a run where a graph is expected.
pub fn refuse(path: &Path) -> anyhow::Result<()> {
    if is_run(path) {
        let (name, word) = (shown(path), shell_quote(path));
        bail!(
            "{name}: expected a graph, found a run; `hycome communities {word}` and `hycome plot {word}` \
             show its content"
        );
    }
    Ok(())
}

/// Whether a folder contains a run, finished or not.
pub fn is_run(folder: &Path) -> bool {
    folder.join(RUN_FILE).is_file() || folder.join(CHECKPOINT_FILE).is_file()
}

/// Loads a run from its file or folder. An unfinished run is loaded from its last checkpoint, with a note.
pub fn load_file(path: &Path) -> anyhow::Result<Run> {
    let is_checkpoint = path.file_name().is_some_and(|name| name == CHECKPOINT_FILE);
    let (folder, checkpoint) = if is_checkpoint {
        (path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")), path.into())
    } else {
        (path, path.join(CHECKPOINT_FILE))
    };
    if !checkpoint.is_file() {
        return Ok(run_file::load(path)?);
    }
    let resume = format!("`hycome embed --resume {}`", shell_quote(folder));
    if !is_checkpoint && folder.join(RUN_FILE).is_file() {
        notify(&format!(
            "note: {} contains a finished run, which is used, and an unfinished one; resume that with {resume}",
            shown(folder)
        ));
        return Ok(run_file::load(path)?);
    }
    let (checkpoint, _) = checkpoint_file::load(&checkpoint)?;
    let progress = checkpoint.progress();
    notify(&format!(
        "note: unfinished run, at epoch {} of {} ({:.1} %); resume it with {resume}",
        progress.epoch,
        progress.epochs,
        100.0 * progress.done
    ));
    let bar = Bar::new(false);
    bar.phase("fitting communities to the checkpoint");
    Ok(checkpoint.into_run()?)
}

/// For each node of a run, the node of the same name in a graph; `run` and `graph` are their paths, for the error.
pub fn find_nodes(
    of_run: &NodeNames,
    of_graph: &NodeNames,
    run: &Path,
    graph: &Path,
) -> anyhow::Result<Vec<NodeId>> {
    of_run.find_in(of_graph).map_err(|node| {
        let (run, name, graph) = (shown(run), of_run.name(node), shown(graph));
        anyhow::anyhow!("{run}: node `{}` is not in {graph}; give the graph used in training", escaped(&name))
    })
}
