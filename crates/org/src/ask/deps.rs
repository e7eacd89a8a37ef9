//! Which repositories use which; or, of one file, which files.

use codegraph_query::{Deps, DepsAnswer, FileEdge, Remarks};
use postgres::Row;

use super::part;
use crate::{Org, Result};

/// References that leave a repository, and where they go.
const BETWEEN: &str = "
    SELECT u.name, t.name, count(*) FROM reference x
    JOIN file f ON f.repository = x.repository AND f.id = x.file AND f.until IS NULL
    JOIN offer o ON o.path = x.outside AND o.repository <> x.repository
    JOIN repository u ON u.id = x.repository JOIN repository t ON t.id = o.repository
    WHERE x.outside IS NOT NULL AND (o.named OR EXISTS (
        SELECT FROM need n WHERE n.repository = x.repository AND n.ecosystem = o.ecosystem AND n.package = o.package))
    GROUP BY 1, 2 ORDER BY 1, 2";

/// References within one repository, from and to files of a path.
const AROUND: &str = "
    WITH own AS (SELECT f.repository, f.id, f.path FROM file f WHERE f.path = $1 AND f.until IS NULL),
    uses AS (
        SELECT x.repository, x.file AS source, s.file AS target FROM own
        JOIN reference x ON x.repository = own.repository AND x.file = own.id AND x.target IS NOT NULL
        JOIN symbol s ON s.repository = x.repository AND s.key = x.target
        UNION ALL
        SELECT x.repository, x.file, s.file FROM own
        JOIN symbol s ON s.repository = own.repository AND s.file = own.id
        JOIN reference x ON x.repository = s.repository AND x.target = s.key AND x.file <> own.id)
    SELECT r.name || ':' || a.path, r.name || ':' || b.path, count(*) FROM uses
    JOIN file a ON a.repository = uses.repository AND a.id = uses.source AND a.until IS NULL
    JOIN file b ON b.repository = uses.repository AND b.id = uses.target AND b.until IS NULL
    JOIN repository r ON r.id = uses.repository
    WHERE a.id <> b.id GROUP BY 1, 2 ORDER BY 1, 2";

impl Org {
    /// Answers which repositories use which, or which files a file uses and is used by.
    pub fn deps(&self, question: &Deps) -> Result<DepsAnswer> {
        let rows = match &question.file {
            Some(file) => self.rows(AROUND, &[file])?,
            None => self.rows(BETWEEN, &[])?,
        };
        let mut edges: Vec<FileEdge> = rows.iter().map(edge).collect();
        if question.mutual {
            let all = edges.clone();
            let back = |edge: &FileEdge| all.iter().find(|other| other.from == edge.to && other.to == edge.from);
            edges.retain_mut(|edge| {
                edge.back = back(edge).map(|other| other.references);
                edge.back.is_some() && edge.from < edge.to
            });
        }
        let total = edges.len();
        let (edges, next_offset) = part(edges, question.window);
        Ok(DepsAnswer { file: question.file.clone(), edges, total, next_offset, remarks: Remarks::default() })
    }
}

fn edge(row: &Row) -> FileEdge {
    FileEdge { from: row.get(0), to: row.get(1), references: row.get::<_, i64>(2) as usize, back: None }
}
