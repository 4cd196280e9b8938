//! `hycome reproduce`, on a small graph.

use serde_json::Value;

use crate::{fail, run, succeed};

#[test]
fn reproduced_table_is_computed_once_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["reproduce", "table4", "--quick", "--only", "karate", "--data", "nowhere"];
    let text = succeed(folder.path(), arguments);
    assert!(text.contains("Table 4: classification of small graphs, in percent"), "{text}");
    assert!(text.contains("Quick check, not comparable to the paper: 2 seeds"), "{text}");
    assert!(text.contains("4 figures: "), "{text}");
    let markdown = std::fs::read_to_string(folder.path().join("reproduce/report.md")).unwrap();
    for part in ["## Table 4", "| karate | 2 | precision@1 | 86 ± 3 | ", "\"walks\":2", "over seeds 1, 2"] {
        assert!(markdown.contains(part), "{part} is not in {markdown}");
    }
    let json = std::fs::read_to_string(folder.path().join("reproduce/report.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["cells"][0]["paper"]["mean"], 86.0);
    assert!(json["cells"][0]["verdict"].is_string() && json["machine"]["cores"].is_number());

    let again = run(folder.path(), arguments);
    let errors = String::from_utf8(again.stderr).unwrap();
    assert!(errors.contains("2 of 2 results are already in reproduce/results.jsonl"), "{errors}");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}

#[test]
fn missing_datasets_are_skipped_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), ["reproduce", "table2", "--data", "nowhere", "--json"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert!(
        errors.contains("`hycome datasets get dblp wikipedia blogcatalog flickr --unverified`"),
        "{errors}"
    );
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["verdicts"]["open"], 72);
}

#[test]
fn settings_can_be_given_per_graph() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.toml"), "epochs = 1\n[karate]\nalpha = 0.5\n").unwrap();
    let arguments =
        ["reproduce", "table4", "--quick", "--seeds", "1", "--only", "karate", "--config", "s.toml"];
    succeed(folder.path(), arguments);
    let lines = std::fs::read_to_string(folder.path().join("reproduce/results.jsonl")).unwrap();
    assert!(lines.contains("\"alpha\":0.5") && lines.contains("\"epochs\":1"), "{lines}");
    let markdown = std::fs::read_to_string(folder.path().join("reproduce/report.md")).unwrap();
    assert!(markdown.contains("{\"karate\":{\"alpha\":0.5}}"), "{markdown}");

    std::fs::write(folder.path().join("s.toml"), "[karat]\nalpha = 0.5\n").unwrap();
    let errors = fail(2, folder.path(), arguments);
    assert!(errors.contains("s.toml: no dataset is named `karat`"), "{errors}");
}
