//! What a project is made of, for somebody who sees it for the first time: where it starts, its most used types, its
//! folders and its languages.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_model::{Flags, Symbol, SymbolId, SymbolKind};
use codegraph_store::{FileRecord, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::graph::Graph;
use crate::paths::is_test;
use crate::relation::{Describer, SymbolBrief};
use crate::{LanguageCount, Reader, Result, vocabulary};

/// How much is shown of each part.
#[derive(Clone, Copy, Debug)]
pub struct Overview {
    pub entry_points: usize,
    pub main_types: usize,
    pub folders: usize,
}

impl Default for Overview {
    fn default() -> Overview {
        Overview { entry_points: 20, main_types: 25, folders: 40 }
    }
}

/// A place where a program starts.
#[derive(Clone, Debug, Serialize)]
pub struct EntryPoint {
    pub file: String,
    /// The function; absent where the file itself is the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolBrief>,
}

/// A type that others use.
#[derive(Clone, Debug, Serialize)]
pub struct MainType {
    pub symbol: SymbolBrief,
    /// Other files that refer to it.
    pub used_by_files: usize,
}

/// A folder and what is below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FolderCount {
    pub path: String,
    pub files: usize,
    /// The language of most of its files.
    pub language: String,
}

/// What a project is made of.
#[derive(Clone, Debug, Serialize)]
pub struct OverviewAnswer {
    pub files: u64,
    pub lines: u64,
    /// The largest first.
    pub languages: Vec<LanguageCount>,
    pub entry_points: Vec<EntryPoint>,
    pub total_entry_points: usize,
    /// The most used first.
    pub main_types: Vec<MainType>,
    /// All types, used or not.
    pub total_types: usize,
    /// In path order.
    pub folders: Vec<FolderCount>,
    pub total_folders: usize,
}

/// Answers what a project is made of. Tests are part of it but not what it is about: they start nothing here and their
/// types are not ranked.
pub fn overview(reader: &Reader, question: &Overview) -> Result<OverviewAnswer> {
    let records = reader.store.files()?;
    let statistics = reader.store.statistics()?;
    let graph = Graph::new(reader);
    let mut describer = Describer::new(&graph);
    let starts = starts(reader, &records)?;
    let mut entry_points = Vec::new();
    for (record, start) in starts.iter().take(question.entry_points) {
        let symbol = start.map(|id| describer.brief(SymbolRow::new(record.id, id))).transpose()?;
        entry_points.push(EntryPoint { file: record.path.clone(), symbol });
    }
    let mut ranked = Vec::new();
    for (used_by_files, row) in main_types(reader, &records, question.main_types)? {
        ranked.push(MainType { symbol: describer.brief(row)?, used_by_files });
    }
    let all = folders(&records);
    let total_folders = all.len();
    let languages = statistics.languages.into_iter();
    let languages = languages.map(|(language, files, bytes)| LanguageCount { language, files, bytes });
    let mut languages: Vec<LanguageCount> = languages.collect();
    languages.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.language.cmp(&b.language)));
    Ok(OverviewAnswer {
        files: statistics.files,
        lines: statistics.lines,
        languages,
        total_entry_points: starts.len(),
        entry_points,
        total_types: statistics.types as usize,
        main_types: ranked,
        folders: largest(all, question.folders),
        total_folders,
    })
}

type Starts<'r> = Vec<(&'r FileRecord, Option<SymbolId>)>;

