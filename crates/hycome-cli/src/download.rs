//! A file out of the network: in part, on from there, verified, and put in place whole or not at all.
//!
//! What has come so far is kept beside the target as `.NAME.part`. Whoever asks again goes on from its end
//! (`Range`), unless the server only gives the whole. When all is there its SHA-256 is compared with the published
//! one; only then the file gets its name. A server that is asked for one file cannot make us write another, nor more
//! than the published size.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use hycome::io::{open_without_links, sync_folder};
use sha2::{Digest, Sha256};

use crate::interrupt;
use crate::output::shown;
use crate::style;

/// What to fetch, and where to put it.
#[derive(Debug)]
pub struct Request<'a> {
    /// Addresses that have the file, the best first.
    pub urls: &'a [String],
    pub target: &'a Path,
    /// Published size, where known.
    pub bytes: Option<u64>,
    /// Published SHA-256 in hexadecimal, where known.
    pub sha256: Option<&'a str>,
}

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub struct Fetched {
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// How often a connection that breaks is taken up again.
const ATTEMPTS: usize = 4;

/// More bytes than this are no graph that we know, where the published size is not known.
const MOST_BYTES: u64 = 4 << 30;

/// A server that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a transfer ended early.
enum Failure {
    /// The connection broke; what came is kept, and asking again may help.
    Cut(String),
    /// This address will not give the file.
    Refused(String),
    /// The disk or the user said stop.
    Fatal(anyhow::Error),
}

/// Fetches a file; `told` hears how many bytes of how many are there.
pub fn fetch(request: &Request<'_>, told: &dyn Fn(u64, Option<u64>)) -> anyhow::Result<Fetched> {
    let target = request.target;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let part = target.with_file_name(format!(".{name}.part"));
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot make the folder", shown(folder)))?;
    let mut file = open_part(&part)?;
    let mut failures = Vec::new();
    for url in request.urls {
        match from_address(url, request, &part, &mut file, told)? {
            Ok(fetched) => {
                put_in_place(&part, target)?;
                return Ok(fetched);
            }
            Err(reason) => failures.push(format!("{} ({reason})", without_password(url))),
        }
    }
    let kept = length(&file, &part)?;
    let kept = if kept == 0 {
        let _ = std::fs::remove_file(&part); // it holds nothing
        let _ = std::fs::remove_dir(folder); // refuses where something is in it
        String::new()
    } else {
        format!(
            "; {} are kept, and the same command goes on from there",
            style::counted(kept as usize, "byte", "bytes")
        )
    };
    bail!(
        "cannot download {}: tried {}{kept}; to do without the network, put the file there by hand, or point --data or \
         HYCOME_DATA to a folder that has it",
        shown(target),
        failures.join(" and "),
    )
}

/// An address as it may be shown: without what stands before the host, which may be a password.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..host_end].rfind('@') {
        Some(at) => format!("{scheme}://…@{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

/// Opens what has come so far; nobody else may write to it at the same time.
fn open_part(part: &Path) -> anyhow::Result<File> {
    let failed = || format!("{}: cannot write", shown(part));
    let file = open_without_links(part).with_context(failed)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        bail!("{}: another hycome is downloading this file", shown(part));
    }
    Ok(file)
}

/// The whole file from one address, or why it does not give it.
fn from_address(
    url: &str,
    request: &Request<'_>,
    part: &Path,
    file: &mut File,
    told: &dyn Fn(u64, Option<u64>),
) -> anyhow::Result<Result<Fetched, String>> {
    let mut reason = String::new();
    for _ in 0..ATTEMPTS {
        let start = length(file, part)?;
        match transfer(url, request, part, file, start, told) {
            Err(Failure::Fatal(error)) => return Err(error),
            Err(Failure::Refused(reason)) => return Ok(Err(reason)),
            Err(Failure::Cut(why)) => {
                reason = why;
                if length(file, part)? == start {
                    break; // it would only break again
                }
            }
            Ok(()) => {
                let (bytes, sha256) = sum(file).with_context(|| format!("{}: cannot read", shown(part)))?;
                let is_wrong = request.sha256.is_some_and(|expected| !expected.eq_ignore_ascii_case(&sha256));
                if !is_wrong {
                    return Ok(Ok(Fetched { bytes, sha256 }));
                }
                let expected = request.sha256.unwrap_or_default();
                reason = format!(
                    "what it gave is not the published file: expected SHA-256 {expected}, found {sha256}"
                );
                file.set_len(0).with_context(|| format!("{}: cannot write", shown(part)))?;
                if start == 0 {
                    break;
                } // else the beginning may have come from elsewhere: once more, all of it
            }
        }
    }
    Ok(Err(reason))
}

/// Asks for what is missing behind `start`, and appends what comes.
fn transfer(
    url: &str,
    request: &Request<'_>,
    part: &Path,
    file: &mut File,
    start: u64,
    told: &dyn Fn(u64, Option<u64>),
) -> Result<(), Failure> {
    let disk = |error: io::Error| {
        Failure::Fatal(anyhow::Error::new(error).context(format!("{}: cannot write", shown(part))))
    };
    let mut answer = ask(url, start)?;
    let mut written = match answer.start {
        Some(at) if at == start => start,
        Some(0) => 0, // all of it too, called a part
        Some(at) => {
            return Err(Failure::Refused(format!("asked for bytes from {start} it gave those from {at}")));
        }
        None => 0, // all of it, whatever was asked
    };
    file.set_len(written).and_then(|()| file.seek(SeekFrom::Start(written))).map_err(disk)?;
    let limit = request.bytes.unwrap_or(MOST_BYTES);
    let mut block = vec![0; 1 << 16];
    loop {
        told(written, answer.total.or(request.bytes));
        if interrupt::requested() {
            file.sync_data().map_err(disk)?;
            let error = "interrupted; what came is kept, and the same command goes on from there";
            return Err(Failure::Fatal(anyhow::Error::msg(error)));
        }
        match answer.body.read(&mut block) {
            Ok(0) => break,
            Ok(count) => {
                written += count as u64;
                if written > limit {
                    file.set_len(0).map_err(disk)?;
                    return Err(Failure::Refused(format!(
                        "it gave more than the {limit} bytes of the published file"
                    )));
                }
                file.write_all(&block[..count]).map_err(disk)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(Failure::Cut(format!("the connection broke after {written} bytes: {error}")));
            }
        }
    }
    file.sync_data().map_err(disk)?;
    let expected = answer.total.or(request.bytes).unwrap_or(written);
    if written < expected {
        return Err(Failure::Cut(format!("the connection ended after {written} of {expected} bytes")));
    }
    Ok(())
}

/// What a server answers.
struct Answer {
    /// The first byte it gives, if only a part.
    start: Option<u64>,
    /// Bytes of the whole file.
    total: Option<u64>,
    body: Box<dyn Read>,
}

#[cfg(feature = "download")]
fn ask(url: &str, start: u64) -> Result<Answer, Failure> {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
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
            .ok_or_else(|| Failure::Refused("it gave a part without saying which".into()))?,
        // Nothing is behind what we have: all of it is there, or it is of another file. The sum decides.
        416 if start > 0 => {
            return Ok(Answer { start: Some(start), total: Some(start), body: Box::new(io::empty()) });
        }
        _ => return Err(Failure::Refused(format!("the server says {status}"))),
    };
    Ok(Answer { start: first, total, body: Box::new(response.into_body().into_reader()) })
}

#[cfg(not(feature = "download"))]
fn ask(_url: &str, _start: u64) -> Result<Answer, Failure> {
    let _ = (PATIENCE, content_range);
    Err(Failure::Refused("this hycome was built without its feature `download`".into()))
}

/// `bytes 100-199/200` as the first byte and the size of the whole.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-')?.0.trim().parse().ok()?, total.trim().parse().ok()))
}

/// Bytes and SHA-256 of a whole file.
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

/// Gives the finished file its name and brings that to the disk.
fn put_in_place(part: &Path, target: &Path) -> anyhow::Result<()> {
    std::fs::rename(part, target).with_context(|| format!("{}: cannot write", shown(target)))?;
    let folder = target.parent().unwrap_or(Path::new("."));
    sync_folder(folder).with_context(|| format!("{}: cannot write", shown(folder)))
}

#[cfg(all(test, feature = "download"))]
mod tests;
