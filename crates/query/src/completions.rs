//! What could be written at a place: members of what stands before a dot, else the names that are visible there. The
//! text is read again with a name at the cursor, so that it need not be complete there.

use codegraph_extract::extract;
use codegraph_languages::Language;
use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{FileFacts, FileId, Problem, RefId, SymbolKind, TermMask};
use codegraph_resolve::{Linker, Offer, Offers, Origin, Program, Target, Thing};
use codegraph_store::SymbolRow;
use serde::{Serialize, Serializer};

use crate::ast::offset_in;
use crate::reader::FileView;
use crate::source::Source;
use crate::words::is_word_byte;
use crate::{FilePlace, NameKind, Note, Reader, Remarks, Result, Window, vocabulary};

/// A question for what could be written at a place.
#[derive(Clone, Debug, Default)]
pub struct Completions {
    /// Without a column, the end of the line.
    pub place: FilePlace,
    /// The text of the file as it is being written, instead of the one on disk.
    pub text: Option<String>,
    pub window: Window,
}

/// What could be written at a place, the likeliest first.
#[derive(Clone, Debug, Serialize)]
pub struct CompletionsAnswer {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// What is written already.
    pub prefix: String,
    /// Something stands before it: members only.
    pub member: bool,
    pub completions: Vec<Completion>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A name that could be written.
#[derive(Clone, Debug, Serialize)]
pub struct Completion {
    pub label: String,
    pub kind: NameKind,
    /// Its signature, or where an import comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where it comes from: local, member, inherited, file, import, module, language.
    #[serde(serialize_with = "origin")]
    pub origin: Origin,
    /// Where its name stands, if it is a symbol whose file is as it was indexed.
    #[serde(skip)]
    pub place: Option<FilePlace>,
}

/// Answers what could be written at a place.
pub fn completions(reader: &Reader, question: &Completions) -> Result<CompletionsAnswer> {
    let FilePlace { file, line, column } = &question.place;
    let (line, column) = (*line, *column);
    let record = reader.file(file)?;
    let view = reader.view(record)?;
    let text = match &question.text {
        Some(text) => text.clone().into_bytes(),
        None => reader.source(&view.record)?.bytes.to_vec(),
    };
    let cursor = cursor(&view, &text, line, column)?;
    let start = cursor - text[..cursor].iter().rev().take_while(|byte| is_word_byte(**byte)).count();
    let prefix = String::from_utf8_lossy(&text[start..cursor]).into_owned();
    let line_start = text[..cursor].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut answer = CompletionsAnswer {
        file: view.record.path.clone(),
        line,
        column: (cursor - line_start) as u32,
        prefix,
        member: false,
        completions: Vec::new(),
        total: 0,
        next_offset: None,
        remarks: Remarks::of(reader),
    };
    let language = vocabulary::language(&view.record.language)?;
    on_deep_stack(|| {
        fill(reader, question, &Written { file: view.record.id, language, text, start, cursor }, &mut answer)
    })?;
    Ok(answer)
}

/// The offset of the cursor in the text.
fn cursor(view: &FileView<'_>, text: &[u8], line: u32, column: Option<u32>) -> Result<usize> {
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1));
    let facts = FileFacts { line_starts: starts, length: text.len() as u32, ..FileFacts::default() };
    let mut at = offset_in(&facts, &view.record.path, line, column.unwrap_or(u32::MAX))? as usize;
    if at > 0 && text.get(at - 1) == Some(&b'\r') {
        at -= 1;
    }
    // Never inside a character.
    while at > 0 && text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
        at -= 1;
    }
    Ok(at)
}

/// A text with a name that is being written.
struct Written {
    file: FileId,
    language: &'static Language,
    text: Vec<u8>,
    /// Where the name starts.
    start: usize,
    cursor: usize,
}

/// The text with a name at the cursor, read.
struct Attempt {
    facts: FileFacts,
    /// The reference at the cursor.
    reference: Option<RefId>,
    /// Places that the parser did not understand.
    problems: u32,
    /// The name is a word of a comment or string.
    as_words: bool,
}

