//! The `hycome` command: a graph file in, hyperbolic communities out.
//!
//! [`run`] is the whole command. Each subcommand is a file whose `Args` are its flags; results go to standard output,
//! everything else to standard error. Exit codes: 0 done, 1 failure, 2 usage, 128 and
//! the number of the signal if one stopped it: 130 (SIGINT, Ctrl-C), 143 (SIGTERM), 129 (SIGHUP).

mod against;
mod checkpoint;
mod classify;
mod communities;
mod completions;
mod config_file;
mod convert;
mod data;
mod datasets;
mod datasets_get;
mod download;
mod embed;
mod evaluate;
mod figure;
mod formats;
mod generate;
mod generate_files;
mod generate_report;
mod info;
mod interrupt;
mod labels;
mod load;
mod memory;
mod mistakes;
mod output;
mod picture;
mod place;
mod plot;
mod predict;
mod progress;
mod report;
mod reproduce;
mod reproduce_report;
mod runs;
mod scenes;
mod scoring;
mod style;
mod summary;
mod sweep;
mod sweep_table;
mod unfinished;
mod workers;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Turns a graph into points of hyperbolic space, and into communities.
///
/// Every node becomes a point of the Poincaré ball, the unit ball with hyperbolic distances, in which
/// tree-like graphs have room: nodes that meet on random walks come to lie near each other. At
/// the same time communities are learnt as Gaussians (round clouds) of that space, so each node has a
/// probability for each community.
#[derive(Debug, Parser)]
#[command(name = "hycome", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  hycome embed karate                          a built-in graph, in seconds
  hycome embed my-edges.csv --communities 8    your own; writes my-edges-run/
  hycome communities my-edges-run              node, community, probability
  hycome plot my-edges-run -o figure.pdf       a page or a figure of it
  hycome classify my-edges-run --labels FILE   how well points tell classes apart
  hycome info my-edges.csv                     what is in a file
  hycome convert my-edges.csv                  to open it at once the next time
  hycome sweep grid.toml                       which settings are best
  hycome reproduce table4                      the paper's figures beside ours

Built-in graphs: karate, books, football, polblogs. More: hycome datasets list.

Exit codes: 0 success, 1 failure, 2 wrong usage; 130 stopped by Ctrl-C, 143 by
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

/// The command with all its flags, as help and completions show it.
pub fn command() -> clap::Command {
    let command = Cli::command().mut_subcommand("embed", embed::arrange_help);
    command.mut_subcommands(take_negative_numbers)
}

/// Lets flags take `-1` for a value, lest it be taken for a flag: the flag itself says better what it expects.
fn take_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_subcommands(take_negative_numbers).mut_args(|arg| {
        let has_value = arg.get_action().takes_values() && !arg.is_positional();
        if has_value { arg.allow_negative_numbers(true) } else { arg }
    })
}

/// Runs the command and returns its exit code; the first argument is the program's name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    std::panic::set_hook(Box::new(report_panic));
    interrupt::install();
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return mistakes::report(error),
    };
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let done = match &cli.command {
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
    let Err(error) = done else { return 0 };
    let message = output::harmless(&sentence(&error));
    output::say(&format!("{} {message}", style::stderr().error("error:")));
    interrupt::exit_code().unwrap_or(if is_usage(&error) { 2 } else { 1 })
}

/// An error with its causes, each said once: the library's own messages already name the system's.
fn sentence(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |said, cause| match said.as_str() {
        "" => cause,
        before if before.contains(&cause) => said,
        _ => format!("{said}: {cause}"),
    })
}

/// A mistake in what was asked, rather than in what was read.
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

/// A panic is a bug of ours: say so, and what would help.
fn report_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let args: Vec<String> = std::env::args().collect();
    output::say(&format!(
        "hycome {} has a bug and had to stop; no file was left half-written.\n\
         Please report these lines and, if you can, the graph:\n  {panic}\n  command: {}",
        env!("CARGO_PKG_VERSION"),
        args.join(" "),
    ));
}

#[cfg(test)]
mod tests {
    #[test]
    fn flags_are_consistent() {
        super::command().debug_assert();
    }
}
