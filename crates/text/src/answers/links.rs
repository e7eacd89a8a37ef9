//! The answers of `codegraph link`, `unlink`, `links` and `scan`: other projects.

use std::io;

use codegraph_knowledge::{LinkAnswer, LinkState, LinksAnswer, ScanAnswer, UnlinkAnswer};
use codegraph_model::Advice;

use crate::human::{count, printable, width};
use crate::{Answer, Out, Style};

impl Answer for LinkAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let name = out.styled(Style::Name, &printable(&self.name), 0);
        out.line(&format!("linked {name}: {}, {}", printable(&self.path), count(self.files_available, "file")))
    }
}

impl Answer for UnlinkAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.line(&format!("unlinked {}: {}", printable(&self.name), printable(&self.path)))
    }
}

impl Answer for LinksAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.links.iter().map(|link| link.name.chars().count()), 40);
        for link in &self.links {
            let name = out.styled(Style::Name, &printable(&link.name), wide);
            let path = out.styled(Style::Path, &printable(&link.path), 0);
            out.line(&format!("{name}  {path}  {}", count(link.files_available, "file")))?;
            if let Some(note) = &link.note {
                let skipped = if link.state == LinkState::Available { "" } else { "not asked: " };
                let note = out.advice(note);
                out.warning(&format!("  {skipped}{}", printable(&note)))?;
            }
        }
        match self.total {
            0 => {
                let link = Advice::new("no project is linked; ").ask_about("link", ["PATH".to_owned()]);
                out.line(&out.advice(&link.words(" links one")))
            }
            _ => Ok(()),
        }
    }
}

impl Answer for ScanAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.cut
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.projects.iter().map(|project| project.name.chars().count()), 40);
        for project in &self.projects {
            let name = out.styled(Style::Name, &printable(&project.name), wide);
            let path = out.styled(Style::Path, &printable(&project.path), 0);
            let note =
                project.note.as_ref().map(|note| format!("  {}", printable(&out.advice(note)))).unwrap_or_default();
            out.line(&format!("{name}  {path}  {}{note}", count(project.files, "file")))?;
        }
        let searched = format!("{} searched below {}", count(self.folders as u64, "folder"), printable(&self.root));
        let cut = if self.cut { "; there are more: give a folder further down" } else { "" };
        out.faint(&format!("{}, {searched}{cut}", count(self.total as u64, "project")))
    }
}
