//! One training of one graph, and what is measured on it.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::classify::{ClassifierConfig, CrossValidation, Method, cross_validate};
use crate::geometry::Geometry;
use crate::io::LoadedGraph;
use crate::metrics::{
    TruthBuf, cluster_sizes, graph_warnings, mean_conductance, modularity, score, warnings,
};
use crate::train::{TrainOutcome, Watch};
use crate::{Result, Run, TrainConfig, Trainer};

/// Which graph, and what of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// What a front end calls the graph: a name or a path.
    pub graph: String,
    /// A file of labels that replaces the graph's own.
    pub labels: Option<String>,
    /// Whether only the largest component is kept.
    pub largest_component: bool,
    /// Whether every edge weighs the same.
    pub unweighted: bool,
}

/// A training, and what is measured on it. The result depends on nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The graph.
    #[serde(flatten)]
    pub source: Source,
    /// The settings, the number of communities included.
    pub config: TrainConfig,
    /// Which classifiers are scored on the points; none if classes are not learnt.
    pub classify: Option<Classify>,
}

/// Classifiers to score, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Classify {
    /// The methods.
    pub methods: Vec<Method>,
    /// Parts of which one is held out.
    pub folds: usize,
    /// How often nodes are dealt anew.
    pub runs: usize,
    /// Nearest nodes that vote (`knn`).
    pub neighbors: usize,
    /// How strongly gentle slopes are preferred.
    pub regularization: f64,
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
        }
    }
}

/// What a job gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// [`fingerprint`] of what was trained.
    pub fingerprint: u32,
    /// Every score by its name: those of [`Scores`](crate::metrics::Scores), and `METHOD.precision_at_1` and so on; of a
    /// weighted graph also `unweighted_conductance` and `unweighted_modularity`.
    pub metrics: BTreeMap<String, f64>,
    /// Sizes of the communities, descending.
    pub sizes: Vec<usize>,
    /// What sizes and graph say against the scores.
    pub warnings: Vec<String>,
    /// Seconds of training.
    pub train_seconds: f64,
    /// Seconds of learning classes.
    pub classify_seconds: f64,
}

/// Begins the names of scores of a weighted graph that do not count its weights.
const UNWEIGHTED: &str = "unweighted_";

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With scores.
    Measured(Measured),
    /// With a sentence: a training whose points ran away, for instance. It would fail again.
    Failed(String),
}

impl Measured {
    /// A score as the paper defines it: of the edges, each counting one, even where the training knew weights.
    #[must_use]
    pub fn unweighted(&self, metric: &str) -> Option<f64> {
        let found = self.metrics.get(&format!("{UNWEIGHTED}{metric}"));
        found.or_else(|| self.metrics.get(metric)).copied()
    }
}

impl Outcome {
    /// The scores, if there are any.
    #[must_use]
    pub fn measured(&self) -> Option<&Measured> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::Failed(_) => None,
        }
    }
}

/// A job and how it ended: a line of a [`Store`](super::Store).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What was asked.
    pub job: Job,
    /// What came out.
    pub outcome: Outcome,
}

/// Whether less of this score is better.
#[must_use]
pub fn smaller_is_better(metric: &str) -> bool {
    metric.ends_with("conductance")
}

impl Job {
    /// Whether every setting is in its range and the graph can carry them, before anything is trained.
    ///
    /// # Errors
    /// As [`Trainer::new`] and [`cross_validate`] have them.
    pub fn check(&self, loaded: &LoadedGraph) -> Result<()> {
        self.config.validate()?;
        let refuse = |parameter, expected: String, found: String| {
            Err(crate::Error::Config { parameter, expected, found })
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
        let labelled = loaded.labels.as_ref().map_or(0, crate::Labels::labelled_count);
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

    /// Trains and scores; none if `watch` broke off.
    ///
    /// # Errors
    /// If settings and graph do not go together, or points stop being finite.
    pub fn measure(&self, loaded: &LoadedGraph, watch: &mut Watch<'_>) -> Result<Option<Measured>> {
        let clock = Instant::now();
        let mut trainer = Trainer::new(&loaded.graph, self.config.clone())?;
        if trainer.train(watch)? == TrainOutcome::Stopped {
            return Ok(None);
        }
        let run = trainer.into_run(loaded.names.clone());
        let train_seconds = clock.elapsed().as_secs_f64();
        let mut measured = Measured { train_seconds, ..measure_communities(&run, loaded)? };
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
                    measured.metrics.insert(format!("{}.{name}", method.name()), summary.mean);
                }
            }
            measured.classify_seconds = clock.elapsed().as_secs_f64();
        }
        Ok(Some(measured))
    }
}

