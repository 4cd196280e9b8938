//! Report of a reproduction: reported figures beside measured ones, as Markdown and as JSON.

use std::fmt::Write;

use hycome::{TrainConfig, machine};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::markdown::MarkdownTable;
use crate::paper::Verdict;
use crate::tables::{HYPERBOLIC, PaperTable};
use crate::{Cell, DatasetSummary, Job, ReproductionPlan, ResultLog, best};

/// Report of a reproduction: cells of the tables, with everything needed to repeat it.
#[derive(Debug, Serialize)]
pub struct ReproductionReport {
    version: &'static str,
    command: String,
    quick: bool,
    machine: Machine,
    /// Seeds of the training runs.
    pub seeds: Vec<u64>,
    dims: Vec<usize>,
    folds: usize,
    runs: usize,
    /// Hyperparameters of all training runs.
    settings: TrainConfig,
    /// Hyperparameters per dataset that differ.
    settings_of: Map<String, Value>,
    rule: &'static str,
    present: Vec<&'static str>,
    missing: Vec<&'static str>,
    verdicts: Verdicts,
    /// Numbers and captions of the tables.
    #[serde(skip)]
    pub tables: Vec<(u8, &'static str)>,
    /// Cells of all tables.
    pub cells: Vec<Cell>,
}

/// Machine that ran the jobs.
#[derive(Debug, Serialize)]
struct Machine {
    cores: usize,
    processor: String,
    instruction_set: String,
}

/// Number of cells per verdict.
#[derive(Debug, Default, Serialize)]
struct Verdicts {
    ahead: usize,
    level: usize,
    behind: usize,
    /// Reported, but not measured.
    open: usize,
}

/// Rule of the comparison, in words.
pub const RULE: &str = "level is within one standard deviation over our seeds, or equal after rounding to the published digits; \
                    otherwise ahead or behind; conductance counts edges without weights, as the paper does";

/// Columns of a line of the page.
const PAGE_WIDTH: usize = 120;

const SOURCE: &str = "T. Gerald, H. Zaatiti, H. Hajri, N. Baskiotis and O. Schwander, *From Node Embedding To Community \
                      Embedding: A Hyperbolic Approach*, [arXiv:1907.01662](https://arxiv.org/abs/1907.01662)";

impl ReproductionReport {
    /// Collects the cells of the tables from the log; `command` is the command line that repeats the report.
    pub fn new(
        plan: &ReproductionPlan,
        tables: &[&PaperTable],
        present: &[DatasetSummary],
        missing: Vec<&'static str>,
        log: &ResultLog,
        command: String,
        quick: bool,
    ) -> Self {
        let metric =
            |job: &Job, name: &str| -> Option<f64> { log.find(job)?.outcome.metrics()?.unweighted(name) };
        let is_selected =
            |cell: &Cell| present.iter().any(|data| data.name == cell.data) || missing.contains(&cell.data);
        let cells: Vec<Cell> = tables.iter().flat_map(|table| plan.cells(table, present, &metric)).collect();
        let cells: Vec<Cell> = cells.into_iter().filter(is_selected).collect();
        let mut verdicts = Verdicts::default();
        for cell in cells.iter().filter(|cell| !cell.is_baseline && cell.paper.is_some()) {
            match cell.verdict {
                Some(Verdict::Ahead) => verdicts.ahead += 1,
                Some(Verdict::Level) => verdicts.level += 1,
                Some(Verdict::Behind) => verdicts.behind += 1,
                None => verdicts.open += 1,
            }
        }
        Self {
            version: env!("CARGO_PKG_VERSION"),
            command,
            quick,
            machine: Machine {
                cores: machine::cores(),
                processor: machine::processor(),
                instruction_set: machine::instruction_set(),
            },
            seeds: plan.seeds.clone(),
            dims: plan.dims.clone(),
            folds: hycome::classify::CrossValidation::default().folds,
            runs: plan.runs,
            settings: plan.config(&HYPERBOLIC, "", 2).unwrap_or_default(),
            settings_of: plan.settings_of.clone(),
            rule: RULE,
            present: present.iter().map(|data| data.name).collect(),
            missing,
            verdicts,
            tables: tables.iter().map(|table| (table.number, table.title)).collect(),
            cells,
        }
    }

    /// Differences of a quick run from the experiments of the paper.
    #[must_use]
    pub fn shortcuts(&self) -> Option<String> {
        let dims: Vec<String> = self.dims.iter().map(ToString::to_string).collect();
        self.quick.then(|| {
            format!(
                "Quick check, not comparable to the paper: {}, {} walks per node instead of 10, D = {} only, {} of \
                 cross-validation instead of 5, without flickr.",
                plural(self.seeds.len(), "seed", "seeds"),
                self.settings.walks,
                dims.join(" and "),
                plural(self.runs, "run", "runs"),
            )
        })
    }

    /// Number of cells per verdict, in words.
    #[must_use]
    pub fn verdict_summary(&self) -> String {
        let Verdicts { ahead, level, behind, open } = self.verdicts;
        format!("{ahead} ahead, {level} level, {behind} behind, {open} not measured")
    }

