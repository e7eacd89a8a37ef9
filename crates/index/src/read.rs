//! One file from disk: its bytes, stamp and language, or why it is left out.

use std::fs::File;
use std::io::{ErrorKind, Read};

use codegraph_languages::{ALL, Language};
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
    let absolute = project.absolute(path);
    let now = now_ns();
    let seen = match absolute.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => Seen::of(&metadata).settled(now),
        Ok(_) => return Outcome::Vanished,
        Err(error) => return unreadable(error, Seen::ABSENT),
    };
    let limit = project.config().size_limit();
    if seen.size > limit {
        return Outcome::Skipped(Reason::TooLarge, seen);
    }
    let mut bytes = Vec::with_capacity(seen.size as usize + 1);
    let read = File::open(&absolute).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return unreadable(error, seen);
    }
    if bytes.len() as u64 > limit {
        return Outcome::Skipped(Reason::TooLarge, seen);
    }
    // The file may have grown since: the size belongs to the bytes, the time stays the older one.
    let seen = Seen { size: bytes.len() as u64, ..seen };
    if let Some(reason) = not_text(&bytes) {
        return Outcome::Skipped(reason, seen);
    }
    match language_of(path, &bytes) {
        Some(language) if filter.language(language) => {
            let hash = Sha256::digest(&bytes).into();
            Outcome::Read(Source { bytes, seen, read_ns: now, hash, language })
        }
        _ => Outcome::Unclaimed(seen),
    }
}

fn unreadable(error: std::io::Error, seen: Seen) -> Outcome<Source> {
    match error.kind() {
        ErrorKind::NotFound => Outcome::Vanished,
        _ => Outcome::Skipped(Reason::Unreadable(error.to_string()), seen),
    }
}

/// The language of a file by its name, its content, or the interpreter in its first line.
pub(crate) fn language_of(path: &str, bytes: &[u8]) -> Option<&'static Language> {
    codegraph_languages::detect(path, bytes).or_else(|| is_script_name(path).then(|| by_interpreter(bytes)).flatten())
}

/// A name without an extension: the first line may name an interpreter.
pub(crate) fn is_script_name(path: &str) -> bool {
    !path.rsplit('/').next().unwrap_or(path).contains('.')
}

/// `#!/usr/bin/env -S name -x` or `#!/bin/name3.12`.
pub(crate) fn by_interpreter(bytes: &[u8]) -> Option<&'static Language> {
    let line = bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let first = words.next()?;
    let name = match first {
        "env" => words.find(|word| !word.starts_with('-') && !word.contains('='))?,
        name => name,
    };
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let knows = |language: &&&Language| language.interpreters.iter().any(|own| *own == name || *own == plain);
    ALL.iter().find(knows).copied()
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

    #[test]
    fn an_interpreter_line_names_the_language() {
        let named = |line: &str| by_interpreter(line.as_bytes()).map(|language| language.name);
        for language in ALL.iter().filter(|language| !language.interpreters.is_empty()) {
            let own = language.interpreters[0];
            assert_eq!(named(&format!("#!/usr/bin/{own}\n")), Some(language.name));
            assert_eq!(named(&format!("#!/usr/bin/env -S X=1 {own}3.12 -u\n")), Some(language.name));
        }
        assert_eq!(named("#!/usr/bin/env nothing-we-know\n"), None);
        assert_eq!(named("no line of that kind\n"), None);
    }
}
