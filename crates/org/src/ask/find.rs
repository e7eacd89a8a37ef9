//! Which symbols have a name, in all repositories.

use codegraph_model::SymbolKind;
use codegraph_query::{Find, FindAnswer, Mode, Remarks, kinds_of};

use super::{FoundSymbol, SYMBOL, SYMBOL_COLUMNS, escaped, from_symbol};
use crate::{Org, Result};

/// What a name is compared with, and the parameter for it.
pub(super) fn condition(name: &str, mode: Mode, case_sensitive: bool) -> (String, String) {
    let last = name.rsplit(['.', ':', '/', '\\', '#']).next().unwrap_or(name);
    match mode {
        Mode::StartsWith if case_sensitive => {
            ("lower(s.name) LIKE lower($1::text) || '%' AND s.name LIKE $1::text || '%'".to_owned(), escaped(name))
        }
        Mode::StartsWith => ("lower(s.name) LIKE lower($1::text) || '%'".to_owned(), escaped(name)),
        Mode::Contains if case_sensitive => ("s.name LIKE '%' || $1::text || '%'".to_owned(), escaped(name)),
        Mode::Contains => ("s.name ILIKE '%' || $1::text || '%'".to_owned(), escaped(name)),
        Mode::Regex => (format!("s.name {} $1", if case_sensitive { "~" } else { "~*" }), name.to_owned()),
        // A qualified name, or its end: the last part is looked up.
        _ if last != name && !last.is_empty() => {
            let quoted = last.replace('\'', "''");
            (
                format!(
                    "lower(s.name) = lower('{quoted}') AND s.name = '{quoted}' AND (s.fqn = $1 OR right(s.fqn, length($1::text)) = $1)"
                ),
                name.to_owned(),
            )
        }
        _ if case_sensitive => ("lower(s.name) = lower($1::text) AND s.name = $1".to_owned(), name.to_owned()),
        _ => ("lower(s.name) = lower($1::text)".to_owned(), name.to_owned()),
    }
}

impl Org {
    /// Answers which symbols fit.
    pub fn find(&self, question: &Find) -> Result<FindAnswer> {
        let name = question.name.trim();
        let (mut condition, parameter) = condition(name, question.mode, question.case_sensitive);
        if codegraph_store::parse_symbol_id(name).is_some() && question.mode == Mode::Exact {
            let (first, last) = ids_that_begin(name);
            condition = format!("({condition}) OR s.symbol_id BETWEEN '{first}'::uuid AND '{last}'::uuid");
        }
        let mut kinds: Vec<SymbolKind> = Vec::new();
        for word in &question.kinds {
            kinds.extend(kinds_of(word)?);
        }
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.display().to_owned()).collect();
        let glob = question.file_filter.clone().map(|filter| pattern(&filter));
        // The count comes with each row, so that one question is enough.
        let sql = format!(
            "SELECT {SYMBOL}, count(*) OVER () FROM {}
             WHERE ({condition}) AND ($2::text[] = '{{}}' OR s.kind = ANY($2)) AND ($3::text[] = '{{}}' OR f.language = ANY($3))
                 AND ($4::text IS NULL OR f.path ~ $4)
             ORDER BY s.name <> $1, r.name, f.path, s.byte_start LIMIT $5 OFFSET $6",
            from_symbol()
        );
        let window = question.window;
        let (limit, offset) = (window.limit.min(100_000) as i64, window.offset as i64);
        let rows = self.rows(&sql, &[&parameter, &kinds, &question.languages, &glob, &limit, &offset])?;
        let total = rows.first().map_or(0, |row| row.get::<_, i64>(SYMBOL_COLUMNS) as usize);
        let end = window.offset + rows.len();
        Ok(FindAnswer {
            name: question.name.clone(),
            symbols: rows.iter().map(|row| FoundSymbol::of(row, 0).info()).collect(),
            total,
            next_offset: (end < total).then_some(end),
            remarks: Remarks::default(),
        })
    }
}

/// The first and the last id that begins with some digits, which are known to be such.
pub(super) fn ids_that_begin(digits: &str) -> (String, String) {
    let digits: String = digits.chars().filter(char::is_ascii_hexdigit).take(32).collect();
    (format!("{digits:0<32}"), format!("{digits:f<32}"))
}

/// A glob, a folder or a file as a regular expression.
pub(super) fn pattern(filter: &str) -> String {
    let mut out = String::from("^");
    let mut rest = filter.trim_start_matches("./");
    while let Some(sign) = rest.chars().next() {
        let mut length = sign.len_utf8();
        match sign {
            '*' if rest.starts_with("**/") => {
                out.push_str("(.*/)?");
                length = 3;
            }
            '*' if rest.starts_with("**") => {
                out.push_str(".*");
                length = 2;
            }
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            sign if sign.is_alphanumeric() || "/_- ".contains(sign) => out.push(sign),
            sign => out.extend(['\\', sign]),
        }
        rest = &rest[length..];
    }
    // A folder stands for what is in it.
    out.push_str("(/.*)?$");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_become_expressions() {
        assert_eq!(pattern("src/**/*.py"), "^src/(.*/)?[^/]*\\.py(/.*)?$");
        assert_eq!(pattern("./src"), "^src(/.*)?$");
    }

    #[test]
    fn a_qualified_name_is_found_by_its_last_part() {
        let (sql, parameter) = condition("flask.Flask.route", Mode::Exact, false);
        assert!(sql.contains("s.name = 'route' AND") && parameter == "flask.Flask.route", "{sql}");
        assert_eq!(
            condition("a'b", Mode::Exact, true),
            ("lower(s.name) = lower($1::text) AND s.name = $1".to_owned(), "a'b".to_owned())
        );
        assert_eq!(ids_that_begin("a1b2"), (format!("a1b2{}", "0".repeat(28)), format!("a1b2{}", "f".repeat(28))));
    }
}
