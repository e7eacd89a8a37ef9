//! The syntax tree of one file as plain rows, made on demand.

use codegraph_languages::Language;

use crate::apart::Holes;
use crate::compile::Table;

/// One node of the syntax tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AstNode {
    /// Position in the list, from 0.
    pub id: u32,
    pub parent: Option<u32>,
    pub kind: &'static str,
    pub named: bool,
    pub start: u32,
    pub end: u32,
}

/// All nodes in document order, a parent before its children; empty if parsing took too long.
pub fn ast(source: &[u8], language: &'static Language) -> Vec<AstNode> {
    let table = Table::of(language);
    let Some(tree) = crate::parse(source, table, &Holes::default()) else { return Vec::new() };
    let mut cursor = tree.walk();
    let mut nodes = Vec::new();
    let mut parents: Vec<u32> = Vec::new();
    loop {
        let node = cursor.node();
        nodes.push(AstNode {
            id: nodes.len() as u32,
            parent: parents.last().copied(),
            kind: table.grammar.node_kind_for_id(node.kind_id()).unwrap_or("ERROR"),
            named: node.is_named(),
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
        });
        if cursor.goto_first_child() {
            parents.push(nodes.len() as u32 - 1);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return nodes;
            }
            parents.pop();
        }
    }
}
