//! One file from disk: its bytes, stamp and language, or why it is left out.

use std::io::{ErrorKind, Read};

use codegraph_languages::Language;
use codegraph_model::FileFacts;
use sha2::{Digest, Sha256};

use crate::config::Filter;
use crate::stamp::{Seen, now_ns};
use crate::{Project, Reason};

const PROBED: usize = 8 << 10;

/// A file that can be indexed.
pub(crate) struct Source {
    pub(crate) bytes: Vec<u8>,
    /// As it was before reading.
    pub(crate) seen: Seen,
    pub(crate) read_ns: i64,
    pub(crate) hash: [u8; 32],
    pub(crate) language: &'static Language,
}

/// What came of reading a file.
pub(crate) enum Outcome<T> {
    Read(T),
    Skipped(Reason, Seen),
    /// No configured language claims its content; it may do so later.
    Unclaimed(Seen),
    Vanished,
}

/// Reads a file of the project. The stamp is taken before the bytes, so that a later change is never missed.
pub(crate) fn read(project: &Project, filter: &Filter, path: &str) -> Outcome<Source> {
    let now = now_ns();
    let file = match codegraph_files::open_below(project.root(), path) {
        Ok(file) => file,
        Err(error) => return unreadable(error, stamp(project, path)),
    };
    let seen = match file.metadata() {
        Ok(metadata) => Seen::settled(&metadata, now),
        Err(error) => return unreadable(error, Seen::ABSENT),
    };
    let limit = project.config().size_limit();
    if seen.size > limit {
        return Outcome::Skipped(Reason::TooLarge, seen);
    }
    let mut bytes = Vec::with_capacity(seen.size as usize + 1);
    if let Err(error) = file.take(limit + 1).read_to_end(&mut bytes) {
        return unreadable(error, seen);
    }
    if bytes.len() as u64 > limit {
        return Outcome::Skipped(Reason::TooLarge, seen);
    }
    // The file may have grown since: the size belongs to the bytes, the time stays the older one.
    taken(filter, path, bytes, seen, now)
}

/// A text that stands in for that of a file. It has no time that could be trusted.
pub(crate) fn written(filter: &Filter, path: &str, text: &[u8]) -> Outcome<Source> {
    taken(filter, path, text.to_vec(), Seen::ABSENT, now_ns())
}

fn taken(filter: &Filter, path: &str, bytes: Vec<u8>, seen: Seen, now: i64) -> Outcome<Source> {
    let seen = Seen { size: bytes.len() as u64, ..seen };
    if let Some(reason) = not_text(&bytes) {
        return Outcome::Skipped(reason, seen);
    }
    match codegraph_languages::detect(path, &bytes) {
        Some(language) if filter.language(language) => {
            let hash = Sha256::digest(&bytes).into();
            Outcome::Read(Source { bytes, seen, read_ns: now, hash, language })
        }
        _ => Outcome::Unclaimed(seen),
    }
}

/// The stamp of something that cannot be opened.
fn stamp(project: &Project, path: &str) -> Seen {
    let found = project.absolute(path).symlink_metadata();
    found.map_or(Seen::ABSENT, |metadata| Seen::settled(&metadata, now_ns()))
}

fn unreadable(error: std::io::Error, seen: Seen) -> Outcome<Source> {
    match error.kind() {
        // What is a link or no plain file now is not the file that was meant.
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput => Outcome::Vanished,
        _ => Outcome::Skipped(Reason::Unreadable(error.to_string()), seen),
    }
}

/// Whether the first part of a file shows that it is no text that we read.
fn not_text(bytes: &[u8]) -> Option<Reason> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some(Reason::Utf16);
    }
    let probe = &bytes[..bytes.len().min(PROBED)];
    let zeros = |parity: usize| probe.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    match (even, odd) {
        (0, 0) => None,
        // Latin text in two bytes per character has a zero in nearly every second place, and only there.
        (0, zeros) | (zeros, 0) if zeros * 10 >= probe.len() / 2 * 8 => Some(Reason::Utf16),
        _ => Some(Reason::Binary),
    }
}

/// Extracts a file. A panic is a defect of ours, but of this file only.
pub(crate) fn extract(source: &Source) -> Option<FileFacts> {
    let run = || codegraph_extract::extract(&source.bytes, source.language);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_binary_and_wide_text() {
        assert_eq!(not_text(b""), None);
        assert_eq!(not_text("x = 'ä'\r\n".as_bytes()), None);
        assert_eq!(not_text(b"\xef\xbb\xbfx = 1\n"), None);
        assert_eq!(not_text(b"caf\xe9 = 1\n"), None);
        assert_eq!(not_text(b"\x7fELF\0\0\0\x01\x02"), Some(Reason::Binary));
        assert_eq!(not_text(b"x\0 = 1"), Some(Reason::Binary));
        assert_eq!(not_text(b"\xff\xfex\0"), Some(Reason::Utf16));
        assert_eq!(not_text(b"x\0 \0=\0 \0y\0\n\0"), Some(Reason::Utf16));
        let late = [b"x = 1\n".repeat(PROBED), b"\0".to_vec()].concat();
        assert_eq!(not_text(&late), None);
    }
}
