//! Output that is not a regular file: devices, FIFOs and descriptors are written into, never replaced.

use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::process::Stdio;

use super::*;

/// A run, a model and a grid as inputs.
fn prepared() -> tempfile::TempDir {
    let here = folder();
    succeed(here.path(), ["embed", "karate", "-o", "run", "--quiet", "--no-plot"].into_iter().chain(SHORT));
    succeed(here.path(), ["classify", "run", "--labels", "karate", "--save-model", "m.safetensors"]);
    write(here.path(), "grid.toml", "graph = \"karate\"\nwalks = 1\nepochs = 1\nseeds = 1\n");
    here
}

/// Commands that write one file, without the file name, and the extension they need, if any.
const COMMANDS: [(&str, &str); 9] = [
    ("communities run -o", ""),
    ("predict run --model m.safetensors -o", ""),
    ("classify run --labels karate --save-model", ""),
    ("convert karate -o", ""),
    ("convert karate -q -o", ".csv"),
    ("generate sbm --nodes 100 --communities 2 -q -o", ""),
    ("plot run -o", ".html"),
    ("plot run -o", ".svg"),
    ("sweep grid.toml --csv", ""),
];

#[test]
fn a_fifo_is_written_into_by_every_command() {
    let here = prepared();
    for (command, extension) in COMMANDS {
        let (file, fifo) = (format!("file{extension}"), format!("fifo{extension}"));
        let args = |name: &str| command.split(' ').chain([name]).map(str::to_owned).collect::<Vec<_>>();
        succeed(here.path(), args(&file));
        let path = here.path().join(&fifo);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || std::fs::read(path).unwrap()
        });
        let output = run(here.path(), args(&fifo));
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        assert!(path.metadata().unwrap().file_type().is_fifo(), "{command}");
        let expected = std::fs::read(here.path().join(&file)).unwrap();
        assert!(reader.join().unwrap() == expected, "{command}: the same bytes as in a file");
        std::fs::remove_file(path).unwrap();
        std::fs::remove_file(here.path().join(file)).unwrap();
    }
    assert!(!names(here.path()).iter().any(|name| name.starts_with("fifo")), "{:?}", names(here.path()));
}

#[test]
fn a_device_stays_a_device() {
    let here = prepared();
    let device = here.path().join("null");
    let made = Command::new("mknod").arg(&device).args(["c", "1", "3"]).output();
    let own = made.is_ok_and(|output| output.status.success());
    // If a device node cannot be created, use a link to /dev/null: replacing the link would be harmless.
    if !own {
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
    }
    for (command, _) in COMMANDS.iter().filter(|(_, extension)| extension.is_empty()) {
        let output = run(here.path(), command.split(' ').chain(["null"]));
        assert!(output.status.success() || !own, "{command}: {}", stderr(&output));
        assert!(device.metadata().unwrap().file_type().is_char_device(), "{command}");
    }
    let text =
        succeed(here.path(), ["generate", "sbm", "--nodes", "100", "--communities", "2", "-o", "null"]);
    assert!(
        text.contains("written") && !text.contains("hycome embed"),
        "a device cannot be read again: {text}"
    );
    assert!(!here.path().join("null.labels").exists(), "nothing is written beside a device");
}

#[test]
fn standard_output_by_its_path_is_standard_output() {
    let here = prepared();
    let expected = succeed(here.path(), ["communities", "run"]);
    assert_eq!(succeed(here.path(), ["communities", "run", "-o", "/dev/stdout"]), expected, "a pipe");
    // Standard output redirected to a file in append mode keeps the earlier content.
    write(here.path(), "log", "before\n");
    let log = std::fs::File::options().append(true).open(here.path().join("log")).unwrap();
    let status =
        hycome(here.path()).args(["communities", "run", "-o", "/dev/fd/1"]).stdout(log).status().unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(here.path().join("log")).unwrap(), format!("before\n{expected}"));
    let mut child = hycome(here.path())
        .args(["communities", "run", "-o", "/dev/stdout"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "a reader that left: {}", stderr(&output));
}

#[test]
fn what_cannot_be_written_into_is_refused_and_stays() {
    let here = prepared();
    let socket = here.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    std::fs::create_dir(here.path().join("folder")).unwrap();
    for (name, what) in [("socket", "a socket"), ("folder", "folder")] {
        for (command, _) in COMMANDS.iter().filter(|(_, extension)| extension.is_empty()) {
            let message = stderr(&run(here.path(), command.split(' ').chain([name])));
            assert!(message.contains(&format!("error: {name}: ")) && message.contains(what), "{message}");
        }
    }
    assert!(socket.metadata().unwrap().file_type().is_socket());
}
