//! What leaves the command: text on its streams, and files that appear whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::NodeNames;
use hycome::io::StagedFile;

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
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Tells the person at the terminal. If nobody hears it, so be it.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{message}");
}

/// A name as one field of a line that neither a table nor a terminal can misread.
///
/// A backslash becomes `\\`, a tab `\t`, the ends of lines `\n` and `\r`; other control characters and those
/// that reorder text become `\u{hex}`. Everything else stays.
pub fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if is_unsafe(c) => text.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => text.push(c),
        }
    }
    text
}

/// Control characters, and marks that change the direction or the lines of text around them.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A message in which nothing steers the terminal; unlike in [`escaped`], backslashes stay as they are.
pub fn harmless(message: &str) -> String {
    message
        .chars()
        .map(|c| if is_unsafe(c) { format!("\\u{{{:x}}}", c as u32) } else { c.to_string() })
        .collect()
}

/// A path for a message.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// A graph's name as part of the name of a file here, whatever characters it has.
pub fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || matches!(c, '/' | '\\' | ':') { '_' } else { c }).collect()
}

/// Lines `node community probability` below a header, separated by tabs.
pub fn communities_tsv(names: &NodeNames, communities: &[u32], probabilities: &[f64]) -> String {
    let mut text = String::from("node\tcommunity\tprobability\n");
    for ((name, community), probability) in names.iter().zip(communities).zip(probabilities) {
        text.push_str(&format!("{}\t{community}\t{probability:.6}\n", escaped(&name)));
    }
    text
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
    tempfile::Builder::new().prefix(".hycome.").tempfile_in(existing).with_context(refused)?;
    Ok(())
}

/// Files that are staged and wait to be put in place together.
#[derive(Debug)]
pub struct Bundle {
    folder: PathBuf,
    /// The folders that had to be made, the outermost first.
    made: Vec<PathBuf>,
    staged: Vec<StagedFile>,
}

impl Bundle {
    /// Stages files in `folder`, which is made if it is not there.
    pub fn stage(folder: &Path, files: &[(&str, &[u8])]) -> anyhow::Result<Self> {
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let mut made: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        made.reverse();
        let mut bundle = Self { folder: folder.into(), made, staged: Vec::new() };
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", shown(folder)))?;
        // A folder would refuse to be replaced, but only after other files had been.
        if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).is_dir()) {
            anyhow::bail!(
                "{}: expected a file to replace, found a folder; move it away, or give another -o DIR",
                shown(&folder.join(name))
            );
        }
        for (name, bytes) in files {
            bundle.staged.push(StagedFile::write(&bundle.folder.join(name), bytes)?);
        }
        Ok(bundle)
    }

    /// Puts all files in place.
    pub fn put_in_place(mut self) -> anyhow::Result<()> {
        for file in std::mem::take(&mut self.staged) {
            file.put_in_place()?;
            self.made.clear(); // the folder has something in it now
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
