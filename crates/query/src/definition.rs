//! Where something is defined: what the name at a place means, or where a symbol is.

use codegraph_model::{
    Certainty, FileFacts, FileId, Flags, How, Import, Reference, Span, SymbolId, SymbolKind, TermId,
};
use codegraph_store::SymbolRow;
use serde::Serialize;

use crate::at::{Meaning, Pointed, Pointing, point, value_of_key};
use crate::flow::{Declared, members_at};
use crate::graph::Graph;
use crate::lookup::{self, Wanted};
use crate::reader::FileView;
use crate::relation::external;
use crate::select::Unselected;
use crate::source::{LineCursor, Source, shown_line};
use crate::symbol::Place;
use crate::{Mode, NameKind, Note, Reader, Remarks, Result, Selector, Then, variants, vocabulary};

/// Candidates that are shown where nothing proves what is meant.
const MOST_CANDIDATES: usize = 20;

/// Where something is defined, or why no single symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum DefinitionAnswer {
    Found(Box<Definitions>),
    Unselected(Unselected),
}

/// What the names at a place mean.
#[derive(Clone, Debug, Serialize)]
pub struct Definitions {
    pub selector: String,
    pub definitions: Vec<Definition>,
    pub total: usize,
    /// What is meant that lies outside the project, by the path that it is imported by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub external: Vec<String>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A place where something is defined.
#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    pub name: String,
    pub kind: NameKind,
    pub file: String,
    /// Where its name stands.
    pub range: Place,
    /// All of it.
    pub full_range: Place,
    /// Absent for local names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fqn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
    /// The head on one line; of a local name the line. Absent if the text could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// How sure it is that this one is meant.
    pub certainty: Certainty,
    /// The rule that proves it; absent where it is defined itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
}

/// Answers where the names at a place are defined.
pub fn definition(reader: &Reader, selector: &Selector) -> Result<DefinitionAnswer> {
    let graph = Graph::new(reader);
    let pointed = match point(&graph, selector)? {
        Pointing::Here(pointed) => pointed,
        Pointing::Unselected(other) => return Ok(DefinitionAnswer::Unselected(other)),
    };
    let mut found = Finder { graph: &graph, answer: empty(reader, selector) };
    for one in &pointed {
        let value = value_of_key(&graph, one)?;
        match value.iter().any(|value| !value.is_open()) {
            true => value.iter().try_for_each(|value| found.add(value))?,
            false => found.add(one)?,
        }
    }
    let mut answer = found.answer;
    if pointed.is_empty() {
        nothing_there(selector, &mut answer.remarks);
    }
    answer.total = answer.total.max(answer.definitions.len());
    Ok(DefinitionAnswer::Found(Box::new(answer)))
}

fn empty(reader: &Reader, selector: &Selector) -> Definitions {
    Definitions {
        selector: selector.text(),
        definitions: Vec::new(),
        total: 0,
        external: Vec::new(),
        remarks: Remarks::of(reader),
    }
}

/// Says that a place has no name.
pub(crate) fn nothing_there(selector: &Selector, remarks: &mut Remarks) {
    remarks.note(Note::NoName { place: selector.text() });
}

struct Finder<'g, 'r> {
    graph: &'g Graph<'r>,
    answer: Definitions,
}

impl Finder<'_, '_> {
    fn add(&mut self, pointed: &Pointed) -> Result<()> {
        match &pointed.meaning {
            Meaning::Symbol(row) => {
                let found = of_symbol(self.graph.reader, *row, pointed, &mut self.answer.remarks)?;
                self.push(found);
                for twin in self.twins(*row)? {
                    let found = of_symbol(self.graph.reader, twin, pointed, &mut self.answer.remarks)?;
                    self.push(found);
                }
            }
            Meaning::Local(file, binding) => {
                let found = of_local(self.graph, *file, *binding, pointed, &mut self.answer.remarks)?;
                self.push(found);
            }
            Meaning::External(path) => {
                let record = self.graph.reader.record(pointed.file)?;
                self.outside(external(self.graph.reader, &record, path)?);
                self.import(pointed)?;
            }
            Meaning::Package(name) => {
                self.answer.remarks.note(Note::NoFile { module: name.to_string() });
                self.import(pointed)?;
            }
            Meaning::Open(name) => {
                if !self.values(pointed)? {
                    self.candidates(*name, pointed)?;
                }
            }
        }
        Ok(())
    }

