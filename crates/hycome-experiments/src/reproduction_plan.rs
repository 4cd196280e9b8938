//! Plan of a reproduction: the jobs that the paper's tables need.

use hycome::TrainConfig;
use hycome::classify::Method;
use serde_json::{Map, Value};

use crate::paper::reported;
use crate::tables::{ColumnKind, EMBEDDING_METHODS, EmbeddingMethod, PaperTable, SMALL, source};
use crate::{Classify, DatasetSummary, Job, Protocol, Selection};

/// Seeds, dimensions and hyperparameters of a reproduction of the paper, or of a part of it.
#[derive(Clone, Debug, Default)]
pub struct ReproductionPlan {
    /// Protocol.
    pub protocol: Protocol,
    /// Whether this is a quick check, whose searches have two candidates.
    pub quick: bool,
    /// Seeds of the training runs.
    pub seeds: Vec<u64>,
    /// Embedding dimensions.
    pub dims: Vec<usize>,
    /// Repetitions of the cross-validation.
    pub runs: usize,
    /// Hyperparameters of all training runs that override those of the protocol.
    pub settings: Map<String, Value>,
    /// Hyperparameters per dataset, which override `settings`.
    pub settings_of: Map<String, Value>,
    /// Hyperparameters selected by [`select`](Self::select); none if the protocol has no search.
    pub selections: Vec<Selection>,
}

impl ReproductionPlan {
    /// Hyperparameters of an embedding method on a dataset, apart from the seed and, before the selection, those searched.
    ///
    /// # Errors
    /// If a hyperparameter does not exist or has the wrong type.
    pub fn config(
        &self,
        method: &EmbeddingMethod,
        data: &str,
        dim: usize,
    ) -> std::result::Result<TrainConfig, String> {
        let selected = self.selection(method, data, dim).map(|selection| selection.settings.clone());
        self.config_with(method, data, dim, &selected.unwrap_or_default())
    }

    /// [`config`](Self::config) with the hyperparameters of a candidate.
    pub(crate) fn config_with(
        &self,
        method: &EmbeddingMethod,
        data: &str,
        dim: usize,
        candidate: &Map<String, Value>,
    ) -> std::result::Result<TrainConfig, String> {
        let mut settings = self.protocol.fixed(method);
        settings.extend(candidate.clone());
        settings.extend(self.given(data));
        let own: Map<String, Value> = serde_json::from_str(method.settings).expect("the settings are JSON");
        if own.contains_key("geometry") {
            settings.remove("curvature"); // a Euclidean geometry refuses one
        }
        settings.extend(own);
        settings.insert("dim".into(), dim.into());
        TrainConfig::default().with_settings(&settings).map_err(|error| error.to_string())
    }

    /// Hyperparameters given for a dataset.
    fn given(&self, data: &str) -> Map<String, Value> {
        let mut settings = self.settings.clone();
        settings.extend(self.settings_of.get(data).and_then(Value::as_object).cloned().unwrap_or_default());
        settings
    }

    /// Whether hyperparameters are selected before the reported trainings.
    pub(crate) fn has_search(&self) -> bool {
        self.protocol == Protocol::Paper
    }

    /// Candidate hyperparameters of an embedding method on a dataset.
    pub(crate) fn candidates(&self, method: &EmbeddingMethod, data: &str) -> Vec<Map<String, Value>> {
        let given = self.given(data);
        self.protocol.candidates(method, data, self.quick, &|key| given.contains_key(key))
    }

    fn selection(&self, method: &EmbeddingMethod, data: &str, dim: usize) -> Option<&Selection> {
        let key = (method.name, data, dim);
        self.selections.iter().find(|selection| (selection.method, selection.data, selection.dim) == key)
    }

    /// The job of one training run; `classify` adds the classifiers of the embedding method. None before the selection.
    pub(crate) fn job(
        &self,
        method: &EmbeddingMethod,
        data: &DatasetSummary,
        dim: usize,
        seed: u64,
        classify: bool,
    ) -> Option<Job> {
        if self.has_search() {
            self.selection(method, data.name, dim)?;
        }
        let config = self.config(method, data.name, dim).ok()?;
        // The support vector machine appears in the table of small graphs only.
        let is_needed = |method: &Method| *method != Method::Svm || SMALL.contains(&data.name);
        let methods = method.methods.iter().copied().filter(is_needed).collect();
        let (runs, multi_class) = (self.runs, self.protocol.multi_class());
        let classify = classify.then(|| Classify { methods, runs, multi_class, ..Classify::default() });
        Some(self.job_of(config, data, seed, classify))
    }

    /// A job on a dataset, with as many communities as there are classes.
    pub(crate) fn job_of(
        &self,
        config: TrainConfig,
        data: &DatasetSummary,
        seed: u64,
        classify: Option<Classify>,
    ) -> Job {
        let config = TrainConfig { seed, communities: Some(data.communities), ..config };
        Job { source: source(data.name), config, classify }
    }

