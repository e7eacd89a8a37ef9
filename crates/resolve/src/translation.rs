//! Names as a compiler sees them that puts files together: local scopes, types, then namespaces outwards, each with
//! what the file and all that it includes declare in it.

use std::sync::Arc;

use codegraph_languages::linking::Linking;
use codegraph_model::*;

use crate::hierarchy::names_base;
use crate::lookup::{Found, Linker, What, accepts};
use crate::outline::{Outer, symbol_of};
use crate::spaces::SpaceId;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{FileId, Sym, TermId, Unit};

/// More files than this that declare a name say nothing about which of them is meant.
const MOST_ANYWHERE: usize = 24;

/// Of a name that is declared more often than anybody writes, so many declarations are looked at: the first ones, which win
/// over others that are as good, and the last ones.
const FIRST: usize = 192;
const LAST: usize = 64;

/// How well a declaration suits a reference; the less, the better. `None` if it cannot be meant.
type Suits = (u8, bool, u8, bool, bool, u32);

impl Linker<'_> {
    /// A plain name, from the innermost scope outwards.
    pub(crate) fn translated_name(
        &mut self,
        unit: &Arc<Unit>,
        name: TermId,
        from: ScopeId,
        reference: &Reference,
    ) -> Option<Found> {
        let linking = &unit.language.linking;
        let mut scope = from;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let found = match entry.kind {
                ScopeKind::Module | ScopeKind::Namespace => break,
                ScopeKind::Type if !linking.members_in_scope => None,
                ScopeKind::Type => self.in_type(unit, scope, name, reference, linking),
                ScopeKind::Function | ScopeKind::Block => self
                    .in_scope(unit, scope, name, reference, linking)
                    .or_else(|| label(unit, scope, name))
                    .or_else(|| self.in_outer(unit, scope, name, reference)),
            };
            if let Some(found) = found {
                let before = self.macro_before(unit, name, &found, reference);
                return before.or_else(|| Some(self.class_of_constructor(found)));
            }
            scope = entry.parent;
        }
        let space = self.space_of(unit, scope, reference.span.start);
        if self.words(unit).builtins.contains(&name) {
            return Some(self.outside(unit, name));
        }
        if let Some(found) = self.in_open_spaces(unit, space, name, reference) {
            return Some(found);
        }
        if let Some(found) = self.anywhere_around(unit, space, name, reference) {
            return Some(found);
        }
        if let Some(found) = self.hidden_type(unit, name, reference) {
            return Some(found);
        }
        if let Some(found) = self.macro_of_includers(unit, name) {
            return Some(found);
        }
        let known = self.words(unit).containers.contains_key(&name);
        known.then(|| self.outside(unit, name))
    }

    fn in_type(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        reference: &Reference,
        linking: &Linking,
    ) -> Option<Found> {
        // Overloads of the bases count as much as own ones.
        let own = match reference.kind {
            RefKind::Call => self.type_parameter(unit, scope, name),
            _ => self.in_scope(unit, scope, name, reference, linking),
        };
        if own.is_some() || names_base(unit, scope, reference) {
            return own;
        }
        self.inherited(unit, unit.scope(scope).owner, name, reference)
    }

    /// A macro that takes arguments knows no scopes: it is there before a local name is.
    fn macro_before(&mut self, unit: &Arc<Unit>, name: TermId, found: &Found, reference: &Reference) -> Option<Found> {
        if reference.kind != RefKind::Call || !matches!(found.what, What::Local(..)) {
            return None;
        }
        let things = self.in_view(unit, SpaceId::GLOBAL, name);
        let found = self.pick(unit, &things, reference)?;
        let sym = symbol_of(&found)?;
        let owner = self.unit(sym.file);
        let entry = owner.symbol(sym.symbol);
        (entry.kind == SymbolKind::Macro && !entry.params.is_empty()).then_some(found)
    }

    /// By the name of a constructor its type is meant.
    fn class_of_constructor(&mut self, found: Found) -> Found {
        let Some(sym) = symbol_of(&found) else { return found };
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if symbol.kind != SymbolKind::Constructor || !unit.symbol(symbol.parent).kind.is_type() {
            return found;
        }
        let class = Sym { symbol: symbol.parent, ..sym };
        Found { what: What::Symbol(class), ambiguous: false, ..found }
    }

    fn type_parameter(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId) -> Option<Found> {
        let mut bound = unit.declared(scope, name).filter(|decl| matches!(decl, Decl::Binding(_)));
        let decl = bound.next()?;
        self.declared_thing(unit, decl)
    }

    /// Inside a definition that belongs to something by its qualified name: what is known there.
    fn in_outer(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId, reference: &Reference) -> Option<Found> {
        let function = self.function_of(unit, scope)?;
        match self.outer_of(unit, function)? {
            Outer::Space(space) => self.in_open_spaces(unit, space, name, reference),
            Outer::Type(sym) => self.around_type(unit, sym, name, reference),
        }
    }

    /// Members of a type, of the types around it, and what the namespaces around it have.
    fn around_type(&mut self, unit: &Arc<Unit>, sym: Sym, name: TermId, reference: &Reference) -> Option<Found> {
        let mut at = sym;
        loop {
            let own = Typed::sure(Ty::Type(at, None));
            if let Some(found) = self.member(unit, &own, name, reference.args, reference.kind) {
                return Some(found);
            }
            let owner = self.unit(at.file);
            let parent = owner.symbol(at.symbol).parent;
            if !owner.symbol(parent).kind.is_type() {
                break;
            }
            at = Sym { symbol: parent, ..at };
        }
        let space = self.space_of_symbol(sym);
        self.in_open_spaces(unit, space, name, reference)
    }

    /// All functions of a found one's name in its namespace that take as many arguments.
    pub(crate) fn overloads_in_view(&mut self, unit: &Arc<Unit>, sym: Sym, args: u8) -> Vec<Sym> {
        let owner = self.unit(sym.file);
        let name = owner.name(owner.symbol(sym.symbol).name);
        let space = self.space_of_symbol(sym);
        let mut all = Vec::new();
        for (file, decl) in self.in_view(unit, space, name).iter() {
            let Decl::Symbol(symbol) = *decl else { continue };
            let other = self.unit(*file);
            let entry = other.symbol(symbol);
            if entry.kind.is_callable() && entry.kind != SymbolKind::Macro && accepts(entry, args) {
                all.push(Sym { file: *file, symbol });
            }
        }
        let special = |l: &mut Self, sym: &Sym| l.unit(sym.file).symbol(sym.symbol).flags.has(Flags::SPECIAL);
        if all.iter().any(|sym| !special(self, sym)) {
            all.retain(|sym| !special(self, sym));
        }
        let all = self.likely(unit, all);
        self.without_declarations(all)
    }

    /// Functions without the declarations of those among them.
    fn without_declarations(&mut self, all: Vec<Sym>) -> Vec<Sym> {
        if all.len() < 2 {
            return all;
        }
        let mut kept: Vec<Sym> = Vec::new();
        for sym in all {
            let unit = self.unit(sym.file);
            let symbol = unit.symbol(sym.symbol);
            let same = kept.iter().position(|other| {
                let owner = self.unit(other.file);
                same_parameters(&unit, symbol, &owner, owner.symbol(other.symbol))
            });
            match same {
                Some(place) if is_declaration(symbol) => _ = place,
                Some(place) => {
                    let other = self.unit(kept[place].file);
                    match is_declaration(other.symbol(kept[place].symbol)) {
                        true => kept[place] = sym,
                        false => kept.push(sym),
                    }
                }
                None => kept.push(sym),
            }
        }
        kept
    }

    /// The template that a specialisation belongs to.
    pub(crate) fn template_of(&mut self, sym: Sym) -> Sym {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if !symbol.flags.has(Flags::SPECIAL) || symbol.qualifier.is_some() {
            return sym;
        }
        let name = unit.name(symbol.name);
        let own: Vec<(FileId, Decl)> = unit.declared(symbol.scope, name).map(|decl| (sym.file, decl)).collect();
        let space = self.space_of_symbol(sym);
        let around =
            if unit.symbol(symbol.parent).kind.is_type() { own.into() } else { self.in_view(&unit, space, name) };
        let mut found: Option<(bool, Sym)> = None;
        for (file, decl) in around.iter() {
            let Decl::Symbol(id) = *decl else { continue };
            let other = self.unit(*file);
            let entry = other.symbol(id);
            let suits =
                entry.kind.is_type() == symbol.kind.is_type() && entry.kind.is_callable() == symbol.kind.is_callable();
            let declares = is_declaration(entry);
            if suits && !entry.flags.has(Flags::SPECIAL) && found.is_none_or(|(old, _)| old && !declares) {
                found = Some((declares, Sym { file: *file, symbol: id }));
            }
        }
        found.map_or(sym, |(_, sym)| sym)
    }

    /// Those that the build has, else those that common builds have; all if they have none.
    pub(crate) fn likely(&mut self, unit: &Arc<Unit>, mut all: Vec<Sym>) -> Vec<Sym> {
        if all.len() > 1 {
            let ranks: Vec<u8> = all.iter().map(|sym| self.unlikeliness(unit, *sym)).collect();
            let best = ranks.iter().copied().min();
            let mut ranks = ranks.into_iter();
            all.retain(|_| ranks.next() == best);
        }
        all
    }

    /// A name in a namespace or in those around it.
    fn in_open_spaces(
        &mut self,
        unit: &Arc<Unit>,
        from: SpaceId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        let mut space = Some(from);
        while let Some(at) = space {
            if let Some(found) = self.in_open_space(unit, at, name, reference) {
                return Some(found);
            }
            space = self.open_spaces.around(at);
        }
        None
    }

    /// A name in a namespace, or in one that it takes everything from.
    fn in_open_space(
        &mut self,
        unit: &Arc<Unit>,
        space: SpaceId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        let things = self.in_view(unit, space, name);
        if let Some(found) = self.pick(unit, &things, reference) {
            return Some(found);
        }
        for other in self.directives(unit, space).iter().copied() {
            let things = self.in_view(unit, other, name);
            if let Some(found) = self.pick(unit, &things, reference) {
                return Some(found);
            }
        }
        None
    }

    /// `space::name`.
    pub(crate) fn member_in_view(
        &mut self,
        unit: &Arc<Unit>,
        space: SpaceId,
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        let span = Span::new(u32::MAX, u32::MAX);
        let reference = Reference { name: StrId::NONE, span, kind, scope: ScopeId(0), receiver: ExprId::NONE, args };
        if let Some(found) = self.in_open_space(unit, space, name, &reference) {
            return Some(found);
        }
        self.anywhere(unit, space, name, &reference)
    }

    /// The declaration that suits a reference best.
    fn pick(&mut self, unit: &Arc<Unit>, things: &[(FileId, Decl)], reference: &Reference) -> Option<Found> {
        let mut best: Option<(Suits, Found)> = None;
        let first = things.len().min(FIRST);
        for order in (0..first).chain(first.max(things.len().saturating_sub(LAST))..things.len()) {
            let (file, decl) = &things[order];
            let Some(found) = self.thing(*file, *decl) else { continue };
            let suits = match symbol_of(&found) {
                Some(sym) => self.suits(unit, sym, order as u32, reference),
                None => Some((0, false, 1, false, false, order as u32)),
            };
            if let Some(suits) = suits
                && best.as_ref().is_none_or(|(own, _)| suits < *own)
            {
                let found = if *file == unit.file { found } else { found.by(How::Import) };
                best = Some((suits, found));
            }
        }
        best.map(|(_, found)| found)
    }

    fn thing(&mut self, file: FileId, decl: Decl) -> Option<Found> {
        let owner = self.unit(file);
        self.declared_thing(&owner, decl)
    }

    fn suits(&mut self, unit: &Arc<Unit>, sym: Sym, order: u32, reference: &Reference) -> Option<Suits> {
        let owner = self.unit(sym.file);
        let symbol = owner.symbol(sym.symbol);
        let kind = suits_kind(symbol, reference)?;
        let calls = matches!(reference.kind, RefKind::Call | RefKind::Instantiation);
        let misfit = calls && symbol.kind.is_callable() && !accepts(symbol, reference.args);
        let unlikely = self.unlikeliness(unit, sym);
        let own = sym.file == unit.file;
        let absent = symbol.kind == SymbolKind::Macro && symbol.flags.has(Flags::REPLACED);
        if absent && !unit.symbol(unit.scope(reference.scope).owner).flags.has(Flags::INACTIVE) {
            return None;
        }
        let order = match symbol.kind {
            // The last definition before the use is in force.
            SymbolKind::Macro if own && symbol.name_span.start > reference.span.start => return None,
            SymbolKind::Macro if own => u32::MAX / 2 - symbol.name_span.start,
            _ => order,
        };
        Some((unlikely, symbol.flags.has(Flags::SPECIAL), kind, misfit, is_declaration(symbol), order))
    }

    /// What nothing that a file includes declares: it may be there where the file itself is included.
    fn anywhere_around(
        &mut self,
        unit: &Arc<Unit>,
        from: SpaceId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        if !self.is_included(unit) {
            return None;
        }
        let mut space = Some(from);
        while let Some(at) = space {
            if let Some(found) = self.anywhere(unit, at, name, reference) {
                return Some(found);
            }
            space = self.open_spaces.around(at);
        }
        None
    }

    /// A type behind a keyword (`struct x *`) that no header shows: the source file that has it keeps it to itself.
    fn hidden_type(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        if reference.kind != RefKind::TypeRef || reference.args == 0 || unit.language.linking.overloads {
            return None;
        }
        let found = self.anywhere(unit, SpaceId::GLOBAL, name, reference)?;
        let sym = symbol_of(&found)?;
        let owner = self.unit(sym.file);
        let there = self.unlikeliness(unit, sym) == 0 && !self.is_included(&owner);
        (there && owner.symbol(sym.symbol).kind.is_type()).then_some(found)
    }

    /// A macro that a file defines before it includes this one: this file is a template, filled in by who includes it.
    fn macro_of_includers(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        if !self.is_included(unit) {
            return None;
        }
        let files = self.program.defining(name);
        let mut found: Option<Sym> = None;
        for &file in files.iter().take(MOST_ANYWHERE) {
            let other = self.unit(file);
            let mut macros = other.named(name).filter(|id| other.symbol(*id).kind == SymbolKind::Macro);
            let Some(symbol) = macros.next() else { continue };
            if file == unit.file || !other.language.is_related(unit.language) || !self.includes(file, unit.file) {
                continue;
            }
            // One of them is as right as the others.
            found = Some(Sym { file, symbol });
            break;
        }
        found.map(|sym| Found { inferred: true, ..Found::new(What::Symbol(sym)).by(How::Module) })
    }

    /// A macro that stands in the place of a member.
    pub(crate) fn macro_as_member(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        // Types with methods have members that nothing here knows: asking for each of them costs too much.
        if unit.language.linking.overloads {
            return None;
        }
        let reference = Reference { kind: RefKind::Read, ..*reference };
        let things = self.in_view(unit, SpaceId::GLOBAL, name);
        let found = self.pick(unit, &things, &reference)?;
        let sym = symbol_of(&found)?;
        let owner = self.unit(sym.file);
        let entry = owner.symbol(sym.symbol);
        (entry.kind == SymbolKind::Macro && entry.params.is_empty()).then_some(found)
    }

    /// Whether a file is there to be included.
    pub(crate) fn is_included(&self, unit: &Unit) -> bool {
        let path = self.program.path(unit.file);
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        unit.language.linking.included_extensions.contains(&extension)
    }

    /// The only thing of a name in a namespace that all files together have.
    fn anywhere(&mut self, unit: &Arc<Unit>, space: SpaceId, name: TermId, reference: &Reference) -> Option<Found> {
        let files = self.program.defining(name);
        if files.len() > MOST_ANYWHERE {
            return None;
        }
        let mut all = Vec::new();
        for &file in files.iter() {
            let other = self.unit(file);
            if other.language.is_related(unit.language) {
                self.declared_in_space(&other, space, name, &mut all);
            }
        }
        let mut fitting: Vec<Sym> = Vec::new();
        let mut best = u8::MAX;
        for (file, decl) in all {
            let Decl::Symbol(symbol) = decl else { continue };
            let other = self.unit(file);
            let entry = other.symbol(symbol);
            let hidden = entry.flags.has(Flags::STATIC) && !self.is_included(&other);
            let private = entry.kind == SymbolKind::Macro && !self.is_included(&other);
            let absent = entry.kind == SymbolKind::Macro && entry.flags.has(Flags::REPLACED);
            let Some(kind) = suits_kind(entry, reference).filter(|_| !hidden && !private && !absent) else { continue };
            if kind < best {
                fitting.clear();
            }
            best = best.min(kind);
            if kind == best {
                fitting.push(Sym { file, symbol });
            }
        }
        let found = self.only_one(unit, fitting)?;
        Some(Found { inferred: true, ..Found::new(What::Symbol(found)).by(How::Module) })
    }

    /// Those types that a file could include; of several, those whose folders it shares most of.
    fn nearest(&mut self, unit: &Arc<Unit>, all: Vec<Sym>) -> Vec<Sym> {
        let is_type = |l: &mut Self, sym: &Sym| l.unit(sym.file).symbol(sym.symbol).kind.is_type();
        if all.len() < 2 || !all.iter().all(|sym| is_type(self, sym)) {
            return all;
        }
        let own = self.program.path(unit.file);
        let shared = |path: &str| own.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
        let mut ranked: Vec<((bool, usize), Sym)> = Vec::new();
        for sym in all {
            let other = self.unit(sym.file);
            let rank = (self.is_included(&other), shared(&self.program.path(sym.file)));
            ranked.push((rank, sym));
        }
        let best = ranked.iter().map(|(rank, _)| *rank).max();
        ranked.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, sym)| sym).collect()
    }

    /// The thing that several declarations are about, if it is one.
    fn only_one(&mut self, unit: &Arc<Unit>, all: Vec<Sym>) -> Option<Sym> {
        let all = self.likely(unit, all);
        let all = self.nearest(unit, all);
        let mut defined = Vec::new();
        for sym in &all {
            let unit = self.unit(sym.file);
            if !is_declaration(unit.symbol(sym.symbol)) {
                defined.push(*sym);
            }
        }
        let counted = if defined.is_empty() { &all } else { &defined };
        let first = counted.first()?;
        let callable = self.unit(first.file).symbol(first.symbol).kind.is_callable();
        let one = counted.iter().all(|sym| sym.file == first.file) || callable && defined.is_empty();
        one.then_some(*first)
    }
}

