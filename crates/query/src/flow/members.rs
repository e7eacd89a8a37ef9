//! Members of values: of instances by the order of their classes, of tables by their keys, of functions by prototypes.

use std::rc::Rc;

use codegraph_extract::flow::{ExprNo, FlowExpr};
use codegraph_languages::flow::Reached;
use codegraph_model::SymbolKind;
use codegraph_store::SymbolRow;

use super::calls::Site;
use super::load::{Loaded, Means, Var};
use super::outside::has_method;
use super::solve::{Later, Solver};
use super::values::*;

impl Solver<'_, '_> {
    /// The place of an element or member of a value.
    pub(super) fn field(&mut self, of: ValueNo, name: &Rc<str>) -> NodeNo {
        let node = Node::Field(of, Rc::clone(name));
        if let Some(known) = self.sets.known(&node) {
            return known;
        }
        let field = self.sets.node(node);
        let all = self.sets.node(Node::All(of));
        self.sets.flow(field, all);
        for copy in self.copies.get(&of).cloned().unwrap_or_default() {
            let copied = self.field(copy, name);
            self.sets.flow(field, copied);
        }
        field
    }

    /// Puts something into a container, nobody knows where.
    pub(super) fn put_into(&mut self, of: ValueNo, from: NodeNo) {
        let (any, all) = (self.sets.node(Node::Any(of)), self.sets.node(Node::All(of)));
        self.sets.flow(from, any);
        self.sets.flow(any, all);
    }

    /// All members of a value are members of another one.
    pub(super) fn copy(&mut self, from: ValueNo, to: ValueNo) {
        let copies = self.copies.entry(from).or_default();
        if from == to || copies.contains(&to) {
            return;
        }
        copies.push(to);
        let fields = self.sets.nodes.iter().filter_map(|node| match node {
            Node::Field(of, name) if *of == from => Some(Rc::clone(name)),
            _ => None,
        });
        for name in fields.collect::<Vec<_>>() {
            let (field, copied) = (self.field(from, &name), self.field(to, &name));
            self.sets.flow(field, copied);
        }
        let any = self.sets.node(Node::Any(from));
        self.put_into(to, any);
    }

    pub(super) fn is_method(&self, row: SymbolRow) -> bool {
        let Ok(file) = self.graph.file(row.file) else { return false };
        let symbol = &file.stored.facts.symbols[row.symbol.index()];
        let around = symbol.parent.get().map(|parent| file.stored.facts.symbols[parent.index()].kind);
        symbol.kind.is_callable() && symbol.kind != SymbolKind::Function || around.is_some_and(|kind| kind.is_type())
    }

    /// What the linker says about a member, where nothing is known of the object.
    pub(super) fn decide_linked(&mut self, object: NodeNo, to: NodeNo, var: Var, is_method: bool) {
        let known = |value: &ValueNo| !matches!(self.sets.values[*value as usize], Value::Outside(_) | Value::Text(_));
        if self.sets.held(object).iter().any(known) && !self.sets.held(to).is_empty() {
            return;
        }
        let step = self.sets.step();
        self.read_outside(var, step);
        match is_method {
            true => {
                let unknown = self.sets.value(Value::Outside("?".into()));
                self.on(step, Then::Bind { to, receiver: unknown });
            }
            false => self.sets.flow(step, to),
        }
    }

