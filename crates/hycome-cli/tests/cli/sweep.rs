//! `hycome sweep`: running, interrupting, resuming and extending grids.

use std::path::Path;

use serde_json::Value;

use crate::{fail, hycome, run, succeed};

const GRID: &str = "\
graph = [\"karate\", \"books\"]
seeds = 2
walks = 1
epochs = 1
warmup_epochs = 1
learning_rate = [0.01, 0.02]
classify = [\"gaussian\", \"knn\"]
runs = 1
";

fn sweep(folder: &Path, more: &[&str]) -> Value {
    let arguments: Vec<&str> = ["sweep", "grid.toml", "--json"].iter().chain(more).copied().collect();
    let mut json: Value = serde_json::from_str(&succeed(folder, arguments)).unwrap();
    for combination in json["combinations"].as_array_mut().unwrap() {
        combination.as_object_mut().unwrap().remove("train_seconds"); // the only part that may differ
    }
    json
}

fn folder(grid: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("grid.toml"), grid).unwrap();
    folder
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let folder = folder(GRID);
    let one = sweep(folder.path(), &["--threads", "1", "-o", "results.jsonl"]);
    std::fs::remove_file(folder.path().join("results.jsonl")).unwrap();
    let three = sweep(folder.path(), &["--threads", "3", "-o", "results.jsonl"]);
    assert_eq!(one, three);
    assert_eq!(one["combinations"].as_array().map(Vec::len), Some(4));
    assert!(one["combinations"][0]["metrics"]["knn.precision_at_1"]["mean"].is_number());
}

