//! A job: one training run on one graph, with its evaluation metrics.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use hycome::classify::{ClassifierConfig, CrossValidation, Method, MultiClass, cross_validate};
use hycome::geometry::Geometry;
use hycome::graph::RepeatedEdges;
use hycome::interrupt;
use hycome::io::LoadedGraph;
use hycome::metrics::{
    GroundTruth, cluster_sizes, graph_warnings, mean_conductance, modularity, score, warnings,
};
use hycome::train::ProgressCallback;
use hycome::{Result, Run, TrainConfig, Trainer};

/// Input of a job: a graph and its preprocessing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// Dataset name or path of the graph, as the front end resolves it.
    pub graph: String,
    /// Label file that replaces the labels of the graph.
    pub labels: Option<String>,
    /// Whether only the largest component is kept.
    pub largest_component: bool,
    /// Whether edge weights are ignored.
    pub unweighted: bool,
    /// How repeated edges are combined; `None` for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<RepeatedEdges>,
}

/// One training run and its evaluation. The result is a function of the job and the graph alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The graph.
    #[serde(flatten)]
    pub source: Source,
    /// Hyperparameters, the number of communities included.
    pub config: TrainConfig,
    /// Classifiers to cross-validate on the embedding, if any.
    pub classify: Option<Classify>,
}

/// Cross-validation of classifiers on the embedding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Classify {
    /// Classifiers.
    pub methods: Vec<Method>,
    /// Number of folds.
    pub folds: usize,
    /// Number of repetitions, each with its own random folds.
    pub runs: usize,
    /// Number of neighbors (`knn`).
    pub neighbors: usize,
    /// L2 regularization strength.
    pub regularization: f64,
    /// Treatment of several classes.
    pub multi_class: MultiClass,
    /// Number of random restarts of the optimiser.
    pub restarts: usize,
}

impl Default for Classify {
    fn default() -> Self {
        let (classifier, validation) = (ClassifierConfig::default(), CrossValidation::default());
        Self {
            methods: Vec::new(),
            folds: validation.folds,
            runs: validation.runs,
            neighbors: classifier.neighbors,
            regularization: classifier.regularization,
            multi_class: classifier.multi_class,
            restarts: classifier.restarts,
        }
    }
}

/// Evaluation metrics of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// [`fingerprint`] of the training data.
    pub fingerprint: u32,
    /// Scores by name: those of [`Scores`](hycome::metrics::Scores), `METHOD.precision_at_1` and so on for classifiers and,
    /// for weighted graphs, `unweighted_conductance` and `unweighted_modularity`.
    #[serde(rename = "metrics")]
    pub scores: BTreeMap<String, f64>,
    /// Community sizes in descending order.
    pub sizes: Vec<usize>,
    /// Reasons to distrust the scores, such as extreme community sizes.
    pub warnings: Vec<String>,
    /// Training time in seconds.
    pub train_seconds: f64,
    /// Time of cross-validation in seconds.
    pub classify_seconds: f64,
}

/// Name prefix of scores of a weighted graph that ignore its weights.
const UNWEIGHTED: &str = "unweighted_";

/// Outcome of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Trained and evaluated.
    Measured(Metrics),
    /// Failed with this error message, for instance because of numerical divergence. A job is deterministic, so it would fail again.
    Failed(String),
}

impl Metrics {
    /// A score as defined in the paper: on the unweighted graph, even if the training used weights.
    #[must_use]
    pub fn unweighted(&self, metric: &str) -> Option<f64> {
        let found = self.scores.get(&format!("{UNWEIGHTED}{metric}"));
        found.or_else(|| self.scores.get(metric)).copied()
    }
}

impl Outcome {
    /// Metrics of a successful job.
    #[must_use]
    pub fn metrics(&self) -> Option<&Metrics> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::Failed(_) => None,
        }
    }
}

/// A job with its outcome: one line of a [`ResultLog`](crate::ResultLog).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The job.
    pub job: Job,
    /// Its outcome.
    pub outcome: Outcome,
}

/// Whether lower values of a score are better.
#[must_use]
pub fn smaller_is_better(metric: &str) -> bool {
    metric.ends_with("conductance")
}

