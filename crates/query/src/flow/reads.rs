//! Which of the values that a name gets are there where it is read: those that no later one has replaced on the way.

use std::rc::Rc;

use codegraph_extract::flow::{FlowExpr, FlowPlace, Move};
use codegraph_model::Span;

use super::load::{Loaded, Means, Var};
use super::solve::Solver;
use super::values::*;

impl Solver<'_, '_> {
    pub(super) fn read_name(&mut self, file: &Rc<Loaded>, name: Span, place: FlowPlace, to: NodeNo) {
        match file.means(name) {
            Some(Means::Var(var) | Means::Member(var, _)) if var.file == file.id => {
                self.read_own(file, *var, place, to)
            }
            Some(Means::Var(var) | Means::Member(var, _)) => self.read_outside(*var, to),
            Some(Means::Module(module)) => self.put(to, Value::Module(*module)),
            Some(Means::Outside(path)) => self.put(to, Value::Outside(Rc::clone(path))),
            None => {
                let name = file.text(name);
                self.put(to, Value::Outside(name));
            }
        }
    }

    /// What a variable is where it is read in its own file.
    fn read_own(&mut self, file: &Rc<Loaded>, var: Var, place: FlowPlace, to: NodeNo) {
        let other = self.sets.node(Node::Var(var));
        self.sets.flow(other, to);
        let Some(numbers) = self.moves.get(&var) else { return };
        let moves: Vec<&Move> = numbers.iter().map(|number| &file.flow.moves[*number as usize]).collect();
        for one in reaching(file, &moves, place) {
            self.flow_move(file, &one, to);
        }
    }

    fn flow_move(&mut self, file: &Rc<Loaded>, one: &Move, to: NodeNo) {
        let value = self.expr(file.id, one.value);
        self.sets.flow(value, to);
    }

    /// What a variable is for those who read it from outside its function: what it is in the end.
    pub(super) fn read_outside(&mut self, var: Var, to: NodeNo) {
        let Some(file) = self.files.get(&var.file).cloned() else {
            self.wanted.push(var.file);
            return self.waiting.push((var, to));
        };
        let other = self.sets.node(Node::Var(var));
        self.sets.flow(other, to);
        let Some(numbers) = self.moves.get(&var) else { return };
        let moves: Vec<&Move> = numbers.iter().map(|number| &file.flow.moves[*number as usize]).collect();
        let function = moves.first().map_or(0, |one| one.place.function);
        let end = FlowPlace { function, block: file.flow.functions[function as usize].block, at: u32::MAX };
        for one in reaching(&file, &moves, end) {
            self.flow_move(&file, &one, to);
        }
    }
}

/// The moves whose values can be there at a place.
fn reaching(file: &Loaded, moves: &[&Move], place: FlowPlace) -> Vec<Move> {
    if moves.len() < 2 {
        return moves.iter().map(|one| **one).collect();
    }
    let own: Vec<&&Move> = moves.iter().filter(|one| one.place.function == place.function).collect();
    if own.is_empty() {
        return moves.iter().map(|one| **one).collect();
    }
    // A definition is there from its start: a parameter before everything else.
    let at = |one: &Move| match file.flow.exprs[one.value as usize] {
        FlowExpr::Parameter(..) => 0,
        _ => one.place.at,
    };
    let before = |one: &&&&Move| at(one) < place.at && file.flow.is_around(one.place.block, place.block);
    let last = own.iter().filter(before).map(|one| at(one)).max();
    let again = |one: &Move| file.flow.repeat_together(one.place.block, place.block);
    let reaches = |one: &Move| match last {
        Some(last) => at(one) >= last && at(one) < place.at || at(one) > place.at && again(one),
        None => at(one) < place.at || again(one),
    };
    let mut found: Vec<Move> = own.iter().filter(|one| reaches(one)).map(|one| ***one).collect();
    // Of definitions that are there from the start the last one counts.
    if let Some(last) = last.filter(|_| found.iter().filter(|one| Some(at(one)) == last).count() > 1) {
        let kept = found.iter().rposition(|one| at(one) == last).expect("there are two");
        let kept = found[kept];
        found.retain(|one| at(one) != last || *one == kept);
    }
    match (found.is_empty(), last) {
        (true, _) => moves.iter().map(|one| **one).collect(),
        // Functions inside may have assigned it meanwhile.
        (false, Some(_)) => {
            let inside = |one: &&&Move| file.is_within(one.place.function, place.function);
            let others = moves.iter().filter(inside).map(|one| **one);
            found.iter().copied().chain(others).collect()
        }
        // Nobody can say that it was assigned here at all.
        (false, None) => {
            let others = moves.iter().filter(|one| one.place.function != place.function).map(|one| **one);
            found.into_iter().chain(others).collect()
        }
    }
}
