//! `hycome generate`.

use super::*;

/// Flags for a small graph of each model, without `-o`.
const MODELS: [&[&str]; 5] = [
    &["lfr", "--nodes", "400", "--mixing", "0.2"],
    &["sbm", "--nodes", "300", "--communities", "3", "--degree-within", "3", "--degree-between", "0.5"],
    &["sbm", "--sizes", "20,70,1", "--p-in", "0.1", "--p-out", "0.01"],
    &["power-law", "--nodes", "500", "--average-degree", "2"],
    &["hyperbolic", "--nodes", "300", "--dim", "3", "--average-degree", "4"],
];

fn generate(folder: &Path, model: &[&str], more: &[&str]) -> Value {
    json(&succeed(folder, ["generate"].iter().chain(model).chain(more).chain(&["--json"])))
}

#[test]
fn generated_graph_loads_with_the_reported_counts() {
    let here = folder();
    let mut isolated = 0;
    for (model, file) in MODELS.iter().zip(["a.edges", "b.txt.gz", "c.zst", "d", "e.edges"]) {
        let made = generate(here.path(), model, &["-o", file]);
        let graph = json(&succeed(here.path(), ["info", &format!("./{file}"), "--as", "graph", "--json"]));
        for key in ["nodes", "edges", "isolated"] {
            assert_eq!(made[key], graph[key], "{model:?}: {key}");
        }
        assert_eq!(made["max_degree"], graph["degrees"]["most"]);
        assert_eq!(made["average_degree"], graph["degrees"]["mean"]);
        assert_eq!(
            (&graph["dropped"]["self_loops"], &graph["dropped"]["repeats"]),
            (&made["isolated"], &json("0"))
        );
        isolated += made["isolated"].as_u64().unwrap();
        if let Some(labels) = made["files"]["labels"].as_str() {
            let found = json(&succeed(here.path(), ["info", labels, "--json"]));
            assert_eq!((&found["kind"], &found["nodes"]), (&"labels".into(), &made["nodes"]));
            assert_eq!(found["classes"], made["communities"]["count"]);
        }
    }
    assert!(isolated > 0, "isolated nodes were put to the test");
    let files =
        ["a.edges", "a.labels", "b.labels", "b.txt.gz", "c.labels", "c.zst", "d", "e.edges", "e.labels"];
    assert_eq!(names(here.path()), [&files[..], &["e.truth.json"]].concat());
}

#[test]
fn generated_graph_file_equals_the_edge_list() {
    let here = folder();
    let model = MODELS[0];
    generate(here.path(), model, &["-o", "made.hyg"]);
    generate(here.path(), model, &["-o", "made.edges"]);
    let [file, list] =
        ["made.hyg", "made.edges"].map(|path| json(&succeed(here.path(), ["info", path, "--json"])));
    for key in ["nodes", "edges", "isolated", "degrees"] {
        assert_eq!(file[key], list[key], "{key}");
    }
    let labels = json(&succeed(here.path(), ["info", "made.labels", "--json"]));
    assert_eq!(file["labels"]["classes"], labels["classes"]);
    assert!(labels["classes"].as_u64() > Some(1));
}

#[test]
fn generated_graph_can_be_embedded() {
    let here = folder();
    generate(here.path(), MODELS[1], &["-o", "g.edges"]);
    let mut args = vec!["embed", "g.edges", "--labels", "g.labels", "-o", "run", "--json"];
    args.extend(SHORT);
    let run = json(&succeed(here.path(), args));
    assert_eq!((run["nodes"].as_u64(), run["communities"].as_u64()), (Some(300), Some(3)));
}

#[test]
fn generation_is_independent_of_thread_count() {
    let here = folder();
    for model in MODELS {
        for (file, seed, threads) in [("a", "5", "1"), ("b", "5", "3"), ("c", "6", "1")] {
            generate(here.path(), model, &["-o", file, "--seed", seed, "--threads", threads]);
        }
        let bytes = |file: &str| std::fs::read(here.path().join(file)).expect("it was written");
        assert!(bytes("a") == bytes("b") && bytes("a") != bytes("c"), "{model:?}");
    }
    let bytes = |file: &str| std::fs::read(here.path().join(file)).expect("it was written");
    assert!(bytes("a.labels") == bytes("b.labels") && bytes("a.truth.json") == bytes("b.truth.json"));
}