/// Where programs start. Only files that define a function with such a name are looked into.
fn starts<'r>(reader: &Reader, records: &'r [FileRecord]) -> Result<Starts<'r>> {
    let mut definers = FxHashSet::default();
    let names: BTreeSet<&str> = codegraph_languages::ALL.iter().flat_map(|l| l.entries.functions).copied().collect();
    for term in names.into_iter().map(|name| reader.store.term(name)) {
        definers.extend(term?.map_or(Ok(Vec::new()), |term| reader.store.definers(term))?);
    }
    let mut starts = Vec::new();
    for record in records.iter().filter(|record| !is_test(&record.path)) {
        let language = vocabulary::language(&record.language)?;
        let before = starts.len();
        if definers.contains(&record.id) {
            let view = reader.view(Arc::new(record.clone()))?;
            let functions = language.entries.functions;
            let is_start =
                |id: SymbolId, symbol: &Symbol| may_start(symbol, view.facts()) && functions.contains(&view.name(id));
            starts
                .extend(view.symbols().filter(|(id, symbol)| is_start(*id, symbol)).map(|(id, _)| (record, Some(id))));
            view.check()?;
        }
        if starts.len() == before && starts_by_name(language, &record.path) {
            starts.push((record, None));
        }
    }
    // What lies near the root is more likely to be what people start.
    starts.sort_by_key(|(record, id)| (record.path.matches('/').count(), &record.path, *id));
    Ok(starts)
}

/// The types that most other files refer to. What something is is looked up from the most used on, until there are enough.
fn main_types(reader: &Reader, records: &[FileRecord], most: usize) -> Result<Vec<(usize, SymbolRow)>> {
    let mut used = Vec::new();
    for record in records.iter().filter(|record| !is_test(&record.path)) {
        let mut pairs = reader.store.all_sources(record.id)?;
        pairs.retain(|(symbol, user)| *user != record.id && symbol.0 != 0);
        pairs.sort_unstable();
        pairs.dedup();
        let runs = pairs.chunk_by(|a, b| a.0 == b.0);
        used.extend(runs.map(|run| (run.len(), SymbolRow::new(record.id, run[0].0))));
    }
    used.sort_unstable_by_key(|(files, row)| (Reverse(*files), *row));
    let mut types = Vec::new();
    for (files, row) in used {
        if types.len() == most {
            break;
        }
        let kind = reader.outline(row.file)?.facts.symbols.get(row.symbol.index()).map(|symbol| symbol.kind);
        if kind.is_some_and(|kind| kind.is_type() && kind != SymbolKind::Impl) {
            types.push((files, row));
        }
    }
    Ok(types)
}

fn may_start(symbol: &Symbol, facts: &codegraph_model::FileFacts) -> bool {
    let parent = symbol.parent.get().map(|parent| &facts.symbols[parent.index()]);
    let free = parent.is_none_or(|parent| !parent.kind.is_type() && parent.kind != SymbolKind::Function);
    match symbol.kind {
        SymbolKind::Function => free && !symbol.flags.has(Flags::DECLARATION),
        SymbolKind::Method => symbol.flags.has(Flags::STATIC),
        _ => false,
    }
}

/// A file near the root with a name that runners look for.
fn starts_by_name(language: &Language, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let near = path.matches('/').count() < 2 || stem.starts_with("__");
    near && language.entries.files.iter().any(|own| *own == name || *own == stem)
}

/// All folders, two levels deep, with what is below each.
fn folders(records: &[FileRecord]) -> Vec<FolderCount> {
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for record in records {
        let ends = record.path.match_indices('/').take(2);
        for (end, _) in ends {
            *counts.entry(&record.path[..end]).or_default().entry(&record.language).or_default() += 1;
        }
    }
    let row = |(path, languages): (&str, BTreeMap<&str, usize>)| {
        let most = languages.iter().max_by_key(|(name, files)| (**files, std::cmp::Reverse(**name)));
        FolderCount {
            path: path.to_owned(),
            files: languages.values().sum(),
            language: most.map_or_else(String::new, |(name, _)| (*name).to_owned()),
        }
    };
    counts.into_iter().map(row).collect()
}

/// The largest folders, each after the one that it is in, in path order.
fn largest(mut all: Vec<FolderCount>, most: usize) -> Vec<FolderCount> {
    all.sort_by(|a, b| {
        let depth = |folder: &FolderCount| folder.path.matches('/').count();
        depth(a).cmp(&depth(b)).then_with(|| b.files.cmp(&a.files)).then_with(|| a.path.cmp(&b.path))
    });
    all.truncate(most);
    all.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    all
}
