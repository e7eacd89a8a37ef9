//! The outlines of several files: of a glob, a folder or a list.

use serde::Serialize;
use std::sync::Arc;

use crate::paths::FileFilter;
use crate::signature::{SignatureAnswer, outline};
use crate::{Error, Note, Reader, Remarks, Result, Window};

/// Which files are wanted: the union of both.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    /// A glob or a folder.
    pub path: Option<String>,
    pub files: Vec<String>,
    pub window: Window,
}

/// Outlines in path order.
#[derive(Clone, Debug, Serialize)]
pub struct SignaturesAnswer {
    pub signatures: Vec<SignatureAnswer>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers with the outlines of all files that are meant.
pub fn signatures(reader: &Reader, question: &Signatures) -> Result<SignaturesAnswer> {
    let mut remarks = Remarks::of(reader);
    let mut paths: Vec<String> = Vec::new();
    if let Some(pattern) = &question.path {
        let is_glob = pattern.contains(['*', '?', '[', '{']);
        let inside = if is_glob { pattern.clone() } else { reader.inside(pattern)? };
        let filter = FileFilter::new(Some(&inside))?;
        paths.extend(reader.store.stamps()?.into_iter().map(|s| s.path).filter(|path| filter.accepts(path)));
    }
    for file in &question.files {
        match reader.known_file(file)? {
            Some(record) => paths.push(record.path.clone()),
            None => remarks.note(Note::NotIndexed { file: file.clone() }),
        }
    }
    paths.sort_unstable();
    paths.dedup();
    let mut signatures = Vec::new();
    for path in question.window.of(&paths) {
        let Some(record) = reader.store.file_by_path(path)? else {
            continue;
        };
        match outline(reader, Arc::new(record)) {
            Ok(mut signature) => {
                signature.remarks = Remarks::default();
                signatures.push(signature);
            }
            Err(Error::Changed { .. } | Error::Unreadable { .. } | Error::OutsideProject(_)) => remarks.stale(path),
            Err(other) => return Err(other),
        }
    }
    if paths.is_empty() {
        remarks.cover(reader, &[])?;
    }
    Ok(SignaturesAnswer { signatures, total: paths.len(), next_offset: question.window.next(paths.len()), remarks })
}
