//! Which symbols have a name, a qualified name, an id, a kind or a language.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::SymbolKind;
use codegraph_store::FileRecord;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::lookup::{self, Candidate, Wanted};
use crate::paths::{self, FileFilter};
use crate::recent::Recent;
use crate::select::explain_missing;
use crate::source::Source;
use crate::symbol::Place;
use crate::{Mode, Note, Reader, Remarks, Result, SymbolInfo, Window, nearest, vocabulary};

/// A question for symbols.
#[derive(Clone, Debug, Default)]
pub struct Find {
    /// A name, a qualified name or the end of one, `file:line`, an id or 8 and more digits of it; empty for all.
    pub name: String,
    pub mode: Mode,
    pub case_sensitive: bool,
    /// Native or normalized kinds.
    pub kinds: Vec<String>,
    pub languages: Vec<String>,
    pub file_filter: Option<String>,
    pub window: Window,
}

/// The symbols that fit.
#[derive(Clone, Debug, Serialize)]
pub struct FindAnswer {
    pub name: String,
    pub symbols: Vec<SymbolInfo>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers which symbols fit; those of the project first, then those of the linked ones.
pub fn find(reader: &Reader, question: &Find) -> Result<FindAnswer> {
    let mut answer = in_project(reader, question)?;
    for other in reader.linked() {
        let window = question.window.rest(answer.symbols.len(), answer.total);
        let found = in_project(other, &Find { window, ..question.clone() })?;
        answer.remarks.join(other, found.remarks, found.total > 0);
        answer.symbols.extend(found.symbols);
        answer.total += found.total;
    }
    answer.next_offset = question.window.next(answer.total);
    Ok(answer)
}

fn in_project(reader: &Reader, question: &Find) -> Result<FindAnswer> {
    let wanted = wanted(question)?;
    let name = question.name.trim();
    let mut found = match question.mode {
        _ if name.is_empty() && !unlimited(question) => Vec::new(),
        _ if name.is_empty() => lookup::all(reader, &wanted)?,
        Mode::Exact => lookup::by_selector(reader, &name.into(), question.case_sensitive, &wanted)?,
        mode => lookup::by_name(reader, name, mode, question.case_sensitive, &wanted)?,
    };
    own_first(reader, &mut found)?;
    let mut remarks = Remarks::of(reader);
    let shown = question.window.of(&found);
    let symbols = describe(reader, shown, &mut remarks)?;
    if found.is_empty() {
        explain(reader, question, name, &mut remarks)?;
        remarks.filtered(reader, question.file_filter.as_deref())?;
    }
    // A file is found as the module that it is; who names one wants to know what is in it.
    if let [one] = found.as_slice()
        && one.symbol.0 == 0
        && one.file.path.ends_with(name)
        && !name.is_empty()
    {
        remarks.note(Note::IsFile { file: one.file.path.clone() });
    }
    Ok(FindAnswer {
        name: question.name.clone(),
        symbols,
        total: found.len(),
        next_offset: question.window.next(found.len()),
        remarks,
    })
}

/// Among equals the product comes first, then tests and what stands aside, then what others or programs wrote.
fn own_first(reader: &Reader, found: &mut [Candidate]) -> Result<()> {
    let mut ranks: FxHashMap<u32, u8> = FxHashMap::default();
    for file in found.chunk_by(|a, b| a.file.id == b.file.id) {
        let path = &file[0].file.path;
        let rank = match reader.origin(path)? {
            Some(_) => 2,
            None => u8::from(paths::is_test(path) || paths::is_aside(path)),
        };
        ranks.insert(file[0].file.id.0, rank);
    }
    found.sort_by_key(|one| (one.rank, ranks[&one.file.id.0]));
    Ok(())
}

/// Names and places of some symbols whose name has a text in it, the likeliest first: what an editor lists while somebody
/// types. A text of a letter or two is looked for at the start of names only.
pub fn symbols_like(reader: &Reader, text: &str, most: usize) -> Result<Vec<ListedSymbol>> {
    const INSIDE: usize = 3;
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let inside = text.chars().count() >= INSIDE;
    let mut found = lookup::some_by_name(reader, text, inside, most)?;
    // What is written with its scopes is no name, but may be the end of one.
    if found.is_empty() {
        found = lookup::by_selector(reader, &text.into(), false, &Wanted::anything())?;
        found.truncate(most);
    }
    listed(reader, &found)
}

/// A symbol in a list of an editor.
#[derive(Clone, Debug)]
pub struct ListedSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The qualified name of the symbol around it.
    pub parent: Option<String>,
    pub file: Arc<FileRecord>,
    pub name_range: Place,
}

