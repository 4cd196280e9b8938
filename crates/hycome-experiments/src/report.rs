//! Report of a reproduction: reported figures beside measured ones, as Markdown and as JSON.

use std::fmt::Write;

use hycome::{TrainConfig, machine};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::differences::differences;
use crate::markdown::MarkdownTable;
use crate::paper::Verdict;
use crate::tables::{COME, HYPERBOLIC, PaperTable};
use crate::{Cell, DatasetSummary, Job, Protocol, ReproductionPlan, ResultLog, Selection, best};

/// Report of a reproduction: cells of the tables, with everything needed to repeat it.
#[derive(Debug, Serialize)]
pub struct ReproductionReport {
    version: &'static str,
    command: String,
    protocol: Protocol,
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
    /// Hyperparameters selected by conductance.
    selections: Vec<Selection>,
    /// Differences from the experiments of the paper.
    differences: Vec<String>,
    rule: &'static str,
    present: Vec<&'static str>,
    missing: Vec<&'static str>,
    /// Verdicts of the methods of the paper in the Poincaré ball.
    verdicts: Verdicts,
    /// Verdicts of our ComE, compared with the paper's ComE.
    come_verdicts: Verdicts,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Verdicts {
    ahead: usize,
    level: usize,
    behind: usize,
    /// Reported, but not measured.
    open: usize,
}

/// Rule of the comparison, in words.
pub const RULE: &str = "level is within √(s² + t²), where s is the standard deviation over our seeds and t that which the paper \
                    prints, if it prints one, or equal after rounding to the published digits; otherwise ahead or behind";

/// Definitions of scores, in words.
const SCORES: &str = "Conductance counts edges without weights. NMI is by the formula of the paper, which is not bounded by 1 if \
                      nodes have several classes (`nmi_paper` elsewhere).";

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
    ) -> Self {
        let metric =
            |job: &Job, name: &str| -> Option<f64> { log.find(job)?.outcome.metrics()?.unweighted(name) };
        let is_selected =
            |cell: &Cell| present.iter().any(|data| data.name == cell.data) || missing.contains(&cell.data);
        let cells: Vec<Cell> = tables.iter().flat_map(|table| plan.cells(table, present, &metric)).collect();
        let cells: Vec<Cell> = cells.into_iter().filter(is_selected).collect();
        let settings = plan.config(&HYPERBOLIC, "", 2).unwrap_or_default();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            command,
            protocol: plan.protocol,
            quick: plan.quick,
            machine: Machine {
                cores: machine::cores(),
                processor: machine::processor(),
                instruction_set: machine::instruction_set(),
            },
            seeds: plan.seeds.clone(),
            dims: plan.dims.clone(),
            folds: hycome::classify::CrossValidation::default().folds,
            runs: plan.runs,
            differences: differences(plan, &settings),
            settings,
            settings_of: plan.settings_of.clone(),
            selections: plan.selections.clone(),
            rule: RULE,
            present: present.iter().map(|data| data.name).collect(),
            missing,
            verdicts: Verdicts::of(cells.iter().filter(|cell| cell.is_paper_method())),
            come_verdicts: Verdicts::of(
                cells.iter().filter(|cell| cell.embedding == Some(COME.name) && cell.paper.is_some()),
            ),
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
                self.settings.walks.unwrap_or(1),
                dims.join(" and "),
                plural(self.runs, "run", "runs"),
            )
        })
    }

    /// Number of cells per verdict, in words: of the methods of the paper, and of our ComE, if it appears.
    #[must_use]
    pub fn verdict_summary(&self) -> String {
        let come = match self.come_verdicts {
            none if none == Verdicts::default() => String::new(),
            come => format!("; our ComE against the paper's ComE: {}", come.text()),
        };
        format!("{}{come}", self.verdicts.text())
    }

    /// The differences from the experiments of the paper.
    #[must_use]
    pub fn differences(&self) -> &[String] {
        &self.differences
    }

    /// Heading of a column: methods that the paper lacks have an asterisk.
    #[must_use]
    pub fn heading(&self, table: u8, column: &str) -> String {
        let mut cells = self.cells.iter().filter(|cell| cell.table == table && cell.column == column);
        if cells.any(|cell| cell.paper.is_some()) { column.to_owned() } else { format!("{column}*") }
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

    /// The report as a Markdown page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let Machine { cores, processor, instruction_set } = &self.machine;
        let seeds: Vec<String> = self.seeds.iter().map(ToString::to_string).collect();
        let mut text = format!(
            "# The paper's tables, measured\n\nhycome {}, {cores} cores, {processor}, instructions {instruction_set}. Printed \
             by\n\n```sh\n{}\n```\n\n",
            self.version, self.command
        );
        text.push_str(&paragraph(&format!(
            "Published figures are from {SOURCE}. All are percentages, mean ± standard deviation; ours over seeds {}, \
             for classification of each seed's mean over {} folds and {}. ▲ is ahead of the published figure, = level, \
             ▼ behind: {RULE}. {SCORES}",
            seeds.join(", "),
            self.folds,
            plural(self.runs, "run", "runs"),
        )));
        text.push_str(&paragraph(&format!(
            "**Total: {}.** Methods with an asterisk are not in the paper and not counted. *Best* compares the best \
             published figure of a row, ComE included, with the best of our measurements of the paper's own methods.",
            self.verdict_summary(),
        )));
        if let Some(words) = self.shortcuts() {
            text.push_str(&paragraph(&format!("**{words}**")));
        }
        if self.present.contains(&"polblogs") {
            text.push_str("polblogs is restricted to its largest component.\n\n");
        }
        if !self.missing.is_empty() {
            let missing = self.missing.join(", ");
            text.push_str(&paragraph(&format!("Not measured, because the files are missing: {missing}.")));
        }
        let _ =
            write!(text, "## What differs from the paper\n\nThe protocol is `{}`.\n\n", self.protocol.name());
        self.differences.iter().for_each(|difference| {
            let _ = writeln!(text, "- {difference}");
        });
        text.push('\n');
        text.push_str(&self.markdown_settings());
        for &(number, title) in &self.tables {
            let _ = write!(text, "## Table {number}: {title}\n\n{}", self.markdown_table(number));
        }
        text
    }

    /// Section of the hyperparameters.
    fn markdown_settings(&self) -> String {
        let settings = serde_json::to_string(&self.settings).unwrap_or_default();
        let searched = if self.selections.is_empty() { "" } else { ", and for those selected below" };
        let mut text = format!(
            "## Hyperparameters\n\nHyperbolic method, except `dim`, `seed` and `communities`, which is the number of \
             classes{searched}:\n\n```json\n{settings}\n```\n\n"
        );
        if !self.settings_of.is_empty() {
            let settings_of = Value::from(self.settings_of.clone());
            let _ = write!(text, "Some graphs have their own:\n\n```json\n{settings_of}\n```\n\n");
        } else if self.selections.is_empty() {
            text.push_str("All graphs share them.\n\n");
        }
        if !self.selections.is_empty() {
            text.push_str("Selected by conductance, in percent, that of the search:\n\n");
            let mut table = MarkdownTable::new(&[
                "data",
                "D",
                "method",
                "conductance",
                "candidates",
                "failed",
                "selected",
            ]);
            for Selection { data, method, dim, candidates, failed, conductance, settings } in &self.selections
            {
                let percent = format!("{:.1}", 100.0 * conductance);
                let of_key = |(key, value): (&String, &Value)| format!("{key} = {value}");
                let selected = settings.iter().map(of_key).collect::<Vec<_>>().join(", ");
                table.row(&[data, dim, method, &percent, candidates, failed, &selected]);
            }
            text.push_str(&table.finish());
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
            header.push(format!("{}, hycome", self.heading(number, column)));
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

impl Verdicts {
    /// Counts the verdicts of reported cells.
    fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Self {
        let mut verdicts = Self::default();
        for cell in cells {
            match cell.verdict {
                Some(Verdict::Ahead) => verdicts.ahead += 1,
                Some(Verdict::Level) => verdicts.level += 1,
                Some(Verdict::Behind) => verdicts.behind += 1,
                None => verdicts.open += 1,
            }
        }
        verdicts
    }

    /// `3 ahead, 1 level, 0 behind, 2 not measured`.
    fn text(self) -> String {
        let Self { ahead, level, behind, open } = self;
        format!("{ahead} ahead, {level} level, {behind} behind, {open} not measured")
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
