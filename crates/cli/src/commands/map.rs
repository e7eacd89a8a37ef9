//! `codegraph map`: a structural overview that a model reads instead of the files.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use codegraph_query::MapAnswer;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print, say};

/// Print a compact map of the project: files, symbols, calls and references
#[derive(Args)]
#[command(aliases = ["overview", "repo-map"])]
pub(crate) struct Map {
    /// Files, folders or globs [default: everything]
    paths: Vec<String>,
    /// Use at most so many tokens: central files stay whole, others shrink
    #[arg(long, value_name = "N")]
    tokens: Option<usize>,
    /// Split into so many parts
    #[arg(long, value_name = "N", conflicts_with = "chunk_tokens")]
    chunks: Option<usize>,
    /// Split where a part would have more tokens
    #[arg(long, value_name = "N", alias = "chunk_tokens")]
    chunk_tokens: Option<usize>,
    /// Files that you work on: what they use counts more
    #[arg(long, value_name = "FILE", num_args = 1.., action = clap::ArgAction::Append)]
    focus: Vec<String>,
    /// Names of symbols or files that matter now
    #[arg(long, value_name = "NAME", num_args = 1.., action = clap::ArgAction::Append)]
    mention: Vec<String>,
    /// Files that are known already: leave them out
    #[arg(long, value_name = "FILE", num_args = 1.., action = clap::ArgAction::Append)]
    exclude: Vec<String>,
    /// Leave out test files
    #[arg(long, alias = "no_tests")]
    no_tests: bool,
    /// Write to a file; parts are numbered: map.1.txt, map.2.txt
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Run for Map {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Map {
            paths: self.paths.clone(),
            tokens: self.tokens,
            chunks: self.chunks,
            chunk_tokens: self.chunk_tokens,
            focus: self.focus.clone(),
            mention: self.mention.clone(),
            exclude: self.exclude.clone(),
            no_tests: self.no_tests,
        };
        let answer = codegraph_runtime::map(&context.project()?, &context.reader()?, &question)?;
        match &self.out {
            Some(path) if answer.total > 0 => {
                write(path, &answer)?;
                say(&format!("wrote {} of {} files to {}", answer.files.len(), answer.total, path.display()));
                Ok(Outcome::Answered)
            }
            _ => print(context, "map", &answer),
        }
    }
}

fn write(path: &Path, answer: &MapAnswer) -> anyhow::Result<()> {
    if answer.chunks.is_empty() {
        return replace(path, &answer.text);
    }
    for chunk in &answer.chunks {
        let extension = match path.extension().and_then(|end| end.to_str()) {
            Some(end) => format!("{}.{end}", chunk.number),
            None => chunk.number.to_string(),
        };
        replace(&path.with_extension(extension), &chunk.content)?;
    }
    Ok(())
}

/// Writes a file that is there as a whole or not at all.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let failed = || format!("'{}' could not be written: check that its folder is there", path.display());
    codegraph_files::replace(path, text.as_bytes()).with_context(failed)
}
