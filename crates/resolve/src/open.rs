//! Open types: classes and modules that several declarations, in any files, make up together.
//!
//! A namespace is a path of names from the top level. A constant is looked up in the namespaces around it, each with all
//! of its declarations, then in the ancestors of the innermost one, then at the top level.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lookup::{Found, Linker, What};
use crate::memo::Memo;
use crate::types::Ty;
use crate::{FileId, Sym, TermId, Unit};

/// The number of a namespace in its linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NestingId(u32);

impl NestingId {
    /// What is around everything.
    pub(crate) const TOP: NestingId = NestingId(0);
}

/// What is known about open types.
#[derive(Default)]
pub(crate) struct Open {
    /// The last name of each namespace but the outermost.
    names: Vec<TermId>,
    numbers: FxHashMap<(NestingId, TermId), NestingId>,
    spaces: Memo<Sym, Option<NestingId>>,
    parts: Memo<NestingId, Rc<[Sym]>>,
    constants: Memo<(NestingId, TermId), Option<Sym>>,
    pub(crate) methods: Memo<(NestingId, TermId, bool), Option<Sym>>,
    pub(crate) functions: Memo<TermId, Option<Sym>>,
    pub(crate) heirs: Memo<Sym, Rc<[Sym]>>,
    pub(crate) definers: Memo<TermId, Rc<[NestingId]>>,
    pub(crate) below: Memo<Sym, Rc<FxHashSet<NestingId>>>,
    pub(crate) extensions: Memo<NestingId, Rc<[Sym]>>,
    /// Whether some method of a name says what the receiver is in its block.
    pub(crate) within: FxHashMap<TermId, bool>,
}

impl Open {
    fn child(&mut self, of: NestingId, name: TermId) -> NestingId {
        if let Some(known) = self.numbers.get(&(of, name)) {
            return *known;
        }
        self.names.push(name);
        let id = NestingId(self.names.len() as u32);
        self.numbers.insert((of, name), id);
        id
    }

    fn name(&self, id: NestingId) -> Option<TermId> {
        (id.0 as usize).checked_sub(1).map(|place| self.names[place])
    }

    pub(crate) fn len(&self) -> usize {
        self.spaces.len() + self.parts.len() + self.constants.len() + self.methods.len()
    }

    pub(crate) fn end_question(&mut self) {
        self.spaces.end_question();
        self.parts.end_question();
        self.constants.end_question();
        self.methods.end_question();
        self.functions.end_question();
        self.heirs.end_question();
        self.definers.end_question();
        self.below.end_question();
        self.extensions.end_question();
    }

    pub(crate) fn clear(&mut self) {
        *self = Open::default();
    }
}

/// Whether a symbol is a namespace for constants and methods.
pub(crate) fn is_open_type(symbol: &Symbol) -> bool {
    symbol.kind.is_type() || symbol.kind == SymbolKind::Module
}

