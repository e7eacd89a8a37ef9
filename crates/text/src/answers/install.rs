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
        let wide = width(self.changes.iter().map(|change| change.name.chars().count()), 24);
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
        if self.changes.iter().any(|change| change.action == Action::Left) {
            out.warning("an entry of the same name says something else; --force replaces it")?;
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
