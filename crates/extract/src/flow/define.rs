//! Functions and classes: their parameters, bodies, bases and decorators.

use codegraph_languages::flow::Shape;
use codegraph_model::Span;
use tree_sitter::Node;

use super::walk::{Receiver, Walk, parts, span};
use super::*;

impl Walk<'_> {
    /// A function; it is the value of its name where it has one that is known around it.
    pub(super) fn function(&mut self, node: Node<'_>, lexical: bool, decorators: &[ExprNo]) -> ExprNo {
        let number = self.facts.functions.len() as FunctionNo;
        let name = node.child_by_field_name("name");
        let words = self.words(node);
        self.facts.functions.push(FlowFunction {
            name: name.map_or(Span::default(), span),
            span: span(node),
            parent: self.function,
            class: self.class,
            own_receiver: !lexical,
            words,
            decorated: !decorators.is_empty(),
            ..FlowFunction::default()
        });
        let around = (self.function, self.class.take(), self.receiver, self.block);
        let after = self.after.take();
        let list = node.child_by_field_name("parameters").or_else(|| node.child_by_field_name("parameter"));
        let defaults = list.map(|list| self.defaults(list)).unwrap_or_default();
        self.function = number;
        if !lexical {
            self.receiver = Receiver::Function(number);
        }
        self.in_block(false, |walk| {
            walk.facts.functions[number as usize].block = walk.block;
            list.into_iter().for_each(|list| walk.parameters(list, number, &defaults));
            walk.body(node, number);
        });
        (self.function, self.class, self.receiver, self.block) = around;
        self.after = after;
        let value = self.add(FlowExpr::Function(number));
        let value = decorators.iter().fold(value, |value, decorator| self.decorate(node, *decorator, value));
        if let Some(name) = name {
            self.declare(node, name, value);
        }
        value
    }

    /// Words and last names of decorators before a function.
    fn words(&self, node: Node<'_>) -> Vec<Box<str>> {
        let mut cursor = node.walk();
        let before = node.children(&mut cursor).take_while(|part| !part.is_named() || self.shape(*part).is_none());
        before.map(|part| self.text(part)).filter(|word| word.len() < 12).map(Box::from).collect()
    }

    fn body(&mut self, node: Node<'_>, number: FunctionNo) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let value = self.value(body);
        // A body that is an expression is what is returned.
        if self.shape(body).is_some() {
            self.facts.functions[number as usize].returns.push(value);
        }
    }

    /// The name of a definition gets its value: in the body of a class as a member, else as a name.
    fn declare(&mut self, node: Node<'_>, name: Node<'_>, value: ExprNo) {
        let place = self.place(node);
        let at = if self.flow.hoisted { 0 } else { node.start_byte() as u32 };
        let goal = match self.class {
            Some(class) => Goal::Field(class, span(name), false),
            None => Goal::Name(span(name)),
        };
        self.facts.moves.push(Move { goal, value, place: FlowPlace { at, ..place } });
    }

    /// Values of defaults belong to the code around the function.
    fn defaults(&mut self, list: Node<'_>) -> Vec<ExprNo> {
        let default = |walk: &mut Self, part: Node<'_>| match walk.shape(part) {
            Some(Shape::Default { right, .. }) => walk.field(part, right),
            _ => 0,
        };
        parts(list).into_iter().map(|part| default(self, part)).collect()
    }

    fn parameters(&mut self, list: Node<'_>, number: FunctionNo, defaults: &[ExprNo]) {
        if matches!(self.shape(list), Some(Shape::Name)) {
            return self.parameter(list, number, Takes::One, None);
        }
        let mut takes = Takes::One;
        for (i, part) in parts(list).into_iter().enumerate() {
            let default = defaults.get(i).copied().filter(|value| *value != 0);
            let (pattern, kind) = match self.shape(part) {
                Some(Shape::Default { left, .. }) => (part.child_by_field_name(left), takes),
                Some(Shape::Typed { name }) => {
                    (part.child_by_field_name(name).or_else(|| parts(part).first().copied()), takes)
                }
                Some(Shape::Skip) => continue,
                // `*` alone, or `/`.
                None => {
                    if self.text(part) == "*" {
                        takes = Takes::Named;
                    }
                    continue;
                }
                _ => (Some(part), takes),
            };
            let Some(pattern) = pattern else { continue };
            let (pattern, kind) = match self.shape(pattern) {
                Some(Shape::Spread) => {
                    takes = Takes::Named;
                    (parts(pattern).first().copied(), Takes::Rest)
                }
                Some(Shape::SpreadTable) => (parts(pattern).first().copied(), Takes::RestTable),
                _ => (Some(pattern), kind),
            };
            pattern.into_iter().for_each(|pattern| self.parameter(pattern, number, kind, default));
        }
    }

    fn parameter(&mut self, pattern: Node<'_>, number: FunctionNo, takes: Takes, default: Option<ExprNo>) {
        let place = self.facts.functions[number as usize].params.len() as u32;
        let is_name = matches!(self.shape(pattern), Some(Shape::Name));
        let name = if is_name { span(pattern) } else { Span::default() };
        self.facts.functions[number as usize].params.push(FlowParam { name, takes, default });
        let value = self.add(FlowExpr::Parameter(number, place));
        self.give(pattern, value);
    }

    /// What a decorator makes of a definition.
    fn decorate(&mut self, node: Node<'_>, decorator: ExprNo, value: ExprNo) -> ExprNo {
        let name = match self.facts.exprs[decorator as usize] {
            FlowExpr::Name(name, _) | FlowExpr::Member(_, name) => name,
            FlowExpr::Call(call) => self.facts.calls[call as usize].name,
            _ => span(node),
        };
        let place = FlowPlace { at: name.start, ..self.place(node) };
        let given = vec![Given::Place(value)];
        self.add_call(FlowCall { callee: decorator, given, place, name, makes: false, decorates: true })
    }

    pub(super) fn decorated(&mut self, node: Node<'_>) -> ExprNo {
        let Some(definition) = node.child_by_field_name("definition") else { return self.inside(node) };
        let mut decorators = Vec::new();
        let mut words: Vec<Box<str>> = Vec::new();
        for part in parts(node) {
            if self.shape(part) != Some(Shape::Decorator) {
                continue;
            }
            let text = self.text(part).trim_start_matches('@');
            let name = text.split('(').next().unwrap_or(text).trim();
            words.push(name.rsplit('.').next().unwrap_or(name).into());
            let class = self.class.take();
            decorators.push(self.inside(part));
            self.class = class;
        }
        // The one that is nearest comes first.
        decorators.reverse();
        if self.shape(definition) != Some(Shape::Function) {
            let number = self.facts.classes.len();
            let value = self.value(definition);
            self.facts.classes.get_mut(number).into_iter().for_each(|class| class.words = words.clone());
            return value;
        }
        let number = self.facts.functions.len();
        let known = |word: &str| self.flow.reached.iter().any(|(name, _)| *name == word);
        let plain = words.iter().all(|word| known(word));
        let value = self.function(definition, false, if plain { &[] } else { &decorators });
        self.facts.functions[number].words.extend(words);
        value
    }

    pub(super) fn class(&mut self, node: Node<'_>) -> ExprNo {
        let number = self.facts.classes.len() as ClassNo;
        let name = node.child_by_field_name("name");
        self.facts.classes.push(FlowClass {
            name: name.map_or(Span::default(), span),
            span: span(node),
            ..FlowClass::default()
        });
        let (class, receiver) = (self.class.take(), self.receiver);
        let bases = self.bases(node);
        self.facts.classes[number as usize].bases = bases;
        self.class = Some(number);
        self.receiver = Receiver::Class(number);
        if let Some(body) = node.child_by_field_name("body") {
            self.inside(body);
        }
        (self.class, self.receiver) = (class, receiver);
        let value = self.add(FlowExpr::Class(number));
        if let Some(name) = name {
            self.declare(node, name, value);
        }
        value
    }

    fn bases(&mut self, node: Node<'_>) -> Vec<ExprNo> {
        let list = node.child_by_field_name("superclasses");
        let list = list.or_else(|| parts(node).into_iter().find(|part| self.shape(*part) == Some(Shape::Bases)));
        let Some(list) = list else { return Vec::new() };
        let mut found = Vec::new();
        for part in parts(list) {
            if matches!(self.shape(part), Some(Shape::Keyword { .. })) {
                continue;
            }
            // `extends Base` is a clause of its own in some grammars.
            let inner = part.child_by_field_name("value").unwrap_or(part);
            found.push(self.value(inner));
        }
        found
    }

    pub(super) fn class_field(&mut self, node: Node<'_>, name: &str, value: &str) -> ExprNo {
        let Some(class) = self.class.take() else { return self.inside(node) };
        let given = self.field(node, value);
        self.class = Some(class);
        if let Some(name) = node.child_by_field_name(name) {
            let is_static = self.words(node).iter().any(|word| **word == *self.flow.static_word);
            let goal = Goal::Field(class, span(name), is_static);
            self.facts.moves.push(Move { goal, value: given, place: self.place(node) });
        }
        0
    }
}