    /// The distinct jobs that the tables need. Table 2 needs no classifiers; if it is the only table, jobs with
    /// classifiers are used only if `is_done`.
    #[must_use]
    pub fn jobs(
        &self,
        tables: &[&PaperTable],
        datasets: &[DatasetSummary],
        is_done: &dyn Fn(&Job) -> bool,
    ) -> Vec<Job> {
        let mut jobs: Vec<Job> = Vec::new();
        let classify = tables.iter().any(|table| table.number != 2);
        for data in datasets {
            for method in EMBEDDING_METHODS {
                for dim in self.dims_of(tables, data.name, method) {
                    for &seed in &self.seeds {
                        let full = self.job(method, data, dim, seed, true);
                        let full = full.filter(|full| classify || is_done(full));
                        jobs.extend(full.or_else(|| self.job(method, data, dim, seed, false)));
                    }
                }
            }
        }
        jobs
    }

    /// Dimensions in which the tables need an embedding method on a dataset.
    pub(crate) fn dims_of(&self, tables: &[&PaperTable], data: &str, method: &EmbeddingMethod) -> Vec<usize> {
        let mut dims: Vec<usize> = Vec::new();
        for table in tables.iter().filter(|table| table.data.contains(&data)) {
            for column in table.columns {
                match column.kind {
                    ColumnKind::Communities(own) | ColumnKind::Classes(own, _, None)
                        if own.name == method.name =>
                    {
                        dims.extend(table.dims);
                    }
                    // Reported cells only: table 5 has ten dimensions for large graphs alone.
                    ColumnKind::Classes(own, _, Some(dim))
                        if own.name == method.name
                            && !reported(table.number, data, dim, column.key).is_empty() =>
                    {
                        dims.push(dim);
                    }
                    _ => {}
                }
            }
        }
        dims.retain(|dim| self.dims.contains(dim));
        dims.sort_unstable();
        dims.dedup();
        dims
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::Verdict;
    use crate::tables::{HYPERBOLIC, TABLES};
    use crate::{Cell, SeedStats, best};
    use hycome::datasets;
    use hycome::geometry::Geometry;

    fn plan() -> ReproductionPlan {
        ReproductionPlan { seeds: vec![1, 2], dims: vec![2, 10], runs: 1, ..ReproductionPlan::default() }
    }

    fn summary(name: &'static str) -> DatasetSummary {
        let labels = datasets::builtin(name).expect("it is built in").load().labels.expect("it has classes");
        DatasetSummary::new(name, &labels, 1).unwrap()
    }

    fn table(number: u8) -> &'static PaperTable {
        TABLES.iter().find(|table| table.number == number).expect("it is a table")
    }

    #[test]
    fn every_reported_figure_has_a_cell() {
        let plan = ReproductionPlan { dims: vec![2, 5, 10], ..plan() };
        let cells: Vec<Cell> = TABLES.iter().flat_map(|table| plan.cells(table, &[], &|_, _| None)).collect();
        assert_eq!(cells.iter().filter(|cell| cell.paper.is_some()).count(), 72 + 12 + 108 + 16 + 16 + 36);
        assert!(cells.iter().all(|cell| cell.measured.is_none() && cell.verdict.is_none()));
    }

    #[test]
    fn tables_share_their_trainings() {
        let karate = [summary("karate")];
        let all: Vec<&PaperTable> = TABLES.iter().collect();
        let jobs = plan().jobs(&all, &karate, &|_| false);
        assert_eq!(jobs.len(), 2); // two seeds in two dimensions: table 5 has no ten for karate
        assert_eq!(jobs[0].classify.as_ref().map(|classify| classify.methods.len()), Some(5));
        assert_eq!(plan().jobs(&[table(2)], &karate, &|_| false), []);
    }

    #[test]
    fn table_2_alone_needs_no_classifiers_but_reuses_results() {
        let labels = datasets::builtin("football").expect("it is built in").load().labels.expect("classes");
        let dblp = [DatasetSummary { name: "dblp", ..DatasetSummary::new("dblp", &labels, 1).unwrap() }];
        let jobs = plan().jobs(&[table(2)], &dblp, &|_| false);
        // Two seeds in two dimensions, of the ball and of ComE.
        assert_eq!((jobs.len(), jobs.iter().all(|job| job.classify.is_none())), (8, true));
        let jobs = plan().jobs(&[table(2)], &dblp, &|job| job.classify.is_some());
        assert!(jobs.iter().all(|job| job.classify.is_some()));
    }

    #[test]
    fn cells_have_the_scores_of_their_trainings() {
        let karate = [summary("karate")];
        let score = |job: &Job, metric: &str| match metric {
            "svm.precision_at_1" => Some(0.9 + 0.02 * job.config.seed as f64),
            _ => None,
        };
        let cells = plan().cells(table(4), &karate, &score);
        let svm = cells.iter().find(|cell| cell.column == "H-SVM" && cell.data == "karate").expect("a cell");
        assert_eq!(svm.measured, Some(SeedStats(vec![0.9 + 0.02, 0.9 + 0.02 * 2.0])));
        assert_eq!(svm.verdict, Some(Verdict::Ahead));
        let row: Vec<&Cell> = cells.iter().filter(|cell| cell.data == "karate").collect();
        let (paper, cell, verdict) = best(&row).expect("something was measured");
        assert_eq!((paper.to_string().as_str(), cell.column, verdict), ("92 ± 11", "H-SVM", Verdict::Level));
    }

