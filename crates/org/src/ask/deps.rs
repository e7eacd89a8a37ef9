//! Which repositories use which; or, of one file, which files.

use std::collections::BTreeMap;

use codegraph_query::{Deps, DepsAnswer, FileEdge, Remarks};
use postgres::Row;
use postgres::types::ToSql;

use super::part;
use crate::schema::SEEN;
use crate::{Org, Result};

/// References that leave a repository, and where they go. They are counted where they lie, by path and by the states that they
/// are seen in.
fn between() -> String {
    format!(
        "WITH f AS (
             SELECT x.repository, x.outside, f.since, f.until, count(*) AS uses
             FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file
             WHERE x.outside IS NOT NULL GROUP BY 1, 2, 3, 4)
         SELECT r.name, t.name, sum(f.uses)::bigint FROM f
         JOIN repository r ON r.id = f.repository AND {SEEN}
         JOIN (SELECT DISTINCT repository, path, ecosystem, package, named FROM offer) o
             ON o.path = f.outside AND o.repository <> f.repository
         JOIN repository t ON t.id = o.repository
         WHERE o.named OR EXISTS (
             SELECT FROM need n WHERE n.repository = f.repository AND n.ecosystem = o.ecosystem AND n.package = o.package)
         GROUP BY 1, 2 ORDER BY 1, 2"
    )
}

/// References within a repository, from and to some of its files.
const AROUND: &str = "
    SELECT x.repository, x.file, s.file, count(*) FROM reference x
    JOIN symbol s ON s.repository = x.repository AND s.key = x.target
    WHERE x.repository = ANY($1::integer[]) AND x.file = ANY($2::bigint[]) AND x.target IS NOT NULL GROUP BY 1, 2, 3
    UNION ALL
    SELECT x.repository, x.file, s.file, count(*) FROM reference x
    JOIN symbol s ON s.repository = x.repository AND s.key = x.target
    WHERE s.repository = ANY($1::integer[]) AND s.file = ANY($2::bigint[]) AND x.file <> s.file GROUP BY 1, 2, 3";

impl Org {
    /// Answers which repositories use which, or which files a file uses and is used by.
    pub fn deps(&self, question: &Deps) -> Result<DepsAnswer> {
        let mut edges: Vec<FileEdge> = match &question.file {
            Some(file) => self.around(file)?,
            None => self.rows(&between(), &[])?.iter().map(edge).collect(),
        };
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

impl Org {
    /// Which files the files of a path use, and which use them.
    fn around(&self, path: &str) -> Result<Vec<FileEdge>> {
        let own = self.files("f.path = $1", &[&path])?;
        let (repositories, files): (Vec<i32>, Vec<i64>) = own.keys().copied().unzip();
        let rows = self.rows(AROUND, &[&repositories, &files])?;
        let mut uses: BTreeMap<[(i32, i64); 2], usize> = BTreeMap::new();
        for row in &rows {
            let repository: i32 = row.get(0);
            let [from, to] = [1, 2].map(|place| (repository, row.get::<_, i64>(place)));
            if from != to && (own.contains_key(&from) || own.contains_key(&to)) {
                *uses.entry([from, to]).or_default() += row.get::<_, i64>(3) as usize;
            }
        }
        let (repositories, files): (Vec<i32>, Vec<i64>) = uses.keys().flatten().copied().unzip();
        let named = "f.repository = ANY($1::integer[]) AND f.id = ANY($2::bigint[])";
        let names = self.files(named, &[&repositories, &files])?;
        let edge = |([from, to], references): ([(i32, i64); 2], usize)| {
            let (from, to) = (names.get(&from)?.clone(), names.get(&to)?.clone());
            Some(FileEdge { from, to, references, back: None })
        };
        let mut edges: Vec<FileEdge> = uses.into_iter().filter_map(edge).collect();
        edges.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
        Ok(edges)
    }

    /// Files of the current states, by repository and number.
    fn files(&self, condition: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<BTreeMap<(i32, i64), String>> {
        let sql = format!(
            "SELECT f.repository, f.id, r.name || ':' || f.path FROM file f
             JOIN repository r ON r.id = f.repository AND {SEEN} WHERE {condition}"
        );
        Ok(self.rows(&sql, parameters)?.iter().map(|row| ((row.get(0), row.get(1)), row.get(2))).collect())
    }
}

fn edge(row: &Row) -> FileEdge {
    FileEdge { from: row.get(0), to: row.get(1), references: row.get::<_, i64>(2) as usize, back: None }
}
