//! One file as a SCIP document: its definitions, what its references mean, and what is known about both.

use std::collections::BTreeSet;
use std::rc::Rc;

use codegraph_live::Locals;
use codegraph_model::{
    Binding, BindingKind, FileId, Flags, RefId, RefKind, Span, Symbol, SymbolId, SymbolKind, TermId,
};
use codegraph_query::{Reader, prototype};
use codegraph_store::{FileLinks, FileRecord, LinkTarget, Store, Stored, SymbolRow, plain_comment};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bases::Bases;
use crate::name;
use crate::range::Range;
use crate::types::{
    Document, Kind, Occurrence, PositionEncoding, Relationship, Signature, SymbolInformation, SymbolRole,
};
use crate::{ExportOptions, Result};

/// Names of symbols that are remembered.
const MOST_NAMES: usize = 1 << 20;

/// Makes documents, one after the other.
pub(crate) struct Documents<'r> {
    reader: &'r Reader,
    locals: Locals<'r>,
    options: ExportOptions,
    names: FxHashMap<FileId, Rc<[String]>>,
    /// Names of what is bound inside functions.
    bindings: FxHashMap<FileId, Rc<[String]>>,
    kept: usize,
    bases: Bases,
    externals: FxHashMap<Vec<TermId>, Rc<str>>,
    /// Names of everything outside that was met, with what to show.
    pub(crate) met: BTreeSet<(Rc<str>, Rc<str>)>,
}

/// What a reference means.
struct Use {
    reference: RefId,
    symbol: String,
    /// Neither a module nor something outside.
    inside: bool,
}

/// What is being gathered about a file.
struct Page<'a> {
    record: &'a FileRecord,
    stored: &'a Stored,
    names: Rc<[String]>,
    /// Range, symbol, role, definition around: the order of the document.
    occurrences: BTreeSet<(Range, String, i32, Option<Range>)>,
    symbols: Vec<SymbolInformation>,
}

impl<'r> Documents<'r> {
    pub(crate) fn new(reader: &'r Reader, options: ExportOptions) -> Documents<'r> {
        Documents {
            reader,
            locals: Locals::new(reader.store()),
            options,
            names: FxHashMap::default(),
            bindings: FxHashMap::default(),
            kept: 0,
            bases: Bases::default(),
            externals: FxHashMap::default(),
            met: BTreeSet::new(),
        }
    }

    fn store(&self) -> &'r Store {
        self.reader.store()
    }

    /// The document of a file.
    pub(crate) fn make(&mut self, record: &FileRecord) -> Result<Document> {
        let stored = self.store().facts(record.id)?;
        let links = self.store().links(record.id)?;
        let names = self.names_of(record, &stored)?;
        let mut page = Page { record, stored: &stored, names, occurrences: BTreeSet::new(), symbols: Vec::new() };
        page.define();
        self.refer(&mut page, &links)?;
        self.define_locals(&mut page)?;
        if self.options.symbols {
            self.describe(&mut page, &links)?;
        }
        Ok(page.finish())
    }

    fn names_of(&mut self, record: &FileRecord, stored: &Stored) -> Result<Rc<[String]>> {
        if let Some(known) = self.names.get(&record.id) {
            return Ok(Rc::clone(known));
        }
        let texts = self.store().symbol_names(stored)?;
        let names: Rc<[String]> = name::names(record, &stored.facts, &texts).into();
        if self.kept > MOST_NAMES {
            self.names.clear();
            self.bindings.clear();
            self.kept = 0;
        }
        self.kept += names.len();
        self.names.insert(record.id, Rc::clone(&names));
        Ok(names)
    }

    fn name_of(&mut self, row: SymbolRow) -> Result<String> {
        let names = match self.names.get(&row.file) {
            Some(known) => Rc::clone(known),
            None => {
                let missing = || codegraph_store::Error::Corrupt("a file is missing".into());
                let record = self.store().file(row.file)?.ok_or_else(missing)?;
                self.names_of(&record, &self.store().outline(row.file)?)?
            }
        };
        Ok(names[row.symbol.index()].clone())
    }

