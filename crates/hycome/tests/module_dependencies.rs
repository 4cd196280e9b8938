//! The direction of dependencies between the modules of the library.
//!
//! Reads the paths in `src` that start with `crate::`, or with enough `super::` to reach the crate, except in unit tests, and
//! compares them with [`ALLOWED`]. A module may use only modules above it in the table, so neither the table nor the library
//! has a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each module and the modules it may use, lowest layer first.
const ALLOWED: &[(&str, &str)] = &[
    ("json", ""),
    ("machine", ""),
    ("mapped", ""),
    ("error", "machine"),
    ("interrupt", "error"),
    ("numeric", "error interrupt"),
    ("graph", "error interrupt numeric"),
    ("geometry", "error interrupt numeric"),
    ("sampling", "error graph interrupt numeric"),
    ("metrics", "error graph interrupt numeric"),
    ("mixture", "error geometry interrupt metrics numeric"),
    ("train", "error geometry graph interrupt machine metrics mixture numeric sampling"),
    ("classify", "error geometry graph interrupt metrics mixture numeric train"),
    ("io", "classify error geometry graph interrupt json machine mapped mixture numeric train"),
    ("generate", "error geometry graph interrupt mixture numeric sampling"),
    ("datasets", "error graph io metrics"),
    ("plot", "classify error geometry graph interrupt json metrics mixture numeric train"),
];

#[test]
fn modules_use_only_modules_below_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let found = edges(&src);
    let mut faults = Vec::new();
    for ((from, to), file) in &found {
        let is_allowed =
            ALLOWED.iter().any(|(module, uses)| module == from && uses.split(' ').any(|used| used == to));
        if !is_allowed {
            faults.push(format!("{from} uses {to}, which it must not: {}", file.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_table_has_no_cycle() {
    for (i, (module, uses)) in ALLOWED.iter().enumerate() {
        for used in uses.split(' ').filter(|used| !used.is_empty()) {
            let is_above = ALLOWED[..i].iter().any(|(below, _)| *below == used);
            assert!(is_above, "{used} must be above {module} in ALLOWED");
        }
    }
}

#[test]
fn every_path_to_another_module_is_an_edge() {
    let src = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |path: &str, text: &str| {
        let path = src.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is in src")).expect("src is writable");
        std::fs::write(path, text).expect("src is writable");
    };
    write("lib.rs", "pub mod graph;\npub mod plot;\npub mod io;\npub use plot::Scene;\n");
    write("io.rs", "");
    write("plot/mod.rs", "pub struct Scene;\n");
    write("graph/mod.rs", "use super::io;\n");
    write("graph/names.rs", "use super::super::plot;\nuse super::Graph;\nfn f(_: crate::Scene) {}\n");
    let found = edges(src.path());
    let expected = [("graph", "io", "graph/mod.rs"), ("graph", "plot", "graph/names.rs")];
    let expected = expected.map(|(from, to, file)| ((from.into(), to.into()), PathBuf::from(file)));
    assert_eq!(found, BTreeMap::from(expected));
}

#[test]
fn paths_are_found_in_code_and_not_in_comments_or_tests() {
    let code = "use crate::{\n    Error,\n    io::{self, read},\n    graph,\n};\n// crate::plot\nfn f() { crate::train::g(); \
                }\n#[cfg(test)]\nmod tests {\n    use crate::datasets;\n}\n";
    let found: Vec<String> = crate_paths(code).into_iter().collect();
    assert_eq!(found, ["Error", "graph", "io", "train"]);
}

/// Every edge between two modules, and a file that has it.
fn edges(src: &Path) -> BTreeMap<(String, String), PathBuf> {
    let exported = exports(&read(&src.join("lib.rs")));
    let mut edges = BTreeMap::new();
    for file in sources(src) {
        let relative = file.strip_prefix(src).expect("files are below src");
        let first = relative.components().next().expect("a file has a name").as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if module == "lib" {
            continue;
        }
        // `super::` once for each level of the file's module is the crate.
        let levels = relative.components().count() - usize::from(file.ends_with("mod.rs"));
        for name in crate_paths(&read(&file).replace(&"super::".repeat(levels), "crate::")) {
            let used = exported.get(&name).cloned().unwrap_or(name);
            let is_module = src.join(&used).is_dir() || src.join(format!("{used}.rs")).is_file();
            assert!(
                is_module,
                "{}: `crate::{used}` is neither a module nor exported by lib.rs",
                file.display()
            );
            if used != module {
                edges.entry((module.clone(), used)).or_insert_with(|| relative.to_path_buf());
            }
        }
    }
    edges
}

/// The module of each item that `lib.rs` re-exports.
fn exports(lib: &str) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for statement in lib.replace("pub(crate) use ", "pub use ").split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let Some((module, items)) = statement.split_once("::") else { continue };
        let items = items.trim_matches(['{', '}', '\n', ' ']).split(',').map(str::trim);
        for item in items.filter(|item| !item.is_empty()) {
            let name = item.rsplit("::").next().unwrap_or(item);
            exported.insert(name.to_owned(), module.trim_start_matches("crate::").to_owned());
        }
    }
    exported
}

/// The names that follow `crate::`, also within braces, outside comments and unit tests.
fn crate_paths(code: &str) -> BTreeSet<String> {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = code.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("crate::") {
        let is_path = !rest[..at].ends_with(|c: char| is_name(c) || c == '$');
        rest = &rest[at + "crate::".len()..];
        if !is_path {
            continue;
        }
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(rest.chars().take_while(|&c| is_name(c)).collect());
            continue;
        };
        let (mut depth, mut item) = (0, String::new());
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => _ = names.insert(first_name(&std::mem::take(&mut item))),
                _ if depth == 0 => item.push(c),
                _ => {}
            }
        }
        names.insert(first_name(&item));
    }
    names.remove("");
    names.remove("self");
    names
}

/// The first segment of a path.
fn first_name(path: &str) -> String {
    path.trim().split("::").next().unwrap_or_default().to_owned()
}

/// All source files that are not unit tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == "tests" || name.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
