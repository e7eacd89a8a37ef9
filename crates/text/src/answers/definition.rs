//! The answer of `codegraph definition`: where something is defined.

use std::io;

use codegraph_query::{Definition, DefinitionAnswer};

use crate::human::{clipped, printable, remarks, unselected, width};
use crate::related::mark;
use crate::{Answer, Out, Style};

impl Answer for DefinitionAnswer {
    fn found(&self) -> bool {
        match self {
            DefinitionAnswer::Found(found) => !found.definitions.is_empty() || !found.external.is_empty(),
            DefinitionAnswer::Unselected(_) => false,
        }
    }

    fn partial(&self) -> bool {
        matches!(self, DefinitionAnswer::Found(found) if found.total > found.definitions.len())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            DefinitionAnswer::Found(found) => found,
            DefinitionAnswer::Unselected(answer) => return unselected(out, answer),
        };
        let places = width(found.definitions.iter().map(|one| place(one).chars().count()), 60);
        for one in &found.definitions {
            definition(out, one, places)?;
        }
        for path in &found.external {
            out.line(&format!("{} (outside the project)", printable(path)))?;
        }
        if found.total > found.definitions.len() {
            out.faint(&format!("the first {} of {}", found.definitions.len(), found.total))?;
        }
        remarks(out, &found.remarks)
    }
}

/// Where its name stands.
fn place(one: &Definition) -> String {
    format!("{}:{}:{}", printable(&one.file), one.range.start_line, one.range.start_col)
}

/// One definition: place, kind, name and head.
pub(super) fn definition(out: &mut Out, one: &Definition, places: usize) -> io::Result<()> {
    let at = out.styled(Style::Path, &place(one), places);
    let kind = out.styled(Style::Kind, one.kind.word(), 0);
    let name = out.styled(Style::Name, &printable(one.fqn.as_deref().unwrap_or(&one.name)), 0);
    let head = printable(&clipped(one.signature.as_deref().unwrap_or_default(), 100));
    let head = out.styled(Style::Faint, &head, 0);
    out.line(&format!("{at}  {kind}{} {name}  {head}", mark(one.certainty)))
}