    fn external(&mut self, path: &[TermId]) -> Result<Rc<str>> {
        if let Some(known) = self.externals.get(path) {
            return Ok(Rc::clone(known));
        }
        let texts = path.iter().map(|term| self.store().text(*term)).collect::<Result<Vec<_>, _>>()?;
        let symbol: Rc<str> = name::external(texts.iter().map(|text| &**text)).into();
        self.met.insert((Rc::clone(&symbol), texts.last().map_or("", |text| text).into()));
        self.externals.insert(path.to_vec(), Rc::clone(&symbol));
        Ok(symbol)
    }

    /// Stored links and those to local names. What only a name suggests is not among them.
    fn refer(&mut self, page: &mut Page<'_>, links: &FileLinks) -> Result<()> {
        let refs = &page.stored.facts.refs;
        let mut found: Vec<Use> = Vec::with_capacity(links.bound.len());
        for bound in &links.bound {
            let (symbol, inside) = match links.target(bound) {
                LinkTarget::Symbol(row) => (self.name_of(*row)?, row.symbol.0 != 0),
                LinkTarget::External(path) => (self.external(path)?.to_string(), false),
            };
            found.push(Use { reference: bound.reference, symbol, inside });
        }
        for (reference, file, binding) in self.locals.of(page.record.id, links)? {
            let symbol = match file == page.record.id {
                true => self.bindings_of(page.record, page.stored)?[binding as usize].clone(),
                false => self.parameter_of(file, binding)?,
            };
            // A local name of another file has no name here.
            if file != page.record.id && symbol.starts_with(LOCAL) {
                continue;
            }
            found.push(Use { reference, symbol, inside: true });
        }
        found.sort_by_key(|used| used.reference);
        // A key that is its own value is a member first: what comes later is what is meant.
        let span = |used: &Use| refs[used.reference.index()].span;
        for same in found.chunk_by(|a, b| span(a) == span(b)) {
            let meant = same.iter().rev().find(|used| used.inside).unwrap_or(&same[same.len() - 1]);
            page.add(span(meant), meant.symbol.clone(), role(refs[meant.reference.index()].kind), None);
        }
        Ok(())
    }

    /// The names of what is bound in a file. Parameters of functions can be named from outside.
    fn bindings_of(&mut self, record: &FileRecord, stored: &Stored) -> Result<Rc<[String]>> {
        if let Some(known) = self.bindings.get(&record.id) {
            return Ok(Rc::clone(known));
        }
        let symbols = self.names_of(record, stored)?;
        let facts = &stored.facts;
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut names = Vec::with_capacity(facts.bindings.len());
        for (place, binding) in facts.bindings.iter().enumerate() {
            let owner = facts.scopes[binding.scope.index()].owner;
            let of_function = binding.kind == BindingKind::Param
                && owner.get().is_some_and(|owner| facts.symbols[owner.index()].kind.is_callable());
            let mut name = local(place as u32);
            if of_function {
                let global = name::parameter(&symbols[owner.index()], &self.store().name(stored, binding.name)?);
                name = if seen.insert(global.clone()) { global } else { name };
            }
            names.push(name);
        }
        self.kept += names.len();
        self.bindings.insert(record.id, names.into());
        Ok(Rc::clone(&self.bindings[&record.id]))
    }

    fn parameter_of(&mut self, file: FileId, binding: u32) -> Result<String> {
        if !self.bindings.contains_key(&file) {
            let missing = || codegraph_store::Error::Corrupt("a file is missing".into());
            let record = self.store().file(file)?.ok_or_else(missing)?;
            self.bindings_of(&record, &self.store().facts(file)?)?;
        }
        Ok(self.bindings[&file][binding as usize].clone())
    }

    fn define_locals(&mut self, page: &mut Page<'_>) -> Result<()> {
        let names = self.bindings_of(page.record, page.stored)?;
        let used: FxHashSet<String> = page.occurrences.iter().map(|(_, symbol, ..)| symbol.clone()).collect();
        for (binding, symbol) in page.stored.facts.bindings.iter().zip(names.iter()) {
            let declares = !matches!(binding.kind, BindingKind::Again | BindingKind::Global | BindingKind::Nonlocal);
            if declares {
                page.add(binding.span, symbol.clone(), SymbolRole::Definition.into(), None);
            }
            if self.options.symbols && (declares || used.contains(symbol)) {
                let name = self.store().name(page.stored, binding.name)?;
                page.symbols.push(local_information(symbol, binding, &name, page.owner(binding)));
            }
        }
        Ok(())
    }

