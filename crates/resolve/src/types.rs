//! Types as far as members need them, and the type of every expression.

use std::sync::Arc;

use codegraph_model::*;

use crate::calls::Signature;
use crate::external::ExternalId;
use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::open::is_open_type;
use crate::{Sym, TermId, Unit};

/// A type or the kind of thing that a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Unknown,
    /// A value of a type of the project.
    Instance(Sym, Args),
    /// The type itself, as a value or in a path.
    Type(Sym, Args),
    /// The receiver as its bases see it.
    Super(Sym),
    /// A value of an enum that is known to be this member of it.
    Variant(Sym, Args),
    Callable(Sym, Option<Box<Ty>>),
    Module(ModuleRef),
    /// A type without a name: the members that a scope of a file declares, seen through a generic type.
    Shape(u32, ScopeId, Option<Arc<Ty>>),
    /// The type of the receiver, at least this one.
    This(Sym),
    /// The type of a member of a type that is not known yet.
    Member(Arc<Ty>, TermId),
    /// A value of a type outside the project.
    ExternalInstance(ExternalId, Args),
    /// A type or anything else outside the project.
    External(ExternalId, Args),
    Tuple(Arc<Types>),
    /// An array, slice or list of something.
    List(Arc<Ty>),
    /// A type that the language has a word for.
    Basic(TermId),
    /// Any number of values of a type: a parameter that takes the rest of the arguments.
    Rest(Arc<Ty>),
    /// A function value that returns something.
    Function(Arc<Ty>, Arc<Signature>),
    Either(Arc<Types>),
    /// All of these at once.
    Both(Arc<Types>),
    /// A type parameter: its file and binding, as a value's type.
    Parameter(u32, u32),
}

pub(crate) type Args = Option<Arc<Types>>;

/// A list of types that knows whether anything in it depends on where it is seen from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Types {
    items: Box<[Ty]>,
    open: bool,
}

impl std::ops::Deref for Types {
    type Target = [Ty];

    fn deref(&self) -> &[Ty] {
        &self.items
    }
}

impl FromIterator<Ty> for Types {
    fn from_iter<I: IntoIterator<Item = Ty>>(items: I) -> Types {
        let items: Box<[Ty]> = items.into_iter().collect();
        let open = items.iter().any(Ty::is_open);
        Types { items, open }
    }
}

/// A shared list of types.
pub(crate) fn types(items: impl IntoIterator<Item = Ty>) -> Arc<Types> {
    Arc::new(items.into_iter().collect())
}

impl Ty {
    /// Whether it depends on the type that it is seen from: on parameters, on the receiver.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Ty::Parameter(..) | Ty::This(_) | Ty::Callable(_, None) | Ty::Shape(_, _, None) => true,
            Ty::Member(of, _) => of.is_open(),
            Ty::Instance(_, Some(args)) | Ty::Type(_, Some(args)) | Ty::ExternalInstance(_, Some(args)) => args.open,
            Ty::Tuple(items) | Ty::Either(items) | Ty::Both(items) => items.open,
            Ty::List(item) => item.is_open(),
            Ty::Callable(_, Some(of)) => of.is_open(),
            Ty::Shape(_, _, Some(of)) => of.is_open(),
            Ty::Function(returns, signature) => returns.is_open() || signature.is_open(),
            _ => false,
        }
    }
}

/// A type and whether an inference was needed for it.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    pub(crate) inferred: bool,
}

impl Typed {
    pub(crate) const UNKNOWN: Typed = Typed { ty: Ty::Unknown, inferred: false };

    pub(crate) fn sure(ty: Ty) -> Typed {
        Typed { ty, inferred: false }
    }

    fn map(self, f: impl FnOnce(Ty) -> Ty) -> Typed {
        Typed { ty: f(self.ty), inferred: self.inferred }
    }

    pub(crate) fn guessed(self, inferred: bool) -> Typed {
        Typed { inferred: self.inferred || inferred, ..self }
    }
}

/// The deepest expression of one entity: beyond it, a type is unknown.
const DEEPEST: u32 = 64;

