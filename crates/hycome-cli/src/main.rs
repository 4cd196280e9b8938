//! Entry point of the `hycome` command; the implementation is in `lib.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(hycome_cli::run(std::env::args_os()))
}
