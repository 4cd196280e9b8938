//! Every test named in `docs/reference/guarantees.md` exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All files below `folder` with this extension.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "node_modules", ".venv"].contains(&name.as_str()) {
                files(&path, ending, found);
            }
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

/// Names of Rust and Python functions, and titles of the viewer's tests.
fn functions(root: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (folder, ending, keyword) in [
        ("crates", ".rs", "fn "),
        ("fuzz", ".rs", "fn "),
        ("python", ".py", "def "),
        ("web/test", ".mjs", "test(\""),
    ] {
        let mut sources = Vec::new();
        files(&root.join(folder), ending, &mut sources);
        for source in sources {
            let text = std::fs::read_to_string(source).expect("sources are text");
            let starts = text.lines().filter_map(|line| line.trim_start().strip_prefix(keyword));
            let name = |rest: &str| rest.split(['(', '<', '"']).next().unwrap_or_default().to_owned();
            names.extend(starts.map(name));
        }
    }
    names
}

#[test]
fn every_promise_is_kept_by_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/reference/guarantees.md")).expect("the page is there");
    let functions = functions(&root);
    let mut promises = 0;
    for line in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise")) {
        let [_, promise, kept_by, _] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("a row has a promise and its tests: {line}");
        };
        let tests: Vec<&str> = kept_by.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test is named for:{promise}");
        for test in tests {
            assert!(functions.contains(test), "no test is called {test}, which is to keep:{promise}");
        }
        promises += 1;
    }
    assert!(promises > 20, "{promises} promises were found");
}
