//! Interrupted and killed trainings, and resuming them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::{fail, folder, hycome, names, stderr, succeed, write};

/// A training of a few seconds, with checkpoints as often as possible.
pub const LONG: [&str; 12] = [
    "embed",
    "books",
    "-o",
    "run",
    "--restarts",
    "2",
    "--walks",
    "20",
    "--checkpoint-minutes",
    "0",
    "--quiet",
    "--no-plot",
];

pub fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = hycome(folder);
    command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

pub fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

pub fn wait_for(path: &Path) {
    for _ in 0..1000 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{} did not appear", path.display());
}

/// Whether this process ignores a signal, as in the background of a shell; child processes inherit that.
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap_or(0) >> (signal - 1) & 1 == 1
}

/// Contents of a run, without its timings.
pub fn result(folder: &Path) -> [Vec<u8>; 2] {
    ["run.safetensors", "communities.tsv"].map(|name| std::fs::read(folder.join("run").join(name)).unwrap())
}

pub fn undisturbed() -> [Vec<u8>; 2] {
    let here = folder();
    succeed(here.path(), LONG);
    assert_eq!(names(&here.path().join("run")), ["communities.tsv", "metrics.json", "run.safetensors"]);
    result(here.path())
}

#[test]
fn an_interrupted_training_resumes_to_the_same_bytes() {
    let whole = undisturbed();
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if is_ignored(code - 128) {
            continue;
        }
        let here = folder();
        let child = start(here.path(), &LONG);
        wait_for(&here.path().join("run/checkpoint.safetensors"));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        let message = stderr(&output);
        assert!(message.contains("interrupted; resume with `hycome embed --resume run`"), "{message}");
        assert_eq!(names(&here.path().join("run")), ["checkpoint.safetensors"]);

        let message = fail(1, here.path(), LONG);
        assert!(message.contains("run contains an unfinished run; resume it with"), "{message}");
        let message = fail(2, here.path(), ["embed", "--resume", "run", "--dim", "3"]);
        assert!(message.contains("remove --dim"), "{message}");

        succeed(here.path(), ["embed", "--resume", "run", "--quiet", "--threads", "1"]);
        assert!(result(here.path()) == whole, "after {signal}");
        assert_eq!(names(&here.path().join("run")), ["communities.tsv", "metrics.json", "run.safetensors"]);
        let message = fail(1, here.path(), ["embed", "--resume", "run"]);
        assert!(message.contains("expected an unfinished run, found a finished one"), "{message}");
    }
}

/// Kills and resumes a training of less than a second fifty times.
#[cfg(feature = "slow-tests")]
#[test]
fn fifty_kills_lose_nothing() {
    let (whole, mut kills, mut state) = (undisturbed(), 0u64, 1u64);
    while kills < 50 {
        let here = folder();
        let run = here.path().join("run");
        let mut is_done = false;
        while !is_done {
            let is_left = run.join("checkpoint.safetensors").exists();
            let resume = ["embed", "--resume", "run", "--checkpoint-minutes", "0", "--quiet"];
            let mut child = start(here.path(), if is_left { &resume } else { &LONG });
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            std::thread::sleep(Duration::from_micros(5_000 + (state >> 33) % 250_000));
            if kills < 50 && child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                kills += 1;
            }
            let output = child.wait_with_output().unwrap();
            assert!(output.stderr.is_empty(), "kill {kills}: {}", stderr(&output));
            is_done = output.status.success();
        }
        assert!(result(here.path()) == whole, "after {kills} kills");
        let left = names(&run);
        assert!(left.iter().all(|name| !name.starts_with(".checkpoint")), "{left:?}");
    }
}

