//! What has to be trained for the paper's tables, and the cells that come of it.

use serde::Serialize;
use serde_json::{Map, Value};

use super::paper::{Printed, Verdict, printed};
use super::tables::{CONTENDERS, Column, Contender, PaperTable, SMALL, Shows, scores, source};
use super::{Classify, Job, Present, Sample, smaller_is_better};
use crate::TrainConfig;
use crate::classify::Method;

/// What is run: the paper's experiment, or part of it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seeds of the trainings.
    pub seeds: Vec<u64>,
    /// Dimensions that are trained.
    pub dims: Vec<usize>,
    /// How often nodes are dealt into folds.
    pub runs: usize,
    /// Settings that differ from the defaults: for every training, and for those of a graph.
    pub settings: Map<String, Value>,
    /// Settings for the trainings of a graph, by its name.
    pub settings_of: Map<String, Value>,
}

impl Plan {
    /// The settings of a training of `data`, the seed aside.
    ///
    /// # Errors
    /// The sentence in which a setting is refused.
    pub fn config(
        &self,
        contender: &Contender,
        data: &str,
        dim: usize,
    ) -> std::result::Result<TrainConfig, String> {
        let mut settings = self.settings.clone();
        settings.extend(self.settings_of.get(data).and_then(Value::as_object).cloned().unwrap_or_default());
        let own: Map<String, Value> = serde_json::from_str(contender.settings).expect("contenders are JSON");
        if own.contains_key("geometry") {
            settings.remove("curvature"); // flat space has none
        }
        settings.extend(own);
        settings.insert("dim".into(), dim.into());
        serde_json::from_value(Value::Object(settings)).map_err(|error| error.to_string())
    }

    fn job(&self, contender: &Contender, data: &Present, dim: usize, seed: u64, learns: bool) -> Option<Job> {
        let config = self.config(contender, data.name, dim).ok()?;
        let config = TrainConfig { seed, communities: Some(data.communities), ..config };
        // The support vector machine is in the table of small graphs alone.
        let is_asked = |method: &Method| *method != Method::Svm || SMALL.contains(&data.name);
        let methods = contender.methods.iter().copied().filter(is_asked).collect();
        let classify = learns.then(|| Classify { methods, runs: self.runs, ..Classify::default() });
        Some(Job { source: source(data.name), config, classify })
    }

    /// Every training that the tables ask for, each once; `has` says whether its result is known already. Where table 2
    /// is alone nothing is learnt from labels.
    #[must_use]
    pub fn jobs(&self, tables: &[&PaperTable], present: &[Present], has: &dyn Fn(&Job) -> bool) -> Vec<Job> {
        let mut jobs: Vec<Job> = Vec::new();
        let learns = tables.iter().any(|table| table.number != 2);
        for data in present {
            for contender in CONTENDERS {
                for dim in self.dims_of(tables, data.name, contender) {
                    for &seed in &self.seeds {
                        let full = self.job(contender, data, dim, seed, true);
                        let full = full.filter(|full| learns || has(full));
                        jobs.extend(full.or_else(|| self.job(contender, data, dim, seed, false)));
                    }
                }
            }
        }
        jobs
    }