impl Classify {
    fn config(&self, method: Method, geometry: Geometry) -> ClassifierConfig {
        let (neighbors, regularization) = (self.neighbors, self.regularization);
        ClassifierConfig { method, geometry, neighbors, regularization }
    }
}

/// The scores of a run's communities.
fn measure_communities(run: &Run, loaded: &LoadedGraph) -> Result<Measured> {
    let graph = &loaded.graph;
    let truth =
        loaded.labels.as_ref().map(|labels| TruthBuf::from_lists(graph.nodes().map(|node| labels.of(node))));
    let truth = truth.as_ref().map(TruthBuf::view);
    let (communities, count) = (run.responsibilities()?.communities(), run.mixture.len());
    let scores = score(graph, &communities, count, truth);
    let named = [
        ("conductance", Some(scores.conductance)),
        ("modularity", Some(scores.modularity)),
        ("nmi", scores.nmi),
        ("ari", scores.ari),
        ("precision_at_1", scores.precision_at_1),
        ("precision_at_1_by_size", scores.precision_at_1_by_size),
    ];
    let mut metrics: BTreeMap<String, f64> =
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    if scores.weighted {
        let graph = graph.clone().unweighted();
        let conductance = mean_conductance(&graph, &communities, count);
        metrics.insert(format!("{UNWEIGHTED}conductance"), conductance);
        metrics.insert(format!("{UNWEIGHTED}modularity"), modularity(&graph, &communities));
    }
    let mut sizes = cluster_sizes(&communities, count);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let warnings = [warnings(&sizes, truth), graph_warnings(graph, &communities, count)].concat();
    let fingerprint = fingerprint(loaded);
    Ok(Measured { fingerprint, metrics, sizes, warnings, train_seconds: 0.0, classify_seconds: 0.0 })
}

/// A checksum of edges, weights and labels: it tells that a file has changed under its name.
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
    use crate::datasets;

    fn karate() -> (Job, LoadedGraph) {
        let config = TrainConfig {
            communities: Some(2),
            walks: 1,
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
    fn a_job_gives_every_score_by_its_name() {
        let (job, loaded) = karate();
        job.check(&loaded).unwrap();
        let measured =
            job.measure(&loaded, &mut |_| ControlFlow::Continue(())).unwrap().expect("not stopped");
        for name in ["conductance", "nmi", "precision_at_1", "gaussian.precision_at_1", "gaussian.macro_f1"] {
            assert!(measured.metrics.contains_key(name), "{name}");
        }
        assert!(!measured.metrics.contains_key("gaussian.precision_at_3"));
        assert_eq!(measured.sizes.iter().sum::<usize>(), 34);
    }

    #[test]
    fn a_weighted_graph_is_also_scored_without_weights() {
        let (job, mut loaded) = karate();
        let graph = &loaded.graph;
        let pairs: Vec<_> =
            graph.nodes().flat_map(|u| graph.neighbors(u).iter().map(move |&v| (u, v))).collect();
        let weights = Some(pairs.iter().map(|&(u, v)| 1.0 + (u * v % 7) as f32).collect());
        loaded.graph = crate::graph::EdgeList { node_count: 34, pairs, weights }.build().0;
        let job = Job { classify: None, ..job };
        let measured =
            job.measure(&loaded, &mut |_| ControlFlow::Continue(())).unwrap().expect("not stopped");
        for name in ["conductance", "modularity"] {
            assert_eq!(measured.unweighted(name), Some(measured.metrics[&format!("unweighted_{name}")]));
            assert_ne!(measured.unweighted(name), Some(measured.metrics[name]));
        }
        assert_eq!(measured.unweighted("nmi"), Some(measured.metrics["nmi"]));
    }

    #[test]
    fn a_job_that_is_stopped_gives_nothing() {
        let (job, loaded) = karate();
        assert_eq!(job.measure(&loaded, &mut |_| ControlFlow::Break(())).unwrap(), None);
    }

    #[test]
    fn what_cannot_be_trained_is_known_before() {
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
    fn jobs_survive_json_and_a_changed_graph_is_noticed() {
        let (job, loaded) = karate();
        let json = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&json).unwrap(), job);
        let mut other = loaded.clone();
        assert_eq!(fingerprint(&other), fingerprint(&loaded));
        other.labels = None;
        assert_ne!(fingerprint(&other), fingerprint(&loaded));
    }
}
