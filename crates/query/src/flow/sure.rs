//! What a member of an object is where it was surely written just before: by the code itself, or by a function that it has called.
//!
//! Members are kept per value, whoever wrote them. Where one write stands on every way to a read, and nothing between the two can write
//! again, that one alone says what is read.

use std::rc::Rc;

use codegraph_extract::flow::{ExprNo, FlowCall, FlowExpr, FlowPlace, Given, Goal, Move};
use codegraph_model::FileId;

use super::load::{Loaded, Means, Var};
use super::solve::Solver;
use super::values::*;

/// Calls inside calls.
const DEEPEST: u32 = 3;
/// So many reads are looked at twice.
const MOST_READS: usize = 100;

/// What a path of members begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Var(Var),
    Parameter(u32),
    Receiver,
}

/// A variable or receiver, and the members on the way from there.
#[derive(Clone, PartialEq, Eq)]
struct Path {
    root: Root,
    names: Vec<Rc<str>>,
}

/// A member that is written whenever a function runs, and what is written.
#[derive(Clone)]
pub(super) struct Write {
    path: Path,
    from: From,
}

#[derive(Clone, Copy)]
enum From {
    Node(NodeNo),
    Parameter(u32),
}

/// A read that may have a sure write before it.
pub(super) struct Read {
    pub(super) file: FileId,
    pub(super) expr: ExprNo,
    pub(super) to: NodeNo,
}

impl Solver<'_, '_> {
    /// Notes which names are written as members.
    pub(super) fn note_written(&mut self, file: &Loaded) {
        let names = file.flow.moves.iter().filter_map(|one| match one.goal {
            Goal::Member(_, name) => Some(file.text(name)),
            Goal::Index(_, key) => text(file, key),
            _ => None,
        });
        self.written.extend(names);
        let prototype = file.table.prototype;
        let mut members = file.flow.exprs.iter();
        if members.any(|one| matches!(one, FlowExpr::Member(_, name) if &*file.text(*name) == prototype)) {
            self.written.insert(prototype.into());
        }
    }

    /// Whether a member is worth a second look, once more is known: somebody writes one of this name, and it is read of a variable.
    pub(super) fn may_be_sure(&self, file: &Loaded, expr: ExprNo) -> bool {
        if self.reads.len() >= MOST_READS {
            return false;
        }
        let last = match file.flow.exprs[expr as usize] {
            FlowExpr::Member(_, name) => Some(file.text(name)),
            FlowExpr::Index(_, key) => text(file, key),
            _ => None,
        };
        last.is_some_and(|last| self.written.contains(&last))
            && self.path(file, expr).is_some_and(|path| matches!(path.root, Root::Var(_)))
    }

    /// Gives a read what was surely written; false if nothing was.
    pub(super) fn read_sure(&mut self, read: &Read) -> bool {
        let file = self.file(read.file);
        let (FlowExpr::Member(of, _) | FlowExpr::Index(of, _)) = file.flow.exprs[read.expr as usize] else {
            return false;
        };
        let Some(from) = self.surely(&file, read.expr, of) else { return false };
        let of = self.expr(read.file, of);
        let held = self.sets.held(of).to_vec();
        for value in &held {
            let value = *value;
            match self.sets.values[value as usize] {
                Value::Instance(_) | Value::Class(_) => self.sets.flow(from, read.to),
                _ => self.on(from, Then::Bind { to: read.to, receiver: value }),
            }
        }
        !held.is_empty()
    }

    fn surely(&mut self, file: &Rc<Loaded>, expr: ExprNo, of: ExprNo) -> Option<NodeNo> {
        let path = self.path(file, expr)?;
        let Root::Var(var) = path.root else { return None };
        // Who has given the variable to others does not know what they do.
        let [only] = self.moves.get(&var).filter(|_| var.file == file.id)?.as_slice() else { return None };
        let (made, place) = (file.flow.moves[*only as usize].place, root_place(file, of)?);
        if self.is_computed(of, file, path.names.last()?) {
            return None;
        }
        let before = |own: FlowPlace| {
            own.function == place.function && own.at < place.at && file.flow.is_around(own.block, place.block)
        };
        let (mut at, mut found) = (0, None);
        for one in file.flow.moves.iter().filter(|one| before(one.place)) {
            if one.place.at >= at && self.goal(file, one).as_ref() == Some(&path) {
                (at, found) = (one.place.at, Some(self.expr(file.id, one.value)));
            }
        }
        // What is an argument of a call is read before it.
        let exprs = file.flow.exprs.iter().enumerate();
        let made_at: Vec<usize> = exprs.filter(|(_, e)| matches!(e, FlowExpr::Call(_))).map(|(at, _)| at).collect();
        for (number, call) in file.flow.calls.iter().enumerate() {
            let is_before = before(call.place) && call.place.at >= at;
            if !is_before || made_at.get(number).is_none_or(|made_at| *made_at > expr as usize) {
                continue;
            }
            for write in self.writes_at(file, call, DEEPEST) {
                if let From::Node(from) = write.from
                    && write.path == path
                {
                    (at, found) = (call.place.at, Some(from));
                }
            }
        }
        let is_between = |own: FlowPlace| own.function == place.function && at < own.at && own.at < place.at;
        let here = made.function == place.function && file.flow.is_around(made.block, place.block);
        let free = here && made.at <= at && self.is_free_between(file, &path, is_between);
        found.filter(|_| free)
    }

