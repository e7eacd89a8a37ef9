//! What a request is answered from: the open texts and the folders as they were when it came.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use codegraph_model::Overlay;
use codegraph_query::{Cancel, Definition, Error, FilePlace, Place, Selector, file_text};
use codegraph_runtime::{Request, Served, Session};
use serde_json::{Value, json};

use crate::documents::{Document, Documents};
use crate::folders::{Folder, Folders};
use crate::position::{Encoding, Lines, Position, Range, place};
use crate::protocol::{Location, Refused};
use crate::uri;

/// The state that a request came in.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) documents: Arc<Documents>,
    pub(crate) folders: Arc<Folders>,
    pub(crate) encoding: Encoding,
    pub(crate) cancel: Cancel,
    /// The client renames files when it is told so.
    pub(crate) moves_files: bool,
}

/// How much of what is not saved a question is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    All,
    /// All but the text that is asked about: the question brings that one itself.
    Others,
}

impl Snapshot {
    /// Asks about a text. Nothing is known about one that is in no index.
    pub(crate) fn about<T>(
        &self,
        uri: &str,
        texts: Texts,
        question: impl Fn(&Asked<'_>) -> anyhow::Result<T>,
    ) -> Result<Option<T>, Refused> {
        let found = uri::to_path(uri).and_then(|path| self.folders.of(&path));
        let Some((folder, file)) = found else { return Ok(None) };
        self.ask(&folder, &file, texts, question)
    }

    /// Does something that asks more than once.
    pub(crate) fn work<T>(
        &self,
        uri: &str,
        work: impl Fn(&Served, &Request) -> anyhow::Result<T>,
    ) -> Result<Option<T>, Refused> {
        let found = uri::to_path(uri).and_then(|path| self.folders.of(&path));
        let Some((folder, served)) = found.and_then(|(folder, _)| Some((Arc::clone(&folder), folder.served()?))) else {
            return Ok(None);
        };
        let mut overlay = Overlay::default();
        for (path, document) in self.open_in(&folder) {
            overlay.put(path, Arc::clone(&document.text));
        }
        let request = Request { overlay: Arc::new(overlay), cancel: self.cancel.clone(), ..Request::default() };
        Ok(Some(work(&served, &request)?))
    }

    /// Asks each folder in turn.
    pub(crate) fn everywhere<T>(&self, question: impl Fn(&Asked<'_>) -> anyhow::Result<T>) -> Result<Vec<T>, Refused> {
        let mut answers = Vec::new();
        for folder in self.folders.all() {
            answers.extend(self.ask(&folder, "", Texts::All, &question)?);
        }
        Ok(answers)
    }

    fn ask<T>(
        &self,
        folder: &Arc<Folder>,
        file: &str,
        texts: Texts,
        question: impl Fn(&Asked<'_>) -> anyhow::Result<T>,
    ) -> Result<Option<T>, Refused> {
        let Some((served, partial)) = folder.asked() else { return Ok(None) };
        let open = self.open_in(folder);
        let mut overlay = Overlay::default();
        for (path, document) in &open {
            if texts == Texts::All || path != file {
                overlay.put(path.as_str(), Arc::clone(&document.text));
            }
        }
        let request = Request { overlay: Arc::new(overlay), cancel: self.cancel.clone(), ..Request::default() };
        let answer = served.ask_with(&request, |session| {
            let (read, named) = (RefCell::default(), RefCell::default());
            question(&Asked { session, folder, file, open: &open, encoding: self.encoding, partial, read, named })
        });
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if is_unknown(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn open_in(&self, folder: &Folder) -> BTreeMap<String, Arc<Document>> {
        let inside = |(uri, document): (&str, &Arc<Document>)| {
            let file = uri::to_path(uri).and_then(|path| folder.relative(&path))?;
            Some((file, Arc::clone(document)))
        };
        self.documents.iter().filter_map(inside).collect()
    }
}

/// A stretch of text with the columns of the index.
fn in_index(place: &Place) -> Range {
    Range {
        start: Position { line: place.start_line.saturating_sub(1), character: place.start_col },
        end: Position { line: place.end_line.saturating_sub(1), character: place.end_col },
    }
}

/// A file that is not indexed, or a place that it does not have: no error in an editor.
fn is_unknown(error: &anyhow::Error) -> bool {
    use Error::{Beyond, Changed, OutsideProject, UnknownFile, Unreadable};
    let unknown = |error: &Error| {
        matches!(error, UnknownFile { .. } | Beyond { .. } | OutsideProject(_) | Changed { .. } | Unreadable { .. })
    };
    error.downcast_ref().is_some_and(unknown)
}

/// A question under way.
pub(crate) struct Asked<'a> {
    pub(crate) session: &'a Session<'a>,
    folder: &'a Folder,
    /// The file that is asked about.
    pub(crate) file: &'a str,
    open: &'a BTreeMap<String, Arc<Document>>,
    encoding: Encoding,
    /// The project is being indexed: only the open texts are known.
    pub(crate) partial: bool,
    /// Texts that answers lead to.
    read: RefCell<BTreeMap<String, Option<Arc<Text>>>>,
    /// The file that was named last, and its URI: lists name one many times in a row.
    named: RefCell<Option<(String, Arc<str>)>>,
}

/// A text and its lines.
pub(crate) struct Text {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) lines: Lines,
}

impl Asked<'_> {
    /// The text of a file; none if it is not what was indexed.
    pub(crate) fn text(&self, file: &str) -> Option<Arc<Text>> {
        if let Some(known) = self.read.borrow().get(file) {
            return known.clone();
        }
        let text = match self.open.get(file) {
            Some(document) => Some(Text { bytes: Arc::clone(&document.text), lines: document.lines.clone() }),
            None => file_text(self.session, file).ok().map(|bytes| Text { lines: Lines::of(&bytes), bytes }),
        };
        let text = text.map(Arc::new);
        self.read.borrow_mut().insert(file.to_owned(), text.clone());
        text
    }

    /// The open text that is asked about, as it is being written.
    pub(crate) fn written(&self) -> Option<String> {
        let document = self.open.get(self.file)?;
        Some(String::from_utf8_lossy(&document.text).into_owned())
    }

    /// A position in the file that is asked about.
    pub(crate) fn place(&self, position: Position) -> anyhow::Result<FilePlace> {
        let unknown = || Error::UnknownFile { path: self.file.to_owned(), nearest: Vec::new() };
        let text = self.text(self.file).ok_or_else(unknown)?;
        let offset = text.lines.offset(&text.bytes, position, self.encoding);
        Ok(place(self.file, &text.bytes, offset))
    }

    pub(crate) fn selector(&self, position: Position) -> anyhow::Result<Selector> {
        Ok(Selector::Place(self.place(position)?))
    }

    /// A stretch of a file. Where the text cannot be read, columns are those of the index.
    pub(crate) fn range(&self, file: &str, place: &Place) -> Range {
        // Columns of the index are bytes, and often characters too.
        if (place.even || self.encoding == Encoding::Utf8) && !self.open.contains_key(file) {
            return in_index(place);
        }
        match self.text(file) {
            Some(text) => Range {
                start: text.lines.position(&text.bytes, place.byte_start, self.encoding),
                end: text.lines.position(&text.bytes, place.byte_end, self.encoding),
            },
            None => in_index(place),
        }
    }

    /// A stretch of the file that is asked about.
    pub(crate) fn own_range(&self, place: &Place) -> Range {
        self.range(self.file, place)
    }

    pub(crate) fn uri(&self, file: &str) -> Arc<str> {
        let mut named = self.named.borrow_mut();
        if named.as_ref().is_none_or(|(last, _)| last != file) {
            *named = None;
        }
        let (_, uri) = named.get_or_insert_with(|| (file.to_owned(), self.folder.uri(file).into()));
        Arc::clone(uri)
    }

    pub(crate) fn location(&self, file: &str, place: &Place) -> Location {
        Location { uri: self.uri(file), range: self.range(file, place) }
    }

    /// A definition as an item of a hierarchy.
    pub(crate) fn item(&self, definition: &Definition) -> Value {
        let whole = self.range(&definition.file, &definition.full_range);
        let name = self.range(&definition.file, &definition.range);
        // The protocol wants the name inside.
        let whole = Range { start: whole.start.min(name.start), end: whole.end.max(name.end) };
        json!({
            "name": definition.name,
            "kind": crate::kinds::named(definition.kind),
            "detail": definition.fqn.as_deref().unwrap_or(&definition.file),
            "uri": &*self.uri(&definition.file),
            "range": whole,
            "selectionRange": name,
        })
    }
}
