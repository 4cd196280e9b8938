//! `hycome evaluate`.

use super::*;
use hycome::mixture::GaussianMixture;
use hycome::{Points, Run, TrainConfig, datasets};

#[test]
fn scores_on_the_training_graph_match_the_run() {
    let here = folder();
    let mut args = vec!["embed", "polblogs", "--largest-component", "-o", "run", "--json"];
    args.extend(SHORT);
    let trained = json(&succeed(here.path(), args));
    let args = ["evaluate", "run", "--graph", "polblogs", "--largest-component", "--json"];
    let evaluated = json(&succeed(here.path(), args));
    for key in
        ["nodes", "edges", "dim", "communities", "sizes", "seed", "config", "epochs", "metrics", "warnings"]
    {
        assert_eq!(evaluated[key], trained[key], "{key}");
    }
    let message = fail(1, here.path(), ["evaluate", "run", "--graph", "polblogs"]);
    assert!(message.contains("--largest-component"), "{message}");
    let text = succeed(here.path(), ["evaluate", "run", "--graph", "polblogs", "--largest-component"]);
    assert!(text.contains("modularity") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn nodes_are_matched_by_name() {
    let here = folder();
    write(here.path(), "g.txt", TWO_GROUPS);
    write(here.path(), "l.txt", "a x\nb x\nc x\nd x\ne y\nf y\ng y\nh y\n");
    let mut args = vec!["embed", "g.txt", "-o", "run", "--labels", "l.txt", "--json"];
    args.extend(SHORT);
    let trained = json(&succeed(here.path(), args));
    assert_eq!(trained["communities"], 2, "as many as classes");
    // The same graph with its nodes in another order.
    let mut gml = String::from("graph [\n");
    let names = "hgfedcba";
    for (id, name) in names.chars().enumerate() {
        gml.push_str(&format!("node [ id {id} label \"{name}\" ]\n"));
    }
    for line in TWO_GROUPS.lines() {
        let ends: Vec<usize> = line.split(' ').map(|name| names.find(name).unwrap()).collect();
        gml.push_str(&format!("edge [ source {} target {} ]\n", ends[0], ends[1]));
    }
    gml.push_str("]\n");
    write(here.path(), "g.gml", &gml);
    let args = ["evaluate", "run", "--graph", "g.gml", "--labels", "l.txt", "--json"];
    assert_eq!(json(&succeed(here.path(), args))["metrics"], trained["metrics"]);
}

#[test]
fn errors_name_missing_nodes() {
    let here = folder();
    write(here.path(), "g.txt", TWO_GROUPS);
    write(here.path(), "less.txt", "a b\nb c\n");
    let mut args = vec!["embed", "g.txt", "-k", "2", "-o", "run", "-q"];
    args.extend(SHORT);
    succeed(here.path(), args);
    let message = fail(1, here.path(), ["evaluate", "run", "--graph", "less.txt"]);
    assert!(message.contains("error: run: node `d` is not in less.txt"), "{message}");
}

#[test]
fn nodes_with_several_classes_have_both_nmis_and_no_ami() {
    let here = folder();
    write(here.path(), "g.txt", TWO_GROUPS);
    write(here.path(), "one.txt", "a x\nb x\nc x\nd x\ne y\nf y\ng y\nh y\n");
    write(here.path(), "several.txt", "a x z\nb x\nc x\nd x\ne y\nf y z\ng y\nh y\n");
    let args = ["embed", "g.txt", "-k", "2", "-o", "run", "-q", "--no-plot"];
    succeed(here.path(), args.into_iter().chain(SHORT));
    let evaluate = |labels: &str| {
        let args = ["evaluate", "run", "--graph", "g.txt", "--labels", labels];
        let object = json(&succeed(here.path(), args.into_iter().chain(["--json"])));
        (object["metrics"].clone(), succeed(here.path(), args))
    };
    let (one, text) = evaluate("one.txt");
    assert!(one["ami"].is_number() && one["nmi_paper"] == one["nmi"], "{one}");
    assert!(text.contains("AMI") && !text.contains("paper's formula"), "{text}");
    let (several, text) = evaluate("several.txt");
    assert!(several["ami"].is_null() && several["nmi_paper"].as_f64() > several["nmi"].as_f64(), "{several}");
    assert!(text.contains("NMI (paper's formula)") && !text.contains("AMI"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// A run on karate that puts 33 nodes into one community.
fn giant() -> Run {
    let names = datasets::builtin("karate").unwrap().load().names;
    let mut nodes = Points::zeros(34, 2);
    nodes.row_mut(33)[0] = 0.875;
    Run {
        contexts: Points::zeros(34, 2),
        layout: None,
        nodes,
        mixture: GaussianMixture {
            weights: vec![0.5, 0.5],
            means: Points::new(2, vec![0.0, 0.0, 0.875, 0.0]),
            scales: vec![0.5, 0.5],
        }
        .into(),
        names,
        config: TrainConfig { communities: Some(2), dim: Some(2), ..TrainConfig::default() },
        history: Vec::new(),
        restarts: Vec::new(),
    }
}

#[test]
fn giant_community_causes_a_warning() {
    let here = folder();
    hycome::io::run_file::save(&giant(), &here.path().join("giant.safetensors")).unwrap();
    let output = run(here.path(), ["evaluate", "giant.safetensors", "--graph", "karate", "--json"]);
    assert!(output.status.success());
    let object = json(std::str::from_utf8(&output.stdout).unwrap());
    assert_eq!(object["sizes"], serde_json::json!([33, 1]));
    assert!(object["warnings"].as_array().unwrap().len() >= 2);
    assert!(
        stderr(&output).contains("warning: one of the 2 clusters holds 97 % of the nodes"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn scores_use_edge_weights() {
    let here = folder();
    let weighted = |between: &str| {
        let weight = |line: &str| if line == "d e" { between.to_owned() } else { "2".to_owned() };
        TWO_GROUPS.lines().map(|line| format!("{line} {}\n", weight(line))).collect::<String>()
    };
    write(here.path(), "light.txt", &weighted("0.001"));
    write(here.path(), "heavy.txt", &weighted("1000"));
    let args = ["embed", "light.txt", "-k", "2", "-o", "run", "-q", "--no-plot"];
    succeed(here.path(), args.into_iter().chain(SHORT));
    let scores = |more: &[&str]| {
        let object = json(&succeed(here.path(), ["evaluate", "run", "--json"].iter().chain(more)));
        object["metrics"].clone()
    };
    let light = scores(&["--graph", "light.txt"]);
    let heavy = scores(&["--graph", "heavy.txt"]);
    assert_eq!((&light["weighted"], &heavy["weighted"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!(light["conductance"].as_f64() < heavy["conductance"].as_f64(), "{light} {heavy}");
    assert!(light["modularity"].as_f64() > heavy["modularity"].as_f64(), "{light} {heavy}");
    let unweighted = scores(&["--graph", "light.txt", "--unweighted"]);
    assert_eq!(unweighted["weighted"], false);
    assert_eq!(unweighted, scores(&["--graph", "heavy.txt", "--unweighted"]));
}

#[test]
fn communities_at_chance_level_cause_a_warning() {
    let here = folder();
    let star: String = (1..40).map(|leaf| format!("0 {leaf}\n")).collect();
    write(here.path(), "star.txt", &star);
    let args = ["embed", "star.txt", "-k", "3", "-o", "run", "--json", "--no-plot"];
    let output = run(here.path(), args.into_iter().chain(SHORT));
    let object = json(&String::from_utf8(output.stdout.clone()).unwrap());
    let warnings = object["warnings"].to_string();
    assert!(warnings.contains("modularity is no higher than chance"), "{warnings}");
    assert!(stderr(&output).contains("warning: modularity is no higher than chance"), "{}", stderr(&output));
}
