//! `cargo xtask CHORE`: the door to the chores. `tidy` is here and needs nothing; all others know the product, and are built
//! when they are asked for.

mod tidy;
mod workspace;

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("tidy") => tidy::run(),
        _ => chore(&arguments),
    }
}

/// Hands over to the crate that knows the product.
fn chore(arguments: &[String]) -> ExitCode {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--package", "chores", "--"]).args(arguments);
    match cargo.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            ExitCode::FAILURE
        }
    }
}
