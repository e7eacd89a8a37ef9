//! Functions and methods outside the project: those that run what they are given, that keep values and give them back.

use std::rc::Rc;

use codegraph_extract::flow::FlowExpr;
use codegraph_languages::flow::{Flow, Keeps, Outside, Passed};
use codegraph_languages::table::CallRole;

use super::calls::{Arg, Site};
use super::load::Loaded;
use super::solve::{Later, Solver};
use super::values::*;

impl Solver<'_, '_> {
    pub(super) fn call_outside(&mut self, path: &str, given: &[Arg], site: &Rc<Site>, result: Option<NodeNo>) {
        let file = self.file(site.file);
        let Some(result) = result else { return };
        if file.language.calls.iter().any(|(name, role)| *name == path && *role == CallRole::Super) {
            return self.build_super(&file, self.method_around(&file, site.function), result);
        }
        let first = Self::argument_node(given, 0, "");
        if file.table.partial.iter().any(|name| is_named(path, name)) {
            if let Some(first) = first {
                self.make_partial(first, site, result);
            }
            return;
        }
        if file.table.keys.iter().any(|name| is_named(path, name)) {
            return self.put(result, Value::Text(format!("{}#{}", site.file.0, site.call).into()));
        }
        if self.member_by_name(&file, path, given, site, result) || self.call_object(&file, path, given, site, result) {
            return;
        }
        let known = file.table.outside.iter().filter(|one| !one.method);
        // What it gives is outside too.
        self.put(result, Value::Outside(format!("{path}()").into()));
        for one in known.filter(|one| one.names.split(' ').any(|name| is_named(path, name))) {
            self.run_outside(one, given, site, None, result);
        }
        if site.makes {
            self.put(result, Value::Foreign(site.file, site.call));
        }
    }

    /// Functions in methods have the receiver of the method.
    fn method_around(&self, file: &Loaded, mut function: u32) -> u32 {
        while function != 0 && file.flow.functions[function as usize].class.is_none() {
            function = file.flow.functions[function as usize].parent;
        }
        function
    }

    /// What is given first is called later, with the rest.
    fn make_partial(&mut self, function: NodeNo, site: &Rc<Site>, result: NodeNo) {
        self.on(function, Then::Partial { site: Rc::clone(site), to: result });
    }

    /// What is known of the functions that make and change objects.
    fn call_object(&mut self, file: &Loaded, path: &str, given: &[Arg], site: &Rc<Site>, result: NodeNo) -> bool {
        let (first, second) = (Self::argument_node(given, 0, ""), Self::argument_node(given, 1, ""));
        let is = |name: &str| file.table.members_are_elements && is_named(path, name);
        match (first, second) {
            (Some(first), _) if is("Object.create") => {
                let own = self.sets.value(Value::Foreign(site.file, site.call));
                self.sets.put(result, own, None);
                let parent = self.sets.node(Node::Parent(own));
                self.sets.flow(first, parent);
            }
            (Some(first), Some(_)) if is("Object.assign") => {
                self.sets.flow(first, result);
                for one in given.iter().skip(1) {
                    if let Arg::Node(from) = one {
                        self.on(first, Then::CopyFrom { from: *from });
                    }
                }
            }
            (Some(first), Some(second)) if is("Object.setPrototypeOf") => {
                self.on(first, Then::ParentOf { node: second });
                self.sets.flow(first, result);
            }
            (Some(first), Some(second)) if self.inherits(file, path) => {
                let (own, base) = (self.sets.step(), self.sets.step());
                self.on(first, Then::PrototypeTo { to: own });
                self.on(second, Then::PrototypeTo { to: base });
                self.on(own, Then::ParentOf { node: base });
            }
            _ => return false,
        }
        true
    }

    fn inherits(&self, file: &Loaded, path: &str) -> bool {
        let last = path.rsplit(['.', '#']).next().unwrap_or(path);
        file.language.inheriting_calls.contains(&last)
    }