    pub(super) fn read_member(&mut self, of: ValueNo, name: &Rc<str>, to: NodeNo, site: &Rc<Site>) {
        match self.sets.values[of as usize].clone() {
            Value::Instance(class) => {
                let order = self.order(class);
                self.read_instance(of, &order, name, to, site);
            }
            Value::Super(class, receiver) => {
                let order = match self.sets.values[receiver as usize] {
                    Value::Instance(own) | Value::Class(own) => self.order(own),
                    _ => self.order(class),
                };
                let rest: Vec<Class> = order.iter().skip_while(|one| **one != class).skip(1).copied().collect();
                self.read_instance(receiver, &rest, name, to, site);
            }
            Value::Class(class) => self.read_class(of, class, name, to),
            Value::Function(function) => self.read_function(of, function, name, to),
            Value::Bound(function, _) => self.read_invoker(of, function, name, to),
            Value::Partial(file, ..) => self.read_invoker(of, (file, 0), name, to),
            Value::Made(function) => self.read_made(of, function, name, to),
            Value::Module(module) => {
                if let Ok(Some(term)) = self.graph.reader.store.term(name) {
                    self.read_outside(Var { file: module, scope: 0, name: term }, to);
                }
            }
            Value::Outside(path) => self.put(to, Value::Outside(format!("{path}.{name}").into())),
            Value::Literal(file, _) if !self.file(file).table.members_are_elements => {}
            Value::Literal(..) | Value::Foreign(..) | Value::Rest(..) | Value::Prototype(_) | Value::Tail(..) => {
                self.read_own_member(of, name, to, of);
                self.later.push(Later::Inherited { of, name: Rc::clone(name), to, receiver: of });
            }
            _ => {}
        }
    }

    fn read_own_member(&mut self, of: ValueNo, name: &Rc<str>, to: NodeNo, receiver: ValueNo) {
        let field = self.field(of, name);
        self.on(field, Then::Bind { to, receiver });
        if self.has_open_members(of) && !self.is_known_method(of, name) {
            let any = self.sets.node(Node::Any(of));
            self.sets.flow(any, to);
        }
    }

    /// Elements whose keys nobody knows may be members: of a table, not of a list.
    fn has_open_members(&self, of: ValueNo) -> bool {
        match self.sets.values[of as usize] {
            Value::Literal(file, expr) => matches!(self.files[&file].flow.exprs[expr as usize], FlowExpr::Table(_)),
            Value::Foreign(..) | Value::Rest(..) | Value::Tail(..) => false,
            _ => true,
        }
    }

    /// A name that means a method of the language where nobody has assigned it.
    fn is_known_method(&self, of: ValueNo, name: &str) -> bool {
        let file = match self.sets.values[of as usize] {
            Value::Literal(file, _) | Value::Foreign(file, _) => file,
            Value::Rest(function, _) => function.0,
            Value::Tail(inner, _) => return self.is_known_method(inner, name),
            _ => return false,
        };
        has_method(self.files[&file].table, name)
    }

    /// What a value has not itself it has from its parent.
    pub(super) fn decide_inherited(&mut self, of: ValueNo, name: &Rc<str>, to: NodeNo, receiver: ValueNo) {
        let field = self.field(of, name);
        if !self.sets.held(field).is_empty() {
            return;
        }
        let parent = self.sets.node(Node::Parent(of));
        for value in self.sets.held(parent).to_vec() {
            self.read_own_member(value, name, to, receiver);
            self.later.push(Later::Inherited { of: value, name: Rc::clone(name), to, receiver });
        }
    }

    fn read_made(&mut self, of: ValueNo, function: Function, name: &Rc<str>, to: NodeNo) {
        self.read_own_member(of, name, to, of);
        let maker = self.sets.value(Value::Function(function));
        let prototype = self.sets.value(Value::Prototype(maker));
        self.read_own_member(prototype, name, to, of);
        self.later.push(Later::Inherited { of: prototype, name: Rc::clone(name), to, receiver: of });
        let word: Rc<str> = self.file(function.0).table.prototype.into();
        let assigned = self.field(maker, &word);
        let parent = self.sets.node(Node::Parent(prototype));
        self.sets.flow(assigned, parent);
    }

    fn read_function(&mut self, of: ValueNo, function: Function, name: &Rc<str>, to: NodeNo) {
        self.read_invoker(of, function, name, to);
        if **name == *self.file(function.0).table.prototype {
            self.put(to, Value::Prototype(of));
        }
        let field = self.field(of, name);
        self.sets.flow(field, to);
    }

    fn read_invoker(&mut self, of: ValueNo, function: Function, name: &Rc<str>, to: NodeNo) {
        let table = self.file(function.0).table;
        if let Some((_, invoker)) = table.invokers.iter().find(|(word, _)| **word == **name) {
            self.put(to, Value::Invoker(*invoker, of));
        }
    }

