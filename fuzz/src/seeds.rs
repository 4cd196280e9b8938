//! Seed corpus: files that the library writes, and small texts in each format.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hycome::classify::{self, ClassifierConfig, Method};
use hycome::geometry::Geometry;
use hycome::graph::{Labels, NodeNames};
use hycome::io::{checkpoint_file, graph_file, history_file, model_file, run_file};
use hycome::train::{Checkpoint, CheckpointPolicy};
use hycome::{TrainConfig, Trainer};

use crate::repair::unpacked;

const EDGES: &str = "# friends\nsource,target,weight\n1,2,0.5\n2,3,2\n10,1,1e-3\n1,2,4\n3,3,1\n";
const NAMES: &str = "anna bert\nbert été\nété a_name_of_more_than_fifteen_bytes\n";
const TABLES: [&str; 5] = [
    "\"Valjean, Jean\",Cosette,3\nCosette,\"Marius \"\"P\"\"\",2\n",
    "von;nach;gewicht\na;b;1\nb;c;2\n",
    "protein1,protein2,combined_score,source\na,b,900,x\nb,c,400,\n",
    "weight,id,from,to\n0.5,1,a,b\n2,2,b,c\n",
    "Jean Valjean,Cosette\nCosette,Marius\n",
];
const HEADERS: [&str; 6] =
    ["Gene_A,Gene_B", "source,target,weight", "user_from,user_to", "a,b", "id,from,to,timestamp", "x;y"];
const BIPARTITE: [&[u8]; 2] =
    [&[0, 0, 0, 11, 1, 5, 2, 9, 3, 10, 4, 1, 5, 2, 6, 3, 7, 4, 8, 6, 9, 7, 9, 8], &[0, 1, 1, 2, 2, 0]];
const FOREIGN: [&str; 12] = [
    "{\"nodes\": [], \"links\": []}",
    "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n",
    "graph {\n a -- b\n}\n",
    ">>graph6<<D?{",
    "E?~o\nFCpb_\n",
    "<?xml version=\"1.0\"?>\n<graphml/>",
    "<gexf/>",
    "# a\nb\nc 2.5\n# b\nc\n",
    "4 3\n2\n1 3\n2 4\n3\n",
    "a pp b\nb pp c\n",
    "1 2 3 4\n2 3\n3\n4\n",
    "a b {'weight': 4}\n",
];
const LABEL_TABLES: [&str; 4] =
    ["\"a, b\",x\nc d,y\n", "0,145,tv\n1,191,gov\n", "0;A;tv\n1;B;gov\n", "0\t1\t0.9\n1\t2\t0.8\n"];
const GML: &str = "Creator \"me\"\ngraph [\n directed 0\n node [ id 0 label \"a &amp; b\" value 7 ]\n node [ id -3 label \"c\" ]\n \
    graphics [ x 1 ]\n edge [ source 0 target -3 value 2.5 ]\n]\n";
const MATRIX: &str =
    "%%MatrixMarket matrix coordinate real symmetric\n% comment\n3 3 3\n2 1 0.5\n3 1 2\n3 2 1\n";
const PATTERN: &str = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
const FOLDER: &str = "1,2\n2,10\x001\n2\n3\n10\x003,10\n3,2\n1,2\x001\n2\n10";
const LABELS: &str = "node,label\n1,x\n2,y z\n34\tx\n";
const SETTINGS: &str = "dim = 2\nseed = 7\ncommunities = 3\nlearning_rate = 0.1\nnegative_sharing = \"center\"\ngeometry = \"come\"\n";

/// Seeds of a target by name.
#[must_use]
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let mut seeds: Vec<Vec<u8>> = match target {
        "edge_list" => vec![EDGES.into(), NAMES.into()],
        "edge_table" => TABLES.map(Into::into).into(),
        "header" => HEADERS.map(Into::into).into(),
        "bipartite" => BIPARTITE.map(Into::into).into(),
        "foreign" => FOREIGN.map(Into::into).into(),
        "label_table" => LABEL_TABLES.map(Into::into).into(),
        "gml" => vec![GML.into()],
        "matrix_market" => vec![MATRIX.into(), PATTERN.into()],
        "csv_folder" => vec![FOLDER.into(), "a,b".into()],
        "gzip" => [EDGES, GML].map(|text| gzip(text.as_bytes())[2..].to_vec()).into(),
        "zstandard" => [EDGES, GML].map(|text| zstandard(text.as_bytes())[4..].to_vec()).into(),
        "labels" => vec![LABELS.into(), "x\ny\nx\n".into(), "a x\nb y\n".into()],
        "settings" => vec![SETTINGS.into(), default_settings().into()],
        "graph_file" => with_unpacked(graph_files()),
        "run" => with_unpacked(trained().into_iter().map(|trained| trained.run).collect()),
        "history" => with_unpacked(trained().into_iter().map(|trained| trained.history).collect()),
        "checkpoint" => with_unpacked(trained().into_iter().map(|trained| trained.checkpoint).collect()),
        "model" => with_unpacked(models()),
        _ => Vec::new(),
    };
    seeds.push(Vec::new());
    let named = seeds.into_iter().enumerate().map(|(i, seed)| (format!("{target}-{i}"), seed));
    named.chain(stored(target)).collect()
}

