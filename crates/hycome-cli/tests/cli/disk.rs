//! Failing writes, vanished folders and closed pipes: an error, exit code 1, and earlier results are intact.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::*;
use crate::resume::{LONG, result, start, undisturbed, wait_for};

/// Flags of a short training that writes to `run`.
const TRAIN: [&str; 13] = [
    "embed",
    "karate",
    "-o",
    "run",
    "--restarts",
    "1",
    "--walks",
    "2",
    "--walk-length",
    "10",
    "--epochs",
    "1",
    "--seed",
];

pub fn train(seed: &'static str) -> impl Iterator<Item = &'static str> {
    TRAIN.into_iter().chain([seed, "--quiet"])
}

/// Names and contents of all files of a folder.
pub fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    names(folder).into_iter().map(|name| (name.clone(), std::fs::read(folder.join(&name)).unwrap())).collect()
}

/// Limits the file size to n blocks, for every n until all writes succeed.
#[cfg(target_os = "linux")]
#[test]
fn a_failing_write_leaves_the_old_result() {
    let here = folder();
    succeed(here.path(), train("1").chain(["--no-plot"]));
    let run = here.path().join("run");
    let old = contents(&run);
    for blocks in 0.. {
        // A process that ignores the signal gets an error when the file would grow.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.current_dir(here.path()).args(["-c", &script, env!("CARGO_BIN_EXE_hycome")]);
        let output = command.args(train("2")).arg("--no-plot").output().unwrap();
        if output.status.success() {
            assert!(blocks > 2, "the largest file has more than two kilobytes");
            break;
        }
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("File too large"), "{}", stderr(&output));
        assert!(contents(&run) == old, "at block {blocks}: {:?}", names(&run));
    }
    assert!(contents(&run) != old);
    assert_eq!(names(&run), old.iter().map(|file| file.0.clone()).collect::<Vec<_>>());
}

#[test]
fn a_folder_in_place_of_a_file_is_refused_early() {
    for taken in ["communities.tsv", "metrics.json", "disc.html"] {
        let here = folder();
        succeed(here.path(), train("1"));
        let run = here.path().join("run");
        std::fs::remove_file(run.join(taken)).unwrap();
        std::fs::create_dir(run.join(taken)).unwrap();
        let old = std::fs::read(run.join("run.safetensors")).unwrap();
        let message = fail(1, here.path(), train("2"));
        assert!(
            message.contains(&format!("run/{taken}: expected a file to replace, found a folder")),
            "{message}"
        );
        assert!(std::fs::read(run.join("run.safetensors")).unwrap() == old);
        assert_eq!(names(&run).len(), 4, "{:?}", names(&run));
    }
}

#[test]
fn a_vanished_folder_is_reported_and_recreated() {
    let here = folder();
    let child = start(here.path(), &LONG);
    let run = here.path().join("run");
    wait_for(&run.join("checkpoint.safetensors"));
    std::fs::rename(&run, here.path().join("elsewhere")).unwrap();
    let output = child.wait_with_output().unwrap();
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(message.contains("warning: cannot write a checkpoint: run no longer exists"), "{message}");
    assert!(result(here.path()) == undisturbed());
    // A file that was being written at that moment was moved with the folder.
    let mut left = names(&here.path().join("elsewhere"));
    left.retain(|name| !name.ends_with(".hycome-tmp"));
    assert_eq!(left, ["checkpoint.safetensors"]);
}

#[test]
fn a_folder_that_cannot_be_recreated_is_an_error() {
    let here = folder();
    let child = start(here.path(), &LONG);
    let run = here.path().join("run");
    wait_for(&run.join("checkpoint.safetensors"));
    std::fs::rename(&run, here.path().join("elsewhere")).unwrap();
    write(here.path(), "run", "a file");
    let output = child.wait_with_output().unwrap();
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("error: run: cannot create the folder"), "{message}");
    assert_eq!(names(here.path()), ["elsewhere", "run"]);
    assert_eq!(std::fs::read(run).unwrap(), b"a file");
}

/// Runs the command with a reader that closes the pipe after one line.
fn read_one_line(folder: &Path, args: &[&str]) -> Output {
    let mut child = hycome(folder).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0];
    while out.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {}
    drop(out);
    child.wait_with_output().unwrap()
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let here = folder();
    // More output than the buffer of a pipe.
    let path: PathBuf = here.path().join("path.txt");
    let edges: String = (0..20_000).map(|i| format!("{i} {}\n", i + 1)).collect();
    std::fs::write(&path, edges).unwrap();
    let mut args =
        vec!["embed", "path.txt", "-k", "2", "-o", "run", "--warmup-epochs", "0", "--no-plot", "-q"];
    args.extend(["--walks", "1", "--walk-length", "2", "--epochs", "0"]);
    succeed(here.path(), args);
    let output = read_one_line(here.path(), &["communities", "run"]);
    assert!(output.status.success() && !stderr(&output).contains("error"), "{}", stderr(&output));
    // The run is saved even if the pipe is closed before the summary is printed.
    let args: Vec<&str> =
        TRAIN.into_iter().chain(["1"]).map(|arg| if arg == "run" { "new" } else { arg }).collect();
    let mut child =
        hycome(here.path()).args(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(names(&here.path().join("new")).len(), 4);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let here = folder();
    succeed(here.path(), train("1"));
    for args in [
        &["communities", "run"][..],
        &["info", "karate", "--json"],
        &["evaluate", "run", "--graph", "karate"],
        &["--help"],
        &["--version"],
        &["embed", "-h"],
        &["help", "convert"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = hycome(here.path()).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let message = stderr(&output);
        assert_eq!(message, "error: standard output: cannot write: No space left on device (os error 28)\n");
    }
    // Messages are lost; the result is written.
    let full = File::options().write(true).open("/dev/full").unwrap();
    assert!(hycome(here.path()).args(TRAIN).arg("3").stderr(full).output().unwrap().status.success());
}
