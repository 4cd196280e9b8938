//! Usage errors and their messages.

use super::*;

#[test]
fn graph_and_run_arguments_are_not_confused() {
    let here = folder();
    let message = fail(1, here.path(), ["communities", "karate"]);
    assert!(message.contains("found a graph; `hycome embed karate`"), "{message}");
    succeed(here.path(), ["embed", "karate", "-q", "--no-plot"].into_iter().chain(SHORT));
    for command in [&["communities", "karate"][..], &["evaluate", "karate", "--graph", "karate"]] {
        let message = fail(1, here.path(), command);
        assert!(message.contains("did you mean karate-run?"), "{message}");
    }
    let message = fail(1, here.path(), ["embed", "karate-run"]);
    assert!(message.starts_with("error: karate-run: expected a graph, found a run"), "{message}");
}

#[test]
fn invalid_numbers_are_explained() {
    let here = folder();
    for (args, flag) in [
        (["embed", "karate", "-k", "-1"], "--communities <K>"),
        (["embed", "karate", "-k", "abc"], "--communities <K>"),
        (["embed", "karate", "--seed", "-1"], "--seed <S>"),
        (["plot", "karate-run", "--edges", "-1"], "--edges <N>"),
        (["communities", "karate-run", "-k", "auto"], "--communities <K>"),
    ] {
        let message = fail(2, here.path(), args);
        let expected =
            format!("error: invalid value '{}' for '{flag}': expected a non-negative integer\n", args[3]);
        assert!(message.starts_with(&expected), "{message}");
        assert!(!message.contains("-- -1"), "{message}");
    }
    let message = fail(2, here.path(), ["embed", "karate", "--learning-rate", "fast"]);
    assert!(message.contains("expected a number"), "{message}");
    let message = fail(2, here.path(), ["embed", "karate", "--learning-rate", "-0.5"]);
    assert!(message.contains("`learning_rate` must be"), "{message}");
}

#[test]
fn commands_of_other_programs_are_explained() {
    let here = folder();
    for alias in ["train", "fit"] {
        let args = [alias, "karate", "-o", "run", "-q", "--no-plot", "--seed", "3"];
        succeed(here.path(), args.into_iter().chain(SHORT));
    }
    let shown = succeed(here.path(), ["show", "run"]);
    assert!(shown.contains("--geometry poincare") && shown.contains("--seed 3"), "{shown}");
    for (name, place) in [
        ("export", "hycome communities RUN -o FILE"),
        ("nearest", "hycome.manifold"),
        ("cluster", "hycome embed GRAPH -k K"),
    ] {
        let message = fail(2, here.path(), [name, "run"]);
        assert!(message.starts_with(&format!("error: there is no command `{name}`: ")), "{message}");
        assert!(message.contains(place), "{message}");
    }
    let message = fail(2, here.path(), ["completions", "tcsh"]);
    assert!(message.contains("possible values") && !message.contains("similar"), "{message}");
}

#[test]
fn unknown_flags_are_not_suggested_as_values() {
    let here = folder();
    for flag in ["-q", "--history"] {
        let message = fail(2, here.path(), ["communities", "run", flag]);
        assert!(message.contains(&format!("unexpected argument '{flag}'")), "{message}");
        assert!(!message.contains("as a value"), "{message}");
    }
    let message = fail(2, here.path(), ["plot", "run", "--nams"]);
    assert!(message.contains("'--names'") && !message.contains("as a value"), "{message}");
    write(here.path(), "--odd", "a b\n");
    let message = fail(2, here.path(), ["info", "--odd"]);
    assert!(message.contains("-- --odd"), "{message}");
}

/// Nouns that appear with a count.
const NOUNS: [&str; 20] = [
    "nodes",
    "edges",
    "communities",
    "classes",
    "components",
    "negatives",
    "walks",
    "epochs",
    "restarts",
    "runs",
    "seeds",
    "lines",
    "labels",
    "rows",
    "columns",
    "dimensions",
    "iterations",
    "trainings",
    "results",
    "smaller ones",
];