/// What is written for a name that is not there yet.
const PLACEHOLDER: &str = "codegraph_completion";

/// What may have to follow the name to make the text complete.
const ENDINGS: &[&str] = &["", ";", "()", "();", " {}"];

impl Written {
    fn read(&self, ending: &str) -> Attempt {
        let name = if self.start == self.cursor { PLACEHOLDER } else { "" };
        let (before, after) = self.text.split_at(self.cursor);
        let facts = extract(&[before, name.as_bytes(), ending.as_bytes(), after].concat(), self.language);
        let mut refs = facts.refs.iter();
        let reference = refs.position(|r| r.span.start as usize == self.start).map(|place| RefId(place as u32));
        let problems = facts.problems.iter().map(|p| if let Problem::Syntax(n) = p { *n } else { 0 }).sum();
        let as_words = reference.is_none() && is_words(&facts, self.start as u32, name, &before[self.start..]);
        Attempt { facts, reference, problems, as_words }
    }
}

/// Whether the word at an offset is a term of a comment or string only.
fn is_words(facts: &FileFacts, start: u32, name: &str, prefix: &[u8]) -> bool {
    let line = facts.line_of(start);
    let text = if name.is_empty() { String::from_utf8_lossy(prefix).into_owned() } else { name.to_owned() };
    let own = facts.terms.iter().filter(|term| term.line == line && facts.strings.get(term.term) == text);
    let masks = own.fold(0, |all, term| all | term.mask.0);
    masks != 0 && masks & (TermMask::CODE.0 | TermMask::DEF.0) == 0
}

