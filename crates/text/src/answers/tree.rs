//! The answer of `codegraph tree`: the indexed files.

use std::io;

use codegraph_query::{EntryType, TreeAnswer, TreeEntry};

use crate::human::{count, more, printable, remarks};
use crate::{Answer, Out, Style};

impl Answer for TreeAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let root = out.styled(Style::Path, &printable(&self.root), 0);
        out.line(&format!("{root}  {}", out.styled(Style::Faint, &count(self.files as u64, "file"), 0)))?;
        let base = if self.root == "." { 0 } else { self.root.split('/').count() };
        for entry in &self.entries {
            let depth = entry.path.split('/').count().saturating_sub(base);
            let name = printable(entry.path.rsplit('/').next().unwrap_or(&entry.path));
            let name = match entry.entry_type {
                EntryType::Directory => out.styled(Style::Path, &format!("{name}/"), 0),
                EntryType::File => name,
            };
            let numbers = out.styled(Style::Faint, &numbers(entry), 0);
            out.line(&format!("{}{name}  {numbers}", "  ".repeat(depth)))?;
        }
        more(out, self.entries.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}

fn numbers(entry: &TreeEntry) -> String {
    let number = |value: Option<u64>, noun: &str| value.map(|value| count(value, noun));
    let parts = [
        entry.file_count.map(|files| count(files as u64, "file")),
        number(entry.line_count, "line"),
        number(entry.symbol_count, "symbol"),
        number(entry.method_count, "method"),
        number(entry.item_count, "item"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