/// Inputs stored in files: findings of earlier runs, and malformed files of the library's tests.
fn stored(target: &str) -> Vec<(String, Vec<u8>)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let malformed = here.join("../crates/hycome/tests/malformed");
    let is_for_target = |path: &PathBuf| path.is_file() && target_of(path) == Some(target);
    let files = files(&here.join("corpus").join(target))
        .into_iter()
        .chain(files(&malformed).into_iter().filter(is_for_target));
    let strip = match target {
        "gzip" => 2,
        "zstandard" => 4,
        _ => 0,
    };
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a listed file can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let skipped = if path.starts_with(&malformed) { strip } else { 0 };
        (name, bytes.get(skipped..).unwrap_or_default().to_vec())
    };
    files.map(read).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Target of a malformed file, by its name.
fn target_of(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    match name.rsplit('.').next()? {
        "tsv" | "py" => None,
        "gml" => Some("gml"),
        "mtx" => Some("matrix_market"),
        "mat" => Some("matlab"),
        "hyg" => Some("graph_file"),
        "gz" => Some("gzip"),
        "zst" => Some("zstandard"),
        _ if name.starts_with("labels-") => Some("labels"),
        _ => Some("edge_list"),
    }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("writing to memory cannot fail")
}

fn zstandard(plain: &[u8]) -> Vec<u8> {
    zstd::encode_all(plain, 3).expect("writing to memory cannot fail")
}

fn default_settings() -> String {
    let value = serde_json::to_value(TrainConfig::default()).expect("settings can be serialized");
    let fields = value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    fields.map(|(key, value)| format!("{key} = {value}\n")).collect()
}

/// Files as written, and in the form that `repair.rs` accepts.
fn with_unpacked(files: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let unpacked: Vec<Vec<u8>> = files.iter().map(|file| unpacked(file)).collect();
    files.into_iter().chain(unpacked).collect()
}

fn graph_files() -> Vec<Vec<u8>> {
    let folder = crate::graphs::memory_folder();
    let texts = [("a.edges", EDGES), ("b.edges", NAMES), ("c.gml", GML)];
    let written = texts.iter().map(|(name, text)| {
        let path = folder.path().join("a.hyg");
        let bytes = text.as_bytes().to_vec();
        let loaded =
            hycome::io::read_graph_from_bytes(Path::new(name), bytes, &hycome::io::ReadOptions::default());
        graph_file::save(&loaded.expect("seeds are valid"), &path).expect("the temporary folder is writable");
        fs::read(&path).expect("it was just written")
    });
    written.collect()
}

/// Files of a short training.
struct Trained {
    run: Vec<u8>,
    history: Vec<u8>,
    checkpoint: Vec<u8>,
}

fn trained() -> Vec<Trained> {
    [Geometry::Poincare, Geometry::Come, Geometry::Euclidean].map(train).into()
}

/// Two epochs on a small graph, in each geometry.
fn train(geometry: Geometry) -> Trained {
    let graph = hycome::Graph::from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]);
    let config = TrainConfig {
        geometry,
        communities: Some(2),
        walks: Some(1),
        walk_length: 8,
        warmup_epochs: 1,
        epochs: 1,
        restarts: Some(1),
        ..TrainConfig::default()
    };
    let saved: Arc<Mutex<Vec<u8>>> = Arc::default();
    let save = {
        let saved = Arc::clone(&saved);
        let save = move |checkpoint: &Checkpoint| {
            *saved.lock().expect("no thread panicked with the lock") =
                checkpoint_file::to_bytes(checkpoint, "seed");
        };
        Box::new(save)
    };
    let mut trainer = Trainer::new(&graph, config)
        .expect("seeds are valid")
        .with_names(NodeNames::from_strings(["a", "b", "c", "d", "été", ""]))
        .with_checkpoints(CheckpointPolicy { interval: Duration::MAX, epochs: Some(1), save });
    if geometry == Geometry::Poincare {
        trainer = trainer.with_snapshots();
    }
    let trained = trainer.train_to_end().expect("seeds are valid");
    let history = history_file::to_bytes(&trained.snapshots, b"run");
    let run = run_file::to_bytes(&trained.run, Path::new("run")).expect("seeds are valid");
    let checkpoint = saved.lock().expect("no thread panicked with the lock").clone();
    Trained { run, history, checkpoint }
}

/// Model of each method, hyperbolic and Euclidean.
fn models() -> Vec<Vec<u8>> {
    let run =
        run_file::from_bytes(&train(Geometry::Poincare).run, Path::new("run")).expect("seeds are valid");
    let labels = Labels::from_pairs(6, &[(0, "x"), (1, "x"), (2, "y"), (3, "y"), (4, "z")], &[]);
    let methods = [
        Method::NearestCentroid,
        Method::Gaussian,
        Method::Logistic,
        Method::Svm,
        Method::Knn,
        Method::EuclideanLogistic,
        Method::Majority,
    ];
    let fit = |geometry: Geometry, method: Method| {
        let config = ClassifierConfig { geometry, method, ..ClassifierConfig::default() };
        let fitted = classify::fit(&run.nodes, &labels, &config).ok()?;
        Some(model_file::to_bytes(&fitted.classifier))
    };
    let geometries = [Geometry::Poincare, Geometry::Come];
    geometries
        .iter()
        .flat_map(|&geometry| methods.iter().filter_map(move |&method| fit(geometry, method)))
        .collect()
}