    /// Whether reading a member runs something.
    fn is_computed(&mut self, of: ExprNo, file: &Loaded, name: &Rc<str>) -> bool {
        let of = self.expr(file.id, of);
        let held = self.sets.held(of).to_vec();
        held.into_iter().any(|value| match self.sets.values[value as usize] {
            Value::Instance(class) | Value::Class(class) => self.method(class, name).is_some(),
            Value::Literal(..) | Value::Foreign(..) | Value::Made(_) | Value::Function(_) => false,
            _ => true,
        })
    }

    /// Whether nothing between a write and a read can write the member, or another object in its place.
    fn is_free_between(&self, file: &Loaded, path: &Path, is_between: impl Fn(FlowPlace) -> bool) -> bool {
        let outside = |node: Option<NodeNo>| {
            let held = node.map_or(&[][..], |node| self.sets.held(node));
            let is_outside = |value: &ValueNo| matches!(self.sets.values[*value as usize], Value::Outside(_));
            !held.is_empty() && held.iter().all(is_outside)
        };
        let runs = |given: &Given| {
            let (Given::Place(value) | Given::Name(_, value) | Given::Spread(value) | Given::SpreadTable(value)) =
                given;
            let held = self.sets.known(&Node::Expr(file.id, *value)).map_or(&[][..], |node| self.sets.held(node));
            held.iter().any(|value| {
                matches!(
                    self.sets.values[*value as usize],
                    Value::Function(_) | Value::Bound(..) | Value::Partial(..) | Value::Settle(_)
                )
            })
        };
        let calls = file.flow.calls.iter().filter(|call| is_between(call.place));
        let mut calls = calls
            .map(|call| outside(self.sets.known(&Node::Expr(file.id, call.callee))) && !call.given.iter().any(&runs));
        let moves = file.flow.moves.iter().filter(|one| is_between(one.place));
        let mut other = moves.map(|one| match one.goal {
            Goal::Member(_, name) => !path.names.contains(&file.text(name)),
            Goal::Index(_, key) => element(file, key).is_some_and(|key| !path.names.contains(&key)),
            Goal::Name(_) | Goal::Field(..) => true,
        });
        calls.all(|free| free) && other.all(|free| free)
    }

    /// What a call surely writes, in the words of who calls.
    fn writes_at(&mut self, file: &Rc<Loaded>, call: &FlowCall, deep: u32) -> Vec<Write> {
        let Some((function, receiver)) = self.called(file, call).filter(|_| deep > 0) else { return Vec::new() };
        let given = |place: u32| match call.given.get(place as usize) {
            Some(Given::Place(value)) => Some(*value),
            _ => None,
        };
        let plain = call.given.iter().all(|one| matches!(one, Given::Place(_)));
        let mut found = Vec::new();
        for write in self.writes_of(function, deep - 1).iter() {
            let root = match write.path.root {
                Root::Var(var) => Some(Path { root: Root::Var(var), names: Vec::new() }),
                Root::Receiver => receiver.and_then(|receiver| self.path(file, receiver)),
                Root::Parameter(place) => given(place).filter(|_| plain).and_then(|value| self.path(file, value)),
            };
            let from = match write.from {
                From::Node(node) => Some(From::Node(node)),
                From::Parameter(place) => given(place).filter(|_| plain).map(|value| self.written_value(file, value)),
            };
            if let (Some(mut path), Some(from)) = (root, from) {
                path.names.extend(write.path.names.iter().cloned());
                found.push(Write { path, from });
            }
        }
        found
    }

