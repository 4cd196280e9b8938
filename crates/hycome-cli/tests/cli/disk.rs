//! Disks that are full, read-only or gone, and readers that leave: a sentence, exit code 1, and what was there before stays.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::*;
use crate::resume::{LONG, result, send, start, undisturbed, wait_for};

/// A training that takes a moment, into `run`.
const AGAIN: [&str; 13] = [
    "embed",
    "karate",
    "-o",
    "run",
    "--starts",
    "1",
    "--walks",
    "2",
    "--walk-length",
    "10",
    "--epochs",
    "1",
    "--seed",
];

fn again(seed: &'static str) -> impl Iterator<Item = &'static str> {
    AGAIN.into_iter().chain([seed, "--quiet"])
}

/// All files of a folder with their bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    names(folder).into_iter().map(|name| (name.clone(), std::fs::read(folder.join(&name)).unwrap())).collect()
}

/// A disk of our own, which can be filled and made read-only.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// None where the system does not let us mount one, which is said.
    fn new(kilobytes: u32) -> Option<Self> {
        let here = folder();
        let size = format!("size={kilobytes}k");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(here.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(here));
        }
        println!("skipped: a small disk can be mounted by root on Linux only");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn read_only(&self) {
        let mounted = Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()).status();
        assert!(mounted.unwrap().success());
    }

    /// Takes all the room but so many bytes.
    fn fill_but(&self, bytes: usize) {
        let _ = std::fs::remove_file(self.path().join("filler"));
        let mut filler = File::create(self.path().join("filler")).unwrap();
        while filler.write_all(&[0; 4096]).is_ok() {}
        let size = filler.metadata().unwrap().len();
        filler.set_len(size.saturating_sub(bytes as u64)).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[test]
fn a_full_disk_leaves_the_old_result_whole() {
    let Some(disk) = SmallDisk::new(1024) else { return };
    succeed(disk.path(), again("1"));
    let run = disk.path().join("run");
    let old = contents(&run);
    let needed: usize = old.iter().map(|(_, bytes)| bytes.len().next_multiple_of(4096)).sum();
    for free in (0..needed).step_by(4096) {
        disk.fill_but(free);
        let message = fail(1, disk.path(), again("2"));
        assert!(message.starts_with("error: run/") && message.contains("cannot write"), "{message}");
        assert!(message.contains("No space left on device"), "{message}");
        assert!(contents(&run) == old, "{free} bytes were free: {:?}", names(&run));
    }
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    succeed(disk.path(), again("2"));
    assert_eq!(names(&run), old.iter().map(|file| file.0.clone()).collect::<Vec<_>>());
    assert!(contents(&run) != old);
}

#[test]
fn every_command_that_writes_a_file_notices_a_full_disk() {
    let Some(disk) = SmallDisk::new(1024) else { return };
    succeed(disk.path(), again("1"));
    write(disk.path(), "grid.toml", "graph = [\"karate\"]\nwalks = [1]\nepochs = [1]\n");
    succeed(disk.path(), ["classify", "run", "--labels", "karate", "--save-model", "model"]);
    disk.fill_but(0);
    let before = contents(disk.path().join("run").as_path());
    let listed = names(disk.path());
    for args in [
        vec!["communities", "run", "-o", "new"],
        vec!["classify", "run", "--labels", "karate", "--save-model", "new"],
        vec!["predict", "run", "--model", "model", "-o", "new"],
        vec!["plot", "run", "-o", "new.html"],
        vec!["plot", "run", "-o", "new.svg"],
        vec!["figure", "embedding", "run", "-o", "new.svg"],
        vec!["convert", "karate", "-o", "new.hyg"],
        vec!["generate", "sbm", "--nodes", "100", "--communities", "2", "-o", "new.txt"],
    ] {
        let output = run(disk.path(), &args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
        assert!(
            message.contains("new") && message.contains("No space left on device"),
            "{args:?}: {message}"
        );
        assert_eq!(names(disk.path()), listed, "{args:?}");
    }
    assert!(contents(disk.path().join("run").as_path()) == before);
    // Results of a sweep are added line by line; the next sweep goes on from the lines that are whole.
    let message = fail(1, disk.path(), ["sweep", "grid.toml", "-o", "new.jsonl"]);
    assert!(message.contains("new.jsonl: cannot write: No space left on device"), "{message}");
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    succeed(disk.path(), ["sweep", "grid.toml", "-o", "new.jsonl"]);
}

#[test]
fn a_checkpoint_that_finds_no_room_leaves_the_one_before() {
    let Some(disk) = SmallDisk::new(4096) else { return };
    let child = start(disk.path(), &LONG);
    let checkpoint = disk.path().join("run/checkpoint.safetensors");
    wait_for(&checkpoint);
    disk.fill_but(0);
    send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let message = stderr(&output);
    assert!(
        message.contains("error: interrupted: no checkpoint could be written: run/checkpoint"),
        "{message}"
    );
    assert_eq!(names(&disk.path().join("run")), ["checkpoint.safetensors"]);
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    succeed(disk.path(), ["embed", "--resume", "run", "--quiet"]);
    assert!(result(disk.path()) == undisturbed());
}

/// The system refuses to write past the n-th block of any file, for every n until nothing is refused.
#[cfg(target_os = "linux")]
#[test]
fn a_write_that_fails_at_any_place_leaves_the_old_result_whole() {
    let here = folder();
    succeed(here.path(), again("1").chain(["--no-plot"]));
    let run = here.path().join("run");
    let old = contents(&run);
    for blocks in 0.. {
        // A process that ignores the signal is told by an error that the file may not grow.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.current_dir(here.path()).args(["-c", &script, env!("CARGO_BIN_EXE_hycome")]);
        let output = command.args(again("2")).arg("--no-plot").output().unwrap();
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
fn a_name_that_is_taken_by_a_folder_is_noticed_before_anything_is_replaced() {
    for taken in ["communities.tsv", "metrics.json", "disc.html"] {
        let here = folder();
        succeed(here.path(), again("1"));
        let run = here.path().join("run");
        std::fs::remove_file(run.join(taken)).unwrap();
        std::fs::create_dir(run.join(taken)).unwrap();
        let old = std::fs::read(run.join("run.safetensors")).unwrap();
        let message = fail(1, here.path(), again("2"));
        assert!(
            message.contains(&format!("run/{taken}: expected a file to replace, found a folder")),
            "{message}"
        );
        assert!(std::fs::read(run.join("run.safetensors")).unwrap() == old);
        assert_eq!(names(&run).len(), 4, "{:?}", names(&run));
    }
}

#[test]
fn a_read_only_folder_is_refused_before_the_training() {
    let Some(disk) = SmallDisk::new(1024) else { return };
    succeed(disk.path(), again("1"));
    let old = contents(&disk.path().join("run"));
    disk.read_only();
    for args in [again("2").collect::<Vec<_>>(), vec!["embed", "karate", "-o", "new/run"]] {
        let message = fail(1, disk.path(), args);
        assert!(message.contains("run: cannot write there: Read-only file system"), "{message}");
        assert!(!message.contains("tmp") && !message.contains(".hycome"), "{message}");
    }
    let message = fail(1, disk.path(), ["convert", "karate", "-o", "karate.hyg"]);
    assert!(message.contains("karate.hyg") && message.contains("Read-only file system"), "{message}");
    assert!(contents(&disk.path().join("run")) == old);
}

#[test]
fn a_folder_that_vanishes_is_told_of_and_made_again_for_the_result() {
    let here = folder();
    let child = start(here.path(), &LONG);
    let run = here.path().join("run");
    wait_for(&run.join("checkpoint.safetensors"));
    std::fs::rename(&run, here.path().join("elsewhere")).unwrap();
    let output = child.wait_with_output().unwrap();
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(
        message.contains("warning: no checkpoint could be written: run is gone; training continues"),
        "{message}"
    );
    assert!(result(here.path()) == undisturbed());
    // What was being written in that moment went with the folder, out of our reach.
    let mut left = names(&here.path().join("elsewhere"));
    left.retain(|name| !name.ends_with(".hycome-tmp"));
    assert_eq!(left, ["checkpoint.safetensors"]);
}

#[test]
fn a_folder_that_cannot_be_made_again_is_a_failure() {
    let here = folder();
    let child = start(here.path(), &LONG);
    let run = here.path().join("run");
    wait_for(&run.join("checkpoint.safetensors"));
    std::fs::rename(&run, here.path().join("elsewhere")).unwrap();
    write(here.path(), "run", "a file");
    let output = child.wait_with_output().unwrap();
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("error: run: cannot make the folder"), "{message}");
    assert_eq!(names(here.path()), ["elsewhere", "run"]);
    assert_eq!(std::fs::read(run).unwrap(), b"a file");
}

/// The command with a reader that takes one line and leaves.
fn read_one_line(folder: &Path, args: &[&str]) -> Output {
    let mut child = hycome(folder).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0];
    while out.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {}
    drop(out);
    child.wait_with_output().unwrap()
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let here = folder();
    // Far more lines than a pipe holds.
    let path: PathBuf = here.path().join("path.txt");
    let edges: String = (0..20_000).map(|i| format!("{i} {}\n", i + 1)).collect();
    std::fs::write(&path, edges).unwrap();
    let mut args =
        vec!["embed", "path.txt", "-k", "2", "-o", "run", "--warmup-epochs", "0", "--no-plot", "-q"];
    args.extend(["--walks", "1", "--walk-length", "2", "--epochs", "0"]);
    succeed(here.path(), args);
    let output = read_one_line(here.path(), &["communities", "run"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    // A training whose reader is gone before its summary is written down all the same.
    let args: Vec<&str> =
        AGAIN.into_iter().chain(["1"]).map(|arg| if arg == "run" { "new" } else { arg }).collect();
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
    succeed(here.path(), again("1"));
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
    // Nobody hears the messages; the result is there.
    let full = File::options().write(true).open("/dev/full").unwrap();
    assert!(hycome(here.path()).args(AGAIN).arg("3").stderr(full).output().unwrap().status.success());
}
