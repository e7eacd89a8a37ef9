//! The answer of `codegraph chunks`: source in pieces.

use std::io;

use codegraph_query::ChunksAnswer;

use crate::human::{more, printable, remarks, unselected};
use crate::{Answer, Out, Style};

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
