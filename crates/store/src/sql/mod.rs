//! `codegraph sql`: one read-only statement over the physical tables and the unpacked ones.

use std::sync::Arc;

use serde::Serialize;

use crate::{Result, Store};

/// Gives the SQL tables what the index does not store.
pub trait Sources: Send + Sync {
    /// The bytes of an indexed file, if it is there and unchanged.
    fn text(&self, path: &str) -> Option<Arc<[u8]>>;

    /// The syntax tree of a file in document order, parents first.
    fn ast(&self, path: &str, language: &str) -> Option<Vec<AstNode>>;
}

/// A node of a syntax tree for the table `ast_nodes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AstNode {
    /// Index of the parent in the list.
    pub parent: Option<u32>,
    pub kind: &'static str,
    pub start: u32,
    pub end: u32,
}

/// A value of an SQL answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    /// In hex.
    Blob(String),
}

/// The rows of an SQL statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// There were more rows than the limit.
    pub truncated: bool,
}

impl Store {
    /// Runs one statement that cannot write, attach or change settings.
    pub fn query_sql(&self, sql: &str, limit: usize, sources: Arc<dyn Sources>) -> Result<Answer> {
        let _ = (sql, limit, sources);
        todo!()
    }
}
