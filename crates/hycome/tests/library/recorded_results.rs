//! Golden digests of results: a change of any bit of a training, a fit or a classifier fails here.
//!
//! `recorded_results.txt` has a digest of each result; `HYCOME_BLESS=1 cargo test -p hycome recorded_results` rewrites it. The
//! change then belongs into the changelog.
//!
//! Transcendental functions come from the system's mathematical library, whose rounding differs between platforms; digests
//! are compared on Linux with glibc on x86-64 only.

use std::fmt::Write as _;
use std::path::Path;

use hycome::classify::{self, ClassifierConfig, Method};
use hycome::generate::{SbmConfig, sbm};
use hycome::geometry::Geometry;
use hycome::mixture::{KMeansConfig, Mixture, MixtureConfig, kmeans_in};
use hycome::train::NegativeSharing;
use hycome::{Graph, Labels, Points, Run, TrainConfig, Trainer, datasets};

const GEOMETRIES: [Geometry; 3] = [Geometry::Poincare, Geometry::Come, Geometry::Euclidean];

/// FNV-1a hash.
#[derive(Clone, Copy)]
struct Digest(u64);

impl Digest {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(mut self, bytes: impl IntoIterator<Item = u8>) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self
    }

    fn numbers(self, numbers: &[f64]) -> Self {
        self.bytes(numbers.iter().flat_map(|x| x.to_bits().to_le_bytes()))
    }

    fn communities(self, communities: &[u32]) -> Self {
        self.bytes(communities.iter().flat_map(|c| c.to_le_bytes()))
    }

    fn mixture(self, mixture: &Mixture) -> Self {
        let digest = self.numbers(mixture.weights()).numbers(mixture.means().as_slice());
        match (mixture.scales(), mixture.euclidean().map(|own| &own.covariances)) {
            (Some(scales), _) => digest.numbers(scales),
            (None, Some(hycome::mixture::euclidean::Covariances::Full(covariances))) => {
                digest.numbers(covariances)
            }
            _ => unreachable!("a mixture is isotropic or has full covariances"),
        }
    }
}

/// Stochastic block model of 560 nodes in four blocks: large enough for several blocks of rows.
fn groups() -> Graph {
    let config = SbmConfig { sizes: vec![140; 4], p_in: 0.1, p_out: 0.005, seed: 3 };
    sbm(&config).expect("the settings are sound").graph
}

fn train(graph: &Graph, config: TrainConfig) -> Run {
    let trainer = Trainer::new(graph, config).expect("the settings are sound");
    trainer.train_to_end().expect("training succeeds").run
}

/// Four clusters of points, valid in every geometry.
fn clouds() -> (Points, Labels) {
    let run = train(
        &groups(),
        TrainConfig { communities: Some(4), walks: Some(2), dim: Some(4), ..TrainConfig::default() },
    );
    let names = (0..4).map(|class| class.to_string()).collect();
    (run.nodes, Labels::from_lists(names, (0..560).map(|node| vec![node / 140]).collect()))
}

/// A line per result: its name and digest.
fn results() -> String {
    let mut text = String::new();
    let mut put =
        |what: String, digest: Digest| writeln!(text, "{what} {:016x}", digest.0).expect("text grows");
    let karate = datasets::builtin("karate").expect("it is built in").graph();
    for (name, graph, communities) in [("karate", &karate, 2), ("groups", &groups(), 4)] {
        for geometry in GEOMETRIES {
            for (negatives, negative_sharing) in
                [("pair", NegativeSharing::None), ("center", NegativeSharing::Center)]
            {
                let config = TrainConfig {
                    geometry,
                    negative_sharing,
                    communities: Some(communities),
                    restarts: Some(2),
                    walks: Some(2),
                    ..TrainConfig::default()
                };
                let run = train(graph, config);
                let found = run.responsibilities().expect("the mixture fits its points").communities();
                let prefix = format!("{name} {} {negatives}", geometry.name());
                put(format!("{prefix} points"), Digest::new().numbers(run.nodes.as_slice()));
                put(format!("{prefix} contexts"), Digest::new().numbers(run.contexts.as_slice()));
                put(format!("{prefix} mixture"), Digest::new().mixture(&run.mixture));
                put(format!("{prefix} communities"), Digest::new().communities(&found));
            }
        }
    }
    let (points, labels) = clouds();
    for geometry in GEOMETRIES {
        let found =
            kmeans_in(geometry, &points, 4, &KMeansConfig::default(), 1).expect("the points are sound");
        let digest = Digest::new().numbers(found.means.as_slice()).communities(&found.assignment);
        put(format!("kmeans {}", geometry.name()), digest);
        let config = MixtureConfig { communities: 4, ..MixtureConfig::default() };
        let fit = Mixture::fit(geometry, &points, &config, 1).expect("the points are sound");
        put(format!("em {}", geometry.name()), Digest::new().mixture(&fit.mixture));
        for method in Method::ALL.into_iter().filter(|method| method.supports(geometry)) {
            let config = ClassifierConfig { method, geometry, ..ClassifierConfig::default() };
            let learnt = classify::fit(&points, &labels, &config).expect("the points are sound");
            let scores = learnt.classifier.scores(&points).expect("the points are sound");
            let digest = (0..points.len()).fold(Digest::new(), |digest, i| digest.numbers(scores.row(i)));
            put(format!("classifier {} {}", geometry.name(), method.name()), digest);
        }
    }
    text
}

#[test]
fn no_result_changes_unannounced() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded_results.txt");
    let found = results();
    if std::env::var_os("HYCOME_BLESS").is_some() {
        std::fs::write(&path, &found).expect("the record can be written");
        return;
    }
    let recorded = std::fs::read_to_string(&path).expect("there is a record");
    let changed: Vec<&str> =
        found.lines().filter(|line| !recorded.lines().any(|known| known == *line)).collect();
    assert!(
        found == recorded,
        "these results are not those that were recorded:\n{}\nIf that is meant, say so in CHANGELOG.md, under Changed, and \
         record them by HYCOME_BLESS=1 cargo test -p hycome recorded_results",
        changed.join("\n"),
    );
}
