//! The indexed files as a tree, down to a depth, with counts.

use std::sync::Arc;

use codegraph_store::FileRecord;
use serde::Serialize;

use crate::{Error, Reader, Remarks, Result, Window};

/// A question for a part of the file tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// A folder; the root if empty.
    pub path: String,
    /// How many levels below it; all if absent.
    pub depth: Option<usize>,
    pub include_stats: bool,
    pub window: Window,
}

/// A part of the file tree.
#[derive(Clone, Debug, Serialize)]
pub struct TreeAnswer {
    pub root: String,
    /// In path order, a folder before what is in it.
    pub entries: Vec<TreeEntry>,
    pub total: usize,
    pub files: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// What an entry of the tree is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    #[default]
    File,
    Directory,
}

/// A file or a folder. Counts of a folder are those of all files below it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TreeEntry {
    pub path: String,
    #[serde(rename = "type")]
    pub entry_type: EntryType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Files below a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_count: Option<u64>,
    /// Distinct terms of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method_count: Option<u64>,
    /// Seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_indexed: Option<i64>,
}

/// Answers with a part of the file tree.
pub fn tree(reader: &Reader, question: &Tree) -> Result<TreeAnswer> {
    let root = reader.inside(&question.path)?;
    let records = below(reader, &root)?;
    if records.is_empty() && !root.is_empty() {
        return Err(Error::UnknownFile { nearest: crate::nearest::files(reader, &root)?, path: root });
    }
    let nodes = nodes(&records, &root, question.depth.unwrap_or(usize::MAX));
    let mut entries = Vec::new();
    for node in question.window.of(&nodes) {
        entries.push(entry(reader, node, &records, question.include_stats)?);
    }
    Ok(TreeAnswer {
        root: if root.is_empty() { ".".into() } else { root },
        entries,
        total: nodes.len(),
        files: records.len(),
        next_offset: question.window.next(nodes.len()),
        remarks: Remarks::of(reader),
    })
}

/// The files below a folder, in the order of a tree: by path components.
fn below(reader: &Reader, root: &str) -> Result<Vec<Arc<FileRecord>>> {
    let prefix = if root.is_empty() { String::new() } else { format!("{root}/") };
    let files = reader.store.files()?.into_iter();
    let mut files: Vec<_> = files.filter(|f| f.path.starts_with(&prefix) || f.path == root).map(Arc::new).collect();
    files.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    Ok(files)
}

/// A folder with the range of its files, or one file.
struct Node {
    path: String,
    folder: bool,
    files: std::ops::Range<usize>,
}

fn nodes(records: &[Arc<FileRecord>], root: &str, depth: usize) -> Vec<Node> {
    let base = if root.is_empty() { 0 } else { root.split('/').count() };
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut parts_open: Vec<&str> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let parts: Vec<&str> = record.path.split('/').skip(base).collect();
        let folders = &parts[..parts.len().saturating_sub(1)];
        let same = parts_open.iter().zip(folders).take_while(|(a, b)| a == b).count();
        for closed in open.drain(same..) {
            nodes[closed].files.end = number;
        }
        parts_open.truncate(same);
        for (level, part) in folders.iter().enumerate().skip(same).take_while(|(level, _)| *level < depth) {
            parts_open.push(part);
            open.push(nodes.len());
            let path = record.path.split('/').take(base + level + 1).collect::<Vec<_>>().join("/");
            nodes.push(Node { path, folder: true, files: number..records.len() });
        }
        if folders.len() < depth {
            nodes.push(Node { path: record.path.clone(), folder: false, files: number..number + 1 });
        }
    }
    nodes
}

fn entry(reader: &Reader, node: &Node, records: &[Arc<FileRecord>], stats: bool) -> Result<TreeEntry> {
    let files = &records[node.files.clone()];
    let mut entry = TreeEntry {
        path: node.path.clone(),
        entry_type: if node.folder { EntryType::Directory } else { EntryType::File },
        language: (!node.folder).then(|| files[0].language.clone()),
        file_count: node.folder.then_some(files.len()),
        ..TreeEntry::default()
    };
    if !stats {
        return Ok(entry);
    }
    let sum = |count: fn(&FileRecord) -> u32| files.iter().map(|f| u64::from(count(f))).sum::<u64>();
    entry.line_count = Some(sum(|f| f.lines));
    entry.symbol_count = Some(sum(|f| f.symbols));
    if !node.folder {
        entry.item_count = Some(sum(|f| f.items));
        entry.method_count = Some(methods(reader, &files[0])?);
        entry.last_indexed = Some(files[0].indexed_at);
    }
    Ok(entry)
}

fn methods(reader: &Reader, record: &FileRecord) -> Result<u64> {
    let stored = reader.store.outline(record.id)?;
    Ok(stored.facts.symbols.iter().filter(|s| matches!(s.kind.entity(), Some("function" | "method"))).count() as u64)
}
