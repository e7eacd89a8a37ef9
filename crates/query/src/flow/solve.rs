//! Follows values until nothing moves any more, in steps: what is only so where nothing else is known comes later.

use std::rc::Rc;

use codegraph_extract::flow::{ExprNo, FlowExpr, FlowPlace};
use codegraph_live::Locals;
use codegraph_model::{FileId, Span};

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{Run, Site};
use super::load::{Loaded, Var, load};
use super::sure;
use super::values::*;
use crate::Result;
use crate::graph::Graph;

/// What is done when nothing else is known.
pub(super) enum Later {
    /// A member that the type of the linker's opinion has, where nothing is known of the object.
    Linked { object: NodeNo, to: NodeNo, var: Var, is_method: bool },
    /// A member of what a value has its members from.
    Inherited { of: ValueNo, name: Rc<str>, to: NodeNo, receiver: ValueNo },
    /// A member that a base declares, where nothing was put into the classes before it.
    Declared { before: Vec<NodeNo>, class: Class, value: ExprNo, receiver: ValueNo, to: NodeNo, site: Rc<Site> },
    /// A method of something outside.
    Method { site: Rc<Site>, object: NodeNo, name: Rc<str> },
    /// What a decorator of which nothing is known makes of a function.
    Decorated { callee: NodeNo, result: NodeNo, given: NodeNo },
    /// An element by a key of which nothing is known.
    AnyKey { key: NodeNo, of: ValueNo, other: NodeNo, reads: bool },
    /// What a parameter is if nobody calls the function.
    Default { function: Function, parameter: NodeNo, value: NodeNo },
}

/// What a class declares under a name: values, and whether they belong to the class itself.
pub(super) type Members = Vec<(ExprNo, bool)>;

/// Rounds of what is done later.
const MOST_ROUNDS: u32 = 12;
/// Elements of a table that a key may mean of which nothing is known: one with more is an object, no table.
const MOST_ELEMENTS: usize = 12;
/// Moves of values that are made at most.
const MOST_MOVES: u32 = 400_000;

pub(super) struct Solver<'g, 'r> {
    pub(super) graph: &'g Graph<'r>,
    pub(super) locals: Locals<'g>,
    pub(super) files: FxHashMap<FileId, Rc<Loaded>>,
    pub(super) sets: Sets,
    pub(super) todo: Vec<(NodeNo, Then, ValueNo)>,
    pub(super) later: Vec<Later>,
    /// Reads of members that may have a sure write before them, what functions surely write, and which names are written at all.
    pub(super) reads: Vec<sure::Read>,
    pub(super) wrote: FxHashMap<Function, Rc<[sure::Write]>>,
    pub(super) written: FxHashSet<Rc<str>>,
    /// Files that values come from, and whether more may be read.
    pub(super) wanted: Vec<FileId>,
    pub(super) room: usize,
    /// Larger files are not read.
    pub(super) largest: u64,
    /// Who waits for the values of a variable of a file that is not read yet.
    pub(super) waiting: Vec<(Var, NodeNo)>,
    pub(super) moves: FxHashMap<Var, Vec<u32>>,
    pub(super) members: FxHashMap<(Class, Rc<str>), Members>,
    pub(super) class_vars: FxHashMap<Var, Class>,
    pub(super) orders: FxHashMap<Class, Rc<[Class]>>,
    pub(super) more_bases: FxHashMap<Class, Vec<Class>>,
    pub(super) copies: FxHashMap<ValueNo, Vec<ValueNo>>,
    pub(super) runs: Vec<Run>,
    pub(super) seen_runs: FxHashSet<(FileId, u32, Value)>,
    pub(super) entered: FxHashSet<Function>,
    /// What was iterated over, and where its items went.
    pub(super) iterated: FxHashSet<(ValueNo, NodeNo)>,
}

impl<'g, 'r> Solver<'g, 'r> {
    pub(super) fn new(graph: &'g Graph<'r>, room: usize) -> Solver<'g, 'r> {
        Solver {
            graph,
            locals: Locals::new(&graph.reader.store),
            files: FxHashMap::default(),
            sets: Sets::default(),
            todo: Vec::new(),
            later: Vec::new(),
            reads: Vec::new(),
            wrote: FxHashMap::default(),
            written: FxHashSet::default(),
            wanted: Vec::new(),
            room,
            largest: u64::MAX,
            waiting: Vec::new(),
            moves: FxHashMap::default(),
            members: FxHashMap::default(),
            class_vars: FxHashMap::default(),
            orders: FxHashMap::default(),
            more_bases: FxHashMap::default(),
            copies: FxHashMap::default(),
            runs: Vec::new(),
            seen_runs: FxHashSet::default(),
            entered: FxHashSet::default(),
            iterated: FxHashSet::default(),
        }
    }

