//! Where a term stands, in all repositories.

use codegraph_model::LineType;
use codegraph_query::{Match, Mode, Query, QueryAnswer, Remarks, line_types};

use super::find::pattern;
use super::{escaped, label};
use crate::schema::SEEN;
use crate::{Org, Result};

/// Terms beyond so many files are not unfolded.
const MOST_FILES: i64 = 20_000;

impl Org {
    /// Answers where a term stands. Strings count only if they are asked for, or if there is nothing else.
    pub fn query(&self, question: &Query) -> Result<QueryAnswer> {
        let types = line_types(&question.type_filter)?;
        let term = question.term.trim();
        let (condition, parameter) = match question.mode {
            Mode::StartsWith => ("lower(t.term) LIKE lower($1::text) || '%'", escaped(term)),
            Mode::Contains => ("t.term ILIKE '%' || $1::text || '%'", escaped(term)),
            Mode::Regex if question.case_sensitive => ("t.term ~ $1", term.to_owned()),
            Mode::Regex => ("t.term ~* $1", term.to_owned()),
            _ if question.case_sensitive => ("lower(t.term) = lower($1::text) AND t.term = $1", term.to_owned()),
            _ => ("lower(t.term) = lower($1::text)", term.to_owned()),
        };
        let glob = question.file_filter.clone().map(|filter| pattern(&filter));
        let sql = format!(
            "SELECT r.name, r.commit, f.path, f.hash, t.term, t.lines, t.types FROM term t
             JOIN file f ON f.repository = t.repository AND f.id = t.file
             JOIN repository r ON r.id = t.repository AND {SEEN}
             WHERE {condition} AND ($2::text IS NULL OR f.path ~ $2)
             ORDER BY t.term <> $1, r.name, f.path, t.term LIMIT {MOST_FILES}"
        );
        let mut all: Vec<(Match, String)> = Vec::new();
        for row in self.rows(&sql, &[&parameter, &glob])? {
            let (project, file): (String, String) =
                (label(&row.get::<_, String>(0), &row.get::<_, String>(1)), row.get(2));
            let (hash, word): (String, String) = (row.get(3), row.get(4));
            let lines: Vec<i32> = row.get(5);
            let words: String = row.get(6);
            for (line, kind) in lines.into_iter().zip(words.split(',')) {
                let Some(line_type) = LineType::from_word(kind) else { continue };
                let id = blake3::hash(format!("{word}\0{project}:{file}\0{line}").as_bytes());
                let one = Match {
                    origin: None,
                    match_id: id.to_hex()[..16].to_owned(),
                    project: Some(project.clone()),
                    file: file.clone(),
                    line_number: line.max(0) as u32,
                    line_type,
                    term: word.clone(),
                    text: None,
                    place: None,
                    nearness: None,
                };
                all.push((one, hash.clone()));
            }
        }
        self.answer(question, all, &types)
    }

    fn answer(&self, question: &Query, all: Vec<(Match, String)>, types: &[LineType]) -> Result<QueryAnswer> {
        let fits = |one: &Match| match types.is_empty() {
            true => one.line_type != LineType::String,
            false => types.contains(&one.line_type),
        };
        let (mut rows, strings): (Vec<_>, Vec<_>) = all.into_iter().partition(|(one, _)| fits(one));
        let mut in_strings = strings.iter().filter(|(one, _)| one.line_type == LineType::String).count();
        if rows.is_empty() && types.is_empty() {
            rows = strings;
            in_strings = 0;
        }
        let total_matches = rows.len();
        let mut files: Vec<(&Option<String>, &str)> =
            rows.iter().map(|(one, _)| (&one.project, one.file.as_str())).collect();
        files.dedup();
        let files_matched = files.len();
        let (mut shown, next_offset) = super::part(rows, question.window);
        let texts = self.texts(shown.iter().map(|(_, hash)| hash.as_str()))?;
        for (one, hash) in &mut shown {
            one.text = texts.line(hash, one.line_number);
        }
        Ok(QueryAnswer {
            term: question.term.clone(),
            mode: question.mode,
            matches: shown.into_iter().map(|(one, _)| one).collect(),
            total_matches,
            files_matched,
            in_strings,
            next_offset,
            remarks: Remarks::default(),
        })
    }
}
