//! What happens to a value that comes to a place.

use std::rc::Rc;

use codegraph_extract::flow::{ExprNo, FlowExpr};
use codegraph_model::FileId;

use super::calls::{Arg, Site};
use super::solve::{Later, Solver};
use super::values::*;

/// So many items are given to parameters one by one.
const MOST_ITEMS: u32 = 8;

impl Solver<'_, '_> {
    pub(super) fn act(&mut self, node: NodeNo, then: Then, value: ValueNo) {
        match then {
            Then::Call(site) => self.call(node, value, &site),
            Then::Run(site) => self.run_value(node, value, &site),
            Then::Read { name, to, site } => self.read_member(value, &name, to, &site),
            Then::Write { name, from } => self.write_member(value, &name, from),
            Then::ReadBy { key, to } => {
                if self.has_elements(value) {
                    self.on(key, Then::ReadKey { of: value, to });
                    self.later.push(Later::AnyKey { key, of: value, other: to, reads: true });
                }
            }
            Then::WriteBy { key, from } => {
                if self.has_elements(value) {
                    self.on(key, Then::WriteKey { of: value, from });
                    self.later.push(Later::AnyKey { key, of: value, other: from, reads: false });
                }
            }
            Then::ReadKey { of, to } => {
                if let Value::Text(key) = self.sets.values[value as usize].clone() {
                    self.read_element(of, &key, to);
                }
            }
            Then::WriteKey { of, from } => {
                if let Value::Text(key) = self.sets.values[value as usize].clone() {
                    let field = self.field(of, &key);
                    self.sets.flow(from, field);
                }
            }
            Then::Put { from } => {
                if self.has_elements(value) {
                    self.put_into(value, from);
                }
            }
            Then::PutAll { from } => self.on(from, Then::CopyTo { to: value }),
            Then::Each { to, site } => self.each(node, value, to, &site),
            Then::Item { number, rest, to } => self.item(value, number, rest, to),
            Then::Enter { to, site } => self.open_block(node, value, to, &site),
            Then::Bind { to, receiver } => self.bind(node, value, receiver, to),
            Then::Super { class, to } => {
                let own = self.sets.value(Value::Super(class, value));
                self.sets.put(to, own, None);
            }
            Then::Spread { to, first } => self.spread(value, to, first),
            Then::SpreadTable { to } => self.spread_table(value, to),
            Then::CopyTo { to } => {
                if self.has_elements(value) || matches!(self.sets.values[value as usize], Value::Prototype(_)) {
                    self.copy(value, to);
                }
            }
            Then::CopyFrom { from } => self.on(from, Then::CopyTo { to: value }),
            Then::Register { key, from } => {
                let field = self.field(value, &key);
                self.sets.flow(from, field);
            }
            Then::Fire { key, site } => {
                let field = self.field(value, &key);
                self.on(field, Then::Run(site));
            }
            Then::Partial { site, to } => {
                let partial = self.sets.value(Value::Partial(site.file, site.call, 1, value));
                self.sets.put(to, partial, Some((node, value)));
            }
            Then::ParentOf { node } => {
                let parent = self.sets.node(Node::Parent(value));
                self.sets.flow(node, parent);
            }
            Then::Joined { to } => {
                if !matches!(self.sets.values[value as usize], Value::Text(_)) {
                    self.sets.put(to, value, Some((node, value)));
                }
            }
            Then::Entry { of } => {
                let step = self.sets.step();
                self.sets.put(step, of, None);
                let (key, from) = (self.field(value, &"0".into()), self.field(value, &"1".into()));
                self.on(step, Then::WriteBy { key, from });
            }
            Then::PairsTo { to } => {
                if self.has_elements(value) {
                    let pairs = self.sets.value(Value::Pairs(value));
                    self.sets.put(to, pairs, Some((node, value)));
                }
            }
            Then::PrototypeTo { to } => {
                let own = self.sets.value(Value::Prototype(value));
                self.sets.put(to, own, None);
            }
        }
    }

    /// Something outside runs a function with what the site gives.
    fn run_value(&mut self, node: NodeNo, value: ValueNo, site: &Rc<Site>) {
        if !matches!(self.sets.values[value as usize], Value::Outside(_)) {
            self.call_with(node, value, &site.given, site, Some(site.result));
        }
    }

