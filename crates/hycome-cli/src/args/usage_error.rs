//! Usage errors: clap's messages, reworded where they do not help.

use std::error::Error as _;
use std::io::Write;
use std::path::Path;

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::term::output::{escaped, notify};
use crate::term::style;

/// Subcommands of similar tools, and how to do the same here.
const ALTERNATIVES: [(&[&str], &str); 4] = [
    (
        &["cluster", "detect"],
        "`hycome embed GRAPH -k K` detects communities, `hycome communities RUN` prints them or refits \
         with another number",
    ),
    (
        &["export", "save", "vectors"],
        "`hycome communities RUN -o FILE` exports communities; points are in RUN/run.safetensors, which \
         NumPy and PyTorch can load",
    ),
    (
        &["nearest", "similar", "neighbors", "distance"],
        "the command does not compute distances between nodes; use `hycome.manifold` of the Python package",
    ),
    (&["transform", "add"], "nodes cannot be added to a run; train the larger graph with `hycome embed`"),
];

/// Prints a usage error, or the help or version that was requested; returns the exit code.
pub fn report(mut error: Error) -> u8 {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    let message = match error.kind() {
        ErrorKind::InvalidSubcommand => alternative(&error),
        ErrorKind::ValueValidation => invalid_number(&error),
        _ => None,
    };
    if let Some(message) = message {
        let prefix = style::stderr().error("error:");
        notify(&format!("{prefix} {message}\n\nFor more information, try '--help'."));
        return code;
    }
    // Names of shells are similar without being related: do not suggest zsh for tcsh.
    if error.kind() == ErrorKind::InvalidValue && text(&error, ContextKind::InvalidArg) == Some("<SHELL>") {
        error.remove(ContextKind::SuggestedValue);
    }
    remove_wrong_tip(&mut error);
    // Help and version are results: failing to write them is an error.
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(failure) if !error.use_stderr() && failure.kind() != std::io::ErrorKind::BrokenPipe => {
            notify(&format!("error: standard output: cannot write: {failure}"));
            1
        }
        _ => code,
    }
}

/// Removes clap's tip to pass an unknown flag as a value, unless a file has that name.
fn remove_wrong_tip(error: &mut Error) {
    let is_file = text(error, ContextKind::InvalidArg).is_some_and(|flag| Path::new(flag).exists());
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested)
        && !is_file
    {
        let is_wrong = |tip: &StyledStr| tip.to_string().starts_with("to pass ");
        let tips: Vec<StyledStr> = tips.iter().filter(|tip| !is_wrong(tip)).cloned().collect();
        error.remove(ContextKind::Suggested);
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// How to do what an unknown subcommand does in other tools.
fn alternative(error: &Error) -> Option<String> {
    let name = text(error, ContextKind::InvalidSubcommand)?;
    let (_, alternative) = ALTERNATIVES.iter().find(|(names, _)| names.contains(&name))?;
    Some(format!("there is no command `{name}`: {alternative}"))
}

/// The expected number, instead of the standard library's "invalid digit found in string".
fn invalid_number(error: &Error) -> Option<String> {
    let expected = match error.source()?.to_string().as_str() {
        "invalid digit found in string" => "a non-negative integer",
        "number too large to fit in target type" => "a smaller integer",
        "invalid float literal" => "a number",
        _ => return None,
    };
    let (argument, value) = (text(error, ContextKind::InvalidArg)?, text(error, ContextKind::InvalidValue)?);
    Some(format!("invalid value '{}' for '{argument}': expected {expected}", escaped(value)))
}