    #[test]
    fn methods_that_the_paper_lacks_get_no_verdict_and_are_not_the_best() {
        let karate = [summary("karate")];
        let score = |_: &Job, metric: &str| match metric {
            "knn.precision_at_1" => Some(1.0),
            "svm.precision_at_1" => Some(0.9),
            _ => None,
        };
        let cells = plan().cells(table(4), &karate, &score);
        let row: Vec<&Cell> = cells.iter().filter(|cell| cell.data == "karate").collect();
        let knn = row.iter().find(|cell| cell.column == "H-kNN").expect("it was measured");
        assert_eq!((knn.paper, knn.verdict), (None, None));
        let (_, cell, _) = best(&row).expect("something was measured");
        assert_eq!(cell.column, "H-SVM");
    }

    #[test]
    fn our_come_is_not_our_best() {
        let labels = datasets::builtin("football").expect("it is built in").load().labels.expect("classes");
        let dblp = [DatasetSummary { name: "dblp", ..DatasetSummary::new("dblp", &labels, 1).unwrap() }];
        let score = |job: &Job, _: &str| Some(if job.config.geometry == Geometry::Come { 0.99 } else { 0.7 });
        let cells = plan().cells(table(3), &dblp, &score);
        let row: Vec<&Cell> =
            cells.iter().filter(|cell| cell.dim == Some(2) && cell.data == "dblp").collect();
        let (paper, cell, verdict) = best(&row).expect("something was measured");
        assert_eq!((paper.to_string().as_str(), verdict), ("87.4 ± 1.5", Verdict::Behind));
        assert_eq!(cell.embedding, Some("hyperbolic"));
    }

    #[test]
    fn the_majority_class_needs_no_training() {
        let data = [summary("books")];
        let cells = plan().cells(table(5), &data, &|_, _| None);
        let all = cells.iter().find(|cell| cell.column == "MCC, all nodes" && cell.data == "books");
        let measured = all.and_then(|cell| cell.measured.clone()).expect("it was counted");
        assert_eq!(measured.mean(), 49.0 / 105.0);
        assert!(cells.iter().all(|cell| cell.verdict.is_none()));
    }

    #[test]
    fn come_is_trained_by_its_own_geometry_and_scored_by_its_own_method() {
        let labels = datasets::builtin("football").expect("it is built in").load().labels.expect("classes");
        let dblp = [DatasetSummary { name: "dblp", ..DatasetSummary::new("dblp", &labels, 1).unwrap() }];
        let curved = serde_json::json!({ "curvature": 2.0 }).as_object().cloned().expect("an object");
        let plan = ReproductionPlan { settings: curved, ..plan() };
        let jobs = plan.jobs(&[table(3)], &dblp, &|_| false);
        let (come, ours): (Vec<&Job>, Vec<&Job>) =
            jobs.iter().partition(|job| job.config.geometry == Geometry::Come);
        assert_eq!((come.len(), ours.len()), (4, 4));
        let methods = |job: &Job| job.classify.as_ref().map(|classify| classify.methods.clone());
        assert_eq!(methods(come[0]), Some(vec![Method::EuclideanLogistic]));
        assert_eq!((come[0].config.curvature, ours[0].config.curvature), (None, Some(2.0)));
        come[0].config.validate().unwrap();
        let score = |job: &Job, metric: &str| match (job.config.geometry, metric) {
            (Geometry::Come, "euclidean-logistic.precision_at_1") => Some(0.753),
            _ => None,
        };
        let cells = plan.cells(table(3), &dblp, &score);
        let cell = cells.iter().find(|cell| (cell.data, cell.dim, cell.column) == ("dblp", Some(2), "ComE"));
        assert_eq!(cell.and_then(|cell| cell.verdict), Some(Verdict::Level), "the paper has 75.3");
    }

    #[test]
    fn settings_of_a_graph_win_over_those_of_all() {
        let settings = serde_json::json!({ "alpha": 0.5, "walks": 3 });
        let settings_of = serde_json::json!({ "karate": { "alpha": 0.1 } });
        let as_map = |value: Value| value.as_object().cloned().expect("an object");
        let plan =
            ReproductionPlan { settings: as_map(settings), settings_of: as_map(settings_of), ..plan() };
        let config = plan.config(&HYPERBOLIC, "karate", 10).unwrap();
        assert_eq!((config.alpha, config.walks, config.dim), (Some(0.1), Some(3), Some(10)));
        assert_eq!(plan.config(&HYPERBOLIC, "books", 2).unwrap().alpha, Some(0.5));
    }
}
