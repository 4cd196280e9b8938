//! The `hycome` command.

fn main() {}
