//! `hycome completions`: shell completion scripts.

use clap_complete::Shell;

/// Print a shell completion script.
///
/// For bash: `hycome completions bash > ~/.local/share/bash-completion/completions/hycome`. For zsh, save it as
/// `_hycome` in a folder of $fpath; for fish, as ~/.config/fish/completions/hycome.fish.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "hycome", &mut script);
    crate::term::output::print(&String::from_utf8_lossy(&script))
}
