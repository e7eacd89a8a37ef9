//! The syntax tree of a file, made on demand: all of it, or the nodes around a position.

use codegraph_extract::AstNode;
use codegraph_model::{FileFacts, Span};
use serde::Serialize;

use crate::reader::FileView;
use crate::symbol::Place;
use crate::{Error, Note, Reader, Remarks, Result, Window, vocabulary};

/// A question for the syntax tree of a file.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    pub file: String,
    /// Only the nodes around this byte offset.
    pub position: Option<Position>,
    /// Punctuation and keywords too.
    pub anonymous: bool,
    /// How many levels; all if absent.
    pub depth: Option<usize>,
    pub window: Window,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    Byte(u32),
    /// Line from 1, column from 0 in bytes.
    LineColumn(u32, u32),
}

/// Nodes of a syntax tree in document order.
#[derive(Clone, Debug, Serialize)]
pub struct AstAnswer {
    pub file: String,
    pub language: String,
    pub nodes: Vec<NodeInfo>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A node of a syntax tree.
#[derive(Clone, Debug, Serialize)]
pub struct NodeInfo {
    pub id: u32,
    pub parent_id: Option<u32>,
    pub kind: &'static str,
    pub depth: u32,
    #[serde(flatten)]
    pub place: Place,
    /// The text of a node without children that is short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Answers with the syntax tree of a file.
pub fn ast(reader: &Reader, question: &Ast) -> Result<AstAnswer> {
    let view = reader.view(reader.file(&question.file)?)?;
    let source = reader.source(&view.record)?;
    let language = vocabulary::language(&view.record.language)?;
    let nodes = codegraph_extract::ast(&source.bytes, language);
    let mut remarks = Remarks::of(reader);
    if nodes.is_empty() {
        remarks.note(Note::ParsedTooLong);
    }
    let at = question.position.map(|position| offset(&view, position)).transpose()?;
    let depths = depths(&nodes);
    let wanted: Vec<&AstNode> = nodes
        .iter()
        .filter(|node| question.anonymous || node.named)
        .filter(|node| at.is_none_or(|at| node.start <= at && (at < node.end || at == node.end && node.start == at)))
        .filter(|node| question.depth.is_none_or(|most| (depths[node.id as usize] as usize) < most))
        .collect();
    let info = |node: &&AstNode| {
        let leaf = nodes.get(node.id as usize + 1).is_none_or(|next| next.parent != Some(node.id));
        let span = Span::new(node.start, node.end);
        NodeInfo {
            id: node.id,
            parent_id: node.parent,
            kind: node.kind,
            depth: depths[node.id as usize],
            place: view.place(span),
            text: (leaf && span.len() <= 60).then(|| source.text(span)),
        }
    };
    Ok(AstAnswer {
        file: view.record.path.clone(),
        language: view.record.language.clone(),
        nodes: question.window.of(&wanted).iter().map(info).collect(),
        total: wanted.len(),
        next_offset: question.window.next(wanted.len()),
        remarks,
    })
}

fn offset(view: &FileView<'_>, position: Position) -> Result<u32> {
    let facts = view.facts();
    match position {
        Position::Byte(at) if at <= facts.length => Ok(at),
        Position::Byte(at) => {
            let (path, most) = (view.record.path.clone(), facts.length as usize);
            Err(Error::Beyond { path, what: format!("byte {at}"), most })
        }
        Position::LineColumn(line, column) => offset_in(facts, &view.record.path, line, column),
    }
}

/// The offset of a 1-based line and a 0-based column; a column behind the line is its end.
pub(crate) fn offset_in(facts: &FileFacts, path: &str, line: u32, column: u32) -> Result<u32> {
    let start = line.checked_sub(1).and_then(|line| facts.line_starts.get(line as usize));
    let beyond = || {
        let (path, most) = (path.to_owned(), facts.line_starts.len());
        Error::Beyond { path, what: format!("line {line}"), most }
    };
    let start = start.ok_or_else(beyond)?;
    let next = facts.line_starts.get(line as usize).map_or(facts.length, |next| next - 1);
    Ok(start.saturating_add(column).min(next))
}

/// How deep each node is, counting all nodes.
fn depths(nodes: &[AstNode]) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(nodes.len());
    for node in nodes {
        depths.push(node.parent.map_or(0, |parent| depths[parent as usize] + 1));
    }
    depths
}
