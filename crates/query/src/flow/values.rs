//! Values, the places where they are, and the ways between: sets that grow until nothing moves any more.

use std::rc::Rc;

use codegraph_extract::flow::{ClassNo, ExprNo, FunctionNo};
use codegraph_languages::flow::Invoker;
use codegraph_model::FileId;

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Site;
use super::load::Var;

/// A function or a class of a file.
pub(super) type Function = (FileId, FunctionNo);
pub(super) type Class = (FileId, ClassNo);
pub(super) type ValueNo = u32;
pub(super) type NodeNo = u32;

/// Something that can be called or lead to what can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Function(Function),
    /// A function with its receiver.
    Bound(Function, ValueNo),
    Class(Class),
    Instance(Class),
    /// What a function makes that is called as a constructor, and where that has its members from.
    Made(Function),
    Prototype(ValueNo),
    /// A list, a table.
    Literal(FileId, ExprNo),
    /// What a call of something outside makes.
    Foreign(FileId, u32),
    /// The items of a value from a place on, its keys with its items, and one of those.
    Tail(ValueNo, u32),
    Pairs(ValueNo),
    Pair(ValueNo),
    /// What a parameter collects.
    Rest(Function, u32),
    Module(FileId),
    Outside(Rc<str>),
    Text(Rc<str>),
    Generator(Function),
    Invoker(Invoker, ValueNo),
    /// A function with its first arguments: those of a call, without some of them.
    Partial(FileId, u32, u32, ValueNo),
    /// What is given to it is at a place.
    Settle(NodeNo),
    /// A receiver as the base of a class.
    Super(Class, ValueNo),
}

/// A place that holds values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Expr(FileId, ExprNo),
    Var(Var),
    Parameter(Function, u32),
    Returned(Function),
    Yielded(Function),
    Receiver(Function),
    Field(ValueNo, Rc<str>),
    /// All elements of a value, and those whose key is not known.
    All(ValueNo),
    Any(ValueNo),
    /// Where a value has its members from that it has not itself.
    Parent(ValueNo),
    /// A step without a name.
    Step(u32),
}

/// What happens to each value that comes to a place.
#[derive(Clone, Debug)]
pub(super) enum Then {
    Call(Rc<Site>),
    /// It is called with what is given, by something outside.
    Run(Rc<Site>),
    Read {
        name: Rc<str>,
        to: NodeNo,
        site: Rc<Site>,
    },
    Write {
        name: Rc<str>,
        from: NodeNo,
    },
    /// The element that the texts of a place name.
    ReadBy {
        key: NodeNo,
        to: NodeNo,
    },
    WriteBy {
        key: NodeNo,
        from: NodeNo,
    },
    /// The element of this value that each text names.
    ReadKey {
        of: ValueNo,
        to: NodeNo,
    },
    WriteKey {
        of: ValueNo,
        from: NodeNo,
    },
    Put {
        from: NodeNo,
    },
    PutAll {
        from: NodeNo,
    },
    Each {
        to: NodeNo,
        site: Rc<Site>,
    },
    Item {
        number: u32,
        rest: bool,
        to: NodeNo,
    },
    Enter {
        to: NodeNo,
        site: Rc<Site>,
    },
    /// It is read from this value's type.
    Bind {
        to: NodeNo,
        receiver: ValueNo,
    },
    Super {
        class: Class,
        to: NodeNo,
    },
    /// It gives its items, or its members, to the parameters of a function.
    Spread {
        to: Function,
        first: u32,
    },
    SpreadTable {
        to: Function,
    },
    CopyTo {
        to: ValueNo,
    },
    CopyFrom {
        from: NodeNo,
    },
    Register {
        key: Rc<str>,
        from: NodeNo,
    },
    Fire {
        key: Rc<str>,
        site: Rc<Site>,
    },
    /// It gets the first arguments of a call.
    Partial {
        site: Rc<Site>,
        to: NodeNo,
    },
    ParentOf {
        node: NodeNo,
    },
    PrototypeTo {
        to: NodeNo,
    },
    PairsTo {
        to: NodeNo,
    },
    /// It goes on unless it is a text.
    Joined {
        to: NodeNo,
    },
    /// It is a pair of a key and an element of a table.
    Entry {
        of: ValueNo,
    },
}

