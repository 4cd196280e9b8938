//! `hycome classify` and `hycome predict`.

use super::*;

/// Run on karate with default settings.
fn karate() -> tempfile::TempDir {
    let here = folder();
    succeed(here.path(), ["embed", "karate", "-o", "run", "--quiet"]);
    here
}

/// Short run on two groups of four nodes.
fn groups() -> tempfile::TempDir {
    let here = folder();
    write(here.path(), "g.txt", TWO_GROUPS);
    let mut args = vec!["embed", "g.txt", "-k", "2", "-o", "run", "-q"];
    args.extend(SHORT);
    succeed(here.path(), args);
    here
}

#[test]
fn every_method_beats_the_majority_on_karate() {
    let here = karate();
    let all = "nearest-centroid,gaussian,logistic,svm,knn,euclidean-logistic";
    let args = ["classify", "run", "--labels", "karate", "--method", all, "--json"];
    let object = json(&succeed(here.path(), args));
    assert_eq!(object["labels"]["classes"], 2);
    assert_eq!(object["validation"], serde_json::json!({ "folds": 5, "runs": 5, "seed": 1 }));
    let results = object["results"].as_array().unwrap();
    assert_eq!(results.len(), 7, "the majority is always there");
    let mean = |i: usize| results[i]["precision_at_1"]["mean"].as_f64().unwrap();
    for i in 0..6 {
        assert!(mean(i) > 0.8, "{}", results[i]);
        assert_eq!(results[i]["unconverged"], 0);
    }
    assert_eq!(results[6]["method"], "majority");
    assert!(mean(6) < 0.6);
}

#[test]
fn the_table_is_the_same_every_time_and_fits_80_columns() {
    let here = karate();
    let args = ["classify", "run", "--labels", "karate", "--method", "gaussian,euclidean-logistic"];
    let text = succeed(here.path(), args);
    assert_eq!(text, succeed(here.path(), args));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let first: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        first,
        ["run", "labels", "validation", "", "method", "gaussian", "euclidean-logistic", "majority"]
    );
}

#[test]
fn logistic_regression_is_one_vs_rest_and_restarted_on_request() {
    let here = folder();
    let args = ["embed", "football", "--dim", "2", "-o", "run", "--quiet", "--no-plot"];
    succeed(here.path(), args.into_iter().chain(SHORT));
    let result = |more: &[&str]| {
        let args = ["classify", "run", "--labels", "football", "--folds", "2", "--runs", "1", "--json"];
        json(&succeed(here.path(), args.iter().chain(more)))["results"][0].clone()
    };
    let (multinomial, one_vs_rest) = (result(&[]), result(&["--multi-class", "one-vs-rest"]));
    assert_eq!((&multinomial["multi_class"], &multinomial["restarts"]), (&"multinomial".into(), &1.into()));
    assert_eq!(one_vs_rest["multi_class"], "one-vs-rest");
    assert_ne!(multinomial["macro_f1"], one_vs_rest["macro_f1"]);
    let (twice, again) = (result(&["--restarts", "3"]), result(&["--restarts", "3"]));
    assert_eq!((&twice["restarts"], &twice["micro_f1"]), (&3.into(), &again["micro_f1"]));
    let message = fail(2, here.path(), ["classify", "run", "--labels", "football", "--restarts", "0"]);
    assert!(message.contains("`restarts` must be a whole number from 1 to 1000, but is 0"), "{message}");
}

