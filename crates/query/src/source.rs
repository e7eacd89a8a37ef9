//! The text of indexed files: read when an answer needs it, and only if it is what was indexed.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use codegraph_model::{Overlay, Span};
use codegraph_store::FileRecord;
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use crate::{Cancel, Error, Reader, Result};

/// How thoroughly a text is compared with what was indexed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// Size and time; the hash if the time differs.
    Stamp,
    /// The hash.
    Hash,
}

/// The bytes of a file as they were indexed.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) bytes: Arc<[u8]>,
}

impl Reader {
    /// The text of a file, if it is the one that was indexed.
    pub(crate) fn source(&self, record: &FileRecord, check: Check) -> Result<Source> {
        read(self.texts(), record, check).map(|bytes| Source { bytes: bytes.into() })
    }

    /// The bytes of a file, if they are what was indexed.
    pub fn text(&self, record: &FileRecord) -> Result<Vec<u8>> {
        read(self.texts(), record, Check::Stamp)
    }
}

/// Folders that are no links, remembered while many files are read.
#[derive(Default)]
pub(crate) struct Folders(RefCell<FxHashSet<PathBuf>>);

/// Where the texts of a project come from: its folder, and before that what is being written.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    pub(crate) root: PathBuf,
    pub(crate) overlay: Arc<Overlay>,
    pub(crate) cancel: Cancel,
}

impl Texts {
    pub(crate) fn of(root: &Path) -> Texts {
        Texts { root: root.to_owned(), overlay: Arc::default(), cancel: Cancel::default() }
    }
}

/// Reads a file and compares it with its record.
pub(crate) fn read(texts: &Texts, record: &FileRecord, check: Check) -> Result<Vec<u8>> {
    read_among(texts, record, check, &Folders::default())
}

/// The same for one of many files.
pub(crate) fn read_among(texts: &Texts, record: &FileRecord, check: Check, folders: &Folders) -> Result<Vec<u8>> {
    texts.cancel.check()?;
    if let Some(text) = texts.overlay.get(&record.path) {
        return Ok(text.to_vec());
    }
    let root = &texts.root;
    let path = root.join(&record.path);
    let unreadable = |e: std::io::Error| Error::Unreadable { path: record.path.clone().into(), reason: e.to_string() };
    inside(root, &path, &record.path, folders)?;
    let mut file = File::open(&path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() || found.len() != record.size {
        return Err(Error::Changed { path: record.path.clone() });
    }
    let mut bytes = Vec::with_capacity(found.len() as usize);
    file.read_to_end(&mut bytes).map_err(unreadable)?;
    let mtime = found.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map(|d| d.as_nanos() as i64);
    let trusted = check == Check::Stamp && mtime == Some(record.mtime_ns) && bytes.len() as u64 == record.size;
    if !trusted && <[u8; 32]>::from(Sha256::digest(&bytes)) != record.hash {
        return Err(Error::Changed { path: record.path.clone() });
    }
    Ok(bytes)
}

/// A link may have replaced a folder since the file was indexed: nothing outside the root is read.
fn inside(root: &Path, path: &Path, shown: &str, folders: &Folders) -> Result<()> {
    let linked = path
        .ancestors()
        .take_while(|part| *part != root && !folders.0.borrow().contains(*part))
        .any(|part| part.symlink_metadata().is_ok_and(|m| m.file_type().is_symlink()));
    if !linked {
        folders.0.borrow_mut().extend(path.parent().map(Path::to_owned));
        return Ok(());
    }
    let escapes = match (path.canonicalize(), root.canonicalize()) {
        (Ok(real), Ok(root)) => !real.starts_with(root),
        _ => true,
    };
    if escapes { Err(Error::OutsideProject(shown.to_owned())) } else { Ok(()) }
}

impl Source {
    /// The text of a span; out-of-range spans are cut.
    pub(crate) fn text(&self, span: Span) -> String {
        String::from_utf8_lossy(self.slice(span)).into_owned()
    }

    pub(crate) fn slice(&self, span: Span) -> &[u8] {
        slice(&self.bytes, span)
    }
}

/// The bytes of a span; out-of-range spans are cut.
pub(crate) fn slice(bytes: &[u8], span: Span) -> &[u8] {
    let end = (span.end as usize).min(bytes.len());
    &bytes[(span.start as usize).min(end)..end]
}

/// Walks to lines of one text without an index of all lines: cheap while the lines asked for ascend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCursor {
    /// Lines before `start`.
    passed: u32,
    start: usize,
}

impl LineCursor {
    /// The start and the bytes of a 1-based line, without its end. Going back starts over.
    pub(crate) fn line<'t>(&mut self, text: &'t [u8], line: u32) -> Option<(usize, &'t [u8])> {
        let before = line.checked_sub(1)?;
        if before < self.passed {
            *self = LineCursor::default();
        }
        while self.passed < before {
            self.start += memchr::memchr(b'\n', text.get(self.start..)?)? + 1;
            self.passed += 1;
        }
        let rest = text.get(self.start..)?;
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        Some((self.start, rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end])))
    }
}

const LONGEST_LINE: usize = 400;

/// A line as shown: at most a few hundred bytes around what was found, never cut inside a character.
pub(crate) fn shown_line(line: &[u8], found: usize) -> String {
    if line.len() <= LONGEST_LINE {
        return String::from_utf8_lossy(line).into_owned();
    }
    let boundary = |mut at: usize| {
        while at < line.len() && line[at] & 0xc0 == 0x80 {
            at += 1;
        }
        at
    };
    let start = boundary(found.saturating_sub(LONGEST_LINE / 2));
    let end = boundary((start + LONGEST_LINE).min(line.len()));
    let before = if start > 0 { "…" } else { "" };
    let after = if end < line.len() { "…" } else { "" };
    format!("{before}{}{after}", String::from_utf8_lossy(&line[start..end]))
}

/// Lower-case hex of SHA-256.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_forwards_and_backwards() {
        let mut cursor = LineCursor::default();
        let text = b"one\r\ntwo\n\nfour";
        let mut line = |number| cursor.line(text, number).map(|(start, line)| (start, line.to_vec()));
        assert_eq!(line(4), Some((10, b"four".to_vec())));
        assert_eq!(line(1), Some((0, b"one".to_vec())));
        assert_eq!(line(3), Some((9, Vec::new())));
        assert_eq!((line(5), line(0)), (None, None));
    }

    #[test]
    fn a_long_line_is_cut_around_the_match_between_characters() {
        let line = "ä".repeat(1000);
        let shown = shown_line(line.as_bytes(), 1001);
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.chars().count() == 202, "{shown}");
        assert_eq!(shown_line(b"short", 0), "short");
    }
}
