//! What the expressions and moves of a file say about the places that values go to.

use std::rc::Rc;

use codegraph_extract::flow::{Entry, ExprNo, FlowCall, FlowExpr, Given, Goal, Move, Part, Takes};

use super::calls::{Arg, Site};
use super::load::{Loaded, Means};
use super::solve::{Later, Solver};
use super::sure;
use super::values::*;

impl Solver<'_, '_> {
    /// Notes what a file declares, before anything is followed.
    pub(super) fn index(&mut self, file: &Loaded) {
        self.note_written(file);
        for (number, one) in file.flow.moves.iter().enumerate() {
            if let Goal::Field(class, name, is_static) = one.goal {
                let key = ((file.id, class), file.text(name));
                self.members.entry(key).or_default().push((one.value, is_static));
            }
            let (Goal::Name(name) | Goal::Field(_, name, _)) = one.goal else { continue };
            if let Some(var) = file.assigned_var(name).filter(|var| var.file == file.id) {
                self.moves.entry(var).or_default().push(number as u32);
                if let FlowExpr::Class(class) = file.flow.exprs[one.value as usize] {
                    self.class_vars.entry(var).or_insert((file.id, class));
                }
            }
        }
    }

    pub(super) fn build(&mut self, file: &Rc<Loaded>) {
        for number in 0..file.flow.exprs.len() as ExprNo {
            self.build_expr(file, number);
        }
        for one in &file.flow.moves {
            self.build_move(file, one);
        }
        for number in 0..file.flow.functions.len() as u32 {
            self.build_function(file, number);
        }
    }

    fn build_function(&mut self, file: &Rc<Loaded>, number: u32) {
        let own = (file.id, number);
        let function = &file.flow.functions[number as usize];
        let returned = self.sets.node(Node::Returned(own));
        for value in &function.returns {
            if self.passed_through(file, number, *value).is_none() {
                let value = self.expr(file.id, *value);
                self.sets.flow(value, returned);
            }
        }
        let yielded = self.sets.node(Node::Yielded(own));
        for (value, all) in &function.yields {
            let value = self.expr(file.id, *value);
            match all {
                true => {
                    let site = self.bare_site(file.id, Default::default(), function.name);
                    self.on(value, Then::Each { to: yielded, site });
                }
                false => self.sets.flow(value, yielded),
            }
        }
        for (i, param) in function.params.iter().enumerate() {
            let node = self.sets.node(Node::Parameter(own, i as u32));
            if matches!(param.takes, Takes::Rest | Takes::RestTable) {
                self.put(node, Value::Rest(own, i as u32));
            }
            if let Some(default) = param.default {
                let value = self.expr(file.id, default);
                self.later.push(Later::Default { function: own, parameter: node, value });
            }
        }
        self.own_receiver(file, number);
    }

    /// Which parameter a function returns as it is.
    pub(super) fn passed_through(&self, file: &Loaded, function: u32, value: ExprNo) -> Option<u32> {
        let FlowExpr::Name(name, _) = file.flow.exprs[value as usize] else { return None };
        let Some(Means::Var(var)) = file.means(name) else { return None };
        let [only] = self.moves.get(var).filter(|_| var.file == file.id)?.as_slice() else { return None };
        match file.flow.exprs[file.flow.moves[*only as usize].value as usize] {
            FlowExpr::Parameter(own, place) if own == function => Some(place),
            _ => None,
        }
    }

