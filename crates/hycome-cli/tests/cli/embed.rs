//! `hycome embed`.

use super::*;
use std::io::Write;
use std::process::Stdio;

#[test]
fn karate_is_trained_summarised_and_written() {
    let here = folder();
    let text = succeed(here.path(), ["embed", "karate"]);
    for words in ["34 nodes", "78 edges", "conductance", "modularity", "NMI", "precision@1", "karate-run/"] {
        assert!(text.contains(words), "{words} in:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours outside a terminal");
    assert_eq!(names(here.path()), ["karate-run"]);
    let run = here.path().join("karate-run");
    assert_eq!(names(&run), ["communities.tsv", "disc.html", "metrics.json", "run.safetensors"]);
    let tsv = std::fs::read_to_string(run.join("communities.tsv")).unwrap();
    assert_eq!(tsv.lines().count(), 35);
    assert_eq!(tsv.lines().next(), Some("node\tcommunity\tprobability"));
    let metrics = json(&std::fs::read_to_string(run.join("metrics.json")).unwrap());
    assert!(metrics["metrics"]["precision_at_1"].as_f64() > Some(0.9), "{metrics}");
    assert!(metrics["metrics"]["conductance"].as_f64() < Some(0.2), "{metrics}");
}

#[test]
fn json_has_every_key_of_the_contract() {
    let here = folder();
    let printed = succeed(here.path(), ["embed", "karate", "--json", "-o", "x"]);
    let object = json(&printed);
    for key in [
        "nodes",
        "edges",
        "dim",
        "communities",
        "sizes",
        "seed",
        "config",
        "epochs",
        "metrics",
        "seconds",
        "pairs",
        "pairs_per_second",
        "dropped_steps",
        "peak_memory_bytes",
        "expected_memory_bytes",
        "warnings",
        "version",
    ] {
        assert!(object.get(key).is_some(), "{key}");
    }
    for key in [
        "conductance",
        "modularity",
        "nmi",
        "nmi_paper",
        "ami",
        "ari",
        "accuracy",
        "precision_at_1",
        "precision_at_1_by_size",
    ] {
        assert!(object["metrics"][key].is_f64(), "{key}");
    }
    for key in ["load", "first_order", "second_order", "community", "em", "total"] {
        assert!(object["seconds"][key].as_f64() >= Some(0.0), "{key}");
    }
    assert_eq!(object["nodes"], 34);
    assert_eq!(object["edges"], 78);
    assert_eq!(object["communities"], 2);
    let sizes: u64 = object["sizes"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).sum();
    assert_eq!(sizes, 34);
    assert_eq!(std::fs::read_to_string(here.path().join("x/metrics.json")).unwrap(), printed);
    if cfg!(target_os = "linux") {
        assert!(object["peak_memory_bytes"].as_u64() > Some(1 << 20));
    }
}

#[test]
fn ground_truth_scores_are_null_without_labels() {
    let here = folder();
    write(here.path(), "g.txt", TWO_GROUPS);
    let mut args = vec!["embed", "g.txt", "--communities", "2", "--json"];
    args.extend(SHORT);
    let object = json(&succeed(here.path(), args));
    assert!(object["metrics"]["nmi"].is_null() && object["metrics"]["modularity"].is_f64());
    assert!(object["labels"].is_null());
    assert!(here.path().join("g-run/communities.tsv").exists());
}

#[test]
fn threads_and_reruns_give_the_same_bytes() {
    let here = folder();
    for (name, threads) in [("one", "1"), ("two", "2"), ("again", "2")] {
        succeed(
            here.path(),
            ["embed", "football", "-o", name, "--threads", threads, "--walks", "1", "--restarts", "2", "-q"],
        );
    }
    for file in ["run.safetensors", "communities.tsv"] {
        let read = |name: &str| std::fs::read(here.path().join(name).join(file)).unwrap();
        assert!(read("one") == read("two"), "{file} depends on the threads");
        assert!(read("two") == read("again"), "{file} differs between runs");
    }
    succeed(
        here.path(),
        ["embed", "football", "-o", "other", "--seed", "2", "--walks", "1", "--restarts", "2", "-q"],
    );
    let read = |name: &str| std::fs::read(here.path().join(name).join("run.safetensors")).unwrap();
    assert!(read("one") != read("other"));
}

#[cfg(unix)]
#[test]
fn endless_config_file_is_rejected() {
    let message = fail(2, folder().path(), ["embed", "karate", "--config", "/dev/zero"]);
    assert!(message.contains("/dev/zero: expected a TOML file"), "{message}");
}

#[test]
fn flags_override_the_file_which_overrides_defaults() {
    let here = folder();
    write(here.path(), "c.toml", "dim = 3\nwalks = 2\nwalk_length = 10\nlearning_rate = 0.03\nepochs = 1\n");
    let args = ["embed", "karate", "--config", "c.toml", "--dim", "4", "--alpha", "1", "--json"];
    let config = json(&succeed(here.path(), args))["config"].clone();
    assert_eq!(config["dim"], 4);
    assert_eq!((config["walks"].as_u64(), config["learning_rate"].as_f64()), (Some(2), Some(0.03)));
    assert_eq!(config["blocks"], serde_json::to_value(hycome::TrainConfig::default().blocks).unwrap());
    // A flag overrides the file even if it repeats the default.
    let epochs = hycome::TrainConfig::default().epochs.to_string();
    let args = ["embed", "karate", "--config", "c.toml", "--epochs", &epochs, "--json"];
    assert_eq!(json(&succeed(here.path(), args))["config"]["epochs"].to_string(), epochs);
}

#[test]
fn every_hyperparameter_is_a_flag() {
    let help = succeed(&std::env::temp_dir(), ["embed", "--help"]);
    let config = serde_json::to_value(hycome::TrainConfig::default()).unwrap();
    for key in config.as_object().unwrap().keys() {
        assert!(help.contains(&format!("--{}", key.replace('_', "-"))), "{key}");
    }
}

#[test]
fn graph_is_read_from_standard_input() {
    let here = folder();
    let mut args = vec!["embed", "-", "--communities", "2", "--json"];
    args.extend(SHORT);
    let mut child = hycome(here.path())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(TWO_GROUPS.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(json(std::str::from_utf8(&output.stdout).unwrap())["nodes"], 8);
    assert_eq!(names(here.path()), ["stdin-run"]);
}

#[test]
fn earlier_run_is_replaced_and_other_files_stay() {
    let here = folder();
    let args = |seed| {
        let mut args = vec!["embed", "karate", "-o", "x", "--seed", seed];
        args.extend(SHORT);
        args
    };
    std::fs::create_dir(here.path().join("x")).unwrap();
    write(here.path(), "x/notes.txt", "mine");
    assert!(!stderr(&run(here.path(), args("1"))).contains("replaced"));
    let before = std::fs::read(here.path().join("x/run.safetensors")).unwrap();
    assert!(stderr(&run(here.path(), args("2"))).contains("replaced the earlier run in x"));
    assert!(std::fs::read(here.path().join("x/run.safetensors")).unwrap() != before);
    assert_eq!(
        names(&here.path().join("x")),
        ["communities.tsv", "disc.html", "metrics.json", "notes.txt", "run.safetensors"]
    );
}

#[test]
fn quiet_prints_nothing() {
    let here = folder();
    let mut args = vec!["embed", "karate", "--quiet"];
    args.extend(SHORT);
    let output = run(here.path(), args);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn an_unwritable_folder_is_refused_before_training() {
    let here = folder();
    write(here.path(), "file", "");
    for output in ["file", "file/run"] {
        let message = fail(1, here.path(), ["embed", "karate", "--epochs", "100000", "-o", output]);
        assert!(message.contains(&format!("error: {output}: cannot write there")), "{message}");
    }
    assert_eq!(names(here.path()), ["file"]);
}

#[cfg(target_os = "linux")]
#[test]
fn failed_write_to_standard_output_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = hycome(&std::env::temp_dir()).args(["info", "karate"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("standard output: cannot write"), "{}", stderr(&output));
}