fn listed(reader: &Reader, found: &[Candidate]) -> Result<Vec<ListedSymbol>> {
    let views = Recent::default();
    let one = |found: &Candidate| {
        let view = views.get(found.file.id, || Ok(Rc::new(reader.view(found.file.clone())?)))?;
        let symbol = view.symbol(found.symbol);
        Ok(ListedSymbol {
            name: view.name(found.symbol).to_owned(),
            kind: symbol.kind,
            parent: symbol.parent.get().map(|parent| view.fqn(parent)),
            file: Arc::clone(&found.file),
            name_range: view.place(symbol.name_span),
        })
    };
    found.iter().map(one).collect()
}

/// A blank name matches nothing unless something else says what is wanted.
fn unlimited(question: &Find) -> bool {
    !question.kinds.is_empty() || !question.languages.is_empty() || question.file_filter.is_some()
}

fn wanted(question: &Find) -> Result<Wanted> {
    let mut kinds: Vec<SymbolKind> = Vec::new();
    for word in &question.kinds {
        kinds.extend(vocabulary::kinds(word)?);
    }
    let languages = question.languages.iter().map(|word| Ok(vocabulary::language(word)?.name));
    Ok(Wanted {
        files: FileFilter::new(question.file_filter.as_deref())?,
        kinds,
        languages: languages.collect::<Result<_>>()?,
    })
}

fn explain(reader: &Reader, question: &Find, name: &str, remarks: &mut Remarks) -> Result<()> {
    if name.is_empty() && !unlimited(question) {
        remarks.note(Note::Blank { what: "name" });
    }
    match question.mode {
        Mode::Exact if !name.is_empty() => explain_missing(reader, name, remarks),
        mode => {
            remarks.cover(reader, &[])?;
            if !name.is_empty() && mode != Mode::Regex {
                remarks.nearest = near(reader, name)?;
            }
            Ok(())
        }
    }
}

/// Names of symbols close to one that is not there; files, if it looks like one.
pub(crate) fn near(reader: &Reader, name: &str) -> Result<Vec<String>> {
    if codegraph_languages::for_path(name).next().is_some() {
        return nearest::files(reader, name);
    }
    let name = name.split_once('(').map_or(name, |(name, _)| name);
    let last = name.rsplit(['.', ':', '/', '\\', '#', ' ']).next().unwrap_or(name);
    nearest::terms(reader, last)
}

/// What answers show of candidates, one text read per file.
pub(crate) fn describe(reader: &Reader, found: &[Candidate], remarks: &mut Remarks) -> Result<Vec<SymbolInfo>> {
    let mut infos = Vec::with_capacity(found.len());
    let mut at = 0;
    while at < found.len() {
        let file = &found[at].file;
        let view = reader.view(file.clone())?;
        let origin = reader.origin(&file.path)?;
        let source: Option<Source> = reader.source(file).ok();
        if source.is_none() {
            remarks.stale(&file.path);
        }
        while at < found.len() && found[at].file.id == file.id {
            infos.push(SymbolInfo { origin, ..view.info(found[at].symbol, source.as_ref()) });
            at += 1;
        }
        view.check()?;
    }
    Ok(infos)
}
