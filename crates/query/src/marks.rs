//! What the index knows about places that were found in the text: the symbol around each, and what it stands in.

use codegraph_model::{LineType, Span, SymbolId, TermMask};
use codegraph_store::LineClass;
use rustc_hash::FxHashMap;

use crate::reader::FileView;
use crate::relation::{SymbolBrief, brief};
use crate::source::Source;
use crate::{Cancel, Reader, Remarks, Result, Window, paths, vocabulary};

/// A stretch of a line: columns in bytes from 0.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub line: u32,
    pub start: u32,
    pub end: u32,
}

/// What is known about a spot.
#[derive(Clone, Debug)]
pub struct Mark {
    pub line_type: LineType,
    /// The smallest symbol around it, if that is not the whole file.
    pub symbol: Option<SymbolBrief>,
    /// The symbol is named there.
    pub defines: bool,
}

/// What is known about the spots of a file.
pub enum Marked {
    Known(Vec<Mark>),
    /// The file is not what was indexed.
    Changed,
    NotIndexed,
}

/// By path: the lines on which a word is defined, and whether the whole word was asked for.
pub type DefinitionLines = FxHashMap<String, Vec<(u32, bool)>>;

/// Longer texts are not parsed for the sake of a hit.
const LONGEST_TEXT: usize = 1 << 20;

impl Reader {
    /// What is known about spots of a file.
    pub fn marks(&self, path: &str, spots: &[Spot]) -> Result<Marked> {
        let Some(record) = self.store.file_by_path(path)? else { return Ok(Marked::NotIndexed) };
        let Ok(source) = self.source(&record) else { return Ok(Marked::Changed) };
        let view = self.view(record.into())?;
        let mut kinds = Kinds { view: &view, source: &source, parsed: None };
        let mut marks = Vec::with_capacity(spots.len());
        for spot in spots {
            marks.push(kinds.mark(*spot)?);
        }
        view.check()?;
        Ok(Marked::Known(marks))
    }

    /// Where words are defined. A word comes with whether it was asked for as a whole.
    pub fn definitions_of(&self, words: &[(String, bool)]) -> Result<DefinitionLines> {
        let mut found = DefinitionLines::default();
        for (word, whole) in words {
            let Some(term) = self.store.term(word)? else { continue };
            if self.store.definers(term)?.is_empty() {
                continue;
            }
            for posting in self.store.postings(term)? {
                let lines = posting.lines.iter().filter(|line| line.mask.has(TermMask::DEF));
                let lines: Vec<_> = lines.map(|line| (line.line, *whole)).collect();
                if !lines.is_empty() {
                    found.entry(self.path(posting.file)?).or_default().extend(lines);
                }
            }
        }
        Ok(found)
    }

    /// Whether a file is one of a language for programs.
    pub fn is_code(&self, path: &str) -> bool {
        codegraph_languages::for_path(path).any(|language| !language.prose)
    }

    /// A path inside the project as the asker gives it, root-relative: from where the asker stands if it is there.
    pub fn inside(&self, given: &str) -> Result<String> {
        let here = format!("{}/{given}", self.folder);
        let stands_here = !self.folder.is_empty() && self.root().join(&here).symlink_metadata().is_ok();
        self.relative(if stands_here { &here } else { given })
    }

    /// How the question is called off.
    pub fn cancel(&self) -> Cancel {
        self.texts().cancel.clone()
    }
}

/// Whether a file holds tests, by the conventions of its name and folders.
pub fn is_test_path(path: &str) -> bool {
    paths::is_test(path)
}

/// Whether a file stands beside the product: examples, documents, other people's code, what a tool made.
pub fn is_aside_path(path: &str) -> bool {
    paths::is_aside(path)
}

impl Remarks {
    /// Names a file that the index knows in another state.
    pub fn name_stale(&mut self, path: &str) {
        self.stale(path);
    }
}

impl Window {
    /// The wanted part of a complete list.
    pub fn part<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        self.of(all)
    }

    /// Where to go on after this part of a list of `total`.
    pub fn go_on(&self, total: usize) -> Option<usize> {
        self.next(total)
    }
}

/// A line as answers show it: a long one is cut around what was found.
pub fn line_around(line: &[u8], found: usize) -> String {
    crate::source::shown_line(line, found)
}

/// Tells what the spots of a file stand in. The text is parsed only if its line has several kinds of text.
struct Kinds<'v> {
    view: &'v FileView<'v>,
    source: &'v Source,
    parsed: Option<Vec<(Span, TermMask)>>,
}

impl Kinds<'_> {
    fn mark(&mut self, spot: Spot) -> Result<Mark> {
        let facts = self.view.facts();
        let line = facts.line_starts.get(spot.line.wrapping_sub(1) as usize).copied().unwrap_or(facts.length);
        let span = Span::new(line.saturating_add(spot.start), line.saturating_add(spot.end));
        if let Some(named) = self.named(span) {
            let line_type = self.view.symbol(named).kind.line_type();
            return Ok(Mark { line_type, symbol: Some(brief(self.view, named)), defines: true });
        }
        let around = self.around(span).map(|id| brief(self.view, id));
        Ok(Mark { line_type: self.kind(spot, line, span)?, symbol: around, defines: false })
    }

    /// The symbol whose name the span touches.
    fn named(&self, span: Span) -> Option<SymbolId> {
        let touches = |name: Span| !name.is_empty() && name.start < span.end && span.start < name.end;
        self.view.symbols().skip(1).find(|(_, symbol)| touches(symbol.name_span)).map(|(id, _)| id)
    }

    fn around(&self, span: Span) -> Option<SymbolId> {
        let holds = |whole: Span| whole.start <= span.start && span.start < whole.end;
        let fits = self.view.symbols().skip(1).filter(|(_, symbol)| holds(symbol.span));
        fits.min_by_key(|(_, symbol)| symbol.span.len()).map(|(id, _)| id)
    }

    fn kind(&mut self, spot: Spot, line: u32, span: Span) -> Result<LineType> {
        match self.view.stored.classes.get(spot.line.wrapping_sub(1) as usize) {
            Some(LineClass::Comment) => return Ok(LineType::Comment),
            Some(LineClass::String) => return Ok(LineType::String),
            _ => {}
        }
        // Whatever begins a comment or a string has one of these in it.
        let before = self.source.slice(Span::new(line, span.end));
        if !before.iter().any(|byte| b"\"'`#/*;-<%=".contains(byte)) {
            return Ok(LineType::Code);
        }
        let documented = |doc: Span| doc.start <= span.start && span.start < doc.end;
        if self.view.symbols().any(|(_, symbol)| documented(symbol.doc)) {
            return Ok(LineType::Comment);
        }
        let parsed = self.parsed()?;
        let mask = parsed.iter().rev().find(|(part, _)| part.start <= span.start && span.start < part.end);
        Ok(match mask {
            Some((_, mask)) if mask.has(TermMask::COMMENT) => LineType::Comment,
            Some((_, mask)) if mask.has(TermMask::STRING) => LineType::String,
            _ => LineType::Code,
        })
    }

    fn parsed(&mut self) -> Result<&[(Span, TermMask)]> {
        if self.parsed.is_none() {
            let language = vocabulary::language(&self.view.record.language)?;
            let bytes = &self.source.bytes;
            let short = bytes.len() <= LONGEST_TEXT;
            let kinds = short.then(|| codegraph_extract::kinds_of_text(bytes, language)).flatten();
            self.parsed = Some(kinds.unwrap_or_default());
        }
        Ok(self.parsed.as_deref().unwrap_or_default())
    }
}
