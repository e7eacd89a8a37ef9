//! What a lake of many repositories needs besides the tables of each: whose a repository is, what it offers to others under
//! which names, and what it needs.

use std::io::Write;

use codegraph_query::Reader;
use codegraph_store::{Cell, ColumnKind, ColumnShape, TableShape};

use crate::{Listener, Report, Result, parquet};

/// A repository in a lake.
#[derive(Clone, Debug, Default)]
pub struct Lake {
    /// Whose it is.
    pub team: Option<String>,
    /// Ecosystem, package and version of what it needs.
    pub needs: Vec<(&'static str, String, Option<String>)>,
    /// The packages that folders are made into.
    pub published: Vec<codegraph_query::Published>,
}

/// The names of the tables that only a lake has.
pub const LAKE_TABLES: &[&str] = &["repositories", "offers", "needs"];

fn shape(name: &'static str, columns: &[(&'static str, ColumnKind)]) -> TableShape {
    TableShape { name, columns: columns.iter().map(|(name, kind)| ColumnShape { name, kind: *kind }).collect() }
}

fn text(value: &str) -> Cell {
    Cell::Text(value.to_owned())
}

fn maybe(value: Option<&String>) -> Cell {
    value.map_or(Cell::Null, |value| text(value))
}

impl Lake {
    /// Writes one of the tables that only a lake has.
    pub fn table(&self, name: &str, reader: &Reader, listener: &dyn Listener, out: &mut dyn Write) -> Result<Report> {
        use ColumnKind::{Integer, Text};
        match name {
            "offers" => {
                let columns = [
                    ("ecosystem", Text),
                    ("package", Text),
                    ("path", Text),
                    ("uses", Text),
                    ("symbol_key", Text),
                    ("named", Integer),
                ];
                let row = |one: codegraph_query::Offered| {
                    let key = format!("{:032x}", one.key);
                    let named = Cell::Integer(one.named.into());
                    let to = text(one.to.word());
                    vec![text(one.registry), Cell::Text(one.package), Cell::Text(one.path), to, Cell::Text(key), named]
                };
                let rows = codegraph_query::offers(reader, &self.published)?.into_iter().map(row);
                parquet::parquet_rows(&shape("offers", &columns), rows, listener, out)
            }
            "needs" => {
                let columns = [("ecosystem", Text), ("package", Text), ("version", Text)];
                let row = |(ecosystem, package, version): &(&'static str, String, Option<String>)| {
                    vec![text(ecosystem), text(package), maybe(version.as_ref())]
                };
                parquet::parquet_rows(&shape("needs", &columns), self.needs.iter().map(row), listener, out)
            }
            _ => {
                let shape = shape("repositories", &[("team", Text)]);
                parquet::parquet_rows(&shape, [vec![maybe(self.team.as_ref())]], listener, out)
            }
        }
    }
}