impl Job {
    /// Validates the hyperparameters against the graph, without training.
    ///
    /// # Errors
    /// Those of [`Trainer::new`] and [`cross_validate`].
    pub fn check(&self, loaded: &LoadedGraph) -> Result<()> {
        self.config.validate()?;
        let refuse = |parameter, expected: String, found: String| {
            Err(hycome::Error::Config { parameter, expected, found })
        };
        let (nodes, communities) = (loaded.graph.node_count(), self.config.communities);
        match communities {
            None => {
                return refuse("communities", "given where a graph has no labels".into(), "missing".into());
            }
            Some(communities) if communities > nodes => {
                let expected = format!("at most the number of nodes, {nodes}");
                return refuse("communities", expected, communities.to_string());
            }
            Some(_) => {}
        }
        let Some(classify) = &self.classify else { return Ok(()) };
        let labelled = loaded.labels.as_ref().map_or(0, hycome::Labels::labelled_count);
        if classify.folds < 2 || classify.folds > labelled {
            let expected = format!("from 2 to the number of labelled nodes, {labelled}");
            return refuse("folds", expected, classify.folds.to_string());
        }
        if classify.runs == 0 {
            return refuse("runs", "one or more".into(), "0".into());
        }
        let geometry = self.config.geometry;
        classify.methods.iter().try_for_each(|&method| classify.config(method, geometry).validate())
    }

    /// Trains and evaluates; `None` if `progress` stopped the training.
    ///
    /// # Errors
    /// If the hyperparameters do not suit the graph, or the training diverges.
    pub fn measure(
        &self,
        loaded: &LoadedGraph,
        progress: &mut ProgressCallback<'_>,
    ) -> Result<Option<Metrics>> {
        let clock = Instant::now();
        let trainer = Trainer::new(&loaded.graph, self.config.clone())?.with_names(loaded.names.clone());
        let Some(trained) = trainer.train(progress)?.finished() else { return Ok(None) };
        let run = trained.run;
        let train_seconds = clock.elapsed().as_secs_f64();
        let mut measured = Metrics { train_seconds, ..measure_communities(&run, loaded)? };
        if let (Some(classify), Some(labels)) = (&self.classify, &loaded.labels) {
            let clock = Instant::now();
            for &method in &classify.methods {
                let validation =
                    CrossValidation { folds: classify.folds, runs: classify.runs, ..Default::default() };
                let config = classify.config(method, self.config.geometry);
                let scores = cross_validate(&run.nodes, labels, &config, &validation)?;
                let named = [
                    ("precision_at_1", Some(scores.precision_at_1)),
                    ("precision_at_3", scores.precision_at_3),
                    ("precision_at_5", scores.precision_at_5),
                    ("micro_f1", Some(scores.micro_f1)),
                    ("macro_f1", Some(scores.macro_f1)),
                ];
                for (name, summary) in named {
                    let Some(summary) = summary else { continue };
                    measured.scores.insert(format!("{}.{name}", method.name()), summary.mean);
                }
            }
            measured.classify_seconds = clock.elapsed().as_secs_f64();
        }
        Ok(Some(measured))
    }
}

impl Classify {
    fn config(&self, method: Method, geometry: Geometry) -> ClassifierConfig {
        let Self { neighbors, regularization, multi_class, restarts, .. } = *self;
        ClassifierConfig { method, geometry, neighbors, regularization, multi_class, restarts }
    }
}

/// Scores of the communities of a run.
fn measure_communities(run: &Run, loaded: &LoadedGraph) -> Result<Metrics> {
    let graph = &loaded.graph;
    let truth = loaded
        .labels
        .as_ref()
        .map(|labels| GroundTruth::from_lists(graph.nodes().map(|node| labels.of(node))));
    let truth = truth.as_ref().map(GroundTruth::view);
    let (communities, count) = (run.responsibilities()?.communities(), run.mixture.len());
    let scores = score(graph, &communities, count, truth);
    // An interrupted matching has no accuracy.
    if scores.accuracy.is_some_and(f64::is_nan) {
        interrupt::check()?;
    }
    let named = [
        ("conductance", Some(scores.conductance)),
        ("modularity", Some(scores.modularity)),
        ("nmi", scores.nmi),
        ("nmi_paper", scores.nmi_paper),
        ("ami", scores.ami),
        ("ari", scores.ari),
        ("precision_at_1", scores.precision_at_1),
        ("precision_at_1_by_size", scores.precision_at_1_by_size),
    ];
    let mut scores_by_name: BTreeMap<String, f64> =
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    if scores.weighted {
        let graph = graph.clone().unweighted();
        let conductance = mean_conductance(&graph, &communities, count);
        scores_by_name.insert(format!("{UNWEIGHTED}conductance"), conductance);
        scores_by_name.insert(format!("{UNWEIGHTED}modularity"), modularity(&graph, &communities));
    }
    let mut sizes = cluster_sizes(&communities, count);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let warnings = [warnings(&sizes, truth), graph_warnings(graph, &communities, count)].concat();
    let fingerprint = fingerprint(loaded);
    Ok(Metrics {
        fingerprint,
        scores: scores_by_name,
        sizes,
        warnings,
        train_seconds: 0.0,
        classify_seconds: 0.0,
    })
}

