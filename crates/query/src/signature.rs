//! The outline of a file: what it says about itself, its types, its methods with prototypes, and their nesting.

use std::sync::Arc;

use codegraph_model::{Flags, ImportFlags, Span, StrId, SymbolId, SymbolKind, Visibility};
use codegraph_store::{FileRecord, plain_comment};
use serde::Serialize;

use crate::reader::FileView;
use crate::source::Source;
use crate::{Error, OutlineKind, Reader, Remarks, Result, SymbolInfo};

/// The outline of a file.
#[derive(Clone, Debug, Serialize)]
pub struct SignatureAnswer {
    pub file: String,
    pub language: String,
    pub lines: u32,
    pub header_comments: String,
    /// What the file imports, in source order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<ImportInfo>,
    /// Classes, structs, interfaces, enums and aliases.
    pub types: Vec<OutlineEntry>,
    /// Functions, methods and properties.
    pub methods: Vec<OutlineEntry>,
    /// Everything else that is not private: constants, fields, modules, headings.
    pub members: Vec<OutlineEntry>,
    /// Places that the parser did not understand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// An import of one name, of a module, or of everything in one.
#[derive(Clone, Debug, Serialize)]
pub struct ImportInfo {
    /// The module as it is written, without leading dots.
    pub module: String,
    /// The name that is taken from the module; absent if it is the module itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is called here, if that is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Leading dots of a relative import.
    pub level: u8,
    /// Everything of the module is taken.
    pub is_star: bool,
    pub line_number: u32,
}

/// A symbol of an outline.
#[derive(Clone, Debug, Serialize)]
pub struct OutlineEntry {
    pub name: String,
    pub kind: OutlineKind,
    /// The head on one line.
    pub prototype: String,
    pub line_number: u32,
    pub end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    pub is_static: bool,
    pub is_async: bool,
    /// How many types and functions are around it.
    pub depth: u32,
    /// First sentence or line of its documentation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    pub symbol: SymbolInfo,
    /// Position among all symbols of the file, for nesting in document order.
    #[serde(skip)]
    pub order: u32,
}

/// Answers with the outline of one file, or with what has a text in its name and the types around that.
pub fn signature(reader: &Reader, file: &str, filter: Option<&str>) -> Result<SignatureAnswer> {
    let mut answer = outline(reader, reader.asked_file(file)?)?;
    if let Some(filter) = filter.filter(|text| !text.is_empty()) {
        narrow(&mut answer, &filter.to_lowercase());
    }
    Ok(answer)
}

fn narrow(answer: &mut SignatureAnswer, text: &str) {
    let lists = [&mut answer.types, &mut answer.methods, &mut answer.members];
    let all = lists.iter().flat_map(|list| list.iter());
    let named = all.filter(|entry| entry.name.to_lowercase().contains(text));
    let wanted: Vec<(u32, u32)> =
        named.map(|entry| (entry.symbol.span.byte_start, entry.symbol.span.byte_end)).collect();
    for list in lists {
        list.retain(|entry| {
            let own = entry.symbol.span;
            wanted.iter().any(|(start, end)| own.byte_start <= *start && *end <= own.byte_end)
        });
    }
    answer.header_comments.clear();
}

pub(crate) fn outline(reader: &Reader, record: Arc<FileRecord>) -> Result<SignatureAnswer> {
    let view = reader.view(record)?;
    let source = match reader.source(&view.record) {
        Ok(source) => source,
        Err(Error::Changed { path }) => return Err(Error::Changed { path }),
        Err(other) => return Err(other),
    };
    let mut answer = SignatureAnswer {
        file: view.record.path.clone(),
        language: view.record.language.clone(),
        lines: view.record.lines,
        header_comments: without_licence(&header(&view, &source)),
        imports: imports(reader, &view.record)?,
        types: Vec::new(),
        methods: Vec::new(),
        members: Vec::new(),
        problems: view.record.problems.iter().map(crate::status::problem_text).collect(),
        remarks: Remarks::of(reader),
    };
    for (id, symbol) in view.symbols().skip(1) {
        let entry = || entry(&view, id, &source);
        match symbol.kind {
            kind if kind.type_kind().is_some() => answer.types.push(entry()),
            kind if kind.is_callable() || kind.normalized() == "method" => answer.methods.push(entry()),
            kind if hidden(kind, symbol.visibility) => {}
            _ => answer.members.push(entry()),
        }
    }
    view.check()?;
    Ok(answer)
}

/// What a file says about itself: the comment at its head, and its doc string as a paragraph of its own.
fn header(view: &FileView<'_>, source: &Source) -> String {
    let (whole, doc) = (view.facts().header, view.symbol(SymbolId(0)).doc);
    if doc.is_empty() || doc.end != whole.end || doc.start <= whole.start {
        return plain_comment(&source.text(whole));
    }
    let comment = plain_comment(&source.text(Span::new(whole.start, doc.start)));
    format!("{comment}\n\n{}", plain_comment(&source.text(doc))).trim().to_owned()
}

fn imports(reader: &Reader, record: &FileRecord) -> Result<Vec<ImportInfo>> {
    let stored = reader.store.facts(record.id)?;
    let text = |id: StrId| -> Result<Option<String>> {
        Ok(id.get().map(|id| reader.store.name(&stored, id)).transpose()?.map(|text| text.to_string()))
    };
    let mut found = Vec::with_capacity(stored.facts.imports.len());
    for import in &stored.facts.imports {
        let path = import.path.iter().map(|part| text(stored.facts.refs[part.index()].name));
        let mut path: Vec<String> = path.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let is_star = import.flags.has(ImportFlags::STAR);
        let source = text(import.source)?;
        let whole = is_star || import.flags.has(ImportFlags::MODULE) || import.flags.has(ImportFlags::INCLUDE);
        // A module that is written as text is no part of the path.
        let takes = !whole && (path.len() > 1 || source.is_some() || import.level > 0);
        let name = if takes { path.pop() } else { None };
        found.push(ImportInfo {
            module: source.unwrap_or_else(|| path.join(&record.separator)),
            name,
            alias: text(import.alias)?,
            level: import.level,
            is_star,
            line_number: stored.facts.line_of(import.span.start),
        });
    }
    Ok(found)
}

fn hidden(kind: SymbolKind, visibility: Visibility) -> bool {
    kind.normalized() == "variable" && visibility == Visibility::Private
}

fn entry(view: &FileView<'_>, id: SymbolId, source: &Source) -> OutlineEntry {
    let symbol = view.symbol(id);
    let info = view.info(id, Some(source));
    OutlineEntry {
        name: info.name.clone(),
        kind: OutlineKind(symbol.kind),
        prototype: info.signature.clone().unwrap_or_default(),
        line_number: info.line_number,
        end_line: info.span.end_line,
        visibility: info.visibility,
        is_static: symbol.flags.has(Flags::STATIC),
        is_async: symbol.flags.has(Flags::ASYNC),
        depth: depth(view, id),
        summary: summary(source, symbol.doc),
        order: symbol.span.start,
        symbol: info,
    }
}

fn depth(view: &FileView<'_>, id: SymbolId) -> u32 {
    let parents = std::iter::successors(view.symbol(id).parent.get(), |parent| view.symbol(*parent).parent.get());
    parents.filter(|parent| parent.0 != 0).count() as u32
}

fn summary(source: &Source, doc: Span) -> String {
    let text = plain_comment(&source.text(doc));
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.chars().take(160).collect()
}

/// A header without the paragraphs that only say who owns a file and under which terms.
fn without_licence(text: &str) -> String {
    const WORDS: [&str; 8] = [
        "copyright", "licensed under", "spdx-license", "all rights reserved", "license agreement", "without warranty",
        "redistribution and use", "permission is hereby granted",
    ];
    let is_licence = |part: &&str| {
        let part = part.to_lowercase();
        WORDS.iter().any(|word| part.contains(word))
    };
    let parts: Vec<&str> = text.split("\n\n").collect();
    // What follows the first of them up to the last belongs to it.
    match (parts.iter().position(is_licence), parts.iter().rposition(is_licence)) {
        (Some(first), Some(last)) => {
            let kept: Vec<&str> = parts[..first].iter().chain(&parts[last + 1..]).copied().collect();
            kept.join("\n\n").trim().to_owned()
        }
        _ => text.to_owned(),
    }
}