    /// Rows of a table: cells of one dataset, dimension and score.
    #[must_use]
    pub fn rows(&self, number: u8) -> Vec<Vec<&Cell>> {
        let mut rows: Vec<Vec<&Cell>> = Vec::new();
        for cell in self.cells.iter().filter(|cell| cell.table == number) {
            let key = |cell: &Cell| (cell.data, cell.dim, cell.score);
            match rows.iter_mut().find(|row| key(row[0]) == key(cell)) {
                Some(row) => row.push(cell),
                None => rows.push(vec![cell]),
            }
        }
        rows
    }

    /// Number of reported figures, the baseline excluded.
    #[must_use]
    pub fn compared(&self) -> usize {
        let Verdicts { ahead, level, behind, open } = self.verdicts;
        ahead + level + behind + open
    }

    /// The report as a Markdown page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let Machine { cores, processor, instruction_set } = &self.machine;
        let settings = serde_json::to_string(&self.settings).unwrap_or_default();
        let seeds: Vec<String> = self.seeds.iter().map(ToString::to_string).collect();
        let mut text = format!(
            "# The paper's tables, measured\n\nhycome {}, {cores} cores, {processor}, instructions {instruction_set}. Printed \
             by\n\n```sh\n{}\n```\n\n",
            self.version, self.command
        );
        text.push_str(&paragraph(&format!(
            "Published figures are from {SOURCE}. All are percentages, mean ± standard deviation; ours over seeds {}, \
             for classification of each seed's mean over {} folds and {}. ▲ is ahead of the published figure, = level, \
             ▼ behind: {RULE}. Total: {}. *Best* compares the best published figure of a row with our best method.",
            seeds.join(", "),
            self.folds,
            plural(self.runs, "run", "runs"),
            self.verdict_summary(),
        )));
        if let Some(words) = self.shortcuts() {
            text.push_str(&paragraph(&format!("**{words}**")));
        }
        let _ = write!(
            text,
            "Hyperparameters, except `dim`, `seed` and `communities`, which is the number of \
             classes:\n\n```json\n{settings}\n```\n\n"
        );
        if self.settings_of.is_empty() {
            text.push_str("All graphs share them.\n\n");
        } else {
            let _ = write!(
                text,
                "Some graphs have their own:\n\n```json\n{}\n```\n\n",
                Value::from(self.settings_of.clone())
            );
        }
        if self.present.contains(&"polblogs") {
            text.push_str("polblogs is restricted to its largest component.\n\n");
        }
        if !self.missing.is_empty() {
            let missing = self.missing.join(", ");
            text.push_str(&paragraph(&format!("Not measured, because the files are missing: {missing}.")));
        }
        for &(number, title) in &self.tables {
            let _ = write!(text, "## Table {number}: {title}\n\n{}", self.markdown_table(number));
        }
        text
    }

    fn markdown_table(&self, number: u8) -> String {
        let rows = self.rows(number);
        let mut columns: Vec<&str> = Vec::new();
        for cell in rows.iter().flatten() {
            if !columns.contains(&cell.column) {
                columns.push(cell.column);
            }
        }
        let with_dim = rows.iter().flatten().any(|cell| cell.dim.is_some());
        let mut header = vec!["data".to_owned()];
        header.extend(with_dim.then(|| "D".to_owned()));
        header.push("score".to_owned());
        let is_reported =
            |column: &&str| rows.iter().flatten().any(|cell| cell.column == *column && cell.paper.is_some());
        for column in &columns {
            header.extend(is_reported(column).then(|| format!("{column}, paper")));
            header.push(format!("{column}, hycome"));
        }
        header.extend(["best, paper".to_owned(), "best, hycome".to_owned()]);
        let mut table = MarkdownTable::new(&header);
        for row in &rows {
            let mut cells = vec![row[0].data.to_owned()];
            cells.extend(with_dim.then(|| row[0].dim.map_or(String::new(), |dim| dim.to_string())));
            cells.push(row[0].score.to_owned());
            for column in &columns {
                let cell = row.iter().find(|cell| cell.column == *column);
                let paper =
                    cell.and_then(|cell| cell.paper).map_or("–".to_owned(), |paper| paper.to_string());
                cells.extend(is_reported(column).then_some(paper));
                cells.push(cell.map_or("–".to_owned(), |cell| measured_text(cell)));
            }
            match best(row) {
                Some((paper, cell, verdict)) => {
                    let percent = cell.measured.as_ref().map_or(String::new(), |sample| sample.percent());
                    cells.extend([
                        paper.to_string(),
                        format!("{percent} {} ({})", verdict.sign(), cell.column),
                    ]);
                }
                None => cells.extend(["–".to_owned(), "–".to_owned()]),
            }
            let cells: Vec<&dyn std::fmt::Display> = cells.iter().map(|cell| cell as _).collect();
            table.row(&cells);
        }
        table.finish()
    }
}

/// `83.2 ± 2.7 ▲`.
fn measured_text(cell: &Cell) -> String {
    let Some(sample) = &cell.measured else { return "–".to_owned() };
    let sign = cell.verdict.map_or(String::new(), |verdict| format!(" {}", verdict.sign()));
    sample.percent() + &sign
}

/// A paragraph of a Markdown page, wrapped, and a blank line.
fn paragraph(text: &str) -> String {
    let options = textwrap::Options::new(PAGE_WIDTH)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options) + "\n\n"
}

/// `1 seed`, `5 seeds`.
fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
