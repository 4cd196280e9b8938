//! `hycome communities`.

use super::*;
use std::process::Stdio;

fn trained() -> tempfile::TempDir {
    let here = folder();
    let mut args = vec!["embed", "football", "-o", "run", "--quiet"];
    args.extend(SHORT);
    succeed(here.path(), args);
    here
}

#[test]
fn communities_match_the_training_run() {
    let here = trained();
    let written = std::fs::read_to_string(here.path().join("run/communities.tsv")).unwrap();
    assert_eq!(succeed(here.path(), ["communities", "run"]), written);
    assert_eq!(succeed(here.path(), ["communities", "run/run.safetensors", "-k", "12"]), written);
    let object = json(&succeed(here.path(), ["communities", "run", "--json"]));
    assert_eq!((object["nodes"].as_u64(), object["communities"].as_u64()), (Some(115), Some(12)));
    assert_eq!(object["refitted"], false);
    assert_eq!(object["assignments"].as_array().unwrap().len(), 115);
}

#[test]
fn other_numbers_and_methods_are_refitted() {
    let here = trained();
    let object = json(&succeed(here.path(), ["communities", "run", "-k", "3", "--json"]));
    assert_eq!((object["communities"].as_u64(), object["refitted"].as_bool()), (Some(3), Some(true)));
    assert_eq!(object["sizes"].as_array().unwrap().len(), 3);
    let tsv = succeed(here.path(), ["communities", "run", "--method", "kmeans", "--communities", "4"]);
    assert!(tsv.lines().skip(1).all(|line| line.ends_with("\t1.000000")), "{tsv}");
    assert_eq!(
        succeed(here.path(), ["communities", "run", "--seed", "5"]),
        succeed(here.path(), ["communities", "run", "--seed", "5"])
    );
}

#[test]
fn communities_are_written_to_a_file() {
    let here = trained();
    assert_eq!(succeed(here.path(), ["communities", "run", "-o", "c.tsv"]), "");
    assert_eq!(
        std::fs::read_to_string(here.path().join("c.tsv")).unwrap(),
        succeed(here.path(), ["communities", "run"])
    );
    let message = fail(1, here.path(), ["communities", "run", "-o", "no/such/c.tsv"]);
    assert!(message.contains("no/such/c.tsv: cannot write"), "{message}");
}

#[test]
fn more_communities_than_nodes_is_a_usage_error() {
    let here = trained();
    for method in ["gmm", "kmeans"] {
        let message = fail(2, here.path(), ["communities", "run", "-k", "1000", "--method", method]);
        assert!(message.contains("`communities` must be"), "{message}");
    }
    fail(2, here.path(), ["communities", "run", "-k", "0"]);
}

#[test]
fn closed_standard_output_is_not_an_error() {
    let here = trained();
    let mut child = hycome(here.path())
        .args(["communities", "run"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("panic"));
}

#[test]
fn damaged_run_is_rejected() {
    let here = trained();
    let path = here.path().join("run/run.safetensors");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let message = fail(1, here.path(), ["communities", "run"]);
    assert!(message.contains("expected a whole run in the safetensors format"), "{message}");
}