impl Linker<'_> {
    /// The type of the value of an expression.
    pub(crate) fn value(&mut self, unit: &Arc<Unit>, id: ExprId) -> Typed {
        if id.is_none() || self.depth > DEEPEST {
            return Typed::UNKNOWN;
        }
        self.depth += 1;
        let typed = self.value_of(unit, id);
        self.depth -= 1;
        typed
    }

    fn value_of(&mut self, unit: &Arc<Unit>, id: ExprId) -> Typed {
        let expr = unit.facts.exprs[id.index()];
        let a = ExprId(expr.a);
        match expr.op {
            ExprOp::Ref => match self.prototype_value(unit, RefId(expr.a)) {
                Some(typed) => typed,
                None => self.reference_value(unit, RefId(expr.a), false),
            },
            ExprOp::Call => self.call_value(unit, a, expr.b),
            ExprOp::Index => {
                let base = self.value(unit, a);
                match self.indexed(unit, &base) {
                    Some(typed) => typed,
                    None => self.element(unit, base, true),
                }
            }
            ExprOp::Iterate => {
                let base = self.value(unit, a);
                self.element(unit, base, false)
            }
            ExprOp::Await | ExprOp::Try => {
                let base = self.value(unit, a);
                match self.delegated_value(unit, &base) {
                    Some(typed) => typed,
                    None => self.held(unit, base),
                }
            }
            ExprOp::Deref | ExprOp::AddressOf | ExprOp::Pointer | ExprOp::Optional => self.value(unit, a),
            ExprOp::Item => {
                let whole = self.value(unit, a);
                self.item_value(whole, expr.b as usize)
            }
            ExprOp::Case => self.case_value(unit, a, ExprId(expr.b)),
            ExprOp::Key => {
                let base = self.value(unit, a);
                let name = unit.name(StrId(expr.b));
                self.member_value(unit, &base, name)
            }
            ExprOp::Apply => {
                let args = self.type_list(unit, ExprId(expr.b));
                self.value(unit, a).map(|ty| with_args(ty, args))
            }
            ExprOp::Either => {
                let left = self.value(unit, a);
                let right = self.value(unit, ExprId(expr.b));
                either(left, right)
            }
            ExprOp::Tuple => Typed::sure(Ty::Tuple(types(self.value_list(unit, a)))),
            ExprOp::Array => self.value(unit, a).map(|ty| Ty::List(Arc::new(ty))),
            ExprOp::Typed => self.annotation(unit, a),
            ExprOp::This => self.this_type(unit, ScopeId(expr.a)),
            ExprOp::Super => self.super_type(unit, ScopeId(expr.a)),
            ExprOp::Own => self.symbol_value(Sym { file: unit.file, symbol: SymbolId(expr.a) }),
            ExprOp::Shape => Typed::sure(Ty::Shape(unit.file, ScopeId(expr.a), None)),
            ExprOp::FunctionType | ExprOp::Meet => self.annotation(unit, id),
            ExprOp::Root => Typed::sure(Ty::Module(ModuleRef::Package(self.packages.number("", unit.language)))),
            ExprOp::Module => self.loaded_value(unit, expr.a),
            ExprOp::TypeOf => self.value(unit, a),
            ExprOp::Literal => self.literal_value(unit, expr),
            ExprOp::Takes => {
                let function = self.value(unit, a);
                match self.first_as_receiver(unit, a, &function.ty) {
                    Some(taken) => taken,
                    None => {
                        let taken = self.taken(unit, &function.ty, expr.b as usize);
                        let ty = match unit.language.linking.extensions && taken.ty.is_open() {
                            true => self.instantiated(unit, a, &function.ty, taken.ty, false),
                            false => self.as_expected(unit, id, &function.ty, taken.ty),
                        };
                        Typed { ty, inferred: taken.inferred }
                    }
                }
            }
            ExprOp::Lambda => {
                let result = self.lambda_value(unit, expr);
                result.map(|ty| match ty {
                    Ty::Unknown => Ty::Unknown,
                    ty => Ty::Function(Arc::new(ty), Arc::new(Signature::Unknown)),
                })
            }
            ExprOp::Arguments | ExprOp::Parameters | ExprOp::Cons | ExprOp::Named => Typed::UNKNOWN,
        }
    }

    fn literal_value(&mut self, unit: &Arc<Unit>, literal: Expr) -> Typed {
        let words = self.words(unit);
        if literal.a == Literal::Basic as u32 {
            let word = unit.name(StrId(literal.b));
            return Typed::sure(match words.aliases.get(&word) {
                Some(name) => Ty::ExternalInstance(self.external_type(unit, *name), None),
                None => Ty::Basic(word),
            });
        }
        match words.literals.get(literal.a as usize) {
            Some(Some(word)) if words.basics.contains(word) => Typed::sure(Ty::Basic(*word)),
            Some(Some(word)) => {
                let found = self.outside(unit, *word);
                self.found_value(unit, found).map(as_instance)
            }
            _ => Typed::UNKNOWN,
        }
    }

    fn value_list(&mut self, unit: &Arc<Unit>, mut cell: ExprId) -> Vec<Ty> {
        let mut items = Vec::new();
        while cell.is_some() && unit.facts.exprs[cell.index()].op == ExprOp::Cons {
            let expr = unit.facts.exprs[cell.index()];
            items.push(self.value(unit, ExprId(expr.a)).ty);
            cell = ExprId(expr.b);
        }
        items
    }

    pub(crate) fn type_list(&mut self, unit: &Arc<Unit>, mut cell: ExprId) -> Args {
        let mut items = Vec::new();
        while cell.is_some() && unit.facts.exprs[cell.index()].op == ExprOp::Cons {
            let expr = unit.facts.exprs[cell.index()];
            items.push(self.annotation(unit, ExprId(expr.a)).ty);
            cell = ExprId(expr.b);
        }
        Some(types(items))
    }

    fn reference_value(&mut self, unit: &Arc<Unit>, reference: RefId, wants_type: bool) -> Typed {
        let Some(mut found) = self.resolve(unit, reference) else { return self.method_of_container(unit, reference) };
        match found.what {
            What::Symbol(sym) => found.what = What::Symbol(self.fitting_declaration(sym, wants_type)),
            What::Local(file, binding) if file == unit.file && unit.language.linking.flows => {
                let at = unit.facts.refs[reference.index()].span.start;
                let last = unit.last_assigned(binding, at);
                return self.binding_value(unit, last).guessed(found.inferred);
            }
            _ => {}
        }
        if let Some(own) = self.own_member_value(unit, reference, &found) {
            return own;
        }
        let inferred = found.inferred;
        let receiver = found.receiver.clone();
        let typed = self.found_value(unit, found).guessed(inferred);
        match receiver {
            Some(receiver) => Typed { ty: self.substitute(typed.ty, &receiver), inferred: typed.inferred },
            None => typed,
        }
    }

    /// A member that no declaration says: containers outside the project have some that matter.
    fn method_of_container(&mut self, unit: &Arc<Unit>, reference: RefId) -> Typed {
        let reference = unit.facts.refs[reference.index()];
        let linking = &unit.language.linking;
        let knows_none = linking.methods.is_empty() && linking.class_of.is_empty() && linking.enum_members.is_empty();
        if reference.receiver.is_none() || knows_none {
            return Typed::UNKNOWN;
        }
        let receiver = self.value(unit, reference.receiver);
        if let Some(ty) = self.enum_member(unit, &receiver.ty, unit.name(reference.name)) {
            return self.made(ty, reference.kind);
        }
        if let Some(ty) = self.half(unit, unit.name(reference.name), &receiver.ty) {
            return Typed { ty, inferred: true };
        }
        if let Some(ty) = self.type_of_value(unit, unit.name(reference.name), &receiver.ty) {
            return Typed { ty, inferred: receiver.inferred };
        }
        let known = self.known_result(unit, &reference, &receiver.ty);
        if self.words(unit).fills.contains_key(&unit.name(reference.name))
            && let Ty::Function(gives, takes) = self.container_method(unit, &receiver.ty, unit.name(reference.name))
        {
            let gives = match known {
                Some(Typed { ty: Ty::Function(known, _), .. }) => known,
                _ => gives,
            };
            return Typed { ty: Ty::Function(gives, takes), inferred: true };
        }
        if let Some(typed) = known {
            return typed;
        }
        if matches!(receiver.ty, Ty::Basic(_)) && self.words(unit).own_members.contains(&unit.name(reference.name)) {
            return self.made(receiver.ty, reference.kind);
        }
        if let Some(ty) = self.scope_function(unit, &receiver.ty, unit.name(reference.name)) {
            return Typed { ty, inferred: true };
        }
        let ty = match (self.container_method(unit, &receiver.ty, unit.name(reference.name)), reference.kind) {
            (ty, RefKind::Call) => ty,
            // What is not called is a property.
            (Ty::Function(gives, _), _) if unit.language.linking.extensions => (*gives).clone(),
            (ty, _) => ty,
        };
        Typed { ty, inferred: true }
    }

    /// One of the two values of a pair.
    fn half(&mut self, unit: &Unit, name: TermId, of: &Ty) -> Option<Ty> {
        let (pair, halves) = unit.language.linking.pair;
        let is_it = |half: &str| half.split(' ').any(|half| !half.is_empty() && self.program.term(half) == Some(name));
        let place = halves.iter().position(|half| is_it(half))?;
        match of {
            Ty::Tuple(items) => items.get(place).cloned(),
            Ty::ExternalInstance(id, Some(args)) if self.program.term(pair) == Some(self.externals.name(*id)) => {
                args.get(place).cloned()
            }
            _ => None,
        }
    }

    /// What a member gives that a value has whatever it is, as long as it is none of the project's.
    fn known_result(&mut self, unit: &Arc<Unit>, reference: &Reference, of: &Ty) -> Option<Typed> {
        let words = self.words(unit);
        let name = *words.results.get(&unit.name(reference.name))?;
        if matches!(of, Ty::Module(_)) {
            return None;
        }
        let ty = match words.basics.contains(&name) {
            true => Ty::Basic(name),
            false => Ty::ExternalInstance(self.external_type(unit, name), None),
        };
        Some(self.made(ty, reference.kind))
    }

    /// A member of a type outside the project that is a value of the type.
    fn own_member_value(&mut self, unit: &Arc<Unit>, reference: RefId, found: &Found) -> Option<Typed> {
        let Ty::External(of, args) = found.receiver.clone()? else { return None };
        let reference = unit.facts.refs[reference.index()];
        if let Some(typed) = self.known_result(unit, &reference, &Ty::Unknown) {
            return Some(typed);
        }
        let is_own = self.words(unit).own_members.contains(&unit.name(reference.name));
        is_own.then(|| self.made(Ty::ExternalInstance(of, args), reference.kind))
    }

    fn made(&mut self, ty: Ty, kind: RefKind) -> Typed {
        let ty = match kind {
            RefKind::Call => Ty::Function(Arc::new(ty), Arc::new(Signature::Unknown)),
            _ => ty,
        };
        Typed { ty, inferred: true }
    }

    /// The type of what a lookup found, as a value.
    pub(crate) fn found_value(&mut self, unit: &Arc<Unit>, found: Found) -> Typed {
        match found.what {
            What::Symbol(sym) => self.symbol_value(sym),
            What::Local(file, binding) => {
                let unit = if file == unit.file { Arc::clone(unit) } else { self.unit(file) };
                self.binding_value(&unit, binding)
            }
            What::Module(module) => Typed::sure(Ty::Module(module)),
            What::External(name) if self.is_own_exports(unit, name) => {
                Typed::sure(Ty::Module(ModuleRef::File(unit.file)))
            }
            What::External(name) => Typed::sure(Ty::External(name, None)),
        }
    }

    /// The type of a symbol used as a value.
    pub(crate) fn symbol_value(&mut self, sym: Sym) -> Typed {
        self.remembered(|l| &mut l.symbols, sym, Typed::UNKNOWN, |l| l.symbol_value_of(sym))
    }

    fn symbol_value_of(&mut self, sym: Sym) -> Typed {
        use SymbolKind::*;
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if unit.language.linking.open_types && sym.symbol.0 != 0 {
            match symbol.kind {
                Property => return Typed::sure(Ty::Callable(sym, None)),
                _ if is_open_type(symbol) => return Typed::sure(Ty::Type(self.canonical(sym), None)),
                _ => {}
            }
        }
        match symbol.kind {
            Function | Method | Constructor | Destructor | Operator | Macro => Typed::sure(Ty::Callable(sym, None)),
            Property | Getter | Setter => match (unit.note(sym.symbol, Tie::Type), unit.note(sym.symbol, Tie::Init)) {
                (None, Some(init)) => match self.base_of_nameless(&unit, sym.symbol, init) {
                    Some(typed) => typed,
                    None => self.value(&unit, init).guessed(true),
                },
                _ => self.returned(sym),
            },
            Class | Record | Object | Struct | Interface | Protocol | Trait | Enum | Union => {
                Typed::sure(Ty::Type(self.whole(sym), None))
            }
            TypeAlias if is_delegate(&unit, sym.symbol) || is_defined_type(&unit, sym.symbol) => {
                Typed::sure(Ty::Type(sym, None))
            }
            EnumMember => Typed::sure(Ty::Instance(Sym { file: sym.file, symbol: symbol.parent }, None)),
            TypeAlias => match unit.note(sym.symbol, Tie::Type) {
                Some(expr) => self.annotation(&unit, expr).map(as_type),
                None => Typed::sure(Ty::Type(sym, None)),
            },
            Module | Namespace | Package | Heading => self.module_symbol(&unit, sym),
            Impl => Typed::UNKNOWN,
            Constant | Static | Variable | Field | InstanceVariable => self.declared_or_inferred(&unit, sym.symbol),
        }
    }

    fn declared_or_inferred(&mut self, unit: &Arc<Unit>, symbol: SymbolId) -> Typed {
        if let Some(expr) = unit.note(symbol, Tie::Type) {
            return self.annotation(unit, expr);
        }
        if unit.symbol(symbol).inner.is_some() || self.has_assigned_members(unit, symbol) {
            return Typed::sure(Ty::Type(Sym { file: unit.file, symbol }, None));
        }
        if unit.language.linking.open_types {
            return self.assigned_value(unit, symbol);
        }
        match unit.note(symbol, Tie::Init) {
            Some(expr) => self.value(unit, expr).guessed(true),
            None => Typed::UNKNOWN,
        }
    }

    /// The type of a variable by its assignments: that of those that are known, if they agree.
    fn assigned_value(&mut self, unit: &Arc<Unit>, symbol: SymbolId) -> Typed {
        let mut agreed = Ty::Unknown;
        for expr in unit.notes(symbol).iter().filter(|n| n.tie == Tie::Init).map(|n| n.expr) {
            match self.value(unit, expr).ty {
                Ty::Unknown => {}
                ty if agreed == Ty::Unknown || agreed == ty => agreed = ty,
                _ => return Typed::UNKNOWN,
            }
        }
        Typed { ty: agreed, inferred: true }
    }

    /// The type of a local name.
    pub(crate) fn binding_value(&mut self, unit: &Arc<Unit>, index: u32) -> Typed {
        let key = (unit.file, index);
        self.remembered(|l| &mut l.bindings, key, Typed::UNKNOWN, |l| l.binding_value_of(unit, index))
    }

    fn binding_value_of(&mut self, unit: &Arc<Unit>, index: u32) -> Typed {
        let binding = unit.facts.bindings[index as usize];
        if binding.kind == BindingKind::TypeParam {
            return Typed::sure(Ty::Parameter(unit.file, index));
        }
        if binding.ty.is_some() {
            let typed = self.annotation(unit, binding.ty);
            return match unit.language.linking.rest_makes_list && takes_rest(unit, &binding) {
                true => typed.map(|item| Ty::List(Arc::new(item))),
                false => typed,
            };
        }
        if binding.kind == BindingKind::Param
            && let Some(receiver) = self.receiver_type(unit, &binding)
        {
            return Typed::sure(receiver);
        }
        if binding.init.is_some() {
            return self.value(unit, binding.init).guessed(true);
        }
        match self.assigned_later(unit, &binding) {
            Some(init) => self.value(unit, init).guessed(true),
            None => Typed::UNKNOWN,
        }
    }

    /// The first value of a local name that is declared without one.
    fn assigned_later(&self, unit: &Unit, binding: &Binding) -> Option<ExprId> {
        if binding.kind != BindingKind::Local || !unit.language.object_members {
            return None;
        }
        let again = |b: &&Binding| b.kind == BindingKind::Again && (b.scope, b.name) == (binding.scope, binding.name);
        unit.facts.bindings.iter().find(again).map(|b| b.init)
    }

    /// The type of a parameter that is the receiver of its method.
    fn receiver_type(&mut self, unit: &Arc<Unit>, binding: &Binding) -> Option<Ty> {
        let owner = unit.scope(binding.scope).owner;
        let symbol = unit.symbol(owner);
        let first = symbol.params.first()?;
        if !first.flags.has(Flags::RECEIVER)
            || first.name.start > binding.span.start
            || first.name.end < binding.span.end
        {
            return None;
        }
        let own = self.type_around(unit, symbol.parent)?;
        let by_type = symbol.flags.has(Flags::TYPE_RECEIVER);
        match own {
            Ty::Type(sym, args) if !by_type => Some(Ty::Instance(sym, args)),
            other => Some(other),
        }
    }

    /// The type that a symbol is or, for an impl block, is about.
    pub(crate) fn type_around(&mut self, unit: &Arc<Unit>, symbol: SymbolId) -> Option<Ty> {
        let entry = unit.symbol(symbol);
        if unit.language.linking.open_types {
            let own = Sym { file: unit.file, symbol };
            return is_open_type(entry).then(|| Ty::Type(self.canonical(own), None));
        }
        match entry.kind {
            SymbolKind::Impl => {
                let expr = unit.note(symbol, Tie::SelfType)?;
                Some(as_type(self.annotation(unit, expr).ty))
            }
            kind if kind.is_type() => Some(Ty::Type(self.whole(Sym { file: unit.file, symbol }), None)),
            _ => None,
        }
    }

    /// The receiver in the method around a scope.
    pub(crate) fn this_type(&mut self, unit: &Arc<Unit>, mut scope: ScopeId) -> Typed {
        if unit.language.linking.open_types {
            return self.open_this(unit, scope);
        }
        let mut in_function = false;
        while scope.is_some() {
            let entry = unit.scope(scope);
            if entry.kind == ScopeKind::Type {
                if let Some(Ty::Type(sym, args)) = self.type_around(unit, entry.owner) {
                    return Typed::sure(Ty::Instance(sym, args));
                }
                // What stands in an object as a value has the receiver of what is around the object.
                if in_function && let Some(ty) = self.receiver_of_object(unit, scope) {
                    return Typed { ty, inferred: true };
                }
            }
            if entry.kind == ScopeKind::Function {
                in_function = true;
                if let Some(ty) = self.receiver_of_function(unit, scope) {
                    return Typed { ty, inferred: true };
                }
            }
            if let Some(receiver) = self.unwritten_receiver(unit, scope) {
                return receiver;
            }
            let parent = entry.parent;
            if unit.language.linking.headers
                && let Some(sym) = self.outer_type(unit, scope)
            {
                return Typed::sure(Ty::Instance(sym, None));
            }
            scope = parent;
        }
        Typed::UNKNOWN
    }

    /// The receiver as its bases see it.
    fn super_type(&mut self, unit: &Arc<Unit>, scope: ScopeId) -> Typed {
        match self.this_type(unit, scope).ty {
            Ty::Instance(sym, _) | Ty::Type(sym, _) => Typed::sure(Ty::Super(sym)),
            _ => Typed::UNKNOWN,
        }
    }

    /// The type that an annotation names, as the type of a value.
    pub(crate) fn annotation(&mut self, unit: &Arc<Unit>, id: ExprId) -> Typed {
        if id.is_none() || self.depth > DEEPEST {
            return Typed::UNKNOWN;
        }
        self.depth += 1;
        let typed = self.annotation_of(unit, id);
        self.depth -= 1;
        typed
    }

    fn annotation_of(&mut self, unit: &Arc<Unit>, id: ExprId) -> Typed {
        let expr = unit.facts.exprs[id.index()];
        let a = ExprId(expr.a);
        match expr.op {
            ExprOp::Ref if unit.facts.refs[expr.a as usize].kind == RefKind::Macro => self.derived(unit, RefId(expr.a)),
            ExprOp::Ref => {
                let typed = self.reference_value(unit, RefId(expr.a), true).map(as_instance);
                match self.generic_of(unit, id) {
                    Some(sym) => Typed { ty: self.with_defaults(typed.ty, sym), inferred: typed.inferred },
                    None => typed,
                }
            }
            ExprOp::Apply => {
                let args = self.type_list(unit, ExprId(expr.b));
                self.applied(unit, a, args)
            }
            ExprOp::Array => self.annotation(unit, a).map(|ty| Ty::List(Arc::new(ty))),
            ExprOp::Optional if !unit.language.linking.optional.is_empty() => {
                let typed = self.annotation(unit, a);
                Typed { ty: self.optional(unit, typed.ty), inferred: typed.inferred }
            }
            ExprOp::Pointer | ExprOp::Optional | ExprOp::Deref | ExprOp::Typed => self.annotation(unit, a),
            ExprOp::Tuple => {
                let items = self.type_list(unit, a).unwrap_or_else(|| types([]));
                Typed::sure(Ty::Tuple(items))
            }
            ExprOp::Either => {
                let left = self.annotation(unit, a);
                let right = self.annotation(unit, ExprId(expr.b));
                either(left, right)
            }
            ExprOp::Meet => {
                let left = self.annotation(unit, a);
                let right = self.annotation(unit, ExprId(expr.b));
                both(left, right)
            }
            ExprOp::FunctionType => {
                let signature = match expr.b {
                    0 => Signature::Unknown,
                    scope => Signature::Written(unit.file, ScopeId(scope), None),
                };
                self.annotation(unit, a).map(|ty| Ty::Function(Arc::new(ty), Arc::new(signature)))
            }
            ExprOp::Key => {
                let base = self.annotation(unit, a);
                self.looked_up(unit, base, unit.name(StrId(expr.b)))
            }
            ExprOp::Index => {
                let base = self.annotation(unit, a);
                self.element(unit, base, true)
            }
            ExprOp::Call => self.value(unit, id).map(as_instance),
            ExprOp::Own => self.symbol_value(Sym { file: unit.file, symbol: SymbolId(expr.a) }).map(as_instance),
            ExprOp::TypeOf => self.value(unit, a),
            ExprOp::This => self.this_type(unit, ScopeId(expr.a)).map(|ty| match ty {
                Ty::Instance(sym, None)
                    if unit.language.linking.declared_overloads || unit.language.linking.receiver_types =>
                {
                    Ty::This(sym)
                }
                other => other,
            }),
            ExprOp::Shape => Typed::sure(Ty::Shape(unit.file, ScopeId(expr.a), None)),
            ExprOp::Literal if expr.a == Literal::Basic as u32 => self.literal_value(unit, expr),
            _ => Typed::UNKNOWN,
        }
    }

    /// What a call gives. Each call of a chain asks several times what the one before it gives: that is found out once.
    fn call_value(&mut self, unit: &Arc<Unit>, callee: ExprId, count: u32) -> Typed {
        let node = unit.facts.exprs[callee.index()];
        let is_chained = node.op == ExprOp::Ref
            && unit.facts.refs[node.a as usize]
                .receiver
                .get()
                .is_some_and(|receiver| unit.facts.exprs[receiver.index()].op == ExprOp::Call);
        match is_chained {
            true => {
                let key = (unit.file, callee.0);
                self.remembered(|l| &mut l.calls, key, Typed::UNKNOWN, |l| l.call_value_of(unit, callee, count))
            }
            false => self.call_value_of(unit, callee, count),
        }
    }

    fn call_value_of(&mut self, unit: &Arc<Unit>, callee: ExprId, count: u32) -> Typed {
        let function = self.value(unit, callee);
        if let Some(made) = self.made_by(unit, callee, &function) {
            return made;
        }
        let of = function.ty.clone();
        if matches!(of, Ty::Unknown | Ty::External(..) | Ty::Function(..))
            && let Some(made) = self.made_outside(unit, callee, &of)
        {
            return made;
        }
        let typed = self.called(unit, function, count.min(ANY_COUNT as u32 - 1) as u8);
        let linking = &unit.language.linking;
        // Where arguments are not kept, those for types may be written.
        let is_applied = unit.facts.exprs[callee.index()].op == ExprOp::Apply;
        match (linking.extensions || linking.headers || is_applied) && typed.ty.is_open() {
            true => Typed { ty: self.instantiated(unit, callee, &of, typed.ty, true), inferred: typed.inferred },
            false => typed,
        }
    }

    /// What calling something gives.
    pub(crate) fn called(&mut self, unit: &Arc<Unit>, function: Typed, count: u8) -> Typed {
        let inferred = function.inferred;
        let typed = match function.ty {
            Ty::Type(sym, args) => Typed::sure(Ty::Instance(sym, args)),
            Ty::Callable(sym, receiver) => {
                let signature = self.signature(sym, count);
                let returned = self.returned(signature);
                match receiver {
                    Some(receiver) => Typed { ty: self.substitute(returned.ty, &receiver), ..returned },
                    None => returned,
                }
            }
            Ty::Function(returns, _) => Typed::sure((*returns).clone()),
            Ty::Shape(..) if unit.language.linking.declared_overloads => self.called_type(unit, function.ty, count),
            Ty::Instance(..) if unit.language.linking.declared_overloads => self.called_type(unit, function.ty, count),
            shape @ Ty::Shape(..) => Typed::sure(shape),
            Ty::List(item) => Typed::sure(Ty::List(Arc::new(as_instance((*item).clone())))),
            Ty::External(name, args) => Typed::sure(Ty::ExternalInstance(name, args)),
            Ty::Instance(..) if !unit.language.linking.call_member.is_empty() => {
                self.invoked(unit, &function.ty, count)
            }
            Ty::Instance(sym, args) if self.is_enum(sym) => Typed::sure(Ty::Instance(sym, args)),
            of @ Ty::Instance(..) => match self.underlying(&of) {
                Some(Ty::Function(returns, _)) => Typed::sure((*returns).clone()),
                Some(_) => Typed::UNKNOWN,
                None => self.delegated(&of),
            },
            of @ Ty::ExternalInstance(..) => self.function_result(unit, &of),
            _ => Typed::UNKNOWN,
        };
        typed.guessed(inferred)
    }

    /// What calling a value gives whose type says how it is called.
    fn called_type(&mut self, unit: &Arc<Unit>, ty: Ty, count: u8) -> Typed {
        match self.call_signature(unit, &ty) {
            Some(signature @ Ty::Function(..)) => self.called(unit, Typed::sure(signature), count),
            _ => Typed::UNKNOWN,
        }
    }

    /// What calling a value gives through the method that is there for it.
    fn invoked(&mut self, unit: &Arc<Unit>, ty: &Ty, count: u8) -> Typed {
        let Some(name) = self.words(unit).call_member else { return Typed::UNKNOWN };
        let base = Typed::sure(ty.clone());
        match self.member(unit, &base, name, count, RefKind::Call).map(|found| found.what) {
            Some(What::Symbol(sym)) => {
                let returned = self.returned(sym);
                Typed { ty: self.substitute(returned.ty, ty), inferred: true }
            }
            _ => Typed::UNKNOWN,
        }
    }

    fn is_enum(&mut self, sym: Sym) -> bool {
        self.unit(sym.file).symbol(sym.symbol).kind == SymbolKind::Enum
    }

    /// What a function of the project returns: as declared, else as its return statements agree.
    pub(crate) fn returned(&mut self, sym: Sym) -> Typed {
        self.remembered(|l| &mut l.returns, sym, Typed::UNKNOWN, |l| l.returned_of(sym))
    }

    fn returned_of(&mut self, sym: Sym) -> Typed {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if symbol.kind == SymbolKind::Constructor {
            let parent = symbol.parent;
            return match self.type_around(&unit, parent) {
                Some(Ty::Type(own, args)) => Typed::sure(Ty::Instance(own, args)),
                _ => Typed::UNKNOWN,
            };
        }
        match unit.note(sym.symbol, Tie::Type) {
            Some(expr) => self.annotation(&unit, expr),
            None if symbol.kind == SymbolKind::Property && unit.language.linking.open_types => {
                self.attribute_value(&unit, sym.symbol)
            }
            None => self.agreed_returns(&unit, sym.symbol),
        }
    }

    fn agreed_returns(&mut self, unit: &Arc<Unit>, symbol: SymbolId) -> Typed {
        let mut agreed: Option<Ty> = None;
        for expr in unit.notes(symbol).iter().filter(|n| n.tie == Tie::Return).map(|n| n.expr) {
            let ty = match self.base_of_nameless(unit, symbol, expr) {
                Some(typed) => typed.ty,
                None => self.value(unit, expr).ty,
            };
            match (&agreed, ty) {
                (_, Ty::Unknown) if is_null(unit, expr) => {}
                (None, ty) => agreed = Some(ty),
                (Some(own), ty) if *own == ty => {}
                (Some(Ty::Unknown), _) | (_, Ty::Unknown) => return Typed::UNKNOWN,
                (Some(own), ty) if unit.language.linking.declared_overloads => {
                    agreed = Some(either(Typed::sure(own.clone()), Typed::sure(ty)).ty);
                }
                _ => return Typed::UNKNOWN,
            }
        }
        Typed { ty: agreed.unwrap_or(Ty::Unknown), inferred: true }
    }
}