/// Checksum of edges, weights and labels; detects data that changed under the same name.
#[must_use]
pub fn fingerprint(loaded: &LoadedGraph) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&loaded.graph.fingerprint().to_le_bytes());
    for classes in loaded.graph.nodes().flat_map(|node| loaded.labels.as_ref().map(|labels| labels.of(node)))
    {
        sum.update(&(classes.len() as u64).to_le_bytes());
        classes.iter().for_each(|class| sum.update(&class.to_le_bytes()));
    }
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use hycome::datasets;

    fn karate() -> (Job, LoadedGraph) {
        let config = TrainConfig {
            communities: Some(2),
            walks: Some(1),
            epochs: 1,
            warmup_epochs: 1,
            ..TrainConfig::default()
        };
        let classify = Classify { methods: vec![Method::Gaussian], runs: 1, ..Classify::default() };
        let source = Source { graph: "karate".into(), ..Source::default() };
        let loaded = datasets::builtin("karate").expect("it is built in").load();
        (Job { source, config, classify: Some(classify) }, loaded)
    }

    #[test]
    fn a_job_has_all_scores_by_name() {
        let (job, loaded) = karate();
        job.check(&loaded).unwrap();
        let measured =
            job.measure(&loaded, &mut |_| ControlFlow::Continue(())).unwrap().expect("not stopped");
        for name in [
            "conductance",
            "nmi",
            "nmi_paper",
            "ami",
            "precision_at_1",
            "gaussian.precision_at_1",
            "gaussian.macro_f1",
        ] {
            assert!(measured.scores.contains_key(name), "{name}");
        }
        assert!(!measured.scores.contains_key("gaussian.precision_at_3"));
        assert_eq!(measured.sizes.iter().sum::<usize>(), 34);
    }

    #[test]
    fn a_weighted_graph_is_also_scored_without_weights() {
        let (job, mut loaded) = karate();
        let graph = &loaded.graph;
        let pairs: Vec<_> =
            graph.nodes().flat_map(|u| graph.neighbors(u).iter().map(move |&v| (u, v))).collect();
        let weights = Some(pairs.iter().map(|&(u, v)| 1.0 + (u * v % 7) as f32).collect());
        loaded.graph = hycome::graph::EdgeList { node_count: 34, pairs, weights }.build().0;
        let job = Job { classify: None, ..job };
        let measured =
            job.measure(&loaded, &mut |_| ControlFlow::Continue(())).unwrap().expect("not stopped");
        for name in ["conductance", "modularity"] {
            assert_eq!(measured.unweighted(name), Some(measured.scores[&format!("unweighted_{name}")]));
            assert_ne!(measured.unweighted(name), Some(measured.scores[name]));
        }
        assert_eq!(measured.unweighted("nmi"), Some(measured.scores["nmi"]));
    }

    #[test]
    fn the_keys_of_the_result_log_are_stable() {
        let metrics = Metrics {
            fingerprint: 7,
            scores: [("nmi".to_owned(), 0.5)].into(),
            sizes: vec![2, 1],
            warnings: vec![],
            train_seconds: 1.5,
            classify_seconds: 0.0,
        };
        let expected = r#"{"measured":{"fingerprint":7,"metrics":{"nmi":0.5},"sizes":[2,1],"warnings":[],"train_seconds":1.5,"classify_seconds":0.0}}"#;
        assert_eq!(serde_json::to_string(&Outcome::Measured(metrics)).unwrap(), expected);
    }

    #[test]
    fn a_stopped_job_has_no_result() {
        let (job, loaded) = karate();
        assert_eq!(job.measure(&loaded, &mut |_| ControlFlow::Break(())).unwrap(), None);
    }

    #[test]
    fn invalid_jobs_are_refused_before_training() {
        let (job, loaded) = karate();
        let with = |change: &dyn Fn(&mut Job)| {
            let mut job = job.clone();
            change(&mut job);
            job.check(&loaded).unwrap_err().to_string()
        };
        assert!(with(&|job| job.config.communities = Some(35)).contains("at most the number of nodes, 34"));
        assert!(with(&|job| job.config.communities = None).contains("missing"));
        let folds = |job: &mut Job| job.classify = Some(Classify { folds: 35, ..Classify::default() });
        assert!(with(&folds).contains("labelled nodes, 34"));
    }

    #[test]
    fn jobs_survive_json_and_changed_graphs_are_detected() {
        let (job, loaded) = karate();
        let json = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&json).unwrap(), job);
        let mut other = loaded.clone();
        assert_eq!(fingerprint(&other), fingerprint(&loaded));
        other.labels = None;
        assert_ne!(fingerprint(&other), fingerprint(&loaded));
    }
}
