//! `codegraph refs`: where a symbol is used.

use std::io;

use clap::Args;
use codegraph_query::RefsAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, remarks, unselected};
use crate::output::{Answer, Out, Outcome, print};
use crate::related::{sites, subject, unbound};

/// Show where a symbol is used
///
/// Lists what scopes, imports and types prove; `~` marks what needed an inference. Sites that only have the name are
/// counted.
#[derive(Args)]
pub(crate) struct Refs {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: String,
    /// Only these kinds of use, such as call, read, write, import, inherit
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Show the sites that name the symbol but could not be bound
    #[arg(long)]
    candidates: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Refs {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Refs {
            symbol: self.symbol.clone(),
            kinds: self.kind.clone(),
            file_filter: self.file_filter.clone(),
            candidates: self.candidates,
            window: self.window.window(),
        };
        print(context, "refs", &codegraph_query::refs(&context.reader()?, &question)?)
    }
}

impl Answer for RefsAnswer {
    fn found(&self) -> bool {
        matches!(self, RefsAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, RefsAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            RefsAnswer::Found(found) => found,
            RefsAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        out.line(&format!("{} in {}", count(found.total as u64, "reference"), count(found.files as u64, "file")))?;
        sites(out, &found.references)?;
        more(out, found.references.len(), found.total, found.next_offset)?;
        unbound(out, &found.unbound)?;
        remarks(out, &found.remarks)
    }
}