/// Whether a name for a type is a type of its own, with methods of its own: `type Names []string`.
pub(crate) fn is_defined_type(unit: &Unit, symbol: SymbolId) -> bool {
    unit.language.linking.structural_interfaces && unit.symbol(symbol).kind == SymbolKind::TypeAlias
}

/// Whether a name for a type stands for functions of its own parameters.
pub(crate) fn is_delegate(unit: &Unit, symbol: SymbolId) -> bool {
    unit.language.linking.delegates && unit.symbol(symbol).kind == SymbolKind::TypeAlias
}

fn is_null(unit: &Unit, expr: ExprId) -> bool {
    let expr = unit.facts.exprs[expr.index()];
    expr.op == ExprOp::Literal && expr.a == Literal::Null as u32
}

/// A type as the type of its values.
pub(crate) fn as_instance(ty: Ty) -> Ty {
    match ty {
        Ty::Type(sym, args) => Ty::Instance(sym, args),
        Ty::External(name, args) => Ty::ExternalInstance(name, args),
        Ty::Callable(..) | Ty::Module(_) => Ty::Unknown,
        other => other,
    }
}

fn as_type(ty: Ty) -> Ty {
    match ty {
        Ty::Instance(sym, args) => Ty::Type(sym, args),
        Ty::ExternalInstance(name, args) => Ty::External(name, args),
        other => other,
    }
}

