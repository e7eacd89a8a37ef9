//! The text of indexed files: read when an answer needs it, and only if it is what was indexed.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codegraph_model::{Overlay, Span};
use codegraph_store::FileRecord;
use sha2::{Digest, Sha256};

use crate::{Cancel, Error, Reader, Result};

/// The bytes of a file as they were indexed.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) bytes: Arc<[u8]>,
}

impl Reader {
    /// The text of a file, if it is the one that was indexed.
    pub(crate) fn source(&self, record: &FileRecord) -> Result<Source> {
        read(self.texts(), record).map(|bytes| Source { bytes: bytes.into() })
    }

    /// The bytes of a file, if they are what was indexed.
    pub fn text(&self, record: &FileRecord) -> Result<Vec<u8>> {
        read(self.texts(), record)
    }
}

/// The text of a file as it was indexed, or as it is being written.
pub fn file_text(reader: &Reader, file: &str) -> Result<Arc<[u8]>> {
    let record = reader.file(file)?;
    match reader.texts().overlay.get(&record.path) {
        Some(text) => Ok(Arc::clone(text)),
        None => Ok(reader.source(&record)?.bytes),
    }
}

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

/// Reads a file and compares it with its record. Size and times prove nothing: the content decides.
pub(crate) fn read(texts: &Texts, record: &FileRecord) -> Result<Vec<u8>> {
    texts.cancel.check()?;
    if let Some(text) = texts.overlay.get(&record.path) {
        return Ok(text.to_vec());
    }
    let root = &texts.root;
    let changed = || Error::Changed { path: record.path.clone() };
    let unreadable = |e: std::io::Error| Error::Unreadable { path: record.path.clone().into(), reason: e.to_string() };
    let file = codegraph_files::open_below(root, &record.path).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput if leads_out(root, &record.path) => Error::OutsideProject(record.path.clone()),
        ErrorKind::InvalidInput => changed(),
        _ => unreadable(error),
    })?;
    if file.metadata().map_err(unreadable)?.len() != record.size {
        return Err(changed());
    }
    let mut bytes = Vec::with_capacity(record.size as usize + 1);
    file.take(record.size + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    match <[u8; 32]>::from(Sha256::digest(&bytes)) == record.hash {
        true => Ok(bytes),
        false => Err(changed()),
    }
}

/// Whether a link took the place of the file, or of a folder around it, that leads out of the project.
fn leads_out(root: &Path, path: &str) -> bool {
    match (root.join(path).canonicalize(), root.canonicalize()) {
        (Ok(real), Ok(root)) => !real.starts_with(root),
        _ => true,
    }
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
