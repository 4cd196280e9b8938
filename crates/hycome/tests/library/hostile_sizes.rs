//! Files that declare false sizes: decompression bombs, counts without content, numbers at the limits of their type, deep
//! nesting.
//!
//! Each is read in its own process, which then prints its peak memory (on Linux). Bombs are generated here and not stored.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use hycome::graph::NodeNames;
use hycome::io::{checkpoint_file, history_file, model_file, read_graph, read_labels, run_file};

/// Limit of the peak memory of a process that refuses a hostile file.
const CEILING: u64 = 256 << 20;

/// Environment variable with the file that the child process reads.
const FILE: &str = "HYCOME_HOSTILE_FILE";

/// Outcome of reading a file: the error, or the counts of nodes and edges.
fn outcome_of(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    let accepted = |()| "it was read".to_owned();
    let outcome = match name.split('.').next().unwrap_or_default() {
        "labels" => read_labels(path, &NodeNames::numbered(1, 3)).map(|_| accepted(())),
        "run" => run_file::load(path).map(|_| accepted(())),
        "model" => model_file::load(path).map(|_| accepted(())),
        "checkpoint" => checkpoint_file::load(path).map(|_| accepted(())),
        "history" => history_file::from_bytes(&fs::read(path).unwrap(), path).map(|_| accepted(())),
        _ => read_graph(path).map(|loaded| {
            format!("{} nodes, {} edges", loaded.graph.node_count(), loaded.graph.edge_count())
        }),
    };
    outcome.unwrap_or_else(|error| error.to_string())
}

/// Peak memory of this process, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) << 10
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// A megabyte of gzip that expands to about a gigabyte, the largest ratio of the format.
fn gzip_bomb() -> Vec<u8> {
    gzip(&b"1 2\n".repeat(10 << 18)).repeat(100)
}

/// A bomb behind five megabytes of gzip that hold an ordinary graph.
fn padded_bomb(bomb: &[u8]) -> Vec<u8> {
    let edge = |i: u32| format!("{} {}\n", i.wrapping_mul(2_654_435_761), i.wrapping_mul(2_246_822_519));
    let graph: String = (0..500_000).map(edge).collect();
    [&gzip(graph.as_bytes()), bomb].concat()
}

/// A megabyte of Zstandard that expands to more than ten gigabytes.
fn zstandard_bomb() -> Vec<u8> {
    let frame = zstd::encode_all(&b"1 2\n".repeat(16 << 20)[..], 3).unwrap();
    frame.repeat(200)
}

fn matlab_element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = [kind.to_le_bytes(), (data.len() as u32).to_le_bytes()].concat();
    bytes.extend(data);
    if kind != 15 {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    bytes
}

/// A MATLAB variable: its class, its dimensions, its name, then elements.
fn matlab_variable(class: u8, size: [i32; 2], name: &str, elements: &[(u32, &[u8])]) -> Vec<u8> {
    let mut data = matlab_element(6, &[class, 0, 0, 0, 0, 0, 0, 0]);
    data.extend(matlab_element(5, &size.map(i32::to_le_bytes).concat()));
    data.extend(matlab_element(1, name.as_bytes()));
    elements.iter().for_each(|(kind, element)| data.extend(matlab_element(*kind, element)));
    matlab_element(14, &data)
}

fn matlab(variables: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"MATLAB 5.0 MAT-file".to_vec();
    bytes.resize(124, b' ');
    bytes.extend(b"\x00\x01IM");
    bytes.extend(variables.concat());
    bytes
}

/// A variable whose zlib stream expands from 300 kB to 300 MB of zeros.
fn matlab_bomb() -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 10 << 20];
    (0..30).for_each(|_| encoder.write_all(&zeros).unwrap());
    matlab(&[matlab_element(15, &encoder.finish().unwrap())])
}

/// A safetensors file with this header and little content.
fn tensors(header: &str) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 64]].concat()
}

/// A safetensors file whose header declares 2⁶⁴ numbers.
fn huge_shape(format: &str, tensor: &str) -> Vec<u8> {
    tensors(&format!(
        r#"{{"__metadata__":{{"format":"{format}","checksum":"00000000","format_version":"1"}},"{tensor}":{{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,64]}}}}"#
    ))
}

