//! All hits as ripgrep lists them, byte for byte, ordered by path: for scripts, and for who compares.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use codegraph_index::{Project, every_file};
use codegraph_query::{Error, Reader, Result};
use grep_printer::{StandardBuilder, SummaryBuilder, SummaryKind};

use crate::{Grep, matching, search};

/// How hits are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// `file:line:text`
    Lines,
    /// `file:count`
    Counts,
    /// `file`
    Files,
}

/// Lists everything that matches. Says whether anything did.
pub fn listing(
    reader: &Reader,
    project: &Project,
    question: &Grep,
    how: Listing,
    to: &mut dyn Write,
) -> Result<io::Result<bool>> {
    let matcher = matching::matcher(question)?;
    let which = matching::files(reader, project, question)?;
    let below = search::open_root(project)?;
    let parts: Mutex<Vec<(PathBuf, Vec<u8>)>> = Mutex::default();
    every_file(project, &which, || {
        let (matcher, parts, below) = (matcher.clone(), &parts, &below);
        let mut engine = matching::Engine::new(question);
        let mut lines = StandardBuilder::new().build_no_color(Vec::new());
        let mut counts = summary(how);
        move |path: &Path, named: bool| {
            let Ok(file) = below.open_listed(path) else { return true };
            // A file that cannot be read to its end has the hits that were found.
            let text = match how {
                Listing::Lines => {
                    let _ = engine.search(&matcher, &file, named, lines.sink_with_path(&matcher, path));
                    std::mem::take(lines.get_mut().get_mut())
                }
                _ => {
                    let _ = engine.search(&matcher, &file, named, counts.sink_with_path(&matcher, path));
                    std::mem::take(counts.get_mut().get_mut())
                }
            };
            if !text.is_empty() {
                parts.lock().expect("no thread panics with it").push((path.to_owned(), text));
            }
            true
        }
    })
    .map_err(|error| Error::Invalid { what: error.to_string(), give: "see the project's settings" })?;
    let mut parts = parts.into_inner().expect("no thread panics with it");
    parts.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let apart = how == Listing::Lines && question.before + question.after > 0;
    Ok(write(&parts, apart, to))
}

fn summary(how: Listing) -> grep_printer::Summary<termcolor::NoColor<Vec<u8>>> {
    let kind = if how == Listing::Files { SummaryKind::PathWithMatch } else { SummaryKind::Count };
    SummaryBuilder::new().kind(kind).exclude_zero(true).build_no_color(Vec::new())
}

fn write(parts: &[(PathBuf, Vec<u8>)], apart: bool, to: &mut dyn Write) -> io::Result<bool> {
    for (number, (_, text)) in parts.iter().enumerate() {
        if apart && number > 0 {
            to.write_all(b"--\n")?;
        }
        to.write_all(text)?;
    }
    Ok(!parts.is_empty())
}
