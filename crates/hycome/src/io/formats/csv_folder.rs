//! CSV folders, in which BlogCatalog and Flickr are published.
//!
//! - `edges.csv`: `node,node` per line, needed;
//! - `nodes.csv`: a node per line, so that isolated nodes exist, optional;
//! - `group-edges.csv`: `node,group` per line, a line per membership, optional;
//! - `groups.csv`: a group per line, so that groups without members exist, optional.
//!
//! There is no header and perhaps no end of the last line. Each file may be compressed, with or without
//! `.gz` or `.zst` added to its name.

use std::path::Path;

use crate::io::formats::labels::rows::label_rows;
use crate::io::formats::text::{Fault, Text, first_columns, quoted, utf8};
use crate::io::formats::{edge_list, labels};
use crate::io::input::{Input, Reading};
use crate::io::read::Parsed;
use crate::io::{Limits, ReadCallback};
use crate::{Error, Result};

/// Reads the graph, and the labels if there are any, of a folder.
pub(crate) fn read(folder: &Path, limits: &Limits, progress: ReadCallback<'_>) -> Result<Parsed> {
    let open = |name| find(folder, name, &Reading::new(limits).with_progress(progress));
    let Some(edges) = open("edges.csv")? else {
        let expected = "`edges.csv` in this folder".to_owned();
        return Err(Error::Content {
            path: folder.into(),
            expected,
            found: "no file of that name".to_owned(),
        });
    };
    let (nodes, memberships, groups) = (open("nodes.csv")?, open("group-edges.csv")?, open("groups.csv")?);

    let parsed = edge_list::parse(text(&edges).with_progress(progress), nodes.as_ref().map(text), None)?;
    let Some(memberships) = &memberships else { return Ok(parsed) };
    let memberships = text(memberships);
    let groups = groups.as_ref().map_or(Ok(Vec::new()), |groups| group_list(text(groups)))?;
    let rows = memberships.report(label_rows(memberships, None))?;
    let loaded = labels::by_name(memberships, &rows, &parsed.names, &groups)?;
    let notes = parsed.notes.into_iter().chain(loaded.notes).collect();
    Ok(Parsed { labels: Some(loaded.labels), notes, ..parsed })
}

fn text(input: &Input) -> Text<'_> {
    Text::new(&input.path, &input.bytes)
}

/// The file of that name, perhaps with the extension of a compression, if there is one.
fn find(folder: &Path, name: &str, reading: &Reading<'_>) -> Result<Option<Input>> {
    let candidates = ["", ".gz", ".zst"].map(|ending| folder.join(format!("{name}{ending}")));
    let found = candidates.iter().find(|path| path.is_file());
    found.map(|path| reading.read(path)).transpose()
}

/// The first column of every line.
fn group_list(text: Text<'_>) -> Result<Vec<&str>> {
    let line = |(offset, line)| {
        let ([group], more) = first_columns::<1>(line);
        if more {
            return Err(Fault::new(offset, "one group per line", quoted(line)));
        }
        utf8(group, offset)
    };
    text.report(text.data_lines(0..text.bytes.len()).map(line).collect())
}

#[cfg(test)]
mod tests {
    use crate::io::read_graph;
    use std::fs;

    #[test]
    fn isolated_nodes_and_empty_groups_exist() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("edges.csv"), "1,2\n2,10").unwrap();
        fs::write(folder.path().join("nodes.csv"), "1\n2\n3\n10").unwrap();
        fs::write(folder.path().join("groups.csv"), "1\n2\n10").unwrap();
        fs::write(folder.path().join("group-edges.csv"), "3,10\n3,2\n1,2").unwrap();
        let loaded = read_graph(folder.path()).unwrap();
        assert_eq!((loaded.graph.node_count(), loaded.graph.edge_count()), (4, 2));
        let labels = loaded.labels.unwrap();
        assert_eq!(labels.class_names(), ["1", "2", "10"]);
        assert_eq!((labels.of(2), labels.used_class_count()), (&[1, 2][..], 2));
        assert_eq!(loaded.format, "CSV folder");
    }

    #[test]
    fn compressed_files_are_found_and_only_edges_are_needed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("edges.csv.zst"), zstd::encode_all(&b"a,b"[..], 1).unwrap()).unwrap();
        let loaded = read_graph(folder.path()).unwrap();
        assert_eq!((loaded.graph.node_count(), loaded.labels), (2, None));
    }

    #[test]
    fn a_folder_without_edges_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let message = read_graph(folder.path()).unwrap_err().to_string();
        let expected = "expected `edges.csv` in this folder, found no file of that name";
        assert_eq!(message, format!("{}: {expected}", folder.path().display()));
    }
}
