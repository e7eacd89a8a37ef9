//! The texts that the editor has open, saved or not.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::position::{Encoding, Lines, Range};

/// A text that is open.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) version: i64,
    pub(crate) text: Arc<[u8]>,
    pub(crate) lines: Lines,
}

/// A change of a text: a range of it, or all of it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

impl Document {
    pub(crate) fn new(version: i64, text: &str) -> Document {
        let text: Arc<[u8]> = text.as_bytes().into();
        let lines = Lines::of(&text);
        Document { version, text, lines }
    }

    /// The text after changes, each of which is about what the one before it left.
    pub(crate) fn changed(&self, version: i64, changes: &[Change], encoding: Encoding) -> Document {
        let mut text = self.text.to_vec();
        let mut lines = self.lines.clone();
        for change in changes {
            match change.range {
                None => text = change.text.clone().into_bytes(),
                Some(range) => {
                    let start = lines.offset(&text, range.start, encoding);
                    let end = lines.offset(&text, range.end, encoding);
                    text.splice(start.min(end)..end.max(start), change.text.bytes());
                }
            }
            lines = Lines::of(&text);
        }
        Document { version, text: text.into(), lines }
    }
}

/// All open texts by URI. A request keeps the state that it came in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents(BTreeMap<String, Arc<Document>>);

impl Documents {
    pub(crate) fn put(&mut self, uri: &str, document: Document) {
        self.0.insert(uri.to_owned(), Arc::new(document));
    }

    pub(crate) fn remove(&mut self, uri: &str) {
        self.0.remove(uri);
    }

    pub(crate) fn get(&self, uri: &str) -> Option<&Arc<Document>> {
        self.0.get(uri)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Arc<Document>)> {
        self.0.iter().map(|(uri, document)| (uri.as_str(), document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn change(start: (u32, u32), end: (u32, u32), text: &str) -> Change {
        let position = |(line, character)| Position { line, character };
        Change { range: Some(Range { start: position(start), end: position(end) }), text: text.to_owned() }
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let first = Document::new(1, "one\r\n😀 two\n");
        let changes = [change((1, 2), (1, 3), "-"), change((0, 3), (1, 0), "\n"), change((2, 0), (2, 0), "end")];
        let second = first.changed(2, &changes, Encoding::Utf16);
        assert_eq!(&*second.text, "one\n😀-two\nend".as_bytes());
        assert_eq!(second.lines, Lines::of(&second.text));
    }
}