    /// The other variants of a symbol of which a condition chooses one, and what declarations of overloads stand for.
    fn twins(&self, row: SymbolRow) -> Result<Vec<SymbolRow>> {
        let record = self.graph.reader.record(row.file)?;
        if vocabulary::language(&record.language)?.linking.overloads {
            return Ok(Vec::new());
        }
        let outline = self.graph.reader.outline(row.file)?;
        let mut twins = variants::twins(&outline.facts.symbols, row.symbol);
        twins.extend(variants::implementation(&outline.facts.symbols, row.symbol));
        Ok(twins.into_iter().map(|twin| SymbolRow::new(row.file, twin)).collect())
    }

    fn push(&mut self, found: Definition) {
        let same = |old: &Definition| old.file == found.file && old.range == found.range;
        if !self.answer.definitions.iter().any(same) {
            self.answer.definitions.push(found);
        }
    }

    /// The import that gives a file a name of which nothing else is in the project.
    fn import(&mut self, pointed: &Pointed) -> Result<()> {
        let file = self.graph.file(pointed.file)?;
        let facts = &file.stored.facts;
        let Some(used) = facts.refs.iter().find(|r| r.span == pointed.span && r.receiver.is_none()) else {
            return Ok(());
        };
        let Some((import, place)) = imported(facts, used).filter(|(import, _)| !import.span.contains(used.span.start))
        else {
            return Ok(());
        };
        let view = self.graph.reader.view_of(pointed.file)?;
        let source = text_of(self.graph.reader, &view, &mut self.answer.remarks);
        let found = Definition {
            name: self.graph.reader.store().name(&file.stored, used.name)?.to_string(),
            kind: NameKind::Import,
            file: view.record.path.clone(),
            range: view.place(place),
            full_range: view.place(import.span),
            fqn: None,
            symbol_id: None,
            signature: source.as_ref().and_then(|source| local_head(&view, source, place)),
            certainty: pointed.certainty,
            how: Some(How::Import),
        };
        self.push(found);
        Ok(())
    }

    fn outside(&mut self, path: String) {
        if !self.answer.external.contains(&path) {
            self.answer.external.push(path);
        }
    }

    /// What the values of the object have that a member is read from. Of several each is only one that may be meant.
    fn values(&mut self, pointed: &Pointed) -> Result<bool> {
        let found = members_at(self.graph, pointed.file, pointed.span)?;
        let certainty = if found.len() == 1 { Certainty::Inferred } else { Certainty::Candidate };
        let meant = Pointed { certainty, how: Some(How::Value), ..pointed.clone() };
        for one in found.iter().take(MOST_CANDIDATES) {
            let found = match *one {
                Declared::Symbol(row) => of_symbol(self.graph.reader, row, &meant, &mut self.answer.remarks)?,
                Declared::Key(file, at) => of_key(self.graph.reader, file, at, &meant, &mut self.answer.remarks)?,
            };
            self.push(found);
        }
        self.answer.total += found.len();
        Ok(!found.is_empty())
    }

    /// All symbols that have the name, marked as what they are.
    fn candidates(&mut self, name: TermId, pointed: &Pointed) -> Result<()> {
        let reader = self.graph.reader;
        let text = reader.store().text(name)?;
        let language = vocabulary::language(&reader.record(pointed.file)?.language)?;
        let mut all = lookup::by_name(reader, &text, Mode::Exact, true, &Wanted::anything())?;
        all.retain(|one| vocabulary::language(&one.file.language).is_ok_and(|own| own.is_related(language)));
        self.answer.total += all.len();
        let name = text.to_string();
        self.answer.remarks.note(match all.is_empty() {
            true => Note::NotInProject { name },
            false => Note::Unproved { name, then: Then::Listed },
        });
        for one in all.iter().take(MOST_CANDIDATES) {
            let row = SymbolRow::new(one.file.id, one.symbol);
            let found = of_symbol(reader, row, pointed, &mut self.answer.remarks)?;
            self.push(found);
        }
        Ok(())
    }
}

/// The import of the nearest scope that declares the name that is used, and where the name stands in it.
fn imported<'f>(facts: &'f FileFacts, used: &Reference) -> Option<(&'f Import, Span)> {
    let mut scope = used.scope;
    while scope.is_some() {
        let own = facts.imports.iter().filter(|import| import.scope == scope);
        let mut named = own.filter_map(|import| Some((import, facts.bound_name(import)?)));
        if let Some((import, (_, place))) = named.find(|(_, (name, _))| *name == used.name) {
            return Some((import, place));
        }
        scope = facts.scopes[scope.index()].parent;
    }
    None
}

