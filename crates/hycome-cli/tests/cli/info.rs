//! `hycome info`.

use super::*;

#[test]
fn info_describes_a_graph() {
    let object = json(&succeed(&std::env::temp_dir(), ["info", "polblogs", "--json"]));
    assert_eq!(object["kind"], "graph");
    assert_eq!((object["nodes"].as_u64(), object["edges"].as_u64()), (Some(1490), Some(16_715)));
    assert_eq!((object["isolated"].as_u64(), object["dropped"]["self_loops"].as_u64()), (Some(266), Some(3)));
    assert_eq!(object["labels"]["classes"], 2);
}

#[test]
fn labels_and_graphs_are_distinguished() {
    let here = folder();
    let labels: String = (1..30).map(|i| format!("{i}\t{}\n", i % 4)).collect();
    write(here.path(), "classes.txt", &labels);
    let object = json(&succeed(here.path(), ["info", "classes.txt", "--json"]));
    assert_eq!((object["kind"].as_str(), object["classes"].as_u64()), (Some("labels"), Some(4)));
    assert_eq!(
        json(&succeed(here.path(), ["info", "classes.txt", "--as", "graph", "--json"]))["kind"],
        "graph"
    );
    write(here.path(), "edges.txt", TWO_GROUPS);
    assert_eq!(json(&succeed(here.path(), ["info", "edges.txt", "--json"]))["nodes"], 8);
    assert_eq!(
        json(&succeed(here.path(), ["info", "edges.txt", "--as", "labels", "--json"]))["kind"],
        "labels"
    );
    write(here.path(), "my-labels", "a x\nb y z\n");
    let object = json(&succeed(here.path(), ["info", "my-labels", "--json"]));
    assert_eq!((object["kind"].as_str(), object["multi_label"].as_bool()), (Some("labels"), Some(true)));
}

#[test]
fn info_describes_a_run() {
    let here = folder();
    let mut args = vec!["embed", "karate", "-o", "run", "-q", "--seed", "9"];
    args.extend(SHORT);
    succeed(here.path(), args);
    for path in ["run", "run/run.safetensors"] {
        let object = json(&succeed(here.path(), ["info", path, "--json"]));
        assert_eq!((object["kind"].as_str(), object["seed"].as_u64()), (Some("run"), Some(9)));
        assert_eq!(object["history"].as_array().unwrap().len() as u64, object["epochs"].as_u64().unwrap());
        let text = succeed(here.path(), ["info", path]);
        assert!(text.contains("--seed 9") && text.contains("log likelihood"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn dataset_takes_precedence_over_a_file() {
    let here = folder();
    write(here.path(), "karate", TWO_GROUPS);
    let output = run(here.path(), ["info", "karate", "--json"]);
    assert_eq!(json(std::str::from_utf8(&output.stdout).unwrap())["nodes"], 34);
    assert!(stderr(&output).contains("use ./karate for the file"), "{}", stderr(&output));
    assert_eq!(json(&succeed(here.path(), ["info", "./karate", "--json"]))["nodes"], 8);
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeed(&std::env::temp_dir(), ["completions", shell]);
        assert!(script.contains("walk-length"), "{shell}");
    }
}
