//! The index in formats of other tools: tables as JSON, CSV and SQLite, the graph as nodes and edges, pictures as DOT,
//! Mermaid and GraphML.
//!
//! Everything is read row by row from one state of the index and written as it comes: memory does not grow with the
//! project, and the same index gives the same bytes.

mod csv;
mod database;
mod dot;
mod error;
mod graph;
mod graphml;
mod json;
mod lake;
mod level;
mod mermaid;
mod nodes;
mod parquet;
mod report;

use std::io::Write;

use codegraph_query::Reader;
use codegraph_store::{TableShape, Tables};

pub use csv::csv;
pub use database::database;
pub use error::{Error, Result};
pub use lake::{LAKE_TABLES, Lake};
pub use level::{Level, Scope};
pub use parquet::parquet;
pub use report::{Listener, Report, Unheard};

/// A picture of who uses whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Dot,
    Mermaid,
    Graphml,
}

/// Which form of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Json {
    /// One document.
    Whole,
    /// One object a line.
    Lines,
}

/// The tables of these names; all of them if there are none.
pub fn tables_named(names: &[String]) -> Result<Vec<TableShape>> {
    if names.is_empty() {
        return Ok(Tables::shapes());
    }
    names.iter().map(|name| Tables::shape(name).ok_or_else(|| Error::NoTable(name.clone()))).collect()
}

/// Writes tables as JSON.
pub fn tables(
    reader: &Reader,
    form: Json,
    wanted: &[TableShape],
    listener: &dyn Listener,
    out: &mut dyn Write,
) -> Result<Report> {
    json::tables(&codegraph_query::tables(reader)?, form, wanted, listener, out)
}

/// Writes the nodes and edges of the schema as JSON: files, symbols, references and calls.
pub fn nodes(reader: &Reader, form: Json, listener: &dyn Listener, out: &mut dyn Write) -> Result<Report> {
    nodes::write(&codegraph_query::tables(reader)?, form, listener, out)
}

/// Draws who uses whom.
pub fn picture(
    reader: &Reader,
    picture: Picture,
    scope: &Scope,
    listener: &dyn Listener,
    out: &mut dyn Write,
) -> Result<Report> {
    let graph = graph::Graph::new(reader, scope, picture)?;
    match picture {
        Picture::Dot => graph.draw(&mut dot::Dot { out }, listener),
        Picture::Mermaid => graph.draw(&mut mermaid::Mermaid { out }, listener),
        Picture::Graphml => graph.draw(&mut graphml::Graphml { out }, listener),
    }
}