    fn build_expr(&mut self, file: &Rc<Loaded>, number: ExprNo) {
        let id = file.id;
        let to = self.expr(id, number);
        match &file.flow.exprs[number as usize] {
            FlowExpr::Unknown => {}
            FlowExpr::Name(name, place) => self.read_name(file, *name, *place, to),
            FlowExpr::Member(..) | FlowExpr::Index(..) if self.may_be_sure(file, number) => {
                self.reads.push(sure::Read { file: id, expr: number, to });
            }
            FlowExpr::Member(..) | FlowExpr::Index(..) => self.build_read(file, number, to),
            FlowExpr::Call(call) => self.build_call(file, *call, to),
            FlowExpr::Function(function) => self.put(to, Value::Function((id, *function))),
            FlowExpr::Class(class) => self.put(to, Value::Class((id, *class))),
            FlowExpr::Sequence(parts) => self.build_sequence(file, number, parts, to),
            FlowExpr::Table(entries) => self.build_table(file, number, entries, to),
            FlowExpr::Text(text) => self.put(to, Value::Text((&**text).into())),
            FlowExpr::Either(all) => {
                for one in all {
                    let one = self.expr(id, *one);
                    self.sets.flow(one, to);
                }
            }
            FlowExpr::Joined(all) => {
                for one in all {
                    let one = self.expr(id, *one);
                    self.on(one, Then::Joined { to });
                }
            }
            FlowExpr::Each(of, place) => {
                let of = self.expr(id, *of);
                let site = self.bare_site(id, *place, codegraph_model::Span::new(place.at, place.at + 1));
                self.on(of, Then::Each { to, site });
            }
            FlowExpr::Item(of, number, rest) => {
                let of = self.expr(id, *of);
                self.on(of, Then::Item { number: *number, rest: *rest, to });
            }
            FlowExpr::Entered(of, place) => {
                let of = self.expr(id, *of);
                let site = self.bare_site(id, *place, codegraph_model::Span::new(place.at, place.at + 1));
                self.on(of, Then::Enter { to, site });
            }
            FlowExpr::Parameter(function, place) => {
                let from = self.sets.node(Node::Parameter((id, *function), *place));
                self.sets.flow(from, to);
            }
            FlowExpr::This(function) => {
                let from = self.sets.node(Node::Receiver((id, *function)));
                self.sets.flow(from, to);
            }
            FlowExpr::Within(class) => self.put(to, Value::Instance((id, *class))),
            FlowExpr::Super(function) => self.build_super(file, *function, to),
        }
    }

    /// A member or an element is read.
    pub(super) fn build_read(&mut self, file: &Rc<Loaded>, number: ExprNo, to: NodeNo) {
        match file.flow.exprs[number as usize] {
            FlowExpr::Member(of, name) => self.build_member(file, of, name, to),
            FlowExpr::Index(of, key) => {
                let (of, key) = (self.expr(file.id, of), self.expr(file.id, key));
                self.on(of, Then::ReadBy { key, to });
            }
            _ => {}
        }
    }

    /// The receiver of a method as its base.
    pub(super) fn build_super(&mut self, file: &Loaded, function: u32, to: NodeNo) {
        let Some(class) = file.flow.functions[function as usize].class else { return };
        let own = (file.id, function);
        let receiver = match file.table.receiver_is_parameter {
            true => Node::Parameter(own, 0),
            false => Node::Receiver(own),
        };
        let receiver = self.sets.node(receiver);
        self.on(receiver, Then::Super { class: (file.id, class), to });
    }

    fn build_member(&mut self, file: &Rc<Loaded>, of: ExprNo, name: codegraph_model::Span, to: NodeNo) {
        let object = self.expr(file.id, of);
        match file.means(name) {
            Some(Means::Var(var)) => return self.read_outside(*var, to),
            Some(Means::Module(module)) => return self.put(to, Value::Module(*module)),
            Some(Means::Outside(path)) => self.put(to, Value::Outside(Rc::clone(path))),
            Some(Means::Member(var, row)) => {
                let is_method = self.is_method(*row);
                self.later.push(Later::Linked { object, to, var: *var, is_method });
            }
            None => {}
        }
        let place = self.place_of(file, of, name);
        let site = self.bare_site(file.id, place, name);
        self.on(object, Then::Read { name: file.text(name), to, site });
    }

    fn place_of(&self, file: &Loaded, of: ExprNo, name: codegraph_model::Span) -> codegraph_extract::flow::FlowPlace {
        match file.flow.exprs[of as usize] {
            FlowExpr::Name(_, place) => place,
            // Where a chain starts is where its end is.
            FlowExpr::Member(of, _) | FlowExpr::Index(of, _) => self.place_of(file, of, name),
            FlowExpr::Call(call) => file.flow.calls[call as usize].place,
            FlowExpr::This(function) | FlowExpr::Super(function) => codegraph_extract::flow::FlowPlace {
                function: file.innermost(function, name.start),
                block: 0,
                at: name.start,
            },
            _ => codegraph_extract::flow::FlowPlace::default(),
        }
    }

