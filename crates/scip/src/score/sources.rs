//! Lines of the source files, to count columns in bytes and to see what is called.

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;

use crate::types::PositionEncoding;
use regex::bytes::Regex;
use rustc_hash::FxHashMap;

/// An opening parenthesis, after type arguments or a mark at most.
static CALL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s-u)\A\s*(?:\?\.|!)?(?:(?:::)?<[^()]*>)?\s*\(").expect("the pattern is constant"));

/// The text of a file, cut into lines.
struct Text {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

/// The source files below a folder; a path has a number.
pub(crate) struct Sources {
    root: PathBuf,
    numbers: RefCell<FxHashMap<String, u32>>,
    paths: RefCell<Vec<Rc<str>>>,
    texts: RefCell<FxHashMap<u32, Option<Rc<Text>>>>,
}

impl Sources {
    pub(crate) fn new(root: &Path) -> Sources {
        Sources {
            root: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
            numbers: RefCell::default(),
            paths: RefCell::default(),
            texts: RefCell::default(),
        }
    }

    /// The number of a path in its shortest form; nothing for one that leads outside.
    pub(crate) fn number(&self, path: &str) -> Option<u32> {
        let path = normal(path)?;
        if let Some(number) = self.numbers.borrow().get(&path) {
            return Some(*number);
        }
        let number = self.paths.borrow().len() as u32;
        self.paths.borrow_mut().push(path.as_str().into());
        self.numbers.borrow_mut().insert(path, number);
        Some(number)
    }

    pub(crate) fn path(&self, number: u32) -> Rc<str> {
        Rc::clone(&self.paths.borrow()[number as usize])
    }

    fn text(&self, path: u32) -> Option<Rc<Text>> {
        if let Some(known) = self.texts.borrow().get(&path) {
            return known.clone();
        }
        let text = self.read(&self.path(path)).map(Rc::new);
        self.texts.borrow_mut().insert(path, text.clone());
        text
    }

    fn read(&self, path: &str) -> Option<Text> {
        let real = self.root.join(path).canonicalize().ok().filter(|real| real.starts_with(&self.root))?;
        let inside = real.strip_prefix(&self.root).ok()?.to_str()?;
        let bytes = codegraph_files::read_below(&self.root, inside, u32::MAX.into()).ok()?;
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Some(Text { bytes, starts })
    }

    pub(crate) fn exists(&self, path: u32) -> bool {
        self.text(path).is_some()
    }

    /// Does something with a line, if there is one.
    pub(crate) fn line<T>(&self, path: u32, number: u32, with: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let text = self.text(path)?;
        let start = *text.starts.get(number as usize)?;
        let end = text.starts.get(number as usize + 1).map_or(text.bytes.len(), |next| next - 1);
        Some(with(&text.bytes[start..end]))
    }

    /// A column in bytes, whatever it was counted in.
    pub(crate) fn byte_column(&self, path: u32, number: u32, column: u32, encoding: PositionEncoding) -> u32 {
        if encoding == PositionEncoding::Utf8 || column == 0 {
            return column;
        }
        self.line(path, number, |line| if line.is_ascii() { column } else { in_bytes(line, column, encoding) })
            .unwrap_or(column)
    }

    /// Whether what ends here is called.
    pub(crate) fn is_call(&self, path: u32, number: u32, end: u32) -> bool {
        self.line(path, number, |line| line.get(end as usize..).is_some_and(|rest| CALL.is_match(rest)))
            .unwrap_or(false)
    }

    /// A part of a line; what lies beyond its end is left out.
    pub(crate) fn part(&self, path: u32, number: u32, start: u32, end: u32) -> Vec<u8> {
        let cut = |line: &[u8]| {
            let end = (end as usize).min(line.len());
            line[(start as usize).min(end)..end].to_vec()
        };
        self.line(path, number, cut).unwrap_or_default()
    }
}

fn in_bytes(line: &[u8], column: u32, encoding: PositionEncoding) -> u32 {
    let text = String::from_utf8_lossy(line);
    if encoding == PositionEncoding::Utf32 {
        return text.chars().take(column as usize).map(|c| c.len_utf8() as u32).sum();
    }
    let (mut units, mut bytes) = (0, 0);
    for c in text.chars() {
        if units >= column {
            break;
        }
        units += c.len_utf16() as u32;
        // Half of a pair is shown as a replacement character.
        bytes += if units > column { 3 } else { c.len_utf8() as u32 };
    }
    bytes
}

/// A relative path without `.`, `..` and doubled slashes; nothing if it leads outside.
fn normal(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in Path::new(&path).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(normal("a/./b/../c"), Some("a/c".into()));
        assert_eq!((normal("../a"), normal("/etc/passwd"), normal("a/../../b")), (None, None, None));
    }

    #[test]
    fn columns_become_bytes() {
        let line = "ä🚀x".as_bytes();
        let utf16 = PositionEncoding::Utf16;
        let utf32 = PositionEncoding::Utf32;
        assert_eq!([1, 3, 4].map(|column| in_bytes(line, column, utf16)), [2, 6, 7]);
        assert_eq!([1, 2, 3].map(|column| in_bytes(line, column, utf32)), [2, 6, 7]);
    }

    #[test]
    fn calls_have_a_parenthesis() {
        for call in ["(", " (x)", "?.(x)", "::<Vec<u8>>()", "<T>()", "!("] {
            assert!(CALL.is_match(call.as_bytes()), "{call}");
        }
        assert!(!CALL.is_match(b".x()"));
    }
}
