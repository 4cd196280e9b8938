//! Output file formats by extension. A path without an extension, such as a device, gets the command's default.

use std::path::Path;

use crate::Usage;
use crate::term::output::shown;

/// The extension in lower case, without that of the compression; empty if there is none.
pub fn extension(path: &Path) -> String {
    let lower = |path: &Path| path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match lower(path).as_str() {
        "gz" | "zst" => lower(Path::new(path.file_stem().unwrap_or_default())),
        other => other.to_owned(),
    }
}

fn is_compressed(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    extension == "gz" || extension == "zst"
}

/// Whether an output is standard output, written `-`.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Fails if both an output and the object of `--json` would go to standard output.
pub fn one_to_standard_output(output: Option<&Path>, json: bool) -> anyhow::Result<()> {
    if json && output.is_some_and(is_standard_output) {
        return Err(
            Usage("--json and --output - both need standard output; give --output a file".into()).into()
        );
    }
    Ok(())
}

/// Fails if the folder for several files is `-`.
pub fn refuse_standard_output(folder: &Path) -> anyhow::Result<()> {
    if is_standard_output(folder) {
        let sentence =
            "--output -: several files are written, which cannot go to standard output; give a folder";
        return Err(Usage(sentence.into()).into());
    }
    Ok(())
}

/// Fails unless the extension is one of `supported`; `noun` describes the content.
pub fn expect(path: &Path, noun: &str, supported: &[&str], compressible: bool) -> anyhow::Result<()> {
    if is_standard_output(path) {
        return Err(Usage(format!("-: {noun} cannot go to standard output; give a file")).into());
    }
    let extension = extension(path);
    let is_supported = extension.is_empty() || supported.contains(&extension.as_str());
    if is_supported && (compressible || !is_compressed(path)) {
        return Ok(());
    }
    Err(unsupported(path, noun, supported, compressible))
}

/// The error for an extension that is not supported.
pub fn unsupported(path: &Path, noun: &str, supported: &[&str], compressible: bool) -> anyhow::Error {
    let (last, others) = supported.split_last().expect("at least one format is supported");
    let others: Vec<String> = others.iter().map(|extension| format!(".{extension}")).collect();
    let list =
        if others.is_empty() { format!(".{last}") } else { format!("{} or .{last}", others.join(", ")) };
    let compressed = if compressible { ", optionally followed by .gz or .zst" } else { "" };
    Usage(format!("{}: expected a file name for {noun} that ends in {list}{compressed}", shown(path))).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_extensions_are_rejected() {
        let check = |path: &str| expect(Path::new(path), "a model", &["safetensors"], false);
        assert!(check("m.safetensors").is_ok() && check("m").is_ok());
        for path in ["m.pkl", "m.safetensors.gz"] {
            let message = check(path).unwrap_err().to_string();
            assert!(message.starts_with(path) && message.ends_with(".safetensors"), "{message}");
        }
    }
}