    /// Something outside runs one of its arguments, or gives something back.
    fn run_outside(&mut self, one: &Outside, given: &[Arg], site: &Rc<Site>, own: Option<NodeNo>, result: NodeNo) {
        let returned = self.sets.step();
        if let Some((place, name)) = one.runs
            && let Some(function) = Self::argument_node(given, place as usize, name)
        {
            let passed = one.given.iter().map(|passed| Arg::Node(self.passed(*passed, given, own, returned, site)));
            let passed: Vec<Arg> = passed.collect();
            let inner = Site {
                file: site.file,
                function: site.function,
                name: site.name,
                call: site.call,
                given: passed,
                result: returned,
                makes: false,
                callee: function,
            };
            self.on(function, Then::Run(Rc::new(inner)));
        }
        let given_back = self.passed(one.returns, given, own, returned, site);
        self.sets.flow(given_back, result);
    }

    fn passed(
        &mut self,
        passed: Passed,
        given: &[Arg],
        own: Option<NodeNo>,
        returned: NodeNo,
        site: &Rc<Site>,
    ) -> NodeNo {
        let item = |solver: &mut Self, of: Option<NodeNo>| {
            let to = solver.sets.step();
            if let Some(of) = of {
                let result = solver.sets.step();
                let site = Rc::new(Site::bare(site.file, site.function, site.name, result));
                solver.on(of, Then::Each { to, site });
            }
            to
        };
        match passed {
            Passed::Nothing => self.sets.step(),
            Passed::Own => own.unwrap_or_else(|| self.sets.step()),
            Passed::OwnItem => item(self, own),
            Passed::ItemOf(place) => item(self, Self::argument_node(given, place as usize, "")),
            Passed::Argument(place) => {
                Self::argument_node(given, place as usize, "").unwrap_or_else(|| self.sets.step())
            }
            Passed::TableOf(place) => {
                let own = self.sets.value(Value::Foreign(site.file, site.call));
                let pairs = item(self, Self::argument_node(given, place as usize, ""));
                self.on(pairs, Then::Entry { of: own });
                if let Some(of) = Self::argument_node(given, place as usize, "") {
                    self.on(of, Then::CopyTo { to: own });
                }
                self.put_named(own, given);
                let to = self.sets.step();
                self.sets.put(to, own, None);
                to
            }
            Passed::PairsOf(place) => {
                let to = self.sets.step();
                if let Some(of) = Self::argument_node(given, place as usize, "") {
                    self.on(of, Then::PairsTo { to });
                }
                to
            }
            Passed::Settles => {
                let to = self.sets.step();
                self.put(to, Value::Settle(site.result));
                to
            }
            Passed::Result => returned,
            Passed::Results => {
                let list = self.sets.value(Value::Foreign(site.file, site.call));
                self.put_into(list, returned);
                let to = self.sets.step();
                self.sets.put(to, list, None);
                to
            }
        }
    }

    /// What is given by name is a member.
    fn put_named(&mut self, of: ValueNo, given: &[Arg]) {
        for arg in given {
            if let Arg::Named(name, from) = arg {
                let field = self.field(of, name);
                self.sets.flow(*from, field);
            }
        }
    }

    /// A member by a name that is written at the call.
    fn member_by_name(&mut self, file: &Loaded, path: &str, given: &[Arg], site: &Rc<Site>, result: NodeNo) -> bool {
        let (Some(object), Some(name)) = (Self::argument_node(given, 0, ""), text_at(file, site, 1)) else {
            return false;
        };
        if is_named(path, file.table.member_reader) {
            let inner = Rc::new(Site::bare(site.file, site.function, site.name, result));
            self.on(object, Then::Read { name, to: result, site: inner });
            return true;
        }
        let Some(value) = Self::argument_node(given, 2, "") else { return false };
        if is_named(path, file.table.member_writer) {
            self.on(object, Then::Write { name, from: value });
            return true;
        }
        if is_named(path, "Object.defineProperty") && file.table.members_are_elements {
            let (step, inner) = (self.sets.step(), Rc::new(Site::bare(site.file, site.function, site.name, result)));
            self.on(value, Then::Read { name: "value".into(), to: step, site: inner });
            self.on(object, Then::Write { name, from: step });
            self.sets.flow(object, result);
            return true;
        }
        false
    }

