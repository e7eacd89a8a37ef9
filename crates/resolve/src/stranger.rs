//! What a name that nothing binds cannot mean: a symbol that cannot be seen from there, that is no such thing, or that
//! belongs to another type than what the name is asked of.
//!
//! Asked when a question comes, not while linking: the answer depends on the symbol that is asked about, and nothing
//! has to be stored for it. Whatever is not known speaks for the symbol.

use std::sync::Arc;

use codegraph_languages::linking::ImportScheme;
use codegraph_languages::table::DefaultVisibility;
use codegraph_model::*;

use crate::lookup::{Linker, What, may_be_type};
use crate::module::ModuleRef;
use crate::outline::Outer;
use crate::types::Ty;
use crate::{FileId, Sym, Unit};

/// Whether a reference that is not bound may mean a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Nothing is known that speaks against it.
    Open,
    /// It may if the module of the symbol is held in a variable somewhere.
    Held,
    /// It is known to be something else.
    Elsewhere,
}

/// What a symbol belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A module.
    Module,
    Type(Sym),
    /// A type without a name, of which only its own members know.
    Nameless,
    /// A function, or something that is not understood.
    Other,
}

/// A symbol that is asked about.
pub struct Asked {
    sym: Sym,
    unit: Arc<Unit>,
    owner: Owner,
}

impl Asked {
    fn symbol(&self) -> &Symbol {
        self.unit.symbol(self.sym.symbol)
    }
}

