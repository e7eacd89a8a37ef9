//! Pictures in the language of Graphviz. Symbols stand in a box for each file.

use std::io::Write;

use crate::Result;
use crate::graph::{Canvas, Node, Uses};

pub(crate) struct Dot<'w> {
    pub(crate) out: &'w mut dyn Write,
}

impl Canvas for Dot<'_> {
    fn begin(&mut self) -> Result<()> {
        writeln!(self.out, "digraph codegraph {{")?;
        Ok(writeln!(self.out, "  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];")?)
    }

    fn group(&mut self, number: usize, file: &str) -> Result<()> {
        Ok(writeln!(self.out, "  subgraph cluster_{number} {{ label={};", quoted(file))?)
    }

    fn end_group(&mut self) -> Result<()> {
        Ok(writeln!(self.out, "  }}")?)
    }

    fn node(&mut self, node: &Node<'_>) -> Result<()> {
        let place = format!("{} {}:{}", node.kind, node.file, node.line);
        Ok(writeln!(self.out, "    n{} [label={}, tooltip={}];", node.number, quoted(node.name), quoted(&place))?)
    }

    fn edge(&mut self, from: i64, to: i64, uses: Uses) -> Result<()> {
        let line = if uses.calls > 0 { "solid" } else { "dashed" };
        let Uses { all, calls } = uses;
        Ok(writeln!(self.out, "  n{from} -> n{to} [weight={all}, calls={calls}, style={line}];")?)
    }

    fn end(&mut self) -> Result<()> {
        Ok(writeln!(self.out, "}}")?)
    }
}

/// A string of the language. A backslash begins an escape there, and a line break would end the line.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' | '\\' => out.extend(['\\', sign]),
            '\n' => out.push_str("\\n"),
            sign if sign.is_control() => out.push('\u{fffd}'),
            sign => out.push(sign),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_cannot_end_their_string() {
        assert_eq!(quoted("a\"]; b \\\n\0"), "\"a\\\"]; b \\\\\\n\u{fffd}\"");
    }
}
