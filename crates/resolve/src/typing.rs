//! What type something is of, for those who ask about types themselves: an editor that goes to the type of a name, or
//! writes behind it what was inferred.

use codegraph_model::SymbolKind;

use crate::lookup::Linker;
use crate::types::Ty;
use crate::{FileId, Sym};

/// Types in types are followed so deep.
const DEEPEST: u32 = 4;

impl Linker<'_> {
    /// The types of the project that a symbol is of: of a function, what it returns.
    pub fn types_of(&mut self, sym: Sym) -> Vec<Sym> {
        self.open(sym.file);
        let kind = self.unit(sym.file).symbol(sym.symbol).kind;
        if kind.is_type() || kind == SymbolKind::TypeAlias {
            return vec![sym];
        }
        let typed = if kind.is_callable() { self.returned(sym) } else { self.symbol_value(sym) };
        self.named(&typed.ty)
    }

    /// The types of the project that a local name is of.
    pub fn types_of_local(&mut self, file: FileId, binding: u32) -> Vec<Sym> {
        self.open(file);
        let unit = self.unit(file);
        let typed = self.binding_value(&unit, binding);
        self.named(&typed.ty)
    }

    /// The type of a local name as it might be written; none if it is not known.
    pub fn local_type_text(&mut self, file: FileId, binding: u32) -> Option<String> {
        self.open(file);
        let unit = self.unit(file);
        let typed = self.binding_value(&unit, binding);
        self.forget_cuts();
        self.type_text(&typed.ty, 0)
    }

    fn named(&mut self, ty: &Ty) -> Vec<Sym> {
        let mut found = Vec::new();
        self.collect(ty, 0, &mut found);
        self.forget_cuts();
        found
    }

    fn collect(&mut self, ty: &Ty, depth: u32, found: &mut Vec<Sym>) {
        if depth > DEEPEST {
            return;
        }
        match ty {
            Ty::Instance(sym, _) | Ty::Type(sym, _) | Ty::Variant(sym, _) | Ty::This(sym) | Ty::Super(sym)
                if !found.contains(sym) =>
            {
                found.push(*sym);
            }
            Ty::Callable(sym, _) => {
                let returned = self.returned(*sym);
                self.collect(&returned.ty, depth + 1, found);
            }
            Ty::List(item) | Ty::Rest(item) => self.collect(item, depth + 1, found),
            Ty::Either(items) | Ty::Both(items) | Ty::Tuple(items) => {
                items.iter().for_each(|item| self.collect(item, depth + 1, found));
            }
            Ty::ExternalInstance(_, Some(args)) => {
                args.iter().for_each(|arg| self.collect(arg, depth + 1, found));
            }
            _ => {}
        }
    }

    fn type_text(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        Some(match ty {
            Ty::Instance(sym, _) | Ty::This(sym) => {
                let unit = self.unit(sym.file);
                let name = unit.symbol(sym.symbol).name.get()?;
                self.program.text(unit.name(name)).to_string()
            }
            Ty::ExternalInstance(id, _) => self.program.text(self.externals.name(*id)).to_string(),
            Ty::Basic(word) => self.program.text(*word).to_string(),
            Ty::List(item) => format!("{}[]", self.type_text(item, depth + 1)?),
            Ty::Tuple(items) => {
                let parts: Option<Vec<String>> = items.iter().map(|item| self.type_text(item, depth + 1)).collect();
                format!("({})", parts?.join(", "))
            }
            _ => return None,
        })
    }
}
