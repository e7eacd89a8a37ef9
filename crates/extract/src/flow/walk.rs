//! The walk over the tree of a file: each node gives the expression that it is.

use codegraph_languages::flow::{Flow, Shape};
use codegraph_model::Span;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::*;

/// Code that is nested deeper says nothing.
const DEEPEST: u32 = 400;

pub(super) struct Walk<'s> {
    pub(super) source: &'s [u8],
    pub(super) flow: &'static Flow,
    shapes: FxHashMap<&'static str, Shape>,
    pub(super) facts: FlowFacts,
    /// The function and the block that the walk is in.
    pub(super) function: FunctionNo,
    pub(super) block: BlockNo,
    /// The class whose body the walk is directly in.
    pub(super) class: Option<ClassNo>,
    /// Who has the receiver.
    pub(super) receiver: Receiver,
    /// Where the names of an assignment have their values: after it.
    pub(super) after: Option<u32>,
    depth: u32,
}

/// Who has the receiver that a word means.
#[derive(Clone, Copy)]
pub(super) enum Receiver {
    Function(FunctionNo),
    Class(ClassNo),
}

pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

/// The parts of a node that are no punctuation.
pub(super) fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: &'s [u8], flow: &'static Flow) -> Walk<'s> {
        let shapes = flow.shapes.iter().flat_map(|list| list.iter().copied()).collect();
        let facts = FlowFacts {
            exprs: vec![FlowExpr::Unknown],
            functions: vec![FlowFunction { own_receiver: true, ..FlowFunction::default() }],
            blocks: vec![Block::default()],
            ..FlowFacts::default()
        };
        let receiver = Receiver::Function(0);
        Walk { source, flow, shapes, facts, function: 0, block: 0, class: None, receiver, after: None, depth: 0 }
    }

    pub(super) fn run(mut self, root: Node<'_>) -> FlowFacts {
        self.facts.functions[0].span = span(root);
        self.inside(root);
        self.facts
    }

    pub(super) fn shape(&self, node: Node<'_>) -> Option<Shape> {
        self.shapes.get(node.kind()).copied()
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'s str {
        std::str::from_utf8(&self.source[node.byte_range()]).unwrap_or("")
    }

    pub(super) fn place(&self, node: Node<'_>) -> FlowPlace {
        FlowPlace { function: self.function, block: self.block, at: node.start_byte() as u32 }
    }

    pub(super) fn add(&mut self, expr: FlowExpr) -> ExprNo {
        self.facts.exprs.push(expr);
        self.facts.exprs.len() as ExprNo - 1
    }

    /// All parts of a node; the last one's value.
    pub(super) fn inside(&mut self, node: Node<'_>) -> ExprNo {
        let mut last = 0;
        for part in parts(node) {
            last = self.value(part);
        }
        last
    }

    pub(super) fn field(&mut self, node: Node<'_>, name: &str) -> ExprNo {
        node.child_by_field_name(name).map_or(0, |part| self.value(part))
    }

    /// The parts of a node, each in a block of its own.
    fn branches(&mut self, node: Node<'_>, repeats: bool) {
        for part in parts(node) {
            self.in_block(repeats, |walk| walk.value(part));
        }
    }

    pub(super) fn in_block<T>(&mut self, repeats: bool, work: impl FnOnce(&mut Walk<'s>) -> T) -> T {
        self.facts.blocks.push(Block { parent: self.block, repeats });
        let around = std::mem::replace(&mut self.block, self.facts.blocks.len() as BlockNo - 1);
        let done = work(self);
        self.block = around;
        done
    }

    /// The value of a node.
    pub(super) fn value(&mut self, node: Node<'_>) -> ExprNo {
        if self.depth > DEEPEST {
            return 0;
        }
        self.depth += 1;
        let value = self.value_of(node);
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, node: Node<'_>) -> ExprNo {
        let Some(shape) = self.shape(node) else {
            self.inside(node);
            return 0;
        };
        match shape {
            Shape::Name | Shape::Short => self.add(FlowExpr::Name(span(node), self.place(node))),
            Shape::Text => {
                let text = key_text(self.text(node));
                self.inside(node);
                self.add(FlowExpr::Text(text))
            }
            Shape::Member { object, name } => {
                let of = self.field(node, object);
                let name = node.child_by_field_name(name).map_or(Span::default(), span);
                self.add(FlowExpr::Member(of, name))
            }
            Shape::Index { object, key } => {
                let of = self.field(node, object);
                let part = node.child_by_field_name(key).and_then(|key| self.shape(key));
                let key = self.field(node, key);
                if part == Some(Shape::Slice) {
                    return of;
                }
                self.add(FlowExpr::Index(of, key))
            }
            Shape::Call { callee, arguments } => self.call(node, callee, arguments, false),
            Shape::Make { callee, arguments } => self.call(node, callee, arguments, true),
            Shape::Function | Shape::Arrow => self.function(node, shape == Shape::Arrow, &[]),
            Shape::Class => self.class(node),
            Shape::Decorated => self.decorated(node),
            Shape::Assign { left, right } => self.assign(node, left, right),
            Shape::Each { left, right } => self.each(node, left, right),
            Shape::Field { name, value } => self.class_field(node, name, value),
            Shape::Sequence => self.sequence(node),
            Shape::Table => self.table(node),
            Shape::Binary => self.binary(node),
            Shape::Slice => self.inside(node),
            Shape::Either => {
                let all = parts(node).into_iter().map(|part| self.value(part)).collect();
                self.add(FlowExpr::Either(all))
            }
            Shape::Choice { first, second } => self.choice(node, first, second),
            Shape::Pass => self.inside(node),
            Shape::Typed { .. } => self.first(node),
            Shape::Spread | Shape::SpreadTable => self.inside(node),
            Shape::Return => {
                let value = self.inside(node);
                self.facts.functions[self.function as usize].returns.push(value);
                0
            }
            Shape::Yield => self.yielded(node),
            Shape::Comprehension { body } => self.comprehension(node, body),
            Shape::As { alias } => self.named_value(node, alias),
            Shape::This => match self.receiver {
                Receiver::Function(function) => self.add(FlowExpr::This(function)),
                Receiver::Class(class) => self.add(FlowExpr::Within(class)),
            },
            Shape::Super => match self.receiver {
                Receiver::Function(function) => self.add(FlowExpr::Super(function)),
                Receiver::Class(_) => 0,
            },
            Shape::Branch | Shape::Loop => {
                self.branches(node, shape == Shape::Loop);
                0
            }
            Shape::Skip => 0,
            Shape::Pair { .. } | Shape::Default { .. } | Shape::Keyword { .. } => self.inside(node),
            Shape::Decorator | Shape::Bases => self.inside(node),
        }
    }

    /// The first part's value; the others say what type it has.
    fn first(&mut self, node: Node<'_>) -> ExprNo {
        parts(node).first().map_or(0, |part| self.value(*part))
    }

    /// Operators that choose give one of their operands; others make something of both that is no key any more.
    fn binary(&mut self, node: Node<'_>) -> ExprNo {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.text(operator));
        let chooses = self.flow.choosing.contains(&operator);
        let mut all = Vec::new();
        for part in parts(node) {
            // Only the first operand of what chooses is looked at always.
            all.push(match chooses && !all.is_empty() {
                true => self.in_block(false, |walk| walk.value(part)),
                false => self.value(part),
            });
        }
        match chooses {
            true => self.add(FlowExpr::Either(all)),
            false => self.add(FlowExpr::Joined(all)),
        }
    }

    fn choice(&mut self, node: Node<'_>, first: &str, second: &str) -> ExprNo {
        let wanted = [first, second].map(|field| node.child_by_field_name(field).map(|part| part.id()));
        let mut found = Vec::new();
        for part in parts(node) {
            match wanted.contains(&Some(part.id())) {
                true => found.push(self.in_block(false, |walk| walk.value(part))),
                false => _ = self.value(part),
            }
        }
        self.add(FlowExpr::Either(found))
    }

    fn call(&mut self, node: Node<'_>, callee: &str, arguments: &str, makes: bool) -> ExprNo {
        let Some(called) = node.child_by_field_name(callee) else { return 0 };
        let callee = self.value(called);
        let list = node.child_by_field_name(arguments);
        let given = list.map_or_else(Vec::new, |list| self.arguments(list));
        let name = self.called_name(called);
        self.add_call(FlowCall { callee, given, place: self.place(node), name, makes, decorates: false })
    }

    pub(super) fn add_call(&mut self, call: FlowCall) -> ExprNo {
        self.facts.calls.push(call);
        self.add(FlowExpr::Call(self.facts.calls.len() as u32 - 1))
    }

    /// The last name of what is called.
    pub(super) fn called_name(&self, called: Node<'_>) -> Span {
        match self.shape(called) {
            Some(Shape::Member { name, .. }) => called.child_by_field_name(name).map_or(span(called), span),
            _ => span(called),
        }
    }

    fn arguments(&mut self, list: Node<'_>) -> Vec<Given> {
        if matches!(self.shape(list), Some(Shape::Comprehension { .. })) {
            return vec![Given::Place(self.value(list))];
        }
        let mut given = Vec::new();
        for part in parts(list) {
            given.push(match self.shape(part) {
                Some(Shape::Spread) => Given::Spread(self.value(part)),
                Some(Shape::SpreadTable) => Given::SpreadTable(self.value(part)),
                Some(Shape::Keyword { name, value }) => {
                    let name = part.child_by_field_name(name).map_or("", |name| self.text(name));
                    Given::Name(name.into(), self.field(part, value))
                }
                Some(Shape::Skip) => continue,
                _ => Given::Place(self.value(part)),
            });
        }
        given
    }

    fn sequence(&mut self, node: Node<'_>) -> ExprNo {
        let mut list = Vec::new();
        for part in parts(node) {
            let spread = self.shape(part) == Some(Shape::Spread);
            list.push(Part { value: self.value(part), spread });
        }
        self.add(FlowExpr::Sequence(list))
    }

    fn table(&mut self, node: Node<'_>) -> ExprNo {
        let mut entries = Vec::new();
        for part in parts(node) {
            match self.shape(part) {
                Some(Shape::Pair { key, value }) => {
                    let name = part.child_by_field_name(key);
                    let key = self.field(part, key);
                    let value = self.field(part, value);
                    entries.push(Entry { key: Some(key), value, at: name.map_or(Span::default(), span) });
                    name.into_iter().for_each(|name| self.name_entry(name, value));
                }
                Some(Shape::Short) => {
                    let key = self.add(FlowExpr::Text(self.text(part).into()));
                    let value = self.value(part);
                    entries.push(Entry { key: Some(key), value, at: span(part) });
                    self.name_entry(part, value);
                }
                Some(Shape::Spread | Shape::SpreadTable) => {
                    entries.push(Entry { key: None, value: self.value(part), at: Span::default() });
                }
                Some(Shape::Function) => {
                    let name = part.child_by_field_name("name");
                    let key = match name.filter(|name| self.shape(*name) == Some(Shape::Pass)) {
                        Some(name) => self.value(name),
                        None => self.add(FlowExpr::Text(key_text(name.map_or("", |name| self.text(name))))),
                    };
                    let outside = self.class.take();
                    entries.push(Entry {
                        key: Some(key),
                        value: self.value(part),
                        at: name.map_or(Span::default(), span),
                    });
                    self.class = outside;
                }
                _ => drop(self.value(part)),
            }
        }
        self.add(FlowExpr::Table(entries))
    }

    /// A key may be a name of its own for those who use the table.
    fn name_entry(&mut self, key: Node<'_>, value: ExprNo) {
        let place = self.place(key);
        self.facts.moves.push(Move { goal: Goal::Name(span(key)), value, place });
    }

    fn yielded(&mut self, node: Node<'_>) -> ExprNo {
        let mut cursor = node.walk();
        let all = node.children(&mut cursor).any(|token| matches!(token.kind(), "from" | "*"));
        let value = self.inside(node);
        self.facts.functions[self.function as usize].yields.push((value, all));
        0
    }

    /// Clauses come after the body, and have to be walked before it.
    fn comprehension(&mut self, node: Node<'_>, body: &str) -> ExprNo {
        let body = node.child_by_field_name(body);
        for part in parts(node).into_iter().filter(|part| Some(part.id()) != body.map(|body| body.id())) {
            self.value(part);
        }
        let Some(body) = body else { return 0 };
        if let Some(Shape::Pair { key, value }) = self.shape(body) {
            let key = self.field(body, key);
            let value = self.field(body, value);
            return self.add(FlowExpr::Table(vec![Entry { key: Some(key), value, at: Span::default() }]));
        }
        let value = self.value(body);
        let each = self.add(FlowExpr::Either(vec![value]));
        let parts = vec![Part { value: each, spread: false }, Part { value: each, spread: false }];
        self.add(FlowExpr::Sequence(parts))
    }
}

/// A key without quotes.
pub(super) fn key_text(text: &str) -> Box<str> {
    text.trim_matches(|c| matches!(c, '"' | '\'' | '`')).into()
}
