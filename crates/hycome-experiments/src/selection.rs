//! Selection of hyperparameters by conductance, as in the paper.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::protocol::SEARCH_SEED;
use crate::tables::{EMBEDDING_METHODS, EmbeddingMethod, PaperTable};
use crate::{DatasetSummary, Job, ReproductionPlan, ScoreOf};

/// The hyperparameters selected for an embedding method on a dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Selection {
    /// Dataset.
    pub data: &'static str,
    /// Name of the embedding method.
    pub method: &'static str,
    /// Embedding dimension.
    pub dim: usize,
    /// Number of candidates.
    pub candidates: usize,
    /// Number of candidates whose training failed.
    pub failed: usize,
    /// Conductance of the selected candidate in the search, a fraction.
    pub conductance: f64,
    /// The selected hyperparameters.
    pub settings: Map<String, Value>,
}

/// A place of the tables that needs a selection.
struct Place<'a> {
    method: &'static EmbeddingMethod,
    data: &'a DatasetSummary,
    dim: usize,
}

impl ReproductionPlan {
    /// The jobs among which [`select`](Self::select) chooses; none if the protocol has no search.
    #[must_use]
    pub fn search_jobs(&self, tables: &[&PaperTable], datasets: &[DatasetSummary]) -> Vec<Job> {
        let places = self.searched(tables, datasets);
        places.iter().flat_map(|place| self.candidate_jobs(place)).map(|(_, job)| job).collect()
    }

    /// Selects the candidate with the lowest conductance in every place of the tables, the first of equal ones.
    ///
    /// The number of communities is that of the classes for all candidates: conductance could not select it.
    pub fn select(&mut self, tables: &[&PaperTable], datasets: &[DatasetSummary], score_of: ScoreOf<'_>) {
        let of_place = |place: &Place<'_>| {
            let jobs = self.candidate_jobs(place);
            let scored =
                jobs.iter().filter_map(|(settings, job)| Some((settings, score_of(job, "conductance")?)));
            let failed = jobs.len() - scored.clone().count();
            let (settings, conductance) = scored.min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some(Selection {
                data: place.data.name,
                method: place.method.name,
                dim: place.dim,
                candidates: jobs.len(),
                failed,
                conductance,
                settings: settings.clone(),
            })
        };
        self.selections = self.searched(tables, datasets).iter().filter_map(of_place).collect();
    }

    /// Places of the tables, if the protocol has a search.
    fn searched<'a>(&self, tables: &[&PaperTable], datasets: &'a [DatasetSummary]) -> Vec<Place<'a>> {
        let mut places = Vec::new();
        for data in datasets.iter().filter(|_| self.has_search()) {
            for method in EMBEDDING_METHODS {
                let dims = self.dims_of(tables, data.name, method);
                places.extend(dims.into_iter().map(|dim| Place { method, data, dim }));
            }
        }
        places
    }

    /// Candidates with their jobs.
    fn candidate_jobs(&self, place: &Place<'_>) -> Vec<(Map<String, Value>, Job)> {
        let Place { method, data, dim } = *place;
        let candidates = self.candidates(method, data.name);
        let job = |settings: Map<String, Value>| {
            let config = self.config_with(method, data.name, dim, &settings).ok()?;
            let job = self.job_of(config, data, SEARCH_SEED, None);
            Some((settings, job))
        };
        candidates.into_iter().filter_map(job).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{HYPERBOLIC, TABLES};
    use crate::{Protocol, SeedStats};
    use hycome::datasets;

    fn karate() -> [DatasetSummary; 1] {
        let labels =
            datasets::builtin("karate").expect("it is built in").load().labels.expect("it has classes");
        [DatasetSummary::new("karate", &labels, 1).unwrap()]
    }

    fn plan() -> ReproductionPlan {
        ReproductionPlan {
            seeds: vec![1, 2],
            dims: vec![2],
            runs: 1,
            protocol: Protocol::Paper,
            ..Default::default()
        }
    }

    fn table4() -> [&'static PaperTable; 1] {
        [TABLES.iter().find(|table| table.number == 4).expect("it is a table")]
    }

    #[test]
    fn candidates_are_those_of_the_paper_and_have_a_seed_of_their_own() {
        let jobs = plan().search_jobs(&table4(), &karate());
        assert_eq!(jobs.len(), 48);
        for job in &jobs {
            let config = &job.config;
            assert_eq!((config.seed, config.communities, config.restarts), (SEARCH_SEED, Some(2), Some(1)));
            assert_eq!((config.curvature, config.pretrain_dim), (Some(1.0), Some(0)));
            assert_eq!((config.scale_shrinkage, config.warmup_epochs), (Some(0.0), 10));
            assert!(job.classify.is_none());
            config.validate().unwrap();
        }
        assert_eq!(
            ReproductionPlan { protocol: Protocol::Default, ..plan() }.search_jobs(&table4(), &karate()),
            []
        );
    }

    #[test]
    fn the_lowest_conductance_is_selected_and_used() {
        let mut plan = plan();
        assert_eq!(plan.jobs(&table4(), &karate(), &|_| false), [], "nothing is selected yet");
        let is_best = |job: &Job| job.config.alpha == Some(0.1) && job.config.learning_rate == Some(1e-3);
        let score = |job: &Job, metric: &str| match metric {
            "conductance" if job.config.beta == 0.1 => None, // failed
            "conductance" => Some(if is_best(job) { 0.1 } else { 0.2 }),
            "svm.precision_at_1" => Some(0.5),
            _ => None,
        };
        plan.select(&table4(), &karate(), &score);
        let [selection] = &plan.selections[..] else { panic!("{:?}", plan.selections) };
        assert_eq!((selection.candidates, selection.failed, selection.conductance), (48, 24, 0.1));
        let jobs = plan.jobs(&table4(), &karate(), &|_| false);
        assert_eq!(jobs.iter().map(|job| job.config.seed).collect::<Vec<_>>(), [1, 2]);
        assert!(jobs.iter().all(is_best));
        let classify = jobs[0].classify.as_ref().expect("table 4 needs classifiers");
        assert_eq!(classify.multi_class, hycome::classify::MultiClass::OneVsRest);
        let cells = plan.cells(table4()[0], &karate(), &score);
        assert_eq!(cells[0].measured, Some(SeedStats(vec![0.5, 0.5])));
    }

    #[test]
    fn settings_given_for_a_graph_are_not_searched() {
        let given = serde_json::json!({ "karate": { "learning_rate": 0.05, "curvature": 2.0 } });
        let Value::Object(settings_of) = given else { panic!("an object") };
        let plan = ReproductionPlan { settings_of, ..plan() };
        let jobs = plan.search_jobs(&table4(), &karate());
        assert_eq!(jobs.len(), 16);
        assert!(
            jobs.iter()
                .all(|job| (job.config.learning_rate, job.config.curvature) == (Some(0.05), Some(2.0)))
        );
        assert_eq!(plan.config(&HYPERBOLIC, "books", 2).unwrap().curvature, Some(1.0));
    }
}
