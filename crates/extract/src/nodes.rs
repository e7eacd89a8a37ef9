//! The nodes of a syntax tree as a flat list, so that a walk over them is a loop over a slice.

use std::cell::Cell;

use tree_sitter::Tree;
use tree_sitter::ffi::TSNode;

/// The number of the node kind for text that could not be parsed, in every grammar.
const ERROR: u16 = u16::MAX;

/// Lists that are longer are not kept for the next file.
const KEPT: usize = 1 << 18;

/// A node, named or a token. Those below it follow right after it in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Node {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) children: u32,
    /// How many nodes are below it in all.
    pub(crate) descendants: u32,
    pub(crate) kind: u16,
    /// The field of its parent that it is in, or 0.
    pub(crate) field: u16,
    /// The parser put it in where the text has nothing.
    pub(crate) missing: bool,
}

impl Node {
    pub(crate) fn is_error(&self) -> bool {
        self.kind == ERROR
    }
}

#[expect(unsafe_code, reason = "the function is ours, in nodes.c")]
unsafe extern "C" {
    fn codegraph_list_nodes(root: TSNode, out: *mut Node, capacity: u32) -> u32;
}

thread_local! {
    /// A list to be used again: fresh memory for every tree costs more than filling it.
    static LIST: Cell<Vec<Node>> = const { Cell::new(Vec::new()) };
}

/// Gives all nodes of a tree to a visitor, the root first.
pub(crate) fn list<T>(tree: &Tree, visit: impl FnOnce(&[Node]) -> T) -> T {
    let mut nodes = LIST.take();
    fill(&mut nodes, tree);
    let result = visit(&nodes);
    if nodes.capacity() <= KEPT {
        LIST.set(nodes);
    }
    result
}

#[expect(unsafe_code, reason = "only the parser's own headers know how a tree is laid out")]
fn fill(nodes: &mut Vec<Node>, tree: &Tree) {
    let root = tree.root_node();
    let count = root.descendant_count();
    nodes.clear();
    nodes.reserve(count);
    // SAFETY: the tree outlives the call, there is room for `count` nodes, the function writes no more than that, and
    // says how many it has written. `Node` has the layout of the structure that it writes.
    unsafe {
        let written = codegraph_list_nodes(root.into_raw(), nodes.as_mut_ptr(), count as u32);
        nodes.set_len(written as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apart::Holes;
    use crate::compile::Table;

    /// The list as a cursor sees it: slow, but public.
    fn by_cursor(tree: &Tree) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            nodes.push(Node {
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                children: node.child_count(),
                descendants: node.descendant_count() as u32 - 1,
                kind: node.kind_id(),
                field: cursor.field_id().map_or(0, |id| id.get()),
                missing: node.is_missing(),
            });
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return nodes;
                }
            }
        }
    }

    /// Text of every language, and of the wrong language too, so that there are errors and missing nodes.
    #[test]
    fn the_list_is_what_a_cursor_sees() {
        let texts =
            ["", "fn f(a: u8) { g(a)?; }\n// x\n", "class A(B):\n  x = 1\n  def f(self): pass\n", "# T\n\n*a* `b`\n"];
        let own = [include_str!("nodes.c"), include_str!("nodes.rs")];
        for language in codegraph_languages::ALL {
            let table = Table::of(language);
            for text in texts.iter().chain(&own) {
                let tree = crate::parse_text(text.as_bytes(), table, &Holes::default())
                    .expect("short texts are parsed in time");
                list(&tree, |nodes| assert_eq!(nodes, by_cursor(&tree), "{}: {text}", language.name));
            }
        }
    }
}
