//! Order and headings of the flags of `hycome embed`.
//!
//! Hyperparameters are fields of the library's `TrainConfig`, so their headings cannot be attributes there.

use clap::Command;
use hycome::TrainConfig;
use serde_json::Value;

/// Headings with their flags, in the order of the help. `-h` shows the first group and part of the others.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Main options", &["communities", "dim", "seed", "labels", "output", "threads"]),
    ("Input", &["largest_component", "unweighted", "repeated", "header", "no_header", "data"]),
    ("Output", &["no_plot", "history", "json", "quiet"]),
    ("Checkpoints", &["resume", "overwrite", "checkpoint_minutes", "checkpoint_epochs"]),
    ("Training", &["config_file", "learning_rate", "epochs", "warmup_epochs", "restarts"]),
    (
        "Random walks and negative sampling",
        &["walks", "walk_length", "window", "negatives", "negative_sharing", "noise_exponent"],
    ),
    ("Loss weights", &["alpha", "beta", "gamma"]),
    ("Advanced", &["geometry", "curvature", "pretrain_dim", "scale_shrinkage", "blocks", "max_memory"]),
];

/// Groups after these are only in `--help`.
const SHORT_GROUPS: usize = 4;

/// Flags of the first groups that are only in `--help`.
const LONG_ONLY: [&str; 8] = [
    "unweighted",
    "repeated",
    "header",
    "no_header",
    "data",
    "no_plot",
    "checkpoint_minutes",
    "checkpoint_epochs",
];

/// Sorts the flags under headings.
pub fn arrange(mut command: Command) -> Command {
    let defaults = TrainConfig::default().to_settings();
    let mut order = 0;
    for (group, (heading, flags)) in GROUPS.iter().enumerate() {
        for &flag in *flags {
            order += 1;
            // Headings are printed in the order of their first flags, and `mut_arg` moves a flag to the end.
            command = command.mut_arg(flag, |arg| {
                let hidden = group >= SHORT_GROUPS || LONG_ONLY.contains(&flag);
                let arg = arg.help_heading(*heading).display_order(order).hide_short_help(hidden);
                match defaults.get(flag).unwrap_or(&Value::Null) {
                    Value::Number(number) if group > 0 => {
                        arg.value_name(if number.is_f64() { "X" } else { "N" })
                    }
                    _ => arg,
                }
            });
        }
    }
    command.mut_arg("communities", |arg| arg.short('k'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_a_heading() {
        let command = crate::command();
        let embed = command.find_subcommand("embed").unwrap();
        for arg in embed.get_arguments().filter(|arg| !arg.is_positional() && arg.get_id() != "help") {
            let group = GROUPS.iter().find(|(_, flags)| flags.contains(&arg.get_id().as_str()));
            assert_eq!(arg.get_help_heading(), group.map(|group| group.0), "{}", arg.get_id());
            assert!(group.is_some(), "{} has no heading", arg.get_id());
        }
    }
}
