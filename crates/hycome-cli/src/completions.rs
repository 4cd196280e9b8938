//! `hycome completions`: what a shell needs to complete commands and flags.

use clap_complete::Shell;

/// Print a script that completes hycome's commands and flags in a shell.
///
/// For bash: `hycome completions bash > ~/.local/share/bash-completion/completions/hycome`. For zsh, write it as
/// `_hycome` to a folder of $fpath; for fish, as ~/.config/fish/completions/hycome.fish.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "hycome", &mut script);
    crate::output::print(&String::from_utf8_lossy(&script))
}