#[test]
fn counts_of_one_are_singular() {
    let here = folder();
    write(here.path(), "g.txt", "a b\na a\na b\n");
    write(here.path(), "l.txt", "a x\n");
    write(here.path(), "many.labels", &(0..13).map(|i| format!("n{i} c{i}\n")).collect::<String>());
    write(
        here.path(),
        "grid.toml",
        "graph = \"g.txt\"\ncommunities = 1\nseeds = 1\nwalks = 1\nepochs = 1\nnegatives = 1\n",
    );
    let ones = [
        "-k",
        "1",
        "--negatives",
        "1",
        "--walks",
        "1",
        "--epochs",
        "1",
        "--restarts",
        "1",
        "--warmup-epochs",
        "1",
    ];
    let train: Vec<&str> =
        ["embed", "g.txt", "--labels", "l.txt", "-o", "run"].into_iter().chain(ones).collect();
    let commands: [&[&str]; 11] = [
        &train,
        &["info", "g.txt"],
        &["info", "l.txt"],
        &["info", "many.labels"],
        &["info", "run"],
        &["communities", "run", "-o", "c.tsv"],
        &["evaluate", "run", "--graph", "g.txt", "--labels", "l.txt"],
        &["plot", "run", "--graph", "g.txt"],
        &["convert", "g.txt"],
        &["sweep", "grid.toml"],
        &["generate", "sbm", "--nodes", "30", "--communities", "1", "--degree-between", "0", "-o", "s.txt"],
    ];
    for command in commands {
        let output = run(here.path(), command);
        assert!(output.status.success(), "{command:?}: {}", stderr(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
        for noun in NOUNS {
            let wrong = format!("1 {noun}");
            let is_alone =
                |at: usize| !text[..at].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
            let found = text.match_indices(&wrong).find(|&(at, _)| is_alone(at));
            assert!(found.is_none(), "{command:?} prints `{wrong}`:\n{text}");
        }
    }
}

#[test]
fn short_help_shows_the_common_flags() {
    let here = folder();
    let (short, long) = (succeed(here.path(), ["embed", "-h"]), succeed(here.path(), ["embed", "--help"]));
    for flag in ["--communities", "--dim", "--seed", "--labels", "--output", "--threads"] {
        assert!(short.contains(flag), "{flag}");
    }
    for flag in ["--walk-length", "--gamma", "--blocks", "--checkpoint-epochs", "--curvature", "--repeated"] {
        assert!(!short.contains(flag) && long.contains(flag), "{flag}");
    }
}

/// Input files of the table below.
const FILES: [(&str, &str); 9] = [
    ("edges.txt", "a b\nb c\nc a\n"),
    ("nan.txt", "a b 1\nb c nan\n"),
    ("empty.txt", ""),
    ("words.txt", "one\ntwo\n"),
    ("two.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n"),
    ("unknown.toml", "learning-rat = 0.1\n"),
    ("word.toml", "dim = \"two\"\n"),
    ("broken.toml", "dim = 2\nwalks == 3\n"),
    ("range.toml", "window = 0\n"),
];

/// Commands that fail, with their exit code and part of the message.
const FAILURES: [(&str, i32, &str); 42] = [
    ("embed karat", 1, "did you mean karate?"),
    ("embed enron", 1, "`enron`"),
    ("embed missing.csv", 1, "missing.csv: cannot read: "),
    ("info missing.csv", 1, "missing.csv: cannot read: "),
    ("communities missing", 1, "missing: cannot read: "),
    ("evaluate missing --graph karate", 1, "missing: cannot read: "),
    ("embed edges.txt", 2, "--communities K"),
    ("embed", 2, "<GRAPH>"),
    ("embed karate --dim 1", 2, "`dim` must be"),
    ("embed karate --learning-rate 0", 2, "`learning_rate` must be"),
    ("embed karate --learning-rate nan", 2, "but is NaN"),
    ("embed karate --communities 35", 2, "34, but is 35"),
    ("embed karate --threads 0", 2, "--threads <T>"),
    ("embed karate --walk-lenght 3", 2, "'--walk-length'"),
    ("embed - --labels -", 2, "standard input"),
    ("evaluate missing", 2, "--graph <GRAPH>"),
    ("communities run --method leiden", 2, "gmm, kmeans"),
    ("embad karate", 2, "'embed'"),
    ("embed karate --config unknown.toml", 2, "did you mean `learning_rate`?"),
    ("embed karate --config word.toml", 2, "word.toml: setting `dim`: "),
    ("embed karate --config broken.toml", 2, "broken.toml:2: "),
    ("embed karate --config range.toml", 2, "`window` must be"),
    ("embed karate --config missing.toml", 1, "missing.toml: cannot read: "),
    ("embed nan.txt -k 2", 1, "nan.txt:2: "),
    ("embed empty.txt -k 2", 1, "empty.txt: "),
    ("embed words.txt -k 2", 1, "words.txt:1: "),
    ("embed two.mtx -k 2", 1, "two.mtx:2: "),
    ("communities edges.txt", 1, "edges.txt: expected a hycome run file"),
    ("info nan.txt", 1, "nan.txt:2: "),
    ("embed . -k 2", 1, "`edges.csv`"),
    ("sweep missing.toml", 1, "missing.toml: cannot read: "),
    ("sweep broken.toml", 2, "broken.toml:2: "),
    ("sweep unknown.toml", 2, "unknown.toml: unknown key"),
    ("sweep word.toml", 2, "word.toml: expected `graph`"),
    ("reproduce table2 --quick --only karate", 2, "dblp, wikipedia, blogcatalog, flickr"),
    ("reproduce table9", 2, "table2, table3, table4, table5, all"),
    ("reproduce table4 --only enron", 2, "`enron`"),
    ("datasets path dblp --data nowhere", 1, "`hycome datasets get dblp`"),
    ("embed dblp --data nowhere", 1, "`hycome datasets get dblp`"),
    ("datasets path karate", 1, "built in"),
    ("datasets get enron", 2, "'enron'"),
    ("datasets get", 2, "<NAME>"),
];

#[test]
fn failures_have_an_exit_code_and_name_the_cause() {
    let here = folder();
    FILES.iter().for_each(|(name, text)| write(here.path(), name, text));
    for (command, code, fact) in FAILURES {
        let message = fail(code, here.path(), command.split(' ').filter(|word| !word.is_empty()));
        assert!(message.contains("error: ") && message.contains(fact), "`{command}`: {message}");
    }
    assert_eq!(names(here.path()).len(), FILES.len(), "nothing is written");
}
