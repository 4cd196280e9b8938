//! `hycome plot`, `hycome figure` and the viewer that `hycome embed` writes.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

use super::*;

/// A folder with a short run of a built-in graph.
fn trained(name: &str, more: &[&str]) -> tempfile::TempDir {
    let here = folder();
    let args = ["embed", name, "-o", "run", "--quiet"].into_iter().chain(SHORT).chain(more.iter().copied());
    succeed(here.path(), args);
    here
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("it was written")
}

/// The scene embedded in a viewer.
fn scene(html: &str) -> Value {
    let after = html.split_once(r#"id="scene">"#).expect("there is a scene").1;
    let packed = STANDARD.decode(after.split_once("</script>").expect("it ends").0).expect("it is Base64");
    let mut bytes = Vec::new();
    ZlibDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("it is zlib data");
    let (length, rest) = bytes.split_first_chunk().expect("its length comes first");
    json(std::str::from_utf8(&rest[..u32::from_le_bytes(*length) as usize]).expect("it is UTF-8"))
}

#[test]
fn viewer_is_self_contained() {
    let here = trained("karate", &[]);
    let html = read(here.path(), "run/disc.html");
    let scene = scene(&html);
    assert_eq!((&scene["nodes"], &scene["edges"]["total"]), (&34.into(), &78.into()));
    assert_eq!(scene["colorings"].as_array().unwrap().len(), 2);
    assert!(html.contains("default-src 'none'"));
    assert!(!html.contains("http://") && !html.contains("https://"), "the page names no other place");
    let without = trained("karate", &["--no-plot"]);
    assert!(!without.path().join("run/disc.html").exists());
}

#[test]
fn replaced_run_leaves_no_stale_viewer_or_history() {
    let here = trained("karate", &["--history"]);
    assert!(here.path().join("run/history.safetensors").exists());
    assert!(!scene(&read(here.path(), "run/disc.html"))["animation"].as_array().unwrap().is_empty());
    succeed(here.path(), ["embed", "karate", "-o", "run", "--no-plot", "--quiet"].into_iter().chain(SHORT));
    assert_eq!(names(&here.path().join("run")), ["communities.tsv", "metrics.json", "run.safetensors"]);
}

#[test]
fn unrelated_page_is_not_removed() {
    let here = folder();
    std::fs::write(here.path().join("disc.html"), "somebody's own").unwrap();
    succeed(here.path(), ["embed", "karate", "-o", ".", "--no-plot", "--quiet"].into_iter().chain(SHORT));
    assert_eq!(read(here.path(), "disc.html"), "somebody's own");
}

#[test]
fn history_does_not_change_the_run() {
    let (with, without) = (trained("karate", &["--history"]), trained("karate", &[]));
    let bytes = |here: &tempfile::TempDir| std::fs::read(here.path().join("run/run.safetensors")).unwrap();
    assert_eq!(bytes(&with), bytes(&without));
    succeed(with.path(), ["plot", "run", "-o", "again.html"]);
    assert!(!scene(&read(with.path(), "again.html"))["animation"].as_array().unwrap().is_empty());
}

#[test]
fn viewer_without_a_graph_has_a_note() {
    let here = trained("karate", &[]);
    let output = run(here.path(), ["plot", "run", "-o", "bare.html"]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("no edges"), "{}", stderr(&output));
    assert!(scene(&read(here.path(), "bare.html"))["edges"].is_null());
}

#[test]
fn figures_are_written_in_the_format_of_their_extension() {
    let here = trained("karate", &[]);
    for (name, start) in [("f.svg", &b"<svg"[..]), ("f.png", b"\x89PNG"), ("f.pdf", b"%PDF-")] {
        succeed(
            here.path(),
            ["plot", "run", "--graph", "karate", "--names", "-o", name, "--size", "300x320"],
        );
        let bytes = std::fs::read(here.path().join(name)).unwrap();
        assert!(bytes.starts_with(start), "{name}");
        succeed(
            here.path(),
            ["plot", "run", "--graph", "karate", "--names", "-o", name, "--size", "300x320"],
        );
        let again = std::fs::read(here.path().join(name)).unwrap();
        // The order of objects in a PDF may differ.
        assert!(name == "f.pdf" || bytes == again, "{name} is the same each time");
    }
    let svg = read(here.path(), "f.svg");
    assert!(svg.contains("@font-face") && svg.contains("karate") && svg.contains("stroke-dasharray"));
    let wide =
        u32::from_be_bytes(std::fs::read(here.path().join("f.png")).unwrap()[16..20].try_into().unwrap());
    assert_eq!(wide, 600, "two pixels for each of the figure");
}

#[test]
fn several_runs_share_a_figure_and_a_sweep_is_a_chart() {
    let here = folder();
    for (seed, dim) in [("1", "2"), ("2", "2"), ("1", "3")] {
        let name = format!("r{seed}{dim}");
        let args = ["embed", "karate", "--seed", seed, "--dim", dim, "-o", &name, "--quiet", "--no-plot"];
        succeed(here.path(), args.into_iter().chain(SHORT));
    }
    succeed(
        here.path(),
        ["plot", "r12", "r22", "r13", "--graph", "karate", "--color", "label", "-o", "three.svg"],
    );
    let svg = read(here.path(), "three.svg");
    assert!(
        ["r12", "r22", "r13", "Officer", "2-D layout of 3 dimensions"]
            .iter()
            .all(|words| svg.contains(words))
    );
    succeed(
        here.path(),
        ["plot", "r12", "r22", "r13", "--metric", "nmi,ari", "--against", "dim", "-o", "sweep.svg"],
    );
    let svg = read(here.path(), "sweep.svg");
    assert!(svg.contains("means of up to 2 runs over seed; bars are standard deviations"));
    assert!(
        svg.contains(">nmi against dim<") && svg.contains(">ari against dim<"),
        "a chart for each metric"
    );
    assert!(svg.contains(">2<") && svg.contains(">3<") && !svg.contains(">2.5<"), "ticks at the values");
    succeed(here.path(), ["plot", "r13", "--no-note", "-o", "bare.svg"]);
    assert!(!read(here.path(), "bare.svg").contains("2-D layout"));
    let message =
        fail(2, here.path(), ["plot", "r12", "--metric", "size", "--against", "dim", "-o", "x.svg"]);
    assert!(message.contains("no number `size`; metrics has conductance"), "{message}");
}

#[test]
fn sweep_chart_has_a_curve_per_graph() {
    let here = folder();
    let grid = "graph = [\"karate\", \"books\"]\nseeds = 2\ndim = [2, 3]\nwalks = 1\nwalk_length = 10\nwarmup_epochs = 1\n\
                epochs = 0\nrestarts = 1\nclassify = \"knn\"\nruns = 1\n";
    std::fs::write(here.path().join("grid.toml"), grid).unwrap();
    succeed(here.path(), ["sweep", "grid.toml", "--quiet"]);
    let metric = "knn.precision_at_1";
    succeed(here.path(), ["plot", "grid.jsonl", "--metric", metric, "--against", "dim", "-o", "sweep.svg"]);
    let svg = read(here.path(), "sweep.svg");
    let words = [">karate<", ">books<", ">knn.precision_at_1<", "means of up to 2 runs over seed;"];
    assert!(words.iter().all(|words| svg.contains(words)));
    std::fs::write(here.path().join("empty.jsonl"), "{}\n").unwrap();
    let message =
        fail(1, here.path(), ["plot", "empty.jsonl", "--metric", metric, "--against", "dim", "-o", "x.svg"]);
    assert!(message.contains("empty.jsonl: expected results of `hycome sweep`, found none"), "{message}");

    let results = read(here.path(), "grid.jsonl");
    let torn = results.replacen("{\"job\"", "{\"jib\"", 1);
    std::fs::write(here.path().join("torn.jsonl"), torn).unwrap();
    let message =
        fail(1, here.path(), ["plot", "torn.jsonl", "--metric", metric, "--against", "dim", "-o", "x.svg"]);
    assert!(message.contains("torn.jsonl: line 2: expected a result of `hycome sweep`"), "{message}");
}

#[test]
fn each_figure_of_the_paper_is_one_command() {
    let here = trained("karate", &[]);
    for kind in ["geodesics", "zeta"] {
        succeed(here.path(), ["figure", kind, "-o", "f.svg"]);
        assert!(read(here.path(), "f.svg").contains("<path"), "{kind}");
    }
    for kind in ["embedding", "gmm", "logistic", "labels"] {
        succeed(here.path(), ["figure", kind, "run", "--graph", "karate", "-o", "f.svg"]);
        assert!(read(here.path(), "f.svg").contains("karate"), "{kind}");
    }
    succeed(here.path(), ["figure", "label-distribution", "-o", "f.svg"]);
    assert_eq!(read(here.path(), "f.svg").matches("class=\"bar\"").count(), 2 + 3 + 12 + 2);
}

#[test]
fn label_distributions_are_of_graphs_with_labels() {
    let here = tempfile::tempdir().unwrap();
    write(here.path(), "g.txt", TWO_GROUPS);
    let message = fail(2, here.path(), ["figure", "label-distribution", "g.txt", "-o", "f.svg"]);
    assert!(message.contains("g.txt: this figure needs --labels"), "{message}");
    let message = fail(2, here.path(), ["figure", "label-distribution", "--seed", "1", "-o", "f.svg"]);
    assert!(message.contains("--seed has no effect"), "{message}");
    succeed(here.path(), ["figure", "label-distribution", "football", "-o", "f.png"]);
    assert!(here.path().join("f.png").exists());
}

#[test]
fn every_method_has_decision_regions_in_two_dimensions() {
    let here = trained("karate", &["--dim", "2"]);
    let page = |run: &str, method: &str| {
        let learn = ["classify", run, "--labels", "karate", "--method", method, "--save-model", "m.st"];
        succeed(here.path(), learn);
        let output = run_plot(here.path(), run);
        (scene(&read(here.path(), "m.html")), output)
    };
    for method in ["nearest-centroid", "gaussian", "logistic", "svm", "knn", "euclidean-logistic", "majority"]
    {
        let (scene, _) = page("run", method);
        assert!(scene["regions"].is_object(), "{method}");
    }
    let (scene, message) = page("run", "knn");
    let side = scene["regions"]["side"].as_u64().unwrap();
    assert!(message.contains(&format!("on a raster of {side} × {side} points")), "{message}");
    let (_, message) = page("run", "majority");
    assert!(message.contains("predicts the majority class everywhere"), "{message}");

    let args = ["embed", "karate", "--dim", "3", "-o", "three", "--quiet", "--no-plot"];
    succeed(here.path(), args.into_iter().chain(SHORT));
    let (scene, message) = page("three", "knn");
    assert!(scene["regions"].is_null());
    assert!(message.contains("decision regions need a two-dimensional classifier"), "{message}");
}

fn run_plot(folder: &Path, of: &str) -> String {
    let output = run(folder, ["plot", of, "--graph", "karate", "--model", "m.st", "-o", "m.html"]);
    assert!(output.status.success(), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn errors_are_one_sentence_and_leave_no_file() {
    let here = trained("karate", &[]);
    write(here.path(), "g.txt", TWO_GROUPS);
    for (args, words) in [
        (&["plot", "run", "-o", "x.jpg"][..], ".html, .svg, .png or .pdf"),
        (&["plot", "run", "run", "-o", "x.html"], "the viewer shows one run"),
        (&["plot", "run", "-o", "x.svg", "--color", "label"], "--color label needs --labels"),
        (
            &["plot", "run", "run", "run", "--graph", "a", "--graph", "b", "-o", "x.svg"],
            "once for all of them",
        ),
        (&["plot", "run", "-o", "x.svg", "--size", "big"], "expected WIDTHxHEIGHT"),
        (&["plot", "run", "-o", "x.html", "--names"], "--names has no effect"),
        (&["plot", "run", "-o", "x.html", "--theme", "dark"], "--theme has no effect"),
        (&["plot", "run", "-o", "x.html", "--size", "300x300"], "--size has no effect"),
        (&["plot", "run", "-o", "x.svg", "--scale", "2"], "--scale applies to .png"),
        (
            &["plot", "run", "--metric", "nmi", "--against", "dim", "--names", "-o", "x.svg"],
            "--names has no effect",
        ),
        (&["figure", "zeta", "karate", "-o", "x.svg"], "RUN has no effect"),
        (&["figure", "geodesics", "--seed", "2", "-o", "x.svg"], "so --seed has no effect"),
        (&["figure", "gmm", "run", "-o", "x.html"], ".svg, .png or .pdf"),
    ] {
        let message = fail(2, here.path(), args);
        assert!(message.starts_with("error: ") && message.contains(words), "{args:?}: {message}");
    }
    let message = fail(1, here.path(), ["plot", "run", "--graph", "g.txt", "-o", "x.html"]);
    assert!(message.contains("node `1` is not in g.txt"), "{message}");
    assert_eq!(names(here.path()), ["g.txt", "run"]);
}

#[test]
fn names_are_text_in_pages_and_figures() {
    let here = folder();
    let evil = "</script><script>alert(1)</script>";
    write(here.path(), "g.txt", &TWO_GROUPS.replace('a', evil));
    let args = ["embed", "g.txt", "-k", "2", "-o", "run", "--quiet"];
    succeed(here.path(), args.into_iter().chain(SHORT));
    let html = read(here.path(), "run/disc.html");
    assert_eq!(html.matches("<script").count(), 2);
    assert!(scene(&html)["names"]["list"].as_array().unwrap().contains(&evil.into()));
    succeed(here.path(), ["plot", "run", "--graph", "g.txt", "--names", "--title", evil, "-o", "f.svg"]);
    assert!(!read(here.path(), "f.svg").contains("<script"));
}

#[test]
fn missing_glyphs_are_reported() {
    let here = folder();
    write(here.path(), "g.txt", &TWO_GROUPS.replace('a', "می‌خواهم"));
    let args = ["embed", "g.txt", "-k", "2", "-o", "run", "--quiet", "--no-plot"];
    succeed(here.path(), args.into_iter().chain(SHORT));
    let output = run(here.path(), ["plot", "run", "--graph", "g.txt", "--names", "-o", "f.png"]);
    assert!(output.status.success());
    let message = stderr(&output);
    assert!(message.contains("1 name in the figure has characters without a glyph"), "{message}");
    let message = fail(2, here.path(), ["plot", "run", "-o", "f.png", "--font", "g.txt"]);
    assert!(message.contains("`font` must be a TrueType or OpenType file"), "{message}");
}