#[test]
fn interrupted_sweep_resumes() {
    let folder = folder(GRID);
    let whole = sweep(folder.path(), &[]);
    let path = folder.path().join("grid.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 1 + 8);
    // A header, three results and half of the fourth, as after a crash.
    std::fs::write(&path, lines[..4].concat() + &lines[4][..lines[4].len() / 2]).unwrap();
    let output = run(folder.path(), ["sweep", "grid.toml"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("grid.jsonl ends in an incomplete line"), "{errors}");
    assert!(errors.contains("3 of 8 results are already in grid.jsonl"), "{errors}");
    assert_eq!(sweep(folder.path(), &[]), whole);
}

#[test]
fn extended_grid_reuses_results() {
    let folder = folder(GRID);
    sweep(folder.path(), &[]);
    let grown = GRID.replace("seeds = 2", "seeds = 3").replace("[0.01, 0.02]", "0.02");
    std::fs::write(folder.path().join("grid.toml"), grown).unwrap();
    let output = run(folder.path(), ["sweep", "grid.toml", "--csv", "grid.csv"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("4 of 6 results are already in grid.jsonl"), "{errors}");
    assert!(errors.contains("4 results in grid.jsonl are of other settings"), "{errors}");
    let csv = std::fs::read_to_string(folder.path().join("grid.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 6);
    assert!(csv.starts_with("graph,labels,largest_component,unweighted,communities,dim,"), "{csv}");
}

#[test]
fn results_of_a_changed_graph_are_not_reused() {
    let folder = folder("graph = \"edges.txt\"\ncommunities = 2\nseeds = 1\nwalks = 1\nepochs = 1\n");
    std::fs::write(folder.path().join("edges.txt"), "a b\nb c\nc d\nd a\n").unwrap();
    sweep(folder.path(), &[]);
    std::fs::write(folder.path().join("edges.txt"), "a b\nb c\nc d\n").unwrap();
    let errors = fail(1, folder.path(), ["sweep", "grid.toml"]);
    assert!(errors.contains("a different version of `edges.txt`"), "{errors}");
}

#[test]
fn invalid_grids_are_rejected_before_training() {
    let folder = folder("graph = \"karate\"\nseeds = 1\ncommunities = [2, 99]\n");
    let errors = fail(2, folder.path(), ["sweep", "grid.toml"]);
    assert!(
        errors.contains("karate: `communities` must be at most the number of nodes, 34, but is 99"),
        "{errors}"
    );
    let text = std::fs::read_to_string(folder.path().join("grid.jsonl")).unwrap_or_default();
    assert!(text.lines().count() <= 1, "{text}");
}

#[test]
fn selecting_communities_by_conductance_causes_a_warning() {
    let grid = "graph = \"karate\"\nseeds = 1\nwalks = 1\nepochs = 1\ncommunities = [2, 3]\n";
    let many = folder(grid);
    let warnings = |folder: &Path, by: &str| {
        let object = sweep(folder, &["--by", by]);
        let warnings = object["warnings"].as_array().unwrap().clone();
        warnings.iter().filter(|warning| warning.as_str().unwrap().contains("conductance falls")).count()
    };
    assert_eq!(warnings(many.path(), "conductance"), 1);
    assert_eq!(warnings(many.path(), "modularity"), 0);
    let output = run(many.path(), ["sweep", "grid.toml", "--by", "conductance"]);
    let errors = String::from_utf8_lossy(&output.stderr).replace("\n         ", " ");
    assert!(errors.contains("warning: conductance falls"), "{errors}");
    let one = folder(&grid.replace("[2, 3]", "2"));
    assert_eq!(warnings(one.path(), "conductance"), 0);
}

#[test]
fn combinations_are_ranked_for_each_number_of_communities_alone() {
    let here = folder(
        "graph = \"karate\"\nseeds = 1\nwalks = 1\nepochs = 1\nlearning_rate = [0.01, 0.02]\ncommunities = [3, 2]\n",
    );
    for by in ["modularity", "conductance"] {
        let object = sweep(here.path(), &["--by", by]);
        let combinations = object["combinations"].as_array().unwrap();
        let communities: Vec<_> =
            combinations.iter().map(|each| each["config"]["communities"].as_u64().unwrap()).collect();
        assert_eq!(communities, [2, 2, 3, 3], "{by}");
        let best = object["best"].as_array().unwrap();
        assert_eq!(best.len(), 2, "{by}");
        for (best, (communities, place)) in best.iter().zip([(2, 0), (3, 2)]) {
            assert_eq!(
                (&best["graph"], &best["communities"], &best["combination"]),
                (&"karate".into(), &communities.into(), &place.into()),
                "{by}"
            );
        }
    }
    let text = succeed(here.path(), ["sweep", "grid.toml", "--by", "conductance"]);
    assert_eq!(text.matches("best of karate").count(), 2, "{text}");
}

#[test]
fn sweeps_rank_by_modularity() {
    let here = folder("graph = \"karate\"\nseeds = 1\nwalks = 1\nepochs = 1\nlearning_rate = [0.01, 0.02]\n");
    let object = sweep(here.path(), &[]);
    assert_eq!(object["by"], "modularity");
    let metrics = &object["combinations"][0]["metrics"];
    for metric in ["nmi_paper", "ami", "ari"] {
        assert!(metrics[metric]["mean"].is_number(), "{metric}");
    }
}

#[test]
fn unusable_grids_and_metrics_are_usage_errors() {
    let here = folder("graph = \"karate\"\nseeds = 1\nwalks = 1\nepochs = 1\n");
    let message = fail(2, here.path(), ["sweep", "grid.toml", "--by", "nmo"]);
    assert!(message.contains("did you mean `nmi`?"), "{message}");
    std::fs::write(here.path().join("edges.txt"), "a b\nb c\n").unwrap();
    for (grid, fact) in [
        ("graph = \"edges.txt\"\n", "communities = K"),
        ("graph = \"karate\"\ndim = \"two\"\n", "expected `dim`"),
        ("graph = \"karate\"\nlearning_rat = 1\n", "did you mean `learning_rate`?"),
    ] {
        std::fs::write(here.path().join("grid.toml"), grid).unwrap();
        let message = fail(2, here.path(), ["sweep", "grid.toml"]);
        assert!(message.contains(fact), "{message}");
    }
}

#[test]
fn grid_can_vary_how_repeated_edges_are_combined() {
    let folder = folder(
        "graph = \"edges.txt\"\ncommunities = 2\nseeds = 1\nwalks = 1\nepochs = 1\nrepeated = [\"sum\", \"first\"]\n",
    );
    std::fs::write(folder.path().join("edges.txt"), "a b\na b\nb c\nc d\nd a\n").unwrap();
    let found = sweep(folder.path(), &["--csv", "grid.csv"]);
    let mut combined: Vec<_> =
        found["combinations"].as_array().unwrap().iter().map(|c| c["repeated"].as_str().unwrap()).collect();
    combined.sort_unstable();
    assert_eq!(combined, ["first", "sum"]);
    // Counts of repeated rows are weights, so only `sum` has unweighted scores too.
    let weighted = |c: &Value| c["metrics"].get("unweighted_modularity").is_some();
    assert_eq!(found["combinations"].as_array().unwrap().iter().filter(|c| weighted(c)).count(), 1);
    let csv = std::fs::read_to_string(folder.path().join("grid.csv")).unwrap();
    assert!(csv.lines().next().unwrap().contains(",repeated,"), "{csv}");
    std::fs::write(folder.path().join("grid.toml"), "graph = \"karate\"\nrepeated = \"min\"\n").unwrap();
    let message = fail(2, folder.path(), ["sweep", "grid.toml"]);
    assert!(message.contains("sum, max or first"), "{message}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_completed_results() {
    use std::time::{Duration, Instant};
    if crate::resume::is_ignored(2) {
        return;
    }
    let folder = folder("graph = \"karate\"\nseeds = 500\nwalks = 10\nrestarts = 1\n");
    let path = folder.path().join("grid.jsonl");
    let mut child = hycome(folder.path())
        .args(["sweep", "grid.toml", "--threads", "2"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let lines = || std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    while lines() < 4 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut errors).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{errors}");
    assert!(errors.contains("of 500 results are in grid.jsonl"), "{errors}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with('\n') && (4..500).contains(&lines()), "{} lines", lines());
}