impl Linker<'_> {
    /// The namespace that a class or module is.
    pub(crate) fn nesting_of(&mut self, sym: Sym) -> Option<NestingId> {
        self.remembered(|l| &mut l.open.spaces, sym, None, |l| l.nesting_of_now(sym))
    }

    fn nesting_of_now(&mut self, sym: Sym) -> Option<NestingId> {
        if sym.symbol.0 == 0 {
            return Some(NestingId::TOP);
        }
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if !is_open_type(symbol) {
            return self.nesting_around(&unit, symbol.scope);
        }
        let name = unit.name(symbol.name);
        let around = match symbol.qualifier.get() {
            Some(qualifier) => self.qualified_space(&unit, symbol.scope, unit.name(qualifier))?,
            None => self.nesting_around(&unit, symbol.scope)?,
        };
        Some(self.open.child(around, name))
    }

    /// The namespace that is written before the name of a definition.
    fn qualified_space(&mut self, unit: &Arc<Unit>, scope: ScopeId, qualifier: TermId) -> Option<NestingId> {
        let text = self.program.text(qualifier);
        let mut parts = text.split(unit.language.separator).filter(|part| !part.is_empty());
        let first = self.program.term(parts.next()?)?;
        let mut around = NestingId::TOP;
        for space in self.nestings_around(unit, scope) {
            if self.constant_in(space, first).is_some() {
                around = space;
                break;
            }
        }
        let mut space = self.open.child(around, first);
        for part in parts {
            space = self.open.child(space, self.program.term(part)?);
        }
        Some(space)
    }

    /// The namespace that a scope is in.
    pub(crate) fn nesting_around(&mut self, unit: &Arc<Unit>, mut scope: ScopeId) -> Option<NestingId> {
        while scope.is_some() {
            let entry = unit.scope(scope);
            if entry.kind == ScopeKind::Type {
                return self.nesting_of(Sym { file: unit.file, symbol: entry.owner });
            }
            scope = entry.parent;
        }
        Some(NestingId::TOP)
    }

    /// The namespaces around a scope as they are written, innermost first, without the outermost.
    fn nestings_around(&mut self, unit: &Arc<Unit>, mut scope: ScopeId) -> Vec<NestingId> {
        let mut found = Vec::new();
        while scope.is_some() {
            let entry = *unit.scope(scope);
            if entry.kind == ScopeKind::Type
                && let Some(space) = self.nesting_of(Sym { file: unit.file, symbol: entry.owner })
                && space != NestingId::TOP
                && !found.contains(&space)
            {
                found.push(space);
            }
            scope = entry.parent;
        }
        found
    }

    /// All declarations of a class or module, the one that stands for all first.
    pub(crate) fn declarations(&mut self, space: NestingId) -> Rc<[Sym]> {
        self.remembered(|l| &mut l.open.parts, space, [].into(), |l| l.declarations_now(space))
    }

    fn declarations_now(&mut self, space: NestingId) -> Rc<[Sym]> {
        let Some(name) = self.open.name(space) else { return [].into() };
        let mut found = Vec::new();
        for &file in self.program.defining(name).iter() {
            let unit = self.unit(file);
            if !unit.language.linking.open_types {
                continue;
            }
            for symbol in unit.named(name).filter(|id| is_open_type(unit.symbol(*id))) {
                let sym = Sym { file, symbol };
                if self.nesting_of(sym) == Some(space) {
                    found.push(sym);
                }
            }
        }
        self.order_parts(&mut found, name);
        found.into()
    }

    /// Declarations in the file that is named after them come first, the others in the order of their paths.
    fn order_parts(&mut self, found: &mut [Sym], name: TermId) {
        let text = self.program.text(name);
        found.sort_by_cached_key(|sym| !is_named_after(&self.program.path(sym.file), &text));
    }

    /// The declaration that stands for all of a type.
    pub(crate) fn canonical(&mut self, sym: Sym) -> Sym {
        match self.nesting_of(sym) {
            Some(space) => self.declarations(space).first().copied().unwrap_or(sym),
            None => sym,
        }
    }

    /// A constant of a namespace, ancestors apart.
    pub(crate) fn constant_in(&mut self, space: NestingId, name: TermId) -> Option<Sym> {
        self.remembered(|l| &mut l.open.constants, (space, name), None, |l| l.constant_in_now(space, name))
    }

    fn constant_in_now(&mut self, space: NestingId, name: TermId) -> Option<Sym> {
        let inner = self.open.child(space, name);
        if let Some(first) = self.declarations(inner).first() {
            return Some(*first);
        }
        let mut found = Vec::new();
        for &file in self.program.defining(name).iter() {
            found.extend(self.plain_constant(file, space, name));
        }
        self.order_parts(&mut found, name);
        found.first().copied()
    }

    /// A constant that is no type, as one file defines it.
    fn plain_constant(&mut self, file: FileId, space: NestingId, name: TermId) -> Option<Sym> {
        let unit = self.unit(file);
        if !unit.language.linking.open_types {
            return None;
        }
        let mut named = unit.named(name);
        named.find_map(|symbol| {
            let entry = unit.symbol(symbol);
            let fits = entry.kind == SymbolKind::Constant && entry.qualifier.is_none();
            (fits && self.nesting_around(&unit, entry.scope) == Some(space)).then_some(Sym { file, symbol })
        })
    }

    /// What a constant without anything before it means.
    pub(crate) fn open_constant(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let scope = outside_head(unit, reference);
        let inherits = reference.kind == RefKind::Inherit || scope != reference.scope;
        let spaces = self.nestings_around(unit, scope);
        for space in &spaces {
            if let Some(sym) = self.constant_from(unit.file, *space, name) {
                return Some(Found::new(What::Symbol(sym)));
            }
        }
        // Bases are found without asking for bases, and what is mixed in without asking for what is mixed in.
        if let Some(first) = spaces.first().filter(|_| !inherits)
            && let Some(own) = self.declarations(*first).first().copied()
            && let Some(found) = match is_mixed_in(unit, reference) {
                true => self.constant_of_superclass(*first, name),
                false => self.inherited_constant(own, name),
            }
        {
            return Some(found);
        }
        if self.words(unit).builtins.contains(&name) {
            return Some(self.outside(unit, name));
        }
        let found = self.constant_from(unit.file, NestingId::TOP, name);
        let found = found.or_else(|| self.constant_mixed_in_everywhere(unit, name));
        found.map(|sym| Found::new(What::Symbol(sym)).by(How::Module))
    }

    /// A constant of a module that is mixed in at the top level, by a file of the same folder, of one above or of one below.
    fn constant_mixed_in_everywhere(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Sym> {
        let own = self.program.path(unit.file);
        for &file in self.program.defining(name).iter() {
            let owner = self.unit(file);
            if !owner.language.linking.open_types {
                continue;
            }
            for symbol in owner.named(name) {
                let entry = owner.symbol(symbol);
                let fits = is_open_type(entry) || entry.kind == SymbolKind::Constant;
                let around =
                    if fits && entry.qualifier.is_none() { self.nesting_around(&owner, entry.scope) } else { None };
                if let Some(space) = around.filter(|space| *space != NestingId::TOP)
                    && self.is_mixed_in_everywhere(space, &own)
                {
                    return self.constant_in(space, name);
                }
            }
        }
        None
    }

    fn is_mixed_in_everywhere(&mut self, space: NestingId, own: &str) -> bool {
        let Some(name) = self.open.name(space) else { return false };
        let top = own.split('/').next();
        for &file in self.program.inheriting(name).iter() {
            if self.program.path(file).split('/').next() != top {
                continue;
            }
            let unit = self.unit(file);
            if !unit.language.linking.open_types {
                continue;
            }
            let notes: Vec<ExprId> =
                unit.notes(SymbolId(0)).iter().filter(|n| n.tie == Tie::Implements).map(|n| n.expr).collect();
            for expr in notes {
                if let Ty::Instance(sym, _) = self.annotation(&unit, expr).ty
                    && self.nesting_of(sym) == Some(space)
                {
                    return true;
                }
            }
        }
        false
    }

    /// What the project adds to a type outside of it, by the path that it is named by.
    fn reopened(&mut self, unit: &Unit, mut expr: ExprId) -> Option<Sym> {
        let mut names = Vec::new();
        while expr.is_some() {
            let node = unit.facts.exprs[expr.index()];
            match node.op {
                ExprOp::Ref => {
                    let reference = &unit.facts.refs[node.a as usize];
                    names.push(unit.name(reference.name));
                    expr = reference.receiver;
                }
                ExprOp::Root => break,
                _ => return None,
            }
        }
        names.reverse();
        let space = names.iter().fold(NestingId::TOP, |space, name| self.open.child(space, *name));
        self.declarations(space).first().copied()
    }

    /// A constant of a namespace: the file's own value, if it has one.
    fn constant_from(&mut self, file: FileId, space: NestingId, name: TermId) -> Option<Sym> {
        let found = self.constant_in(space, name)?;
        if found.file == file || is_open_type(self.unit(found.file).symbol(found.symbol)) {
            return Some(found);
        }
        self.plain_constant(file, space, name).or(Some(found))
    }

    fn inherited_constant(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        for base in self.lineage(sym).iter().skip(1) {
            if let Some(space) = self.nesting_of(*base)
                && let Some(found) = self.constant_in(space, name)
            {
                return Some(Found::new(What::Symbol(found)).by(How::Inherited));
            }
        }
        None
    }

    /// A constant of what a type inherits from, whatever is mixed into it.
    fn constant_of_superclass(&mut self, space: NestingId, name: TermId) -> Option<Found> {
        for part in self.declarations(space).iter() {
            let unit = self.unit(part.file);
            for note in unit.notes(part.symbol).iter().filter(|n| n.tie == Tie::Base) {
                if let Ty::Instance(base, _) = self.annotation(&unit, note.expr).ty
                    && let Some(found) = self.constant_of(base, name)
                {
                    return Some(found.by(How::Inherited));
                }
            }
        }
        None
    }

    /// `A::B`: a constant of a type or of its ancestors.
    pub(crate) fn constant_of(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        let space = self.nesting_of(sym)?;
        match self.constant_in(space, name) {
            Some(found) => Some(Found::new(What::Symbol(found)).by(How::Member)),
            None => self.inherited_constant(sym, name),
        }
    }

    /// The bases of all declarations of a type: modules that were mixed in last come first.
    pub(crate) fn open_bases(&mut self, sym: Sym) -> Vec<Ty> {
        let Some(space) = self.nesting_of(sym) else { return Vec::new() };
        let (mut mixed, mut bases) = (Vec::new(), Vec::new());
        for part in self.declarations(space).iter() {
            let unit = self.unit(part.file);
            for note in unit.notes(part.symbol).iter().filter(|n| matches!(n.tie, Tie::Base | Tie::Implements)) {
                let mut ty = self.annotation(&unit, note.expr).ty;
                if !matches!(ty, Ty::Instance(..))
                    && let Some(own) = self.reopened(&unit, note.expr).filter(|own| *own != sym)
                {
                    ty = Ty::Instance(own, None);
                }
                let list = if note.tie == Tie::Base { &mut bases } else { &mut mixed };
                if matches!(ty, Ty::Instance(..)) && !list.contains(&ty) {
                    list.push(ty);
                }
            }
        }
        mixed.reverse();
        mixed.append(&mut bases);
        mixed
    }
}

