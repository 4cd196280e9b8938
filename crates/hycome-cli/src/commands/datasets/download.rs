//! Resumable, verified HTTP downloads.
//!
//! Received bytes are stored beside the target as `.NAME.part`. The next attempt resumes at its end with a `Range`
//! request, if the server supports that. A complete file is renamed to the target only if its SHA-256 is the published
//! one. A server can neither choose the file name nor exceed the published size.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use hycome::io::{open_without_links, sync_folder};
use sha2::{Digest, Sha256};

use crate::interrupt;
use crate::term::output::shown;
use crate::term::style;

/// A file to download.
#[derive(Debug)]
pub struct Request<'a> {
    /// Mirrors, in order of preference.
    pub urls: &'a [String],
    pub target: &'a Path,
    /// Published size, if known.
    pub bytes: Option<u64>,
    /// Published SHA-256 in hexadecimal, if known.
    pub sha256: Option<&'a str>,
}

/// A downloaded file.
#[derive(Debug, PartialEq, Eq)]
pub struct Fetched {
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Attempts per mirror.
const ATTEMPTS: usize = 4;

/// Size limit if the published size is unknown.
const MAX_BYTES: u64 = 4 << 30;

/// Timeout for connecting and for each read.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Reason for an incomplete transfer.
enum Failure {
    /// Connection lost; received bytes are kept, and a retry may help.
    Cut(String),
    /// The mirror does not provide the file.
    Refused(String),
    /// Disk error or interrupt.
    Fatal(anyhow::Error),
}

/// Downloads a file; `on_progress` receives the bytes so far and the total.
pub fn fetch(request: &Request<'_>, on_progress: &dyn Fn(u64, Option<u64>)) -> anyhow::Result<Fetched> {
    let target = request.target;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let part = target.with_file_name(format!(".{name}.part"));
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot create the folder", shown(folder)))?;
    let mut file = open_part(&part)?;
    let mut failures = Vec::new();
    for url in request.urls {
        match from_address(url, request, &part, &mut file, on_progress)? {
            Ok(fetched) => {
                publish(&part, target)?;
                return Ok(fetched);
            }
            Err(reason) => failures.push(format!("{} ({reason})", without_password(url))),
        }
    }
    let kept = length(&file, &part)?;
    let kept = if kept == 0 {
        let _ = std::fs::remove_file(&part); // it is empty
        let _ = std::fs::remove_dir(folder); // fails if it is not empty
        String::new()
    } else {
        format!(
            "; {} are kept, run the same command to resume",
            style::pluralize(kept as usize, "byte", "bytes")
        )
    };
    bail!(
        "cannot download {}: tried {}{kept}; without a network, copy the file there yourself, or point --data or \
         HYCOME_DATA to a folder that has it",
        shown(target),
        failures.join(" and "),
    )
}

/// A URL without credentials, for messages.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..host_end].rfind('@') {
        Some(at) => format!("{scheme}://…@{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

/// Opens and locks the partial file.
fn open_part(part: &Path) -> anyhow::Result<File> {
    let failed = || format!("{}: cannot write", shown(part));
    let file = open_without_links(part).with_context(failed)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        bail!("{}: another hycome is downloading this file", shown(part));
    }
    Ok(file)
}

/// Downloads from one mirror, or returns why it failed.
fn from_address(
    url: &str,
    request: &Request<'_>,
    part: &Path,
    file: &mut File,
    on_progress: &dyn Fn(u64, Option<u64>),
) -> anyhow::Result<Result<Fetched, String>> {
    let mut reason = String::new();
    for _ in 0..ATTEMPTS {
        let start = length(file, part)?;
        match transfer(url, request, part, file, start, on_progress) {
            Err(Failure::Fatal(error)) => return Err(error),
            Err(Failure::Refused(reason)) => return Ok(Err(reason)),
            Err(Failure::Cut(why)) => {
                reason = why;
                if length(file, part)? == start {
                    break; // no progress: do not retry
                }
            }
            Ok(()) => {
                let (bytes, sha256) = sum(file).with_context(|| format!("{}: cannot read", shown(part)))?;
                let is_wrong = request.sha256.is_some_and(|expected| !expected.eq_ignore_ascii_case(&sha256));
                if !is_wrong {
                    return Ok(Ok(Fetched { bytes, sha256 }));
                }
                let expected = request.sha256.unwrap_or_default();
                reason = format!("not the published file: expected SHA-256 {expected}, found {sha256}");
                file.set_len(0).with_context(|| format!("{}: cannot write", shown(part)))?;
                if start == 0 {
                    break;
                } // the first part may be from another mirror: retry from the start
            }
        }
    }
    Ok(Err(reason))
}

/// Requests the bytes from `start`, and appends them.
fn transfer(
    url: &str,
    request: &Request<'_>,
    part: &Path,
    file: &mut File,
    start: u64,
    on_progress: &dyn Fn(u64, Option<u64>),
) -> Result<(), Failure> {
    let disk = |error: io::Error| {
        Failure::Fatal(anyhow::Error::new(error).context(format!("{}: cannot write", shown(part))))
    };
    let mut response = request_range(url, start)?;
    let mut written = match response.start {
        Some(at) if at == start => start,
        Some(0) => 0, // the whole file, as a part
        Some(at) => {
            return Err(Failure::Refused(format!("requested bytes from {start}, received bytes from {at}")));
        }
        None => 0, // the whole file
    };
    file.set_len(written).and_then(|()| file.seek(SeekFrom::Start(written))).map_err(disk)?;
    let limit = request.bytes.unwrap_or(MAX_BYTES);
    let mut block = vec![0; 1 << 16];
    loop {
        on_progress(written, response.total.or(request.bytes));
        if interrupt::requested() {
            file.sync_data().map_err(disk)?;
            let error = "interrupted; received bytes are kept, run the same command to resume";
            return Err(Failure::Fatal(anyhow::Error::msg(error)));
        }
        match response.body.read(&mut block) {
            Ok(0) => break,
            Ok(count) => {
                written += count as u64;
                if written > limit {
                    file.set_len(0).map_err(disk)?;
                    return Err(Failure::Refused(format!(
                        "received more than the {limit} bytes of the published file"
                    )));
                }
                file.write_all(&block[..count]).map_err(disk)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(Failure::Cut(format!("connection lost after {written} bytes: {error}")));
            }
        }
    }
    file.sync_data().map_err(disk)?;
    let expected = response.total.or(request.bytes).unwrap_or(written);
    if written < expected {
        return Err(Failure::Cut(format!("connection closed after {written} of {expected} bytes")));
    }
    Ok(())
}

/// Response of a server.
struct Response {
    /// Offset of the first byte, for a partial response.
    start: Option<u64>,
    /// Size of the whole file.
    total: Option<u64>,
    body: Box<dyn Read>,
}

#[cfg(feature = "download")]
fn request_range(url: &str, start: u64) -> Result<Response, Failure> {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(TIMEOUT))
        .timeout_recv_response(Some(TIMEOUT))
        .timeout_per_read(Some(TIMEOUT))
        .user_agent(concat!("hycome/", env!("CARGO_PKG_VERSION")))
        .build();
    let mut asked = ureq::Agent::new_with_config(config).get(url);
    if start > 0 {
        asked = asked.header("Range", format!("bytes={start}-"));
    }
    let response = asked
        .call()
        .map_err(|error| Failure::Refused(error.to_string().replace(url, &without_password(url))))?;
    let header =
        |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok().map(str::to_owned));
    let status = response.status();
    let (first, total) = match status.as_u16() {
        200 => (None, header("content-length").and_then(|length| length.parse().ok())),
        206 => content_range(&header("content-range").unwrap_or_default())
            .map(|(start, total)| (Some(start), total))
            .ok_or_else(|| Failure::Refused("partial response without Content-Range".into()))?,
        // Nothing after what we have: either complete, or a different file. The checksum decides.
        416 if start > 0 => {
            return Ok(Response { start: Some(start), total: Some(start), body: Box::new(io::empty()) });
        }
        _ => return Err(Failure::Refused(format!("the server returned {status}"))),
    };
    Ok(Response { start: first, total, body: Box::new(response.into_body().into_reader()) })
}

#[cfg(not(feature = "download"))]
fn request_range(_url: &str, _start: u64) -> Result<Response, Failure> {
    let _ = (TIMEOUT, content_range);
    Err(Failure::Refused("hycome was built without the feature `download`".into()))
}

/// Parses `bytes 100-199/200` into the offset and the total size.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-')?.0.trim().parse().ok()?, total.trim().parse().ok()))
}

/// Size and SHA-256 of a file.
pub fn sum(mut file: &File) -> io::Result<(u64, String)> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let count = match file.read(&mut block) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(&block[..count]);
        bytes += count as u64;
    }
    Ok((bytes, hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

fn length(file: &File, part: &Path) -> anyhow::Result<u64> {
    Ok(file.metadata().with_context(|| format!("{}: cannot read", shown(part)))?.len())
}

/// Renames the complete file and fsyncs its folder.
fn publish(part: &Path, target: &Path) -> anyhow::Result<()> {
    std::fs::rename(part, target).with_context(|| format!("{}: cannot write", shown(target)))?;
    let folder = target.parent().unwrap_or(Path::new("."));
    sync_folder(folder).with_context(|| format!("{}: cannot write", shown(folder)))
}

#[cfg(all(test, feature = "download"))]
mod tests;
