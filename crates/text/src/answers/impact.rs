//! The answer of `codegraph impact`: what a change of a symbol concerns.

use std::io;

use codegraph_model::RefKind;
use codegraph_query::{Affected, ImpactAnswer};

use crate::human::{count, more, printable, remarks, unselected, within};
use crate::related::{mark, short, subject, unbound_listed_by};
use crate::{Answer, Out, Style};

impl Answer for ImpactAnswer {
    fn found(&self) -> bool {
        matches!(self, ImpactAnswer::Found(found) if found.total + found.total_tests > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, ImpactAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            ImpactAnswer::Found(found) => found,
            ImpactAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let (code, tests) = (count(found.total as u64, "symbol"), count(found.total_tests as u64, "symbol"));
        let files = count(found.files as u64, "file");
        let levels = format!("within {} ({})", count(u64::from(found.levels), "level"), out.option("depth", "N"));
        out.line(&format!("{code} and {tests} of tests in {files}, {levels}"))?;
        rows(out, &found.affected)?;
        if !found.tests.is_empty() {
            out.line("tests:")?;
            places_of_tests(out, &found.tests)?;
        }
        let shown = found.affected.len().max(found.tests.len());
        more(out, shown, found.total.max(found.total_tests), found.next_offset)?;
        let lists = format!("{} {}", out.command(out.word("refs", "find_usages")), out.option("candidates", ""));
        unbound_listed_by(out, &found.unbound, false, &lists)?;
        remarks(out, &found.remarks)
    }
}

/// What is reached by the same use of the same thing stands together, under its files.
fn rows(out: &mut Out, list: &[Affected]) -> io::Result<()> {
    let same_way = |a: &Affected, b: &Affected| (a.depth, &a.via, &a.through) == (b.depth, &b.via, &b.through);
    for way in list.chunk_by(same_way) {
        let indent = "  ".repeat(way[0].depth as usize);
        let mut indent = indent.as_str();
        if way[0].depth > 1 || way[0].through.is_some() {
            let via = printable(short(&way[0].via));
            let through = way[0].through.as_ref().map(|what| format!(", called as {}", printable(short(what))));
            let head = format!("{}by {via}{}:", &indent[2..], through.unwrap_or_default());
            out.line(&out.styled(Style::Faint, &head, 0))?;
        } else {
            indent = "  ";
        }
        for file in way.chunk_by(|a, b| a.symbol.file == b.symbol.file && a.symbol.project == b.symbol.project) {
            let path = within(file[0].symbol.project.as_deref(), &file[0].symbol.file);
            let users: Vec<String> = file.iter().map(|one| user(out, one)).collect();
            out.line(&format!("{indent}{}: {}", out.styled(Style::Path, &path, 0), users.join(", ")))?;
        }
    }
    Ok(())
}

/// A symbol and the line in which it uses what was reached before it.
fn user(out: &Out, one: &Affected) -> String {
    let kind = if one.kind == RefKind::Call { String::new() } else { format!(" ({})", one.kind.word()) };
    let name = match one.symbol.kind.is_module() {
        true => String::new(),
        false => {
            format!(
                "{}{}:",
                out.styled(Style::Name, &printable(short(&one.symbol.scoped)), 0),
                mark(one.certainty).trim()
            )
        }
    };
    format!("{name}{}{kind}", one.line_number)
}

/// Of tests it is enough to know where they are.
fn places_of_tests(out: &mut Out, list: &[Affected]) -> io::Result<()> {
    let mut files: Vec<(String, Vec<String>)> = Vec::new();
    for one in list {
        let path = within(one.symbol.project.as_deref(), &one.symbol.file);
        let line = format!("{}{}", one.line_number, mark(one.certainty).trim());
        match files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, lines)) if lines.contains(&line) => {}
            Some((_, lines)) => lines.push(line),
            None => files.push((path, vec![line])),
        }
    }
    for (path, lines) in files {
        out.line(&format!("  {}: {}", out.styled(Style::Path, &path, 0), lines.join(", ")))?;
    }
    Ok(())
}
