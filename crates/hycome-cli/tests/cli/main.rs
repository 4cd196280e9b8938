//! The command as others use it: arguments in; files, text and exit codes out.

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
mod evaluate;
mod flat;
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

/// A training that takes a moment; enough where quality does not matter.
const SHORT: [&str; 6] = ["--walks", "2", "--walk-length", "10", "--epochs", "1"];

/// The command, to be run in `folder`, without the data of whoever runs the tests.
fn hycome(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hycome"));
    command.current_dir(folder).env_remove("HYCOME_DATA");
    command
}

/// Runs the command to its end.
fn run(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    hycome(folder).args(args).output().expect("the command starts")
}

/// Runs a command that must succeed, and gives what it prints.
fn succeed(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Runs a command that must fail with this code and print nothing on standard output; gives its message.
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

/// Names in a folder, sorted.
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

/// Two groups of four nodes, all joined inside, one edge between them.
const TWO_GROUPS: &str = "a b\na c\na d\nb c\nb d\nc d\ne f\ne g\ne h\nf g\nf h\ng h\nd e\n";
