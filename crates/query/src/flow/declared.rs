//! Where a member is declared that is read from an object: the values that the object may be say it.

use std::rc::Rc;

use codegraph_extract::flow::{FlowExpr, FlowFunction, Goal};
use codegraph_model::{FileId, Span};
use codegraph_store::SymbolRow;

use super::load::{Loaded, named_symbol};
use super::solve::Solver;
use super::values::*;

/// Values that one has its members from, one from the next.
const MOST_PARENTS: usize = 8;

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Where a member is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    Symbol(SymbolRow),
    /// A key of an object that has no name of its own.
    Key(FileId, Span),
}

impl Solver<'_, '_> {
    /// Where a member may be declared whose name stands at a place, if it is read there.
    pub(super) fn declared_at(&mut self, file: FileId, name: Span) -> Vec<Declared> {
        let Some(loaded) = self.files.get(&file).map(Rc::clone) else { return Vec::new() };
        let text = loaded.text(name);
        let read = loaded.flow.exprs.iter().filter_map(|expr| match expr {
            FlowExpr::Member(object, own) if *own == name => Some(Node::Expr(file, *object)),
            _ => None,
        });
        let objects: Vec<NodeNo> = read.filter_map(|node| self.sets.known(&node)).collect();
        let values: Vec<ValueNo> = objects.iter().flat_map(|node| self.sets.held(*node).to_vec()).collect();
        let mut found = Vec::new();
        for value in values {
            for (file, at) in self.declared_by(value, &text) {
                let one = match named_symbol(&self.files[&file].linked, at) {
                    Some(symbol) => Declared::Symbol(SymbolRow::new(file, symbol)),
                    None => Declared::Key(file, unquoted(&self.files[&file], at)),
                };
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// Where a value has a member from: itself, or the first that it has its members from.
    fn declared_by(&mut self, value: ValueNo, name: &str) -> Vec<(FileId, Span)> {
        let mut sources = vec![value];
        let mut at = 0;
        while at < sources.len().min(MOST_PARENTS) {
            let source = sources[at];
            let own = self.own_members(source, name);
            if !own.is_empty() {
                return own;
            }
            sources.extend(self.parents(source));
            at += 1;
        }
        Vec::new()
    }

    fn parents(&mut self, value: ValueNo) -> Vec<ValueNo> {
        let mut parents = Vec::new();
        match self.sets.values[value as usize].clone() {
            Value::Instance(class) => {
                let order = self.order(class);
                let type_has_them = !is_apart(&self.files[&class.0]);
                let own = self.sets.value(Value::Class(class));
                parents.extend(type_has_them.then_some(own));
                parents.push(self.sets.value(Value::Prototype(own)));
                for base in order.iter().skip(1) {
                    parents.push(self.sets.value(Value::Instance(*base)));
                }
            }
            Value::Class(class) => {
                let order = self.order(class);
                for base in order.iter().skip(1) {
                    parents.push(self.sets.value(Value::Class(*base)));
                }
            }
            Value::Made(function) => {
                let maker = self.sets.value(Value::Function(function));
                parents.push(self.sets.value(Value::Prototype(maker)));
            }
            _ => {}
        }
        if let Some(node) = self.sets.known(&Node::Parent(value)) {
            parents.extend(self.sets.held(node));
        }
        parents
    }

    /// Where a member of a value is written: in its class or its table, or where it is assigned.
    fn own_members(&self, value: ValueNo, name: &str) -> Vec<(FileId, Span)> {
        let mut found = Vec::new();
        let mut files: Vec<FileId> = self.files.keys().copied().collect();
        files.sort_unstable();
        for file in files {
            let loaded = &self.files[&file];
            let named = |at: &Span| !at.is_empty() && loaded.text(*at).trim_matches(QUOTES) == name;
            let (own_class, of_type, own_table) = match self.sets.values[value as usize] {
                Value::Class(class) if class.0 == file => (Some(class.1), true, None),
                Value::Instance(class) if class.0 == file => (Some(class.1), false, None),
                Value::Literal(of, expr) if of == file => (None, false, Some(expr)),
                _ => (None, false, None),
            };
            // Where the members of a type and of its instances are apart, only its own.
            let has = |is_static: bool| !is_apart(loaded) || is_static == of_type;
            if let Some(class) = own_class {
                let own = |one: &&FlowFunction| one.class == Some(class) && has(is_static(loaded, one));
                let methods = loaded.flow.functions.iter().filter(own);
                found.extend(methods.map(|function| function.name).filter(named).map(|at| (file, at)));
            }
            if let Some(FlowExpr::Table(entries)) = own_table.map(|expr| &loaded.flow.exprs[expr as usize]) {
                found.extend(entries.iter().map(|entry| entry.at).filter(named).map(|at| (file, at)));
            }
            for one in &loaded.flow.moves {
                match one.goal {
                    Goal::Field(class, at, is_static) if own_class == Some(class) && has(is_static) && named(&at) => {
                        found.push((file, at));
                    }
                    Goal::Member(object, at) if named(&at) => {
                        let held = self.sets.known(&Node::Expr(file, object)).map(|node| self.sets.held(node));
                        found.extend(held.filter(|held| held.contains(&value)).map(|_| (file, at)));
                    }
                    _ => {}
                }
            }
        }
        found.sort_unstable_by_key(|(file, at)| (*file, at.start));
        found.dedup();
        found
    }
}

/// A key without its quotes.
fn unquoted(file: &Loaded, at: Span) -> Span {
    let text = file.text(at);
    let inner = text.trim_matches(QUOTES);
    let start = at.start + (text.len() - text.trim_start_matches(QUOTES).len()) as u32;
    Span::new(start, start + inner.len() as u32)
}

/// Whether instances have nothing of what their type has for itself.
fn is_apart(file: &Loaded) -> bool {
    !file.table.static_word.is_empty()
}

fn is_static(file: &Loaded, function: &FlowFunction) -> bool {
    function.words.iter().any(|word| **word == *file.table.static_word)
}
