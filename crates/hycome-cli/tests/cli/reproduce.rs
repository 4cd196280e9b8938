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
    assert!(text.contains("H-kNN* ") && text.contains("In all, "), "{text}");
    let markdown = std::fs::read_to_string(folder.path().join("reproduce/report.md")).unwrap();
    for part in [
        "## Table 4",
        "| karate | 2 | precision@1 | 86 ± 3 | ",
        "\"walks\":2",
        "over seeds 1, 2",
        "## What differs from the paper",
        "--restarts 1",
        "H-kNN*, hycome",
    ] {
        assert!(markdown.contains(part), "{part} is not in {markdown}");
    }
    let json = std::fs::read_to_string(folder.path().join("reproduce/report.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(5));
    let counted: u64 =
        ["ahead", "level", "behind"].iter().map(|v| json["verdicts"][v].as_u64().unwrap()).sum();
    assert_eq!((counted, json["protocol"].as_str()), (4, Some("default")));
    assert!(json["cells"][4]["column"] == "H-kNN" && json["cells"][4]["verdict"].is_null());
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
    assert_eq!((&json["verdicts"]["open"], &json["come_verdicts"]["open"]), (&36.into(), &36.into()));
}

#[test]
fn protocol_of_the_paper_selects_by_conductance_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["reproduce", "table4", "--quick", "--protocol", "paper", "--only", "karate"];
    let output = run(folder.path(), arguments);
    let (text, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("selecting hyperparameters by conductance: 2 trainings"), "{errors}");
    let path = folder.path().join("reproduce-paper");
    let json: Value = serde_json::from_slice(&std::fs::read(path.join("report.json")).unwrap()).unwrap();
    assert_eq!(json["protocol"], "paper");
    for (key, value) in
        [("curvature", 1.0), ("restarts", 1.0), ("pretrain_dim", 0.0), ("scale_shrinkage", 0.0)]
    {
        assert_eq!(json["settings"][key].as_f64(), Some(value), "{key}");
    }
    assert_eq!(json["settings"]["warmup_epochs"], 10);
    let selection = &json["selections"][0];
    assert_eq!((&selection["candidates"], &selection["settings"]["window"]), (&2.into(), &2.into()));

    // The candidates have a seed of their own, and the better of the two is trained for the report.
    let lines = std::fs::read_to_string(path.join("results.jsonl")).unwrap();
    let records: Vec<Value> = lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2 + 2);
    let conductance =
        |record: &Value| record["outcome"]["measured"]["metrics"]["conductance"].as_f64().unwrap();
    let rate = |record: &Value| record["job"]["config"]["learning_rate"].as_f64().unwrap();
    let is_candidate = |record: &&Value| record["job"]["config"]["seed"] == 0;
    let (candidates, reported): (Vec<&Value>, Vec<&Value>) = records.iter().partition(is_candidate);
    let best = candidates.iter().min_by(|a, b| conductance(a).total_cmp(&conductance(b))).unwrap();
    assert_eq!(selection["conductance"].as_f64(), Some(conductance(best)));
    for record in reported {
        assert_eq!(rate(record), selection["settings"]["learning_rate"].as_f64().unwrap());
        assert_eq!(record["job"]["classify"]["multi_class"], "one-vs-rest");
    }
    let markdown = std::fs::read_to_string(path.join("report.md")).unwrap();
    assert!(
        markdown.contains("| karate | 2 | hyperbolic | ") && !markdown.contains("--restarts 1"),
        "{markdown}"
    );

    let again = run(folder.path(), arguments);
    let errors = String::from_utf8(again.stderr).unwrap();
    assert!(errors.contains("4 of 4 results are already in reproduce-paper/results.jsonl"), "{errors}");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
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
