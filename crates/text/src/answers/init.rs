//! The answer of `codegraph init`: make a folder a project and build its index.

use std::io;

use codegraph_runtime::InitAnswer;

use crate::human::{count, kinds, printable, size, time, width};
use crate::{Answer, Out, Style};

const MOST_SKIPPED: usize = 5;

impl Answer for InitAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.languages.iter().map(|language| language.label.len()), 16);
        for language in &self.languages {
            let label = out.styled(Style::Kind, &language.label, wide);
            let files = count(language.files, "file");
            out.line(&format!("{label}  {files:>12}  {:>16}", count(language.symbols, "symbol")))?;
        }
        if !self.unread.is_empty() {
            out.faint(&format!("not read, of no known language: {}", kinds(&self.unread)))?;
        }
        left_out(self, out)?;
        for name in &self.foreign {
            let folder = self.codegraph_path.rsplit(['/', '\\']).next().unwrap_or_default();
            out.faint(&format!("left alone: {}/{} is not ours", printable(folder), printable(name)))?;
        }
        for note in &self.notes {
            let note = out.advice(note);
            out.warning(&printable(&note))?;
        }
        let name = out.styled(Style::Name, &printable(&self.project_name), 0);
        let (files, source) = (count(self.report.files, "file"), size(self.report.source_bytes));
        let (took, index) = (time(self.duration_ms), size(self.index_bytes));
        out.line(&format!("indexed {name}: {files}, {source} in {took}; index {index}"))
    }
}

fn left_out(answer: &InitAnswer, out: &mut Out) -> io::Result<()> {
    let report = &answer.report;
    if report.files_with_syntax_problems > 0 {
        let files = count(report.files_with_syntax_problems, "file");
        let status = out.command("status");
        out.faint(&format!("{files} with text that the parser did not understand ({status} names them)"))?;
    }
    for path in report.timed_out.iter().take(MOST_SKIPPED) {
        out.warning(&format!("words only, parsing took too long: {}", printable(path)))?;
    }
    for path in report.dense.iter().take(MOST_SKIPPED) {
        out.warning(&format!("words only, more parts than are kept for its size: {}", printable(path)))?;
    }
    for skipped in report.skipped.iter().take(MOST_SKIPPED) {
        out.warning(&format!("skipped {}: {}", printable(&skipped.path), skipped.reason))?;
    }
    if report.skipped.len() > MOST_SKIPPED {
        let more = report.skipped.len() - MOST_SKIPPED;
        out.warning(&format!("and {more} more skipped; {} in all", count(report.skipped.len() as u64, "file")))?;
    }
    Ok(())
}
