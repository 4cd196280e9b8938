//! `hycome datasets get`: the files of a public graph, downloaded and verified.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hycome::datasets::PublishedFile;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::data::{DataOptions, inside};
use crate::datasets::{known, names};
use crate::download::{self, Request};
use crate::interrupt;
use crate::output::{self, say, shown};
use crate::style::count;

/// Download the files of a graph and verify them.
///
/// What broke off is taken up where it broke. A file gets its name only when all of it is there and its SHA-256 is the
/// published one. A file without a published sum cannot be verified and is downloaded with --unverified alone; its sum is
/// printed, for you to keep.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The graphs.
    #[arg(value_name = "NAME", required = true, value_parser = names())]
    names: Vec<String>,
    /// Download from this address instead, which has the same folders and files: URL/dblp/Dblp.mat.
    #[arg(long, value_name = "URL")]
    source: Option<String>,
    /// Also download files that have no published checksum, such as flickr's: whoever is between you and the server could
    /// change them.
    #[arg(long)]
    unverified: bool,
    #[command(flatten)]
    data: DataOptions,
    /// Print one JSON object instead.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors (and the object of --json).
    #[arg(short, long)]
    quiet: bool,
}

/// A file that `get` cared for.
#[derive(Debug, Serialize)]
struct Got {
    path: PathBuf,
    bytes: u64,
    sha256: String,
    /// Whether the sum is the published one.
    verified: bool,
    /// Whether it was there before.
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
                say(&format!("note: `{name}` is built in and needs no file"));
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
                "{}: there is a file already, but not the published one (its SHA-256 is {sha256}); move it away to \
                 download it",
                shown(&target)
            );
        }
        tell(args, &format!("{}: there already{}", shown(&target), unverified(file, &sha256)));
        return Ok(Got { path: target, bytes, sha256, verified: file.sha256.is_some(), was_there: true });
    }
    if file.sha256.is_none() && !args.unverified {
        bail!(
            "{}: no checksum is published for this file, so what comes cannot be verified; download it all the same with \
             --unverified, or put it there by hand",
            shown(&target)
        );
    }
    let urls: Vec<String> = match &args.source {
        Some(source) => vec![format!("{}/{}", source.trim_end_matches('/'), file.path)],
        None => file.urls.iter().map(ToString::to_string).collect(),
    };
    let bar = bar(args.quiet);
    bar.set_message(file.path);
    let told = |done: u64, total: Option<u64>| {
        bar.set_length(total.unwrap_or(done));
        bar.set_position(done);
    };
    let request = Request { urls: &urls, target: &target, bytes: file.bytes, sha256: file.sha256 };
    let fetched = download::fetch(&request, &told);
    bar.finish_and_clear();
    let download::Fetched { bytes, sha256 } = fetched?;
    let verified = if file.sha256.is_some() { ", verified" } else { "" };
    tell(args, &format!("{}: {} bytes{verified}{}", shown(&target), count(bytes), unverified(file, &sha256)));
    Ok(Got { path: target, bytes, sha256, verified: file.sha256.is_some(), was_there: false })
}

fn tell(args: &Args, message: &str) {
    if !args.quiet {
        say(message);
    }
}

/// What to know of a file whose sum is not published.
fn unverified(file: &PublishedFile, sha256: &str) -> String {
    match file.sha256 {
        Some(_) => String::new(),
        None => format!("; not verified, for no checksum is published; SHA-256 {sha256}"),
    }
}

/// A bar of bytes, where somebody watches.
fn bar(quiet: bool) -> ProgressBar {
    let is_drawn = !quiet && std::io::stderr().is_terminal();
    let target = if is_drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    let template = "{msg} {bar:20} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    bar.set_style(
        ProgressStyle::with_template(template).expect("the template is sound").progress_chars("━╸─"),
    );
    bar
}