/// Tries endings until the text is understood and it is known what stands before the name; else takes the best.
fn fill(reader: &Reader, question: &Completions, written: &Written, answer: &mut CompletionsAnswer) -> Result<()> {
    let mut best: Option<((bool, bool, u32), Live<'_>, Offers)> = None;
    for ending in ENDINGS {
        let Attempt { facts, reference, problems, as_words } = written.read(ending);
        if as_words {
            answer.remarks.note(Note::InCommentOrString);
            return Ok(());
        }
        let live = Live::with_text(reader.store(), written.file, facts);
        let offers = match reference {
            Some(reference) => Linker::new(&live).offers(written.file.0, reference),
            None => Linker::new(&live).visible_at(written.file.0, written.start as u32),
        };
        live.check()?;
        let doubts = (reference.is_none(), !offers.known, problems);
        if best.as_ref().is_none_or(|(old, ..)| doubts < *old) {
            best = Some((doubts, live, offers));
        }
        if doubts == (false, false, 0) {
            break;
        }
    }
    let (_, live, offers) = best.expect("there is at least one ending");
    show(reader, question, written.file, &live, offers, answer)
}

fn show(
    reader: &Reader,
    question: &Completions,
    file: FileId,
    live: &Live<'_>,
    offers: Offers,
    answer: &mut CompletionsAnswer,
) -> Result<()> {
    answer.member = offers.member;
    if offers.member && !offers.known {
        answer.remarks.note(Note::UnknownReceiver);
    }
    let list = ranked(offers, &answer.prefix);
    answer.total = list.len();
    answer.next_offset = question.window.next(list.len());
    let mut shown = Shown { reader, linker: Linker::new(live), live, file: file.0, open: None };
    for offer in question.window.of(&list) {
        answer.completions.push(shown.completion(offer)?);
    }
    live.check()?;
    Ok(())
}

/// Those that begin with the prefix: the same case first, then the nearest, then what is usual, then by name.
fn ranked(offers: Offers, prefix: &str) -> Vec<Offer> {
    let bare = |name: &str| name.trim_start_matches(['$', '@']).to_owned();
    let folded = prefix.to_lowercase();
    let mut list = offers.list;
    list.retain(|offer| &*offer.name != PLACEHOLDER && bare(&offer.name).to_lowercase().starts_with(&folded));
    list.sort_by_cached_key(|offer| {
        let name = bare(&offer.name);
        let quiet = name.starts_with('_') && !prefix.starts_with('_');
        (!name.starts_with(prefix), quiet, !offer.usual, offer.origin, name.to_lowercase(), name)
    });
    list
}

/// Turns offers into rows, one file open at a time.
struct Shown<'a, 'l, 's> {
    reader: &'a Reader,
    linker: Linker<'l>,
    live: &'l Live<'s>,
    file: u32,
    open: Option<(FileView<'a>, Option<Source>)>,
}

impl Shown<'_, '_, '_> {
    fn completion(&mut self, offer: &Offer) -> Result<Completion> {
        let mut place = None;
        let (kind, detail) = match offer.thing {
            Thing::Symbol(sym) => {
                place = self.place(sym)?;
                self.symbol(sym)?
            }
            Thing::Local(file, binding) => (self.local(file, binding), None),
            Thing::Import(file, import) => match self.linker.imported(file, import) {
                Some(Target::Symbol(sym)) => {
                    place = self.place(sym)?;
                    self.symbol(sym)?
                }
                Some(Target::Module(file)) => {
                    (NameKind::Symbol(SymbolKind::Module), Some(self.reader.record(FileId(file))?.path.clone()))
                }
                Some(Target::Package(name)) => (NameKind::Symbol(SymbolKind::Module), Some(name.to_string())),
                Some(Target::External(path)) => (NameKind::Import, Some(self.path(&path.names)?)),
                _ => (NameKind::Import, None),
            },
            Thing::Word => (NameKind::Builtin, None),
        };
        Ok(Completion { label: offer.name.to_string(), kind, detail, origin: offer.origin, place })
    }

    /// The file that is being written has moved on from what was indexed.
    fn place(&self, sym: codegraph_resolve::Sym) -> Result<Option<FilePlace>> {
        if sym.file == self.file {
            return Ok(None);
        }
        let unit = self.live.unit(sym.file);
        let (line, column) = unit.facts.position(unit.symbol(sym.symbol).name_span.start);
        let file = self.reader.record(FileId(sym.file))?.path.clone();
        Ok(Some(FilePlace { file, line, column: Some(column) }))
    }

    fn path(&self, names: &[u32]) -> Result<String> {
        let parts: Vec<_> = names.iter().map(|name| self.live.text(*name)).collect();
        Ok(parts.join(self.live.language(self.file).separator))
    }

    fn local(&self, file: u32, binding: u32) -> NameKind {
        match self.live.unit(file).facts.bindings[binding as usize].kind.into() {
            NameKind::Label => NameKind::Local,
            kind => kind,
        }
    }

    /// The kind and the head of a symbol. The file that is being written is not what was indexed.
    fn symbol(&mut self, sym: codegraph_resolve::Sym) -> Result<(NameKind, Option<String>)> {
        let kind = self.live.unit(sym.file).symbol(sym.symbol).kind;
        let row = SymbolRow::new(FileId(sym.file), sym.symbol);
        if self.open.as_ref().is_none_or(|(view, _)| view.record.id != row.file) {
            let view = self.reader.view_of(row.file)?;
            let source = self.reader.source(&view.record).ok();
            self.open = Some((view, source));
        }
        let (view, source) = self.open.as_ref().expect("set above");
        let same = view.facts().symbols.get(row.symbol.index()).is_some_and(|own| own.kind == kind);
        let head = source.as_ref().filter(|_| same && kind != SymbolKind::Module);
        let head = head.map(|source| crate::prototype(&source.bytes, view.symbol(row.symbol)));
        Ok((NameKind::Symbol(kind), head.filter(|text| !text.is_empty())))
    }
}

/// Where a completion comes from, as a word.
fn origin<S: Serializer>(origin: &Origin, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match origin {
        Origin::Local => "local",
        Origin::Member => "member",
        Origin::Inherited => "inherited",
        Origin::File => "file",
        Origin::Import => "import",
        Origin::Module => "module",
        Origin::Language => "language",
    })
}
