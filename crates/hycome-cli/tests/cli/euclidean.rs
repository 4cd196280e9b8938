//! Euclidean runs in every command.

use super::*;

/// A folder with a short run on football, in three dimensions of this geometry.
fn trained(geometry: &str) -> tempfile::TempDir {
    let here = folder();
    let mut args = vec!["embed", "football", "--geometry", geometry, "--dim", "3", "-o", "run"];
    args.extend(SHORT);
    let output = run(here.path(), args);
    assert!(output.status.success(), "{}", stderr(&output));
    let summary = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(summary.contains(&format!("geometry {geometry} (Euclidean")), "{summary}");
    assert!(summary.lines().all(|line| line.chars().count() <= 80), "{summary}");
    assert!(stderr(&output).contains("note: disc.html is not written"), "{}", stderr(&output));
    here
}

const FLAT: [&str; 2] = ["come", "euclidean"];

#[test]
fn euclidean_runs_are_written_scored_and_described() {
    for geometry in FLAT {
        let here = trained(geometry);
        let mut files: Vec<String> = std::fs::read_dir(here.path().join("run"))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files, ["communities.tsv", "metrics.json", "run.safetensors"]);
        let metrics = json(&std::fs::read_to_string(here.path().join("run/metrics.json")).unwrap());
        let evaluated = json(&succeed(here.path(), ["evaluate", "run", "--graph", "football", "--json"]));
        assert_eq!(evaluated["metrics"], metrics["metrics"]);
        let info = json(&succeed(here.path(), ["info", "run", "--json"]));
        assert_eq!(info["config"]["geometry"], geometry);
        assert_eq!(info["scales"].is_array(), geometry == "euclidean");
        assert!(succeed(here.path(), ["info", "run"]).contains(&format!("--geometry {geometry}")));
    }
}

#[test]
fn euclidean_communities_are_refitted() {
    for geometry in FLAT {
        let here = trained(geometry);
        let learnt = std::fs::read_to_string(here.path().join("run/communities.tsv")).unwrap();
        assert_eq!(succeed(here.path(), ["communities", "run"]), learnt);
        for method in ["gmm", "kmeans"] {
            let args = ["communities", "run", "-k", "3", "--method", method, "--json"];
            let found = json(&succeed(here.path(), args));
            let sizes: u64 = found["sizes"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
            assert_eq!((found["communities"].as_u64(), sizes), (Some(3), 115), "{geometry} {method}");
        }
    }
}

#[test]
fn euclidean_runs_are_classified_and_predicted() {
    for geometry in FLAT {
        let here = trained(geometry);
        let text = succeed(here.path(), ["classify", "run", "--labels", "football", "--save-model", "m"]);
        assert!(text.contains("euclidean-logistic") && !text.contains("\nlogistic"), "{text}");
        let lines = succeed(here.path(), ["predict", "run", "--model", "m"]);
        assert_eq!(lines.lines().count(), 116);
        let methods = "nearest-centroid,gaussian,knn,euclidean-logistic,majority";
        let args = ["classify", "run", "--labels", "football", "--method", methods, "--runs", "1", "--json"];
        let results = json(&succeed(here.path(), args))["results"].clone();
        assert_eq!(results.as_array().map(Vec::len), Some(5));
        for method in ["logistic", "svm"] {
            let message =
                fail(2, here.path(), ["classify", "run", "--labels", "football", "--method", method]);
            assert!(
                message
                    .contains("`method` must be one for Euclidean points (nearest-centroid, gaussian, knn,"),
                "{message}"
            );
        }
    }
}

#[test]
fn model_of_another_geometry_is_rejected() {
    let here = trained("come");
    succeed(here.path(), ["classify", "run", "--labels", "football", "--method", "knn", "--save-model", "m"]);
    let mut args = vec!["embed", "football", "--dim", "3", "-o", "ball", "-q", "--no-plot"];
    args.extend(SHORT);
    succeed(here.path(), args);
    let message = fail(1, here.path(), ["predict", "ball", "--model", "m"]);
    assert!(message.contains("`hycome classify ball --save-model`"), "{message}");
}

#[test]
fn plots_of_euclidean_runs_are_rejected() {
    let here = trained("euclidean");
    for args in [
        vec!["plot", "run", "-o", "x.svg"],
        vec!["plot", "run", "-o", "x.html"],
        vec!["figure", "gmm", "run", "-o", "x.svg"],
    ] {
        let message = fail(1, here.path(), args);
        assert!(message.starts_with("error: run: ") && message.contains("geometry euclidean"), "{message}");
        assert!(message.contains("train with --geometry poincare"), "{message}");
    }
    let film = fail(2, here.path(), ["embed", "karate", "--geometry", "come", "--history"]);
    assert!(film.contains("--history"), "{film}");
    let bent = fail(2, here.path(), ["embed", "karate", "--geometry", "come", "--curvature", "2"]);
    assert!(bent.contains("`curvature` must be left out"), "{bent}");
}

#[test]
fn sweep_compares_geometries() {
    let here = folder();
    let grid = "graph = \"karate\"\nseeds = 1\nwalks = 1\nepochs = 1\ndim = 3\nrestarts = 1\n\
                geometry = [\"poincare\", \"come\", \"euclidean\"]\nclassify = [\"knn\"]\nruns = 1\n";
    write(here.path(), "grid.toml", grid);
    let text = succeed(here.path(), ["sweep", "grid.toml"]);
    for geometry in ["poincare", "come", "euclidean"] {
        assert!(text.contains(geometry), "{text}");
    }
    write(here.path(), "grid.toml", &grid.replace("knn", "svm"));
    let message = fail(2, here.path(), ["sweep", "grid.toml"]);
    assert!(message.contains("which needs points of the Poincaré ball"), "{message}");
}