/// Files, and part of the expected outcome of each.
fn hostile_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let limit = "expected at most 67108864 bytes or 100 times the compressed size after decompression; decompress it first if you trust it, found more";
    let (gzip, zstandard) = (gzip_bomb(), zstandard_bomb());
    let largest = i32::MAX.to_le_bytes();
    let matrix =
        |size: &str| format!("%%MatrixMarket matrix coordinate pattern general\n{size}\n1 2\n").into_bytes();
    vec![
        ("gzip-bomb.txt.gz", gzip.clone(), limit),
        ("padded-bomb.txt.gz", padded_bomb(&gzip), limit),
        ("gzip-bomb.gml", gzip.clone(), limit),
        ("labels.bomb.gz", gzip, limit),
        ("zstandard-bomb.txt.zst", zstandard.clone(), limit),
        ("labels.bomb.zst", zstandard, limit),
        ("zlib-bomb.mat", matlab_bomb(), limit),
        ("billion.txt", b"1 4000000000".to_vec(), "2 nodes, 1 edges"),
        ("beyond-64-bits.txt", b"1 18446744073709551616".to_vec(), "2 nodes, 1 edges"),
        ("one-line.txt", b"1 ".repeat(16 << 20), "expected `source target` or `source target weight`"),
        ("one-row.csv", b"1,".repeat(16 << 20), "expected `source target` or `source target weight`"),
        ("labels.one-line.txt", b"1 ".repeat(16 << 20), "expected at most 100000 words in a line"),
        ("labels.one-row.csv", b"1,".repeat(16 << 20), "expected at most 100000 words in a line"),
        ("one-name.txt", vec![b'x'; 32 << 20], "expected `source target` or `source target weight`"),
        ("rows.mtx", matrix("1000000000 1000000000 1"), "expected at most 64 rows per entry"),
        ("entries.mtx", matrix("3 3 18446744073709551615"), "expected as many entries as the size line says"),
        ("overflow.mtx", matrix("3 3 18446744073709551616"), "expected `rows columns entries`"),
        (
            "sparse.mat",
            matlab(&[matlab_variable(
                5,
                [i32::MAX; 2],
                "network",
                &[(5, &[0; 8]), (5, &[0; 8]), (9, &[0; 8])],
            )]),
            "expected 2147483648 column starts",
        ),
        (
            "dense.mat",
            matlab(&[matlab_variable(6, [i32::MAX; 2], "network", &[(9, &[0; 8])])]),
            "× 2147483647 values",
        ),
        (
            "zeros.mat",
            matlab(&[matlab_variable(9, [6000; 2], "network", &[(2, &vec![0; 36_000_000])])]),
            "expected at least one edge, found none",
        ),
        (
            "starts.mat",
            matlab(&[matlab_variable(
                5,
                [1; 2],
                "network",
                &[(5, &[0; 8]), (5, &[[0; 4], largest].concat()), (9, &[0; 8])],
            )]),
            "expected 2147483647 entries as the last column start says",
        ),
        (
            "groups.mat",
            matlab(&[
                matlab_variable(6, [0; 2], "network", &[(9, &[])]),
                matlab_variable(6, [0, i32::MAX], "group", &[(9, &[])]),
            ]),
            "expected one or more nodes",
        ),
        (
            "deep.gml",
            format!("graph {}", "[ a ".repeat(4 << 20)).into_bytes(),
            "expected lists at most 64 deep",
        ),
        (
            "header.hyg",
            [&[255; 6][..], &[0, 0], br#"{"__metadata__":{"format":"hycome-graph"}}"#].concat(),
            "a damaged one",
        ),
        ("shape.hyg", huge_shape("hycome-graph", "targets"), "a damaged one"),
        ("run.safetensors", huge_shape("hycome-run", "nodes"), "a damaged one"),
        ("checkpoint.safetensors", huge_shape("hycome-checkpoint", "0.nodes"), "a damaged one"),
        ("model.safetensors", huge_shape("hycome-model", "points"), "a damaged one"),
        ("history.safetensors", huge_shape("hycome-history", "nodes"), "a damaged one"),
    ]
}

/// Outcome of reading a file in a child process, and its peak memory.
fn in_a_child(path: &Path) -> (String, u64) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "hostile_sizes::hostile_files_are_answered_within_256_megabytes",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FILE, path)
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout).into_owned();
    let outcome = output.lines().find_map(|line| Some(line.split_once("outcome ")?.1)).unwrap_or(&output);
    let peak = output.lines().find_map(|line| line.strip_prefix("peak ")?.parse().ok()).unwrap_or(u64::MAX);
    (outcome.to_owned(), peak)
}

#[test]
fn hostile_files_are_answered_within_256_megabytes() {
    if let Some(path) = std::env::var_os(FILE) {
        println!("\noutcome {}\npeak {}", outcome_of(&PathBuf::from(path)), peak());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, expected) in hostile_files() {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let (outcome, peak) = in_a_child(&path);
        assert!(outcome.contains(expected), "{name}: {outcome}");
        assert!(peak < CEILING, "{name} took {} MB", peak >> 20);
        println!("{name}: {} MB", peak >> 20);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn node_names_are_not_used_as_paths() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("graph");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("edges.csv"), "../secret,/etc/passwd\n../../x,../secret\n").unwrap();
    fs::write(inside.join("group-edges.csv"), "../secret,../../group\n").unwrap();
    let loaded = read_graph(&inside).unwrap();
    let names: Vec<String> = loaded.names.iter().map(|name| name.into_owned()).collect();
    assert_eq!(names, ["../../x", "../secret", "/etc/passwd"]);
    assert_eq!(loaded.labels.unwrap().class_names(), ["../../group"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written beside the folder");
}

#[cfg(unix)]
#[test]
fn links_to_devices_or_missing_files_are_not_followed() {
    for target in ["/dev/zero", "edges.csv", ".", "/nowhere"] {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(target, folder.path().join("edges.csv")).unwrap();
        let message = read_graph(folder.path()).unwrap_err().to_string();
        assert!(
            message.ends_with("expected `edges.csv` in this folder, found no file of that name"),
            "{message}"
        );
    }
}
