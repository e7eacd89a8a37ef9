//! Tables as comma-separated values: a head line, CRLF nowhere, quotes where they are needed. What is not known is empty
//! without quotes, an empty text has them, so that readers can tell the two apart.

use std::io::Write;

use codegraph_query::Reader;
use codegraph_store::{Cell, TableShape};

use crate::{Error, Listener, Report, Result};

/// Writes one table.
pub fn csv(reader: &Reader, shape: &TableShape, listener: &dyn Listener, out: &mut dyn Write) -> Result<Report> {
    let columns: Vec<&str> = shape.columns.iter().map(|column| column.name).collect();
    let mut report = Report::default();
    report.begin(shape.name);
    writeln!(out, "{}", columns.join(","))?;
    codegraph_query::tables(reader)?.each_row(shape.name, &columns, |row| {
        for (place, cell) in row.iter().enumerate() {
            if place > 0 {
                out.write_all(b",")?;
            }
            value(cell, out)?;
        }
        out.write_all(b"\n")?;
        report.count(listener);
        Ok::<(), Error>(())
    })?;
    Ok(report)
}

fn value(cell: &Cell, out: &mut dyn Write) -> std::io::Result<()> {
    match cell {
        Cell::Null => Ok(()),
        Cell::Integer(number) => write!(out, "{number}"),
        Cell::Real(number) => write!(out, "{number}"),
        Cell::Text(text) | Cell::Blob(text) => match text.is_empty() || text.contains(['"', ',', '\n', '\r']) {
            true => write!(out, "\"{}\"", text.replace('"', "\"\"")),
            false => out.write_all(text.as_bytes()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_have_to_be() {
        let text = |cell: Cell| {
            let mut out = Vec::new();
            value(&cell, &mut out).expect("a vector takes everything");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(text(Cell::Null), "");
        assert_eq!(text(Cell::Text(String::new())), "\"\"");
        assert_eq!(text(Cell::Text("a b".into())), "a b");
        assert_eq!(text(Cell::Text("a,\"b\"\n".into())), "\"a,\"\"b\"\"\n\"");
        assert_eq!(text(Cell::Real(2.5)), "2.5");
    }
}
