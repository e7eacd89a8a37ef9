//! Syntax nodes of a kind in many files: parsed on demand, in parallel, until enough are found.

use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_model::Span;
use codegraph_store::FileRecord;
use rayon::prelude::*;
use serde::Serialize;

use crate::paths::FileFilter;
use crate::source::{self, LineCursor, Texts, shown_line, slice};
use crate::symbol::{Place, match_id};
use crate::{Error, Reader, Remarks, Result, Window, nearest, vocabulary};

/// A question for syntax nodes.
#[derive(Clone, Debug, Default)]
pub struct FindAst {
    /// A node kind of some grammar, such as `if_expression`.
    pub kind: String,
    pub file_filter: Option<String>,
    pub languages: Vec<String>,
    /// Search all files for a complete count.
    pub count: bool,
    pub window: Window,
}

/// Syntax nodes in path order.
#[derive(Clone, Debug, Serialize)]
pub struct FindAstAnswer {
    pub kind: String,
    pub nodes: Vec<FoundNode>,
    /// Nodes found in the files that were searched.
    pub total: usize,
    /// Whether all files were searched, so that `total` is all there is.
    pub complete: bool,
    pub files_searched: usize,
    pub files_to_search: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A node and where it stands.
#[derive(Clone, Debug, Serialize)]
pub struct FoundNode {
    pub match_id: String,
    pub span_id: String,
    pub file: String,
    pub id: u32,
    pub parent_id: Option<u32>,
    pub kind: &'static str,
    #[serde(flatten)]
    pub place: Place,
    /// Its first line.
    pub text: String,
}

/// Files parsed before looking whether enough was found.
const BATCH: usize = 64;

/// Answers where nodes of a kind are.
pub fn find_ast(reader: &Reader, question: &FindAst) -> Result<FindAstAnswer> {
    let files = files(reader, question)?;
    let enough = question.window.offset.saturating_add(question.window.limit).saturating_add(1);
    let mut found: Vec<FoundNode> = Vec::new();
    let mut remarks = Remarks::of(reader);
    let mut searched = 0;
    let texts = reader.texts();
    for batch in files.chunks(BATCH) {
        let results: Vec<_> = batch.par_iter().map(|file| nodes_of(texts, file, &question.kind)).collect();
        searched += batch.len();
        for (result, (record, _)) in results.into_iter().zip(batch) {
            match result {
                Ok(nodes) => found.extend(nodes),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(_) => remarks.stale(&record.path),
            }
        }
        if found.len() >= enough && !question.count {
            break;
        }
    }
    if found.is_empty() {
        remarks.cover(reader, &[])?;
    }
    let complete = searched == files.len();
    Ok(FindAstAnswer {
        kind: question.kind.clone(),
        nodes: question.window.of(&found).to_vec(),
        total: found.len(),
        complete,
        files_searched: searched,
        files_to_search: files.len(),
        next_offset: question.window.next(found.len()),
        remarks,
    })
}

type Parsable = (Arc<FileRecord>, &'static Language);

/// The files whose language has nodes of this kind.
fn files(reader: &Reader, question: &FindAst) -> Result<Vec<Parsable>> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let asked = question.languages.iter().map(|word| vocabulary::language(word)).collect::<Result<Vec<_>>>()?;
    let speakers = speakers(&question.kind)?;
    let mut files = Vec::new();
    for record in reader.store.files()? {
        let language = speakers.iter().copied().find(|language| language.name == record.language);
        let wanted = asked.is_empty() || asked.iter().any(|language| language.name == record.language);
        if let Some(language) = language.filter(|_| wanted && filter.accepts(&record.path)) {
            files.push((Arc::new(record), language));
        }
    }
    Ok(files)
}

/// The languages whose grammar has a node kind; an unknown kind is an error with the closest ones.
fn speakers(kind: &str) -> Result<Vec<&'static Language>> {
    let all = codegraph_languages::ALL.iter().copied();
    let has = |language: &&'static Language| {
        let grammar = (language.grammar)();
        kind == "ERROR" || grammar.id_for_node_kind(kind, true) != 0 || grammar.id_for_node_kind(kind, false) != 0
    };
    let found: Vec<_> = all.filter(has).collect();
    if found.is_empty() {
        let kinds: Vec<String> = codegraph_languages::ALL.iter().flat_map(|language| kinds_of(language)).collect();
        let near = nearest::words(kind, kinds.iter().map(String::as_str));
        return Err(Error::UnknownNode { kind: kind.to_owned(), nearest: near });
    }
    Ok(found)
}

fn kinds_of(language: &Language) -> Vec<String> {
    let grammar = (language.grammar)();
    let named = |id: &u16| grammar.node_kind_is_named(*id) && grammar.node_kind_is_visible(*id);
    let ids = (0..grammar.node_kind_count() as u16).filter(named);
    ids.filter_map(|id| grammar.node_kind_for_id(id).map(str::to_owned)).collect()
}

fn nodes_of(texts: &Texts, (record, language): &Parsable, kind: &str) -> Result<Vec<FoundNode>> {
    let bytes = source::read(texts, record)?;
    let nodes = codegraph_extract::ast(&bytes, language);
    let starts: Vec<u32> = std::iter::once(0).chain(memchr::memchr_iter(b'\n', &bytes).map(|i| i as u32 + 1)).collect();
    let position = |at: u32| {
        let line = starts.partition_point(|start| *start <= at).max(1) as u32;
        (line, at - starts[line as usize - 1])
    };
    let found = nodes.iter().filter(|node| node.kind == kind).map(|node| {
        let span = Span::new(node.start, node.end);
        let (start_line, start_col) = position(span.start);
        let (end_line, end_col) = position(span.end);
        let (byte_start, byte_end) = (span.start, span.end);
        let place = Place { byte_start, byte_end, start_line, start_col, end_line, end_col, even: false };
        let line = LineCursor::default().line(slice(&bytes, span), 1);
        FoundNode {
            match_id: match_id(kind, &record.path, span.start),
            span_id: codegraph_store::span_id(&record.path, span.start, span.end),
            file: record.path.clone(),
            id: node.id,
            parent_id: node.parent,
            kind: node.kind,
            place,
            text: line.map(|(_, line)| shown_line(line, 0)).unwrap_or_default(),
        }
    });
    Ok(found.collect())
}
