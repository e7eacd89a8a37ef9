//! Bases and what they make of a type: the order in which members are looked up, and who implements what.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::*;
use rustc_hash::FxHashSet;

use crate::lookup::Linker;
use crate::types::{Ty, as_instance};
use crate::{Sym, Unit};

/// A type with more ancestors than this is a mistake.
const MOST_ANCESTORS: usize = 256;

impl Linker<'_> {
    /// The bases of a type in lookup order, as types of the project.
    pub(crate) fn bases(&mut self, sym: Sym) -> Rc<[Ty]> {
        self.remembered(|l| &mut l.base_types, sym, [].into(), |l| l.bases_of(sym).into())
    }

    fn bases_of(&mut self, sym: Sym) -> Vec<Ty> {
        let unit = self.unit(sym.file);
        if unit.language.linking.open_types {
            return self.open_bases(sym);
        }
        let mut found = Vec::new();
        for part in self.parts(sym).iter() {
            let unit = self.unit(part.file);
            for note in unit.notes(part.symbol).iter().filter(|n| matches!(n.tie, Tie::Base | Tie::Implements)) {
                match self.annotation(&unit, note.expr).ty {
                    Ty::Either(parts) | Ty::Both(parts) => {
                        found.extend(parts.iter().filter(|ty| matches!(ty, Ty::Instance(..))).cloned())
                    }
                    ty @ Ty::Instance(..) => found.push(as_instance(ty)),
                    _ => found.extend(self.function_as_base(&unit, note.expr)),
                }
            }
        }
        if unit.language.linking.impl_blocks {
            self.outside_bases(&unit, sym, &mut found);
        }
        found
    }

    /// Traits that impl blocks implement for a type.
    fn outside_bases(&mut self, own: &Arc<Unit>, sym: Sym, found: &mut Vec<Ty>) {
        let type_name = own.name(own.symbol(sym.symbol).name);
        for &file in self.program.extending(type_name).iter() {
            let unit = self.unit(file);
            for id in unit.impls_of(type_name) {
                if self.is_about(&unit, id, sym)
                    && let Some(expr) = unit.note(id, Tie::Implements)
                {
                    let ty = self.annotation(&unit, expr).ty;
                    if matches!(ty, Ty::Instance(..)) && !found.contains(&ty) {
                        found.push(ty);
                    }
                }
            }
        }
    }

    /// A type and its ancestors, each before its own bases and in the order in which they are written (C3).
    pub(crate) fn lineage(&mut self, sym: Sym) -> Rc<[Sym]> {
        self.remembered(|l| &mut l.lineages, sym, [sym].into(), |l| l.lineage_of(sym))
    }

    fn lineage_of(&mut self, sym: Sym) -> Rc<[Sym]> {
        let bases = self.bases(sym);
        let direct = bases.iter().filter_map(|ty| match ty {
            Ty::Instance(base, _) if *base != sym => Some(*base),
            _ => None,
        });
        let direct: Vec<Sym> = direct.collect();
        let parts = self.parts(sym);
        if self.unit(sym.file).language.linking.bases_in_depth {
            return self.in_depth(sym, &direct);
        }
        let mut rows: Vec<Vec<Sym>> = direct.iter().map(|base| self.lineage(*base).to_vec()).collect();
        rows.push(direct);
        let mut line = vec![sym];
        line.extend(parts.iter().filter(|part| **part != sym));
        while line.len() < MOST_ANCESTORS {
            rows.retain(|row| !row.is_empty());
            // Where no order fits all, the first one that is left goes first.
            let behind = |next: Sym| rows.iter().any(|row| row[1..].contains(&next));
            let Some(next) = rows.iter().map(|row| row[0]).find(|next| !behind(*next)).or(rows.first().map(|r| r[0]))
            else {
                break;
            };
            rows.iter_mut().for_each(|row| row.retain(|sym| *sym != next));
            if !line.contains(&next) {
                line.push(next);
            }
        }
        line.into()
    }

    /// A type and its ancestors, each base with all of its own before the next.
    fn in_depth(&mut self, sym: Sym, direct: &[Sym]) -> Rc<[Sym]> {
        let mut line = vec![sym];
        for base in direct {
            for ancestor in self.lineage(*base).iter() {
                if !line.contains(ancestor) && line.len() < MOST_ANCESTORS {
                    line.push(*ancestor);
                }
            }
        }
        line.into()
    }

    /// Where a call that binds to this method may lead: methods of the same name in types that inherit or implement
    /// its type; for a type, the types that do. In ascending order.
    pub fn implementations(&mut self, sym: Sym) -> Vec<Sym> {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let mut found = if symbol.kind.is_type() {
            self.heirs(sym)
        } else if let Some(Ty::Type(owner, _)) = self.type_around(&unit, symbol.parent) {
            let name = unit.name(symbol.name);
            let heirs = self.heirs(owner);
            let members = heirs.into_iter().filter_map(|heir| self.overriding(heir, owner, name));
            members.filter(|member| *member != sym).collect()
        } else {
            Vec::new()
        };
        found.sort_unstable();
        found.dedup();
        self.forget_cuts();
        found
    }

    /// The method of a type that stands for the one of its base.
    fn overriding(&mut self, heir: Sym, owner: Sym, name: crate::TermId) -> Option<Sym> {
        let unit = self.unit(heir.file);
        let own = unit.symbol(heir.symbol).inner.get().and_then(|inner| {
            let mut declared = unit.declared(inner, name);
            declared.find_map(|decl| match decl {
                crate::Decl::Symbol(id) if unit.symbol(id).kind.is_callable() => Some(id),
                _ => None,
            })
        });
        match own {
            Some(symbol) => Some(Sym { file: heir.file, symbol }),
            None => self.in_impl(heir, owner, name),
        }
    }

    /// The method of an impl block of a trait for a type.
    fn in_impl(&mut self, heir: Sym, of: Sym, name: crate::TermId) -> Option<Sym> {
        let own = self.unit(heir.file);
        if !own.language.linking.impl_blocks {
            return None;
        }
        let type_name = own.name(own.symbol(heir.symbol).name);
        for &file in self.program.extending(type_name).iter() {
            let unit = self.unit(file);
            for id in unit.impls_of(type_name) {
                let Some(expr) = unit.note(id, Tie::Implements) else { continue };
                let implements = matches!(self.annotation(&unit, expr).ty, Ty::Instance(base, _) if base == of);
                if implements && self.is_about(&unit, id, heir) {
                    let mut named = unit.named(name);
                    return named.find(|s| unit.symbol(*s).parent == id).map(|symbol| Sym { file, symbol });
                }
            }
        }
        None
    }

    /// All types that inherit from a type or implement it, directly or not.
    pub(crate) fn heirs(&mut self, sym: Sym) -> Vec<Sym> {
        self.heirs_named_by(sym, usize::MAX)
    }

    /// The same, as long as no more than so many files say the name of a type: what everybody inherits from, or what has
    /// the name of many other things, is not looked below.
    pub(crate) fn heirs_named_by(&mut self, sym: Sym, most: usize) -> Vec<Sym> {
        let sym = if self.unit(sym.file).language.linking.open_types { self.canonical(sym) } else { sym };
        let mut all = vec![sym];
        let mut known = FxHashSet::from_iter([sym]);
        let mut at = 0;
        while at < all.len() {
            let heirs = self.direct_heirs(all[at], most);
            all.extend(heirs.into_iter().filter(|heir| known.insert(*heir)));
            at += 1;
        }
        all.remove(0);
        all
    }

    fn direct_heirs(&mut self, sym: Sym, most: usize) -> Vec<Sym> {
        let own = self.unit(sym.file);
        let name = own.name(own.symbol(sym.symbol).name);
        let mut found = Vec::new();
        let mut naming = 0;
        for &file in self.program.inheriting(name).iter() {
            let unit = self.unit(file);
            // Who inherits says the name, if only where it is imported under another one.
            let has_bases = unit.facts.notes.iter().any(|n| matches!(n.tie, Tie::Base | Tie::Implements));
            if !has_bases || !unit.facts.refs.iter().any(|reference| unit.name(reference.name) == name) {
                continue;
            }
            naming += 1;
            if naming > most {
                return Vec::new();
            }
            for note in unit.facts.notes.iter().filter(|n| matches!(n.tie, Tie::Base | Tie::Implements)) {
                let inherits = matches!(self.annotation(&unit, note.expr).ty, Ty::Instance(base, _) if base == sym);
                if inherits && let Some(Ty::Type(heir, _)) = self.type_around(&unit, note.symbol) {
                    found.push(heir);
                }
            }
        }
        found
    }
}

/// Whether a name says what the type of a scope inherits from: the members of that are not known there.
pub(crate) fn names_base(unit: &Unit, scope: ScopeId, reference: &Reference) -> bool {
    let owner = unit.scope(scope).owner;
    let (symbol, at) = (unit.symbol(owner), reference.span.start);
    if symbol.inner != scope || at >= symbol.head_end {
        return false;
    }
    match reference.kind {
        RefKind::Inherit | RefKind::Implements => true,
        // What stands before the bases may be written in terms of them: a constructor in the head of its type.
        RefKind::TypeRef => unit.first_base(owner).is_some_and(|first| first <= at),
        _ => false,
    }
}