    fn read_class(&mut self, of: ValueNo, class: Class, name: &Rc<str>, to: NodeNo) {
        let file = self.file(class.0);
        if **name == *file.table.prototype {
            self.put(to, Value::Prototype(of));
        }
        for own in self.order(class).iter() {
            let owner = self.sets.value(Value::Class(*own));
            let field = self.field(owner, name);
            self.sets.flow(field, to);
            let members = self.members.get(&(*own, Rc::clone(name))).cloned().unwrap_or_default();
            for (value, _) in &members {
                let value = self.expr(own.0, *value);
                self.on(value, Then::Bind { to, receiver: of });
            }
            if !members.is_empty() {
                break;
            }
        }
    }

    fn read_instance(&mut self, of: ValueNo, order: &[Class], name: &Rc<str>, to: NodeNo, site: &Rc<Site>) {
        let (mut found, mut before) = (false, Vec::new());
        for own in order {
            let (owner, one) = (self.sets.value(Value::Class(*own)), self.sets.value(Value::Instance(*own)));
            let field = self.field(one, name);
            self.sets.flow(field, to);
            let (prototype, by_type) = (self.sets.value(Value::Prototype(owner)), self.field(owner, name));
            let by_prototype = self.field(prototype, name);
            for node in [by_type, by_prototype] {
                self.on(node, Then::Bind { to, receiver: of });
            }
            let members = self.members.get(&(*own, Rc::clone(name))).cloned().unwrap_or_default();
            if !members.is_empty() && !found {
                found = true;
                // The last of several counts.
                let (last, class) = (members.last().expect("there is one").0, *own);
                match before.is_empty() || !self.written.contains(self.file(own.0).table.prototype) {
                    true => self.read_declared(class, last, of, to, site),
                    false => {
                        let (before, site) = (std::mem::take(&mut before), Rc::clone(site));
                        self.later.push(Later::Declared { before, class, value: last, receiver: of, to, site });
                    }
                }
            }
            before.extend([by_type, by_prototype]);
        }
        if !found {
            self.later.push(Later::Inherited { of, name: Rc::clone(name), to, receiver: of });
        }
    }

    /// A member that a class declares, for an instance; what is reached by reading runs.
    pub(super) fn read_declared(
        &mut self,
        class: Class,
        value: ExprNo,
        receiver: ValueNo,
        to: NodeNo,
        site: &Rc<Site>,
    ) {
        let file = self.file(class.0);
        if let FlowExpr::Function(function) = file.flow.exprs[value as usize]
            && self.reached(&file, function) == Some(Reached::ByReading)
        {
            let own = self.sets.value(Value::Function((class.0, function)));
            let node = self.expr(class.0, value);
            self.enter((class.0, function), Some(receiver), &[], site, Some(to), (node, own));
            return;
        }
        let value = self.expr(class.0, value);
        self.on(value, Then::Bind { to, receiver });
    }

    pub(super) fn reached(&self, file: &Loaded, function: u32) -> Option<Reached> {
        let table = file.table;
        let word = |word: &str| {
            let by_decorator = table.reached.iter().find(|(name, _)| *name == word).map(|(_, reached)| *reached);
            let by_word = (!word.is_empty() && word == table.static_word).then_some(Reached::Static);
            let by_getter = (!word.is_empty() && word == table.getter_word).then_some(Reached::ByReading);
            by_decorator.or(by_word).or(by_getter)
        };
        file.flow.functions[function as usize].words.iter().find_map(|own| word(own))
    }

    /// A value that was found in the type of another one.
    pub(super) fn bind(&mut self, node: NodeNo, value: ValueNo, receiver: ValueNo, to: NodeNo) {
        let bound = match self.sets.values[value as usize].clone() {
            Value::Function(function) => {
                let file = self.file(function.0);
                let of_type = matches!(self.sets.values[receiver as usize], Value::Class(_));
                let reached = self.reached(&file, function.1);
                let own_receiver = file.flow.functions[function.1 as usize].own_receiver;
                let is_element = matches!(self.sets.values[receiver as usize], Value::Literal(..) | Value::Rest(..));
                let free = match reached {
                    Some(Reached::Static) => file.table.receiver_is_parameter,
                    Some(Reached::ByType) => false,
                    _ => of_type && file.table.receiver_is_parameter,
                };
                match free || !own_receiver || is_element && file.table.receiver_is_parameter {
                    true => value,
                    false => {
                        let receiver = match (reached, self.sets.values[receiver as usize].clone()) {
                            (Some(Reached::ByType), Value::Instance(class)) => self.sets.value(Value::Class(class)),
                            _ => receiver,
                        };
                        self.sets.value(Value::Bound(function, receiver))
                    }
                }
            }
            _ => value,
        };
        self.sets.put(to, bound, Some((node, value)));
    }

