//! Downloads of public graphs from a local server.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::{fail, run, succeed};

/// Serves the files of a folder for the duration of the test; returns the address.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let path = first.split(' ').nth(1).unwrap().trim_start_matches('/').to_owned();
            let (status, body) = match std::fs::read(folder.join(path)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

/// Folder of the published files, if available.
fn published() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let folder = std::env::var_os("HYCOME_DATA").map_or(default, PathBuf::from);
    let found = folder.join("dblp/Dblp.mat").is_file();
    if !found {
        println!("skipped: {} has no published graphs; set HYCOME_DATA to their folder", folder.display());
    }
    found.then_some(folder)
}

#[test]
fn published_graph_is_downloaded_and_verified() {
    let Some(published) = published() else { return };
    let source = serve(published);
    let folder = tempfile::tempdir().unwrap();
    let get = ["datasets", "get", "dblp", "karate", "--source", &source, "--data", "data", "--json"];
    let json: serde_json::Value = serde_json::from_str(&succeed(folder.path(), get)).unwrap();
    assert_eq!(json["files"].as_array().map(Vec::len), Some(2));
    assert!(json["files"].as_array().unwrap().iter().all(|file| file["verified"] == true));
    let info = ["info", "dblp", "--data", "data", "--json"];
    let json: serde_json::Value = serde_json::from_str(&succeed(folder.path(), info)).unwrap();
    assert_eq!((&json["nodes"], &json["edges"]), (&13_184.into(), &47_937.into()));
    assert_eq!(json["labels"]["classes"], 5);
    let again = run(folder.path(), get);
    assert!(String::from_utf8_lossy(&again.stderr).contains("already downloaded"));
    let path = succeed(folder.path(), ["datasets", "path", "dblp", "--data", "data"]);
    assert_eq!(Path::new(path.trim_end()), Path::new("data/dblp/Dblp.mat"));
}

#[test]
fn existing_file_with_another_checksum_is_rejected() {
    let (server, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(server.path().join("dblp")).unwrap();
    std::fs::write(server.path().join("dblp/Dblp.mat"), "not a graph").unwrap();
    let source = serve(server.path().to_owned());
    let errors = fail(1, folder.path(), ["datasets", "get", "dblp", "--source", &source, "--data", "d"]);
    assert!(errors.contains("cannot download d/dblp/Dblp.mat: tried http://127.0.0.1:"), "{errors}");
    assert!(!folder.path().join("d/dblp/Dblp.mat").exists());
}

#[test]
fn a_file_without_a_published_sum_needs_consent() {
    let (server, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(server.path().join("flickr")).unwrap();
    std::fs::write(server.path().join("flickr/flickr.mat"), "a graph").unwrap();
    let source = serve(server.path().to_owned());
    let get = ["datasets", "get", "flickr", "--source", &source, "--data", "d"];
    let errors = fail(1, folder.path(), get);
    assert!(errors.contains("no checksum is published") && errors.contains("--unverified"), "{errors}");
    assert!(!folder.path().join("d/flickr").exists());
    assert!(
        succeed(folder.path(), ["datasets", "list", "--data", "d"]).contains("not downloaded, no checksum")
    );
    let output = run(folder.path(), get.into_iter().chain(["--unverified"]));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.contains("7 bytes; not verified"), "{errors}");
    assert!(folder.path().join("d/flickr/flickr.mat").exists());
}

#[test]
fn download_error_without_network_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let errors = fail(1, folder.path(), ["datasets", "get", "dblp", "--source", &nobody, "--data", "d"]);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains("point --data or HYCOME_DATA"), "{errors}");
}