pub(crate) fn with_args(ty: Ty, args: Args) -> Ty {
    match ty {
        Ty::Instance(sym, _) => Ty::Instance(sym, args),
        Ty::Type(sym, _) => Ty::Type(sym, args),
        Ty::External(name, _) => Ty::External(name, args),
        Ty::ExternalInstance(name, _) => Ty::ExternalInstance(name, args),
        other => other,
    }
}

/// One of two types; what is unknown or absent does not count.
fn either(left: Typed, right: Typed) -> Typed {
    let inferred = left.inferred || right.inferred;
    let ty = match (left.ty, right.ty) {
        (Ty::Unknown, ty) | (ty, Ty::Unknown) => ty,
        (a, b) if a == b => a,
        (a, b) => {
            let mut all = Vec::new();
            for ty in [a, b] {
                match ty {
                    Ty::Either(items) => all.extend(items.iter().cloned()),
                    other => all.push(other),
                }
            }
            Ty::Either(types(all))
        }
    };
    Typed { ty, inferred }
}

/// Two types at once; what is unknown does not count.
fn both(left: Typed, right: Typed) -> Typed {
    let inferred = left.inferred || right.inferred;
    let ty = match (left.ty, right.ty) {
        (Ty::Unknown, ty) | (ty, Ty::Unknown) => ty,
        (a, b) => {
            let mut all = Vec::new();
            for ty in [a, b] {
                match ty {
                    Ty::Both(items) => all.extend(items.iter().cloned()),
                    other => all.push(other),
                }
            }
            Ty::Both(types(all))
        }
    };
    Typed { ty, inferred }
}

/// Whether a parameter takes the rest of the arguments.
fn takes_rest(unit: &Unit, binding: &Binding) -> bool {
    let params = &unit.symbol(unit.scope(binding.scope).owner).params;
    binding.kind == BindingKind::Param
        && params.iter().any(|p| p.flags.has(Flags::VARIADIC) && p.name.contains(binding.span.start))
}
