//! Downloads from a local server that can fail, close the connection early, or send wrong content.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::*;

/// Response of the server to a request.
#[derive(Clone, Copy, Debug)]
enum Behaviour {
    /// Serves requests and ranges.
    Honest,
    /// Ignores ranges.
    Whole,
    /// Announces the complete file, and closes the connection after this many bytes.
    CutAfter(usize),
    /// Answers every range request from offset 0.
    PartFromZero,
    /// Responds with 404.
    Missing,
}

/// Starts a server with one behaviour per request; returns its address and the requested ranges.
fn serve(content: &'static [u8], behaviours: &[Behaviour]) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/graph.mat", listener.local_addr().unwrap());
    let requested = Arc::new(Mutex::new(Vec::new()));
    let (log, behaviours) = (Arc::clone(&requested), behaviours.to_vec());
    std::thread::spawn(move || {
        for behaviour in behaviours {
            let (stream, _) = listener.accept().unwrap();
            let range = read_request(&stream);
            log.lock().unwrap().push(range.clone().unwrap_or_else(|| "all".into()));
            answer(stream, content, behaviour, range.as_deref());
        }
    });
    (address, requested)
}

/// Reads the headers of a request; returns its range.
fn read_request(stream: &TcpStream) -> Option<String> {
    let mut range = None;
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(": ")
            && name.eq_ignore_ascii_case("range")
        {
            range = Some(value.to_owned());
        }
    }
    range
}

fn answer(mut stream: TcpStream, content: &[u8], behaviour: Behaviour, range: Option<&str>) {
    let start: usize = range.and_then(|range| range[6..].trim_end_matches('-').parse().ok()).unwrap_or(0);
    let whole = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
    let part = format!(
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {start}-{}/{}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len().saturating_sub(1),
        content.len(),
        content.len().saturating_sub(start),
    );
    let (head, body) = match behaviour {
        Behaviour::Missing => {
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into(), &[][..])
        }
        Behaviour::PartFromZero => {
            let (last, length) = (content.len() - 1, content.len());
            let range = format!("Content-Range: bytes 0-{last}/{length}\r\nContent-Length: {length}");
            (format!("HTTP/1.1 206 Partial Content\r\n{range}\r\nConnection: close\r\n\r\n"), content)
        }
        Behaviour::Honest if start >= content.len() && range.is_some() => (
            "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into(),
            &[][..],
        ),
        Behaviour::Honest if range.is_some() => (part, &content[start..]),
        Behaviour::CutAfter(count) if range.is_some() => {
            (part, &content[start..(start + count).min(content.len())])
        }
        Behaviour::CutAfter(count) => (whole, &content[..count]),
        Behaviour::Honest | Behaviour::Whole => (whole, content),
    };
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

const CONTENT: &[u8] = b"a graph that travels, and a good deal of it";

/// SHA-256 of `CONTENT`, from sha256sum.
const SUM: &str = "4544d264e9162e3722795af6ee58805c817d51291bd9243a6fc4717adc944f6c";

fn get(url: &str, target: &Path, sha256: Option<&str>) -> anyhow::Result<Fetched> {
    let urls = [url.to_owned()];
    let bytes = Some(CONTENT.len() as u64);
    fetch(&Request { urls: &urls, target, bytes, sha256 }, &|_, _| {})
}

/// Target path in a folder that does not exist yet.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("data/graph.mat");
    (folder, target)
}

