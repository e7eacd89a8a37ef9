//! The answer of `codegraph install`: what was registered where.

use std::io;

use codegraph_install::{Action, Change, InstallAnswer};

use crate::human::{printable, width};
use crate::{Answer, Out, Style};

impl Answer for InstallAnswer {
    fn found(&self) -> bool {
        !self.changes.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.changes.iter().map(|change| change.name.chars().count()), 36);
        for change in &self.changes {
            let name = out.styled(Style::Name, &printable(&change.name), wide);
            let path = out.styled(Style::Path, &printable(&change.path), 0);
            out.line(&format!("{name}  {}  {path}", said(change, self.dry_run)))?;
            if self.dry_run {
                for line in change.text.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()) {
                    out.line(&format!("    {}", printable(line)))?;
                }
            }
        }
        for change in self.changes.iter().filter(|change| change.action == Action::Left) {
            out.warning(&left(change))?;
        }
        match (self.changes.is_empty(), self.uninstall) {
            (true, true) => out.line("nothing to take back"),
            (true, false) => {
                out.line(&format!("no program was found; --client names one of {}", self.known.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

/// Whose entry was left, and what to do about it.
fn left(change: &Change) -> String {
    let (name, path) = (printable(&change.name), printable(&change.path));
    let rest = "it was left as it is, and --force replaces it";
    match &change.theirs {
        Some(theirs) if theirs.another_tool => format!(
            "{name} has another tool under the name codegraph ({} in {path}): {rest}",
            printable(&theirs.starts)
        ),
        Some(theirs) => format!("{name} starts another codegraph ({} in {path}): {rest}", printable(&theirs.starts)),
        None => format!("an entry of the same name in {path} says something else: {rest}"),
    }
}

fn said(change: &Change, dry_run: bool) -> &'static str {
    match (change.action, dry_run) {
        (Action::Create, false) => "written to new file",
        (Action::Create, true) => "would be written to new file",
        (Action::Extend, false) => "added to",
        (Action::Extend, true) => "would be added to",
        (Action::Replace, false) => "replaced in",
        (Action::Replace, true) => "would be replaced in",
        (Action::Remove, false) => "removed from",
        (Action::Remove, true) => "would be removed from",
        (Action::Delete, false) => "removed with its file",
        (Action::Delete, true) => "would be removed with its file",
        (Action::Unchanged, _) => "already in",
        (Action::Left, _) => "left as it is in",
    }
}
