//! What clap says of mistakes on the command line, put into better words.

use std::error::Error as _;
use std::io::Write;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands that people try, and where to find what they do.
const ELSEWHERE: [(&[&str], &str); 4] = [
    (
        &["cluster", "detect"],
        "`hycome embed GRAPH -k K` finds communities, `hycome communities RUN` prints them or finds another number of them",
    ),
    (
        &["export", "save", "vectors"],
        "communities are exported by `hycome communities RUN -o FILE`; points are in RUN/run.safetensors, which NumPy and PyTorch read",
    ),
    (
        &["nearest", "similar", "neighbors", "distance"],
        "distances between nodes are not in the command; `hycome.manifold` of the Python package has them",
    ),
    (&["transform", "add"], "nodes cannot be added to a run; train the larger graph by `hycome embed`"),
];

/// Prints what is wrong with the arguments, and gives the exit code.
pub fn report(mut error: Error) -> u8 {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    let words = match error.kind() {
        ErrorKind::InvalidSubcommand => elsewhere(&error),
        ErrorKind::ValueValidation => number(&error),
        _ => None,
    };
    if let Some(words) = words {
        let name = crate::style::stderr().error("error:");
        crate::output::say(&format!("{name} {words}\n\nFor more information, try '--help'."));
        return code;
    }
    // Shells are alike by their letters alone: tcsh is no zsh.
    if error.kind() == ErrorKind::InvalidValue && text(&error, ContextKind::InvalidArg) == Some("<SHELL>") {
        error.remove(ContextKind::SuggestedValue);
    }
    // Help and the version are results, which a full disk must not lose silently.
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(failure) if !error.use_stderr() && failure.kind() != std::io::ErrorKind::BrokenPipe => {
            crate::output::say(&format!("error: standard output: cannot write: {failure}"));
            1
        }
        _ => code,
    }
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Where to find what an unknown command would do.
fn elsewhere(error: &Error) -> Option<String> {
    let name = text(error, ContextKind::InvalidSubcommand)?;
    let (_, place) = ELSEWHERE.iter().find(|(names, _)| names.contains(&name))?;
    Some(format!("there is no command `{name}`: {place}"))
}

/// What was expected of a number, where the standard library says "invalid digit found in string".
fn number(error: &Error) -> Option<String> {
    let expected = match error.source()?.to_string().as_str() {
        "invalid digit found in string" => "a whole number that is not negative",
        "number too large to fit in target type" => "a smaller whole number",
        "invalid float literal" => "a number",
        _ => return None,
    };
    let (argument, value) = (text(error, ContextKind::InvalidArg)?, text(error, ContextKind::InvalidValue)?);
    Some(format!("invalid value '{}' for '{argument}': expected {expected}", crate::output::escaped(value)))
}
