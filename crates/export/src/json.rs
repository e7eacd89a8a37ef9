//! Tables as JSON: one document, or one object a line.

use std::io::Write;

use codegraph_store::{Cell, TableShape, Tables};

use crate::{Json, Listener, Report, Result};

pub(crate) fn tables(
    tables: &Tables,
    form: Json,
    wanted: &[TableShape],
    listener: &dyn Listener,
    out: &mut dyn Write,
) -> Result<Report> {
    let mut report = Report::default();
    if form == Json::Whole {
        write!(out, "{{\"tables\":{{")?;
    }
    for (place, shape) in wanted.iter().enumerate() {
        report.begin(shape.name);
        let columns: Vec<&str> = shape.columns.iter().map(|column| column.name).collect();
        if form == Json::Whole {
            write!(out, "{}\n\"{}\":[", if place > 0 { "," } else { "" }, shape.name)?;
        }
        let mut first = true;
        tables.each_row(shape.name, &columns, |row| {
            match form {
                Json::Whole => writeln!(out, "{}", if first { "" } else { "," })?,
                Json::Lines => write!(out, "{{\"table\":\"{}\",\"row\":", shape.name)?,
            }
            first = false;
            object(columns.iter().copied().zip(row), out)?;
            if form == Json::Lines {
                writeln!(out, "}}")?;
            }
            report.count(listener);
            Ok::<(), crate::Error>(())
        })?;
        if form == Json::Whole {
            write!(out, "]")?;
        }
    }
    if form == Json::Whole {
        writeln!(out, "}}}}")?;
    }
    Ok(report)
}

/// Cells by name as an object.
pub(crate) fn object<'a>(fields: impl Iterator<Item = (&'a str, &'a Cell)>, out: &mut dyn Write) -> Result<()> {
    write!(out, "{{")?;
    for (place, (name, cell)) in fields.enumerate() {
        write!(out, "{}\"{name}\":", if place > 0 { "," } else { "" })?;
        serde_json::to_writer(&mut *out, cell)?;
    }
    Ok(write!(out, "}}")?)
}
