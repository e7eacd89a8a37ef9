//! The answer of `codegraph refs`: where a symbol is used.

use std::io;

use codegraph_model::Certainty;
use codegraph_query::{Override, RefsAnswer, SitePlace};

use crate::human::{count, more, printable, remarks, unselected};
use crate::related::{sites, subject, unbound, verdict};
use crate::{Answer, Out};

impl Answer for RefsAnswer {
    fn found(&self) -> bool {
        matches!(self, RefsAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, RefsAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            RefsAnswer::Found(found) => found,
            RefsAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let uses = format!("{} in {}", count(found.total as u64, "reference"), count(found.files as u64, "file"));
        out.line(&format!("{uses}{}", verdict(&found.unbound, found.symbol.project.as_deref())))?;
        sites(out, &found.references, found.compact)?;
        more(out, found.references.len(), found.total, found.next_offset)?;
        relatives(out, &found.relatives)?;
        // What may be something else has to be looked at: its lines are shown whatever is wished for the rest.
        unbound(out, &found.unbound, found.compact && found.unbound.candidates.len() > FEW_CANDIDATES)?;
        if found.references.iter().any(|site| site.certainty == Certainty::Inferred) {
            out.faint("~ is proved too: by a type that was inferred instead of declared")?;
        }
        remarks(out, &found.remarks)
    }
}

/// So many candidates are shown with their lines in any case.
const FEW_CANDIDATES: usize = 8;

/// Overrides that are named at most.
const MOST_RELATIVES: usize = 6;

/// What else may run where one of these is called.
fn relatives(out: &mut Out, all: &[Override]) -> io::Result<()> {
    for (overrides, what) in [(true, "that override it"), (false, "that it overrides")] {
        let some: Vec<&Override> = all.iter().filter(|one| one.overrides == overrides && one.references > 0).collect();
        if some.is_empty() {
            continue;
        }
        let total: usize = some.iter().map(|one| one.references).sum();
        let mut places: Vec<&SitePlace> = some.iter().flat_map(|one| &one.places).collect();
        let named = few(&some, |one| {
            let symbol = &one.symbol;
            // Where its uses are listed, its own place is not what is looked for.
            let place = match places.is_empty() {
                true => format!(" {}:{}", printable(&symbol.file), symbol.line_number),
                false => String::new(),
            };
            format!("{}{place} {}", printable(&symbol.scoped), one.references)
        });
        out.line(&format!("{} to methods {what}: {named}", count(total as u64, "further reference")))?;
        places.sort_by(|a, b| (&a.file, a.line_number).cmp(&(&b.file, b.line_number)));
        for file in places.chunk_by(|a, b| a.file == b.file) {
            let lines: Vec<String> = file.iter().map(|place| place.line_number.to_string()).collect();
            out.line(&format!("  {}: {}", printable(&file[0].file), lines.join(", ")))?;
        }
    }
    let silent: Vec<&Override> = all.iter().filter(|one| one.overrides && one.references == 0).collect();
    if silent.is_empty() {
        return Ok(());
    }
    let what = if silent.len() == all.len() { "overridden by" } else { "also overridden by" };
    out.line(&format!("{what} {}", few(&silent, |one| printable(&one.symbol.scoped))))
}

/// The first of some overrides, and how many more there are.
fn few(all: &[&Override], name: impl Fn(&Override) -> String) -> String {
    let mut named: Vec<String> = all.iter().take(MOST_RELATIVES).map(|one| name(one)).collect();
    if all.len() > MOST_RELATIVES {
        named.push(format!("{} more", all.len() - MOST_RELATIVES));
    }
    named.join(", ")
}
