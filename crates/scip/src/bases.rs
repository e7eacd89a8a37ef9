//! Who implements what: the bases of types, and the members of bases that the members of a type stand for.

use std::rc::Rc;

use codegraph_model::{ExprId, ExprOp, FileFacts, FileId, RefId, SymbolId, SymbolKind, TermId, Tie};
use codegraph_store::{FileLinks, LinkTarget, Store, Stored, SymbolRow};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Result;

/// Files whose types are remembered.
const KEPT: usize = 4_000;

/// The types of the project, file by file as they are asked for.
#[derive(Default)]
pub(crate) struct Bases {
    files: FxHashMap<FileId, Rc<Types>>,
}

/// What the types of one file say.
struct Types {
    /// Types and blocks with their direct bases, by symbol.
    bases: FxHashMap<SymbolId, Vec<SymbolRow>>,
    members: FxHashMap<(SymbolId, TermId), SymbolId>,
}

impl Types {
    fn of(stored: &Stored, links: &FileLinks) -> Types {
        let facts = &stored.facts;
        let mut types = Types { bases: FxHashMap::default(), members: FxHashMap::default() };
        for note in facts.notes.iter().filter(|note| matches!(note.tie, Tie::Base | Tie::Implements)) {
            if let Some(base) = named(facts, links, note.expr) {
                types.bases.entry(note.symbol).or_default().push(base);
            }
        }
        for (place, symbol) in facts.symbols.iter().enumerate().skip(1) {
            let member = symbol.kind.is_callable() || symbol.kind == SymbolKind::Property;
            if member && symbol.name.is_some() && symbol.parent.is_some() {
                let key = (symbol.parent, stored.term(symbol.name));
                types.members.entry(key).or_insert(SymbolId(place as u32));
            }
        }
        types
    }
}

/// The symbol that a type expression names.
fn named(facts: &FileFacts, links: &FileLinks, mut at: ExprId) -> Option<SymbolRow> {
    while at.is_some() {
        let expr = facts.exprs[at.index()];
        match expr.op {
            ExprOp::Ref => {
                return match links.target(links.of(RefId(expr.a))?) {
                    LinkTarget::Symbol(row) => Some(*row),
                    LinkTarget::External(_) => None,
                };
            }
            ExprOp::Apply | ExprOp::Pointer | ExprOp::Optional | ExprOp::Typed => at = ExprId(expr.a),
            _ => return None,
        }
    }
    None
}

impl Bases {
    fn types(&mut self, store: &Store, file: FileId) -> Result<Rc<Types>> {
        if let Some(known) = self.files.get(&file) {
            return Ok(Rc::clone(known));
        }
        let types = Rc::new(Types::of(&store.facts(file)?, &store.links(file)?));
        if self.files.len() >= KEPT {
            self.files.clear();
        }
        self.files.insert(file, Rc::clone(&types));
        Ok(types)
    }

    /// What the symbols of a file implement: pairs of symbol and base, sorted.
    pub(crate) fn implemented(
        &mut self,
        store: &Store,
        file: FileId,
        stored: &Stored,
        links: &FileLinks,
    ) -> Result<Vec<(SymbolId, SymbolRow)>> {
        let facts = &stored.facts;
        let own = Types::of(stored, links);
        let mut found = Vec::new();
        for (symbol, bases) in &own.bases {
            let about = match facts.symbols[symbol.index()].kind {
                SymbolKind::Impl => extended(facts, links, *symbol).filter(|row| row.file == file),
                _ => Some(SymbolRow::new(file, *symbol)),
            };
            found.extend(about.into_iter().flat_map(|row| bases.iter().map(move |base| (row.symbol, *base))));
        }
        for ((parent, name), member) in own.members.iter().filter(|((parent, _), _)| own.bases.contains_key(parent)) {
            let bases = own.bases[parent].clone();
            found.extend(self.overridden(store, bases, *name)?.into_iter().map(|base| (*member, base)));
        }
        found.retain(|(symbol, base)| SymbolRow::new(file, *symbol) != *base);
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The nearest members of this name, up every line of bases.
    fn overridden(&mut self, store: &Store, mut bases: Vec<SymbolRow>, name: TermId) -> Result<Vec<SymbolRow>> {
        let mut seen: FxHashSet<SymbolRow> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(base) = bases.pop() {
            if !seen.insert(base) {
                continue;
            }
            let types = self.types(store, base.file)?;
            match types.members.get(&(base.symbol, name)) {
                Some(member) => found.push(SymbolRow::new(base.file, *member)),
                None => bases.extend(types.bases.get(&base.symbol).into_iter().flatten()),
            }
        }
        Ok(found)
    }
}

/// The type that a block is about.
fn extended(facts: &FileFacts, links: &FileLinks, symbol: SymbolId) -> Option<SymbolRow> {
    let note = facts.notes.iter().find(|note| note.symbol == symbol && note.tie == Tie::SelfType)?;
    named(facts, links, note.expr)
}
