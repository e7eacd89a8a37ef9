//! Which files use which: of one file, of the whole project, and pairs that use each other.

use codegraph_model::FileId;
use codegraph_store::LinkTarget;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::paths::FileFilter;
use crate::{Reader, Remarks, Result, Window};

/// A question for dependencies between files.
#[derive(Clone, Debug, Default)]
pub struct Deps {
    /// A file; all files if not given.
    pub file: Option<String>,
    /// Only files that match.
    pub file_filter: Option<String>,
    /// Only pairs that use each other.
    pub mutual: bool,
    pub window: Window,
}

/// One file uses another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FileEdge {
    pub from: String,
    pub to: String,
    /// How many references there are.
    pub references: usize,
    /// How many there are in the other direction, for pairs that use each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<usize>,
}

/// Which files use which.
#[derive(Clone, Debug, Serialize)]
pub struct DepsAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// For one file: what it uses, then what uses it.
    pub edges: Vec<FileEdge>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers which files use which.
pub fn deps(reader: &Reader, question: &Deps) -> Result<DepsAnswer> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let (file, mut edges) = match &question.file {
        Some(path) => {
            let record = reader.file(path)?;
            (Some(record.path.clone()), around(reader, record.id)?)
        }
        None => (None, all(reader)?),
    };
    if question.mutual {
        edges = mutual(reader, edges)?;
    }
    let mut shown = Vec::with_capacity(edges.len());
    for ((from, to), (references, back)) in edges {
        let (from, to) = (reader.record(from)?.path.clone(), reader.record(to)?.path.clone());
        if filter.accepts(&from) || filter.accepts(&to) {
            shown.push(FileEdge { from, to, references, back });
        }
    }
    let incoming = |edge: &FileEdge| file.as_ref().is_some_and(|file| edge.from != *file);
    shown.sort_by(|a, b| (incoming(a), a).cmp(&(incoming(b), b)));
    Ok(DepsAnswer {
        edges: question.window.of(&shown).to_vec(),
        total: shown.len(),
        next_offset: question.window.next(shown.len()),
        file,
        remarks: Remarks::of(reader),
    })
}

type Edges = Vec<((FileId, FileId), (usize, Option<usize>))>;

/// The files that one file uses, with how often.
pub(crate) fn targets(reader: &Reader, file: FileId) -> Result<FxHashMap<FileId, usize>> {
    let links = reader.store.links(file)?;
    let mut found: FxHashMap<FileId, usize> = FxHashMap::default();
    for bound in &links.bound {
        if let LinkTarget::Symbol(row) = links.target(bound)
            && row.file != file
        {
            *found.entry(row.file).or_default() += 1;
        }
    }
    Ok(found)
}

fn around(reader: &Reader, file: FileId) -> Result<Edges> {
    let mut edges: Edges = targets(reader, file)?.into_iter().map(|(to, n)| ((file, to), (n, None))).collect();
    let mut sources: Vec<FileId> = reader.store.all_sources(file)?.into_iter().map(|(_, source)| source).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources.into_iter().filter(|source| *source != file) {
        let count = targets(reader, source)?.get(&file).copied().unwrap_or(0);
        edges.push(((source, file), (count, None)));
    }
    Ok(edges)
}

fn all(reader: &Reader) -> Result<Edges> {
    let mut edges = Vec::new();
    for file in reader.store.file_ids()? {
        edges.extend(targets(reader, file)?.into_iter().map(|(to, n)| ((file, to), (n, None))));
    }
    Ok(edges)
}

/// The pairs among some edges that use each other, each once.
fn mutual(reader: &Reader, edges: Edges) -> Result<Edges> {
    let known: FxHashMap<(FileId, FileId), usize> = edges.iter().map(|(pair, (n, _))| (*pair, *n)).collect();
    let mut pairs = Vec::new();
    for ((from, to), (references, _)) in edges {
        if let Some(back) = known.get(&(to, from)).copied()
            && reader.record(from)?.path < reader.record(to)?.path
        {
            pairs.push(((from, to), (references, Some(back))));
        }
    }
    Ok(pairs)
}
