//! The `hycome` command: embeds graph nodes in hyperbolic space and detects communities.
//!
//! [`run`] parses the arguments and dispatches to a module of `commands`, whose `Args` are the flags. Results go to
//! standard output, everything else to standard error. Exit codes: 0 success, 1 failure, 2 usage error, 128 plus the
//! signal number after a signal: 130 (SIGINT, Ctrl-C), 143 (SIGTERM), 129 (SIGHUP).

mod args;
mod commands;
mod file_set;
mod interrupt;
mod jobs;
mod node_table;
mod partition_scores;
mod report;
mod run_dir;
mod term;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use args::usage_error;
use commands::{
    classify, communities, completions, convert, datasets, embed, evaluate, figure, generate, info, plot,
    predict, reproduce, sweep,
};
use term::{output, style};

/// Embed graph nodes in hyperbolic space and detect communities jointly.
///
/// Nodes become points of the Poincaré ball, where distances grow fast enough to embed tree-like graphs. The
/// embedding is trained by Riemannian SGD on neighbours and random walks (skip-gram with negative sampling), together
/// with a mixture of Riemannian Gaussians, one per community, which gives each node a probability for each community.
#[derive(Debug, Parser)]
#[command(name = "hycome", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  hycome embed karate                          train on a built-in graph
  hycome embed my-edges.csv --communities 8    your own; writes my-edges-run/
  hycome communities my-edges-run              node, community, probability
  hycome plot my-edges-run -o figure.pdf       interactive viewer or figure
  hycome classify my-edges-run --labels FILE   cross-validated node classification
  hycome info my-edges.csv                     statistics of a graph
  hycome convert my-edges.csv                  memory-mapped format, loads instantly
  hycome sweep grid.toml                       hyperparameter search
  hycome reproduce table4                      the paper's results beside ours

Built-in graphs: karate, books, football, polblogs. More: hycome datasets list.

Exit codes: 0 success, 1 failure, 2 usage error; 130 stopped by Ctrl-C, 143 by
SIGTERM, 129 by SIGHUP.";

#[derive(Debug, Subcommand)]
enum Command {
    #[command(aliases = ["train", "fit"])]
    Embed(Box<embed::Args>),
    Communities(communities::Args),
    Evaluate(evaluate::Args),
    Classify(classify::Args),
    Predict(predict::Args),
    Plot(plot::Args),
    Figure(figure::Args),
    #[command(alias = "show")]
    Info(info::Args),
    Convert(convert::Args),
    Generate(generate::Args),
    Datasets(datasets::Args),
    Sweep(sweep::Args),
    Reproduce(reproduce::Args),
    Completions(completions::Args),
}

/// The command line interface, for parsing, help and completions.
pub fn command() -> clap::Command {
    let command = Cli::command().mut_subcommand("embed", embed::help::arrange);
    command.mut_subcommands(allow_negative_numbers)
}

/// Accepts `-1` as a value, so that the error comes from the flag's own range check.
fn allow_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_subcommands(allow_negative_numbers).mut_args(|arg| {
        let has_value = arg.get_action().takes_values() && !arg.is_positional();
        if has_value { arg.allow_negative_numbers(true) } else { arg }
    })
}

/// Runs the command and returns its exit code. The first argument is the program name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    std::panic::set_hook(Box::new(report_panic));
    interrupt::install();
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return usage_error::report(error),
    };
    start_threads();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match &cli.command {
        Command::Embed(args) => embed::run(args, matches.subcommand_matches("embed").unwrap_or(&matches)),
        Command::Communities(args) => communities::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Classify(args) => classify::run(args),
        Command::Predict(args) => predict::run(args),
        Command::Plot(args) => plot::run(args),
        Command::Figure(args) => figure::run(args),
        Command::Info(args) => info::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Datasets(args) => datasets::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Reproduce(args) => reproduce::run(args),
        Command::Completions(args) => completions::run(args),
    };
    let Err(error) = result else { return 0 };
    let message = output::sanitized(&error_chain(&error));
    output::notify(&format!("{} {message}", style::stderr().error("error:")));
    interrupt::exit_code().unwrap_or(if is_usage(&error) { 2 } else { 1 })
}

/// Starts the global thread pool. If the system refuses threads, as under a tight limit on memory or processes, the
/// current thread does all the work, with the same results.
fn start_threads() {
    let started = rayon::ThreadPoolBuilder::new().build_global();
    if started.is_err() {
        let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    }
}

/// Writes settings that the library names in backticks as flags: `walk_length` becomes --walk-length.
fn with_flags(message: &str) -> String {
    let settings = hycome::TrainConfig::default().to_settings();
    let names = settings.keys().map(String::as_str);
    names.chain(["threads", "max_memory"]).fold(message.to_owned(), |message, name| {
        message.replace(&format!("`{name}`"), &format!("--{}", name.replace('_', "-")))
    })
}

/// The message of a cause. Settings out of range keep their names, which may come from a TOML file; other remedies are
/// flags.
fn cause_text(cause: &(dyn std::error::Error + 'static)) -> String {
    use hycome::Error::{Memory, NotFinite};
    match cause.downcast_ref() {
        Some(error @ (Memory { .. } | NotFinite { .. })) => with_flags(&error.to_string()),
        _ => cause.to_string(),
    }
}

/// An error with its causes. A cause already contained in the message is not repeated.
fn error_chain(error: &anyhow::Error) -> String {
    error.chain().map(cause_text).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        before if before.contains(&cause) => text,
        _ => format!("{text}: {cause}"),
    })
}

/// An error in the arguments, as opposed to the input; exit code 2.
#[derive(Debug)]
struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<Usage>() || matches!(error.downcast_ref(), Some(hycome::Error::Config { .. }))
}

/// Panic hook: asks for a bug report.
fn report_panic(panic: &std::panic::PanicHookInfo<'_>) {
    output::notify(&panic_report(panic, std::env::args()));
}

/// Message of the panic hook. Of the arguments it contains only the subcommand, as others may be private.
fn panic_report(panic: &dyn std::fmt::Display, args: impl Iterator<Item = String>) -> String {
    let command = command();
    let is_command = |arg: &String| command.find_subcommand(arg).is_some();
    let name = args.skip(1).find(is_command).map_or(String::new(), |name| format!(" {name}"));
    format!(
        "hycome {} stopped because of a bug; no partial files were written.\n\
         Please report these lines and, if possible, the arguments and the graph:\n  {panic}\n  command: hycome{name}",
        env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn flags_are_consistent() {
        super::command().debug_assert();
    }

    #[test]
    fn a_panic_report_holds_no_argument() {
        let args = ["hycome", "datasets", "get", "dblp", "--source", "http://me:secret@host/"];
        let report = super::panic_report(&"index out of bounds", args.iter().map(ToString::to_string));
        assert!(
            report.contains("command: hycome datasets") && report.contains("index out of bounds"),
            "{report}"
        );
        assert!(
            !report.contains("secret") && !report.contains("host") && !report.contains("dblp"),
            "{report}"
        );
    }
}