    fn build_call(&mut self, file: &Rc<Loaded>, number: u32, to: NodeNo) {
        let call: &FlowCall = &file.flow.calls[number as usize];
        let callee = self.expr(file.id, call.callee);
        let given = call.given.iter().map(|given| self.argument(file, given)).collect();
        let site = Rc::new(Site {
            file: file.id,
            function: call.place.function,
            name: call.name,
            call: number,
            given,
            result: to,
            makes: call.makes,
            callee,
        });
        if let FlowExpr::Member(object, name) = file.flow.exprs[call.callee as usize] {
            let object = self.expr(file.id, object);
            self.note_method(file, &site, object, &file.text(name));
        }
        if call.decorates
            && let Some(Arg::Node(given)) = site.given.first()
        {
            self.later.push(Later::Decorated { callee, result: to, given: *given });
        }
        self.on(callee, Then::Call(site));
    }

    pub(super) fn argument(&mut self, file: &Loaded, given: &Given) -> Arg {
        match given {
            Given::Place(value) => Arg::Node(self.expr(file.id, *value)),
            Given::Name(name, value) => Arg::Named((&**name).into(), self.expr(file.id, *value)),
            Given::Spread(value) => Arg::Spread(self.expr(file.id, *value)),
            Given::SpreadTable(value) => Arg::SpreadTable(self.expr(file.id, *value)),
        }
    }

    fn build_sequence(&mut self, file: &Loaded, number: ExprNo, parts: &[Part], to: NodeNo) {
        let own = self.sets.value(Value::Literal(file.id, number));
        self.sets.put(to, own, None);
        let mut sure = true;
        for (i, part) in parts.iter().enumerate() {
            let value = self.expr(file.id, part.value);
            if part.spread {
                let (site, any) = (self.bare_site(file.id, Default::default(), Default::default()), Node::Any(own));
                let any = self.sets.node(any);
                let all = self.sets.node(Node::All(own));
                self.sets.flow(any, all);
                self.on(value, Then::Each { to: any, site });
                sure = false;
                continue;
            }
            // Behind what is spread nobody knows the places.
            match sure {
                true => {
                    let field = self.field(own, &i.to_string().into());
                    self.sets.flow(value, field);
                }
                false => self.put_into(own, value),
            }
        }
    }

    fn build_table(&mut self, file: &Loaded, number: ExprNo, entries: &[Entry], to: NodeNo) {
        let own = self.sets.value(Value::Literal(file.id, number));
        self.sets.put(to, own, None);
        let text = |entry: &Entry| match &file.flow.exprs[entry.key? as usize] {
            FlowExpr::Text(text) => Some(text),
            _ => None,
        };
        for (place, entry) in entries.iter().enumerate() {
            // Of several under one key the last one counts, where a number and its text are one key.
            let key = text(entry);
            if file.table.members_are_elements
                && key.is_some()
                && entries[place + 1..].iter().any(|other| text(other) == key)
            {
                continue;
            }
            let value = self.expr(file.id, entry.value);
            match entry.key {
                Some(key) => {
                    let key = self.expr(file.id, key);
                    let at = self.sets.step();
                    self.sets.put(at, own, None);
                    self.on(at, Then::WriteBy { key, from: value });
                }
                None => self.on(value, Then::CopyTo { to: own }),
            }
        }
    }

    fn build_move(&mut self, file: &Rc<Loaded>, one: &Move) {
        let value = self.expr(file.id, one.value);
        match one.goal {
            // Who reads the name looks for the moves that reach him.
            Goal::Name(name) | Goal::Field(_, name, _) => {
                if let Some(var) = file.assigned_var(name).filter(|var| var.file != file.id) {
                    let var = self.sets.node(Node::Var(var));
                    self.sets.flow(value, var);
                }
            }
            Goal::Member(of, name) => {
                let object = self.expr(file.id, of);
                if let Some(var) = file.assigned_var(name) {
                    let var = self.sets.node(Node::Var(var));
                    self.sets.flow(value, var);
                }
                self.on(object, Then::Write { name: file.text(name), from: value });
            }
            Goal::Index(of, key) => {
                let (of, key) = (self.expr(file.id, of), self.expr(file.id, key));
                self.on(of, Then::WriteBy { key, from: value });
            }
        }
    }
}