/// The text of a file, or the remark that it has changed.
pub(crate) fn text_of(reader: &Reader, view: &FileView<'_>, remarks: &mut Remarks) -> Option<Source> {
    let source = reader.source(&view.record).ok();
    if source.is_none() {
        remarks.stale(&view.record.path);
    }
    source
}

pub(crate) fn of_symbol(
    reader: &Reader,
    row: SymbolRow,
    pointed: &Pointed,
    remarks: &mut Remarks,
) -> Result<Definition> {
    let view = reader.view_of(row.file)?;
    let source = text_of(reader, &view, remarks);
    in_view(&view, source.as_ref(), row.symbol, pointed)
}

/// The definition of a symbol of a file.
pub(crate) fn in_view(
    view: &FileView<'_>,
    source: Option<&Source>,
    id: SymbolId,
    pointed: &Pointed,
) -> Result<Definition> {
    let symbol = view.symbol(id);
    let whole_file = id == SymbolId(0);
    let start = Span::new(symbol.span.start, symbol.span.start);
    let name = if whole_file || symbol.name_span.is_empty() { start } else { symbol.name_span };
    let info = view.info(id, source.filter(|_| !whole_file));
    let definition = Definition {
        kind: NameKind::Symbol(if whole_file { SymbolKind::Module } else { symbol.kind }),
        range: view.place(name),
        full_range: info.span,
        name: info.name,
        file: info.file,
        fqn: Some(info.fqn),
        symbol_id: Some(info.symbol_id),
        signature: info.signature,
        certainty: pointed.certainty,
        how: pointed.how,
    };
    view.check()?;
    Ok(definition)
}

/// A key of an object that has no name of its own.
fn of_key(reader: &Reader, file: FileId, at: Span, pointed: &Pointed, remarks: &mut Remarks) -> Result<Definition> {
    let view = reader.view_of(file)?;
    let source = text_of(reader, &view, remarks);
    let place = view.place(at);
    Ok(Definition {
        name: source.as_ref().map_or_else(String::new, |source| source.text(at).to_owned()),
        kind: NameKind::Symbol(SymbolKind::Field),
        file: view.record.path.clone(),
        range: place,
        full_range: place,
        fqn: None,
        symbol_id: None,
        signature: source.as_ref().and_then(|source| local_head(&view, source, at)),
        certainty: pointed.certainty,
        how: pointed.how,
    })
}

pub(crate) fn of_local(
    graph: &Graph<'_>,
    file: FileId,
    binding: u32,
    pointed: &Pointed,
    remarks: &mut Remarks,
) -> Result<Definition> {
    let reader = graph.reader;
    let linked = graph.file(file)?;
    let binding = &linked.stored.facts.bindings[binding as usize];
    let view = reader.view_of(file)?;
    let source = text_of(reader, &view, remarks);
    let place = view.place(binding.span);
    Ok(Definition {
        name: reader.store().name(&linked.stored, binding.name)?.to_string(),
        kind: binding.kind.into(),
        file: view.record.path.clone(),
        range: place,
        full_range: place,
        fqn: None,
        symbol_id: None,
        signature: source.as_ref().and_then(|source| local_head(&view, source, binding.span)),
        certainty: pointed.certainty,
        how: pointed.how,
    })
}

/// A parameter as it is written; of any other local name the line.
fn local_head(view: &FileView<'_>, source: &Source, name: Span) -> Option<String> {
    let params = view.symbols().flat_map(|(_, symbol)| &symbol.params);
    let param = params.into_iter().find(|param| param.name == name && !param.flags.has(Flags::RECEIVER));
    if let Some(param) = param {
        let parts = [param.name, param.type_span, param.default].into_iter().filter(|span| !span.is_empty());
        let (start, end) = parts.fold((name.start, name.end), |(a, b), span| (a.min(span.start), b.max(span.end)));
        return Some(source.text(Span::new(start, end)).split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let (line, column) = view.facts().position(name.start);
    let (_, text) = LineCursor::default().line(&source.bytes, line)?;
    Some(shown_line(text, column as usize).trim().to_owned())
}
