//! What leaves the command: text on its streams, and files that appear whole or not at all.

use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::NodeNames;
use hycome::io::{StagedFile, commit, sync_folder};
use hycome::json::is_unsafe;

use crate::formats;

/// Prints a result. A reader that has gone, as `head` does, is no failure.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("standard output: cannot write")
        }
        _ => Ok(()),
    }
}

/// Prints an object as JSON.
pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&json(value)?)
}

/// An object as JSON text.
pub fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(hycome::json::to_string_pretty(value)? + "\n")
}

/// Tells the person at the terminal. If nobody hears it, so be it.
pub fn say(message: &str) {
    let _ = crate::progress::aside(|| writeln!(std::io::stderr().lock(), "{message}"));
}

/// A name as one field of a line that neither a table nor a terminal can misread.
///
/// A backslash becomes `\\`, a tab `\t`, the ends of lines `\n` and `\r`; other control characters and those
/// that reorder text become `\u{hex}`. Everything else stays.
pub fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c => push_harmless(&mut text, name, at, c),
        }
    }
    text
}

/// A message in which nothing steers the terminal; unlike in [`escaped`], backslashes stay as they are.
pub fn harmless(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    message.char_indices().for_each(|(at, c)| push_harmless(&mut text, message, at, c));
    text
}

/// Adds the character at `at` of `whole`, escaped if it controls a terminal or reorders text.
fn push_harmless(text: &mut String, whole: &str, at: usize, c: char) {
    if is_unsafe(c) && !is_joiner(whole, at, c) {
        text.push_str(&format!("\\u{{{:x}}}", c as u32));
    } else {
        text.push(c);
    }
}

/// Whether a character is a zero-width (non-)joiner between letters or emoji, as names in Persian and Hindi have them.
fn is_joiner(whole: &str, at: usize, c: char) -> bool {
    let joins = |c: char| c.is_alphabetic() || c > '\u{2ff}' && !c.is_whitespace() && !is_unsafe(c);
    matches!(c, '\u{200c}' | '\u{200d}')
        && whole[..at].chars().next_back().is_some_and(joins)
        && whole[at + c.len_utf8()..].chars().next().is_some_and(joins)
}

/// A path for a message.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// A graph's name as part of the name of a file here, whatever characters it has.
pub fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || matches!(c, '/' | '\\' | ':') { '_' } else { c }).collect()
}

/// The columns of a table of communities.
pub const COMMUNITY_COLUMNS: [&str; 3] = ["node", "community", "probability"];

/// The rows of a table of communities.
pub fn community_rows<'a>(
    names: &'a NodeNames,
    communities: &'a [u32],
    probabilities: &'a [f64],
) -> impl Iterator<Item = [Cow<'a, str>; 3]> {
    let rows = names.iter().zip(communities).zip(probabilities);
    rows.map(|((name, community), probability)| {
        [name, community.to_string().into(), format!("{probability:.6}").into()]
    })
}

/// Lines `node community probability` below a header, separated by tabs.
pub fn communities_tsv(names: &NodeNames, communities: &[u32], probabilities: &[f64]) -> String {
    formats::tsv(COMMUNITY_COLUMNS, community_rows(names, communities, probabilities))
}

/// Fails if files could not be made in `folder`: better now than after an hour of training.
pub fn probe(folder: &Path) -> anyhow::Result<()> {
    let here = Path::new(".");
    let existing = folder.ancestors().find(|path| path.exists()).filter(|path| !path.as_os_str().is_empty());
    let existing = existing.unwrap_or(here);
    let refused = || format!("{}: cannot write there", shown(folder));
    if !existing.is_dir() {
        return Err(std::io::Error::from(ErrorKind::NotADirectory)).with_context(refused);
    }
    StagedFile::probe(existing).with_context(refused)
}

/// Files that are staged and wait to be put in place together.
#[derive(Debug)]
pub struct Bundle {
    folder: PathBuf,
    /// The folders that had to be made, the outermost first.
    made: Vec<PathBuf>,
    staged: Vec<StagedFile>,
    /// Files of before that do not belong to the new ones.
    stale: Vec<PathBuf>,
}

impl Bundle {
    /// Stages files in `folder`, which is made if it is not there.
    pub fn stage(folder: &Path, files: &[(&str, &[u8])]) -> anyhow::Result<Self> {
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let mut made: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        made.reverse();
        let mut bundle = Self { folder: folder.into(), made, staged: Vec::new(), stale: Vec::new() };
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", shown(folder)))?;
        let is_foreign = |name: &str| folder.join(name).metadata().is_ok_and(|metadata| !metadata.is_file());
        if let Some((name, _)) = files.iter().find(|(name, _)| is_foreign(name)) {
            let path = folder.join(name);
            let found = if path.is_dir() { "a folder" } else { "something else" };
            anyhow::bail!(
                "{}: expected a file to replace, found {found}; move it away, or give another -o DIR",
                shown(&path)
            );
        }
        for (name, bytes) in files {
            bundle.staged.push(StagedFile::write(&bundle.folder.join(name), bytes)?);
        }
        Ok(bundle)
    }

    /// Lets files of the folder go when the new ones come, if they are there.
    pub fn removing<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.stale.extend(names.into_iter().map(|name| self.folder.join(name)));
        self
    }

    /// Puts all files in place, and removes the stale ones, or changes nothing.
    pub fn put_in_place(mut self) -> anyhow::Result<()> {
        commit(std::mem::take(&mut self.staged), &self.stale)?;
        for parent in self.made.iter().filter_map(|folder| folder.parent()) {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            sync_folder(parent).with_context(|| format!("{}: cannot write", shown(parent)))?;
        }
        Ok(())
    }
}

/// What was not put in place is removed, with the folders made for it.
impl Drop for Bundle {
    fn drop(&mut self) {
        self.staged.clear();
        for folder in self.made.iter().rev() {
            let _ = std::fs::remove_dir(folder); // refuses where something is in it
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_harmless() {
        assert_eq!(escaped("a\tb\nc\\d\re"), "a\\tb\\nc\\\\d\\re");
        assert_eq!(escaped("\u{1b}[31m\u{7}\u{9b}"), "\\u{1b}[31m\\u{7}\\u{9b}");
        assert_eq!(escaped("\u{202e}é名=1"), "\\u{202e}é名=1");
    }

    #[test]
    fn joiners_stay_between_letters_and_emoji() {
        for name in ["می\u{200c}خواهم", "क्\u{200d}ष", "👩\u{200d}🔬", "👩\u{fe0f}\u{200d}🔬"]
        {
            assert_eq!(escaped(name), name);
            assert_eq!(harmless(name), name);
        }
        assert_eq!(escaped("\u{200d}a\u{200c} b\u{200d}"), "\\u{200d}a\\u{200c} b\\u{200d}");
    }

    #[test]
    fn a_bundle_that_fails_leaves_no_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        drop(Bundle::stage(&folder, &[("x", b"1"), ("y", b"2")]).unwrap());
        assert!(!place.path().join("a").exists());
        assert!(Bundle::stage(&folder, &[("no/such", b"1")]).is_err());
        assert!(!place.path().join("a").exists());
        Bundle::stage(&folder, &[("x", b"1"), ("y", b"2")]).unwrap().put_in_place().unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    }
}
