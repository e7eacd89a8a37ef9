//! `codegraph chunks`: source in pieces.

use std::io::{self, Write};

use clap::Args;
use codegraph_query::{ChunksAnswer, DEFAULT_CHUNK_BYTES};

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{more, printable, remarks, unselected};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Print the source of a file or symbol in pieces, cut at definitions
#[derive(Args)]
pub(crate) struct Chunks {
    /// A file, or a symbol by name, qualified name, FILE:LINE or id
    #[arg(value_name = "FILE|SYMBOL")]
    of: String,
    /// The longest piece
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CHUNK_BYTES)]
    max_bytes: usize,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Chunks {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Chunks {
            of: self.of.clone(),
            most_bytes: self.max_bytes,
            window: self.window.window(),
        };
        print(context, "chunks", &codegraph_query::chunks(&context.reader()?, &question)?)
    }
}

impl Answer for ChunksAnswer {
    fn found(&self) -> bool {
        matches!(self, ChunksAnswer::Found(list) if list.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, ChunksAnswer::Found(list) if list.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let list = match self {
            ChunksAnswer::Found(list) => list,
            ChunksAnswer::Unselected(answer) => return unselected(out, answer),
        };
        for chunk in &list.chunks {
            let place = format!("{}:{}-{}", printable(&list.file), chunk.place.start_line, chunk.place.end_line);
            let place = out.styled(Style::Path, &place, 0);
            let name = out.styled(Style::Name, &printable(chunk.fqn.as_deref().unwrap_or_default()), 0);
            out.line(&format!("--- {place}  {}  {name}", chunk.span_id))?;
            out.writer.write_all(chunk.content.as_bytes())?;
            if !chunk.content.ends_with('\n') {
                writeln!(out.writer)?;
            }
        }
        if list.total == 0 {
            out.line("nothing in it")?;
        }
        more(out, list.chunks.len(), list.total, list.next_offset)?;
        remarks(out, &list.remarks)
    }
}