/// The scope around a definition for what stands in its head.
fn outside_head(unit: &Unit, reference: &Reference) -> ScopeId {
    let entry = unit.scope(reference.scope);
    let owner = unit.symbol(entry.owner);
    let in_head =
        entry.kind == ScopeKind::Type && reference.span.start < owner.head_end && owner.inner == reference.scope;
    if in_head { entry.parent } else { reference.scope }
}

/// Whether a name says what is mixed into the type around it.
fn is_mixed_in(unit: &Unit, reference: &Reference) -> bool {
    let mut entry = unit.scope(reference.scope);
    // Often a block says it, which is run for those who include a module.
    while entry.kind == ScopeKind::Block {
        entry = unit.scope(entry.parent);
    }
    entry.kind == ScopeKind::Type
        && unit.notes(entry.owner).iter().any(|note| {
            let first = (note.tie == Tie::Implements).then(|| first_name(unit, note.expr)).flatten();
            first.is_some_and(|first| first.span == reference.span)
        })
}

/// The name that a path of names begins with.
fn first_name(unit: &Unit, mut id: ExprId) -> Option<&Reference> {
    while id.is_some() {
        let expr = unit.facts.exprs[id.index()];
        match expr.op {
            ExprOp::Ref => {
                let reference = &unit.facts.refs[expr.a as usize];
                match reference.receiver.get() {
                    Some(before) => id = before,
                    None => return Some(reference),
                }
            }
            _ => return None,
        }
    }
    None
}

/// Whether a file has the name of a type, however words are joined.
fn is_named_after(path: &str, name: &str) -> bool {
    let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or_default();
    let letters = stem.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    letters.eq(name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase))
}
