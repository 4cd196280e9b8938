//! Output formats by file extension.

use super::*;

fn trained() -> tempfile::TempDir {
    let here = folder();
    succeed(here.path(), ["embed", "karate", "-o", "run", "--quiet", "--no-plot"].into_iter().chain(SHORT));
    here
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn unsupported_output_extensions_are_refused() {
    let here = trained();
    write(here.path(), "grid.toml", "graph = \"karate\"\nwalks = 1\nepochs = 1\nseeds = 1\n");
    succeed(here.path(), ["classify", "run", "--labels", "karate", "--save-model", "m.safetensors"]);
    let before = names(here.path());
    for (args, known) in [
        ("convert karate -o k.graphml", ".hyg, .csv, .tsv, .edges or .txt"),
        ("convert karate -o k.gml", ".hyg"),
        ("convert karate -o k.hyg.gz", ".hyg"),
        ("communities run -o c.parquet", ".tsv, .csv, .json or .txt"),
        ("communities run -o c.xlsx.gz", ".tsv"),
        ("predict run --model m.safetensors -o p.parquet", ".tsv"),
        ("classify run --labels karate --save-model m.pkl", ".safetensors"),
        ("sweep grid.toml --csv t.tsv", ".csv"),
        ("sweep grid.toml -o t.csv", ".jsonl"),
        ("generate sbm -o g.gml", ".hyg"),
        ("generate sbm -o g.edges --labels-out l.csv", ".labels or .txt"),
        ("generate hyperbolic -o g.edges --truth-out t.csv", ".json"),
        ("plot run -o p.bmp", ".html"),
        ("figure zeta -o p.bmp", ".svg"),
    ] {
        let message = fail(2, here.path(), args.split(' '));
        assert!(message.starts_with("error: ") && message.contains(known), "{args}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(names(here.path()), before, "{args}");
    }
}

#[test]
fn a_graph_becomes_an_edge_list_that_is_the_same_graph() {
    let here = folder();
    write(here.path(), "w.txt", "b a 2\na c 0.5\nd d 1\n");
    let known = json(&succeed(here.path(), ["info", "w.txt", "--json"]));
    for file in ["k.csv", "k.tsv", "k.edges", "k.txt", "k.csv.gz", "k.TSV.ZST"] {
        succeed(here.path(), ["convert", "w.txt", "-o", file, "--quiet"]);
        let read = json(&succeed(here.path(), ["info", file, "--json"]));
        for key in ["nodes", "edges", "degrees", "components", "weighted"] {
            assert_eq!(read[key], known[key], "{file}: {key}");
        }
    }
    assert_eq!(text(here.path(), "k.csv"), "source,target,weight\na,b,2\na,c,0.5\nd,d,1\n");
    assert_eq!(text(here.path(), "k.tsv"), "source\ttarget\tweight\na\tb\t2\na\tc\t0.5\nd\td\t1\n");
    assert_eq!(text(here.path(), "k.edges"), "a b 2\na c 0.5\nd d 1\n");
    let output = run(here.path(), ["convert", "karate", "-o", "karate.csv"]);
    assert!(stderr(&output).contains("note: labels are not written"), "{}", stderr(&output));
    let output = run(here.path(), ["convert", "karate", "-o", "karate"]);
    assert!(output.status.success(), "a name without an extension gets the default");
    assert_eq!(json(&succeed(here.path(), ["info", "./karate", "--json"]))["format"], "graph file");
}

#[test]
fn names_that_an_edge_list_cannot_hold_are_refused() {
    let here = folder();
    let gml = "graph [ node [ id 1 label \"a b\" ] node [ id 2 label \"c\" ] edge [ source 1 target 2 ] ]";
    write(here.path(), "g.gml", gml);
    let message = fail(1, here.path(), ["convert", "g.gml", "-o", "g.edges"]);
    assert!(message.contains("g.edges: expected names that an edge list can hold"), "{message}");
    assert_eq!(names(here.path()), ["g.gml"]);
}

#[test]
fn communities_and_predictions_are_tables_in_three_formats() {
    let here = trained();
    succeed(here.path(), ["classify", "run", "--labels", "karate", "--save-model", "m.safetensors"]);
    for (command, column) in [
        (&["communities", "run"][..], "community"),
        (&["predict", "run", "--model", "m.safetensors"], "label"),
    ] {
        for file in ["c.tsv", "c.csv", "c.json", "c.csv.gz"] {
            succeed(here.path(), command.iter().chain(&["-o", file]));
        }
        let tsv = text(here.path(), "c.tsv");
        assert_eq!(tsv, succeed(here.path(), command));
        assert_eq!(tsv.lines().next().unwrap(), format!("node\t{column}\tprobability"));
        assert_eq!(text(here.path(), "c.csv").replace(',', "\t"), tsv, "none of these names needs quotes");
        let printed = succeed(here.path(), command.iter().chain(&["--json"]));
        assert_eq!(text(here.path(), "c.json"), printed);
        assert!(std::fs::read(here.path().join("c.csv.gz")).unwrap().starts_with(b"\x1f\x8b"));
    }
}

#[test]
fn json_holds_no_control_characters() {
    let here = folder();
    let name = "x\u{9b}31m\u{7f}\u{85}\u{202e}\u{2028}\u{200b}\u{feff}y";
    write(here.path(), "g.csv", &format!("source,target\n{name},b\nb,c\n"));
    let hostile = |text: &str| text.contains(|c: char| c != '\n' && hycome::json::is_unsafe(c));
    let printed = succeed(here.path(), ["info", "g.csv", "--json"]);
    assert!(!hostile(&printed), "{printed}");
    succeed(here.path(), ["embed", "g.csv", "-k", "1", "-o", "run", "-q"].into_iter().chain(SHORT));
    let printed = succeed(here.path(), ["communities", "run", "--json"]);
    assert!(!hostile(&printed) && printed.contains("\\u009b"), "{printed}");
    let assignments = json(&printed)["assignments"].clone();
    assert!(assignments.as_array().unwrap().iter().any(|row| row["node"] == name));
    assert!(!hostile(&text(here.path(), "run/metrics.json")));
}