/// The label of a function.
fn label(unit: &Unit, scope: ScopeId, name: TermId) -> Option<Found> {
    let is_label = |i: &u32| unit.facts.bindings[*i as usize].kind == BindingKind::Label;
    let mut labels = unit.declared(scope, name).filter_map(|decl| match decl {
        Decl::Binding(i) => Some(i),
        _ => None,
    });
    labels.find(is_label).map(|i| Found::new(What::Local(unit.file, i)))
}

/// Declared, but made somewhere else.
fn is_declaration(symbol: &Symbol) -> bool {
    symbol.flags.has(Flags::DECLARATION) || symbol.flags.has(Flags::EXTERN) && !symbol.kind.is_callable()
}

/// Whether two functions take the same, as far as their types are written.
fn same_parameters(a: &Unit, one: &Symbol, b: &Unit, other: &Symbol) -> bool {
    let type_of = |unit: &Unit, param: &Param| {
        unit.parameter(param.name).map_or(ExprId::NONE, |binding| unit.facts.bindings[binding as usize].ty)
    };
    let pairs = one.params.iter().zip(&other.params);
    one.params.len() == other.params.len()
        && one.flags.has(Flags::CONST) == other.flags.has(Flags::CONST)
        && pairs.into_iter().all(|(x, y)| same_type(a, type_of(a, x), b, type_of(b, y), 0))
}

