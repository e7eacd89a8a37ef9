//! The answer of `codegraph status`: what the index has.

use std::io;

use codegraph_query::StatusAnswer;

use crate::human::{count, kinds, printable, remarks, size, width};
use crate::{Answer, Out, Style};

impl Answer for StatusAnswer {
    fn partial(&self) -> bool {
        !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let counts = &self.statistics;
        let name = out.styled(Style::Name, &printable(&self.project_name), 0);
        out.line(&format!("{name}  {}", out.styled(Style::Path, &printable(&self.codegraph_path), 0)))?;
        let rows = [
            ("files", counts.files),
            ("lines", counts.lines),
            ("items", counts.items),
            ("occurrences", counts.occurrences),
            ("symbols", counts.symbols),
            ("methods", counts.methods),
            ("types", counts.types),
            ("dependencies", counts.dependencies),
        ];
        for (noun, number) in rows {
            out.line(&format!("  {noun:12} {number:>10}"))?;
        }
        out.line(&format!(
            "  {:12} {:>10}  of {} source",
            "index",
            size(self.database_size_bytes),
            size(self.source_bytes)
        ))?;
        let wide = width(self.languages.iter().map(|language| language.language.len()), 16);
        for language in &self.languages {
            let label = out.styled(Style::Kind, &language.language, wide);
            out.line(&format!("  {label}  {}, {}", count(language.files, "file"), size(language.bytes)))?;
        }
        notes(out, "not understood completely", &self.problems, counts.files_with_problems as usize)?;
        notes(out, "skipped", &self.skipped, self.files_skipped)?;
        if !self.origins.is_empty() {
            let counts: Vec<String> =
                self.origins.iter().map(|one| format!("{} {}", one.files, one.origin.word())).collect();
            out.faint(&format!("marked, and last in lists: {}", counts.join(", ")))?;
        }
        if !self.unread.is_empty() {
            out.faint(&format!("of no known language: {}", kinds(&self.unread)))?;
        }
        remarks(out, &self.remarks)
    }
}

const MOST_NOTES: usize = 5;

fn notes(out: &mut Out, title: &str, notes: &[codegraph_query::FileNote], total: usize) -> io::Result<()> {
    if total == 0 {
        return Ok(());
    }
    out.line(&format!("{} {title}", count(total as u64, "file")))?;
    for note in notes.iter().take(MOST_NOTES) {
        out.faint(&format!("  {}: {}", printable(&note.file), printable(&note.note)))?;
    }
    if total > MOST_NOTES {
        out.faint(&format!("  and {} more", total - MOST_NOTES.min(notes.len())))?;
    }
    Ok(())
}