    /// Dimensions in which a contender is trained for a graph.
    fn dims_of(&self, tables: &[&PaperTable], data: &str, contender: &Contender) -> Vec<usize> {
        let mut dims: Vec<usize> = Vec::new();
        for table in tables.iter().filter(|table| table.data.contains(&data)) {
            for column in table.columns {
                match column.shows {
                    Shows::Communities(own) if own.name == contender.name => dims.extend(table.dims),
                    Shows::Classes(own, _, None) if own.name == contender.name => dims.extend(table.dims),
                    // Only what the paper prints: table 5 has ten dimensions for large graphs alone.
                    Shows::Classes(own, _, Some(dim))
                        if own.name == contender.name
                            && !printed(table.number, data, dim, column.key).is_empty() =>
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

    /// The cells of a table, row by row; `metrics` gives the scores of a training.
    #[must_use]
    pub fn cells(
        &self,
        table: &PaperTable,
        present: &[Present],
        metric: &dyn Fn(&Job, &str) -> Option<f64>,
    ) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &name in table.data {
            let data = present.iter().find(|data| data.name == name);
            let rows: Vec<Option<usize>> = if table.dims.is_empty() {
                vec![None]
            } else {
                table.dims.iter().copied().map(Some).collect()
            };
            for row in rows.into_iter().filter(|dim| dim.is_none_or(|dim| self.dims.contains(&dim))) {
                for column in table.columns {
                    self.column_cells(table, name, data, row, column, metric, &mut cells);
                }
            }
        }
        cells
    }

    #[allow(clippy::too_many_arguments)] // the coordinates of a cell
    fn column_cells(
        &self,
        table: &PaperTable,
        name: &'static str,
        data: Option<&Present>,
        row: Option<usize>,
        column: &Column,
        metric: &dyn Fn(&Job, &str) -> Option<f64>,
        cells: &mut Vec<Cell>,
    ) {
        let dim = match column.shows {
            Shows::Classes(_, _, Some(dim)) => Some(dim),
            Shows::Majority | Shows::MajorityOfAll => None,
            _ => row,
        };
        let figures = printed(table.number, name, dim.unwrap_or(0), column.key);
        let multi_label = data
            .map_or_else(|| crate::datasets::dataset(name).is_some_and(|d| d.multi_label), |d| d.multi_label);
        for (place, (score, metric_name)) in scores(table.number, column, multi_label).into_iter().enumerate()
        {
            let sample = || -> Option<Sample> {
                let data = data?;
                let (contender, learns) = match column.shows {
                    Shows::Majority => return Some(Sample(vec![*data.majority[0].get(place)?])),
                    Shows::MajorityOfAll => return Some(Sample(vec![*data.majority[1].get(place)?])),
                    Shows::Communities(contender) => (contender, false),
                    Shows::Classes(contender, ..) => (contender, true),
                };
                let of_seed = |&seed: &u64| {
                    let full = self.job(contender, data, dim?, seed, true)?;
                    let plain = || self.job(contender, data, dim?, seed, false).filter(|_| !learns);
                    metric(&full, &metric_name).or_else(|| metric(&plain()?, &metric_name))
                };
                self.seeds.iter().map(of_seed).collect::<Option<Vec<f64>>>().map(Sample)
            };
            let measured = sample();
            let paper = figures.get(place).copied();
            if paper.is_none() && measured.is_none() {
                continue; // neither printed nor asked for
            }
            let is_baseline = matches!(column.shows, Shows::Majority | Shows::MajorityOfAll);
            let smaller = smaller_is_better(&metric_name);
            let verdict = match (&paper, &measured) {
                (Some(paper), Some(measured)) if !is_baseline => Some(paper.verdict(measured, smaller)),
                _ => None,
            };
            cells.push(Cell {
                table: table.number,
                data: name,
                dim: row,
                column: column.title,
                score,
                smaller_is_better: smaller,
                is_baseline,
                paper,
                measured,
                verdict,
            });
        }
    }
}

/// A figure of the paper and what was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// The table's number.
    pub table: u8,
    /// The graph.
    pub data: &'static str,
    /// The dimension, where rows have one.
    pub dim: Option<usize>,
    /// The column's heading.
    pub column: &'static str,
    /// The score.
    pub score: &'static str,
    /// Whether less of it is better.
    pub smaller_is_better: bool,
    /// Whether this is a floor to beat, and not judged.
    pub is_baseline: bool,
    /// The printed figure, in percent.
    pub paper: Option<Printed>,
    /// What was measured, as fractions.
    pub measured: Option<Sample>,
    /// How that compares.
    pub verdict: Option<Verdict>,
}

/// The best printed figure of a row, the best measured one, and how they compare.
#[must_use]
pub fn best<'a>(row: &[&'a Cell]) -> Option<(Printed, &'a Cell, Verdict)> {
    let smaller = row.first()?.smaller_is_better;
    let sign = if smaller { 1.0 } else { -1.0 };
    let judged = || row.iter().filter(|cell| !cell.is_baseline);
    let paper = judged()
        .filter_map(|cell| cell.paper)
        .min_by(|a, b| (sign * a.mean()).total_cmp(&(sign * b.mean())))?;
    let measured = judged().filter_map(|cell| Some((*cell, cell.measured.as_ref()?)));
    let (cell, sample) = measured.min_by(|a, b| (sign * a.1.mean()).total_cmp(&(sign * b.1.mean())))?;
    Some((paper, cell, paper.verdict(sample, smaller)))
}

#[cfg(test)]
mod tests {
    use super::super::tables::{HYPERBOLIC, TABLES};
    use super::*;
    use crate::datasets;
    use crate::geometry::Geometry;

    fn plan() -> Plan {
        Plan { seeds: vec![1, 2], dims: vec![2, 10], runs: 1, settings: Map::new(), settings_of: Map::new() }
    }

