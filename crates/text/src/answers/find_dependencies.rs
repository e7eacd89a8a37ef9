//! The answer of `codegraph find-dependencies`: what a symbol or a file uses.

use std::io;

use codegraph_query::FindDependenciesAnswer;

use crate::human::{count, more, printable, remarks, unselected, width};
use crate::related::subject;
use crate::{Answer, Out, Style};

impl Answer for FindDependenciesAnswer {
    fn found(&self) -> bool {
        matches!(self, FindDependenciesAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, FindDependenciesAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            FindDependenciesAnswer::Found(found) => found,
            FindDependenciesAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let names = width(found.dependencies.iter().map(|one| one.name.chars().count()), 60);
        for one in &found.dependencies {
            let name = out.styled(Style::Name, &printable(&one.name), names);
            let kinds: Vec<&str> = one.usage_types.iter().map(|kind| kind.word()).collect();
            let how = out.styled(Style::Kind, &kinds.join(","), 0);
            let uses = count(one.uses as u64, "use");
            let external = if one.external { "  (external)" } else { "" };
            out.line(&format!("  {name}  {how}  {uses}, first {}:{}{external}", printable(&one.file_path), one.line))?;
        }
        more(out, found.dependencies.len(), found.total, found.next_offset)?;
        remarks(out, &found.remarks)
    }
}