/// A place does not hold more values than these: what could be anything is not plain.
const MOST_VALUES: usize = 24;

#[derive(Default)]
pub(super) struct Sets {
    pub(super) values: Vec<Value>,
    numbers: FxHashMap<Value, ValueNo>,
    pub(super) nodes: Vec<Node>,
    node_numbers: FxHashMap<Node, NodeNo>,
    held: Vec<Vec<ValueNo>>,
    next: Vec<Vec<NodeNo>>,
    then: Vec<Vec<Then>>,
    edges: FxHashSet<(NodeNo, NodeNo)>,
    /// Where a value came from.
    from: FxHashMap<(NodeNo, ValueNo), (NodeNo, ValueNo)>,
    pub(super) work: Vec<(NodeNo, ValueNo)>,
    pub(super) steps: u32,
}

impl Sets {
    pub(super) fn value(&mut self, value: Value) -> ValueNo {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.values.len() as ValueNo;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    pub(super) fn node(&mut self, node: Node) -> NodeNo {
        if let Some(number) = self.node_numbers.get(&node) {
            return *number;
        }
        let number = self.nodes.len() as NodeNo;
        self.nodes.push(node.clone());
        self.node_numbers.insert(node, number);
        self.held.push(Vec::new());
        self.next.push(Vec::new());
        self.then.push(Vec::new());
        number
    }

    pub(super) fn known(&self, node: &Node) -> Option<NodeNo> {
        self.node_numbers.get(node).copied()
    }

    /// A new place without a name.
    pub(super) fn step(&mut self) -> NodeNo {
        self.steps += 1;
        self.node(Node::Step(self.steps))
    }

    pub(super) fn held(&self, node: NodeNo) -> &[ValueNo] {
        &self.held[node as usize]
    }

    pub(super) fn put(&mut self, node: NodeNo, value: ValueNo, from: Option<(NodeNo, ValueNo)>) {
        let held = &mut self.held[node as usize];
        if held.contains(&value) || held.len() >= MOST_VALUES {
            return;
        }
        held.push(value);
        if let Some(from) = from {
            self.from.insert((node, value), from);
        }
        self.work.push((node, value));
    }

    /// Whatever is in one place is in another.
    pub(super) fn flow(&mut self, from: NodeNo, to: NodeNo) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.next[from as usize].push(to);
        for value in self.held[from as usize].clone() {
            self.put(to, value, Some((from, value)));
        }
    }

    /// Whatever comes to a place is done something with. What is there already comes again.
    pub(super) fn then(&mut self, node: NodeNo, then: Then) -> Vec<(Then, ValueNo)> {
        let now = self.held[node as usize].iter().map(|value| (then.clone(), *value)).collect();
        self.then[node as usize].push(then);
        now
    }

    /// Moves one value on; what has to be done with it.
    pub(super) fn advance(&mut self) -> Option<(NodeNo, ValueNo, Vec<Then>)> {
        let (node, value) = self.work.pop()?;
        for to in self.next[node as usize].clone() {
            self.put(to, value, Some((node, value)));
        }
        Some((node, value, self.then[node as usize].clone()))
    }

    /// The places that a value came by, the first one first.
    pub(super) fn way(&self, node: NodeNo, value: ValueNo) -> Vec<NodeNo> {
        let (mut at, mut seen, mut way) = ((node, value), FxHashSet::default(), vec![node]);
        while let Some(before) = self.from.get(&at).filter(|before| seen.insert(**before)) {
            way.push(before.0);
            at = *before;
        }
        way.reverse();
        way
    }
}
