//! Calls: what runs, which parameters get which values, and where the result goes.

use std::rc::Rc;

use codegraph_extract::flow::Takes;
use codegraph_languages::flow::Invoker;
use codegraph_model::{FileId, Span};

use super::solve::Solver;
use super::values::*;

/// What is given to a call.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Node(NodeNo),
    Named(Rc<str>, NodeNo),
    Spread(NodeNo),
    SpreadTable(NodeNo),
}

/// A place where something is called.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) file: FileId,
    pub(super) function: u32,
    pub(super) name: Span,
    pub(super) call: u32,
    pub(super) given: Vec<Arg>,
    pub(super) result: NodeNo,
    pub(super) makes: bool,
    pub(super) callee: NodeNo,
}

impl Site {
    pub(super) fn bare(file: FileId, function: u32, name: Span, result: NodeNo) -> Site {
        Site { file, function, name, call: u32::MAX, given: Vec::new(), result, makes: false, callee: result }
    }
}

/// A function or class that runs at a place, and by which value.
pub(super) struct Run {
    pub(super) site: Rc<Site>,
    pub(super) what: Value,
    pub(super) at: (NodeNo, ValueNo),
}

impl Solver<'_, '_> {
    pub(super) fn record(&mut self, site: &Rc<Site>, what: Value, at: (NodeNo, ValueNo)) {
        if !site.name.is_empty() && self.seen_runs.insert((site.file, site.name.start, what.clone())) {
            self.runs.push(Run { site: Rc::clone(site), what, at });
        }
    }

    /// A value is called with what a site gives.
    pub(super) fn call(&mut self, node: NodeNo, value: ValueNo, site: &Rc<Site>) {
        self.call_with(node, value, &site.given, site, Some(site.result));
    }

    pub(super) fn call_with(
        &mut self,
        node: NodeNo,
        value: ValueNo,
        given: &[Arg],
        site: &Rc<Site>,
        result: Option<NodeNo>,
    ) {
        let at = (node, value);
        match self.sets.values[value as usize].clone() {
            Value::Function(function) if site.makes => {
                let made = self.sets.value(Value::Made(function));
                result.into_iter().for_each(|result| self.sets.put(result, made, None));
                self.enter(function, Some(made), given, site, None, at);
            }
            Value::Function(function) => self.enter(function, None, given, site, result, at),
            Value::Bound(function, receiver) => self.enter(function, Some(receiver), given, site, result, at),
            Value::Class(class) => self.make(class, given, site, result, at),
            Value::Instance(class) => {
                let name = self.file(class.0).table.call_member;
                if let Some((_, function)) = self.method(class, name) {
                    self.enter(function, Some(value), given, site, result, at);
                }
            }
            Value::Super(class, receiver) => self.call_base(class, receiver, given, site, at),
            Value::Invoker(how, function) => self.invoke(how, function, node, given, site, result),
            Value::Partial(file, call, skip, function) => {
                let first = self.given_at(file, call, skip as usize);
                let all: Vec<Arg> = first.into_iter().chain(given.iter().cloned()).collect();
                self.call_with(node, function, &all, site, result);
            }
            Value::Settle(to) => {
                if let Some(Arg::Node(first)) = given.first() {
                    self.sets.flow(*first, to);
                }
            }
            Value::Outside(path) => self.call_outside(&path, given, site, result),
            _ => {}
        }
    }

    /// What a call gives, without the first ones.
    fn given_at(&mut self, file: FileId, call: u32, skip: usize) -> Vec<Arg> {
        let loaded = self.file(file);
        let given = loaded.flow.calls[call as usize].given.iter().skip(skip);
        given.map(|one| self.argument(&loaded, one)).collect()
    }