    fn describe(&mut self, page: &mut Page<'_>, links: &FileLinks) -> Result<()> {
        // A file that has changed meanwhile is described without its text.
        let source = self.reader.text(page.record).ok();
        let implemented = self.bases.implemented(self.store(), page.record.id, page.stored, links)?;
        let texts = self.store().symbol_names(page.stored)?;
        let mut all = Vec::with_capacity(page.names.len() + page.symbols.len());
        for (place, symbol) in page.stored.facts.symbols.iter().enumerate() {
            if symbol.kind == SymbolKind::Impl {
                continue;
            }
            let name = match symbol.name.get() {
                Some(name) if place > 0 => codegraph_store::NameSource::text(&texts, name).to_owned(),
                _ => page.record.path.rsplit('/').next().unwrap_or(&page.record.path).to_owned(),
            };
            let kind = if place == 0 { Kind::File } else { kind(symbol) };
            let mut information = SymbolInformation {
                symbol: page.names[place].clone(),
                kind: kind.into(),
                display_name: name,
                ..Default::default()
            };
            if let Some(source) = &source {
                let doc = if place == 0 { page.stored.facts.header } else { symbol.doc };
                describe_by_text(&mut information, source, symbol, doc, place, &page.record.language);
            }
            let from = implemented.partition_point(|(own, _)| own.index() < place);
            for (_, base) in implemented[from..].iter().take_while(|(own, _)| own.index() == place) {
                let symbol = self.name_of(*base)?;
                let relationship = Relationship { symbol, is_implementation: true, ..Default::default() };
                // Two blocks of one type are one symbol.
                if !information.relationships.contains(&relationship) && relationship.symbol != information.symbol {
                    information.relationships.push(relationship);
                }
            }
            all.push(information);
        }
        all.append(&mut page.symbols);
        page.symbols = all;
        Ok(())
    }
}

impl Page<'_> {
    fn add(&mut self, span: Span, symbol: String, role: i32, around: Option<Range>) {
        self.occurrences.insert((Range::of(&self.stored.facts, span), symbol, role, around));
    }

    fn define(&mut self) {
        let facts = &self.stored.facts;
        let whole = Range::of(facts, Span::new(0, facts.length));
        let definition = SymbolRole::Definition.into();
        self.add(Span::new(0, 0), self.names[0].clone(), definition, Some(whole));
        for (place, symbol) in facts.symbols.iter().enumerate().skip(1) {
            if symbol.kind == SymbolKind::Impl {
                continue;
            }
            let at = match symbol.name_span.is_empty() {
                true => Span::new(symbol.span.start, symbol.span.start),
                false => symbol.name_span,
            };
            let around = Range::of(facts, around(symbol, at));
            self.add(at, self.names[place].clone(), definition, Some(around));
        }
    }

    /// The symbol that a local name belongs to.
    fn owner(&self, binding: &Binding) -> String {
        let mut at = self.stored.facts.scopes[binding.scope.index()].owner;
        while at.is_some() && self.stored.facts.symbols[at.index()].kind == SymbolKind::Impl {
            at = self.stored.facts.symbols[at.index()].parent;
        }
        self.names[at.get().unwrap_or(SymbolId(0)).index()].clone()
    }

    fn finish(self) -> Document {
        let definition: i32 = SymbolRole::Definition.into();
        let defined: FxHashSet<(Range, &str)> = self
            .occurrences
            .iter()
            .filter(|(.., role, _)| role & definition != 0)
            .map(|(range, symbol, ..)| (*range, symbol.as_str()))
            .collect();
        // A name that is declared here is not used here.
        let shown = self
            .occurrences
            .iter()
            .filter(|(range, symbol, role, _)| role & definition != 0 || !defined.contains(&(*range, symbol)));
        let occurrences = shown.map(|(range, symbol, role, around)| Occurrence {
            range: range.numbers(),
            symbol: symbol.clone(),
            symbol_roles: *role,
            enclosing_range: around.map_or(Vec::new(), Range::numbers),
            ..Default::default()
        });
        Document {
            relative_path: self.record.path.clone(),
            language: language(&self.record.language),
            position_encoding: PositionEncoding::Utf8.into(),
            occurrences: occurrences.collect(),
            symbols: self.symbols,
        }
    }
}

