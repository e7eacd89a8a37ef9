//! Goes through everything that a declaration says, without positions: what it says as a hash, and the names in it.

use std::hash::Hasher;

use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::{Entity, UNNAMED, words};
use crate::exports::has_short_keys_only;
use crate::opened::brackets;
use crate::standing::{comes_later, has_twin};
use crate::{Program, TermId, Unit};

/// A file and what to look up in it.
pub(super) struct File<'a> {
    pub(super) unit: &'a Unit,
    pub(super) program: &'a dyn Program,
    /// Places of bindings by scope and name.
    bindings: FxHashMap<(ScopeId, StrId), Vec<usize>>,
    /// Bindings of parameters by scope.
    params: FxHashMap<ScopeId, Vec<usize>>,
    /// Imports inside functions by scope.
    imports: FxHashMap<ScopeId, Vec<usize>>,
    /// Macros that may put what follows them into a namespace, and where they end.
    brackets: Vec<(u32, TermId)>,
}

impl<'a> File<'a> {
    pub(super) fn new(unit: &'a Unit, program: &'a dyn Program) -> File<'a> {
        let mut file = File {
            unit,
            program,
            bindings: FxHashMap::default(),
            params: FxHashMap::default(),
            imports: FxHashMap::default(),
            brackets: brackets(unit).map(|reference| (reference.span.end, unit.name(reference.name))).collect(),
        };
        for (i, binding) in unit.facts.bindings.iter().enumerate() {
            file.bindings.entry((binding.scope, binding.name)).or_default().push(i);
            if matches!(binding.kind, BindingKind::Param | BindingKind::TypeParam) {
                file.params.entry(binding.scope).or_default().push(i);
            }
        }
        for (i, import) in unit.facts.imports.iter().enumerate() {
            file.imports.entry(import.scope).or_default().push(i);
        }
        file
    }

    pub(super) fn is_inside_function(&self, mut scope: ScopeId) -> bool {
        while scope.is_some() {
            let entry = self.unit.scope(scope);
            if entry.kind == ScopeKind::Function {
                return true;
            }
            scope = entry.parent;
        }
        false
    }
}

/// Whether an import leads to a file without a word of its name.
pub(super) fn is_unnamed(file: &File<'_>, import: &Import) -> bool {
    match import.source.get() {
        Some(source) => words(&file.program.text(file.unit.name(source))).next().is_none(),
        None => import.level > 0 && import.path.len() < 2,
    }
}