fn files(target: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(target.parent().unwrap()) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn file_is_downloaded_and_verified() {
    let (_folder, target) = place();
    let (url, _) = serve(CONTENT, &[Behaviour::Honest]);
    let fetched = get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(fetched, Fetched { bytes: CONTENT.len() as u64, sha256: SUM.into() });
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
    assert_eq!(files(&target), ["graph.mat"]);
}

#[test]
fn file_without_a_checksum_reports_its_own() {
    let (_folder, target) = place();
    let (url, _) = serve(CONTENT, &[Behaviour::Honest]);
    assert_eq!(get(&url, &target, None).unwrap().sha256, SUM);
}

#[test]
fn what_is_not_the_published_file_is_refused_and_removed() {
    let (_folder, target) = place();
    let (url, _) = serve(b"something else", &[Behaviour::Honest]);
    let wrong = get(&url, &target, Some(SUM)).unwrap_err().to_string();
    assert!(wrong.contains(&format!("expected SHA-256 {SUM}, found ")), "{wrong}");
    assert!(files(&target).is_empty());
}

#[test]
fn a_broken_connection_is_resumed() {
    let (_folder, target) = place();
    let (url, requested) =
        serve(CONTENT, &[Behaviour::CutAfter(10), Behaviour::CutAfter(5), Behaviour::Honest]);
    get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
    assert_eq!(*requested.lock().unwrap(), ["all", "bytes=10-", "bytes=15-"]);
}

#[test]
fn received_bytes_are_kept_for_the_next_attempt() {
    let (_folder, target) = place();
    let (url, _) = serve(CONTENT, &[Behaviour::CutAfter(10), Behaviour::Missing]);
    let error = get(&url, &target, Some(SUM)).unwrap_err().to_string();
    assert!(error.contains("10 bytes are kept"), "{error}");
    assert_eq!(files(&target), [".graph.mat.part"]);
    let (url, requested) = serve(CONTENT, &[Behaviour::Honest]);
    get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(*requested.lock().unwrap(), ["bytes=10-"]);
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
}

#[test]
fn without_ranges_the_download_restarts() {
    let (_folder, target) = place();
    let (url, _) = serve(CONTENT, &[Behaviour::CutAfter(10), Behaviour::Whole]);
    get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
}

#[test]
fn a_range_answered_from_zero_restarts_the_file() {
    let (_folder, target) = place();
    let (url, requested) = serve(CONTENT, &[Behaviour::CutAfter(10), Behaviour::PartFromZero]);
    get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
    assert_eq!(*requested.lock().unwrap(), ["all", "bytes=10-"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_part_is_not_followed() {
    let (folder, target) = place();
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let part = target.with_file_name(".graph.mat.part");
    for link in [std::os::unix::fs::symlink::<&PathBuf, &PathBuf>, std::fs::hard_link] {
        link(&victim, &part).unwrap();
        let error = format!("{:#}", get("http://127.0.0.1:9/", &target, Some(SUM)).unwrap_err());
        assert!(error.contains(".graph.mat.part: cannot write"), "{error}");
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
        std::fs::remove_file(&part).unwrap();
    }
}

#[test]
fn credentials_are_not_shown() {
    for (url, shown) in [
        ("https://me:secret@host/a@b", "https://…@host/a@b"),
        ("http://token@host", "http://…@host"),
        ("http://host/a@b", "http://host/a@b"),
        ("nonsense", "nonsense"),
    ] {
        assert_eq!(without_password(url), shown);
    }
    let (_folder, target) = place();
    let error = get("http://me:secret@127.0.0.1:9/x", &target, None).unwrap_err().to_string();
    assert!(!error.contains("secret"), "{error}");
}

#[test]
fn partial_file_with_other_content_is_discarded() {
    let (_folder, target) = place();
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    std::fs::write(target.with_file_name(".graph.mat.part"), "the beginning of another").unwrap();
    let (url, requested) = serve(CONTENT, &[Behaviour::Honest, Behaviour::Honest]);
    get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(*requested.lock().unwrap(), ["bytes=24-", "all"]);
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
}

#[test]
fn complete_partial_file_is_recognized() {
    let (_folder, target) = place();
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    std::fs::write(target.with_file_name(".graph.mat.part"), CONTENT).unwrap();
    let (url, _) = serve(CONTENT, &[Behaviour::Honest]);
    get(&url, &target, Some(SUM)).unwrap();
    assert_eq!(files(&target), ["graph.mat"]);
}

#[test]
fn more_than_the_published_size_is_not_taken() {
    let (_folder, target) = place();
    let (url, _) = serve(&[b'x'; 500], &[Behaviour::Honest]);
    let error = get(&url, &target, Some(SUM)).unwrap_err().to_string();
    assert!(error.contains("more than the 43 bytes"), "{error}");
    assert!(files(&target).is_empty());
}

#[test]
fn the_next_mirror_is_tried() {
    let (_folder, target) = place();
    let (empty, _) = serve(CONTENT, &[Behaviour::Missing]);
    let (url, _) = serve(CONTENT, &[Behaviour::Honest]);
    let urls = [empty, url];
    fetch(&Request { urls: &urls, target: &target, bytes: None, sha256: Some(SUM) }, &|_, _| {}).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), CONTENT);
}

#[test]
fn a_missing_file_is_reported_with_alternatives() {
    let (_folder, target) = place();
    let (url, _) = serve(CONTENT, &[Behaviour::Missing]);
    let error = get(&url, &target, Some(SUM)).unwrap_err().to_string();
    assert!(error.contains(&format!("tried {url} (the server returned 404 Not Found)")), "{error}");
    assert!(error.ends_with("point --data or HYCOME_DATA to a folder that has it"), "{error}");
}

#[test]
fn refused_connection_is_reported() {
    let (_folder, target) = place();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap(); // closed at once
    let error = get(&format!("http://{nobody}/graph.mat"), &target, Some(SUM)).unwrap_err().to_string();
    assert!(error.contains("refused"), "{error}");
    assert!(files(&target).is_empty());
}

#[test]
fn concurrent_download_of_a_file_fails() {
    let (_folder, target) = place();
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    let _open = open_part(&target.with_file_name(".graph.mat.part")).unwrap();
    let error = get("http://127.0.0.1:1/", &target, None).unwrap_err().to_string();
    assert!(error.contains("another hycome is downloading"), "{error}");
}