    /// What a function writes whenever it runs: nothing is known of one that branches.
    fn writes_of(&mut self, function: Function, deep: u32) -> Rc<[Write]> {
        if let Some(known) = self.wrote.get(&function) {
            return Rc::clone(known);
        }
        let found: Rc<[Write]> = self.find_writes(function, deep).into();
        self.wrote.insert(function, Rc::clone(&found));
        found
    }

    fn find_writes(&mut self, function: Function, deep: u32) -> Vec<Write> {
        let Some(file) = self.files.get(&function.0).cloned() else { return Vec::new() };
        let own = &file.flow.functions[function.1 as usize];
        let bodies: Vec<u32> = file.flow.functions.iter().map(|one| one.block).collect();
        let branches = file.flow.blocks.iter().enumerate();
        let mut branches = branches.filter(|(number, _)| !bodies.contains(&(*number as u32)));
        if branches.any(|(_, block)| block.parent == own.block) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for one in file.flow.moves.iter().filter(|one| one.place.function == function.1) {
            if let Some(path) = self.goal(&file, one) {
                let from = self.written_value(&file, one.value);
                found.push((one.place.at, Write { path, from }));
            }
        }
        for call in file.flow.calls.iter().filter(|call| call.place.function == function.1) {
            found.extend(self.writes_at(&file, call, deep).into_iter().map(|write| (call.place.at, write)));
        }
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, write)| write).collect()
    }

    fn written_value(&mut self, file: &Loaded, value: ExprNo) -> From {
        match self.path(file, value) {
            Some(Path { root: Root::Parameter(place), names }) if names.is_empty() => From::Parameter(place),
            _ => From::Node(self.expr(file.id, value)),
        }
    }

    /// The one function that a call runs, and the expression that is its receiver.
    fn called(&mut self, file: &Loaded, call: &FlowCall) -> Option<(Function, Option<ExprNo>)> {
        let node = self.sets.known(&Node::Expr(file.id, call.callee))?;
        let [only] = self.sets.held(node) else { return None };
        let receiver = match file.flow.exprs[call.callee as usize] {
            FlowExpr::Member(of, _) | FlowExpr::Index(of, _) => Some(of),
            _ => None,
        };
        match self.sets.values[*only as usize] {
            Value::Function(function) if !call.makes => Some((function, None)),
            // A receiver that is a parameter too would move all places.
            Value::Bound(function, _) if !self.files[&function.0].table.receiver_is_parameter => {
                Some((function, receiver))
            }
            _ => None,
        }
    }

    fn goal(&self, file: &Loaded, one: &Move) -> Option<Path> {
        let (of, name) = match one.goal {
            Goal::Member(of, name) => (of, file.text(name)),
            Goal::Index(of, key) => (of, element(file, key)?),
            _ => return None,
        };
        let mut path = self.path(file, of)?;
        path.names.push(name);
        Some(path)
    }

    fn path(&self, file: &Loaded, expr: ExprNo) -> Option<Path> {
        match file.flow.exprs[expr as usize] {
            FlowExpr::Name(name, place) => {
                let root = match (self.passed_through(file, place.function, expr), file.means(name)?) {
                    (Some(place), _) => Root::Parameter(place),
                    (None, Means::Var(var)) => Root::Var(*var),
                    _ => return None,
                };
                Some(Path { root, names: Vec::new() })
            }
            FlowExpr::This(_) => Some(Path { root: Root::Receiver, names: Vec::new() }),
            FlowExpr::Member(of, name) => {
                let mut path = self.path(file, of)?;
                path.names.push(file.text(name));
                Some(path)
            }
            FlowExpr::Index(of, key) => {
                let mut path = self.path(file, of)?;
                path.names.push(element(file, key)?);
                Some(path)
            }
            _ => None,
        }
    }
}

fn text(file: &Loaded, key: ExprNo) -> Option<Rc<str>> {
    match &file.flow.exprs[key as usize] {
        FlowExpr::Text(text) => Some((&**text).into()),
        _ => None,
    }
}

/// The name of an element, apart from members where those are others: there a number is no text either, and is not followed.
fn element(file: &Loaded, key: ExprNo) -> Option<Rc<str>> {
    let key = text(file, key)?;
    match file.table.members_are_elements {
        true => Some(key),
        false => (!key.bytes().all(|b| b.is_ascii_digit())).then(|| format!("[{key}").into()),
    }
}

/// Where the variable stands that a path begins with.
fn root_place(file: &Loaded, expr: ExprNo) -> Option<FlowPlace> {
    match file.flow.exprs[expr as usize] {
        FlowExpr::Name(_, place) => Some(place),
        FlowExpr::Member(of, _) | FlowExpr::Index(of, _) => root_place(file, of),
        _ => None,
    }
}