    fn invoke(
        &mut self,
        how: Invoker,
        function: ValueNo,
        node: NodeNo,
        given: &[Arg],
        site: &Rc<Site>,
        result: Option<NodeNo>,
    ) {
        let rest = given.get(1..).unwrap_or_default();
        if how == Invoker::Bind {
            if let Some(result) = result {
                let partial = Value::Partial(site.file, site.call, 1, function);
                let partial = self.sets.value(partial);
                self.sets.put(result, partial, Some((node, function)));
            }
            self.give_receiver(function, given);
            return;
        }
        self.give_receiver(function, given);
        match (how, rest.first()) {
            (Invoker::Apply, Some(Arg::Node(list))) => {
                let all = [Arg::Spread(*list)];
                self.call_with(node, function, &all, site, result);
            }
            _ => self.call_with(node, function, rest, site, result),
        }
    }

    /// The first argument is the receiver.
    fn give_receiver(&mut self, function: ValueNo, given: &[Arg]) {
        if let (Value::Function(function), Some(Arg::Node(first))) =
            (self.sets.values[function as usize].clone(), given.first())
        {
            let receiver = self.sets.node(Node::Receiver(function));
            self.sets.flow(*first, receiver);
        }
    }

    fn make(&mut self, class: Class, given: &[Arg], site: &Rc<Site>, result: Option<NodeNo>, at: (NodeNo, ValueNo)) {
        let instance = self.sets.value(Value::Instance(class));
        result.into_iter().for_each(|result| self.sets.put(result, instance, None));
        self.record(site, Value::Class(class), at);
        let name = self.file(class.0).table.constructor;
        match self.method(class, name) {
            Some((_, function)) => self.enter(function, Some(instance), given, site, None, at),
            None => self.fill_fields(class, instance, given),
        }
    }

    /// A class without a constructor may take its fields.
    fn fill_fields(&mut self, class: Class, instance: ValueNo, given: &[Arg]) {
        let file = self.file(class.0);
        let own = &file.flow.classes[class.1 as usize];
        if !own.words.iter().any(|word| file.table.records.contains(&&**word)) {
            return;
        }
        for (place, arg) in given.iter().enumerate() {
            let (name, node) = match arg {
                Arg::Node(node) => (own.fields.get(place).map(|name| file.text(*name)), *node),
                Arg::Named(name, node) => (Some(Rc::clone(name)), *node),
                _ => continue,
            };
            if let Some(name) = name {
                let field = self.field(instance, &name);
                self.sets.flow(node, field);
            }
        }
    }

    fn call_base(&mut self, class: Class, receiver: ValueNo, given: &[Arg], site: &Rc<Site>, at: (NodeNo, ValueNo)) {
        let order = match self.sets.values[receiver as usize] {
            Value::Instance(own) => self.order(own),
            _ => self.order(class),
        };
        let rest: Vec<Class> = order.iter().skip_while(|one| **one != class).skip(1).copied().collect();
        let name = self.file(class.0).table.constructor;
        if let Some((_, function)) = self.method_in(&rest, name) {
            self.enter(function, Some(receiver), given, site, None, at);
        }
    }

    /// A function runs: its parameters get what is given, its result goes on.
    pub(super) fn enter(
        &mut self,
        function: Function,
        receiver: Option<ValueNo>,
        given: &[Arg],
        site: &Rc<Site>,
        result: Option<NodeNo>,
        at: (NodeNo, ValueNo),
    ) {
        self.entered.insert(function);
        self.record(site, Value::Function(function), at);
        let file = self.file(function.0);
        let mut first = 0;
        if let Some(receiver) = receiver {
            let node = match file.table.receiver_is_parameter {
                true => {
                    first = 1;
                    Node::Parameter(function, 0)
                }
                false => Node::Receiver(function),
            };
            let node = self.sets.node(node);
            if !matches!(self.sets.values[receiver as usize], Value::Outside(_)) {
                self.sets.put(node, receiver, None);
            }
        }
        let bound = self.bind_arguments(function, first, given);
        self.add_defaults(function, first, &bound, given);
        let Some(result) = result else { return };
        let own = &file.flow.functions[function.1 as usize];
        if !own.yields.is_empty() {
            return self.put(result, Value::Generator(function));
        }
        let returned = self.sets.node(Node::Returned(function));
        self.sets.flow(returned, result);
        for value in &own.returns {
            let Some(place) = self.passed_through(&file, function.1, *value) else { continue };
            let one = matches!(own.params[place as usize].takes, Takes::One | Takes::Named);
            let passed: Vec<NodeNo> = bound.iter().filter(|(own, _)| *own == place).map(|(_, node)| *node).collect();
            if passed.is_empty() || !one {
                let parameter = self.sets.node(Node::Parameter(function, place));
                self.sets.flow(parameter, result);
            }
            passed.into_iter().for_each(|node| self.sets.flow(node, result));
        }
    }

