//! `codegraph ast`: the syntax tree of a file.

use clap::Args;
use codegraph_query::{Position, Window};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use codegraph_runtime::Refusal;

/// Print the syntax tree of a file, or the nodes around a position
#[derive(Args)]
pub(crate) struct Ast {
    file: String,
    /// Only the nodes around a byte offset, or LINE:COLUMN (line from 1, column from 0 in bytes)
    #[arg(long, value_name = "N")]
    position: Option<String>,
    /// Punctuation and keywords too
    #[arg(long)]
    all: bool,
    /// Show so many levels
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Leave out the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
}

impl Run for Ast {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Ast {
            file: self.file.clone(),
            position: self.position.as_deref().map(position).transpose()?,
            anonymous: self.all,
            depth: self.depth,
            window: Window { limit: self.limit, offset: self.offset },
        };
        print(context, "ast", &codegraph_query::ast(&context.reader()?, &question)?)
    }
}

fn position(text: &str) -> anyhow::Result<Position> {
    let parsed = match text.split_once(':') {
        Some((line, column)) => line.parse().ok().zip(column.parse().ok()).map(|(l, c)| Position::LineColumn(l, c)),
        None => text.parse().ok().map(Position::Byte),
    };
    parsed.ok_or_else(|| Refusal::error(format!("'{text}' is no position"), "give a byte offset or LINE:COLUMN"))
}
