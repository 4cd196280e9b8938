//! Inputs that never end, and outputs to standard output.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::*;

/// Much longer than any of these commands takes, but shorter than reading without a limit.
const DEADLINE: Duration = Duration::from_secs(60);

/// Runs a shell command that contains `$HYCOME`; it must fail with code 1 before the deadline.
fn refused(folder: &Path, line: &str) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", line]).env("HYCOME", env!("CARGO_BIN_EXE_hycome")).env_remove("HYCOME_DATA");
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the shell starts");
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("`{line}` was still reading");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "`{line}`: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn endless_inputs_are_refused_at_their_start() {
    let here = folder();
    succeed(here.path(), ["embed", "karate", "-o", "run", "-q", "--no-plot"].into_iter().chain(SHORT));
    for device in ["/dev/zero", "/dev/urandom"] {
        for (line, expected) in [
            (format!("$HYCOME embed {device} -k 2"), "text in UTF-8"),
            (format!("$HYCOME info {device}"), "text in UTF-8"),
            (format!("$HYCOME info - < {device}"), "text in UTF-8"),
            (format!("$HYCOME embed karate --labels {device}"), "text in UTF-8"),
            (format!("$HYCOME classify run --labels {device}"), "text in UTF-8"),
            (format!("$HYCOME communities {device}"), "run file"),
            (format!("$HYCOME predict run --model {device}"), "model file"),
            (format!("gzip -c {device} | $HYCOME embed - -k 2"), ""),
        ] {
            let message = refused(here.path(), &line);
            assert!(message.contains("error: ") && message.contains(expected), "{line}: {message}");
        }
    }
    // A valid file followed by endless data.
    let message = refused(here.path(), "cat run/run.safetensors /dev/zero | $HYCOME communities -");
    assert!(message.contains("which differs from its header"), "{message}");
}

#[test]
fn endless_files_of_a_run_are_rejected_early() {
    let here = folder();
    let train = ["embed", "karate", "-o", "run", "-q", "--no-plot", "--history"];
    succeed(here.path(), train.into_iter().chain(SHORT));
    let replace = |name: &str| {
        let path = here.path().join(name);
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    };
    for (name, command, expected) in [
        ("run/history.safetensors", "plot run -o a.html", "a hycome history file"),
        ("run/metrics.json", "plot run --against dim --metric conductance -o a.svg", "text in UTF-8"),
        ("swept.jsonl", "plot swept.jsonl --against dim --metric conductance -o a.svg", "text in UTF-8"),
    ] {
        replace(name);
        // Limit of the address space in KiB, so that reading without a limit cannot exhaust the machine.
        let message = refused(here.path(), &format!("ulimit -v 4000000; $HYCOME {command}"));
        assert!(message.contains(name) && message.contains(expected), "{command}: {message}");
    }
}

#[test]
fn endless_invalid_lines_are_refused_at_their_start() {
    let here = folder();
    let message = refused(here.path(), "yes | $HYCOME embed - -k 2");
    assert!(message.contains("standard input:1: expected `source target`"), "{message}");
    let message = refused(here.path(), "yes | $HYCOME embed karate --labels -");
    assert!(message.contains("expected at most 34 labels"), "{message}");
}

#[test]
fn dash_is_standard_output() {
    let here = folder();
    succeed(here.path(), ["embed", "karate", "-o", "run", "-q", "--no-plot"].into_iter().chain(SHORT));
    succeed(here.path(), ["classify", "run", "--labels", "karate", "--save-model", "m.safetensors"]);
    let before = names(here.path());
    for command in ["communities run", "predict run --model m.safetensors"] {
        let printed = succeed(here.path(), command.split(' '));
        assert_eq!(succeed(here.path(), command.split(' ').chain(["-o", "-"])), printed);
        let message = fail(2, here.path(), command.split(' ').chain(["-o", "-", "--json"]));
        assert!(message.contains("both need standard output"), "{message}");
    }
    let edges = succeed(here.path(), ["convert", "karate", "-o", "-"]);
    assert_eq!((edges.lines().next(), edges.lines().count()), (Some("source,target"), 79));
    write(here.path(), "grid.toml", "graph = \"karate\"\n");
    for command in [
        "embed karate -o -",
        "reproduce table4 -o -",
        "plot run -o -",
        "classify run --labels karate --save-model -",
        "sweep grid.toml -o -",
        "sweep grid.toml --csv -",
        "convert karate -o - --json",
    ] {
        let message = fail(2, here.path(), command.split(' '));
        assert!(message.starts_with("error: "), "{command}: {message}");
    }
    std::fs::remove_file(here.path().join("grid.toml")).unwrap();
    assert_eq!(names(here.path()), before);
}
