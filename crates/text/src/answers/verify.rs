//! The answer of `codegraph verify`: our links against those of a compiler.

use std::io;

use codegraph_scip::{Files, MissClass, Table, Verification};

use crate::human::{count, printable};
use crate::{Answer, Out, Style};

const MOST_CLASSES: usize = 8;
const MOST_NAMED: usize = 5;

impl Answer for Verification {
    fn found(&self) -> bool {
        self.truth.documents > 0
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let (tool, version) = (printable(&self.truth.tool), printable(&self.truth.version));
        out.line(&format!("{} by {tool} {version}", count(self.truth.documents, "document")))?;
        for (title, rows) in
            [("references", &self.references), ("definitions", &self.definitions), ("edges", &self.edges.table)]
        {
            table(out, title, rows)?;
        }
        for (title, classes) in [("missed", &self.misses), ("wrong", &self.wrong)] {
            list(out, title, classes)?;
        }
        files(out, "of the compiler's files are not indexed", &self.not_indexed)?;
        files(out, "of the compiler's files are not here", &self.not_here)?;
        files(out, "indexed files are not in the compiler's index: not scored", &self.not_in_truth)
    }
}

fn table(out: &mut Out, title: &str, rows: &Table) -> io::Result<()> {
    let head =
        format!("{title:32}{:>8}{:>8}{:>9}{:>9}{:>10}{:>8}", "truth", "found", "recall", "claims", "right", "prec.");
    out.line("")?;
    let head = out.styled(Style::Name, &head, 0);
    out.line(&head)?;
    let percent = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{:.1}", 100.0 * value));
    for (name, row) in rows.0.iter().filter(|(_, row)| row.truth > 0 || row.claims > 0) {
        let (recall, precision) = (percent(row.recall), percent(row.precision));
        let (truth, found, claims, right) = (row.truth, row.found, row.claims, row.right);
        out.line(&format!("  {name:30}{truth:8}{found:8}{recall:>9}{claims:9}{right:10}{precision:>8}"))?;
    }
    Ok(())
}

fn list(out: &mut Out, title: &str, classes: &[MissClass]) -> io::Result<()> {
    if classes.is_empty() {
        return Ok(());
    }
    out.line("")?;
    let title = out.styled(Style::Name, title, 0);
    out.line(&title)?;
    for class in classes.iter().take(MOST_CLASSES) {
        out.line(&format!("{:8}  {}, {}: {}", class.count, class.row, class.shape, class.outcome))?;
        for example in &class.examples {
            let expected = example.expected.as_deref().unwrap_or("outside");
            let ours = example.ours.as_deref().map_or(String::new(), |ours| format!(", ours {ours}"));
            let text = format!("{}:{}  {}  -> {expected}{ours}", example.file, example.line, example.text);
            out.faint(&format!("          {}", printable(&text)))?;
        }
    }
    let rest: u64 = classes.iter().skip(MOST_CLASSES).map(|class| class.count).sum();
    if rest > 0 {
        out.line(&format!("{rest:8}  in smaller classes"))?;
    }
    Ok(())
}

fn files(out: &mut Out, what: &str, files: &Files) -> io::Result<()> {
    if files.count == 0 {
        return Ok(());
    }
    let named: Vec<String> = files.first.iter().take(MOST_NAMED).map(|file| printable(file)).collect();
    let more = if files.count as usize > named.len() { ", …" } else { "" };
    out.faint(&format!("{} {what}: {}{more}", files.count, named.join(", ")))
}
