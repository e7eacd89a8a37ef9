//! How values move in one file: what is assigned, passed, returned and called, as a list of expressions and moves.
//!
//! Made on demand, when a question asks where a function runs or where a member is declared. Nothing of it is stored. The tables of
//! `codegraph_languages::flow` say which nodes do what; no language is named here.

mod define;
mod pattern;
mod walk;

use codegraph_languages::Language;
use codegraph_model::Span;

use crate::apart::Holes;
use crate::compile::Table;

/// A position in [`FlowFacts::exprs`].
pub type ExprNo = u32;
/// A position in [`FlowFacts::functions`]; 0 is the file itself.
pub type FunctionNo = u32;
/// A position in [`FlowFacts::classes`].
pub type ClassNo = u32;
/// A position in [`FlowFacts::blocks`]; 0 is the body of the file.
pub type BlockNo = u32;

/// Where something stands: the function around it, the block of it, the offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowPlace {
    pub function: FunctionNo,
    pub block: BlockNo,
    pub at: u32,
}

/// A value, as far as it can be a function or lead to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlowExpr {
    Unknown,
    Name(Span, FlowPlace),
    /// A member: of what, and where its name stands.
    Member(ExprNo, Span),
    /// An element: of what, and by which key.
    Index(ExprNo, ExprNo),
    /// A position in [`FlowFacts::calls`].
    Call(u32),
    Function(FunctionNo),
    Class(ClassNo),
    Sequence(Vec<Part>),
    Table(Vec<Entry>),
    Text(Box<str>),
    Either(Vec<ExprNo>),
    /// All of them at once: what is in them, but no text.
    Joined(Vec<ExprNo>),
    /// An item of iterating.
    Each(ExprNo, FlowPlace),
    /// Item number `1` of a sequence; all from there on if `2`.
    Item(ExprNo, u32, bool),
    /// What a value is in the block that it opens.
    Entered(ExprNo, FlowPlace),
    /// Parameter number `1` of a function.
    Parameter(FunctionNo, u32),
    /// The receiver of a function.
    This(FunctionNo),
    /// The receiver in the body of a class.
    Within(ClassNo),
    /// The receiver of a function as its base.
    Super(FunctionNo),
}

/// A part of a sequence; all items of it if it is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub value: ExprNo,
    pub spread: bool,
}

/// A member of a table: without a key, all members of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: Option<ExprNo>,
    pub value: ExprNo,
    /// Where the key stands; nowhere if it is made for each item.
    pub at: Span,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    Place(ExprNo),
    Name(Box<str>, ExprNo),
    Spread(ExprNo),
    SpreadTable(ExprNo),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowCall {
    pub callee: ExprNo,
    pub given: Vec<Given>,
    pub place: FlowPlace,
    /// The name that is called, or all of what is called.
    pub name: Span,
    /// It makes an instance of what it calls.
    pub makes: bool,
    /// It is a decorator.
    pub decorates: bool,
}

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Name(Span),
    Member(ExprNo, Span),
    Index(ExprNo, ExprNo),
    /// A member that the body of a class declares.
    Field(ClassNo, Span, bool),
}

/// A value that goes somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub goal: Goal,
    pub value: ExprNo,
    pub place: FlowPlace,
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    One,
    Rest,
    RestTable,
    /// By name alone.
    Named,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowParam {
    /// Empty for a pattern.
    pub name: Span,
    pub takes: Takes,
    pub default: Option<ExprNo>,
}

/// A function, or the file itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowFunction {
    /// Empty if it has none.
    pub name: Span,
    pub span: Span,
    pub params: Vec<FlowParam>,
    /// The function around it.
    pub parent: FunctionNo,
    pub class: Option<ClassNo>,
    pub returns: Vec<ExprNo>,
    /// What is yielded; all items of it if the second says so.
    pub yields: Vec<(ExprNo, bool)>,
    /// The last names of its decorators, and the words before it.
    pub words: Vec<Box<str>>,
    /// It has a receiver of its own.
    pub own_receiver: bool,
    /// The body begins here.
    pub block: BlockNo,
    pub decorated: bool,
}

/// A class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowClass {
    pub name: Span,
    pub span: Span,
    pub bases: Vec<ExprNo>,
    /// Fields with a type, in their order, and the last names of its decorators.
    pub fields: Vec<Span>,
    pub words: Vec<Box<str>>,
}

/// A stretch of code that runs as a whole or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub parent: BlockNo,
    /// It may run again.
    pub repeats: bool,
}

/// How values move in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowFacts {
    pub exprs: Vec<FlowExpr>,
    pub calls: Vec<FlowCall>,
    pub moves: Vec<Move>,
    pub functions: Vec<FlowFunction>,
    pub classes: Vec<FlowClass>,
    pub blocks: Vec<Block>,
}

/// How values move in a file; nothing if parsing took too long or the language says nothing about it.
pub fn flow(source: &[u8], language: &'static Language) -> Option<FlowFacts> {
    let table = language.flow?;
    let tree = crate::parse(source, Table::of(language), &Holes::default())?;
    Some(walk::Walk::new(source, table).run(tree.root_node()))
}

impl FlowFacts {
    /// Whether a block is another one or around it.
    pub fn is_around(&self, outer: BlockNo, mut inner: BlockNo) -> bool {
        while inner != outer {
            if inner == 0 {
                return false;
            }
            inner = self.blocks[inner as usize].parent;
        }
        true
    }

    /// Whether two blocks are in one that may run again.
    pub fn repeat_together(&self, a: BlockNo, mut b: BlockNo) -> bool {
        loop {
            let block = self.blocks[b as usize];
            if block.repeats && self.is_around(b, a) {
                return true;
            }
            if b == 0 {
                return false;
            }
            b = block.parent;
        }
    }
}
