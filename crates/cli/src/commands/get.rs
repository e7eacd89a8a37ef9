//! `codegraph get`: the source of a symbol.

use std::io::{self, Write};

use clap::Args;
use codegraph_query::GetAnswer;

use super::Run;
use crate::context::Context;
use crate::human::{printable, remarks, unselected};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Print the source of a symbol, with its decorators and documentation
#[derive(Args)]
pub(crate) struct Get {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: String,
}

impl Run for Get {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "get", &codegraph_query::get(&context.reader()?, &self.symbol)?)
    }
}

impl Answer for GetAnswer {
    fn found(&self) -> bool {
        matches!(self, GetAnswer::Found(_))
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            GetAnswer::Found(found) => found,
            GetAnswer::Unselected(answer) => return unselected(out, answer),
        };
        let (symbol, place) = (&found.symbol, found.content_place);
        let at = format!("{}:{}-{}", printable(&symbol.file), place.start_line, place.end_line);
        let at = out.styled(Style::Path, &at, 0);
        let kind = out.styled(Style::Kind, symbol.kind, 0);
        let id = out.styled(Style::Faint, &symbol.symbol_id[..12], 0);
        out.line(&format!("{at}  {kind}  {}  {id}", out.styled(Style::Name, &printable(&symbol.fqn), 0)))?;
        out.writer.write_all(found.content.as_bytes())?;
        if !found.content.ends_with('\n') {
            writeln!(out.writer)?;
        }
        remarks(out, &found.remarks)
    }
}