    fn present(name: &'static str) -> Present {
        let labels = datasets::builtin(name).expect("it is built in").load().labels.expect("it has classes");
        Present::new(name, &labels, 1).unwrap()
    }

    fn table(number: u8) -> &'static PaperTable {
        TABLES.iter().find(|table| table.number == number).expect("it is a table")
    }

    #[test]
    fn every_printed_figure_has_a_cell() {
        let plan = Plan { dims: vec![2, 5, 10], ..plan() };
        let cells: Vec<Cell> = TABLES.iter().flat_map(|table| plan.cells(table, &[], &|_, _| None)).collect();
        assert_eq!(cells.iter().filter(|cell| cell.paper.is_some()).count(), 72 + 12 + 108 + 16 + 16 + 36);
        assert!(cells.iter().all(|cell| cell.measured.is_none() && cell.verdict.is_none()));
    }

    #[test]
    fn tables_share_their_trainings() {
        let karate = [present("karate")];
        let all: Vec<&PaperTable> = TABLES.iter().collect();
        let jobs = plan().jobs(&all, &karate, &|_| false);
        assert_eq!(jobs.len(), 2); // two seeds in two dimensions: table 5 has no ten for karate
        assert_eq!(jobs[0].classify.as_ref().map(|classify| classify.methods.len()), Some(5));
        assert_eq!(plan().jobs(&[table(2)], &karate, &|_| false), []);
    }

    #[test]
    fn table_2_alone_learns_nothing_but_takes_what_is_known() {
        let labels = datasets::builtin("football").expect("it is built in").load().labels.expect("classes");
        let dblp = [Present { name: "dblp", ..Present::new("dblp", &labels, 1).unwrap() }];
        let jobs = plan().jobs(&[table(2)], &dblp, &|_| false);
        // Two seeds in two dimensions, of the ball and of ComE.
        assert_eq!((jobs.len(), jobs.iter().all(|job| job.classify.is_none())), (8, true));
        let jobs = plan().jobs(&[table(2)], &dblp, &|job| job.classify.is_some());
        assert!(jobs.iter().all(|job| job.classify.is_some()));
    }

    #[test]
    fn cells_have_the_scores_of_their_trainings() {
        let karate = [present("karate")];
        let score = |job: &Job, metric: &str| match metric {
            "svm.precision_at_1" => Some(0.9 + 0.02 * job.config.seed as f64),
            _ => None,
        };
        let cells = plan().cells(table(4), &karate, &score);
        let svm = cells.iter().find(|cell| cell.column == "H-SVM" && cell.data == "karate").expect("a cell");
        assert_eq!(svm.measured, Some(Sample(vec![0.9 + 0.02, 0.9 + 0.02 * 2.0])));
        assert_eq!(svm.verdict, Some(Verdict::Ahead));
        let row: Vec<&Cell> = cells.iter().filter(|cell| cell.data == "karate").collect();
        let (paper, cell, verdict) = best(&row).expect("something was measured");
        assert_eq!((paper.to_string().as_str(), cell.column, verdict), ("92 ± 11", "H-SVM", Verdict::Level));
    }

    #[test]
    fn the_commonest_class_needs_no_training() {
        let data = [present("books")];
        let cells = plan().cells(table(5), &data, &|_, _| None);
        let all = cells.iter().find(|cell| cell.column == "MCC, all nodes" && cell.data == "books");
        let measured = all.and_then(|cell| cell.measured.clone()).expect("it was counted");
        assert_eq!(measured.mean(), 49.0 / 105.0);
        assert!(cells.iter().all(|cell| cell.verdict.is_none()));
    }

    #[test]
    fn come_is_trained_by_its_own_geometry_and_scored_by_its_own_method() {
        let labels = datasets::builtin("football").expect("it is built in").load().labels.expect("classes");
        let dblp = [Present { name: "dblp", ..Present::new("dblp", &labels, 1).unwrap() }];
        let curved = serde_json::json!({ "curvature": 2.0 }).as_object().cloned().expect("an object");
        let plan = Plan { settings: curved, ..plan() };
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
        let plan = Plan { settings: as_map(settings), settings_of: as_map(settings_of), ..plan() };
        let config = plan.config(&HYPERBOLIC, "karate", 10).unwrap();
        assert_eq!((config.alpha, config.walks, config.dim), (Some(0.1), 3, 10));
        assert_eq!(plan.config(&HYPERBOLIC, "books", 2).unwrap().alpha, Some(0.5));
    }
}
