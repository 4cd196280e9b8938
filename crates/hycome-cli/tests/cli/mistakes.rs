//! Mistakes that people make, and what they are told.

use super::*;

#[test]
fn a_graph_is_no_run_and_a_run_is_no_graph() {
    let here = folder();
    assert_eq!(
        fail(1, here.path(), ["communities", "karate"]),
        "error: karate: this is a graph, not a run; `hycome embed karate` makes karate-run of it\n"
    );
    succeed(here.path(), ["embed", "karate", "-q", "--no-plot"].into_iter().chain(SHORT));
    for command in [&["communities", "karate"][..], &["evaluate", "karate", "--graph", "karate"]] {
        let message = fail(1, here.path(), command);
        assert_eq!(message, "error: karate: no run is called so; did you mean karate-run?\n");
    }
    let message = fail(1, here.path(), ["embed", "karate-run"]);
    assert!(message.starts_with("error: karate-run: this is a run, and a graph is expected; "), "{message}");
}

#[test]
fn numbers_that_are_none_are_told_what_is_expected() {
    let here = folder();
    for (args, flag) in [
        (["embed", "karate", "-k", "-1"], "--communities <K>"),
        (["embed", "karate", "-k", "abc"], "--communities <K>"),
        (["embed", "karate", "--seed", "-1"], "--seed <S>"),
        (["plot", "karate-run", "--edges", "-1"], "--edges <N>"),
        (["communities", "karate-run", "-k", "auto"], "--communities <K>"),
    ] {
        let message = fail(2, here.path(), args);
        let expected = format!(
            "error: invalid value '{}' for '{flag}': expected a whole number that is not negative\n",
            args[3]
        );
        assert!(message.starts_with(&expected), "{message}");
        assert!(!message.contains("-- -1"), "{message}");
    }
    let message = fail(2, here.path(), ["embed", "karate", "--learning-rate", "fast"]);
    assert!(message.contains("expected a number"), "{message}");
    let message = fail(2, here.path(), ["embed", "karate", "--learning-rate", "-0.5"]);
    assert!(message.contains("`learning_rate` must be"), "{message}");
}

#[test]
fn commands_of_other_programs_are_answered() {
    let here = folder();
    for alias in ["train", "fit"] {
        let args = [alias, "karate", "-o", "run", "-q", "--no-plot", "--seed", "3"];
        succeed(here.path(), args.into_iter().chain(SHORT));
    }
    let shown = succeed(here.path(), ["show", "run"]);
    assert!(shown.contains("--geometry poincare") && shown.contains("--seed 3"), "{shown}");
    for (name, place) in [
        ("export", "hycome communities RUN -o FILE"),
        ("nearest", "hycome.manifold"),
        ("cluster", "hycome embed GRAPH -k K"),
    ] {
        let message = fail(2, here.path(), [name, "run"]);
        assert!(message.starts_with(&format!("error: there is no command `{name}`: ")), "{message}");
        assert!(message.contains(place), "{message}");
    }
    let message = fail(2, here.path(), ["completions", "tcsh"]);
    assert!(message.contains("possible values") && !message.contains("similar"), "{message}");
}

#[test]
fn short_help_shows_what_most_trainings_need() {
    let here = folder();
    let (short, long) = (succeed(here.path(), ["embed", "-h"]), succeed(here.path(), ["embed", "--help"]));
    for flag in ["--communities", "--dim", "--seed", "--labels", "--output", "--threads"] {
        assert!(short.contains(flag), "{flag}");
    }
    for flag in ["--walk-length", "--gamma", "--blocks", "--checkpoint-epochs", "--curvature"] {
        assert!(!short.contains(flag) && long.contains(flag), "{flag}");
    }
}
