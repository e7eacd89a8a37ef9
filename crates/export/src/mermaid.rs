//! Pictures in the language of Mermaid, which many forges draw in Markdown.

use std::io::Write;

use crate::Result;
use crate::graph::{Canvas, Node, Uses};

pub(crate) struct Mermaid<'w> {
    pub(crate) out: &'w mut dyn Write,
}

impl Canvas for Mermaid<'_> {
    fn begin(&mut self) -> Result<()> {
        Ok(writeln!(self.out, "flowchart LR")?)
    }

    fn group(&mut self, number: usize, file: &str) -> Result<()> {
        Ok(writeln!(self.out, "  subgraph g{number}[{}]", quoted(file))?)
    }

    fn end_group(&mut self) -> Result<()> {
        Ok(writeln!(self.out, "  end")?)
    }

    fn node(&mut self, node: &Node<'_>) -> Result<()> {
        Ok(writeln!(self.out, "    n{}[{}]", node.number, quoted(node.name))?)
    }

    fn edge(&mut self, from: i64, to: i64, uses: Uses) -> Result<()> {
        let arrow = if uses.calls > 0 { "-->" } else { "-.->" };
        Ok(writeln!(self.out, "  n{from} {arrow}|{}| n{to}", uses.all)?)
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A text between quotes, in which some signs are written by their numbers.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' | '#' | '<' | '>' | '&' | '`' | ';' | '\\' => out.push_str(&format!("#{};", sign as u32)),
            sign if sign.is_control() => out.push(' '),
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
    fn names_cannot_end_their_text() {
        assert_eq!(quoted("<T>::f\"#1\n"), "\"#60;T#62;::f#34;#35;1 \"");
    }
}