#[test]
fn a_second_training_in_one_folder_is_refused() {
    let here = folder();
    let child = start(here.path(), &LONG);
    wait_for(&here.path().join("run/checkpoint.safetensors"));
    let message = fail(1, here.path(), LONG);
    assert!(message.contains("run: another training is writing there"), "{message}");
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn resume_needs_a_graph_from_standard_input_again() {
    if is_ignored(2) {
        return;
    }
    let here = folder();
    let edges: String = (0..400).map(|i| format!("{} {}\n", i, (i * 7 + 1) % 401)).collect();
    write(here.path(), "edges.txt", &edges);
    let args = [
        "embed",
        "-",
        "-k",
        "3",
        "-o",
        "run",
        "--restarts",
        "2",
        "--walks",
        "10",
        "--checkpoint-minutes",
        "0",
        "--quiet",
    ];
    let mut command = hycome(here.path());
    command.args(args).stdin(std::fs::File::open(here.path().join("edges.txt")).unwrap());
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&here.path().join("run/checkpoint.safetensors"));
    send("-INT", &child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    let message = fail(2, here.path(), ["embed", "--resume", "run"]);
    assert!(message.contains("standard input; give the graph as a file"), "{message}");
    let message = fail(1, here.path(), ["embed", "karate", "--resume", "run"]);
    assert!(
        message
            .contains("run/checkpoint.safetensors cannot be resumed on karate: the checkpoint does not fit"),
        "{message}"
    );
    succeed(here.path(), ["embed", "edges.txt", "--resume", "run", "--quiet"]);
}

#[test]
fn signals_ignored_at_startup_stay_ignored() {
    let here = folder();
    let program = hycome(here.path()).get_program().to_owned();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(program).args(LONG);
    let child = command.current_dir(here.path()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&here.path().join("run/checkpoint.safetensors"));
    send("-HUP", &child);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(names(&here.path().join("run")), ["communities.tsv", "metrics.json", "run.safetensors"]);
}

#[test]
fn second_ctrl_c_does_not_lose_the_checkpoint() {
    if is_ignored(2) {
        return;
    }
    let whole = undisturbed();
    let here = folder();
    let child = start(here.path(), &LONG);
    wait_for(&here.path().join("run/checkpoint.safetensors"));
    for _ in 0..3 {
        let pid = child.id().to_string();
        let _ = Command::new("kill").args(["-INT", &pid]).stderr(Stdio::null()).status(); // it may have ended
        std::thread::sleep(Duration::from_millis(3));
    }
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert_eq!(names(&here.path().join("run")), ["checkpoint.safetensors"]);
    succeed(here.path(), ["embed", "--resume", "run", "--quiet"]);
    assert!(result(here.path()) == whole);
}

/// The epoch of an unfinished run.
#[cfg(feature = "slow-tests")]
fn epoch(folder: &Path) -> Option<u32> {
    let output = hycome(folder).args(["info", "run"]).output().unwrap();
    let message = stderr(&output);
    message.split("at epoch ").nth(1)?.split(' ').next()?.parse().ok()
}

#[cfg(feature = "slow-tests")]
#[test]
fn history_does_not_depend_on_kills() {
    const FILES: [&str; 4] = ["run.safetensors", "communities.tsv", "history.safetensors", "disc.html"];
    let here = folder();
    let args = |folder| {
        ["embed", "karate", "-o", folder, "--history", "--quiet", "--walks", "10", "--restarts", "1"]
    };
    succeed(here.path(), args("whole"));
    let read = |folder: &str| FILES.map(|file| std::fs::read(here.path().join(folder).join(file)).unwrap());
    let checkpoint = here.path().join("run/checkpoint.safetensors");
    let mut epochs = std::collections::BTreeSet::new();
    for written in 1..=40 {
        let stopped: Vec<&str> = args("run").into_iter().chain(["--checkpoint-epochs", "1"]).collect();
        let mut child = start(here.path(), &stopped);
        // Checkpoints replace the file, so its modification time identifies them.
        let mut seen = std::collections::HashSet::new();
        while child.try_wait().unwrap().is_none() && seen.len() < written {
            seen.extend(checkpoint.metadata().and_then(|metadata| metadata.modified()).ok());
        }
        let _ = child.kill(); // it may have ended
        child.wait().unwrap();
        if checkpoint.exists() {
            epochs.extend(epoch(here.path()));
            succeed(here.path(), ["embed", "--resume", "run", "--quiet"]);
        }
        assert!(read("run") == read("whole"), "killed after {written} checkpoints");
        let is_over = seen.len() < written;
        std::fs::remove_dir_all(here.path().join("run")).unwrap();
        if is_over {
            break;
        }
    }
    assert!(epochs.len() >= 3, "killed at epochs {epochs:?}");
}

#[test]
fn unfinished_run_is_usable_and_resumes_with_its_history() {
    let here = folder();
    let args = ["embed", "karate", "-o", "whole", "--history", "--quiet", "--walks", "4", "--restarts", "1"];
    succeed(here.path(), args);
    let stopped: Vec<&str> = args
        .iter()
        .map(|&arg| if arg == "whole" { "run" } else { arg })
        .chain(["--checkpoint-minutes", "0"])
        .collect();
    let mut child = start(here.path(), &stopped);
    wait_for(&here.path().join("run/checkpoint.safetensors"));
    std::thread::sleep(Duration::from_millis(150));
    child.kill().unwrap();
    child.wait().unwrap();
    if here.path().join("run/run.safetensors").exists() {
        return; // training finished before the kill
    }
    for command in [&["info", "run"][..], &["communities", "run"], &["evaluate", "run", "--graph", "karate"]]
    {
        let output = hycome(here.path()).args(command).output().unwrap();
        let message = stderr(&output);
        assert!(output.status.success(), "{command:?}: {message}");
        assert!(message.contains("note: unfinished run, at epoch "), "{command:?}: {message}");
        assert!(message.contains("resume it with `hycome embed --resume run`"), "{command:?}: {message}");
    }
    succeed(here.path(), ["embed", "--resume", "run", "--quiet"]);
    for file in ["run.safetensors", "communities.tsv", "history.safetensors", "disc.html"] {
        let read = |folder: &str| std::fs::read(here.path().join(folder).join(file)).unwrap();
        assert!(read("run") == read("whole"), "{file}");
    }
}