fn same_type(a: &Unit, one: ExprId, b: &Unit, other: ExprId, depth: u32) -> bool {
    if one.is_none() || other.is_none() || depth > 16 {
        return one.is_none() == other.is_none();
    }
    let (x, y) = (a.facts.exprs[one.index()], b.facts.exprs[other.index()]);
    let parts = |i: u32, j: u32| same_type(a, ExprId(i), b, ExprId(j), depth + 1);
    x.op == y.op
        && match x.op {
            ExprOp::Ref => {
                let name = |unit: &Unit, at: u32| unit.name(unit.facts.refs[at as usize].name);
                name(a, x.a) == name(b, y.a)
            }
            ExprOp::Literal => x.a == y.a && (StrId(x.b).is_none() || a.name(StrId(x.b)) == b.name(StrId(y.b))),
            ExprOp::Apply | ExprOp::Cons => parts(x.a, y.a) && parts(x.b, y.b),
            ExprOp::Pointer | ExprOp::Optional | ExprOp::Array | ExprOp::Typed => parts(x.a, y.a),
            _ => true,
        }
}

/// How well the kind of a symbol suits a reference.
fn suits_kind(symbol: &Symbol, reference: &Reference) -> Option<u8> {
    use SymbolKind::*;
    let kind = symbol.kind;
    match reference.kind {
        // A keyword before it says what kind of type it is.
        RefKind::TypeRef if reference.args > 0 => (kind.is_type()).then_some(0),
        RefKind::TypeRef | RefKind::Inherit | RefKind::Implements => match kind {
            TypeAlias => Some(0),
            Namespace => Some(2),
            Macro => Some(3),
            kind if kind.is_type() => Some(1),
            _ => None,
        },
        RefKind::Call => match kind {
            Namespace => None,
            Macro => Some(0),
            kind if kind.is_callable() => Some(1),
            TypeAlias => Some(2),
            _ => Some(3),
        },
        RefKind::Instantiation => match kind {
            TypeAlias => Some(0),
            kind if kind.is_type() => Some(1),
            Macro => Some(2),
            _ => None,
        },
        RefKind::Macro => Some(u8::from(kind != Macro)),
        RefKind::Import => Some(0),
        // Without parentheses a macro that takes arguments is just a name.
        _ if kind == Macro && !symbol.params.is_empty() => Some(5),
        _ => match kind {
            Namespace => Some(4),
            TypeAlias => Some(2),
            kind if kind.is_type() => Some(3),
            Macro => Some(0),
            _ => Some(1),
        },
    }
}