    fn has_elements(&self, value: ValueNo) -> bool {
        use Value::*;
        match &self.sets.values[value as usize] {
            Literal(..) | Foreign(..) | Rest(..) | Made(_) | Prototype(_) | Tail(..) | Pair(_) => true,
            Function(function) => self.files[&function.0].table.members_are_elements,
            Instance(class) | Class(class) => self.files[&class.0].table.members_are_elements,
            Module(_) => true,
            _ => false,
        }
    }

    fn read_element(&mut self, of: ValueNo, key: &Rc<str>, to: NodeNo) {
        let mut inner = of;
        while let Value::Tail(own, _) = self.sets.values[inner as usize] {
            inner = own;
        }
        if let Value::Pair(_) = self.sets.values[of as usize] {
            return self.item(of, if **key == *"1" { 1 } else { 0 }, false, to);
        }
        let file = match self.sets.values[inner as usize] {
            Value::Literal(file, _) | Value::Foreign(file, _) => Some(file),
            Value::Rest(function, _) => Some(function.0),
            _ => None,
        };
        if file.is_some_and(|file| !self.file(file).table.members_are_elements) {
            let (field, any) = (self.field(of, key), self.sets.node(Node::Any(of)));
            self.sets.flow(field, to);
            return self.sets.flow(any, to);
        }
        let site = Rc::new(Site::bare(codegraph_model::FileId(0), 0, codegraph_model::Span::default(), to));
        self.read_member(of, key, to, &site);
    }

    fn write_member(&mut self, of: ValueNo, name: &Rc<str>, from: NodeNo) {
        let owner = match self.sets.values[of as usize] {
            Value::Bound(function, _) => self.sets.value(Value::Function(function)),
            Value::Super(_, receiver) => receiver,
            Value::Outside(_) | Value::Text(_) | Value::Module(_) => return,
            _ => of,
        };
        let field = self.field(owner, name);
        self.sets.flow(from, field);
    }

    fn each(&mut self, node: NodeNo, value: ValueNo, to: NodeNo, site: &Rc<Site>) {
        if !self.iterated.insert((value, to)) {
            return;
        }
        match self.sets.values[value as usize].clone() {
            Value::Generator(function) => {
                let yielded = self.sets.node(Node::Yielded(function));
                self.sets.flow(yielded, to);
            }
            Value::Pairs(of) => {
                let pair = self.sets.value(Value::Pair(of));
                self.sets.put(to, pair, None);
            }
            Value::Instance(class) => {
                let (start, next) = self.file(class.0).table.iterator;
                if let Some((_, function)) = self.method(class, start) {
                    let step = self.sets.step();
                    self.enter(function, Some(value), &[], site, Some(step), (node, value));
                    self.on(step, Then::Each { to, site: Rc::clone(site) });
                }
                if let Some((_, function)) = self.method(class, next) {
                    let step = self.sets.step();
                    self.enter(function, Some(value), &[], site, Some(step), (node, value));
                    self.read_item(class.0, step, to, site);
                }
            }
            Value::Literal(file, expr) if self.is_iterator(file, expr) => {
                let (step, next) = (self.sets.step(), self.field(value, &self.file(file).table.iterator.1.into()));
                let called = Site { file: site.file, ..Site::bare(site.file, site.function, site.name, step) };
                self.on(next, Then::Call(Rc::new(called)));
                self.read_item(file, step, to, site);
            }
            _ => {
                let all = self.sets.node(Node::All(value));
                self.sets.flow(all, to);
            }
        }
    }

    /// Whether an object that is written as a table is what gives one item after the other.
    fn is_iterator(&self, file: FileId, expr: ExprNo) -> bool {
        let loaded = &self.files[&file];
        let (next, FlowExpr::Table(entries)) = (loaded.table.iterator.1, &loaded.flow.exprs[expr as usize]) else {
            return false;
        };
        let is_next = |key: ExprNo| matches!(&loaded.flow.exprs[key as usize], FlowExpr::Text(text) if **text == *next);
        loaded.table.members_are_elements && !next.is_empty() && entries.iter().any(|e| e.key.is_some_and(is_next))
    }

