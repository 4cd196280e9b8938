//! `hycome convert`, and graph files as input of other commands.

use super::*;

const MARKS: &str = "a 0\nb 0\nc 0\nd 0\ne 1\nf 1\ng 1\nh 1\n";

#[test]
fn graph_file_round_trip() {
    let here = folder();
    write(here.path(), "edges.txt", &format!("{TWO_GROUPS}a a\nb a\n"));
    write(here.path(), "marks.txt", MARKS);
    succeed(here.path(), ["convert", "edges.txt", "--labels", "marks.txt"]);
    assert_eq!(names(here.path()), ["edges.hyg", "edges.txt", "marks.txt"]);

    let text = json(&succeed(here.path(), ["info", "edges.txt", "--json"]));
    let file = json(&succeed(here.path(), ["info", "edges.hyg", "--json"]));
    for key in ["name", "rows", "nodes", "edges", "dropped", "degrees", "components"] {
        assert_eq!(file[key], text[key], "{key}");
    }
    assert_eq!((file["format"].as_str(), file["labels"]["classes"].as_u64()), (Some("graph file"), Some(2)));

    for (graph, run) in [("edges.txt", "one"), ("edges.hyg", "two")] {
        let mut args = vec!["embed", graph, "--labels", "marks.txt", "-q", "-o", run];
        args.extend(SHORT);
        succeed(here.path(), args);
    }
    let read = |run: &str| std::fs::read(here.path().join(run).join("run.safetensors")).unwrap();
    assert_eq!(read("one"), read("two"));
    let scores = |graph| json(&succeed(here.path(), ["evaluate", "one", "--graph", graph, "--json"]));
    assert_eq!(scores("edges.hyg")["metrics"]["conductance"], scores("edges.txt")["metrics"]["conductance"]);
    assert!(scores("edges.hyg")["metrics"]["nmi"].is_number());
}

#[test]
fn graph_file_does_not_depend_on_the_input_format() {
    let here = folder();
    write(here.path(), "edges.txt", TWO_GROUPS);
    let object = json(&succeed(here.path(), ["convert", "edges.txt", "--json"]));
    let bytes = std::fs::read(here.path().join("edges.hyg")).unwrap();
    assert_eq!(
        (object["file"].as_str(), object["bytes"].as_u64()),
        (Some("edges.hyg"), Some(bytes.len() as u64))
    );
    assert_eq!(succeed(here.path(), ["convert", "edges.hyg", "-o", "again.hyg", "-q"]), "");
    assert_eq!(std::fs::read(here.path().join("again.hyg")).unwrap(), bytes);
    succeed(here.path(), ["convert", "edges.hyg", "-o", "edges.hyg", "-q"]);
    assert_eq!(std::fs::read(here.path().join("edges.hyg")).unwrap(), bytes, "onto itself");
}

#[test]
fn graph_file_can_be_read_from_a_pipe() {
    let here = folder();
    succeed(here.path(), ["convert", "karate"]);
    let file = std::fs::File::open(here.path().join("karate.hyg")).unwrap();
    let output = hycome(here.path()).args(["info", "-", "--json"]).stdin(file).output().unwrap();
    assert_eq!(json(&String::from_utf8_lossy(&output.stdout))["nodes"], 34);
    let run = fail(1, here.path(), ["communities", "karate.hyg"]);
    assert!(run.contains("expected a hycome run file, found"), "{run}");
}

#[test]
fn every_command_rejects_a_damaged_graph_file() {
    let here = folder();
    succeed(here.path(), ["convert", "karate", "-o", "k.hyg"]);
    let whole = std::fs::read(here.path().join("k.hyg")).unwrap();
    std::fs::write(here.path().join("cut.hyg"), &whole[..whole.len() / 2]).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    std::fs::write(here.path().join("flipped.hyg"), flipped).unwrap();
    for file in ["cut.hyg", "flipped.hyg"] {
        for args in [vec!["info", file], vec!["convert", file], vec!["embed", file, "-k", "2"]] {
            let message = fail(1, here.path(), &args);
            assert!(message.starts_with(&format!("error: {file}: expected ")), "{message}");
            assert!(message.trim_end().ends_with("; convert the graph again"), "{message}");
        }
    }
    assert_eq!(names(here.path()), ["cut.hyg", "flipped.hyg", "k.hyg"]);
}

#[test]
fn unwritable_folder_leaves_no_file() {
    let here = folder();
    let message = fail(1, here.path(), ["convert", "karate", "-o", "no/such/k.hyg"]);
    assert!(message.starts_with("error: no/such/k.hyg: cannot write: "), "{message}");
    assert!(names(here.path()).is_empty());
}
