//! The answer of `codegraph query`: the lines that have a term.

use std::io;

use codegraph_query::QueryAnswer;

use crate::human::{count, more, origin, printable, remarks, width, within};
use crate::{Answer, Out, Style};

impl Answer for QueryAnswer {
    fn found(&self) -> bool {
        self.total_matches > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let places: Vec<String> = self
            .matches
            .iter()
            .map(|row| format!("{}:{}", within(row.project.as_deref(), &row.file), row.line_number))
            .collect();
        let wide = width(places.iter().map(|place| place.chars().count()), 60);
        for (row, place) in self.matches.iter().zip(&places) {
            let place = out.styled(Style::Path, place, wide);
            let kind = out.styled(Style::Kind, row.line_type.word(), 8);
            let text =
                row.text.as_deref().map_or_else(|| "(changed since indexed)".to_owned(), |t| printable(t.trim()));
            match &row.nearness {
                Some(near) => {
                    let because = near.because.join(", ");
                    out.line(&format!(
                        "{place}  {:.2}  {kind}  {text}  ({because}){}",
                        near.score,
                        origin(out, row.origin)
                    ))?;
                }
                None => out.line(&format!("{place}  {kind}  {text}{}", origin(out, row.origin)))?,
            }
        }
        if self.total_matches == 0 {
            out.line(&format!("no match for '{}'", printable(&self.term)))?;
        }
        more(out, self.matches.len(), self.total_matches, self.next_offset)?;
        if self.in_strings > 0 {
            let shows = out.option(out.word("type", "type_filter"), "string");
            out.faint(&format!("+{} in strings ({shows})", count(self.in_strings as u64, "line")))?;
        }
        remarks(out, &self.remarks)
    }
}
