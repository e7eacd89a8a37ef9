//! `cargo xtask codegen`: documents that are made from the product itself, so that they cannot be wrong.
//!
//! A new document is a function and a line in [`DOCUMENTS`].

mod cli;
mod conformance;
mod languages;
mod mcp;
mod schema;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::{self, Profile};

/// Writes a document, given the `codegraph` binary.
type Write = fn(&Path) -> Result<String>;

/// The path of each document and what writes it.
const DOCUMENTS: &[(&str, Write)] = &[
    ("docs/cli.md", cli::document),
    ("docs/conformance.md", conformance::document),
    ("docs/languages.md", languages::document),
    ("docs/mcp.md", mcp::document),
    ("docs/schema.md", schema::document),
];

const MARK: &str = "<!-- Written by `cargo xtask codegen`: change the source, not this file. -->\n\n";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write nothing; fail if a document is not what it would be
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph");
    let mut stale = false;
    for (path, document) in DOCUMENTS {
        let text = format!("{MARK}{}", document(&binary).with_context(|| (*path).to_owned())?);
        let file = workspace::root().join(path);
        let old = std::fs::read_to_string(&file).unwrap_or_default();
        if old == text {
            continue;
        }
        if options.check {
            stale = true;
            eprintln!("{path}:{}: not up to date: run `cargo xtask codegen`", first_difference(&old, &text));
        } else {
            std::fs::create_dir_all(file.parent().expect("it is inside the workspace"))?;
            std::fs::write(&file, text)?;
            println!("wrote {path}");
        }
    }
    Ok(if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The 1-based line on which two texts part.
fn first_difference(old: &str, new: &str) -> usize {
    old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_by_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), 2);
        assert_eq!(first_difference("", "a\n"), 1);
        assert_eq!(first_difference("a\n", "a\nb\n"), 2);
    }
}
