//! Cells of the paper's tables: the reported figure, the measured one, and their comparison.

use serde::Serialize;

use crate::paper::{Reported, Verdict, reported};
use crate::tables::{ColumnKind, HYPERBOLIC, PaperColumn, PaperTable, scores};
use crate::{DatasetSummary, Job, ReproductionPlan, SeedStats, smaller_is_better};

/// A score in a cell of a table, as reported and as measured.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Table number.
    pub table: u8,
    /// Dataset.
    pub data: &'static str,
    /// Embedding dimension, if rows have one.
    pub dim: Option<usize>,
    /// Heading of the column.
    pub column: &'static str,
    /// Name of the embedding method; none for the majority-class baseline.
    pub embedding: Option<&'static str>,
    /// Name of the score.
    pub score: &'static str,
    /// Whether lower values are better.
    pub smaller_is_better: bool,
    /// Whether this is the majority-class baseline, which gets no verdict.
    pub is_baseline: bool,
    /// Reported figure, in percent.
    pub paper: Option<Reported>,
    /// Measured values, as fractions.
    pub measured: Option<SeedStats>,
    /// Comparison of the two.
    pub verdict: Option<Verdict>,
}

/// Looks up the score of a job by name; `None` if there is no result.
pub type ScoreOf<'a> = &'a dyn Fn(&Job, &str) -> Option<f64>;

impl ReproductionPlan {
    /// The cells of a table, row by row.
    #[must_use]
    pub fn cells(&self, table: &PaperTable, datasets: &[DatasetSummary], score_of: ScoreOf<'_>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &name in table.data {
            let data = datasets.iter().find(|data| data.name == name);
            let multi_label = data.map_or_else(
                || hycome::datasets::dataset(name).is_some_and(|dataset| dataset.multi_label),
                |data| data.multi_label,
            );
            let dims: Vec<Option<usize>> = if table.dims.is_empty() {
                vec![None]
            } else {
                table.dims.iter().copied().filter(|dim| self.dims.contains(dim)).map(Some).collect()
            };
            for dim in dims {
                for column in table.columns {
                    let place = Place { plan: self, table, name, data, multi_label, dim, column };
                    cells.extend(place.cells(score_of));
                }
            }
        }
        cells
    }
}

/// Position of cells in a table: one for each score of the column.
struct Place<'a> {
    plan: &'a ReproductionPlan,
    table: &'a PaperTable,
    name: &'static str,
    /// Label statistics, if the dataset is available.
    data: Option<&'a DatasetSummary>,
    multi_label: bool,
    /// Dimension of the row.
    dim: Option<usize>,
    column: &'a PaperColumn,
}

impl Place<'_> {
    fn cells(&self, score_of: ScoreOf<'_>) -> Vec<Cell> {
        let column = self.column;
        let figures = reported(self.table.number, self.name, self.dim().unwrap_or(0), column.key);
        let is_baseline = matches!(column.kind, ColumnKind::Majority | ColumnKind::MajorityAllNodes);
        let scores = scores(self.table.number, column, self.multi_label);
        let cell = |(index, (score, metric)): (usize, (&'static str, String))| {
            let smaller_is_better = smaller_is_better(&metric);
            let paper = figures.get(index).copied();
            let measured = self.measured(index, &metric, score_of);
            let verdict = match (&paper, &measured) {
                (Some(paper), Some(measured)) if !is_baseline => {
                    Some(paper.verdict(measured, smaller_is_better))
                }
                (None, None) => return None, // neither in the paper nor trained
                _ => None,
            };
            Some(Cell {
                table: self.table.number,
                data: self.name,
                dim: self.dim,
                column: column.title,
                embedding: self.embedding(),
                score,
                smaller_is_better,
                is_baseline,
                paper,
                measured,
                verdict,
            })
        };
        scores.into_iter().enumerate().filter_map(cell).collect()
    }

    fn embedding(&self) -> Option<&'static str> {
        match self.column.kind {
            ColumnKind::Communities(method) | ColumnKind::Classes(method, ..) => Some(method.name),
            ColumnKind::Majority | ColumnKind::MajorityAllNodes => None,
        }
    }

    /// Dimension of the embedding, which a column can fix.
    fn dim(&self) -> Option<usize> {
        match self.column.kind {
            ColumnKind::Classes(_, _, Some(dim)) => Some(dim),
            ColumnKind::Majority | ColumnKind::MajorityAllNodes => None,
            _ => self.dim,
        }
    }

    /// Values of a score over the seeds, if all jobs have it.
    fn measured(&self, index: usize, metric: &str, score_of: ScoreOf<'_>) -> Option<SeedStats> {
        let data = self.data?;
        let single = |values: &[f64]| Some(SeedStats(vec![*values.get(index)?]));
        let (method, needs_classifiers) = match self.column.kind {
            ColumnKind::Majority => return single(&data.majority_held_out),
            ColumnKind::MajorityAllNodes => return single(&data.majority_all_nodes),
            ColumnKind::Communities(method) => (method, false),
            ColumnKind::Classes(method, ..) => (method, true),
        };
        let dim = self.dim()?;
        let of_seed = |&seed: &u64| {
            let full = self.plan.job(method, data, dim, seed, true)?;
            let communities_only =
                || self.plan.job(method, data, dim, seed, false).filter(|_| !needs_classifiers);
            score_of(&full, metric).or_else(|| score_of(&communities_only()?, metric))
        };
        self.plan.seeds.iter().map(of_seed).collect::<Option<Vec<f64>>>().map(SeedStats)
    }
}

impl Cell {
    /// Whether this is a method of the paper in the Poincaré ball: neither ComE, the baseline of the paper, nor the
    /// majority class, nor a method that the paper lacks.
    #[must_use]
    pub fn is_paper_method(&self) -> bool {
        self.embedding == Some(HYPERBOLIC.name) && self.paper.is_some()
    }
}

/// The best reported figure of a row, the cell with the best measured one among the methods of the paper, and their
/// comparison.
#[must_use]
pub fn best<'a>(row: &[&'a Cell]) -> Option<(Reported, &'a Cell, Verdict)> {
    let smaller = row.first()?.smaller_is_better;
    let sign = if smaller { 1.0 } else { -1.0 };
    let compared = || row.iter().filter(|cell| !cell.is_baseline);
    let paper = compared()
        .filter_map(|cell| cell.paper)
        .min_by(|a, b| (sign * a.mean()).total_cmp(&(sign * b.mean())))?;
    let methods = compared().filter(|cell| cell.is_paper_method());
    let measured = methods.filter_map(|cell| Some((*cell, cell.measured.as_ref()?)));
    let (cell, stats) = measured.min_by(|a, b| (sign * a.1.mean()).total_cmp(&(sign * b.1.mean())))?;
    Some((paper, cell, paper.verdict(stats, smaller)))
}
