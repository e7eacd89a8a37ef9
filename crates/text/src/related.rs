//! How people see symbols that use each other.

use std::io;

use codegraph_model::Certainty;
use codegraph_query::{SiteInfo, SymbolBrief, Unbound};

use crate::human::{count, printable, width, within};
use crate::{Out, Style};

/// The symbol that an answer is about: kind, name and place.
pub(crate) fn subject(out: &mut Out, symbol: &SymbolBrief) -> io::Result<()> {
    let kind = out.styled(Style::Kind, symbol.kind.word(), 0);
    let name = out.styled(Style::Name, &printable(&symbol.fqn), 0);
    out.line(&format!("{kind} {name}  {}", place(symbol)))
}

pub(crate) fn place(symbol: &SymbolBrief) -> String {
    format!("{}:{}", within(symbol.project.as_deref(), &symbol.file), symbol.line_number)
}

/// Places of use, under their files.
pub(crate) fn sites(out: &mut Out, sites: &[SiteInfo]) -> io::Result<()> {
    for file in sites.chunk_by(|a, b| a.file == b.file && a.user.project == b.user.project) {
        let path = out.styled(Style::Path, &within(file[0].user.project.as_deref(), &file[0].file), 0);
        out.line(&path)?;
        let kinds = width(file.iter().map(|site| site.kind.word().len()), 14);
        for site in file {
            let kind = out.styled(Style::Kind, site.kind.word(), kinds);
            let text = printable(site.text.as_deref().unwrap_or(""));
            let mark = mark(site.certainty);
            let user = out.styled(Style::Faint, &format!("in {}", printable(&site.user.fqn)), 0);
            out.line(&format!("{:>6}  {kind}{mark}  {text}  {user}", site.line_number))?;
        }
    }
    Ok(())
}

/// Nothing for what is certain.
pub(crate) fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "",
        Certainty::Inferred => " ~",
        Certainty::Candidate => " ?",
    }
}

/// How many sites only name the symbol, or those sites.
pub(crate) fn unbound(out: &mut Out, unbound: &Unbound) -> io::Result<()> {
    if unbound.total == 0 {
        return Ok(());
    }
    if unbound.candidates.is_empty() {
        let sites = count(unbound.total, "more site");
        let verb = if unbound.total == 1 { "names" } else { "name" };
        let shows = out.option("candidates", "");
        return out.faint(&format!("{sites} {verb} it but could not be bound; {shows} shows them"));
    }
    out.line("candidates, by name only:")?;
    sites(out, &unbound.candidates)
}
