//! End-to-end tests of the command: arguments, files, output and exit codes.

mod classify;
mod communities;
mod convert;
mod datasets;
#[cfg(unix)]
mod disk;
#[cfg(feature = "download")]
mod download;
mod embed;
#[cfg(unix)]
mod endless;
mod euclidean;
mod evaluate;
mod formats;
#[cfg(all(unix, feature = "slow-tests"))]
mod full_disk;
mod generate;
mod hostile;
mod info;
mod leftovers;
mod memory;
mod mistakes;
mod plot;
mod reproduce;
#[cfg(unix)]
mod resume;
mod sweep;
#[cfg(unix)]
mod targets;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Flags of a short training, for tests that do not depend on its quality.
const SHORT: [&str; 6] = ["--walks", "2", "--walk-length", "10", "--epochs", "1"];

/// The command, run in `folder`, without the data folder of the user.
fn hycome(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hycome"));
    command.current_dir(folder).env_remove("HYCOME_DATA");
    command
}

/// Runs the command and collects its output.
fn run(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    hycome(folder).args(args).output().expect("the command starts")
}

/// Runs a command that must succeed; returns its standard output.
fn succeed(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Runs a command that must fail with this code and an empty standard output; returns its standard error.
fn fail(code: i32, folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    stderr(&output)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is one JSON object")
}

/// Sorted file names of a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is room")
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("there is room");
}

/// Two cliques of four nodes, joined by one edge.
const TWO_GROUPS: &str = "a b\na c\na d\nb c\nb d\nc d\ne f\ne g\ne h\nf g\nf h\ng h\nd e\n";