#[test]
fn saved_model_predicts_labels() {
    let here = karate();
    for method in ["nearest-centroid", "gaussian", "logistic", "svm", "knn", "euclidean-logistic", "majority"]
    {
        let args = ["classify", "run", "--labels", "karate", "--method", method, "--save-model", "m"];
        let text = succeed(here.path(), args);
        assert!(text.ends_with("next         hycome predict run --model m\n"), "{text}");
        let tsv = succeed(here.path(), ["predict", "run", "--model", "m"]);
        let lines: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(lines[0], ["node", "label", "probability"]);
        assert_eq!(lines.len(), 35);
        assert!(lines[1..].iter().all(|line| line[1] == "Mr. Hi" || line[1] == "Officer"), "{tsv}");
        assert!(lines[1..].iter().all(|line| line[2].parse::<f64>().unwrap() >= 0.5), "{method}: {tsv}");
        if method != "majority" {
            assert_eq!((lines[1][0], lines[1][1]), ("1", "Mr. Hi"), "he is node 1");
            assert_eq!((lines[34][0], lines[34][1]), ("34", "Officer"));
        }
    }
    assert_eq!(succeed(here.path(), ["predict", "run", "--model", "m", "-o", "p.tsv"]), "");
    let tsv = std::fs::read_to_string(here.path().join("p.tsv")).unwrap();
    assert_eq!(tsv, succeed(here.path(), ["predict", "run", "--model", "m"]));
    let object = json(&succeed(here.path(), ["predict", "run", "--model", "m", "--top", "2", "--json"]));
    assert_eq!((object["nodes"].as_u64(), object["method"].as_str()), (Some(34), Some("majority")));
    assert_eq!(object["classes"], serde_json::json!(["Mr. Hi", "Officer"]));
    assert_eq!(object["predictions"].as_array().unwrap().len(), 68);
}

