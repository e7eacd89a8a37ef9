//! Containers outside the project: what their elements and the results of their methods are.

use std::sync::Arc;

use crate::lookup::{Linker, What};
use crate::types::{Ty, Typed, types};
use crate::{Sym, TermId, Unit};
use codegraph_languages::linking::{Gives, Holds};
use codegraph_model::Tie;

impl Linker<'_> {
    /// What an external type holds, by its name.
    pub(crate) fn container(&mut self, unit: &Unit, name: TermId) -> Option<Holds> {
        if unit.language.linking.containers.is_empty() {
            return None;
        }
        self.words(unit).containers.get(&name).copied()
    }

    /// Whether a container holds a value of one of two types.
    pub(crate) fn holds_either(&mut self, unit: &Unit, of: &Ty) -> bool {
        match of {
            Ty::ExternalInstance(id, _) => {
                let name = self.externals.name(*id);
                self.container(unit, name).is_some_and(|holds| holds.either)
            }
            _ => false,
        }
    }

    /// What a method of a container gives.
    pub(crate) fn given(&mut self, unit: &Unit, base: &Ty, gives: Gives) -> Ty {
        let Some((item, value)) = self.held_types(unit, base) else { return Ty::Unknown };
        let list = |ty: Ty| Ty::List(Arc::new(ty));
        match gives {
            Gives::Copy | Gives::Same => base.clone(),
            Gives::Item => item,
            Gives::Value => value,
            Gives::Entry if item == value => item,
            Gives::Entry => Ty::Tuple(types([item, value])),
            Gives::Made(name) => self.made_of(unit, name, item).unwrap_or_else(|| base.clone()),
            Gives::MadeOfValues(name) => match self.made_of(unit, name, value.clone()) {
                Some(made) => made,
                None => list(value),
            },
            Gives::Items => list(item),
            Gives::Values => list(value),
            Gives::Pairs if item == value => list(item),
            Gives::Pairs => list(Ty::Tuple(types([item, value]))),
            Gives::Mapped | Gives::Flattened | Gives::Groups => Ty::Unknown,
            Gives::Numbered => list(Ty::Tuple(types([Ty::Unknown, item]))),
        }
    }

    /// A container outside the project; none if no file names it.
    fn made_of(&mut self, unit: &Unit, name: &str, item: Ty) -> Option<Ty> {
        let name = self.program.term(name)?;
        match self.outside(unit, name).what {
            What::External(id) => Some(Ty::ExternalInstance(id, Some(types([item])))),
            _ => None,
        }
    }

    /// What iterating over a container gives, and what indexing gives.
    pub(crate) fn held_types(&mut self, unit: &Unit, base: &Ty) -> Option<(Ty, Ty)> {
        match base {
            Ty::List(item) => Some(((**item).clone(), (**item).clone())),
            Ty::ExternalInstance(id, Some(args)) => {
                let holds = self.container(unit, self.externals.name(*id))?;
                let item = args.get(holds.item as usize)?.clone();
                // A pointer to a container gives what the container gives.
                if holds.transparent
                    && let Some(inner) = self.held_types(unit, &item)
                {
                    return Some(inner);
                }
                let value = args.get(holds.index as usize).cloned().unwrap_or_else(|| item.clone());
                Some((item, value))
            }
            Ty::Instance(..) if unit.language.linking.structural_interfaces => {
                let under = self.underlying(base)?;
                self.held_types(unit, &under)
            }
            Ty::Instance(sym, _) if unit.language.linking.extensions => {
                let held = self.container_base(*sym)?;
                let held = self.substitute(held, base);
                self.held_types(unit, &held)
            }
            _ => None,
        }
    }

    /// The container outside the project that a type inherits from, as its bases write it.
    fn container_base(&mut self, sym: Sym) -> Option<Ty> {
        for of in self.lineage(sym).iter() {
            let unit = self.unit(of.file);
            for note in unit.notes(of.symbol).iter().filter(|n| matches!(n.tie, Tie::Base | Tie::Implements)) {
                if let ty @ Ty::ExternalInstance(id, Some(_)) = self.annotation(&unit, note.expr).ty
                    && self.container(&unit, self.externals.name(id)).is_some()
                {
                    return Some(ty);
                }
            }
        }
        None
    }

    /// What is in a container: by index or by iterating.
    pub(crate) fn element(&mut self, unit: &Arc<Unit>, base: Typed, by_index: bool) -> Typed {
        let inferred = base.inferred;
        let ty = match base.ty {
            // `Point[1, 2]` makes a value.
            Ty::Type(sym, _) if by_index && unit.language.linking.open_types => {
                return Typed { ty: Ty::Instance(sym, None), inferred: true };
            }
            Ty::Type(sym, _) if by_index => Ty::Type(sym, None),
            ty => match self.held_types(unit, &ty) {
                Some((_, value)) if by_index => value,
                Some((item, value)) if item != value && unit.language.linking.maps_give_pairs => {
                    Ty::Tuple(types([item, value]))
                }
                Some((item, _)) => item,
                // What a pointer points to, as if it were an array.
                None if by_index && unit.language.linking.headers && matches!(ty, Ty::Instance(..) | Ty::Shape(..)) => {
                    ty
                }
                // What a function outside gives stands for what it holds.
                None if self.goes_abroad && matches!(ty, Ty::ExternalInstance(_, None)) => ty,
                None => first_argument(&ty),
            },
        };
        Typed { ty, inferred }
    }

    /// What an awaited, unwrapped or dereferenced value holds; a value of the project is itself.
    pub(crate) fn held(&mut self, unit: &Arc<Unit>, base: Typed) -> Typed {
        let inferred = base.inferred;
        let ty = match base.ty {
            Ty::ExternalInstance(id, Some(args)) if self.container(unit, self.externals.name(id)).is_some() => {
                args.first().cloned().unwrap_or(Ty::Unknown)
            }
            // A list of one or none, as methods of containers give it.
            Ty::List(item) if !unit.language.linking.variants.is_empty() => (*item).clone(),
            other => other,
        };
        Typed { ty, inferred }
    }
}

/// A type with arguments that is no known container holds its first one.
fn first_argument(ty: &Ty) -> Ty {
    match ty {
        Ty::ExternalInstance(_, Some(args)) => args.first().cloned().unwrap_or(Ty::Unknown),
        _ => Ty::Unknown,
    }
}
