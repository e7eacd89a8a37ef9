//! The answer of `codegraph sql`: plain SQL over the index.

use std::io;

use codegraph_query::SqlAnswer;
use serde_json::Value;

use crate::human::{printable, remarks, width};
use crate::{Answer, Out, Style};

impl Answer for SqlAnswer {
    fn found(&self) -> bool {
        !self.rows.is_empty()
    }

    fn partial(&self) -> bool {
        self.truncated || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| self.columns.iter().map(|column| cell(row.get(column))).collect()).collect();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| width(cells.iter().map(|row| row[i].chars().count()).chain([self.columns[i].len()]), 60))
            .collect();
        let titles: Vec<String> =
            self.columns.iter().zip(&widths).map(|(title, wide)| out.styled(Style::Name, title, *wide)).collect();
        out.line(&titles.join("  "))?;
        for row in &cells {
            let padded: Vec<String> = row.iter().zip(&widths).map(|(text, wide)| format!("{text:wide$}")).collect();
            out.line(&padded.join("  "))?;
        }
        if self.truncated {
            out.faint(&format!("the first {} rows; {} shows more", self.rows.len(), out.option("limit", "N")))?;
        }
        remarks(out, &self.remarks)
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        // A text of several lines is shown on one.
        Some(Value::String(text)) => printable(&text.replace("\r\n", "\n").replace('\n', "\\n").replace('\t', "    ")),
        Some(other) => other.to_string(),
    }
}
