//! Types that are written in several places: each place adds members and bases to one type.

use std::rc::Rc;

use codegraph_model::*;

use crate::lookup::Linker;
use crate::module::PackageId;
use crate::{Sym, TermId, Unit};

impl Linker<'_> {
    /// All places in which a type is written, in the order of paths.
    pub(crate) fn parts(&mut self, sym: Sym) -> Rc<[Sym]> {
        if let Some(known) = self.parts.get(&sym) {
            return Rc::clone(known);
        }
        let unit = self.unit(sym.file);
        let parts: Rc<[Sym]> = match unit.symbol(sym.symbol).flags.has(Flags::PARTIAL) {
            true => self.find_parts(&unit, sym).into(),
            false => [sym].into(),
        };
        self.parts.insert(sym, Rc::clone(&parts));
        parts
    }

    /// The place that stands for a type.
    pub(crate) fn whole(&mut self, sym: Sym) -> Sym {
        if !self.unit(sym.file).symbol(sym.symbol).flags.has(Flags::PARTIAL) {
            return sym;
        }
        self.parts(sym)[0]
    }

    /// Whether two places belong to one type.
    pub(crate) fn is_part(&mut self, part: Sym, of: Sym) -> bool {
        part == of || self.whole(part) == self.whole(of)
    }

    fn find_parts(&mut self, unit: &Unit, sym: Sym) -> Vec<Sym> {
        let name = unit.name(unit.symbol(sym.symbol).name);
        let place = self.place_of_type(unit, sym.symbol);
        let mut parts = Vec::new();
        for &file in self.program.defining(name).iter() {
            if !self.program.language(file).is_related(unit.language) {
                continue;
            }
            let other = self.unit(file);
            for symbol in other.named(name) {
                let entry = other.symbol(symbol);
                let is_part = entry.flags.has(Flags::PARTIAL) && entry.kind.is_type();
                if is_part && self.place_of_type(&other, symbol) == place {
                    parts.push(Sym { file, symbol });
                }
            }
        }
        if parts.is_empty() { vec![sym] } else { parts }
    }

    /// Where a type is declared: namespace, types around it, and how many parameters it has.
    fn place_of_type(&mut self, unit: &Unit, symbol: SymbolId) -> (PackageId, Vec<TermId>, usize) {
        let own = unit.symbol(symbol);
        let mut around = Vec::new();
        let mut at = own.parent;
        while at.is_some() && unit.symbol(at).kind.is_type() {
            around.push(unit.name(unit.symbol(at).name));
            at = unit.symbol(at).parent;
        }
        (self.space_around(unit, own.scope), around, unit.type_params_of(own.inner).count())
    }
}
