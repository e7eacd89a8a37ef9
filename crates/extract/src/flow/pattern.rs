//! Assignments: which part of a value each name of a pattern gets.

use codegraph_languages::flow::Shape;
use tree_sitter::Node;

use super::walk::{Walk, key_text, parts, span};
use super::*;

impl Walk<'_> {
    pub(super) fn assign(&mut self, node: Node<'_>, left: &str, right: &str) -> ExprNo {
        let value = self.field(node, right);
        let Some(left) = node.child_by_field_name(left) else { return value };
        if let Some(class) = self.class.filter(|_| node.child_by_field_name("type").is_some()) {
            self.facts.classes[class as usize].fields.push(span(left));
        }
        if node.child_by_field_name(right).is_some() {
            let around = self.after.replace(node.end_byte() as u32);
            self.give(left, value);
            self.after = around;
        }
        value
    }

    pub(super) fn each(&mut self, node: Node<'_>, left: &str, right: &str) -> ExprNo {
        let all = self.field(node, right);
        let item = self.add(FlowExpr::Each(all, self.place(node)));
        let (left, right) = (node.child_by_field_name(left), node.child_by_field_name(right));
        let known = [left.map(|part| part.id()), right.map(|part| part.id())];
        // What a loop in an expression binds is there for the rest of the expression.
        if parts(node).iter().all(|part| known.contains(&Some(part.id()))) {
            left.into_iter().for_each(|left| self.give(left, item));
            return 0;
        }
        self.in_block(true, |walk| {
            left.into_iter().for_each(|left| walk.give(left, item));
            for part in parts(node).into_iter().filter(|part| !known.contains(&Some(part.id()))) {
                walk.value(part);
            }
        });
        0
    }

    pub(super) fn named_value(&mut self, node: Node<'_>, alias: &str) -> ExprNo {
        let name = node.child_by_field_name(alias);
        let Some(first) = parts(node).into_iter().find(|part| Some(part.id()) != name.map(|n| n.id())) else {
            return 0;
        };
        let value = self.value(first);
        let entered = self.add(FlowExpr::Entered(value, self.place(node)));
        if let Some(name) = name {
            self.give(name, entered);
        }
        value
    }

    /// Gives a value to a name or to the names in a pattern.
    pub(super) fn give(&mut self, to: Node<'_>, value: ExprNo) {
        let place = self.place(to);
        let place = FlowPlace { at: self.after.unwrap_or(place.at), ..place };
        let goal = match self.shape(to) {
            Some(Shape::Name | Shape::Short) => match self.class {
                Some(class) => Goal::Field(class, span(to), true),
                None => Goal::Name(span(to)),
            },
            Some(Shape::Member { object, name }) => {
                let of = self.field(to, object);
                let Some(name) = to.child_by_field_name(name) else { return };
                Goal::Member(of, span(name))
            }
            Some(Shape::Index { object, key }) => {
                let of = self.field(to, object);
                let key = self.field(to, key);
                Goal::Index(of, key)
            }
            Some(Shape::Sequence) => return self.give_items(to, value),
            Some(Shape::Table) => return self.give_members(to, value),
            Some(Shape::Default { left, right }) => {
                let default = self.field(to, right);
                let either = self.add(FlowExpr::Either(vec![value, default]));
                to.child_by_field_name(left).into_iter().for_each(|left| self.give(left, either));
                return;
            }
            Some(Shape::Typed { .. } | Shape::Pass) => {
                parts(to).first().into_iter().for_each(|part| self.give(*part, value));
                return;
            }
            // `let x` where a loop declares its name.
            Some(Shape::Assign { left, .. }) => {
                to.child_by_field_name(left).into_iter().for_each(|left| self.give(left, value));
                return;
            }
            _ => return,
        };
        self.facts.moves.push(Move { goal, value, place });
    }

    fn give_items(&mut self, pattern: Node<'_>, value: ExprNo) {
        for (i, part) in parts(pattern).into_iter().enumerate() {
            let rest = self.shape(part) == Some(Shape::Spread);
            let item = self.add(FlowExpr::Item(value, i as u32, rest));
            match rest {
                true => parts(part).first().into_iter().for_each(|name| self.give(*name, item)),
                false => self.give(part, item),
            }
        }
    }

    fn give_members(&mut self, pattern: Node<'_>, value: ExprNo) {
        for part in parts(pattern) {
            let (key, to) = match self.shape(part) {
                Some(Shape::Pair { key, value }) => (part.child_by_field_name(key), part.child_by_field_name(value)),
                Some(Shape::Default { left, .. }) => (part.child_by_field_name(left), Some(part)),
                Some(Shape::Spread) => {
                    parts(part).first().into_iter().for_each(|name| self.give(*name, value));
                    continue;
                }
                _ => (Some(part), Some(part)),
            };
            let (Some(key), Some(to)) = (key, to) else { continue };
            let key = self.add(FlowExpr::Text(key_text(self.text(key))));
            let member = self.add(FlowExpr::Index(value, key));
            self.give(to, member);
        }
    }
}