impl Linker<'_> {
    /// What is to be known about a symbol to ask which references may mean it.
    pub fn about(&mut self, sym: Sym) -> Asked {
        Asked { sym, owner: self.owner_of(sym), unit: self.unit(sym.file) }
    }

    /// Whether a reference of a file that is not bound may mean a symbol. What is found out about the file is kept until
    /// another one is asked about.
    pub fn chance(&mut self, file: FileId, id: RefId, asked: &Asked) -> Chance {
        self.stay(file);
        let unit = self.unit(file);
        let chance = match self.is_elsewhere(&unit, id, asked) {
            true => Chance::Elsewhere,
            false if self.needs_held_module(&unit, id, asked) => Chance::Held,
            false => Chance::Open,
        };
        self.forget_cuts();
        chance
    }

    /// The definition of what a header declares, else the symbol itself.
    pub fn defined(&mut self, sym: Sym) -> Sym {
        self.definition_of(sym).unwrap_or(sym)
    }

    fn owner_of(&mut self, sym: Sym) -> Owner {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if symbol.qualifier.is_some() {
            if let Some(expr) = unit.note(sym.symbol, Tie::SelfType) {
                return match self.annotation(&unit, expr).ty {
                    Ty::Instance(of, _) => Owner::Type(of),
                    _ => Owner::Other,
                };
            }
            return match self.outer_of(&unit, sym.symbol) {
                Some(Outer::Type(of)) => Owner::Type(of),
                Some(Outer::Space(_)) => Owner::Module,
                None => Owner::Other,
            };
        }
        let Some(parent) = symbol.parent.get() else { return Owner::Module };
        if let Some(Ty::Type(of, _)) = self.type_around(&unit, parent) {
            return Owner::Type(of);
        }
        let around = unit.symbol(parent);
        if parent.0 == 0 || around.kind.is_module() {
            return if unit.scope(symbol.scope).kind == ScopeKind::Type { Owner::Other } else { Owner::Module };
        }
        match self.symbol_value(Sym { file: sym.file, symbol: parent }).ty {
            Ty::Type(of, _) => Owner::Type(of),
            // Blocks of a type that nothing declares here, as when a macro makes it: it has a name all the same.
            _ if around.kind == SymbolKind::Impl => Owner::Other,
            _ if unit.scope(symbol.scope).kind == ScopeKind::Type && !unit.language.object_members => Owner::Nameless,
            _ => Owner::Other,
        }
    }

    fn is_elsewhere(&mut self, unit: &Arc<Unit>, id: RefId, asked: &Asked) -> bool {
        let reference = unit.facts.refs[id.index()];
        if self.is_hidden(unit, asked) || is_other_kind(unit, &reference, asked) {
            return true;
        }
        if is_own_key(unit, &reference) {
            // A key of a literal may be that of a type that the literal has to be, never that of another literal.
            let ty = self.known_type(unit, reference.receiver, 0);
            let is_unknown =
                ty == Ty::Unknown && (is_key_of_literal(asked) || !self.is_typed(unit, reference.receiver));
            if is_unknown || is_key_of_literal(asked) && !matches!(ty, Ty::Shape(..) | Ty::Either(_) | Ty::Unknown) {
                return true;
            }
        }
        if is_given_by_impl(asked) || asked.owner == Owner::Nameless && unit.file != asked.sym.file {
            return true;
        }
        // What several functions of one name fit is one of them.
        if let Some(found) = self.resolve(unit, id) {
            return match found.what {
                What::Symbol(sym) if !self.is_variant(sym, asked) => true,
                What::Symbol(_) => {
                    let is_call = reference.kind == RefKind::Call && asked.symbol().kind.is_callable();
                    is_call && self.refuses(unit, id, asked.sym, found.receiver.as_ref())
                }
                _ => true,
            };
        }
        match reference.receiver.get() {
            None => self.is_other_name(unit, &reference, asked),
            Some(receiver) => {
                // Where methods stand outside of types, a value has fields under their names and methods under calls.
                let apart = unit.language.linking.impl_blocks && self.is_value(unit, receiver);
                let called = reference.kind == RefKind::Call;
                apart && called != asked.symbol().kind.is_callable() || self.is_other_member(unit, receiver, asked)
            }
        }
    }

    /// Whether a literal is given to a value whose type says what it takes.
    fn is_typed(&mut self, unit: &Arc<Unit>, expected: ExprId) -> bool {
        let Some(expr) = expected.get().map(|id| unit.facts.exprs[id.index()]) else { return false };
        expr.op == ExprOp::Takes
            && matches!(self.value(unit, ExprId(expr.a)).ty, Ty::Instance(..) | Ty::Shape(..) | Ty::Either(_))
    }

    /// Whether a function is one of those among which a call is undecided with another.
    fn is_variant(&mut self, sym: Sym, asked: &Asked) -> bool {
        if sym == asked.sym {
            return true;
        }
        match (self.owner_of(sym), asked.owner) {
            // What the heirs of a type have instead is not what a name means.
            (Owner::Type(a), Owner::Type(b)) => {
                self.is_kin(a, b) && (self.lineage(a).contains(&b) || !self.lineage(b).contains(&a))
            }
            (Owner::Type(_), Owner::Module | Owner::Nameless) | (Owner::Module, Owner::Type(_)) => false,
            _ => true,
        }
    }

    /// Whether a symbol cannot be seen from a file.
    fn is_hidden(&mut self, unit: &Arc<Unit>, asked: &Asked) -> bool {
        let symbol = asked.symbol();
        let (own, other) = (asked.sym.file, unit.file);
        if own == other {
            return false;
        }
        let private = symbol.visibility == Visibility::Private;
        match asked.unit.language.visibility {
            DefaultVisibility::Underscore | DefaultVisibility::PublicSections => false,
            DefaultVisibility::Capital => private && !self.program.same_module(own, other),
            DefaultVisibility::Sections => {
                let path = self.program.path(own);
                let included = asked.unit.language.linking.included_extensions;
                let is_included = included.iter().any(|end| path.ends_with(&format!(".{end}")));
                private && asked.owner == Owner::Module && !is_included
            }
            DefaultVisibility::Always(Visibility::Private) => {
                let (own, other) = (self.program.module(own), self.program.module(other));
                private && asked.owner == Owner::Module && !other.starts_with(&*own)
            }
            DefaultVisibility::Always(Visibility::Internal) if symbol.visibility == Visibility::Internal => {
                !self.program.same_module(own, other)
            }
            DefaultVisibility::Exported => private && !self.is_given_away(asked),
            _ => private && !self.is_partial(asked),
        }
    }

    /// Whether what a file does not export is a member of something under its own name.
    fn is_given_away(&mut self, asked: &Asked) -> bool {
        let symbol = asked.symbol();
        let name = asked.unit.name(symbol.name);
        asked.unit.named(name).any(|id| {
            let other = asked.unit.symbol(id);
            id != asked.sym.symbol && (other.kind == SymbolKind::Field || other.flags.has(Flags::MEMBER))
        }) || symbol.flags.has(Flags::VALUE)
    }

    fn is_partial(&mut self, asked: &Asked) -> bool {
        let Owner::Type(of) = asked.owner else { return false };
        let unit = self.unit(of.file);
        unit.symbol(of.symbol).flags.has(Flags::PARTIAL)
    }

    /// Whether a name without anything before it cannot mean a symbol that no scope around it has.
    fn is_other_name(&mut self, unit: &Arc<Unit>, reference: &Reference, asked: &Asked) -> bool {
        let linking = &unit.language.linking;
        let symbol = asked.symbol();
        if symbol.kind == SymbolKind::Macro || linking.lambda_receivers && self.is_in_lambda(unit, reference.scope) {
            return false;
        }
        let owner = match asked.owner {
            Owner::Type(of) if symbol.kind != SymbolKind::EnumMember => of,
            Owner::Type(_) | Owner::Module => return self.is_complete(unit) || self.is_of_other_module(unit, asked),
            Owner::Nameless => return unit.file != asked.sym.file,
            Owner::Other => {
                let is_inside = !asked.unit.symbol(symbol.parent).kind.is_module();
                return is_inside && self.is_complete(unit) || self.is_of_other_module(unit, asked);
            }
        };
        if !linking.members_in_scope {
            return true;
        }
        let mut scope = reference.scope;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            if entry.kind == ScopeKind::Block && linking.open_types {
                return false;
            }
            let around = match entry.kind {
                ScopeKind::Type => match self.type_around(unit, entry.owner) {
                    Some(Ty::Type(of, _)) => Some(of),
                    _ => return false,
                },
                ScopeKind::Function if linking.headers => self.outer_type(unit, scope),
                _ => None,
            };
            if let Some(around) = around
                && (self.is_kin(around, owner) || self.has_unknown_base(around))
            {
                return false;
            }
            scope = entry.parent;
        }
        !linking.open_types
    }

    /// Whether a scope is in a function without a name, which may have any receiver.
    fn is_in_lambda(&self, unit: &Arc<Unit>, mut scope: ScopeId) -> bool {
        while scope.is_some() {
            let entry = unit.scope(scope);
            if entry.kind == ScopeKind::Function && unit.symbol(entry.owner).inner != scope {
                return true;
            }
            scope = entry.parent;
        }
        false
    }

    /// Whether a symbol stands in a file whose names others have to import: scripts share theirs, modules do not.
    fn is_of_other_module(&mut self, unit: &Arc<Unit>, asked: &Asked) -> bool {
        let symbol = asked.symbol();
        let is_own = symbol.parent.0 == 0 || !asked.unit.symbol(symbol.parent).kind.is_module();
        asked.unit.language.linking.exports_apart
            && unit.file != asked.sym.file
            && is_own
            && self.is_complete(&asked.unit)
    }

    /// Whether all names that a file has are known: nothing is included or imported as a whole that was not found.
    fn is_complete(&mut self, unit: &Arc<Unit>) -> bool {
        let linking = &unit.language.linking;
        if linking.headers || linking.open_types {
            return false;
        }
        // Scripts share their names; what imports or exports is a module.
        !linking.exports_apart
            || !unit.facts.imports.is_empty()
            || unit.facts.symbols.iter().any(|symbol| symbol.flags.has(Flags::EXPORT))
    }

    fn is_other_member(&mut self, unit: &Arc<Unit>, receiver: ExprId, asked: &Asked) -> bool {
        let expr = unit.facts.exprs[receiver.index()];
        let symbol = asked.symbol();
        if expr.op == ExprOp::Parameters {
            let is_function = symbol.kind.is_callable()
                || symbol.kind.is_type()
                || symbol.kind == SymbolKind::InstanceVariable
                // What is computed when it is read is nothing that a constructor takes.
                || symbol.kind == SymbolKind::Property && !symbol.params.is_empty()
                || asked.owner == Owner::Module;
            let callee = self.known_type(unit, ExprId(expr.a), 0);
            return is_function || self.is_apart(&callee, asked);
        }
        if asked.unit.is_extension(asked.sym.symbol) {
            return false;
        }
        let linking = &unit.language.linking;
        if symbol.visibility == Visibility::Private
            && unit.language.visibility == DefaultVisibility::PublicSections
            && expr.op != ExprOp::This
        {
            return true;
        }
        if asked.owner == Owner::Module && !linking.modules_are_values && self.is_value(unit, receiver) {
            return true;
        }
        let ty = self.known_type(unit, receiver, 0);
        self.is_apart(&ty, asked) || ty == Ty::Unknown && self.is_type_that_a_macro_made(unit, expr, asked)
    }

    /// Whether a path starts from a type that nothing declares, where types inherit nothing: a macro has made it.
    fn is_type_that_a_macro_made(&mut self, unit: &Arc<Unit>, expr: Expr, asked: &Asked) -> bool {
        let Owner::Type(owner) = asked.owner else { return false };
        if expr.op != ExprOp::Ref || !unit.language.linking.impl_blocks || self.is_given_to_others(asked) {
            return false;
        }
        let reference = RefId(expr.a);
        let name = unit.name(unit.facts.refs[reference.index()].name);
        let text = self.program.text(name);
        let is_type = text.starts_with(char::is_uppercase) && text.contains(char::is_lowercase);
        let named = self.unit(owner.file);
        let own = named.symbol(owner.symbol).name;
        is_type && own.is_some() && named.name(own) != name && self.resolve(unit, reference).is_none()
    }

    /// Whether a member of something can only be meant if that is a module which came there by way of a variable.
    fn needs_held_module(&mut self, unit: &Arc<Unit>, id: RefId, asked: &Asked) -> bool {
        let receiver = unit.facts.refs[id.index()].receiver;
        asked.owner == Owner::Module && receiver.is_some() && !self.may_be_made(unit, receiver)
    }

    /// Whether an expression may be the result of a call of which nothing is known.
    fn may_be_made(&mut self, unit: &Arc<Unit>, id: ExprId) -> bool {
        let Some(expr) = unit.facts.exprs.get(id.index()).copied() else { return false };
        match expr.op {
            ExprOp::Ref => match self.resolve(unit, RefId(expr.a)).map(|found| found.what) {
                Some(What::Local(file, binding)) if file == unit.file => {
                    let own = unit.facts.bindings[binding as usize];
                    own.init.is_some() && unit.facts.exprs[own.init.index()].op != ExprOp::Iterate
                }
                Some(What::Symbol(_)) => true,
                Some(_) => false,
                None => unit.facts.refs[expr.a as usize].receiver.is_none(),
            },
            ExprOp::Call | ExprOp::Index | ExprOp::Await | ExprOp::Key | ExprOp::Item => true,
            ExprOp::Either => self.may_be_made(unit, ExprId(expr.a)) || self.may_be_made(unit, ExprId(expr.b)),
            _ => false,
        }
    }

    /// Whether an expression is a value for sure: no module or namespace, and no unknown name.
    fn is_value(&mut self, unit: &Arc<Unit>, id: ExprId) -> bool {
        let expr = unit.facts.exprs[id.index()];
        match expr.op {
            ExprOp::Ref => match self.resolve(unit, RefId(expr.a)).map(|found| found.what) {
                Some(What::Local(..)) => true,
                Some(What::Symbol(sym)) => {
                    let other = self.unit(sym.file);
                    !may_be_type(other.symbol(sym.symbol)) && sym.symbol.0 != 0
                }
                Some(_) => false,
                None => unit.facts.refs[expr.a as usize].receiver.get().is_some_and(|of| self.is_value(unit, of)),
            },
            ExprOp::Call
            | ExprOp::Index
            | ExprOp::Await
            | ExprOp::Deref
            | ExprOp::This
            | ExprOp::Super
            | ExprOp::Literal
            | ExprOp::Lambda
            | ExprOp::Array => true,
            ExprOp::Try | ExprOp::AddressOf | ExprOp::Pointer | ExprOp::Optional => self.is_value(unit, ExprId(expr.a)),
            _ => false,
        }
    }

    /// Whether a member of something of this type is none of the asked symbol's owner.
    fn is_apart(&mut self, ty: &Ty, asked: &Asked) -> bool {
        match ty {
            Ty::Instance(of, _) | Ty::Type(of, _) | Ty::Super(of) | Ty::This(of) => self.is_stranger(*of, asked),
            Ty::Variant(of, _) => {
                let parent = self.unit(of.file).symbol(of.symbol).parent;
                self.is_stranger(Sym { file: of.file, symbol: parent }, asked)
            }
            Ty::Callable(of, _) => asked.symbol().parent != of.symbol || asked.sym.file != of.file,
            Ty::Shape(file, ..) => *file != asked.sym.file,
            Ty::Module(ModuleRef::File(file)) => *file != asked.sym.file && asked.owner != Owner::Other,
            Ty::Module(ModuleRef::Inline(of)) => {
                !asked.unit.language.linking.namespaces
                    && of.file != asked.sym.file
                    && !asked.unit.language.linking.headers
            }
            Ty::ExternalInstance(path, args) => {
                let name = self.externals.name(*path);
                // What points to a value has its members.
                let pointer = self.container(&asked.unit, name).filter(|holds| holds.transparent);
                let inner = pointer.and_then(|holds| args.as_ref()?.get(holds.item as usize).cloned());
                self.is_other_type(asked, name) || inner.is_some_and(|inner| self.is_apart(&inner, asked))
            }
            Ty::Basic(name) => self.is_other_type(asked, *name),
            Ty::List(_) | Ty::Tuple(_) | Ty::Rest(_) | Ty::Function(..) => {
                !self.is_given_to_others(asked) && asked.owner != Owner::Other
            }
            // What a type parameter has is what its bounds declare.
            // That of a function is what an argument makes it.
            Ty::Parameter(file, binding)
                if asked.unit.language.linking.declared_overloads && self.is_of_function(*file, *binding) =>
            {
                let owner = self.unit(*file);
                match owner.facts.bindings[*binding as usize].ty.get() {
                    None => asked.owner != Owner::Other || is_key_of_literal(asked),
                    Some(bound) => match self.annotation(&owner, bound).ty {
                        Ty::Parameter(..) | Ty::Unknown => false,
                        bound => self.is_apart(&bound, asked),
                    },
                }
            }
            Ty::Parameter(..) | Ty::Member(..) => {
                use SymbolKind::{Interface, Protocol, Trait};
                let around = asked.unit.symbol(asked.symbol().parent).kind;
                matches!(asked.owner, Owner::Type(_) | Owner::Nameless | Owner::Module)
                    && !matches!(around, Interface | Protocol | Trait)
                    && !self.is_extended(asked)
            }
            Ty::Either(parts) | Ty::Both(parts) => parts.iter().all(|part| self.is_apart(part, asked)),
            _ => false,
        }
    }

    /// Whether a type outside the project, or of the language, says that its values are none of the asked symbol's owner.
    fn is_other_type(&mut self, asked: &Asked, name: crate::TermId) -> bool {
        !asked.unit.language.linking.open_values.contains(&&*self.program.text(name))
            && (!self.is_given_to_others(asked) || self.is_of_other_impl(asked, name))
            && !self.owner_has_name(asked, name)
    }

    /// Whether a method is what a block gives to a type of the project, and the name is that of a type which holds others.
    fn is_of_other_impl(&mut self, asked: &Asked, name: crate::TermId) -> bool {
        let around = asked.symbol().parent;
        let given = asked.unit.note(around, Tie::Implements).filter(|_| matches!(asked.owner, Owner::Type(_)));
        let Some(mut given) = given.map(|expr| asked.unit.facts.exprs[expr.index()]) else { return false };
        if given.op == ExprOp::Apply {
            given = asked.unit.facts.exprs[given.a as usize];
        }
        let is_own = given.op == ExprOp::Ref && asked.unit.name(asked.unit.facts.refs[given.a as usize].name) == name;
        !is_own && self.container(&asked.unit, name).is_some_and(|holds| !holds.transparent)
    }

    /// Whether a type parameter is one of a function.
    fn is_of_function(&mut self, file: FileId, binding: u32) -> bool {
        let owner = self.unit(file);
        let around = owner.scope(owner.facts.bindings[binding as usize].scope).owner;
        owner.symbol(around).kind.is_callable()
    }

    fn is_extended(&self, asked: &Asked) -> bool {
        asked.unit.is_extension(asked.sym.symbol)
    }

    /// Whether something may be of two types at once because one of the types below is.
    fn have_common_heir(&mut self, a: Sym, b: Sym) -> bool {
        use SymbolKind::{Interface, Protocol, Trait};
        let is_interface =
            |l: &mut Self, sym: Sym| matches!(l.unit(sym.file).symbol(sym.symbol).kind, Interface | Protocol | Trait);
        if !is_interface(self, a) && !is_interface(self, b) {
            return false;
        }
        let below = self.implementations(a);
        below.contains(&b) || self.implementations(b).iter().any(|heir| *heir == a || below.contains(heir))
    }

    fn is_stranger(&mut self, of: Sym, asked: &Asked) -> bool {
        match asked.owner {
            Owner::Module => !self.is_given_to_others(asked),
            Owner::Nameless => true,
            Owner::Type(owner) => {
                let may_have_it = self.is_kin(of, owner)
                    || self.have_common_heir(of, owner)
                    || self.has_unknown_base(of)
                    || self.stands_in(of)
                    || self.is_given_to_others(asked) && self.is_bound_freely(asked);
                !may_have_it
            }
            Owner::Other => false,
        }
    }

    /// Whether one of two types is the other or inherits from it, directly or not.
    fn is_kin(&mut self, a: Sym, b: Sym) -> bool {
        let (a, b) = match self.program.language(a.file).linking.open_types {
            true => (self.canonical(a), self.canonical(b)),
            false => (self.whole(a), self.whole(b)),
        };
        a == b || self.lineage(a).contains(&b) || self.lineage(b).contains(&a)
    }

    /// Whether some base of a type is not known, so that it may have any member.
    fn has_unknown_base(&mut self, sym: Sym) -> bool {
        let line = self.lineage(sym);
        line.iter().any(|of| {
            let unit = self.unit(of.file);
            let notes = unit.notes(of.symbol);
            let bases = notes.iter().filter(|n| matches!(n.tie, Tie::Base | Tie::Implements | Tie::Extends));
            bases.into_iter().any(|note| {
                let ty = self.annotation(&unit, note.expr).ty;
                let may_be_any = ty == Ty::Unknown || unit.language.object_members && matches!(ty, Ty::Module(_));
                may_be_any && !is_imported_by_name(&unit, note.expr)
            })
        })
    }

    /// Whether a type answers for members that it does not have.
    fn stands_in(&mut self, sym: Sym) -> bool {
        let unit = self.unit(sym.file);
        let words = unit.language.linking.stand_ins;
        let terms: Vec<_> = words.iter().filter_map(|word| self.program.term(word)).collect();
        let line = self.lineage(sym);
        line.iter().any(|of| {
            let unit = self.unit(of.file);
            let inner = unit.symbol(of.symbol).inner;
            inner.is_some() && terms.iter().any(|term| unit.declared(inner, *term).next().is_some())
        })
    }

    /// Whether a symbol may belong to values of types that are written elsewhere: it is part of a trait, or extends them.
    fn is_given_to_others(&mut self, asked: &Asked) -> bool {
        if asked.unit.is_extension(asked.sym.symbol) {
            return true;
        }
        let around = asked.unit.symbol(asked.symbol().parent);
        around.kind == SymbolKind::Trait
            || around.kind == SymbolKind::Impl && asked.unit.note(asked.symbol().parent, Tie::Implements).is_some()
    }

    /// Whether a trait may be given to types that none of its impl blocks names.
    fn is_bound_freely(&mut self, asked: &Asked) -> bool {
        asked.unit.language.linking.impl_blocks
    }

    fn owner_has_name(&mut self, asked: &Asked, name: crate::TermId) -> bool {
        let Owner::Type(owner) = asked.owner else { return asked.owner == Owner::Other };
        let unit = self.unit(owner.file);
        let own = unit.symbol(owner.symbol).name;
        own.is_some() && unit.name(own) == name
    }
}