    /// Reads files and follows all values in them, and in files that they come from.
    pub(super) fn run(&mut self, files: &[FileId]) -> Result<()> {
        for file in files {
            self.read(*file)?;
        }
        self.settle()?;
        if self.find_bases() {
            self.restart();
            self.settle()?;
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<()> {
        let mut moves = 0;
        for _ in 0..MOST_ROUNDS {
            self.follow(&mut moves)?;
            self.read_wanted()?;
            self.follow(&mut moves)?;
            self.read_surely(&mut moves)?;
            let later = std::mem::take(&mut self.later);
            if later.is_empty() || moves > MOST_MOVES {
                break;
            }
            later.into_iter().for_each(|one| self.decide(one));
        }
        Ok(())
    }

    /// Members that were surely written are read first: what is only so where nothing else is known depends on them.
    fn read_surely(&mut self, moves: &mut u32) -> Result<()> {
        for read in std::mem::take(&mut self.reads) {
            if !self.read_sure(&read) {
                let file = self.file(read.file);
                self.build_read(&file, read.expr, read.to);
            }
            self.follow(moves)?;
        }
        Ok(())
    }

    fn follow(&mut self, moves: &mut u32) -> Result<()> {
        loop {
            while let Some((node, then, value)) = self.todo.pop() {
                *moves += 1;
                if *moves > MOST_MOVES {
                    return Ok(());
                }
                self.act(node, then, value);
            }
            let Some((node, value, thens)) = self.sets.advance() else { return Ok(()) };
            *moves += 1;
            if moves.is_multiple_of(1024) {
                self.graph.reader.go_on()?;
            }
            if *moves > MOST_MOVES {
                return Ok(());
            }
            for then in thens {
                self.act(node, then, value);
            }
        }
    }

    fn read_wanted(&mut self) -> Result<()> {
        while let Some(file) = self.wanted.pop() {
            self.read(file)?;
        }
        Ok(())
    }

    pub(super) fn read(&mut self, file: FileId) -> Result<()> {
        if self.files.contains_key(&file) || self.room == 0 {
            return Ok(());
        }
        if self.graph.reader.record(file)?.size > self.largest {
            return Ok(());
        }
        let Some(loaded) = load(self.graph, &self.locals, file)? else { return Ok(()) };
        self.room -= 1;
        let loaded = Rc::new(loaded);
        self.files.insert(file, Rc::clone(&loaded));
        self.index(&loaded);
        self.build(&loaded);
        let waiting = std::mem::take(&mut self.waiting);
        for (var, to) in waiting {
            self.read_outside(var, to);
        }
        Ok(())
    }

    /// Starts again with what was found out about bases.
    fn restart(&mut self) {
        self.sets = Sets::default();
        self.todo.clear();
        self.later.clear();
        self.reads.clear();
        self.wrote.clear();
        self.waiting.clear();
        self.orders.clear();
        self.copies.clear();
        self.runs.clear();
        self.seen_runs.clear();
        self.entered.clear();
        self.iterated.clear();
        let mut files: Vec<Rc<Loaded>> = self.files.values().cloned().collect();
        files.sort_by_key(|file| file.id);
        files.iter().for_each(|file| self.build(file));
    }

    /// Bases that only values say.
    fn find_bases(&mut self) -> bool {
        let mut files: Vec<Rc<Loaded>> = self.files.values().cloned().collect();
        files.sort_by_key(|file| file.id);
        let mut found = false;
        for file in files {
            for (number, class) in file.flow.classes.iter().enumerate() {
                for base in &class.bases {
                    if self.static_class(&file, *base).is_some() {
                        continue;
                    }
                    let node = self.expr(file.id, *base);
                    let classes: Vec<Class> =
                        self.sets.held(node).iter().filter_map(|value| self.as_class(*value)).collect();
                    found |= !classes.is_empty();
                    self.more_bases.entry((file.id, number as u32)).or_default().extend(classes);
                }
            }
        }
        found
    }

    fn as_class(&self, value: ValueNo) -> Option<Class> {
        match self.sets.values[value as usize] {
            Value::Class(class) => Some(class),
            _ => None,
        }
    }

    pub(super) fn file(&self, id: FileId) -> Rc<Loaded> {
        Rc::clone(&self.files[&id])
    }

    pub(super) fn expr(&mut self, file: FileId, number: ExprNo) -> NodeNo {
        self.sets.node(Node::Expr(file, number))
    }

    pub(super) fn put(&mut self, node: NodeNo, value: Value) {
        let value = self.sets.value(value);
        self.sets.put(node, value, None);
    }

    pub(super) fn on(&mut self, node: NodeNo, then: Then) {
        for (then, value) in self.sets.then(node, then) {
            self.todo.push((node, then, value));
        }
    }

    /// A place where something happens without a call that is written.
    pub(super) fn bare_site(&mut self, file: FileId, place: FlowPlace, name: Span) -> Rc<Site> {
        let result = self.sets.step();
        Rc::new(Site::bare(file, place.function, name, result))
    }

    /// What a name or a member is at the place of an expression.
    pub(super) fn name_of(&self, file: &Loaded, expr: ExprNo) -> Option<Span> {
        match file.flow.exprs[expr as usize] {
            FlowExpr::Name(span, _) | FlowExpr::Member(_, span) => Some(span),
            _ => None,
        }
    }

    fn decide(&mut self, later: Later) {
        match later {
            Later::Linked { object, to, var, is_method } => self.decide_linked(object, to, var, is_method),
            Later::Inherited { of, name, to, receiver } => self.decide_inherited(of, &name, to, receiver),
            Later::Declared { before, class, value, receiver, to, site } => {
                if before.iter().all(|node| self.sets.held(*node).is_empty()) {
                    self.read_declared(class, value, receiver, to, &site);
                }
            }
            Later::Method { site, object, name } => self.decide_method(&site, object, &name),
            Later::Decorated { callee, result, given } => {
                let own = |value: &ValueNo| !matches!(self.sets.values[*value as usize], Value::Outside(_));
                if !self.sets.held(callee).iter().any(own) {
                    self.sets.flow(given, result);
                }
            }
            Later::AnyKey { key, of, other, reads } => {
                let texts = self.sets.held(key).iter().any(|v| matches!(self.sets.values[*v as usize], Value::Text(_)));
                let all = self.sets.node(if reads { Node::All(of) } else { Node::Any(of) });
                let plain = !reads || self.sets.held(all).len() <= MOST_ELEMENTS;
                if !texts && plain {
                    if reads { self.sets.flow(all, other) } else { self.sets.flow(other, all) }
                }
            }
            Later::Default { function, parameter, value } => {
                if !self.entered.contains(&function) {
                    self.sets.flow(value, parameter);
                }
            }
        }
    }
}