/// The whole definition with its documentation.
fn around(symbol: &Symbol, name: Span) -> Span {
    let mut whole = symbol.span;
    for part in symbol.decorators.iter().chain([&symbol.doc, &name]).filter(|part| part.end > 0) {
        whole = Span::new(whole.start.min(part.start), whole.end.max(part.end));
    }
    whole
}

/// How the names of what cannot be seen from other files begin.
const LOCAL: &str = "local ";

fn local(binding: u32) -> String {
    format!("{LOCAL}{binding}")
}

fn local_information(symbol: &str, binding: &Binding, name: &str, owner: String) -> SymbolInformation {
    let kind = match binding.kind {
        BindingKind::Param => Kind::Parameter,
        BindingKind::TypeParam => Kind::TypeParameter,
        _ => Kind::Variable,
    };
    SymbolInformation {
        symbol: symbol.to_owned(),
        kind: kind.into(),
        display_name: name.to_owned(),
        enclosing_symbol: if symbol.starts_with(LOCAL) { owner } else { String::new() },
        ..Default::default()
    }
}

fn describe_by_text(
    information: &mut SymbolInformation,
    source: &[u8],
    symbol: &Symbol,
    doc: Span,
    place: usize,
    language: &str,
) {
    let text = source.get(doc.range()).map(String::from_utf8_lossy).unwrap_or_default();
    let text = plain_comment(&text);
    if !text.is_empty() {
        information.documentation.push(text);
    }
    if place > 0 && symbol.kind != SymbolKind::Heading {
        let signature = Signature { language: language.to_owned(), text: prototype(source, symbol) };
        information.signature_documentation = Some(signature);
    }
}

fn role(kind: RefKind) -> i32 {
    let role = match kind {
        RefKind::Import => SymbolRole::Import,
        RefKind::Write => SymbolRole::WriteAccess,
        RefKind::Read | RefKind::Attribute | RefKind::Call => SymbolRole::ReadAccess,
        _ => SymbolRole::Unspecified,
    };
    role.into()
}

fn kind(symbol: &Symbol) -> Kind {
    let is_static = symbol.flags.has(Flags::STATIC);
    match symbol.kind {
        SymbolKind::Function => Kind::Function,
        SymbolKind::Method if is_static => Kind::StaticMethod,
        SymbolKind::Method if symbol.flags.has(Flags::ABSTRACT) => Kind::AbstractMethod,
        SymbolKind::Method | SymbolKind::Destructor => Kind::Method,
        SymbolKind::Constructor => Kind::Constructor,
        SymbolKind::Operator => Kind::Operator,
        SymbolKind::Property => Kind::Property,
        SymbolKind::Getter => Kind::Getter,
        SymbolKind::Setter => Kind::Setter,
        SymbolKind::Class | SymbolKind::Record => Kind::Class,
        SymbolKind::Object => Kind::Object,
        SymbolKind::Struct => Kind::Struct,
        SymbolKind::Interface => Kind::Interface,
        SymbolKind::Protocol => Kind::Protocol,
        SymbolKind::Trait => Kind::Trait,
        SymbolKind::Enum => Kind::Enum,
        SymbolKind::Union => Kind::Union,
        SymbolKind::TypeAlias => Kind::TypeAlias,
        SymbolKind::Module => Kind::Module,
        SymbolKind::Namespace => Kind::Namespace,
        SymbolKind::Package => Kind::Package,
        SymbolKind::Constant => Kind::Constant,
        SymbolKind::Static => Kind::StaticVariable,
        SymbolKind::Variable => Kind::Variable,
        SymbolKind::Field | SymbolKind::InstanceVariable if is_static => Kind::StaticField,
        SymbolKind::Field | SymbolKind::InstanceVariable => Kind::Field,
        SymbolKind::EnumMember => Kind::EnumMember,
        SymbolKind::Macro => Kind::Macro,
        SymbolKind::Impl | SymbolKind::Heading => Kind::Unspecified,
    }
}

/// The name that SCIP has for a language, if it has one.
fn language(name: &str) -> String {
    codegraph_languages::by_name(name).map_or(name, |language| language.exchanged).to_owned()
}
