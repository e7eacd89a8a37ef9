//! The answer of `codegraph rename`: a patch, or why there is none.

use std::io;

use codegraph_query::{Objection, RenameAnswer};

use crate::human::{count, printable, remarks, unselected};
use crate::related::sites;
use crate::{Answer, Out, Style};

/// Uses that are shown.
const MOST: usize = 20;

impl Answer for RenameAnswer {
    fn found(&self) -> bool {
        matches!(self, RenameAnswer::Found(found) if found.is_safe())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            RenameAnswer::Found(found) => found,
            RenameAnswer::Unselected(answer) => return unselected(out, answer),
        };
        for line in found.patch.lines() {
            out.line(&printable(line))?;
        }
        let places = count(found.total as u64, "place");
        let files = count(found.files.len() as u64, "file");
        let done = match (found.refused.is_empty(), found.applied) {
            (false, _) => "not done",
            (true, false) => "can be done",
            (true, true) => "done",
        };
        let (old, new) = (printable(&found.old_name), printable(&found.new_name));
        out.line(&format!("'{old}' to '{new}': {places} in {files}, {done}"))?;
        for objection in &found.refused {
            refusal(out, objection)?;
        }
        if !found.unproven.is_empty() {
            out.line("nothing proves what these mean; they stay as they are:")?;
            sites(out, &found.unproven[..found.unproven.len().min(MOST)], false)?;
            if found.unproven.len() > MOST {
                out.faint(&format!("the first {MOST} of {}", found.total_unproven))?;
            }
        }
        remarks(out, &found.remarks)
    }
}

fn refusal(out: &mut Out, objection: &Objection) -> io::Result<()> {
    let place = match (&objection.file, objection.line_number) {
        (Some(file), Some(line)) => format!("{}:{line}: ", printable(file)),
        _ => String::new(),
    };
    let place = out.styled(Style::Path, &place, 0);
    out.line(&format!("refused: {place}{}", printable(&objection.message)))
}
