//! Full and read-only file systems: an error, exit code 1, and earlier results are intact. Mounts a tmpfs, which needs
//! root.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::*;
use crate::disk::{contents, train};
use crate::resume::{LONG, is_ignored, result, send, start, undisturbed, wait_for};

/// A small tmpfs, which can be filled and made read-only.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// None, with a message, if mounting is not permitted.
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

    /// Fills the file system except for this many bytes.
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
    succeed(disk.path(), train("1"));
    let run = disk.path().join("run");
    let old = contents(&run);
    let needed: usize = old.iter().map(|(_, bytes)| bytes.len().next_multiple_of(4096)).sum();
    for free in (0..needed).step_by(4096) {
        disk.fill_but(free);
        let message = fail(1, disk.path(), train("2"));
        assert!(message.starts_with("error: run/") && message.contains("cannot write"), "{message}");
        assert!(message.contains("No space left on device"), "{message}");
        assert!(contents(&run) == old, "{free} bytes were free: {:?}", names(&run));
    }
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    succeed(disk.path(), train("2"));
    assert_eq!(names(&run), old.iter().map(|file| file.0.clone()).collect::<Vec<_>>());
    assert!(contents(&run) != old);
}

#[test]
fn every_command_reports_a_full_disk() {
    let Some(disk) = SmallDisk::new(1024) else { return };
    succeed(disk.path(), train("1"));
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
    // Results of a sweep are appended line by line; the next sweep resumes from the complete lines.
    let message = fail(1, disk.path(), ["sweep", "grid.toml", "-o", "new.jsonl"]);
    assert!(message.contains("new.jsonl: cannot write: No space left on device"), "{message}");
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    succeed(disk.path(), ["sweep", "grid.toml", "-o", "new.jsonl"]);
}

#[test]
fn a_checkpoint_without_space_leaves_the_one_before() {
    if is_ignored(2) {
        return;
    }
    let Some(disk) = SmallDisk::new(4096) else { return };
    let child = start(disk.path(), &LONG);
    let checkpoint = disk.path().join("run/checkpoint.safetensors");
    wait_for(&checkpoint);
    // Fill the disk between two checkpoints: replacing one frees the space of the other.
    loop {
        send("-STOP", &child);
        std::thread::sleep(Duration::from_millis(10));
        disk.fill_but(0);
        if names(&disk.path().join("run")) == ["checkpoint.safetensors"] {
            break;
        }
        send("-CONT", &child);
        std::thread::sleep(Duration::from_millis(3));
    }
    send("-INT", &child);
    send("-CONT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let message = stderr(&output);
    assert!(message.contains("error: interrupted: cannot write a checkpoint: run/checkpoint"), "{message}");
    assert_eq!(names(&disk.path().join("run")), ["checkpoint.safetensors"]);
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    succeed(disk.path(), ["embed", "--resume", "run", "--quiet"]);
    assert!(result(disk.path()) == undisturbed());
}

#[test]
fn a_read_only_folder_is_refused_before_training() {
    let Some(disk) = SmallDisk::new(1024) else { return };
    succeed(disk.path(), train("1"));
    let old = contents(&disk.path().join("run"));
    disk.read_only();
    for args in [train("2").collect::<Vec<_>>(), vec!["embed", "karate", "-o", "new/run"]] {
        let message = fail(1, disk.path(), args);
        assert!(message.contains("run: cannot write there: Read-only file system"), "{message}");
        assert!(!message.contains("tmp") && !message.contains(".hycome"), "{message}");
    }
    let message = fail(1, disk.path(), ["convert", "karate", "-o", "karate.hyg"]);
    assert!(message.contains("karate.hyg") && message.contains("Read-only file system"), "{message}");
    assert!(contents(&disk.path().join("run")) == old);
}