/// Whether a type is imported by its full name, where files say which namespace they are in: not found there, it is none of
/// the project's, and what is outside inherits nothing from the project.
fn is_imported_by_name(unit: &Unit, id: ExprId) -> bool {
    let expr = unit.facts.exprs[id.index()];
    if unit.language.linking.imports != ImportScheme::Declared || expr.op != ExprOp::Ref {
        return false;
    }
    let reference = unit.facts.refs[expr.a as usize];
    reference.receiver.is_none()
        && unit.facts.imports.iter().any(|import| {
            let last = import.path.last().map(|part| unit.facts.refs[part.index()].name);
            let name = if import.alias.is_some() { Some(import.alias) } else { last };
            import.path.len() > 1 && name == Some(reference.name)
        })
}

/// Whether what stands in a place is no such thing as a symbol.
fn is_other_kind(unit: &Unit, reference: &Reference, asked: &Asked) -> bool {
    let (linking, symbol) = (unit.language.linking, asked.symbol());
    let is_call = reference.kind == RefKind::Call;
    let names_type = matches!(reference.kind, RefKind::TypeRef | RefKind::Inherit | RefKind::Implements);
    if reference.kind == RefKind::Macro && symbol.kind != SymbolKind::Macro {
        return true;
    }
    if linking.types_apart && names_type && !may_be_type(symbol) {
        return true;
    }
    if is_call && (symbol.kind.is_module() || linking.fields_uncalled && symbol.kind == SymbolKind::Field) {
        return true;
    }
    let is_named = matches!(reference.kind, RefKind::Read | RefKind::Write) && reference.receiver.is_none();
    if linking.functions_apart && is_named && symbol.kind.is_callable() {
        return true;
    }
    if reference.receiver.is_some() && linking.members_apart && is_call != symbol.kind.is_callable() {
        return !symbol.kind.is_type();
    }
    linking.functions_apart && is_call && !symbol.kind.is_callable() && !symbol.kind.is_type()
}

/// Whether a key of a literal is one that the literal declares itself, for lack of a type that it has to be.
fn is_own_key(unit: &Unit, reference: &Reference) -> bool {
    let name = unit.name(reference.name);
    unit.language.object_members
        && (unit.named(name).any(|id| unit.symbol(id).name_span == reference.span)
            || unit.facts.bindings.iter().any(|binding| binding.span == reference.span))
}

/// Whether a symbol is a key of an object that is written out.
fn is_key_of_literal(asked: &Asked) -> bool {
    let symbol = asked.symbol();
    let parent = asked.unit.facts.symbols.get(symbol.parent.index());
    asked.unit.language.object_members
        && asked.unit.scope(symbol.scope).kind == ScopeKind::Type
        && parent.is_none_or(|parent| !parent.kind.is_type())
}

/// Whether a symbol is a type that an impl block gives a trait: everybody means the one that the trait declares.
fn is_given_by_impl(asked: &Asked) -> bool {
    let symbol = asked.symbol();
    symbol.kind == SymbolKind::TypeAlias
        && asked.unit.symbol(symbol.parent).kind == SymbolKind::Impl
        && asked.unit.note(symbol.parent, Tie::Implements).is_some()
}