#[test]
fn predict_can_skip_labelled_nodes() {
    let here = groups();
    write(here.path(), "l.txt", "a x\nb x\nc x\nf y\ng y\nh y\n");
    let args = [
        "classify",
        "run",
        "--labels",
        "l.txt",
        "--folds",
        "3",
        "--method",
        "nearest-centroid",
        "--save-model",
        "m",
    ];
    let text = succeed(here.path(), args);
    assert!(text.contains("2 classes, 6 of 8 nodes labelled"), "{text}");
    let tsv = succeed(here.path(), ["predict", "run", "--model", "m", "--unlabelled", "l.txt"]);
    let nodes: Vec<&str> = tsv.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(nodes, ["d", "e"]);
    write(here.path(), "all.txt", "a x\nb x\nc x\nd x\ne y\nf y\ng y\nh y\n");
    let output = run(here.path(), ["predict", "run", "--model", "m", "--unlabelled", "all.txt"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "node\tlabel\tprobability\n");
    assert_eq!(stderr(&output), "note: all nodes are already labelled\n");
}

#[test]
fn multi_label_data_is_scored_at_three_and_five() {
    let here = groups();
    write(here.path(), "l.txt", "a x p\nb x q\nc x p\nd x q\ne y p\nf y q\ng y p\nh y q r\n");
    let args = ["classify", "run", "--labels", "l.txt", "--folds", "2", "--method", "logistic,knn"];
    let text = succeed(here.path(), args);
    assert!(text.contains("all nodes labelled, multi-label") && text.contains("@5"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let mut args = args.to_vec();
    args.push("--json");
    let object = json(&succeed(here.path(), args));
    assert!(object["results"][0]["precision_at_3"]["mean"].as_f64().unwrap() <= 2.0 / 3.0 + 0.1);
}

#[test]
fn labels_of_other_nodes_are_ignored_with_a_note() {
    let here = folder();
    let mut args = vec!["embed", "polblogs", "--largest-component", "-o", "run", "-q"];
    args.extend(SHORT);
    succeed(here.path(), args);
    let output =
        run(here.path(), ["classify", "run", "--labels", "polblogs", "--method", "nearest-centroid"]);
    assert!(output.status.success());
    assert!(
        stderr(&output).starts_with("note: polblogs: 268 nodes are not in the run"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn model_of_another_run_is_rejected() {
    let here = karate();
    let classify = |run: &str| {
        let args = [
            "classify",
            run,
            "--labels",
            "karate",
            "--method",
            "nearest-centroid",
            "--runs",
            "1",
            "--save-model",
            "m",
        ];
        succeed(here.path(), args);
    };
    let train = |graph: &str, seed: &str, output: &str| {
        succeed(
            here.path(),
            ["embed", graph, "--seed", seed, "-k", "2", "-o", output, "-q"].into_iter().chain(SHORT),
        );
    };
    train("karate", "2", "seed-2");
    train("books", "1", "books");
    classify("run");
    let rejected = |run: &str, why: &str| {
        let plot = ["plot", run, "--model", "m", "-o", "p.svg"];
        for args in [&["predict", run, "--model", "m"][..], &plot] {
            let message = fail(1, here.path(), args);
            assert!(message.starts_with(&format!("error: m: the model {why}")), "{message}");
            assert!(message.contains(&format!("does not apply to {run}")), "{message}");
        }
    };
    rejected("seed-2", "was trained on another run of the same nodes");
    rejected("books", "was trained on a run of other nodes");
    // The same training gives the same run in any folder.
    succeed(here.path(), ["embed", "karate", "-o", "again", "--quiet"]);
    succeed(here.path(), ["predict", "again", "--model", "m"]);
    // A model without a recorded run, as fitted to bare points.
    let mut model = hycome::io::model_file::load(&here.path().join("m")).unwrap();
    model.run = None;
    hycome::io::model_file::save(&model, &here.path().join("m")).unwrap();
    rejected("run", "does not record the run it was trained on");
}

#[test]
fn errors_are_one_line() {
    let here = groups();
    let classify = |labels: &str| fail(1, here.path(), ["classify", "run", "--labels", labels]);
    write(here.path(), "other.txt", "p x\nq y\nr x\n");
    let message = classify("other.txt");
    assert!(message.starts_with("error: other.txt:1: ") && message.contains("\"p\""), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    write(here.path(), "bare.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]");
    assert_eq!(classify("bare.gml"), "error: bare.gml: the graph has no labels\n");
    assert_eq!(
        classify("missing.txt"),
        "error: missing.txt: cannot read: No such file or directory (os error 2)\n"
    );

    write(here.path(), "l.txt", "a x\nb x\nc x\nf y\ng y\nh y\n");
    let usage = |more: [&str; 2]| {
        fail(2, here.path(), ["classify", "run", "--labels", "l.txt"].into_iter().chain(more))
    };
    for folds in ["1", "7"] {
        let message = usage(["--folds", folds]);
        let expected = format!("`folds` must be from 2 to the number of labelled nodes, 6, but is {folds}");
        assert!(message.contains(&expected), "{message}");
    }
    assert!(usage(["--runs", "0"]).contains("`runs` must be one or more"));
    assert!(usage(["--neighbors", "0"]).contains("`neighbors` must be one or more"));
    assert!(usage(["--regularization", "-1"]).contains("`regularization` must be zero or more"));
    assert!(usage(["--method", "forest"]).contains("invalid value 'forest'"));
    let two = ["classify", "run", "--labels", "l.txt", "--method", "knn,svm", "--save-model", "m"];
    assert!(fail(2, here.path(), two).contains("--save-model needs one method"));

    succeed(here.path(), ["classify", "run", "--labels", "l.txt", "--folds", "3", "--save-model", "m"]);
    let mut args = vec!["embed", "g.txt", "-k", "2", "--dim", "3", "-o", "three", "-q"];
    args.extend(SHORT);
    succeed(here.path(), args);
    let message = fail(1, here.path(), ["predict", "three", "--model", "m"]);
    assert!(message.contains("`hycome classify three --save-model`"), "{message}");
    let message = fail(1, here.path(), ["predict", "run", "--model", "run/run.safetensors"]);
    assert!(message.contains("expected a hycome model file, found a run"));
    let bytes = std::fs::read(here.path().join("m")).unwrap();
    std::fs::write(here.path().join("m"), &bytes[..bytes.len() - 8]).unwrap();
    let message = fail(1, here.path(), ["predict", "run", "--model", "m"]);
    assert!(message.contains("expected a whole model in the safetensors format"), "{message}");
}
