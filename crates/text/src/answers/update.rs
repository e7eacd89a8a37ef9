//! The answer of `codegraph update`: bring the index up to date, all of it or some files.

use std::io;

use codegraph_runtime::UpdateAnswer;

use crate::human::{count, printable, time};
use crate::{Answer, Out, Style};

const MOST_NAMED: usize = 20;

impl Answer for UpdateAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let report = &self.report;
        for (mark, files) in [("+", &report.added), ("~", &report.changed), ("-", &report.removed)] {
            for file in files.iter().take(MOST_NAMED) {
                out.line(&format!("{mark} {}", out.styled(Style::Path, &printable(file), 0)))?;
            }
            if files.len() > MOST_NAMED {
                out.line(&format!("{mark} {} more", files.len() - MOST_NAMED))?;
            }
        }
        for skipped in report.skipped.iter().take(MOST_NAMED) {
            out.warning(&format!("skipped {}: {}", printable(&skipped.path), skipped.reason))?;
        }
        if report.skipped.len() > MOST_NAMED {
            out.warning(&format!("and {} more skipped", report.skipped.len() - MOST_NAMED))?;
        }
        if report.is_unchanged() {
            return out.line(&format!("nothing has changed ({})", time(report.duration_ms)));
        }
        if report.replaced {
            out.line("so much is different that the index is a new one")?;
        }
        if report.renamed > 0 {
            out.line(&format!("names changed in {}", count(report.renamed, "file")))?;
        }
        out.line(&format!(
            "items +{} -{}, lines +{} -{}, symbols +{} -{} ({})",
            report.items_added,
            report.items_removed,
            report.lines_updated,
            report.lines_removed,
            report.symbols_added,
            report.symbols_removed,
            time(report.duration_ms)
        ))
    }
}
