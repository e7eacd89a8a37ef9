//! What a project is made of, for somebody who sees it for the first time: where it starts, its most used types, its
//! folders and its languages.

use std::collections::BTreeMap;

use codegraph_languages::Language;
use codegraph_model::{Flags, Symbol, SymbolId, SymbolKind};
use codegraph_store::{FileId, FileRecord, SymbolRow};
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
    let (starts, ranked) = survey(reader, &records)?;
    let mut entry_points = Vec::new();
    for (record, start) in starts.iter().take(question.entry_points) {
        let symbol = start.map(|id| describer.brief(SymbolRow::new(record.id, id))).transpose()?;
        entry_points.push(EntryPoint { file: record.path.clone(), symbol });
    }
    let mut main_types = Vec::new();
    for (used_by_files, row) in ranked.iter().take(question.main_types) {
        main_types.push(MainType { symbol: describer.brief(*row)?, used_by_files: *used_by_files });
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
        total_types: ranked.len(),
        main_types,
        folders: largest(all, question.folders),
        total_folders,
    })
}

type Starts<'r> = Vec<(&'r FileRecord, Option<SymbolId>)>;

/// Where programs start, and the types by how many other files refer to them.
fn survey<'r>(reader: &Reader, records: &'r [FileRecord]) -> Result<(Starts<'r>, Vec<(usize, SymbolRow)>)> {
    let (mut starts, mut ranked) = (Vec::new(), Vec::new());
    for record in records.iter().filter(|record| !is_test(&record.path)) {
        let language = vocabulary::language(&record.language)?;
        let users = reader.store.all_sources(record.id)?;
        if users.is_empty() && language.entries.functions.is_empty() && !starts_by_name(language, &record.path) {
            continue;
        }
        let view = reader.view(std::sync::Arc::new(record.clone()))?;
        let functions = language.entries.functions;
        let is_start =
            |id: SymbolId, symbol: &Symbol| may_start(symbol, view.facts()) && functions.contains(&view.name(id));
        let before = starts.len();
        starts.extend(view.symbols().filter(|(id, symbol)| is_start(*id, symbol)).map(|(id, _)| (record, Some(id))));
        if starts.len() == before && starts_by_name(language, &record.path) {
            starts.push((record, None));
        }
        rank(record.id, users, |id| view.symbol(id).kind, &mut ranked);
        view.check()?;
    }
    // What lies near the root is more likely to be what people start.
    starts.sort_by_key(|(record, id)| (record.path.matches('/').count(), &record.path, *id));
    ranked.sort_by_key(|(files, row)| (std::cmp::Reverse(*files), *row));
    Ok((starts, ranked))
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

fn rank(
    file: FileId,
    users: Vec<(SymbolId, FileId)>,
    kind: impl Fn(SymbolId) -> SymbolKind,
    ranked: &mut Vec<(usize, SymbolRow)>,
) {
    let mut files: BTreeMap<SymbolId, FxHashSet<FileId>> = BTreeMap::new();
    for (symbol, user) in users.into_iter().filter(|(_, user)| *user != file) {
        files.entry(symbol).or_default().insert(user);
    }
    let types = files.into_iter().filter(|(id, _)| {
        let kind = kind(*id);
        kind.is_type() && kind != SymbolKind::Impl && id.0 != 0
    });
    ranked.extend(types.map(|(id, users)| (users.len(), SymbolRow::new(file, id))));
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
