//! Code by what it means: the symbols nearest to a question in words, though they may have none of them.
//!
//! Two ways lead to a symbol: its name is near the question by the table of word vectors, or it has words of the question.
//! What either finds is compared with the question as a whole, by name, place and body. Nothing is stored for it: the
//! dictionary of the project is compared when it is asked.

use codegraph_meaning::{Asked, Table, table};
use codegraph_model::{LineType, TermId};
use codegraph_store::SymbolRow;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::context::{self, Compared};
use crate::paths::{FileFilter, is_test};
use crate::query::{Match, Nearness, Query, QueryAnswer};
use crate::reader::FileView;
use crate::source::shown_line;
use crate::symbol::match_id;
use crate::{Error, Note, Reader, Result};

/// Names that are looked up, files of one name, and symbols that are compared as a whole.
const MOST_NAMES: usize = 400;
const MOST_OF_A_NAME: usize = 8;
const MOST_COMPARED: usize = 600;
/// Symbols of one answer.
const MOST_FOUND: usize = 200;
/// What has the words is nearer than what only means them.
const WORDS: f64 = 0.5;
/// What is less near than this, and has none of the words, has nothing to do with it.
const NEAR: f64 = 0.1;
/// Tests speak about everything.
const TEST: f64 = 0.5;
/// What others or programs wrote counts less.
const OTHERS: f64 = 0.3;
/// Words that say why.
const MOST_REASONS: usize = 4;

/// A symbol with how near it is.
struct NearSymbol {
    row: SymbolRow,
    score: f64,
    because: Vec<String>,
}

pub(crate) fn fill(
    reader: &Reader,
    question: &Query,
    filter: &FileFilter,
    types: &[LineType],
    answer: &mut QueryAnswer,
) -> Result<()> {
    let table = table().ok_or_else(|| Error::Invalid {
        what: "this build has no table of word vectors".into(),
        give: "build it with its default features, or ask with `context`, which has words",
    })?;
    let asked = table.ask(question.term.trim());
    let words = context::by_words(reader, &question.term)?;
    let best = words.iter().map(|(_, score)| *score).fold(1e-9, f64::max);
    let mut having: FxHashMap<SymbolRow, f64> = FxHashMap::default();
    for (row, score) in words.into_iter().take(MOST_COMPARED) {
        having.insert(row, score / best);
    }
    for row in by_name(reader, &asked, filter)? {
        having.entry(row).or_insert(0.0);
    }
    let mut rows: Vec<(SymbolRow, f64)> = having.into_iter().collect();
    rows.sort_unstable_by_key(|(row, _)| *row);
    let mut found = compare(reader, table, &asked, rows, |view, row| {
        let line_type = view.symbol(row.symbol).kind.line_type();
        filter.accepts(&view.record.path) && (types.is_empty() || types.contains(&line_type))
    })?;
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    found.truncate(MOST_FOUND);
    answer.total_matches = found.len();
    answer.next_offset = question.window.next(found.len());
    answer.files_matched = found.iter().map(|one| one.row.file).collect::<std::collections::BTreeSet<_>>().len();
    for one in question.window.of(&found) {
        show(reader, one, answer)?;
    }
    if found.is_empty() {
        answer.remarks.cover(reader, &[])?;
        answer.remarks.note(Note::VagueTask);
    }
    Ok(())
}

/// Symbols whose names are near the question.
fn by_name(reader: &Reader, asked: &Asked<'_>, filter: &FileFilter) -> Result<Vec<SymbolRow>> {
    let vocabulary = reader.vocabulary()?;
    let near = |id: TermId| {
        let score = asked.name(vocabulary.text(id).ok()?);
        (score > 0.0).then_some((score, id))
    };
    let mut terms: Vec<(f32, TermId)> = vocabulary.ids().into_par_iter().filter_map(near).collect();
    terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut by_file: FxHashMap<_, Vec<TermId>> = FxHashMap::default();
    let mut names = 0;
    for (_, term) in terms {
        let files = reader.store.definers(term)?;
        names += usize::from(!files.is_empty());
        for file in files.into_iter().take(MOST_OF_A_NAME) {
            by_file.entry(file).or_default().push(term);
        }
        if names == MOST_NAMES {
            break;
        }
    }
    let mut rows = Vec::new();
    for (file, terms) in by_file {
        if !filter.accepts(&reader.path(file)?) {
            continue;
        }
        reader.go_on()?;
        let view = reader.view_of(file)?;
        let names: Vec<_> = terms.iter().filter_map(|term| view.stored.str_id(*term)).collect();
        let named = view.symbols().skip(1).filter(|(_, symbol)| names.contains(&symbol.name));
        rows.extend(named.filter(|(_, symbol)| context::is_answer(symbol)).map(|(id, _)| SymbolRow::new(file, id)));
    }
    Ok(rows)
}

/// How near some symbols are, by all that they are.
fn compare(
    reader: &Reader,
    table: &Table,
    asked: &Asked<'_>,
    rows: Vec<(SymbolRow, f64)>,
    wanted: impl Fn(&FileView<'_>, SymbolRow) -> bool,
) -> Result<Vec<NearSymbol>> {
    let mut found = Vec::new();
    for file in rows.chunk_by(|a, b| a.0.file == b.0.file) {
        let view = reader.view_of(file[0].0.file)?;
        let compared = Compared::of(reader, &view);
        let factor = match reader.origin(&view.record.path)? {
            Some(_) => OTHERS,
            None if is_test(&view.record.path) => TEST,
            None => 1.0,
        };
        for (row, words) in file {
            if !wanted(&view, *row) {
                continue;
            }
            let near = f64::from(asked.near(&compared.code(table, row.symbol))).max(0.0);
            let score = factor * (near + WORDS * words) / (1.0 + WORDS);
            if near > NEAR || *words > 0.0 {
                let because = asked.because(compared.texts(row.symbol), MOST_REASONS);
                found.push(NearSymbol { row: *row, score, because });
            }
        }
        view.check()?;
    }
    Ok(found)
}

fn show(reader: &Reader, one: &NearSymbol, answer: &mut QueryAnswer) -> Result<()> {
    let view = reader.view_of(one.row.file)?;
    let symbol = view.symbol(one.row.symbol);
    let name = view.name(one.row.symbol).to_owned();
    let line = view.facts().line_of(symbol.name_span.start);
    let source = reader.source(&view.record).ok();
    if source.is_none() {
        answer.remarks.stale(&view.record.path);
    }
    let text = source.and_then(|source| {
        let bytes = &source.bytes;
        let at = symbol.name_span.start as usize;
        let start = memchr::memrchr(b'\n', bytes.get(..at)?).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
        Some(shown_line(&bytes[start..end], at - start))
    });
    let fqn = view.fqn(one.row.symbol);
    answer.matches.push(Match {
        match_id: match_id(&name, &view.record.path, line),
        project: reader.label(),
        file: view.record.path.clone(),
        origin: reader.origin(&view.record.path)?,
        line_number: line,
        line_type: symbol.kind.line_type(),
        term: name,
        text,
        place: None,
        nearness: Some(Nearness {
            score: (one.score * 1000.0).round() / 1000.0,
            symbol_id: view.symbol_id(one.row.symbol),
            fqn,
            because: one.because.clone(),
        }),
    });
    view.check()
}
