//! What people type at an SQL prompt besides SQL: `.tables`, `.schema`, a table named like a keyword, a wish to write.

use crate::{Error, Result};

/// The tables that are public, in the order in which they are listed.
pub(crate) const PUBLIC: &[&str] = &[
    "files", "lines", "items", "occurrences", "signatures", "methods", "types", "classes", "functions", "symbols",
    "references", "calls", "usages", "entity_cross_ref", "ast_nodes", "dependencies", "metadata",
];

/// Statements that are about writing, by their first word.
const WRITING: &[&str] = &[
    "insert", "update", "delete", "replace", "create", "drop", "alter", "attach", "detach", "vacuum", "reindex",
    "begin", "commit",
];

/// The statement that is meant.
pub(super) fn meant(sql: &str) -> Result<String> {
    let text = sql.trim().trim_end_matches(';').trim();
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    match first.as_str() {
        ".tables" => Ok(tables()),
        ".schema" | ".fullschema" => schema(words.next()),
        command if command.starts_with('.') => {
            Err(Error::Statement(format!("'{command}' is no command here: .tables and .schema TABLE are")))
        }
        word if WRITING.contains(&word) => Err(Error::NotReadOnly(format!("the index is read-only, {word} writes"))),
        _ => Ok(quoted(sql)),
    }
}

fn tables() -> String {
    let rows: Vec<String> = PUBLIC.iter().map(|name| format!("('{name}')")).collect();
    format!("SELECT column1 AS name FROM (VALUES {})", rows.join(", "))
}

/// The columns of a table, or of all.
fn schema(of: Option<&str>) -> Result<String> {
    let named = of.map(|name| name.trim_matches(['"', '\'', '`', '[', ']']).to_ascii_lowercase());
    if let Some(name) = named.as_deref().filter(|name| !PUBLIC.contains(name)) {
        return Err(Error::Statement(format!("no such table: {name}")));
    }
    let wanted = PUBLIC.iter().filter(|name| named.as_deref().is_none_or(|only| only == **name));
    let columns = |name: &&str| {
        format!("SELECT '{name}' AS \"table\", cid, name AS \"column\", type FROM pragma_table_info('{name}')")
    };
    Ok(wanted.map(columns).collect::<Vec<_>>().join(" UNION ALL "))
}

/// `references` is a word of SQL too, where tables are made; none is made here.
fn quoted(sql: &str) -> String {
    const WORD: &str = "references";
    let bytes = sql.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let (mut out, mut at) = (String::with_capacity(sql.len() + 8), 0);
    while at < bytes.len() {
        let skipped = match bytes[at] {
            quote @ (b'\'' | b'"' | b'`') => until(bytes, at + 1, &[quote]),
            b'[' => until(bytes, at + 1, b"]"),
            b'-' if bytes[at..].starts_with(b"--") => until(bytes, at + 2, b"\n"),
            b'/' if bytes[at..].starts_with(b"/*") => until(bytes, at + 2, b"*/"),
            byte if is_word(byte) => bytes[at..].iter().position(|b| !is_word(*b)).map_or(bytes.len(), |n| at + n),
            _ => at + 1,
        };
        let part = &sql[at..skipped];
        match part.eq_ignore_ascii_case(WORD) {
            true => out.push_str(&format!("\"{part}\"")),
            false => out.push_str(part),
        }
        at = skipped;
    }
    out
}

/// Behind the next `end`.
fn until(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|part| part == end).map_or(bytes.len(), |at| from + at + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_named_like_a_keyword_is_quoted_where_it_is_one() {
        let same = |sql: &str| assert_eq!(quoted(sql), sql);
        assert_eq!(quoted("select * from references r"), "select * from \"references\" r");
        assert_eq!(quoted("SELECT References.id FROM References"), "SELECT \"References\".id FROM \"References\"");
        same("select 'references', \"references\", `references`, [references] -- references\n/* references */");
        same("select my_references, 'it''s references' from ä");
    }

    #[test]
    fn writing_is_refused_before_it_is_tried() {
        for sql in ["delete from files", " DROP TABLE x", "insert into files values (1)", "PRAGMA x; "] {
            let refused = matches!(meant(sql), Err(Error::NotReadOnly(_)));
            assert_eq!(refused, !sql.starts_with("PRAGMA"), "{sql}");
        }
    }
}