#[test]
fn edges_go_to_standard_output_and_the_rest_to_standard_error() {
    let here = folder();
    let output = run(here.path(), ["generate", "lfr", "--nodes", "200", "-o", "-", "--labels-out", "l"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.lines().all(|line| line.split(' ').filter(|name| name.parse::<u32>().is_ok()).count() == 2));
    let message = stderr(&output);
    assert!(
        message.contains("200 nodes") && message.lines().all(|line| line.chars().count() <= 80),
        "{message}"
    );
    assert_eq!(names(here.path()), ["l"]);
}

#[test]
fn truth_file_contains_mixture_and_points() {
    let here = folder();
    generate(here.path(), MODELS[4], &["-o", "h.edges", "--truth-out", "t.json"]);
    let truth = json(&std::fs::read_to_string(here.path().join("t.json")).unwrap());
    let length = |key: &str| truth[key].as_array().unwrap().len();
    assert_eq!((length("points"), length("communities")), (300, 300));
    assert_eq!((length("means"), length("scales"), length("weights")), (5, 5, 5));
    assert_eq!(truth["points"][0].as_array().unwrap().len(), 3);
    assert!(truth["radius"].as_f64().unwrap() > 0.0);
}

#[test]
fn failed_generation_leaves_no_file() {
    let here = folder();
    std::fs::create_dir(here.path().join("sub")).unwrap();
    let attempt = |code, args: &str| {
        let message = fail(code, here.path(), ["generate"].into_iter().chain(args.split(' ')));
        assert!(message.lines().count() == 1 || code == 2, "{message}");
        assert_eq!(names(here.path()), ["sub"]);
        message
    };
    assert!(attempt(2, "lfr --mixing 2 -o a").contains("`mixing` must be"));
    assert!(attempt(2, "lfr -o a.labels").contains("must be different files"));
    assert!(attempt(2, "lfr -o - --json").contains("both need standard output"));
    assert!(attempt(2, "lfr -o a --labels-out -").contains("must be a file"));
    assert!(attempt(2, "lfr").contains("--output <FILE>"));
    assert!(attempt(2, "sbm --sizes 3,x -o a").contains("invalid value 'x'"));
    assert!(attempt(2, "sbm --p-in 0.5 -o a").contains("--p-out"));
    assert!(attempt(2, "hyperbolic --scale 9 -o a").contains("`scale` must be"));
    assert!(attempt(1, "lfr -o sub").contains("it is a folder"));
    assert!(attempt(1, "lfr -o no/a").contains("no folder no"));
    assert!(attempt(1, "sbm --degree-within 0 --degree-between 0 -o a").contains("has no edges"));
}

#[test]
fn errors_name_the_parameter_out_of_range() {
    let here = folder();
    let cases: [(&str, &[(&str, &[&str])]); 4] = [
        (
            "lfr",
            &[
                ("nodes", &["0", "1", "4294967296"]),
                ("mixing", &["-0.1", "1.1", "nan"]),
                ("average-degree", &["-1", "0.5", "51", "nan", "inf"]),
                ("max-degree", &["0", "1000"]),
                ("degree-exponent", &["-1", "10.1", "nan"]),
                ("min-community", &["0", "1001"]),
                ("max-community", &["19", "30", "1001"]),
                ("community-exponent", &["-1", "10.1", "nan"]),
            ],
        ),
        (
            "sbm",
            &[
                ("nodes", &["0", "1", "4294967296"]),
                ("communities", &["0", "1001"]),
                ("sizes", &["0", "3,0", "0,300,300"]),
                ("degree-within", &["-1", "200", "nan"]),
                ("degree-between", &["-1", "801", "nan"]),
                ("p-in", &["-0.1 --p-out 0", "1.1 --p-out 0", "nan --p-out 0"]),
                ("p-out", &["-0.1 --p-in 0", "1.1 --p-in 0", "nan --p-in 0"]),
            ],
        ),
        (
            "power-law",
            &[
                ("nodes", &["0", "1", "4294967296"]),
                ("average-degree", &["-1", "1", "1000", "nan"]),
                ("exponent", &["-1", "10.1", "nan"]),
                ("max-degree", &["0", "1000"]),
            ],
        ),
        (
            "hyperbolic",
            &[
                ("nodes", &["0", "1", "4294967296"]),
                ("communities", &["0", "10001"]),
                ("dim", &["1", "1025"]),
                ("distance", &["-1", "20.1", "nan"]),
                ("scale", &["-1", "0", "nan", "inf"]),
                ("average-degree", &["-1", "1000", "nan"]),
                ("temperature", &["0", "1001", "nan"]),
            ],
        ),
    ];
    for (model, parameters) in cases {
        for (parameter, values) in parameters {
            for value in *values {
                let line = format!("generate {model} -o a.edges --{parameter} {value}");
                let message = fail(2, here.path(), line.split(' '));
                let name = parameter.replace('-', "_");
                assert!(message.starts_with(&format!("error: `{name}` must be ")), "{line}: {message}");
            }
        }
    }
    assert!(names(here.path()).is_empty());
}