pub(super) struct Walk<'a> {
    file: &'a File<'a>,
    unit: &'a Unit,
    hasher: FxHasher,
    mentions: FxHashSet<TermId>,
    /// Chains of local names can be long: what is met waits here.
    pending: Vec<ExprId>,
    seen_exprs: FxHashSet<ExprId>,
    seen_bindings: FxHashSet<usize>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(file: &'a File<'a>) -> Walk<'a> {
        Walk {
            file,
            unit: file.unit,
            hasher: FxHasher::default(),
            mentions: FxHashSet::default(),
            pending: Vec::new(),
            seen_exprs: FxHashSet::default(),
            seen_bindings: FxHashSet::default(),
        }
    }

    pub(super) fn entity(mut self, name: TermId, start: u32) -> Entity {
        self.drain();
        let mentions = self.mentions.into_iter().collect();
        Entity { name, start, hash: self.hasher.finish(), mentions, ..Entity::default() }
    }

    pub(super) fn term(&mut self, term: TermId) {
        self.hasher.write_u32(term);
    }

    fn mention(&mut self, term: TermId) {
        self.term(term);
        self.mentions.insert(term);
    }

    /// Goes through a declaration; gives the hash of what decides whether it is found.
    pub(super) fn symbol(&mut self, id: SymbolId) -> u64 {
        let unit = self.unit;
        let symbol = unit.symbol(id);
        self.hasher.write_u8(symbol.kind as u8);
        self.hasher.write_u8(symbol.visibility as u8);
        self.hasher.write_u32(symbol.flags.0);
        self.hasher.write_u8(unit.scope(symbol.scope).kind as u8);
        self.hasher.write_u8(u8::from(symbol.inner.is_some()));
        self.hasher.write_u8(u8::from(symbol.head_end < symbol.span.end));
        self.hasher.write_u8(u8::from(has_twin(unit, id)));
        if symbol.qualifier.is_some() {
            let qualifier = unit.name(symbol.qualifier);
            self.mention(qualifier);
            if unit.language.linking.open_types {
                let text = self.file.program.text(qualifier);
                self.mentions.extend(words(&text).filter_map(|word| self.file.program.term(word)));
            }
        }
        // An attribute is what the variable of its name is.
        if symbol.kind == SymbolKind::Property && unit.language.linking.open_types {
            let name = format!("@{}", self.file.program.text(unit.name(symbol.name)));
            self.mentions.extend(self.file.program.term(&name));
        }
        self.chain(symbol.parent);
        self.brackets(symbol.name_span.start);
        for param in &symbol.params {
            self.hasher.write_u32(param.flags.0);
            self.hasher.write_u8(u8::from(param.default.is_empty()));
        }
        // Among several of a name, the types that they take decide.
        if unit.language.linking.overloads {
            self.hasher.write_usize(unit.type_params_of(symbol.inner).count());
            self.parameters(symbol);
            self.drain();
        }
        let face = self.hasher.finish();
        // Whether an object exports names depends on all its keys.
        if symbol.flags.has(Flags::MEMBER) && symbol.inner.is_some() {
            self.hasher.write_u8(u8::from(has_short_keys_only(unit, symbol.inner)));
        }
        self.parameters(symbol);
        let declared = unit.note(id, Tie::Type).is_some();
        for note in unit.notes(id) {
            // What a body returns matters only where nothing is declared.
            if !(declared
                && (note.tie == Tie::Return || note.tie == Tie::Yield && unit.language.block_calls.is_empty()))
            {
                self.note(note);
            }
        }
        face
    }

    pub(super) fn note(&mut self, note: &Note) {
        self.hasher.write_u8(note.tie as u8);
        self.expr(note.expr);
    }

    /// The macros that may have opened a namespace around a place, or closed it.
    fn brackets(&mut self, at: u32) {
        let file = self.file;
        for (_, name) in file.brackets.iter().take_while(|(end, _)| *end <= at) {
            self.mention(*name);
        }
    }

    /// The names of the symbols around, outwards.
    fn chain(&mut self, mut at: SymbolId) {
        let unit = self.unit;
        while let Some(id) = at.get() {
            let symbol = unit.symbol(id);
            self.hasher.write_u8(symbol.kind as u8);
            if symbol.name.is_some() && id.0 != 0 {
                self.term(unit.name(symbol.name));
            }
            at = symbol.parent;
        }
    }

    fn parameters(&mut self, symbol: &Symbol) {
        let Some(inner) = symbol.inner.get() else { return };
        for i in self.file.params.get(&inner).into_iter().flatten() {
            self.binding(*i);
        }
    }

    /// Where something stands; whether that is in a function.
    pub(super) fn place(&mut self, scope: ScopeId) -> bool {
        let inside = self.file.is_inside_function(scope);
        if !inside {
            self.chain(self.unit.scope(scope).owner);
        }
        inside
    }

    pub(super) fn import(&mut self, import: &Import) {
        let unit = self.unit;
        self.brackets(import.span.start);
        self.hasher.write_u16(import.flags.0);
        self.hasher.write_u8(import.level);
        if import.alias.is_some() {
            self.term(unit.name(import.alias));
        }
        for part in &import.path {
            self.mention(unit.name(unit.facts.refs[part.index()].name));
        }
        if import.source.is_some() {
            let source = unit.name(import.source);
            self.mention(source);
            let text = self.file.program.text(source);
            self.mentions.extend(words(&text).filter_map(|word| self.file.program.term(word)));
        }
        if is_unnamed(self.file, import) {
            self.mentions.insert(UNNAMED);
        }
    }

    pub(super) fn binding(&mut self, index: usize) {
        if !self.seen_bindings.insert(index) {
            return;
        }
        let binding = self.unit.facts.bindings[index];
        self.hasher.write_u8(binding.kind as u8);
        self.term(self.unit.name(binding.name));
        self.expr(binding.ty);
        self.expr(binding.init);
        if binding.kind == BindingKind::Param {
            self.types_around(binding.scope);
        }
    }

    fn expr(&mut self, id: ExprId) {
        self.hasher.write_u8(u8::from(id.is_some()));
        self.pending.push(id);
    }

    fn drain(&mut self) {
        while let Some(id) = self.pending.pop() {
            if id.is_none() || !self.seen_exprs.insert(id) {
                self.hasher.write_u8(0xff);
            } else {
                self.one(self.unit.facts.exprs[id.index()]);
            }
        }
    }

    fn one(&mut self, Expr { op, a, b }: Expr) {
        self.hasher.write_u8(op as u8);
        match op {
            ExprOp::Ref => self.reference(RefId(a)),
            ExprOp::Item | ExprOp::Takes => {
                self.hasher.write_u32(b);
                self.pending.push(ExprId(a));
            }
            ExprOp::Key | ExprOp::Named => {
                self.mention(self.unit.name(StrId(b)));
                self.pending.push(ExprId(a));
            }
            ExprOp::Apply | ExprOp::Cons | ExprOp::Either | ExprOp::Meet | ExprOp::Arguments | ExprOp::Case => {
                self.pending.extend([ExprId(a), ExprId(b)]);
            }
            ExprOp::Literal => {
                self.hasher.write_u32(a);
                if StrId(b).is_some() {
                    self.mention(self.unit.name(StrId(b)));
                }
            }
            ExprOp::FunctionType => {
                if b > 0 {
                    self.region(ScopeId(b));
                }
                self.pending.push(ExprId(a));
            }
            ExprOp::This | ExprOp::Super => self.types_around(ScopeId(a)),
            ExprOp::Own => self.own(SymbolId(a)),
            ExprOp::Shape | ExprOp::Lambda => self.region(ScopeId(a)),
            ExprOp::Root => {}
            ExprOp::Module => self.import(&self.unit.facts.imports[a as usize]),
            ExprOp::Call
            | ExprOp::Index
            | ExprOp::Await
            | ExprOp::Try
            | ExprOp::Deref
            | ExprOp::AddressOf
            | ExprOp::Iterate
            | ExprOp::Tuple
            | ExprOp::Array
            | ExprOp::Optional
            | ExprOp::Pointer
            | ExprOp::Typed
            | ExprOp::TypeOf
            | ExprOp::Parameters => self.pending.push(ExprId(a)),
        }
    }

    /// Hashes a name, with the receiver that it is a member of, and with the local declarations that it may mean.
    fn reference(&mut self, id: RefId) {
        let unit = self.unit;
        let reference = unit.facts.refs[id.index()];
        self.hasher.write_u8(reference.kind as u8);
        self.hasher.write_u8(reference.args);
        self.mention(unit.name(reference.name));
        self.types_around(reference.scope);
        if reference.receiver.is_none() {
            self.local(&reference);
        }
        self.pending.push(reference.receiver);
        self.pending.extend(unit.arguments(id));
    }

    /// Everything that the scopes around declare under a name, and what of it comes before its use.
    fn local(&mut self, reference: &Reference) {
        let unit = self.unit;
        let mut scope = reference.scope;
        while scope.is_some() {
            if unit.language.linking.bodies_run && unit.scope(scope).kind == ScopeKind::Type {
                let later = comes_later(unit, scope, unit.name(reference.name), reference);
                self.hasher.write_u8(u8::from(later));
            }
            let inside = matches!(unit.scope(scope).kind, ScopeKind::Function | ScopeKind::Block);
            for i in self.file.bindings.get(&(scope, reference.name)).into_iter().flatten() {
                self.hasher.write_u8(u8::from(unit.facts.bindings[*i].from <= reference.span.start));
                self.binding(*i);
            }
            for i in self.file.imports.get(&scope).into_iter().flatten().filter(|_| inside) {
                self.import(&unit.facts.imports[*i]);
            }
            scope = unit.scope(scope).parent;
        }
    }

    /// The types around a scope: what `self` and its words mean.
    fn types_around(&mut self, mut scope: ScopeId) {
        let unit = self.unit;
        while scope.is_some() {
            let entry = unit.scope(scope);
            if entry.kind == ScopeKind::Type && unit.symbol(entry.owner).name.is_some() {
                self.mentions.insert(unit.name(unit.symbol(entry.owner).name));
            }
            scope = entry.parent;
        }
    }

    fn own(&mut self, id: SymbolId) {
        let symbol = self.unit.symbol(id);
        if symbol.name.is_some() {
            self.mention(self.unit.name(symbol.name));
        }
        self.chain(id);
    }

    /// A function or a type without a name: all names in it.
    fn region(&mut self, scope: ScopeId) {
        let unit = self.unit;
        let span = unit.scope(scope).span;
        let first = unit.facts.refs.partition_point(|reference| reference.span.start < span.start);
        for reference in unit.facts.refs[first..].iter().take_while(|reference| reference.span.start < span.end) {
            self.mention(unit.name(reference.name));
        }
        for symbol in unit.facts.symbols.iter().filter(|symbol| symbol.scope == scope && symbol.name.is_some()) {
            self.mention(unit.name(symbol.name));
        }
    }
}