    /// A call of a method that something outside may have.
    pub(super) fn note_method(&mut self, file: &Loaded, site: &Rc<Site>, object: NodeNo, name: &Rc<str>) {
        if has_method(file.table, name) {
            self.later.push(Later::Method { site: Rc::clone(site), object, name: Rc::clone(name) });
        }
    }

    /// Nothing of the project is called: the method is one of the language's own.
    pub(super) fn decide_method(&mut self, site: &Rc<Site>, object: NodeNo, name: &Rc<str>) {
        let own = |value: &ValueNo| !matches!(self.sets.values[*value as usize], Value::Outside(_));
        if self.sets.held(site.callee).iter().any(own) {
            return;
        }
        let file = self.file(site.file);
        for one in file.table.outside.iter().filter(|one| one.method && one.names.split(' ').any(|w| w == &**name)) {
            self.run_outside(one, &site.given, site, Some(object), site.result);
        }
        for (_, keeps) in file.table.keeps.iter().filter(|(word, _)| **word == **name) {
            self.keep(*keeps, &file, site, object);
        }
    }

    fn keep(&mut self, keeps: Keeps, file: &Loaded, site: &Rc<Site>, object: NodeNo) {
        let argument = |place: u8| Self::argument_node(&site.given, place as usize, "");
        match keeps {
            Keeps::Puts(place) => {
                if let Some(from) = argument(place) {
                    self.on(object, Then::Put { from });
                }
            }
            Keeps::PutsUnder => {
                if let (Some(key), Some(from)) = (argument(0), argument(1)) {
                    self.on(object, Then::WriteBy { key, from });
                }
            }
            Keeps::PutsAll(place) => {
                if let Some(from) = argument(place) {
                    self.on(object, Then::PutAll { from });
                }
                for arg in &site.given {
                    if let Arg::Named(name, from) = arg {
                        self.on(object, Then::Write { name: Rc::clone(name), from: *from });
                    }
                }
            }
            Keeps::Gives => match argument(0) {
                Some(key) => self.on(object, Then::ReadBy { key, to: site.result }),
                None => {
                    let step = self.sets.step();
                    let inner = Rc::new(Site::bare(site.file, site.function, site.name, step));
                    self.on(object, Then::Each { to: site.result, site: inner });
                }
            },
            Keeps::Itself => self.sets.flow(object, site.result),
            Keeps::Pairs => self.on(object, Then::PairsTo { to: site.result }),
            Keeps::Registers => {
                if let (Some(key), Some(from)) = (self.event(file, site), argument(1)) {
                    self.on(object, Then::Register { key, from });
                    self.sets.flow(object, site.result);
                }
            }
            Keeps::Fires => {
                if let Some(key) = self.event(file, site) {
                    let given = site.given.get(1..).unwrap_or_default().to_vec();
                    let fired = Site { given, ..Site::bare(site.file, site.function, site.name, site.result) };
                    self.on(object, Then::Fire { key, site: Rc::new(fired) });
                }
            }
        }
    }

    /// What an event is called, where that is written at the call.
    fn event(&self, file: &Loaded, site: &Site) -> Option<Rc<str>> {
        text_at(file, site, 0).map(|text| format!("event {text}").into())
    }
}

/// The text that is written as an argument.
fn text_at(file: &Loaded, site: &Site, place: usize) -> Option<Rc<str>> {
    let call = file.flow.calls.get(site.call as usize)?;
    let codegraph_extract::flow::Given::Place(value) = call.given.get(place)? else { return None };
    match &file.flow.exprs[*value as usize] {
        FlowExpr::Text(text) => Some((&**text).into()),
        _ => None,
    }
}

/// Whether values outside the project have a method of this name.
pub(super) fn has_method(table: &Flow, name: &str) -> bool {
    table.keeps.iter().any(|(word, _)| *word == name)
        || table.outside.iter().any(|one| one.method && one.names.split(' ').any(|word| word == name))
}

/// Whether a path is a name, or ends with one that has parts.
fn is_named(path: &str, name: &str) -> bool {
    let plain = path.strip_prefix("builtins.").unwrap_or(path);
    let inner = plain.replace('#', ".");
    inner == name || name.contains('.') && inner.ends_with(name) && inner[..inner.len() - name.len()].ends_with('.')
}
