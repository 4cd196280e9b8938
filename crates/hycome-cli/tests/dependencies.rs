//! The bill of materials of `tools/sbom` is complete, and `docs/design/dependencies.md` lists every direct dependency.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn the_bill_of_materials_is_whole() {
    let printed =
        Command::new("python3").arg(root().join("tools/sbom")).output().expect("python3 is installed");
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let bill: Value = serde_json::from_slice(&printed.stdout).expect("it is JSON");
    assert_eq!((text(&bill, "bomFormat"), text(&bill, "specVersion")), ("CycloneDX", "1.5"));

    let components = list(&bill, "components");
    let known: HashSet<&str> = components.iter().map(|component| text(component, "bom-ref")).collect();
    assert_eq!(known.len(), components.len(), "components are unique");
    for component in components {
        let name = text(component, "name");
        assert_eq!(text(component, "purl"), format!("pkg:cargo/{name}@{}", text(component, "version")));
        assert!(!text(&component["licenses"][0], "expression").is_empty(), "{name} has a licence");
        let checksum = text(&component["hashes"][0], "content");
        let is_checksum = checksum.len() == 64 && checksum.bytes().all(|digit| digit.is_ascii_hexdigit());
        assert!(is_checksum || name.starts_with("hycome"), "{name} has a checksum");
    }
    for entry in list(&bill, "dependencies") {
        let all = list(entry, "dependsOn").iter().filter_map(Value::as_str).chain([text(entry, "ref")]);
        all.for_each(|name| assert!(known.contains(name), "{name} is a component"));
    }
    for crate_of_ours in ["hycome", "hycome-cli", "hycome-python"] {
        assert!(components.iter().any(|component| text(component, "name") == crate_of_ours));
    }
    assert!(
        !components.iter().any(|component| text(component, "name") == "proptest"),
        "test dependencies are excluded"
    );
}

#[test]
fn every_direct_dependency_says_what_it_is_for() {
    let page = fs::read_to_string(root().join("docs/design/dependencies.md")).unwrap();
    let table: String = page.lines().filter(|line| line.starts_with("| `")).collect();
    for manifest in ["crates/hycome", "crates/hycome-cli", "crates/hycome-experiments", "python"] {
        let manifest = fs::read_to_string(root().join(manifest).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&manifest).unwrap();
        for name in
            manifest["dependencies"].as_table().unwrap().keys().filter(|name| !name.starts_with("hycome"))
        {
            assert!(
                table.contains(&format!("`{name}`")),
                "docs/design/dependencies.md does not list `{name}`"
            );
        }
    }
}