    /// Gives arguments to parameters; which of them got what.
    fn bind_arguments(&mut self, function: Function, first: u32, given: &[Arg]) -> Vec<(u32, NodeNo)> {
        let (mut at, mut bound) = (first, Vec::new());
        for arg in given {
            match arg {
                Arg::Node(node) => {
                    bound.extend(self.give_place(function, at, *node).map(|place| (place, *node)));
                    at += 1;
                }
                Arg::Named(name, node) => {
                    bound.extend(self.give_name(function, name, *node).map(|place| (place, *node)))
                }
                Arg::Spread(node) => {
                    self.on(*node, Then::Spread { to: function, first: at });
                    at += 1;
                }
                Arg::SpreadTable(node) => self.on(*node, Then::SpreadTable { to: function }),
            }
        }
        bound
    }

    /// Gives a value to the parameter at a place.
    pub(super) fn give_place(&mut self, function: Function, at: u32, from: NodeNo) -> Option<u32> {
        let file = self.file(function.0);
        let params = &file.flow.functions[function.1 as usize].params;
        if let Some(Takes::One) = params.get(at as usize).map(|param| param.takes) {
            let node = self.sets.node(Node::Parameter(function, at));
            self.sets.flow(from, node);
            return Some(at);
        }
        let rest = params.iter().position(|param| param.takes == Takes::Rest)? as u32;
        if rest <= at {
            let collected = self.sets.value(Value::Rest(function, rest));
            let field = self.field(collected, &(at - rest).to_string().into());
            self.sets.flow(from, field);
        }
        None
    }

    /// Gives a value to the parameter of a name.
    pub(super) fn give_name(&mut self, function: Function, name: &Rc<str>, from: NodeNo) -> Option<u32> {
        let file = self.file(function.0);
        let params = &file.flow.functions[function.1 as usize].params;
        let own = |takes: Takes| matches!(takes, Takes::One | Takes::Named);
        let place = params.iter().position(|param| own(param.takes) && file.text(param.name) == *name);
        if let Some(place) = place {
            let node = self.sets.node(Node::Parameter(function, place as u32));
            self.sets.flow(from, node);
            return Some(place as u32);
        }
        let rest = params.iter().position(|param| param.takes == Takes::RestTable)? as u32;
        let collected = self.sets.value(Value::Rest(function, rest));
        let field = self.field(collected, name);
        self.sets.flow(from, field);
        None
    }

    /// Parameters that nothing is given for have their defaults.
    fn add_defaults(&mut self, function: Function, first: u32, bound: &[(u32, NodeNo)], given: &[Arg]) {
        if given.iter().any(|arg| matches!(arg, Arg::Spread(_) | Arg::SpreadTable(_))) {
            return;
        }
        let file = self.file(function.0);
        for (i, param) in file.flow.functions[function.1 as usize].params.iter().enumerate().skip(first as usize) {
            if let Some(default) = param.default.filter(|_| !bound.iter().any(|(place, _)| *place == i as u32)) {
                let (value, node) = (self.expr(function.0, default), Node::Parameter(function, i as u32));
                let node = self.sets.node(node);
                self.sets.flow(value, node);
            }
        }
    }
}
