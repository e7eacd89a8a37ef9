//! The graph of the schema: nodes `File`, `Symbol`, `Reference` and `Call`, edges `DEFINES`, `REFERS` and `CALLS`.
//!
//! The number of a node is made of its row and its kind, so that edges need no table of what was written.

use std::io::Write;

use codegraph_store::{Cell, Tables};

use crate::json::object;
use crate::{Error, Json, Listener, Report, Result};

/// A kind of node: the table it comes from, and which columns it has under which names.
struct NodeKind {
    kind: &'static str,
    number: i64,
    table: &'static str,
    /// Column and field; the first column is the row's number.
    fields: &'static [(&'static str, &'static str)],
}

const SPAN: [(&str, &str); 6] = [
    ("byte_start", "byte_start"),
    ("byte_end", "byte_end"),
    ("start_line", "start_line"),
    ("start_col", "start_col"),
    ("end_line", "end_line"),
    ("end_col", "end_col"),
];

const FILE: NodeKind = NodeKind {
    kind: "File",
    number: 0,
    table: "files",
    fields: &[
        ("id", ""),
        ("path", "path"),
        ("hash", HASH),
        ("last_indexed", "last_indexed_at"),
        ("last_modified", "last_modified"),
        ("language", "language"),
    ],
};

/// The field that says by which function it was made.
const HASH: &str = "hash";

const SYMBOL: NodeKind = NodeKind {
    kind: "Symbol",
    number: 1,
    table: "symbols",
    fields: &[
        ("id", ""),
        ("symbol_id", "symbol_id"),
        ("fqn", "fqn"),
        ("canonical_fqn", "canonical_fqn"),
        ("display_fqn", "display_fqn"),
        ("name", "name"),
        ("kind", "kind"),
        ("kind_normalized", "kind_normalized"),
        SPAN[0],
        SPAN[1],
        SPAN[2],
        SPAN[3],
        SPAN[4],
        SPAN[5],
        ("file_path", "file"),
        ("language", "language"),
        ("symbol_key", "symbol_key"),
        ("span_id", "span_id"),
    ],
};

const REFERENCE: NodeKind = NodeKind {
    kind: "Reference",
    number: 2,
    table: "references",
    fields: &[
        ("id", ""),
        ("file_path", "file"),
        SPAN[0],
        SPAN[1],
        SPAN[2],
        SPAN[3],
        SPAN[4],
        SPAN[5],
        ("reference_id", "reference_id"),
        ("referenced_symbol", "referenced_symbol"),
        ("kind_normalized", "kind"),
        ("target_symbol_id", "target_symbol_id"),
        ("target", "target"),
        ("certainty", "certainty"),
        ("how", "how"),
    ],
};

const CALL: NodeKind = NodeKind {
    kind: "Call",
    number: 3,
    table: "calls",
    fields: &[
        ("id", ""),
        ("file_path", "file"),
        ("caller", "caller"),
        ("callee", "callee"),
        ("caller_symbol_id", "caller_symbol_id"),
        ("callee_symbol_id", "callee_symbol_id"),
        SPAN[0],
        SPAN[1],
        SPAN[2],
        SPAN[3],
        SPAN[4],
        SPAN[5],
    ],
};

/// An edge: its word, the column and kind of both ends, and the table that has them.
struct EdgeKind {
    word: &'static str,
    from: (&'static str, &'static NodeKind),
    to: &'static NodeKind,
}

const EDGES: &[EdgeKind] = &[
    EdgeKind { word: "DEFINES", from: ("file_id", &FILE), to: &SYMBOL },
    EdgeKind { word: "REFERS", from: ("caller_id", &SYMBOL), to: &REFERENCE },
    EdgeKind { word: "CALLS", from: ("caller_id", &SYMBOL), to: &CALL },
];

/// Files have small numbers, everything else has its file's in front: all four kinds stay apart.
fn number(kind: &NodeKind, row: &Cell) -> i64 {
    let Cell::Integer(row) = row else { return kind.number };
    row << 2 | kind.number
}

pub(crate) fn write(tables: &Tables, form: Json, listener: &dyn Listener, out: &mut dyn Write) -> Result<Report> {
    let mut report = Report::default();
    let mut list = List { form, out, first: true };
    list.open("{\"nodes\":[")?;
    for kind in [&FILE, &SYMBOL, &REFERENCE, &CALL] {
        report.begin(kind.kind);
        let columns: Vec<&str> = kind.fields.iter().map(|(column, _)| *column).collect();
        tables.each_row(kind.table, &columns, |row| {
            list.next("node")?;
            write!(list.out, "\"id\":{},\"kind\":\"{}\",\"data\":", number(kind, &row[0]), kind.kind)?;
            let hash = said(kind, row);
            let fields = kind.fields.iter().zip(row).skip(1).map(|((_, field), cell)| match (*field, &hash) {
                (HASH, Some(hash)) => (HASH, hash),
                (field, _) => (field, cell),
            });
            object(fields, list.out)?;
            report.count(listener);
            list.close_one()
        })?;
    }
    list.between("],\"edges\":[")?;
    for edge in EDGES {
        report.begin(edge.word);
        tables.each_row(edge.to.table, &[edge.from.0, "id"], |row| {
            list.next("edge")?;
            let (from, to) = (number(edge.from.1, &row[0]), number(edge.to, &row[1]));
            write!(list.out, "\"from\":{from},\"to\":{to},\"edge_type\":\"{}\",\"data\":{{}}", edge.word)?;
            report.count(listener);
            list.close_one()
        })?;
    }
    list.between("]}\n")?;
    Ok(report)
}

/// The hash of a file with the function that made it.
fn said(kind: &NodeKind, row: &[Cell]) -> Option<Cell> {
    let place = kind.fields.iter().position(|(_, field)| *field == HASH)?;
    match &row[place] {
        Cell::Text(hex) => Some(Cell::Text(format!("sha256:{hex}"))),
        _ => None,
    }
}

/// Objects in one of the two forms.
struct List<'w> {
    form: Json,
    out: &'w mut dyn Write,
    first: bool,
}

impl List<'_> {
    fn open(&mut self, text: &str) -> Result<()> {
        self.between(text)
    }

    /// What stands around the lists of a whole document.
    fn between(&mut self, text: &str) -> Result<()> {
        self.first = true;
        if self.form == Json::Whole {
            self.out.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    fn next(&mut self, what: &str) -> Result<()> {
        match self.form {
            Json::Whole => write!(self.out, "{}\n{{", if self.first { "" } else { "," })?,
            Json::Lines => write!(self.out, "{{\"type\":\"{what}\",")?,
        }
        self.first = false;
        Ok(())
    }

    fn close_one(&mut self) -> Result<(), Error> {
        let end: &[u8] = if self.form == Json::Lines { b"}\n" } else { b"}" };
        Ok(self.out.write_all(end)?)
    }
}