    /// The item in what giving the next one returns.
    fn read_item(&mut self, file: FileId, step: NodeNo, to: NodeNo, site: &Rc<Site>) {
        match self.file(file).table.iterated {
            "" => self.sets.flow(step, to),
            name => self.on(step, Then::Read { name: name.into(), to, site: Rc::clone(site) }),
        }
    }

    fn item(&mut self, value: ValueNo, number: u32, rest: bool, to: NodeNo) {
        match self.sets.values[value as usize].clone() {
            Value::Literal(..) | Value::Rest(..) | Value::Foreign(..) if !rest => {
                let (field, any) = (self.field(value, &number.to_string().into()), self.sets.node(Node::Any(value)));
                self.sets.flow(field, to);
                self.sets.flow(any, to);
            }
            Value::Literal(..) | Value::Rest(..) | Value::Foreign(..) => {
                let tail = self.sets.value(Value::Tail(value, number));
                self.sets.put(to, tail, None);
                for place in 0..MOST_ITEMS {
                    let from = self.field(value, &(number + place).to_string().into());
                    let field = self.field(tail, &place.to_string().into());
                    self.sets.flow(from, field);
                }
                let any = self.sets.node(Node::Any(value));
                self.put_into(tail, any);
            }
            Value::Pair(of) if number == 1 && !rest => {
                let all = self.sets.node(Node::All(of));
                self.sets.flow(all, to);
            }
            Value::Generator(function) => {
                let yielded = self.sets.node(Node::Yielded(function));
                self.sets.flow(yielded, to);
            }
            _ => {}
        }
    }

    fn open_block(&mut self, node: NodeNo, value: ValueNo, to: NodeNo, site: &Rc<Site>) {
        match self.sets.values[value as usize].clone() {
            Value::Instance(class) => {
                let (start, end) = self.file(class.0).table.entered;
                if let Some((_, function)) = self.method(class, end) {
                    self.enter(function, Some(value), &[], site, None, (node, value));
                }
                match self.method(class, start) {
                    Some((_, function)) => self.enter(function, Some(value), &[], site, Some(to), (node, value)),
                    None => self.sets.put(to, value, Some((node, value))),
                }
            }
            Value::Generator(function) => {
                let yielded = self.sets.node(Node::Yielded(function));
                self.sets.flow(yielded, to);
            }
            _ => self.sets.put(to, value, Some((node, value))),
        }
    }

    fn spread(&mut self, value: ValueNo, to: Function, first: u32) {
        if !matches!(self.sets.values[value as usize], Value::Literal(..) | Value::Rest(..) | Value::Foreign(..)) {
            return;
        }
        let any = self.sets.node(Node::Any(value));
        for number in 0..MOST_ITEMS {
            let field = self.field(value, &number.to_string().into());
            self.give_place(to, first + number, field);
            self.give_place(to, first + number, any);
        }
    }

    fn spread_table(&mut self, value: ValueNo, to: Function) {
        if !self.has_elements(value) {
            return;
        }
        let file = self.file(to.0);
        for param in file.flow.functions[to.1 as usize].params.iter().filter(|param| !param.name.is_empty()) {
            let name = file.text(param.name);
            let field = self.field(value, &name);
            self.give_name(to, &name, field);
        }
        let rest = file.flow.functions[to.1 as usize].params.iter();
        let rest = rest.enumerate().filter(|(_, param)| param.takes == codegraph_extract::flow::Takes::RestTable);
        for (place, _) in rest.collect::<Vec<_>>() {
            let collected = self.sets.value(Value::Rest(to, place as u32));
            self.copy(value, collected);
        }
    }

    /// What is in an argument.
    pub(super) fn argument_node(given: &[Arg], place: usize, name: &str) -> Option<NodeNo> {
        let named = given.iter().find_map(|arg| match arg {
            Arg::Named(own, node) if !name.is_empty() && **own == *name => Some(*node),
            _ => None,
        });
        named.or_else(|| match given.get(place) {
            Some(Arg::Node(node)) => Some(*node),
            _ => None,
        })
    }
}
