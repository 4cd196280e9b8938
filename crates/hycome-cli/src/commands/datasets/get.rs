//! `hycome datasets get`: download and verify the files of public graphs.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hycome::datasets::PublishedFile;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::args::data_dir::{DataOptions, inside};
use crate::commands::datasets::download::{self, Request};
use crate::commands::datasets::{known, names};
use crate::interrupt;
use crate::term::output::{self, notify, shown};
use crate::term::style::count;

/// Download the files of a graph and verify them.
///
/// Interrupted downloads are resumed. A file gets its final name only when it is complete and its SHA-256 is the
/// published one. A file without a published checksum cannot be verified and needs --unverified; its checksum is
/// printed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Names of the graphs.
    #[arg(value_name = "NAME", required = true, value_parser = names())]
    names: Vec<String>,
    /// Download from this mirror, with the same layout: URL/dblp/Dblp.mat.
    #[arg(long, value_name = "URL")]
    source: Option<String>,
    /// Also download files without a published checksum, such as those of flickr; they could be modified in transit.
    #[arg(long)]
    unverified: bool,
    #[command(flatten)]
    data: DataOptions,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
    /// Print only errors (and the --json object).
    #[arg(short, long)]
    quiet: bool,
}

/// A downloaded file.
#[derive(Debug, Serialize)]
struct Got {
    path: PathBuf,
    bytes: u64,
    sha256: String,
    /// Whether the checksum is the published one.
    verified: bool,
    /// Whether it existed before.
    was_there: bool,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let folder = args.data.some_folder()?;
    interrupt::watch();
    let mut files = Vec::new();
    for name in &args.names {
        let dataset = known(name);
        if dataset.builtin().is_some() {
            if !args.quiet {
                notify(&format!("note: `{name}` is built in and needs no download"));
            }
            continue;
        }
        for file in dataset.files {
            files.push(get_file(file, &folder, args)?);
        }
        if !args.quiet && !args.json {
            output::print(&format!("{name} is in {}; try: hycome info {name}\n", shown(&folder)))?;
        }
    }
    if args.json {
        let report =
            serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "folder": folder, "files": files });
        output::print_json(&report)?;
    }
    Ok(())
}

fn get_file(file: &PublishedFile, folder: &Path, args: &Args) -> anyhow::Result<Got> {
    let target = inside(folder, file.path);
    if let Ok(found) = File::open(&target) {
        let (bytes, sha256) =
            download::sum(&found).with_context(|| format!("{}: cannot read", shown(&target)))?;
        if file.sha256.is_some_and(|expected| expected != sha256) {
            bail!(
                "{}: the existing file is not the published one (its SHA-256 is {sha256}); move it away to download \
                 it",
                shown(&target)
            );
        }
        notify_unless_quiet(
            args,
            &format!("{}: already downloaded{}", shown(&target), unverified(file, &sha256)),
        );
        return Ok(Got { path: target, bytes, sha256, verified: file.sha256.is_some(), was_there: true });
    }
    if file.sha256.is_none() && !args.unverified {
        bail!(
            "{}: no checksum is published for this file, so the download cannot be verified; allow it with \
             --unverified, or copy the file there yourself",
            shown(&target)
        );
    }
    let urls: Vec<String> = match &args.source {
        Some(source) => vec![format!("{}/{}", source.trim_end_matches('/'), file.path)],
        None => file.urls.iter().map(ToString::to_string).collect(),
    };
    let bar = bar(args.quiet);
    bar.set_message(file.path);
    let on_progress = |done: u64, total: Option<u64>| {
        bar.set_length(total.unwrap_or(done));
        bar.set_position(done);
    };
    let request = Request { urls: &urls, target: &target, bytes: file.bytes, sha256: file.sha256 };
    let fetched = download::fetch(&request, &on_progress);
    bar.finish_and_clear();
    let download::Fetched { bytes, sha256 } = fetched?;
    let verified = if file.sha256.is_some() { ", verified" } else { "" };
    notify_unless_quiet(
        args,
        &format!("{}: {} bytes{verified}{}", shown(&target), count(bytes), unverified(file, &sha256)),
    );
    Ok(Got { path: target, bytes, sha256, verified: file.sha256.is_some(), was_there: false })
}

fn notify_unless_quiet(args: &Args, message: &str) {
    if !args.quiet {
        notify(message);
    }
}

/// Suffix for a file without a published checksum.
fn unverified(file: &PublishedFile, sha256: &str) -> String {
    match file.sha256 {
        Some(_) => String::new(),
        None => format!("; not verified: no checksum is published; SHA-256 {sha256}"),
    }
}

/// Progress bar in bytes; hidden if `quiet` or not on a terminal.
fn bar(quiet: bool) -> ProgressBar {
    let is_drawn = !quiet && std::io::stderr().is_terminal();
    let target = if is_drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    let template = "{percent} %  {eta} left  {msg}  {bytes} of {total_bytes}, {bytes_per_sec} {wide_bar}";
    bar.set_style(
        ProgressStyle::with_template(template).expect("the template is sound").progress_chars("━╸─"),
    );
    bar
}
