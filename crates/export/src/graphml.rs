//! Graphs in GraphML, for programs that compute with them.

use std::io::Write;

use crate::Result;
use crate::graph::{Canvas, Node, Uses};

pub(crate) struct Graphml<'w> {
    pub(crate) out: &'w mut dyn Write,
}

/// Attributes: for what, name, type.
const KEYS: &[(&str, &str, &str)] = &[
    ("node", "label", "string"),
    ("node", "kind", "string"),
    ("node", "file", "string"),
    ("node", "line", "int"),
    ("edge", "uses", "int"),
    ("edge", "calls", "int"),
];

impl Canvas for Graphml<'_> {
    fn begin(&mut self) -> Result<()> {
        writeln!(self.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(self.out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
        for (target, name, kind) in KEYS {
            writeln!(self.out, "<key id=\"{name}\" for=\"{target}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>")?;
        }
        Ok(writeln!(self.out, "<graph id=\"codegraph\" edgedefault=\"directed\">")?)
    }

    /// The file is an attribute of each node.
    fn group(&mut self, _: usize, _: &str) -> Result<()> {
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        Ok(())
    }

    fn node(&mut self, node: &Node<'_>) -> Result<()> {
        let (name, kind, file) = (escaped(node.name), escaped(node.kind), escaped(node.file));
        write!(self.out, "<node id=\"n{}\"><data key=\"label\">{name}</data>", node.number)?;
        write!(self.out, "<data key=\"kind\">{kind}</data><data key=\"file\">{file}</data>")?;
        Ok(writeln!(self.out, "<data key=\"line\">{}</data></node>", node.line)?)
    }

    fn edge(&mut self, from: i64, to: i64, uses: Uses) -> Result<()> {
        write!(self.out, "<edge source=\"n{from}\" target=\"n{to}\"><data key=\"uses\">{}</data>", uses.all)?;
        Ok(writeln!(self.out, "<data key=\"calls\">{}</data></edge>", uses.calls)?)
    }

    fn end(&mut self) -> Result<()> {
        Ok(writeln!(self.out, "</graph>\n</graphml>")?)
    }
}

/// Text of XML, which has no room for most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(sign),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            sign if sign.is_control() => out.push('\u{fffd}'),
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_text() {
        assert_eq!(escaped("<T as \"x\">&\u{1}"), "&lt;T as &quot;x&quot;&gt;&amp;\u{fffd}");
    }
}