    /// The receiver of a method: at least an instance of its class.
    pub(super) fn own_receiver(&mut self, file: &Rc<Loaded>, number: u32) {
        let function = &file.flow.functions[number as usize];
        let Some(class) = function.class else { return };
        let own = (file.id, number);
        let node = match file.table.receiver_is_parameter {
            true => self.sets.node(Node::Parameter(own, 0)),
            false => self.sets.node(Node::Receiver(own)),
        };
        match self.reached(file, number) {
            Some(Reached::Static) if file.table.receiver_is_parameter => {}
            Some(Reached::Static | Reached::ByType) => self.put(node, Value::Class((file.id, class))),
            _ => self.put(node, Value::Instance((file.id, class))),
        }
    }

    /// The class that an expression names without any doubt.
    pub(super) fn static_class(&self, file: &Loaded, expr: ExprNo) -> Option<Class> {
        if let FlowExpr::Class(class) = file.flow.exprs[expr as usize] {
            return Some((file.id, class));
        }
        match file.means(self.name_of(file, expr)?)? {
            Means::Var(var) | Means::Member(var, _) => self.class_vars.get(var).copied(),
            _ => None,
        }
    }

    /// A class and those it inherits from, in the order in which members are looked for.
    pub(super) fn order(&mut self, class: Class) -> Rc<[Class]> {
        if let Some(order) = self.orders.get(&class) {
            return Rc::clone(order);
        }
        // Of a circle nothing is inherited.
        self.orders.insert(class, [class].into());
        let file = self.file(class.0);
        let bases = file.flow.classes[class.1 as usize].bases.clone();
        let mut direct: Vec<Class> = Vec::new();
        for base in &bases {
            direct.extend(self.static_class(&file, *base));
        }
        direct.extend(self.more_bases.get(&class).cloned().unwrap_or_default());
        let lists: Vec<Vec<Class>> = direct.iter().map(|base| self.order(*base).to_vec()).collect();
        let order: Rc<[Class]> = merged(class, lists, direct).into();
        self.orders.insert(class, Rc::clone(&order));
        order
    }

    /// The function that a class has under a name, its own or an inherited one.
    pub(super) fn method(&mut self, class: Class, name: &str) -> Option<(Class, Function)> {
        let order = self.order(class);
        self.method_in(&order, name)
    }

    pub(super) fn method_in(&self, order: &[Class], name: &str) -> Option<(Class, Function)> {
        if name.is_empty() {
            return None;
        }
        let name: Rc<str> = name.into();
        order.iter().find_map(|own| {
            let (value, _) = *self.members.get(&(*own, Rc::clone(&name)))?.last()?;
            match self.files[&own.0].flow.exprs[value as usize] {
                FlowExpr::Function(function) => Some((*own, (own.0, function))),
                _ => None,
            }
        })
    }
}

/// A class, then its bases so that each comes before its own bases and after those further left.
fn merged(class: Class, mut lists: Vec<Vec<Class>>, direct: Vec<Class>) -> Vec<Class> {
    lists.push(direct);
    let mut order = vec![class];
    loop {
        lists.retain(|list| !list.is_empty());
        let is_free = |head: &Class| !lists.iter().any(|list| list[1..].contains(head));
        let Some(next) = lists.iter().map(|list| list[0]).find(is_free).or_else(|| lists.first().map(|list| list[0]))
        else {
            return order;
        };
        if !order.contains(&next) {
            order.push(next);
        }
        lists.iter_mut().for_each(|list| list.retain(|one| *one != next));
    }
}
