//! The answer of `codegraph get`: the source of a symbol.

use std::io;

use codegraph_query::GetAnswer;

use crate::human::{printable, remarks, unselected};
use crate::{Answer, Out, Style};

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
        // Every list names the line of the name; the text may start above it.
        let lines = match (place.start_line, place.end_line) {
            (start, end) if start == symbol.line_number => format!("-{end}"),
            (start, end) => format!(" (lines {start}-{end})"),
        };
        let at = format!("{}:{}{lines}", printable(&symbol.file), symbol.line_number);
        let at = out.styled(Style::Path, &at, 0);
        let kind = out.styled(Style::Kind, symbol.kind.display(), 0);
        let id = out.styled(Style::Faint, &symbol.symbol_id[..12], 0);
        out.line(&format!("{at}  {kind}  {}  {id}", out.styled(Style::Name, &printable(&symbol.fqn), 0)))?;
        out.writer.write_all(found.content.as_bytes())?;
        if !found.content.ends_with('\n') {
            writeln!(out.writer)?;
        }
        remarks(out, &found.remarks)
    }
}
